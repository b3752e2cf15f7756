"""How a settings file changes, also one whose lines are too long to be read."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scrubjay.text.line_diff import DiffLine, compare_lines

_LONG = 100
"""Characters that are seen at a glance."""
_INDENT = "  "
_PARTS = re.compile(
    r"""
    "(?:[^"\\]|\\.)*" | '(?:[^'\\]|\\.)*' |  # what stands in quotes stays together
    [\[{]\s*[\]}] |  # and so does what is empty
    [\[{}\],] |
    [^"'\[{}\],]+ |
    ["']  # a quote that nobody closes
    """,
    re.VERBOSE,
)


def compared(before: str, after: str) -> tuple[DiffLine, ...]:
    """What changes, with a few lines around it.

    Where a long line changes, it is cut behind commas and around brackets on both sides, so that
    what is the same in it is not told as changed.
    """
    before, after = before.removesuffix("\n"), after.removesuffix("\n")
    changed = set(before.split("\n")) ^ set(after.split("\n"))
    if any(len(line) > _LONG for line in changed):
        before, after = (_cut(text, changed) for text in (before, after))
    return compare_lines(before, after).lines


def _cut(text: str, changed: set[str]) -> str:
    lines = text.split("\n")
    return "\n".join(
        piece for line in lines for piece in (_pieces(line) if line in changed else (line,))
    )


def _pieces(line: str) -> Iterator[str]:
    margin = line[: len(line) - len(line.lstrip())]
    depth, piece = 0, ""
    for part in _PARTS.findall(line.strip()):
        if part in ("}", "]"):
            if piece.strip():
                yield f"{margin}{_INDENT * depth}{piece.strip()}"
            depth, piece = max(0, depth - 1), ""
        piece += part
        if part in ("{", "[", ","):
            yield f"{margin}{_INDENT * depth}{piece.strip()}"
            depth, piece = depth + (part != ","), ""
    if piece.strip() or not line.strip():
        yield f"{margin}{_INDENT * depth}{piece.strip()}"
