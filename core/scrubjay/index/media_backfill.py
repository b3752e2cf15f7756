"""Vectors of images and recordings of the extra paths, each checked again before it is sent."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from scrubjay.concurrency.io_timeout import IoTimeout
from scrubjay.documents.media_types import media_hash
from scrubjay.embedding.embedding_input import LoadMedia, MediaRefused, MediaResult
from scrubjay.index.lexical_writer import check_media
from scrubjay.index.passes import PassContext
from scrubjay.index.scan_diff import IndexSettings
from scrubjay.messages import deserialize_sentence, msg, serialize_sentence
from scrubjay.notes.note_files import is_link
from scrubjay.notes.note_reader import NoteBytes, NoteUnreadable, read_file, read_or_timeout
from scrubjay.notes.scan import labelled_extra_paths
from scrubjay.records.status_records import Progress
from scrubjay.store.index_records import Generation
from scrubjay.store.writer import Writer

if TYPE_CHECKING:
    from scrubjay.embedding.remote.remote_provider import RemoteProvider

_REFUSED = "refused:"
"""Prefix of the keys of reasons why a provider does not take a file, by identity and hash."""


def refused_media(writer: Writer, identity: str) -> dict[bytes, str]:
    """Reason by hash of each file that a provider did not take."""
    prefix = f"{_REFUSED}{identity}:"
    notes = writer.metadata.notes(prefix)
    return {
        bytes.fromhex(key.removeprefix(prefix)): deserialize_sentence(reason)
        for key, reason in notes.items()
    }


def embed_media(
    context: PassContext,
    generation: Generation,
    media: RemoteProvider,
    rows: Sequence[tuple[bytes, str, int]],
) -> None:
    """Embed (hash, path, size) of images and recordings. Raises Cancelled or ProviderUnavailable.

    A file that changed meanwhile is left to the next pass, which reads it again.
    """
    reasons = refused_media(context.writer, generation.identity)
    # A file that was refused once is not sent again, and its reason is shown.
    for key, path, _ in rows:
        if key in reasons:
            context.skip(path, reasons[key])
    waiting = [(key, path) for key, path, _ in rows if key not in reasons]
    load = partial(
        load_media, context.workspace.root, settings=context.settings, io_timeout=context.io_timeout
    )
    # Some at a time, of which each answer is stored before the next ones are sent.
    for at in range(0, len(waiting), media.media_at_once):
        context.before_batch()
        some = waiting[at : at + media.media_at_once]
        loads: list[LoadMedia] = [partial(load, label=path, key=key) for key, path in some]
        answers = media.embed_media(loads)
        with context.writer.transaction():
            for (key, path), answer in zip(some, answers, strict=True):
                _store(context, generation, key=key, path=path, answer=answer)
        context.hooks.on_vectors()
        context.show(Progress("meaning"))


def _store(
    context: PassContext, generation: Generation, key: bytes, path: str, answer: MediaResult
) -> None:
    match answer:
        case MediaRefused():
            reason = msg("The file can be found only by its name. {answer}", answer=answer)
            context.writer.note(
                f"{_REFUSED}{generation.identity}:{key.hex()}", serialize_sentence(reason)
            )
            context.skip(path, reason)
        case NoteUnreadable():
            return  # it changed meanwhile
        case vector:
            context.writer.vectors.add(generation, {key: vector})
            context.report.embedded += 1


def load_media(
    root: Path, settings: IndexSettings, io_timeout: IoTimeout, label: str, key: bytes
) -> tuple[str, bytes]:
    """MIME type and bytes of a file of the extra paths that still has this hash.

    Every check that the scan made before is made again. Raises NoteUnreadable, or
    FileNotFoundError.
    """

    # The path may lead elsewhere by now, so the look at it and the reading are one step.
    def read() -> NoteBytes:
        return read_file(_file_of(root, settings.extra_paths, label), label)

    note = read_or_timeout(read, io_timeout)
    # It may have been exchanged since the scan, for anything.
    if note.size > settings.media.max_bytes:
        raise NoteUnreadable(msg("The file has become too large."))
    kind = check_media(label, note.data)
    if media_hash(kind, note.data) != key:
        raise NoteUnreadable(msg("The file has changed."))
    return kind, note.data


def _file_of(root: Path, extra_paths: Sequence[str], label: str) -> Path:
    """The file of a label, which is in an extra path and which no link leads to."""
    for extra, extra_path in labelled_extra_paths(root, extra_paths):
        # An extra path may be a file itself, a folder, or the workspace as a whole.
        inside = label.removeprefix(f"{extra}/") if extra != "." else label
        if label == extra:
            file = extra_path
        elif inside != label or extra == ".":
            file = extra_path / inside
        else:
            continue
        # Every step is looked at: a link anywhere on the way may lead out of the folder.
        step = extra_path.parent
        for part in file.relative_to(step).parts:
            step = step / part
            if part == ".." or is_link(step):
                raise NoteUnreadable(msg("This is only a link to a file in another location."))
        return file
    raise NoteUnreadable(msg("The file is no longer in any of the additional folders."))
