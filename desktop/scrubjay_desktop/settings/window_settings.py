"""The choices that belong to the window itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QKeySequenceEdit,
    QLabel,
    QLineEdit,
    QWidget,
)

from scrubjay.errors import ScrubjayError
from scrubjay_desktop.platform.autostart import Autostart
from scrubjay_desktop.preview.open_external import editors_here
from scrubjay_desktop.settings.hotkey_setting import HotkeySetting
from scrubjay_desktop.settings.preferences import OnClose, Preferences
from scrubjay_desktop.text.formatting import translated
from scrubjay_desktop.text.language import NAMES, Language
from scrubjay_desktop.widgets.banner import announce
from scrubjay_desktop.widgets.labels import WrappingLabel, muted_label
from scrubjay_desktop.widgets.layouts import NONE, vbox
from scrubjay_desktop.widgets.theme import GRID, ThemeChoice
from scrubjay_desktop.widgets.wheel_safe_inputs import ChoiceBox


class WindowSettings(QWidget):
    """A form of choices; every change applies at once."""

    theme_chosen = Signal(str)
    editor_chosen = Signal(str)
    battery_chosen = Signal()

    def __init__(
        self, preferences: Preferences, quick_key: HotkeySetting, autostart: Autostart
    ) -> None:
        super().__init__()
        self._autostart = autostart
        self.preferences = preferences
        self._quick_key = quick_key
        self._form = form = QFormLayout(self)
        form.setContentsMargins(0, 0, 0, 0)
        self.setMaximumWidth(76 * GRID)
        form.setSpacing(2 * GRID)
        self.theme_box = self._theme_box()
        self.editor_box = self._editor_box()
        self.battery_box = _check_box(
            self.tr("&Pause reading while on battery"),
            preferences.rests_on_battery,
            self._choose_battery,
        )
        self.notify_box = _check_box(
            self.tr("&Notify me when something needs me"),
            preferences.notifies,
            self._choose_notifications,
        )
        form.addRow(self.tr("&Appearance"), self.theme_box)
        form.addRow(self.tr("&Language"), self._language_box())
        form.addRow(self.tr("When the window is &closed"), self._close_box())
        form.addRow("", self._start_box())
        form.addRow("", self.battery_box)
        form.addRow("", self.notify_box)
        form.addRow(self.tr("Open notes &with"), self.editor_box)
        form.addRow(self.tr("Key for quick &search"), self._key_box())

    def find_settings(self, words: list[str]) -> int:
        """Show the choices that contain all these words; returns their number."""
        count = 0
        for row in range(self._form.rowCount()):
            text = self._words_of(row).casefold()
            fits = all(word in text for word in words)
            self._form.setRowVisible(row, fits)
            count += fits
        return count

    def _words_of(self, row: int) -> str:
        """The searched text of a row: the name of a choice and its options."""
        words: list[str] = [self.tr("This window")]
        for role in (QFormLayout.ItemRole.LabelRole, QFormLayout.ItemRole.FieldRole):
            item = self._form.itemAt(row, role)
            widget = item.widget() if item else None
            for part in (widget, *widget.findChildren(QWidget)) if widget else ():
                if isinstance(part, QLabel | QCheckBox):
                    words.append(part.text().replace("&", ""))
                if isinstance(part, QComboBox):
                    words += [part.itemText(at) for at in range(part.count())]
        return " ".join(words)

    def _theme_box(self) -> QComboBox:
        names = {
            "system": self.tr("As the system"),
            "light": self.tr("Light"),
            "dark": self.tr("Dark"),
        }
        chosen = self.preferences.theme
        return _choice_box(self.tr("Appearance"), names, chosen, self._choose_theme)

    def _language_box(self) -> QWidget:
        names = {"system": self.tr("As the system"), **NAMES}
        chosen = self.preferences.language
        box = _choice_box(self.tr("Language"), names, chosen, self._choose_language)
        self.language_box = box
        self.language_line = _small_label(self.tr("Applies when Scrubjay starts the next time."))
        self.language_line.hide()
        return _stacked(box, self.language_line)

    def _close_box(self) -> QComboBox:
        names = {
            OnClose.ASK: self.tr("Ask me"),
            OnClose.KEEP_RUNNING: self.tr("Keep running in the background"),
            OnClose.QUIT: self.tr("Quit"),
        }
        chosen = self.preferences.on_close
        return _choice_box(self.tr("When the window is closed"), names, chosen, self._choose_close)

    def _editor_box(self) -> QComboBox:
        """A box of the editors on this computer, in which a command may be typed too."""
        box = ChoiceBox(editable=True, insertPolicy=QComboBox.InsertPolicy.NoInsert)
        edit = QLineEdit()
        box.setLineEdit(edit)
        # A typed command is meant as it is, and not completed to one that begins alike.
        box.setCompleter(None)  # type: ignore[arg-type]
        for named in (box, edit):
            named.setAccessibleName(self.tr("Open notes with"))
            named.setToolTip(self.tr("A command, such as: code -g {file}:{line}"))
        box.addItem(self.tr("the usual program"), "")
        for editor in editors_here():
            box.addItem(editor.name, editor.command)
        index = box.findData(self.preferences.editor)
        box.setCurrentIndex(index)
        if index < 0:
            box.setEditText(self.preferences.editor)
        box.activated.connect(lambda: self._choose_editor(box.currentData()))
        edit.editingFinished.connect(self._apply_editor)
        return box

    def _apply_editor(self) -> None:
        text = self.editor_box.currentText().strip()
        index = self.editor_box.findText(text) if text else 0
        self.editor_box.setCurrentIndex(index)
        if index < 0:
            self.editor_box.setEditText(text)
        self._choose_editor(self.editor_box.itemData(index) if index >= 0 else text)

    def _key_box(self) -> QWidget:
        self.key_edit = QKeySequenceEdit(self._quick_key.keys)
        self.key_edit.setMaximumSequenceLength(1)
        self.key_edit.setClearButtonEnabled(True)
        self.key_edit.setEnabled(self._quick_key.can_choose)
        for named in (self.key_edit, *self.key_edit.findChildren(QLineEdit)):
            named.setAccessibleName(self.tr("Key for quick search"))
        self.key_line = _small_label(self._quick_key.sentence)
        self.key_edit.editingFinished.connect(self._choose_keys)
        return _stacked(self.key_edit, self.key_line)

    def _start_box(self) -> QWidget:
        text = self.tr("Start &in the background when I log in")
        self.start_box = _check_box(text, self._autostart.is_on, self._choose_start)
        self.start_box.setEnabled(not self._autostart.unavailable)
        self.start_line = _small_label(self._autostart.unavailable)
        self.start_line.setVisible(bool(self._autostart.unavailable))
        return _stacked(self.start_box, self.start_line)

    def _choose_start(self, on: bool) -> None:
        try:
            self._autostart.switch(on=on)
        except ScrubjayError as error:
            self.start_line.setText(translated(str(error)))
            self.start_line.show()
            announce(self.start_line, self.start_line.text())
        self.start_box.setChecked(self._autostart.is_on)

    def _choose_keys(self) -> None:
        if self.key_edit.keySequence() == self._quick_key.keys:
            return
        self._quick_key.choose(self.key_edit.keySequence())
        self.key_line.setText(self._quick_key.sentence)
        announce(self.key_line, self._quick_key.sentence)

    def _choose_theme(self, choice: ThemeChoice) -> None:
        self.preferences.theme = choice
        self.theme_chosen.emit(choice)

    def _choose_language(self, choice: Language) -> None:
        self.preferences.language = choice
        self.language_line.show()
        announce(self.language_line, self.language_line.text())

    def _choose_battery(self, on: bool) -> None:
        self.preferences.rests_on_battery = on
        self.battery_chosen.emit()

    def _choose_notifications(self, on: bool) -> None:
        self.preferences.notifies = on

    def _choose_close(self, choice: OnClose) -> None:
        self.preferences.on_close = OnClose(choice)

    def _choose_editor(self, command: str) -> None:
        self.preferences.editor = command
        self.editor_chosen.emit(command)


def _stacked(*widgets: QWidget) -> QWidget:
    """A control with its explanation below."""
    box = QWidget()
    vbox(*widgets, on=box, margins=NONE, spacing=0.5)
    return box


def _small_label(text: str) -> QLabel:
    label = muted_label(text, -1, WrappingLabel)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


def _choice_box(
    name: str, options: Mapping[Any, str], chosen: object, choose: Callable[[Any], None]
) -> ChoiceBox:
    """A box of options; `choose` gets the value that the user chooses."""
    box = ChoiceBox()
    box.setAccessibleName(name)
    for value, text in options.items():
        box.addItem(text, value)
    box.setCurrentIndex(box.findData(chosen))
    box.activated.connect(lambda _: choose(box.currentData()))
    return box


def _check_box(text: str, is_on: bool, choose: Callable[[bool], None]) -> QCheckBox:
    box = QCheckBox(text)
    box.setChecked(is_on)
    box.clicked.connect(choose)
    return box
