from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QApplication, QMessageBox, QPushButton

from scrubjay.engine.engine import Engine
from scrubjay.events import BackfillAsked
from scrubjay.platform.paths import Paths
from scrubjay.records.status_records import BackfillCost
from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.app.start_options import Start
from scrubjay_desktop.app.start_request import StartRequest
from scrubjay_desktop.text.formatting import format_word_count as rounded
from support.notes import HOME, engine_over
from support.providers import WordProvider

pytestmark = pytest.mark.qt_log_ignore("systemTrayWindowChanged", extend=True)

COST = BackfillCost(3214, 1_130_000, "OpenAI", "text-embedding-3-small", "api.openai.com")
HOME_ASKED = BackfillAsked("home", COST)
WORK_ASKED = BackfillAsked("work", COST)


class FarProvider(WordProvider):
    """Embeds as if the notes went to another computer."""

    name = "openai"
    is_local = False
    host = "embeddings.example"


@pytest.fixture
def shown(qtbot, desktop: Desktop) -> Iterator[Desktop]:
    desktop.begin(StartRequest.WINDOW)
    yield desktop
    desktop.quit()


@pytest.fixture
def allowed(desktop: Desktop) -> list[str]:
    """Workspaces for which somebody said yes, in order."""
    workspaces: list[str] = []
    allowed = desktop.late.remote_consent.allowed
    allowed.connect(lambda workspace: workspaces.append(workspace.id))
    return workspaces


def asked(qtbot, desktop: Desktop) -> QMessageBox:
    qtbot.waitUntil(lambda: desktop.late.remote_consent.box is not None)
    box = desktop.late.remote_consent.box
    assert box is not None
    return box


def press(box: QMessageBox, name: str) -> None:
    next(one for one in box.findChildren(QPushButton) if name in one.text()).click()


def test_nothing_is_sent_before_a_yes(
    qtbot, qapp: QApplication, notes: Path, paths: Paths, no_keychain: None
) -> None:
    provider = FarProvider()
    engine = engine_over(notes, paths, provider)
    desktop = Desktop(qapp, engine, paths, Start(theme="light"))
    desktop.begin(StartRequest.WINDOW)
    box = asked(qtbot, desktop)  # the smaller folder comes first
    assert box.text().startswith("Send 1 note (about ")
    press(box, "Not now")
    box = asked(qtbot, desktop)
    assert box.text().startswith("Send 2 notes (about ")
    assert "embeddings.example" in box.informativeText()
    assert "“Home notes”" in box.informativeText()
    assert provider.embedded == []
    press(box, "Send")
    qtbot.waitUntil(lambda: len(provider.embedded) == len(HOME))
    assert not [text for text in provider.embedded if "office" in text]
    desktop.dispose()
    engine.close()


def test_enter_and_escape_send_nothing(
    qtbot, shown: Desktop, engine: Engine, allowed: list[str]
) -> None:
    engine.events.publish(HOME_ASKED)
    box = asked(qtbot, shown)
    assert box.defaultButton() is box.escapeButton()
    box.reject()
    assert (shown.late.remote_consent.box, allowed) == (None, [])


def test_after_a_yes_much_more_is_asked_for_again(
    qtbot, shown: Desktop, engine: Engine, allowed: list[str]
) -> None:
    engine.events.publish(HOME_ASKED)
    press(asked(qtbot, shown), "Send")
    engine.events.publish(replace(HOME_ASKED, cost=replace(COST, notes=40, tokens=150_000)))
    box = asked(qtbot, shown)
    assert box.text() == "Send 40 notes (about 112,000 words) to OpenAI?"
    press(box, "Send")
    assert allowed == ["home", "home"]


def test_nobody_is_asked_twice_for_a_workspace_and_a_provider(
    qtbot, shown: Desktop, engine: Engine, allowed: list[str]
) -> None:
    engine.events.publish(HOME_ASKED)
    press(asked(qtbot, shown), "Not now")
    engine.events.publish(BackfillAsked("home", replace(COST, tokens=2_000_000)))
    engine.events.publish(WORK_ASKED)
    box = asked(qtbot, shown)
    assert "“Work”" in box.informativeText()
    press(box, "Send")
    assert (shown.late.remote_consent.box, allowed) == (None, ["work"])


def test_another_provider_is_another_question(qtbot, shown: Desktop, engine: Engine) -> None:
    engine.events.publish(HOME_ASKED)
    engine.events.publish(BackfillAsked("home", replace(COST, provider="Gemini", host="g.example")))
    press(asked(qtbot, shown), "Not now")
    assert asked(qtbot, shown).text().endswith("to Gemini?")


def test_the_question_waits_until_the_window_is_seen(
    qtbot, desktop: Desktop, engine: Engine, allowed: list[str]
) -> None:
    desktop.late.remote_consent.on_event(HOME_ASKED)
    assert desktop.late.remote_consent.box is None
    desktop.begin(StartRequest.WINDOW)
    assert asked(qtbot, desktop).isVisible()
    desktop.quit()
    assert (desktop.late.remote_consent.box, allowed) == (None, [])


def test_a_forgotten_workspace_is_not_asked_about(qtbot, shown: Desktop, engine: Engine) -> None:
    shown.late.remote_consent.on_event(BackfillAsked("gone", COST))
    assert shown.late.remote_consent.box is None


@pytest.mark.parametrize(
    ("count", "words"),
    [(40, "40"), (940, "900"), (34_400, "34,000"), (999_000, "999,000"), (1_130_000, "1.1 M")],
)
def test_words_are_as_round_as_the_estimate_is_rough(count: int, words: str) -> None:
    assert rounded(count) == words
