from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtWidgets import QMessageBox, QPushButton

from scrubjay.events import BackfillAsked
from scrubjay.records.search_records import BackfillCost
from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.app.start_request import StartRequest
from scrubjay_desktop.text.formatting import tokens
from support.fake_engine import FakeEngine

pytestmark = pytest.mark.qt_log_ignore("systemTrayWindowChanged", extend=True)

COST = BackfillCost(3214, 1_130_000, "OpenAI", "text-embedding-3-small", "api.openai.com")
HOME = BackfillAsked("home", COST)
WORK = BackfillAsked("work", COST)


@pytest.fixture
def shown(qtbot, desktop: Desktop) -> Iterator[Desktop]:
    desktop.begin(StartRequest.WINDOW)
    yield desktop
    desktop.quit()


def asked(qtbot, desktop: Desktop) -> QMessageBox:
    qtbot.waitUntil(lambda: desktop.sending.box is not None)
    box = desktop.sending.box
    assert box is not None
    return box


def press(box: QMessageBox, name: str) -> None:
    next(one for one in box.findChildren(QPushButton) if name in one.text()).click()


def test_nothing_is_sent_before_a_yes(qtbot, shown: Desktop, engine: FakeEngine) -> None:
    engine.events.publish(HOME)
    box = asked(qtbot, shown)
    assert box.text() == "Send 3,214 notes, about 1.1 M tokens, to OpenAI?"
    assert "api.openai.com" in box.informativeText()
    assert "“Home notes”" in box.informativeText()
    assert engine.sent == []
    press(box, "Yes")
    assert engine.sent == ["home"]


def test_enter_and_escape_send_nothing(qtbot, shown: Desktop, engine: FakeEngine) -> None:
    engine.events.publish(HOME)
    box = asked(qtbot, shown)
    assert box.defaultButton() is box.escapeButton()
    box.reject()
    assert (shown.sending.box, engine.sent) == (None, [])


def test_after_a_yes_much_more_is_asked_for_again(
    qtbot, shown: Desktop, engine: FakeEngine
) -> None:
    engine.events.publish(HOME)
    press(asked(qtbot, shown), "Yes")
    engine.events.publish(replace(HOME, cost=replace(COST, notes=40, tokens=150_000)))
    box = asked(qtbot, shown)
    assert box.text() == "Send 40 notes, about 150,000 tokens, to OpenAI?"
    press(box, "Yes")
    assert engine.sent == ["home", "home"]


def test_nobody_is_asked_twice_for_a_workspace_and_a_provider(
    qtbot, shown: Desktop, engine: FakeEngine
) -> None:
    engine.events.publish(HOME)
    press(asked(qtbot, shown), "Not now")
    engine.events.publish(BackfillAsked("home", replace(COST, tokens=2_000_000)))
    engine.events.publish(WORK)
    box = asked(qtbot, shown)
    assert "“Work”" in box.informativeText()
    press(box, "Yes")
    assert (shown.sending.box, engine.sent) == (None, ["work"])


def test_another_provider_is_another_question(qtbot, shown: Desktop, engine: FakeEngine) -> None:
    engine.events.publish(HOME)
    engine.events.publish(BackfillAsked("home", replace(COST, provider="Gemini", host="g.example")))
    press(asked(qtbot, shown), "Not now")
    assert asked(qtbot, shown).text().endswith("to Gemini?")


def test_the_question_waits_until_the_window_is_seen(
    qtbot, desktop: Desktop, engine: FakeEngine
) -> None:
    desktop.sending.on_event(HOME)
    assert desktop.sending.box is None
    desktop.begin(StartRequest.WINDOW)
    assert asked(qtbot, desktop).isVisible()
    desktop.quit()
    assert (desktop.sending.box, engine.sent) == (None, [])


def test_a_forgotten_workspace_is_not_asked_about(
    qtbot, shown: Desktop, engine: FakeEngine
) -> None:
    shown.sending.on_event(BackfillAsked("gone", COST))
    assert shown.sending.box is None


@pytest.mark.parametrize(
    ("count", "words"),
    [(40, "40"), (940, "900"), (34_400, "34,000"), (999_000, "999,000"), (1_130_000, "1.1 M")],
)
def test_tokens_are_as_round_as_the_estimate_is_rough(count: int, words: str) -> None:
    assert tokens(count) == words
