"""List models: all rows at once, or loaded in pages as a view scrolls to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any, TypeVar

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)

from scrubjay.concurrency.cancel import CancelToken
from scrubjay_desktop.bridge.bridge import Tasks
from scrubjay_desktop.text.formatting import plain_tip

Index = QModelIndex | QPersistentModelIndex
TOP = QModelIndex()
ROW_ROLE = Qt.ItemDataRole.UserRole
"""Role of the row itself."""

R = TypeVar("R")

Describe = Callable[[Any, int], Any]
"""Function that gives the data of a row for a role of Qt."""
RowPage = tuple[Sequence[Any], Any]
"""Rows, and the place where the next page begins; None at the end."""


class ListModel(QAbstractListModel):
    """Rows of any type, described role by role."""

    has_markup_in_tips = False
    """Whether tooltips are HTML, made by the app; those of plain texts are never read as such."""

    def __init__(self, describe: Describe, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._describe = describe
        self._rows: list[Any] = []

    @property
    def rows(self) -> Sequence[Any]:
        """The loaded rows, top to bottom."""
        return self._rows

    def row(self, number: int) -> Any:
        """The row at a place counted from 0; None outside."""
        if not 0 <= number < len(self._rows):
            return None
        return self._rows[number]

    def replace(self, rows: Sequence[Any]) -> None:
        """Show these rows instead of all others."""
        self.beginResetModel()
        self._rows = list(rows)
        self.endResetModel()

    def append(self, rows: Sequence[Any]) -> None:
        """Show these rows below the others."""
        if rows:
            # A view keeps its place only where it is told which rows come in.
            self.beginInsertRows(TOP, len(self._rows), len(self._rows) + len(rows) - 1)
            self._rows.extend(rows)
            self.endInsertRows()

    def rowCount(self, parent: Index = TOP) -> int:  # noqa: D102
        if parent.isValid():
            return 0
        return len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:  # noqa: D102
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        if role == ROW_ROLE:
            return row
        # Qt would read a plain text that looks like HTML as HTML.
        value = self._describe(row, role)
        is_text = role == Qt.ItemDataRole.ToolTipRole and not self.has_markup_in_tips
        if is_text and value:
            return plain_tip(value)
        return value


class PagedList(ListModel):
    """Rows loaded page by page."""

    loaded = Signal()
    """Signal that the first page is here, however empty."""
    failed = Signal(object)
    """Signal with the ScrubjayError when a page could not be loaded."""
    settled = Signal()
    """Signal that a page was loaded or failed."""

    def __init__(self, tasks: Tasks, describe: Describe, parent: QObject | None = None) -> None:
        super().__init__(describe, parent)
        self._tasks = tasks
        self._cancel = CancelToken()
        self._next: Any = None
        self._is_fetching = False
        self._request: Callable[[Any], Future[Any]] | None = None
        self._rows_of: Callable[[Any], RowPage] = lambda _: ((), None)

    def open(self, request: Callable[[Any], Future[R]], rows_of: Callable[[R], RowPage]) -> None:
        """Show another list: request loads the page after a place, rows_of takes its rows."""
        # A page of the former list that comes late is dropped.
        self._request = request
        self._rows_of = rows_of
        self._restart()
        self._next = None
        self.replace(())
        self._fetch(None)

    def refresh(self) -> None:
        """Load the list again from the top; while it is equal, nothing moves."""
        if self._request is not None:
            self._restart()
            self._fetch(None, keeps_equal=True)

    def close(self) -> None:
        """Stop loading."""
        self._cancel.cancel()

    def canFetchMore(self, parent: Index) -> bool:  # noqa: D102
        return not parent.isValid() and self._next is not None and not self._is_fetching

    def fetchMore(self, parent: Index) -> None:  # noqa: D102
        if self.canFetchMore(parent):
            self._fetch(self._next)

    def _restart(self) -> None:
        self._cancel.cancel()
        self._cancel = CancelToken()

    def _fetch(self, start: Any, *, keeps_equal: bool = False) -> None:
        assert self._request is not None
        self._is_fetching = True

        def done(page: Any) -> None:
            # A list that was reloaded and is the same stays as it is, with its selection.
            rows, following = self._rows_of(page)
            is_all = self._next is None and len(rows) == len(self._rows)
            is_equal = list(rows) == self._rows[: len(rows)] and (following is None) == is_all
            if not (keeps_equal and is_equal):
                self._next = following
                if start is None:
                    self.replace(rows)
                else:
                    self.append(rows)
            if start is None:
                self.loaded.emit()

        def settle() -> None:
            self._is_fetching = False
            # What failed is asked for again from the top only.
            if future.exception() is not None:
                self._next = None
            self.settled.emit()

        future = self._request(start)
        self._tasks.watch(future, self._cancel, done=done, failed=self.failed.emit, settled=settle)
