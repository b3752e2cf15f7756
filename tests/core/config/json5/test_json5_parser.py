"""JSON5 is read as its specification says, and mistakes are pointed at exactly."""

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.config.json5.json5_parser import Json5Error, Node, Parser, parse_json5

JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{a: 1, 'b': \"2\", $c_1: [3,],}", {"a": 1, "b": "2", "$c_1": [3]}),
        ("// one\n/* two */ {} // three", {}),
        ("[.5, 5., +1, -0x1F, 1e2, 2E-1]", [0.5, 5.0, 1, -31, 100.0, 0.2]),
        ("[Infinity, -Infinity]", [math.inf, -math.inf]),
        (r"'it\'s \"x\"'", 'it\'s "x"'),
        (r'"C:\\users\\xavier\\new"', r"C:\users\xavier\new"),
        (r'"\u00e9\x41\t\0\q\ud83d\ude00"', "\u00e9A\t\0q\N{GRINNING FACE}"),
        (r'"half \ud83d"', "half \ufffd"),
        ("'over\\\ntwo\\\r\nlines'", "overtwolines"),
        ("{\\u0061b: 1, ünïcode: 2}", {"ab": 1, "ünïcode": 2}),
        ("\ufeff\u00a0{a: 1, a: 2}\u3000", {"a": 2}),
        ("9" * 5000, math.inf),
    ],
)
def test_values(text: str, value: Any) -> None:
    assert parse_json5(text).value == value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1, column 1: expected a value but found the end of the file"),
        ("{\n  a: 1\n  b: 2\n}", "line 3, column 3: expected a comma or } but found 'b'"),
        ("{\r\n  a: tru\r\n}", "line 2, column 6: expected a value but found 'tru'"),
        ("{a 1}", "line 1, column 4: expected a colon after the key 'a' but found '1'"),
        ("[1, 2", "line 1, column 6: expected a comma or ] but found the end of the file"),
        ("{a: 1,,}", "line 1, column 7: expected a key but found ','"),
        ('{a: "x\n}', "line 1, column 5: this text has no closing quotation mark on the same line"),
        ("{} /* x", "line 1, column 4: this comment is never closed"),
        ("{} x", "line 1, column 4: expected the end of the file but found 'x'"),
        ("[010]", "line 1, column 2: expected a value but found '0'"),
        (r'["ab\u00"]', r"line 1, column 5: \u is not a valid escape sequence"),
        (r'["\x4"]', r"line 1, column 3: \x is not a valid escape sequence"),
        ("[1\u2028\u00e9]", "line 1, column 4: expected a comma or ] but found '\\xe9'"),
    ],
)
def test_mistakes_are_named_with_their_place(text: str, message: str) -> None:
    with pytest.raises(Json5Error) as caught:
        parse_json5(text)
    assert str(caught.value) == message


def test_a_hundred_thousand_brackets_are_a_mistake_and_no_crash() -> None:
    with pytest.raises(Json5Error, match="column 65: more than 64 levels deep"):
        parse_json5("[" * 100_000)


def test_keys_that_stand_twice_are_remembered() -> None:
    parser = Parser("{a: {b: 1, b: 2}, c: [{d: 1, d: 1}]}")
    parser.parse()
    assert parser.repeated == [("a", "b"), ("c", 0, "d")]


@given(JSON_VALUES)
def test_everything_json_writes_is_read_back(value: Any) -> None:
    text = json.dumps(value, indent=1)
    assert parse_json5(text).value == json.loads(text)


@given(st.text(alphabet="{}[]:,'\"\\/*\n u0x1e.+-aN", max_size=40))
def test_any_text_is_a_value_or_a_mistake_inside_it(text: str) -> None:
    mistake = None
    try:
        parse_json5(text)
    except Json5Error as error:
        mistake = error
    lines = text.split("\n")
    assert mistake is None or 1 <= mistake.column <= len(lines[mistake.line - 1]) + 1


@given(JSON_VALUES)
def test_nodes_know_their_range(value: Any) -> None:
    text = f" // before\n{json.dumps(value)} // after"

    def check(node: Node) -> None:
        assert parse_json5(text[node.start : node.end]).value == node.value
        for inner in [*node.items, *(member.node for member in node.members)]:
            check(inner)

    check(parse_json5(text))
