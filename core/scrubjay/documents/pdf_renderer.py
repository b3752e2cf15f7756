"""Pictures of the pages of PDF files, and the marks of words and passages on them."""

from __future__ import annotations

import ctypes
import math
import re
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from typing import Any

import pypdfium2
from pypdfium2 import raw

from scrubjay.documents.document_errors import DocumentRefused
from scrubjay.documents.pdf_text import HYPHEN, open_pdf
from scrubjay.messages import msg
from scrubjay.text.tokenizer import fold

MAX_PIXELS = 12_000_000
"""Pixels of a picture, at most: a page of A4 with 350 dots an inch, 48 MB."""
MAX_MARKS = 500
"""Rectangles on a page; more of them show nothing."""
_MAX_CHARACTERS = 100_000
"""Characters of a page that are read; one in print as small as can be read has 20,000."""
_FINE = 100_000
"""Units of a page's width and height, so that a mark is as exact as any picture needs it."""
_TOKEN = re.compile(r"[^\W\u2e80-\U0010ffff]+|[\u2e80-\U0010ffff]")
"""A word; of scripts without spaces, which come after all others in Unicode, a character."""
_FIRST_CJK = "\u2e80"
_SURE = 4
"""Words in a row that tell a passage from any other text of a page."""


def render_page(data: bytes, wanted: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
    """The header of a page, and its pixels: blue, green, red and nothing, a byte each.

    Wanted are `page`, from 1, `width` in pixels, `words` and `passage`; a page after the last one
    is the last one. Raises DocumentRefused, or anything for a damaged file.
    """
    document = open_pdf(data)
    number = max(1, min(wanted["page"], len(document)))
    try:
        page = document[number - 1]
        letters = Letters(page)
    except pypdfium2.PdfiumError as error:
        raise DocumentRefused(msg("Page {n} is damaged.", n=number)) from error
    # As wide as is wanted, unless it would be too large.
    width, height = page.get_size()
    scale = min(max(1, wanted["width"]) / width, math.sqrt(MAX_PIXELS / (width * height)))
    bitmap = page.render(scale=scale, prefer_bgrx=True, limit_image_cache=True)
    header = {
        "page": number,
        "pages": len(document),
        "size": (bitmap.width, bitmap.height),
        "text": letters.text,
        "words": letters.marks(letters.spans_of_words(wanted["words"])),
        "passage": letters.marks(letters.spans_of_passage(wanted["passage"])),
    }
    return header, bytes(bitmap.buffer)


class Letters:
    """The letters of a page, each with its position."""

    def __init__(self, page: pypdfium2.PdfPage) -> None:
        """May raise PdfiumError."""
        self._page = page
        self._words = page.get_textpage()
        # Not its text in one piece, in which letters are omitted or put in.
        count = min(self._words.count_chars(), _MAX_CHARACTERS)
        codes = (raw.FPDFText_GetUnicode(self._words, index) for index in range(count))
        written = "".join(map(_letter, codes))
        self.text = HYPHEN.sub("", written).replace("\r\n", "\n").replace("\0", "")
        self._origins: list[int] = []
        """Letter of the page that each one of the folded text is of."""
        # Folding makes some letters two, and hyphens at the ends of lines are omitted.
        hyphens = {index for match in HYPHEN.finditer(written) for index in range(*match.span())}
        parts: list[str] = []
        for index, letter in enumerate(written):
            if index not in hyphens:
                parts.append(fold(letter))
                self._origins += [index] * len(parts[-1])
        self._folded = "".join(parts)

    def spans_of_words(self, words: Iterable[str]) -> Iterator[tuple[int, int]]:
        """Beginnings and ends of these words, or rows of words, whole ones only."""
        rows = [_TOKEN.findall(fold(word)) for word in words]
        patterns = [_whole(tokens) for tokens in rows if tokens]
        # The longest first, so that no part of a row is taken for a word alone.
        if patterns:
            for match in re.finditer("|".join(sorted(patterns, key=len)[::-1]), self._folded):
                yield match.span()

    def spans_of_passage(self, passage: str) -> Iterator[tuple[int, int]]:
        """Beginning and end of a passage, or nothing.

        Line ends, spaces and signs of both texts differ, and the passage may go on from one page
        to the next. So the longest row of words in both tells where it is, and as many words
        around belong to it as it has.
        """
        sought = _TOKEN.findall(fold(passage))
        found = [*_TOKEN.finditer(self._folded)]
        words = [match[0] for match in found]
        shared = SequenceMatcher(None, sought, words, autojunk=False).find_longest_match()
        if shared.size and shared.size >= min(_SURE, len(sought)):
            first = shared.b - shared.a
            part = found[max(0, first) : first + len(sought)]
            yield part[0].start(), part[-1].end()

    def marks(self, spans: Iterable[tuple[int, int]]) -> list[list[float]]:
        """Rectangles around parts of the text, one a line: left, top, right and bottom.

        They are parts of the page's width and height, from its upper left.
        """
        marks: list[list[float]] = []
        for start, end in spans:
            first = self._origins[start]
            last = self._origins[end - 1]
            # PDFium joins letters of a line into one rectangle.
            for index in range(self._words.count_rects(first, last - first + 1)):
                left, bottom, right, top = self._words.get_rect(index)
                xs, ys = zip(self._on_paper(left, top), self._on_paper(right, bottom), strict=True)
                marks.append([min(xs), min(ys), max(xs), max(ys)])
            if len(marks) >= MAX_MARKS:
                break
        return marks[:MAX_MARKS]

    def _on_paper(self, x: float, y: float) -> tuple[float, float]:
        """A point as it is seen: the page may be turned, or cut at its edges."""
        across = ctypes.c_int()
        down = ctypes.c_int()
        # The place of the area, its size, and no turn: a function of C has no keywords.
        raw.FPDF_PageToDevice(self._page, 0, 0, _FINE, _FINE, 0, x, y, across, down)
        return across.value / _FINE, down.value / _FINE


def _letter(code: int) -> str:
    # Half of a pair is not a letter of JSON, and a number too large is not one of any text.
    if code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
        return "\ufffd"
    return chr(code)


def _whole(tokens: list[str]) -> str:
    """The pattern of words in a row that are not parts of others."""
    # Text without spaces has no borders of words.
    if tokens[0] >= _FIRST_CJK:
        return "".join(map(re.escape, tokens))
    text = r"\W+".join(map(re.escape, tokens))
    return rf"(?<!\w){text}(?!\w)"
