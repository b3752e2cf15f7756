"""Quick notes: from the box to today's file, and back again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.errors import ScrubjayError
from scrubjay.records.note_records import Workspace
from scrubjay_desktop.text.formatting import translated
from scrubjay_desktop.widgets.banner import Offer
from scrubjay_desktop.windows.quick_note_box import QuickNoteBox

if TYPE_CHECKING:
    from scrubjay.notes.daily_note import AppendedEntry
    from scrubjay_desktop.app.ui import Ui


class QuickNote(QObject):
    """Owns the box, which is created when it is first shown."""

    def __init__(self, ui: Ui) -> None:
        super().__init__(ui.window)
        self._ui = ui
        # The box is made when it is first shown.
        self._life = CancelToken()
        self.box: QuickNoteBox | None = None

    def present(self) -> None:
        """Show the box for a note."""
        # Without a folder there is no file to write to.
        workspaces = self._ui.engine.workspaces()
        if not workspaces:
            self._ui.window.present()
            self._tell(self.tr("To save a note, first add a folder."))
            return
        if self.box is None:
            self.box = QuickNoteBox()
            self.box.remembered.connect(self._remember)
        if not self.box.isVisible():
            self.box.show_workspaces(workspaces, self._ui.preferences.remember_in)
        self.box.present()

    def close(self) -> None:
        """Stop asking and answering."""
        self._life.cancel()
        if self.box is not None:
            self.box.deleteLater()
            self.box = None

    def _remember(self, workspace: Workspace, text: str) -> None:
        self._ui.preferences.remember_in = workspace.id
        try:
            future = self._ui.engine.notes.remember(workspace.id, text)
        # The folder was forgotten meanwhile.
        except ScrubjayError as error:
            self._fail(error)
            return
        self._ui.tasks.watch(
            future, self._life, done=self._written, failed=self._fail, settled=self._settle
        )

    def _written(self, remembered: AppendedEntry) -> None:
        if self.box is not None:
            # The box closes where the window can say that it is written.
            self.box.be_empty()
            if self._ui.window.isVisible():
                self.box.accept()
        sentence = self.tr("The text was added to {path}.").format(path=remembered.path)
        self._tell(sentence, Offer(self.tr("Undo"), lambda: self._undo(remembered)), is_good=True)

    def _undo(self, remembered: AppendedEntry) -> None:
        def undone(is_undone: bool) -> None:
            if is_undone:
                sentence = self.tr("The change to {path} was undone.").format(path=remembered.path)
                self._tell(sentence, is_good=True)
                return
            # The user can look at the line, which Scrubjay does not touch any longer.
            sentence = self.tr(
                "Scrubjay did not remove the text because that part of {path} has since been "
                "edited. If you no longer need the text, delete it yourself."
            )
            offer = Offer(
                self.tr("Open the file"),
                lambda: self._ui.opener.open(remembered.file, remembered.first_line),
            )
            self._tell(sentence.format(path=remembered.path), offer)

        future = self._ui.engine.notes.undo_remember(remembered)
        self._ui.tasks.watch(
            future, self._life, done=undone, failed=self._fail, settled=self._settle
        )

    def _fail(self, error: ScrubjayError) -> None:
        self._tell(translated(str(error)))

    def _settle(self) -> None:
        if self.box is not None:
            self.box.show_busy(is_busy=False)

    def _tell(self, sentence: str, offer: Offer | None = None, *, is_good: bool = False) -> None:
        """Tell it in the box while that is open, as when the tray opened it without the window."""
        if self.box is not None and self.box.isVisible():
            self.box.tell(sentence, offer, is_good=is_good)
        else:
            self._ui.window.tell(sentence, offer, is_good=is_good)
