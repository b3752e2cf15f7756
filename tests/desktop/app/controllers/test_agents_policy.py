"""The page of agents comes into the navigation with the first agent, or when it is wanted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication

from scrubjay.platform.paths import Paths
from scrubjay.records.access_records import Action, AuditEntry, Permission
from scrubjay_desktop.agents.agents_page import AgentsPage
from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.settings.preferences import Preferences
from scrubjay_desktop.windows.navigation import NavigationEntry
from support.app import WORDS_ONLY, running_app
from support.notes import write_notes

pytestmark = pytest.mark.qt_log_ignore("systemTrayWindowChanged", extend=True)


@pytest.fixture
def running(qtbot, qapp: QApplication, paths: Paths) -> Iterator[Desktop]:
    """The app of a person without agents, after it looked for some."""
    with running_app(qapp, paths, settings=WORDS_ONLY) as made:
        qtbot.waitSignal(made.late.agents.looked).wait()
        yield made


def entry_of(running: Desktop) -> NavigationEntry:
    return running.window.navigation.entries["agents"]


def keys_of(running: Desktop) -> dict[str, str]:
    """Keys of the pages in sight."""
    entries = running.window.navigation.entries.items()
    return {name: entry.shortcut().toString() for name, entry in entries if not entry.isHidden()}


def menu_entry(running: Desktop) -> QAction:
    entries = running.window.window_actions.app_menu().actions()
    [action] = [one for one in entries if one.text() == "For AI a&gents"]
    return action


def test_without_agents_only_the_menu_leads_to_their_page(qtbot, running: Desktop) -> None:
    assert not entry_of(running).isVisible()
    before = keys_of(running)
    assert (before["health"], before["settings"]) == ("Ctrl+4", "Ctrl+5")
    menu_entry(running).trigger()
    page = running.window.pages.currentWidget()
    assert isinstance(page, AgentsPage)
    qtbot.waitUntil(page.look_again.isVisible)
    assert not page.tabs.isVisible()
    assert entry_of(running).isVisible()
    # The keys of all other pages stay as they were.
    assert keys_of(running) == before | {"agents": "Ctrl+6"}
    assert not menu_entry(running).isVisible()
    assert not running.preferences.shows_agents


def a_program_comes(running: Desktop, _notes: Path) -> None:
    (Path.home() / ".cursor").mkdir()
    running.late.agents.look()


def a_question_comes(running: Desktop, _notes: Path) -> None:
    running.engine.agents.record(AuditEntry("codex", "memory_search", "roof")).result()


def a_rule_comes(running: Desktop, _notes: Path) -> None:
    running.engine.agents.set_rule("", "", Action.WRITE, Permission.ASK).result()


def a_folder_of_an_agent_comes(running: Desktop, notes: Path) -> None:
    write_notes(notes, {"MEMORY.md": "# Memory\n", "memory/2026-05-08.md": "- roof\n"})
    running.late.actions.add_folder(notes)


@pytest.mark.parametrize(
    "come", [a_program_comes, a_question_comes, a_rule_comes, a_folder_of_an_agent_comes]
)
def test_an_agent_brings_its_page(
    qtbot, running: Desktop, tmp_path: Path, come: Callable[[Desktop, Path], None]
) -> None:
    come(running, tmp_path / "agent")
    qtbot.waitUntil(entry_of(running).isVisible)
    assert running.preferences.shows_agents


def test_a_page_of_agents_that_are_gone_goes_with_them(
    qtbot, running: Desktop, tmp_path: Path
) -> None:
    a_folder_of_an_agent_comes(running, tmp_path / "agent")
    qtbot.waitUntil(entry_of(running).isVisible)
    [workspace] = running.engine.workspaces()
    running.engine.folders.change(replace(workspace, layout="notes")).result()
    qtbot.waitUntil(lambda: not entry_of(running).isVisible())
    assert not running.preferences.shows_agents


def test_the_sample_notes_are_no_agent(qtbot, running: Desktop) -> None:
    with qtbot.waitSignal(running.late.agents.looked):
        running.late.actions.add_sample()
    qtbot.waitUntil(lambda: running.engine.workspaces() != ())
    with qtbot.waitSignal(running.late.agents.looked):
        running.late.agents.look()
    assert not entry_of(running).isVisible()


def test_a_vain_look_is_told_and_one_that_finds_shows_the_tabs(qtbot, running: Desktop) -> None:
    menu_entry(running).trigger()
    page = running.window.pages.currentWidget()
    qtbot.waitUntil(page.look_again.isVisible)
    page.look_again.click()
    told = "No agents were found on this computer."
    qtbot.waitUntil(lambda: running.window.banner.words == told)
    (Path.home() / ".cursor").mkdir()
    page.look_again.click()
    qtbot.waitUntil(page.connect_pane.rows["cursor"].isVisible)


def test_the_page_keeps_its_place_over_a_restart(qtbot, running: Desktop) -> None:
    (Path.home() / ".cursor").mkdir()
    running.late.agents.look()
    qtbot.waitUntil(lambda: running.preferences.shows_agents)
    running.preferences.save()
    assert Preferences(running.paths).shows_agents
