"""Notes related to a note: notes that link to it, similar notes, and notes of the same day."""

from __future__ import annotations

import math
import posixpath
from collections import Counter, defaultdict
from collections.abc import Collection, Container, Iterable, Iterator, Mapping
from concurrent.futures import Future
from itertools import chain
from pathlib import Path
from urllib.parse import quote

import numpy as np
from msgspec import Struct

from scrubjay.answers.search_thread import SearchThread
from scrubjay.concurrency.cancel import CancelToken
from scrubjay.notes.note_links import links_in
from scrubjay.records.note_records import DocumentInfo, NoteAddress, RelatedNote, Relation, Source
from scrubjay.records.search_records import Snippet
from scrubjay.search.hits import cut
from scrubjay.store.reader import Reader
from scrubjay.store.relation_reader import Passage
from scrubjay.store.rows import Filters, StoredChunk
from scrubjay.text.markdown import split_lines
from scrubjay.text.prose import prose
from scrubjay.text.tokenizer import CJK_RUN, Analyzer, fold, searchable
from scrubjay.text.word_lists import stop_words
from scrubjay.workspaces.registry import Registry

MOST_SIMILAR = 5
"""Similar notes that are listed."""
MOST_LINKING = 30
"""Notes with links that are listed."""
MOST_OF_DAY = 10
"""Notes of the same day that are listed."""
_NEAREST = 60
"""Chunks that are looked at for similar notes."""
_OWN_CHUNKS = 12
"""Chunks of a note that words are taken from, to tell its subject."""
_NEAR_SHARE = 0.2
"""Distance of a similar note from the median, as a share of the way to equality, since models
differ in what is common. By hand."""
_WORDS = 3
"""Words that tell why a note is similar."""
_COMMON = 0.2
"""Share of all chunks from which on a word says nothing about their subject. By hand."""
_FEW = 2
"""Chunks in which a word may be, whatever share of all chunks they are."""
_RAREST = 0.002
"""Share of a word that is in none of the chunks that were looked at. By hand."""
_CHANGED_AT_ONCE = 5
"""Notes without a day of their own; where more were changed on one day, a program copied them."""
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
            reader = self._thread.reader(self._registry.get(note.workspace))
            self._analyzer = self._analyzer or Analyzer()
            if reader is None:
                return ()
            return RelatedSearch(reader, self._analyzer).notes(note.path, cancel)

        return self._thread.submit(job)

    def forget(self, file: Path) -> None:
        """Close an index that is about to be deleted."""
        self._thread.submit(lambda: self._thread.forget(file))

    def close(self) -> None:
        """End the thread."""
        self._thread.close()


