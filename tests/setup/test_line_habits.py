"""The measures of how lines are written."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import line_habits
import structure


@pytest.mark.parametrize(
    ("habit", "text", "lines"),
    [
        ("paired assignments", "a, b = x, y", [1]),
        ("paired assignments", "a, b = b, a\na, b = pair()\na = x, y", []),
        ("conditional expressions", "a = x if c else y\nif c:\n    a = x", [1]),
        ("walruses", "if a := x:\n    pass", [1]),
        ("calls with 4 arguments by place", "f(a, b, c, d)\nf(a, b, c=c, d=d)", [1]),
        ("constructors with 7 parts", "class A:\n def __init__(s, a, b, c, d, e, f, g): ...", [2]),
        ("constructors with 7 parts", "class A:\n def __init__(s, a, b, c, d, e, f): ...", []),
        ("callbacks in constructors", "class A:\n def __init__(s, a: Callable[[], int]): ...", [2]),
        ("functions that take the id of a workspace", "def f(workspace: str): ...", [1]),
        ("functions that take the id of a workspace", "def f(workspace: Workspace): ...", []),
        ("functions over 50 lines", "def f():\n" + "    x\n" * 50, [1]),
        ("functions over 50 lines", "def f():\n" + "    x\n" * 49, []),
        ("local times from the system", "dt.datetime.fromtimestamp(0, dt.UTC)", [1]),
        ("local times from the system", "day.astimezone()\ntime.localtime(0)", [1, 2]),
        ("local times from the system", "dt.datetime.now().astimezone()\nat.astimezone(zone)", []),
        (structure.FIELDS, 'a: int\n"""Of the note."""\nb: int\n"""Number of notes."""', [2]),
    ],
)
def test_a_habit_is_found_at_its_line(habit: str, text: str, lines: list[int]) -> None:
    assert [*line_habits.MEASURES[habit](ast.parse(text))] == lines


def test_only_whole_lines_count_as_comments() -> None:
    assert line_habits.comment_lines("# why\na = 1  # why\n\n    # why\n'# text'\n") == 2


@pytest.mark.parametrize(
    "text",
    [
        'monkeypatch.setattr(lease, "_BEAT_SECONDS", 0.0)',
        'monkeypatch.setattr("scrubjay.answers.search_service._TAKEOVER_S", 9.0)',
        'monkeypatch.setattr(lease, "BEAT_SECONDS", 0.0)',
        'mocker.patch("scrubjay.answers.search_service.TAKEOVER_S", 9.0)',
        'with patch.object(lease, "BEAT_SECONDS", 0.0): pass',
        'for name in ("_REST_MS", "_LATE_MS"): monkeypatch.setattr(page, name, 200)',
        "lease._BEAT_SECONDS = 0.0",
        "lease.BEAT_SECONDS = 0.0",
    ],
)
def test_a_constant_that_is_patched_is_found(text: str) -> None:
    assert [*line_habits.patched_constants(ast.parse(text))] == [1]


@pytest.mark.parametrize(
    "text",
    [
        'monkeypatch.setattr(sys, "platform", LINUX)',
        "pane._size = 4",
        'for name in ("HOME", "PATH"): monkeypatch.setenv(name, "x")',
    ],
)
def test_other_patches_are_not_counted(text: str) -> None:
    assert [*line_habits.patched_constants(ast.parse(text))] == []


def test_circles_are_found_among_all_modules() -> None:
    graph = {"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": set[str](), "e": {"d"}}
    assert structure.circles(graph) == [["a", "b", "c"]]


def test_each_habit_has_a_limit() -> None:
    others = {structure.COMMENTS, structure.CIRCLES, structure.PATCHES, structure.TWINS}
    assert {*structure.LIMITS} == {*line_habits.MEASURES} | others


def test_modules_of_one_name_are_found_in_each_package() -> None:
    files = ["scrubjay/a/plan.py", "scrubjay/b/plan.py", "scrubjay/__init__.py", "desk/plan.py"]
    every = {}
    for file in files:
        name = file.removesuffix(".py").replace("/", ".")
        every[name] = structure.Module(name, Path(file), text="", tree=ast.parse(""))
    assert structure.twins(every) == [["scrubjay.a.plan", "scrubjay.b.plan"]]
