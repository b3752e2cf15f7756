"""Records of searches, indexes and workspaces that cross threads. All are immutable."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path, PurePosixPath
from typing import Any, Literal, NewType, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from scrubjay.records.audience import AGENT, Audience
from scrubjay.records.conversation import NO_KEY, Conversation
from scrubjay.records.search_modes import Mode, Order
from scrubjay.records.shared_records import SharedAddress

ChunkId = NewType("ChunkId", int)
"""Number of a chunk in the index of its workspace."""


class Source(StrEnum):
    """Origin of a document of a workspace."""

    MEMORY = "memory"
    """`MEMORY.md` and `memory/**` of an agent workspace."""
    NOTES = "notes"
    """A plain folder of notes."""
    EXTRA = "extra"
    """Files and folders that `extraPaths` lists."""
    SESSIONS = "sessions"
    """Transcripts of an agent's conversations."""


Layout: TypeAlias = Literal["", "notes", "agent"]
"""Extent of a workspace: every note, or the memory of an agent; empty where its folder tells."""


class Workspace(Struct, frozen=True):
    """A root folder with its sources."""

    id: str
    """Id that is stable, unique and safe in a file name; also the agent id of per-agent settings.
    """
    name: str
    root: Path
    layout: Layout = ""
    """Decision that was taken when the folder was added."""
    left_out: tuple[str, ...] = ()
    """Folders in it that are not read, relative to it, with forward slashes."""
    documents: bool = False
    """Whether PDF, Word and other documents are read besides notes; never in an agent's memory."""
    shared: SharedAddress | None = None
    """Address of a workspace that is published elsewhere; its root is not a folder here."""

    @property
    def left_out_folders(self) -> tuple[Path, ...]:
        """The places of the folders in it that are not read."""
        return tuple(self.root / folder for folder in self.left_out)


class NewPlace(Struct, frozen=True):
    """A folder in which the notes of a workspace may be now."""

    root: Path
    known: int
    """Number of notes of the index that are there, with the size they had."""
    notes: int
    """Number of all notes of the index."""

    @property
    def is_likely(self) -> bool:
        """Whether the notes there are those of the index."""
        return 2 * self.known >= self.notes


class NoteCounts(Struct, frozen=True):
    """Numbers of notes in a folder on disk, whatever of it is read."""

    notes: int
    memory: int
    """Number of notes that an agent's memory consists of."""
    subfolders: Mapping[str, int]
    """Number of notes in and below each folder, by its path."""
    documents: Mapping[str, int] = field(default_factory=dict)
    """Numbers of documents by the ends of their names, outside of excluded folders."""

    def outside(self, left_out: Sequence[str]) -> int:
        """Number of notes outside of excluded folders."""
        # A folder inside an excluded one is in its number already.
        excluded = {*left_out}
        outer = (
            path for path in excluded if excluded.isdisjoint(map(str, PurePosixPath(path).parents))
        )
        return self.notes - sum(self.subfolders.get(path, 0) for path in outer)


class Span(Struct, frozen=True):
    """Half-open range of characters (code points, not bytes)."""

    start: int
    end: int


class Snippet(Struct, frozen=True):
    """The shown part of a hit."""

    text: str
    spans: tuple[Span, ...] = ()
    """Matched words, in order, not overlapping."""
    best: int = 0
    """Position in the text where the sentence that answers best begins."""

    @property
    def match(self) -> Span | None:
        """The first matched word from the best sentence on; None where its line has none."""
        # Only the line of the best sentence counts.
        end = self.text.find("\n", self.best)
        after = (span for span in self.spans if span.end > self.best)
        return next((span for span in after if end < 0 or span.start < end), None)


