"""Answers of the memory tools as JSON, the same for the terminal and for agents.

The types of the answers are also the output schemas of the tools.
"""

from __future__ import annotations

import datetime as dt
import itertools
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from msgspec import UNSET, Struct, UnsetType, to_builtins
from msgspec.structs import asdict, replace

from scrubjay.config.ignore_patterns import EntryMatcher
from scrubjay.config.schema.memory_search import Citations
from scrubjay.errors import ScrubjayError
from scrubjay.messages import Sentence
from scrubjay.records.note_records import FolderDescription, NotePage, Source
from scrubjay.records.page_start import PageStart
from scrubjay.records.search_records import (
    ContextAnswer,
    Explanation,
    Hit,
    QueryReading,
    SearchAnswer,
    Snippet,
)
from scrubjay.records.status_records import EngineStatus, Freshness, WorkspaceStatus
from scrubjay.text.age import age_in_words
from scrubjay.text.file_kinds import PICTURE
from scrubjay.text.graphemes import next_start, truncate_text
from scrubjay.text.printable import printable_label, visible_text

_DIGITS = 4
"""Digits of a score after the point; further ones only cost tokens."""
_SHORT_DIGITS = 2
"""Digits of a score in a short answer, where whole percents are enough."""
_SHORT = 200
"""Characters of an uncertain hit, and of the later hits of a short answer."""
_LONGEST_DESCRIPTION = 300
"""Characters of the description of a folder, enough for two long sentences."""
_MOST_NAMES = 20
"""Names that an answer proposes."""
_LONGEST_NAME = 300
"""Characters of such a name; longer paths are rare, and longer headings are no headings."""
_WHOLE_HITS = 2
"""Hits of a short answer with all of their text."""
_UNCERTAIN = (
    "These passages may not answer the question. Judge them by their text, "
    "or read more of the notes."
)


class JsonAnswer(Struct, frozen=True, kw_only=True, omit_defaults=True, rename="camel"):
    """Base class of all answers, with camelCase names. Empty fields are omitted."""

    def as_json(self) -> dict[str, Any]:
        """The fields as JSON knows them."""
        fields = to_builtins(self, enc_hook=_plain_text)
        assert isinstance(fields, dict)
        return fields


class ToolAnswer(JsonAnswer, frozen=True, kw_only=True):
    """Base class of the answers of the tools."""

    note: str = ""
    """Arguments that were ignored, and those that there are; empty for none."""


class HitJson(JsonAnswer, frozen=True, kw_only=True):
    """A passage that was found."""

    path: str
    start_line: int
    end_line: int
    score: float
    """Probability that the passage answers."""
    # Both are absent where only the other kind of search found it.
    vector_score: float | UnsetType = UNSET
    text_score: float | UnsetType = UNSET
    snippet: str | UnsetType = UNSET
    """Text of the passage; absent where the context quotes it."""
    source: str | UnsetType = UNSET
    """Origin of the note; absent in a short answer for one of a folder of notes."""
    citation: str | UnsetType = UNSET
    """Path with lines or part; absent in a short answer if it has only path and lines."""
    workspace: str
    """Id of its workspace."""
    date: str
    """Day of the note in ISO 8601: its own, otherwise that of its last change."""
    age: str
    """Time since that day, in words."""
    conflict_copies: list[str] = []
    """Paths of copies of the note that a sync program left, and that match as well."""
    kind: str = ""
    """Kind "picture" for the words on a picture; empty for others."""
    shown_in: str = ""
    """Path of the note that shows the picture; empty if none does."""
    pictures: list[str] = []
    """Paths of pictures that the note shows and that match as well."""


class ExplanationJson(JsonAnswer, frozen=True, kw_only=True):
    """Reasons for the place of a hit, for `--explain`."""

    matched: dict[str, list[str]]
    missing: list[str]
    lexical_rank: int | None
    vector_rank: int | None
    parts: dict[str, float]
    decay: float
    diversity_penalty: float
    read_again: str = ""
    """What reading it again said, such as "fits"; empty for a hit that was not read again."""


