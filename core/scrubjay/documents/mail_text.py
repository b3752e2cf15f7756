"""Text of letters: one in an .eml file, many in a mailbox."""

from __future__ import annotations

import re
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default

from scrubjay.documents.document_kinds import DocumentRefused
from scrubjay.documents.document_text import DocumentText, one_line
from scrubjay.documents.web_text import add_page, decoded
from scrubjay.messages import msg

MAX_MESSAGES = 20_000
_BEGIN = re.compile(rb"(?m)^From [^\r\n]*\d\d:\d\d[^\r\n]*\r?\n")
"""The line above each letter; a line of text that begins so has no time."""
_QUOTED = re.compile(r"(?m)^>(>*From )")
_HEADERS = ("From", "To", "Cc", "Date")


def read_eml(data: bytes, text: DocumentText) -> None:
    """Add one letter."""
    if not re.match(rb"(?s)(?:From [^\n]*\n)?[!-9;-~]+:", data):
        raise DocumentRefused(msg("It is no letter."))
    message = _message(data)
    text.title = _header(message, "Subject") or text.title
    date = message["Date"]
    moment = getattr(date, "datetime", None)
    text.date = moment.date().isoformat() if moment else ""
    _add(message, text)


def read_mbox(data: bytes, text: DocumentText) -> None:
    """Add every letter of a mailbox."""
    begins = [*_BEGIN.finditer(data)]
    if not begins or data[: begins[0].start()].strip():
        raise DocumentRefused(msg("It is no mailbox."))
    if len(begins) > MAX_MESSAGES:
        raise DocumentRefused(
            msg(
                "It has {n} letters, and at most {most} are read.", n=len(begins), most=MAX_MESSAGES
            )
        )
    ends = [*(begin.start() for begin in begins[1:]), len(data)]
    for number, (begin, end) in enumerate(zip(begins, ends, strict=True), start=1):
        message = _message(data[begin.end() : end])
        text.place("Message", number, _header(message, "Subject"))
        _add(message, text)


def _message(data: bytes) -> EmailMessage:
    return message_from_bytes(data, policy=default)


def _header(message: EmailMessage, name: str) -> str:
    """Text of a header; empty for one that breaks the rules of mail."""
    try:
        return one_line(str(message[name] or ""))
    except (ValueError, LookupError, AttributeError, TypeError):
        return ""


def _add(message: EmailMessage, text: DocumentText) -> None:
    for name in _HEADERS:
        if words := _header(message, name):
            text.paragraph(f"{name}: {words}", "- ")
    text.blank()
    attached: list[str] = []
    body = _body(message)
    for part in message.walk():
        name = _file_name(part)
        if name and part is not body:
            attached.append(name)
    if body is not None:
        _add_body(body, text)
    if attached:
        text.paragraph(f"Attached: {', '.join(attached)}", "- ")
        text.blank()


def _body(message: EmailMessage) -> EmailMessage | None:
    """The part that is read: plain text before HTML."""
    parts = [part for part in message.walk() if not part.is_multipart()]
    for kind in ("text/plain", "text/html"):
        for part in parts:
            is_attached = part.get_content_disposition() == "attachment"
            if part.get_content_type() == kind and not is_attached:
                return part
    return None


def _add_body(part: EmailMessage, text: DocumentText) -> None:
    data = part.get_payload(decode=True)
    if not isinstance(data, bytes):
        return
    words = decoded(data, str(part.get_param("charset") or ""))
    if part.get_content_type() == "text/html":
        add_page(words, text, below=1)
        text.blank()
    else:
        text.lines(_QUOTED.sub(r"\1", words))


def _file_name(part: EmailMessage) -> str:
    try:
        return one_line(part.get_filename() or "")
    except (ValueError, LookupError, AttributeError, TypeError):
        return ""
