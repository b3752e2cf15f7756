"""The folders that are searched: add, look after, forget."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPalette
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QListView,
    QMenu,
    QMessageBox,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from scrubjay.records.search_records import IndexState, WorkspaceStatus
from scrubjay_desktop.text.formatting import notes, translate
from scrubjay_desktop.text.status_sentences import workspace_line
from scrubjay_desktop.widgets.buttons import IconButton, LineButton
from scrubjay_desktop.widgets.icons import pixmap
from scrubjay_desktop.widgets.theme import GRID, Colors, colors_of, sized, slim

STATUS_ROLE = Qt.ItemDataRole.UserRole
Index = QModelIndex | QPersistentModelIndex
_TOP = QModelIndex()


class WorkspaceListModel(QAbstractListModel):
    """All notes first, then each workspace with its status."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._statuses: tuple[WorkspaceStatus, ...] = ()

    def show(self, statuses: Sequence[WorkspaceStatus]) -> None:
        """Show these workspaces; rows stay when only their status changed."""
        same = [one.workspace for one in statuses] == [one.workspace for one in self._statuses]
        if same:
            self._statuses = tuple(statuses)
            self.dataChanged.emit(self.index(0), self.index(len(self._statuses)))
            return
        self.beginResetModel()
        self._statuses = tuple(statuses)
        self.endResetModel()

    def status(self, number: int) -> WorkspaceStatus | None:
        """The workspace of a row; None for "All notes"."""
        return self._statuses[number - 1] if 0 < number <= len(self._statuses) else None

    def number_of(self, workspace_id: str | None) -> int:
        """The row of a workspace; 0, all notes, when it is not there."""
        ids = [one.workspace.id for one in self._statuses]
        return ids.index(workspace_id) + 1 if workspace_id in ids else 0

    def rowCount(self, parent: Index = _TOP) -> int:  # noqa: D102
        return 0 if parent.isValid() else len(self._statuses) + 1

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:  # noqa: D102
        if not index.isValid():
            return None
        one = self.status(index.row())
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return one.workspace.name if one else translate("Workspaces", "All notes")
            case Qt.ItemDataRole.UserRole:
                return one
            case Qt.ItemDataRole.ToolTipRole:
                return str(one.workspace.root) if one else ""
            case Qt.ItemDataRole.AccessibleDescriptionRole:
                return self._second_line(one)
        return None

    def _second_line(self, one: WorkspaceStatus | None) -> str:
        if one is not None:
            return workspace_line(one)
        return notes(sum(each.freshness.documents for each in self._statuses))


