"""Names of conflict copies."""

from __future__ import annotations

from pathlib import PurePath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.text.file_kinds import (
    ConflictCopy,
    are_alike,
    find_conflict_copies,
    is_curated_memory,
)

CERTAIN = [
    "Pond.sync-conflict-20270311-081502-K4XQ2ZA.md",
    "Pond (conflicted copy 2027-03-11 081502).md",
    "Pond (Nora's conflicted copy 2027-03-11).md",
    "Pond (In Konflikt stehende Kopie von Nora 2027-03-11).md",
    "Pond (Copia en conflicto de Nora 2027-03-11).md",
    "Pond (Copie en conflit de Nora 2027-03-11).md",
    "Pond (Copia in conflitto di Nora 2027-03-11).md",
    "Pond (Cópia em conflito de Nora 2027-03-11).md",
    "Pond (Nora の競合コピー 2027-03-11).md",
    "Pond (Nora 的冲突副本 2027-03-11).md",
    "Pond (конфликтующая копия Nora 2027-03-11).md",
    "Pond (Conflicted copy tablet 202703110815).md",
    "Pond_conflict-20270311-081502.md",
    "Pond (SFConflict nora@example.org 2027-03-11-08-15-02).md",
    "Pond (Nora's conflicted copy 2027-03-11).sync-conflict-20270312-081502-K4XQ2ZA.md",
]
POSSIBLE = [
    "Pond 2.md",
    "Pond (1).md",
    "Pond-TABLET.md",
    "Pond-NORAS-PC-2.md",
    "Pond (Conflict).md",
]
OTHERS = [
    "Pond.org",
    "Ponds.md",
    "Pond in conflict.md",
    "lake/Pond 2.md",
    "Ponds 2.md",
    "2027-03.md",
]


@pytest.mark.parametrize("name", CERTAIN)
def test_a_name_that_only_a_sync_program_gives_tells_its_note(name: str) -> None:
    assert find_conflict_copies([f"lake/{name}"]) == {
        f"lake/{name}": ConflictCopy("lake/Pond.md", is_certain=True)
    }


@pytest.mark.parametrize("name", POSSIBLE)
def test_a_name_that_people_give_as_well_needs_its_note(name: str) -> None:
    assert find_conflict_copies([name]) == {}
    assert find_conflict_copies([name, "Pond.md"]) == {
        name: ConflictCopy("Pond.md", is_certain=False)
    }


@pytest.mark.parametrize("name", OTHERS)
def test_other_names_are_those_of_notes(name: str) -> None:
    assert find_conflict_copies([name, "Pond.md"]) == {}


@given(st.lists(st.text("Pond -(1)2.md/[conflicted copy", max_size=30), max_size=8))
def test_a_copy_never_is_its_own_note(labels: list[str]) -> None:
    copies = find_conflict_copies(labels)
    assert copies.keys() <= {*labels}
    assert all(len(copy.note) < len(label) for label, copy in copies.items())


@pytest.mark.parametrize(
    ("copy", "is_alike"),
    [("a\nb\nc\nd", True), ("a\n\nb\nc\nnew", True), ("a\nb\nnew\nother", False), ("\n\n", False)],
)
def test_a_copy_has_most_lines_of_its_note(copy: str, is_alike: bool) -> None:
    assert are_alike(copy.split("\n"), ["a", "b", "c", "d", "e"]) is is_alike


@pytest.mark.parametrize(
    ("name", "is_curated"),
    [
        ("MEMORY.md", True),
        ("memory.md", True),
        ("a/Memory.MD", True),
        ("a/Memory.sync-conflict-20240101-120000.md", True),
        ("MEMORY (Nora's conflicted copy 2027-03-11).sync-conflict-20270312-081502.md", True),
        ("memory/2026-05-08.md", False),
        ("memory/2026-05-08.sync-conflict-20270312-081502.md", False),
        ("MEMORY 2.md", True),
        ("a/memory 12.md", True),
        ("Memory (1).md", True),
        ("MEMORY 2.sync-conflict-20240101-120000.md", True),
        ("MEMORY (conflicto de Nora).md", True),
        ("MEMORY-DESKTOP-7AB2.md", True),
        ("MEMORY - Copy.md", True),
        ("memory-palace.md", False),
        ("MEMORYS 2.md", False),
        ("House 2.md", False),
        ("Memory of a conflict.md", False),
    ],
)
def test_the_curated_memory_is_known_by_its_name_and_by_those_of_its_copies(
    name: str, is_curated: bool
) -> None:
    assert is_curated_memory(PurePath(name)) is is_curated
