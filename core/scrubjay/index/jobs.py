"""Passes over a workspace as they are asked for, wait and are followed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct, field

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.config.schema.memory_search import MemorySearch
from scrubjay.notes.scan import FoundFile
from scrubjay.records.engine_limits import DEFAULT_LIMITS, EngineLimits
from scrubjay.records.note_records import Workspace
from scrubjay.records.status_records import IndexReport, Progress
from scrubjay.records.workspace_id import WorkspaceId
from scrubjay.store.rows import KnownDocument

if TYPE_CHECKING:
    from scrubjay.concurrency.io_timeout import IoTimeouts
    from scrubjay.documents.converter import Converter
    from scrubjay.embedding.provider import ProviderSource
    from scrubjay.event_bus import EventBus
    from scrubjay.workspaces.open_workspace import LocalWorkspace
    from scrubjay.workspaces.status_board import StatusBoard

JobKey: TypeAlias = tuple[WorkspaceId, bool, bool, bool]
"""(workspace id, force, words only, may send)."""


class PassParts(Struct, frozen=True, eq=False):
    """Parts of an engine that passes use."""

    providers: ProviderSource
    """Source of the provider, which is chosen for each pass; that may raise ProviderUnavailable."""
    board: StatusBoard
    events: EventBus
    io_timeouts: IoTimeouts
    converter: Converter
    """Texts of documents."""
    backups: Path | None = None
    """Folder of former contents of notes."""
    limits: EngineLimits = DEFAULT_LIMITS


class Job(Struct, frozen=True, eq=False):
    """Input of one pass, as the settings were when it was asked for."""

    workspace: LocalWorkspace
    record: Workspace
    file: Path
    settings: MemorySearch
    force: bool = False
    words_only: bool = False
    may_send: bool = False
    """Whether the user allowed sending the notes to a remote provider."""

    @classmethod
    def of(
        cls,
        workspace: LocalWorkspace,
        *,
        force: bool = False,
        words_only: bool = False,
        may_send: bool = False,
    ) -> Job:
        """A pass over a workspace as its settings are now."""
        return cls(
            workspace,
            workspace.record,
            file=workspace.index_file,
            settings=workspace.settings,
            force=force,
            words_only=words_only,
            may_send=may_send,
        )

    @property
    def key(self) -> JobKey:
        """Key under which equal passes are merged."""
        return self.workspace.id, self.force, self.words_only, self.may_send


class WordsRead(Struct, frozen=True):
    """The first half of a pass: the words are published, and the vectors are left to do."""

    report: IndexReport
    rechunk: Sequence[FoundFile]
    """Notes whose chunking is outdated."""
    documents: Mapping[str, KnownDocument]
    """Records that the index had before."""


class Pass(Struct, eq=False):
    """A pass that waits or runs. Its words may be read long before its turn for the model."""

    job: Job
    cancel: CancelToken
    is_last: bool = False
    """Whether it goes after all others, however small its index is."""
    future: Future[IndexReport] = field(default_factory=Future)
    is_due: bool = True
    """Whether its words are to be read: not after that was tried, until it is asked for again."""
    words: WordsRead | None = None
    on_words: list[Callable[[], object]] = field(default_factory=list)
    """Functions that are called once its words were read."""
    former: IndexReport | None = None
    """Report so far, where it continues with documents that were left."""


class PassHooks(Struct, frozen=True):
    """Calls that a pass makes on its way, on its own thread."""

    on_progress: Callable[[Progress], None] = lambda _progress: None
    on_commit: Callable[[int, int], None] = lambda _changed, _removed: None
    """Called with the number of changed and removed documents of a transaction."""
    on_vectors: Callable[[], None] = lambda: None
    """Called after each transaction with vectors."""
    on_words_indexed: Callable[[], None] = lambda: None
    on_idle: Callable[[], None] = lambda: None
    """Called before each batch for the model, when no transaction is open: the place for urgent
    work."""
    while_reading: Callable[[], None] = lambda: None
    """Called between two transactions with words, while many notes are left to read."""
    should_yield: Callable[[], bool] = lambda: False
    """Whether another pass waits, so that this one does not stay for batches under way."""