class ExplainedHit(HitJson, frozen=True, kw_only=True):
    """A passage that was found, for `--explain`."""

    explanation: ExplanationJson


class FallbackJson(JsonAnswer, frozen=True, kw_only=True):
    """The provider or backend that should have answered, and why another one did."""

    from_: str
    reason: str
    error: str = ""
    """Why the fallback does not answer either."""


class FreshnessJson(JsonAnswer, frozen=True, kw_only=True):
    """How up to date an index is."""

    documents: int
    pending: int
    unread_documents: int
    unreadable: int
    embedded: float
    """Share of the passages that have a vector, from 0 to 1."""
    checked_at: str | None
    """Time of the last comparison with the disk in ISO 8601; None before the first."""
    reason: str = ""


class NotSearched(JsonAnswer, frozen=True, kw_only=True):
    """A workspace that was not searched."""

    workspace: str
    """Id of the workspace."""
    reason: str


class FoundJson(ToolAnswer, frozen=True, kw_only=True):
    """The common fields of memory_search and memory_context."""

    results: list[HitJson]
    uncertain: list[HitJson] = []
    """Short passages that may not answer."""
    uncertain_notice: str = ""
    """Sentence that says so; absent in a short answer, as the description of its tool does."""
    folders: dict[str, str] = {}
    """Descriptions of the nearest folders of the results, by workspace and path."""
    # What answered, and how far the index was; absent where nothing was searched.
    provider: str | UnsetType = UNSET
    model: str | UnsetType = UNSET
    fallback: FallbackJson | UnsetType = UNSET
    waited_for: str = ""
    mode: str | UnsetType = UNSET
    freshness: FreshnessJson | UnsetType = UNSET
    not_searched: list[NotSearched] = []
    # In place of results while there can be none.
    disabled: bool = False
    """Whether nothing can be searched now; `error` says why, and `action` what to do."""
    error: str = ""
    action: str = ""


class SearchJson(FoundJson, frozen=True, kw_only=True):
    """The answer of memory_search."""

    similar_folder: str = ""
    """Operator for a folder with a similar name, where no note is in the one that was named."""
    query_note: str = ""
    """What the query excluded, its unknown operators, and how many alternatives were searched."""
    plain_query: str = ""
    """The query without its exclusions."""
    citations: str | UnsetType = UNSET


class Debug(JsonAnswer, frozen=True, kw_only=True):
    """Facts of a search for `--explain`."""

    elapsed_ms: float
    query: str
    read_again_by: str = ""
    """Result reader that read the first results again; empty if none did."""
    not_read_again: str = ""
    """Sentence on why the result reader that is installed did not; otherwise empty."""


class ExplainedSearch(SearchJson, frozen=True, kw_only=True):
    """The answer of a search, for `--explain`."""

    debug: Debug


class ContextJson(FoundJson, frozen=True, kw_only=True):
    """The answer of memory_context."""

    context: str | UnsetType = UNSET
    """Quotations from the notes with their sources."""


class NotePageJson(ToolAnswer, frozen=True, kw_only=True):
    """The answer of memory_get."""

    notice: str = ""
    path: str
    text: str
    from_: int
    """Number of the first line, from 1."""
    lines: int
    date: str = ""
    """Day of the note in ISO 8601: its own, otherwise that of its last change."""
    age: str = ""
    """Time since that day, in words."""
    truncated: bool = False
    hash: str | UnsetType = UNSET
    """Digest of the whole note, which memory_write takes as ifHash."""
    next_from: int | str | UnsetType = UNSET
    """Line from which to read on; after a part of a long line, `line:column`."""
    missing: bool = False
    """Whether there is no such note, as opposed to an empty one."""
    similar: list[str] = []
    """Paths with names similar to that of a missing note."""
    workspace: str = ""
    """Id of the workspace; empty where none of several has the note."""
    not_searched: list[NotSearched] = []
    """Workspaces in which a missing note could not be looked for."""
    choices: list[str] = []
    """Headings or paths to choose from, where this one of several notes cannot be read."""


