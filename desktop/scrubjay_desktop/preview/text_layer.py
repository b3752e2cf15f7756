"""The text that was read on a picture: where its words are, and what is at a point."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import NamedTuple

from PySide6.QtCore import QPointF, QSizeF
from PySide6.QtGui import QFont, QFontMetricsF

from scrubjay.records.picture_text import PictureLine, PictureText
from scrubjay_desktop.preview.highlights import whole_word
from scrubjay_desktop.preview.marks import Corners

_LEAST_WORDS = 3
"""Words in a row that tell the place of a passage; fewer may stand anywhere."""
_MOST_MATCHES = 500
"""Marks of matches at most, as in notes."""


class Spot(NamedTuple):
    """A place between two characters."""

    line: int
    column: int


class TextSpan(NamedTuple):
    """Some characters of a line."""

    line: int
    start: int
    end: int


class TextLayer:
    """The lines of a picture, whose places are shares of its width and height."""

    def __init__(self, text: PictureText | None = None) -> None:
        self._lines: Sequence[PictureLine] = ()
        self._size = QSizeF(1, 1)
        self._line_shares: dict[int, tuple[float, ...]] = {}
        """Places between the characters of the lines that were asked for."""
        if text is not None:
            self._lines = text.lines
            self._size = QSizeF(text.width, text.height)

    @property
    def count(self) -> int:
        """The number of lines."""
        return len(self._lines)

    @property
    def text(self) -> str:
        """All lines in reading order."""
        return "\n".join(line.text for line in self._lines)

    @property
    def everything(self) -> list[TextSpan]:
        """All characters of all lines."""
        return [TextSpan(at, 0, len(line.text)) for at, line in enumerate(self._lines)]

    def words(self, words: Iterable[str]) -> list[TextSpan]:
        """Where any of these words stand."""
        longest_first = sorted(filter(None, words), key=len, reverse=True)
        return self._matches("|".join(map(whole_word, longest_first)))

    def find(self, text: str) -> list[TextSpan]:
        """Where a text stands, also inside of words."""
        return self._matches(re.escape(text))

    def passage(self, passage: str) -> list[TextSpan]:
        """The lines that hold most of a passage, whose line breaks may be others; often none."""
        # Words are compared, as a line that was not read for sure has a mark at its end.
        wanted = _words(passage)
        words = [(word, at) for at, line in enumerate(self._lines) for word in _words(line.text)]
        matcher = difflib.SequenceMatcher(None, [word for word, _ in words], wanted, autojunk=False)
        match = matcher.find_longest_match()
        if match.size < min(_LEAST_WORDS, len(wanted)):
            return []
        numbers = dict.fromkeys(at for _, at in words[match.a : match.a + match.size])
        return [TextSpan(at, 0, len(self._lines[at].text)) for at in numbers]

    def area(self, span: TextSpan) -> Corners:
        """The four corners of some characters, as far along their line as their share of it."""
        # A line may be tilted or run down, so both of its long sides are cut.
        line = self._lines[span.line]
        shares = self._shares(span.line)
        first, second, third, fourth = _corners(line)
        left = shares[span.start]
        right = shares[span.end]
        above = second - first
        below = third - fourth
        top_left = first + above * left
        top_right = first + above * right
        return (top_left, top_right, fourth + below * right, fourth + below * left)

    def spot_at(self, point: QPointF) -> Spot | None:
        """The place in the text that is nearest to a point; None without any text."""
        spots = ((self._distance(line, point), at) for at, line in enumerate(self._lines))
        nearest = min(spots, default=None)
        if nearest is None:
            return None
        # In that line, the border between two letters that is nearest along it.
        at = nearest[1]
        along, _ = self._place(self._lines[at], point)
        shares = self._shares(at)
        return Spot(at, min(range(len(shares)), key=lambda column: abs(shares[column] - along)))

    def word_at(self, point: QPointF) -> list[TextSpan]:
        """The word that is nearest to a point, if there is one."""
        spot = self.spot_at(point)
        if spot is None:
            return []
        words = re.finditer(r"\w+", self._lines[spot.line].text)
        spans = (TextSpan(spot.line, *match.span()) for match in words)
        return [span for span in spans if span.start <= spot.column <= span.end][:1]

    def is_on_text(self, point: QPointF) -> bool:
        """Whether a line is at a point."""
        return any(not self._distance(line, point) for line in self._lines)

    def between(self, first: Spot, last: Spot) -> list[TextSpan]:
        """The characters between two places, whichever comes first."""
        begin, end = sorted((first, last))
        spans = []
        # Lines between both are whole.
        for at in range(begin.line, end.line + 1):
            start = 0
            stop = len(self._lines[at].text)
            if at == begin.line:
                start = begin.column
            if at == end.line:
                stop = end.column
            spans.append(TextSpan(at, start, stop))
        return [span for span in spans if span.end > span.start]

    def text_of(self, spans: Iterable[TextSpan]) -> str:
        """The characters of spans, one span a line."""
        return "\n".join(self._lines[span.line].text[span.start : span.end] for span in spans)

    def _matches(self, pattern: str) -> list[TextSpan]:
        if not pattern:
            return []
        compiled = re.compile(pattern, re.IGNORECASE)
        spans = (
            TextSpan(at, *match.span())
            for at, line in enumerate(self._lines)
            for match in compiled.finditer(line.text)
        )
        return [span for span, _ in zip(spans, range(_MOST_MATCHES), strict=False)]

    def _shares(self, at: int) -> tuple[float, ...]:
        """How far along a line each place between two characters is, from 0 to 1.

        The font is not known, but a narrow letter is narrow in most of them.
        """
        if at not in self._line_shares:
            metrics = QFontMetricsF(QFont())
            widths = map(metrics.horizontalAdvance, self._lines[at].text)
            ends = [0.0, *accumulate(widths)]
            whole = ends[-1] or 1.0
            self._line_shares[at] = tuple(end / whole for end in ends)
        return self._line_shares[at]

    def _place(self, line: PictureLine, point: QPointF) -> tuple[float, float]:
        """How far a point is along a line and down from its top, as shares of the line."""
        # Pixels, because a share of the width is not one of the height.
        first, second, _, fourth = map(self._scaled, _corners(line))
        offset = self._scaled(point) - first
        shares = []
        for axis in (second - first, fourth - first):
            length = QPointF.dotProduct(axis, axis)
            shares.append(QPointF.dotProduct(offset, axis) / max(length, 1e-9))
        return shares[0], shares[1]

    def _distance(self, line: PictureLine, point: QPointF) -> float:
        """Pixels between a point and a line; 0 on the line."""
        first, second, _, fourth = map(self._scaled, _corners(line))
        along, down = self._place(line, point)
        aside = _outside(along) * (second - first).manhattanLength()
        return aside + _outside(down) * (fourth - first).manhattanLength()

    def _scaled(self, point: QPointF) -> QPointF:
        return QPointF(point.x() * self._size.width(), point.y() * self._size.height())


def _outside(share: float) -> float:
    return max(0.0, -share, share - 1)


def _corners(line: PictureLine) -> Corners:
    left, top, right, top_right, far, bottom_right, near, bottom = line.corners
    return (
        QPointF(left, top),
        QPointF(right, top_right),
        QPointF(far, bottom_right),
        QPointF(near, bottom),
    )


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())