class WorkspaceDelegate(QStyledItemDelegate):
    """A name, what its index is doing, and a sign when something is wrong."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: D102
        names = QFontMetrics(sized(option.font, 0, QFont.Weight.DemiBold))
        lines = QFontMetrics(sized(option.font, -1))
        return QSize(20 * GRID, names.height() + lines.height() + 5 * GRID // 2)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:  # noqa: D102
        colors = colors_of(option.palette)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRect(option.rect).adjusted(GRID, 1, -GRID, -1)
        _paint_choice(painter, area, option.state, colors)
        inner = area.adjusted(GRID, GRID, -GRID, -GRID)
        one: WorkspaceStatus | None = index.data(STATUS_ROLE)
        if one is not None and needs_attention(one):
            sign = pixmap("warning", colors.warning, 16, painter.device().devicePixelRatioF())
            painter.drawPixmap(QPoint(inner.right() - 15, inner.top()), sign)
            inner.setRight(inner.right() - 3 * GRID)
        name, line = index.data(), index.data(Qt.ItemDataRole.AccessibleDescriptionRole)
        painter.setPen(colors.text)
        painter.setFont(sized(option.font, 0, QFont.Weight.DemiBold))
        _draw(painter, inner, name, Qt.AlignmentFlag.AlignTop)
        painter.setPen(colors.muted)
        painter.setFont(sized(option.font, -1))
        _draw(painter, inner, line, Qt.AlignmentFlag.AlignBottom)
        painter.restore()


class WorkspacesPanel(QWidget):
    """The list of workspaces with what can be done to each."""

    chosen = Signal(object)
    """Workspace id, or None for all notes."""
    folder_added = Signal(object)
    """A Path to search from now on."""
    forgotten = Signal(str)
    refreshed = Signal(str)
    problems_requested = Signal(str)
    revealed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = WorkspaceListModel(self)
        self._build()
        self.list.clicked.connect(lambda index: self.chosen.emit(self._id(index)))
        self.list.activated.connect(lambda index: self.chosen.emit(self._id(index)))
        self.list.customContextMenuRequested.connect(self._show_menu)
        self._add.clicked.connect(self.ask_for_folder)

    @property
    def problems_text(self) -> str:
        """How many files could not be read; empty when all could."""
        return "" if self._problems.isHidden() else self._problems.text()

    def show_statuses(self, statuses: Sequence[WorkspaceStatus]) -> None:
        """Show how the workspaces are."""
        chosen = self._id(self.list.currentIndex())
        self.model.show(statuses)
        self.choose(chosen)
        # Without a path it is the folder itself, whose own line says so.
        skipped = [skip for one in statuses for skip in one.skipped]
        count = sum(skip.is_problem and bool(skip.path) for skip in skipped)
        self.list.setVisible(bool(statuses))
        self._problems.setVisible(count > 0)
        self._problems.show_sentence(
            self.tr("1 file could not be read")
            if count == 1
            else self.tr("{n} files could not be read").format(n=count)
        )

    def choose(self, workspace_id: str | None) -> None:
        """Mark a workspace as the one that is searched."""
        self.list.setCurrentIndex(self.model.index(self.model.number_of(workspace_id)))

    def ask_for_folder(self) -> None:
        """Let the person choose a folder."""
        dialog = QFileDialog(self.window(), self.tr("Choose a folder of notes"))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(lambda folder: self.folder_added.emit(Path(folder)))
        dialog.open()

    def menu_for(self, one: WorkspaceStatus) -> QMenu:
        """What can be done to a workspace."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        workspace = one.workspace
        for text, act in (
            (self.tr("&Check for changes"), lambda: self.refreshed.emit(workspace.id)),
            (self.tr("&Problems…"), lambda: self.problems_requested.emit(workspace.id)),
            (self.tr("&Show in folder"), lambda: self.revealed.emit(workspace.root)),
            (self.tr("&Forget…"), lambda: self._ask_to_forget(one)),
        ):
            menu.addAction(text).triggered.connect(act)
        menu.actions()[1].setEnabled(bool(one.skipped) or bool(one.error))
        return menu

    def _build(self) -> None:
        title = QLabel(self.tr("Notes"))
        title.setFont(sized(self.font(), -0.5, QFont.Weight.DemiBold))
        title.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self._add = IconButton("plus", self.tr("Add a folder (Ctrl+N)"))
        head = QHBoxLayout()
        head.setContentsMargins(2 * GRID, 2 * GRID, GRID, 0)
        head.addWidget(title, 1)
        head.addWidget(self._add)
        self.list = QListView()
        self.list.setModel(self.model)
        self.list.setItemDelegate(WorkspaceDelegate(self.list))
        self.list.setFrameShape(QListView.Shape.NoFrame)
        self.list.setMouseTracking(True)
        slim(self.list)
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.viewport().setAutoFillBackground(False)
        self.list.setAccessibleName(self.tr("Folders of notes"))
        self._problems = LineButton()
        self._problems.hide()
        self._problems.clicked.connect(lambda: self.problems_requested.emit(""))
        foot = QHBoxLayout()
        foot.setContentsMargins(2 * GRID, 0, 2 * GRID, GRID)
        foot.addWidget(self._problems)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID)
        column.addLayout(head)
        column.addWidget(self.list, 1)
        column.addStretch()
        column.addLayout(foot)

    def _id(self, index: QModelIndex) -> str | None:
        one = self.model.status(index.row())
        return one.workspace.id if one else None

    def _show_menu(self, place: QPoint) -> None:
        one = self.model.status(self.list.indexAt(place).row())
        if one is not None:
            self.menu_for(one).popup(self.list.viewport().mapToGlobal(place))

    def _ask_to_forget(self, one: WorkspaceStatus) -> None:
        question = forget_question(one, self.window())
        question.accepted.connect(lambda: self.forgotten.emit(one.workspace.id))
        question.open()


def forget_question(one: WorkspaceStatus, parent: QWidget) -> QMessageBox:
    """Asks before a workspace is forgotten, and says what stays."""
    box = QMessageBox(parent)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.setIcon(QMessageBox.Icon.Question)
    box.setWindowTitle(translate("Workspaces", "Forget a folder"))
    box.setText(translate("Workspaces", "Forget “{name}”?").format(name=one.workspace.name))
    box.setInformativeText(
        translate(
            "Workspaces",
            "Scrubjay deletes its own index of this folder. Your notes in {folder} are untouched.",
        ).format(folder=one.workspace.root)
    )
    forget = box.addButton(translate("Workspaces", "&Forget"), QMessageBox.ButtonRole.AcceptRole)
    keep = box.addButton(translate("Workspaces", "&Keep"), QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(keep)
    forget.setObjectName("forget")
    return box


def needs_attention(one: WorkspaceStatus) -> bool:
    """Something about a workspace should be looked at."""
    return one.state is IndexState.ERROR or any(skip.is_problem for skip in one.skipped)


def _paint_choice(painter: QPainter, area: QRect, state: QStyle.StateFlag, colors: Colors) -> None:
    if not state & (QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver):
        return
    is_chosen = bool(state & QStyle.StateFlag.State_Selected)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colors.accent_soft if is_chosen else colors.hover)
    painter.drawRoundedRect(QRectF(area), 6, 6)


def _draw(painter: QPainter, area: QRect, text: str, side: Qt.AlignmentFlag) -> None:
    shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, area.width())
    painter.drawText(area, Qt.AlignmentFlag.AlignLeft | side, shown)