class UnreadNoteJson(JsonAnswer, frozen=True, kw_only=True):
    """A note of several that cannot be read."""

    path: str
    """Path or name as it was passed."""
    error: str
    action: str = ""


class NotePagesJson(ToolAnswer, frozen=True, kw_only=True):
    """The answer of memory_get for several notes."""

    notice: str = ""
    notes: list[NotePageJson]
    """The notes in the order of their paths, without a text where there is none."""
    # What Scrubjay says of a note must not stand in what it quotes.
    unread: list[UnreadNoteJson] = []


class ListedNoteJson(JsonAnswer, frozen=True, kw_only=True):
    """A note in a list."""

    path: str
    title: str = ""
    """Title; empty where the name of the file says the same."""
    date: str
    """Day of the note in ISO 8601: its own, otherwise that of its last change."""
    age: str
    """Time since that day, in words."""
    workspace: str
    """Id of its workspace."""
    conflict_copies: list[str] = []
    """Paths of its conflict copies."""


class FolderJson(JsonAnswer, frozen=True, kw_only=True):
    """A folder in a list."""

    path: str
    notes: int
    workspace: str
    """Id of its workspace."""
    description: str = ""
    """Description of the folder by the user."""


class ListJson(ToolAnswer, frozen=True, kw_only=True):
    """The answer of memory_list."""

    notes: list[ListedNoteJson]
    folders: list[FolderJson] = []
    """Folders with the number of notes in them and below."""
    next_cursor: str = ""
    """Cursor of the next page; empty at the end."""
    not_searched: list[NotSearched] = []


class RelatedNoteJson(ListedNoteJson, frozen=True, kw_only=True):
    """A note that belongs to another one."""

    relation: str
    why: str = ""
    """Line with the link, or the words that both notes share."""
    line: int
    """Line of the link, or of the passage that is most alike."""
    score: float = 0.0
    """Probability that it is about the same subject; 0 for notes that are related otherwise."""


class LinksJson(ToolAnswer, frozen=True, kw_only=True):
    """The answer of memory_links."""

    notice: str = ""
    path: str
    workspace: str = ""
    """Id of the workspace of the note and of those related to it."""
    related: list[RelatedNoteJson]
    missing: bool = False
    """Whether there is no such note."""
    similar: list[str] = []
    """Paths with names similar to that of a missing note."""
    not_searched: list[NotSearched] = []


class ModelJson(JsonAnswer, frozen=True, kw_only=True):
    """The model that searches by meaning."""

    provider: str
    model: str
    ready: bool
    reason: str = ""


class BackendJson(JsonAnswer, frozen=True, kw_only=True):
    """Another program that answers searches."""

    name: str
    reason: str = ""
    note: str = ""


class StatusJson(ToolAnswer, frozen=True, kw_only=True):
    """The answer of memory_status."""

    you: str = ""
    """Name of the agent that asks."""
    # Facts of a workspace come from several parts, each of which adds its own.
    workspaces: list[dict[str, Any]]
    model: ModelJson
    paused: bool
    backend: BackendJson | UnsetType = UNSET
    fallback: FallbackJson | UnsetType = UNSET


class WrittenJson(ToolAnswer, frozen=True, kw_only=True):
    """The answer of memory_write."""

    workspace: str
    """Id of the workspace."""
    path: str
    state: str
    """"written", or "proposed" where the user reviews changes."""
    # Of a change that was written.
    start_line: int | UnsetType = UNSET
    end_line: int | UnsetType = UNSET
    hash: str | UnsetType = UNSET
    """Digest of the note after the change."""
    # Of a proposal.
    proposal: str | UnsetType = UNSET
    """Id of the proposal."""
    notice: str | UnsetType = UNSET


