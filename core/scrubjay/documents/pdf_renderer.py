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

from scrubjay.documents.document_kinds import DocumentRefused
from scrubjay.documents.pdf_text import HYPHEN, open_pdf
from scrubjay.messages import msg
from scrubjay.text.tokenizer import fold

MAX_PIXELS = 12_000_000
"""Pixels of a picture, at most: a page of A4 with 350 dots an inch, 48 MB."""
MAX_MARKS = 500
_MAX_CHARACTERS = 100_000
"""Of a page that are looked through; one that is printed as small as can be read has 20,000."""
_FINE = 100_000
"""Units of a page's width and height, so that a mark is as exact as any picture needs it."""
_TOKEN = re.compile(r"[^\W\u2e80-\U0010ffff]+|[\u2e80-\U0010ffff]")
"""A word; of scripts without spaces, which come behind all others, a character."""
_FIRST_CJK = "\u2e80"
_SURE = 4
"""Words in a row that tell a passage from any other text of a page."""


def draw_page(data: bytes, wanted: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
    """What is known of a page, and its pixels: blue, green, red and nothing, a byte each.

    Wanted are `page`, from 1, `width` in pixels, `words` and `passage`; a page behind the last one
    is the last one. Raises DocumentRefused, or anything for a damaged file.
    """
    document = open_pdf(data)
    number = max(1, min(wanted["page"], len(document)))
    try:
        page = document[number - 1]
        letters = Letters(page)
    except pypdfium2.PdfiumError as error:
        raise DocumentRefused(msg("Page {n} of it is damaged.", n=number)) from error
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
        # Not its text in one piece, in which letters are left out or put in.
        count = min(self._words.count_chars(), _MAX_CHARACTERS)
        codes = (raw.FPDFText_GetUnicode(self._words, index) for index in range(count))
        written = "".join(map(_letter, codes))
        self.text = HYPHEN.sub("", written).replace("\r\n", "\n").replace("\0", "")
        self._origins = list[int]()
        """The letter of the page that each one of the folded text is of."""
        parts, end = list[str](), 0
        for hyphen in (*HYPHEN.finditer(written), None):
            for index in range(end, hyphen.start() if hyphen else count):
                parts.append(fold(written[index]))
                self._origins += [index] * len(parts[-1])
            end = hyphen.end() if hyphen else count
        self._folded = "".join(parts)

    def spans_of_words(self, words: Iterable[str]) -> Iterator[tuple[int, int]]:
        """Where these words are, or rows of words, whole ones only: beginnings and ends."""
        patterns = [_whole(tokens) for word in words if (tokens := _TOKEN.findall(fold(word)))]
        if patterns:
            for match in re.finditer("|".join(sorted(patterns, key=len)[::-1]), self._folded):
                yield match.span()

    def spans_of_passage(self, passage: str) -> Iterator[tuple[int, int]]:
        """Where a passage is, or nothing.

        Line ends, spaces and signs of both texts differ, and the passage may go on from one page
        to the next. So the longest row of words in both tells where it is, and as many words
        around belong to it as it has.
        """
        sought, found = _TOKEN.findall(fold(passage)), [*_TOKEN.finditer(self._folded)]
        shared = SequenceMatcher(
            None, sought, [match[0] for match in found], autojunk=False
        ).find_longest_match()
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
            first, last = self._origins[start], self._origins[end - 1]
            for index in range(self._words.count_rects(first, last - first + 1)):
                left, bottom, right, top = self._words.get_rect(index)
                xs, ys = zip(self._on_paper(left, top), self._on_paper(right, bottom), strict=True)
                marks.append([min(xs), min(ys), max(xs), max(ys)])
            if len(marks) >= MAX_MARKS:
                break
        return marks[:MAX_MARKS]

    def _on_paper(self, x: float, y: float) -> tuple[float, float]:
        """A point as it is seen: the page may be turned, or cut at its edges."""
        across, down = ctypes.c_int(), ctypes.c_int()
        area = (0, 0, _FINE, _FINE, 0)
        raw.FPDF_PageToDevice(self._page, *area, x, y, across, down)
        return across.value / _FINE, down.value / _FINE


def _letter(code: int) -> str:
    # Half of a pair is no letter of JSON, and a number too large none of any text.
    is_one = code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF
    return chr(code) if is_one else "\ufffd"


def _whole(tokens: list[str]) -> str:
    """The pattern of words in a row that are no parts of others."""
    text = r"\W+".join(map(re.escape, tokens))
    # Text without spaces has no borders of words.
    return "".join(map(re.escape, tokens)) if tokens[0] >= _FIRST_CJK else rf"(?<!\w){text}(?!\w)"
