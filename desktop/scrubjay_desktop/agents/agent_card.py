"""One agent at a glance: its connection, what it may do, and what it asked last."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from scrubjay.agents.connect.connection_records import AgentConnection, ConnectionPart
from scrubjay.records.access_records import AgentOverview
from scrubjay_desktop.agents.agent_words import (
    claimed_name_text,
    other_names,
    part_name,
    permission_text,
    request_text,
)
from scrubjay_desktop.text.formatting import (
    abbreviate_home,
    format_note_count,
    join_words,
    translated,
)
from scrubjay_desktop.widgets.buttons import Card, SmallButton
from scrubjay_desktop.widgets.labels import bold_label, muted_label, plain_label
from scrubjay_desktop.widgets.layouts import NONE, TOP, hbox, vbox

if TYPE_CHECKING:
    from scrubjay.onboarding.discovery import NotesFolder


class AgentCard(Card):
    """One agent, with buttons to connect and disconnect it and to add its own memory."""

    change_requested = Signal(str, bool)
    """Signal with the id of the agent, and whether the connection is to be undone."""
    guide_requested = Signal(object)
    """Signal with the agent, a text for which is to be copied."""
    folder_requested = Signal(object)
    """Signal with a NotesFolder, the agent's own memory, to search from now on."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._agent: AgentConnection | None = None
        self._overview: AgentOverview | None = None
        self._title = bold_label(name)
        self._id = muted_label("", -1)
        # What is known of it, one thought a line.
        self.line = muted_label()
        self.permissions = muted_label()
        self.claim = muted_label()
        self.requests = muted_label()
        self.connect_button = SmallButton()
        self.undo_button = SmallButton()
        self.guide_button = SmallButton()
        self.add_buttons: list[SmallButton] = []
        """Buttons that add a folder with the agent's own memory."""
        # The card asks, and the pane plans and writes.
        self.guide_button.clicked.connect(lambda: self.guide_requested.emit(self._agent))
        self.connect_button.clicked.connect(lambda: self._request_change(undo=False))
        self.undo_button.clicked.connect(lambda: self._request_change(undo=True))
        title = hbox(self._title, self._id, 1, spacing=1)
        state = vbox(title, self.line, spacing=0.25)
        buttons = (self.guide_button, self.connect_button, self.undo_button)
        top = hbox((state, 1), *((button, TOP) for button in buttons), margins=NONE)
        # The longer lines have the whole width below the buttons.
        words = vbox(self.permissions, self.claim, self.requests, spacing=0.25)
        self._memory = QWidget()
        parts = (top, words, self._memory)
        self._column = vbox(*parts, on=self, margins=(2, 1.5, 2, 1.5), spacing=0.5)
        self._show()

    def show_agent(self, agent: AgentConnection) -> None:
        """Show the connection of the agent."""
        self._agent = agent
        self._show_memory(agent)
        self._show()

    def show_overview(self, overview: AgentOverview | None) -> None:
        """Show what the agent may do and what it asked last; nothing for None."""
        self._overview = overview
        self._show()

    def _show(self) -> None:
        agent = self._agent
        overview = self._overview
        is_here = agent is not None and agent.is_found
        is_known = overview is not None and (overview.has_rule or overview.requests > 0)
        self.setVisible(is_here or is_known)
        self.line.setText(self._state())
        # What a program may do that never came and is not connected concerns nobody.
        is_connected = agent is not None and (agent.is_connected or agent.is_outdated)
        tells_more = overview is not None and (is_connected or is_known)
        has_void_rule = overview is not None and overview.is_claimed and overview.has_rule
        self.permissions.setVisible(tells_more)
        self.claim.setVisible(has_void_rule)
        self.requests.setVisible(tells_more)
        if overview is not None:
            self._title.setText(overview.title)
            self._id.setText(other_names(overview.name, overview.title, program=overview.program))
            self._id.setVisible(bool(self._id.text()))
            self.permissions.setText(permission_text(overview))
            self.claim.setText(claimed_name_text(overview.name))
            self.requests.setText(request_text(overview, dt.datetime.now().astimezone()))
        self._show_buttons(agent)

    def _show_buttons(self, agent: AgentConnection | None) -> None:
        buttons = (self.guide_button, self.connect_button, self.undo_button)
        if agent is None:
            for button in buttons:
                button.hide()
            return
        connect = self.tr("Connect…")
        if agent.is_outdated:
            connect = self.tr("Update…")
        elif agent.is_connected:
            connect = self.tr("Set up more…")
        self.connect_button.set_text(connect, agent.name)
        self.undo_button.set_text(self.tr("Disconnect…"), agent.name)
        # The text for the agent's own notes helps only once it is connected.
        guide = self.tr("Copy text for {file}").format(file=agent.guide)
        self.guide_button.set_text(guide, agent.name)
        self.guide_button.setToolTip(
            self.tr("This text tells {agent} when to search your notes.").format(agent=agent.name)
        )
        is_pasted = ConnectionPart.INSTRUCTIONS in agent.current
        self.guide_button.setVisible(bool(agent.guide) and agent.is_connected and not is_pasted)
        is_usable = not agent.problem and agent.is_found
        is_there = agent.is_connected or agent.is_outdated
        is_complete = agent.is_connected and agent.current == agent.available
        self.connect_button.setVisible(is_usable and not is_complete)
        # An extension can only be removed where it was installed.
        is_in_files = is_there and (bool(agent.doubled) or not agent.has_bundle)
        self.undo_button.setVisible(is_usable and is_in_files)

    def _show_memory(self, agent: AgentConnection) -> None:
        """Offer to add the agent's own memory, as long as it is not searched."""
        # The rows are made again, since they go when their folder is added.
        former = self._memory
        self._memory = QWidget()
        self.add_buttons = []
        rows = [self._memory_row(agent, folder) for folder in agent.memory]
        vbox(*rows, on=self._memory, margins=NONE, spacing=0.5)
        self._column.replaceWidget(former, self._memory)
        former.deleteLater()
        self._memory.setVisible(bool(rows))

    def _memory_row(self, agent: AgentConnection, folder: NotesFolder) -> QWidget:
        text = self.tr("Its own memory in {folder} is not searched yet ({notes}).")
        words = plain_label(
            text.format(folder=abbreviate_home(folder.root), notes=format_note_count(folder.notes))
        )
        # Buttons of several folders are told apart by their place.
        add = SmallButton()
        add.set_text(self.tr("Add to search"), f"{agent.name}, {abbreviate_home(folder.root)}")
        add.clicked.connect(lambda: self.folder_requested.emit(folder))
        self.add_buttons.append(add)
        row = QWidget()
        hbox((words, 1), add, on=row, margins=NONE)
        return row

    def _state(self) -> str:
        agent = self._agent
        if agent is None or not agent.is_found:
            return self.tr("Set up outside Scrubjay")
        if agent.problem:
            return translated(agent.problem)
        if agent.doubled:
            return self.tr(
                "Connected twice: through its Scrubjay extension and through its settings"
            )
        if agent.has_bundle:
            return self.tr("Connected through its Scrubjay extension")
        if agent.lost:
            parts = join_words([part_name(part) for part in agent.lost])
            return self.tr("Connected, but these parts were removed or changed: {parts}").format(
                parts=parts
            )
        if agent.is_outdated:
            return self.tr("Connected to another copy of Scrubjay or to other notes")
        if agent.is_connected and agent.current == agent.available:
            return self.tr("Connected")
        if agent.is_connected:
            parts = join_words([part_name(part) for part in agent.current])
            return self.tr("Connected: {parts}").format(parts=parts)
        return self.tr("Not connected")

    def _request_change(self, *, undo: bool) -> None:
        if self._agent is not None:
            self.change_requested.emit(self._agent.client, undo)
