"""The health page: findings in notes, indexes, settings and the model, and sizes of MEMORY.md."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from functools import partial

from msgspec.structs import replace
from PySide6.QtCore import QModelIndex, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QBoxLayout, QListView, QStackedWidget, QWidget

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.errors import ScrubjayError
from scrubjay.event_bus import Event
from scrubjay.events import (
    IndexChanged,
    IndexFailed,
    IndexFinished,
    ModelChanged,
    ModelsChanged,
    SettingsChanged,
    SharedChanged,
    WorkspacesChanged,
)
from scrubjay.health.checkup import Health, folder_findings
from scrubjay.health.dismissed_findings import LEAVABLE
from scrubjay.health.findings import (
    Finding,
    FindingKind,
    Fix,
    HealthReport,
    MemoryFileSize,
    attention_count,
)
from scrubjay.notes.note_edits import NoteEdit
from scrubjay.records.note_records import Workspace
from scrubjay.records.status_records import EngineStatus
from scrubjay.records.workspace_id import WorkspaceId
from scrubjay_desktop.bridge.bridge import Tasks
from scrubjay_desktop.health.findings_model import FindingListModel, finding_texts, row_text
from scrubjay_desktop.text.formatting import (
    attention_words,
    format_age,
    format_note_count,
    format_number,
    translate,
    translated,
)
from scrubjay_desktop.text.workspace_names import WorkspaceNames, display_names
from scrubjay_desktop.widgets.banner import NEWS, EmptyState, Offer, announce
from scrubjay_desktop.widgets.buttons import SmallButton
from scrubjay_desktop.widgets.labels import muted_label, page_title, progress_bar
from scrubjay_desktop.widgets.layouts import NONE, PAGE, TOP, hbox, vbox
from scrubjay_desktop.widgets.text_rows import TextRowDelegate

_MAX_MEMORIES = 6
"""Sizes of MEMORY.md that are shown at most."""
_OLD_SECONDS = 60
"""Age in seconds of a report after which the page looks again when it is shown."""
_AGING_MS = 10_000
"""Milliseconds after which the age of a report is told again."""
_OF_AGENTS = (FindingKind.MEMORY_TOO_LONG, FindingKind.DAYS_WITHOUT_LOG)
"""Kinds of findings that say nothing to a person without agents."""
_CHANGES = (
    IndexChanged,
    IndexFinished,
    IndexFailed,
    WorkspacesChanged,
    SettingsChanged,
    ModelChanged,
    ModelsChanged,
)
"""Events after which a report may no longer be true."""


class HealthPage(QWidget):
    """Checks on request, and by itself after a change; folders it tells as they are now."""

    note_requested = Signal(object)
    """Signal with a Finding with a note to open at its line."""
    place_requested = Signal(object)
    """Signal with the path of a file to show in its folder."""
    folders_requested = Signal()
    settings_requested = Signal()
    models_requested = Signal()
    agents_requested = Signal()
    publish_requested = Signal(object)
    """Signal with a Workspace whose shared memory has leftovers, which its publication
    deletes."""
    announced = Signal(str, object)
    """Signal with a sentence, and an Offer to undo the change or None."""
    counted = Signal(int, int)
    """Signal with the numbers of findings that need the user: of the last health check, and of the
    folders now."""

    _read = Signal(int, int)

    def __init__(
        self,
        health: Health,
        tasks: Tasks,
        *,
        has_agents: bool,
        found: int,
        rest_ms: int,
        unseen_rest_ms: int,
    ) -> None:
        """The number of findings is that of an earlier health check.

        After a change the page rests, longer while it is not seen, and looks again.
        """
        super().__init__()
        self._rest_ms = rest_ms
        self._unseen_rest_ms = unseen_rest_ms
        self._has_agents = has_agents
        self._found = found
        self._of_folders: tuple[Finding, ...] = ()
        self._health = health
        self._tasks = tasks
        self._workspaces: dict[WorkspaceId, Workspace] = {}
        self._names: WorkspaceNames = {}
        self._cancel: CancelToken | None = None
        self._report: HealthReport | None = None
        self._is_stale = True
        self._change = QTimer(self, singleShot=True)
        """Timer that runs from a change until it is looked at."""
        self._change.timeout.connect(self._look_again)
        self._aging = QTimer(self, interval=_AGING_MS)
        self._aging.timeout.connect(self._show_head)
        self.model = FindingListModel(self)
        self._build()
        # Progress comes from another thread, and is shown on this one.
        self._read.connect(self._show_reading, Qt.ConnectionType.QueuedConnection)
        self._look_soon()

    def on_event(self, event: Event) -> None:
        """Look again some time after a change; the first look waits for no end of them."""
        # Publications of others change nothing here, but whether a memory is in reach does.
        is_reach = isinstance(event, SharedChanged) and event.is_reach
        if is_reach or isinstance(event, _CHANGES):
            self._is_stale = True
            if self._report or not self._change.isActive():
                self._look_soon()

    def show_status(self, status: EngineStatus) -> None:
        """Show the folders as they are now: the status line says the same."""
        self._workspaces = {each.workspace.id: each.workspace for each in status.workspaces}
        self._names = display_names(self._workspaces.values())
        of_folders = folder_findings(status.workspaces)
        if of_folders != self._of_folders:
            self._of_folders = of_folders
            self._show_findings()

    def show_agents(self, has_agents: bool) -> None:
        """Show from the next report on what is of use with agents only, or leave it out."""
        self._has_agents = has_agents

    def showEvent(self, event: QShowEvent) -> None:  # noqa: D102
        super().showEvent(event)
        self._aging.start()
        self._show_head()
        self._is_stale |= self._report is None or _seconds_since(self._report) > _OLD_SECONDS
        self._look_again()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: D102
        super().hideEvent(event)
        self._aging.stop()

    def _look_soon(self) -> None:
        rest_ms = self._unseen_rest_ms
        if self.isVisible():
            rest_ms = self._rest_ms
        self._change.start(rest_ms)

    def _look_again(self) -> None:
        if self._is_stale:
            self.check()

    def check(self) -> None:
        """Check everything again, unless a check is running."""
        if self._cancel is not None:
            return
        self._cancel = CancelToken()
        self._is_stale = False
        # The same button stops the check that it began.
        self.again.setText(self.tr("Stop"))
        self._progress.setRange(0, 0)
        self._progress.show()
        self._head.setText(self.tr("Checking your notes…"))
        last = 0

        # Fifty steps are as many as a thin bar shows.
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
        """Show the findings and sizes of a report, and the folders as they are now."""
        # Without agents nobody needs to hear about their memory.
        if not self._has_agents:
            others = tuple(each for each in report.found if each.kind not in _OF_AGENTS)
            report = replace(report, found=others, memory=())
        self._report = report
        self._found = attention_count(report.found)
        self._show_findings()
        _show_memory(self._memories, report, self._names)
        # A screen reader hears of it only where the page is seen.
        if self.isVisible():
            announce(self, attention_words(self._report.attention))

    def _show_findings(self) -> None:
        self.counted.emit(self._found, attention_count(self._of_folders))
        if self._report is None:
            return
        chosen = self._chosen()
        self._report = replace(self._report, of_folders=self._of_folders)
        findings = self._report.findings
        self.model.show(findings, self._names)
        self._pages.setCurrentIndex(0 if findings else 1)
        self._show_head()
        if findings:
            # The same finding stays chosen, if it is still there.
            row = 0
            if chosen in findings:
                row = findings.index(chosen)
            self.list.setCurrentIndex(self.model.index(row))

    def _show_head(self) -> None:
        report = self._report
        if report is not None and self._cancel is None:
            sentence = self.tr("Scrubjay checked {notes} {when}.")
            if report.documents:
                sentence = self.tr(
                    "Scrubjay checked {notes} {when}, but not {n} {n:document|documents} (PDF, "
                    "canvas and similar files)."
                )
            scope = sentence.format(
                notes=format_note_count(report.notes),
                when=format_age(_seconds_since(report)),
                n=format_number(report.documents),
            )
            self._head.setText(f"{attention_words(report.attention)} {scope}")

    def _build(self) -> None:
        title = page_title(self.tr("Health"))
        self._head = muted_label()
        self.again = SmallButton(self.tr("Check again"))
        self.again.clicked.connect(self._again)
        self._progress = progress_bar(self.tr("Notes checked so far"))
        top = hbox((vbox(title, self._head), 1), (self.again, TOP))
        # Findings, or the message that there are none, take all the room below the sizes.
        self._memories = vbox(spacing=1)
        self._pages = QStackedWidget()
        self._pages.addWidget(self._findings())
        self._pages.addWidget(_all_well())
        parts = (top, self._progress, self._memories, (self._pages, 1))
        vbox(*parts, on=self, margins=PAGE, spacing=1.5)

    def _findings(self) -> QWidget:
        # Findings are rows, and the buttons of the chosen one stand in its row.
        self.list = _calm_list()
        self.list.setModel(self.model)
        self._delegate = TextRowDelegate(self.list, row_text, beside=0)
        self.list.setItemDelegate(self._delegate)
        self.list.setAccessibleName(self.tr("Results of the check"))
        self.list.selectionModel().currentChanged.connect(self._show_actions)
        self.list.activated.connect(lambda _: self._show_me())
        self.buttons: list[SmallButton] = []
        """Buttons in the row of the chosen finding."""
        return self.list

    def _chosen(self) -> Finding | None:
        return self.model.finding(self.list.currentIndex().row())

    def _show_actions(self, index: QModelIndex, former: QModelIndex) -> None:
        """Put the buttons of the chosen finding into its row."""
        self.list.setIndexWidget(former, None)  # type: ignore[arg-type]
        self.buttons = self._buttons_of(self._chosen())
        if self.buttons:
            row = QWidget()
            vbox(1, hbox(*self.buttons, 1, spacing=1), on=row, margins=(5.5, 0, 2, 1.5))
            self.list.setIndexWidget(index, row)
        # The row with the buttons is higher than before, and the former one lower.
        for changed in (former, index):
            self._delegate.sizeHintChanged.emit(changed)

    def _buttons_of(self, finding: Finding | None) -> list[SmallButton]:
        # The first button leads to the thing, the second one fixes it.
        buttons = []
        if finding and self._way_to(finding):
            text = _way_text(finding.kind)
            buttons.append(SmallButton(text, finding_texts(finding).title))
            buttons[-1].clicked.connect(self._show_me)
        if finding and finding.fix:
            buttons.append(SmallButton(_fix_text(finding.fix), finding_texts(finding).title))
            buttons[-1].clicked.connect(self._mend)
        # What is meant as it is can be left, and reported again.
        if finding and finding.is_left:
            buttons.append(SmallButton(self.tr("Report again"), finding_texts(finding).title))
            buttons[-1].clicked.connect(lambda: self._report_again(finding))
        elif finding and finding.kind in LEAVABLE:
            buttons.append(SmallButton(self.tr("Leave as is"), finding_texts(finding).title))
            buttons[-1].clicked.connect(lambda: self._leave(finding))
        return buttons

    def _leave(self, finding: Finding) -> None:
        def say(_none: None) -> None:
            sentence = self.tr("Scrubjay no longer reports this as a problem: {what}")
            undo = Offer(self.tr("Undo"), lambda: self._report_again(finding))
            self.announced.emit(sentence.format(what=finding_texts(finding).detail), undo)
            self.check()

        left = self._health.leave(finding)
        self._tasks.watch(left, CancelToken(), done=say, failed=self._fail)

    def _report_again(self, finding: Finding) -> None:
        again = self._health.report_again(finding)
        self._tasks.watch(again, CancelToken(), done=lambda _: self.check(), failed=self._fail)

    def _show_me(self) -> None:
        finding = self._chosen()
        way = self._way_to(finding) if finding else None
        if way:
            way()

    def _way_to(self, finding: Finding) -> Callable[[], None] | None:
        # Where something can be set right elsewhere, the button leads there.
        match finding.kind:
            case (
                FindingKind.SETTING
                | FindingKind.KEY_IN_SETTINGS
                | FindingKind.KEYCHAIN
                | FindingKind.QMD
            ):
                return self.settings_requested.emit
            case FindingKind.MODEL | FindingKind.FALLBACK:
                return self.models_requested.emit
            case FindingKind.AGENT_CONNECTION | FindingKind.AGENT_CONNECTED_TWICE:
                return self.agents_requested.emit
            case FindingKind.FOLDER_GONE | FindingKind.SHARED_MEMORY:
                return self.folders_requested.emit
            case FindingKind.SHARED_LEFTOVERS if finding.workspace in self._workspaces:
                workspace = self._workspaces[finding.workspace]
                return partial(self.publish_requested.emit, workspace)
            case FindingKind.NOT_SEARCHED if finding.file:
                return partial(self.place_requested.emit, finding.file)
        if finding.file:
            return partial(self.note_requested.emit, finding)
        return None

    def _mend(self) -> None:
        finding = self._chosen()
        if finding is None or finding.fix is None:
            return
        # Nothing else is chosen while it is being fixed.
        self.list.setEnabled(False)
        self._tasks.watch(
            self._health.fix(finding),
            CancelToken(),
            done=lambda edit: self._mended(finding, edit),
            failed=self._fail,
            settled=lambda: self.list.setEnabled(True),
        )

    def _mended(self, finding: Finding, edit: NoteEdit | None) -> None:
        # Only a change of a note can be undone here.
        if edit is not None:
            sentence = self.tr(
                "Scrubjay blanked out a password or key in {path} and kept a copy of the "
                "original note."
            )
            undo = Offer(self.tr("Undo"), lambda: self._undo(edit))
            self.announced.emit(sentence.format(path=finding.path), undo)
        else:
            sentence = self.tr("Scrubjay is fixing this problem: {what}").format(
                what=finding_texts(finding).title
            )
            self.announced.emit(sentence, NEWS)
        self.check()

    def _undo(self, edit: NoteEdit) -> None:
        undone = self._health.undo(edit)
        self._tasks.watch(undone, CancelToken(), done=lambda _: self.check(), failed=self._fail)

    def _again(self) -> None:
        if self._cancel is None:
            self.check()
            return
        self._cancel.cancel()
        self._report = None
        self._end_check()
        self._head.setText(self.tr("The check was stopped. You can start it again at any time."))

    def _show_reading(self, done: int, total: int) -> None:
        if self._cancel is not None:
            self._progress.setRange(0, total)
            self._progress.setValue(done)

    def _end_check(self) -> None:
        self._cancel = None
        self.again.setText(self.tr("Check again"))
        self._progress.hide()
        # Something changed during the look.
        if self._is_stale:
            self._look_soon()

    def _fail(self, error: ScrubjayError) -> None:
        self._report = None
        self._head.setText(translated(str(error)))
        announce(self, translated(str(error)))


def _show_memory(memories: QBoxLayout, report: HealthReport, names: WorkspaceNames) -> None:
    item = memories.takeAt(0)
    while item:
        widget = item.widget()
        if widget:
            widget.deleteLater()
        item = memories.takeAt(0)
    # The largest ones are the ones that agents cannot load whole.
    for size in sorted(report.memory, key=lambda size: -size.characters)[:_MAX_MEMORIES]:
        memories.addWidget(memory_size_bar(size, names.get(size.workspace, size.workspace)))


def _way_text(kind: FindingKind) -> str:
    match kind:
        case FindingKind.NOT_SEARCHED:
            return translate("HealthPage", "Show in folder")
        case FindingKind.SHARED_LEFTOVERS:
            return translate("HealthPage", "Publish now")
    return translate("HealthPage", "Show")


def _fix_text(fix: Fix) -> str:
    return {
        Fix.REDACT: translate("HealthPage", "Blank out password or key"),
        Fix.REBUILD: translate("HealthPage", "Read notes again"),
        Fix.REFRESH: translate("HealthPage", "Check for changes"),
        Fix.CLEAN: translate("HealthPage", "Delete leftover downloads"),
    }[fix]


def _all_well() -> EmptyState:
    return EmptyState(
        "health",
        translate("HealthPage", "No problems found"),
        translate(
            "HealthPage",
            "Scrubjay found no passwords, broken links or duplicates in the notes that it "
            "checked, and no problems with its settings or language helper.",
        ),
    )


def _calm_list() -> QListView:
    listed = QListView()
    listed.setFrameShape(QListView.Shape.NoFrame)
    listed.setResizeMode(QListView.ResizeMode.Adjust)
    listed.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
    listed.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    return listed


def _seconds_since(report: HealthReport) -> float:
    return (dt.datetime.now().astimezone() - report.checked_at).total_seconds()


def memory_sentence(size: MemoryFileSize, name: str) -> str:
    """The size of the MEMORY.md in a workspace of this name, in words."""
    # A file that is too long is cut where agents stop reading.
    if size.cut_line:
        text = translate(
            "Health",
            "Agents load only the first {limit} of the {characters} characters in {path} "
            "in {workspace}, up to line {line}.",
        )
    else:
        text = translate(
            "Health",
            "{path} in {workspace} uses {characters} of the {limit} characters "
            "that agents can load.",
        )
    return text.format(
        workspace=name,
        path=size.path,
        characters=format_number(size.characters),
        limit=format_number(size.limit),
        line=format_number(size.cut_line),
    )


def memory_size_bar(size: MemoryFileSize, name: str) -> QWidget:
    """The size of a MEMORY.md in words, and the part that agents load as a bar."""
    sentence = memory_sentence(size, name)
    # The bar is full where the whole file is loaded.
    bar = progress_bar(sentence)
    bar.setRange(0, max(size.characters, size.limit))
    bar.setValue(min(size.characters, size.limit))
    box = QWidget()
    vbox(muted_label(sentence, -0.5), bar, on=box, margins=NONE, spacing=0.5)
    return box
