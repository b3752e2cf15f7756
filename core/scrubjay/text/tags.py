"""Tags of notes: `#garden` in the text, `#garden/pond` below it, and `tags:` of front matter."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from scrubjay.concurrency.lazy_pattern import lazy_pattern
from scrubjay.text.markdown import property_lines
from scrubjay.text.tokenizer import MARKS, SYMBOL, fold

SIGN = rf"(?:[\w{MARKS}/-]|{SYMBOL}|[\ufe0f\U0001f3fb-\U0001f3ff])"
"""Pattern of one sign of a tag, which may be an emoji or its variant."""
NAME = rf"(?={SIGN}*(?:[^\W\d]|{SYMBOL})){SIGN}++"
"""Pattern of a tag without its sign, with emoji; a number alone, as in #1, does not count."""
INLINE = lazy_pattern(rf"(?<!\S)#({NAME})(?=[\s.,;:!?)\]}}*\"'»”…]|$)")
"""Pattern of a tag in a line, with its name as a group."""
_WHOLE = lazy_pattern(NAME)
_TICKS = lazy_pattern(r"(`+)")
_FENCE = lazy_pattern(r"[ \t>]*(?:[-*+][ \t]+)?(`{3,}|~{3,})(.*)$")
_LIST_ITEM = lazy_pattern(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]")
_PROPERTY = lazy_pattern(r"tags?[ \t]*:(?!:)", re.IGNORECASE)
_LINE_PROPERTY = lazy_pattern(r"[ \t]*(?:[-*+][ \t]+)?tags?::[ \t]+(.*)$", re.IGNORECASE)
"""Property with which Logseq writes the tags of a page or a block."""
_CANDIDATE = lazy_pattern(rf"(?<!\S)#(?:[\w/-]|{SYMBOL})|tags?::", re.IGNORECASE)
_LONGEST_LINE = 20_000
"""Characters of the longest line that is read; longer ones are data, and code in backticks would
take long to find in them."""
_ORG_TAGS = lazy_pattern(
    r"#\+(?:file|roam_|hugo_)tags(?:\[\])?:(.*)|\*+[ \t].*?[ \t](:[\w@#%:]+:)[ \t]*$", re.IGNORECASE
)
"""Line with tags of a whole file of Org, or heading with tags of its own."""
_ORG_BETWEEN = lazy_pattern(r"[\s:,\"]+")
_BETWEEN = lazy_pattern(r"[\s,\[\]\"']+")


def tag_key(name: str) -> str:
    """A tag as it is compared: in any case, with or without diacritics, without its sign."""
    return fold(name).strip("/#")


def note_tags(lines: Sequence[str], start: int) -> tuple[str, ...]:
    """The tags of a note as they were first written, without their sign, none twice.

    Start is the number of lines that its front matter takes.
    """
    names: dict[str, str] = {}
    for name in (*_of_front_matter(lines[1 : max(0, start - 1)]), *_of_text(lines[start:])):
        names.setdefault(tag_key(name), name.strip("/"))
    names.pop("", None)
    return tuple(names.values())


def org_tags(lines: Sequence[str]) -> tuple[str, ...]:
    """The tags of a file of Org: those of the whole file, and those at the end of its headings."""
    names: dict[str, str] = {}
    is_block = False
    for line in lines:
        # Blocks hold examples and programs.
        mark = line.lstrip().lower()
        is_block = mark.startswith("#+begin_") or (is_block and not mark.startswith("#+end_"))
        match = None
        if not is_block and line.startswith(("*", "#")):
            match = _ORG_TAGS.match(line)
        if match:
            for part in _ORG_BETWEEN.split(match[1] or match[2] or ""):
                # People write @home and @work, which no question can name.
                name = part.strip("@#%")
                if _WHOLE.fullmatch(name):
                    names.setdefault(tag_key(name), name)
    return tuple(names.values())


def _of_front_matter(lines: Sequence[str]) -> Iterator[str]:
    for key, *values in property_lines(lines, _PROPERTY):
        yield from _listed(key.partition(":")[2])
        yield from _listed(" ".join(values))


def _listed(text: str) -> Iterator[str]:
    for part in _BETWEEN.split(text):
        match = _WHOLE.fullmatch(part.removeprefix("#"))
        if match:
            yield match[0]


def _of_text(lines: Sequence[str]) -> Iterator[str]:
    # Most notes have no tags, and a look for candidates takes a tenth of the time.
    if not any(_CANDIDATE.search(line) for line in lines if "#" in line or "::" in line):
        return
    fence = ""
    is_blank = True
    is_in_list = False
    is_code = False
    for line in lines:
        # Fences with code, up to their end.
        match = _FENCE.match(line)
        if fence:
            if match and match[1].startswith(fence) and not match[2].strip():
                fence = ""
            continue
        if not line.strip():
            is_blank = True
            continue
        # A line that is indented after a blank one is code, but not below an item of a list.
        is_indented = line.startswith(("    ", "\t"))
        is_code = is_indented and not is_in_list and (is_blank or is_code)
        is_in_list = bool(_LIST_ITEM.match(line)) or (is_in_list and line[0] in " \t")
        is_blank = False
        if match and not is_code and (match[1][0] == "~" or "`" not in match[2]):
            fence = match[1]
        elif not is_code and len(line) <= _LONGEST_LINE:
            tags = _LINE_PROPERTY.match(line)
            if tags:
                yield from _listed(tags[1])
            prose = _without_code(line) if "`" in line else line
            yield from (tag[1] for tag in INLINE.finditer(prose))


def _without_code(line: str) -> str:
    """A line with a backtick in place of each code span, in one walk however many there are."""
    # At each odd position there is a run of backticks. Their positions, the last one first.
    parts = _TICKS.split(line)
    positions: dict[str, list[int]] = {}
    for at in range(len(parts) - 2, 0, -2):
        positions.setdefault(parts[at], []).append(at)
    prose: list[str] = []
    at = 0
    while at < len(parts):
        prose.append(parts[at])
        if at % 2:
            # Code ends at the next run of as many backticks; without one they are text.
            ends = positions[parts[at]]
            while ends and ends[-1] <= at:
                ends.pop()
            if ends:
                at = ends[-1]
        at += 1
    return "".join(prose)
