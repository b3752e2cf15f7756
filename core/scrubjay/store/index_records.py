"""Records and text formats that the store exchanges with indexing and searching."""

from __future__ import annotations

import datetime as dt
import sys
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from scrubjay.records.chunks import ChunkText
from scrubjay.records.note_records import ChunkId, DocumentInfo, Source
from scrubjay.records.workspace_id import WorkspaceId
from scrubjay.text.age import local_midnight, local_time
from scrubjay.text.file_kinds import CONVERSATION, NOTE, document_endings
from scrubjay.text.note_names import name_key
from scrubjay.text.tokenizer import fold, searchable_fields, text_with_parts
from scrubjay.text.word_lists import date_words


def compress_text(text: str) -> bytes:
    """A text in its stored form: half the size, for a hundredth of a millisecond each way."""
    return zlib.compress(text.encode("utf-8"), level=1)


def decompress_text(data: bytes | str) -> str:
    """The text of its stored form, plain in the first schema. Raises zlib.error when damaged."""
    if isinstance(data, str):
        return data
    return zlib.decompress(data).decode("utf-8")


def path_field(path: str, date: dt.date | None) -> str:
    """Text in which the words of a path, and of the day of its document, are found."""
    day = date_words(date) if date else ""
    return f"{text_with_parts(path)} {day}".rstrip()


def text_fields(title: str, heading: str, text: str) -> tuple[str, str, str]:
    """Text, headings and further words of a chunk, whose words are found."""
    headings = heading if heading == title else f"{title} {heading}"
    return searchable_fields(text, headings)


_BEGINNING = 1_000
"""Characters of a note that a list may show beside its title; sometimes most are front matter."""

_FIRST_DAY = dt.date(1678, 1, 1)
"""First day that nanoseconds in 64 bits reach."""
_LAST_DAY = dt.date(2261, 12, 31)
"""Last day that they reach."""


def local_midnight_ns(day: dt.date, *, days_later: int = 0) -> int:
    """Nanoseconds of local midnight at which a day, or a later one, begins."""
    day = min(max(day, _FIRST_DAY), _LAST_DAY) + dt.timedelta(days=days_later)
    return int(local_midnight(day).timestamp()) * 1_000_000_000


DOCUMENT_COLUMNS = """path, file, source, title, date, mtime_ns,
  (select text from chunk where document = document.id order by id limit 1)"""
"""Columns of `document_info`."""


# The parameters are the columns.
def document_info(  # noqa: PLR0913
    workspace: WorkspaceId,
    path: str,
    file: str,
    source: str,
    title: str,
    date: str | None,
    mtime_ns: int,
    text: bytes | None,
) -> DocumentInfo:
    """The record of a document's columns, and of the text that it begins with."""
    return DocumentInfo(
        workspace,
        path,
        file=Path(file),
        source=Source(source),
        title=title,
        modified=local_time(mtime_ns),
        date=dt.date.fromisoformat(date) if date else None,
        beginning=decompress_text(text)[:_BEGINNING] if text else "",
    )


class NewDocument(Struct, frozen=True):
    """A document to be written."""

    path: str
    file: Path
    source: Source
    sha256: bytes
    mtime_ns: int
    size: int
    title: str
    date: dt.date | None
    chunking: str
    chunks: Sequence[ChunkText]
    tags: Sequence[str] = ()
    """Tags as they are written, without their sign."""
    names: Sequence[str] = ()
    """Names that it answers to, as `name_key` writes them."""
    ctime_ns: int = 0
    """Last change of the entry of its file on the disk; 0 if it is unknown."""


class KnownDocument(Struct, frozen=True):
    """The state of a file when it was last indexed, used to find out whether it changed."""

    id: int
    sha256: bytes
    mtime_ns: int
    size: int
    chunking: str
    indexed_ns: int
    """Time of reading, on the clock of file times."""
    ctime_ns: int = 0
    """Last change of the file's entry on the disk; 0 if it is unknown."""


class StoredChunk(Struct, frozen=True, dict=True):
    """A chunk with its document, and with the parts that ranking derives from it once."""

    id: ChunkId
    document: int
    path: str
    file: str
    source: Source
    title: str
    date: dt.date | None
    mtime_ns: int
    first_line: int
    last_line: int
    heading: str
    text: str
    names: tuple[str, ...] = ()
    """Names that the note answers to, as `name_key` writes them."""

    @cached_property
    def note_file(self) -> Path:
        """File of the document."""
        return Path(self.file)

    @cached_property
    def modified(self) -> dt.datetime:
        """Last change of the file, local with zone."""
        return local_time(self.mtime_ns)

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """Lines of the text."""
        return tuple(self.text.split("\n"))

    @cached_property
    def filled_lines(self) -> tuple[int, ...]:
        """Numbers of the lines that are not blank, 0-based."""
        return tuple(at for at, line in enumerate(self.lines) if line.strip())

    @cached_property
    def labels(self) -> Mapping[str, str]:
        """Heading and path, by field name."""
        return {"heading": f"{self.title} {self.heading}", "path": self.path}