Found = TypeVar("Found", SearchJson, ContextJson)


def search_answer_json(
    answer: SearchAnswer,
    *,
    citations: Citations = "auto",
    explain: bool = False,
    is_short: bool = False,
) -> SearchJson:
    """The memory_search answer. Citations are the setting: `auto` names sources in direct chats.

    A short one is for an agent, which pays for each field with its context: it has no parts of
    scores, less text of the later hits, and says nothing of an index that is current.
    """
    is_direct_chat = answer.request.conversation.is_direct_chat
    cites = citations == "on" or (citations == "auto" and is_direct_chat)
    # Uncertain hits come with a sentence that says so, which is not sent for nothing.
    perhaps = [hit for hit in answer.hits if hit.is_perhaps]
    uncertain = _uncertain([*perhaps, *answer.uncertain])
    sure = [hit for hit in answer.hits if not hit.is_perhaps]
    results = [_hit(hit, cites=cites, explain=explain) for hit in sure]
    if is_short:
        whole = [_hit(hit, cites=cites) for hit in sure[:_WHOLE_HITS]]
        later = [_hit(hit, cites=cites, limit=_SHORT) for hit in sure[_WHOLE_HITS:]]
        results = [_short_hit(each) for each in (*whole, *later)]
        uncertain = [_short_hit(each) for each in uncertain]
    reply = SearchJson(
        results=results,
        uncertain=uncertain,
        uncertain_notice=_UNCERTAIN if uncertain and not is_short else "",
        query_note=reading_note(answer.reading),
        similar_folder=printable_label(answer.reading.similar_folder),
        plain_query=answer.reading.plain,
        citations="on" if cites else "off",
    )
    reply = _with_origin(reply, answer, is_short=is_short)
    reply = replace(reply, folders=_described_folders(sure, [*perhaps, *answer.uncertain], answer))
    if not explain:
        return reply
    debug = Debug(
        elapsed_ms=round(answer.elapsed_ms, 2),
        query=answer.request.text,
        read_again_by=answer.read_again_by,
        not_read_again=answer.not_read_again,
    )
    return ExplainedSearch(**asdict(reply), debug=debug)


def reading_note(reading: QueryReading) -> str:
    """Sentences on how a question was read; empty where it can only be read so."""
    sentences: list[str] = []
    if reading.excluded:
        words = ", ".join(map(printable_label, reading.excluded))
        sentences.append(f"Excluded: {words}.")
    if reading.unknown:
        names = ", ".join(map(printable_label, reading.unknown))
        sentences.append(f"Searched as words, because there is no such operator: {names}.")
    if reading.searched_alternatives:
        count = reading.searched_alternatives
        sentences.append(f"Only the first {count} OR alternatives were searched.")
    if reading.unmatched:
        names = ", ".join(map(printable_label, reading.unmatched))
        sentences.append(f"No note matches {names}.")
    return " ".join(sentences)


def quoted_names(names: Iterable[str]) -> list[str]:
    """Names from notes as an answer proposes them: a few, each on one line and not too long."""
    few = itertools.islice(names, _MOST_NAMES)
    return [printable_label(truncate_text(name, _LONGEST_NAME)) for name in few]


def unavailable_json(error: ScrubjayError) -> SearchJson:
    """The memory_search and memory_context answer while nothing can be searched."""
    return SearchJson(
        results=[],
        disabled=True,
        error=error_reason(error),
        action=error.hint or "To see what is wrong, run `scrubjay status`.",
    )


def error_reason(error: ScrubjayError) -> str:
    """The problem, without the hint for a remedy."""
    if error.message:
        return f"{error.title}: {error.message}"
    return error.title


