"""Small painted controls that follow the palette: search box, buttons, chip, card, labels."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QIcon,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from scrubjay_desktop.widgets.icons import icon, pixmap
from scrubjay_desktop.widgets.theme import GRID, Colors, colors_of, sized

_TALLEST = 1000
_NARROWEST_CHIP = 20 * GRID


def muted_label(text: str = "", points: float = 0, kind: type[QLabel] = QLabel) -> QLabel:
    """Words that explain, in the colour of placeholders; wrapped, and never read as markup."""
    label = kind(text)
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setForegroundRole(QPalette.ColorRole.PlaceholderText)
    if points:
        label.setFont(sized(label.font(), points))
    return label


class IconButton(QToolButton):
    """A flat button with a line icon in the colour of the text."""

    def __init__(self, name: str, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = name
        self.setAutoRaise(True)
        self.setIconSize(QSize(18, 18))
        self.setToolTip(text)
        self.setAccessibleName(text)
        self._draw()

    def set_icon(self, name: str, text: str) -> None:
        """Another icon and meaning."""
        self._name = name
        self.setToolTip(text)
        self.setAccessibleName(text)
        self._draw()

    def changeEvent(self, event: QEvent) -> None:  # noqa: D102
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._draw()

    def _draw(self) -> None:
        colors = colors_of(self.palette())
        drawn = icon(self._name, colors.muted)
        # What the style makes of a disabled icon can hardly be told from an enabled one when dark.
        drawn.addPixmap(pixmap(self._name, colors.border, 20, 3.0), QIcon.Mode.Disabled)
        self.setIcon(drawn)


class Picture(QWidget):
    """A line icon that is no button."""

    def __init__(self, name: str, size: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = name
        self.setFixedSize(size, size)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: D102
        colors = colors_of(self.palette())
        color = None if self._name == "app" else colors.muted
        drawn = pixmap(self._name, color, self.width(), self.devicePixelRatioF())
        QPainter(self).drawPixmap(0, 0, drawn)


class ElidedLabel(QWidget):
    """One line of plain text that gives way when there is little room; the whole is the tooltip."""

    def __init__(self, *, is_muted: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = ""
        self._is_muted = is_muted
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def text(self) -> str:
        """The whole text."""
        return self._text

    def setText(self, text: str) -> None:
        """Show another text."""
        if text == self._text:
            return
        self._text = text
        self.setToolTip(text)
        self.setAccessibleName(text)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:  # noqa: D102
        metrics = self.fontMetrics()
        return QSize(metrics.horizontalAdvance(self._text), metrics.height())

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: D102
        colors = colors_of(self.palette())
        painter = QPainter(self)
        painter.setPen(colors.muted if self._is_muted else colors.text)
        flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        width = self.width()
        shown = self.fontMetrics().elidedText(self._text, Qt.TextElideMode.ElideRight, width)
        painter.drawText(self.rect(), flags, shown)


class WholeLabel(QLabel):
    """Words over as many lines as they need, also where a form would give them fewer."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setWordWrap(True)

    def setText(self, text: str) -> None:
        """Show another text."""
        super().setText(text)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: D102
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        # Without a width yet there is no height either: -1.
        self.setMinimumHeight(max(0, self.heightForWidth(self.width())))


