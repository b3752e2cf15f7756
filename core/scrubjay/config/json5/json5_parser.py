r"""A JSON5 parser that keeps the position of every value, for exact messages and edits.

json-five was tried first: it refuses or garbles an escaped backslash before u or x, as in
"C:\\users", leaves surrogate pairs apart, and often cannot say where a mistake is.
"""

from __future__ import annotations

import re
from typing import Any, NoReturn

from msgspec import Struct, field

from scrubjay.concurrency.lazy_pattern import lazy_pattern
from scrubjay.messages import msg

MAX_DEPTH = 64
"""Levels far beyond any settings, and far below Python's recursion limit."""

_SPACE = "\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
_SKIP = lazy_pattern(rf"(?:[{_SPACE}]++|//[^\n\r\u2028\u2029]*+|/\*.*?\*/)*+", re.DOTALL)
_NAME = lazy_pattern(r"(?:[^\W\d]|\$|\\u[0-9a-fA-F]{4})(?:[\w$\u200c\u200d]|\\u[0-9a-fA-F]{4})*+")
_FIRST_KEY = lazy_pattern(
    rf"{_SKIP.pattern}(?:{_NAME.pattern}|\"[^\"\\\n]*+\"|'[^'\\\n]*+'){_SKIP.pattern}:", re.DOTALL
)
_NUMBER = lazy_pattern(
    r"[+-]?(?:Infinity|NaN|0[xX][0-9a-fA-F]+"
    r"|(?:(?:0|[1-9][0-9]*+)(?:\.[0-9]*+)?|\.[0-9]++)(?:[eE][+-]?[0-9]++)?)(?![\w$.])"
)
_STRINGS = {
    quote: lazy_pattern(rf"{quote}((?:[^{quote}\\\n\r]|\\(?:\r\n|.))*+){quote}", re.DOTALL)
    for quote in "\"'"
}
_ESCAPE = lazy_pattern(r"\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|\r\n|.)", re.DOTALL)
_ESCAPES = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "0": "\0"}
_CONTINUATIONS = {"\n", "\r", "\r\n", "\u2028", "\u2029"}
_LINE_END = lazy_pattern(r"\r\n|\r|\n")
_LITERALS = {"true": True, "false": False, "null": None}


class Json5Error(ValueError):
    """The text is not JSON5; line and column count from 1, as editors do."""

    def __init__(self, text: str, offset: int, message: str) -> None:
        # Lines and columns are counted only for a message, and not while reading.
        line_starts = [0, *(match.end() for match in _LINE_END.finditer(text, 0, offset))]
        self.line = len(line_starts)
        self.column = offset - line_starts[-1] + 1
        super().__init__(
            msg(
                "line {line}, column {column}: {message}",
                line=str(self.line),
                column=str(self.column),
                message=message,
            )
        )


class Member(Struct, frozen=True):
    """One `key: value` of an object."""

    key: str
    start: int
    """Offset of the key."""
    is_quoted: bool
    node: Node


class Node(Struct, frozen=True):
    """A value and the half-open range of characters it was read from."""

    start: int
    end: int
    value: Any
    members: tuple[Member, ...] = ()
    """Members of an object, in the order of the text, repetitions included."""
    items: tuple[Node, ...] = ()
    """Values of an array."""


