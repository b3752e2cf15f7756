"""Commands of users and agents for single notes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from msgspec.structs import replace

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.futures import flatten_future
from scrubjay.concurrency.thread_pool import queued
from scrubjay.documents.document_parts import split_part
from scrubjay.engine.command_queue import QueuedCommands
from scrubjay.errors import NoteRefused
from scrubjay.messages import msg
from scrubjay.records.audience import PERSON
from scrubjay.records.conversation import NO_KEY, Conversation
from scrubjay.records.note_records import (
    ONE_PAGE,
    DocumentInfo,
    NoteAddress,
    NotePage,
    PageRequest,
    Workspace,
)
from scrubjay.records.page_picture import DrawnPicture, PagePicture, PageWanted
from scrubjay.records.picture_text import PictureText
from scrubjay.records.search_modes import Mode
from scrubjay.records.search_records import SearchRequest
from scrubjay.records.workspace_id import WorkspaceId
from scrubjay.text.file_kinds import is_curated_memory
from scrubjay.workspaces.open_workspace import LocalWorkspace, OpenWorkspace

if TYPE_CHECKING:
    from scrubjay.notes.daily_note import AppendedEntry
    from scrubjay.notes.note_edits import NoteEdit, UndoableEdits
    from scrubjay.notes.note_links import LinkTargets
    from scrubjay.store.reader import Reader

T = TypeVar("T")

_NOTES_LOOKED_AT = 100
"""Notes of a folder whose headings may be questions to try."""
_CHUNKS_LOOKED_AT = 400
"""Chunks of these notes that are read at most."""


class NoteCommands(QueuedCommands):
    """Commands of users and agents for single notes. For any thread."""

    @queued
    def read(self, note: NoteAddress) -> str:
        """Whole text of an indexed note, for a user.

        The future may raise NoteRefused or WorkspaceMissing.
        """
        workspace = self._parts.registry.get(note.workspace)
        return self._parts.backend.text(workspace, note.path)

    def draw_page(
        self, note: NoteAddress, wanted: PageWanted, cancel: CancelToken
    ) -> Future[PagePicture]:
        """A page of an indexed PDF file, with the places of words on it.

        The future may raise NoteRefused, WorkspaceMissing or Cancelled.
        """

        def draw(data: bytes) -> PagePicture:
            from scrubjay.notes.note_reader import drawing

            with drawing():
                return self._parts.page_client.draw(data, wanted, cancel)

        return self._with_bytes(note, draw)

    def draw_picture(
        self, note: NoteAddress, side: int, cancel: CancelToken, *, page: int = 1
    ) -> Future[DrawnPicture]:
        """An indexed picture file, or a page of it, with that many pixels a side at most.

        For files that the toolkit of the window does not know. The future may raise NoteRefused,
        WorkspaceMissing or Cancelled.
        """

        def draw(data: bytes) -> DrawnPicture:
            from scrubjay.notes.note_reader import drawing

            with drawing():
                return self._parts.picture_texts.draw(data, side, cancel, page=page)

        return self._with_bytes(note, draw)

    def picture_text(self, note: NoteAddress, page: int = 0) -> Future[PictureText | None]:
        """What was read on an indexed picture, or on a scanned page of a PDF file, from 1.

        None for one that was not read as a picture. The future may raise NoteRefused or
        WorkspaceMissing.
        """
        parts = self._parts

        def find(data: bytes) -> PictureText | None:
            from scrubjay.documents.picture_converter import PictureConverter

            texts = PictureConverter(parts.converter, parts.picture_texts)
            return texts.text_of(data, note.path, page)

        return self._with_bytes(note, find)

    def _with_bytes(self, note: NoteAddress, use: Callable[[bytes], T]) -> Future[T]:
        """What is made of the bytes of an indexed file.

        The future may raise NoteRefused, WorkspaceMissing, or what use raises.
        """
        parts = self._parts

        def begin() -> Future[T]:
            # The words thread finds the file, and work with it does not hold up searches.
            workspace = parts.registry.local(note.workspace)
            return parts.pool.submit(read, workspace, parts.words.file_of(workspace, note.path))

        def read(workspace: LocalWorkspace, file: Path) -> T:
            from scrubjay.answers.search_thread import convert_note_errors
            from scrubjay.notes.note_reader import read_file

            path = note.path
            with convert_note_errors(workspace.record, path):
                data = parts.words.patiently(workspace, path, lambda: read_file(file, path).data)
                return use(data)

        return flatten_future(parts.words.submit(begin))

    @queued
    def link_targets(self, note: NoteAddress) -> LinkTargets | None:
        """The notes that links in a note may lead to; None if its workspace has no index."""
        reader = self._parts.words.reader(self._parts.registry.get(note.workspace))
        if not reader:
            return None
        return reader.relations.link_targets()

    @queued
    def info(self, note: NoteAddress) -> DocumentInfo | None:
        """The record of an indexed note, without its text; None if there is none."""
        reader = self._parts.words.reader(self._parts.registry.get(note.workspace))
        if not reader:
            return None
        return reader.relations.info(note.path)

    def page(
        self, note: NoteAddress, wanted: PageRequest = ONE_PAGE, conversation: Conversation = NO_KEY
    ) -> Future[NotePage]:
        """One page of a memory file, for an agent, or all of it if it is not long.

        The future may raise NoteRefused. WorkspaceMissing and SearchOff are raised at once.
        """
        parts = self._parts
        workspace = parts.registry.get(note.workspace)

        # On the words thread, which knows the indexes and waits for slow drives.
        def job() -> NotePage:
            # Whether an agent may read the note at all, before anything is read.
            file = Path(split_part(note.path)[0])
            if not conversation.is_private and is_curated_memory(file):
                raise NoteRefused(
                    msg("Scrubjay cannot read {path}", path=repr(note.path)),
                    "MEMORY.md can be read only in private conversations.",
                )
            return parts.backend.page(workspace, note.path, wanted)

        return parts.words.submit(job)

    @queued
    def named(self, workspace: Workspace, name: str) -> tuple[DocumentInfo, ...]:
        """The indexed notes of a workspace with a path, permalink, title or alias."""
        from scrubjay.answers.note_lookup import find_named

        readers = self._readers_of(workspace.id)
        return tuple(note for reader in readers for note in find_named(reader, name))

    @queued
    def nearest(self, workspace: Workspace, name: str) -> tuple[str, ...]:
        """The paths of a few indexed notes of a workspace whose names are similar to a name."""
        from scrubjay.answers.note_lookup import nearest_paths

        readers = self._readers_of(workspace.id)
        return tuple(
            path for reader in readers for path in nearest_paths(reader.relations.paths(), name)
        )

    @queued
    def recent(self, limit: int = 10) -> tuple[DocumentInfo, ...]:
        """The notes that changed last, over all workspaces."""
        return self._parts.words.recent(limit)

    @queued
    def tags(self, workspace_id: WorkspaceId | None = None) -> tuple[tuple[str, int], ...]:
        """The tags of one workspace or of all with the number of their notes, the most first."""
        # The first note with a tag decides how it is written for all.
        labels: dict[str, str] = {}
        counts = Counter[str]()
        for reader in self._readers_of(workspace_id):
            for name, label, count in reader.relations.tags():
                labels.setdefault(name, label)
                counts[name] += count
        return tuple((labels[name], count) for name, count in counts.most_common())

    @queued
    def folders(self, workspace_id: WorkspaceId | None = None) -> tuple[tuple[str, int], ...]:
        """The folders inside one workspace or all with the number of their notes, by name."""
        counts = Counter[str]()
        for reader in self._readers_of(workspace_id):
            counts.update(dict(reader.relations.folders()))
        return tuple(sorted(counts.items()))

    @queued
    def suggested_questions(
        self, count: int, workspace_id: WorkspaceId | None = None
    ) -> tuple[str, ...]:
        """Questions to try, from headings of the notes that changed last, which each finds first in
        one workspace or in all.

        The future may raise IndexUnavailable.
        """
        from scrubjay.search.query.suggested_questions import suggested_questions

        parts = self._parts
        workspaces = [each for each in parts.registry.readable() if workspace_id in (None, each.id)]
        # Notes of one path may be in different workspaces.
        passages = (
            (f"{workspace.id}/{path}", text)
            for workspace in workspaces
            for reader in self._readers_of(workspace.id)
            for path, text in reader.relations.recent_texts(
                notes=_NOTES_LOOKED_AT, chunks=_CHUNKS_LOOKED_AT
            )
        )

        def finds(question: str, note: str) -> bool:
            asked = SearchRequest(
                question, mode=Mode.LEXICAL, audience=PERSON, max_results=2, is_automatic=True
            )
            answer = parts.words.search(asked, workspaces, CancelToken())
            # Of two notes with all words, meaning may put the other one first.
            sure = [hit for hit in answer.hits if not hit.is_perhaps]
            return [f"{hit.workspace}/{hit.path}" for hit in sure] == [note]

        return suggested_questions(passages, count, finds)

    @queued
    def count(self, request: SearchRequest) -> int:
        """The number of notes with all words of a question that its operators admit.

        The future may raise WorkspaceMissing or IndexUnavailable.
        """
        registry = self._parts.registry
        workspaces: tuple[OpenWorkspace, ...] = registry.readable()
        if request.workspace:
            workspaces = (registry.get(request.workspace),)
        # After a space, the last word is not one that has only begun.
        return self._parts.words.count(replace(request, text=f"{request.text} "), workspaces)

    def _readers_of(self, workspace_id: WorkspaceId | None) -> Iterator[Reader]:
        """Readers of the index of one workspace, or of all that have one."""
        for workspace in self._parts.registry.readable():
            if workspace_id not in (None, workspace.id):
                continue
            reader = self._parts.words.reader(workspace)
            if reader:
                yield reader

    def remember(self, workspace_id: WorkspaceId, text: str) -> Future[AppendedEntry]:
        """Append to today's file. The future may raise NotWritable or QueryError.

        WorkspaceMissing and SearchOff are raised at once.
        """
        from scrubjay.notes.daily_note import append_to_daily_note

        workspace = self._parts.registry.writable(NoteAddress(workspace_id, ""))
        return self._written(workspace.root, lambda: append_to_daily_note(workspace.record, text))

    def undo_remember(self, remembered: AppendedEntry) -> Future[bool]:
        """Take an entry back; the answer is whether it still stood there as it was written."""
        from scrubjay.notes.daily_note import undo_append

        return self._written(remembered.file, lambda: undo_append(remembered))

    def add_line(self, note: NoteAddress, text: str) -> Future[AppendedEntry]:
        """Append a line to an indexed note. The future may raise as that of `remember`."""
        from scrubjay.notes.daily_note import append_line

        return self._edited(note, lambda file: append_line(file, note.path, text))

    def tick(self, note: NoteAddress, line: int, shown: str) -> Future[NoteEdit]:
        """Tick the task of a line, or open it again, in a note that reads as it was shown.

        The future may raise NoteRefused or NotWritable.
        """
        from scrubjay.notes.note_edits import toggle_task

        def edit(file: Path) -> NoteEdit:
            return toggle_task(self._edits(), file, label=note.path, line=line, shown=shown)

        return self._edited(note, edit)

    def undo_tick(self, edit: NoteEdit) -> Future[NoteEdit]:
        """Put a note back as it was before its last tick.

        The future may raise NothingToUndo, NoteRefused or NotWritable.
        """
        return self._written(edit.file, lambda: self._edits().undo(edit))

    def _edits(self) -> UndoableEdits:
        from scrubjay.notes.note_edits import UndoableEdits

        return UndoableEdits(self._parts.paths.state / "ticked")

    def _edited(self, note: NoteAddress, edit: Callable[[Path], T]) -> Future[T]:
        """The result of a change to an indexed note that is text, after other changes."""
        from scrubjay.notes.note_edits import EDITED

        parts = self._parts
        path = note.path
        workspace = parts.registry.local(note.workspace)

        # The index knows where the file is; the change itself waits for other changes.
        def begin() -> Future[T]:
            if not path.lower().endswith(EDITED):
                raise NoteRefused(
                    msg("{name} cannot be changed", name=path), "The file is not a plain-text note."
                )
            file = parts.words.file_of(workspace, path)
            return self._written(workspace.root, lambda: edit(file))

        return flatten_future(parts.words.submit(begin))

    def _written(self, path: Path, write: Callable[[], T]) -> Future[T]:
        """The result of a change to a note, after other changes. The future may raise NotWritable.

        Path is the note, or a folder around it.
        """
        from scrubjay.notes.note_edits import write_on_drive

        parts = self._parts
        return parts.daily_notes.submit(lambda: write_on_drive(parts.index_io, path, write))
