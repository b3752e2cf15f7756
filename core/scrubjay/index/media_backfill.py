"""Vectors of images and recordings of the extra paths, each checked again before it is sent."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.io_timeout import IoTimeout
from scrubjay.embedding.embedding_input import LoadMedia, MediaRefused, MediaResult
from scrubjay.index.lexical_writer import check_media
from scrubjay.messages import msg, restored, stored
from scrubjay.notes.media_types import media_hash
from scrubjay.notes.note_reader import NoteUnreadable, read_note, read_or_timeout
from scrubjay.notes.scan import labelled_extra_paths
from scrubjay.store.rows import Generation
from scrubjay.store.writer import Writer

if TYPE_CHECKING:
    from scrubjay.embedding.remote.remote_provider import RemoteProvider

_REFUSED = "refused:"
"""With identity and hash: key of the reason why a provider does not take a file."""


def refused_media(writer: Writer, identity: str) -> dict[bytes, str]:
    """Reason by hash of each file that a provider did not take."""
    prefix = f"{_REFUSED}{identity}:"
    notes = writer.metadata.notes(prefix)
    return {
        bytes.fromhex(key.removeprefix(prefix)): restored(reason) for key, reason in notes.items()
    }


@dataclass(slots=True)
class MediaBackfill:
    """Embeds files in one pass over an index."""

    writer: Writer
    generation: Generation
    media: RemoteProvider
    load: Callable[[str, bytes], tuple[str, bytes]]
    """Reads the file of a label that still has this hash."""
    cancel: CancelToken
    report: Callable[[int, int], None] = lambda _done, _total: None
    """Called with (files done, all files)."""
    on_idle: Callable[[], None] = lambda: None
    """Called before each few files."""
    embedded: int = 0
    refused: list[tuple[str, str]] = field(default_factory=list)
    """(path, reason) of each file that the provider does not take."""

    def run(self, rows: Sequence[tuple[bytes, str, int]]) -> None:
        """Embed (hash, path, size) of images and recordings. Raises ProviderUnavailable.

        A file that changed meanwhile is left to the next pass, which reads it anew.
        """
        reasons = refused_media(self.writer, self.generation.identity)
        self.refused = [(path, reasons[key]) for key, path, _ in rows if key in reasons]
        waiting = [(key, path) for key, path, _ in rows if key not in reasons]
        for at in range(0, len(waiting), self.media.media_at_once):
            self.cancel.check()
            self.on_idle()
            some = waiting[at : at + self.media.media_at_once]
            loads: list[LoadMedia] = [partial(self.load, path, key) for key, path in some]
            answers = self.media.embed_media(loads)
            with self.writer.transaction():
                for (key, path), answer in zip(some, answers, strict=True):
                    self._store(key, path, answer)
            self.report(at + len(some), len(waiting))

    def _store(self, key: bytes, path: str, answer: MediaResult) -> None:
        match answer:
            case MediaRefused():
                reason = msg("It is found by its name only: {answer}", answer=answer)
                note = f"{_REFUSED}{self.generation.identity}:{key.hex()}"
                self.writer.note(note, stored(reason))
                self.refused.append((path, reason))
            case NoteUnreadable():
                return  # it changed meanwhile
            case vector:
                self.writer.vectors.add(self.generation, {key: vector})
                self.embedded += 1


@dataclass(frozen=True, slots=True)
class ExtraFiles:
    """Reads files of the extra paths, with every check that the scan made before."""

    root: Path
    extra_paths: Sequence[str]
    max_bytes: int
    io_timeout: IoTimeout

    def load(self, label: str, key: bytes) -> tuple[str, bytes]:
        """MIME type and bytes of the file that still has this hash.

        Raises NoteUnreadable, or FileNotFoundError.
        """
        note = read_or_timeout(
            lambda: read_note(self._place(label)), self.io_timeout, CancelToken()
        )
        if note.size > self.max_bytes:
            raise NoteUnreadable(msg("It has become too large."))
        kind = check_media(label, note.data)
        if media_hash(kind, note.data) != key:
            raise NoteUnreadable(msg("It has changed."))
        return kind, note.data

    def _place(self, label: str) -> Path:
        """The file of a label, which is in an extra path and which no link leads to."""
        for extra, place in labelled_extra_paths(self.root, self.extra_paths):
            if label == extra:
                return _without_links(place.parent, place)
            inside = label.removeprefix(f"{extra}/" if extra != "." else "")
            if inside != label or extra == ".":
                return _without_links(place.parent, place / inside)
        raise NoteUnreadable(msg("It is in no extra path any more."))


def _without_links(base: Path, file: Path) -> Path:
    place = base
    for part in file.relative_to(base).parts:
        place = place / part
        if part == ".." or stat.S_ISLNK(os.lstat(place).st_mode):
            raise NoteUnreadable(msg("A link leads to it."))
    return file
