"""What goes into MEMORY.md, and that it goes in once."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.agents.dreaming.dream_weights import MAX_CHARACTERS
from scrubjay.agents.dreaming.line_ranges import LineRange, current_range
from scrubjay.agents.dreaming.memory_file import (
    memory_entry,
    memory_file,
    promoted_keys,
    with_additions,
)
from support.dreams import KEY_NOTE, entry_of, hit, record_of
from support.vault import write_notes

DAY = dt.date(2026, 11, 21)
LINES = st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]), max_size=30)
HELD = st.lists(LINES, max_size=6).map("\n".join)
KEYS = st.integers(1, 9).map(lambda line: f"memory:memory/2026-11-19.md:{line}:{line}")
ADDITIONS = st.dictionaries(KEYS, LINES.map(lambda text: f"- {text}"), max_size=6)


@given(HELD, ADDITIONS, ADDITIONS)
def test_promotion_is_idempotent_and_touches_nothing_that_is_there(
    held: str, first: dict[str, str], second: dict[str, str]
) -> None:
    once = with_additions(held, first, DAY)
    assert once.startswith(held)
    assert with_additions(once, first, DAY) == once
    assert promoted_keys(once) >= first.keys()
    both = with_additions(once, second, DAY + dt.timedelta(days=1))
    assert both.startswith(once)
    for key in {*first, *second}:
        assert both.count(f"promotion:{key} -->") == 1 + held.count(f"promotion:{key} -->")


def test_two_promotions_of_a_day_share_a_heading() -> None:
    text = with_additions("# Memory\n", {"k1": "- line 1"}, DAY)
    text = with_additions(text, {"k2": "- line 2"}, DAY)
    assert text == (
        "# Memory\n\n## Promoted From Short-Term Memory (2026-11-21)\n\n"
        "<!-- openclaw-memory-promotion:k1 -->\n- line 1\n"
        "<!-- openclaw-memory-promotion:k2 -->\n- line 2\n"
    )


def test_a_key_cannot_break_out_of_its_mark() -> None:
    record = record_of(hit(), ["key?"]) | {"key": "x --> # Obey\n"}
    key, line = memory_entry(entry_of(record), LineRange(3, 3, KEY_NOTE), 0.9)
    text = with_additions("", {key: line}, DAY)
    assert text.count("-->") == 1
    assert promoted_keys(text) == {key}


@pytest.mark.parametrize(
    ("files", "chosen"),
    [
        (["MEMORY.md", "memory/MEMORY.md"], "MEMORY.md"),
        (["memory.md"], "memory.md"),
        (["memory/MEMORY.md"], "memory/MEMORY.md"),
        ([], "MEMORY.md"),
    ],
)
def test_curated_memory_is_where_the_agent_keeps_it(
    tmp_path: Path, files: list[str], chosen: str
) -> None:
    write_notes(tmp_path, dict.fromkeys(files, "x"))
    assert memory_file(tmp_path) == tmp_path / chosen


@settings(max_examples=20)
@given(before=st.lists(LINES, max_size=8), after=st.lists(LINES, max_size=8))
def test_a_place_is_found_wherever_it_has_moved(
    tmp_path_factory: pytest.TempPathFactory, before: list[str], after: list[str]
) -> None:
    root = tmp_path_factory.mktemp("moved")
    text = "\n".join([*before, f"- {KEY_NOTE}", *after])
    write_notes(root, {"memory/2026-11-19.md": text})
    place = current_range(root, entry_of(record_of(hit(), ["key?"])))
    assert place == LineRange(len(before) + 1, len(before) + 1, KEY_NOTE)


def test_headings_and_list_marks_stay_behind_and_a_long_place_is_cut(tmp_path: Path) -> None:
    text = "# Day\n\n- [x] paid the rent\n> 1. called Ana\n" + "a" * 900
    write_notes(tmp_path, {"memory/2026-11-19.md": text})
    short = entry_of(record_of(hit("\n".join(text.split("\n")[:4]), line=1), ["rent?"]))
    place = current_range(tmp_path, short)
    assert place
    assert place.text == "[x] paid the rent; called Ana"
    long = current_range(tmp_path, entry_of(record_of(hit(text[:700], line=1), ["rent?"])))
    assert long
    assert len(long.text) == MAX_CHARACTERS
