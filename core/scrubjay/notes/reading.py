"""Reads notes of drives that may not answer: one that hangs never stops the rest."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TypeAlias, TypeVar

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.io_timeout import IoTimedOut, IoTimeout
from scrubjay.messages import msg
from scrubjay.notes.note_reader import NoteBytes, NoteUnreadable, read_note
from scrubjay.notes.scan import FoundFile

T = TypeVar("T")

Outcome: TypeAlias = NoteBytes | NoteUnreadable | FileNotFoundError

_TOGETHER = 16
_TOGETHER_BYTES = 2**18
"""Small files are read together: handing each to another thread would take longer than reading."""


def read_or_timeout(work: Callable[[], T], patience: IoTimeout, cancel: CancelToken) -> T:
    """What work gives or raises, or NoteUnreadable when the drive does not answer."""
    try:
        return patience.call(work, cancel)
    except IoTimedOut as error:
        raise NoteUnreadable(
            msg("The drive did not answer when it was read. It is tried again at the next check.")
        ) from error


class NotePrefetcher:
    """Reads files a few at a time, a little ahead of who works on them."""

    def __init__(
        self, files: Sequence[FoundFile], patience: IoTimeout, cancel: CancelToken
    ) -> None:
        self._files = files
        self._patience = patience
        self._cancel = cancel
        self.is_silent = False
        """The drive does not answer at all any more; what is left was not read."""

    def __iter__(self) -> Iterator[tuple[FoundFile, Outcome]]:
        """Each file with its bytes, or with why there are none. Raises Cancelled."""
        for group in _groups(self._files):
            try:
                outcomes = self._patience.call(partial(_read, group), self._cancel)
            except IoTimedOut:
                yield from self._one_by_one(group)
            else:
                yield from zip(group, outcomes, strict=True)
            if self.is_silent:
                return

    def _one_by_one(self, group: Sequence[FoundFile]) -> Iterator[tuple[FoundFile, Outcome]]:
        for file in group:
            self.is_silent = self._patience.is_exhausted
            if self.is_silent:
                return
            yield file, self._outcome(file.path)

    def _outcome(self, path: Path) -> Outcome:
        try:
            return read_or_timeout(lambda: read_note(path), self._patience, self._cancel)
        except (NoteUnreadable, FileNotFoundError) as error:
            return error


def _read(files: Sequence[FoundFile]) -> list[Outcome]:
    found: list[Outcome] = []
    for file in files:
        try:
            found.append(read_note(file.path))
        except (NoteUnreadable, FileNotFoundError) as error:
            found.append(error)
    return found


def _groups(files: Sequence[FoundFile]) -> Iterator[Sequence[FoundFile]]:
    group: list[FoundFile] = []
    size = 0
    for file in files:
        if group and (len(group) == _TOGETHER or size + file.size > _TOGETHER_BYTES):
            yield group
            group, size = [], 0
        group.append(file)
        size += file.size
    if group:
        yield group
