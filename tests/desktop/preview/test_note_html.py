from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay_desktop.preview.note_html import LONGEST, render


@pytest.mark.parametrize(
    ("markdown", "html"),
    [
        ("# Hi", '<h1><a name="L1"></a>Hi</h1>\n'),
        ("one\ntwo", '<p><a name="L1"></a>one <a name="L2"></a>two</p>\n'),
        ("- [ ] milk", '<ul>\n<li><a name="L1"></a>☐ milk</li>\n</ul>\n'),
        ("- [x] milk", '<ul>\n<li><a name="L1"></a>☑ milk</li>\n</ul>\n'),
        ("[[Router|the box]]", '<p><a name="L1"></a>the box</p>\n'),
        (
            "```\na < b\nc\n```",
            '<pre><a name="L1"></a><a name="L2"></a>a &lt; b\n<a name="L3"></a>c</pre>\n',
        ),
        ("---\ntitle: x\n---\ntext", '<p><a name="L4"></a>text</p>\n'),
        ("\ufeffa\r\nb", '<p><a name="L1"></a>a <a name="L2"></a>b</p>\n'),
    ],
)
def test_markdown_becomes_html_with_an_anchor_for_each_line(markdown: str, html: str) -> None:
    assert render(markdown).html == html


@pytest.mark.parametrize(
    "markdown",
    [
        "![a](http://example.org/a.png)",
        "![a](file:///etc/passwd)",
        "![a][1]\n\n[1]: http://example.org/a.png",
        '<img src="http://example.org/a.png">',
        '<script src="http://example.org/a.js"></script>',
        '<link rel="stylesheet" href="http://example.org/a.css">',
    ],
)
def test_nothing_that_could_load_is_left(markdown: str) -> None:
    html = render(markdown).html
    assert not any(tag in html for tag in ("<img", "<script", "<link"))


def test_a_very_long_note_is_shown_around_what_was_found() -> None:
    text = "\n".join(f"line {n}" for n in range(1, 50_001))
    note = render(text, 30_000)
    assert note.is_excerpt
    assert note.first_line < 30_000 < note.last_line
    assert "line 30000" in note.html
    assert "line 1 " not in note.html


def test_one_endless_line_is_cut() -> None:
    note = render("word " * 2_000_000)
    assert note.is_excerpt
    assert len(note.html) < 3 * LONGEST


def test_the_anchor_of_a_line_is_at_it_or_above() -> None:
    note = render("# A\n\ntext\n\n\n\nmore")
    assert [note.anchor_of(line) for line in (1, 2, 3, 6, 7, 99)] == [
        "L1", "L1", "L3", "L3", "L7", "L7",
    ]  # fmt: skip
    assert render("").anchor_of(1) == ""


@given(st.text(max_size=400), st.integers(-5, 500))
def test_any_text_renders(text: str, line: int) -> None:
    note = render(text, line)
    assert 1 <= note.first_line <= note.last_line
