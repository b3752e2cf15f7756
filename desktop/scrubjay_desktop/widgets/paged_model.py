"""A list of which only the rows that somebody scrolls to are loaded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any, TypeVar

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Signal

from scrubjay import CancelToken
from scrubjay_desktop.bridge.bridge import Tasks

Index = QModelIndex | QPersistentModelIndex
_TOP = QModelIndex()

R = TypeVar("R")

RowPage = tuple[Sequence[Any], Any]
"""Rows, and where the next page begins; None at the end."""


class PagedList(QAbstractListModel):
    """Rows in pages. A subclass says in `data` what a row shows."""

    loaded = Signal()
    """The first page is here, however empty."""
    failed = Signal(object)
    """A page could not be loaded: the ScrubjayError."""
    settled = Signal()
    """A page was loaded or failed."""

    def __init__(self, tasks: Tasks, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._cancel = CancelToken()
        self._rows: list[Any] = []
        self._next: Any = None
        self._is_fetching = False
        self._ask: Callable[[Any], Future[Any]] | None = None
        self._rows_of: Callable[[Any], RowPage] = _no_rows

    @property
    def rows(self) -> Sequence[Any]:
        """The rows that are loaded, top to bottom."""
        return self._rows

    def open(self, ask: Callable[[Any], Future[R]], rows_of: Callable[[R], RowPage]) -> None:
        """Show another list: ask for a page behind a place, of which rows_of takes the rows."""
        self._ask, self._rows_of = ask, rows_of
        self._restart()
        self._replace([], None)
        self._fetch(None, self._replace)

    def refresh(self) -> None:
        """Load the list anew from the top; while it is equal, nothing moves."""
        if self._ask is not None:
            self._restart()
            self._fetch(None, self._replace_if_other)

    def close(self) -> None:
        """Load nothing any more."""
        self._cancel.cancel()

    def rowCount(self, parent: Index = _TOP) -> int:  # noqa: D102
        return 0 if parent.isValid() else len(self._rows)

    def canFetchMore(self, parent: Index) -> bool:  # noqa: D102
        return not parent.isValid() and self._next is not None and not self._is_fetching

    def fetchMore(self, parent: Index) -> None:  # noqa: D102
        if self.canFetchMore(parent):
            self._fetch(self._next, self._append)

    def _restart(self) -> None:
        self._cancel.cancel()
        self._cancel = CancelToken()

    def _fetch(self, place: Any, place_rows: Callable[[Sequence[Any], Any], None]) -> None:
        assert self._ask is not None
        self._is_fetching = True

        def done(page: Any) -> None:
            place_rows(*self._rows_of(page))
            if place is None:
                self.loaded.emit()

        def settle() -> None:
            self._is_fetching = False
            if future.exception() is not None:
                self._next = None
            self.settled.emit()

        future = self._ask(place)
        self._tasks.watch(future, self._cancel, done=done, failed=self.failed.emit, settled=settle)

    def _replace(self, rows: Sequence[Any], place: Any) -> None:
        self.beginResetModel()
        self._rows = list(rows)
        self._next = place
        self.endResetModel()

    def _replace_if_other(self, rows: Sequence[Any], place: Any) -> None:
        if list(rows) != self._rows[: len(rows)] or (place is None) != (
            self._next is None and len(rows) == len(self._rows)
        ):
            self._replace(rows, place)

    def _append(self, rows: Sequence[Any], place: Any) -> None:
        self._next = place
        if not rows:
            return
        self.beginInsertRows(_TOP, len(self._rows), len(self._rows) + len(rows) - 1)
        self._rows.extend(rows)
        self.endInsertRows()


def _no_rows(_page: Any) -> RowPage:
    return (), None
