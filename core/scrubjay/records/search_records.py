"""Records of searches and their answers, which cross threads. All are immutable."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path

from msgspec import Struct, field

from scrubjay.records.audience import AGENT, Audience
from scrubjay.records.conversation import NO_KEY, Conversation
from scrubjay.records.note_records import Source, Workspace
from scrubjay.records.search_modes import Mode, Order
from scrubjay.records.status_records import NEVER_READ, Freshness, Takeover
from scrubjay.records.workspace_id import WorkspaceId


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
        """The first matched word from the best sentence on; None if its line has none."""
        # Only the line of the best sentence counts.
        end = self.text.find("\n", self.best)
        after = (span for span in self.spans if span.end > self.best)
        return next((span for span in after if end < 0 or span.start < end), None)


READING = "reading"
"""Name of the part of a score that reading a hit again made."""
_TELLING = 0.5
"""Log-odds from which on that part says something; by hand."""


class Verdict(StrEnum):
    """What reading a hit again said."""

    FITS = "fits"
    AS_BEFORE = "fits as well as before"
    DOES_NOT_FIT = "does not fit"


class Explanation(Struct, frozen=True):
    """The reasons for a hit's rank."""

    # Which words of the query it holds, and how.
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
    # Where it stood in both lists of candidates; None where it was in none.
    lexical_rank: int | None = None
    """Rank among the lexical candidates, from 1."""
    vector_rank: int | None = None
    # How its score came about.
    parts: Mapping[str, float] = field(default_factory=dict)
    """Named contributions; their sum gives the score before decay."""
    is_log_odds: bool = False
    """Whether score = 1 / (1 + exp(-sum of parts)); otherwise it is the sum of parts."""
    decay: float = 1.0
    """Factor of temporal decay; 1 when it is off or the note is evergreen."""
    diversity_penalty: float = 0.0
    """Penalty of MMR for being like a better hit; 0 if it is off."""

    @property
    def is_full_match(self) -> bool:
        """Whether the hit holds every query term, or is of the day that is all of the query."""
        return bool(self.matched or self.parts.get("date")) and not self.missing

    @property
    def verdict(self) -> Verdict | None:
        """What reading the hit again said; None if it was not read again."""
        if READING not in self.parts:
            return None
        reading = self.parts[READING]
        if abs(reading) < _TELLING:
            return Verdict.AS_BEFORE
        return Verdict.FITS if reading > 0 else Verdict.DOES_NOT_FIT


class ShownIn(Struct, frozen=True):
    """The note that shows a picture."""

    workspace: WorkspaceId
    path: str
    """Label of the note."""
    file: Path
    source: Source
    title: str
    line: int
    """Line of the note with the picture, 1-based."""


class Hit(Struct, frozen=True):
    """Some lines of a note that answer a query."""

    workspace: WorkspaceId
    """Id of the workspace."""
    path: str
    """Label inside the workspace, always with forward slashes."""
    file: Path
    """File of the document."""
    source: Source
    title: str
    heading: str
    """Breadcrumb of headings above the hit, joined with " > "; may be empty."""
    # Which lines of the file it has.
    first_line: int
    """First line of the hit, 1-based, as editors count."""
    last_line: int
    """Last line of the hit, inclusive."""
    best_line: int
    """Line to scroll to or to open in an editor."""
    # How well it answers.
    score: float
    """Probability that it answers, 0 to 1, after decay."""
    text_score: float | None
    """Score by words alone, 0 to 1; None if the words did not find it."""
    vector_score: float | None
    """Cosine similarity; None if the vectors did not find it."""
    # What is shown of it.
    snippet: Snippet
    modified: dt.datetime
    """Last change of the file, local time with zone."""
    date: dt.date | None = None
    """Day that the note has of its own; None if it has none."""
    # What only some readers look at.
    explanation: Explanation = Explanation()
    is_perhaps: bool = False
    """Whether it is not sure, and the hits above are."""
    kind: str = ""
    """Kind of a document by its name, such as "pdf" or "picture"; empty for plain text."""
    part: int | None = None
    """Number of the page, slide, sheet, chapter or message of a document; None in other files."""
    shown_in: ShownIn | None = None
    """Note that shows the picture; None for a picture that none shows, and for other files."""
    pictures: tuple[str, ...] = ()
    """Paths of pictures that the note shows and that match as well."""
    tags: tuple[str, ...] = ()
    """Tags of the note, for a person."""
    passages: tuple[Hit, ...] = ()
    """Passages of the note that match besides, where a note has one hit; they share no line."""
    conflict_copies: tuple[str, ...] = ()
    """Paths of copies of the note that a sync program left, and that match as well."""

    @property
    def day(self) -> dt.date:
        """The own day of the note, else that of its last change."""
        # A note of a day stays with it, whenever it was edited.
        return self.date or self.modified.date()

    def overlaps(self, other: Hit) -> bool:
        """Whether they share a line, as hits of one note."""
        return self.first_line <= other.last_line and other.first_line <= self.last_line

    @property
    def citation(self) -> str:
        """Path with the lines, as in `memory/2026-05-08.md#L5-L7`, or part, as `report.pdf#p3`.

        A picture has its path alone.
        """
        if self.part is not None:
            return f"{self.path}#p{self.part}"
        if self.kind == "picture":
            return self.path
        return f"{self.path}#L{self.first_line}-L{self.last_line}"


