"""Questions about what agents want to do, one after the other."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator

import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QCheckBox, QMessageBox, QPushButton, QWidget

from scrubjay.agents.access.access_control import ANSWER_WAIT_S
from scrubjay.engine.engine import Engine
from scrubjay.events import AccessAsked, AccessSettled
from scrubjay.records.access_records import AccessRequest, Action
from scrubjay_desktop.app.controllers.access_prompt import AccessPrompts

NOW = dt.datetime(2026, 3, 14, 12, 0, tzinfo=dt.UTC)


REQUEST = AccessRequest(1, "claude-code", "home", Action.READ, "memory_search", "router", at=NOW)


def request_of(number: int, agent: str = "claude-code", **changes: object) -> AccessRequest:
    return replace(REQUEST, id=number, agent=agent, **changes)  # type: ignore[arg-type]


@pytest.fixture
def prompts(qtbot, engine: Engine) -> Iterator[AccessPrompts]:
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    prompts = AccessPrompts(engine, window)
    yield prompts
    prompts.close()


@pytest.fixture
def answers(prompts: AccessPrompts) -> list[tuple[int, bool, bool]]:
    """Id of each answered request, whether it is allowed, and whether from now on."""
    given: list[tuple[int, bool, bool]] = []
    prompts.answered.connect(lambda request, *answer: given.append((request.id, *answer)))
    return given


def box_of(prompts: AccessPrompts) -> QMessageBox:
    assert prompts.box is not None
    return prompts.box


def press(prompts: AccessPrompts, name: str) -> None:
    buttons = box_of(prompts).findChildren(QPushButton)
    next(button for button in buttons if button.text().replace("&", "") == name).click()


@pytest.mark.parametrize(
    ("action", "sentence"),
    [
        (Action.READ, "Claude Code wants to search your notes in Home notes."),
        (Action.WRITE, "Claude Code wants to add text to today's note in Home notes."),
    ],
)
def test_the_question_names_agent_action_and_folder(
    prompts: AccessPrompts, action: Action, sentence: str
) -> None:
    prompts.on_event(AccessAsked(request_of(1, action=action)))
    assert box_of(prompts).text() == sentence
    assert box_of(prompts).informativeText().startswith("“router”\n\n")


@pytest.mark.parametrize(("button", "is_allowed"), [("Allow", True), ("Do not allow", False)])
def test_each_button_is_an_answer(prompts: AccessPrompts, answers, button, is_allowed) -> None:
    prompts.on_event(AccessAsked(request_of(1)))
    press(prompts, button)
    assert answers == [(1, is_allowed, False)]
    assert prompts.box is None


def test_an_answer_can_be_for_good(prompts: AccessPrompts, answers) -> None:
    prompts.on_event(AccessAsked(request_of(1)))
    box_of(prompts).findChild(QCheckBox).setChecked(True)
    press(prompts, "Allow")
    assert answers == [(1, True, True)]


def test_an_answer_to_a_name_that_is_only_sent_cannot_be_for_good(
    prompts: AccessPrompts, answers
) -> None:
    prompts.on_event(AccessAsked(request_of(1, is_claimed=True)))
    assert box_of(prompts).findChild(QCheckBox) is None
    assert "scrubjay mcp --as claude-code" in box_of(prompts).informativeText()
    press(prompts, "Allow")
    assert answers == [(1, True, False)]


def test_enter_and_escape_allow_nothing(prompts: AccessPrompts) -> None:
    prompts.on_event(AccessAsked(request_of(1)))
    box = box_of(prompts)
    assert box.defaultButton() is box.escapeButton()
    assert box.defaultButton().text().replace("&", "") == "Do not allow"


def test_a_second_question_waits_for_the_answer_to_the_first(
    prompts: AccessPrompts, answers
) -> None:
    for number, agent in enumerate(("claude-code", "codex"), start=1):
        prompts.on_event(AccessAsked(request_of(number, agent)))
    assert box_of(prompts).text().startswith("Claude Code")
    press(prompts, "Do not allow")
    assert box_of(prompts).text().startswith("Codex")
    press(prompts, "Allow")
    assert answers == [(1, False, False), (2, True, False)]


def test_a_request_that_is_settled_elsewhere_is_asked_no_more(
    prompts: AccessPrompts, answers
) -> None:
    for number, agent in enumerate(("claude-code", "codex", "gemini"), start=1):
        prompts.on_event(AccessAsked(request_of(number, agent)))
    prompts.on_event(AccessSettled(2))
    prompts.on_event(AccessSettled(1))
    assert box_of(prompts).text().startswith("gemini")
    assert answers == []


def test_a_long_query_is_cut(prompts: AccessPrompts) -> None:
    prompts.on_event(AccessAsked(replace(request_of(1), query="x" * 500)))
    assert box_of(prompts).informativeText().startswith("“" + "x" * 300 + "…”")


def test_an_agent_is_called_by_the_name_that_the_page_of_agents_shows(
    prompts: AccessPrompts,
) -> None:
    prompts.on_event(AccessAsked(request_of(1, "mo-agent", title="Mo's helper")))
    assert box_of(prompts).text().startswith("Mo's helper wants")


def test_the_question_counts_the_seconds_that_the_agent_still_waits(
    qtbot, prompts: AccessPrompts
) -> None:
    def seconds() -> int:
        [told] = re.findall(r"will wait (\d+) more", box_of(prompts).informativeText())
        return int(told)

    now = dt.datetime.now().astimezone()
    prompts.on_event(AccessAsked(request_of(1, at=now - dt.timedelta(seconds=5))))
    first = seconds()
    assert 0 < first <= ANSWER_WAIT_S - 5
    qtbot.waitUntil(lambda: seconds() < first)


def test_a_question_that_is_too_late_waits_for_nothing(prompts: AccessPrompts) -> None:
    prompts.on_event(AccessAsked(request_of(1)))
    assert "will wait 0 more seconds" in box_of(prompts).informativeText()


def test_a_folder_that_is_gone_is_named_by_its_id(prompts: AccessPrompts) -> None:
    prompts.on_event(AccessAsked(request_of(1, workspace="gone")))
    assert box_of(prompts).text().endswith("in gone.")


def test_after_the_end_nothing_is_asked(prompts: AccessPrompts, answers) -> None:
    for number in (1, 2):
        prompts.on_event(AccessAsked(request_of(number)))
    prompts.close()
    assert (prompts.box, answers) == (None, [])
