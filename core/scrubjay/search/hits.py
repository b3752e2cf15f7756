"""Hits for ranked passages: snippets with marked words, and explanations of their rank."""

from __future__ import annotations

import datetime as dt
import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice, pairwise
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from scrubjay.config.ignore_patterns import EntryMatcher
from scrubjay.documents.document_parts import part_number
from scrubjay.records.audience import AGENT, Audience
from scrubjay.records.conversation import Conversation
from scrubjay.records.note_records import DocumentInfo, Source, Workspace
from scrubjay.records.search_records import Explanation, Hit, ShownIn, Snippet, Span
from scrubjay.search.query.dates import without_times
from scrubjay.search.ranking.closeness import RankedPassage
from scrubjay.search.retrieval.candidates import Passage
from scrubjay.search.retrieval.query_terms import QueryTerms
from scrubjay.text.file_kinds import document_kind, is_curated_memory, text_ending
from scrubjay.text.graphemes import next_start, truncate_text
from scrubjay.text.markdown import find_date, parse_front_matter, property_at
from scrubjay.text.plain_snippet import SENTENCE_END
from scrubjay.text.text_outline import note_outline
from scrubjay.text.tokenizer import Analyzer, Token

Marks: TypeAlias = Callable[[str, Analyzer], Sequence[tuple[Token, float]]]
"""The words to mark in a text, with their information."""

MAX_CHARACTERS = 700
"""Characters of a snippet."""

_BEFORE = 80
"""Characters shown before the first match of a long line."""


_MAX_OUTLINES = 256
"""Passages whose headings are cached: they stay while a question is typed."""


def make_hit(ranked: RankedPassage, analyzer: Analyzer, audience: Audience = AGENT) -> Hit:
    """The hit that a window, a terminal or an agent shows.

    A person reads prose of the section of the best line, without front matter.
    """
    chunk = ranked.candidate.chunk
    passage = ranked.passage
    # Its lines, the heading above them, and its day: that of the note, otherwise of a heading.
    headings = _headings_of(passage)
    shown = _shown_lines(ranked, headings, analyzer=analyzer, audience=audience)
    above = (path for at, _, path in reversed(headings) if at <= shown.best_in_passage)
    heading = next(above, chunk.heading)
    day = chunk.date
    if day is None and audience.browses_days:
        day = _day_above(heading)
    kind = document_kind(chunk.path)
    found = Hit(
        workspace=passage.workspace,
        path=chunk.path,
        file=chunk.note_file,
        source=chunk.source,
        title=chunk.title,
        heading=heading,
        first_line=passage.first_line + ranked.first,
        last_line=passage.first_line + ranked.last,
        best_line=passage.first_line + shown.best_in_passage,
        kind=kind,
        part=part_number(f"# {heading}") if kind else None,
        score=ranked.final_score,
        text_score=ranked.candidate.text_score,
        vector_score=ranked.candidate.cosine,
        snippet=make_snippet(
            "\n".join(shown.lines), shown.best, marks=ranked.terms.marked, analyzer=analyzer
        ),
        modified=chunk.modified,
        date=day,
        is_perhaps=ranked.is_perhaps,
        conflict_copies=passage.conflict_copies,
        explanation=_explanation(ranked, analyzer, audience),
    )
    further = _further_passages(ranked, found, analyzer=analyzer, audience=audience)
    return replace(found, passages=further)


class OpenNotes:
    """The notes that may be shown now, whatever the index still has."""

    def __init__(self, workspaces: Iterable[Workspace], conversation: Conversation) -> None:
        """Notes that are excluded are closed, and those that are only for private conversations."""
        self._conversation = conversation
        self._excluding = {each.id: each for each in workspaces if each.left_out}
        self._matchers = {
            name: EntryMatcher(each.left_out) for name, each in self._excluding.items()
        }

    def admit(self, note: Hit | ShownIn | DocumentInfo, path: str) -> bool:
        """Whether a note may be shown, or a copy of it under its own path."""
        # Names alone decide, since a drive may not answer.
        if not self._conversation.is_private and is_curated_memory(note.file):
            return False
        # Nothing excludes the conversations of an agent, which are no files of the folder.
        matcher = self._matchers.get(note.workspace)
        if matcher is None or note.source is Source.SESSIONS:
            return True
        is_extra = note.source is Source.EXTRA
        root = self._excluding[note.workspace].root
        is_elsewhere = is_extra and not note.file.is_relative_to(root)
        return not matcher.excludes(path, is_elsewhere=is_elsewhere)


