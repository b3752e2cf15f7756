from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QWidget

from scrubjay.engine.engine import Engine
from scrubjay.events import AccessAsked, BackfillAsked, IndexFailed
from scrubjay.platform.paths import Paths
from scrubjay.records.access_records import AccessRequest, Action
from scrubjay.records.status_records import BackfillCost
from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.app.controllers.notifications import NotificationController
from scrubjay_desktop.app.controllers.pausing import PauseController
from scrubjay_desktop.app.start_request import StartRequest
from scrubjay_desktop.bridge.bridge import Tasks
from scrubjay_desktop.settings.preferences import Preferences
from scrubjay_desktop.windows.app_state import status_sentence
from support.notes import while_reading

pytestmark = pytest.mark.qt_log_ignore("systemTrayWindowChanged", extend=True)


class Socket:
    """Power that a test plugs in and out."""

    def __init__(self) -> None:
        self.is_out = False
        self.questions = 0

    def is_on_battery(self) -> bool:
        self.questions += 1
        return self.is_out


class Bell:
    """Keeps what would have been shown."""

    def __init__(self) -> None:
        self.rung: list[tuple[str, str]] = []

    def notify(self, title: str, text: str) -> None:
        self.rung.append((title, text))


@pytest.fixture
def preferences(paths: Paths) -> Preferences:
    return Preferences(paths)


@pytest.fixture
def socket() -> Socket:
    return Socket()


@pytest.fixture
def resting(
    qtbot, engine: Engine, tasks: Tasks, preferences: Preferences, socket: Socket
) -> Iterator[PauseController]:
    made = PauseController(engine, tasks, preferences, socket.is_on_battery)
    yield made
    made.close()


def test_a_pause_outlives_the_app(
    resting: PauseController, engine, preferences, tasks, socket
) -> None:
    resting.pause(None)
    preferences.save()
    engine.resume()
    later = PauseController(engine, tasks, preferences, socket.is_on_battery)
    later.begin()
    assert (engine.status().is_paused, engine.status().paused_until) == (True, None)
    later.resume()
    PauseController(engine, tasks, preferences, socket.is_on_battery).begin()
    assert not engine.status().is_paused


def test_a_pause_for_an_hour_has_an_end(resting: PauseController, engine, preferences) -> None:
    resting.pause(60)
    engine.resume()
    preferences.pause = dt.datetime.now().astimezone() + dt.timedelta(minutes=60)
    resting.begin()
    until = engine.status().paused_until
    assert 59 < (until - dt.datetime.now().astimezone()).total_seconds() / 60 <= 60
    engine.resume()
    preferences.pause = dt.datetime.now().astimezone() - dt.timedelta(minutes=1)
    resting.begin()
    assert (engine.status().is_paused, preferences.pause) == (False, False)


def test_reading_rests_on_battery_and_goes_on_at_the_socket(
    qtbot, resting: PauseController, engine: Engine, preferences, socket: Socket
) -> None:
    preferences.rests_on_battery = True
    socket.is_out = True
    resting.show_status(while_reading(engine.status()))
    qtbot.waitUntil(lambda: engine.status().is_paused)
    assert status_sentence(engine.status()) == "Paused while the computer is on battery power"
    socket.is_out = False
    resting.look()
    qtbot.waitUntil(lambda: not engine.status().is_paused)
    assert preferences.pause is False


def test_an_idle_app_never_asks_for_the_battery(
    qtbot, resting: PauseController, engine: Engine, preferences, socket: Socket
) -> None:
    preferences.rests_on_battery = True
    resting.show_status(engine.status())
    assert socket.questions == 0
    resting.show_status(while_reading(engine.status()))
    qtbot.waitUntil(lambda: socket.questions == 1)


def test_who_resumes_on_battery_wants_no_rest(
    qtbot, resting: PauseController, engine: Engine, preferences, socket: Socket
) -> None:
    preferences.rests_on_battery = True
    socket.is_out = True
    resting.show_status(while_reading(engine.status()))
    qtbot.waitUntil(lambda: engine.status().is_paused)
    resting.resume()
    assert not engine.status().is_paused
    assert not preferences.rests_on_battery


@pytest.fixture
def bell() -> Bell:
    return Bell()


@pytest.fixture
def window(qtbot) -> QWidget:
    """A window that is not shown."""
    made = QWidget()
    qtbot.addWidget(made)
    return made


@pytest.fixture
def news(window: QWidget, bell: Bell, preferences: Preferences) -> NotificationController:
    made = NotificationController(window, preferences)
    made.notified.connect(bell.notify)
    return made


def test_all_notes_read_is_told_once_in_a_lifetime(
    news: NotificationController, bell: Bell, engine
) -> None:
    for _ in range(2):
        news.show_status(engine.status())
    assert bell.rung == [
        (
            "Your notes are ready",
            "Scrubjay has finished reading 3 notes. You can now search by words and by meaning.",
        )
    ]


def test_what_needs_a_person_is_told(news: NotificationController, bell: Bell) -> None:
    news.on_event(BackfillAsked("home", BackfillCost(3, 900, "openai", "small", "api.openai.com")))
    assert bell.rung == [
        (
            "Scrubjay needs your attention",
            "Scrubjay needs your permission to send 3 notes to a service.",
        )
    ]


def test_an_agent_that_asks_is_called_as_its_question_calls_it(
    news: NotificationController, bell: Bell
) -> None:
    now = dt.datetime.now().astimezone()
    request = AccessRequest(1, "claude-code", "home", Action.READ, "memory_search", "roof", at=now)
    news.on_event(AccessAsked(request))
    assert bell.rung == [("Request from an agent", "Claude Code is waiting for your answer.")]


def test_what_is_broken_is_told_once(news: NotificationController, bell: Bell) -> None:
    for _ in range(3):
        news.on_event(IndexFailed("home", "The disk is full."))
    assert bell.rung == [("Notes could not be read", "The disk is full.")]


def test_who_sees_the_window_is_told_nothing_beside_it(
    qtbot, news: NotificationController, window: QWidget, bell: Bell
) -> None:
    with qtbot.waitActive(window):
        window.show()
    news.on_event(IndexFailed("home", "The disk is full."))
    assert bell.rung == []


def test_who_wants_no_news_gets_none(
    news: NotificationController, bell: Bell, preferences: Preferences
) -> None:
    preferences.notifies = False
    news.on_event(IndexFailed("home", "The disk is full."))
    assert bell.rung == []


def test_the_settings_switch_both(qtbot, desktop: Desktop) -> None:
    desktop.begin(StartRequest.WINDOW)
    chosen = desktop.show_settings().window_settings
    chosen.battery_box.click()
    chosen.notify_box.click()
    assert desktop.preferences.rests_on_battery
    assert not desktop.preferences.notifies
