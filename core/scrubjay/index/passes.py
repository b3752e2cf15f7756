"""Passes over a workspace: requested, waiting and running."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct, field

from scrubjay.concurrency.cancel import CancelToken, SearchPriority
from scrubjay.concurrency.io_timeout import IoTimeout, IoTimeouts
from scrubjay.config.schema.memory_search import MemorySearch
from scrubjay.notes.scan import FoundFile
from scrubjay.records.engine_limits import DEFAULT_LIMITS, EngineLimits
from scrubjay.records.note_records import Workspace
from scrubjay.records.status_records import IndexReport, Progress, SkippedFile
from scrubjay.records.workspace_id import WorkspaceId
from scrubjay.store.index_records import Generation, KnownDocument
from scrubjay.text.printable import printable_label

if TYPE_CHECKING:
    from scrubjay.documents.document_converter import Converter
    from scrubjay.documents.picture_texts import PictureTexts
    from scrubjay.embedding.provider import EmbeddingProvider, ProviderSource
    from scrubjay.event_bus import EventBus
    from scrubjay.index.document_queue import DocumentQueue
    from scrubjay.index.scan_diff import IndexSettings
    from scrubjay.store.writer import Writer
    from scrubjay.workspaces.open_workspace import LocalWorkspace
    from scrubjay.workspaces.status_board import StatusBoard

_REPORT_SECONDS = 0.1
"""Seconds between two progress reports at least: more often, no reader sees it."""

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
    pictures: Callable[[], PictureTexts]
    """Texts of pictures, made when a folder has pictures to be read."""
    priority: SearchPriority
    """Searches, for which pictures wait."""
    release: Callable[[Path], None]
    """Lets others close an index that is about to be replaced."""
    backups: Path | None = None
    """Folder of former contents of notes."""
    limits: EngineLimits = DEFAULT_LIMITS


class PassInput(Struct, frozen=True, eq=False):
    """The input of one pass, with the settings at the time of the request."""

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
    ) -> PassInput:
        """A pass over a workspace as its settings are now. Raises SearchOff."""
        workspace.check_on()
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
    """The result of the first half of a pass: words are published, vectors are missing."""

    report: IndexReport
    rechunk: Sequence[FoundFile]
    """Notes whose chunking is outdated."""
    documents: Mapping[str, KnownDocument]
    """Records that the index had before."""
    waiting: frozenset[str] = frozenset()
    """Paths of documents and pictures that were still to be read."""


class Pass(Struct, eq=False):
    """A waiting or running pass. Its words may be read long before its turn for the model."""

    job: PassInput
    cancel: CancelToken
    is_last: bool = False
    """Whether it goes after all others, however small its index is."""
    has_only_pictures: bool = False
    """Whether nothing but pictures is left to be read, so that it goes after those, too."""
    future: Future[IndexReport] = field(default_factory=Future)
    is_due: bool = True
    """Whether its words are to be read: not after that was tried, until it is asked for again."""
    words: WordsRead | None = None
    on_words: list[Callable[[], object]] = field(default_factory=list)
    """Functions that are called once its words were read."""
    former: IndexReport | None = None
    """Report so far, where it continues with documents that were left."""


class PassHooks(Struct, frozen=True):
    """Callbacks of a pass, called on its own thread."""

    on_progress: Callable[[Progress], None] = lambda _step: None
    on_commit: Callable[[int, int, int], None] = lambda _changed, _removed, _added: None
    """Called with the number of changed and removed documents of a transaction, and of those whose
    text is new; negative where documents only went."""
    on_found: Callable[[Sequence[str]], None] = lambda _paths: None
    """Called with the paths of all notes that are to be read, before the first one is."""
    on_read: Callable[[Sequence[str], int], None] = lambda _paths, _left: None
    """Called after a transaction with the paths of its notes, and the number of those left."""
    on_vectors: Callable[[], None] = lambda: None
    """Called after each transaction with vectors."""
    on_words_indexed: Callable[[], None] = lambda: None
    on_idle: Callable[[], None] = lambda: None
    """Called before each batch for the model, when no transaction is open: the place for urgent
    work."""
    while_reading: Callable[[], None] = lambda: None
    """Called between two transactions with words while many notes are left, and between two steps
    of a migration."""
    should_yield: Callable[[], bool] = lambda: False
    """Whether another pass waits, so that this one does not stay for batches under way."""
    has_other_work: Callable[[], bool] = lambda: False
    """Whether another pass waits that has more to do than reading pictures."""


@dataclass(slots=True)
class PassContext:
    """Everything that the steps of one pass share. For the index thread."""

    workspace: Workspace
    writer: Writer
    settings: IndexSettings
    documents: DocumentQueue
    """Documents that are read after the notes, by this pass and later ones."""
    pictures: DocumentQueue
    """Pictures, and documents whose pictures are left, which are read after everything else."""
    cancel: CancelToken = dataclass_field(default_factory=CancelToken)
    hooks: PassHooks = dataclass_field(default_factory=PassHooks)
    io_timeout: IoTimeout = dataclass_field(default_factory=IoTimeout)
    """Limit on calls to the folder's drive; it remembers those that still hang from former passes.
    """
    absent: Callable[[], Iterable[Mapping[str, int]]] = tuple
    """Sizes of the notes of each other workspace whose folder is not there, by path."""
    limits: EngineLimits = DEFAULT_LIMITS
    backups: Path | None = None
    """Folder where the former content of notes is kept."""
    began_ns: int = dataclass_field(default_factory=time.time_ns)
    """Time before the scan, on the clock of file times."""
    provider: EmbeddingProvider | None = None
    """Provider of its vectors; None until the pass has come to them."""
    generation: Generation | None = None
    """Generation of its vectors; None before the first."""
    report: IndexReport = dataclass_field(init=False)
    """Result so far."""
    _shown_at: float = float("-inf")
    _shown_phase: str = ""

    def __post_init__(self) -> None:
        self.report = IndexReport(self.workspace.id)

    @property
    def waiting(self) -> frozenset[str]:
        """Paths of documents and pictures that are still to be read."""
        if not (self.documents.is_used or self.pictures.is_used):
            return frozenset()
        files = (*self.documents.files, *self.pictures.files)
        return frozenset(printable_label(file.label) for file in files)

    def skip(self, label: str, reason: str) -> None:
        """Note a file that people expect to be searched, and why it is not."""
        self.report.skipped.append(SkippedFile(printable_label(label), reason, is_problem=True))

    def forget_skipped(self, label: str) -> None:
        """Take a file off the list of skipped ones, since it is read again."""
        path = printable_label(label)
        self.report.skipped = [each for each in self.report.skipped if each.path != path]

    def show(self, step: Progress) -> None:
        """Publish the first and the last moment of a step, and some in between.

        The number of learned passages is added where the index is counted.
        """
        now = time.monotonic()
        is_first = step.phase != self._shown_phase
        is_last = step.total > 0 and step.done >= step.total
        if is_first or is_last or now - self._shown_at >= _REPORT_SECONDS:
            self._shown_at = now
            self._shown_phase = step.phase
            self.hooks.on_progress(step)

    def before_batch(self) -> None:
        """Let urgent work go first, between two batches for a model. Raises Cancelled."""
        # Urgent work may take a while, in which a person can stop the pass.
        self.cancel.check()
        self.hooks.on_idle()
        self.cancel.check()