class Explanation(Struct, frozen=True):
    """The reasons for a hit's rank."""

    matched: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Query term -> fields that hold it: "text", "heading", "path"."""
    missing: tuple[str, ...] = ()
    """Query terms that no field holds."""
    times: tuple[str, ...] = ()
    """Missing terms that name a time."""
    words: Mapping[str, str] = field(default_factory=dict)
    """Words of the hit that match, as written -> the typed one, if they are only close to it."""
    named: Mapping[str, str] = field(default_factory=dict)
    """Words of title, headings and path that match likewise, where the text has none."""
    lexical_rank: int | None = None
    """Rank among the lexical candidates, from 1."""
    vector_rank: int | None = None
    parts: Mapping[str, float] = field(default_factory=dict)
    """Named contributions; their sum gives the score before decay."""
    is_log_odds: bool = False
    """Whether score = 1 / (1 + exp(-sum of parts)); otherwise it is the sum of parts."""
    decay: float = 1.0
    """Factor of temporal decay; 1 when it is off or the note is evergreen."""
    diversity_penalty: float = 0.0
    """Penalty of MMR for being like a better hit; 0 when it is off."""

    @property
    def is_full_match(self) -> bool:
        """Whether the hit holds every query term, or is of the day that is all of the query."""
        return bool(self.matched or self.parts.get("date")) and not self.missing


class Hit(Struct, frozen=True):
    """One place in the notes that answers a query."""

    workspace: str
    """Id of the workspace."""
    path: str
    """Label inside the workspace, always with forward slashes."""
    file: Path
    """File of the document."""
    source: Source
    title: str
    heading: str
    """Breadcrumb of headings above the hit, joined with " > "; may be empty."""
    first_line: int
    """First line of the hit, 1-based, as editors count."""
    last_line: int
    """Last line of the hit, inclusive."""
    best_line: int
    """Line to scroll to or to open in an editor."""
    score: float
    """Probability that it answers, 0 to 1, after decay."""
    text_score: float | None
    """Score by words alone, 0 to 1; None when the words did not find it."""
    vector_score: float | None
    """Cosine similarity; None when the vectors did not find it."""
    snippet: Snippet
    modified: dt.datetime
    """Last change of the file, local time with zone."""
    date: dt.date | None = None
    """Day that the note has of its own; None where it has none."""
    explanation: Explanation = Explanation()
    is_perhaps: bool = False
    """Whether it is not sure, and the hits above are."""
    place: int | None = None
    """Number of the page, slide, sheet, chapter or message of a document; None in other files."""
    tags: tuple[str, ...] = ()
    """Tags of the note, for a person."""
    passages: tuple[Hit, ...] = ()
    """Passages of the note that match besides, where a note has one hit; they share no line."""

    @property
    def day(self) -> dt.date:
        """The own day of the note, else that of its last change."""
        return self.date or self.modified.date()

    def overlaps(self, other: Hit) -> bool:
        """Whether they share a line, as hits of one note."""
        return self.first_line <= other.last_line and other.first_line <= self.last_line

    @property
    def citation(self) -> str:
        """Path with the lines, as in `memory/2026-05-08.md#L5-L7`, or place, as `report.pdf#p3`."""
        if self.place is not None:
            return f"{self.path}#p{self.place}"
        return f"{self.path}#L{self.first_line}-L{self.last_line}"


class SearchRequest(Struct, frozen=True):
    """All parameters of a search."""

    text: str
    workspace: str | None = None
    """Id of one workspace; None searches all."""
    mode: Mode = Mode.HYBRID
    max_results: int | None = None
    """Number of hits at most; None for what the settings say."""
    min_score: float | None = None
    """Score below which nothing is listed; None for what the settings say."""
    sources: frozenset[Source] = frozenset()
    """Origins of the notes to search; empty for all."""
    is_typing: bool = False
    """Whether an answer at once matters more than notes that have just changed."""
    audience: Audience = AGENT
    """Readers of the answer."""
    among: frozenset[str] = frozenset()
    """Ids of the workspaces that may be searched; empty for all."""
    conversation: Conversation = NO_KEY
    """Conversation of the agent that asks. Outside of direct chats MEMORY.md is not found."""
    order: Order = Order.RELEVANCE
    """Order of the hits: by days, they are the first of all notes with the words, not the best."""
    days: tuple[dt.date | None, dt.date | None] = (None, None)
    """First and last day of the notes, besides those that the text names; None for any."""


class Freshness(Struct, frozen=True):
    """State of the index relative to the disk."""

    documents: int
    """Number of documents that were searched."""
    pending: int
    """Number of documents that changed on disk and are not read yet."""
    unreadable: int
    """Number of skipped files that a person would expect to be searched."""
    embedded: float
    """Share of chunks that can be found by meaning, 0 to 1."""
    checked_at: dt.datetime | None
    """Time of the last comparison of disk and index; None before the first."""
    reason: str = ""
    """Sentence on why the index cannot be updated now; empty when it can."""
    unread_documents: int = 0
    """Documents such as PDF among those that are not read yet: passes read them one by one."""

    @classmethod
    def merged(cls, parts: Sequence[Freshness]) -> Freshness:
        """Freshness of several workspaces together."""
        documents = sum(part.documents for part in parts)
        checked = [part.checked_at for part in parts if part.checked_at]
        # All of them are as new as the oldest, and not known where one is not.
        checked_at: dt.datetime | None = None
        if checked and len(checked) == len(parts):
            checked_at = min(checked)
        embedded = sum(part.embedded * part.documents for part in parts)
        return cls(
            documents=documents,
            pending=sum(part.pending for part in parts),
            unreadable=sum(part.unreadable for part in parts),
            embedded=embedded / max(1, documents),
            checked_at=checked_at,
            reason=next((part.reason for part in parts if part.reason), ""),
            unread_documents=sum(part.unread_documents for part in parts),
        )


NEVER_READ = Freshness(documents=0, pending=0, unreadable=0, embedded=0.0, checked_at=None)
"""Freshness of an index of which nothing is known."""


class Takeover(Struct, frozen=True):
    """Fallback to a provider in place of the configured one."""

    provider: str
    """Id of the provider that failed."""
    reason: str
    """Failure in one sentence."""


class BackfillCost(Struct, frozen=True):
    """Cost of a pass at a remote provider, before anything is sent."""

    notes: int
    tokens: int
    """Number of tokens as estimated; providers charge by them."""
    provider: str
    model: str
    host: str
    """Host that the text would be sent to."""
    files: int = 0
    """Number of images and recordings."""

    @property
    def words(self) -> int:
        """Estimated words, for people: four tokens are about three words."""
        return self.tokens * 3 // 4


class SearchAnswer(Struct, frozen=True):
    """Hits with the mode, model and freshness that they come from."""

    request: SearchRequest
    hits: tuple[Hit, ...]
    mode: Mode
    """Mode that ran; lexical when the model did not answer."""
    provider: str
    model: str
    fallback_reason: str = ""
    """Sentence on why meaning was not searched; empty when it was."""
    freshness: Freshness = NEVER_READ
    elapsed_ms: float = 0.0
    takeover: Takeover | None = None
    """Fallback that answered; None when the configured provider did."""
    uncertain: tuple[Hit, ...] = ()
    """Nearest notes where no hit is sure; for agents also a few besides sure ones."""
    unread: tuple[str, ...] = ()
    """Names of workspaces whose notes are still being read for the first time."""
    days: tuple[dt.date, dt.date] | None = None
    """First and last day of a question about a time alone; None for all others."""
    waited_for: str = ""
    """Sentence on what was waited for; empty when nothing was."""

    @property
    def has_found(self) -> bool:
        """Whether there are hits, or notes with all words but for their spelling.

        A day is whole, although no note names its year.
        """
        is_corrected = any(hit.explanation.is_full_match for hit in self.uncertain)
        return bool(self.hits or self.days) or is_corrected


class ContextAnswer(Struct, frozen=True):
    """Quotations from the notes for a whole message."""

    message: str
    digest: str = ""
    """Quotations with their sources, for an agent; empty when nothing belongs to the message."""
    queries: tuple[str, ...] = ()
    """Queries that were searched; none for small talk."""
    hits: tuple[Hit, ...] = ()
    """Hits that the digest quotes, best first."""
    uncertain: tuple[Hit, ...] = ()
    """Hits besides that may belong to the message."""
    answer: SearchAnswer | None = None
    """Answer to the message itself, for its mode and freshness; None when no query ran."""


class PageRequest(Struct, frozen=True):
    """The part of a note that is wanted."""

    first_line: int = 1
    line_count: int | None = None
    """Number of lines; None for as many as a page has."""
    is_whole: bool = False
    """Whether all of it is wanted at once, if it is not long."""


ONE_PAGE = PageRequest()
"""Request for the first page."""


class NotePage(Struct, frozen=True):
    """Part of a note, as memory_get returns it."""

    path: str
    text: str
    first_line: int
    """Line of the file where text begins, 1-based."""
    line_count: int
    """Number of lines in text."""
    is_truncated: bool
    next_line: int | None
    """First line of the next page; None at the end."""


class DocumentInfo(Struct, frozen=True):
    """A document of the index, without all of its text."""

    workspace: str
    path: str
    file: Path
    source: Source
    title: str
    modified: dt.datetime
    date: dt.date | None = None
    """Day that the note has of its own; None where it has none."""
    beginning: str = ""
    """Text that it begins with, if that was asked for."""
    tags: tuple[str, ...] = ()
    """Tags of the note, if those were asked for."""


class Relation(StrEnum):
    """How a note belongs to another one."""

    SIMILAR = "similar"
    LINKS = "links"
    SAME_DAY = "same day"


class RelatedNote(Struct, frozen=True):
    """A note that belongs to another one."""

    note: DocumentInfo
    relation: Relation
    why: str
    """Words that a similar note shares, or the line with the link; often empty."""
    line: int
    """Line of the link, or of the passage that is most alike, 1-based."""


class SkippedFile(Struct, frozen=True):
    """A file that is not searched, with the reason."""

    path: str
    reason: str
    """Plain sentence on why it is not searched."""
    is_problem: bool
    """Whether a person would expect it in a search; not for a symlink to another place."""
    is_chosen: bool = False
    """Whether a person skipped it until it changes; this can be undone."""

    @property
    def is_kind(self) -> bool:
        """Whether it stands for all files of some kinds."""
        return self.path.startswith("*.")


class IndexState(StrEnum):
    """State of the index of a workspace."""

    NEVER = "never indexed"
    WAITING = "waiting"
    INDEXING = "indexing"
    PAUSED = "paused"
    READY = "ready"
    ERROR = "error"


class Progress(Struct, frozen=True):
    """Progress of long work."""

    phase: str
    """Step "scanning", "words", "meaning" or "refining" (single lines)."""
    done: int
    total: int
    eta_seconds: float | None = None
    current: str = ""
    """Path that is being worked on."""


class WorkspaceStatus(Struct, frozen=True):
    """One workspace, as the status line and the terminal show it."""

    workspace: Workspace
    state: IndexState
    freshness: Freshness
    chunks: int
    skipped: tuple[SkippedFile, ...]
    index_bytes: int
    progress: Progress | None = None
    error: str = ""
    mended_at: dt.datetime | None = None
    """Time when a damaged index was made again; None when none ever was."""

    @property
    def away(self) -> str:
        """Why the folder itself cannot be read, such as a missing drive; empty when it can."""
        folder = (skip.reason for skip in self.skipped if skip.is_problem and not skip.path)
        return next(folder, "")


class ModelStatus(Struct, frozen=True):
    """State of the embedding model."""

    provider: str
    model: str
    is_ready: bool
    reason: str = ""
    """Reason why it is not ready; empty when it is."""


class BackendStatus(Struct, frozen=True):
    """The backend that answers searches."""

    name: str = "builtin"
    """Name "builtin" or "qmd", as the settings say."""
    reason: str = ""
    """Sentence on why the built-in search answers instead; empty when it does not."""
    note: str = ""
    """Sentence on any other problem; empty when there is none."""


class EngineStatus(Struct, frozen=True):
    """State of the whole engine."""

    workspaces: tuple[WorkspaceStatus, ...]
    model: ModelStatus
    is_paused: bool
    paused_until: dt.datetime | None = None
    """Time when a pause ends; None where it lasts until a person ends it."""
    is_for_battery: bool = False
    """Whether the pause saves the battery."""
    backend: BackendStatus = BackendStatus()
    shared: tuple[WorkspaceStatus, ...] = ()
    """Workspaces of shared memories, as they were last known."""
    details: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Facts besides, by the ids of workspaces, as JSON shows them; empty unless they were read."""


