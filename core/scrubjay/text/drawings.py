"""Drawings of Excalidraw in Markdown: their texts without the data of their lines and shapes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from scrubjay.text.markdown import Heading

PLUGIN = "excalidraw-plugin"
"""Key of front matter by which Obsidian knows a drawing."""
_DATA = "drawing"
"""Heading above the data, in lower case."""
_TEXT = re.compile(r'"text"\s*:\s*("(?:[^"\\]|\\.)*+")')
"""Text of an element where the data is not compressed."""
_MOST_COMPARED = 1_000
"""Texts that are looked for above the data; further ones are kept without a look."""


def without_drawing_data(lines: Sequence[str], headings: Sequence[Heading]) -> list[str]:
    """The lines of a drawing, in which those of its data are blank.

    A text that stands in the data alone takes the place of the first of these lines.
    """
    kept = list(lines)
    # The plug-in writes its data last, below headings of the person.
    begins = [heading.line for heading in headings if heading.text.strip().lower() == _DATA]
    if not begins:
        return kept
    # The data ends with the next heading, otherwise with the note.
    first = begins[-1]  # that of the line below the heading, 0-based
    last = next((heading.line - 1 for heading in headings if heading.line > first + 1), len(lines))
    data = lines[first:last]
    kept[first:last] = [""] * len(data)
    # The plug-in lists most texts above the data, where they are found already.
    words = "\n".join(kept)
    texts = [
        text
        for at, text in enumerate(dict.fromkeys(_texts(data)))
        if text and (at >= _MOST_COMPARED or text not in words)
    ]
    if texts and data:
        kept[first] = " · ".join(texts)
    return kept


def _texts(data: Sequence[str]) -> Iterator[str]:
    """Texts of the elements, each on one line."""
    for line in data:
        for match in _TEXT.finditer(line):
            try:
                yield " ".join(json.loads(match[1], strict=False).split())
            except ValueError:
                continue
