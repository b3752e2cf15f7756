from __future__ import annotations

import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QGuiApplication

from scrubjay_desktop.opening import EDITOR_VARIABLE, Opener, editor_arguments

NOTE = Path("/notes/a b.md")


@pytest.mark.parametrize(
    ("template", "arguments"),
    [
        ("vim +{line} {file}", ["vim", "+7", "/notes/a b.md"]),
        ("code -g {file}:{line}", ["code", "-g", "/notes/a b.md:7"]),
        ("'/opt/my editor/run'", ["/opt/my editor/run", "/notes/a b.md"]),
    ],
)
def test_the_places_of_a_command_are_filled_in(template: str, arguments: list[str]) -> None:
    assert editor_arguments(template, NOTE, 7) == arguments


@pytest.fixture
def record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small editor that writes down what it was asked to open."""
    script, written = tmp_path / "editor.py", tmp_path / "opened.txt"
    script.write_text(
        "import pathlib, sys\npathlib.Path(sys.argv[1]).write_text('|'.join(sys.argv[2:]))\n"
    )
    command = f"'{sys.executable}' '{script}' '{written}' {{file}} {{line}}"
    monkeypatch.setenv(EDITOR_VARIABLE, command)
    return written


@pytest.mark.parametrize("way", ["open", "open_at_line"])
def test_a_note_opens_at_its_line_in_the_persons_editor(qtbot, record: Path, way: str) -> None:
    getattr(Opener(), way)(NOTE, 7)
    qtbot.waitUntil(lambda: record.exists() and record.read_text() == "/notes/a b.md|7")


def test_an_editor_that_does_not_start_is_told(qtbot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(EDITOR_VARIABLE, "/no/such/editor {file}")
    opener = Opener()
    with qtbot.waitSignal(opener.failed) as failed:
        opener.open(NOTE, 1)
    assert failed.args == ["/no/such/editor could not be started"]


@pytest.mark.parametrize("link", ["file:///etc/passwd", "javascript:alert(1)", "other.md"])
def test_links_of_notes_lead_to_the_web_only(qtbot, link: str) -> None:
    opener = Opener()
    with qtbot.waitSignal(opener.failed):
        opener.follow(QUrl(link))


def test_copied_text_is_on_the_clipboard(qtbot) -> None:
    opener = Opener()
    with qtbot.waitSignal(opener.done) as done:
        opener.copy("acorn", "Copied")
    assert (QGuiApplication.clipboard().text(), done.args) == ("acorn", ["Copied"])
