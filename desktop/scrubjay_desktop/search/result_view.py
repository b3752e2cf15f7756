"""The result list as a widget."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import (
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QObject,
    QPoint,
    QRect,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QKeyEvent,
    QKeySequence,
    QLinearGradient,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QLineEdit, QListView

from scrubjay_desktop.results.result_delegate import ResultDelegate
from scrubjay_desktop.results.result_rows import Key, Row, fold_row
from scrubjay_desktop.results.row_texts import passages_text
from scrubjay_desktop.results.thumbnails import Thumbnails
from scrubjay_desktop.search.live_search import LiveSearch
from scrubjay_desktop.search.query_operators import without_operators
from scrubjay_desktop.widgets.banner import copy_to_clipboard
from scrubjay_desktop.widgets.theme import GRID

STEPS = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: 5, Qt.Key.Key_PageUp: -5}
"""Rows that a key moves by, from the box to type in."""
_FADE = 4 * GRID
"""Pixels over which the last row fades where more follow."""
MOST_OPENED = 10
"""Notes that are opened at once: each may be a window."""


class ResultView(QListView):
    """The result list, moved through from the search box too; rows are dragged out of it."""

    opened = Signal(object)
    """Signal with a Row to open, once for each that is chosen."""
    tag_clicked = Signal(str)
    """Signal with a tag of a row, to see other notes with it."""
    refused = Signal(str)
    """Signal with a sentence: too many notes were to be opened."""

    def __init__(
        self, search: LiveSearch, *, snippet_lines: int = 2, has_several: bool = False
    ) -> None:
        super().__init__()
        self._search = search
        self._key: Key | None = None
        """Key of the row to choose again after a repeated question."""
        # The rows of a repeated question are others, so the chosen one is remembered by its key.
        search.model.modelAboutToBeReset.connect(self._remember)
        self.setModel(search.model)
        thumbnails = Thumbnails(search.tasks, search.notes, self)
        thumbnails.loaded.connect(self.viewport().update)
        self._delegate = ResultDelegate(thumbnails, self, snippet_lines=snippet_lines)
        self.setItemDelegate(self._delegate)
        if has_several:
            self.setSelectionMode(QListView.SelectionMode.ExtendedSelection)
        # Rows are painted by a delegate, and dragged out as files.
        self.setDragDropMode(QListView.DragDropMode.DragOnly)
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setUniformItemSizes(False)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(self.tr("Results"))
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.clicked.connect(self._hold)
        # Who scrolls is reading.
        self.verticalScrollBar().actionTriggered.connect(self._hold)
        self.doubleClicked.connect(lambda _: self.open_current())

    def row(self) -> Row | None:
        """The chosen row."""
        index = self.currentIndex()
        if not index.isValid():
            return None
        row: Row | None = self._search.model.row(index.row())
        return row

    def rows(self) -> list[Row]:
        """All chosen rows, from top to bottom."""
        numbers = sorted(index.row() for index in self.selectedIndexes())
        return [self._search.model.row(number) for number in numbers]

    def choose(self, number: int) -> None:
        """Choose a row by its number."""
        self.setCurrentIndex(self._search.model.index(number))

    def choose_after_answer(self) -> None:
        """Choose the best row; after a repeated question the same row as before.

        Of notes that are only the nearest none is chosen, nor of the latest ones beside the first
        letters of a word: Enter opens no guess.
        """
        rows = self._search.model.rows
        is_asked = without_operators(self._search.text)
        if self.currentIndex().isValid() or not rows:
            return
        # A key that is still there wins; a first row that is only a guess is not chosen.
        keys = [row.key for row in rows]
        if self._key in keys:
            self.choose(keys.index(self._key))
        elif not rows[0].is_uncertain and (rows[0].hit or not is_asked):
            self.choose(0)

    def step(self, by: int, *, is_added: bool = False) -> None:
        """Move the choice up or down, not beyond the ends; or add the rows on the way to it."""
        self._search.show_rest()
        count = self._search.model.rowCount()
        if not count:
            return
        # Without a chosen row the first step leads to the first row.
        at = -1
        if self.currentIndex().isValid():
            at = self.currentIndex().row()
        to = max(0, min(count - 1, at + by))
        is_added = is_added and self.selectionMode() == QListView.SelectionMode.ExtendedSelection
        if is_added and at >= 0:
            rows = QItemSelection(self._search.model.index(at), self._search.model.index(to))
            select = QItemSelectionModel.SelectionFlag.Select
            self.selectionModel().setCurrentIndex(self._search.model.index(to), select)
            self.selectionModel().select(rows, select)
        else:
            self.choose(to)
        self._hold()

    def open_current(self) -> None:
        """Open the chosen rows."""
        for each in self.not_too_many(self._rows_or_current()):
            self.opened.emit(each)

    def _rows_or_current(self) -> list[Row]:
        """All chosen rows, or the one with the keys."""
        row = self.row()
        rows = self.rows()
        if not rows and row is not None:
            rows = [row]
        return rows

    def not_too_many(self, rows: Sequence[Row]) -> Sequence[Row]:
        """A row of each note; none, and a sentence, for more than are opened at once."""
        # The last one of each note counts, in the order of the rows.
        notes = [*{(row.workspace, row.path): row for row in reversed(rows)}.values()][::-1]
        if len(notes) <= MOST_OPENED:
            return notes
        sentence = self.tr("You can open at most {n} notes at once. Select fewer notes.")
        self.refused.emit(sentence.format(n=MOST_OPENED))
        return ()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take keys that the box to type in has no use for."""
        if isinstance(watched, QLineEdit) and isinstance(event, QKeyEvent):
            is_end = watched.cursorPosition() == len(watched.text())
            is_free = event.type() == QEvent.Type.KeyPress and not watched.hasSelectedText()
            if is_free and (self._copy(event) or (is_end and self._turn(event.key()))):
                return True
        return super().eventFilter(watched, event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: D102
        index = self.indexAt(event.position().toPoint())
        point = event.position().toPoint()
        row = self.row()
        # A click on the offer of more passages unfolds them, one on a tag narrows the search.
        if index == self.currentIndex() and row is not None and row.more:
            more = self._delegate.more_area(self.visualRect(index), row, self.font())
            if more.contains(point):
                self._turn(Qt.Key.Key_Left if row.is_unfolded else Qt.Key.Key_Right)
        is_plain = event.button() == Qt.MouseButton.LeftButton and not event.modifiers()
        tag = self.tag_at(point) if is_plain else ""
        if tag:
            self.tag_clicked.emit(tag)
            return
        super().mouseReleaseEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: D102
        super().mouseMoveEvent(event)
        is_tag = bool(self.tag_at(event.position().toPoint()))
        shape = Qt.CursorShape.ArrowCursor
        if is_tag:
            shape = Qt.CursorShape.PointingHandCursor
        self.viewport().setCursor(shape)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: D102
        super().paintEvent(event)
        bar = self.verticalScrollBar()
        if bar.value() == bar.maximum():
            return
        # A row that goes on below fades away instead of being cut through its letters.
        area = QRect(self.viewport().rect())
        area.setTop(area.bottom() - _FADE + 1)
        paper = self.palette().color(self.backgroundRole())
        gone = QColor(paper)
        gone.setAlpha(0)
        fade = QLinearGradient(area.topLeft(), area.bottomLeft())
        fade.setColorAt(0, gone)
        fade.setColorAt(1, paper)
        QPainter(self.viewport()).fillRect(area, fade)

    def tag_at(self, point: QPoint) -> str:
        """The tag at a point of the viewport; empty where there is none."""
        index = self.indexAt(point)
        if not index.isValid():
            return ""
        return self._delegate.tag_at(point, self.visualRect(index), index=index, font=self.font())

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: D102
        if self._copy(event) or self._turn(event.key()):
            return
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers():
            self.open_current()
            return
        super().keyPressEvent(event)
        self._hold()

    def copy(self) -> None:
        """Copy the passages of the chosen rows as plain text, without the marks of Markdown."""
        rows = self._rows_or_current()
        if rows:
            self.put_on_clipboard(passages_text(rows))

    def put_on_clipboard(self, text: str) -> None:
        """Copy a text, and say so below the chosen row."""
        area = self.visualRect(self.currentIndex()) & self.viewport().rect()
        copy_to_clipboard(text, self.viewport(), area)

    def _copy(self, event: QKeyEvent) -> bool:
        is_taken = self.row() is not None and event.matches(QKeySequence.StandardKey.Copy)
        if is_taken:
            self.copy()
        return is_taken

    def _turn(self, key: int) -> bool:
        """Unfold or fold the note of the chosen row, if the key does that."""
        row = self.row()
        is_open = row is not None and (row.is_unfolded or row.is_passage)
        wanted = Qt.Key.Key_Left if is_open else Qt.Key.Key_Right
        if row is None or not (is_open or row.more) or key != wanted:
            return False
        self._hold()
        # A passage is folded into its note, which is chosen then.
        if is_open:
            rows = self._search.model.rows
            self.choose([each.key for each in rows].index((row.workspace, row.path, 0)))
            self._search.model.update(fold_row(rows, row))
        else:
            self._search.unfold(row)
        return True

    def _hold(self) -> None:
        self._search.hold([row.key for row in self._rows_or_current()])

    def _remember(self) -> None:
        row = self.row()
        self._key = None
        if row is not None and self._search.is_repeating:
            self._key = row.key
