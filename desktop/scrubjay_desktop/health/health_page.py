"""The health page: findings in notes, indexes, settings and the model, and sizes of MEMORY.md."""

from __future__ import annotations

import datetime as dt

from PySide6.QtCore import QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QListView, QSizePolicy, QStackedWidget, QWidget

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.errors import ScrubjayError
from scrubjay.health.checkup import Health
from scrubjay.health.findings import Finding, FindingKind, Fix, HealthReport, MemorySize, Severity
from scrubjay.notes.note_edits import NoteEdit
from scrubjay_desktop.bridge.bridge import Tasks
from scrubjay_desktop.health.findings_model import FindingListModel, in_words, row_text
from scrubjay_desktop.text.formatting import age, notes, number, translate, translated
from scrubjay_desktop.widgets.banner import EmptyState, Offer, announce
from scrubjay_desktop.widgets.buttons import SmallButton
from scrubjay_desktop.widgets.labels import muted_label, page_title, progress_bar
from scrubjay_desktop.widgets.layouts import NONE, PAGE, TOP, hbox, vbox
from scrubjay_desktop.widgets.painting import paint_box, smooth_painter
from scrubjay_desktop.widgets.text_rows import TextRowDelegate
from scrubjay_desktop.widgets.theme import GRID, colors_of, sized, slim

_MAX_MEMORIES = 6
_BAR = 12
"""Pixels of the height of a bar."""


