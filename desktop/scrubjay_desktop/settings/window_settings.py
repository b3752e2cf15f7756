"""The choices that belong to the window itself."""

from __future__ import annotations

from typing import get_args

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QKeySequenceEdit,
    QLabel,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from scrubjay.errors import ScrubjayError
from scrubjay_desktop.platform.autostart import Autostart
from scrubjay_desktop.preview.editors import editors_here
from scrubjay_desktop.settings.hotkey_setting import QuickKey
from scrubjay_desktop.settings.preferences import OnClose, Preferences
from scrubjay_desktop.text.formatting import translated
from scrubjay_desktop.text.language import NAMES, Language
from scrubjay_desktop.widgets.banner import announce
from scrubjay_desktop.widgets.labels import WrappingLabel, muted_label
from scrubjay_desktop.widgets.theme import GRID, Choice
from scrubjay_desktop.widgets.wheel_safe_inputs import ChoiceBox


class WindowSettings(QWidget):
    """Every change applies at once."""

    theme_chosen = Signal(str)
    editor_chosen = Signal(str)
    battery_chosen = Signal()

    def __init__(
        self,
        preferences: Preferences,
        quick_key: QuickKey,
        autostart: Autostart,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._autostart = autostart
        self._preferences = preferences
        self._quick_key = quick_key
        self._form = form = QFormLayout(self)
        form.setContentsMargins(0, 0, 0, 0)
        self.setMaximumWidth(76 * GRID)
        form.setSpacing(2 * GRID)
        self.theme_box = self._theme_box()
        self.editor_box = self._editor_box()
        form.addRow(self.tr("&Appearance"), self.theme_box)
        form.addRow(self.tr("&Language"), self._language_box())
        form.addRow(self.tr("When the window is &closed"), self._close_box())
        form.addRow("", self._start_box())
        form.addRow("", self._battery_box())
        form.addRow("", self._news_box())
        form.addRow(self.tr("Open notes &with"), self.editor_box)
        form.addRow(self.tr("Key for quick &search"), self._key_box())

    def find_settings(self, words: list[str]) -> int:
        """Show the choices in which all these words stand; how many do."""
        count = 0
        for row in range(self._form.rowCount()):
            text = self._words_of(row).casefold()
            fits = all(word in text for word in words)
            self._form.setRowVisible(row, fits)
            count += fits
        return count

    def _words_of(self, row: int) -> str:
        """What a person may look for: the name of a choice, and what can be chosen."""
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
        box = ChoiceBox()
        box.setAccessibleName(self.tr("Appearance"))
        names = {
            "system": self.tr("As the system"),
            "light": self.tr("Light"),
            "dark": self.tr("Dark"),
        }
        for choice in get_args(Choice):
            box.addItem(names[choice], choice)
        box.setCurrentIndex(box.findData(self._preferences.theme))
        box.activated.connect(lambda: self._choose_theme(box.currentData()))
        return box

    def _language_box(self) -> QWidget:
        box = ChoiceBox()
        box.setAccessibleName(self.tr("Language"))
        box.addItem(self.tr("As the system"), "system")
        for code, name in NAMES.items():
            box.addItem(name, code)
        box.setCurrentIndex(box.findData(self._preferences.language))
        box.activated.connect(lambda: self._choose_language(box.currentData()))
        self.language_box = box
        self.language_line = self._small(self.tr("Applies when Scrubjay starts the next time."))
        self.language_line.hide()
        return _stacked(box, self.language_line)

    def _close_box(self) -> QComboBox:
        box = ChoiceBox()
        box.setAccessibleName(self.tr("When the window is closed"))
        box.addItem(self.tr("Ask me"), OnClose.ASK)
        box.addItem(self.tr("Keep running in the background"), OnClose.KEEP_RUNNING)
        box.addItem(self.tr("Quit"), OnClose.QUIT)
        box.setCurrentIndex(box.findData(self._preferences.on_close))
        box.activated.connect(lambda: self._choose_close(OnClose(box.currentData())))
        return box

    def _editor_box(self) -> QComboBox:
        """Names of what is here, or a command that the person types."""
        box = ChoiceBox(editable=True, insertPolicy=QComboBox.InsertPolicy.NoInsert)
        written = QLineEdit()
        box.setLineEdit(written)
        # Who types a command wants that one, not another that begins alike.
        box.setCompleter(None)  # type: ignore[arg-type]
        for named in (box, written):
            named.setAccessibleName(self.tr("Open notes with"))
            named.setToolTip(self.tr("A command, such as: code -g {file}:{line}"))
        box.addItem(self.tr("the default program"), "")
        for editor in editors_here():
            box.addItem(editor.name, editor.command)
        known = box.findData(self._preferences.editor)
        box.setCurrentIndex(known)
        if known < 0:
            box.setEditText(self._preferences.editor)
        box.activated.connect(lambda: self._choose_editor(box.currentData()))
        written.editingFinished.connect(self._take_editor)
        return box

    def _take_editor(self) -> None:
        typed = self.editor_box.currentText().strip()
        named = self.editor_box.findText(typed) if typed else 0
        self.editor_box.setCurrentIndex(named)
        if named < 0:
            self.editor_box.setEditText(typed)
        self._choose_editor(self.editor_box.itemData(named) if named >= 0 else typed)

    def _key_box(self) -> QWidget:
        self.key_edit = QKeySequenceEdit(self._quick_key.keys)
        self.key_edit.setMaximumSequenceLength(1)
        self.key_edit.setClearButtonEnabled(True)
        self.key_edit.setEnabled(self._quick_key.can_choose)
        for named in (self.key_edit, *self.key_edit.findChildren(QLineEdit)):
            named.setAccessibleName(self.tr("Key for quick search"))
        self.key_line = self._small(self._quick_key.sentence)
        self.key_edit.editingFinished.connect(self._choose_keys)
        return _stacked(self.key_edit, self.key_line)

    def _start_box(self) -> QWidget:
        self.start_box = QCheckBox(self.tr("Start &in the background when I log in"))
        self.start_box.setChecked(self._autostart.is_on)
        self.start_box.setEnabled(not self._autostart.unavailable)
        self.start_box.clicked.connect(self._choose_start)
        self.start_line = self._small(self._autostart.unavailable)
        self.start_line.setVisible(bool(self._autostart.unavailable))
        return _stacked(self.start_box, self.start_line)

    def _battery_box(self) -> QCheckBox:
        self.battery_box = QCheckBox(self.tr("&Pause reading while on battery"))
        self.battery_box.setChecked(self._preferences.rests_on_battery)
        self.battery_box.clicked.connect(self._choose_battery)
        return self.battery_box

    def _news_box(self) -> QCheckBox:
        self.news_box = QCheckBox(self.tr("&Notify me when something needs me"))
        self.news_box.setChecked(self._preferences.notifies)
        self.news_box.clicked.connect(self._choose_news)
        return self.news_box

    def _small(self, text: str) -> QLabel:
        line = muted_label(text, -1, WrappingLabel)
        line.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        return line

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

    def _choose_theme(self, choice: Choice) -> None:
        self._preferences.theme = choice
        self.theme_chosen.emit(choice)

    def _choose_language(self, choice: Language) -> None:
        self._preferences.language = choice
        self.language_line.show()
        announce(self.language_line, self.language_line.text())

    def _choose_battery(self, on: bool) -> None:
        self._preferences.rests_on_battery = on
        self.battery_chosen.emit()

    def _choose_news(self, on: bool) -> None:
        self._preferences.notifies = on

    def _choose_close(self, choice: OnClose) -> None:
        self._preferences.on_close = choice

    def _choose_editor(self, command: str) -> None:
        self._preferences.editor = command
        self.editor_chosen.emit(command)


def _stacked(*widgets: QWidget) -> QWidget:
    """A control with what is said about it below."""
    box = QWidget()
    column = QVBoxLayout(box)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(GRID // 2)
    for widget in widgets:
        column.addWidget(widget)
    return box