SECOND_LOOK_SECONDS = 10.0
"""Seconds after a question for a second look: ten times as long as it takes, so that a result
reader that has to start first is in time."""


class SearchRequest(Struct, frozen=True):
    """All parameters of a search."""

    text: str
    # Without more than a text, all workspaces are searched as an agent does.
    workspace: WorkspaceId | None = None
    """Id of one workspace; None searches all."""
    mode: Mode = Mode.HYBRID
    max_results: int | None = None
    """Number of hits at most; None for what the settings say."""
    min_score: float | None = None
    """Score below which nothing is listed; None for what the settings say."""
    sources: frozenset[Source] = frozenset()
    """Origins of the notes to search; empty for all."""
    is_prose: bool = False
    """Whether the text is a message, in which hyphens, quotes and operators are plain text."""
    is_typing: bool = False
    """Whether an answer at once matters more than notes that have just changed."""
    is_automatic: bool = False
    """Whether nobody asked just now: the app repeats a question after a change of the notes, or
    tries one out."""
    audience: Audience = AGENT
    """Readers of the answer."""
    # Set by rules on access: they narrow what was asked for.
    among: frozenset[WorkspaceId] = frozenset()
    """Ids of the workspaces that may be searched; empty for all."""
    named: frozenset[WorkspaceId] = frozenset()
    """Ids of workspaces that the search names, besides those that its text names."""
    conversation: Conversation = NO_KEY
    """Conversation of the agent that asks. Outside of direct chats MEMORY.md is not found."""
    second_look_seconds: float = 0.0
    """Seconds after the question until which the answer waits for a result reader that reads the
    first hits again; 0 to read nothing again."""
    # Lists by days, for the timeline and for scripts.
    order: Order = Order.RELEVANCE
    """Order of the hits: by days, they are the first of all notes with the words, not the best."""
    days: tuple[dt.date | None, dt.date | None] = (None, None)
    """First and last day of the notes, besides those that the text names; None for any."""


class QueryReading(Struct, frozen=True):
    """How a question was read, where it may have been meant otherwise."""

    excluded: tuple[str, ...] = ()
    """Words, phrases and operators with a hyphen or NOT before them, whose notes are excluded."""
    plain: str = ""
    """The question without exclusions: words are searched, operators are removed. Empty if it has
    none, or consists of them."""
    unknown: tuple[str, ...] = ()
    """What looks like an operator and was searched as words: its name with the colon, such as
    `section:`, or the whole where only its value makes no sense, such as `after:lunch`."""
    searched_alternatives: int = 0
    """Number of alternatives that were searched if the question has more; otherwise 0."""
    unmatched: tuple[str, ...] = ()
    """Operators that no note matches, such as `folder:School`, if nothing was found."""
    similar_folder: str = ""
    """Operator for a folder whose name contains an unmatched one; empty if there is none."""


class SearchAnswer(Struct, frozen=True):
    """Hits with their search mode, model and index freshness."""

    request: SearchRequest
    hits: tuple[Hit, ...]
    mode: Mode
    """Mode that ran; lexical when the model did not answer."""
    # Who embedded the query; both are empty when nobody did.
    provider: str
    model: str
    fallback_reason: str = ""
    """Sentence on why meaning was not searched; empty if it was."""
    freshness: Freshness = NEVER_READ
    elapsed_ms: float = 0.0
    takeover: Takeover | None = None
    """Fallback that answered; None if the configured provider did."""
    uncertain: tuple[Hit, ...] = ()
    """Nearest notes where no hit is sure; for agents also a few besides sure ones."""
    unread: tuple[str, ...] = ()
    """Names of workspaces whose notes are still being read for the first time."""
    not_searched: Mapping[WorkspaceId, str] = field(default_factory=dict)
    """Sentences on why workspaces are not searched, by their ids."""
    described: Mapping[WorkspaceId, Workspace] = field(default_factory=dict)
    """Workspaces whose folders have descriptions, by their ids."""
    days: tuple[dt.date, dt.date] | None = None
    """First and last day of a question about a time alone; None for all others."""
    waited_for: str = ""
    """Sentence on what was waited for; empty if nothing was."""
    reading: QueryReading = QueryReading()
    """How the question was read."""
    read_again_by: str = ""
    """Result reader that read the first hits again; empty if none did."""
    not_read_again: str = ""
    """Sentence on why the result reader that is here did not; otherwise empty."""

    @property
    def has_found(self) -> bool:
        """Whether there are hits, or notes with all words except their spelling.

        A day is whole, although no note names its year.
        """
        # A hit with corrected words is uncertain and still answers.
        is_corrected = any(hit.explanation.is_full_match for hit in self.uncertain)
        return bool(self.hits or self.days) or is_corrected


class ContextAnswer(Struct, frozen=True):
    """Quotations from the notes for a whole message."""

    message: str
    digest: str = ""
    """Quotations with their sources, for an agent; empty if nothing belongs to the message."""
    queries: tuple[str, ...] = ()
    """Queries that were searched; none for small talk."""
    hits: tuple[Hit, ...] = ()
    """Hits that the digest quotes, best first."""
    uncertain: tuple[Hit, ...] = ()
    """Hits besides that may belong to the message."""
    answer: SearchAnswer | None = None
    """Answer to the message itself, for its mode and freshness; None if no query ran."""
