"""Light and dark: one palette each, one accent, one grid of eight pixels."""

from __future__ import annotations

from string import Template
from typing import Literal

from msgspec import Struct
from PySide6.QtCore import QDir, QObject, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QIcon, QPalette
from PySide6.QtWidgets import QApplication, QWidget

from scrubjay.platform.paths import resources

GRID = 8
"""Distances are multiples of this many pixels; halves inside a control."""

ThemeChoice = Literal["system", "light", "dark"]


class Colors(Struct, frozen=True):
    """The colours of painted widgets; QPalette has too few roles."""

    is_dark: bool
    window: QColor
    sidebar: QColor
    surface: QColor
    field: QColor
    """Colour behind text being typed."""
    hover: QColor
    border: QColor
    text: QColor
    muted: QColor
    accent: QColor
    accent_text: QColor
    """Colour of text on the accent."""
    accent_soft: QColor
    """Colour behind a selected row."""
    marked: QColor
    """Colour behind matched words."""
    marked_text: QColor
    good: QColor
    good_soft: QColor
    """Colour behind added lines."""
    warning: QColor
    warning_soft: QColor
    danger: QColor
    danger_soft: QColor
    """Colour behind removed lines."""


_VALUES = {
    "window": ("#f5f7f9", "#151a20"),
    "sidebar": ("#ebeff3", "#10151a"),
    "surface": ("#ffffff", "#1b2128"),
    "field": ("#ffffff", "#303a45"),
    "hover": ("#f0f4f8", "#222a33"),
    "border": ("#d7dee5", "#303a45"),
    "text": ("#17212b", "#e5eaef"),
    "muted": ("#566472", "#9eabb8"),
    "accent": ("#2462a6", "#74b1ee"),
    "accent_text": ("#ffffff", "#0d1a27"),
    "accent_soft": ("#e2edf9", "#213650"),
    "marked": ("#ffe69a", "#6b571a"),
    "marked_text": ("#17212b", "#fff3cf"),
    "good": ("#23744a", "#71c797"),
    "good_soft": ("#dff3e6", "#1a3526"),
    "warning": ("#8a5a00", "#e5b95c"),
    "warning_soft": ("#fff4d6", "#352c17"),
    "danger": ("#b3261e", "#f2938c"),
    "danger_soft": ("#fbe4e2", "#42211f"),
}
"""Name of a colour -> its value when it is light, and when it is dark."""
LIGHT, DARK = (
    Colors(is_dark, **{name: QColor(values[is_dark]) for name, values in _VALUES.items()})
    for is_dark in (False, True)
)


def palette_colors(palette: QPalette) -> Colors:
    """The colours of a palette, so that widgets follow a live change by themselves."""
    lightness = palette.color(QPalette.ColorRole.Window).lightness()
    if lightness < 128:
        return DARK
    return LIGHT


def make_palette(colors: Colors) -> QPalette:
    """A Qt palette with the same colours, for everything that Qt paints."""
    role = QPalette.ColorRole
    palette = QPalette(colors.surface, colors.window)
    # Qt derives the roles that are not named here.
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
    # Disabled texts are as quiet as explanations.
    for name in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, name, colors.muted)
    return palette


def sized_font(font: QFont, points: float, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
    """A copy of font that is points larger (or smaller) and as heavy as asked."""
    copy = QFont(font)
    # Smaller letters cannot be read.
    copy.setPointSizeF(max(6.0, font.pointSizeF() + points))
    copy.setWeight(weight)
    return copy


def set_style_property(widget: QWidget, name: str, value: bool) -> None:
    """Set a property that the style sheet selects by."""
    widget.setProperty(name, value)
    widget.style().unpolish(widget)
    widget.style().polish(widget)


class Theme(QObject):
    """Keeps the palette of the app in step with the system, or with the user's own choice."""

    def __init__(self, app: QApplication, choice: ThemeChoice = "system") -> None:
        super().__init__(app)
        self._app = app
        self._choice: ThemeChoice = choice
        app.setAttribute(Qt.ApplicationAttribute.AA_UseStyleSheetPropagationInWidgetStyles)
        QDir.setSearchPaths("icons", [str(resources() / "icons"), str(resources() / "controls")])
        # For the file dialogs of Qt where the desktop has no icons of its own.
        QIcon.setFallbackSearchPaths([str(resources() / "controls")])
        # Else the app has the style of the sheet.
        app.setStyleSheet("")
        self._sheets: tuple[str, ...] = ("style",)
        if app.style().name() == "fusion":
            self._sheets = ("style", "scroll_bar")
        app.styleHints().colorSchemeChanged.connect(self._apply)
        self._apply()

    @property
    def colors(self) -> Colors:
        """The set in use."""
        # The user's own choice counts more than the system's.
        is_dark = self._app.styleHints().colorScheme() == Qt.ColorScheme.Dark
        if self._choice != "system":
            is_dark = self._choice == "dark"
        if is_dark:
            return DARK
        return LIGHT

    def choose(self, choice: ThemeChoice) -> None:
        """Follow the system, or stay light or dark."""
        self._choice = choice
        self._apply()

    def _apply(self) -> None:
        colors = self.colors
        self._app.setPalette(make_palette(colors))
        files = (resources() / f"{name}.qss" for name in self._sheets)
        text = "".join(file.read_text(encoding="utf-8") for file in files)
        # The sheet names colours as the palette does; some it has for itself.
        values = {name: getattr(colors, name).name() for name in _VALUES}
        values["accent_bright"] = colors.accent.lighter(112).name()
        values["shade"] = "dark" if colors.is_dark else "light"
        pill = QFontMetrics(sized_font(self._app.font(), -0.5)).height() // 2 + 4
        focused = self._app.focusWidget()
        self._app.setStyleSheet(Template(text).substitute(values, pill=pill))
        # Dialogs lay out their buttons again, which loses the keys.
        if focused is not None:
            focused.setFocus()
