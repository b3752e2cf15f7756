"""Which lines a hit is about."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from scrubjay.agents.dreaming.line_ranges import narrow_hits
from scrubjay.records.note_records import Workspace
from support.dreams import hit
from support.vault import write_notes

DAY = """\
# 2026-11-19

- Ana likes tea
- The night train leaves from
  platform seven
1. numbered

A paragraph that
goes on.
| a | row |
| another | row |

## Heading
```
code
"""


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace("agent", "agent", write_notes(tmp_path, {"memory/2026-11-19.md": DAY}))


@pytest.mark.parametrize(
    ("best", "first", "last"),
    [(1, 3, 3), (3, 3, 3), (4, 4, 5), (5, 4, 5), (6, 6, 6), (8, 8, 9), (9, 8, 9), (10, 10, 10),
     (12, 11, 11), (13, 11, 11), (15, 15, 15)],
)  # fmt: skip
def test_a_range_is_the_item_or_paragraph_around_the_best_line(
    workspace: Workspace, best: int, first: int, last: int
) -> None:
    window = replace(hit("x"), first_line=1, last_line=15, best_line=best)
    [narrowed] = narrow_hits(workspace, [window])
    assert (narrowed.first_line, narrowed.last_line) == (first, last)
    assert narrowed.snippet.text == "\n".join(DAY.split("\n")[first - 1 : last])


def test_other_windows_around_a_line_are_one_range(workspace: Workspace) -> None:
    windows = [
        replace(hit("x"), first_line=first, last_line=last, best_line=4)
        for first, last in ((1, 15), (3, 5), (4, 4), (2, 99))
    ]
    found = {
        (narrowed.first_line, narrowed.last_line) for narrowed in narrow_hits(workspace, windows)
    }
    assert found == {(4, 5)}


def test_what_says_nothing_or_is_gone_is_no_range(workspace: Workspace) -> None:
    heading = replace(hit("x"), first_line=13, last_line=13, best_line=13)
    assert (
        list(narrow_hits(workspace, [heading, hit(path="memory/2026-01-01.md"), hit(line=99)]))
        == []
    )


@settings(max_examples=20)
@given(
    st.lists(st.sampled_from(["", "# H", "- a", "b", "```", "| c |", "> d"])), st.integers(-3, 40)
)
def test_any_note_and_any_line_give_a_place_in_it_or_none(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str], best: int
) -> None:
    root = write_notes(tmp_path_factory.mktemp("any"), {"memory/2026-11-19.md": "\n".join(lines)})
    window = replace(hit("x"), first_line=1, last_line=40, best_line=best)
    for narrowed in narrow_hits(Workspace("agent", "agent", root), [window]):
        assert 1 <= narrowed.first_line <= narrowed.best_line <= narrowed.last_line <= len(lines)
        assert narrowed.snippet.text.strip()
