"""Text of mail: one message in an .eml file, many in a mailbox."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

from scrubjay.documents.document_errors import DocumentRefused
from scrubjay.documents.document_text import DocumentText
from scrubjay.documents.mail_parts import MailPart, walk_parts
from scrubjay.documents.web_text import add_page, decode_page
from scrubjay.messages import msg

MAX_MESSAGES = 20_000
"""Letters of a mailbox."""
_BEGIN = re.compile(rb"(?m)^From [^\r\n]{0,300}?\d\d:\d\d[^\r\n]{0,300}\r?\n")
"""The line above each letter; a line of text that begins so has no time."""
_QUOTED = re.compile(r"(?m)^>(>*From )")
_HEADERS: tuple[str, ...] = ("From", "To", "Cc", "Date")
"""Headers that are read, in this order."""


def read_eml(data: bytes, text: DocumentText) -> None:
    """Add one letter."""
    if not re.match(rb"(?s)(?:From [^\n]*\n)?[!-9;-~]+:", data):
        raise DocumentRefused(msg("The file is not an email."))
    letter = MailPart(data)
    text.title = letter.header("Subject") or text.title
    if letter.day:
        text.date = letter.day.isoformat()
    _add(letter, text)


def read_mbox(data: bytes, text: DocumentText) -> None:
    """Add every letter of a mailbox."""
    begins = [*islice(_BEGIN.finditer(data), MAX_MESSAGES + 1)]
    if not begins or data[: begins[0].start()].strip():
        raise DocumentRefused(msg("The file is not a mailbox."))
    if len(begins) > MAX_MESSAGES:
        count = sum(1 for _ in _BEGIN.finditer(data))
        raise DocumentRefused(
            msg(
                "The mailbox has {n} messages, but Scrubjay reads at most {most}.",
                n=count,
                most=MAX_MESSAGES,
            )
        )
    # Each letter continues to the beginning of the next one.
    ends = [*(begin.start() for begin in begins[1:]), len(data)]
    for number, (begin, end) in enumerate(zip(begins, ends, strict=True), start=1):
        letter = MailPart(data[begin.end() : end])
        text.part("Message", number, letter.header("Subject"))
        _add(letter, text)


def _add(letter: MailPart, text: DocumentText) -> None:
    """Add a letter, and after it those that are attached to it."""
    letters: dict[MailPart, list[MailPart]] = {}
    for part in walk_parts(letter):
        letters.setdefault(part.letter, []).append(part)
    for each, parts in letters.items():
        # The subject of the letter itself is the title already.
        names = _HEADERS
        if each is not letter:
            names = ("Subject", *_HEADERS)
        _add_one(each, parts, text=text, names=names)


def _add_one(
    letter: MailPart, parts: Sequence[MailPart], *, text: DocumentText, names: Sequence[str]
) -> None:
    """Add headers of these names, the body and what is attached."""
    for name in names:
        words = letter.header(name)
        if words:
            text.paragraph(f"{name}: {words}", "- ")
    text.blank()
    # Attached files are named, so that a search finds the letter, but they are not read.
    body = _body(parts)
    attached = [part.file_name for part in parts if part is not body]
    if body is not None:
        _add_body(body, text)
    if any(attached):
        text.paragraph(f"Attached: {', '.join(filter(None, attached))}", "- ")
        text.blank()


def _body(parts: Sequence[MailPart]) -> MailPart | None:
    """The part that is read: plain text before HTML, unless nothing is in it."""
    for kind in ("text/plain", "text/html"):
        for part in parts:
            if part.kind != kind or part.is_attached:
                continue
            if decode_page(part.content, part.charset).strip():
                return part
    return None


def _add_body(part: MailPart, text: DocumentText) -> None:
    """Add the text of a letter."""
    words = decode_page(part.content, part.charset)
    if part.kind == "text/html":
        add_page(words, text, below=1)
        text.blank()
    else:
        text.lines(_QUOTED.sub(r"\1", words))
