"""Files that are not searched, each with its reason."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from msgspec import Struct
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QFont, QPalette
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QListView, QWidget

from scrubjay.records.note_records import Workspace
from scrubjay.records.status_records import SkippedFile, WorkspaceStatus
from scrubjay_desktop.text.formatting import abbreviate_home, plain_tip, translate, translated
from scrubjay_desktop.widgets.buttons import dialog_buttons
from scrubjay_desktop.widgets.layouts import DIALOG, vbox
from scrubjay_desktop.widgets.list_models import ROW_ROLE, Index, ListModel
from scrubjay_desktop.widgets.text_rows import TextLine, TextRowDelegate
from scrubjay_desktop.widgets.theme import GRID, Colors

_PAGE = 200
"""Rows that are made at a time."""


class SkippedRow(Struct, frozen=True):
    """One file or folder that is not searched."""

    workspace: Workspace
    path: str
    reason: str
    is_problem: bool
    """Whether something is wrong; False for a file that is excluded on purpose."""
    label: str = ""
    """Path of the file in the core; empty when a whole folder has the problem."""
    is_chosen: bool = False
    """Whether the user skips it until it changes."""


def skipped_rows(
    statuses: Sequence[WorkspaceStatus], workspace: Workspace | None = None
) -> Iterator[SkippedRow]:
    """All problems, worst first; of one workspace when it is given."""
    chosen = list(statuses)
    if workspace is not None:
        chosen = [status for status in statuses if status.workspace.id == workspace.id]
    for status in chosen:
        if status.error:
            shown = abbreviate_home(status.workspace.root)
            if status.workspace.memory_uri:
                shown = status.workspace.name
            yield SkippedRow(status.workspace, shown, translated(status.error), is_problem=True)
    # What is wrong comes before what is skipped on purpose.
    for is_problem in (True, False):
        for status in chosen:
            for skip in status.skipped:
                if skip.is_problem is is_problem:
                    yield _problem(status, skip)


def _problem(status: WorkspaceStatus, skip: SkippedFile) -> SkippedRow:
    return SkippedRow(
        workspace=status.workspace,
        path=skip.path or abbreviate_home(status.workspace.root),
        reason=translated(skip.reason),
        is_problem=skip.is_problem,
        label=skip.path,
        is_chosen=skip.is_chosen,
    )


class SkippedFileModel(ListModel):
    """Problems as rows, worst first, made as the view scrolls to them."""

    def __init__(self, problems: Iterable[SkippedRow] = (), parent: QObject | None = None) -> None:
        super().__init__(_describe, parent)
        self.show_problems(problems)

    def show_problems(self, problems: Iterable[SkippedRow]) -> None:
        """Show these instead of all others."""
        self._remaining = iter(problems)
        page = list(islice(self._remaining, _PAGE))
        self._is_all = len(page) < _PAGE
        self.replace(page)

    def follow(self, row: int, statuses: Sequence[WorkspaceStatus]) -> None:
        """Show the present state of a row."""
        # A file that is not skipped any longer keeps its row, with what was known of it.
        before = self._rows[row]
        now = (
            _problem(status, skip)
            for status in statuses
            if status.workspace.id == before.workspace.id
            for skip in status.skipped
            if skip.path == before.label
        )
        self._rows[row] = next(now, before)
        self.dataChanged.emit(self.index(row), self.index(row))

    def canFetchMore(self, parent: Index) -> bool:  # noqa: D102
        return not parent.isValid() and not self._is_all

    def fetchMore(self, parent: Index) -> None:  # noqa: D102
        if not self.canFetchMore(parent):
            return
        page = list(islice(self._remaining, _PAGE))
        # Nothing is fetched while rows are being inserted.
        self._is_all = True
        self.append(page)
        self._is_all = len(page) < _PAGE


def _describe(problem: SkippedRow, role: int) -> str | None:
    match role:
        case Qt.ItemDataRole.DisplayRole:
            return problem.path
        case Qt.ItemDataRole.ToolTipRole | Qt.ItemDataRole.AccessibleDescriptionRole:
            return f"{problem.workspace.name}: {problem.reason}"
    return None


def _row_text(index: Index, colors: Colors) -> tuple[tuple[TextLine, ...], None]:
    problem: SkippedRow = index.data(ROW_ROLE)
    path_color = colors.muted
    reason_color = colors.muted
    if problem.is_problem:
        path_color = colors.text
        reason_color = colors.warning
    bold = QFont.Weight.Medium
    why = TextLine(problem.reason, reason_color, -0.5, wraps=True)
    shown = problem.path
    if problem.label:
        shown = f"{problem.workspace.name} › {problem.path}"
    return (TextLine(shown, path_color, weight=bold), why), None


class SkippedFilesDialog(QDialog):
    """Files that are not searched, with reasons, and buttons to check again or skip one."""

    check_requested = Signal()
    skip_requested = Signal(object, str, bool)
    """Signal with a Workspace, the path of a file in it, and whether it is to be skipped."""

    def __init__(
        self,
        problems: Iterable[SkippedRow],
        parent: QWidget | None = None,
        workspace: Workspace | None = None,
    ) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self.setWindowTitle(self.tr("Files that are not searched"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.model = SkippedFileModel(problems, self)
        self._changed_rows: set[int] = set()
        """Rows that the user skipped or took back here."""
        # A sentence above the rows says how much of the notes is not searched.
        self._words = QLabel(textFormat=Qt.TextFormat.PlainText)
        self._words.setWordWrap(True)
        self._words.setForegroundRole(QPalette.ColorRole.WindowText)
        self.rows = QListView()
        self.rows.setModel(self.model)
        self.rows.setItemDelegate(TextRowDelegate(self.rows, _row_text))
        self.rows.setResizeMode(QListView.ResizeMode.Adjust)
        self.rows.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.rows.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.rows.setAccessibleName(self.windowTitle())
        buttons = dialog_buttons(self, QDialogButtonBox.StandardButton.Close)
        # One button looks at all files again, the other one is about the chosen row.
        again = buttons.addButton(self.tr("Check &again"), QDialogButtonBox.ButtonRole.ActionRole)
        again.clicked.connect(self.check_requested)
        again.clicked.connect(self.accept)
        self.skip = buttons.addButton("", QDialogButtonBox.ButtonRole.ActionRole)
        self.skip.clicked.connect(self._skip)
        self.rows.selectionModel().currentChanged.connect(self._show_skip)
        vbox(self._words, (self.rows, 1), buttons, on=self, margins=DIALOG, spacing=1.5)
        self._show_rows()

    def show_statuses(self, statuses: Sequence[WorkspaceStatus]) -> None:
        """Show the present state of rows that were changed here; or the first there are."""
        if not self.model.rows:
            self.model.show_problems(skipped_rows(statuses, self._workspace))
            if self.model.rows:
                self._show_rows()
            return
        if not self._changed_rows:
            return
        for row in self._changed_rows:
            self.model.follow(row, statuses)
        self._words.setText(_summary(self.model.rows))
        self._show_skip()

    def _show_rows(self) -> None:
        self._words.setText(_summary(self.model.rows))
        is_empty = not self.model.rows
        self.rows.setHidden(is_empty)
        # Without rows there is only a sentence, and no room for a list.
        height = 56 * GRID
        if is_empty:
            height = self.sizeHint().height()
        self.resize(80 * GRID, height)
        self.rows.setCurrentIndex(self.model.index(0))
        self._show_skip()

    def _current(self) -> SkippedRow | None:
        problem: SkippedRow | None = self.rows.currentIndex().data(ROW_ROLE)
        return problem

    def _show_skip(self) -> None:
        problem = self._current()
        is_chosen = problem is not None and problem.is_chosen
        text = self.tr("&Skip until changed")
        tip = self.tr(
            "The file stays in this list but does not count as a problem until it changes."
        )
        if is_chosen:
            text = self.tr("Stop &skipping")
            tip = self.tr("Count this file as a problem again.")
        self.skip.setText(text)
        self.skip.setToolTip(plain_tip(tip))
        can_be_skipped = problem is not None and problem.is_problem and bool(problem.label)
        self.skip.setEnabled(is_chosen or can_be_skipped)

    def _skip(self) -> None:
        problem = self._current()
        if not problem:
            return
        self._changed_rows.add(self.rows.currentIndex().row())
        self.skip_requested.emit(problem.workspace, problem.label, not problem.is_chosen)


def _summary(problems: Sequence[SkippedRow]) -> str:
    if not problems:
        return translate("Problems", "Scrubjay has not found a file that it cannot read.")
    if not any(problem.is_problem for problem in problems):
        return translate("Problems", "Scrubjay does not search these files:")
    return translate("Problems", "Scrubjay could not read or does not search these files:")
