"""A layout that wraps widgets into the next line where the window is narrow."""

from __future__ import annotations

from PySide6.QtCore import QMargins, QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget

from scrubjay_desktop.widgets.theme import GRID

_UNLIMITED = 1000
"""Pixels of height that an item may ask for."""


class FlowLayout(QLayout):
    """Widgets in as many lines as they need; in a single line the last may keep to the right."""

    def __init__(self, *widgets: QWidget, is_last_apart: bool = False) -> None:
        super().__init__()
        self._items: list[QLayoutItem] = []
        self._is_last_apart = is_last_apart
        self.setSpacing(GRID)
        self.setContentsMargins(QMargins())
        for widget in widgets:
            self.addWidget(widget)

    def addItem(self, item: QLayoutItem) -> None:  # noqa: D102
        self._items.append(item)

    def count(self) -> int:  # noqa: D102
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:  # noqa: D102
        if not 0 <= index < len(self._items):
            return None
        return self._items[index]

    def takeAt(self, index: int) -> QLayoutItem | None:  # noqa: D102
        if not 0 <= index < len(self._items):
            return None
        return self._items.pop(index)

    def expandingDirections(self) -> Qt.Orientation:  # noqa: D102
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:  # noqa: D102
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: D102
        return self._arrange(QRect(QPoint(), QSize(width, 0)), moves=False)

    def setGeometry(self, rect: QRect) -> None:  # noqa: D102
        super().setGeometry(rect)
        self._arrange(rect, moves=True)

    def sizeHint(self) -> QSize:  # noqa: D102
        # The best size is that of a single line.
        hints = [item.sizeHint() for item in self._visible_items()]
        gaps = self.spacing() * max(0, len(hints) - 1)
        height = max((hint.height() for hint in hints), default=0)
        size = QSize(sum(hint.width() for hint in hints) + gaps, height)
        return size.grownBy(self.contentsMargins())

    def minimumSize(self) -> QSize:  # noqa: D102
        # The least size has room for the largest item alone.
        smallest = QSize()
        for item in self._visible_items():
            smallest = smallest.expandedTo(item.minimumSize())
        return smallest.grownBy(self.contentsMargins())

    def _visible_items(self) -> list[QLayoutItem]:
        return [item for item in self._items if not item.isEmpty()]

    def _arrange(self, rect: QRect, *, moves: bool) -> int:
        """The needed height in pixels with margins; `moves` sets the geometry of the items too."""
        room = rect.marginsRemoved(self.contentsMargins())
        top = room.top()
        lines = self._lines(room.width())
        is_apart = self._is_last_apart and len(lines) == 1
        for line in lines:
            hints = [item.sizeHint().boundedTo(QSize(room.width(), _UNLIMITED)) for item in line]
            height = max(hint.height() for hint in hints)
            left = room.left()
            # Items of a line stand in its middle; the last one may keep to the right.
            for item, hint in zip(line, hints, strict=True):
                if is_apart and item is self._items[-1]:
                    left = max(left, room.right() + 1 - hint.width())
                if moves:
                    down = QPoint(left, top + (height - hint.height()) // 2)
                    item.setGeometry(QRect(down, hint))
                left += hint.width() + self.spacing()
            top += height + self.spacing()
        margins = self.contentsMargins()
        used = top - room.top()
        if lines:
            used -= self.spacing()
        return used + margins.top() + margins.bottom()

    def _lines(self, width: int) -> list[list[QLayoutItem]]:
        lines: list[list[QLayoutItem]] = []
        left = 0
        # An item that no longer fits begins the next line.
        for item in self._visible_items():
            wide = item.sizeHint().width()
            if not lines or left + wide > width:
                lines.append([])
                left = 0
            lines[-1].append(item)
            left += wide + self.spacing()
        return lines
