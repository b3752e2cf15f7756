"""Notes related to a note: by links in both directions, by their meaning, and by their day."""

from __future__ import annotations

import datetime as dt
import math
import posixpath
import re
from collections import defaultdict
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from typing import Any
from urllib.parse import quote

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from scrubjay.answers.search_thread import SearchThread
from scrubjay.concurrency.cancel import CancelToken
from scrubjay.config.schema.search_query import QuerySettings
from scrubjay.notes.bases import BaseNoteFacts, BaseTable, BaseTooComplex, base_table
from scrubjay.notes.note_links import find_links
from scrubjay.platform.file_names import file_name_key
from scrubjay.records.note_records import DocumentInfo, NoteAddress, RelatedNote, Relation, Source
from scrubjay.records.search_records import Snippet
from scrubjay.search.ranking import weights
from scrubjay.search.ranking.closeness import logistic
from scrubjay.store.index_records import ALL_DOCUMENTS, StoredChunk
from scrubjay.store.reader import Reader
from scrubjay.store.relation_reader import LocatedChunk
from scrubjay.text.graphemes import truncate_text
from scrubjay.text.markdown import FRONT_MATTER_ENDS, parse_front_matter, split_lines
from scrubjay.text.plain_snippet import plain_snippet
from scrubjay.text.plain_yaml import parse_plain_yaml
from scrubjay.text.tokenizer import UNSPACED_RUN, Analyzer, fold, searchable_text
from scrubjay.text.word_lists import DAY_NAMES, OTHER_DAY_NAMES, stop_words
from scrubjay.workspaces.registry import Registry

MOST_SIMILAR = 5
"""Similar notes that are listed."""
MOST_LINKING = 30
"""Notes with links that are listed, and notes that the links lead to."""
MOST_OF_DAY = 50
"""Notes of the same day that are listed; where more have it, a program wrote it into them."""
_NEAREST = 60
"""Chunks that are looked at for similar notes."""
_COMPARED = 24
"""Nearest notes that may be similar; their mean is the usual nearness. By hand."""
_ROUNDING = 1e-9
"""Difference by which a mean may be above equal cosines, since sums are rounded."""
_OWN_CHUNKS = 12
"""Chunks of a note that words are taken from, to tell its subject."""
_WORDS = 3
"""Words that tell why a note is similar."""
_CLOSE = 0.1
"""Cosine of the weighted words of two notes from which the words are the reason. By hand."""
_COMMON = 0.2
"""Share of all chunks from which on a word says nothing about their subject. By hand."""
_COMMON_IN_FOLDER = 0.5
"""Share of the notes of a folder from which on a word belongs to their template. By hand."""
_FEW = 2
"""Chunks in which a word may be, whatever share of all chunks they are."""
_CHANGED_AT_ONCE = 5
"""Notes without a day of their own; where more were changed on one day, a program copied them."""
_MOST_CHUNKS_OF_BASE = 20_000
"""Chunks of an index up to which all its notes are looked at for a base."""
_MATTER_LINES = 200
"""Lines of a note that front matter takes at most."""
_PROPERTY = re.compile(r"[A-Za-z][\w -]*:|\s*- |\s|\Z")
"""Beginning of a line of front matter."""
_WHY_CHARACTERS = 160
"""Characters of a line with a link that are shown."""


