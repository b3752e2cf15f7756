"""Names of files made of titles, and Markdown made of HTML."""

from __future__ import annotations

from pathlib import PurePosixPath, PureWindowsPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.note_import.html_markdown import html_to_markdown
from scrubjay.note_import.readers.evernote_html import MEDIA, standard_html
from scrubjay.note_import.safe_names import TakenLabels, safe_file_name, safe_name
from scrubjay.platform.file_names import file_name_key

ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()), max_size=300)


@given(ANY_TEXT)
def test_a_name_is_one_that_every_file_system_has(title: str) -> None:
    for name in (safe_name(title), safe_file_name(title)):
        assert 0 < len(name.encode()) <= 140
        assert PureWindowsPath(name).name == PurePosixPath(name).name == name
        assert not PureWindowsPath(name).drive
        assert not name.startswith(".")
        assert name == name.strip(" ")
        assert not name.endswith(".")
        assert not set(name) & set('<>:"/\\|?*\0\n')
        assert safe_name(name) == name or name == safe_file_name(title)


@given(st.lists(ANY_TEXT, max_size=30))
def test_labels_differ_in_any_case_of_letters(titles: list[str]) -> None:
    taken = TakenLabels()
    labels: set[str] = set()
    for title in titles:
        label = taken.free("a", safe_name(title), ".md")
        taken.add(label)
        labels.add(file_name_key(label))
    assert len(labels) == len(titles)


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("<p>a <b>b </b>c</p>", "a **b** c"),
        ("<h2>T</h2>x", "## T\n\nx"),
        ("<ul><li>a<ol><li>b<li>c</ol></ul>", "- a\n    1. b\n    2. c"),
        ("a*b_c <i>d</i>", "a\\*b_c *d*"),
        ("<a href='https://x.org'>x</a>", "[x](https://x.org)"),
        ("<script>alert(1)</script>y<style>z</style>", "y"),
        ("<pre>a\n  b</pre>", "```\na\n  b\n```"),
        ("<pre><div>a</div><div>\xa0 b</div></pre>c", "```\na\n  b\n```\n\nc"),
        ("<blockquote>q</blockquote>", "> q"),
        ("<table><tr><th>a</th></tr><tr><td>1|2</td></tr></table>", "| a |\n| --- |\n| 1\\|2 |"),
        ("# no heading", "\\# no heading"),
        ("<input type=checkbox checked>done", "- [x] done"),
        ("&lt;b&gt;", "\\<b>"),
    ],
)
def test_html_becomes_markdown(html: str, markdown: str) -> None:
    assert html_to_markdown(html) == markdown


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        (
            "<div style='-en-codeblock: true'><div>f:</div><div>  *<br></div></div><div>_c</div>",
            "```\nf:\n  *\n```\n\n\\_c",
        ),
        ("<div style=-en-codeblock:true>a", "```\na\n```"),
        ("<en-note><div><en-todo checked='true'/>a</div></en-note>", "- [x] a"),
        ("<div><en-todo/>a</div>", "- [ ] a"),
        (
            "<ul style='--en-todo: true'><li style='--en-checked: true'>a</li><li>b</li></ul>",
            "- [x] a\n- [ ] b",
        ),
        ("<ul><li style='--en-checked:false'>a</li><li>b</li></ul>", "- [ ] a\n- b"),
        ("<en-media type='image/png' hash='1f' alt='A hat'/>", "![A hat](<1f>)"),
        ("<en-media hash='1f'/>", "![](<1f>)"),
        ("<en-media type='application/pdf' hash='1f'/>", "[file](<1f>)"),
    ],
)
def test_html_of_evernote_becomes_markdown(html: str, markdown: str) -> None:
    def address(_element: str, url: str) -> str:
        return f"<{url.removeprefix(MEDIA)}>"

    assert html_to_markdown(html, address, standard_html) == markdown


@given(st.text(st.sampled_from("<>/abip='\" \n!-&;ulotrd"), max_size=400))
def test_damaged_html_raises_nothing(html: str) -> None:
    html_to_markdown(html)
