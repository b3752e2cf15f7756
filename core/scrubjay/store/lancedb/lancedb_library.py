"""The import of the LanceDB library."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from types import ModuleType

_CLIENT = "lance_namespace_urllib3_client"
"""Client of catalogues of tables; LanceDB imports its records, and calls it for catalogues only."""


def load_lancedb() -> ModuleType:
    """The library. Raises ImportError if it is not installed.

    Half of the processor time of its import builds a client that nothing here calls.
    """
    if "lancedb" not in sys.modules:
        _skip_client()
    return importlib.import_module("lancedb")


def _skip_client() -> None:
    """Let the package of the client have its modules, without importing all of them."""
    spec = importlib.util.find_spec(_CLIENT)
    if spec and spec.submodule_search_locations:
        package = ModuleType(_CLIENT)
        package.__spec__ = spec
        package.__path__ = spec.submodule_search_locations
        sys.modules.setdefault(_CLIENT, package)
