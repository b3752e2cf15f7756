"""Links in notes and their target files, found in the same way as in Obsidian."""

from __future__ import annotations

import json
import posixpath
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from urllib.parse import unquote

from msgspec import Struct

from scrubjay.concurrency.lazy_pattern import lazy_pattern
from scrubjay.platform.file_names import file_name_key
from scrubjay.text.markdown import (
    Heading,
    all_headings,
    lines_without_code,
    parse_front_matter,
    split_lines,
)

WIKI_LINK = lazy_pattern(r"(!?)\[\[([^\[\]|\n]++)(?:\|([^\[\]\n]*+))?\]\]")
"""Wiki link `[[Note#Anchor|text]]`: whether it embeds, its target with the anchor, and its text."""
_MARKDOWN_LINK = lazy_pattern(
    r"!?\[[^\]\[]{0,300}\]\((?:<([^<>]{1,500})>|([^()\s]{1,500}))(?:\s+[\"'(].*?)?\)"
)
"""Link `[text](target "title")`, whose target may be in angle brackets."""
_CODE = lazy_pattern(r"(`+)(?:(?!\1).)*\1")
"""Code within a line."""
_SCHEME = lazy_pattern(r"[a-zA-Z][a-zA-Z0-9+.-]*:")
"""Beginning of an address on the web, or of another program."""
_ITEM = lazy_pattern(r"(\s*)(?:[-*+]|\d+[.)])\s")
"""Beginning of an item of a list, with its indent."""
_NO_LETTERS = lazy_pattern(r"[\W_]+")
"""Signs that headings are compared without."""


class Link(Struct, frozen=True):
    """A link to another file."""

    line: int
    """Line of the note, 1-based."""
    target: str
    """Target as it is written, without a part after `#`."""
    is_wiki: bool

    @property
    def name(self) -> str:
        """The name of the file, as it is compared."""
        target = self.target if self.is_wiki else unquote(self.target)
        return file_name_key(posixpath.basename(target.replace("\\", "/")))


def find_links(lines: Sequence[str]) -> Iterator[Link]:
    """The links of a note to other files except those in code."""
    for number, line in lines_without_code(lines):
        if "[" not in line:
            continue
        prose = _CODE.sub("", line)
        # What leads to the web, or to an anchor in the same note, is not a file.
        for match in _MARKDOWN_LINK.finditer(prose):
            target = (match[1] or match[2]).partition("#")[0]
            if target and not _SCHEME.match(target) and not target.startswith("//"):
                yield Link(number, target, is_wiki=False)
        for match in WIKI_LINK.finditer(prose):
            # In a table, the bar is escaped.
            target = match[2].partition("#")[0].rstrip("\\").strip()
            if target:
                yield Link(number, target, is_wiki=True)


class LinkTargets:
    """Possible targets of links, by their labels (relative to the folder, with `/`)."""

    def __init__(self, labels: Iterable[str]) -> None:
        self._named: dict[str, list[str]] = defaultdict(list)
        """Labels by the name of their file in lower case."""
        for label in labels:
            self._named[file_name_key(posixpath.basename(label))].append(label)

    def find(self, target: str, source: str, *, is_relative: bool = False) -> str:
        """The label that a link in the note `source` means; empty for none.

        A path is tried from the folder's root, or from the note first when it is relative; then
        the shortest one that ends so is taken, one below the note's own folder before others.
        """
        # A path may be meant from the note, or from the root of the folder.
        folder = posixpath.dirname(source)
        path = target.strip().replace("\\", "/")
        beside = posixpath.join(folder, path)
        path = path.lstrip("/")
        tried = [path]
        if is_relative or path.startswith("."):
            tried = [beside, path]
        for each in map(posixpath.normpath, tried):
            label = next((label for label in self._ending(each) if _is(label, each)), "")
            if label:
                return label
        # No file has this very path, so the end of it decides, as in Obsidian.
        inside = f"{folder}/" if folder else ""
        return min(
            self._ending(posixpath.normpath(path)),
            key=lambda label: (not label.startswith(inside), len(label)),
            default="",
        )

    def follow(self, link: Link, source: str) -> str:
        """The label that a link of the note `source` means, also where a space is written `%20`."""
        targets: tuple[str, ...] = (link.target,)
        if not link.is_wiki:
            targets = (link.target, unquote(link.target))
        labels = (self.find(each, source, is_relative=not link.is_wiki) for each in targets)
        return next(filter(None, labels), "")

    def _ending(self, path: str) -> list[str]:
        """Labels that end with a path, with or without `.md`."""
        name = file_name_key(posixpath.basename(path))
        similar = (*self._named.get(f"{name}.md", ()), *self._named.get(name, ()))
        return [label for label in similar if _is(f"/{label}", path, at_end=True)]


