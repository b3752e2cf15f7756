"""Commands about the list of workspaces."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path

from scrubjay.engine.wiring import EngineParts
from scrubjay.records.search_records import Workspace


class WorkspaceCommands:
    """Changes the list and all parts that follow it. For any thread."""

    def __init__(self, parts: EngineParts, drop: Callable[[str, Path], None]) -> None:
        """Drop deletes what other parts keep about a workspace with that id and index file."""
        self._parts = parts
        self._drop = drop

    def open_folder(self, root: Path) -> Workspace:
        """A folder to index and search in this run only. Raises WorkspaceMissing."""
        workspace = self._parts.registry.guest(root)
        self._parts.board.list(self._parts.registry.known())
        return workspace

    def add(self, root: Path, name: str | None) -> Future[Workspace]:
        """Put a folder on the list. The future may raise WorkspaceMissing or ConfigError."""
        return self._parts.words.submit(lambda: self._add(root, name))

    def remove(self, workspace_id: str) -> Future[None]:
        """Take a workspace off the list. The future may raise WorkspaceMissing or ConfigError."""
        return self._parts.words.submit(lambda: self._remove(workspace_id))

    def _add(self, root: Path, name: str | None) -> Workspace:
        workspace = self._parts.registry.add(root, name)
        self._parts.settings_reload.follow()
        return workspace

    def _remove(self, workspace_id: str) -> None:
        parts = self._parts
        file = parts.registry.index_file(parts.registry.get(workspace_id))
        parts.auto_index.forget(workspace_id)
        parts.registry.remove(workspace_id)
        self._drop(workspace_id, file)
        parts.qmd.updates.drop(workspace_id)
        parts.board.skip_list.drop(workspace_id)
        parts.board.list(parts.registry.all())
        parts.words.forget(file)
        # Not waited for: that thread may be waiting for a model.
        parts.meaning.submit(lambda: parts.meaning.forget(file))
        parts.index.delete(workspace_id, file).result()
        parts.settings_reload.follow()
