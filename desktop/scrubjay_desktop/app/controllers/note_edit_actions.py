"""Changes to the shown note: tasks and added lines, with the way back."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from textwrap import shorten
from typing import TYPE_CHECKING, Protocol, TypeVar

from PySide6.QtCore import QObject

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.errors import ScrubjayError
from scrubjay_desktop.bridge.bridge import Tasks
from scrubjay_desktop.preview.preview import Preview
from scrubjay_desktop.results.result_rows import Row
from scrubjay_desktop.text.formatting import translated
from scrubjay_desktop.widgets.banner import Offer

if TYPE_CHECKING:
    from scrubjay.notes.daily_note import AppendedEntry
    from scrubjay.notes.note_edits import NoteEdit

T = TypeVar("T")

_MOST_CHARACTERS = 80
"""Characters of a task that its message shows."""


class Tell(Protocol):
    """Shows a sentence beside the preview, with an offer to act on it."""

    def __call__(  # noqa: D102
        self, sentence: str, offer: Offer | None = None, *, is_good: bool = False
    ) -> object: ...


class NoteEditController(QObject):
    """Writes what the preview asks for, and shows the note again."""

    def __init__(
        self, engine: Engine, tasks: Tasks, preview: Preview, tell: Tell, life: CancelToken
    ) -> None:
        super().__init__(preview)
        self._notes = engine.notes
        self._tasks = tasks
        self._preview = preview
        self._tell = tell
        self._life = life
        self._preview.task_turned.connect(self._turn_task)
        self._preview.line_entered.connect(self._add_line)

    def _turn_task(self, row: Row, line: int, shown: str) -> None:
        def done(edit: NoteEdit) -> None:
            # The edit says how the line begins now: with an open box or a ticked one.
            box, _, task = edit.what.partition("] ")
            sentence = self.tr("Task marked as done: {task}")
            if box.endswith(" "):
                sentence = self.tr("Task marked as not done: {task}")
            task = shorten(task, _MOST_CHARACTERS, placeholder="…")
            undo = Offer(self.tr("Undo"), lambda: self._undo_task(row, edit))
            self._tell(sentence.format(task=task), undo, is_good=True)

        def tick() -> Future[NoteEdit]:
            return self._notes.tick(row.address, line, shown)

        self._do(row, tick, done)

    def _undo_task(self, row: Row, edit: NoteEdit) -> None:
        self._do(row, lambda: self._notes.undo_tick(edit), lambda _: self._tell_undone(row))

    def _add_line(self, row: Row, text: str) -> None:
        bar = self._preview.line_bar

        def done(added: AppendedEntry) -> int:
            # Another note may be shown by now, whose box holds another line.
            if self._preview.row is not None and self._preview.row.key == row.key:
                bar.empty()
            sentence = self.tr("The line was added to {path}.").format(path=row.path)
            undo = Offer(self.tr("Undo"), lambda: self._undo_line(row, added))
            self._tell(sentence, undo, is_good=True)
            return added.first_line

        self._do(row, lambda: self._notes.add_line(row.address, text), done)

    def _undo_line(self, row: Row, added: AppendedEntry) -> None:
        # A line that was changed by hand since then is the user's own.
        def done(is_undone: bool) -> None:
            if is_undone:
                self._tell_undone(row)
                return
            sentence = self.tr(
                "Scrubjay did not remove the line because that part of {path} has since been "
                "edited. If you no longer need the line, delete it yourself."
            )
            self._tell(sentence.format(path=row.path))

        self._do(row, lambda: self._notes.undo_remember(added), done)

    def _tell_undone(self, row: Row) -> None:
        sentence = self.tr("The change to {path} was undone.").format(path=row.path)
        self._tell(sentence, is_good=True)

    def _do(
        self, row: Row, begin: Callable[[], Future[T]], done: Callable[[T], int | None]
    ) -> None:
        """Change a note, then show it as it is now, at the line that done names.

        It is shown again after a failure too: what is shown may be the reason.
        """
        bar = self._preview.line_bar

        def finished(result: T) -> None:
            self._preview.read_again(row, done(result) or 0)

        def failed(error: ScrubjayError) -> None:
            self._preview.read_again(row)
            self._tell(translated(str(error)))

        def settled() -> None:
            bar.show_busy(is_busy=False)

        try:
            future = begin()
        # The folder was forgotten meanwhile.
        except ScrubjayError as error:
            failed(error)
            return
        self._tasks.watch(future, self._life, done=finished, failed=failed, settled=settled)