class Relations:
    """Related notes from the indexes, without reading notes. For any thread.

    It has its own thread, so that searches do not have to wait.
    """

    def __init__(self, thread: SearchThread, registry: Registry) -> None:
        self._thread = thread
        self._registry = registry
        self._analyzer: Analyzer | None = None

    def of(self, note: NoteAddress, cancel: CancelToken) -> Future[tuple[RelatedNote, ...]]:
        """Similar notes, notes with links to this one, notes of its day; none without an index.

        The future may raise Cancelled, WorkspaceMissing or IndexUnavailable.
        """

        def job() -> tuple[RelatedNote, ...]:
            cancel.check()
            workspace = self._registry.get(note.workspace)
            reader = self._thread.reader(workspace)
            self._analyzer = self._analyzer or Analyzer()
            if reader is None:
                return ()
            # Whoever lowers the limit wants more hits of a search; notes that have nothing in
            # common are not similar for that.
            min_score = max(QuerySettings().min_score, workspace.settings.query.min_score)
            return RelatedSearch(reader, self._analyzer, min_score).notes(note.path, cancel)

        return self._thread.submit(job)

    def base_table(self, note: NoteAddress, text: str, view: str) -> Future[BaseTable]:
        """A view of a base of Obsidian, as a note shows it.

        The future may raise BaseTooComplex, WorkspaceMissing or IndexUnavailable.
        """

        def job() -> BaseTable:
            reader = self._thread.reader(self._registry.get(note.workspace))
            if reader is None:
                raise BaseTooComplex
            facts, excluded = base_note_facts(reader, has_links="hasLink" in text)
            now = dt.datetime.now().astimezone()
            table = base_table(text, view, facts, this=note.path, now=now)
            return replace(table, excluded=excluded)

        return self._thread.submit(job)

    def close(self) -> None:
        """End the thread."""
        self._thread.close()


def base_note_facts(reader: Reader, *, has_links: bool) -> tuple[list[BaseNoteFacts], int]:
    """What a base can ask about the notes of an index, and the number of notes that are excluded.

    Their links are there only if they are wanted.
    Raises BaseTooComplex for more notes than can be looked at in a moment.
    """
    # A larger folder would keep the reader waiting.
    if reader.chunk_count() > _MOST_CHUNKS_OF_BASE:
        raise BaseTooComplex
    links: dict[str, set[str]] = defaultdict(set)
    if has_links:
        targets = reader.relations.link_targets()
        for passage in reader.relations.passages("", CancelToken()):
            for link in find_links(split_lines(passage.text)):
                links[passage.path].add(targets.follow(link, passage.path))
    # Properties stand at the beginning of a note; one with longer properties is excluded, since
    # it would answer with a part of them.
    chunks = reader.first_chunks(ALL_DOCUMENTS, _MOST_CHUNKS_OF_BASE)
    notes = [chunk for chunk in chunks if chunk.path.endswith(".md")]
    beginnings = {each.path: each for each in notes if not _is_matter_longer(reader, each)}
    tags = reader.read_tags(beginnings)
    facts = [
        BaseNoteFacts(
            path,
            _properties(chunk.text),
            tags=frozenset(tag.lower() for tag in tags.get(path, ())),
            links=frozenset(filter(None, links[path])),
            modified=chunk.modified,
        )
        for path, chunk in beginnings.items()
    ]
    return facts, len(notes) - len(beginnings)


def _is_matter_longer(reader: Reader, first: StoredChunk) -> bool:
    """Whether the front matter of a note ends after its first chunk."""
    lines = split_lines(first.text)
    if not lines or lines[0].rstrip() != "---" or parse_front_matter(lines)[1]:
        return False
    # What never ends is a rule with text below it.
    texts = [chunk.text for chunk in reader.relations.document_chunks(first.path)]
    return parse_front_matter(split_lines("\n".join(texts)))[1] > 0


def _properties(text: str) -> Mapping[str, Any]:
    """The properties at the beginning of a note."""
    lines = split_lines(text)
    end = parse_front_matter(lines)[1]
    if not end:
        return {}
    # Properties that are not YAML are none for Obsidian either.
    try:
        properties = parse_plain_yaml("\n".join(lines[1 : end - 1]))
    except ValueError:
        return {}
    return properties if isinstance(properties, dict) else {}


class _Word(Struct, frozen=True):
    """A word of the subject of a note."""

    written: str
    """Word as the note has it."""
    weight: float


class _Subject(Struct, frozen=True):
    """The subject of a note, or of a part of it."""

    words: Mapping[str, _Word]
    """Stem -> word."""
    folder: str
    template: frozenset[str]
    """Stems that most notes of its folder have as well."""

    def is_of_template(self, other: _Subject) -> bool:
        """Whether both have nothing in common but the words of their template."""
        is_same = self.folder == other.folder and bool(self.template & other.template)
        return is_same and not self.words.keys() & other.words.keys()