class Parser(Struct):
    """One pass over one text."""

    text: str
    repeated: list[tuple[str | int, ...]] = field(default_factory=list)
    """Paths of keys that stand twice in one object; the last one counts."""
    _at: int = 0
    _path: list[str | int] = field(default_factory=list)

    def parse(self) -> Node:
        """The value of the text. Raises Json5Error."""
        self._skip()
        node = self._value()
        self._skip()
        if self._at < len(self.text):
            self._fail(msg("expected the end of the file but found {found}", found=self._found()))
        return node

    def _skip(self) -> None:
        """Go past space and comments."""
        match = _SKIP.match(self.text, self._at)
        if match:
            self._at = match.end()
        if self.text.startswith("/*", self._at):
            self._fail(msg("this comment is never closed"))

    def _found(self) -> str:
        """The word or letter at this place, for a message."""
        if self._at >= len(self.text):
            return msg("the end of the file")
        word = _NAME.match(self.text, self._at)
        if word:
            return ascii(word.group()[:20])
        return ascii(self.text[self._at])

    def _fail(self, message: str, at: int | None = None) -> NoReturn:
        """Raise Json5Error for this place, or another one."""
        if at is None:
            at = self._at
        raise Json5Error(self.text, at, message)

    def _value(self) -> Node:
        """The value that begins here."""
        start = self._at
        opening = self.text[start : start + 1]
        if opening in ("{", "[") and len(self._path) >= MAX_DEPTH:
            self._fail(msg("more than {n} levels deep", n=MAX_DEPTH))
        # The first letter tells all kinds but numbers and words.
        if opening == "{":
            return self._object()
        if opening == "[":
            return self._array()
        if opening in ('"', "'"):
            value = self._string()
            return Node(start, self._at, value)
        number = _NUMBER.match(self.text, start)
        if number:
            self._at = number.end()
            return Node(start, self._at, _number(number.group()))
        word = _NAME.match(self.text, start)
        if word is None or word.group() not in _LITERALS:
            self._fail(msg("expected a value but found {found}", found=self._found()))
        self._at = word.end()
        return Node(start, self._at, _LITERALS[word.group()])

    def _object(self) -> Node:
        """The object that begins here."""
        start = self._at
        members: list[Member] = []
        seen: dict[str, Any] = {}
        self._at += 1
        while not self._closes("}", is_first=not members):
            at = self._at
            is_quoted = self.text[at : at + 1] in {'"', "'"}
            key = self._key(is_quoted=is_quoted)
            self._path.append(key)
            node = self._value()
            self._path.pop()
            # The last one counts, as in every program that reads JSON.
            if key in seen:
                self.repeated.append((*self._path, key))
            seen[key] = node.value
            members.append(Member(key, start=at, is_quoted=is_quoted, node=node))
        return Node(start, self._at, seen, members=tuple(members))

    def _key(self, *, is_quoted: bool) -> str:
        """The key that begins here. Goes on to its value."""
        name = _NAME.match(self.text, self._at)
        # A key without quotes is a name, as in JavaScript.
        if is_quoted:
            key = self._string()
        elif name:
            at = self._at
            self._at = name.end()
            key = self._decoded(name.group(), at)
        else:
            self._fail(msg("expected a key but found {found}", found=self._found()))
        self._skip()
        if not self.text.startswith(":", self._at):
            self._fail(
                msg(
                    "expected a colon after the key {key} but found {found}",
                    key=ascii(key),
                    found=self._found(),
                )
            )
        self._at += 1
        self._skip()
        return key

    def _array(self) -> Node:
        """The list that begins here."""
        start = self._at
        items: list[Node] = []
        self._at += 1
        while not self._closes("]", is_first=not items):
            self._path.append(len(items))
            items.append(self._value())
            self._path.pop()
        return Node(start, self._at, [item.value for item in items], items=tuple(items))

    def _closes(self, bracket: str, *, is_first: bool) -> bool:
        """Step over the comma between two members, or over the closing bracket."""
        self._skip()
        # A comma may stand after the last member, but not before the first.
        if not is_first and not self.text.startswith(bracket, self._at):
            if not self.text.startswith(",", self._at):
                self._fail(
                    msg(
                        "expected a comma or {bracket} but found {found}",
                        bracket=bracket,
                        found=self._found(),
                    )
                )
            self._at += 1
            self._skip()
        if not self.text.startswith(bracket, self._at):
            return False
        self._at += 1
        return True

    def _string(self) -> str:
        """The text in quotes that begins here."""
        match = _STRINGS[self.text[self._at]].match(self.text, self._at)
        if match is None:
            self._fail(msg("this text has no closing quotation mark on the same line"))
        self._at = match.end()
        return self._decoded(match.group(1), match.start(1))

    def _decoded(self, raw: str, offset: int) -> str:
        """A text without its escapes; the offset is for messages."""
        if "\\" not in raw:
            return raw

        def character(match: re.Match[str]) -> str:
            escape = match.group(1)
            # Letters by their number, then line ends that are dropped, then short escapes.
            if len(escape) > 1 and escape[0] in "ux":
                return chr(int(escape[1:], 16))
            if escape in _CONTINUATIONS:
                return ""
            follower = raw[match.end() : match.end() + 1]
            if escape in "ux" or escape in "123456789" or (escape == "0" and follower.isdigit()):
                self._fail(
                    msg("\\{escape} is not a valid escape sequence", escape=escape),
                    offset + match.start(),
                )
            return _ESCAPES.get(escape, escape)

        # Joins surrogate pairs; half a pair stands for no character.
        decoded = _ESCAPE.sub(character, raw).encode("utf-16-le", "surrogatepass")
        return decoded.decode("utf-16-le", "replace")


def _number(raw: str) -> int | float:
    sign = -1 if raw.startswith("-") else 1
    digits = raw.lstrip("+-")
    if digits[:2] in {"0x", "0X"}:
        return sign * int(digits, 16)
    # Longer ones do not fit into a float, where a float is wanted.
    if digits.isdigit() and len(digits) < 300:
        return sign * int(digits)
    return sign * float(digits)


def add_braces(text: str) -> str:
    """The text with the outer braces that documentations omit, lines as before."""
    if not _FIRST_KEY.match(text):
        return text
    return f"{{{text}\n}}\n"


def parse_json5(text: str) -> Node:
    """The value of a JSON5 text. Raises Json5Error with line and column."""
    return Parser(text).parse()
