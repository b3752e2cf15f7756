"""Tags and text of HTML, scanned in linear time.

`html.parser` of the standard library takes quadratic time for comments, tags and declarations that
never end, which is hours for one page of a few megabytes.
"""

from __future__ import annotations

import re
from html import unescape

_NEXT = re.compile(
    r"<(?:(?P<start>[a-zA-Z][^\s/>\0]*+)|/(?P<end>[a-zA-Z][^\s/>]*+)[^>]*+>|(?P<other>[!?/]))"
)
"""Start tag up to its name, whole end tag, or beginning of a comment or declaration."""
_GAP = re.compile(r"[\s/]*+")
_ATTRIBUTE = re.compile(
    r"""([^\s/>][^\s/>=]*+)(?:\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s>"'][^\s>]*+)?+))?+"""
)
"""Name and value. No other quotation mark of its kind follows one that nothing ends, so that the
rest of the page is looked through twice at most."""
_COMMENT_END = re.compile(r"--!?>")
_RAW = {name: re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE) for name in ("script", "style")}
"""End of elements in which nothing else is a tag."""
_TOO_LARGE = re.compile(r"&#(?:[xX][0-9a-fA-F]{7,}+|[0-9]{8,}+);?")
"""Numbers that no letter has; Python refuses to read those of 4,300 digits."""

Attributes = dict[str, str]


class HtmlScanner:
    """Calls a method for each tag and text. It never raises, whatever the page contains."""

    def handle_start(self, tag: str, attributes: Attributes) -> None:
        """A start tag in lower case, with its attributes; the first of a name counts."""

    def handle_end(self, tag: str) -> None:
        """An end tag, or the end of an element such as `<br/>`."""

    def handle_text(self, text: str) -> None:
        """Text between two tags, without references such as `&amp;`."""

    def scan(self, page: str) -> None:
        """Go through a whole page."""
        at = 0
        while match := _NEXT.search(page, at):
            self._give(page[at : match.start()])
            if match["end"]:
                self.handle_end(match["end"].lower())
                at = match.end()
            elif match["start"]:
                at = self._start(page, match, match["start"].lower())
            else:
                at = self._skip(page, match.start())
        self._give(page[at:])

    def _give(self, text: str) -> None:
        if text:
            self.handle_text(unescape_references(text))

    def _start(self, page: str, match: re.Match[str], tag: str) -> int:
        """The position after a start tag, and after what is not text in its element."""
        # Attributes up to the end of the tag.
        attributes: Attributes = {}
        end = match.end()
        at = _after_gap(page, end)
        while attribute := _ATTRIBUTE.match(page, at):
            name, *values = attribute.groups(default="")
            attributes.setdefault(name.lower(), unescape_references("".join(values)))
            end = attribute.end()
            at = _after_gap(page, end)
        if at == len(page):
            # Nothing ends the tag, so it is text.
            self._give(page[match.start() :])
            return at
        self.handle_start(tag, attributes)
        if "/" in page[end:at]:
            self.handle_end(tag)
        elif tag in _RAW:
            # A script continues to its own end tag, whatever it holds.
            closing = _RAW[tag].search(page, at)
            if closing is None:
                return len(page)
            return closing.start()
        return at + 1

    def _skip(self, page: str, at: int) -> int:
        """The position after a comment or declaration."""
        if page.startswith("<!--", at):
            comment_end = _COMMENT_END.search(page, at + 2)
            if comment_end is None:
                return len(page)
            return comment_end.end()
        # Without an end a comment takes the rest of the page; a declaration is text.
        end_mark = "]]>" if page.startswith("<![CDATA[", at) else ">"
        end = page.find(end_mark, at)
        if end < 0:
            self._give(page[at:])
            return len(page)
        return end + len(end_mark)


def _after_gap(page: str, at: int) -> int:
    match = _GAP.match(page, at)
    if match is None:
        return at
    return match.end()


def unescape_references(text: str) -> str:
    """The text with the letters that its references stand for."""
    if "&" not in text:
        return text
    return unescape(_TOO_LARGE.sub("\ufffd", text))
