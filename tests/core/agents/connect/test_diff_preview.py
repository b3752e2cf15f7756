"""How a change of somebody's settings is shown, also in files of one long line."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.agents.connect.settings_edit import diff_lines
from scrubjay.records.journal_records import LineKind

LONG = {"theme": "dark, with [brackets] in it", "mcpServers": {"other": {"args": [], "n": 1}}}
ENTRY = {"command": "/usr/bin/scrubjay", "args": ["mcp", "--client", "cursor"], "timeout": 20}
SIGNS = {LineKind.SAME: " ", LineKind.ADDED: "+", LineKind.REMOVED: "-", LineKind.GAP: "~"}


def shown(before: str, after: str) -> list[str]:
    return [f"{SIGNS[line.kind]} {line.text}" for line in diff_lines(before, after)]


def test_of_one_long_line_only_what_is_new_is_told_as_new() -> None:
    before = json.dumps(LONG)
    after = json.dumps({**LONG, "mcpServers": {**LONG["mcpServers"], "scrubjay": ENTRY}})
    assert shown(before, after) == [
        "~ ",
        '      "other": {',
        '        "args": [],',
        '        "n": 1',
        "+     },",
        '+     "scrubjay": {',
        '+       "command": "/usr/bin/scrubjay",',
        '+       "args": [',
        '+         "mcp",',
        '+         "--client",',
        '+         "cursor"',
        "+       ],",
        '+       "timeout": 20',
        "      }",
        "    }",
        "  }",
    ]


def test_short_lines_stay_as_they_are() -> None:
    before = '{\n  "a": {"b": 1},\n  "c": 2\n}\n'
    assert shown(before, before.replace("2", "3")) == [
        "  {", '    "a": {"b": 1},', '-   "c": 2', '+   "c": 3', "  }",
    ]  # fmt: skip


def test_a_long_line_that_does_not_change_stays_in_one_piece() -> None:
    long = f'["{"x" * 200}", 1]'
    assert shown(f"{long}\na", f"{long}\nb") == [f"  {long}", "- a", "+ b"]


@pytest.mark.parametrize("broken", ['{"a": "never closed, ' + "x" * 100, "]]}}" * 40, "," * 120])
def test_what_makes_no_sense_is_shown_all_the_same(broken: str) -> None:
    lines = diff_lines(broken, "")
    assert "".join(line.text.replace(" ", "") for line in lines) == broken.replace(" ", "")


@pytest.mark.parametrize("sign", ['"', "'", '[" ', "\\'"])
def test_a_long_line_of_quotes_without_an_end_is_cut_at_once(sign: str) -> None:
    broken = sign + '\\"' * 400_000
    assert "".join("".join(line.text for line in diff_lines(broken, "")).split()) == broken.replace(
        " ", ""
    )


@given(st.text(st.sampled_from("{}[],:'\"\\ ab\n"), max_size=60))
def test_nothing_of_a_file_is_lost(text: str) -> None:
    long = text + "x" * 120
    kept = "".join(line.text for line in diff_lines(long, "") if line.kind is LineKind.REMOVED)
    assert "".join(kept.split()) == "".join(long.split())
