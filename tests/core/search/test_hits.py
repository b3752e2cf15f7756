"""Snippets of hits, and the marked words in them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.records.search_records import Span
from scrubjay.search.hits import MAX_CHARACTERS, Marks, make_snippet, merge_spans
from scrubjay.text.graphemes import truncate_text
from scrubjay.text.tokenizer import Analyzer

WORDS = st.sampled_from(
    ["jay", "jays", "acorn", "Café", "漢字", "👩‍👧", "e\u0301", "x" * 90, "\u2028"]
)
TEXTS = st.lists(st.lists(WORDS, max_size=40).map(" ".join), min_size=1, max_size=12).map("\n".join)


@pytest.fixture(scope="module")
def analyzer() -> Iterator[Analyzer]:
    analyzer = Analyzer()
    yield analyzer
    analyzer.close()


def weights(analyzer: Analyzer, words: str) -> Marks:
    stems = set(analyzer.stems(words))
    return lambda text, analyzer: [
        (token, 1.0) for token in analyzer.tokens(text) if token.stem in stems
    ]


@given(TEXTS, st.integers(0, 12), st.sampled_from(["jay", "acorn cafe", "漢字", "nothing"]))
def test_a_snippet_is_a_part_of_the_text_with_words_marked(
    analyzer: Analyzer, text: str, line: int, words: str
) -> None:
    stems = set(analyzer.stems(words))
    part = make_snippet(text, line, weights(analyzer, words), analyzer)
    assert part.text in text
    assert len(part.text) <= MAX_CHARACTERS
    ends = [0, *(point for span in part.spans for point in (span.start, span.end))]
    assert ends == sorted(ends)
    assert ends[-1] <= len(part.text)
    for span in part.spans:
        marked = part.text[span.start : span.end]
        assert set(analyzer.stems(marked)) & stems or len(marked) > 2


@given(TEXTS, st.integers(0, 11))
def test_a_snippet_never_cuts_a_grapheme(analyzer: Analyzer, text: str, line: int) -> None:
    part = make_snippet(text, line, weights(analyzer, ""), analyzer).text
    start = text.index(part)
    borders = {0, *(match.end() for match in regex.finditer(r"\X", text))}
    assert {start, start + len(part)} <= borders


@given(st.text(), st.integers(0, 50))
def test_cutting_keeps_graphemes_whole(text: str, limit: int) -> None:
    beginning = truncate_text(text, limit)
    assert text.startswith(beginning)
    assert len(beginning) <= limit
    assert len(beginning) in {0, *(match.end() for match in regex.finditer(r"\X", text))}


def test_whole_lines_around_the_match_are_shown(analyzer: Analyzer) -> None:
    text = "\n".join(f"line {n} " + "x" * 90 for n in range(30))
    part = make_snippet(text, 15, weights(analyzer, ""), analyzer).text
    assert "line 15 " in part
    assert all(line in text.split("\n") for line in part.split("\n"))
    assert len(part) > 500


@pytest.mark.parametrize("place", [0, 300, 5000, 9000])
def test_the_match_in_a_long_line_is_shown(analyzer: Analyzer, place: int) -> None:
    filler = "filler words go on "
    line = filler * (place // len(filler)) + "the zebra sleeps " + filler * 200
    part = make_snippet(line, 0, weights(analyzer, "zebra"), analyzer)
    assert [part.text[span.start : span.end] for span in part.spans] == ["zebra"]


def test_the_stretch_with_most_matches_is_shown(analyzer: Analyzer) -> None:
    line = "zebra alone " + "filler " * 300 + "zebra and lion together " + "filler " * 300
    part = make_snippet(line, 0, weights(analyzer, "zebra lion"), analyzer)
    assert [part.text[span.start : span.end] for span in part.spans] == ["zebra", "lion"]


@pytest.mark.parametrize(
    ("text", "words", "marked"),
    [
        ("Running cats run", "run cat", ["Running", "cats", "run"]),
        ("Un CAFÉ, por favor", "cafe", ["CAFÉ"]),
        ("我喜欢东京塔", "东京", ["东京"]),
        ("Python入門の本", "python 入門", ["Python入門"]),
        ("👩‍👧 zebra 👩‍👧", "zebra", ["zebra"]),
    ],
)
def test_words_are_marked_as_the_index_knows_them(
    analyzer: Analyzer, text: str, words: str, marked: list[str]
) -> None:
    part = make_snippet(text, 0, weights(analyzer, words), analyzer)
    assert "".join(part.text[s.start : s.end] for s in part.spans) == "".join(marked)


@given(st.lists(st.builds(Span, st.integers(0, 20), st.integers(21, 40)), max_size=8))
def test_merged_spans_are_in_order_and_cover_the_same(spans: list[Span]) -> None:
    result = merge_spans(spans)
    points = [point for span in result for point in (span.start, span.end)]
    assert points == sorted(points)
    covered = {at for span in spans for at in range(span.start, span.end)}
    assert {at for span in result for at in range(span.start, span.end)} == covered


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        ("The jay is a bird. A jay eats an acorn. No more.", "A jay eats"),
        ("An acorn (small). It rains! Does a jay eat an acorn? Yes.", "Does a jay"),
        ("- jay\n- acorn", "- jay"),
        ("雨です。漢字のjayとacornです。終わり。", "漢字の"),
        ("Nothing of it. Nor here.", "Nothing"),
        ("A jay... and an acorn of it, jay", "and an acorn"),
    ],
)
def test_of_the_best_line_the_best_sentence_is_told(
    analyzer: Analyzer, text: str, begins: str
) -> None:
    part = make_snippet(text, 0, weights(analyzer, "jay acorn"), analyzer)
    assert part.text[part.best :].startswith(begins)


@given(TEXTS, st.integers(0, 11))
def test_the_best_sentence_is_in_the_best_line(analyzer: Analyzer, text: str, line: int) -> None:
    part = make_snippet(text, line, weights(analyzer, "jay acorn"), analyzer)
    assert 0 <= part.best <= len(part.text)
    best = text.split("\n")[min(line, text.count("\n"))]
    if len(best) <= MAX_CHARACTERS and best.strip():
        assert part.text[part.best :].partition("\n")[0] in best
