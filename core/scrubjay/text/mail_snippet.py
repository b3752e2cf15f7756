"""What people read first of a mail: its sender, and its text without the headers above."""

from __future__ import annotations

import re

from msgspec import Struct

from scrubjay.records.search_records import Snippet, Span
from scrubjay.text.file_kinds import MAIL, document_kind
from scrubjay.text.plain_snippet import FRONT_MATTER

_HEAD = re.compile(r"\s*(?:#[^\n]*\n\s*)?((?:- (?:From|To|Cc|Date|Subject): [^\n]*(?:\n|\Z))+)\s*")
"""Lines with the headers of a mail, and the heading above them in a mailbox."""
_FROM = re.compile(r"(?m)^- From: \"?([^<\"\n]*)\"?(?: *<([^>\n]*)>)?")
"""Name and address of the sender; a sender without a name is an address."""


class MailSnippet(Struct, frozen=True):
    """The snippet of a mail."""

    snippet: Snippet
    sender: str = ""
    """Name of the sender, otherwise the address; empty where it is not known."""


def mail_snippet(path: str, snippet: Snippet) -> MailSnippet:
    """The snippet of a mail without its headers; that of another file as it is."""
    if document_kind(path) != MAIL:
        return MailSnippet(snippet)
    # The beginning of a note comes with its front matter, a passage without.
    matter = FRONT_MATTER.match(snippet.text)
    begin = matter.end() if matter else 0
    head = _HEAD.match(snippet.text, begin)
    if head is None:
        return MailSnippet(snippet)
    # The name in front of the address says who wrote.
    found = _FROM.search(head[1])
    sender = ""
    if found:
        sender = found[1].strip() or found[2] or ""
    # The marks move with the text, and those of the headers go.
    cut = head.end()
    spans = tuple(
        Span(span.start - cut, span.end - cut) for span in snippet.spans if span.start >= cut
    )
    return MailSnippet(Snippet(snippet.text[cut:], spans, max(0, snippet.best - cut)), sender)
