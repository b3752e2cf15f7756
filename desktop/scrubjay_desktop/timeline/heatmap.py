"""A year of days as small squares, darker the more was written."""

from __future__ import annotations

import datetime as dt

from PySide6.QtCore import QLocale, QPoint, QPointF, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QFrame, QSizePolicy, QTableView, QWidget

from scrubjay_desktop.timeline.heatmap_model import (
    DAYS_OF_WEEK,
    LEVELS,
    WEEKS,
    HeatmapModel,
    day_sentence,
)
from scrubjay_desktop.widgets.banner import announce
from scrubjay_desktop.widgets.painting import inset, paint_box, smooth_painter, square_at
from scrubjay_desktop.widgets.theme import GRID, Colors, palette_colors, sized_font

_MIN_CELL = 9
"""Pixels of a square with the gap after it, at least."""
_MAX_CELL = 20
"""Pixels of a square with the gap after it, at most."""
_GAP = 2
"""Pixels between two squares."""
_DAY = dt.timedelta(days=1)
_STEPS = {
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_Left: -7,
    Qt.Key.Key_Right: 7,
    Qt.Key.Key_PageUp: -28,
    Qt.Key.Key_PageDown: 28,
}
"""Days that a key moves by."""


class Heatmap(QWidget):
    """The squares with the names of months and weekdays around them."""

    def __init__(self, days: HeatmapModel) -> None:
        super().__init__()
        self.days = days
        self.view = HeatmapView(days, self)
        self.setFocusProxy(self.view)
        self.setFont(sized_font(self.font(), -1.5))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        days.modelReset.connect(self.update)

    def sizeHint(self) -> QSize:  # noqa: D102
        cell = self._cell(self.width())
        height = self._top() + DAYS_OF_WEEK * cell - _GAP + max(_GAP, self._beyond(cell))
        return QSize(self._left() + WEEKS * cell, height)

    def minimumSizeHint(self) -> QSize:  # noqa: D102
        return QSize(self._left() + WEEKS * _MIN_CELL, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: D102
        cell = self._cell(self.width())
        for header in (self.view.horizontalHeader(), self.view.verticalHeader()):
            header.setDefaultSectionSize(cell)
        corner = QPoint(self._left(), self._top())
        self.view.setGeometry(QRect(corner, QSize(WEEKS, DAYS_OF_WEEK) * cell))
        # Squares that grow with the width need height, too.
        self.updateGeometry()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: D102
        painter = QPainter(self)
        painter.setPen(palette_colors(self.palette()).muted)
        cell = self._cell(self.width())
        for left, name in self.months():
            painter.drawText(left, self.fontMetrics().ascent(), name)
        # Weekdays are named at the left.
        locale = QLocale()
        for row in range(0, DAYS_OF_WEEK, 2):
            corner = QPoint(0, self._top() + row * cell)
            area = QRect(corner, QSize(self._left() - GRID // 2, cell - _GAP))
            # The letters may be higher than a square: only every other row has a name.
            area = inset(area, down=-self._beyond(cell))
            weekday = (self.days.first.weekday() + row) % DAYS_OF_WEEK + 1
            name = locale.standaloneDayName(weekday, QLocale.FormatType.ShortFormat)
            flags = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(area, flags, name)

    def months(self) -> list[tuple[int, str]]:
        """Left edges and names of the months that have room, each above its first week."""
        cell = self._cell(self.width())
        first = self.days.first
        months = [(first + dt.timedelta(weeks=week)).month for week in range(WEEKS)]
        begins = [week for week in range(WEEKS) if not week or months[week] != months[week - 1]]
        names = []
        # The last weeks of the first month make room for the one after it.
        for week, end in zip(begins, [*begins[1:], None], strict=True):
            name = QLocale().standaloneMonthName(months[week], QLocale.FormatType.ShortFormat)
            width = self.fontMetrics().horizontalAdvance(name)
            left = self._left() + week * cell
            right = self.width()
            if end is not None:
                right = self._left() + end * cell - GRID // 2
            if left + width <= right:
                names.append((left, name))
        return names

    def _left(self) -> int:
        locale = QLocale()
        metrics = QFontMetrics(self.font())
        names = (
            locale.standaloneDayName(day, QLocale.FormatType.ShortFormat)
            for day in range(1, DAYS_OF_WEEK + 1)
        )
        return max(metrics.horizontalAdvance(name) for name in names) + GRID

    def _top(self) -> int:
        return QFontMetrics(self.font()).height() + GRID // 2

    def _beyond(self, cell: int) -> int:
        """Pixels that a weekday's name reaches above its square, and below it."""
        return max(0, (QFontMetrics(self.font()).height() - cell + _GAP + 1) // 2)

    def _cell(self, width: int) -> int:
        return max(_MIN_CELL, min(_MAX_CELL, (width - self._left()) // WEEKS))


class HeatmapView(QTableView):
    """The squares as a table, for screen readers too: a current day, and a range up to it."""

    chosen = Signal(object, object)
    """Signal with the first and last day, by click or by key."""
    search_requested = Signal(object, object)
    """Signal with the first and last day to search in: dragged over, or Enter."""

    def __init__(self, days: HeatmapModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._days = days
        self.current = days.last
        self._anchor = days.last
        self._is_dragging = False
        self.setModel(days)
        # A table without anything that looks like one.
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setSelectionMode(QTableView.SelectionMode.NoSelection)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        for header in (self.horizontalHeader(), self.verticalHeader()):
            header.hide()
            header.setMinimumSectionSize(1)
        for policy in (self.setHorizontalScrollBarPolicy, self.setVerticalScrollBarPolicy):
            policy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)
        self.setAccessibleName(self.tr("Notes by day"))
        self.setAccessibleDescription(
            self.tr("Use the arrow keys to move by day or week. Hold Shift to select several days.")
        )
        days.modelReset.connect(self._clamp_current)

    @property
    def first(self) -> dt.date:
        """The first chosen day."""
        return min(self._anchor, self.current)

    @property
    def last(self) -> dt.date:
        """The last chosen day."""
        return max(self._anchor, self.current)

    def choose(self, first: dt.date, last: dt.date) -> None:
        """Choose days without announcing it."""
        self._anchor = first
        self.current = last
        self.setCurrentIndex(self._days.index_of(last))
        self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: D102
        # All at once: a delegate would be called 371 times with the same colours.
        colors = palette_colors(self.palette())
        shades = [day_color(colors, level) for level in range(LEVELS + 1)]
        first = self.first
        last = self.last
        current = self.current
        side = self.horizontalHeader().defaultSectionSize() - _GAP
        painter = smooth_painter(self.viewport())
        for number in range(WEEKS * DAYS_OF_WEEK):
            day = self._days.first + number * _DAY
            if day > self._days.last:
                break
            # The day with the keys has an edge twice as wide as the chosen ones.
            is_current = day == current and self.hasFocus()
            is_chosen = is_current or first <= day <= last
            border = colors.text if is_chosen else colors.border
            week, row = divmod(number, DAYS_OF_WEEK)
            left = week * (side + _GAP) + 0.5
            top = row * (side + _GAP) + 0.5
            square = square_at(QPointF(left, top), side)
            paint_box(
                painter,
                square,
                fill=shades[self._days.level(day)],
                border=border,
                radius=2,
                width=2 if is_current else 1,
            )

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: D102
        keys = Qt.Key
        key = Qt.Key(event.key())
        # Other keys are for the page.
        if key in _STEPS:
            self._move(self.current + _STEPS[key] * _DAY, event)
        elif key == keys.Key_Home:
            self._move(self._days.first, event)
        elif key == keys.Key_End:
            self._move(self._days.last, event)
        elif key in (keys.Key_Return, keys.Key_Enter):
            self.search_requested.emit(self.first, self.last)
        else:
            event.ignore()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: D102
        day = self._day_at(event)
        if day is None or event.button() != Qt.MouseButton.LeftButton:
            return
        self._is_dragging = True
        self._move(day, event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: D102
        day = self._day_at(event)
        if self._is_dragging and day is not None and day != self.current:
            self._move(day)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: D102
        # The last move may not have been delivered.
        self.mouseMoveEvent(event)
        was_dragging = self._is_dragging
        self._is_dragging = False
        if was_dragging and self.first != self.last:
            self.search_requested.emit(self.first, self.last)

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: D102
        super().focusInEvent(event)
        self.setCurrentIndex(self._days.index_of(self.current))

    def _move(self, day: dt.date, event: QKeyEvent | QMouseEvent | None = None) -> None:
        """Move to a day; without an event, and with Shift, the days up to it are chosen."""
        # The anchor stays while Shift is held, or the mouse is dragged.
        self.current = max(self._days.first, min(self._days.last, day))
        if event and not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._anchor = self.current
        self.choose(self._anchor, self.current)
        announce(self, day_sentence(self.current, self._days.amount(self.current, self.current)))
        self.chosen.emit(self.first, self.last)

    def _day_at(self, event: QMouseEvent) -> dt.date | None:
        return self._days.day(self.indexAt(event.position().toPoint()))

    def _clamp_current(self) -> None:
        if not self._days.first <= self.current <= self._days.last:
            self.choose(self._days.last, self._days.last)


def day_color(colors: Colors, level: int) -> QColor:
    """The colour of a day, from the surface to the accent."""
    if level == 0:
        return colors.surface
    share = (0.25, 0.5, 0.75, 1.0)[level - 1]
    # A part of the way from the one colour to the other, in red, green and blue.
    low = colors.surface
    high = colors.accent
    mixed = (
        round(start + (end - start) * share)
        for start, end in zip(low.getRgb()[:3], high.getRgb()[:3], strict=True)  # type: ignore[index]
    )
    return QColor(*mixed)


class Legend(QWidget):
    """The shades from less to more."""

    def __init__(self) -> None:
        super().__init__()
        self.setFont(sized_font(self.font(), -1.5))
        self._less = self.tr("Less")
        self._more = self.tr("More")
        self.setToolTip(self.tr("Days on which you wrote more are shown in a stronger colour."))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:  # noqa: D102
        metrics = self.fontMetrics()
        words = metrics.horizontalAdvance(self._less) + metrics.horizontalAdvance(self._more)
        return QSize(words + (LEVELS + 1) * 14 + 2 * GRID, max(metrics.height(), 14))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: D102
        colors = palette_colors(self.palette())
        painter = smooth_painter(self)
        metrics = self.fontMetrics()
        # The words stand left and right of the squares, on one line.
        base = (self.height() + metrics.ascent() - metrics.descent()) // 2
        painter.setPen(colors.muted)
        painter.drawText(0, base, self._less)
        left = metrics.horizontalAdvance(self._less) + GRID
        for level in range(LEVELS + 1):
            square = square_at(QPointF(left + 0.5, self.height() / 2 - 5.5), 11)
            paint_box(
                painter, square, fill=day_color(colors, level), border=colors.border, radius=2
            )
            left += 14
        painter.setPen(colors.muted)
        painter.drawText(left + GRID // 2, base, self._more)
