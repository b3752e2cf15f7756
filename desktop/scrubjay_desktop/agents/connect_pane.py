"""Connects agents: their state, the exact change of their settings, and its undoing."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFrame, QWidget

from scrubjay.agents.connect.clients import GUIDE
from scrubjay.agents.connect.connections import AgentConnection, Connections
from scrubjay.agents.connect.settings_edit import ConnectionChange
from scrubjay.errors import ScrubjayError
from scrubjay_desktop.bridge.bridge import PageRequests, Tasks
from scrubjay_desktop.text.formatting import listed, translated
from scrubjay_desktop.timeline.diff_view import DiffText
from scrubjay_desktop.widgets.banner import NEWS, Offer
from scrubjay_desktop.widgets.buttons import SmallButton, dialog_buttons
from scrubjay_desktop.widgets.labels import bold_label, muted_label, plain_label
from scrubjay_desktop.widgets.layouts import DIALOG, NONE, hbox, vbox
from scrubjay_desktop.widgets.theme import GRID


class ConnectPane(QWidget):
    """A row for each agent on this computer."""

    announced = Signal(str, object)
    """Signal with a sentence, and an Offer to undo the change or None."""

    def __init__(self, connections: Connections, tasks: Tasks) -> None:
        super().__init__()
        self._connections = connections
        self._requests = PageRequests(tasks, self.announced)
        self.rows: dict[str, ConnectionRow] = {}
        """Rows by the id of their agent; those that are not here are hidden."""
        # Rows for agents that are here, and one line for all others.
        words = muted_label(
            self.tr(
                "Connected agents search your notes with Scrubjay instead of "
                "reading the files. Before Scrubjay changes an agent's settings, "
                "you see each change. You can undo the changes later."
            )
        )
        self._column = vbox(spacing=1)
        self.absent = muted_label()
        parts = (words, self._column, self.absent, 1)
        vbox(*parts, on=self, margins=(0, 2, 0, 0), spacing=2)

    def refresh(self) -> None:
        """Find the agents on this computer again."""
        self._requests.watch(self._connections.list(), self.show_agents)

    def show_agents(self, agents: Sequence[AgentConnection]) -> None:
        """Show a row for each agent on this computer, and name the others."""
        for agent in agents:
            # A row stays while the state of its agent changes.
            row = self.rows.get(agent.client)
            if row is None:
                row = ConnectionRow()
                row.change_requested.connect(self._plan)
                row.guide_requested.connect(self._copy_guide)
                self.rows[agent.client] = row
                self._column.addWidget(row)
            row.show_agent(agent)
        names = [agent.name for agent in agents if not agent.is_found]
        self.absent.setText(
            self.tr("Not found on this computer: {names}.").format(names=listed(names))
        )
        self.absent.setVisible(bool(names))

    def _copy_guide(self, agent: AgentConnection) -> None:
        QGuiApplication.clipboard().setText(GUIDE)
        text = self.tr(
            "The text was copied. Paste it into {file} in your project or in the {agent} folder."
        )
        self.announced.emit(text.format(file=agent.guide, agent=agent.name), NEWS)

    def _plan(self, client: str, undo: bool) -> None:
        future = self._connections.plan(client, undo=undo)
        self._requests.watch(future, self._show_change, self._fail)

    def _show_change(self, change: ConnectionChange) -> None:
        if not change.is_needed:
            self.announced.emit(self.tr("The agent's settings do not need to be changed."), NEWS)
            self.refresh()
            return
        dialog = ChangeDialog(change, self)
        dialog.accepted.connect(lambda: self._apply(change))
        dialog.open()

    def _apply(self, change: ConnectionChange) -> None:
        def done(agent: AgentConnection) -> None:
            self.rows[agent.client].show_agent(agent)
            # What was connected can be undone, and what was undone needs no offer.
            if change.is_undo:
                text = self.tr("{agent} is no longer connected to Scrubjay.").format(
                    agent=agent.name
                )
                self.announced.emit(text, NEWS)
                return
            text = self.tr("{agent} is now connected to Scrubjay. {after}").format(
                agent=agent.name, after=translated(agent.after)
            )
            undo = Offer(self.tr("Undo"), lambda: self._take_back(agent.client))
            self.announced.emit(text.strip(), undo)

        self._requests.watch(self._connections.apply(change), done, self._fail)

    def _take_back(self, client: str) -> None:
        future = self._connections.plan(client, undo=True)
        self._requests.watch(future, self._apply, self._fail)

    def _fail(self, error: ScrubjayError) -> None:
        """Announce a failure, and show the agents as they are now."""
        self._requests.fail(error)
        self.refresh()


class ConnectionRow(QWidget):
    """One agent: its state, and buttons to connect and disconnect it."""

    change_requested = Signal(str, bool)
    """Signal with the id of the agent, and whether the connection is to be undone."""
    guide_requested = Signal(object)
    """Signal with the agent, a text for which is to be copied."""

    def __init__(self) -> None:
        super().__init__()
        self._agent: AgentConnection | None = None
        self._name = bold_label()
        self.line = muted_label()
        self.connect_button = SmallButton()
        self.undo_button = SmallButton()
        self.guide_button = SmallButton()
        # The row asks, and the pane plans and writes.
        self.guide_button.clicked.connect(lambda: self.guide_requested.emit(self._agent))
        self.connect_button.clicked.connect(lambda: self._request_change(undo=False))
        self.undo_button.clicked.connect(lambda: self._request_change(undo=True))
        words = vbox(self._name, self.line, spacing=0.25)
        buttons = (self.guide_button, self.connect_button, self.undo_button)
        hbox((words, 1), *buttons, on=self, margins=NONE)

    def show_agent(self, agent: AgentConnection) -> None:
        """Show the state of the agent."""
        self._agent = agent
        self._name.setText(agent.name)
        self.setVisible(agent.is_found)
        self.line.setText(self._state(agent))
        connect = self.tr("Connect…")
        if agent.is_outdated:
            connect = self.tr("Update…")
        self.connect_button.set_text(connect, agent.name)
        self.undo_button.set_text(self.tr("Disconnect…"), agent.name)
        # The text for the agent's own notes helps only once it is connected.
        guide = self.tr("Copy text for {file}").format(file=agent.guide)
        self.guide_button.set_text(guide, agent.name)
        self.guide_button.setToolTip(
            self.tr("This text tells {agent} when to search your notes.").format(agent=agent.name)
        )
        self.guide_button.setVisible(bool(agent.guide) and agent.is_connected)
        is_usable = not agent.problem
        is_there = agent.is_connected or agent.is_outdated
        self.connect_button.setVisible(is_usable and not agent.is_connected)
        self.undo_button.setVisible(is_usable and is_there)

    def _state(self, agent: AgentConnection) -> str:
        if agent.problem:
            return translated(agent.problem)
        if agent.is_outdated:
            return self.tr("Connected to another copy of Scrubjay or to other notes")
        if agent.is_connected:
            return self.tr("Connected")
        return self.tr("Not connected")

    def _request_change(self, *, undo: bool) -> None:
        if self._agent is not None:
            self.change_requested.emit(self._agent.client, undo)


class ChangeDialog(QDialog):
    """The lines that would change in the settings of another program."""

    def __init__(self, change: ConnectionChange, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        title = self.tr("Connect {agent}")
        if change.is_undo:
            title = self.tr("Disconnect {agent}")
        self.setWindowTitle(title.format(agent=change.name))
        self.resize(90 * GRID, 56 * GRID)
        text = self.tr(
            "Scrubjay will make these changes to {file}. A copy of the original file will be kept."
        )
        # The exact lines are shown before anything is written.
        self.diff = DiffText()
        self.diff.setFrameShape(QFrame.Shape.StyledPanel)
        self.diff.setAccessibleName(self.tr("Planned changes"))
        self.diff.show_lines(change.lines)
        buttons = dialog_buttons(self, QDialogButtonBox.StandardButton.Cancel)
        self.write = buttons.addButton(
            self.tr("&Apply changes"), QDialogButtonBox.ButtonRole.AcceptRole
        )
        words = plain_label(text.format(file=change.file))
        vbox(words, self.diff, buttons, on=self, margins=DIALOG, spacing=1.5)
