"""Edits of one value in JSON5 text; every other character stays as it is."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from scrubjay.config.aliases import nest_value
from scrubjay.config.json5.json5_parser import Member, Node, parse_json5

_PLAIN_KEY = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*")
_LINE_END = re.compile(r"\r\n|\r|\n")


class _Layout:
    """Indentation, line ends and quoting of a file."""

    def __init__(self, text: str, root: Node, *, quoted: bool = False) -> None:
        # The first line end and the first key stand for all of them.
        self.newline = "\n"
        line_end = _LINE_END.search(text)
        if line_end:
            self.newline = line_end.group()
        self.indent = "  "
        if root.members:
            self.indent = _indent_at(text, root.members[0].start) or "  "
        self.is_quoted = quoted or any(member.is_quoted for member in root.members)

    def key(self, key: str) -> str:
        """The key as text, in quotes where the file has them or the key needs them."""
        if not self.is_quoted and _PLAIN_KEY.fullmatch(key):
            return key
        return _written(key)

    def value(self, value: Any, margin: str, *, is_wide: bool) -> str:
        """The value as text; is_wide puts each nested value on its own line."""
        inner = margin + self.indent
        # Objects and lists that are empty are written like any single value.
        match value:
            case dict() if value:
                parts = [
                    f"{self.key(key)}: {self.value(v, inner, is_wide=is_wide)}"
                    for key, v in value.items()
                ]
                opening, closing = "{}"
            case list() | tuple() if value:
                parts = [self.value(entry, inner, is_wide=is_wide) for entry in value]
                opening, closing = "[]"
            case _:
                return _written(value)
        if not is_wide:
            gap = " " if opening == "{" else ""
            return f"{opening}{gap}{', '.join(parts)}{gap}{closing}"
        lines = f",{self.newline}{inner}".join(parts)
        return f"{opening}{self.newline}{inner}{lines}{self.newline}{margin}{closing}"


def set_value(text: str, path: Sequence[str | int], value: Any, *, quoted: bool = False) -> str:
    """The text with a value at path, a number being the index in a list that is there.

    Quoted for plain JSON. Raises LookupError where something else than an object is on the way.
    """
    node = parse_json5(text)
    layout = _Layout(text, node, quoted=quoted)
    for depth, key in enumerate(path):
        if isinstance(key, int):
            node = node.items[key]
            continue
        member = _member(node, key)
        rest = path[depth + 1 :]
        # From the first key on that is missing, or null, all objects are new.
        if member is None:
            return _inserted(text, node, nest_value(rest, value), layout=layout, key=key)
        node = member.node
        if rest and node.value is None:
            return _replaced(text, node, nest_value(rest, value), layout=layout)
        if rest and not _can_hold(node, rest[0]):
            raise LookupError(".".join(map(str, path[: depth + 1])))
    return _replaced(text, node, value, layout=layout)


def _can_hold(node: Node, step: str | int) -> bool:
    """Whether a value is a list for a number, or an object for a key."""
    if isinstance(step, int):
        return isinstance(node.value, list)
    return isinstance(node.value, dict)


def append_entry(text: str, path: Sequence[str], entry: Any, *, quoted: bool = False) -> str:
    """The text with entry at the end of the list at path, which is made when missing.

    Quoted and LookupError as for `set_value`.
    """
    root = parse_json5(text)
    node = _node_at(root, path)
    if node is None or node.value is None:
        return set_value(text, path, [entry], quoted=quoted)
    if not isinstance(node.value, list):
        raise LookupError(".".join(path))
    return _inserted(text, node, entry, layout=_Layout(text, root, quoted=quoted))


def remove_value(text: str, path: Sequence[str | int]) -> str:
    """The text without a key, or the entry of a list; the same text when it is not there."""
    *outer, last = path
    node = _node_at(parse_json5(text), outer)
    if node is None:
        return text
    if isinstance(last, int):
        spans = [(item.start, item.end) for item in node.items]
        return _cut(text, node, spans=spans, index=last)
    member = _member(node, last)
    if member is None:
        return text
    spans = [(each.start, each.node.end) for each in node.members]
    # A key that stands there twice would come back with its other value.
    cut = _cut(text, node, spans=spans, index=node.members.index(member))
    return remove_value(cut, path)


def is_empty(text: str, path: Sequence[str | int]) -> bool:
    """Whether a value is an object or a list without anything in it, not even comments."""
    node = _node_at(parse_json5(text), path)
    return node is not None and not text[node.start : node.end].strip(" \t\r\n{}[]")


def _node_at(node: Node | None, path: Sequence[str | int]) -> Node | None:
    """The value at a path of keys; None if there is none."""
    for key in path:
        if node is None:
            return None
        if isinstance(key, int):
            node = dict(enumerate(node.items)).get(key)
            continue
        # A path that leaves the file has nothing at its end.
        member = _member(node, key)
        if member is None:
            return None
        node = member.node
    return node


def _member(node: Node, key: str | int) -> Member | None:
    """The last member with a key, which is the one that counts."""
    return next((m for m in reversed(node.members) if m.key == key), None)


def _replaced(text: str, node: Node, value: Any, layout: _Layout) -> str:
    """The text with another value in the place of a node, on as many lines as that had."""
    is_wide = "\n" in text[node.start : node.end] or not (node.members or node.items)
    written = layout.value(value, _indent_at(text, node.start), is_wide=is_wide)
    return text[: node.start] + written + text[node.end :]


def _inserted(text: str, node: Node, value: Any, layout: _Layout, *, key: str = "") -> str:
    """The text with a member (with key) or an entry (without) at the end of node."""
    name = ""
    if isinstance(node.value, dict):
        name = f"{layout.key(key)}: "
    parts = [(m.start, m.node.end) for m in node.members] or [(n.start, n.end) for n in node.items]
    margin = _indent_at(text, node.start)
    close = node.end - 1
    # Into an empty object or list, after the comments in it.
    if not parts:
        written = layout.value(value, margin + layout.indent, is_wide=True)
        inside = text[node.start + 1 : close].rstrip()
        lead = f"{layout.newline}{margin}{layout.indent}"
        body = f"{inside}{lead}{name}{written}{layout.newline}{margin}"
        return text[: node.start + 1] + body + text[close:]
    # After the last one, on its own line where that has one.
    start, end = parts[-1]
    comma = _comma_after(text, end, close)
    is_wide = "\n" in text[node.start : start] or "\n" in text[end:close]
    inner = margin
    lead = " "
    if is_wide:
        inner = _indent_at(text, start)
        lead = f"{layout.newline}{inner}"
    written = name + layout.value(value, inner, is_wide=is_wide)
    before = text[end:close].rstrip()
    blank = text[end + len(before) : close]
    if comma is None:
        return text[:end] + "," + before + lead + written + blank + text[close:]
    return text[:end] + before + lead + written + "," + blank + text[close:]


def _cut(text: str, node: Node, spans: list[tuple[int, int]], index: int) -> str:
    """The text without a member or entry, its comma and, if it was alone there, its line."""
    start, end = spans[index]
    limit = node.end - 1
    if index + 1 < len(spans):
        limit = spans[index + 1][0]
    comma = _comma_after(text, end, limit)
    comment = ""
    if comma is not None:
        comment = text[end:comma]
        end = comma + 1
    elif index > 0:
        before = _comma_after(text, spans[index - 1][1], start)
        if before is not None:
            # Plain JSON allows no comma before the closing bracket.
            text = text[:before] + text[before + 1 :]
            start -= 1
            end -= 1
    # A line goes only where nothing else is on it, not even a comment before the comma.
    line_start = start - len(text[:start]) + len(text[:start].rstrip(" \t"))
    line = re.compile(r"[ \t]*(\r\n|\r|\n)").match(text, end)
    if not comment.strip() and line and text[line_start - 1 : line_start] in {"\n", "\r"}:
        return text[:line_start] + text[line.end() :]
    after = text[end:]
    if line is None:
        after = after.removeprefix(" ")
    return text[:start] + comment.lstrip() + after


def _comma_after(text: str, start: int, end: int) -> int | None:
    """Offset of the comma in a stretch of space and comments."""
    # A comma in a comment does not count, so comments become spaces of the same length.
    blanked = re.sub(
        r"//[^\n\r\u2028\u2029]*|/\*.*?\*/",
        lambda match: " " * len(match.group()),
        text[start:end],
        flags=re.DOTALL,
    )
    at = blanked.find(",")
    if at < 0:
        return None
    return start + at


def _indent_at(text: str, offset: int) -> str:
    """The space at the beginning of the line of an offset."""
    line = _LINE_END.split(text[:offset])[-1]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _written(value: Any) -> str:
    """A scalar as text; half a surrogate pair, which no file can hold, as an escape."""
    text = json.dumps(value, ensure_ascii=False)
    if any("\ud800" <= letter <= "\udfff" for letter in text):
        return json.dumps(value)
    return text
