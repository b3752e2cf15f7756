"""Notes that show a picture, for hits on pictures."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Sequence
from urllib.parse import quote

from msgspec.structs import replace

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.notes.note_links import Link, LinkTargets, find_links
from scrubjay.records.search_records import Hit, SearchAnswer, ShownIn
from scrubjay.search.hits import OpenNotes
from scrubjay.store.reader import Reader
from scrubjay.store.relation_reader import LocatedChunk
from scrubjay.text.file_kinds import PICTURE, document_kind, is_picture
from scrubjay.text.markdown import lines_without_code, split_lines
from scrubjay.text.tokenizer import Analyzer, searchable_text

_HTML_IMAGE = re.compile(
    r"<img\b[^<>]{0,500}?\bsrc\s*=\s*[\"']([^\"'<>]{1,500})[\"']", re.IGNORECASE
)
"""Picture of an HTML element."""
_MOST_LOOKED_AT = 200
"""Chunks with the words of a picture's name that are looked at."""


def with_notes(
    answer: SearchAnswer,
    reader_of: Callable[[Hit], Reader | None],
    notes: OpenNotes,
    analyzer: Analyzer,
    cancel: CancelToken,
) -> SearchAnswer:
    """The answer, each picture with the open note that shows it. Raises Cancelled.

    Of a note and a picture that it shows, only the better one is left, which names the other.
    """
    shown: list[Hit] = []
    for hit in (*answer.hits, *answer.uncertain):
        # No note gives its place to a picture that may not be shown.
        reader: Reader | None = None
        if hit.kind == PICTURE and notes.admit(hit, hit.path):
            reader = reader_of(hit)
        if reader:
            note = _note_with(hit.path, reader, notes=notes, analyzer=analyzer, cancel=cancel)
            shown.append(replace(hit, shown_in=note))
        else:
            shown.append(hit)
    # Sure hits come before the others, so a sure one is never dropped for an uncertain one.
    folded = _folded(shown)
    sure = len(answer.hits)
    return replace(
        answer,
        hits=tuple(hit for number, hit in folded.items() if number < sure),
        uncertain=tuple(hit for number, hit in folded.items() if number >= sure),
    )


def _folded(hits: Sequence[Hit]) -> dict[int, Hit]:
    """The hits that are left, by their number."""
    left: dict[int, Hit] = {}
    best: dict[tuple[str, str], int] = {}
    for number, hit in enumerate(hits):
        note = hit.path
        if hit.shown_in:
            note = hit.shown_in.path
        first = best.setdefault((hit.workspace, note), number)
        # Passages of one note stay, and so do several pictures that it shows.
        if first == number or bool(hit.shown_in) == bool(left[first].shown_in):
            left[number] = hit
        elif hit.shown_in:
            left[first] = replace(left[first], pictures=(*left[first].pictures, hit.path))
    return left


def _note_with(
    path: str, reader: Reader, notes: OpenNotes, analyzer: Analyzer, cancel: CancelToken
) -> ShownIn | None:
    """The first open note with a picture in it; None if none shows it."""
    expression = _expression(posixpath.basename(path), analyzer)
    if not expression:
        return None
    targets = reader.relations.link_targets()
    # The words of its name find candidates; only a link that leads to it counts.
    for number, passage in enumerate(reader.relations.passages(expression, cancel)):
        if number >= _MOST_LOOKED_AT:
            break
        cancel.check()
        # Only what a person writes shows a picture in its place.
        if document_kind(passage.path):
            continue
        line = _line_with(path, passage, targets)
        if not line:
            continue
        info = reader.relations.info(passage.path)
        if info and notes.admit(info, info.path):
            return ShownIn(
                workspace=info.workspace,
                path=info.path,
                file=info.file,
                source=info.source,
                title=info.title,
                line=passage.first_line + line - 1,
            )
    return None


def _line_with(path: str, passage: LocatedChunk, targets: LinkTargets) -> int:
    """1-based number of the line that shows a picture; 0 for none."""
    for link in _embedded(split_lines(passage.text)):
        if is_picture(link.name) and targets.follow(link, passage.path) == path:
            return link.line
    return 0


def _embedded(lines: Sequence[str]) -> Iterator[Link]:
    """The pictures that a note shows, as links."""
    # A link without the sign only leads to the picture.
    embedding = {number for number, line in enumerate(lines, start=1) if "![" in line}
    if embedding:
        yield from (link for link in find_links(lines) if link.line in embedding)
    for number, line in lines_without_code(lines):
        for match in _HTML_IMAGE.finditer(line):
            yield Link(number, match[1].partition("#")[0], is_wiki=False)


def _expression(name: str, analyzer: Analyzer) -> str:
    """FTS5 expression of the words in the name of a file; empty for a name without any."""
    if not analyzer.stems(name):
        return ""
    # Links name a file with spaces, or encoded as in an address.
    written = dict.fromkeys((name, quote(name), name.replace(" ", "%20")))
    phrases = (searchable_text(each).replace('"', '""') for each in written)
    return "text : (" + " OR ".join(f'"{phrase}"' for phrase in phrases) + ")"
