"""Logging for an entry point: quiet on the terminal, complete in a file."""

from __future__ import annotations

import contextlib
import logging
import logging.handlers
from io import TextIOWrapper
from pathlib import Path

from scrubjay.platform.atomic_write import PRIVATE_FILE
from scrubjay.platform.paths import make_private_folder

_MAX_BYTES = 1_000_000
"""Bytes of a log file; one former file is kept."""
_FORMAT = "%(asctime)s %(levelname)s %(threadName)s %(name)s: %(message)s"


class _LogFile(logging.handlers.RotatingFileHandler):
    """A log file that gives up in silence: a full disk is no reason to stop or to complain."""

    def _open(self) -> TextIOWrapper:
        Path(self.baseFilename).touch(PRIVATE_FILE)
        return super()._open()

    def handleError(self, record: logging.LogRecord) -> None:
        """Lose one line."""

    def close(self) -> None:
        """Close, even when the last lines cannot be written."""
        with contextlib.suppress(OSError):
            super().close()


class _Entries(logging.Formatter):
    """Formats entries so that only their first line looks like one, whatever a name holds."""

    def format(self, record: logging.LogRecord) -> str:
        """The entry, with all lines but the first indented."""
        return "\n  ".join(super().format(record).splitlines())


def configure_logging(folder: Path, name: str) -> None:
    """Write warnings and news of our own modules to `<folder>/<name>.log`, kept small."""
    # Only our own loggers: those of libraries may quote a note or a query.
    root = logging.getLogger("scrubjay")
    root.setLevel(logging.INFO)
    root.propagate = False
    try:
        make_private_folder(folder)
        handler: logging.Handler = _LogFile(
            folder / f"{name}.log",
            maxBytes=_MAX_BYTES,
            backupCount=1,
            encoding="utf-8",
            errors="backslashreplace",
        )
    except OSError:
        # A program that cannot log still has to run.
        handler = logging.NullHandler()
    handler.setFormatter(_Entries(_FORMAT))
    root.addHandler(handler)
    # Python would write its complaints, as of a watch that ends, to the terminal.
    logging.getLogger("watchdog").addHandler(logging.NullHandler())


def stop_logging() -> None:
    """Close the log files, so that they can be deleted; what is logged from now on is lost."""
    root = logging.getLogger("scrubjay")
    for handler in list(root.handlers):
        root.removeHandler(handler)
        handler.close()
    root.addHandler(logging.NullHandler())