def open_hits(
    hits: Iterable[Hit], workspaces: Iterable[Workspace], conversation: Conversation
) -> tuple[Hit, ...]:
    """The hits on notes that may be shown now, which name no others."""
    notes = OpenNotes(workspaces, conversation)
    shown: list[Hit] = []
    for hit in hits:
        if not notes.admit(hit, hit.path):
            continue
        # A copy has its own name, so that a pattern may exclude it alone.
        copies = tuple(copy for copy in hit.conflict_copies if notes.admit(hit, copy))
        above = hit.shown_in
        if above and not notes.admit(above, above.path):
            above = None
        shown.append(replace(hit, conflict_copies=copies, shown_in=above))
    return tuple(shown)


class _ShownLines(Struct, frozen=True):
    """The lines of a hit that its snippet is cut from."""

    lines: Sequence[str]
    best: int
    """Number of the best line among them, 0-based."""
    best_in_passage: int
    """Number of the best line in the passage, 0-based."""


def _shown_lines(
    ranked: RankedPassage,
    headings: Sequence[tuple[int, int, str]],
    analyzer: Analyzer,
    audience: Audience,
) -> _ShownLines:
    lines = ranked.passage.lines[ranked.first : ranked.last + 1]
    best = ranked.best - ranked.first
    if ranked.passage.is_session:
        # A transcript is blank where tools worked: there is nothing to read.
        filled = [line for line in lines if line]
        return _ShownLines(filled, sum(map(bool, lines[:best])), ranked.best)
    if audience.reads_sections:
        return _section(ranked, headings, analyzer)
    return _ShownLines(lines, best, ranked.best)


def _explanation(ranked: RankedPassage, analyzer: Analyzer, audience: Audience) -> Explanation:
    chunk = ranked.candidate.chunk
    # Terms with the fields that hold them.
    fields = [
        (term, tuple(name for name, numbers in ranked.fields.items() if numbers.get(number)))
        for number, term in enumerate(ranked.terms.terms)
    ]
    missing = [term for term, names in fields if not names]
    # Words of the question that are not part of a time.
    rest: Sequence[str] = ()
    if missing:
        rest = without_times(ranked.terms.asked, dt.date.today()).split()
    # Words to mark: those of the text, otherwise those of title, headings and path.
    words: Mapping[str, str] = {}
    named: Mapping[str, str] = {}
    if audience.reads_sections:
        window = "\n".join(ranked.passage.lines[ranked.first : ranked.last + 1])
        words = _words(window, ranked.terms, analyzer)
        if not words:
            labels = f"{chunk.title} | {chunk.heading} | {chunk.path}"
            named = _words(labels, ranked.terms, analyzer)
    return Explanation(
        matched={term.text: names for term, names in fields if names},
        missing=tuple(term.text for term in missing),
        times=tuple(term.text for term in missing if term.folded not in rest),
        words=words,
        named=named,
        lexical_rank=ranked.candidate.lexical_rank,
        vector_rank=ranked.candidate.vector_rank,
        parts=ranked.parts,
        is_log_odds=ranked.is_log_odds,
        decay=ranked.decay,
        diversity_penalty=ranked.diversity_penalty,
    )