def _is(label: str, path: str, *, at_end: bool = False) -> bool:
    """Whether a label is a path, or ends with it, with or without `.md`."""
    label = file_name_key(label)
    path = file_name_key(path)
    if at_end:
        return label.endswith((f"/{path}", f"/{path}.md"))
    return label in (path, f"{path}.md")


def anchor_line(text: str, anchor: str) -> int:
    """1-based line of a heading, or of a block for `^id`; 1 without such an anchor.

    For `Above#Below` it is the heading that stands below the others.
    """
    lines = split_lines(text)
    if anchor.startswith("^"):
        return _line_of_block(lines, anchor)
    return next(iter(_lines_of_anchor(all_headings(lines), anchor)), 1)


def other_anchor_lines(text: str, anchor: str) -> Sequence[int]:
    """1-based lines of the headings that an anchor may mean as well, after the one that it does."""
    if anchor.startswith("^"):
        return ()
    return _lines_of_anchor(all_headings(split_lines(text)), anchor)[1:]


def anchor_section(text: str, anchor: str) -> str:
    """The section of a heading, or the block of `^id`, or all of the note; empty for none there."""
    lines = split_lines(text)
    headings = all_headings(lines)
    # The whole note without its front matter, one block, or one section.
    if not anchor:
        return "\n".join(lines[parse_front_matter(lines)[1] :])
    if anchor.startswith("^"):
        is_there = any(line.split()[-1:] == [anchor] for line in lines)
        if not is_there:
            return ""
        return "\n".join(_block(lines, _line_of_block(lines, anchor) - 1))
    start = next(iter(_lines_of_anchor(headings, anchor)), 0)
    if not start:
        return ""
    # Up to the next heading of the same level or a higher one.
    level = next(each.level for each in headings if each.line == start)
    after = (each.line for each in headings if each.line > start and each.level <= level)
    return "\n".join(lines[start - 1 : next(after, len(lines) + 1) - 1])


def _block(lines: Sequence[str], at: int) -> Sequence[str]:
    """The paragraph, table or item with a line; an item with all below it."""
    first = at
    end = at + 1
    # Up to the beginning of the paragraph, or of the item that it belongs to.
    while first > 0 and lines[first].strip() and not _ITEM.match(lines[first]):
        if not lines[first - 1].strip() or lines[first - 1].startswith("#"):
            break
        first -= 1
    item = _ITEM.match(lines[first])
    if item is None:
        while end < len(lines) and lines[end].strip():
            end += 1
        return lines[first:end]
    # With an item goes what is further to the right below it.
    depth = len(item[1])
    while end < len(lines) and len(lines[end]) - len(lines[end].lstrip()) > depth:
        end += 1
    return [line[depth:] for line in lines[first:end]]


def _line_of_block(lines: Sequence[str], anchor: str) -> int:
    """1-based line of a block that ends with a name such as `^id`; 1 where there is none."""
    named = (at for at, line in enumerate(lines) if line.split()[-1:] == [anchor])
    at = next(named, 0)
    if lines[at : at + 1] == [] or lines[at].strip() != anchor:
        return at + 1
    # A name with its own line stands for the block above it, such as a table.
    while at > 0 and not lines[at - 1].strip():
        at -= 1
    while at > 0 and lines[at - 1].strip():
        at -= 1
    return at + 1


def _lines_of_anchor(headings: Sequence[Heading], anchor: str) -> Sequence[int]:
    """1-based lines of the headings that `Heading` or `Above#Below` may mean, in order."""
    # Signs in headings do not count, as links are often written without them.
    names = [_plain(name) for name in anchor.split("#") if _plain(name)]
    # A heading may have a hash in it, or have moved from below the others.
    ways = (names, [_plain(anchor)], names[-1:])
    return next(filter(None, (_lines_of_headings(headings, way) for way in ways)), ())


def _lines_of_headings(headings: Sequence[Heading], names: Sequence[str]) -> Sequence[int]:
    """1-based lines of the headings with a name below others."""
    lines: list[int] = []
    above: list[tuple[int, str]] = []
    for heading in headings:
        # Each of the names must be found above the next one, though not directly.
        above = [pair for pair in above if pair[0] < heading.level]
        above.append((heading.level, _plain(heading.text)))
        path = iter(name for _, name in above)
        if names and above[-1][1] == names[-1] and all(name in path for name in names):
            lines.append(heading.line)
    return lines


def _plain(heading: str) -> str:
    """A heading without signs, as links may write it."""
    return _NO_LETTERS.sub(" ", heading).strip().casefold()


def joins_lines(root: Path) -> bool:
    """Whether the folder is a vault of Obsidian that shows the lines of a paragraph as one."""
    try:
        settings = json.loads((root / ".obsidian" / "app.json").read_bytes())
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(settings, dict) and settings.get("strictLineBreaks") is True
