"""Leaves single files out that cannot be read, when a person says so, and takes them back."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future

from scrubjay.errors import NotWritable, system_reason
from scrubjay.events import EventBus, IndexChanged
from scrubjay.messages import msg
from scrubjay.workspaces.status_board import StatusBoard


class SkipCommands:
    """Changes what is told of at once, without looking at any other file. For any thread."""

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
        """Do not tell of a file any more until it changes. The future may raise NotWritable."""
        return self._submit(lambda: self._change(workspace_id, path, is_left_out=True))

    def take_back(self, workspace_id: str, path: str) -> Future[None]:
        """Tell of it again. The future may raise NotWritable."""
        return self._submit(lambda: self._change(workspace_id, path, is_left_out=False))

    def _change(self, workspace_id: str, path: str, *, is_left_out: bool) -> None:
        found = [one for one in self._board.skipped(workspace_id) if one.path == path]
        status = self._board.workspace(workspace_id)
        if status is None or not found:
            return  # it was mended, or forgotten, at this moment
        try:
            if is_left_out:
                self._board.left_out.add(status.workspace, found[0])
            else:
                self._board.left_out.remove(workspace_id, path)
        except OSError as error:
            title = msg("What is left out could not be noted")
            raise NotWritable(title, msg("{reason}.", reason=system_reason(error))) from error
        self._board.show_skipped(workspace_id)
        self._events.publish(IndexChanged(workspace_id, 0, 0))