class Generation(Struct, frozen=True):
    """A set of comparable vectors, made by one model with one configuration."""

    id: int
    identity: str
    dimensions: int


class IndexCounts(Struct, frozen=True):
    """Sizes of an index."""

    documents: int
    chunks: int
    embedded: int
    """Number of chunks that have a vector of the active generation."""
    learned: int
    """Number of chunks that have a vector of the generation that passes add to: the active one, or
    the one that will take its place."""


_DOCUMENTS_WITH = """
select chunk.document from fts cross join chunk on chunk.id = fts.rowid where fts match ?
"""
"""Documents with a chunk that matches an expression."""
_DOCUMENTS_CALLED = "select document from name where instr(key, ?)"
"""Documents with a name that has a part."""
# The sign after the slash is a zero: all that begins with "tag/" lies between the two.
_IS_TAG = "(name = ? or name >= ? and name < ?)"
"""Condition for a tag, or one below it."""
_DOCUMENTS_TAGGED = f"select document from tag where {_IS_TAG}"
"""Documents with a tag, or one below it."""
_BEGINS = f"name >= ? and name < ? and not exists (select 1 from tag where {_IS_TAG})"
"""Condition for tags that begin so, unless there is a tag that is so."""


_FOLDER = "rtrim(document.path, replace(document.path, '/', ''))"
"""SQL for the path of a document's folder, with the last slash."""
_FILE_NAME = f"substr(document.path, 1 + length({_FOLDER}))"
"""SQL for the name of a document's file, which is what stands after the last slash of its path."""


FOLDED = "folded"
"""Name of the SQL function that writes a text as `tokenizer.fold` does."""


def folded_sql(text: str) -> str:
    """SQL for a text as `fold` writes it."""
    # SQLite's own `lower` is quicker, but knows only the letters that take one byte.
    is_ascii = f"length({text}) = length(cast({text} as blob))"
    return f"case when {is_ascii} then lower({text}) else {FOLDED}({text}) end"


def path_bounds(part: str) -> tuple[str, int]:
    """A part of a path as `fold` writes it, and the last position where it may begin.

    Positions count from 1, the slash before the path. A part with a slash in front begins there.
    """
    if part.startswith("/"):
        return fold(part), 1
    return fold(part), sys.maxsize


def folder_bounds(folder: str) -> tuple[str, int]:
    """A folder as `path_bounds` writes a part of a path: whole names, from the first one on where
    it begins with a slash.
    """
    lowered, last = path_bounds(folder)
    return f"/{lowered.strip('/')}/", last


_PLACE = f"instr('/' || {folded_sql('document.path')}, ?)"
"""SQL for the position of a part of a path, 0 for none."""


