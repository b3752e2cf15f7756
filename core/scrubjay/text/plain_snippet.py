"""Markdown as prose, without marks, pictures and link targets. Highlights stay on their words."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator

from scrubjay.concurrency.lazy_pattern import lazy_pattern
from scrubjay.records.search_records import Snippet, Span

FRONT_MATTER = lazy_pattern(r"\A\ufeff?---\r?\n.*?\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL)
SENTENCE_END = lazy_pattern(r"[.!?…]+[\"'”’)]*\s+|[。！？]+[」』”’)]*\s*")

# Marks at the beginning of a line and inside it.

_LINE_START = lazy_pattern(
    r"\s*(?:#{1,6}\s+|>\s?(?:\[!\w+\][-+]?\s*)?|[-*+]\s+(?:\[[ xX]\](?:\s+|\Z))?|\|\s*)"
)
_INLINE = lazy_pattern(
    r"\*\*|__|~~|`+|(?<!\w)[*_](?=\w)|(?<=\w)[*_](?!\w)|(?<![=\w])==(?=[^\s=])|(?<=[^\s=])==(?![=\w])"
    r"|!\[\[(?:[^\]|\n]*\|(?!\d+(?:x\d+)?\]\]))?|\[\[(?:[^\]|\n]*\|)?|(?:\|\d+(?:x\d+)?)?\]\]"
    r"|\|(?=\s*$)|\$\$"
)
_AROUND_WORDS = (
    lazy_pattern(r"!?\[([^\]\n]*?)(?:\|\d+(?:x\d+)?)?\]\([^)\n]*\)"),
    lazy_pattern(r"(?<!\$)\$(?=[^\s$])([^$\n]*)(?<=[^\s$])\$(?![$\d])"),
)
"""Links, and mathematics but not the money in `$5 and $6`: the group is read."""
_ANCHOR = lazy_pattern(r"\[\[([^\]|#\n]*)#([^\]|\n]*)(?=\]\]|\|\d)")
"""Heading in a link: Note#Heading."""
_BREAK = lazy_pattern(r"<br ?/?>")
_NO_PROSE = lazy_pattern(
    r"!\[\[[^\]|#\n]*\.(?!md\b)[a-zA-Z]\w{1,4}(?=[\]|#])[^\]\n]*\]\]"
    r"|\[!\[[^\]\n]*\]\([^)\n]*\)\]\([^)\n]*\)|!\[[^\]\n]*\]\([^)\n]*\)"
    r"|\{\{[^}\n]*\}\}|<!--.*?-->|%%.*?%%|\s\^[\w-]+\s*$"
    r"|</?(?:[abipqsu]|em|strong|del|ins|su[bp]|small|big|kbd|mark|details|summary|div|span|center"
    r"|font|fig(?:ure|caption)|picture|source|img|iframe|button|label|h[1-6]|[uod]l|li|d[td]|table"
    r"|t(?:head|body|foot|r|h|d)|section|article|header|footer|nav|main|aside)"
    r"(?:\s[^<>\n]{0,500})?/?>"
)
"""Pictures, placeholders, comments, names of blocks, tags of HTML."""
_BLOCK_END = lazy_pattern(
    r"</(?:p|div|summary|center|figcaption|h[1-6]|li|d[td]|t[hdr]|section|article|header|footer)>"
)
"""End of a part of HTML that stands on lines or in a cell of its own."""
_FENCE = lazy_pattern(r"\s*(?:```|~~~)\s*([^\s`]*)[^`]*$")
QUERIES = frozenset({"dataview", "dataviewjs", "tasks", "query", "base"})
"""Kinds of code for other programs, which put a list of notes in its place."""
_RUN = lazy_pattern(r"\S+(?: \S+)*|\s+")
_SIGN = lazy_pattern(r"[*_~`|\[\]={%<^$]")
"""Signs of which a line with marks has one, which takes a tenth of the time to tell."""
_RULE = lazy_pattern(r"[-=*_|:\s]{3,}")


def plain_snippet(snippet: Snippet, line_break: str = "\n", item_break: str = "\n") -> Snippet:
    """The snippet as a reader sees it. The second break follows a heading, an item, a paragraph.

    Names of pictures, comments and programs are in it only where nothing else matches.
    """
    shown = _flat(snippet, line_break, item_break, is_whole=False)
    if snippet.spans and not shown.spans:
        whole = _flat(snippet, line_break, item_break, is_whole=True)
        if whole.spans:
            return whole
    return shown


