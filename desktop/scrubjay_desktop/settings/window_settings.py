"""The choices that belong to the window itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QKeySequenceEdit,
    QLabel,
    QLineEdit,
    QSystemTrayIcon,
    QWidget,
)

from scrubjay.errors import ScrubjayError
from scrubjay_desktop.platform.autostart import Autostart
from scrubjay_desktop.platform.desktop_limits import popup_limit, tray_limit
from scrubjay_desktop.platform.hotkey.hotkey import COMMAND
from scrubjay_desktop.preview.open_external import installed_editors
from scrubjay_desktop.settings.hotkey_setting import HotkeySetting
from scrubjay_desktop.settings.preferences import OnClose, Preferences
from scrubjay_desktop.settings.setting_row import CONTROL_WIDTH
from scrubjay_desktop.text.formatting import translated
from scrubjay_desktop.text.language import NAMES, Language
from scrubjay_desktop.widgets.banner import announce, copy_to_clipboard
from scrubjay_desktop.widgets.buttons import SmallButton
from scrubjay_desktop.widgets.labels import bold_label, muted_label
from scrubjay_desktop.widgets.layouts import NONE, TOP, hbox, vbox
from scrubjay_desktop.widgets.theme import ThemeChoice
from scrubjay_desktop.widgets.wheel_safe_inputs import ChoiceBox


class WindowSettings(QWidget):
    """Rows of choices; every change applies at once."""

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
        self._rows: list[QWidget] = []
        # The rows are added in the order in which they are seen.
        self._column = vbox(on=self, margins=NONE, spacing=1)
        self.theme_box = self._theme_box()
        self.editor_box = self._editor_box()
        self._add(self.tr("&Appearance"), self.theme_box)
        self._add(self.tr("&Language"), *self._language_box())
        self._add(self.tr("When the window is &closed"), self._close_box(), *_tray_lines())
        self._add(self.tr("Start &in the background when I log in"), *self._start_box())
        self.battery_box = _check_box(preferences.rests_on_battery, self._choose_battery)
        self._add(self.tr("&Pause reading notes on battery power"), self.battery_box)
        self.notify_box = _check_box(preferences.notifies, self._choose_notifications)
        self._add(self.tr("&Notify me when something needs my attention"), self.notify_box)
        self.searches_box = _check_box(preferences.keeps_searches, self._choose_searches)
        forgets = _small_label(self.tr("If you turn this off, all past searches are deleted."))
        self._add(self.tr("&Remember my searches"), self.searches_box, forgets)
        self._add(self.tr("Open notes &with"), self.editor_box)
        self._add(self.tr("Shortcut for quick &search"), *self._key_box(), *_popup_lines())

    def find_settings(self, words: list[str]) -> int:
        """Show the choices that contain all these words; returns their number."""
        count = 0
        for row in self._rows:
            # All words have to be in the texts of a row, in any order.
            text = self._words_of(row).casefold()
            fits = all(word in text for word in words)
            row.setVisible(fits)
            count += fits
        return count

    def _add(self, title: str, control: QWidget, *lines: QLabel) -> None:
        """A row like those of the other settings."""
        label = bold_label(title)
        label.setWordWrap(True)
        label.setBuddy(control)
        # A check box has no text of its own, and other controls have the same width.
        if isinstance(control, QCheckBox):
            control.setAccessibleName(title.replace("&", ""))
        else:
            control.setFixedWidth(CONTROL_WIDTH)
        row = QWidget()
        words = vbox(label, *lines, spacing=0.25)
        hbox((words, 1), (control, TOP), on=row, margins=(0, 0.5, 0, 0.5), spacing=2)
        self._rows.append(row)
        self._column.addWidget(row)

    def _words_of(self, row: QWidget) -> str:
        """The searched text of a row: the name of a choice and its options."""
        words = [self.tr("Window")]
        words += [label.text().replace("&", "") for label in row.findChildren(QLabel)]
        for box in row.findChildren(QComboBox):
            words += [box.itemText(at) for at in range(box.count())]
        return " ".join(words)

    def _theme_box(self) -> QComboBox:
        names = {
            "system": self.tr("Use system setting"),
            "light": self.tr("Light"),
            "dark": self.tr("Dark"),
        }
        return _choice_box(
            self.tr("Appearance"), names, chosen=self.preferences.theme, choose=self._choose_theme
        )

    def _language_box(self) -> tuple[QWidget, QLabel]:
        names = {"system": self.tr("Use system setting"), **NAMES}
        # The sentence below the box is shown once the language was changed.
        self.language_box = _choice_box(
            self.tr("Language"),
            names,
            chosen=self.preferences.language,
            choose=self._choose_language,
        )
        self.language_line = _small_label(
            self.tr("The change takes effect the next time Scrubjay starts.")
        )
        self.language_line.hide()
        return self.language_box, self.language_line

    def _close_box(self) -> QComboBox:
        # The same choices as in the question when the window is closed.
        names = {
            OnClose.ASK: self.tr("Ask me"),
            OnClose.KEEP_RUNNING: self.tr("Keep running in the background"),
            OnClose.QUIT: self.tr("Quit"),
        }
        return _choice_box(
            self.tr("When the window is closed"),
            names,
            chosen=self.preferences.on_close,
            choose=self._choose_close,
        )

    def _editor_box(self) -> QComboBox:
        """A box of the editors on this computer, in which a command may be typed too."""
        box = ChoiceBox(editable=True, insertPolicy=QComboBox.InsertPolicy.NoInsert)
        edit = QLineEdit()
        box.setLineEdit(edit)
        # A typed command is meant as it is, and not completed to one that begins alike.
        box.setCompleter(None)  # type: ignore[arg-type]
        for named in (box, edit):
            named.setAccessibleName(self.tr("Open notes with"))
            named.setToolTip(self.tr("You can type a command, such as code -g {file}:{line}"))
        # The editors on this computer, and what is typed where none of them is meant.
        editors = list(installed_editors())
        usual = self.tr("Default program")
        if any(editor.name == "Obsidian" for editor in editors):
            usual = self.tr("Obsidian for its vaults, otherwise the default program")
        box.addItem(usual, "")
        for editor in editors:
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
        # A typed name of an editor means that editor, and no text the default program.
        index = 0
        if text:
            index = self.editor_box.findText(text)
        self.editor_box.setCurrentIndex(index)
        command = text
        if index >= 0:
            command = self.editor_box.itemData(index)
        else:
            self.editor_box.setEditText(text)
        self._choose_editor(command)

    def _key_box(self) -> tuple[QWidget, QLabel]:
        self.key_line = _small_label(self._quick_key.sentence)
        if not self._quick_key.can_choose:
            copy = SmallButton(self.tr("Copy the command"))
            copy.clicked.connect(lambda: copy_to_clipboard(COMMAND, copy))
            self.copy_command = copy
            return copy, self.key_line
        # One combination is enough, and a button empties the box.
        self.key_edit = QKeySequenceEdit(self._quick_key.keys)
        self.key_edit.setMaximumSequenceLength(1)
        self.key_edit.setClearButtonEnabled(True)
        for named in (self.key_edit, *self.key_edit.findChildren(QLineEdit)):
            named.setAccessibleName(self.tr("Shortcut for quick search"))
        self.key_edit.editingFinished.connect(self._choose_keys)
        return self.key_edit, self.key_line

    def _start_box(self) -> tuple[QWidget, QLabel]:
        self.start_box = _check_box(self._autostart.is_on, self._choose_start)
        self.start_box.setEnabled(self._autostart.is_available)
        hint = self._autostart.hint
        self.start_line = _small_label(hint)
        self.start_line.setVisible(bool(hint))
        return self.start_box, self.start_line

    def _choose_start(self, on: bool) -> None:
        try:
            self._autostart.switch(on=on)
            self.start_line.setVisible(bool(self._autostart.hint))
        # The box shows what is so, and a line below says why it could not be changed.
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

    def _choose_searches(self, on: bool) -> None:
        self.preferences.keeps_searches = on
        if not on:
            self.preferences.forget_searches()

    def _choose_close(self, choice: OnClose) -> None:
        self.preferences.on_close = OnClose(choice)

    def _choose_editor(self, command: str) -> None:
        self.preferences.editor = command
        self.editor_chosen.emit(command)


def _tray_lines() -> list[QLabel]:
    """A line below the choice of what closing means, where there is no icon to click."""
    limit = tray_limit(
        QGuiApplication.platformName(), has_tray=QSystemTrayIcon.isSystemTrayAvailable()
    )
    return [_small_label(limit)] if limit else []


def _popup_lines() -> list[QLabel]:
    """A line below the shortcut, where the desktop and not Scrubjay places the popup."""
    limit = popup_limit(QGuiApplication.platformName())
    return [_small_label(limit)] if limit else []


def _small_label(text: str) -> QLabel:
    label = muted_label(text, -1)
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


def _check_box(is_on: bool, choose: Callable[[bool], None]) -> QCheckBox:
    box = QCheckBox()
    box.setChecked(is_on)
    box.clicked.connect(choose)
    return box
