"""Notes on drives that come and go, clocks that jump, and folders that may not be written."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import pytest

from scrubjay.engine.engine import Engine
from scrubjay.events import IndexFinished
from scrubjay.platform.paths import Paths
from scrubjay.records.status_records import IndexState
from support.limits import PATIENT
from support.providers import WordProvider
from support.vault import TIMEOUT, Announcements, NewEngine, add, age, ask, found, write_notes
from support.waiting import wait_until

pytestmark = PATIENT

TEXTS = {"router.md": "The password of the router.\n", "sea.md": "Emma likes the sea.\n"}
YEARS = 50 * 365 * 86_400


def unmount(folder: Path) -> None:
    subprocess.run(["umount", str(folder)], check=True)


def mount(folder: Path) -> None:
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)], check=True)


def test_a_drive_that_disappears_prunes_nothing_and_comes_back(
    new_engine: NewEngine, small_disk: Path
) -> None:
    """What an unplugged drive leaves behind is an empty folder."""
    write_notes(small_disk, TEXTS)
    engine = new_engine()
    engine.refresh(add(engine, small_disk)).result(TIMEOUT)
    unmount(small_disk)
    try:
        answer = ask(engine, "router")
        assert answer.hits[0].path == "router.md"
        assert "drive is probably not connected" in answer.freshness.reason
        [report] = engine.refresh().result(TIMEOUT)
        assert (report.removed, report.away) == (0, answer.freshness.reason)
        [status] = engine.status().workspaces
        assert status.state is IndexState.ERROR
        assert "You can still search" in status.error
    finally:
        mount(small_disk)
    write_notes(small_disk, TEXTS | {"zoo.md": "A zebra.\n"})
    assert found(engine, "zebra") == ["zoo.md"]
    [report] = engine.refresh().result(TIMEOUT)
    assert (report.away, report.embedded) == ("", 1)
    assert engine.status().workspaces[0].state is IndexState.READY
    assert ask(engine, "router").freshness.reason == ""


def test_a_folder_that_is_away_is_told_and_followed_again(
    new_engine: NewEngine, notes: Path, paths: Paths
) -> None:
    quick = "{memorySearch: {sync: {watchDebounceMs: 100}}}"
    write_notes(paths.config, {"config.json5": quick})
    engine = new_engine()
    heard = Announcements(engine)
    engine.start()
    add(engine, notes)
    heard.wait(lambda: heard.of(IndexFinished))
    away = notes.rename(notes.with_name("away"))
    wait_until(lambda: engine.status().workspaces[0].state is IndexState.ERROR)
    assert f"The folder {notes} does not exist" in engine.status().workspaces[0].error
    assert found(engine, "router") == ["house/router.md"]
    assert ask(engine, "router").freshness.unreadable == 0
    away.rename(notes)
    wait_until(lambda: engine.status().workspaces[0].state is IndexState.READY)
    assert engine.status().workspaces[0].error == ""


def test_notes_that_were_all_deleted_are_forgotten(engine: Engine, notes: Path) -> None:
    engine.refresh(add(engine, notes)).result(TIMEOUT)
    for file in notes.rglob("*.md"):
        file.unlink()
    [report] = engine.refresh().result(TIMEOUT)
    assert (report.removed, report.away) == (3, "")


@pytest.mark.parametrize("seconds", [-YEARS, YEARS])
def test_a_change_is_seen_whatever_the_clock_said(
    engine: Engine, notes: Path, seconds: float
) -> None:
    """Of a file from the future every pass reads the bytes: its time says nothing."""
    garden = notes / "garden.md"
    age(garden, seconds)
    engine.refresh(add(engine, notes)).result(TIMEOUT)
    garden.write_text(garden.read_text().replace("tomatoes", "pumpkins") + "\n")
    age(garden, seconds)
    assert found(engine, "pumpkins") == ["garden.md"]
    assert found(engine, "tomatoes") == []


def test_a_note_of_the_same_size_from_the_future_is_read_again(engine: Engine, notes: Path) -> None:
    garden = notes / "garden.md"
    when = time.time() + YEARS
    os.utime(garden, (when, when))
    engine.refresh(add(engine, notes)).result(TIMEOUT)
    garden.write_text(garden.read_text().replace("tomatoes", "potatoes"))
    os.utime(garden, (when, when))
    assert found(engine, "potatoes") == ["garden.md"]
    [report] = engine.refresh().result(TIMEOUT)
    assert (report.changed, report.unchanged) == (0, 3)


def test_an_older_file_that_is_put_back_is_a_change(engine: Engine, notes: Path) -> None:
    """As after a clock was set back, or a backup restored."""
    engine.refresh(add(engine, notes)).result(TIMEOUT)
    garden = notes / "garden.md"
    garden.write_text("Now about pumpkins.\n")
    age(garden, YEARS)
    assert found(engine, "pumpkins") == ["garden.md"]
    assert ask(engine, "pumpkins").freshness.pending == 0


def test_a_folder_that_may_not_be_written_is_indexed_and_followed(locked_away: Path) -> None:
    root = write_notes(locked_away / "notes", TEXTS)
    engine = Engine(Paths.under(locked_away / "home"), provider=WordProvider())
    try:
        root.chmod(0o500)
        engine.refresh(add(engine, root)).result(TIMEOUT)
        assert found(engine, "router") == ["router.md"]
        (root / "sea.md").write_text("Emma likes the mountains.\n")
        assert found(engine, "mountains") == ["sea.md"]
        assert sorted(file.name for file in root.iterdir()) == ["router.md", "sea.md"]
    finally:
        engine.close()
