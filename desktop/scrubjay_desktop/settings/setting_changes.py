"""Changes of settings that people choose in rows, on the settings page or beside what they do."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future

from PySide6.QtCore import QObject, QTimer, Signal

from scrubjay.engine.undoable_settings import SettingsEditor
from scrubjay.errors import ScrubjayError
from scrubjay_desktop.bridge.bridge import PageRequests, Tasks
from scrubjay_desktop.settings.setting_row import SettingRow
from scrubjay_desktop.text.formatting import translated
from scrubjay_desktop.widgets.banner import Offer


class SettingChanges(QObject):
    """Writes what is chosen in rows of settings, and offers to undo it."""

    announced = Signal(str, object)
    """Signal with a sentence, and an Offer to undo the change or None."""
    changed = Signal()
    """Signal that the values of the rows have to be shown again."""

    def __init__(self, editor: SettingsEditor, tasks: Tasks, parent: QObject) -> None:
        super().__init__(parent)
        self._editor = editor
        self._requests = PageRequests(tasks, self.announced)

    def follow(self, row: SettingRow) -> None:
        """Write what is chosen in a row from now on."""
        row.chosen.connect(
            lambda key, value: self._change(row, lambda: self._editor.set(key, value))
        )
        row.reset_requested.connect(lambda key: self._change(row, lambda: self._editor.reset(key)))

    def _change(self, row: SettingRow, act: Callable[[], Future[None]]) -> None:
        def done(_: None) -> None:
            # Later: the row may be the one that is losing the focus.
            QTimer.singleShot(0, self, self.changed.emit)
            sentence = self.tr("Changed: {title}").format(title=translated(row.setting.title))
            self.announced.emit(sentence, Offer(self.tr("Undo"), self._undo))

        # The control goes back to the value that holds.
        def fail(error: ScrubjayError) -> None:
            self._requests.fail(error)
            row.show_setting(row.setting)

        self._requests.watch(act(), done, fail)

    def _undo(self) -> None:
        self._requests.watch(self._editor.undo(), lambda _: self.changed.emit())
