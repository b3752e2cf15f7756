"""What QMD prints, and what becomes of it."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.config.schema.qmd_backend import QmdSettings
from scrubjay.errors import QmdFailed
from scrubjay.qmd.collections import workspace_collections
from scrubjay.qmd.results import limit_hits, parse_hits
from scrubjay.records.note_records import Workspace
from scrubjay.records.search_records import Hit
from support import platforms
from support.vault import write_notes

DAY = "qmd://memory-dir/2026-02-01.md"


def entry(file: str = DAY, **fields: object) -> dict[str, object]:
    return {"docid": "#1a2b3c", "score": 0.5, "file": file, "title": "Day"} | fields


@pytest.mark.parametrize(
    ("fields", "lines", "text"),
    [
        ({"snippet": "@@ -6,3 @@ (5 before, 1 after)\nA\nB\nC", "line": 7}, (6, 8, 7), "A\nB\nC"),
        ({"snippet": "@@ -6,3 @@\nA"}, (6, 8, 6), "A"),
        ({"snippet": "@@ -4 @@\nA"}, (4, 4, 4), "A"),
        ({"snippet": "@@ -0,0 @@\n"}, (1, 1, 1), ""),
        ({"snippet": "A\nB", "line": 9}, (9, 10, 9), "A\nB"),
        ({"snippet": "A @@ -6,3 @@", "line": "9"}, (1, 1, 1), "A @@ -6,3 @@"),
        ({"snippet": "@@ -6,3 @@\nA", "line": 99}, (6, 8, 8), "A"),
        ({}, (1, 1, 1), ""),
    ],
)
def test_lines_come_from_the_head_of_the_snippet(
    workspace: Workspace, fields: dict[str, object], lines: tuple[int, int, int], text: str
) -> None:
    [hit] = made(workspace, DAY, **fields)
    assert (hit.first_line, hit.last_line, hit.best_line) == lines
    assert hit.snippet.text == text


@pytest.mark.parametrize("output", ["[]", "No results found.", "No results found for query: x"])
def test_nothing_found_is_an_answer(output: str, workspace: Workspace) -> None:
    assert parse_hits(f"{output}\n", workspace, {}) == []


@pytest.mark.parametrize(
    "output",
    ["", "Warning: no GPU", "{}", "null", '{"error": "busy"}', "[1, 2]", '[{"file": 5}]',
     '[{"score": 1}]', '[{"file": "alone.md", "score": 1}]', "[" * 100_000],
)  # fmt: skip
def test_what_is_no_answer_is_refused(output: str, workspace: Workspace) -> None:
    with pytest.raises(QmdFailed):
        parse_hits(output, workspace, {})


@given(st.text() | st.recursive(st.none() | st.floats() | st.text(), st.lists).map(json.dumps))
def test_no_output_breaks_the_reader(output: str) -> None:
    with contextlib.suppress(QmdFailed):
        assert parse_hits(output, Workspace("jay", "Jay", Path("jay")), {}) == []


@given(st.floats(), st.none() | st.integers() | st.text(), st.none() | st.text())
def test_any_entry_has_a_score_and_lines_in_their_range(
    tmp_path_factory: pytest.TempPathFactory, score: float, line: object, snippet: object
) -> None:
    root = tmp_path_factory.getbasetemp() / "any"
    write_notes(root, {"memory/2026-02-01.md": "# Day\n", "MEMORY.md": "# Curated\n"})
    [hit] = made(Workspace("jay", "Jay", root), DAY, score=score, line=line, snippet=snippet)
    assert 0 <= hit.score <= 1 <= hit.first_line <= hit.best_line <= hit.last_line


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    write_notes(
        tmp_path,
        {
            "agent/MEMORY.md": "# Curated\n",
            "agent/src/secret.md": "# Secret\n",
            "agent/memory/2026-02-01.md": "# Day\n",
            "agent/memory/My Plans (old).md": "# Plans\n",
            "wiki/deep/Router.md": "# Router\n",
            "outside.md": "# Outside\n",
        },
    )
    platforms.make_link(tmp_path / "wiki/link.md", tmp_path / "outside.md")
    return Workspace("jay", "Jay", tmp_path / "agent")


def made(workspace: Workspace, *files: str, **fields: object) -> list[Hit]:
    settings = QmdSettings.of(
        {"paths": [{"path": str(workspace.root.parent / "wiki"), "name": "wiki"}]}
    )
    printed = json.dumps([entry(file, **fields) for file in files])
    return parse_hits(printed, workspace, workspace_collections(workspace.root, settings, None))


@pytest.mark.parametrize(
    ("file", "path"),
    [
        (DAY, "memory/2026-02-01.md"),
        ("memory-dir/2026-02-01.md", "memory/2026-02-01.md"),
        ("qmd://memory-root/MEMORY.md", "MEMORY.md"),
        ("qmd://memory-root/memory.md", "MEMORY.md"),
        ("qmd://memory-dir/my-plans-old.md", "memory/My Plans (old).md"),
        ("qmd://memory-dir/My%20Plans%20(old).md", "memory/My Plans (old).md"),
        ("qmd://wiki/deep/Router.md?index=jay", "qmd/wiki/deep/Router.md"),
        ("qmd://wiki/deep/router.md", "qmd/wiki/deep/Router.md"),
    ],
)
def test_hits_are_named_as_in_the_workspace(workspace: Workspace, file: str, path: str) -> None:
    assert [hit.path for hit in made(workspace, file)] == [path]


@pytest.mark.parametrize(
    "file",
    [
        "qmd://nobody/2026-02-01.md",
        "qmd://memory-dir/gone.md",
        "qmd://memory-dir/../src/secret.md",
        "qmd://memory-dir/%2e%2e/src/secret.md",
        "qmd://memory-root/src/secret.md",
        "qmd://wiki/link.md",
        "qmd://wiki//etc/passwd",
    ],
)
def test_what_is_outside_of_the_collections_is_no_hit(workspace: Workspace, file: str) -> None:
    assert made(workspace, file) == []


def test_conflict_copies_stand_behind_their_note_before_the_limit(workspace: Workspace) -> None:
    copies = [f"2026-02-01.sync-conflict-20260201-08150{n}-K4XQ2ZA.md" for n in range(3)]
    other = "2026-02-02.md"
    write_notes(workspace.root / "memory", dict.fromkeys([*copies, other], "newts\n"))
    files = [*(f"qmd://memory-dir/{name}" for name in copies), DAY, f"qmd://memory-dir/{other}"]
    found = made(workspace, *files)
    first, second = limit_hits(found, QmdSettings.of({"limits": {"maxResults": 2}}), None)
    assert (first.path, second.path) == ("memory/2026-02-01.md", f"memory/{other}")
    assert first.conflict_copies == tuple(f"memory/{name}" for name in copies)


def test_limits_hold_for_hits_and_their_text(workspace: Workspace) -> None:
    found = made(workspace, *[DAY] * 9, snippet="@@ -1,1 @@\n" + "x" * 1000)
    limits = {"maxResults": 5, "maxSnippetChars": 300, "maxInjectedChars": 1000}
    settings = QmdSettings.of({"limits": limits})
    sizes = [len(hit.snippet.text) for hit in limit_hits(found, settings, None)]
    assert sizes == [300, 300, 300, 100]
    assert len(limit_hits(found, settings, 2)) == 2
