"""Text of pictures as Markdown: alone, in place of scanned pages, and below a document."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from scrubjay.documents.document_parts import part_heading, part_number
from scrubjay.documents.document_text import clean_line, without_markdown
from scrubjay.messages import msg
from scrubjay.records.picture_text import UNSURE_MARK, PictureLine, PictureText

SURE = 0.8
"""Confidence from which a line is shown as it was read; a wrong letter lowers that of its line."""
_LEAST = 0.3
"""Confidence below which a line is a pattern that was taken for letters."""
_FEWEST_UNSURE = 12
"""Letters of a picture without any sure line, below which it has no text; by hand."""
_REMARK = re.compile(r"(\A(?:---\n(?:.*\n)*?---\n\n)?)> .*\n\n")
"""Sentence at the beginning of a document about what of it could not be read."""


def picture_markdown(text: PictureText) -> str:
    """The lines of a picture in reading order; empty where it has none."""
    # What is hardly a letter would only be noise in the index.
    likely = [line for line in text.lines if line.confidence >= _LEAST]
    is_sure = any(line.confidence >= SURE for line in likely)
    # A few letters on a photograph are branches and roofs, unless they are certain.
    if not is_sure and sum(len(line.text) for line in likely) < _FEWEST_UNSURE:
        return ""
    lines = [_line(line) for line in likely]
    return "\n".join(filter(None, lines))


def with_pages(text: str, pages: Mapping[int, PictureText]) -> str:
    """The text of a PDF file in which some pages are those that were read from pictures.

    The text is empty for a file of which no page has any.
    """
    read = {number: picture_markdown(picture) for number, picture in pages.items()}
    read = {number: words for number, words in read.items() if words}
    if not read:
        return text
    # The remark that pages have no text is no longer true.
    head, parts = _split(_REMARK.sub(r"\1", text))
    for number, words in read.items():
        parts[number] = f"{part_heading('Page', number)}\n\n{words}\n\n"
    remark = msg(
        "The text of {n} {n:page|pages} comes from text recognition and may contain errors.",
        n=len(read),
    )
    return "".join([head, f"> {remark}\n\n", *(parts[number] for number in sorted(parts))])


def with_pictures(text: str, pictures: Sequence[tuple[str, PictureText]]) -> str:
    """The text of a document, with that of the pictures in it below, each under its name."""
    parts = [text]
    for name, picture in pictures:
        words = picture_markdown(picture)
        # Photographs without text leave no heading behind.
        if words:
            if parts[-1] and not parts[-1].endswith("\n\n"):
                parts.append("\n\n")
            parts.append(f"# Picture {clean_line(name)[:200]}\n\n{words}\n\n")
    return "".join(parts)


def _line(line: PictureLine) -> str:
    """A line as text, marked where the recogniser was not sure of it."""
    words = without_markdown(clean_line(line.text))
    if words and line.confidence < SURE:
        return f"{words}{UNSURE_MARK}"
    return words


def _split(text: str) -> tuple[str, dict[int, str]]:
    """What comes before the first page of a document, and its pages by number."""
    # A heading of a page ends the one before; what is above the first is the head.
    head: list[str] = []
    parts: dict[int, list[str]] = {}
    current = head
    for line in text.splitlines(keepends=True):
        number = part_number(line.rstrip("\n"))
        if number is not None:
            current = parts.setdefault(number, [])
        current.append(line)
    return "".join(head), {number: "".join(lines) for number, lines in parts.items()}
