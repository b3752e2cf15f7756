"""The standard streams of a program: UTF-8 wherever no person reads or types."""

from __future__ import annotations

import io
import sys


def use_utf8() -> None:
    """Read and write UTF-8 on each standard stream that is not a terminal.

    Windows has another encoding for pipes and files, in which most letters are missing. A terminal
    keeps its own. A character that cannot be written, such as half a surrogate pair in the
    name of a file, becomes an escape, which JSON has too. Input that is not text becomes U+FFFD.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding=_encoding(stream), errors="backslashreplace")
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding=_encoding(sys.stdin), errors="replace")


def _encoding(stream: io.TextIOWrapper) -> str:
    if stream.isatty():
        return stream.encoding
    return "utf-8"
