"""The lines of a client on standard input."""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Iterable
from concurrent.futures import Future
from io import TextIOWrapper
from typing import BinaryIO

from scrubjay.concurrency.thread_pool import DaemonThreadPool

MAX_MESSAGE = 1024 * 1024
"""Length of a message at most, in bytes or letters; the longest note that a tool writes has a
sixtieth of it."""


def standard_input() -> BinaryIO:
    """Standard input, taken over, so that no child process reads what a client says."""
    wire = open(os.dup(sys.stdin.fileno()), "rb", closefd=False)  # noqa: SIM115
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, sys.stdin.fileno())
    os.close(nothing)
    return wire


class InputLines:
    """Lines of a client, which a thread reads one ahead. For one thread at a time."""

    def __init__(self, wire: BinaryIO) -> None:
        # Other ends of lines, as a lone \r, may stand within a message.
        self._text = TextIOWrapper(wire, encoding="utf-8", errors="replace", newline="\n")
        self._pool = DaemonThreadPool("input")
        self._ahead: Future[str] | None = None
        self._returned: deque[str] = deque()

    def ahead(self) -> Future[str]:
        """The next line, which stays the next one; a part of a long line; blank at the end."""
        if self._ahead is None:
            self._ahead = self._pool.submit(self._text.readline, MAX_MESSAGE)
        return self._ahead

    def take(self) -> str:
        """The next line, as soon as it is there."""
        if self._returned:
            return self._returned.popleft()
        line = self.ahead().result()
        self._ahead = None
        return line

    def give_back(self, lines: Iterable[str]) -> None:
        """Put lines that were taken before the next one again."""
        self._returned.extend(lines)
