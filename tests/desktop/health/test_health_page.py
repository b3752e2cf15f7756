from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QAbstractItemModelTester, QSignalSpy
from PySide6.QtWidgets import QApplication, QProgressBar

from scrubjay.health.findings import Finding, FindingKind, HealthReport, MemoryFileSize, Severity
from scrubjay.platform.paths import Paths
from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.app.start_options import Start
from scrubjay_desktop.health.findings_model import FindingListModel
from scrubjay_desktop.health.health_page import HealthPage, memory_sentence, memory_size_bar
from scrubjay_desktop.widgets.theme import GRID
from scrubjay_desktop.windows.main_window import HOME, MainWindow
from support.app import running_app

pytestmark = pytest.mark.qt_log_ignore("systemTrayWindowChanged", extend=True)
AT_ONCE = "memorySearch: { provider: 'none', sync: { watchDebounceMs: 100 } }"
TOKEN = "ghp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9v"


@pytest.fixture
def faulty_notes(tmp_path: Path) -> Path:
    root = tmp_path / "notes"
    root.mkdir()
    (root / "plan.md").write_text(f"# Plan\n\nThe key is {TOKEN}\n")
    (root / "other.md").write_text("# Other\n\nSee [gone](gone.md)\n")
    return root


@pytest.fixture
def running(qtbot, qapp: QApplication, paths: Paths, faulty_notes: Path) -> Iterator[Desktop]:
    """The app on the real engine, with two notes that need a person, looked at without a rest."""
    start = Start(theme="light", health_rest_ms=200, unseen_health_rest_ms=200)
    with running_app(qapp, paths, settings=AT_ONCE, start=start) as made:
        made.late.actions.add_folder(faulty_notes, "My notes")
        qtbot.waitUntil(lambda: made.window.status_line.sentence == "2 notes are up to date")
        yield made


@pytest.fixture
def page(qtbot, running: Desktop) -> HealthPage:
    page = running.window.pages.show_page("health")
    assert isinstance(page, HealthPage)
    qtbot.waitUntil(lambda: "Scrubjay checked" in page._head.text())  # noqa: SLF001
    return page


def titles(page: HealthPage) -> list[str]:
    return [page.model.index(row).data() for row in range(page.model.rowCount())]


def test_findings_are_listed_worst_first_and_counted(page: HealthPage, running: Desktop) -> None:
    assert titles(page) == ["A note contains a password or key", "A link is broken"]
    entry = running.window.navigation.entries["health"]
    assert entry.accessibleDescription() == "2 things need your attention."


def test_the_number_in_the_navigation_follows_before_the_page_was_opened(
    qtbot, running: Desktop, faulty_notes: Path
) -> None:
    entry = running.window.navigation.entries["health"]
    qtbot.waitUntil(lambda: entry.accessibleDescription() == "2 things need your attention.")
    away = faulty_notes.rename(faulty_notes.with_name("away"))
    running.late.actions.refresh()
    qtbot.waitUntil(lambda: entry.accessibleDescription() == "One thing needs your attention.")
    away.rename(faulty_notes)
    running.late.actions.refresh()
    qtbot.waitUntil(lambda: entry.accessibleDescription() == "2 things need your attention.")
    assert running.window.pages.key == HOME