def _further_passages(
    ranked: RankedPassage, found: Hit, analyzer: Analyzer, audience: Audience
) -> tuple[Hit, ...]:
    """Further passages of a note that answer as its best one does, none over another."""
    passages: list[Hit] = []
    has_words = ranked.closeness or found.explanation.words
    for each in ranked.others:
        other = make_hit(each, analyzer, audience)
        why = other.explanation
        is_match = why.words if has_words else why.vector_rank
        if is_match and not any(map(other.overlaps, (found, *passages))):
            passages.append(other)
    return tuple(passages)


def _headings_of(passage: Passage) -> Sequence[tuple[int, int, str]]:
    first = passage.candidates[0].chunk
    return _headings(
        tuple(passage.lines),
        title=first.title,
        heading=first.heading,
        ending=text_ending(first.path),
        is_first=passage.first_line == 1,
    )


@functools.lru_cache(_MAX_OUTLINES)
def _headings(
    lines: tuple[str, ...], title: str, heading: str, ending: str, *, is_first: bool
) -> Sequence[tuple[int, int, str]]:
    """Line and level of each heading of a passage, and the breadcrumb there.

    Title and heading are those where it begins; ending is that of the note's name.
    """
    # Of headings above the passage the text is known, but not the level, which is 0 here. They are
    # taken for levels 1, 2, … where the first is the title. Other ones may end at the next heading.
    above = [(0, text) for text in heading.split(" > ") if text]
    is_titled = bool(above) and above[0][1] == title
    paths: list[tuple[int, int, str]] = []
    # A rule at the beginning of a later passage would be taken for front matter.
    blank = ("",) * (not is_first)
    for each in note_outline((*blank, *lines), ending).headings:
        # A heading closes those of its level and below.
        names = [text for _, text in above]
        if each.text in names and not above[names.index(each.text)][0]:
            above = above[: names.index(each.text)]
        else:
            levels = [level for level, _ in above]
            for at, level in enumerate(levels):
                if not level:
                    levels[at] = at + 1 if is_titled else 7
            above = [pair for pair, level in zip(above, levels, strict=True) if level < each.level]
        above.append((each.level, each.text))
        path = " > ".join(text for _, text in above if text)
        paths.append((each.line - 1 - len(blank), each.level, path))
    return paths


def _day_above(heading: str) -> dt.date | None:
    """The day that the nearest heading with one is, as in a diary."""
    return next(filter(None, map(find_date, reversed(heading.split(" > ")))), None)


def _section(
    ranked: RankedPassage, headings: Sequence[tuple[int, int, str]], analyzer: Analyzer
) -> _ShownLines:
    """The lines of the best line's section.

    A property in front matter is the best line only where no word below it matches.
    """
    lines = ranked.passage.lines
    best = ranked.best
    end = ranked.last + 1
    body = 0
    if ranked.passage.first_line == 1:
        body = parse_front_matter(lines)[1]
    told: list[str] = []
    if best < body:
        # The line below with the most information, if there is any, takes its place.
        end = max(end, ranked.passage.span(ranked.candidate)[1])
        marked = [ranked.terms.marked(line, analyzer) for line in lines[:end]]
        filled = [at for at in range(body, end) if lines[at].strip()]
        found = max(filled, key=lambda at: sum(part for _, part in marked[at]), default=end)
        if marked[best] and not (filled and marked[found]):
            told = [property_at(lines, best), ""]
        best = found
    # The section is that of the nearest heading above, down to the next one of its level.
    start = 0
    own = 7 if ranked.candidate.chunk.heading else 0
    for at, level, _ in headings:
        if at <= best:
            start = at
            own = level
    following = (at for at, level, _ in headings if best < at < end and level <= own)
    first = max(body, ranked.first, start)
    end = min(following, default=end)
    if told or best == end:
        return _ShownLines([*told, *lines[first:end]] or [""], 0, ranked.best)
    return _ShownLines(lines[first:end], best - first, best)