class HealthPage(QWidget):
    """Checks when it is first shown and on request; never by itself in the background."""

    note_requested = Signal(object)
    """A Finding with a note to open at its line."""
    settings_requested = Signal()
    models_requested = Signal()
    announced = Signal(str, object)
    """A sentence, and an Offer to undo the change or None."""
    counted = Signal(int, str)
    """Number of findings that need the user, and a sentence with it."""

    _read = Signal(int, int)

    def __init__(self, health: Health, tasks: Tasks) -> None:
        super().__init__()
        self._health = health
        self._tasks = tasks
        self._cancel: CancelToken | None = None
        self._names: dict[str, str] = {}
        self.model = FindingListModel(self)
        self._build()
        self._read.connect(self._show_reading, Qt.ConnectionType.QueuedConnection)
        QTimer.singleShot(0, self, self.check)

    def name_workspaces(self, names: dict[str, str]) -> None:
        """Set the names of workspaces by their ids."""
        self._names = names

    def check(self) -> None:
        """Check everything again, unless a check is running."""
        if self._cancel is not None:
            return
        self._cancel = CancelToken()
        self.again.setText(self.tr("Stop"))
        self._progress.setRange(0, 0)
        self._progress.show()
        self._head.setText(self.tr("Looking through your notes"))
        last = 0

        def report_progress(done: int, total: int) -> None:
            nonlocal last
            if done == total or done - last >= max(1, total // 50):
                last = done
                self._read.emit(done, total)

        future = self._health.check(self._cancel, report_progress)
        self._tasks.watch(
            future, self._cancel, done=self.show_report, failed=self._fail, settled=self._end_check
        )

    def show_report(self, report: HealthReport) -> None:
        """Show the findings and sizes of a report."""
        self.model.show(report.findings)
        self._pages.setCurrentIndex(0 if report.findings else 1)
        count = sum(finding.severity > Severity.NOTICE for finding in report.findings)
        when = age((dt.datetime.now().astimezone() - report.checked_at).total_seconds())
        scope = self.tr("Looked through {notes}, {when}.").format(
            notes=notes(report.notes), when=when
        )
        sentence = self._count_words(count)
        self._head.setText(f"{sentence} {scope}")
        self._show_memory(report)
        self.counted.emit(count, sentence)
        announce(self, sentence)
        if report.findings:
            self.list.setCurrentIndex(self.model.index(0))
        self._show_actions()

    def _count_words(self, count: int) -> str:
        if count == 0:
            return self.tr("Nothing needs you.")
        if count == 1:
            return self.tr("One thing needs you.")
        return self.tr("{n} things need you.").format(n=count)

    def _build(self) -> None:
        title = page_title(self.tr("Health"))
        self._head = muted_label()
        self.again = SmallButton(self.tr("Check again"))
        self.again.clicked.connect(self._again)
        self._progress = progress_bar(self.tr("Notes that were looked through"))
        top = hbox((vbox(title, self._head), 1), (self.again, TOP))
        self._memories = vbox(spacing=1)
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
        vbox(
            top,
            self._progress,
            self._memories,
            (self._pages, 1),
            on=self,
            margins=PAGE,
            spacing=1.5,
        )

    def _findings(self) -> QWidget:
        self.list = QListView()
        self.list.setModel(self.model)
        self.list.setItemDelegate(TextRowDelegate(self.list, row_text))
        self.list.setFrameShape(QListView.Shape.NoFrame)
        # No higher than its rows, so that the buttons stand below them.
        self.list.setSizeAdjustPolicy(QListView.SizeAdjustPolicy.AdjustToContents)
        self.list.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self.list.setResizeMode(QListView.ResizeMode.Adjust)
        self.list.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setAccessibleName(self.tr("Findings"))
        slim(self.list)
        self.list.selectionModel().currentChanged.connect(lambda *_: self._show_actions())
        self.list.doubleClicked.connect(lambda _: self._show_me())
        self.show_me = SmallButton(self.tr("Show me"))
        self.show_me.hide()
        self.show_me.clicked.connect(self._show_me)
        self.mend = SmallButton()
        self.mend.hide()
        self.mend.clicked.connect(self._mend)
        buttons = hbox(self.show_me, self.mend, 1, margins=(5, 0, 0, 0), spacing=1)
        page = QWidget()
        vbox(self.list, buttons, 1, on=page, margins=NONE)
        return page

    def _show_memory(self, report: HealthReport) -> None:
        while item := self._memories.takeAt(0):
            if widget := item.widget():
                widget.deleteLater()
        largest = sorted(report.memory, key=lambda size: -size.characters)
        for size in largest[:_MAX_MEMORIES]:
            name = self._names.get(size.workspace, size.workspace)
            self._memories.addWidget(MemorySizeBar(size, name))

    def _chosen(self) -> Finding | None:
        return self.model.finding(self.list.currentIndex().row())

    def _show_actions(self) -> None:
        finding = self._chosen()
        can_show = finding is not None and (
            finding.file is not None or finding.kind in (FindingKind.SETTING, FindingKind.MODEL)
        )
        self.show_me.setVisible(finding is not None)
        self.show_me.setEnabled(can_show)
        fix = finding.fix if finding else None
        self.mend.setVisible(fix is not None)
        texts = {
            Fix.REDACT: self.tr("Blank it out, with backup"),
            Fix.REBUILD: self.tr("Build the index anew"),
            Fix.REFRESH: self.tr("Check for changes"),
            Fix.CLEAN: self.tr("Delete the leftovers"),
        }
        if fix is not None:
            self.mend.setText(texts[fix])

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
                self.note_requested.emit(finding)

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
            sentence = self.tr("Being mended: {what}").format(what=in_words(finding).title)
            self.announced.emit(sentence, None)
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
        self._end_check()
        self._head.setText(self.tr("Stopped. Check again when it suits you."))

    def _show_reading(self, done: int, total: int) -> None:
        if self._cancel is not None:
            self._progress.setRange(0, total)
            self._progress.setValue(done)

    def _end_check(self) -> None:
        self._cancel = None
        self.again.setText(self.tr("Check again"))
        self._progress.hide()

    def _fail(self, error: ScrubjayError) -> None:
        self._head.setText(translated(str(error)))
        announce(self, translated(str(error)))


class MemorySizeBar(QWidget):
    """A MEMORY.md as a bar; agents do not load the part after the cut line."""

    def __init__(self, size: MemorySize, workspace: str) -> None:
        super().__init__()
        self._size = size
        self._text = memory_sentence(size, workspace)
        self.setAccessibleName(self._text)
        self.setToolTip(self._text)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:  # noqa: D102
        return QSize(40 * GRID, self.fontMetrics().height() + _BAR + 2 * GRID)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: D102
        colors = colors_of(self.palette())
        painter = smooth_painter(self)
        painter.setPen(colors.text)
        painter.setFont(sized(self.font(), -0.5))
        metrics = painter.fontMetrics()
        text = metrics.elidedText(self._text, Qt.TextElideMode.ElideMiddle, self.width())
        painter.drawText(0, metrics.ascent(), text)
        bar = QRectF(0.5, metrics.height() + GRID / 2, self.width() - 1, _BAR)
        paint_box(painter, bar, colors.surface, colors.border, 3)
        whole = max(self._size.characters, self._size.limit)
        loaded = min(self._size.characters, self._size.limit) / whole * bar.width()
        loaded_bar = QRectF(bar.left(), bar.top(), loaded, _BAR)
        paint_box(painter, loaded_bar, colors.accent, Qt.PenStyle.NoPen, 3)
        if self._size.cut_line:
            self._paint_rest(painter, bar, loaded)

    def _paint_rest(self, painter: QPainter, bar: QRectF, loaded: float) -> None:
        """Paint the rest hatched, so that it differs in shape and not in colour alone."""
        colors = colors_of(self.palette())
        rest = QRectF(bar.left() + loaded, bar.top(), bar.width() - loaded, _BAR)
        painter.setBrush(colors.warning_soft)
        painter.drawRect(rest)
        painter.save()
        painter.setClipRect(rest)
        painter.setPen(QPen(colors.warning, 1))
        left = int(rest.left()) - _BAR
        while left < rest.right():
            painter.drawLine(left, int(rest.bottom()), left + _BAR, int(rest.top()))
            left += 6
        painter.restore()
        painter.setPen(QPen(colors.danger, 2))
        cut = int(rest.left())
        painter.drawLine(cut, int(bar.top()) - 3, cut, int(bar.bottom()) + 3)


def memory_sentence(size: MemorySize, workspace: str) -> str:
    """The size of a MEMORY.md in words."""
    if size.cut_line:
        text = translate(
            "Health",
            "{workspace}, {path}: agents load {limit} of {characters} characters, "
            "up to line {line}",
        )
    else:
        text = translate(
            "Health", "{workspace}, {path}: {characters} of the {limit} characters that agents load"
        )
    return text.format(
        workspace=workspace,
        path=size.path,
        characters=number(size.characters),
        limit=number(size.limit),
        line=number(size.cut_line),
    )
