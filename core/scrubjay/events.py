"""Events that the core announces. Listeners run on the announcing thread."""

from __future__ import annotations

from dataclasses import dataclass

from scrubjay.event_bus import Event
from scrubjay.records.access_records import AccessRequest
from scrubjay.records.model_records import DownloadProgress
from scrubjay.records.search_records import BackfillCost, IndexReport, ModelStatus, Progress


@dataclass(frozen=True, slots=True)
class IndexProgressed(Event):
    """An indexing pass moved on. At most ten a second for each pass; first and last always."""

    workspace: str
    progress: Progress


@dataclass(frozen=True, slots=True)
class IndexChanged(Event):
    """Documents were committed; open result lists may be stale."""

    workspace: str
    changed: int
    removed: int


@dataclass(frozen=True, slots=True)
class IndexFinished(Event):
    """A pass came to its end."""

    report: IndexReport


@dataclass(frozen=True, slots=True)
class IndexFailed(Event):
    """A pass stopped early. Notes that were indexed before stay searchable."""

    workspace: str
    reason: str
    """One sentence, with a remedy."""


@dataclass(frozen=True, slots=True)
class BackfillAsked(Event):
    """Notes wait for a yes before they are sent to a remote provider.

    The yes is `Engine.refresh(workspace, may_send=True)`; without one, search by words goes on.
    """

    workspace: str
    cost: BackfillCost


@dataclass(frozen=True, slots=True)
class Notice(Event):
    """A message that a user should see once, such as that an index had to be rebuilt."""

    title: str
    message: str


@dataclass(frozen=True, slots=True)
class SettingsChanged(Event):
    """The settings file was read again, and differs."""


@dataclass(frozen=True, slots=True)
class ModelChanged(Event):
    """The embedding model became ready or stopped."""

    model: ModelStatus


@dataclass(frozen=True, slots=True)
class ModelDownloadProgressed(Event):
    """More of a model has arrived. At most ten a second; first and last always."""

    model: str
    progress: DownloadProgress


@dataclass(frozen=True, slots=True)
class NoteImportProgressed(Event):
    """More notes of an export were written."""

    done: int
    total: int


@dataclass(frozen=True, slots=True)
class ModelDownloadFailed(Event):
    """A download stopped by itself. Its part is kept where that helps."""

    model: str
    reason: str
    """One sentence, with a remedy."""


@dataclass(frozen=True, slots=True)
class ModelsChanged(Event):
    """A model was begun, paused, finished, imported, removed or chosen: ask for the list again."""


@dataclass(frozen=True, slots=True)
class ModelComparisonProgressed(Event):
    """Two models have answered more questions. At most ten a second; the last always."""

    done: int
    total: int


@dataclass(frozen=True, slots=True)
class WorkspacesChanged(Event):
    """A workspace was added or removed."""


@dataclass(frozen=True, slots=True)
class PauseChanged(Event):
    """Indexing was paused or resumed."""

    is_paused: bool


@dataclass(frozen=True, slots=True)
class AuditLogChanged(Event):
    """The audit log has a new entry, or was cleared. At most a few a second."""


@dataclass(frozen=True, slots=True)
class AccessAsked(Event):
    """An agent waits for a yes or a no, which is `Engine.agents.answer`."""

    request: AccessRequest


@dataclass(frozen=True, slots=True)
class AccessSettled(Event):
    """A question needs no answer any more: it was answered, or the agent waits no longer."""

    request_id: int


@dataclass(frozen=True, slots=True)
class AccessChanged(Event):
    """The permissions of agents in the settings have changed."""


@dataclass(frozen=True, slots=True)
class DreamsChanged(Event):
    """A line was proposed for MEMORY.md, accepted or refused."""

    workspace: str


@dataclass(frozen=True, slots=True)
class CapturesChanged(Event):
    """A sentence of the user was put on the list for review, or taken off it."""
