"""The output of commands, without control sequences of foreign texts."""

from __future__ import annotations

import errno
import sys
from typing import Any, TextIO, cast

from scrubjay.text.printable import harmless_text, printable_label


class HarmlessStream:
    """A text stream that replaces characters that act on a terminal with "?".

    Commands, errors, tracebacks and libraries all print through it.
    """

    def __init__(self, stream: TextIO) -> None:
        self.raw = stream
        """Stream for what has to move the cursor, such as a bar of progress."""
        self.failure: OSError | None = None
        """Reason why the last text could not be written, such as a full disk."""

    def write(self, text: str) -> int:
        """Write text; all of it counts as written. Raises OSError, which stays its failure."""
        try:
            self.raw.write(harmless_text(text))
        except OSError as error:
            self.failure = error
            raise
        return len(text)

    def flush(self) -> None:
        """Write what is still buffered. Raises as `write`."""
        try:
            self.raw.flush()
        except OSError as error:
            self.failure = error
            raise

    def __getattr__(self, name: str) -> Any:
        return getattr(self.raw, name)


def make_output_harmless() -> None:
    """Let all that this process prints pass through such streams from now on."""
    sys.stdout = cast("TextIO", HarmlessStream(sys.stdout))
    sys.stderr = cast("TextIO", HarmlessStream(sys.stderr))


def output_failure() -> OSError | None:
    """Reason why the output of this process could not be written; None if it could."""
    return getattr(sys.stdout, "failure", None)


def is_reader_gone(error: OSError, *, is_windows: bool = sys.platform == "win32") -> bool:
    """Whether the output could not be written because the program that reads it has ended."""
    # The C library of Windows calls such a pipe an invalid argument.
    return error.errno == errno.EPIPE or (is_windows and error.errno == errno.EINVAL)


def print_line(*fields: str, to_errors: bool = False) -> None:
    """Print one line, with a tab between its fields; no name in it begins a line or a field."""
    print("\t".join(map(printable_label, fields)), file=_stream(to_errors=to_errors))


def print_text(text: str, *, to_errors: bool = False) -> None:
    """Print a text whose lines are its own, such as JSON, a note or a difference."""
    end = "\n"
    if text.endswith("\n"):
        end = ""
    print(text, end=end, file=_stream(to_errors=to_errors))


def _stream(*, to_errors: bool) -> TextIO:
    if to_errors:
        return sys.stderr
    return sys.stdout


def raw_stream(stream: TextIO) -> TextIO:
    """The stream behind one that is harmless; any other as it is."""
    if isinstance(stream, HarmlessStream):
        return stream.raw
    return stream
