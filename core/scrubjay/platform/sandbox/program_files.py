"""The files that a sandboxed process may read: the program itself, libraries and fonts."""

from __future__ import annotations

import os
import sys


def program_files() -> list[str]:
    """Files and folders of Python and of Scrubjay, also where a bundle holds them."""
    folders = [os.path.join(prefix, "lib") for prefix in (sys.prefix, sys.base_prefix)]  # noqa: PTH118
    return [*filter(os.path.isabs, sys.path), *folders, sys.executable]
