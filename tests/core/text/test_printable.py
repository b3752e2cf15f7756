"""Text that does nothing to a terminal and hides nothing from a reader."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.text.printable import visible_text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("apricot \x1b[2J\x1b]0;PWNED\x07", "apricot [2J]0;PWNED"),
        ("one\r\ntwo\rthree\tx\n", "one\ntwo\nthree\tx\n"),
        ("re\u202etl\u2066", "retl"),
        ("he\u200bl\xadlo\ufeff", "hello"),
        ("flag \U000e0067\U000e0062 tag", "flag  tag"),
        ("\U0001f468\u200d\U0001f469\u200d\U0001f467 \u2764\ufe0f", None),
        ("\u0646\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", None),
        ("a\u200db\u200c\u200d\u200cc", "abc"),
        ("x\ufe00\ufe01\ufe02y \U000e0101", "x\ufe00y "),
        ("half \ud83d", "half "),
        ("niño, 東京, e\u0301", None),
    ],
)
def test_what_is_hidden_or_acts_is_left_out(text: str, shown: str | None) -> None:
    assert visible_text(text) == (text if shown is None else shown)


@given(st.text() | st.text(alphabet="aé\u200b\u200c\u200d\ufe0f\ufe01\r\n"))
def test_lines_keep_their_numbers(text: str) -> None:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").count("\n")
    assert visible_text(text).count("\n") == lines
    assert visible_text(visible_text(text)) == visible_text(text)
