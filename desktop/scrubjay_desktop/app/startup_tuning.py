"""What makes the start shorter: a seventh of it went into looking for waste and for plug-ins."""

from __future__ import annotations

import gc
import os

SETTLED_MS = 1000
"""After the wish is fulfilled: the window has been painted then, on a slow computer too."""


def begin() -> None:
    """Call it before anything large is imported."""
    # Modules stay, so looking for waste among them finds nothing.
    gc.disable()
    # pydantic would read about every installed package, and nothing here has plug-ins for it.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "1")


def settle() -> None:
    """Call it once the window is there: waste is looked for as usual from now on."""
    gc.collect()
    # What is here now stays until the end, and need not be looked through again and again.
    gc.freeze()
    gc.enable()
