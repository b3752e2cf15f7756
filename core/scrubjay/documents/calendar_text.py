"""Text of invitations and of address cards, as mail programs attach them."""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator

from scrubjay.documents.document_text import DocumentText
from scrubjay.documents.web_text import decode_page

_NAMES = {
    "SUMMARY": "Summary",
    "LOCATION": "Location",
    "DESCRIPTION": "Description",
    "DTSTART": "Begins",
    "DTEND": "Ends",
    "DUE": "Due",
    "RRULE": "Repeats",
    "ORGANIZER": "Organizer",
    "ATTENDEE": "Attendee",
    "COMMENT": "Comment",
    "CATEGORIES": "Categories",
    "URL": "Address",
}
"""Properties of an event that people read, and what they are called."""
_NOT_EVENTS = frozenset({"VTIMEZONE", "STANDARD", "DAYLIGHT", "VALARM"})
"""Components whose lines do not tell what happens."""
_PARAMETER = re.compile(r'([A-Za-z0-9-]{1,40})(?:=("[^"]*"|[^";:]*))?')
"""Name and value of a parameter; before version 3 of cards, a value may stand alone."""
_LINE_END = re.compile(r"\r\n|\r|\n")
_QUOTED_PRINTABLE = "QUOTED-PRINTABLE"
_BINARY = frozenset({"B", "BASE64"})
"""Encodings of pictures, sounds and keys."""
_MOMENT = re.compile(r"(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\d(Z)?)?")
_NOT_WORDS = frozenset(
    {"PHOTO", "LOGO", "SOUND", "KEY", "BEGIN", "END", "VERSION", "PRODID", "UID"}
)
"""Properties of a card that are not texts of people."""
_LONGEST_HEAD = 1_000
"""Letters of the name and the parameters of a property."""


def add_calendar(calendar: str, text: DocumentText) -> None:
    """Add what an invitation says about its events, and who takes part."""
    around: list[str] = []
    for name, parameters, value in _properties(calendar):
        if name == "BEGIN":
            around.append(value.strip().upper())
        elif name == "END":
            del around[-1:]
        elif name in _NAMES and not (around and around[-1] in _NOT_EVENTS):
            words = _unescaped(value)
            if name.startswith("DT") or name == "DUE":
                words = _moment(value, parameters.get("TZID", ""))
            # People are known by their names, which stand before their addresses.
            person = parameters.get("CN", "")
            text.paragraph(f"{_NAMES[name]}: {person} {words}", "- ")
    text.blank()


def add_card(card: str, text: DocumentText) -> None:
    """Add the lines of an address card, without its pictures and keys."""
    for name, parameters, value in _properties(card):
        is_text = _BINARY.isdisjoint(_encodings(parameters))
        if name not in _NOT_WORDS and is_text and not value.startswith("data:"):
            words = " ".join(_unescaped(value).replace(";", " ").split())
            text.paragraph(f"{name.capitalize()}: {words}" if words else "", "- ")
    text.blank()


def _properties(source: str) -> list[tuple[str, dict[str, str], str]]:
    """Name, parameters and value of each property."""
    properties: list[tuple[str, dict[str, str], str]] = []
    for line in _unfolded(source):
        end = _head_end(line)
        head = line[:end]
        name, _, rest = head.partition(";")
        # Programs name a group before some properties, as `item1.TEL`.
        name = name.rpartition(".")[2].strip().upper()
        parameters = {key.upper(): word.strip('"') for key, word in _PARAMETER.findall(rest)}
        value = line[end + 1 :]
        if _QUOTED_PRINTABLE in _encodings(parameters):
            letters = binascii.a2b_qp(value.encode("utf-8", "replace"))
            value = decode_page(letters, parameters.get("CHARSET", ""))
        if end:
            properties.append((name, parameters, value))
    return properties


def _unfolded(source: str) -> Iterator[str]:
    """Whole lines: long ones continue after a space, and after a sign where they are encoded."""
    pieces: list[str] = []
    is_encoded = False
    for line in _LINE_END.split(source):
        if pieces and is_encoded and pieces[-1].rstrip().endswith("="):
            pieces[-1] = pieces[-1].rstrip().removesuffix("=")
            pieces.append(line)
        elif pieces and line.startswith((" ", "\t")):
            pieces.append(line[1:])
        else:
            yield "".join(pieces)
            pieces = [line]
            is_encoded = _QUOTED_PRINTABLE in line[: _head_end(line)].upper()
    yield "".join(pieces)


def _encodings(parameters: dict[str, str]) -> set[str]:
    """Words that may be the encoding of a value."""
    return {parameters.get("ENCODING", "").upper(), *parameters}


def _head_end(line: str) -> int:
    """Place of the colon that ends name and parameters, which may have colons in quotes; or 0."""
    is_quoted = False
    for at, letter in enumerate(line[:_LONGEST_HEAD]):
        if letter == '"':
            is_quoted = not is_quoted
        elif letter == ":" and not is_quoted:
            return at
    # Where a quote has no end, the first colon must be it.
    return max(0, line.find(":", 0, _LONGEST_HEAD))


def _unescaped(value: str) -> str:
    return re.sub(r"\\[nN]", " ", value).replace("\\", "")


def _moment(value: str, zone: str) -> str:
    """A day or a time as people write it; the value itself where it is neither."""
    match = _MOMENT.match(value)
    if not match:
        return value
    year, month, day, hour, minute, is_utc = match.groups()
    words = f"{year}-{month}-{day}"
    if hour:
        words = f"{words} {hour}:{minute}"
    if is_utc:
        zone = "UTC"
    return f"{words} {zone}".strip()
