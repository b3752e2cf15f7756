"""Sentences about all notes, in states of real folders in which they would be false.

What each sentence of the app claims, and which test holds it to that, is in tests/setup/claims.txt.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget

from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import Paths
from scrubjay_desktop.app.controllers.notifications import NotificationController
from scrubjay_desktop.settings.preferences import Preferences
from scrubjay_desktop.text.status_sentences import learned_line, nothing_found
from scrubjay_desktop.windows.app_state import status_sentence, tray_tooltip
from support.notes import SYNONYMS, engine_over
from support.providers import AbsentProvider, WordProvider
from support.vault import TIMEOUT, ask, write_notes

ALL_IS_WELL = "3 notes are up to date"
Prepare = Callable[[Engine, Path], object]


def nothing_else(engine: Engine, notes: Path) -> None:
    engine.refresh().result(TIMEOUT)


def with_an_unreadable_note(engine: Engine, notes: Path) -> None:
    write_notes(notes / "work", {"odd.md": b"text with a \0 in it\n"})
    engine.refresh().result(TIMEOUT)


def with_a_folder_that_was_never_read(engine: Engine, notes: Path) -> None:
    engine.refresh(engine.workspace("home")).result(TIMEOUT)


def with_a_folder_that_is_not_there(engine: Engine, notes: Path) -> None:
    engine.refresh().result(TIMEOUT)
    (notes / "work").rename(notes / "elsewhere")
    engine.refresh().result(TIMEOUT)


def with_words_alone(engine: Engine, notes: Path) -> None:
    engine.refresh(words_only=True).result(TIMEOUT)


def paused(engine: Engine, notes: Path) -> None:
    engine.refresh().result(TIMEOUT)
    engine.pause()


def with_everything_in_excluded_or_hidden_folders(engine: Engine, notes: Path) -> None:
    (notes / "work" / "network.md").unlink()
    write_notes(notes / "work", {".hidden/a.md": "# A\n", "node_modules/b.md": "# B\n"})
    engine.refresh(engine.workspace("work")).result(TIMEOUT)


STATES: dict[str, Prepare] = {
    "an unreadable note": with_an_unreadable_note,
    "a folder that was never read": with_a_folder_that_was_never_read,
    "a folder that is not there": with_a_folder_that_is_not_there,
    "words alone": with_words_alone,
    "a pause": paused,
    "hidden folders and those of programs": with_everything_in_excluded_or_hidden_folders,
}


@contextmanager
def engine_in(
    notes: Path, paths: Paths, prepare: Prepare, provider: WordProvider | None = None
) -> Iterator[Engine]:
    """An engine over the folders `home` and `work`, in a state."""
    made = engine_over(notes, paths, provider or WordProvider("10", SYNONYMS))
    try:
        prepare(made, notes)
        yield made
    finally:
        made.close()


def test_the_sentences_are_said_where_they_are_true(
    notes: Path, paths: Paths, no_keychain: None
) -> None:
    with engine_in(notes, paths, nothing_else) as engine:
        status = engine.status()
        assert status_sentence(status) == ALL_IS_WELL
        lines = [learned_line(each) for each in status.workspaces]
        assert lines == [
            "2 notes · all ready for search by meaning",
            "1 note · all ready for search by meaning",
        ]


@pytest.mark.parametrize("state", STATES)
def test_no_notes_are_up_to_date_as_long_as_some_are_not(
    notes: Path, paths: Paths, no_keychain: None, state: str
) -> None:
    with engine_in(notes, paths, STATES[state]) as engine:
        status = engine.status()
        for sentence in (status_sentence(status), tray_tooltip(status)):
            assert not sentence.endswith("up to date"), sentence
        # The folder with what is missing is the second one; notes read by their words are read.
        line = learned_line(status.workspaces[1])
        assert not line.endswith("all ready for search by meaning"), line
        assert not line.endswith("up to date") or state == "words alone", line


@pytest.mark.parametrize("state", STATES)
def test_notes_are_told_to_be_ready_only_when_all_of_them_are(
    qtbot, notes: Path, paths: Paths, no_keychain: None, state: str
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    news = NotificationController(window, Preferences(paths))
    told: list[str] = []
    news.notified.connect(lambda title, _text: told.append(title))
    with engine_in(notes, paths, STATES[state]) as engine:
        news.show_status(engine.status())
        assert told == []


def test_nothing_is_found_says_what_was_not_searched(
    notes: Path, paths: Paths, no_keychain: None
) -> None:
    with engine_in(notes, paths, with_an_unreadable_note) as engine:
        answer = ask(engine, "quagga zebra")
        assert nothing_found(answer)[1] == "1 note could not be read."


def test_a_service_that_does_not_answer_leaves_notes_to_words(
    notes: Path, paths: Paths, no_keychain: None
) -> None:
    with engine_in(notes, paths, nothing_else, AbsentProvider()) as engine:
        sentence = status_sentence(engine.status())
    assert "searchable by words" in sentence


@pytest.mark.parametrize("was_read", [False, True])
def test_a_folder_that_is_turned_off_is_no_part_of_what_is_up_to_date(
    notes: Path, paths: Paths, no_keychain: None, was_read: bool
) -> None:
    def with_one_off(engine: Engine, notes: Path) -> None:
        if was_read:
            engine.refresh().result(TIMEOUT)
        settings = json.loads(paths.config_file.read_text())
        settings["agents"] = {"list": [{"id": "work", "memorySearch": {"enabled": False}}]}
        paths.config_file.write_text(json.dumps(settings))
        engine.reload_settings().result(TIMEOUT)
        engine.refresh().result(TIMEOUT)

    with engine_in(notes, paths, with_one_off) as engine:
        status = engine.status()
        assert status_sentence(status) == "2 notes are up to date"
        assert learned_line(status.workspaces[1]) == "Search is turned off in the settings"
