"""Commands about single notes: read, list the last changed, write into today's."""

from __future__ import annotations

from concurrent.futures import Future
from typing import TYPE_CHECKING

from scrubjay.records.search_records import DocumentInfo, NotePage, Workspace

if TYPE_CHECKING:
    from scrubjay.engine.wiring import EngineParts
    from scrubjay.notes.daily_note import Remembered


class NoteCommands:
    """What users and agents do with one note. For any thread."""

    def __init__(self, parts: EngineParts) -> None:
        self._parts = parts

    def read(self, workspace_id: str, path: str) -> Future[str]:
        """Whole text of an indexed note, for a user. The future may raise NoteRefused."""
        workspace = self._parts.registry.get(workspace_id)
        return self._parts.words.submit(lambda: self._text(workspace, path))

    def page(
        self, workspace_id: str, path: str, *, first_line: int = 1, line_count: int | None = None
    ) -> Future[NotePage]:
        """One page of a memory file, for an agent. The future may raise NoteRefused."""
        workspace = self._parts.registry.get(workspace_id)
        return self._parts.words.submit(lambda: self._page(workspace, path, first_line, line_count))

    def recent(self, limit: int = 10) -> Future[tuple[DocumentInfo, ...]]:
        """The notes that changed last, over all workspaces."""
        return self._parts.words.submit(lambda: self._parts.words.recent(limit))

    def remember(self, workspace_id: str, text: str) -> Future[Remembered]:
        """Append to today's file. The future may raise NotWritable or QueryError.

        WorkspaceMissing is raised at once.
        """
        return self._parts.daily_note.remember(workspace_id, text)

    def undo_remember(self, remembered: Remembered) -> Future[bool]:
        """Take an entry back; False when it does not stand there any more as it was written."""
        return self._parts.daily_note.undo(remembered)

    # -- on the words thread ------------------------------------------------------------------

    def _text(self, workspace: Workspace, path: str) -> str:
        text = self._parts.qmd.text(workspace, path) if self._parts.registry.uses_qmd else None
        return self._parts.words.read(workspace, path) if text is None else text

    def _page(
        self, workspace: Workspace, path: str, first_line: int, line_count: int | None
    ) -> NotePage:
        from scrubjay.notes.note_pages import memory_get

        parts = self._parts
        if parts.registry.uses_qmd and (
            page := parts.qmd.page(workspace, path, first_line, line_count)
        ):
            return page
        extra = parts.registry.settings(workspace).extra_paths
        return parts.words.patiently(
            workspace,
            path,
            lambda: memory_get(
                workspace.root, extra, path, first_line=first_line, line_count=line_count
            ),
        )
