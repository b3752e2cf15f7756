"""Whether there is a newer Scrubjay. Only asked for, and nothing is ever installed."""

from scrubjay.updates.check import Updates, UpdateState
from scrubjay.updates.manifest import Release

__all__ = ["Release", "UpdateState", "Updates"]
