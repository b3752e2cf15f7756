"""Puts Scrubjay into the settings of the agents that people use, and takes it out again."""

from scrubjay.connect.connections import AgentConnection, Connections
from scrubjay.connect.editing import ConnectionChange

__all__ = ["AgentConnection", "ConnectionChange", "Connections"]
