"""What people read first of a file that is not a note.

For a mail, that is its sender and its text without headers. For a base of Obsidian, it is the
conditions and columns without the signs of YAML.
"""

from __future__ import annotations

import re

from msgspec import Struct

from scrubjay.records.search_records import Snippet, Span
from scrubjay.text.file_kinds import MAIL, document_kind
from scrubjay.text.plain_snippet import FRONT_MATTER

_ITEM = "- "
_HEAD = re.compile(r"\s*(?:#[^\n]*\n\s*)?((?:- (?:From|To|Cc|Date|Subject): [^\n]*(?:\n|\Z))+)\s*")
"""Lines with the headers of a mail, and the heading above them in a mailbox."""
_FROM = re.compile(r"(?m)^- From: \"?([^<\"\n]*)\"?(?: *<([^>\n]*)>)?")
"""Name and address of the sender; a sender without a name is an address."""
_BASE_LINE = re.compile(
    r"(?m)^[ \t]*(?:- +)*(?:(?P<key>[\w. ]+):(?= |$) *)?[\"']?(?P<value>[^\n]*?)[\"']?[ \t]*$"
)
"""Line of a base, which is a value, a key, or both."""
_BASE_TEXTS = frozenset({None, "name", "displayName", "filters", "and", "or", "not"})
"""Keys of a base, or none, below which people read something: a condition, a column, a name."""


class FileSnippet(Struct, frozen=True):
    """The snippet of a file."""

    snippet: Snippet
    sender: str = ""
    """Name of the sender of a mail, otherwise the address; empty where it is not known."""


def file_snippet(path: str, snippet: Snippet) -> FileSnippet:
    """The snippet of a file as people read it; that of a note as it is."""
    if path.endswith(".base"):
        return FileSnippet(_base_snippet(snippet))
    if document_kind(path) == MAIL:
        return _mail_snippet(snippet)
    return FileSnippet(snippet)


def _base_snippet(snippet: Snippet) -> Snippet:
    """The values of a base as the items of a list, unless only other words were found."""
    items: list[str] = []
    spans: list[Span] = []
    size = 0
    for line in _BASE_LINE.finditer(snippet.text):
        # Its text in the index is fenced, as code is.
        is_fence = line["value"].startswith("```")
        if is_fence or not line["value"] or line["key"] not in _BASE_TEXTS:
            continue
        first = line.start("value")
        last = line.end("value")
        shift = size + len(_ITEM) - first
        spans += [
            Span(span.start + shift, span.end + shift)
            for span in snippet.spans
            if first <= span.start and span.end <= last
        ]
        items.append(f"{_ITEM}{line['value']}")
        size += len(items[-1]) + 1
    if not items or (snippet.spans and not spans):
        return snippet
    return Snippet("\n".join(items), tuple(spans))


def _mail_snippet(snippet: Snippet) -> FileSnippet:
    """The snippet of a mail without its headers."""
    # The beginning of a note comes with its front matter, a passage without.
    matter = FRONT_MATTER.match(snippet.text)
    begin = matter.end() if matter else 0
    head = _HEAD.match(snippet.text, begin)
    if head is None:
        return FileSnippet(snippet)
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
    return FileSnippet(Snippet(snippet.text[cut:], spans, max(0, snippet.best - cut)), sender)
