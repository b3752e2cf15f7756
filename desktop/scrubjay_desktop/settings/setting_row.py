"""One setting: title, explanation, control, and a button back to the default."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QCheckBox, QLineEdit, QPlainTextEdit, QWidget

from scrubjay.config.page_settings import Setting, SettingKind
from scrubjay_desktop.text.formatting import format_decimal, format_number, translate, translated
from scrubjay_desktop.widgets.buttons import IconButton
from scrubjay_desktop.widgets.labels import bold_label, muted_label
from scrubjay_desktop.widgets.layouts import TOP, hbox, vbox
from scrubjay_desktop.widgets.theme import GRID
from scrubjay_desktop.widgets.wheel_safe_inputs import ChoiceBox, NumberBox, ShareBox

_MAX_NUMBER = 2**31 - 1
"""Number that a box of Qt holds at most."""
CONTROL_WIDTH = 30 * GRID
"""Width of boxes to type or choose in."""

Control = tuple[QWidget, Callable[[Any], None]]
"""Control, and the function that shows a value in it."""


class SettingRow(QWidget):
    """Announces the value that the user chooses; shows the value that then holds."""

    chosen = Signal(str, object)
    """Signal with key and value."""
    reset_requested = Signal(str)

    def __init__(self, setting: Setting) -> None:
        super().__init__()
        self.setting = setting
        # Below the title stand what it means, where it does not hold, and what is wrong with it.
        title = bold_label(translated(setting.title))
        title.setWordWrap(True)
        self._explanation = muted_label("", -1)
        self.overrides = muted_label("", -1)
        self._problem = muted_label("", -1)
        self._problem.setForegroundRole(QPalette.ColorRole.BrightText)
        self.control, self._show_value = self._make_control(setting)
        self.control.setAccessibleName(translated(setting.title))
        self.reset = IconButton("undo", self.tr("Reset to default"))
        self.reset.clicked.connect(lambda: self.reset_requested.emit(self.setting.key))
        texts = (title, self._explanation, self.overrides, self._problem)
        words = vbox(*texts, 1, spacing=0.25)
        hbox(
            (words, 1),
            (self.reset, TOP),
            (self.control, TOP),
            on=self,
            margins=(0, 0.5, 0, 0.5),
            spacing=2,
        )
        self.show_setting(setting)

    def show_setting(self, setting: Setting) -> None:
        """Show the value that holds now, without announcing it."""
        self.setting = setting
        # The control changes by itself here, which is not a choice of the user.
        with QSignalBlocker(self.control):
            self._show_value(setting.value)
        self._explanation.setText(self._words())
        self.control.setAccessibleDescription(self._words())
        self.reset.setVisible(setting.is_set)
        name = self.tr("Reset to default: {title}").format(title=translated(setting.title))
        self.reset.setAccessibleName(name)
        # What other folders say otherwise, and what is wrong, is below the explanation.
        self.overrides.setText(override_words(setting))
        self.overrides.setVisible(bool(setting.overrides))
        self._problem.setText(translated(setting.problem))
        self._problem.setVisible(bool(setting.problem))

    def fits(self, words: list[str]) -> bool:
        """Whether the texts of the setting contain all these words."""
        setting = self.setting
        names = f"{translated(setting.title)} {setting.key} {translated(setting.group)}"
        text = f"{names} {self._words()}".casefold()
        return all(word in text for word in words)

    def _words(self) -> str:
        """The explanation, with the default value where another is set."""
        text = translated(self.setting.explanation)
        # The default is named only where it does not hold.
        usual = self.tr("Default: {value}.")
        if self.setting.kind is SettingKind.ONE_OF:
            usual = self.tr("Default: “{value}”.")
        parts = [text]
        if self.setting.is_set:
            default = value_words(self.setting, self.setting.default)
            parts.append(usual.format(value=default))
        if self.setting.needs_rebuild:
            parts.append(self.tr("If you change this setting, Scrubjay reads your notes again."))
        return " ".join(parts)

    def _make_control(self, setting: Setting) -> Control:
        # The kind of a setting decides its control.
        match setting.kind:
            case SettingKind.SWITCH:
                return self._switch()
            case SettingKind.ONE_OF:
                return self._one_of(setting)
            case SettingKind.NUMBER:
                return self._number(setting)
            case SettingKind.DECIMAL:
                return self._decimal(setting)
            case SettingKind.LIST:
                return self._list()
        return self._text()

    def _announce(self, value: Any) -> None:
        # A control has lists where the setting has tuples.
        current = self.setting.value
        if isinstance(current, tuple):
            current = list(current)
        if value != current:
            self.chosen.emit(self.setting.key, value)

    def _switch(self) -> Control:
        box = QCheckBox()
        box.toggled.connect(self._announce)
        return box, box.setChecked

    def _one_of(self, setting: Setting) -> Control:
        box = ChoiceBox()
        box.setFixedWidth(CONTROL_WIDTH)
        for value, name in setting.options:
            box.addItem(translated(name), value)
        box.activated.connect(lambda _: self._announce(box.currentData()))
        return box, lambda value: box.setCurrentIndex(box.findData(value))

    def _number(self, setting: Setting) -> Control:
        box = NumberBox()
        box.setFixedWidth(CONTROL_WIDTH // 2)
        # An optional number is unset at 0, below its lowest value.
        low = int(setting.low or 0)
        if setting.default is None:
            low = 0
        box.setRange(low, int(min(_MAX_NUMBER, setting.high or _MAX_NUMBER)))
        box.setGroupSeparatorShown(True)
        box.editingFinished.connect(lambda: self._announce(box.value() or setting.default or 0))
        box.setKeyboardTracking(False)
        return box, lambda value: box.setValue(int(value or 0))

    def _decimal(self, setting: Setting) -> Control:
        box = _Decimal()
        box.setFixedWidth(CONTROL_WIDTH // 2)
        box.setDecimals(2)
        box.setRange(setting.low or 0.0, setting.high or float(_MAX_NUMBER))
        # A share goes by hundredths, other numbers by whole ones.
        is_share = (setting.high or 0) <= 1
        box.setSingleStep(0.05 if is_share else 1)
        box.setKeyboardTracking(False)
        box.editingFinished.connect(lambda: self._announce(round(box.value(), 2)))
        return box, lambda value: box.setValue(float(value))

    def _text(self) -> Control:
        box = QLineEdit()
        box.setFixedWidth(CONTROL_WIDTH)
        box.editingFinished.connect(lambda: self._announce(box.text().strip()))
        return box, lambda value: box.setText(str(value or ""))

    def _list(self) -> Control:
        box = _Lines()
        box.edited.connect(self._announce)
        box.setFixedSize(CONTROL_WIDTH, 9 * GRID)
        return box, lambda value: box.setPlainText("\n".join(value))


class _Decimal(ShareBox):
    """A number with no more digits than it needs."""

    def textFromValue(self, value: float) -> str:
        return format_decimal(value)


class _Lines(QPlainTextEdit):
    """A list of texts, one in each line; announced when the focus leaves."""

    edited = Signal(object)
    """Signal with a list of texts."""

    def __init__(self) -> None:
        super().__init__()
        self.setTabChangesFocus(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)

    def focusOutEvent(self, event: Any) -> None:
        super().focusOutEvent(event)
        # Empty lines are for the eye alone.
        lines = [line.strip() for line in self.toPlainText().splitlines()]
        self.edited.emit([line for line in lines if line])


def override_words(setting: Setting) -> str:
    """The folders for which another value holds; empty for none."""
    parts = [f"{folder}: {value_words(setting, value)}" for folder, value in setting.overrides]
    if not parts:
        return ""
    text = translate(
        "Settings", "The settings file sets different values for individual folders: {folders}."
    )
    return text.format(folders="; ".join(parts))


def value_words(setting: Setting, value: Any) -> str:
    """A value of a setting in words."""
    # Nothing is a value too, and has a word.
    if value in ("", None):
        return translate("Settings", "none")
    match setting.kind:
        case SettingKind.SWITCH:
            if value:
                return translate("Settings", "on")
            return translate("Settings", "off")
        case SettingKind.ONE_OF:
            return translated(dict(setting.options).get(value, str(value)))
        case SettingKind.LIST:
            return ", ".join(value) or translate("Settings", "none")
        case SettingKind.NUMBER:
            return format_number(value)
        case SettingKind.DECIMAL:
            return format_decimal(value)
    return str(value)
