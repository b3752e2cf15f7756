"""Files that are not searched, each with its reason."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPalette
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from scrubjay.records.search_records import SkippedFile, WorkspaceStatus
from scrubjay_desktop.text.formatting import translate, translated
from scrubjay_desktop.widgets.theme import GRID, colors_of, sized

Index = QModelIndex | QPersistentModelIndex
_TOP = QModelIndex()
_PAGE = 200


@dataclass(frozen=True, slots=True)
class Problem:
    """One file or folder that is not searched."""

    workspace: str
    path: str
    reason: str
    is_problem: bool
    """False for what nobody expects to be searched."""
    workspace_id: str = ""
    label: str = ""
    """What the core calls the file; empty when it is a whole folder that has a problem."""
    is_chosen: bool = False
    """The person skips it until it changes."""


def problems_of(statuses: Sequence[WorkspaceStatus], workspace_id: str = "") -> Iterator[Problem]:
    """All problems, worst first; of one workspace when it is named."""
    chosen = [one for one in statuses if workspace_id in ("", one.workspace.id)]
    for one in chosen:
        if one.error:
            root = str(one.workspace.root)
            yield Problem(one.workspace.name, root, translated(one.error), is_problem=True)
    for is_problem in (True, False):
        for one in chosen:
            for skip in one.skipped:
                if skip.is_problem is is_problem:
                    yield _problem(one, skip)


def _problem(status: WorkspaceStatus, skip: SkippedFile) -> Problem:
    return Problem(
        status.workspace.name,
        skip.path or str(status.workspace.root),
        translated(skip.reason),
        skip.is_problem,
        status.workspace.id,
        skip.path,
        skip.is_chosen,
    )


class ProblemListModel(QAbstractListModel):
    """Problems as rows, of which only those are made that somebody scrolls to."""

    def __init__(self, problems: Iterable[Problem] = (), parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._waiting = iter(problems)
        self._rows = list(islice(self._waiting, _PAGE))
        self._is_all = len(self._rows) < _PAGE

    @property
    def rows(self) -> Sequence[Problem]:
        """Those that are made, worst first."""
        return self._rows

    def follow(self, row: int, statuses: Sequence[WorkspaceStatus]) -> None:
        """Show one of the rows as it is now."""
        before = self._rows[row]
        now = (
            _problem(one, skip)
            for one in statuses
            if one.workspace.id == before.workspace_id
            for skip in one.skipped
            if skip.path == before.label
        )
        self._rows[row] = next(now, before)
        self.dataChanged.emit(self.index(row), self.index(row))

    def rowCount(self, parent: Index = _TOP) -> int:  # noqa: D102
        return 0 if parent.isValid() else len(self._rows)

    def canFetchMore(self, parent: Index) -> bool:  # noqa: D102
        return not parent.isValid() and not self._is_all

    def fetchMore(self, parent: Index) -> None:  # noqa: D102
        if not self.canFetchMore(parent):
            return
        more = list(islice(self._waiting, _PAGE))
        self._is_all = True  # nothing is fetched while rows are being inserted
        if more:
            self.beginInsertRows(_TOP, len(self._rows), len(self._rows) + len(more) - 1)
            self._rows += more
            self.endInsertRows()
        self._is_all = len(more) < _PAGE

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:  # noqa: D102
        if not index.isValid():
            return None
        problem = self._rows[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return problem.path
            case Qt.ItemDataRole.UserRole:
                return problem
            case Qt.ItemDataRole.ToolTipRole | Qt.ItemDataRole.AccessibleDescriptionRole:
                return f"{problem.workspace}: {problem.reason}"
        return None


class ProblemDelegate(QStyledItemDelegate):
    """Path, and the reason below it."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: D102
        height = QFontMetrics(option.font).height()
        return QSize(40 * GRID, 2 * height + 5 * GRID // 2)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:  # noqa: D102
        problem: Problem = index.data(Qt.ItemDataRole.UserRole)
        colors = colors_of(option.palette)
        painter.save()
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(option.rect, colors.accent_soft)
        area = QRect(option.rect).adjusted(2 * GRID, GRID, -2 * GRID, -GRID)
        painter.setPen(colors.text if problem.is_problem else colors.muted)
        painter.setFont(sized(option.font, 0, QFont.Weight.Medium))
        _draw(painter, area, problem.path, Qt.AlignmentFlag.AlignTop)
        painter.setPen(colors.warning if problem.is_problem else colors.muted)
        painter.setFont(sized(option.font, -0.5))
        _draw(painter, area, problem.reason, Qt.AlignmentFlag.AlignBottom)
        painter.restore()


class ProblemsDialog(QDialog):
    """What is not searched, why, and buttons that look again or skip one file."""

    checked_again = Signal()
    left_out = Signal(str, str)
    taken_back = Signal(str, str)
    """Id of a workspace, and the path of a file in it."""

    def __init__(self, problems: Iterable[Problem], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("What is not searched"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(80 * GRID, 56 * GRID)
        self.model = ProblemListModel(problems, self)
        self._asked: set[int] = set()
        """Rows that somebody skipped or took back."""
        self._words = QLabel()
        self._words.setWordWrap(True)
        self._words.setForegroundRole(QPalette.ColorRole.WindowText)
        self.rows = QListView()
        self.rows.setModel(self.model)
        self.rows.setItemDelegate(ProblemDelegate(self.rows))
        self.rows.setUniformItemSizes(True)
        self.rows.setAccessibleName(self.windowTitle())
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        again = buttons.addButton(self.tr("Check &again"), QDialogButtonBox.ButtonRole.ActionRole)
        again.clicked.connect(self.checked_again)
        again.clicked.connect(self.accept)
        self.skip = buttons.addButton("", QDialogButtonBox.ButtonRole.ActionRole)
        self.skip.clicked.connect(self._skip)
        self.rows.selectionModel().currentChanged.connect(self._show_skip)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(2 * GRID, 2 * GRID, 2 * GRID, 2 * GRID)
        column.setSpacing(3 * GRID // 2)
        column.addWidget(self._words)
        column.addWidget(self.rows, 1)
        column.addWidget(buttons)
        self._words.setText(_summary(self.model.rows))
        self.rows.setCurrentIndex(self.model.index(0))
        self._show_skip()

    def show_statuses(self, statuses: Sequence[WorkspaceStatus]) -> None:
        """Show how it went with what was skipped or taken back here."""
        if not self._asked:
            return
        for row in self._asked:
            self.model.follow(row, statuses)
        self._words.setText(_summary(self.model.rows))
        self._show_skip()

    def _current(self) -> Problem | None:
        problem: Problem | None = self.rows.currentIndex().data(Qt.ItemDataRole.UserRole)
        return problem

    def _show_skip(self) -> None:
        problem = self._current()
        is_chosen = problem is not None and problem.is_chosen
        self.skip.setText(self.tr("&Skip no more") if is_chosen else self.tr("&Skip until changed"))
        self.skip.setToolTip(
            self.tr("Count it as a problem again.")
            if is_chosen
            else self.tr("It is listed here and counts as no problem, until the file changes.")
        )
        can_be_skipped = problem is not None and problem.is_problem and bool(problem.label)
        self.skip.setEnabled(is_chosen or can_be_skipped)

    def _skip(self) -> None:
        if problem := self._current():
            self._asked.add(self.rows.currentIndex().row())
            told = self.taken_back if problem.is_chosen else self.left_out
            told.emit(problem.workspace_id, problem.label)


def _summary(problems: Sequence[Problem]) -> str:
    if not problems:
        return translate("Problems", "Everything in your folders is searched.")
    if not any(one.is_problem for one in problems):
        return translate("Problems", "Nothing is wrong. This was left out on purpose:")
    return translate("Problems", "The rest of your notes is searched. This is not:")


def _draw(painter: QPainter, area: QRect, text: str, side: Qt.AlignmentFlag) -> None:
    shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, area.width())
    painter.drawText(area, Qt.AlignmentFlag.AlignLeft | side, shown)
