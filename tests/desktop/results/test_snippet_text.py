from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.records.search_records import Snippet, Span
from scrubjay_desktop.results.snippet_text import SHOWN, one_line_snippet, utf16_cut, utf16_spans


def marked(snippet: Snippet) -> list[str]:
    return [snippet.text[span.start : span.end] for span in snippet.spans]


def test_highlights_stay_on_their_words() -> None:
    text = "# Home\n\n- the **router** is\n- router"
    spans = tuple(Span(at, at + 6) for at in (text.index("router"), text.rindex("router")))
    assert marked(one_line_snippet(Snippet(text, spans))) == ["router", "router"]


@pytest.mark.parametrize(
    ("word", "shown"), [("slate", "slate roof"), ("house", "The house · slate roof")]
)
def test_a_title_is_not_repeated_unless_it_matched(word: str, shown: str) -> None:
    text = "# The house\n\nslate roof"
    at = text.index(word)
    found = one_line_snippet(Snippet(text, (Span(at, at + 5),)), titles=["The house"])
    assert (found.text, marked(found)) == (shown, [word])


def test_a_late_match_is_brought_to_the_front() -> None:
    text = "word " * 60 + "router " + "word " * 100
    at = text.index("router")
    shown = one_line_snippet(Snippet(text, (Span(at, at + 6),)))
    assert shown.text.startswith("…word")
    assert shown.text.endswith("…")
    assert shown.text.index("router") < 60
    assert marked(shown) == ["router"]


@given(st.text(max_size=600), st.data())
def test_any_snippet_keeps_its_highlights_inside_its_text(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    shown = one_line_snippet(Snippet(text, (Span(start, end),)))
    assert len(shown.text) <= SHOWN + 2
    assert "\n" not in shown.text
    assert all(0 <= span.start < span.end <= len(shown.text) for span in shown.spans)


def test_qt_counts_an_emoji_twice() -> None:
    snippet = Snippet("🙂 acorn 🙂", (Span(2, 7), Span(8, 9)))
    assert utf16_spans(snippet) == [(3, 5), (9, 2)]


@pytest.mark.parametrize(("units", "kept"), [(0, ""), (1, ""), (2, "🙂"), (3, "🙂a"), (9, "🙂ab")])
def test_cutting_never_halves_an_emoji(units: int, kept: str) -> None:
    assert utf16_cut("🙂ab", units) == kept
