"""The folders that are searched: add, look after, forget."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from pathlib import Path

from PySide6.QtCore import QModelIndex, QObject, QPoint, QSettings, Qt, Signal
from PySide6.QtGui import QFont, QPalette
from PySide6.QtWidgets import QFileDialog, QListView, QMenu, QWidget

from scrubjay.records.note_records import Workspace
from scrubjay.records.status_records import IndexState, WorkspaceStatus
from scrubjay_desktop.text.formatting import (
    abbreviate_home,
    format_note_count,
    format_number,
    translate,
)
from scrubjay_desktop.text.sharing_sentences import shared_line
from scrubjay_desktop.text.shortcuts import with_keys
from scrubjay_desktop.text.status_sentences import failure_reason, workspace_line
from scrubjay_desktop.widgets.buttons import IconButton, LineButton
from scrubjay_desktop.widgets.labels import bold_label
from scrubjay_desktop.widgets.layouts import NONE, hbox, vbox
from scrubjay_desktop.widgets.list_models import ROW_ROLE, Index, ListModel
from scrubjay_desktop.widgets.message_boxes import open_where_it_was
from scrubjay_desktop.widgets.text_rows import Sign, TextLine, TextRowDelegate
from scrubjay_desktop.widgets.theme import Colors


class WorkspaceListModel(ListModel):
    """All notes first, as None, then each workspace with its status."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(self._data, parent)
        self._rows = [None]

    def show(self, statuses: Sequence[WorkspaceStatus]) -> None:
        """Show these workspaces; rows stay when only their status changed."""
        rows = [None, *statuses]
        if [_workspace(row) for row in rows] == [_workspace(row) for row in self._rows]:
            self._rows = rows
            self.dataChanged.emit(self.index(0), self.index(len(statuses)))
            return
        self.replace(rows)

    def status(self, number: int) -> WorkspaceStatus | None:
        """The workspace of a row; None for "All notes"."""
        status: WorkspaceStatus | None = self.row(number)
        return status

    def row_number(self, workspace: Workspace | None) -> int:
        """The row of a workspace; 0, all notes, when it is not there."""
        ids = [status.workspace.id for status in self._rows[1:]]
        if workspace is None or workspace.id not in ids:
            return 0
        return ids.index(workspace.id) + 1

    def _data(self, status: WorkspaceStatus | None, role: int) -> str | None:
        if status is None:
            return self._data_of_all(role)
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return status.workspace.name
            case Qt.ItemDataRole.ToolTipRole:
                return f"{abbreviate_home(status.workspace.root)}\n{failure_reason(status)}".strip()
            case Qt.ItemDataRole.AccessibleDescriptionRole if status.workspace.memory_uri:
                return shared_line(status)
            case Qt.ItemDataRole.AccessibleDescriptionRole:
                return workspace_line(status)
        return None

    def _data_of_all(self, role: int) -> str | None:
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return translate("Workspaces", "All notes")
            case Qt.ItemDataRole.ToolTipRole:
                return ""
            case Qt.ItemDataRole.AccessibleDescriptionRole:
                return format_note_count(sum(each.freshness.documents for each in self._rows[1:]))
        return None


def _workspace(status: WorkspaceStatus | None) -> Workspace | None:
    if status is None:
        return None
    return status.workspace


def _row_text(index: Index, colors: Colors) -> tuple[tuple[TextLine, ...], Sign | None]:
    status: WorkspaceStatus | None = index.data(ROW_ROLE)
    needs_help = status is not None and (
        status.state is IndexState.ERROR or any(skip.is_problem for skip in status.skipped)
    )
    state = index.data(Qt.ItemDataRole.AccessibleDescriptionRole)
    name_line = TextLine(index.data(), colors.text, weight=QFont.Weight.DemiBold)
    state_line = TextLine(state, colors.muted, -1)
    sign = Sign("warning", colors.warning) if needs_help else None
    return (name_line, state_line), sign


