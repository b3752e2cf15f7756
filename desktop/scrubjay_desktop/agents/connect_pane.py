"""All agents at a glance, and their connection: the exact change of settings, and its undoing."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from scrubjay.agents.access.access_control import AccessControl
from scrubjay.agents.connect.connection_records import AgentConnection, ConnectionChange
from scrubjay.agents.connect.connections import Connections
from scrubjay.agents.connect.known_agents import CLIENTS, GUIDE
from scrubjay.errors import ScrubjayError
from scrubjay.records.access_records import AgentOverview, shown_name
from scrubjay_desktop.agents.agent_card import AgentCard
from scrubjay_desktop.agents.change_dialog import ChangeDialog
from scrubjay_desktop.bridge.bridge import PageRequests, Tasks
from scrubjay_desktop.text.formatting import join_words, translated
from scrubjay_desktop.widgets.banner import NEWS, Offer
from scrubjay_desktop.widgets.labels import muted_label
from scrubjay_desktop.widgets.layouts import BEFORE_BAR, scroll_area, vbox


class ConnectPane(QWidget):
    """A card for each agent: whether it is connected, what it may do, what it asked last."""

    announced = Signal(str, object)
    """Signal with a sentence, and an Offer to undo the change or None."""
    folder_requested = Signal(object)
    """Signal with a NotesFolder to search from now on."""

    def __init__(self, connections: Connections, agents: AccessControl, tasks: Tasks) -> None:
        super().__init__()
        self._connections = connections
        self._agents = agents
        self._requests = PageRequests(tasks, self.announced)
        self.rows: dict[str, AgentCard] = {}
        """Cards by the id of their agent; those of agents that are not here are hidden."""
        self._not_found: tuple[AgentConnection, ...] = ()
        # Cards for agents that are or were here, and one line for all others.
        words = muted_label(
            self.tr(
                "Connected agents search your notes with Scrubjay instead of "
                "reading the files. Before Scrubjay changes an agent's settings, "
                "you see each change. You can undo the changes later."
            )
        )
        content = QWidget()
        self._column = vbox(spacing=1)
        self.absent = muted_label()
        vbox(self._column, self.absent, 1, on=content, margins=(0, 0, BEFORE_BAR, 2), spacing=2)
        area = scroll_area(content, self.tr("Agents"))
        top = vbox(words, margins=(0, 0, 2, 0))
        vbox(top, (area, 1), on=self, margins=(0, 2, 0, 0), spacing=2)

    def refresh(self) -> None:
        """Find the agents on this computer again, and what they may do and asked."""
        self._requests.watch(self._connections.list(), self.show_agents)
        self.refresh_overviews()

    def refresh_overviews(self) -> None:
        """Show again what agents may do and what they asked last."""
        self._requests.watch(self._agents.overview(tuple(CLIENTS)), self.show_overviews)

    def show_overviews(self, overviews: Sequence[AgentOverview]) -> None:
        """Show what each agent may do and what it asked last."""
        for overview in overviews:
            self._card(overview.name).show_overview(overview)
        # An agent that is neither here nor in the log any longer has nothing to show.
        named = {overview.name for overview in overviews}
        for name, card in self.rows.items():
            if name not in named:
                card.show_overview(None)
        self._name_absent()

    def _card(self, name: str) -> AgentCard:
        """The card of an agent, which stays while its state changes."""
        card = self.rows.get(name)
        if card is None:
            card = AgentCard(shown_name(name))
            card.change_requested.connect(self._plan)
            card.guide_requested.connect(self._copy_guide)
            card.folder_requested.connect(self.folder_requested)
            self.rows[name] = card
            self._column.addWidget(card)
        return card

    def show_agents(self, agents: Sequence[AgentConnection]) -> None:
        """Show a card for each agent on this computer, and name the others."""
        for agent in agents:
            self._card(agent.client).show_agent(agent)
        self._not_found = tuple(agent for agent in agents if not agent.is_found)
        self._name_absent()

    def _name_absent(self) -> None:
        """Name the agents that are not here and never asked, since the others have a card."""
        agents = [agent for agent in self._not_found if self.rows[agent.client].isHidden()]
        names = [agent.name for agent in agents]
        self.absent.setText(
            self.tr("Not found on this computer: {names}.").format(names=join_words(names))
        )
        self.absent.setVisible(bool(names))

    def _copy_guide(self, agent: AgentConnection) -> None:
        QGuiApplication.clipboard().setText(GUIDE)
        text = self.tr(
            "The text was copied. Paste it into {file} in your project or in the {agent} folder."
        )
        self.announced.emit(text.format(file=agent.guide, agent=agent.name), NEWS)

    def _plan(self, client: str, undo: bool) -> None:
        if undo:
            future = self._connections.plan_undo(client)
        else:
            future = self._connections.plan(client)
        self._requests.watch(future, self._show_change, self._fail)

    def _show_change(self, change: ConnectionChange) -> None:
        if not change.is_needed:
            self.announced.emit(self.tr("The agent's settings do not need to be changed."), NEWS)
            self.refresh()
            return
        dialog = ChangeDialog(change, self)
        dialog.parts_changed.connect(
            lambda parts: self._requests.watch(
                self._connections.plan(change.client, parts), dialog.show_change, self._fail
            )
        )
        dialog.accepted.connect(lambda: self._apply(dialog.change))
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
            if agent.memory:
                text += " " + self.tr("Its own memory is not searched yet. You can add it below.")
            undo = Offer(self.tr("Undo"), lambda: self._take_back(agent.client))
            self.announced.emit(text.strip(), undo)

        self._requests.watch(self._connections.apply(change), done, self._fail)

    def _take_back(self, client: str) -> None:
        future = self._connections.plan_undo(client)
        self._requests.watch(future, self._apply, self._fail)

    def _fail(self, error: ScrubjayError) -> None:
        """Announce a failure, and show the agents as they are now."""
        self._requests.fail(error)
        self.refresh()
