"""Which folders QMD is given, and what belongs to them."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrubjay.config.schema.qmd_backend import QmdSettings
from scrubjay.qmd.collections import QmdCollection, workspace_collections
from scrubjay.records.note_records import Source
from support.case_blind import case_blind
from support.vault import write_notes

__all__ = ["case_blind"]


def listed(root: Path, sessions: Path | None = None, **settings: object) -> list[tuple[str, ...]]:
    found = workspace_collections(root, QmdSettings.of(settings), sessions)
    return [(name, str(collection.root), collection.pattern) for name, collection in found.items()]


def test_an_agent_has_its_memory_and_a_folder_its_notes(tmp_path: Path) -> None:
    agent = write_notes(tmp_path / "agent", {"MEMORY.md": "# M\n", "memory/a.md": "# A\n"})
    assert listed(agent) == [
        ("memory-root", str(agent), "MEMORY.md"),
        ("memory-dir", str(agent / "memory"), "**/*.md"),
    ]
    notes = write_notes(tmp_path / "notes", {"a.md": "# A\n"})
    assert listed(notes) == [("notes", str(notes), "**/*.md")]
    assert listed(notes, includeDefaultMemory=False) == []


def test_folders_of_ones_own_get_safe_unique_names(tmp_path: Path) -> None:
    for name in ("one", "two", "three", "four"):
        (tmp_path / name).mkdir()
    (tmp_path / "three" / "file.md").write_text("# F\n")
    paths = [
        {"path": "one", "name": "Mi Wikí!", "pattern": "docs/*.md"},
        {"path": "two", "name": "mi wiki"},
        {"path": "three/file.md"},
        {"path": "four", "name": "sessions"},
        {"path": "four"},
        {"path": "gone"},
        {"path": " "},
    ]
    assert listed(tmp_path, tmp_path, includeDefaultMemory=False, paths=paths) == [
        ("mi-wiki", str(tmp_path / "one"), "docs/*.md"),
        ("mi-wiki-2", str(tmp_path / "two"), "**/*.md"),
        ("custom-3", str(tmp_path / "three"), "file.md"),
        ("sessions-2", str(tmp_path / "four"), "**/*.md"),
        ("sessions", str(tmp_path), "**/*.md"),
    ]


@pytest.mark.parametrize(
    ("pattern", "inside", "holds"),
    [
        ("**/*.md", "a.md", True),
        ("**/*.md", "deep/er/a.md", True),
        ("**/*.md", "a.txt", False),
        ("*.md", "deep/a.md", False),
        ("docs/**", "docs/x/a.md", True),
        ("docs/**", "other/a.md", False),
        ("*.{md,txt}", "a.txt", True),
        ("a.md, b.md", "b.md", True),
        ("[ab]?.md", "ax.md", True),
        ("[!ab].md", "a.md", False),
        ("MEMORY.md", "MEMORY.md", True),
        ("MEMORY.md", "src/MEMORY.md", False),
        ("MEMORY.md", "MEMORYxmd", False),
        ("**/*.md", ".hidden/a.md", False),
        ("**/*.md", "../a.md", False),
        ("**/*.md", "a/../../b.md", False),
        ("**/*.md", "/etc/a.md", False),
        ("**/*.md", "C:/a.md", False),
        ("**/*.md", "a\\..\\b.md", False),
        ("**/*.md", "a\0.md", False),
        ("{", "{", True),
    ],
)
def test_a_pattern_holds_what_it_says(pattern: str, inside: str, holds: bool) -> None:
    assert QmdCollection("x", Path("/x"), pattern, Source.EXTRA).holds(inside) is holds


@pytest.mark.parametrize("printed", ["deep/router.md", "Deep/router.md", "Deep/Router.md"])
def test_a_file_is_named_as_a_disk_that_ignores_case_lists_it(
    case_blind: Path, printed: str
) -> None:
    write_notes(case_blind, {"Deep/Router.md": "# Router\n"})
    [listed] = case_blind.rglob("*.md")
    collection = QmdCollection("x", case_blind, "**/*.md", Source.EXTRA)
    assert collection.locate(printed) == listed.relative_to(case_blind).as_posix()