class WorkspacesSidebar(QWidget):
    """The list of workspaces, with a menu of actions for each."""

    chosen = Signal(object)
    """Signal with a Workspace, or None for all notes."""
    folder_added = Signal(object)
    """Signal with a Path to search from now on."""
    requested = Signal(str, object)
    """Signal with an action of a folder's menu, and the status of the folder."""
    problems_requested = Signal()

    def __init__(self, stored: QSettings) -> None:
        super().__init__()
        self._stored = stored
        self.published: Callable[[], Collection[str]] = tuple
        """Function that gives the ids of the folders that are shared from this computer."""
        self._scope: Workspace | None = None
        self._in_need: WorkspaceStatus | None = None
        """Folder whose warning is being clicked."""
        self.model = WorkspaceListModel(self)
        self._build()
        self.list.clicked.connect(self._click)
        self.list.activated.connect(lambda index: self.chosen.emit(self._workspace(index)))
        self.list.customContextMenuRequested.connect(self._show_menu)
        self._add.clicked.connect(lambda: self.ask_for_folder())

    def show_statuses(self, statuses: Sequence[WorkspaceStatus]) -> None:
        """Show the state of the workspaces."""
        chosen = self._workspace(self.list.currentIndex())
        self.model.show(statuses)
        self.choose(chosen)
        # A skip without a path is the folder itself, whose own line says so.
        skipped = [skip for status in statuses for skip in status.skipped]
        count = sum(skip.is_problem and bool(skip.path) for skip in skipped)
        self.list.setVisible(bool(statuses))
        sentence = self.tr("{n} {n:file|files} could not be read").format(n=format_number(count))
        if not count:
            sentence = ""
        self.problems.show_sentence(sentence)

    def choose(self, workspace: Workspace | None) -> None:
        """Mark a workspace as the one that is searched."""
        self._scope = workspace
        self.list.setCurrentIndex(self.model.index(self.model.row_number(workspace)))

    def ask_for_folder(
        self, title: str = "", chosen: Callable[[Path], object] | None = None
    ) -> None:
        """Let the user choose a folder, to be added unless it is chosen for something else."""
        dialog = QFileDialog(self.window(), title or self.tr("Choose a folder of notes"))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        choose = chosen or self.folder_added.emit
        dialog.fileSelected.connect(lambda folder: choose(Path(folder)))
        open_where_it_was(dialog, self._stored, "notes")

    def menu_for(self, status: WorkspaceStatus) -> QMenu:
        """The menu of actions for a workspace."""
        # Imported late: the first frame shows no menu.
        from scrubjay_desktop.workspaces.folder_dialogs import folder_menu

        is_published = status.workspace.id in self.published()
        return folder_menu(status, self.requested, self, is_published=is_published)

    def _build(self) -> None:
        title = bold_label(self.tr("Notes"), -0.5)
        title.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self._add = IconButton("plus", with_keys(self.tr("Add a folder"), "Ctrl+Shift+N"))
        head = hbox((title, 1), self._add, margins=(2, 2, 1, 0))
        # The list has the colour of the sidebar, and tells of a click on a warning before the one
        # on its row.
        self.list = QListView()
        self.list.setModel(self.model)
        delegate = TextRowDelegate(self.list, _row_text)
        self.list.setItemDelegate(delegate)
        delegate.sign_clicked.connect(lambda status: setattr(self, "_in_need", status))
        self.list.setFrameShape(QListView.Shape.NoFrame)
        self.list.setMouseTracking(True)
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.viewport().setAutoFillBackground(False)
        self.list.setAccessibleName(self.tr("Folders of notes"))
        self.problems = LineButton()
        self.problems.clicked.connect(self.problems_requested)
        foot = hbox(self.problems, margins=(2, 0, 2, 1))
        parts = (head, (self.list, 1), 0, foot)
        vbox(*parts, on=self, margins=NONE, spacing=1)

    def _workspace(self, index: QModelIndex) -> Workspace | None:
        return _workspace(self.model.status(index.row()))

    def _click(self, index: QModelIndex) -> None:
        """Choose a folder, or lead to what can be done about the one whose warning was clicked."""
        status = self._in_need
        self._in_need = None
        if status is None:
            self.chosen.emit(self._workspace(index))
            return
        # The click has moved the mark to the folder with the warning.
        self.choose(self._scope)
        action = "locate" if status.away else "problems"
        if status.workspace.memory_uri:
            action = "look"
        self.requested.emit(action, status)

    def _show_menu(self, point: QPoint) -> None:
        status = self.model.status(self.list.indexAt(point).row())
        if status is not None:
            self.menu_for(status).popup(self.list.viewport().mapToGlobal(point))
