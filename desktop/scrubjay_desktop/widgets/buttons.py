"""Buttons, chips and cards in the colours of the palette."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QKeyEvent, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QDialog,
    QDialogButtonBox,
    QFrame,
    QPushButton,
    QSizePolicy,
    QToolButton,
)

from scrubjay_desktop.widgets.icons import icon, pixmap
from scrubjay_desktop.widgets.painting import draw_elided, paint_box, smooth_painter
from scrubjay_desktop.widgets.theme import GRID, Colors, colors_of, sized

_UNLIMITED = 1000
_MIN_CHIP_WIDTH = 20 * GRID


class IconButton(QToolButton):
    """A flat button with a line icon in the colour of the text."""

    def __init__(self, name: str, text: str) -> None:
        super().__init__()
        self.setAutoRaise(True)
        self.setIconSize(QSize(18, 18))
        self.set_icon(name, text)

    def set_icon(self, name: str, text: str) -> None:
        """Change icon and meaning."""
        self._name = name
        self.setToolTip(text)
        self.setAccessibleName(text)
        self._draw_icon()

    def changeEvent(self, event: QEvent) -> None:  # noqa: D102
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._draw_icon()

    def _draw_icon(self) -> None:
        colors = colors_of(self.palette())
        image = icon(self._name, colors.muted)
        # The style's own disabled icon can hardly be told from an enabled one when dark.
        image.addPixmap(pixmap(self._name, colors.border, 20, 3.0), QIcon.Mode.Disabled)
        self.setIcon(image)


class Button(QPushButton):
    """A push button, filled when it is the first choice of its place."""

    def __init__(self, text: str, *, is_primary: bool = False) -> None:
        super().__init__(text)
        self.setFixedHeight(5 * GRID)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.set_primary(is_primary)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: D102
        # Outside of dialogs Qt answers the space bar only.
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.isAutoRepeat():
            self.click()
            return
        super().keyPressEvent(event)

    def set_primary(self, is_primary: bool) -> None:
        """Make this the first choice of its place, or not."""
        self._is_primary = is_primary
        self.setDefault(is_primary)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: D102
        colors = colors_of(self.palette())
        painter = smooth_painter(self)
        area = QRectF(self.rect()).adjusted(1.5, 1.5, -1.5, -1.5)
        is_hot = self.underMouse() or self.isDown() or not self.isEnabled()
        is_filled = self._is_primary and self.isEnabled()
        fill, border, text = colors.hover if is_hot else colors.surface, colors.border, colors.text
        if is_filled:
            fill = colors.accent.lighter(112) if is_hot else colors.accent
            border, text = colors.accent, colors.accent_text
        if self.hasFocus():
            border = colors.accent
        paint_box(painter, area, fill, border, 6, 2 if self.hasFocus() and not is_filled else 1)
        if self.hasFocus() and is_filled:
            paint_box(painter, area.adjusted(2, 2, -2, -2), fill, colors.accent_text, 4)
        painter.setPen(text if self.isEnabled() else colors.muted)
        flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextShowMnemonic
        painter.drawText(area, flags, self.text())


class SmallButton(Button):
    """A button for a thing that it stands beside; Enter needs it focused."""

    def __init__(self, text: str = "", thing: str = "") -> None:
        super().__init__(text)
        self.setFixedHeight(4 * GRID)
        self.setAutoDefault(False)
        if thing:
            self.set_text(text, thing)

    def set_text(self, text: str, thing: str) -> None:
        """Show a text; screen readers also hear the thing that it is about."""
        self.setText(text)
        self.setAccessibleName(f"{text.removesuffix('…')}: {thing}")

    def sizeHint(self) -> QSize:  # noqa: D102
        text = self.text().replace("&", "")
        return QSize(self.fontMetrics().horizontalAdvance(text) + 4 * GRID, 4 * GRID)


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
        self.setFont(sized(self.font(), -1))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.show_sentence("")

    def show_sentence(self, text: str, leads_to: str = "") -> None:
        """Show another sentence; leads_to is the effect of a click in words."""
        self.setText(text)
        self.setToolTip("\n".join(part for part in (text, leads_to) if part))
        self.setAccessibleName(text)
        self.setAccessibleDescription(leads_to)
        self.setEnabled(bool(text))
        self.updateGeometry()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if text else Qt.FocusPolicy.NoFocus)

    def sizeHint(self) -> QSize:  # noqa: D102
        metrics = self.fontMetrics()
        return QSize(metrics.horizontalAdvance(self.text()), metrics.height() + GRID // 2)

    def hasHeightForWidth(self) -> bool:  # noqa: D102
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: D102
        wrapped = self.fontMetrics().boundingRect(
            QRect(0, 0, width, _UNLIMITED), Qt.TextFlag.TextWordWrap, self.text()
        )
        return max(wrapped.height(), self.fontMetrics().height()) + GRID // 2

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: D102
        colors = colors_of(self.palette())
        painter = smooth_painter(self)
        is_hot = self.isEnabled() and (self.underMouse() or self.hasFocus())
        painter.setPen(colors.accent if is_hot else colors.muted)
        flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(self.rect(), flags | Qt.TextFlag.TextWordWrap, self.text())


class Card(QFrame):
    """A rounded surface for one thing among others."""

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: D102
        colors = colors_of(self.palette())
        area = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        paint_box(smooth_painter(self), area, colors.surface, self.border(colors), GRID)

    def border(self, colors: Colors) -> QColor:
        """The colour of its edge."""
        return colors.border


class Chip(QAbstractButton):
    """A small rounded choice; filled while it is chosen."""

    def __init__(self, text: str, name: str, *, has_menu: bool = False) -> None:
        super().__init__()
        self.setText(text)
        self.setAccessibleName(name)
        self.setCheckable(not has_menu)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFont(sized(self.font(), -0.5))
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._has_menu = has_menu

    def sizeHint(self) -> QSize:  # noqa: D102
        arrow = 2 * GRID if self._has_menu else 0
        width = self.fontMetrics().horizontalAdvance(self.text()) + 3 * GRID + arrow
        return QSize(width, self.fontMetrics().height() + GRID + 2)

    def minimumSizeHint(self) -> QSize:  # noqa: D102
        return self.sizeHint().boundedTo(QSize(_MIN_CHIP_WIDTH, _UNLIMITED))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: D102
        colors = colors_of(self.palette())
        painter = smooth_painter(self)
        area = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        is_hovered = self.underMouse() and self.isEnabled()
        fill = colors.hover if is_hovered else colors.surface
        if self.isChecked():
            fill = colors.accent_soft
        border = colors.accent if self.isChecked() or self.hasFocus() else colors.border
        paint_box(painter, area, fill, border, area.height() / 2, 2 if self.hasFocus() else 1)
        painter.setPen(colors.accent if self.isChecked() else colors.text)
        if not self._has_menu:
            text = area.adjusted(GRID, 0, -GRID, 0)
            draw_elided(painter, text, self.text(), Qt.AlignmentFlag.AlignCenter)
            return
        draw_elided(painter, area.adjusted(GRID * 3 / 2, 0, -3 * GRID, 0), self.text())
        pen = painter.pen()
        pen.setWidthF(1.5)
        painter.setPen(pen)
        x, y = area.right() - 2 * GRID, area.center().y()
        painter.drawPolyline([QPointF(x - 4, y - 2), QPointF(x, y + 2), QPointF(x + 4, y - 2)])
