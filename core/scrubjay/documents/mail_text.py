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
from scrubjay.text.file_kinds import text_ending

MAX_MESSAGES = 20_000
"""Letters of a mailbox."""
_BEGIN = re.compile(rb"(?m)^From [^\r\n]{0,300}?\d\d:\d\d[^\r\n]{0,300}\r?\n")
"""The line above each letter; a line of text that begins so has no time."""
_QUOTED = re.compile(r"(?m)^>(>*From )")
_BODIES = ("text/plain", "text/html")
"""Kinds of the parts of a body, the best first."""
_EVENT = re.compile(
    r"(SUMMARY|LOCATION|DESCRIPTION|DTSTART|DTEND|ORGANIZER|ATTENDEE|COMMENT)((?:;[^:]{0,500})?):(.*)"
)
"""Line of an invitation that people read: name, parameters and value."""
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
    # Files of other kinds are named, so that a search finds the letter, but they are not read.
    bodies = _bodies(parts)
    for part in bodies:
        _add_named(part, text)
    # Of the others, those are left that say in another form what a body says.
    chosen = {part.choice for part in bodies}
    used = {*bodies}
    others = [
        part
        for part in parts
        if part not in used and not (part.choice in chosen and _is_other_form(part))
    ]
    for part in others:
        if _is_text(part):
            _add_named(part, text)
    attached = [part.file_name for part in others if not _is_text(part)]
    if any(attached):
        text.paragraph(f"Attached: {', '.join(filter(None, attached))}", "- ")
        text.blank()


def _add_named(part: MailPart, text: DocumentText) -> None:
    """Add the text of a part below the name of its file, if it is one."""
    if part.file_name:
        text.paragraph(f"Attached: {part.file_name}", "- ")
        text.blank()
    _add_body(part, text)


def _bodies(parts: Sequence[MailPart]) -> list[MailPart]:
    """The parts that make up the body: of those that say the same, plain text before HTML."""
    # A choice among kinds has one of them, unless nothing is in it; other parts follow each other.
    choices: dict[MailPart, list[MailPart]] = {}
    for part in parts:
        if part.kind in _BODIES and not part.is_attached:
            choices.setdefault(part.choice, []).append(part)
    bodies: list[MailPart] = []
    for texts in choices.values():
        filled = [part for part in texts if _has_words(part)]
        best = next((kind for kind in _BODIES if any(part.kind == kind for part in filled)), "")
        bodies += [part for part in filled if part.kind == best]
    return bodies


def _is_other_form(part: MailPart) -> bool:
    """Whether a part only says what others in its choice say; an invitation says more."""
    is_body = part.kind.startswith("text/") and part.kind != "text/calendar"
    return is_body and not part.is_attached


def _has_words(part: MailPart) -> bool:
    """Whether anything is in a part besides spaces and signs that are not seen."""
    return any(map(str.isalnum, decode_page(part.content, part.charset)))


def _is_text(part: MailPart) -> bool:
    """Whether the content of a part is a text that no program has to convert."""
    if part.kind.startswith("message/") or part.file_name.lower().endswith(".eml"):
        return not any(part.parts())
    return part.kind.startswith("text/") or bool(text_ending(part.file_name))


def _add_invitation(calendar: str, text: DocumentText) -> None:
    """Add what an invitation says about its event, and who takes part."""
    # Long lines continue after a space.
    lines = re.sub(r"\r?\n[ \t]", "", calendar).splitlines()
    for line in lines:
        match = _EVENT.match(line)
        if match:
            words = re.sub(r"\\[nN]", " ", match[3]).replace("\\", "")
            name = re.search(r"CN=\"?([^\";:]*)", match[2])
            if name:
                words = f"{name[1]} {words}"
            text.paragraph(f"{match[1].capitalize()}: {words}", "- ")
    text.blank()


def _add_body(part: MailPart, text: DocumentText) -> None:
    """Add the text of a letter."""
    words = decode_page(part.content, part.charset)
    if part.kind == "text/html":
        add_page(words, text, below=1)
        text.blank()
    elif part.kind == "text/calendar" or part.file_name.lower().endswith(".ics"):
        _add_invitation(words, text)
    else:
        text.lines(_QUOTED.sub(r"\1", words))
