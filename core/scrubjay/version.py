"""The version of Scrubjay."""

from __future__ import annotations


def current_version() -> str:
    """The version as the package says it; bundles carry its metadata."""
    import importlib.metadata  # it brings the parser of mail, and a start of the app has no use

    return importlib.metadata.version("scrubjay")