@pytest.mark.parametrize("is_seen", [False, True])
def test_health_and_the_status_line_tell_of_a_folder_at_the_same_moment(
    qtbot, qapp: QApplication, paths: Paths, faulty_notes: Path, *, is_seen: bool
) -> None:
    (faulty_notes / "plan.md").write_text("# Plan\n")
    (faulty_notes / "other.md").write_text("# Other\n")
    with running_app(qapp, paths, settings=AT_ONCE) as app:
        app.late.actions.add_folder(faulty_notes, "My notes")
        entry, line = app.window.navigation.entries["health"], app.window.status_line
        qtbot.waitUntil(lambda: line.sentence == "2 notes are up to date")
        page = app.window.pages.show_page("health")
        qtbot.waitUntil(lambda: "Scrubjay checked 2" in page._head.text())  # noqa: SLF001
        if not is_seen:
            app.window.pages.show_page(HOME)
        said: list[tuple[bool, bool, bool]] = []

        def listen(_: object) -> None:
            number = entry.accessibleDescription() == "One thing needs your attention."
            said.append(("does not exist" in line.sentence, number, bool(titles(page))))

        app.feed.changed.connect(listen)
        away = faulty_notes.rename(faulty_notes.with_name("away"))
        qtbot.waitUntil(lambda: (True, True, True) in said)
        away.rename(faulty_notes)
        qtbot.waitUntil(lambda: said[-1] == (False, False, False))
        (faulty_notes / "plan.md").write_bytes(b"\x00\x01")
        qtbot.waitUntil(lambda: said[-1] == (False, True, True))
        assert app.window.workspaces.problems.text() == "1 file could not be read"
        (faulty_notes / "plan.md").write_text("# Plan\n")
        qtbot.waitUntil(lambda: said[-1] == (False, False, False))
        assert app.window.workspaces.problems.text() == ""
        assert set(said) == {(True, True, True), (False, True, True), (False, False, False)}


@pytest.mark.parametrize("is_key", [True, False])
def test_enter_and_a_double_click_open_a_finding(
    qtbot, page: HealthPage, running: Desktop, *, is_key: bool
) -> None:
    page.list.setCurrentIndex(page.model.index(1))
    if is_key:
        qtbot.keyClick(page.list, Qt.Key.Key_Return)
    else:
        viewport = page.list.viewport()
        place = page.list.visualRect(page.model.index(1)).topLeft() + QPoint(80, 12)
        target = viewport.childAt(place) or viewport
        inside = target.mapFrom(viewport, place)
        qtbot.mouseClick(target, Qt.MouseButton.LeftButton, pos=inside)
        qtbot.mouseDClick(target, Qt.MouseButton.LeftButton, pos=inside)
    row = running.window.preview.row
    assert row is not None
    assert row.path == "other.md"
    assert running.window.pages.key == HOME


def test_a_secret_is_blanked_out_and_comes_back(
    qtbot, page: HealthPage, running: Desktop, faulty_notes: Path
) -> None:
    before = (faulty_notes / "plan.md").read_text()
    press(qtbot, page, "Blank out password or key")
    qtbot.waitUntil(lambda: titles(page) == ["A link is broken"])
    assert (faulty_notes / "plan.md").read_text() == "# Plan\n\nThe key is [redacted]\n"
    assert TOKEN not in running.window.banner.words
    qtbot.mouseClick(running.window.banner.offer, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: len(titles(page)) == 2)
    assert (faulty_notes / "plan.md").read_text() == before


def press(qtbot, page: HealthPage, text: str) -> None:
    button = next(button for button in page.buttons if button.text() == text)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


@pytest.mark.parametrize("number", [0, 1])
def test_buttons_stand_in_the_row_of_their_finding(qtbot, page: HealthPage, number: int) -> None:
    page.list.setCurrentIndex(page.model.index(number))
    row = page.list.visualRect(page.model.index(number))
    assert page.buttons
    for button in page.buttons:
        place = button.mapTo(page.list.viewport(), QPoint(0, 0))
        assert button.isVisible()
        assert row.contains(place)
        assert place.y() > row.top() + 6 * GRID  # below the texts
        assert row.height() > page.list.visualRect(page.model.index(1 - number)).height()


def test_a_finding_about_which_nothing_can_be_done_has_no_buttons(qtbot, page: HealthPage) -> None:
    finding = Finding(FindingKind.DISK_FULL, Severity.TROUBLE, {"free": 1})
    page.show_report(HealthReport((finding,), 2, 0, dt.datetime.now().astimezone()))
    assert page.buttons == []


@pytest.mark.parametrize("kind", [FindingKind.AGENT_CONNECTION, FindingKind.AGENT_CONNECTED_TWICE])
def test_a_finding_about_an_agent_leads_to_the_agents(
    qtbot, page: HealthPage, kind: FindingKind
) -> None:
    values = {"agent": "Cursor", "client": "cursor", "reason": "A reason."}
    finding = Finding(kind, Severity.ATTENTION, values)
    page.show_report(HealthReport((finding,), 2, 0, dt.datetime.now().astimezone()))
    with qtbot.waitSignal(page.agents_requested):
        page.buttons[0].click()


