"""Text without characters that are invisible or act on a terminal.

A name is shown on one line by `printable_label`, where nothing may be hidden. What a stream prints
keeps its lines and all letters in `harmless_text`; `messages.safe_line` does that for one line, in
the layer of sentences. Text of strangers that people and models read loses what is hidden in it, by
`visible_text`. Text of documents loses controls and spare spaces (`document_text.clean_line`).
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right

from scrubjay.concurrency.lazy_pattern import lazy_pattern
from scrubjay.messages import ACTING

_JOINER = "\u200d"
"""Sign that joins emoji, as of a family."""

_ACTING = lazy_pattern(f"[{ACTING}]")
_LINE_END = lazy_pattern(r"\r\n?")
_HIDDEN_SIGNS = (
    "\0-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f"
    "\u2028-\u202e\u2060-\u206f\u3164\ud800-\udfff\ufeff\uffa0\ufff0-\ufffb"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_HIDDEN = lazy_pattern(f"[{_HIDDEN_SIGNS}]")
NEVER_SEEN = lazy_pattern(f"[{_HIDDEN_SIGNS}\u200c\u200d\ufe00-\ufe0f]")
"""Whatever `visible_text` may remove between two letters."""
_SPARE = lazy_pattern(
    # A joiner belongs to emoji and to words of some languages, where it follows a letter.
    "(?:^|(?<=[\0-\x7f\u200c\u200d]))[\u200c\u200d]+"
    # One of these chooses the look of a letter; a row of them can hide a text.
    "|(?<=[\ufe00-\ufe0f])[\ufe00-\ufe0f]+"
)


def harmless_text(text: str) -> str:
    """The text with "?" for all that acts on a terminal, or on the order of letters."""
    if text.isascii() and text.isprintable():
        return text
    return _ACTING.sub("?", text.replace("\r\n", "\n"))


def escape_json(text: str) -> str:
    """JSON with codes of letters for what acts on a terminal: the same values."""
    return _ACTING.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def visible_text(text: str) -> str:
    """The text without control characters, hidden ones, and those that turn its direction.

    Lines and tabs stay; notes of strangers must not move a terminal's cursor, nor say to a model
    what no person can see.
    """
    if text.isascii() and text.isprintable():
        return text
    return _SPARE.sub("", _HIDDEN.sub("", _LINE_END.sub("\n", text)))


def find_passage(text: str, passage: str, ignored: re.Pattern[str]) -> list[slice]:
    """Where a passage stands in a text, if letters that are ignored do not count in either."""
    wanted = ignored.sub("", passage)
    if not wanted.strip():
        return []
    # Agents choose the passage and strangers the text: a pattern made of them may never end.
    removed = [match.start() - at for at, match in enumerate(ignored.finditer(text))]
    plain = ignored.sub("", text)
    places: list[slice] = []
    start = plain.find(wanted)
    while start >= 0:
        end = start + len(wanted)
        # Each letter stands further on by the number of letters removed before it.
        first = start + bisect_right(removed, start)
        places.append(slice(first, end + bisect_right(removed, end - 1)))
        start = plain.find(wanted, end)
    return places


def encodable_text(text: str) -> str:
    """The text with "?" for each half surrogate pair, which files, databases and models refuse."""
    return text.encode("utf-8", "replace").decode()


def printable_label(label: str) -> str:
    """A label that any terminal, database and window can take, on one line."""
    if label.isprintable():
        return label
    # "?" for what cannot be printed, the sign of a missing letter for half a surrogate pair.
    letters = list(label)
    for at, letter in enumerate(letters):
        kind = unicodedata.category(letter)
        # "Zs" are spaces, such as the wide one of Japanese.
        if not letter.isprintable() and letter != _JOINER and kind != "Zs":
            letters[at] = "\ufffd" if kind == "Cs" else "?"
    return "".join(letters)