def context_answer_json(context: ContextAnswer, *, is_short: bool = False) -> ContextJson:
    """The memory_context answer; the context is empty when nothing belongs to the message.

    The context quotes all results, so they come without their texts. A short one is as that of
    `search_answer_json`.
    """
    uncertain = _uncertain(context.uncertain)
    results = [replace(_hit(hit, cites=False), snippet=UNSET) for hit in context.hits]
    if is_short:
        results = [_short_hit(each) for each in results]
        uncertain = [_short_hit(each) for each in uncertain]
    reply = ContextJson(
        context=context.digest,
        results=results,
        uncertain=uncertain,
        uncertain_notice=_UNCERTAIN if uncertain and not is_short else "",
    )
    if context.answer is None:
        return reply
    described = _described_folders(context.hits, context.uncertain, context.answer)
    reply = replace(reply, folders=described)
    return _with_origin(reply, context.answer, is_short=is_short)


def _described_folders(
    sure: Sequence[Hit], uncertain: Sequence[Hit], answer: SearchAnswer
) -> dict[str, str]:
    """Descriptions of the nearest folders of hits; of uncertain hits where none is sure."""
    texts: dict[str, str] = {}
    for hit in sure or uncertain:
        workspace = answer.described.get(hit.workspace)
        nearest = workspace and workspace.description_of(hit.path)
        if nearest:
            label = f"{hit.workspace}/{nearest.folder}".removesuffix("/")
            texts[label] = description_text(nearest)
    return texts


def description_text(description: FolderDescription) -> str:
    """A description as agents get it."""
    return visible_text(truncate_text(description.text, _LONGEST_DESCRIPTION))


def note_page_json(page: NotePage, day: dt.date | None = None) -> NotePageJson:
    """The memory_get answer, with the day of the note if that is known."""
    # A number for a whole line, as other programs expect it; a text only inside of a long one.
    next_from: int | str | UnsetType = UNSET
    if page.next_line is not None:
        start = PageStart(f"{page.next_line}:{page.next_column}")
        next_from = start.line if start.column == 1 else str(start)
    return NotePageJson(
        path=page.path,
        text=page.text,
        from_=page.first_line,
        lines=page.line_count,
        truncated=page.is_truncated,
        date=day.isoformat() if day else "",
        age=age_in_words(day, dt.date.today()) if day else "",
        hash=page.facts.digest or UNSET,
        next_from=next_from,
        missing=page.is_missing,
    )


def status_json(status: EngineStatus, *, is_short: bool = False) -> StatusJson:
    """The memory_status answer; a short one names no paths, files and settings."""
    model = status.model
    backend = status.backend
    # The built-in search needs no mention.
    other: BackendJson | UnsetType = UNSET
    if backend.name != "builtin":
        other = BackendJson(name=backend.name, reason=backend.reason, note=backend.note)
    fallback: FallbackJson | UnsetType = UNSET
    if status.takeover:
        fallback = FallbackJson(
            from_=status.takeover.provider,
            reason=status.takeover.reason,
            error=status.takeover.fallback_reason,
        )
    if is_short:
        workspaces = [_short_workspace(each) for each in status.workspaces]
    else:
        workspaces = [
            {**_workspace(each), **status.details.get(each.workspace.id, {})}
            for each in status.workspaces
        ]
    return StatusJson(
        workspaces=workspaces,
        model=ModelJson(
            provider=model.provider, model=model.model, ready=model.is_ready, reason=model.reason
        ),
        paused=status.is_paused,
        backend=other,
        fallback=fallback,
    )


