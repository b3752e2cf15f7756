"""Tags and text of pages, as browsers take them, and whatever a page is."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.text.html_scanner import Attributes, HtmlScanner


class Scanned(HtmlScanner):
    """What was called, in order; texts that follow each other are one."""

    def __init__(self, page: str) -> None:
        self.calls: list[str] = []
        self._text = ""
        self.scan(page)
        self._end_text()

    def handle_start(self, tag: str, attributes: Attributes) -> None:
        self._end_text()
        self.calls.append(
            " ".join([f"<{tag}", *(f"{key}={attributes[key]}" for key in attributes)])
        )

    def handle_end(self, tag: str) -> None:
        self._end_text()
        self.calls.append(f"</{tag}")

    def handle_text(self, text: str) -> None:
        self._text += text

    def _end_text(self) -> None:
        if self._text:
            self.calls.append(self._text)
        self._text = ""


class Parsed(HTMLParser):
    """The same by the standard library."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.calls: list[str] = []
        self._text = ""
        self.feed(page)
        self.close()
        self._end_text()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._end_text()
        self.calls.append(" ".join([f"<{tag}", *(f"{key}={value or ''}" for key, value in attrs)]))

    def handle_endtag(self, tag: str) -> None:
        self._end_text()
        self.calls.append(f"</{tag}")

    def handle_data(self, data: str) -> None:
        self._text += data

    def _end_text(self) -> None:
        if self._text:
            self.calls.append(self._text)
        self._text = ""


@pytest.mark.parametrize(
    ("page", "calls"),
    [
        ("a < b <p>c</P >", ["a < b ", "<p", "c", "</p"]),
        ("<a HREF=x/y title='1 > 0' b=\"&lt;\" c>z", ["<a href=x/y title=1 > 0 b=< c=", "z"]),
        ("<p a=1 a=2>", ["<p a=1"]),
        ("<br/><br / ><hr a=/>", ["<br", "</br", "<br", "</br", "<hr a=/"]),
        ("a<!-- <b> -->c<!-->d<!--->e<!-- --!>f", ["acdef"]),
        ("a<!DOCTYPE html>b<?xml x?>c<![CDATA[ > <p> ]]>d</>e", ["abcde"]),
        ("<script>a < b && '<p>'</script>x", ["<script", "</script", "x"]),
        ("<script/>x<STYLE>p</style >", ["<script", "</script", "x", "<style", "</style"]),
        ("&amp;&#65;&#x42;&nbsp;&unknown;&", ["&AB\xa0&unknown;&"]),
        ("a &#99999999999999; b", ["a \ufffd b"]),
        ("x<a href='y", ["x<a href='y"]),
        ("x</a href='y", ["x</a href='y"]),
        ("x<!-- y", ["x"]),
        ("x<!y", ["x<!y"]),
        ("<script>x", ["<script"]),
    ],
)
def test_a_page_is_taken_apart(page: str, calls: list[str]) -> None:
    assert Scanned(page).calls == calls


def test_a_number_of_5000_digits_is_no_letter() -> None:
    for digits in ("9" * 5_000, "x" + "f" * 5_000):
        assert Scanned(f"<a b='&#{digits};'>&#{digits};c").calls == ["<a b=\ufffd", "\ufffdc"]


_TEXT = st.text("abc \n&;'\"=/", max_size=8)
_NAME = st.sampled_from(["p", "div", "a", "b", "BR", "h1"])
_ATTRIBUTE = st.builds(
    "{}{}".format,
    st.sampled_from(["id", "B", "x-y"]),
    st.sampled_from(["", "=1", "='> <'", '="q"']),
)
_START = st.builds(
    lambda name, attribute: f"<{name} {attribute}>" if attribute else f"<{name}>",
    _NAME,
    st.one_of(st.just(""), _ATTRIBUTE),
)
_PIECE = st.one_of(_TEXT, _START, _NAME.map("</{}>".format), st.just("<!-- <p> -->"))


@given(st.lists(_PIECE, max_size=12).map("".join))
def test_a_page_in_order_is_read_as_the_standard_library_does(page: str) -> None:
    assert Scanned(page).calls == Parsed(page).calls


PIECES = [
    "<", ">", "<!--", "-->", "<!-- >", "<![CDATA[", "]]>", "<?", "<!", "</", "<a ", "<a x='",
    '<a x="', "<a b", "<script>", "</script", "<style>", "&#", "&", "&#x", "/", "=", " ",
]  # fmt: skip


@pytest.mark.parametrize("piece", PIECES)
def test_many_of_a_piece_do_not_take_the_square_of_the_time(piece: str) -> None:
    """Some did with the standard library, and this took minutes."""
    for page in (piece * 200_000, f"{piece}x" * 200_000):
        shown = Scanned(page).calls
        assert len("".join(shown)) <= 2 * len(page)