def _words(text: str, terms: QueryTerms, analyzer: Analyzer) -> dict[str, str]:
    """Words of a text that answer those of a question -> the typed one of a repaired spelling."""
    if not text:
        return {}
    tokens = [token for token, _ in terms.marked(text, analyzer)]
    typed = {text[each.start : each.end]: terms.mended.get(each.stem, "") for each in tokens}
    spans = merge_spans([Span(each.start, each.end) for each in tokens])
    # Each word once, however it is capitalised.
    words = {word.casefold(): word for word in (text[span.start : span.end] for span in spans)}
    return {word: typed.get(word, "") for word in words.values()}


def make_snippet(text: str, line: int, marks: Marks, analyzer: Analyzer) -> Snippet:
    """At most MAX_CHARACTERS around a line (0-based), in whole lines if they fit, words marked."""
    lines = text.split("\n")
    line = min(line, len(lines) - 1)
    if len(lines[line]) > MAX_CHARACTERS:
        long = lines[line]
        part, best = _part_of_line(long, marks(long, analyzer))
    else:
        part, best = _lines_around(lines, line)
    matches = marks(part, analyzer)
    spans = [Span(token.start, token.end) for token, _ in matches]
    best = min(best, len(part))  # a blank last line is cut off
    return Snippet(part, tuple(merge_spans(spans)), _best_sentence(part, best, matches))


def _best_sentence(text: str, start: int, matches: Sequence[tuple[Token, float]]) -> int:
    """The start of the sentence with the most information in a line."""
    last = text.find("\n", start)
    if last < 0:
        last = len(text)
    borders = [start, *(match.end() for match in SENTENCE_END.finditer(text, start, last)), last]
    worth = dict.fromkeys(borders[:-1], 0.0)
    for first, after in pairwise(borders):
        inside = {each.stem: part for each, part in matches if first <= each.start < after}
        worth[first] = sum(inside.values())
    return max(worth, key=worth.__getitem__, default=start)


def _part_of_line(line: str, matches: Sequence[tuple[Token, float]]) -> tuple[str, int]:
    """The stretch of a long line with the most information, and where in it this begins.

    It begins at a space or a grapheme.
    """
    # The stretch that begins with a match; each word counts once.
    best = 0
    most = 0.0
    in_order = sorted(matches, key=lambda marked: marked[0].start)
    for at, (match, _) in enumerate(in_order):
        end = match.start + MAX_CHARACTERS - 2 * _BEFORE
        near: dict[str, float] = {}
        for token, information in islice(in_order, at, None):
            if token.start >= end:
                break
            if token.end <= end:
                near[token.stem] = information
        information = sum(near.values())
        if information > most:
            best = match.start
            most = information
    # It begins some characters before.
    start = max(0, min(best - _BEFORE, len(line) - MAX_CHARACTERS))
    if start:
        start = next_start(line, start, best)
    return truncate_text(line[start:], MAX_CHARACTERS), max(0, best - start)


def _lines_around(lines: Sequence[str], line: int) -> tuple[str, int]:
    """A line with those around it, and where in them it begins."""
    first = line
    last = line
    size = len(lines[line])
    # One line more after it and one before, for as long as they fit.
    while size < MAX_CHARACTERS:
        after = last + 1 < len(lines) and size + 1 + len(lines[last + 1]) <= MAX_CHARACTERS
        if after:
            last += 1
            size += 1 + len(lines[last])
        before = first > 0 and size + 1 + len(lines[first - 1]) <= MAX_CHARACTERS
        if before:
            first -= 1
            size += 1 + len(lines[first])
        if not after and not before:
            break
    text = "\n".join(lines[first : last + 1])
    above = sum(len(each) + 1 for each in lines[first:line])
    # Blank lines at both ends say nothing.
    blank = len(text) - len(text.lstrip("\n"))
    return text.strip("\n"), max(0, above - blank)


def merge_spans(spans: Sequence[Span]) -> list[Span]:
    """Spans in order, overlapping ones merged."""
    result: list[Span] = []
    for span in sorted(spans, key=lambda span: (span.start, span.end)):
        if result and span.start < result[-1].end:
            result[-1] = Span(result[-1].start, max(result[-1].end, span.end))
        else:
            result.append(span)
    return result
