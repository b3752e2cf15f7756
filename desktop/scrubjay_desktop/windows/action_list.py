"""A list of everything that can be done in a window, found by typing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QAction, QFocusEvent, QHideEvent, QKeyEvent, QMouseEvent, QPaintEvent
from PySide6.QtWidgets import QListView, QWidget

from scrubjay_desktop.widgets.banner import announce
from scrubjay_desktop.widgets.buttons import SearchBox
from scrubjay_desktop.widgets.labels import muted_label
from scrubjay_desktop.widgets.layouts import vbox
from scrubjay_desktop.widgets.list_models import ROW_ROLE, Index, ListModel
from scrubjay_desktop.widgets.painting import paint_box, paint_shadow, smooth_painter
from scrubjay_desktop.widgets.text_rows import Sign, TextLine, TextRowDelegate
from scrubjay_desktop.widgets.theme import GRID, Colors, palette_colors
from scrubjay_desktop.windows.note_actions import action_name, shortcut_text

_SIZE = QSize(60 * GRID, 52 * GRID)
_SHADOW = 2 * GRID
"""Pixels of the shadow around the list."""
_RADIUS = 10.0
"""Pixels of its corners."""
_STEPS = {
    Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: 8, Qt.Key.Key_PageUp: -8,
    Qt.Key.Key_Tab: 1, Qt.Key.Key_Backtab: -1,
}  # fmt: skip
_KEPT = (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason)
"""Reasons for which the keys come back by themselves."""


class ActionSource(Protocol):
    """The actions of a window."""

    def offered(self, parent: QObject) -> Sequence[QAction]:
        """All that can be done now; actions made for the list belong to the parent."""


class ActionList(QWidget):
    """A sheet over a window, with a box to type in and the actions whose names have the words."""

    def __init__(self, window: QWidget, source: ActionSource) -> None:
        super().__init__(window)
        self._window = window
        # The widgets of the list are made when it is first opened.
        self._source = source
        self._actions: Sequence[QAction] = ()
        self._owner = QObject(self)
        self._former: QWidget | None = None
        """The widget that had the keys before."""
        self.setAccessibleName(self.tr("All actions"))
        self.hide()

    def toggle(self) -> None:
        """Show the list with all that can be done now, or close it."""
        if self.isVisible():
            self.close_list()
            return
        if self.layout() is None:
            self._build()
        # The keys go back to the widget that had them; the actions are those of now.
        self._former = self._window.focusWidget()
        self._owner.deleteLater()
        self._owner = QObject(self)
        self._actions = self._source.offered(self._owner)
        self.box.clear()
        self._filter("")
        self._cover()
        self.show()
        self.raise_()
        self.box.setFocus()

    def close_list(self) -> None:
        """Close the list; the keys go back to where they were."""
        former = self._former
        self._former = None
        self.hide()
        if former is not None:
            former.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keys of the list, pressed in the box; the size of the window."""
        if watched is self._window and event.type() == QEvent.Type.Resize:
            self._cover()
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            return self._take_key(event)
        # Who clicks elsewhere does not want the keys back where they were.
        if isinstance(event, QFocusEvent) and event.lostFocus() and event.reason() not in _KEPT:
            self._former = None
            self.hide()
        return super().eventFilter(watched, event)

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: D102
        # Else a window that is hidden with the list would show it again.
        self.hide()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: D102
        if not self._card().contains(event.position().toPoint()):
            self.close_list()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: D102
        card = QRectF(self._card())
        colors = palette_colors(self.palette())
        painter = smooth_painter(self)
        paint_shadow(painter, card, radius=_RADIUS, width=_SHADOW)
        paint_box(painter, card, fill=colors.surface, border=colors.muted, radius=_RADIUS)

    def _build(self) -> None:
        self.box = SearchBox(self.tr("Find an action"), self.tr("Find an action"), self.tr("Clear"))
        self.box.textEdited.connect(self._filter)
        self.model = ListModel(_describe, self)
        # Rows cannot have the keys: these stay in the box, which hands on those of the list.
        self.list = QListView()
        self.list.setFrameShape(QListView.Shape.NoFrame)
        self.list.setAccessibleName(self.tr("Actions"))
        self.list.setModel(self.model)
        self.list.setItemDelegate(TextRowDelegate(self.list, _row_text))
        self.list.setUniformItemSizes(True)
        self.list.setMouseTracking(True)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.clicked.connect(self._run)
        # A sentence stands in for the list while no action fits.
        self.nothing = muted_label(self.tr("No actions found."))
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.box.installEventFilter(self)
        self._window.installEventFilter(self)
        parts = (self.box, (self.list, 1), (self.nothing, 1))
        self._column = vbox(*parts, on=self, spacing=1)

    def _card(self) -> QRect:
        """The place of the list in the sheet: above the middle of the window."""
        room = self.size() - QSize(4 * GRID, 5 * GRID)
        size = _SIZE.boundedTo(room)
        return QRect(QPoint((self.width() - size.width()) // 2, 3 * GRID), size)

    def _cover(self) -> None:
        self.setGeometry(self._window.rect())
        card = self._card()
        right = self.width() - card.right() - 1
        bottom = self.height() - card.bottom() - 1
        margins = (card.left() + GRID, card.top() + GRID, right + GRID, bottom + GRID)
        self._column.setContentsMargins(*margins)

    def _take_key(self, event: QKeyEvent) -> bool:
        # Keys of the list are taken from the box, and letters stay there.
        key = event.key()
        if key in _STEPS:
            self._step(_STEPS[Qt.Key(key)])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._run(self.list.currentIndex())
        elif key == Qt.Key.Key_Escape:
            self.close_list()
        else:
            return False
        return True

    def _step(self, by: int) -> None:
        count = self.model.rowCount()
        if not count:
            return
        to = self.list.currentIndex().row() + by
        # One step beyond an end continues at the other.
        if abs(by) == 1:
            self._choose(to % count)
        else:
            self._choose(max(0, min(count - 1, to)))

    def _choose(self, number: int) -> None:
        index = self.model.index(number)
        self.list.setCurrentIndex(index)
        announce(self.box, index.data(Qt.ItemDataRole.AccessibleTextRole))

    def _filter(self, text: str) -> None:
        """Show the actions whose names have all the words or parts of words, beginnings first."""
        # Imported late: the first frame needs no words of a search.
        from scrubjay.text.tokenizer import fold

        # Words may come in any order, and without their accents.
        parts = fold(text).split()
        names = {action: fold(action_name(action)) for action in self._actions}
        fitting = [each for each, name in names.items() if all(part in name for part in parts)]
        fitting.sort(key=lambda each: not _begin_words(parts, names[each]))
        self.model.replace(fitting)
        self.list.setVisible(bool(fitting))
        self.nothing.setVisible(not fitting)
        if fitting:
            self._choose(0)
        else:
            announce(self.box, self.nothing.text())

    def _run(self, index: Index) -> None:
        action: QAction | None = index.data(ROW_ROLE)
        if action is not None:
            # The list is closed first, since the action may open something itself.
            self.close_list()
            action.trigger()


def _begin_words(parts: Sequence[str], name: str) -> bool:
    return all(any(word.startswith(part) for word in name.split()) for part in parts)


def _describe(action: QAction, role: int) -> Any:
    match role:
        case Qt.ItemDataRole.DisplayRole:
            return action_name(action)
        case Qt.ItemDataRole.AccessibleTextRole:
            return ", ".join(filter(None, (action_name(action), shortcut_text(action))))
        case _:
            return None


def _row_text(index: Index, colors: Colors) -> tuple[tuple[TextLine, ...], Sign | None]:
    action: QAction = index.data(ROW_ROLE)
    keys = TextLine(shortcut_text(action), colors.muted, -1, is_beside=True)
    return (keys, TextLine(action_name(action), colors.text)), None
