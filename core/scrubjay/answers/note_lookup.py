"""Notes by the names that agents and people give them, instead of by their paths."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable
from difflib import get_close_matches
from heapq import nlargest
from itertools import islice
from typing import TYPE_CHECKING
from urllib.parse import unquote

from msgspec import Struct

from scrubjay.documents.document_parts import split_part
from scrubjay.platform.file_names import file_name_key
from scrubjay.records.note_records import DocumentInfo
from scrubjay.text.note_names import name_key
from scrubjay.text.tokenizer import fold

if TYPE_CHECKING:
    from scrubjay.store.reader import Reader

MOST_NAMED = 20
"""Notes of one name that are looked at."""
_MOST_NEAREST = 3
"""Notes that are proposed in place of one that is not there."""
_MOST_COMPARED = 200
"""Names with most pairs of letters in common that are compared letter by letter, which is slow."""
_LONGEST_COMPARED = 60
"""Letters of a name that are compared."""
_LEAST_ALIKE = 0.6
"""Ratio of equal letters in names that are nearly the same, as difflib counts it."""
_LINES = re.compile(r"(.+?)(?::|#L)(\d{1,9})(?:-L?(\d{1,9}))?")
"""Name with a line or some lines, as editors, compilers and our own citations write them."""
_MOST_HASHES = 4
"""Hashes in a text at which an anchor may begin."""
_WIKI = re.compile(r"!?\[\[([^\[\]|]+)(?:\|[^\[\]]*)?\]\]")
"""Link as notes write it."""
_BETWEEN_WORDS = re.compile(r"[\W_]+")
"""Signs that a permalink has a hyphen for."""


class NoteReference(Struct, frozen=True):
    """A note as an agent named it, and the place in it."""

    name: str
    line: int = 0
    """Line from 1; 0 where none is named."""
    last_line: int = 0
    """Last line of a range; 0 where none is named."""
    anchor: str = ""
    """Heading, or `^` with the name of a block; empty where none is named."""


def parse_references(written: str) -> list[NoteReference]:
    """What `name`, `name:12`, `name#L5-L7`, `name#Heading`, `name#^block` or `[[name]]` may mean.

    A name may have these signs as well, so the longest one comes first.
    """
    # A link of Markdown has escapes instead of blanks. What they stand for is a name already.
    texts = dict.fromkeys((written, unquote(written)))
    return [reference for text in texts for reference in _references(text)]


def _references(written: str) -> list[NoteReference]:
    """What a text may mean as it is written."""
    link = _WIKI.fullmatch(written.strip())
    text = link[1].strip() if link else written.strip()
    references = [NoteReference(text)]
    # The part of a document is read by its path.
    if split_part(text)[1] is not None:
        return references
    lines = _LINES.fullmatch(text)
    if lines:
        line = max(1, int(lines[2]))
        references.append(NoteReference(lines[1].strip(), line, last_line=int(lines[3] or 0)))
    # A heading may have a hash, too.
    for mark in reversed([*islice(re.finditer("#", text), _MOST_HASHES)]):
        name = text[: mark.start()].strip()
        if name:
            references.append(NoteReference(name, anchor=text[mark.end() :].strip()))
    return references


def permalink(path: str) -> str:
    """A path without its ending, in lower case, with hyphens, as Basic Memory writes addresses."""
    stem = posixpath.splitext(path)[0]
    steps = (_BETWEEN_WORDS.sub("-", fold(step)).strip("-") for step in stem.split("/"))
    return "/".join(steps)


def nearest_paths(paths: Iterable[str], name: str) -> list[str]:
    """The paths of a few notes whose names are similar to a name, the most similar first."""
    # The name of a file says more than its folder, which may be missing or wrong.
    by_key: dict[str, str] = {}
    for path in paths:
        by_key.setdefault(_stem_key(path), path)
    wanted = _stem_key(name)
    pairs = {wanted[at : at + 2] for at in range(len(wanted) - 1)}

    def likeness(key: str) -> float:
        return sum(map(key.__contains__, pairs)) / (len(key) + len(wanted))

    # A letter that is missing, doubled or swapped leaves most of a name as it is.
    alike = nlargest(_MOST_COMPARED, by_key, likeness)
    keys = get_close_matches(wanted, alike, _MOST_NEAREST, _LEAST_ALIKE)
    return [by_key[key] for key in keys]


def _stem_key(path: str) -> str:
    """The name of a file without its ending, as it is compared; blanks mark both of its ends."""
    name = posixpath.basename(path.replace("\\", "/"))
    key = _BETWEEN_WORDS.sub(" ", fold(posixpath.splitext(name)[0])).strip()
    return f" {key[:_LONGEST_COMPARED]} "


def find_named(reader: Reader, name: str) -> list[DocumentInfo]:
    """The notes of an index that a name means: as a path, as a title or an alias, as a permalink.

    A way that finds some is the last one that is tried.
    """
    relations = reader.relations
    paths = {path: file_name_key(path) for path in relations.paths()}
    key = file_name_key(name.removeprefix("./"))
    # The whole path counts before the end of one.
    same = [path for path, each in paths.items() if each in (key, f"{key}.md")]
    if not same:
        ends = (f"/{key}", f"/{key}.md")
        same = [path for path, each in paths.items() if each.endswith(ends)]
    # Basic Memory puts `memory://` before its addresses.
    address = name
    if "://" in name:
        address = name.partition("://")[2]
    address = address.strip("/").removesuffix(".md")
    # Titles, aliases and addresses in front matter are in the index of names, as a search for a
    # name uses it.
    called: list[DocumentInfo] = []
    if not same:
        called = relations.called(name_key(name), MOST_NAMED)
    if not same and not called:
        called = relations.called(name_key(address), MOST_NAMED)
    # Permalinks are made of each path, which takes long, and so only for what looks like one.
    if not same and not called and any(sign in name for sign in "/-"):
        address = permalink(f"{address}.md")
        same = [path for path in paths if address and permalink(path) == address]
    found = (relations.info(path) for path in same[:MOST_NAMED])
    return called or [info for info in found if info]
