"""Chunks of a document: limited in size, cut along its structure, with exact line ranges."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from scrubjay.records.chunks import CHARACTERS_PER_TOKEN, ChunkSizes, ChunkText
from scrubjay.text.drawings import PLUGIN, without_drawing_data
from scrubjay.text.file_kinds import is_markdown, text_ending
from scrubjay.text.graphemes import grapheme_pattern
from scrubjay.text.markdown import Break, Heading, Outline, parse_outline, split_lines
from scrubjay.text.note_names import LONGEST_ALIAS, parse_aliases
from scrubjay.text.tags import note_tags, org_tags
from scrubjay.text.text_outline import note_outline
from scrubjay.text.tokenizer import CJK_RUN

_WIDE = (
    f"{CJK_RUN.pattern[:-2]}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6"
    "\U0001f000-\U0001faff\u2600-\u27bf]"
)
"""Characters that are a token each."""


class ChunkedDocument(Struct, frozen=True):
    """A document, ready for the index."""

    outline: Outline
    chunks: tuple[ChunkText, ...]
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    """Further names that its front matter lists."""


def chunk_document(text: str, sizes: ChunkSizes, name: str = "") -> ChunkedDocument:
    """Cut text, by the end of its name. Each line that is not blank is in at least one chunk."""
    # Where the document may be cut, and what each line costs.
    lines = split_lines(text)
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    if is_markdown(name):
        structure = parse_outline(lines)
        if PLUGIN in structure.front_matter:
            lines = without_drawing_data(lines, structure.headings)
        tags = note_tags(lines, structure.body_start)
        aliases = parse_aliases(lines[1 : max(1, structure.body_start - 1)])
        # Basic Memory writes an address into a note, which stays when its file is moved.
        permalink = structure.front_matter.get("permalink", "").strip("/ ")
        if 0 < len(permalink) <= LONGEST_ALIAS:
            aliases = (*aliases, permalink)
    else:
        structure = note_outline(lines, name)
        tags = org_tags(lines) if text_ending(name) == ".org" else ()
    costs = [estimate_tokens(line) for line in lines]
    waiting = list(reversed(structure.headings))
    above: list[Heading] = []
    chunks: list[ChunkText] = []
    for first, own, last in _ranges(costs, structure.breaks, sizes):
        # The headings above the chunk's own lines count, without those in its overlap.
        while waiting and waiting[-1].line <= own + 1:
            below = waiting.pop()
            above = [*(outer for outer in above if outer.level < below.level), below]
        heading = " > ".join(outer.text for outer in above if outer.text)
        body = "\n".join(lines[first : last + 1])
        if not body.strip():
            continue
        # A single line that is larger than a chunk is cut inside.
        if first == last and costs[first] > sizes.tokens:
            chunks += [
                ChunkText(first_line=first + 1, last_line=last + 1, heading=heading, text=piece)
                for piece in split_long_line(body, sizes.tokens)
                if piece.strip()
            ]
            continue
        chunks.append(
            ChunkText(first_line=first + 1, last_line=last + 1, heading=heading, text=body)
        )
    return ChunkedDocument(structure, tuple(chunks), tags, aliases)


def estimate_tokens(line: str) -> int:
    """Tokens of a line and its line end: four letters each, wide characters one each."""
    if line.isascii():
        return (len(line) + CHARACTERS_PER_TOKEN) // CHARACTERS_PER_TOKEN
    wide = len(re.findall(_WIDE, line))
    # Half a token for each other letter beyond ASCII: tokenizers split accents and emoji apart.
    odd = len(line.encode("utf-8", "replace")) - len(line) - 2 * wide
    narrow = (len(line) - wide + CHARACTERS_PER_TOKEN) // CHARACTERS_PER_TOKEN
    return narrow + wide + max(0, odd) // 2


def split_long_line(line: str, tokens: int) -> Iterator[str]:
    """Pieces of at most so many tokens, which make the same line again; no grapheme is cut.

    A single grapheme that is larger than a piece (a tower of combining marks) stays whole.
    """
    start = 0
    while start < len(line):
        end = _piece_end(line, start, tokens)
        yield line[start:end]
        start = end


def _piece_end(line: str, start: int, tokens: int) -> int:
    """End of the piece of a line that begins at start: at a space if there is one."""
    # Where letters cost more than a quarter of a token, the piece is shortened until it fits.
    end = min(len(line), start + tokens * CHARACTERS_PER_TOKEN - 1)
    while end - start > 1 and estimate_tokens(line[start:end]) > tokens:
        end = start + (end - start) * 3 // 4
    if end >= len(line):
        return len(line)
    space = line.rfind(" ", start + (end - start) // 2, end)
    # A mark may sit on the space.
    if space > start and (
        line[space + 1].isascii() or grapheme_pattern().match(line, space).end() == space + 1
    ):
        return space + 1
    # The last border of graphemes in start+1..end, otherwise the first one after it.
    border: int = start
    for letter in grapheme_pattern().finditer(line, start):
        if letter.end() > end and border > start:
            return border
        border = letter.end()
        if border >= end:
            return border
    return len(line)


def _ranges(
    costs: Sequence[int], breaks: Sequence[Break], sizes: ChunkSizes
) -> Iterator[tuple[int, int, int]]:
    """Yield (first line, first own line, last line), 0-based; the lines between are overlap."""
    own = 0
    first = 0
    count = len(costs)
    # Each chunk begins with lines of the one before, as far as there is room for them.
    while own < count:
        end = _end(costs, breaks, first=first, own=own, budget=sizes.tokens)
        yield first, own, end - 1
        first = end
        if end < count:
            first = _overlap_start(costs, breaks, before=own, own=end, sizes=sizes)
        own = end


def _end(costs: Sequence[int], breaks: Sequence[Break], first: int, own: int, budget: int) -> int:
    """The end of the chunk (exclusive): the best break within the last two thirds."""
    # As many lines as fit, one at least.
    size = sum(costs[first:own])
    end = own
    while end < len(costs) and (size + costs[end] <= budget or end == own):
        size += costs[end]
        end += 1
    if end == len(costs):
        return end
    # A break in the first third would leave the chunk too small.
    floor = own + 1
    filled = sum(costs[first:floor])
    while floor < end and filled < budget // 3:
        filled += costs[floor]
        floor += 1
    window = breaks[floor : end + 1]
    best = max(window)
    if best is not Break.NEVER:
        return end - window[::-1].index(best)
    # The fence or table did not fit after the lines before it: leave it to the next chunk.
    at = end
    while at > own and breaks[at] is Break.NEVER:
        at -= 1
    if at > own:
        return at
    return end


def _overlap_start(
    costs: Sequence[int], breaks: Sequence[Break], before: int, own: int, sizes: ChunkSizes
) -> int:
    """First line to carry over from the chunk that began at before; never over a heading."""
    if breaks[own] is Break.HEADING:
        return own
    # Whole lines are carried over, as many as the overlap and the next block leave room for.
    block = _block_cost(costs, breaks, start=own, budget=sizes.tokens)
    room = min(sizes.overlap, sizes.tokens - block)
    first = own
    while first > before and costs[first - 1] <= room:
        first -= 1
        room -= costs[first]
    return first


def _block_cost(costs: Sequence[int], breaks: Sequence[Break], start: int, budget: int) -> int:
    """Tokens of the fence or table that starts here; of its first line when it must be cut."""
    cost = costs[start]
    for line in range(start + 1, len(costs)):
        if breaks[line] is not Break.NEVER:
            break
        cost += costs[line]
        if cost > budget:
            return costs[start]
    return cost
