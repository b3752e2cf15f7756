"""Light and dark: one palette each, one accent, one grid of eight pixels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QColor, QFont, QPalette
from PySide6.QtWidgets import QAbstractScrollArea, QApplication

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
    if view.style().name() != "fusion":
        return
    _SlimBar(view)


class _SlimBar(QObject):
    """Sets the style sheet of a thin scroll bar again when its palette changes."""

    def __init__(self, view: QAbstractScrollArea) -> None:
        super().__init__(view)
        self._bar = view.verticalScrollBar()
        self._draw()
        view.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.PaletteChange:
            # Later: while the change is handed on, the bar may not have it yet.
            QTimer.singleShot(0, self, self._draw)
        return super().eventFilter(watched, event)

    def _draw(self) -> None:
        self._bar.setStyleSheet("")
        self._bar.setStyleSheet(_SLIM)


_SLIM = (
    "QScrollBar { background: transparent; width: 10px; margin: 0; }"
    "QScrollBar::handle { background: palette(mid); border-radius: 3px; min-height: 32px;"
    " margin: 2px; }"
    "QScrollBar::handle:hover { background: palette(placeholder-text); }"
    "QScrollBar::add-line, QScrollBar::sub-line { height: 0; }"
    "QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }"
)


class Theme(QObject):
    """Keeps the palette of the app in step with the system, or with the user's own choice."""

    def __init__(self, app: QApplication, choice: Choice = "system") -> None:
        super().__init__(app)
        self._app = app
        self._choice: Choice = choice
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
