"""Logging for an entry point: quiet on the terminal, complete in a file."""

from __future__ import annotations

import logging
import logging.handlers
from pathlib import Path

_MAX_BYTES = 1_000_000
_FORMAT = "%(asctime)s %(levelname)s %(threadName)s %(name)s: %(message)s"


def log_to(folder: Path, name: str) -> None:
    """Write warnings and news of our own modules to `<folder>/<name>.log`, kept small."""
    root = logging.getLogger("scrubjay")
    root.setLevel(logging.INFO)
    root.propagate = False
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handler: logging.Handler = logging.handlers.RotatingFileHandler(
            folder / f"{name}.log", maxBytes=_MAX_BYTES, backupCount=1, encoding="utf-8"
        )
    except OSError:
        # A program that cannot log still has to run.
        handler = logging.NullHandler()
    handler.setFormatter(logging.Formatter(_FORMAT))
    root.addHandler(handler)