class Likeness(Struct, frozen=True):
    """The evidence that a note is about the same subject as another one."""

    chunk: StoredChunk
    """Chunk of the note that is nearest."""
    share: float
    """Distance of its meaning above the usual one of the notes compared, as a share of the way to
    equality."""
    closeness: float
    """Cosine of the weighted words of both."""
    words: Sequence[str]
    """Words that both have, the most telling first."""

    @property
    def score(self) -> float:
        """Probability that a reader calls both similar, on the scale of the scores of a search."""
        meaning = weights.SIMILAR_MEANING * self.share
        return logistic(meaning + weights.SIMILAR_WORDS * self.closeness - weights.SIMILAR_BIAS)


class RelatedSearch(Struct, frozen=True):
    """Finds notes related to the notes of one index. For one thread."""

    reader: Reader
    analyzer: Analyzer
    min_score: float
    """Score from which on a note is similar."""

    def notes(self, path: str, cancel: CancelToken) -> tuple[RelatedNote, ...]:
        """Each note once: by a link to this one, by one from it, by meaning, by the same day.

        Raises Cancelled.
        """
        info = self.reader.relations.info(path)
        if info is None:
            return ()
        related: dict[str, RelatedNote] = {}
        # Each way excludes the notes of those before it.
        for way in (self._linking, self._linked, self._similar, self._of_day):
            cancel.check()
            taken = {path, *related}
            related |= {each.note.path: each for each in way(info, taken, cancel)}
        return tuple(related.values())

    def _linking(
        self, info: DocumentInfo, taken: Collection[str], cancel: CancelToken
    ) -> Iterator[RelatedNote]:
        """The notes that link to a note, the last change first."""
        path = info.path
        name = posixpath.basename(path)
        names = {file_name_key(name), file_name_key(name.removesuffix(".md"))}
        lines: dict[str, tuple[int, str]] = {}
        # The words of the name find candidates; only a link that leads here counts.
        for passage in self.reader.relations.passages(self._expression(name), cancel):
            cancel.check()
            if passage.path not in (*taken, *lines):
                found = self._first_link(passage, path, names)
                if found:
                    lines[passage.path] = found
        infos = (self.reader.relations.info(other) for other in lines)
        newest = sorted(filter(None, infos), key=lambda note: note.modified, reverse=True)
        for note in newest[:MOST_LINKING]:
            line, text = lines[note.path]
            yield RelatedNote(note, Relation.LINKS, why=_line(text, names), line=line)

    def _linked(
        self, info: DocumentInfo, taken: Collection[str], cancel: CancelToken
    ) -> Iterator[RelatedNote]:
        """The notes that a note links to, in its order."""
        # Each note once, where the first link to it stands.
        targets = self.reader.relations.link_targets()
        labels: dict[str, None] = {}
        for passage in self.reader.relations.document_chunks(info.path):
            links = find_links(split_lines(passage.text))
            labels |= dict.fromkeys(targets.follow(link, info.path) for link in links)
        others = [label for label in labels if label and label not in taken]
        for label in others[:MOST_LINKING]:
            cancel.check()
            note = self.reader.relations.info(label)
            if note:
                yield RelatedNote(note, Relation.LINKED, why="", line=1)

    def _first_link(
        self, passage: LocatedChunk, path: str, names: Container[str]
    ) -> tuple[int, str] | None:
        """Number and text of the first line of a passage with a link to a note, if any."""
        if "[" not in passage.text:
            return None
        lines = split_lines(passage.text)
        targets = self.reader.relations.link_targets()
        for link in find_links(lines):
            if link.name in names and targets.follow(link, passage.path) == path:
                return passage.first_line + link.line - 1, lines[link.line - 1]
        return None

    def _expression(self, name: str) -> str:
        """FTS5 expression of the words in the name of a file; empty for a name without any."""
        # Links name a note with spaces, or encoded as in an address.
        stem = name.removesuffix(".md")
        written = dict.fromkeys((stem, quote(stem), stem.replace(" ", "%20")))
        if not self.analyzer.stems(stem):
            return ""
        phrases = (searchable_text(each).replace('"', '""') for each in written)
        return "text : (" + " OR ".join(f'"{phrase}"' for phrase in phrases) + ")"

    def _similar(
        self, info: DocumentInfo, taken: Collection[str], cancel: CancelToken
    ) -> Iterator[RelatedNote]:
        """The notes that are similar by the score of a sure hit, the highest score first."""
        likely = [
            each
            for each in self.likenesses(info.path, cancel)
            if each.score >= self.min_score and _is_other(each.chunk, taken)
        ]
        likely.sort(key=lambda each: -each.score)
        for each in likely[:MOST_SIMILAR]:
            note = self.reader.relations.info(each.chunk.path)
            if note is None:
                continue
            # Words that say little are not a reason.
            why = ""
            if each.closeness >= _CLOSE:
                why = ", ".join(each.words[:_WORDS])
            line = each.chunk.first_line
            yield RelatedNote(note, Relation.SIMILAR, why=why, line=line, score=each.score)

    def likenesses(self, path: str, cancel: CancelToken) -> list[Likeness]:
        """The likeness to a note of each note that is nearer than usual, by the stored vectors and
        the words.

        Raises Cancelled.
        """
        generation = self.reader.generation()
        if generation is None:
            return []
        ids, vectors = self.reader.relations.vectors(path, generation.id)
        if not len(ids):
            return []
        # The mean direction of its chunks stands for the whole note.
        middle = vectors.sum(axis=0)
        length = float(np.linalg.norm(middle))
        if not length:
            return []
        middle = (middle / length).astype(np.float32)
        limit = len(ids) + _NEAREST
        scores = dict(self.reader.nearest(middle, limit, filters=ALL_DOCUMENTS, cancel=cancel))
        # The nearest chunk of each other note, which may be gone by now; later entries replace
        # others.
        near = sorted(scores, key=scores.__getitem__)
        documents = self.reader.documents(near)
        own = documents.get(ids[0])
        best = {documents[chunk]: chunk for chunk in near if chunk in documents}
        nearest = [chunk for document, chunk in best.items() if document != own]
        nearest.sort(key=lambda chunk: -scores[chunk])
        nearest = nearest[:_COMPARED]
        usual = sum(scores[chunk] for chunk in nearest) / max(1, len(nearest))
        nearest = [chunk for chunk in nearest if scores[chunk] >= usual - _ROUNDING]
        # The words of this note against those of each other one.
        chunks = self.reader.chunks([*nearest, *ids[:_OWN_CHUNKS]])
        subject = self._subject([chunks[chunk] for chunk in ids[:_OWN_CHUNKS] if chunk in chunks])
        likenesses: list[Likeness] = []
        for chunk in nearest:
            cancel.check()
            if chunk not in chunks:
                continue
            other = self._subject([chunks[chunk]])
            if not subject.is_of_template(other):
                likeness = Likeness(
                    chunks[chunk],
                    share=(scores[chunk] - usual) / max(1 - usual, 1e-9),
                    closeness=_closeness(subject.words, other.words),
                    words=_shared_words(subject.words, other.words),
                )
                likenesses.append(likeness)
        return likenesses

    def _subject(self, chunks: Sequence[StoredChunk]) -> _Subject:
        """The stems that tell what chunks of one note are about; they are rare, and often there."""
        # Each stem with the words as they are written.
        words: dict[str, list[str]] = defaultdict(list)
        for text in map(_plain, chunks):
            for token in self.analyzer.tokens(text):
                if _is_word(token.stem):
                    words[token.stem].append(text[token.start : token.end])
        # Common words say nothing about this note, nor do those of a template, which most notes of
        # a folder have.
        empty = stop_words(fold(word) for each in words.values() for word in each)
        folder = posixpath.dirname(chunks[0].path) if chunks else ""
        shares = self.reader.relations.shares_in_folder(
            folder and f"{folder}/", self.analyzer.stems
        )
        telling = [stem for stem in words if not {stem, fold(words[stem][0])} & empty]
        template = {stem for stem in telling if shares.get(stem, 0) > _COMMON_IN_FOLDER}
        # Nor do days, and words of all notes.
        days = {*self.analyzer.stems(" ".join(DAY_NAMES | OTHER_DAY_NAMES))}
        counts = self.reader.stem_counts(telling)
        total = max(2, self.reader.chunk_count())
        most = max(_FEW, _COMMON * total)
        # A word weighs more, the rarer it is and the more often the note has it.
        weighed: dict[str, _Word] = {}
        for stem in telling:
            count = counts.get(stem, 1)
            if count <= most and stem not in template and stem not in days:
                weight = math.log1p(len(words[stem])) * math.log(total / count)
                weighed[stem] = _Word(words[stem][0], weight)
        return _Subject(weighed, folder, frozenset(template))

    def _of_day(
        self, info: DocumentInfo, taken: Collection[str], _: CancelToken
    ) -> Iterator[RelatedNote]:
        """The notes of its own day, otherwise of the day of its last change."""
        day = info.date or info.modified.date()
        relations = self.reader.relations
        # More notes at once were written by a program, and do not belong together.
        of_day = relations.of_day(day, MOST_OF_DAY + 2)
        changed = relations.changed_on(day, _CHANGED_AT_ONCE + 1)
        notes: list[DocumentInfo] = []
        # The note itself is one of them.
        if len(of_day) <= MOST_OF_DAY + 1:
            notes += of_day
        if len(changed) <= _CHANGED_AT_ONCE:
            notes += changed
        for note in notes:
            if note.path not in taken:
                yield RelatedNote(note, Relation.SAME_DAY, why="", line=1)


