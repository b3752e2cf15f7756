"""The line at the bottom of the window."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtGui import QAccessible

from scrubjay.engine.engine import Engine
from scrubjay.records.status_records import IndexState, Progress
from scrubjay_desktop.widgets.labels import ElidedLabel
from scrubjay_desktop.windows.status_line import PAUSE_MINUTES, StatusLine, pause_menu
from support.notes import while_reading, with_workspace


@pytest.fixture
def line(qtbot) -> StatusLine:
    line = StatusLine()
    qtbot.addWidget(line)
    line.show()
    return line


def button_names(line: StatusLine) -> list[str]:
    """Names of the buttons that can be seen."""
    from PySide6.QtWidgets import QAbstractButton

    return [one.accessibleName() for one in line.findChildren(QAbstractButton) if one.isVisible()]


def test_an_idle_engine_is_up_to_date_and_can_be_paused(line: StatusLine, engine: Engine) -> None:
    line.show_status(engine.status())
    assert line.sentence == "3 notes are up to date"
    assert button_names(line) == ["Pause reading (Ctrl+Shift+P)"]
    assert not line.bar.isVisible()


def test_without_folders_there_is_nothing_to_pause(line: StatusLine, engine: Engine) -> None:
    line.show_status(replace(engine.status(), workspaces=()))
    assert line.sentence == "Add a folder of notes to begin"
    assert button_names(line) == []


@pytest.mark.parametrize(
    ("progress", "percent", "tip"),
    [
        (Progress(), None, ""),
        (Progress("scanning", learned=1, passages=4), None, ""),
        (Progress("words", learned=1, passages=4, done=30, total=120), 25, "25%"),
        (Progress("meaning", learned=100, passages=100), 100, "100%"),
    ],
)
def test_the_bar_shows_how_far_a_pass_is(
    line: StatusLine, engine: Engine, progress: Progress, percent: int | None, tip: str
) -> None:
    reading = {"state": IndexState.INDEXING, "progress": progress}
    line.show_status(with_workspace(engine.status(), "home", **reading))
    assert line.bar.isVisible()
    assert (line.bar.percent, line.bar.toolTip()) == (percent, tip)
    assert line.bar.accessibleName() == line.sentence
    line.bar.grab()  # is painted in every state


def test_a_paused_pass_has_no_bar(line: StatusLine, engine: Engine) -> None:
    line.show_status(replace(while_reading(engine.status()), is_paused=True))
    assert not line.bar.isVisible()
    assert button_names(line) == ["Resume reading (Ctrl+Shift+P)"]


def test_the_button_pauses_until_resumed_and_resumes(
    qtbot, line: StatusLine, engine: Engine
) -> None:
    line.show_status(engine.status())
    with qtbot.waitSignal(line.paused) as paused:
        line.toggle_pause()
    assert paused.args == [None]
    line.show_status(replace(engine.status(), is_paused=True))
    with qtbot.waitSignal(line.resumed):
        line.toggle_pause()


@pytest.mark.parametrize(("entry", "minutes"), [(0, PAUSE_MINUTES), (1, None)])
def test_the_menu_offers_an_hour_or_no_end(
    qtbot, line: StatusLine, entry: int, minutes: int | None
) -> None:
    with qtbot.waitSignal(line.paused) as paused:
        pause_menu(line.paused, line).actions()[entry].trigger()
    assert paused.args == [minutes]


def test_a_screen_reader_hears_of_another_state_and_not_of_every_step(
    line: StatusLine, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoken: list[str] = []
    monkeypatch.setattr(QAccessible, "updateAccessibility", lambda event: spoken.append("event"))
    monkeypatch.setattr(line, "announce", spoken.append)
    for done in (1, 2, 3):
        progress = Progress("words", done=done, total=4)
        reading = {"state": IndexState.INDEXING, "progress": progress}
        line.show_status(with_workspace(engine.status(), "home", **reading))
    line.show_status(engine.status())
    sentences = [one for one in spoken if one != "event"]
    assert sentences == ["Home notes: reading notes, 3 left", "3 notes are up to date"]


@pytest.mark.parametrize("width", [700, 400])
@pytest.mark.parametrize("home", ["/media/mo", "~"])
def test_a_long_path_is_cut_in_its_middle_and_the_sentence_keeps_its_end(
    line: StatusLine, engine: Engine, person: Path, home: str, width: int
) -> None:
    long = f"{home}/A drive with a long name/Archive of many years/Notes of the museum of science"
    path = str(Path(long))
    root = Path(path).expanduser()
    away = f"La carpeta {path} no existe. Conecta su unidad."
    workspace = engine.status().workspaces[0]
    record = replace(workspace.workspace, name="Museum", root=root)
    missing = replace(workspace, workspace=record, state=IndexState.ERROR, error=away)
    line.show_status(replace(engine.status(), workspaces=(missing,)))
    shown = line.findChild(ElidedLabel).shortened(width)
    assert shown.startswith(f"Museum: La carpeta {path[0]}")
    assert shown.endswith("no existe. Conecta su unidad.")
    assert "…" in shown
    assert line.sentence == f"Museum: {away}"


def test_the_line_is_as_high_without_folders_as_with_some(line: StatusLine, engine: Engine) -> None:
    line.show_status(engine.status())
    height = line.sizeHint().height()
    line.show_status(replace(engine.status(), workspaces=()))
    assert line.sizeHint().height() == height