def _hit(hit: Hit, *, cites: bool, explain: bool = False, limit: int | None = None) -> HitJson:
    """A hit of at most so much text, with its source in it where agents are to name it."""
    # Signs that nobody sees could hide an instruction in a quotation.
    text = visible_text(_cut(hit.snippet, limit))
    if cites:
        text = f"{text}\n\nSource: {hit.citation}"
    reply = HitJson(
        path=hit.path,
        start_line=hit.first_line,
        end_line=hit.last_line,
        score=round(hit.score, _DIGITS),
        vector_score=_rounded(hit.vector_score),
        text_score=_rounded(hit.text_score),
        snippet=text,
        source=str(hit.source),
        citation=hit.citation,
        workspace=hit.workspace,
        date=hit.day.isoformat(),
        age=age_in_words(hit.day, dt.date.today()),
        conflict_copies=list(hit.conflict_copies),
        kind=hit.kind if hit.kind == PICTURE else "",
        shown_in=hit.shown_in.path if hit.shown_in else "",
        pictures=list(hit.pictures),
    )
    if not explain:
        return reply
    return ExplainedHit(**asdict(reply), explanation=_explanation(hit.explanation))


def _cut(snippet: Snippet, limit: int | None) -> str:
    """So many characters of a snippet at most, with the sentence that answers best."""
    text = snippet.text
    if limit is None or len(text) <= limit:
        return text
    # A little of what stands before the sentence, from a whole word on; with room for both marks.
    room = limit - 2
    start = max(0, min(snippet.best - limit // 4, len(text) - room))
    lead = ""
    if start:
        start = next_start(text, start, snippet.best)
        lead = "…"
    shown = truncate_text(text[start:].lstrip(), room)
    end = ""
    if not text.endswith(shown):
        end = "…"
    return f"{lead}{shown}{end}"


def _short_hit(hit: HitJson) -> HitJson:
    """A hit without what an agent knows by its other fields, or has no use for."""
    source = hit.source
    if source == Source.NOTES:
        source = UNSET
    # The part of a document is in no other field.
    citation = hit.citation
    if citation == f"{hit.path}#L{hit.start_line}-L{hit.end_line}":
        citation = UNSET
    return replace(
        hit,
        score=round(hit.score, _SHORT_DIGITS),
        vector_score=UNSET,
        text_score=UNSET,
        source=source,
        citation=citation,
    )


def _plain_text(sentence: Any) -> str:
    """The English text of a Sentence, a type of text that msgspec does not know."""
    assert isinstance(sentence, Sentence), type(sentence)
    return sentence[:]


def _rounded(score: float | None) -> float | UnsetType:
    """A score as it is sent; absent where there is none."""
    if score is None:
        return UNSET
    return round(score, _DIGITS)


def _explanation(why: Explanation) -> ExplanationJson:
    return ExplanationJson(
        matched={term: list(fields) for term, fields in why.matched.items()},
        missing=list(why.missing),
        lexical_rank=why.lexical_rank,
        vector_rank=why.vector_rank,
        parts={name: round(value, _DIGITS) for name, value in why.parts.items()},
        decay=round(why.decay, _DIGITS),
        diversity_penalty=round(why.diversity_penalty, _DIGITS),
        read_again=why.verdict or "",
    )


def _uncertain(hits: Sequence[Hit]) -> list[HitJson]:
    """Hits that may answer, short."""
    return [_hit(hit, cites=False, limit=_SHORT) for hit in hits]


def _with_origin(reply: Found, answer: SearchAnswer, *, is_short: bool) -> Found:
    """The reply with what answered, and how far the index was then."""
    freshness: FreshnessJson | UnsetType = _freshness(answer.freshness)
    if is_short and _is_current(answer):
        freshness = UNSET
    return replace(
        reply,
        provider=answer.provider,
        model=UNSET if is_short and not answer.model else answer.model,
        fallback=_fallback(answer),
        waited_for=answer.waited_for,
        mode=str(answer.mode),
        freshness=freshness,
        not_searched=[
            NotSearched(workspace=name, reason=reason)
            for name, reason in answer.not_searched.items()
        ],
    )


def _fallback(answer: SearchAnswer) -> FallbackJson | UnsetType:
    """The provider and model that were replaced by those that embedded the query."""
    # A reason says that meaning was not searched at all, which matters more.
    if answer.fallback_reason:
        return FallbackJson(from_="hybrid", reason=answer.fallback_reason)
    if answer.takeover:
        return FallbackJson(from_=answer.takeover.provider, reason=answer.takeover.reason)
    return UNSET


def _freshness(freshness: Freshness) -> FreshnessJson:
    """The freshness of an index, with a time that any program can read."""
    checked = freshness.checked_at
    return FreshnessJson(
        documents=freshness.documents,
        pending=freshness.pending,
        unread_documents=freshness.unread_documents,
        unreadable=freshness.unreadable,
        embedded=round(freshness.embedded, _DIGITS),
        checked_at=checked.isoformat(timespec="seconds") if checked else None,
        reason=freshness.reason,
    )


def _is_current(answer: SearchAnswer) -> bool:
    """Whether nothing waits to be read or learned, so that an answer needs no reservation."""
    freshness = answer.freshness
    # Why meaning was not searched is told by the answer itself.
    is_learned = freshness.embedded == 1 or bool(answer.fallback_reason)
    waiting = freshness.pending + freshness.unread_documents + freshness.unreadable
    return is_learned and not waiting and not freshness.reason


def _short_workspace(status: WorkspaceStatus) -> dict[str, Any]:
    """The facts of a workspace that tell an agent how far its notes can be found."""
    freshness = _freshness(status.freshness).as_json()
    facts = {
        "id": status.workspace.id,
        "name": status.workspace.name,
        "state": str(status.state),
        "documents": freshness["documents"],
        "embedded": freshness["embedded"],
        "checkedAt": freshness["checkedAt"],
    }
    # What waits or is missing is told where there is something.
    for name in ("pending", "unreadDocuments", "unreadable", "reason"):
        if freshness.get(name):
            facts[name] = freshness[name]
    facts |= _pictures(status) | _reasons(status) | _choices(status)
    return facts


def _pictures(status: WorkspaceStatus) -> dict[str, Any]:
    """Pictures that are still to be read; absent where there are none."""
    pictures = status.pictures
    if not pictures.waiting:
        return {}
    facts: dict[str, Any] = {"unreadPictures": pictures.waiting}
    if pictures.seconds_left:
        facts["picturesSecondsLeft"] = round(pictures.seconds_left)
    if pictures.paused:
        facts["picturesPaused"] = pictures.paused
    return facts


def _choices(status: WorkspaceStatus) -> dict[str, Any]:
    """Choices of the user that agents should know: descriptions, and that it has to be named."""
    facts: dict[str, Any] = {}
    workspace = status.workspace
    if workspace.searched != "always":
        facts["searched"] = workspace.searched
    # What agents cannot find is not described to them either.
    exclusions = EntryMatcher(workspace.left_out)
    texts = {
        each.folder or "/": description_text(each)
        for each in workspace.descriptions
        if not each.folder or not exclusions.excludes(each.folder, is_folder=True)
    }
    if texts and not status.is_off:
        facts["descriptions"] = texts
    return facts


def _reasons(status: WorkspaceStatus) -> dict[str, str]:
    """Why the notes of a workspace cannot be read, or are not read; absent where they are."""
    reasons = {"error": status.error, "off": status.off_reason}
    return {name: reason for name, reason in reasons.items() if reason}


def _workspace(status: WorkspaceStatus) -> dict[str, Any]:
    """Facts of a workspace; the engine adds others to them."""
    facts = {
        "id": status.workspace.id,
        "name": status.workspace.name,
        "path": str(status.workspace.root),
        "state": str(status.state),
        "chunks": status.chunks,
        "indexBytes": status.index_bytes,
        **_freshness(status.freshness).as_json(),
        "skipped": [
            {"path": file.path, "reason": file.reason, "problem": file.is_problem}
            for file in status.skipped
        ],
    }
    # Fields that say nothing are absent.
    facts |= _pictures(status) | _reasons(status) | _choices(status)
    if status.mended_at:
        facts["mendedAt"] = status.mended_at.isoformat()
    return facts
