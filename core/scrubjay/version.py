"""Which Scrubjay this is."""

from __future__ import annotations

import importlib.metadata


def current_version() -> str:
    """The version as the package says it; bundles carry its metadata."""
    return importlib.metadata.version("scrubjay")