def _closeness(one: Mapping[str, _Word], other: Mapping[str, _Word]) -> float:
    """The cosine of the weighted words of two notes."""
    dot = sum(one[stem].weight * other[stem].weight for stem in one.keys() & other.keys())
    lengths = [math.hypot(*(word.weight for word in words.values())) for words in (one, other)]
    return dot / max(math.prod(lengths), 1e-9)


def _shared_words(one: Mapping[str, _Word], other: Mapping[str, _Word]) -> list[str]:
    """The words of two notes as the other one has them, the most telling first."""
    shared = sorted(
        one.keys() & other.keys(), key=lambda stem: (-one[stem].weight * other[stem].weight, stem)
    )
    return [other[stem].written for stem in shared]


def _is_other(chunk: StoredChunk, taken: Container[str]) -> bool:
    return chunk.path not in taken and chunk.source is not Source.SESSIONS


def _is_word(stem: str) -> bool:
    return stem.isalpha() and (len(stem) > 3 or bool(UNSPACED_RUN.search(stem)))


def _plain(chunk: StoredChunk) -> str:
    """The text of a chunk as a reader sees it, or for a picture as it is; without properties."""
    body = _body(chunk)
    return plain_snippet(Snippet(body)).text or body


def _body(chunk: StoredChunk) -> str:
    """The text of a chunk below its front matter, which may end in a later chunk."""
    lines = split_lines(chunk.text)
    if lines and chunk.first_line == 1 and lines[0].rstrip() == "---":
        end = parse_front_matter(lines)[1]
        return "\n".join(lines[end:]) if end else ""
    # A later chunk may begin with the rest of it.
    end = next((at for at, line in enumerate(lines) if line.rstrip() in FRONT_MATTER_ENDS), 0)
    is_rest = end and 1 < chunk.first_line <= _MATTER_LINES
    if is_rest and all(map(_PROPERTY.match, lines[:end])):
        return "\n".join(lines[end + 1 :])
    return chunk.text


def _line(text: str, names: Iterable[str]) -> str:
    """A line as a reader sees it, cut around the first of some names in it."""
    plain = " ".join(plain_snippet(Snippet(text)).text.split()) or " ".join(text.split())
    if len(plain) <= _WHY_CHARACTERS:
        return plain
    found = [plain.casefold().find(name) for name in names]
    positions = [at for at in found if at >= 0]
    start = max(0, min(positions, default=0) - _WHY_CHARACTERS // 2)
    if not start:
        return truncate_text(plain, _WHY_CHARACTERS)
    # Begin with a whole word if there is one.
    space = plain.find(" ", start)
    if 0 <= space < start + _WHY_CHARACTERS:
        start = space + 1
    return "…" + truncate_text(plain[start:], _WHY_CHARACTERS)
