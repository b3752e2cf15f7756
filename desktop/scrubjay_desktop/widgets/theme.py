"""Light and dark: one palette each, one accent, one grid of eight pixels."""

from __future__ import annotations

from dataclasses import dataclass, fields
from string import Template
from typing import Literal

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPalette
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QWidget

from scrubjay.platform.paths import resources

GRID = 8
"""Distances are multiples of this many pixels; halves inside a control."""

Choice = Literal["system", "light", "dark"]


@dataclass(frozen=True, slots=True)
class Colors:
    """The colours of painted widgets; QPalette has too few roles."""

    is_dark: bool
    window: QColor
    sidebar: QColor
    surface: QColor
    hover: QColor
    border: QColor
    text: QColor
    muted: QColor
    accent: QColor
    accent_text: QColor
    """On accent."""
    accent_soft: QColor
    """Behind a selected row."""
    marked: QColor
    """Behind matched words."""
    marked_text: QColor
    good: QColor
    good_soft: QColor
    """Behind added lines."""
    warning: QColor
    warning_soft: QColor
    danger: QColor
    danger_soft: QColor
    """Behind removed lines."""


def _colors(*, is_dark: bool, **named: str) -> Colors:
    return Colors(is_dark=is_dark, **{name: QColor(value) for name, value in named.items()})


LIGHT = _colors(
    is_dark=False,
    window="#f5f7f9",
    sidebar="#ebeff3",
    surface="#ffffff",
    hover="#f0f4f8",
    border="#d7dee5",
    text="#17212b",
    muted="#566472",
    accent="#2462a6",
    accent_text="#ffffff",
    accent_soft="#e2edf9",
    marked="#ffe69a",
    marked_text="#17212b",
    good="#23744a",
    good_soft="#dff3e6",
    warning="#8a5a00",
    warning_soft="#fff4d6",
    danger="#b3261e",
    danger_soft="#fbe4e2",
)
DARK = _colors(
    is_dark=True,
    window="#151a20",
    sidebar="#10151a",
    surface="#1b2128",
    hover="#222a33",
    border="#303a45",
    text="#e5eaef",
    muted="#9eabb8",
    accent="#74b1ee",
    accent_text="#0d1a27",
    accent_soft="#213650",
    marked="#6b571a",
    marked_text="#fff3cf",
    good="#71c797",
    good_soft="#1a3526",
    warning="#e5b95c",
    warning_soft="#352c17",
    danger="#f2938c",
    danger_soft="#42211f",
)


def colors_of(palette: QPalette) -> Colors:
    """The colours of a palette, so that widgets follow a live change by themselves."""
    return DARK if palette.color(QPalette.ColorRole.Window).lightness() < 128 else LIGHT


def palette_of(colors: Colors) -> QPalette:
    """A Qt palette with the same colours, for everything that Qt paints."""
    role = QPalette.ColorRole
    palette = QPalette(colors.surface, colors.window)
    active = {
        role.Window: colors.window,
        role.WindowText: colors.text,
        role.Base: colors.surface,
        role.AlternateBase: colors.hover,
        role.Text: colors.text,
        role.Button: colors.surface,
        role.ButtonText: colors.text,
        role.BrightText: colors.danger,
        role.Highlight: colors.accent,
        role.HighlightedText: colors.accent_text,
        role.Accent: colors.accent,
        role.Link: colors.accent,
        role.LinkVisited: colors.accent,
        role.PlaceholderText: colors.muted,
        role.ToolTipBase: colors.surface,
        role.ToolTipText: colors.text,
        role.Light: colors.surface,
        role.Midlight: colors.hover,
        role.Mid: colors.border,
        role.Dark: colors.border,
        role.Shadow: QColor("#000000"),
    }
    for name, color in active.items():
        palette.setColor(name, color)
    for name in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, name, colors.muted)
    return palette


def sized(font: QFont, points: float, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
    """A copy of font that is points larger (or smaller) and as heavy as asked."""
    copy = QFont(font)
    copy.setPointSizeF(max(6.0, font.pointSizeF() + points))
    copy.setWeight(weight)
    return copy


def slim(view: QAbstractScrollArea) -> None:
    """Give a view the thin scroll bar that Fusion lacks; other styles have their own."""
    view.setProperty("slim", True)


def set_look(widget: QWidget, name: str, value: bool) -> None:
    """Set a property that the style sheet selects by."""
    widget.setProperty(name, value)
    widget.style().unpolish(widget)
    widget.style().polish(widget)


class Theme(QObject):
    """Keeps the palette of the app in step with the system, or with the user's own choice."""

    def __init__(self, app: QApplication, choice: Choice = "system") -> None:
        super().__init__(app)
        self._app = app
        self._choice: Choice = choice
        app.setAttribute(Qt.ApplicationAttribute.AA_UseStyleSheetPropagationInWidgetStyles)
        app.setStyleSheet("")  # else the app has the style of the sheet
        self._sheets = ("style", "scroll_bar") if app.style().name() == "fusion" else ("style",)
        app.styleHints().colorSchemeChanged.connect(self._apply)
        self._apply()

    @property
    def colors(self) -> Colors:
        """The set in use."""
        return DARK if self._is_dark() else LIGHT

    def choose(self, choice: Choice) -> None:
        """Follow the system, or stay light or dark."""
        self._choice = choice
        self._apply()

    def _is_dark(self) -> bool:
        if self._choice != "system":
            return self._choice == "dark"
        return self._app.styleHints().colorScheme() == Qt.ColorScheme.Dark

    def _apply(self) -> None:
        self._app.setPalette(palette_of(self.colors))
        boxes = palette_of(self.colors)
        if self.colors.is_dark:
            # The style outlines a box darker than the window, which is invisible in the dark.
            boxes.setColor(QPalette.ColorRole.Base, self.colors.muted.darker(170))
        fields = palette_of(self.colors)
        if self.colors.is_dark:
            fields.setColor(QPalette.ColorRole.Base, self.colors.border)
        # The stubs ask for bytes, which the call itself refuses.
        self._app.setPalette(boxes, "QCheckBox")  # type: ignore[arg-type]
        for kind in ("QLineEdit", "QAbstractSpinBox", "QPlainTextEdit"):
            self._app.setPalette(fields, kind)  # type: ignore[arg-type]
        self._app.setStyleSheet(self._style_sheet())

    def _style_sheet(self) -> str:
        files = (resources() / f"{name}.qss" for name in self._sheets)
        text = "".join(file.read_text(encoding="utf-8") for file in files)
        colors = {field.name: getattr(self.colors, field.name) for field in fields(Colors)[1:]}
        colors["accent_bright"] = self.colors.accent.lighter(112)
        pill = QFontMetrics(sized(self._app.font(), -0.5)).height() // 2 + 4
        names = {name: color.name() for name, color in colors.items()}
        return Template(text).substitute(names, pill=pill)
