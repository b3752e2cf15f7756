"""Changes that agents propose, reviewed in the window on the real engine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from scrubjay.agents.edits.edit_records import EditRequest
from scrubjay.engine.engine import Engine
from scrubjay.notes.text_edits import EditKind, TextEdit
from scrubjay.platform.paths import Paths
from scrubjay.records.note_records import NoteAddress
from scrubjay_desktop.agents.agents_page import AgentsPage
from scrubjay_desktop.agents.changes_pane import ChangesPane, EditTextDialog
from scrubjay_desktop.app.application import Desktop
from support.app import WORDS_ONLY, running_app
from support.vault import TIMEOUT, write_notes

pytestmark = pytest.mark.qt_log_ignore("systemTrayWindowChanged", extend=True)


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    return write_notes(tmp_path / "notes", {"plan.md": "# Plan\n\n- tiles\n", "pond.md": "Fish.\n"})


@pytest.fixture
def running(
    qtbot, qapp: QApplication, paths: Paths, notes: Path, person: Path
) -> Iterator[Desktop]:
    with running_app(qapp, paths, settings=WORDS_ONLY) as made:
        made.late.actions.add_folder(notes, "My notes")
        qtbot.waitUntil(lambda: made.window.status_line.sentence == "2 notes are up to date")
        yield made


@pytest.fixture
def pane(qtbot, running: Desktop) -> ChangesPane:
    page = running.window.pages.show_page("agents")
    assert isinstance(page, AgentsPage)
    page.tabs.setCurrentWidget(page.changes)
    return page.changes


def propose(running: Desktop, agent: str, path: str, text: str) -> str:
    engine = running.engine
    assert isinstance(engine, Engine)
    [workspace] = engine.workspaces()
    edit = TextEdit(EditKind.APPEND, text)
    request = EditRequest(agent, NoteAddress(workspace.id, path), edit=edit)
    return engine.edits.propose(request).result(TIMEOUT).id


def test_a_change_is_shown_accepted_and_undone(
    qtbot, running: Desktop, pane: ChangesPane, notes: Path
) -> None:
    proposal = propose(running, "claude-code", "plan.md", "gutter")
    qtbot.waitUntil(lambda: proposal in pane.cards)
    card = pane.cards[proposal]
    assert "+ - gutter" in card.diff.toPlainText()
    assert (notes / "plan.md").read_text() == "# Plan\n\n- tiles\n"
    card.yes.click()
    qtbot.waitUntil(lambda: proposal in pane.written_rows)
    assert (notes / "plan.md").read_text() == "# Plan\n\n- tiles\n- gutter\n"
    assert running.window.banner.words == "plan.md was changed."
    pane.written_rows[proposal].click()
    qtbot.waitUntil(lambda: proposal not in pane.written_rows)
    assert (notes / "plan.md").read_text() == "# Plan\n\n- tiles\n"


def test_the_text_is_edited_before_it_is_written(
    qtbot, running: Desktop, pane: ChangesPane, notes: Path
) -> None:
    proposal = propose(running, "claude-code", "pond.md", "Frogs.")
    qtbot.waitUntil(lambda: proposal in pane.cards)
    pane.cards[proposal].edit.click()
    [dialog] = pane.findChildren(EditTextDialog)
    # Another proposal that comes meanwhile takes nothing away.
    other = propose(running, "cursor", "plan.md", "gutter")
    qtbot.waitUntil(lambda: other in pane.cards)
    assert dialog.isVisible()
    dialog.box.setPlainText(" ")
    assert not dialog.write.isEnabled()
    dialog.box.setPlainText("Toads.")
    dialog.write.click()
    qtbot.waitUntil(lambda: (notes / "pond.md").read_text() == "Fish.\n\nToads.\n")


def test_all_changes_of_one_agent_are_decided_at_once(
    qtbot, running: Desktop, pane: ChangesPane, notes: Path
) -> None:
    for number in range(3):
        propose(running, "cursor", "pond.md", f"Frog {number}.")
    kept = propose(running, "codex", "plan.md", "gutter")
    qtbot.waitUntil(lambda: len(pane.cards) == 4)
    assert list(pane.group_buttons) == ["cursor"]
    discard, _ = pane.group_buttons["cursor"]
    assert discard.text() == "Discard all 3"
    discard.click()
    qtbot.waitUntil(lambda: list(pane.cards) == [kept])
    assert (notes / "pond.md").read_text() == "Fish.\n"


def test_a_change_that_no_longer_fits_can_only_be_discarded(
    qtbot, running: Desktop, pane: ChangesPane, notes: Path
) -> None:
    proposal = propose(running, "cursor", "pond.md", "Frogs.")
    (notes / "pond.md").unlink()
    other = propose(running, "cursor", "plan.md", "gutter")
    qtbot.waitUntil(lambda: {proposal, other} == set(pane.cards))
    card = pane.cards[proposal]
    qtbot.waitUntil(lambda: pane.cards[proposal].yes.isHidden())
    card = pane.cards[proposal]
    assert card.diff.toPlainText().endswith("Frogs.")
    assert card.diff.isVisibleTo(card)
    card.no.click()
    qtbot.waitUntil(lambda: proposal not in pane.cards)
    _, accept = pane.group_buttons.get("cursor", (None, pane.cards[other].yes))
    accept.click()
    qtbot.waitUntil(lambda: "gutter" in (notes / "plan.md").read_text())