class Filters(Struct, frozen=True):
    """Conditions for the documents of a search. Without conditions, all documents match."""

    sources: frozenset[Source] = frozenset()
    path_parts: tuple[str, ...] = ()
    """Parts that the path must have, each in any case; after a slash, its beginning."""
    after: dt.date | None = None
    """First day that is admitted: of the date of the document, otherwise of its last change, in
    local time."""
    before: dt.date | None = None
    """Last day that is admitted."""
    is_dated: bool = False
    """Whether only documents with their own date are admitted."""
    is_private: bool = True
    """Whether MEMORY.md files are admitted."""
    has_transcripts: bool = True
    """Whether transcripts of conversations are admitted."""
    without: str = ""
    """FTS5 expression that no chunk of an admitted document matches."""
    words: tuple[str, ...] = ()
    """FTS5 expressions, each of which some chunk of the document matches."""
    tags: tuple[str, ...] = ()
    """Tags that the document has, each itself or one below it; as `tag_key` writes them."""
    kinds: tuple[str, ...] = ()
    """Kinds of which the document is one, as `file_kinds.KINDS` names them."""
    begun_tag: str = ""
    """Beginning of a tag that is still being typed; the whole tag where some document has it."""
    name_parts: tuple[str, ...] = ()
    """Parts that the name of the file must have, each in any case."""
    folder_parts: tuple[str, ...] = ()
    """Parts that the names of the folders around the document must have, each in any case."""
    titles: tuple[str, ...] = ()
    """Parts that one of the note's names must have: title, file name or alias."""
    folders: tuple[str, ...] = ()
    """Folders in which the document is, each by its name or the end of its path."""
    endings: tuple[str, ...] = ()
    """Ends of file names of which the document has one, in lower case and with the dot."""
    excluded: tuple[Filters, ...] = ()
    """Conditions that the document does not fulfil."""
    alternatives: tuple[Filters, ...] = ()
    """Conditions of which the document fulfils one, where there are any."""

    def inside(self, name: str) -> Filters:
        """The conditions in a workspace with a name: a folder that is called so is all of it."""
        key = fold(name)
        return replace(
            self,
            folders=tuple(folder for folder in self.folders if fold(folder.strip("/")) != key),
            excluded=tuple(each.inside(name) for each in self.excluded),
            alternatives=tuple(each.inside(name) for each in self.alternatives),
        )

    def sql(self) -> tuple[str, list[str | int]]:
        """SQL condition on `document`, and its values."""
        terms: list[str] = []
        values: list[str | int] = []
        conditions = (
            self._of_documents(),
            self._of_contents(),
            self._of_paths_and_days(),
            self._of_others(),
        )
        for term, own in chain.from_iterable(conditions):
            terms.append(term)
            values += own
        return " and ".join(terms) or "1", values

    def _of_others(self) -> Iterator[tuple[str, Sequence[str | int]]]:
        """Conditions with their values that consist of other conditions."""
        # An unknown answer, as to the day of a note without one, is not true either.
        for each in self.excluded:
            condition, values = each.sql()
            yield f"({condition}) is not true", values
        if self.alternatives:
            pairs = [each.sql() for each in self.alternatives]
            condition = " or ".join(f"({condition})" for condition, _ in pairs)
            yield f"({condition})", [value for _, values in pairs for value in values]

    def _of_documents(self) -> Iterator[tuple[str, Sequence[str | int]]]:
        """Conditions with their values on what documents are."""
        if self.sources:
            marks = ", ".join("?" * len(self.sources))
            yield f"document.source in ({marks})", sorted(self.sources)
        if self.kinds:
            kinds = (
                kind_condition(kind, "document.source", "document.path like '%{}'".format)
                for kind in self.kinds
            )
            yield f"({' or '.join(kinds)})", ()
        if self.is_dated:
            yield "document.date is not null", ()
        if not self.has_transcripts:
            yield "document.source != ?", (Source.SESSIONS,)
        if not self.is_private:
            yield "replace(document.file, '\\', '/') not like '%/memory.md'", ()

    def _of_contents(self) -> Iterator[tuple[str, Sequence[str | int]]]:
        """Conditions with their values on words and tags."""
        # Words of their chunks, through the index of words.
        if self.without:
            yield f"document.id not in ({_DOCUMENTS_WITH})", (self.without,)
        for words in self.words:
            yield f"document.id in ({_DOCUMENTS_WITH})", (words,)
        for title in self.titles:
            yield f"document.id in ({_DOCUMENTS_CALLED})", (name_key(title),)
        # Tags, each with those below it, which begin with it and a slash.
        for tag in self.tags:
            yield f"document.id in ({_DOCUMENTS_TAGGED})", (tag, f"{tag}/", f"{tag}0")
        if self.begun_tag:
            tag = self.begun_tag
            whole = (tag, f"{tag}/", f"{tag}0")
            # Each question mark in its order: the tag itself, its beginning, and no whole tag.
            values = (*whole, tag, f"{tag}\U0010ffff", *whole)
            yield f"document.id in ({_DOCUMENTS_TAGGED} or {_BEGINS})", values

    def _of_paths_and_days(self) -> Iterator[tuple[str, Sequence[str | int]]]:
        """Conditions with their values on paths in any case, and on days."""
        for part in self.path_parts:
            yield f"{_PLACE} between 1 and ?", path_bounds(part)
        for part in self.name_parts:
            yield f"instr({folded_sql(_FILE_NAME)}, ?)", (fold(part),)
        for part in self.folder_parts:
            yield f"instr({folded_sql(_FOLDER)}, ?)", (fold(part),)
        for folder in self.folders:
            yield f"{_PLACE} between 1 and ?", folder_bounds(folder)
        if self.endings:
            ends = ("substr(lower(document.path), ?) = ?" for _ in self.endings)
            pairs = ((-len(ending), ending) for ending in self.endings)
            yield f"({' or '.join(ends)})", [value for pair in pairs for value in pair]
        # Days count in the zone of this computer, as people mean them.
        day = "(document.date {} ? or document.date is null and document.mtime_ns {} ?)"
        if self.after:
            start = local_midnight_ns(self.after)
            yield day.format(">=", ">="), (self.after.isoformat(), start)
        if self.before:
            end = local_midnight_ns(self.before, days_later=1)
            yield day.format("<=", "<"), (self.before.isoformat(), end)


ALL_DOCUMENTS = Filters()
"""No condition, which every document meets."""


def kind_condition(kind: str, source: str, has_ending: Callable[[str], str]) -> str:
    """SQL condition that admits one kind of document, which its name tells.

    Source is the name of the column of sources; has_ending gives the condition on one ending.
    """
    spoken = f"{source} = '{Source.SESSIONS}'"
    if kind == CONVERSATION:
        return spoken
    # A note is whatever is neither a conversation nor one of the named kinds.
    endings = document_endings("" if kind == NOTE else kind)
    named = " or ".join(map(has_ending, endings))
    if kind == NOTE:
        return f"not ({spoken} or {named})"
    return f"({named})"
