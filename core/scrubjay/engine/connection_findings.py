"""Findings about connections of agents that something has undone, for the health check."""

from __future__ import annotations

from collections.abc import Iterator

from scrubjay.agents.connect.connection_records import ConnectionPart
from scrubjay.agents.connect.connections import Connections
from scrubjay.health.findings import Finding, FindingKind, Severity
from scrubjay.messages import msg

_LOST = {
    ConnectionPart.SERVER: msg("The entry that starts Scrubjay was removed or changed."),
    ConnectionPart.HOOKS: msg("Scrubjay's hooks were removed or changed."),
    ConnectionPart.INSTRUCTIONS: msg("The text about your notes was removed or changed."),
}
"""What an update of an agent, another program or a person has done to each part."""


class ConnectionFindings:
    """Compares what was connected with what the files of agents say now."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def findings(self) -> Iterator[Finding]:
        """A finding for each part that is no longer as it was connected."""
        # One for each part, so that a person sees what is missing.
        for agent in self._connections.list().result():
            for part in agent.lost:
                values = {"agent": agent.name, "client": agent.client, "reason": _LOST[part]}
                yield Finding(FindingKind.AGENT_CONNECTION, Severity.ATTENTION, values=values)
