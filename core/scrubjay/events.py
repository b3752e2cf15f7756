"""Events of the core. Listeners run on the thread that publishes the event."""

from __future__ import annotations

from pathlib import Path

from scrubjay.event_bus import Event
from scrubjay.records.access_records import AccessRequest
from scrubjay.records.model_records import DownloadProgress
from scrubjay.records.status_records import BackfillCost, IndexReport, ModelStatus, Progress
from scrubjay.records.workspace_id import WorkspaceId

# Passes over the notes.


class IndexProgressed(Event, frozen=True):
    """An indexing pass moved on. At most ten a second for each pass; first and last always."""

    workspace: WorkspaceId
    progress: Progress


class IndexChanged(Event, frozen=True):
    """Documents were committed; open result lists may be stale."""

    workspace: WorkspaceId
    changed: int
    removed: int


class IndexFinished(Event, frozen=True):
    """A pass came to its end."""

    report: IndexReport


class IndexFailed(Event, frozen=True):
    """A pass stopped early. Notes that were indexed before stay searchable."""

    workspace: WorkspaceId
    reason: str
    """One sentence, with a remedy."""


class BackfillAsked(Event, frozen=True):
    """Notes wait for a yes before they are sent to a remote provider.

    The yes is `Engine.refresh(workspace, may_send=True)`; without one, search by words continues.
    """

    workspace: WorkspaceId
    cost: BackfillCost


# Messages, settings and models.


class Notice(Event, frozen=True):
    """A message that a user should see once, such as that an index had to be rebuilt."""

    title: str
    message: str
    cause: str = ""
    """Name of the state that it is about, which a `Resolved` ends; empty if it is about none."""


class Resolved(Event, frozen=True):
    """What failed for want of something works again; whatever was said of it is no longer true."""

    cause: str
    """Name that the Notice gave, id of the workspace of an IndexFailed, or model of a
    ModelDownloadFailed."""
    message: str = ""
    """Sentence on what works again; empty where nobody was told that it did not."""


class SettingsChanged(Event, frozen=True):
    """The settings file was read again, and differs."""


class ModelChanged(Event, frozen=True):
    """The embedding model became ready or stopped."""

    model: ModelStatus


class ReaderChanged(Event, frozen=True):
    """The result reader has read results again, stopped, or was removed."""

    reader: ModelStatus | None
    """Its state; None for one that was removed."""


class ModelDownloadProgressed(Event, frozen=True):
    """More of a model has arrived. At most ten a second; first and last always."""

    model: str
    progress: DownloadProgress


class ModelImportProgressed(Event, frozen=True):
    """More of a model file was copied, or checked."""

    name: str
    """Name of the person's file."""
    phase: str
    """Step: "copying" or "checking"."""
    done: int
    total: int


class NoteImportProgressed(Event, frozen=True):
    """More notes of an export were written."""

    done: int
    total: int


class ModelDownloadFailed(Event, frozen=True):
    """A download stopped by itself. Its part is kept where that helps."""

    model: str
    reason: str
    """One sentence, with a remedy."""
    may_pass: bool = False
    """Whether it failed for want of something that may come by itself, such as the network."""


class ModelRemovalBegan(Event, frozen=True):
    """The file of a model is about to be deleted; whoever has it open closes it now."""

    file: Path


class ModelsChanged(Event, frozen=True):
    """A model was begun, paused, finished, imported, removed or chosen: ask for the list again."""


class ModelComparisonProgressed(Event, frozen=True):
    """Two models have answered more questions. At most ten a second; the last always."""

    done: int
    total: int


# Workspaces, shared memories and publishing.


class WorkspacesChanged(Event, frozen=True):
    """A workspace was added or removed."""


class SharedChanged(Event, frozen=True):
    """Shared memories hold something else, or the reach of one changed."""

    is_reach: bool
    """Whether one can no longer be reached, or can be again."""


class SharingChanged(Event, frozen=True):
    """What is published from here changed: ask for the state again."""


class PauseChanged(Event, frozen=True):
    """Indexing was paused or resumed."""

    is_paused: bool


# Agents, and what they would like to remember.


class AuditLogChanged(Event, frozen=True):
    """The audit log has a new entry, or was cleared. At most a few a second."""


class AccessAsked(Event, frozen=True):
    """An agent waits for a yes or a no, which is `Engine.agents.answer`."""

    request: AccessRequest


class AccessSettled(Event, frozen=True):
    """A question no longer needs an answer: it was answered, or the agent stopped waiting."""

    request_id: int


class AccessChanged(Event, frozen=True):
    """The permissions of agents in the settings have changed."""


class DreamsChanged(Event, frozen=True):
    """A line was proposed for MEMORY.md, accepted or refused."""

    workspace: WorkspaceId


class EditsChanged(Event, frozen=True):
    """A change of an agent was proposed, decided, or undone in this process."""


class CapturesChanged(Event, frozen=True):
    """A sentence of the user was put on the list for review, or taken off it."""
