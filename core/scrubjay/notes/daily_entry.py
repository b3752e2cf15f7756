"""Text of an entry in a daily note: how it is written, found and taken out again."""

from __future__ import annotations

import datetime as dt
import re

from scrubjay.errors import QueryError
from scrubjay.messages import msg

MAX_CHARACTERS = 16_000
"""Length of one entry; a longer text is a note of its own."""

_BLOCK_START = re.compile(r"([-*+>#|]|\d+[.)]|```|~~~)")


def entry_text(text: str) -> str:
    """The entry as it will stand in the file: a list item when it is one plain line.

    Raises QueryError for a text that is empty, too long or no text.
    """
    if "\0" in text or any("\ud800" <= letter <= "\udfff" for letter in text):
        raise QueryError("This cannot be written down", "It holds characters that are no text.")
    clean = "\n".join(line.rstrip() for line in text.splitlines()).strip("\n")
    if not clean.strip():
        raise QueryError("There is nothing to remember", "The text is empty.")
    if len(clean) > MAX_CHARACTERS:
        raise QueryError(
            "This is too long for a daily note",
            msg(
                "It has {n} characters; {limit} are allowed at once.",
                n=len(clean),
                limit=MAX_CHARACTERS,
            ),
            hint="Write it into a note of its own.",
        )
    is_plain_line = "\n" not in clean and not _BLOCK_START.match(clean.lstrip())
    return f"- {clean.strip()}" if is_plain_line else clean


def addition(before: bytes, entry: str, day: dt.date) -> str:
    """The entry on lines of its own, below a heading when it is the first of the day."""
    newline = "\r\n" if b"\r\n" in before else "\n"
    if not before.strip():
        lead = f"# {day.isoformat()}\n\n"
    else:
        lead = "" if before.endswith(b"\n") else "\n"
        is_in_list = entry.startswith("- ") and _last_line(before).startswith(b"- ")
        if not is_in_list and not before.endswith((b"\n\n", b"\r\n\r\n")):
            lead += "\n"
    return f"{lead}{entry}\n".replace("\n", newline)


def _last_line(data: bytes) -> bytes:
    return data.rstrip().rpartition(b"\n")[2].lstrip()


def lines_of(data: bytes, entry: str) -> list[int]:
    """1-based lines where the entry begins, wherever it stands as whole lines."""
    text = f"\n{data.decode('utf-8', 'replace')}\n".replace("\r\n", "\n")
    pattern = rf"(?=\n{re.escape(entry)}\n)"
    return [text.count("\n", 0, match.start()) + 1 for match in re.finditer(pattern, text)]


def without(before: bytes, added: str, entry: str) -> bytes | None:
    """The content without the text that was added last; None when it does not hold that."""
    newline = b"\r\n" if b"\r\n" in before else b"\n"
    line = entry.encode().replace(b"\n", newline) + newline
    for text in (added.encode(), line):
        at = before.rfind(text)
        above = before[: max(at, 0)]
        is_own_line = not above.strip() or above.endswith(b"\n") or text[:1] in (b"\r", b"\n")
        if at >= 0 and is_own_line:
            return above + before[at + len(text) :]
    return None
