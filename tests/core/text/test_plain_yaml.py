"""YAML of strangers."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.text.plain_yaml import parse_plain_yaml

_MERGED = "\n".join(f"a{n + 1}: &a{n + 1} {{<<: [*a{n}, *a{n}]}}" for n in range(40))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", None),
        ("tags: [a, 'b: c']\nyear: 2026", {"tags": ["a", "b: c"], "year": 2026}),
        ("a: " + "[" * 19 + "]" * 19, json.loads('{"a": ' + "[" * 19 + "]" * 19 + "}")),
        ("- a\n- - b", ["a", ["b"]]),
    ],
)
def test_plain_values_are_read(text: str, value: Any) -> None:
    assert parse_plain_yaml(text) == value


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("a: " + "[" * 1_000_000, id="brackets in brackets"),
        pytest.param("a: " + "{" * 1_000_000, id="braces in braces"),
        pytest.param("a: " + "[{" * 500_000, id="both in each other"),
        pytest.param("- " * 100_000, id="lists in lists"),
        pytest.param("\n".join(f"{' ' * n}a:" for n in range(1_000)), id="lines in lines"),
        pytest.param(f"a0: &a0 {{b: c}}\n{_MERGED}", id="merges of merges"),
        pytest.param("a: &a [*a]", id="a list in itself"),
        "a: [", "a: \0", "a\n---\nb", "day: 2026-13-45", "!!python/name:os.system x",
        "a: !!bool maybe", "a: !!int ''", "a: !!timestamp x", f"a: 1{':1' * 400}.5",
        pytest.param(f"a: {'1' * 5_000}", id="a long number"),
    ],
)  # fmt: skip
def test_anything_else_is_no_plain_yaml(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        parse_plain_yaml(text)


@given(st.text("[]{}-:?&*!<|>'\"#%\n a1.\0", max_size=60))
def test_nothing_else_is_raised(text: str) -> None:
    with contextlib.suppress(ValueError):
        parse_plain_yaml(text)