class IndexReport(Struct):
    """Result of one pass over a workspace, which fills it in; it does not change afterwards."""

    workspace: str
    changed: int = 0
    removed: int = 0
    unchanged: int = 0
    chunks: int = 0
    embedded: int = 0
    """Number of chunks whose vectors were computed in this pass."""
    reused: int = 0
    """Number of chunks whose vectors came from the cache."""
    skipped: tuple[SkippedFile, ...] = ()
    elapsed_s: float = 0.0
    model_s: float = 0.0
    """Seconds that the model took for this pass's chunks."""
    meaning_missing: str = ""
    """Reason why vectors are missing; empty when none are."""
    backfill: BackfillCost | None = None
    """Cost that waits for a person's consent; None when nothing does."""
    in_batches: int = 0
    """Number of chunks in batches that run at a remote provider; a later pass fetches them."""
    batches_off: str = ""
    """Reason why batches are no longer used in this run; empty while they are."""
    away: str = ""
    """Reason why the whole folder could not be read, such as a missing drive; else empty."""
    documents_left: int = 0
    """Number of documents that are still to be read; later passes do it."""

    def with_former(self, former: IndexReport) -> IndexReport:
        """The result of this pass and of a former one that it continued."""
        # What the former one changed, this one found unchanged.
        return replace(
            self,
            changed=former.changed + self.changed,
            removed=former.removed + self.removed,
            unchanged=max(0, self.unchanged - former.changed),
            chunks=former.chunks + self.chunks,
            embedded=former.embedded + self.embedded,
            reused=former.reused + self.reused,
            elapsed_s=former.elapsed_s + self.elapsed_s,
            model_s=former.model_s + self.model_s,
        )
