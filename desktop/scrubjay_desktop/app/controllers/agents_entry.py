"""The place of the page of agents: among the pages, or in the menu."""

from __future__ import annotations

from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from scrubjay.concurrency.futures import gather_futures
from scrubjay.event_bus import Event
from scrubjay.events import AccessAsked, AccessChanged, AuditLogChanged, WorkspacesChanged
from scrubjay_desktop.workspaces.sample_notes import sample_notes_folder

if TYPE_CHECKING:
    from scrubjay.agents.connect.connection_records import AgentConnection
    from scrubjay.records.access_records import KnownAgent
    from scrubjay_desktop.app.ui import Ui


class AgentsEntryController(QObject):
    """Gives the page of agents its place in the navigation once there is one, or a wish for it."""

    looked = Signal(bool)
    """Signal that says whether an agent is or was here."""

    def __init__(self, ui: Ui) -> None:
        super().__init__(ui.window)
        self._ui = ui
        # The page is in the navigation for either reason.
        self._is_found = False
        self._is_wanted = False

    def look(self) -> None:
        """Look for agents, and announce the outcome."""
        agents: list[Future[Any]] = [
            self._ui.engine.connections.list(),
            self._ui.engine.agents.known_agents(),
        ]
        self._ui.tasks.watch(
            gather_futures(agents), self._ui.life, done=lambda found: self._judge(*found)
        )

    def present(self) -> None:
        """Show the page, because the user wants to see it, until the app is closed."""
        self._is_wanted = True
        self._ui.window.show_agents_entry(is_shown=True)
        self._ui.window.show_page("agents")

    def on_event(self, event: Event) -> None:
        """Look again when an agent may have come."""
        signs = AccessAsked | AuditLogChanged | AccessChanged
        is_sign = isinstance(event, signs) and not self._is_found
        if is_sign or isinstance(event, WorkspacesChanged):
            self.look()

    def _judge(
        self, programs: tuple[AgentConnection, ...], visitors: tuple[KnownAgent, ...]
    ) -> None:
        # The sample notes look like those of an agent.
        sample = sample_notes_folder(self._ui.engine.paths)
        # An agent is here as a program, or was here, or has a rule, or has a folder.
        self._is_found = (
            any(program.is_found for program in programs)
            or bool(visitors)
            or any(not rule.is_default for rule in self._ui.engine.agents.rules())
            or any(
                workspace.layout == "agent" and workspace.root != sample
                for workspace in self._ui.engine.workspaces()
            )
        )
        self._ui.preferences.shows_agents = self._is_found
        self._ui.window.show_agents_entry(self._is_found or self._is_wanted)
        self.looked.emit(self._is_found)
