"""Markdown as a reader sees it."""

from __future__ import annotations

import pytest

from scrubjay.records.search_records import Snippet, Span
from scrubjay.text.plain_snippet import plain_snippet


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("one\ntwo", "one two"),
        ("# Title\ntext", "Title · text"),
        ("- milk\n- **eggs**\n- [ ] bread", "milk · eggs · bread"),
        ("first\n\nsecond", "first · second"),
        (
            "[<button id=HH>Open</button>](x://y) <iframe src='z'></iframe>a < b > c",
            "Open a < b > c",
        ),
        ("<h3>A</h3><p>b</p><tr><td>1</td><td>2</td></tr>", "A b 1 2"),
        ("[![b](https://x.org/y)](https://z.org) text", "text"),
        ("- [ ]\n- [x] a", "a"),
        ("It ends.\n\nIt begins.", "It ends. It begins."),
        ("see [the page](http://x.org/y) and ![cat](c.png) there", "see the page and there"),
        ("[[Router]] and `code`", "Router and code"),
        ("[[Books/Bloom|Bloom]] ![[leaf.png|200]] ==bright==", "Bloom bright"),
        ("a == b, {{title}} <!-- not --> %%this%% line<br>end ^1a2b", "a == b, line end"),
        ("See [[Autumn]] and ![[Codes#Codes]].", "See Autumn and Codes."),
        ("[[Codes#Old#Gate]], [[#Gate]], [[Codes#^4b]]", "Codes › Old › Gate, Gate, Codes"),
        ("[[Codes#Gate|the gate]], ![[Codes#Gate|200]]", "the gate, Codes › Gate"),
        ("![[Drawing|300x200]] ![leaf|200](leaf.png) [[Room 200|200]]", "Drawing 200"),
        ("$$ a^2 + b^2 $$", "a^2 + b^2"),
        ("$$\na^2\n$$\nso $x$ is $5 or $6", "a^2 so x is $5 or $6"),
        ("before\n```dataview\nTABLE file.mtime FROM x\n```\nafter", "before after"),
        ("```python\nprint(1)\n```", "print(1)"),
        ("> [!tip]- Water\n> it well", "Water · it well"),
        ("---\ntags: [a]\n---\ntext", "text"),
        ("| a | b |\n|---|---|\n| c | d |", "a · b · c · d"),
        ("> quoted", "quoted"),
        ("snake_case stays, _this_ not", "snake_case stays, this not"),
        ("  wide    gaps\there ", "wide gaps here"),
        ("---\n", ""),
        ("", ""),
    ],
)
def test_marks_of_markdown_are_not_shown(text: str, shown: str) -> None:
    assert plain_snippet(Snippet(text), " ", " · ").text == shown


def test_lines_stay_lines_with_their_matches() -> None:
    text = "# Home\n\n- [ ] the **router** is\n  there\n"
    at = text.index("router")
    shown = plain_snippet(Snippet(text, (Span(at, at + 6),), text.index("- [")))
    assert shown.text == "Home\nthe router is\nthere"
    assert (shown.text[shown.best :], shown.spans) == ("the router is\nthere", (Span(9, 15),))


@pytest.mark.parametrize(
    "text", ["See ![[leaf.png|200]] here", "See ![leaf](leaf.png) here", "```dataview\nleaf\n```"]
)
def test_pictures_and_programs_are_named_where_nothing_else_matched(text: str) -> None:
    leaf = Span(text.index("leaf"), text.index("leaf") + 4)
    shown = plain_snippet(Snippet(text, (leaf,)))
    assert [shown.text[span.start : span.end] for span in shown.spans] == ["leaf"]
    assert not any(sign in shown.text for sign in "[|`2")
    assert "leaf" not in plain_snippet(Snippet(text)).text
    other = len(text) + 1
    both = plain_snippet(Snippet(f"{text}\nfound", (leaf, Span(other, other + 5))))
    assert "leaf" not in both.text
