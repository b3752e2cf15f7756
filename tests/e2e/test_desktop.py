"""The app as people meet it: a real window manager, a real tray, real keys."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from scrubjay.platform.paths import resources
from support.accessibility import ScreenReader
from support.desktop_session import TRAY_ICON, App, DesktopSession, desktop_session, eventually
from support.imports import imported

from .conftest import app_in

if sys.platform == "linux":
    from support.status_notifier import StatusNotifierHost

pytestmark = [pytest.mark.e2e, pytest.mark.model]

KEY_HOLDER = Path(__file__).parents[1] / "support" / "key_holder.py"
POPUP, WINDOW = "Quick search — Scrubjay", "Scrubjay$"
QUESTIONS = {
    one["question"]: one["path"]
    for one in json.loads((resources() / "sample-questions.json").read_text(encoding="utf-8"))
}


def show_popup(app: App) -> None:
    assert app.call("--quick-search") == 0
    eventually(lambda: app.session.focused() == POPUP, what="the popup has the focus")


def press_key(app: App) -> None:
    """Press the global key; it is taken by the time that two later starts were answered."""
    assert [app.call("--background") for _ in range(2)] == [0, 0]
    app.session.key("ctrl+alt+space")


def best_title(path: str, folder: Path | None = None) -> str:
    text = ((folder or resources() / "sample") / path).read_text(encoding="utf-8")
    return next(line[2:] for line in text.splitlines() if line.startswith("# "))


@pytest.mark.parametrize(
    "question", ["boiler error E119", "when does my daughter's teeth appointment take place?"]
)
def test_a_question_typed_into_the_popup_opens_the_right_note(
    app: App, reader: ScreenReader, question: str
) -> None:
    path = QUESTIONS[question]
    app.start("--background")
    show_popup(app)
    app.session.type(question)
    title = best_title(path)
    eventually(
        lambda: (reader.names("list item") or [""])[0].startswith(title),
        what=f"{title} is the first row",
    )
    app.session.key("Return")
    opened = eventually(lambda: app.opened.exists() and app.opened.read_text(), what="the editor")
    file, line = opened.split("|")
    assert Path(file).as_posix().endswith(path)
    lines = Path(file).read_text(encoding="utf-8").splitlines()
    assert 1 <= int(line) <= len(lines)
    eventually(lambda: not app.session.windows(POPUP), what="the popup is gone")


def test_arrows_in_the_popup_choose_which_note_enter_opens(app: App, reader: ScreenReader) -> None:
    app.start("--background")
    show_popup(app)
    app.session.type("garden")
    eventually(lambda: rows_about("garden", reader), what="two rows")
    app.session.key("Down")
    # From here on no row moves; before, the full answer may have put another one second.
    second = eventually(lambda: second_if_chosen(reader), what="the second row is chosen")
    app.session.key("Return")
    opened = eventually(lambda: app.opened.exists() and app.opened.read_text(), what="the editor")
    file, line = opened.split("|")
    text = Path(file).read_text(encoding="utf-8").splitlines()
    assert second.startswith(best_title(Path(file).name, Path(file).parent))
    assert 1 <= int(line) <= len(text)


def test_space_in_the_rows_of_the_popup_shows_the_note_beside_them(
    app: App, reader: ScreenReader
) -> None:
    app.start("--background")
    show_popup(app)
    app.session.type("garden")
    eventually(lambda: rows_about("garden", reader), what="two rows")
    app.session.key("Down")
    eventually(lambda: second_if_chosen(reader), what="the second row is chosen")
    app.session.key("space")
    eventually(lambda: "Note" in {node.name for node in reader.nodes()}, what="the note")
    app.session.key("Escape")
    eventually(lambda: "Note" not in {node.name for node in reader.nodes()}, what="no note")
    assert app.session.focused() == POPUP
    app.session.key("ctrl+k")
    app.session.type("fold")
    eventually(lambda: "Show in folder, Alt+Enter" in reader.names("list item"), what="an action")
    app.session.key("Escape")
    app.session.key("Escape")
    app.session.key("Escape")
    eventually(lambda: not app.session.windows(POPUP), what="the popup is gone")
    assert app.complaints() == ""


def second_if_chosen(reader: ScreenReader) -> str:
    """The second row; empty while another one is chosen."""
    second = reader.names("list item")[1:2]
    return second[0] if second and reader.chosen("list item") == second else ""


def rows_about(word: str, reader: ScreenReader) -> list[str]:
    """The rows, once those of a full answer are there."""
    rows = reader.names("list item")
    return rows if len(rows) > 1 and word in rows[0].casefold() else []


def test_the_global_key_opens_the_popup_with_the_focus_and_closes_it(app: App) -> None:
    app.start("--background")
    press_key(app)
    eventually(lambda: app.session.focused() == POPUP, what="the popup has the focus")
    app.session.type("boiler")
    app.session.key("ctrl+alt+space")
    eventually(lambda: not app.session.windows(POPUP), what="the popup is gone")
    app.session.key("Num_Lock")
    app.session.key("ctrl+alt+space")
    eventually(lambda: app.session.focused() == POPUP, what="the popup, with NumLock on")
    app.session.key("Num_Lock")


def test_a_key_that_another_program_has_is_reported_in_words(
    session: DesktopSession, app: App, reader: ScreenReader
) -> None:
    command = [sys.executable, str(KEY_HOLDER)]
    with subprocess.Popen(command, env=session.environ, stdout=subprocess.PIPE) as other:
        try:
            assert other.stdout is not None
            assert other.stdout.readline() == b"taken\n"
            app.start()
            eventually(
                lambda: any("is used by another program" in n for n in reader.names("label")),
                what="the conflict is said",
            )
        finally:
            other.terminate()


def opened_by_icon(app: App) -> str:
    """The id of the window, once a click on the icon has opened it and it has the keys."""

    def opened() -> bool:
        app.session.click(*TRAY_ICON)
        return app.session.focused() == "Scrubjay"

    eventually(opened, what="the icon opens the window")
    return app.session.windows(WINDOW)[0]


def test_a_click_on_the_tray_icon_opens_the_window(app: App) -> None:
    app.start("--background")
    assert app.session.windows(WINDOW) == []

    assert opened_by_icon(app)


def test_a_second_start_raises_the_first(app: App) -> None:
    app.start("--background")
    assert app.call() == 0
    eventually(lambda: app.session.focused() == "Scrubjay", what="the window has the focus")


def test_commands_of_a_terminal_are_answered_by_the_app_until_it_quits(app: App) -> None:
    app.start("--background")
    socket = app.home / "state" / "commands.sock"
    eventually(socket.exists, what="the app listens to commands")
    modules, _ = imported("search", "boiler error E119", environ=app.environ)
    assert "scrubjay.cli.running_app" in modules
    assert "scrubjay.engine.engine" not in modules
    assert app.call("--quit") == 0
    app.wait()
    assert not socket.exists()
    modules, _ = imported("search", "boiler error E119", environ=app.environ)
    assert "scrubjay.engine.engine" in modules


def test_the_app_quits_when_it_is_told_to(app: App) -> None:
    app.start()
    eventually(lambda: app.session.windows(WINDOW), what="the window")
    assert app.call("--quit") == 0
    app.wait()
    assert app.complaints() == ""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_is_an_orderly_quit(app: App, number: int) -> None:
    app.start()
    eventually(lambda: app.session.windows(WINDOW), what="the window")
    assert app.process is not None
    app.process.send_signal(number)
    app.wait()


def test_a_killed_app_does_not_stop_the_next_one(app: App) -> None:
    app.start()
    assert app.process is not None
    app.process.kill()
    app.process.wait()
    app.start()
    eventually(lambda: app.session.windows(WINDOW), what="the window")
    assert app.process.poll() is None


def test_escape_clears_then_hides_the_popup_and_focus_loss_hides_it(app: App) -> None:
    app.start("--background")
    show_popup(app)
    app.session.type("acorn")
    app.session.key("Escape")
    app.session.key("Escape")
    eventually(lambda: not app.session.windows(POPUP), what="the popup is gone")
    assert app.call() == 0
    window = eventually(lambda: app.session.windows(WINDOW), what="the window")[0]
    # One that is still on its way to the keys would take them from the popup.
    eventually(lambda: app.session.xdotool("getwindowfocus") == window, what="it has the keys")
    show_popup(app)
    app.session.xdotool("windowactivate", window)
    eventually(lambda: not app.session.windows(POPUP), what="the popup is gone")


def test_closing_the_window_asks_and_keeps_the_app_running(app: App, reader: ScreenReader) -> None:
    app.start()
    window = eventually(lambda: app.session.windows(WINDOW), what="the window")[0]
    app.session.xdotool("windowactivate", "--sync", window, "key", "ctrl+w")
    eventually(lambda: "Keep running" in reader.names("push button"), what="the question")
    eventually(lambda: app.session.focused() != "Scrubjay", what="the question has the keys")
    app.session.key("Return")
    eventually(lambda: not app.session.windows(WINDOW), what="the window is gone")
    assert app.process is not None
    assert app.process.poll() is None
    show_popup(app)


def test_the_tray_host_may_die_and_come_back(app: App) -> None:
    session = app.session
    app.start("--background")
    window = opened_by_icon(app)
    assert session.tray is not None
    session.stop(session.tray)
    session.start_tray()

    def minimised() -> bool:
        session.xdotool("windowminimize", window)
        return not session.windows(WINDOW)

    eventually(minimised, what="the window is minimised")

    def again() -> bool:
        session.click(*TRAY_ICON)
        return session.focused() == "Scrubjay"

    eventually(again, what="the icon in the new tray works")


def test_a_panel_that_comes_late_and_restarts_sees_the_icon_and_its_menu(
    indexed_home: Path,
) -> None:
    with desktop_session("none") as session, app_in(session, indexed_home) as app:
        app.start("--background")
        address = session.environ["DBUS_SESSION_BUS_ADDRESS"]
        host_with_icon(address).close()
        host = host_with_icon(address)
        eventually(lambda: host.properties()["ToolTip"][2].startswith("Scrubjay: "))
        labels = eventually(lambda: list(host.entries()), what="the menu")
        assert labels[:2] == ["Open Scrubjay", "Quick search"]
        assert labels[-1] == "Quit"
        host.click()
        eventually(lambda: session.windows(WINDOW), what="the window")
        host.choose("Quick search")
        eventually(lambda: session.focused() == POPUP, what="the popup")
        host.choose("Quit")
        app.wait()
        host.close()


def test_without_any_tray_a_background_start_can_be_found(indexed_home: Path) -> None:
    with desktop_session("none") as session, app_in(session, indexed_home) as app:
        app.start("--background")
        found = eventually(
            lambda: session.xdotool("search", "--name", "^Scrubjay$"), what="the window"
        )
        assert found
        assert session.windows(WINDOW) == []
        assert app.call() == 0
        eventually(lambda: session.windows(WINDOW), what="the window")


def host_with_icon(address: str) -> StatusNotifierHost:
    """A panel that has seen the icon."""
    host = StatusNotifierHost(address)
    eventually(lambda: host.items, what="the icon registers")
    assert host.properties()["Id"]
    return host
