"""What needs a person: in the notes, the indexes, the settings and the model."""

from __future__ import annotations

import datetime as dt

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QListView,
    QProgressBar,
    QSizePolicy,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from scrubjay import (
    CancelToken,
    Finding,
    FindingKind,
    Fix,
    Health,
    HealthReport,
    NoteEdit,
    Severity,
)
from scrubjay.errors import ScrubjayError
from scrubjay_desktop.bridge.bridge import Tasks
from scrubjay_desktop.health.findings_model import FindingDelegate, FindingListModel, in_words
from scrubjay_desktop.health.memory_size_bar import MemoryBar
from scrubjay_desktop.text.formatting import age, notes, translated
from scrubjay_desktop.widgets.banner import EmptyState, Offer, announce
from scrubjay_desktop.widgets.buttons import SmallButton
from scrubjay_desktop.widgets.labels import muted_label
from scrubjay_desktop.widgets.theme import GRID, sized, slim

_SHOWN_MEMORIES = 6


class HealthPage(QWidget):
    """Looks when it is first shown and when it is told to; never by itself in the background."""

    shown_requested = Signal(object)
    """A Finding with a note: open it at its line."""
    settings_requested = Signal()
    models_requested = Signal()
    announced = Signal(str, object)
    """A sentence, and an Offer to undo what it tells of or None."""
    counted = Signal(int, str)
    """How many findings need a person, and the same in words."""

    _read = Signal(int, int)

    def __init__(self, health: Health, tasks: Tasks, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._health = health
        self._tasks = tasks
        self._cancel: CancelToken | None = None
        self._names: dict[str, str] = {}
        self.model = FindingListModel(self)
        self._build()
        self._read.connect(self._show_reading, Qt.ConnectionType.QueuedConnection)
        QTimer.singleShot(0, self, self.check)

    def name_workspaces(self, names: dict[str, str]) -> None:
        """What people call the workspaces, by their ids."""
        self._names = names

    def check(self) -> None:
        """Look at everything again, unless that is under way."""
        if self._cancel is not None:
            return
        self._cancel = CancelToken()
        self.again.setText(self.tr("Stop"))
        self._progress.setRange(0, 0)
        self._progress.show()
        self._head.setText(self.tr("Looking through your notes"))
        last = 0

        def reading(done: int, total: int) -> None:
            nonlocal last
            if done == total or done - last >= max(1, total // 50):
                last = done
                self._read.emit(done, total)

        future = self._health.check(self._cancel, reading)
        self._tasks.watch(
            future, self._cancel, done=self.show_report, failed=self._fail, settled=self._rest
        )

    def show_report(self, report: HealthReport) -> None:
        """Show what was found."""
        self.model.show(report.findings)
        self._pages.setCurrentIndex(0 if report.findings else 1)
        need = sum(one.severity > Severity.NOTICE for one in report.findings)
        when = age((dt.datetime.now().astimezone() - report.checked_at).total_seconds())
        looked = self.tr("Looked through {notes}, {when}.").format(
            notes=notes(report.notes), when=when
        )
        self._head.setText(f"{self._count_words(need)} {looked}")
        self._show_memory(report)
        self.counted.emit(need, self._count_words(need))
        announce(self, self._count_words(need))
        if report.findings:
            self.list.setCurrentIndex(self.model.index(0))
        self._show_acts()

    def _count_words(self, need: int) -> str:
        if need == 0:
            return self.tr("Nothing needs you.")
        if need == 1:
            return self.tr("One thing needs you.")
        return self.tr("{n} things need you.").format(n=need)

    def _build(self) -> None:
        title = QLabel(self.tr("Health"))
        title.setFont(sized(self.font(), 5, QFont.Weight.DemiBold))
        self._head = muted_label()
        self.again = SmallButton(self.tr("Check again"))
        self.again.clicked.connect(self._again)
        self._progress = QProgressBar()
        self._progress.setTextVisible(False)
        self._progress.setFixedHeight(GRID)
        self._progress.setAccessibleName(self.tr("Notes that were looked through"))
        top = QHBoxLayout()
        words = QVBoxLayout()
        words.addWidget(title)
        words.addWidget(self._head)
        top.addLayout(words, 1)
        top.addWidget(self.again, 0, Qt.AlignmentFlag.AlignTop)
        self._memories = QVBoxLayout()
        self._memories.setSpacing(GRID)
        self._pages = QStackedWidget()
        self._pages.addWidget(self._findings())
        well = EmptyState(
            "health",
            self.tr("All is well"),
            self.tr(
                "No secrets in notes, no dead links, nothing twice, every file is searched, and "
                "indexes, settings and model work."
            ),
        )
        self._pages.addWidget(well)
        column = QVBoxLayout(self)
        column.setContentsMargins(3 * GRID, 3 * GRID, 3 * GRID, 2 * GRID)
        column.setSpacing(3 * GRID // 2)
        column.addLayout(top)
        column.addWidget(self._progress)
        column.addLayout(self._memories)
        column.addWidget(self._pages, 1)

    def _findings(self) -> QWidget:
        self.list = QListView()
        self.list.setModel(self.model)
        self.list.setItemDelegate(FindingDelegate(self.list))
        self.list.setFrameShape(QListView.Shape.NoFrame)
        # No higher than its rows, so that what can be done about one stands below them.
        self.list.setSizeAdjustPolicy(QListView.SizeAdjustPolicy.AdjustToContents)
        self.list.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self.list.setResizeMode(QListView.ResizeMode.Adjust)
        self.list.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setAccessibleName(self.tr("Findings"))
        slim(self.list)
        self.list.selectionModel().currentChanged.connect(lambda *_: self._show_acts())
        self.list.doubleClicked.connect(lambda _: self._show_me())
        self.show_me = SmallButton(self.tr("Show me"))
        self.show_me.hide()
        self.show_me.clicked.connect(self._show_me)
        self.mend = SmallButton()
        self.mend.hide()
        self.mend.clicked.connect(self._mend)
        acts = QHBoxLayout()
        acts.setContentsMargins(5 * GRID, 0, 0, 0)
        acts.setSpacing(GRID)
        acts.addWidget(self.show_me)
        acts.addWidget(self.mend)
        acts.addStretch(1)
        made = QWidget()
        column = QVBoxLayout(made)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.list)
        column.addLayout(acts)
        column.addStretch(1)
        return made

    def _show_memory(self, report: HealthReport) -> None:
        while item := self._memories.takeAt(0):
            if widget := item.widget():
                widget.deleteLater()
        largest = sorted(report.memory, key=lambda one: -one.characters)
        for size in largest[:_SHOWN_MEMORIES]:
            name = self._names.get(size.workspace, size.workspace)
            self._memories.addWidget(MemoryBar(size, name))

    def _chosen(self) -> Finding | None:
        return self.model.finding(self.list.currentIndex().row())

    def _show_acts(self) -> None:
        finding = self._chosen()
        is_shown = finding is not None and (
            finding.file is not None or finding.kind in (FindingKind.SETTING, FindingKind.MODEL)
        )
        self.show_me.setVisible(finding is not None)
        self.show_me.setEnabled(is_shown)
        fix = finding.fix if finding else None
        self.mend.setVisible(fix is not None)
        match fix:
            case Fix.REDACT:
                self.mend.setText(self.tr("Blank it out, with backup"))
            case Fix.REBUILD:
                self.mend.setText(self.tr("Build the index anew"))
            case Fix.REFRESH:
                self.mend.setText(self.tr("Check for changes"))
            case Fix.CLEAN:
                self.mend.setText(self.tr("Delete the leftovers"))

    def _show_me(self) -> None:
        finding = self._chosen()
        if finding is None:
            return
        match finding.kind:
            case FindingKind.SETTING:
                self.settings_requested.emit()
            case FindingKind.MODEL:
                self.models_requested.emit()
            case _ if finding.file is not None:
                self.shown_requested.emit(finding)

    def _mend(self) -> None:
        finding = self._chosen()
        if finding is None or finding.fix is None:
            return
        self.mend.setEnabled(False)
        self._tasks.watch(
            self._health.fix(finding),
            CancelToken(),
            done=lambda edit: self._mended(finding, edit),
            failed=self._fail,
            settled=lambda: self.mend.setEnabled(True),
        )

    def _mended(self, finding: Finding, edit: NoteEdit | None) -> None:
        if edit is not None:
            sentence = self.tr("Blanked out a secret in {path}. The note as it was is kept.")
            undo = Offer(self.tr("Undo"), lambda: self._undo(edit))
            self.announced.emit(sentence.format(path=finding.path), undo)
        else:
            self.announced.emit(
                self.tr("Being mended: {what}").format(what=in_words(finding).title), None
            )
        self.check()

    def _undo(self, edit: NoteEdit) -> None:
        self._tasks.watch(
            self._health.undo(edit), CancelToken(), done=lambda _: self.check(), failed=self._fail
        )

    def _again(self) -> None:
        if self._cancel is None:
            self.check()
            return
        self._cancel.cancel()
        self._rest()
        self._head.setText(self.tr("Stopped. Check again when it suits you."))

    def _show_reading(self, done: int, total: int) -> None:
        if self._cancel is not None:
            self._progress.setRange(0, total)
            self._progress.setValue(done)

    def _rest(self) -> None:
        self._cancel = None
        self.again.setText(self.tr("Check again"))
        self._progress.hide()

    def _fail(self, error: ScrubjayError) -> None:
        self._head.setText(translated(str(error)))
        announce(self, translated(str(error)))
