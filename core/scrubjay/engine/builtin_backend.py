"""The built-in search, and notes from the index and from their folders."""

from __future__ import annotations

from concurrent.futures import Future
from typing import TYPE_CHECKING, Protocol

from msgspec.structs import replace

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.documents.document_parts import split_part
from scrubjay.errors import NoteRefused
from scrubjay.messages import msg
from scrubjay.records.note_records import NotePage, PageRequest, Workspace
from scrubjay.records.search_records import SearchAnswer, SearchRequest
from scrubjay.records.status_records import EngineStatus
from scrubjay.text.file_kinds import is_board, is_picture
from scrubjay.workspaces.open_workspace import LocalWorkspace, OpenWorkspace
from scrubjay.workspaces.shared_workspace import SharedWorkspace

if TYPE_CHECKING:
    from scrubjay.answers.result_reader import ResultReader
    from scrubjay.answers.search_service import SearchService
    from scrubjay.answers.search_thread import SearchThread
    from scrubjay.documents.document_converter import TextSource


class BackendParts(Protocol):
    """The parts of an engine that the built-in search uses. Each is created on first use."""

    @property
    def search(self) -> SearchService:
        """The search itself."""

    @property
    def result_reader(self) -> ResultReader:
        """What reads first hits again, where a request wants it."""

    @property
    def words(self) -> SearchThread:
        """The thread that searches by words, and reads notes."""

    def text_source(self, workspace: Workspace) -> TextSource:
        """The texts of the documents of a workspace."""


class BuiltinBackend:
    """The backend that answers from Scrubjay's own indexes."""

    def __init__(self, parts: BackendParts) -> None:
        """The parts of a search are made with the first one, and not to read a note."""
        self._parts = parts

    def search(self, request: SearchRequest, cancel: CancelToken) -> Future[SearchAnswer]:
        """The answer. The future may raise Cancelled, QueryError or IndexUnavailable."""
        answer = self._parts.search.search(request, cancel)
        if not request.second_look_seconds:
            return answer
        return self._parts.result_reader.read_again(answer, request, cancel)

    def text(self, workspace: OpenWorkspace, path: str) -> str:
        """Whole text of an indexed note. Raises NoteRefused."""
        if isinstance(workspace, LocalWorkspace):
            source = self._parts.text_source(workspace.record)
            return self._parts.words.read(workspace, path, source)
        assert isinstance(workspace, SharedWorkspace)
        text = self._published_text(workspace, path)
        if text is None:
            title = msg("{path} is not one of the notes", path=path)
            raise NoteRefused(title, msg("This note has not been published yet."))
        return text

    def page(self, workspace: OpenWorkspace, path: str, wanted: PageRequest) -> NotePage:
        """A page of a memory file; an empty one for a file that is not there.

        Raises NoteRefused.
        """
        from scrubjay.notes.note_pages import memory_get

        if isinstance(workspace, SharedWorkspace):
            return self._published_page(workspace, path, wanted)
        assert isinstance(workspace, LocalWorkspace)
        record = workspace.record
        # Documents and pictures are read only in folders for which the user chose it, canvases in
        # all.
        converter: TextSource | None = None
        is_read = record.documents or is_board(path)
        if is_picture(path):
            is_read = record.pictures
        if is_read:
            converter = self._parts.text_source(record)
        return self._parts.words.patiently(
            workspace,
            path,
            lambda: memory_get(
                record.root,
                workspace.settings.extra_paths,
                path=path,
                wanted=wanted,
                layout=record.layout,
                left_out=record.left_out,
                hidden_folders=record.hidden_folders,
                converter=converter,
            ),
        )

    def with_status(self, status: EngineStatus, *, is_current: bool = False) -> EngineStatus:
        """The status as it is: the built-in search is what it tells of."""
        return status

    def _published_page(
        self, workspace: SharedWorkspace, path: str, wanted: PageRequest
    ) -> NotePage:
        """A page of a shared note, with its day as it was published. Raises SharedUnavailable."""
        from scrubjay.notes.note_pages import missing_page, text_page

        label, _ = split_part(path.removeprefix("./"))
        text = self._published_text(workspace, label)
        if text is None:
            return missing_page(path, wanted)
        page = text_page(text, path.removeprefix("./"), wanted)
        reader = self._parts.words.shared_reader(workspace.address)
        if not wanted.has_facts or reader is None:
            return page
        return replace(page, facts=reader.facts(label))

    def _published_text(self, workspace: SharedWorkspace, path: str) -> str | None:
        """Stored text of a shared note; None if there is none. Raises SharedUnavailable."""
        reader = self._parts.words.shared_reader(workspace.address)
        if reader is None:
            return None
        return reader.text(path) or None
