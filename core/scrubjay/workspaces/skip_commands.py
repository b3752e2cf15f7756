"""Commands of the user about the skip list."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future

from scrubjay.errors import NotWritable, system_reason
from scrubjay.events import EventBus, IndexChanged
from scrubjay.messages import msg
from scrubjay.workspaces.status_board import StatusBoard


class SkipCommands:
    """Changes the skip list and the status with it. For any thread."""

    def __init__(
        self,
        board: StatusBoard,
        events: EventBus,
        submit: Callable[[Callable[[], None]], Future[None]],
    ) -> None:
        """Submit runs a job on a thread that may wait for a disk."""
        self._board = board
        self._events = events
        self._submit = submit

    def leave_out(self, workspace_id: str, path: str) -> Future[None]:
        """Put a file on the list until it changes. The future may raise NotWritable."""
        return self._submit(lambda: self._change(workspace_id, path, is_skipped=True))

    def take_back(self, workspace_id: str, path: str) -> Future[None]:
        """Take a file off the list. The future may raise NotWritable."""
        return self._submit(lambda: self._change(workspace_id, path, is_skipped=False))

    def _change(self, workspace_id: str, path: str, *, is_skipped: bool) -> None:
        skipped = [file for file in self._board.skipped(workspace_id) if file.path == path]
        status = self._board.workspace(workspace_id)
        if status is None or not skipped:
            return  # mended, or its workspace removed, at this moment
        try:
            if is_skipped:
                self._board.skip_list.add(status.workspace, skipped[0])
            else:
                self._board.skip_list.remove(workspace_id, path)
        except OSError as error:
            title = msg("What is left out could not be noted")
            raise NotWritable(title, msg("{reason}.", reason=system_reason(error))) from error
        self._board.show_skipped(workspace_id)
        self._events.publish(IndexChanged(workspace_id, 0, 0))