@pytest.mark.parametrize(
    ("documents", "end"),
    [
        (0, "just now."),
        (1, "just now, but not 1 document (PDF, canvas and similar files)."),
        (1200, "just now, but not 1,200 documents (PDF, canvas and similar files)."),
    ],
)
def test_the_number_of_notes_says_what_it_counts(
    page: HealthPage, documents: int, end: str
) -> None:
    page.show_report(HealthReport((), 272, documents, dt.datetime.now().astimezone()))
    assert page._head.text().endswith(f"Scrubjay checked 272 notes {end}")  # noqa: SLF001


def test_show_opens_the_note_and_marks_its_line(qtbot, page: HealthPage, running: Desktop) -> None:
    page.list.setCurrentIndex(page.model.index(1))
    press(qtbot, page, "Show")
    assert running.window.pages.key == HOME
    row = running.window.preview.row
    assert row is not None
    assert (row.path, row.line) == ("other.md", 3)
    view = running.window.preview.view
    qtbot.waitUntil(lambda: len(view.extraSelections()) == 1)
    assert view.extraSelections()[0].cursor.block().text().strip() == "See gone"
    running.late.actions.refresh()
    running.window.search.search.repeat()
    qtbot.wait(500)
    assert running.window.preview.row is row
    assert not running.window.search.list.currentIndex().isValid()


def test_a_file_that_cannot_be_read_is_shown_in_its_folder(
    qtbot, page: HealthPage, faulty_notes: Path
) -> None:
    (faulty_notes / "broken.md").write_bytes(b"\x00\x01\x02")
    qtbot.mouseClick(page.again, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "A file is not searched" in titles(page))
    qtbot.waitUntil(lambda: "Scrubjay checked 2 notes" in page._head.text())  # noqa: SLF001
    page.place_requested.disconnect()  # no file manager here
    page.list.setCurrentIndex(page.model.index(titles(page).index("A file is not searched")))
    with qtbot.waitSignal(page.place_requested) as place:
        press(qtbot, page, "Show in folder")
    assert place.args == [faulty_notes / "broken.md"]


def test_a_folder_that_is_gone_leads_to_the_folders(
    qtbot, page: HealthPage, running: Desktop, faulty_notes: Path
) -> None:
    faulty_notes.rename(faulty_notes.with_name("away"))
    running.late.actions.refresh()
    qtbot.waitUntil(lambda: titles(page) == ["A folder is missing"])
    press(qtbot, page, "Show")
    assert running.window.pages.key == "folders"


def test_a_change_is_looked_at_while_the_page_is_seen(
    qtbot, page: HealthPage, faulty_notes: Path, running: Desktop
) -> None:
    (faulty_notes / "plan.md").write_text("# Plan\n")
    qtbot.waitUntil(lambda: titles(page) == ["A link is broken"])
    looks = QSignalSpy(page.counted)

    def rests() -> bool:
        count = looks.count()
        qtbot.wait(1_000)
        return looks.count() == count

    qtbot.waitUntil(rests)  # a look is no change
    faulty_notes.rename(faulty_notes.with_name("away"))
    running.late.actions.refresh()
    qtbot.waitUntil(lambda: titles(page) == ["A folder is missing"])


def test_an_old_look_tells_its_age_and_is_done_again(
    qtbot, page: HealthPage, faulty_notes: Path
) -> None:
    window = page.window()
    assert isinstance(window, MainWindow)
    looked = dt.datetime.now().astimezone() - dt.timedelta(minutes=20)
    window.pages.show_page(HOME)
    page.show_report(HealthReport((), 2, 0, looked))
    looks = QSignalSpy(page.counted)
    page._show_head()  # noqa: SLF001
    assert page._head.text().endswith("20 min ago.")  # noqa: SLF001
    window.pages.show_page("health")
    qtbot.waitUntil(lambda: looks.count() > 0 and len(titles(page)) == 2)


def test_the_number_is_there_after_a_restart(
    qtbot, qapp: QApplication, page: HealthPage, running: Desktop, paths: Paths
) -> None:
    again = Desktop(qapp, running.engine, paths, Start(theme="light"))
    entry = again.window.navigation.entries["health"]
    assert entry.accessibleDescription() == "2 things need your attention."
    again.dispose()


