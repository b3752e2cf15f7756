"""One setting: what it is called, what it does, its control, and a way back to the default."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QFont, QPalette
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from scrubjay import Choice, ChoiceKind
from scrubjay_desktop.text.formatting import decimal, number, translate, translated
from scrubjay_desktop.widgets.buttons import IconButton
from scrubjay_desktop.widgets.labels import muted_label
from scrubjay_desktop.widgets.theme import GRID, sized
from scrubjay_desktop.widgets.wheel_safe_inputs import ChoiceBox, NumberBox, ShareBox

_MOST = 2**31 - 1
_CONTROL = 30 * GRID


class SettingRow(QWidget):
    """Announces what a person chose; shows what then holds."""

    chosen = Signal(str, object)
    """Key and value."""
    reset_requested = Signal(str)

    def __init__(self, choice: Choice, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.choice = choice
        self._title = QLabel(translated(choice.title))
        self._title.setFont(sized(self.font(), 0, QFont.Weight.DemiBold))
        self._title.setWordWrap(True)
        self._explanation = muted_label(self._words(), -1)
        self.overrides = muted_label("", -1)
        self._problem = muted_label("", -1)
        self._problem.setForegroundRole(QPalette.ColorRole.BrightText)
        self.control, self._show_value = self._control(choice)
        self.control.setAccessibleName(translated(choice.title))
        self.control.setAccessibleDescription(self._words())
        self.reset = IconButton("undo", self.tr("Back to the default"))
        room = self.reset.sizePolicy()
        room.setRetainSizeWhenHidden(True)
        self.reset.setSizePolicy(room)
        self.reset.clicked.connect(lambda: self.reset_requested.emit(self.choice.key))
        words = QVBoxLayout()
        words.setSpacing(2)
        for label in (self._title, self._explanation, self.overrides, self._problem):
            words.addWidget(label)
        words.addStretch(1)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, GRID // 2, 0, GRID // 2)
        row.setSpacing(2 * GRID)
        row.addLayout(words, 1)
        row.addWidget(self.control, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.reset, 0, Qt.AlignmentFlag.AlignTop)
        self.show_choice(choice)

    def show_choice(self, choice: Choice) -> None:
        """Show what holds now, without announcing it."""
        self.choice = choice
        with QSignalBlocker(self.control):
            self._show_value(choice.value)
        self.reset.setVisible(choice.is_set)
        name = self.tr("Back to the default: {title}").format(title=translated(choice.title))
        self.reset.setAccessibleName(name)
        self.overrides.setText(override_words(choice))
        self.overrides.setVisible(bool(choice.overrides))
        self._problem.setText(translated(choice.problem))
        self._problem.setVisible(bool(choice.problem))

    def fits(self, words: list[str]) -> bool:
        """Whether all these words stand in what is said about the setting."""
        choice = self.choice
        names = f"{translated(choice.title)} {choice.key} {translated(choice.group)}"
        text = f"{names} {self._words()}".casefold()
        return all(word in text for word in words)

    def _words(self) -> str:
        text = translated(self.choice.explanation)
        default = self.tr("Default: {value}.").format(
            value=value_words(self.choice, self.choice.default)
        )
        rebuild = self.tr("A change reads all notes again, in the background.")
        return " ".join([text, default, *([rebuild] if self.choice.needs_rebuild else [])])

    def _control(self, choice: Choice) -> tuple[QWidget, Callable[[Any], None]]:
        match choice.kind:
            case ChoiceKind.SWITCH:
                return self._switch()
            case ChoiceKind.ONE_OF:
                return self._one_of(choice)
            case ChoiceKind.NUMBER:
                return self._number(choice)
            case ChoiceKind.DECIMAL:
                return self._decimal(choice)
            case ChoiceKind.LIST:
                return self._list()
        return self._text()

    def _announce(self, value: Any) -> None:
        held = (
            list(self.choice.value) if isinstance(self.choice.value, tuple) else self.choice.value
        )
        if value != held:
            self.chosen.emit(self.choice.key, value)

    def _switch(self) -> tuple[QWidget, Callable[[Any], None]]:
        box = QCheckBox()
        box.toggled.connect(self._announce)
        return box, box.setChecked

    def _one_of(self, choice: Choice) -> tuple[QWidget, Callable[[Any], None]]:
        box = ChoiceBox()
        box.setFixedWidth(_CONTROL)
        for value, name in choice.options:
            box.addItem(translated(name), value)
        box.activated.connect(lambda _: self._announce(box.currentData()))
        return box, lambda value: box.setCurrentIndex(box.findData(value))

    def _number(self, choice: Choice) -> tuple[QWidget, Callable[[Any], None]]:
        box = NumberBox()
        box.setFixedWidth(_CONTROL // 2)
        # What may be left unset is unset at 0, below the lowest that makes sense.
        low = 0 if choice.default is None else int(choice.low or 0)
        box.setRange(low, int(min(_MOST, choice.high or _MOST)))
        box.setGroupSeparatorShown(True)
        box.editingFinished.connect(lambda: self._announce(box.value() or choice.default or 0))
        box.setKeyboardTracking(False)
        return box, lambda value: box.setValue(int(value or 0))

    def _decimal(self, choice: Choice) -> tuple[QWidget, Callable[[Any], None]]:
        box = _Decimal()
        box.setFixedWidth(_CONTROL // 2)
        box.setDecimals(2)
        box.setRange(choice.low or 0.0, choice.high or float(_MOST))
        box.setSingleStep(0.05 if (choice.high or 0) <= 1 else 1)
        box.setKeyboardTracking(False)
        box.editingFinished.connect(lambda: self._announce(round(box.value(), 2)))
        return box, lambda value: box.setValue(float(value))

    def _text(self) -> tuple[QWidget, Callable[[Any], None]]:
        box = QLineEdit()
        box.setFixedWidth(_CONTROL)
        box.editingFinished.connect(lambda: self._announce(box.text().strip()))
        return box, lambda value: box.setText(str(value or ""))

    def _list(self) -> tuple[QWidget, Callable[[Any], None]]:
        box = _Lines(self._announce)
        box.setFixedSize(_CONTROL, 9 * GRID)
        return box, lambda value: box.setPlainText("\n".join(value))


class _Decimal(ShareBox):
    """A number with no more digits than it needs."""

    def textFromValue(self, value: float) -> str:
        return decimal(value)


class _Lines(QPlainTextEdit):
    """A list of texts, one in each line; announced when the person goes elsewhere."""

    def __init__(self, left: Callable[[list[str]], None]) -> None:
        super().__init__()
        self.setTabChangesFocus(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self._left = left

    def focusOutEvent(self, event: Any) -> None:
        super().focusOutEvent(event)
        self._left([line.strip() for line in self.toPlainText().splitlines() if line.strip()])


def override_words(choice: Choice) -> str:
    """For which folders another value holds; empty for none."""
    parts = [f"{one.workspace}: {value_words(choice, one.value)}" for one in choice.overrides]
    if not parts:
        return ""
    text = translate("Settings", "The settings file says otherwise for {folders}.")
    return text.format(folders="; ".join(parts))


def value_words(choice: Choice, value: Any) -> str:
    """A value of a setting, as people say it."""
    if value in ("", None):
        return translate("Settings", "none")
    match choice.kind:
        case ChoiceKind.SWITCH:
            return translate("Settings", "on") if value else translate("Settings", "off")
        case ChoiceKind.ONE_OF:
            return translated(dict(choice.options).get(value, str(value)))
        case ChoiceKind.LIST:
            return ", ".join(value) or translate("Settings", "none")
        case ChoiceKind.NUMBER:
            return number(value)
        case ChoiceKind.DECIMAL:
            return decimal(value)
    return str(value)
