"""Buttons, chips, cards and the box to type in. Their look is in resources/style.qss."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, QRect, QSize, Qt
from PySide6.QtGui import QIcon, QKeyEvent, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QAbstractButton,
    QDialog,
    QDialogButtonBox,
    QFrame,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QStyle,
    QStyleOptionButton,
    QToolButton,
)

from scrubjay_desktop.text.formatting import plain_tip
from scrubjay_desktop.widgets.icons import icon
from scrubjay_desktop.widgets.labels import IconLabel
from scrubjay_desktop.widgets.layouts import hbox
from scrubjay_desktop.widgets.painting import smooth_painter
from scrubjay_desktop.widgets.theme import GRID, palette_colors, set_style_property, sized_font

_HAND = Qt.CursorShape.PointingHandCursor
_ICON = 18
"""Pixels of an icon."""
_MOST = QSize(20 * GRID, 1000)
"""Size that a chip asks for at most: a longer text is elided."""


class IconButton(QToolButton):
    """A flat button with a line icon in the colour of the text."""

    def __init__(self, name: str, text: str) -> None:
        super().__init__(autoRaise=True)
        self.setIconSize(QSize(_ICON, _ICON))
        self._drawn: tuple[str, str, float] | None = None
        self.set_icon(name, text)

    def set_icon(self, name: str, text: str) -> None:
        """Change icon and meaning."""
        self._name = name
        self.setToolTip(plain_tip(text))
        self.setAccessibleName(text)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: D102
        # Only now: most buttons are not shown at the start, and theme and screen may change.
        colors = palette_colors(self.palette())
        is_enabled = self.isEnabled()
        color = colors.muted if is_enabled else colors.border
        look = (self._name, color.name(), self.devicePixelRatioF())
        if look != self._drawn:
            self._drawn = look
            image = icon(self._name, color, size=_ICON, widget=self)
            if not is_enabled:
                # The style's own can hardly be told from an enabled one when dark.
                image.addPixmap(image.pixmap(_ICON), QIcon.Mode.Disabled)
            self.setIcon(image)
        super().paintEvent(event)


class Button(QPushButton):
    """A push button, filled when it is the first choice of its place."""

    def __init__(self, text: str, *, is_primary: bool = False) -> None:
        super().__init__(text)
        self.setCursor(_HAND)
        self.set_primary(is_primary)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: D102
        # Outside of dialogs Qt answers the space bar only.
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.isAutoRepeat():
            self.click()
            return
        super().keyPressEvent(event)

    def set_primary(self, is_primary: bool) -> None:
        """Make this the first choice of its place, or not."""
        self.setDefault(is_primary)
        set_style_property(self, "primary", is_primary)


class SmallButton(Button):
    """A button for a thing that it stands beside; Enter needs it focused."""

    def __init__(self, text: str = "", thing: str = "") -> None:
        super().__init__(text)
        self.setAutoDefault(False)
        if thing:
            self.set_text(text, thing)

    def set_text(self, text: str, thing: str) -> None:
        """Show a text; screen readers also hear the thing that it is about."""
        self.setText(text)
        self.setAccessibleName(f"{text.removesuffix('…')}: {thing}")


def dialog_buttons(dialog: QDialog, buttons: QDialogButtonBox.StandardButton) -> QDialogButtonBox:
    """Buttons that accept or reject a dialog."""
    box = QDialogButtonBox(buttons)
    box.accepted.connect(dialog.accept)
    box.rejected.connect(dialog.reject)
    return box


class LineButton(QAbstractButton):
    """A muted sentence that leads somewhere, over as many lines as it needs."""

    def __init__(self) -> None:
        super().__init__()
        self.setCursor(_HAND)
        self.setFont(sized_font(self.font(), -1))
        # The sentence takes the width that there is, and the height that it needs then.
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.show_sentence("")

    def show_sentence(self, text: str, leads_to: str = "") -> None:
        """Show another sentence; leads_to is the effect of a click in words."""
        self.setText(text)
        self.setToolTip(plain_tip(f"{text}\n{leads_to}".strip()))
        self.setAccessibleName(text)
        self.setAccessibleDescription(leads_to)
        self.setEnabled(bool(text))
        # Without a sentence there is nothing to come to with Tab.
        policy = Qt.FocusPolicy.NoFocus
        if text:
            policy = Qt.FocusPolicy.StrongFocus
        self.setFocusPolicy(policy)
        self.updateGeometry()
        self.setVisible(bool(text))

    def sizeHint(self) -> QSize:  # noqa: D102
        width = self.fontMetrics().horizontalAdvance(self.text())
        return QSize(width, self.heightForWidth(width + 1))

    def heightForWidth(self, width: int) -> int:  # noqa: D102
        metrics = self.fontMetrics()
        room = QRect(QPoint(), QSize(width, _MOST.height()))
        wrapped = metrics.boundingRect(room, Qt.TextFlag.TextWordWrap, self.text())
        return max(wrapped.height(), metrics.height()) + GRID // 2

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: D102
        colors = palette_colors(self.palette())
        painter = smooth_painter(self)
        is_hot = self.isEnabled() and (self.underMouse() or self.hasFocus())
        painter.setPen(colors.accent if is_hot else colors.muted)
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextWordWrap
        painter.drawText(self.rect(), flags, self.text())


class Card(QFrame):
    """A rounded surface for one thing among others, with an accent on its edge when chosen."""


class Chip(QPushButton):
    """A small rounded choice; filled while it is chosen."""

    def __init__(self, text: str, name: str, *, has_menu: bool = False) -> None:
        super().__init__(text)
        self.setAccessibleName(name)
        # A chip with a menu is not chosen itself.
        self.setCheckable(not has_menu)
        self.setCursor(_HAND)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setFont(sized_font(self.font(), -0.5))
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setProperty("leads_on", has_menu)

    def minimumSizeHint(self) -> QSize:  # noqa: D102
        return self.sizeHint().boundedTo(_MOST)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: D102
        # The style paints a chip with its text elided, since it would cut a long one.
        option = QStyleOptionButton()
        self.initStyleOption(option)
        room = self.style().subElementRect(QStyle.SubElement.SE_PushButtonContents, option, self)
        elide = Qt.TextElideMode.ElideRight
        text = self.fontMetrics().elidedText(self.text(), elide, room.width())
        option.text = text.replace("&", "&&")
        painter = smooth_painter(self)
        self.style().drawControl(QStyle.ControlElement.CE_PushButton, option, painter, self)
        if self.property("leads_on"):
            painter.setPen(QPen(palette_colors(self.palette()).text, 1.5))
            # An arrow down stands for the menu.
            x = self.width() - 2 * GRID - 1
            y = self.height() / 2
            painter.drawPolyline([QPointF(x - 4, y - 2), QPointF(x, y + 2), QPointF(x + 4, y - 2)])


class SearchBox(QLineEdit):
    """A line edit with an icon in front and a button that empties it."""

    def __init__(self, placeholder: str, name: str, clear: str, *, height: int = 44) -> None:
        super().__init__(placeholderText=placeholder)
        self.setAccessibleName(name)
        self.setFont(sized_font(self.font(), 2.5))
        self.setFixedHeight(height)
        # The button is for the mouse alone, so that the keys stay in the box.
        clear_button = IconButton("close", clear)
        clear_button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        clear_button.setCursor(Qt.CursorShape.ArrowCursor)
        clear_button.hide()
        hbox(IconLabel("search", 20), 1, clear_button, on=self, margins=(1.5, 0, 1, 0))
        self.textChanged.connect(lambda text: clear_button.setVisible(bool(text)))
        clear_button.clicked.connect(self.empty)

    def empty(self) -> None:
        """Clear the text as if the user had done it."""
        self.clear()
        self.textEdited.emit("")
        self.setFocus()