def _flat(snippet: Snippet, line_break: str, item_break: str, *, is_whole: bool) -> Snippet:
    """The words of a snippet without marks, with its spans at their positions among them."""
    # Each letter with its position in the snippet; of gaps in a row the widest stays.
    text: list[str] = []
    origins: list[int] = []
    gap = ""
    for start, line, is_item in _lines(snippet, is_whole=is_whole):
        for position, run in _unmarked(line, is_whole=is_whole):
            if run.isspace():
                gap = gap or " "
                continue
            if text and gap:
                text.append(gap)
                origins.extend([start + position] * len(gap))
            gap = ""
            text.append(run)
            origins.extend(range(start + position, start + position + len(run)))
        if is_item:
            gap = item_break
        elif not gap.strip(" "):
            gap = line_break
    flat = "".join(text)
    # The same words are highlighted, without signs at their beginning.
    spans = []
    for span in snippet.spans:
        end = bisect.bisect_left(origins, span.end)
        first = _after_signs(flat, bisect.bisect_left(origins, span.start), end)
        if first < end:
            spans.append(Span(first, end))
    best = _after_signs(flat, bisect.bisect_left(origins, snippet.best), len(flat))
    return Snippet(flat, tuple(spans), min(best, max(0, len(flat) - 1)))


def _after_signs(text: str, first: int, end: int) -> int:
    """The first position that is not a space or a sign between parts; else the end."""
    while first < end and text[first] in " ·›\n":
        first += 1
    return first


def _lines(snippet: Snippet, *, is_whole: bool) -> Iterator[tuple[int, str, bool]]:
    """Each line with text: its offset, the line, and whether a break follows it."""
    lines: list[tuple[int, str]] = []
    offset = 0
    first = 0
    matter = FRONT_MATTER.match(snippet.text)
    if matter:
        first = matter.end()
    code = ""
    for line in snippet.text.splitlines(keepends=True):
        # Fences themselves are not prose, nor are queries inside them.
        fence = _FENCE.match(line)
        if fence is not None and code:
            code = ""
        elif fence is not None:
            code = fence[1] or "text"
        if offset >= first and (is_whole or not (fence or code in QUERIES)):
            lines.append((offset, line))
        offset += len(line)
    for index, (start, line) in enumerate(lines):
        if not line.strip() or _RULE.fullmatch(line):
            continue
        # A heading ends, and so does a line before a blank one, an item or the end.
        following = lines[index + 1][1] if index + 1 < len(lines) else ""
        stands_alone = line.lstrip().startswith("#")
        ends = stands_alone or not following.strip() or bool(_LINE_START.match(following))
        is_sentence = line.rstrip()[-1:] in ".!?:;,"
        yield start, line, ends and not is_sentence


def _unmarked(line: str, *, is_whole: bool) -> Iterator[tuple[int, str]]:
    """The words of a line, and what is wider between them than a space, without Markdown marks."""
    # Each mark from its start to its end, with the text that stands for it.
    marks: list[tuple[int, int, str]] = []
    start = _LINE_START.match(line)
    if start:
        marks.append((0, start.end(), ""))
    if _SIGN.search(line):
        marks += [(*mark.span(), "") for mark in _INLINE.finditer(line)]
        marks += [(*mark.span(), " ") for mark in _BREAK.finditer(line)]
        for words in (match for around in _AROUND_WORDS for match in around.finditer(line)):
            marks += [(words.start(), words.start(1), ""), (words.end(1), words.end(), "")]
        for anchor in _ANCHOR.finditer(line):
            marks += _anchor_marks(anchor)
        if not is_whole:
            # The end of a part of HTML keeps its words from those of the next one.
            marks += map(_no_prose_mark, _NO_PROSE.finditer(line))
    # The runs between marks; those that overlap are one.
    is_table = line.lstrip().startswith("|")
    at = 0
    for first, end, instead in [*sorted(marks), (len(line), len(line), "")]:
        for run in _RUN.finditer(line, at, max(at, first)):
            shown = run[0]
            if is_table:
                shown = shown.replace("|", "·")
            yield run.start(), shown
        if instead and first >= at:
            yield from ((first, run) for run in instead.partition("›") if run)
        at = max(at, end)


def _no_prose_mark(part: re.Match[str]) -> tuple[int, int, str]:
    if _BLOCK_END.fullmatch(part[0]):
        return (*part.span(), " ")
    return (*part.span(), "")


def _anchor_marks(link: re.Match[str]) -> list[tuple[int, int, str]]:
    """The text for the heading in a link: its name after an arrow, or empty for a block."""
    name, heading = link.groups()
    if heading.startswith("^") or heading == name:
        return [(link.start(2) - 1, link.end(2), "")]
    positions = (at for at in range(link.start(2) - 1, link.end(2)) if link.string[at] == "#")
    marks: list[tuple[int, int, str]] = []
    for at in positions:
        # Nothing stands before the first arrow of a heading in the same note.
        instead = " › " if name or at >= link.start(2) else ""
        marks.append((at, at + 1, instead))
    return marks
