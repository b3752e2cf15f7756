from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication

from scrubjay.health.findings import Finding, FindingKind, MemorySize, Severity
from scrubjay.platform.paths import Paths
from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.health.findings_model import FindingListModel
from scrubjay_desktop.health.health_page import HealthPage, MemorySizeBar, memory_sentence
from scrubjay_desktop.widgets.theme import GRID
from scrubjay_desktop.windows.main_window import HOME
from support.app import WORDS_ONLY, running_app

pytestmark = pytest.mark.qt_log_ignore("systemTrayWindowChanged", extend=True)
TOKEN = "ghp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9v"


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    root = tmp_path / "notes"
    root.mkdir()
    (root / "plan.md").write_text(f"# Plan\n\nThe key is {TOKEN}\n")
    (root / "other.md").write_text("# Other\n\nSee [gone](gone.md)\n")
    return root


@pytest.fixture
def running(qtbot, qapp: QApplication, paths: Paths, notes: Path) -> Iterator[Desktop]:
    """The app on the real engine, with two notes that need a person."""
    with running_app(qapp, paths, settings=WORDS_ONLY) as made:
        made.actions.add_folder(notes, "My notes")
        qtbot.waitUntil(lambda: made.window.status_line.sentence == "2 notes are up to date")
        yield made


@pytest.fixture
def page(qtbot, running: Desktop) -> HealthPage:
    page = running.window.pages.show_page("health")
    assert isinstance(page, HealthPage)
    qtbot.waitUntil(lambda: page.model.rowCount() > 0)
    return page


def titles(page: HealthPage) -> list[str]:
    return [page.model.index(row).data() for row in range(page.model.rowCount())]


def test_findings_are_listed_worst_first_and_counted(page: HealthPage, running: Desktop) -> None:
    assert titles(page) == ["A secret stands in a note", "A link leads nowhere"]
    entry = running.window.navigation.entries["health"]
    assert entry.accessibleDescription() == "2 things need you."


def test_a_secret_is_blanked_out_and_comes_back(
    qtbot, page: HealthPage, running: Desktop, notes: Path
) -> None:
    before = (notes / "plan.md").read_text()
    assert page.mend.text() == "Blank it out, with backup"
    qtbot.mouseClick(page.mend, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: titles(page) == ["A link leads nowhere"])
    assert (notes / "plan.md").read_text() == "# Plan\n\nThe key is [redacted]\n"
    assert TOKEN not in running.window.banner.words
    qtbot.mouseClick(running.window.banner.offer, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: len(titles(page)) == 2)
    assert (notes / "plan.md").read_text() == before


def test_what_can_be_done_stands_right_below_the_findings(qtbot, page: HealthPage) -> None:
    last = page.list.visualRect(page.model.index(page.model.rowCount() - 1))
    qtbot.waitUntil(lambda: page.list.height() < page.height() / 2)
    below = page.list.viewport().mapTo(page, last.bottomLeft()).y()
    assert 0 < page.show_me.mapTo(page, QPoint(0, 0)).y() - below < 5 * GRID


def test_show_me_opens_the_note_at_its_line(qtbot, page: HealthPage, running: Desktop) -> None:
    page.list.setCurrentIndex(page.model.index(1))
    qtbot.mouseClick(page.show_me, Qt.MouseButton.LeftButton)
    assert running.window.pages.key == HOME
    row = running.window.preview.row
    assert row is not None
    assert (row.path, row.line) == ("other.md", 3)
    qtbot.waitUntil(lambda: "See gone" in running.window.preview.view.toPlainText())


def test_checking_again_finds_what_was_mended_elsewhere(qtbot, page: HealthPage, notes) -> None:
    for name in ("plan.md", "other.md"):
        (notes / name).write_text(f"# {name}\n")
    qtbot.mouseClick(page.again, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: page._pages.currentIndex() == 1)  # noqa: SLF001
    assert page._head.text().startswith("Nothing needs you. Looked through 2 notes")  # noqa: SLF001


def test_the_model_keeps_the_rules_of_qt(qtmodeltester) -> None:
    model = FindingListModel()
    QAbstractItemModelTester(model)
    model.show([Finding(FindingKind.LEFT_OUT, Severity.NOTICE, {"reason": "A link."}, path="x")])
    qtmodeltester.check(model)
    assert model.index(0).data(Qt.ItemDataRole.AccessibleDescriptionRole) == (
        "Good to know. x: A link. Nothing needs to be done."
    )


@pytest.mark.parametrize(
    ("characters", "cut_line", "sentence"),
    [
        (1_200, 0, "Me, MEMORY.md: 1,200 of the 20,000 characters that agents load"),
        (30_000, 412, "Me, MEMORY.md: agents load 20,000 of 30,000 characters, up to line 412"),
    ],
)
def test_the_cut_is_told_and_drawn(qtbot, characters: int, cut_line: int, sentence: str) -> None:
    size = MemorySize("me", "MEMORY.md", Path("MEMORY.md"), characters, 20_000, 500, cut_line)
    assert memory_sentence(size, "Me") == sentence
    bar = MemorySizeBar(size, "Me")
    qtbot.addWidget(bar)
    bar.resize(400, bar.sizeHint().height())
    shown = bar.grab().toImage()
    whole = MemorySizeBar(
        MemorySize("me", "MEMORY.md", Path("MEMORY.md"), 20_000, 20_000, 500, 0), "Me"
    )
    qtbot.addWidget(whole)
    whole.resize(bar.size())
    assert whole.grab().toImage() != shown
    assert bar.accessibleName() == sentence
