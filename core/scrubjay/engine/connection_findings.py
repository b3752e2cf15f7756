"""Findings about parts of connections that were undone or are there twice, for the health check."""

from __future__ import annotations

from collections.abc import Iterator

from scrubjay.agents.connect.connection_records import AgentConnection, ConnectionPart
from scrubjay.agents.connect.connections import Connections
from scrubjay.health.findings import Finding, FindingKind, Severity
from scrubjay.messages import msg

_LOST = {
    ConnectionPart.SERVER: msg("The entry that starts Scrubjay was removed or changed."),
    ConnectionPart.HOOKS: msg("Scrubjay's hooks were removed or changed."),
    ConnectionPart.INSTRUCTIONS: msg("The text about your notes was removed or changed."),
}
"""Sentence on what an update of an agent, a program or a person has done to each part."""

_DOUBLED = {
    ConnectionPart.SERVER: msg("Its Scrubjay extension and its settings both start Scrubjay."),
    ConnectionPart.HOOKS: msg(
        "Its Scrubjay extension and its settings both contain Scrubjay's hooks."
    ),
    ConnectionPart.INSTRUCTIONS: msg(
        "Its Scrubjay extension and its instructions both contain the text about your notes."
    ),
}
"""Sentence on each part of an extension that is there twice."""


class ConnectionFindings:
    """Compares what was connected with what the files of agents say now."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def findings(self) -> Iterator[Finding]:
        """A finding for each part that is no longer as it was connected, or there twice."""
        # One for each part, so that a person sees what is missing.
        for agent in self._connections.list().result():
            for part in agent.lost:
                yield _finding(FindingKind.AGENT_CONNECTION, agent, reason=_LOST[part])
            for part in agent.doubled:
                yield _finding(FindingKind.AGENT_CONNECTED_TWICE, agent, reason=_DOUBLED[part])


def _finding(kind: FindingKind, agent: AgentConnection, *, reason: str) -> Finding:
    values = {"agent": agent.name, "client": agent.client, "reason": reason}
    return Finding(kind, Severity.ATTENTION, values=values)