class LineButton(QAbstractButton):
    """A muted sentence that leads somewhere, over as many lines as it needs."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFont(sized(self.font(), -1))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.say("")

    def say(self, text: str, leads_to: str = "") -> None:
        """Show another sentence; leads_to tells what a click does."""
        self.setText(text)
        self.setToolTip("\n".join(part for part in (text, leads_to) if part))
        self.setAccessibleName(text)
        self.setAccessibleDescription(leads_to)
        self.setEnabled(bool(text))
        self.updateGeometry()
        policy = Qt.FocusPolicy.StrongFocus if text else Qt.FocusPolicy.NoFocus
        self.setFocusPolicy(policy)

    def sizeHint(self) -> QSize:  # noqa: D102
        metrics = self.fontMetrics()
        return QSize(metrics.horizontalAdvance(self.text()), metrics.height() + GRID // 2)

    def hasHeightForWidth(self) -> bool:  # noqa: D102
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: D102
        wrapped = self.fontMetrics().boundingRect(
            QRect(0, 0, width, _TALLEST), Qt.TextFlag.TextWordWrap, self.text()
        )
        return max(wrapped.height(), self.fontMetrics().height()) + GRID // 2

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: D102
        colors = colors_of(self.palette())
        painter = QPainter(self)
        is_hot = self.isEnabled() and (self.underMouse() or self.hasFocus())
        painter.setPen(colors.accent if is_hot else colors.muted)
        flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(self.rect(), flags | Qt.TextFlag.TextWordWrap, self.text())


class SearchBox(QFrame):
    """The one box to type in, with its icon and a button that clears it."""

    def __init__(self, placeholder: str, name: str, clear: str, *, height: int = 44) -> None:
        super().__init__()
        self.edit = QLineEdit(placeholderText=placeholder)
        self.edit.setAccessibleName(name)
        self.edit.setFrame(False)
        self.edit.setFont(sized(self.font(), 2.5))
        self._clear = IconButton("close", clear)
        self._clear.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._clear.hide()
        self.setFixedHeight(height)
        row = QHBoxLayout(self)
        row.setContentsMargins(GRID * 3 // 2, 0, GRID, 0)
        row.setSpacing(GRID)
        row.addWidget(Picture("search", 20))
        row.addWidget(self.edit, 1)
        row.addWidget(self._clear)
        self.setFocusProxy(self.edit)
        self.edit.installEventFilter(self)
        self.edit.textChanged.connect(lambda text: self._clear.setVisible(bool(text)))
        self._clear.clicked.connect(self.clear)
        self._recolor()

    def clear(self) -> None:
        """Empty the box as if the person had done it."""
        self.edit.clear()
        self.edit.textEdited.emit("")
        self.edit.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: D102
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self.update()
        return super().eventFilter(watched, event)

    def changeEvent(self, event: QEvent) -> None:  # noqa: D102
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._recolor()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: D102
        colors = colors_of(self.palette())
        focused = self.edit.hasFocus()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        width = 2.0 if focused else 1.0
        painter.setPen(QPen(colors.accent if focused else colors.border, width))
        painter.setBrush(colors.surface)
        area = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        painter.drawRoundedRect(area, GRID, GRID)

    def _recolor(self) -> None:
        palette = self.edit.palette()
        palette.setColor(QPalette.ColorRole.Base, Qt.GlobalColor.transparent)
        colors = colors_of(self.palette())
        palette.setColor(QPalette.ColorRole.Text, colors.text)
        palette.setColor(QPalette.ColorRole.PlaceholderText, colors.muted)
        self.edit.setPalette(palette)


class Button(QPushButton):
    """Something to do: filled when it is the first choice of its place."""

    def __init__(self, text: str, *, is_primary: bool = False) -> None:
        super().__init__(text)
        self.setFixedHeight(5 * GRID)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.set_primary(is_primary)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: D102
        # Outside of dialogs Qt hears the space bar only, which hardly anybody tries.
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.isAutoRepeat():
            self.click()
            return
        super().keyPressEvent(event)

    def set_primary(self, is_primary: bool) -> None:
        """Whether this is the first choice of its place."""
        self._is_primary = is_primary
        self.setDefault(is_primary)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: D102
        colors = colors_of(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRectF(self.rect()).adjusted(1.5, 1.5, -1.5, -1.5)
        is_hot = self.underMouse() or self.isDown()
        fill = colors.hover if is_hot else colors.surface
        if self._is_primary:
            fill = colors.accent.lighter(112) if is_hot else colors.accent
        if not self.isEnabled():
            fill = colors.hover
        is_filled = self._is_primary and self.isEnabled()
        border = colors.accent if self.hasFocus() or is_filled else colors.border
        painter.setPen(QPen(border, 2 if self.hasFocus() and not is_filled else 1))
        painter.setBrush(fill)
        painter.drawRoundedRect(area, 6, 6)
        if self.hasFocus() and is_filled:
            painter.setPen(QPen(colors.accent_text, 1))
            painter.drawRoundedRect(area.adjusted(2, 2, -2, -2), 4, 4)
        words = colors.text if self.isEnabled() else colors.muted
        painter.setPen(colors.accent_text if is_filled else words)
        flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextShowMnemonic
        painter.drawText(area, flags, self.text())


class SmallButton(Button):
    """One of the things that can be done with what it stands beside; Enter needs it focused."""

    def __init__(self, text: str = "") -> None:
        super().__init__(text)
        self.setFixedHeight(4 * GRID)
        self.setAutoDefault(False)

    def sizeHint(self) -> QSize:  # noqa: D102
        words = self.text().replace("&", "")
        return QSize(self.fontMetrics().horizontalAdvance(words) + 4 * GRID, 4 * GRID)


class Card(QFrame):
    """A rounded surface for one thing among others."""

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: D102
        colors = colors_of(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self.border(colors), 1))
        painter.setBrush(colors.surface)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), GRID, GRID)

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
        return self.sizeHint().boundedTo(QSize(_NARROWEST_CHIP, _TALLEST))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: D102
        colors = colors_of(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        chosen = self.isChecked()
        hovered = self.underMouse() and self.isEnabled()
        fill = colors.accent_soft if chosen else colors.hover if hovered else colors.surface
        border = colors.accent if chosen or self.hasFocus() else colors.border
        painter.setPen(QPen(border, 2 if self.hasFocus() else 1))
        painter.setBrush(fill)
        painter.drawRoundedRect(area, area.height() / 2, area.height() / 2)
        painter.setPen(colors.accent if chosen else colors.text)
        words = area.adjusted(GRID, 0, -3 * GRID if self._has_menu else -GRID, 0)
        flags = Qt.AlignmentFlag.AlignCenter
        if self._has_menu:
            words.setLeft(area.left() + GRID * 3 / 2)
            flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        room = int(words.width()) + 1
        shown = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, room)
        painter.drawText(words, flags, shown)
        if not self._has_menu:
            return
        _paint_arrow(painter, area.right() - 2 * GRID, area.center().y())


def _paint_arrow(painter: QPainter, x: float, y: float) -> None:
    pen = painter.pen()
    pen.setWidthF(1.5)
    painter.setPen(pen)
    painter.drawPolyline([QPointF(x - 4, y - 2), QPointF(x, y + 2), QPointF(x + 4, y - 2)])