def test_checking_again_finds_what_was_mended_elsewhere(
    qtbot, page: HealthPage, faulty_notes
) -> None:
    for name in ("plan.md", "other.md"):
        (faulty_notes / name).write_text(f"# {name}\n")
    qtbot.mouseClick(page.again, Qt.MouseButton.LeftButton)
    done = "Nothing needs your attention. Scrubjay checked 2 notes"
    qtbot.waitUntil(lambda: page._head.text().startswith(done))  # noqa: SLF001
    assert page._pages.currentIndex() == 1  # noqa: SLF001


def test_the_model_keeps_the_rules_of_qt(qtmodeltester) -> None:
    model = FindingListModel()
    QAbstractItemModelTester(model)
    link = Finding(FindingKind.LEFT_OUT, Severity.NOTICE, {"reason": "A link."}, "me", "x")
    model.show([link], {"me": "Mine"})
    qtmodeltester.check(model)
    description = Qt.ItemDataRole.AccessibleDescriptionRole
    said = "Information. x: A link. No action is needed."
    assert model.index(0).data(description) == said
    model.show([link], {"me": "Mine", "us": "Ours"})
    assert model.index(0).data(description) == said.replace("x:", "Mine › x:")


def test_only_where_there_is_an_agent_memory_is_measured(
    running: Desktop, page: HealthPage
) -> None:
    size = MemoryFileSize("me", "MEMORY.md", Path("MEMORY.md"), 30_000, 20_000, 500, 412)
    values = {"characters": 30_000, "limit": 20_000, "line": 412}
    long = Finding(FindingKind.MEMORY_TOO_LONG, Severity.ATTENTION, values, "me", "MEMORY.md")
    report = HealthReport((long,), 2, 0, dt.datetime.now().astimezone(), (size,))
    for has_agents in (False, True):
        running.late.agents.looked.emit(has_agents)
        page.show_report(report)
        assert page.model.rowCount() == has_agents
        assert page._memories.count() == has_agents  # noqa: SLF001


@pytest.mark.parametrize(
    ("characters", "cut_line", "sentence"),
    [
        (1_200, 0, "MEMORY.md in Me uses 1,200 of the 20,000 characters that agents can load."),
        (
            30_000,
            412,
            "Agents load only the first 20,000 of the 30,000 characters in MEMORY.md in Me, "
            "up to line 412.",
        ),
    ],
)
def test_the_cut_is_told_and_drawn(qtbot, characters: int, cut_line: int, sentence: str) -> None:
    size = MemoryFileSize("me", "MEMORY.md", Path("MEMORY.md"), characters, 20_000, 500, cut_line)
    assert memory_sentence(size, "Me") == sentence
    box = memory_size_bar(size, "Me")
    qtbot.addWidget(box)
    bar = box.findChild(QProgressBar)
    assert (bar.value(), bar.maximum()) == (min(characters, 20_000), max(characters, 20_000))
    assert bar.accessibleName() == sentence


def test_a_link_that_is_an_example_is_left_with_a_click_and_comes_back_with_another(
    qtbot, page: HealthPage, running: Desktop
) -> None:
    entry = running.window.navigation.entries["health"]
    page.list.setCurrentIndex(page.model.index(1))
    leave = next(button for button in page.buttons if button.text() == "Leave as is")
    leave.click()
    qtbot.waitUntil(lambda: entry.accessibleDescription() == "One thing needs your attention.")
    assert titles(page) == ["A note contains a password or key", "A link is broken"]
    assert "no longer reports this" in running.window.banner.words
    page.list.setCurrentIndex(page.model.index(1))
    qtbot.waitUntil(lambda: any(button.text() == "Report again" for button in page.buttons))
    next(button for button in page.buttons if button.text() == "Report again").click()
    qtbot.waitUntil(lambda: entry.accessibleDescription() == "2 things need your attention.")


def test_a_password_cannot_be_left(page: HealthPage) -> None:
    page.list.setCurrentIndex(page.model.index(0))
    assert page.buttons
    assert "Leave as is" not in [button.text() for button in page.buttons]