class RelatedSearch(Struct, frozen=True):
    """Finds notes related to the notes of one index. For one thread."""

    reader: Reader
    analyzer: Analyzer

    def notes(self, path: str, cancel: CancelToken) -> tuple[RelatedNote, ...]:
        """Each note once: similar ones, then those with links, then those of the same day.

        Raises Cancelled.
        """
        info = self.reader.relations.info(path)
        if info is None:
            return ()
        # Notes with links come second, but exclude similar ones: a link says more.
        linking = list(self._linking(path, cancel))
        cancel.check()
        taken = {path, *(each.note.path for each in linking)}
        similar = list(self._similar(path, taken, cancel))
        taken |= {each.note.path for each in similar}
        return (*similar, *linking, *self._of_day(info, taken))

    def _linking(self, path: str, cancel: CancelToken) -> Iterator[RelatedNote]:
        """The notes that link to a note, the last change first."""
        name = posixpath.basename(path)
        names = {name.casefold(), name.removesuffix(".md").casefold()}
        lines: dict[str, tuple[int, str]] = {}
        # The words of the name find candidates; only a link that leads here counts.
        for passage in self.reader.relations.passages(self._expression(name), cancel):
            cancel.check()
            if passage.path not in (path, *lines):
                found = self._first_link(passage, path, names)
                if found:
                    lines[passage.path] = found
        infos = (self.reader.relations.info(other) for other in lines)
        newest = sorted(filter(None, infos), key=lambda note: note.modified, reverse=True)
        for note in newest[:MOST_LINKING]:
            line, text = lines[note.path]
            yield RelatedNote(note, Relation.LINKS, why=_line(text, names), line=line)

    def _first_link(
        self, passage: Passage, path: str, names: Container[str]
    ) -> tuple[int, str] | None:
        """Number and text of the first line of a passage with a link to a note, if any."""
        if "[" not in passage.text:
            return None
        lines = split_lines(passage.text)
        targets = self.reader.relations.link_targets()
        for link in links_in(lines):
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
        phrases = (searchable(each).replace('"', '""') for each in written)
        return "text : (" + " OR ".join(f'"{phrase}"' for phrase in phrases) + ")"

    def _similar(
        self, path: str, taken: Collection[str], cancel: CancelToken
    ) -> Iterator[RelatedNote]:
        """The notes nearest in meaning by the stored vectors, the nearest first."""
        generation = self.reader.generation()
        if generation is None:
            return
        ids, vectors = self.reader.relations.vectors(path, generation.id)
        if not len(ids):
            return
        # The mean direction of its chunks stands for the whole note.
        middle = vectors.sum(axis=0)
        length = float(np.linalg.norm(middle))
        if not length:
            return
        middle = (middle / length).astype(np.float32)
        # Chunks that are nearer to the middle of this note than most others.
        limit = len(ids) + _NEAREST
        scores = dict(self.reader.nearest(middle, limit, filters=Filters(), cancel=cancel))
        median = float(np.median(self.reader.relations.sample(generation.id) @ middle))
        least = median + _NEAR_SHARE * (1 - median)
        near = sorted((chunk for chunk in scores if scores[chunk] >= least), key=scores.__getitem__)
        # The nearest chunk of each note, which may be gone by now; later entries replace others.
        documents = self.reader.documents(near)
        best = {documents[chunk]: chunk for chunk in near if chunk in documents}
        nearest = sorted(best.values(), key=lambda chunk: -scores[chunk])
        chunks = self.reader.chunks([*nearest[: len(taken) + MOST_SIMILAR], *ids[:_OWN_CHUNKS]])
        # The words of this note tell why another one is similar.
        own = (chunks[chunk] for chunk in ids[:_OWN_CHUNKS] if chunk in chunks)
        stems = Counter(chain.from_iterable(map(self._stems, own)))
        others = (chunks[chunk] for chunk in nearest if chunk in chunks)
        for chunk in [other for other in others if _is_other(other, taken)][:MOST_SIMILAR]:
            note = self.reader.relations.info(chunk.path)
            if note:
                words = self._shared(stems, chunk)
                yield RelatedNote(note, Relation.SIMILAR, why=words, line=chunk.first_line)

    def _stems(self, chunk: StoredChunk) -> list[str]:
        return self.analyzer.stems(_plain(chunk))

    def _shared(self, stems: Mapping[str, int], chunk: StoredChunk) -> str:
        """The words that tell most of what a note and a chunk of another one are about.

        They are rare, and often in both; as the chunk has them.
        """
        text = _plain(chunk)
        words: dict[str, list[str]] = defaultdict(list)
        for token in self.analyzer.tokens(text):
            if token.stem in stems and _is_word(token.stem):
                words[token.stem].append(text[token.start : token.end])
        # Words of the language and words of all notes say nothing about these two.
        empty = stop_words(fold(word) for each in words.values() for word in each)
        share = self.reader.relations.commonness(self.analyzer.stems)
        most = max(_COMMON, _FEW / max(1, self.reader.chunk_count()))
        worth = {
            stem: -math.log(share.get(stem, _RAREST))
            * math.log1p(len(written))
            * math.log1p(stems[stem])
            for stem, written in words.items()
            if fold(written[0]) not in empty and share.get(stem, 0) <= most
        }
        best = sorted(worth, key=lambda stem: (-worth[stem], stem))[:_WORDS]
        return ", ".join(words[stem][0] for stem in best)

    def _of_day(self, info: DocumentInfo, taken: Collection[str]) -> Iterator[RelatedNote]:
        """The notes of its own day, otherwise of the day of its last change."""
        day = info.date or info.modified.date()
        relations = self.reader.relations
        notes = relations.of_day(day, MOST_OF_DAY)
        # More notes at once were written by a program, and do not belong together.
        changed = relations.changed_on(day, _CHANGED_AT_ONCE + 1)
        if len(changed) <= _CHANGED_AT_ONCE:
            notes += changed
        for note in notes:
            if note.path not in taken:
                yield RelatedNote(note, Relation.SAME_DAY, why="", line=1)


def _is_other(chunk: StoredChunk, taken: Container[str]) -> bool:
    return chunk.path not in taken and chunk.source is not Source.SESSIONS


def _is_word(stem: str) -> bool:
    return stem.isalpha() and (len(stem) > 3 or bool(CJK_RUN.search(stem)))


def _plain(chunk: StoredChunk) -> str:
    """The text of a chunk as a reader sees it, or for a picture as it is."""
    return prose(Snippet(chunk.text)).text or chunk.text


def _line(text: str, names: Iterable[str]) -> str:
    """A line as a reader sees it, cut around the first of some names in it."""
    plain = " ".join(prose(Snippet(text)).text.split()) or " ".join(text.split())
    if len(plain) <= _WHY_CHARACTERS:
        return plain
    found = [plain.casefold().find(name) for name in names]
    positions = [at for at in found if at >= 0]
    start = max(0, min(positions, default=0) - _WHY_CHARACTERS // 2)
    if not start:
        return cut(plain, _WHY_CHARACTERS)
    # Begin with a whole word if there is one.
    space = plain.find(" ", start)
    if 0 <= space < start + _WHY_CHARACTERS:
        start = space + 1
    return "…" + cut(plain[start:], _WHY_CHARACTERS)
