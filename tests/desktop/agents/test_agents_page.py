"""The page of the agents on the real engine, with real files of other programs."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication, QCheckBox, QLabel, QMessageBox

from scrubjay.agents.connect.connection_records import ConnectionPart
from scrubjay.agents.connect.known_agents import GUIDE
from scrubjay.agents.dreaming.recall_store import RecallStore
from scrubjay.engine.engine import Engine
from scrubjay.events import AccessAsked, AccessSettled
from scrubjay.platform.paths import Paths
from scrubjay.records.access_records import (
    AccessRequest,
    Action,
    AuditedHit,
    AuditEntry,
    Permission,
)
from scrubjay_desktop.agents.agent_card import AgentCard
from scrubjay_desktop.agents.agents_page import AgentsPage
from scrubjay_desktop.agents.audit_log_pane import hits_text
from scrubjay_desktop.agents.change_dialog import ChangeDialog
from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.widgets.theme import GRID
from support.app import WORDS_ONLY, running_app
from support.dreams import KEY_NOTE, hit
from support.vault import write_notes

pytestmark = pytest.mark.qt_log_ignore("systemTrayWindowChanged", extend=True)
DAY = dt.datetime.now().astimezone().date() - dt.timedelta(days=2)


@pytest.fixture
def agent_memory(tmp_path: Path) -> Path:
    root = tmp_path / "notes"
    (root / "memory").mkdir(parents=True)
    (root / "MEMORY.md").write_text("# Memory\n")
    (root / "memory" / f"{DAY}.md").write_text(f"# {DAY}\n\n- {KEY_NOTE}\n")
    return root


@pytest.fixture
def running(
    qtbot, qapp: QApplication, paths: Paths, agent_memory: Path, person: Path
) -> Iterator[Desktop]:
    (person / ".cursor").mkdir()
    (person / ".cursor" / "mcp.json").write_text('{ "mcpServers": { "mine": {} } } // kept\n')
    settings = f"{WORDS_ONLY}, dreaming: {{ enabled: true }}, recall: {{ capture: 'review' }}"
    with running_app(qapp, paths, settings=settings) as made:
        made.late.actions.add_folder(agent_memory, "My notes")
        qtbot.waitUntil(lambda: made.window.status_line.sentence == "2 notes are up to date")
        yield made


@pytest.fixture
def page(qtbot, running: Desktop) -> AgentsPage:
    page = running.window.pages.show_page("agents")
    assert isinstance(page, AgentsPage)
    rows = page.connect_pane.rows
    qtbot.waitUntil(lambda: "cursor" in rows and rows["cursor"].line.text() == "Not connected")
    qtbot.waitUntil(lambda: ("", Action.READ) in page.rules.boxes)
    return page


def engine_of(running: Desktop) -> Engine:
    engine = running.engine
    assert isinstance(engine, Engine)
    return engine


def test_an_agent_is_connected_after_a_look_at_the_change_and_back(
    qtbot, page: AgentsPage, running: Desktop, person: Path
) -> None:
    file = person / ".cursor" / "mcp.json"
    before = file.read_text()
    row = page.connect_pane.rows["cursor"]
    assert row.line.text() == "Not connected"
    row.connect_button.click()
    qtbot.waitUntil(lambda: bool(page.connect_pane.findChildren(ChangeDialog)))
    dialog = page.connect_pane.findChildren(ChangeDialog)[0]
    assert "scrubjay" in dialog.diff.toPlainText()
    assert file.read_text() == before
    dialog.write.click()
    qtbot.waitUntil(lambda: row.line.text() == "Connected")
    assert "scrubjay" in file.read_text()
    assert file.read_text().endswith("// kept\n")
    running.window.banner.offer.click()
    qtbot.waitUntil(lambda: row.line.text() == "Not connected")
    assert file.read_text() == before


def test_parts_are_chosen_by_ticks_and_the_lines_follow(
    qtbot, page: AgentsPage, running: Desktop, person: Path
) -> None:
    row = page.connect_pane.rows["cursor"]
    row.connect_button.click()
    qtbot.waitUntil(lambda: bool(page.connect_pane.findChildren(ChangeDialog)))
    dialog = page.connect_pane.findChildren(ChangeDialog)[0]
    assert [part.value for part in dialog.ticks] == ["server", "hooks"]
    assert "hooks.json" in dialog.diff.toPlainText()
    assert dialog.lacks.text().startswith("Scrubjay cannot add notes to your questions to Cursor,")
    dialog.ticks[ConnectionPart.HOOKS].setChecked(False)
    qtbot.waitUntil(lambda: "hooks.json" not in dialog.diff.toPlainText())
    dialog.write.click()
    qtbot.waitUntil(lambda: row.line.text() == "Connected: search")
    assert not (person / ".cursor" / "hooks.json").exists()
    # What was left out can be added later, and all of it goes at once.
    assert row.connect_button.text() == "Set up more…"
    row.connect_button.click()
    qtbot.waitUntil(lambda: len(page.connect_pane.findChildren(ChangeDialog)) == 2)
    page.connect_pane.findChildren(ChangeDialog)[1].write.click()
    qtbot.waitUntil(lambda: row.line.text() == "Connected")
    assert (person / ".cursor" / "hooks.json").exists()
    running.window.banner.offer.click()
    qtbot.waitUntil(lambda: row.line.text() == "Not connected")
    assert not (person / ".cursor" / "hooks.json").exists()


def test_a_part_that_someone_removed_is_told_on_the_card(
    qtbot, page: AgentsPage, person: Path
) -> None:
    card = connected(qtbot, page, "cursor")
    (person / ".cursor" / "hooks.json").unlink()
    page.connect_pane.refresh()
    words = "Connected, but these parts were removed or changed: hooks"
    qtbot.waitUntil(lambda: card.line.text() == words)
    assert card.connect_button.text() == "Update…"


def test_a_card_tells_of_an_extension_and_what_is_there_twice(
    qtbot, page: AgentsPage, person: Path
) -> None:
    card = page.connect_pane.rows["gemini-cli"]
    extension = {".gemini/extensions/scrubjay/gemini-extension.json": "{}"}
    write_notes(person, extension)
    page.connect_pane.refresh()
    qtbot.waitUntil(lambda: card.line.text() == "Connected through its Scrubjay extension")
    assert not card.connect_button.isVisible()
    assert not card.undo_button.isVisible()
    settings = {".gemini/settings.json": '{"mcpServers": {"scrubjay": {"command": "scrubjay"}}}'}
    write_notes(person, settings)
    page.connect_pane.refresh()
    words = "Connected twice: through its Scrubjay extension and through its settings"
    qtbot.waitUntil(lambda: card.line.text() == words)
    assert card.connect_button.text() == "Update…"


def test_a_text_for_the_file_of_an_agent_is_copied(qtbot, page: AgentsPage, person: Path) -> None:
    row = page.connect_pane.rows["cursor"]
    assert not row.guide_button.isVisible()
    row.connect_button.click()
    qtbot.waitUntil(lambda: bool(page.connect_pane.findChildren(ChangeDialog)))
    page.connect_pane.findChildren(ChangeDialog)[0].write.click()
    qtbot.waitUntil(row.guide_button.isVisible)
    assert row.guide_button.text() == "Copy text for AGENTS.md"
    row.guide_button.click()
    assert QApplication.clipboard().text() == GUIDE


def connected(qtbot, page: AgentsPage, name: str) -> AgentCard:
    card = page.connect_pane.rows[name]
    card.connect_button.click()
    qtbot.waitUntil(lambda: bool(page.connect_pane.findChildren(ChangeDialog)))
    page.connect_pane.findChildren(ChangeDialog)[0].write.click()
    qtbot.waitUntil(lambda: card.line.text() == "Connected")
    return card


def test_a_connected_agent_says_what_it_may_and_what_it_asked_last(
    qtbot, page: AgentsPage, running: Desktop
) -> None:
    card = page.connect_pane.rows["cursor"]
    assert not card.permissions.isVisible()
    connected(qtbot, page, "cursor")
    assert card.permissions.text() == "Can search: Yes · Can change notes: After my review"
    assert card.requests.text() == "No recorded questions"
    agents = engine_of(running).agents
    for question in ("roof", "Which  router?"):
        agents.record(AuditEntry("cursor", "memory_search", question)).result()
    qtbot.waitUntil(
        lambda: card.requests.text().startswith("2 questions. Latest: “Which router?” (Today")
    )
    agents.set_rule("cursor", "", Action.READ, Permission.ASK).result()
    qtbot.waitUntil(lambda: card.permissions.text().startswith("Can search: Ask me ·"))


def test_an_agent_that_came_by_itself_has_a_card_under_its_own_name(
    qtbot, page: AgentsPage, running: Desktop
) -> None:
    agents = engine_of(running).agents
    agents.record(AuditEntry("mo-agent", "memory_status", "", title="Mo's helper")).result()
    qtbot.waitUntil(lambda: "mo-agent" in page.connect_pane.rows)
    card = page.connect_pane.rows["mo-agent"]
    qtbot.waitUntil(card.isVisible)
    texts = [label.text() for label in card.findChildren(QLabel) if label.isVisible()]
    assert texts == [
        *("Mo's helper", "mo-agent", "Set up outside Scrubjay"),
        "Can search: Yes · Can change notes: After my review",
        card.requests.text(),
    ]
    # The same name stands above its questions and beside its permissions.
    qtbot.waitUntil(lambda: ("mo-agent", Action.READ) in page.rules.boxes)
    assert page.rules.boxes["mo-agent", Action.READ].accessibleName() == "Mo's helper: Can search"
    agents.clear().result()
    qtbot.waitUntil(lambda: not card.isVisible())


def test_a_permission_without_effect_for_a_name_that_is_only_sent_says_so(
    qtbot, page: AgentsPage, running: Desktop
) -> None:
    agents = engine_of(running).agents
    agents.record(AuditEntry("mo-agent", "memory_status", "", title="Mo's helper")).result()
    qtbot.waitUntil(lambda: "mo-agent" in page.connect_pane.rows)
    card = page.connect_pane.rows["mo-agent"]
    agents.set_rule("", "", Action.READ, Permission.ASK).result()
    agents.set_rule("mo-agent", "", Action.READ, Permission.ALLOW).result()
    qtbot.waitUntil(lambda: card.permissions.text().startswith("Can search: Yes ·"))
    assert not card.claim.isVisible()
    claimed = AuditEntry("mo-agent", "memory_status", "", title="Mo's helper", is_claimed=True)
    agents.record(claimed).result()
    qtbot.waitUntil(lambda: card.permissions.text().startswith("Can search: Ask me ·"))
    assert "scrubjay mcp --as mo-agent" in card.claim.text()
    assert card.claim.isVisible()

    def marks() -> list[str]:
        labels = page.rules.findChildren(QLabel)
        return [label.text() for label in labels if "--as mo-agent" in label.toolTip()]

    qtbot.waitUntil(lambda: marks() == ["limited to the permissions for all agents"])


def test_the_name_of_a_program_stands_small_beside_that_of_its_agent(
    qtbot, page: AgentsPage, running: Desktop
) -> None:
    agents = engine_of(running).agents
    for name in ("claude-code", "mo-agent"):
        entry = AuditEntry(name, "memory_status", "", title=name, program="mcp")
        agents.record(entry).result()
    qtbot.waitUntil(lambda: "mo-agent" in page.connect_pane.rows)
    for name, title in (("claude-code", "Claude Code"), ("mo-agent", "mo-agent")):
        card = page.connect_pane.rows[name]
        qtbot.waitUntil(card.isVisible)
        texts = [label.text() for label in card.findChildren(QLabel) if label.isVisible()]
        assert texts[:2] == [title, "mcp"]
    qtbot.waitUntil(lambda: ("mo-agent", Action.READ) in page.rules.boxes)
    labels = [label.text() for label in page.rules.findChildren(QLabel)]
    at = labels.index("mo-agent")
    assert labels[at : at + 2] == ["mo-agent", "mcp"]


def test_the_name_of_a_known_agent_counts_more_than_that_of_its_library(
    qtbot, page: AgentsPage, running: Desktop
) -> None:
    agents = engine_of(running).agents
    agents.record(AuditEntry("claude-code", "memory_search", "roof", title="mcp")).result()
    qtbot.waitUntil(lambda: page.audit_log.model.rowCount() == 1)
    described = page.audit_log.model.index(0).data(Qt.ItemDataRole.AccessibleDescriptionRole)
    assert described.startswith("Claude Code · ")
    qtbot.waitUntil(lambda: ("claude-code", Action.READ) in page.rules.boxes)
    box = page.rules.boxes["claude-code", Action.READ]
    assert box.accessibleName() == "Claude Code: Can search"


def test_an_agents_own_memory_is_added_by_a_button(
    qtbot, page: AgentsPage, running: Desktop, person: Path
) -> None:
    memory = person / ".cursor" / "memories"
    memory.mkdir()
    (memory / "tea.md").write_text("Mo likes green tea.\n")
    card = connected(qtbot, page, "cursor")
    qtbot.waitUntil(lambda: len(card.add_buttons) == 1)
    shown = [label.text() for label in card.findChildren(QLabel) if label.isVisible()]
    folder = Path("~/.cursor/memories")
    assert f"Its own memory in {folder} is not searched yet (1 note)." in shown
    assert "own memory is not searched yet" in running.window.banner.words
    card.add_buttons[0].click()
    qtbot.waitUntil(lambda: memory in {each.root for each in running.engine.workspaces()})
    qtbot.waitUntil(lambda: card.add_buttons == [])


@pytest.mark.parametrize("tab", ["dreams", "captured"])
def test_what_a_tab_explains_is_turned_on_there(
    qtbot, page: AgentsPage, running: Desktop, tab: str
) -> None:
    pane = getattr(page, tab)
    key, off, words = {
        "dreams": ("dreaming.enabled", False, "Suggestions are off"),
        "captured": ("recall.capture", "off", "Facts are not kept"),
    }[tab]
    page.tabs.setCurrentWidget(pane)
    row = page.switches[key]
    assert row.isVisible()
    was = row.setting.value
    # The same switch as in the settings, with the same way back.
    row.chosen.emit(key, off)
    qtbot.waitUntil(lambda: row.setting.value == off)
    labels = [label.text() for label in pane.findChildren(QLabel) if label.isVisible()]
    assert words in labels
    # The value is known from the reloaded settings, which may come before the answer to the change.
    qtbot.waitUntil(lambda: running.window.banner.words.startswith("Changed: "))
    running.window.banner.offer.click()
    qtbot.waitUntil(lambda: row.setting.value == was)


def test_an_agent_that_is_not_here_cannot_be_connected(page: AgentsPage) -> None:
    assert not page.connect_pane.rows["codex"].isVisible()
    absent = "Claude Desktop, Claude Code, Codex, Gemini CLI and OpenClaw"
    assert page.connect_pane.absent.text() == f"Not found on this computer: {absent}."


def test_a_rule_is_written_and_holds(qtbot, page: AgentsPage, running: Desktop) -> None:
    agents = engine_of(running).agents
    box = page.rules.boxes["", Action.WRITE]
    assert box.currentText() == "After my review"
    box.setCurrentIndex(box.findText("Ask me"))
    box.activated.emit(box.currentIndex())
    qtbot.waitUntil(lambda: agents.permission("any", "my-notes", Action.WRITE) is Permission.ASK)


def test_a_call_of_a_known_agent_makes_no_new_lists_of_permissions(
    qtbot, page: AgentsPage, running: Desktop
) -> None:
    agents = engine_of(running).agents
    entry = AuditEntry("claude-code", "memory_search", "roof")
    agents.record(entry).result()
    qtbot.waitUntil(lambda: ("claude-code", Action.READ) in page.rules.boxes)
    boxes = dict(page.rules.boxes)
    agents.record(entry).result()
    qtbot.waitUntil(lambda: [agent.requests for agent in page.rules.known] == [2])
    assert page.rules.boxes == boxes


def test_the_lists_of_permissions_are_as_wide_as_each_other(page: AgentsPage) -> None:
    assert len({box.maximumWidth() for box in page.rules.boxes.values()}) == 1
    [width] = {box.width() for box in page.rules.boxes.values()}
    assert width >= max(box.sizeHint().width() for box in page.rules.boxes.values())


def test_visits_are_listed_and_forgotten(qtbot, page: AgentsPage, running: Desktop) -> None:
    agents = engine_of(running).agents
    fatal = QAbstractItemModelTester.FailureReportingMode.Fatal
    tester = QAbstractItemModelTester(page.audit_log.model, fatal)
    shown = (AuditedHit("my-notes", "MEMORY.md", 1, 4),)
    agents.record(AuditEntry("claude-code", "memory_search", "roof  plan", shown)).result()
    qtbot.waitUntil(lambda: page.audit_log.model.rowCount() == 1)
    index = page.audit_log.model.index(0)
    assert index.data() == "roof plan"
    assert "Notes shown: MEMORY.md" in index.data(Qt.ItemDataRole.AccessibleDescriptionRole)
    qtbot.waitUntil(lambda: ("claude-code", Action.READ) in page.rules.boxes)
    page.audit_log.clear.click()
    box = page.audit_log.findChild(QMessageBox)
    next(one for one in box.buttons() if one.objectName() == "yes").click()
    qtbot.waitUntil(lambda: page.audit_log.model.rowCount() == 0)
    assert tester.model() is page.audit_log.model


def test_the_log_claims_nothing_while_it_is_off(qtbot, page: AgentsPage, running: Desktop) -> None:
    assert "for 90 days" in page.audit_log.words.text()
    engine_of(running).settings_editor.set("access.auditLogDays", 0).result()
    told = "Scrubjay does not record questions from agents."
    qtbot.waitUntil(lambda: page.audit_log.words.text() == told)


def test_a_long_audit_log_is_loaded_as_it_is_scrolled(
    qtbot, page: AgentsPage, running: Desktop
) -> None:
    agents = engine_of(running).agents
    for number in range(250):
        last = agents.record(AuditEntry("one", "memory_search", f"question {number}"))
    last.result()
    page.audit_log.refresh()
    qtbot.waitUntil(lambda: page.audit_log.model.rowCount() == 100)
    page.tabs.setCurrentWidget(page.audit_log)
    page.audit_log.list.scrollToBottom()
    qtbot.waitUntil(lambda: page.audit_log.model.rowCount() >= 200)


def test_a_proposal_goes_into_memory_and_back(
    qtbot, page: AgentsPage, running: Desktop, agent_memory: Path
) -> None:
    now = dt.datetime.now().astimezone()
    store = RecallStore(agent_memory)
    found = [hit(KEY_NOTE, path=f"memory/{DAY}.md", line=3)]
    for number in range(9):
        store.record([(f"question {number}", found)], now - dt.timedelta(days=8 - number))
    page.look.click()
    qtbot.waitUntil(lambda: len(page.dreams.cards) == 1)
    assert running.window.navigation.entries["agents"].accessibleDescription() == (
        "1 suggestion is waiting for your decision."
    )
    next(iter(page.dreams.cards.values())).yes.click()
    qtbot.waitUntil(lambda: KEY_NOTE in (agent_memory / "MEMORY.md").read_text())
    qtbot.waitUntil(lambda: running.window.banner.offer.isVisible())
    running.window.banner.offer.click()
    qtbot.waitUntil(lambda: (agent_memory / "MEMORY.md").read_text() == "# Memory\n")
    qtbot.waitUntil(lambda: len(page.dreams.cards) == 1)
    next(iter(page.dreams.cards.values())).no.click()
    qtbot.waitUntil(lambda: not page.dreams.cards)


def test_what_was_said_is_kept_or_dropped(
    qtbot, page: AgentsPage, running: Desktop, agent_memory: Path
) -> None:
    said = ["Remember that the meter is behind the stairs.", "I prefer tea in the morning."]
    engine = engine_of(running)
    engine.recall.capture(engine.find_workspace("my-notes"), said).result()
    qtbot.waitUntil(lambda: len(page.captured.cards) == 2)
    first, second = page.captured.cards.values()
    first.yes.click()
    qtbot.waitUntil(lambda: len(page.captured.cards) == 1)
    second.no.click()
    qtbot.waitUntil(lambda: not page.captured.cards)
    today = dt.datetime.now().astimezone().date()
    assert "behind the stairs" in (agent_memory / "memory" / f"{today}.md").read_text()


@pytest.fixture
def request_() -> AccessRequest:
    now = dt.datetime.now().astimezone()
    return AccessRequest(7, "cursor", "my-notes", Action.READ, "memory_search", "roof?", now)


def test_an_agent_that_asks_gets_the_answer_of_the_person(
    qtbot, running: Desktop, request_: AccessRequest
) -> None:
    heard: list[tuple[object, bool, bool]] = []
    running.late.access_prompts.answered.connect(lambda *answer: heard.append(answer))
    running.bridge.received.emit(AccessAsked(request_))
    box = running.late.access_prompts.box
    assert box is not None
    assert box.text() == "Cursor wants to search your notes in My notes."
    assert box.defaultButton().objectName() != "yes"
    box.findChild(QCheckBox).setChecked(True)
    next(one for one in box.buttons() if one.objectName() == "yes").click()
    assert heard == [(request_, True, True)]


def test_a_question_that_nobody_waits_for_goes_away(running: Desktop, request_) -> None:
    running.bridge.received.emit(AccessAsked(request_))
    running.bridge.received.emit(AccessSettled(7))
    assert running.late.access_prompts.box is None


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        (AuditEntry("a", "t", "q"), "No notes were shown"),
        (
            AuditEntry("a", "t", "q", outcome="refused", reason="It may not."),
            "The request was refused. It may not.",
        ),
        (
            AuditEntry("a", "t", "q", tuple(AuditedHit("w", f"{n}.md", 1, 2) for n in range(5))),
            "Notes shown: 0.md, 1.md, 2.md and 2 more notes",
        ),
    ],
)
def test_what_was_shown_is_said_in_words(entry: AuditEntry, words: str) -> None:
    assert hits_text(entry) == words


def test_an_agent_with_a_card_is_not_named_as_absent(
    qtbot, page: AgentsPage, running: Desktop
) -> None:
    engine_of(running).agents.record(AuditEntry("codex", "memory_search", "crane")).result()
    qtbot.waitUntil(page.connect_pane.rows["codex"].isVisible)
    assert "Codex" not in page.connect_pane.absent.text()
    assert "Gemini CLI" in page.connect_pane.absent.text()


def test_what_panes_show_ends_at_one_edge(qtbot, page: AgentsPage) -> None:
    page.window().resize(900, 640)
    edges = set()
    page.tabs.setCurrentWidget(page.connect_pane)
    for pane, shown in (
        (page.connect_pane, page.connect_pane.rows["cursor"]),
        (page.rules, page.rules.scope),
        (page.audit_log, page.audit_log.clear),
        (page.dreams, page.look),
    ):
        page.tabs.setCurrentWidget(pane)
        QApplication.processEvents()
        edges.add(shown.mapTo(page, QPoint(shown.width(), 0)).x())
    assert edges == {page.width() - 3 * GRID}
