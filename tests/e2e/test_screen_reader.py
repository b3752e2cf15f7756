"""Everything that can be done, told over AT-SPI to whoever does not see it."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from support import dialog_program
from support.accessibility import Node, ScreenReader
from support.desktop_session import App, DesktopSession, eventually

from .conftest import app_in

pytestmark = [pytest.mark.e2e, pytest.mark.model]

_LONGEST_S = 180.0
"""For all dialogs one after the other, on a slow computer."""

PAGES = {
    "ctrl+1": ("Search", "Search your notes"),
    "ctrl+2": ("Timeline", "Search these days"),
    "ctrl+3": ("Folders", "Check for changes: Sample notes"),
    "ctrl+4": ("Health", "Check again"),
    "ctrl+5": ("Settings", "Find a setting"),
    "ctrl+6": ("Agents", "Permissions"),
}
"""Key of each page, its name, and a control that only this page has."""
DIALOGS = {"ctrl+m": "Close", "ctrl+r": "Remember", "F1": "Licences", "ctrl+w": "Keep running"}
"""Key of each window of its own, and one of its buttons."""


def is_told(reader: ScreenReader, name: str) -> Callable[[], bool]:
    return lambda: name in {node.name for node in reader.nodes()}


def nameless(nodes: list[Node]) -> list[str]:
    """What can take keys and says nothing, with what was said before it."""
    before = ["", *(f"{node.role} {node.name!r}" for node in nodes)]
    pairs = zip(nodes, before, strict=False)
    return [f"{one.role} after {last}" for one, last in pairs if one.is_focusable and not one.name]


@pytest.fixture(scope="module")
def shown(session: DesktopSession, indexed_home: Path) -> Iterator[App]:
    """The app with its window, which has the keys; one for all tests, which change nothing."""
    with (
        app_in(session, indexed_home) as app,
        contextlib.closing(ScreenReader(session.environ)) as reader,
    ):
        app.start()
        eventually(lambda: reader.names("list item"), what="recent notes")
        eventually(lambda: session.focused() == "Scrubjay", what="the window has the focus")
        yield app
        assert app.process is not None
        assert app.process.poll() is None, app.complaints()


def test_every_page_names_all_of_its_controls(shown: App, reader: ScreenReader) -> None:
    for key, (page, control) in PAGES.items():
        shown.session.key(key)
        eventually(is_told(reader, control), what=f"the page {page}")
        nodes = reader.nodes()
        assert len(nodes) > 20
        assert nameless(nodes) == [], page
    assert shown.complaints() == ""


def test_every_tab_of_the_agents_names_all_of_its_controls(
    shown: App, reader: ScreenReader
) -> None:
    shown.session.key("ctrl+6")
    tabs = eventually(lambda: reader.names("page tab"), what="the tabs")
    assert len(tabs) == 6
    for tab in tabs:
        shown.session.click(
            *eventually(lambda tab=tab: reader.middle_of(tab, "page tab"), what=tab)
        )  # type: ignore[misc]
        eventually(lambda tab=tab: tab in reader.chosen("page tab"), what=f"{tab} is chosen")  # type: ignore[misc]
        assert nameless(reader.nodes()) == [], tab


def test_every_window_of_its_own_names_all_of_its_controls(
    shown: App, reader: ScreenReader
) -> None:
    for key, button in DIALOGS.items():
        shown.session.key(key)
        eventually(is_told(reader, button), what=f"a window with {button}")
        eventually(lambda: shown.session.focused() != "Scrubjay", what="it has the keys")
        assert nameless(reader.nodes()) == [], key
        shown.session.key("Escape")
        eventually(lambda: shown.session.focused() == "Scrubjay", what="the window has the keys")
        assert not is_told(reader, button)()


def test_the_list_of_actions_is_named_and_speaks(shown: App, reader: ScreenReader) -> None:
    shown.session.key("ctrl+k")
    eventually(is_told(reader, "Find an action"), what="the list of actions")
    assert nameless(reader.nodes()) == []
    with reader.listening() as heard:
        shown.session.type("check changes")
        eventually(lambda: "Check for changes, F5" in heard(), what="the action is said")
    shown.session.key("Escape")
    eventually(lambda: not is_told(reader, "Find an action")(), what="it is closed")


def shown_in_turn(session: DesktopSession, home: Path) -> Iterator[str]:
    """The titles of all dialogs, each while it is on the screen and alone there."""
    tests = str(Path(__file__).parents[1])
    around = [tests, *filter(None, [session.environ.get("PYTHONPATH")])]
    environ = {
        **session.environ, "SCRUBJAY_HOME": str(home), "PYTHONPATH": os.pathsep.join(around)
    }  # fmt: skip
    command = [sys.executable, "-m", dialog_program.__name__]
    with subprocess.Popen(
        command, env=environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        # Whoever reads a line of a program that hangs would wait for ever.
        enough = threading.Timer(_LONGEST_S, program.kill)
        enough.start()
        try:
            while True:
                program.stdin.write("\n")
                program.stdin.flush()
                title = program.stdout.readline().strip()
                if not title:
                    break
                yield title
            assert program.wait() == 0
        finally:
            enough.cancel()
            program.kill()


def dialog_of(reader: ScreenReader, title: str) -> list[Node]:
    """What a dialog says, once it is the only one of the program."""
    nodes = reader.nodes(dialog_program.NAME)
    places = [at for at, node in enumerate(nodes) if node.role in ("alert message", "dialog")]
    return nodes[places[0] :] if [nodes[at].name for at in places] == [title] else []


def test_every_dialog_names_all_of_its_controls(
    session: DesktopSession, reader: ScreenReader, tmp_path: Path
) -> None:
    titles = []
    for title in shown_in_turn(session, tmp_path):
        seen = eventually(lambda title=title: dialog_of(reader, title), what=title)  # type: ignore[misc]
        assert nameless(seen) == [], title
        assert any(node.is_focusable for node in seen), title
        titles.append(title)
    assert len(titles) == 33


def test_a_change_of_status_is_said_aloud(shown: App, reader: ScreenReader) -> None:
    with reader.listening() as heard:
        shown.session.key("ctrl+shift+p")
        eventually(lambda: "Paused until you resume reading" in heard(), what="the pause is said")
        shown.session.key("ctrl+shift+p")
        eventually(lambda: "22 notes are up to date" in heard(), what="going on is said")


def test_the_popup_and_its_rows_are_named(app: App, reader: ScreenReader) -> None:
    app.start("--background")
    app.call("--quick-search")
    eventually(is_told(reader, "Quick search"), what="the popup")
    app.session.type("boiler")
    eventually(lambda: any("found" in one.description.lower() for one in reader.nodes()))
    assert nameless(reader.nodes()) == []
    app.session.key("ctrl+space")
    eventually(is_told(reader, "Note"), what="the note beside the rows")
    assert nameless(reader.nodes()) == []


def test_somebody_new_hears_what_to_do_first(session: DesktopSession, reader: ScreenReader) -> None:
    with app_in(session) as app:
        app.start()
        eventually(is_told(reader, "Add a folder…"), what="the first page")
        nodes = reader.nodes()
        assert "Try the sample notes" in {node.name for node in nodes}
        assert nameless(nodes) == []
