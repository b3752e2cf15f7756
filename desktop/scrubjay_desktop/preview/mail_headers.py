"""The headers of a mail as one line, in the person's language and with dates as they write them."""

from __future__ import annotations

import re
from email.utils import parsedate_to_datetime

from scrubjay.text.file_kinds import MAIL, document_kind
from scrubjay_desktop.text.formatting import format_clock, short_day, translate

_HEADERS = re.compile(r"(?m)((?:\A|^#[^\n]*\n)\s*)((?:^- (?:From|To|Cc|Date): [^\n]*(?:\n|\Z))+)")
"""The list of headers where a mail begins: above all else, or below the heading of its part."""
_HEADER = re.compile(r"(?m)^- (\w+): (.*)$")


def join_mail_headers(body: str, path: str) -> tuple[str, frozenset[int]]:
    """The text with one line for the headers of each mail, and the numbers of these lines from 0.

    Blank lines take the place of the others, so that line numbers stay true. Other files stay as
    they are.
    """
    if document_kind(path) != MAIL:
        return body, frozenset()
    # The day of a single mail is shown above it.
    has_day = path.lower().endswith(".eml")
    numbers: set[int] = set()

    def join(match: re.Match[str]) -> str:
        numbers.add(body.count("\n", 0, match.start(2)))
        line = _header_line(dict(_HEADER.findall(match[2])), has_day=has_day)
        return match[1] + line + "\n" * match[2].count("\n")

    joined = _HEADERS.sub(join, body)
    return joined, frozenset(numbers)


def _header_line(headers: dict[str, str], *, has_day: bool) -> str:
    parts = [
        text.format(people=headers[name])
        for name, text in (
            ("From", translate("NoteView", "From: {people}")),
            ("To", translate("NoteView", "To: {people}")),
            ("Cc", translate("NoteView", "Cc: {people}")),
        )
        if name in headers
    ]
    if "Date" in headers:
        parts.append(_date_words(headers["Date"], has_day=has_day))
    return " · ".join(parts)


def _date_words(date: str, *, has_day: bool) -> str:
    """The moment when a mail was sent, by the clock of its sender; as it is where it is not one."""
    try:
        moment = parsedate_to_datetime(date)
    except (ValueError, TypeError, OverflowError, IndexError):
        return date
    if has_day:
        return format_clock(moment)
    return f"{short_day(moment.date())}, {format_clock(moment)}"
