"""Changing one value leaves every other character of the file alone."""

import json
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from scrubjay.config.json5.json5_editor import append_entry, remove_value, set_value
from scrubjay.config.json5.json5_parser import parse_json5

FILE = """\
// My settings.
{
  /* folders */
  workspaces: [
    { id: "a", path: "/a" }, // first
    { id: "b", path: "/b" } // second, with a comma
  ],
  'memorySearch': {
    query: { maxResults: 6, /* hits */ minScore: .35 },
    extraPaths: [], // none yet
  },
  gateway: { port: 0x4A38 } // not ours
}
"""

KEYS = st.text(min_size=1, max_size=4) | st.sampled_from(["a", "b", "$x", "a-b"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.dictionaries(KEYS, VALUES, max_size=4)


@pytest.mark.parametrize(
    ("path", "value", "old", "new"),
    [
        (("memorySearch", "query", "maxResults"), 9, "maxResults: 6,", "maxResults: 9,"),
        (("gateway", "port"), None, "0x4A38", "null"),
        (("memorySearch", "query", "deadlineMs"), 1, ".35 }", '.35, "deadlineMs": 1 }'),
        (("memorySearch", "extraPaths"), ["ñ"], "[],", '[\n      "ñ"\n    ],'),
        (("gateway", "a", "b"), True, "0x4A38 }", '0x4A38, "a": { "b": true } }'),
        (("localOnly",), True, "} // not ours", '}, // not ours\n  "localOnly": true'),
        (
            ("memorySearch", "sync", "watch"),
            False,
            "[], // none yet",
            '[], // none yet\n    "sync": {\n      "watch": false\n    },',
        ),
    ],
)
def test_set(path: tuple[str, ...], value: Any, old: str, new: str) -> None:
    assert set_value(FILE, path, value) == FILE.replace(old, new)


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        (("memorySearch", "query", "maxResults"), "maxResults: 6, /*", "/*"),
        (("memorySearch", "query", "minScore"), ", /* hits */ minScore: .35 }", " /* hits */ }"),
        (("memorySearch", "nothing"), "", ""),
        (("nothing", "there"), "", ""),
        (("gateway",), "},\n  gateway: { port: 0x4A38 } // not", "}\n  // not"),
    ],
)
def test_remove(path: tuple[str, ...], old: str, new: str) -> None:
    assert remove_value(FILE, path) == FILE.replace(old, new)


def test_a_removed_line_leaves_no_gap() -> None:
    assert remove_value("{\r\n\ta: 1,\r\n\tb: 2,\r\n\tc: 3\r\n}\r\n", ["b"]) == (
        "{\r\n\ta: 1,\r\n\tc: 3\r\n}\r\n"
    )


def test_a_repeated_key_is_removed_with_all_its_repetitions() -> None:
    assert parse_json5(remove_value("{a: 1, b: 2, a: 3}", ["a"])).value == {"b": 2}


def test_an_entry_goes_to_the_end_of_the_list() -> None:
    changed = append_entry(FILE, ("workspaces",), {"id": "c"})
    assert changed == FILE.replace(
        "} // second, with a comma", '}, // second, with a comma\n    {\n      "id": "c"\n    }'
    )


def test_an_entry_leaves_with_its_comma() -> None:
    changed = remove_value(FILE, ("workspaces", 1))
    assert changed == FILE.replace(
        '}, // first\n    { id: "b", path: "/b" } // second', "} // first\n    // second"
    )


def test_the_layout_of_the_file_is_kept() -> None:
    assert set_value("{\r\n\ta: 1\r\n}", ["b", "c"], 2) == (
        "{\r\n\ta: 1,\r\n\tb: {\r\n\t\tc: 2\r\n\t}\r\n}"
    )


def test_plain_json_stays_plain_json() -> None:
    text = json.dumps({"a": {"b": 1}, "c": [1]}, indent=4)
    changed = remove_value(set_value(text, ["a", "d"], {"e": 2}), ["c"])
    assert json.loads(changed) == {"a": {"b": 1, "d": {"e": 2}}}


def test_half_a_surrogate_pair_can_be_written() -> None:
    text = set_value("{}", ["a"], "\ud800")
    assert "\\ud800" in text.encode("utf-8").decode()


@pytest.mark.parametrize("text", ["{a: [1]}", "{a: 5}", '{a: "b"}'])
def test_other_values_on_the_way_are_not_overwritten(text: str) -> None:
    with pytest.raises(LookupError, match="a"):
        set_value(text, ["a", "b"], 1)


def _styled(value: Any, style: str) -> str:
    """The value as people write it: wide or narrow, with comments and trailing commas."""
    if style == "narrow":
        return json.dumps(value)
    lines = json.dumps(value, indent=2, ensure_ascii=False).split("\n")
    return "\n".join(f"{line} // it's, {{ a }} note" for line in lines) + "\n"


@given(OBJECTS, st.lists(KEYS, min_size=1, max_size=3), VALUES, st.sampled_from(["narrow", "wide"]))
def test_set_changes_what_it_should_and_nothing_else(
    before: dict[str, Any], path: list[str], value: Any, style: str
) -> None:
    expected: Any = json.loads(json.dumps(before))
    inner = expected
    for key in path[:-1]:
        if inner.get(key) is None:
            inner[key] = {}
        inner = inner[key]
        assume(isinstance(inner, dict))
    assume(not isinstance(inner.get(path[-1]), dict | list))
    inner[path[-1]] = value
    text = _styled(before, style)
    changed = set_value(text, path, value)
    assert parse_json5(changed).value == json.loads(json.dumps(expected))
    assert changed.count("// it's") == text.count("// it's")


@given(OBJECTS, st.sampled_from(["narrow", "wide"]), st.data())
def test_set_then_remove_gives_the_same_values(
    before: dict[str, Any], style: str, data: st.DataObject
) -> None:
    assume(before)
    key = data.draw(st.sampled_from(sorted(before)))
    changed = remove_value(_styled(before, style), [key])
    assert parse_json5(changed).value == {k: v for k, v in before.items() if k != key}


@given(st.lists(VALUES, max_size=4), VALUES, st.sampled_from(["narrow", "wide"]), st.data())
def test_lists_grow_and_shrink(
    before: list[Any], entry: Any, style: str, data: st.DataObject
) -> None:
    text = _styled({"list": before}, style)
    grown = append_entry(text, ["list"], entry)
    assert parse_json5(grown).value == {"list": [*before, entry]}
    index = data.draw(st.integers(0, len(before)))
    shrunk = [*before, entry]
    del shrunk[index]
    assert parse_json5(remove_value(grown, ["list", index])).value == {"list": shrunk}
