"""What the agents of a person may do here, and what they did."""

from scrubjay.agents.door import Agents

__all__ = ["Agents"]
