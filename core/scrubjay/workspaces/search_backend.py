"""The protocol of the backends that answer searches and read notes: the built-in search, or QMD."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Protocol

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.records.note_records import NotePage, PageRequest
from scrubjay.records.search_records import SearchAnswer, SearchRequest
from scrubjay.records.status_records import EngineStatus
from scrubjay.workspaces.open_workspace import OpenWorkspace


class SearchBackend(Protocol):
    """Answers searches from any thread, and reads notes on the words thread."""

    def search(self, request: SearchRequest, cancel: CancelToken) -> Future[SearchAnswer]:
        """The answer. The future may raise Cancelled, QueryError or IndexUnavailable."""

    def text(self, workspace: OpenWorkspace, path: str) -> str:
        """Whole text of an indexed note. Raises NoteRefused."""

    def page(self, workspace: OpenWorkspace, path: str, wanted: PageRequest) -> NotePage:
        """A page of a memory file. Raises NoteRefused."""

    def with_status(self, status: EngineStatus, *, is_current: bool = False) -> EngineStatus:
        """The status with the name and the troubles of the backend.

        With is_current, what other processes learned of them counts, which is read from a file.
        """
