"""Questions that stay in the sidebar, with the number of notes that they are about."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict, replace
from PySide6.QtCore import QModelIndex, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QAction, QFont, QKeySequence, QPalette
from PySide6.QtWidgets import QListView, QMenu, QWidget

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.records.audience import PERSON
from scrubjay.records.search_records import SearchRequest
from scrubjay.records.workspace_id import WorkspaceId
from scrubjay_desktop.bridge.bridge import Tasks
from scrubjay_desktop.text.formatting import format_note_count, format_number, translate
from scrubjay_desktop.widgets.labels import bold_label
from scrubjay_desktop.widgets.layouts import NONE, hbox, vbox
from scrubjay_desktop.widgets.list_models import ROW_ROLE, Index, ListModel
from scrubjay_desktop.widgets.text_rows import TextLine, TextRowDelegate
from scrubjay_desktop.widgets.theme import GRID, Colors

MOST = 30
"""Searches that are pinned at most."""
_MOST_SHOWN = 5
"""Rows that are seen without scrolling: the folders above need the room."""


class PinnedSearch(Struct, frozen=True):
    """A question that stays."""

    text: str
    """The question with its operators."""
    folder: str = ""
    """Id of the workspace that it searches; empty for all."""
    name: str = ""
    """Name that the user gave it; empty for the question itself."""

    @property
    def key(self) -> tuple[str, str]:
        """Key that tells it from others, whatever its name."""
        return self.text, self.folder

    @property
    def label(self) -> str:
        """The name that the list shows."""
        return self.name or self.text

    def stored(self) -> dict[str, str]:
        """The question as texts, for `PinnedSearch(**stored)`."""
        return asdict(self)


class _Counted(Struct, frozen=True):
    search: PinnedSearch
    count: int | None = None
    """Number of notes with all its words; None before they were counted, or where they cannot
    be."""


class _PinnedModel(ListModel):
    """Pinned searches, whose names are edited in place."""

    renamed = Signal(object, str)
    """Signal with a PinnedSearch, and its name from now on."""
    counted = Signal()
    """Signal that a number changed, which the list has to paint."""

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        if index.isValid():
            flags |= Qt.ItemFlag.ItemIsEditable
        return flags

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.EditRole or not index.isValid():
            return False
        self.renamed.emit(self._rows[index.row()].search, str(value).strip())
        return True

    def show_count(self, search: PinnedSearch, count: int) -> None:
        """Show the number of notes beside a search."""
        for at, row in enumerate(self._rows):
            if row.search.key == search.key and row.count != count:
                self._rows[at] = replace(row, count=count)
                # With dataChanged the view would write the old name over one that is being typed.
                self.counted.emit()


def _describe(row: _Counted, role: int) -> str | None:
    search = row.search
    # A search that cannot be counted has no number.
    count = ""
    if row.count is not None:
        count = format_note_count(row.count)
    match role:
        case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.EditRole:
            return search.label
        case Qt.ItemDataRole.AccessibleDescriptionRole:
            return count
        case Qt.ItemDataRole.ToolTipRole:
            said = ""
            if count:
                said = translate("PinnedSearches", "{notes} with all of these words")
            return f"{search.text}\n{said.format(notes=count)}".strip()
    return None


def _row_text(index: Index, colors: Colors) -> tuple[tuple[TextLine, ...], None]:
    row: _Counted = index.data(ROW_ROLE)
    count = ""
    if row.count is not None:
        count = format_number(row.count)
    name = TextLine(row.search.label, colors.text, weight=QFont.Weight.Normal)
    return (TextLine(count, colors.muted, is_beside=True), name), None


class PinnedSearches(QWidget):
    """The list of pinned searches; hidden while there are none."""

    chosen = Signal(object)
    """Signal with a PinnedSearch to ask again."""
    changed = Signal(object)
    """Signal with a tuple of all PinnedSearch, to be kept."""

    def __init__(self, engine: Engine, tasks: Tasks, searches: Sequence[PinnedSearch] = ()) -> None:
        super().__init__()
        self._engine = engine
        self._tasks = tasks
        self._counting = CancelToken()
        self.model = _PinnedModel(_describe, self)
        self.model.renamed.connect(self._rename)
        title = bold_label(self.tr("Pinned searches"), -0.5)
        title.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        # The list is in the sidebar, below the folders.
        self.list = _PinnedView()
        self.list.setModel(self.model)
        self.model.counted.connect(self.list.viewport().update)
        self.list.setItemDelegate(TextRowDelegate(self.list, _row_text))
        self.list.setAccessibleName(self.tr("Pinned searches"))
        self.list.clicked.connect(self._choose)
        self.list.activated.connect(self._choose)
        self.list.customContextMenuRequested.connect(self._show_menu)
        # The actions have keys in the list, and are its menu.
        for text, keys, act in (
            (self.tr("&Rename"), "F2", lambda: self.list.edit(self.list.currentIndex())),
            (self.tr("Move &up"), "Alt+Up", lambda: self._move(-1)),
            (self.tr("Move &down"), "Alt+Down", lambda: self._move(1)),
            (self.tr("U&npin"), "Delete", self._unpin_current),
        ):
            action = QAction(text, self.list)
            action.setShortcut(QKeySequence(keys))
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            action.triggered.connect(lambda _=False, act=act: act())
            self.list.addAction(action)
        head = hbox((title, 1), margins=(2, 1, 1, 0))
        vbox(head, self.list, on=self, margins=NONE, spacing=0.5)
        self._show(searches)

    @property
    def searches(self) -> tuple[PinnedSearch, ...]:
        """All of them, from top to bottom."""
        return tuple(row.search for row in self.model.rows)

    def holds(self, text: str, folder: str) -> bool:
        """Whether a question is pinned."""
        return any(each.key == (text, folder) for each in self.searches)

    def turn(self, text: str, folder: str) -> None:
        """Pin a question at the end, or unpin it; there is none without text."""
        if not text:
            return
        others = [each for each in self.searches if each.key != (text, folder)]
        if len(others) == len(self.searches):
            others = [*others, PinnedSearch(text, folder)][-MOST:]
        self._keep(others)

    def recount(self) -> None:
        """Count the notes again, one search after the other; the old numbers stay meanwhile."""
        self._counting.cancel()
        self._counting = CancelToken()
        self._count(list(self.searches), self._counting)

    def _count(self, waiting: list[PinnedSearch], cancel: CancelToken) -> None:
        if not waiting or cancel.cancelled:
            return
        search, *others = waiting
        request = SearchRequest(search.text, WorkspaceId(search.folder) or None, audience=PERSON)
        count: Future[int] = self._engine.notes.count(request)

        def show(found: int) -> None:
            self.model.show_count(search, found)
            self._count(others, cancel)

        # A folder that is gone has no number, and the others have theirs.
        self._tasks.watch(count, cancel, done=show, failed=lambda _: self._count(others, cancel))

    def _show(self, searches: Sequence[PinnedSearch]) -> None:
        # Numbers that are known stay until they are counted again.
        counts = {row.search.key: row.count for row in self.model.rows}
        self.model.replace([_Counted(each, counts.get(each.key)) for each in searches])
        self.setVisible(bool(searches))
        self.list.updateGeometry()

    def _keep(self, searches: Sequence[PinnedSearch]) -> None:
        self._show(searches)
        self.changed.emit(self.searches)
        self.recount()

    def _choose(self, index: QModelIndex) -> None:
        row = self.model.row(index.row())
        if row is not None:
            self.chosen.emit(row.search)

    def _rename(self, search: PinnedSearch, name: str) -> None:
        at = self.searches.index(search)
        named = replace(search, name=name)
        if name == search.text:
            named = replace(search, name="")
        self._keep([named if each == search else each for each in self.searches])
        self.list.setCurrentIndex(self.model.index(at))
        # The editor, which is gone, had the keys.
        self.list.setFocus()

    def _move(self, by: int) -> None:
        at = self.list.currentIndex().row()
        searches = [*self.searches]
        to = at + by
        if at >= 0 and 0 <= to < len(searches):
            searches[at], searches[to] = searches[to], searches[at]
            self._keep(searches)
            self.list.setCurrentIndex(self.model.index(to))

    def _unpin_current(self) -> None:
        row = self.model.row(self.list.currentIndex().row())
        if row is not None:
            self._keep([each for each in self.searches if each != row.search])

    def _show_menu(self, point: QPoint) -> None:
        index = self.list.indexAt(point)
        if index.isValid():
            self.list.setCurrentIndex(index)
            menu = QMenu(self.list)
            menu.addActions(self.list.actions())
            menu.aboutToHide.connect(menu.deleteLater)
            menu.popup(self.list.viewport().mapToGlobal(point))


class _PinnedView(QListView):
    """A list that is as high as its rows, up to a few."""

    def __init__(self) -> None:
        super().__init__()
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QListView.EditTrigger.EditKeyPressed)
        self.viewport().setAutoFillBackground(False)
        self.setSizeAdjustPolicy(QListView.SizeAdjustPolicy.AdjustToContents)

    def sizeHint(self) -> QSize:
        rows = min(_MOST_SHOWN, self.model().rowCount())
        if not rows:
            return QSize(20 * GRID, 0)
        return QSize(20 * GRID, rows * self.sizeHintForRow(0) + GRID)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()
