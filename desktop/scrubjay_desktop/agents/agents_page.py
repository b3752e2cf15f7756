"""Agents: see and connect them, give permissions, read their questions, review proposals."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QTabWidget, QWidget

from scrubjay.agents.dreaming.review_queue import DreamCandidate
from scrubjay.agents.dreaming.workspace_dreams import DreamsApplied
from scrubjay.agents.recall.capture_queue import CapturedSentence
from scrubjay.engine.engine import Engine
from scrubjay.event_bus import Event
from scrubjay.events import (
    AccessChanged,
    AuditLogChanged,
    CapturesChanged,
    DreamsChanged,
    EditsChanged,
    SettingsChanged,
    WorkspacesChanged,
)
from scrubjay.notes.daily_note import AppendedEntry
from scrubjay.notes.note_edits import NoteEdit
from scrubjay.records.access_records import AGENT_NAMES
from scrubjay.records.note_records import Workspace
from scrubjay_desktop.agents.audit_log_pane import AuditLogPane
from scrubjay_desktop.agents.changes_pane import ChangesPane
from scrubjay_desktop.agents.connect_pane import ConnectPane
from scrubjay_desktop.agents.permissions_pane import PermissionsPane
from scrubjay_desktop.agents.review_queue_pane import Proposal, ReviewQueuePane
from scrubjay_desktop.bridge.bridge import PageRequests, Tasks
from scrubjay_desktop.settings.setting_changes import SettingChanges
from scrubjay_desktop.settings.setting_row import SettingRow
from scrubjay_desktop.text.formatting import (
    format_number,
    format_percent,
    join_words,
    short_day,
    translated,
)
from scrubjay_desktop.text.workspace_names import WorkspaceNames, display_names
from scrubjay_desktop.widgets.banner import NEWS, EmptyState, Offer
from scrubjay_desktop.widgets.buttons import Button, SmallButton
from scrubjay_desktop.widgets.labels import page_title
from scrubjay_desktop.widgets.layouts import stacked_widget, vbox
from scrubjay_desktop.widgets.theme import GRID

T = TypeVar("T")


_SUGGESTIONS = "dreaming.enabled"
"""Key of the setting that turns on suggestions for MEMORY.md."""
_CAPTURES = "recall.capture"
"""Key of the setting that keeps what people tell agents."""
_DAYS = "access.auditLogDays"
"""Key of the setting for how long questions are kept; 0 for not at all."""


class AgentsPage(QWidget):
    """Six panes as tabs; a picture of their purpose while there is no agent."""

    announced = Signal(str, object)
    """Signal with a sentence, and an Offer to undo the change or None."""
    look_requested = Signal()
    """Signal that the user wants agents to be looked for."""
    folder_requested = Signal(object)
    """Signal with a NotesFolder, the memory of an agent, to search from now on."""
    counted = Signal(int, str)
    """Signal with the number of decisions that wait, and a sentence with it."""

    def __init__(self, engine: Engine, tasks: Tasks) -> None:
        super().__init__()
        self._engine = engine
        self._requests = PageRequests(tasks, self.announced)
        self._is_asked = False
        """Whether the user waits for the outcome of a look."""
        self._waiting = {"changes": 0, "dreams": 0, "captured": 0}
        # The panes, each with what it asks the engine.
        self.connect_pane = ConnectPane(engine.connections, engine.agents, tasks)
        self.rules = PermissionsPane(engine.agents, tasks)
        self.audit_log = AuditLogPane(engine.agents, tasks)
        self.changes = ChangesPane(engine.edits, tasks)
        self.switches: dict[str, SettingRow] = {}
        """Rows of the settings that turn on suggestions and captures, by their keys."""
        self._setting_changes = SettingChanges(engine.settings_editor, tasks, self)
        self.dreams = self._dreams_pane()
        self.captured = self._captured_pane()
        self._build()
        for pane in (
            self.connect_pane,
            self.rules,
            self.audit_log,
            self.changes,
            self._setting_changes,
        ):
            pane.announced.connect(self.announced)
        self._setting_changes.changed.connect(self._show_settings)
        self.connect_pane.folder_requested.connect(self.folder_requested)
        self.dreams.kept.connect(self._promote)
        self.dreams.refused.connect(self._refuse_dream)
        self.captured.kept.connect(self._keep)
        self.captured.refused.connect(self._drop)
        # What is known is shown at once, and the rest as it comes.
        self.rules.show_workspaces(engine.searchable_workspaces())
        self.connect_pane.refresh()
        self.rules.refresh()
        self._show_settings()
        self.changes.counted.connect(lambda count: self._count("changes", count))
        self._load_changes()
        self._load_dreams()
        self._load_captured()

    def show_found(self, is_found: bool) -> None:
        """Show the panes, or the picture when there is no agent."""
        # Only a person who asked for a look hears that it found nothing.
        if self._is_asked and not is_found:
            self.announced.emit(self.tr("No agents were found on this computer."), NEWS)
        self._is_asked = False
        page: QWidget = self._purpose
        if is_found:
            page = self.tabs
        self._body.setCurrentWidget(page)

    def on_event(self, event: Event) -> None:
        """Load the pane that an event concerns."""
        # Each pane is loaded when something in it has changed.
        match event:
            case AuditLogChanged():
                self.audit_log.refresh()
                self._show_access()
                # Another process may have kept a proposal of the agent.
                self._load_changes()
            case EditsChanged():
                self._load_changes()
            case AccessChanged():
                self._show_access()
            case SettingsChanged():
                self._show_access()
                self._show_settings()
            case DreamsChanged():
                self._load_dreams()
            case CapturesChanged():
                self._load_captured()
            case WorkspacesChanged():
                self.rules.show_workspaces(self._engine.searchable_workspaces())
                # The memory of an agent may be searched now, or no longer.
                self.connect_pane.refresh()
                # The notes of a folder that was turned off are no longer shown.
                self._load_changes()
            case _:
                pass

    def _show_access(self) -> None:
        """Show again what agents may do and asked."""
        self.rules.refresh()
        self.connect_pane.refresh_overviews()

    def _build(self) -> None:
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.setAccessibleName(self.tr("Agents"))
        self.tabs.addTab(self.connect_pane, self.tr("Overview"))
        self.tabs.addTab(self.rules, self.tr("Permissions"))
        self.tabs.addTab(self.audit_log, self.tr("Questions"))
        self.tabs.addTab(self.changes, self.tr("Changes"))
        self.tabs.addTab(self.dreams, self.tr("Suggestions"))
        self.tabs.addTab(self.captured, self.tr("From conversations"))
        # Where there is no agent, a picture says what one would be good for.
        self._purpose = EmptyState(
            "agents-and-notes",
            self.tr("Let AI programs search your notes"),
            self.tr(
                "{programs} can search your notes while they work for you. You decide what "
                "each of them can see. None of them was found on this computer."
            ).format(programs=join_words(list(AGENT_NAMES.values()))),
        )
        self.look_again = Button(self.tr("Check again"))
        self.look_again.clicked.connect(self._look_again)
        self._purpose.add_button(self.look_again)
        self._body = stacked_widget(self.tabs, self._purpose)
        # Scroll bars of the panes stand in the margin of the page; all else ends before it.
        self._purpose.setContentsMargins(0, 0, 2 * GRID, 0)
        title = page_title(self.tr("Agents"))
        vbox(title, (self._body, 1), on=self, margins=(3, 3, 1, 2), spacing=1)

    def _look_again(self) -> None:
        self._is_asked = True
        self.connect_pane.refresh()
        self.look_requested.emit()

    def _dreams_pane(self) -> ReviewQueuePane:
        self.look = SmallButton(self.tr("Look for suggestions"))
        self.look.clicked.connect(self._dream)
        # The pane explains itself and has its switch, also while nothing is proposed.
        explanation = self.tr(
            "Passages that agents often look up in your daily notes may belong "
            "in MEMORY.md. By default, Scrubjay adds nothing without your "
            "permission. You can undo the most recent addition."
        )
        return ReviewQueuePane(
            explanation,
            self._switch(_SUGGESTIONS),
            keep=self.tr("Add to MEMORY.md"),
            buttons=[self.look],
        )

    def _captured_pane(self) -> ReviewQueuePane:
        explanation = self.tr(
            "These decisions, preferences and facts come from your "
            "conversations with agents. Those that you keep are added to the "
            "end of today's note."
        )
        return ReviewQueuePane(explanation, self._switch(_CAPTURES), self.tr("Keep"))

    def _switch(self, key: str) -> SettingRow:
        """The row of a setting, which is changed here as on the settings page."""
        [setting] = [each for each in self._engine.settings_editor.all() if each.key == key]
        row = SettingRow(setting)
        self._setting_changes.follow(row)
        self.switches[key] = row
        return row

    def _show_settings(self) -> None:
        """Show the values of the switches, and what follows from them."""
        for setting in self._engine.settings_editor.all():
            if setting.key in self.switches:
                self.switches[setting.key].show_setting(setting)
            elif setting.key == _DAYS:
                self.audit_log.show_days(setting.value)
        # What is seen in place of proposals says how to get some.
        is_suggesting = bool(self.switches[_SUGGESTIONS].setting.value)
        self.look.setEnabled(is_suggesting)
        if is_suggesting:
            self.dreams.show_reason(
                self.tr("No suggestions yet"),
                self.tr("Scrubjay collects suggestions while agents search your notes."),
            )
        else:
            self.dreams.show_reason(
                self.tr("Suggestions are off"),
                self.tr("Turn them on above. Scrubjay then collects them while agents search."),
            )
        # Captures have three values: off, into the list for review, or at once into today's note.
        match self.switches[_CAPTURES].setting.value:
            case "off":
                self.captured.show_reason(
                    self.tr("Facts are not kept"),
                    self.tr("Choose above what Scrubjay does with facts that you tell agents."),
                )
            case "automatic":
                self.captured.show_reason(
                    self.tr("Nothing to review"),
                    self.tr("Facts that you tell agents are added to today's note."),
                )
            case _:
                self.captured.show_reason(
                    self.tr("Nothing to review yet"),
                    self.tr("Facts that you tell agents appear here."),
                )

    def _load_changes(self) -> None:
        self.changes.refresh(self._names())

    def _load_dreams(self) -> None:
        self._requests.watch(self._engine.dreams.candidates(), self._show_dreams)

    def _show_dreams(self, candidates: tuple[DreamCandidate, ...]) -> None:
        names = self._names()
        self.dreams.show_proposals(
            [self._dream_proposal(candidate, names) for candidate in candidates]
        )
        self._count("dreams", len(candidates))

    def _dream_proposal(self, candidate: DreamCandidate, names: WorkspaceNames) -> Proposal:
        entry = candidate.entry
        day = short_day(entry.day) if entry.day else ""
        # The place and the day tell where the text comes from, the numbers why it is worth keeping.
        where = f"{entry.path}:{entry.first_line}"
        origin = (names.get(candidate.workspace, ""), where, day)
        words = self.tr(
            "Agents found this passage {n} {n:time|times} for {queries} "
            "{queries:question|questions}. Certainty: {share}."
        )
        reason = words.format(
            n=format_number(entry.recalls),
            queries=format_number(candidate.queries),
            share=format_percent(candidate.score),
        )
        # The reason tells why the text was proposed, the origin where it stands.
        return Proposal(
            key=candidate.key,
            workspace=candidate.workspace,
            text=candidate.text,
            origin=" · ".join(part for part in origin if part),
            reason=reason,
        )

    def _dream(self) -> None:
        for workspace in self._engine.workspaces():
            self._requests.watch(self._engine.dreams.run(workspace), lambda _: self._load_dreams())

    def _promote(self, proposal: Proposal) -> None:
        def done(applied: DreamsApplied) -> None:
            # What was not written is told with its reason.
            self._load_dreams()
            if applied.written:
                undo = Offer(self.tr("Undo"), lambda: self._undo_dream(proposal))
                self.announced.emit(self.tr("The passage was added to MEMORY.md."), undo)
            for reason in applied.left.values():
                self.announced.emit(translated(reason), None)

        self._decide(proposal, lambda of: self._engine.dreams.apply(of, [proposal.key]), done)

    def _undo_dream(self, proposal: Proposal) -> None:
        def done(edit: NoteEdit) -> None:
            self.announced.emit(self.tr("MEMORY.md was restored."), NEWS)
            self._load_dreams()

        self._decide(proposal, self._engine.dreams.undo, done)

    def _refuse_dream(self, proposal: Proposal) -> None:
        self._decide(
            proposal,
            lambda of: self._engine.dreams.refuse(of, [proposal.key]),
            lambda _: self._load_dreams(),
        )

    def _decide(
        self, proposal: Proposal, ask: Callable[[Workspace], Future[T]], done: Callable[[T], None]
    ) -> None:
        """Ask for a decision in the workspace of a proposal, which may have been removed."""
        for workspace in self._engine.workspaces():
            if workspace.id == proposal.workspace:
                self._requests.watch(ask(workspace), done)
                return
        self._load_dreams()

    def _load_captured(self) -> None:
        self._requests.watch(self._engine.recall.captured(), self._show_captured)

    def _show_captured(self, captures: tuple[CapturedSentence, ...]) -> None:
        names = self._names()
        self.captured.show_proposals(
            [self._capture_proposal(capture, names) for capture in captures]
        )
        self._count("captured", len(captures))

    def _capture_proposal(self, capture: CapturedSentence, names: WorkspaceNames) -> Proposal:
        origin = f"{names.get(capture.workspace, capture.workspace)} · {self._category(capture)}"
        return Proposal(
            key=capture.id, workspace=capture.workspace, text=capture.text, origin=origin
        )

    def _category(self, capture: CapturedSentence) -> str:
        names = {
            "preference": self.tr("Preference"),
            "decision": self.tr("Decision"),
            "entity": self.tr("Person or thing"),
            "fact": self.tr("Fact"),
        }
        return names.get(capture.category.value, self.tr("Other"))

    def _keep(self, proposal: Proposal) -> None:
        def done(written: AppendedEntry) -> None:
            text = self.tr("The text was added to {path}.").format(path=written.path)
            undo = Offer(self.tr("Undo"), lambda: self._take_back(written))
            self.announced.emit(text, undo)
            self._load_captured()

        self._requests.watch(self._engine.recall.accept(proposal.key), done)

    def _take_back(self, written: AppendedEntry) -> None:
        self._requests.watch(
            self._engine.notes.undo_remember(written), lambda _: self._load_captured()
        )

    def _drop(self, proposal: Proposal) -> None:
        future = self._engine.recall.refuse(proposal.key)
        self._requests.watch(future, lambda _: self._load_captured())

    def _names(self) -> WorkspaceNames:
        workspaces = self._engine.searchable_workspaces()
        return display_names(workspaces)

    def _count(self, queue: str, count: int) -> None:
        self._waiting[queue] = count
        total = sum(self._waiting.values())
        words = self.tr("{n} {n:suggestion is|suggestions are} waiting for your decision.")
        self.counted.emit(total, words.format(n=format_number(total)))
