"""Files that the links of a note lead to, found as Obsidian finds them."""

from __future__ import annotations

import json
import posixpath
import re
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from scrubjay.notes.markdown import outline, split_lines

_NO_LETTERS = re.compile(r"[\W_]+")


class LinkTargets:
    """Files that links may lead to, by their labels: relative to the folder, with `/`."""

    def __init__(self, labels: Iterable[str]) -> None:
        self._named: dict[str, list[str]] = defaultdict(list)
        """Name of a file in lower case -> labels."""
        for label in labels:
            self._named[posixpath.basename(label).casefold()].append(label)

    def find(self, target: str, source: str, *, is_relative: bool = False) -> str:
        """The label that a link in the note `source` means; empty for none.

        A path is tried from the folder's root, or from the note first when it is relative; then
        the shortest one that ends so is taken, one below the note's own folder before others.
        """
        folder = posixpath.dirname(source)
        path = target.strip().replace("\\", "/")
        beside, path = posixpath.join(folder, path), path.lstrip("/")
        tried = [beside, path] if is_relative or path.startswith(".") else [path]
        for each in map(posixpath.normpath, tried):
            if label := next((label for label in self._ending(each) if _is(label, each)), ""):
                return label
        inside = f"{folder}/" if folder else ""
        return min(
            self._ending(posixpath.normpath(path)),
            key=lambda label: (not label.startswith(inside), len(label)),
            default="",
        )

    def _ending(self, path: str) -> list[str]:
        """Labels that end with a path, with or without `.md`."""
        name = posixpath.basename(path).casefold()
        similar = (*self._named.get(f"{name}.md", ()), *self._named.get(name, ()))
        return [label for label in similar if _is(f"/{label}", path, at_end=True)]


def _is(label: str, path: str, *, at_end: bool = False) -> bool:
    label, path = label.casefold(), path.casefold()
    if at_end:
        return label.endswith((f"/{path}", f"/{path}.md"))
    return label in (path, f"{path}.md")


def line_of(text: str, place: str) -> int:
    """1-based line of a heading, or of a block for `^id`; 1 without such a place."""
    lines = split_lines(text)
    if place.startswith("^"):
        ends = (line for line, each in enumerate(lines, start=1) if each.rstrip().endswith(place))
        return next(ends, 1)
    name = _plain(place.rpartition("#")[2])
    return next((each.line for each in outline(lines).headings if _plain(each.text) == name), 1)


def _plain(heading: str) -> str:
    return _NO_LETTERS.sub(" ", heading).strip().casefold()


def joins_lines(root: Path) -> bool:
    """Whether the folder is a vault of Obsidian that shows the lines of a paragraph as one."""
    try:
        settings = json.loads((root / ".obsidian" / "app.json").read_bytes())
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(settings, dict) and settings.get("strictLineBreaks") is True
