"""Folders that are told where they are, what of them is read, and what they are called."""

from __future__ import annotations

from concurrent.futures import Future
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import (
    QDialogButtonBox,
    QFileDialog,
    QInputDialog,
    QMessageBox,
    QTreeWidgetItem,
)

from scrubjay.engine.engine import Engine
from scrubjay.errors import ScrubjayError
from scrubjay.records.note_records import FolderDescription
from scrubjay.records.status_records import PictureCount, WorkspaceStatus
from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.app.start_request import StartRequest
from scrubjay_desktop.text.formatting import abbreviate_home
from scrubjay_desktop.text.status_sentences import workspace_line
from scrubjay_desktop.workspaces.descriptions_dialog import DescriptionsDialog
from scrubjay_desktop.workspaces.folder_dialogs import ReadNotesDialog, folder_menu
from scrubjay_desktop.workspaces.workspaces_page import WorkspaceCard, WorkspacesPage
from support.document_makers import pdf, word
from support.pictures import encoded, page
from support.vault import TIMEOUT, add, found, write_notes

pytestmark = pytest.mark.qt_log_ignore("systemTrayWindowChanged", extend=True)


@pytest.fixture
def app(qtbot, desktop: Desktop) -> Desktop:
    with qtbot.waitSignal(desktop.started):
        desktop.begin(StartRequest.WINDOW)
    return desktop


def status_of(app: Desktop, name: str = "home") -> WorkspaceStatus:
    return next(each for each in app.feed.status.workspaces if each.workspace.id == name)


def card_of(app: Desktop, name: str = "home") -> WorkspaceCard:
    page = app.window.pages.show_page("folders")
    assert isinstance(page, WorkspacesPage)
    return page.cards[name]


def choose(app: Desktop, action: str, name: str = "home") -> None:
    """Choose an entry of a folder's menu."""
    menu = app.window.workspaces.menu_for(status_of(app, name))
    next(each for each in menu.actions() if each.objectName() == action).trigger()


def answer(qtbot, app: Desktop, text: str) -> str:
    """Press a button of the question that is open; the answer is what it told."""
    qtbot.waitUntil(lambda: app.window.findChild(QMessageBox) is not None)
    box = app.window.findChild(QMessageBox)
    said = f"{box.text()} {box.informativeText()}"
    next(each for each in box.buttons() if each.text() == text).click()
    return said


def folder_dialog(qtbot, app: Desktop) -> QFileDialog:
    """The dialog in which a folder is chosen."""
    qtbot.waitUntil(lambda: app.window.findChild(QFileDialog) is not None)
    return app.window.findChild(QFileDialog)


def undo(qtbot, app: Desktop) -> None:
    qtbot.waitUntil(lambda: app.window.banner.offer.text() == "Undo")
    app.window.banner.offer.click()


@pytest.fixture
def moved(qtbot, app: Desktop, notes: Path, tmp_path: Path) -> Path:
    """The place to which the folder `home` was moved, nowhere nearby."""
    place = notes.parent / "far" / "away" / "from here"
    place.parent.mkdir(parents=True)
    (notes / "home").rename(place)
    qtbot.waitUntil(lambda: bool(status_of(app).away))
    qtbot.waitUntil(lambda: bool(app.opener.absent))
    return place


def test_a_moved_folder_is_asked_for_and_keeps_what_was_learned(
    qtbot, app: Desktop, engine: Engine, moved: Path, notes: Path
) -> None:
    card = card_of(app)
    qtbot.waitUntil(card.locate.isVisible)
    assert card.facts.text() == "2 notes, folder not found"
    assert not card.check.isVisible()
    card.locate.click()
    dialog = folder_dialog(qtbot, app)
    assert dialog.windowTitle() == "Locate the folder “Home notes”"
    dialog.fileSelected.emit(str(moved))
    dialog.reject()
    qtbot.waitUntil(lambda: not status_of(app).away and card.check.isVisible())
    said = f"The new location of Home notes is {moved}."
    qtbot.waitUntil(lambda: said in app.window.banner.words)
    assert card.folder.text() == str(moved)
    qtbot.waitUntil(lambda: card.facts.text() == "2 notes · all ready for search by meaning")
    undo(qtbot, app)
    qtbot.waitUntil(lambda: status_of(app).workspace.root == notes / "home")


def test_a_folder_with_other_notes_is_taken_only_after_a_question(
    qtbot, app: Desktop, moved: Path, tmp_path: Path
) -> None:
    other = write_notes(tmp_path / "other", {"bird.md": "A jay.\n"})
    choose(app, "locate")
    dialog = folder_dialog(qtbot, app)
    dialog.fileSelected.emit(str(other))
    dialog.reject()
    said = answer(qtbot, app, "Cancel")
    assert f"Has “Home notes” moved to {other}? The new folder contains " in said
    assert "0 of the 2 notes from the previous folder." in said
    assert status_of(app).away


def test_a_folder_that_is_found_nearby_is_proposed(qtbot, app: Desktop, notes: Path) -> None:
    place = (notes / "home").rename(notes / "house")
    qtbot.waitUntil(lambda: bool(status_of(app).away))
    choose(app, "locate")
    assert f"Has “Home notes” moved to {place}?" in answer(qtbot, app, "&Yes")
    qtbot.waitUntil(lambda: status_of(app).workspace.root == place)
    qtbot.waitUntil(lambda: not status_of(app).away)


def test_opening_a_note_of_an_absent_folder_says_one_sentence(
    qtbot, app: Desktop, moved: Path, notes: Path
) -> None:
    app.opener.open(notes / "home" / "router.md", 1)
    root = notes / "home"
    banner = app.window.banner
    assert banner.words == f"router.md cannot be opened because the folder {root} is missing."
    banner.offer.click()
    folder_dialog(qtbot, app).reject()


def test_opening_a_note_that_is_gone_says_one_sentence(app: Desktop, notes: Path) -> None:
    app.opener.open(notes / "home" / "gone.md", 1)
    told = "gone.md was not found. The file may have been moved or deleted."
    assert app.window.banner.words == told


def test_the_warning_in_the_sidebar_is_a_button(qtbot, app: Desktop, moved: Path) -> None:
    view = app.window.workspaces.list
    place = view.visualRect(view.model().index(1))
    click = QPoint(place.right() - 20, place.top() + 20)
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=click)
    folder_dialog(qtbot, app).reject()
    assert app.window.search.search.scope.workspace is None
    assert view.currentIndex().row() == 0


def test_a_folder_gets_another_name(qtbot, app: Desktop, engine: Engine) -> None:
    choose(app, "rename")
    dialog = app.window.findChild(QInputDialog)
    dialog.setTextValue("Mine")
    dialog.accept()
    qtbot.waitUntil(lambda: card_of(app).name.text() == "Mine")
    qtbot.waitUntil(lambda: app.window.workspaces.model.index(1).data() == "Mine")
    undo(qtbot, app)
    qtbot.waitUntil(lambda: card_of(app).name.text() == "Home notes")


def items(dialog: ReadNotesDialog) -> dict[str, QTreeWidgetItem]:
    flags = Qt.MatchFlag.MatchContains | Qt.MatchFlag.MatchRecursive
    return {item.text(0): item for item in dialog.tree.findItems("", flags)}


def test_a_subfolder_is_left_out_with_a_tick_and_comes_back(
    qtbot, app: Desktop, engine: Engine, notes: Path
) -> None:
    write_notes(notes / "home", {"diary/old/zoo.md": "A zebra.\n"})
    qtbot.waitUntil(lambda: found(engine, "zebra") == ["diary/old/zoo.md"])
    choose(app, "choose")
    qtbot.waitUntil(lambda: app.window.findChild(ReadNotesDialog) is not None)
    dialog = app.window.findChild(ReadNotesDialog)
    rows = items(dialog)
    assert {name: row.text(1) for name, row in rows.items()} == {
        "diary": "2 notes",
        "old": "1 note",
    }
    assert not dialog.agent.isVisible()
    rows["diary"].setCheckState(0, Qt.CheckState.Unchecked)
    assert rows["old"].isDisabled()
    dialog.accept()
    qtbot.waitUntil(lambda: status_of(app).workspace.left_out == ("diary",))
    qtbot.waitUntil(lambda: found(engine, "zebra") == [])
    said = "Notes in this folder, except in diary and hidden folders"
    qtbot.waitUntil(lambda: card_of(app).read.text() == said)
    undo(qtbot, app)
    qtbot.waitUntil(lambda: found(engine, "zebra") == ["diary/old/zoo.md"])


def test_documents_are_read_by_a_tick(qtbot, app: Desktop, engine: Engine, notes: Path) -> None:
    (notes / "home" / "manual.pdf").write_bytes(pdf(["A zebra"]))
    (notes / "home" / "letter.docx").write_bytes(word("An okapi"))
    (notes / "home" / "page.html").write_bytes(b"<p>A gnu")
    choose(app, "choose")
    qtbot.waitUntil(lambda: app.window.findChild(ReadNotesDialog) is not None)
    dialog = app.window.findChild(ReadNotesDialog)
    assert dialog.documents.isVisible()
    assert dialog.documents.text() == "Also read 1 PDF, 1 Word file and 1 other document"
    assert not dialog.documents.isChecked()
    dialog.documents.setChecked(True)
    dialog.accept()
    qtbot.waitUntil(lambda: found(engine, "zebra") == ["manual.pdf"])
    assert found(engine, "okapi") == ["letter.docx"]
    said = "Notes and documents in this folder, except in hidden folders"
    qtbot.waitUntil(lambda: card_of(app).read.text() == said)
    undo(qtbot, app)
    qtbot.waitUntil(lambda: found(engine, "zebra") == [])


def test_pictures_are_read_by_a_tick_that_says_how_many(
    qtbot, app: Desktop, engine: Engine, notes: Path
) -> None:
    board = page(("Migrate the ledger to Lisbon",))
    (notes / "home" / "board.png").write_bytes(encoded(board))
    (notes / "home" / "letter.jpg").write_bytes(encoded(board, "JPEG"))
    (notes / "home" / "icon.png").write_bytes(encoded(board.resize((16, 16))))
    choose(app, "choose")
    qtbot.waitUntil(lambda: app.window.findChild(ReadNotesDialog) is not None)
    dialog = app.window.findChild(ReadNotesDialog)
    label = "Also read 2 pictures in the background (less than a minute)"
    qtbot.waitUntil(lambda: dialog.pictures.box.text() == label)
    assert dialog.pictures.isVisible()
    assert not dialog.pictures.is_ticked
    dialog.pictures.box.setChecked(True)
    dialog.accept()
    # Searches go first: pictures are read while nobody asks.
    qtbot.waitUntil(lambda: status_of(app).workspace.pictures)
    documents = status_of(app).freshness.documents
    qtbot.waitUntil(lambda: status_of(app).freshness.documents == documents + 2)
    assert set(found(engine, "ledger")) == {"board.png", "letter.jpg"}
    said = "Notes and pictures in this folder, except in hidden folders"
    qtbot.waitUntil(lambda: card_of(app).read.text() == said)
    assert not card_of(app).pictures.isVisible()
    undo(qtbot, app)
    qtbot.waitUntil(lambda: found(engine, "ledger") == [])


def test_a_new_folder_with_pictures_offers_to_read_them(
    qtbot, app: Desktop, tmp_path: Path
) -> None:
    folder = write_notes(tmp_path / "school", {"plan.md": "Buy chalk.\n"})
    (folder / "board.png").write_bytes(encoded(page(("Migrate the ledger to Lisbon",))))
    app.window.workspaces.folder_added.emit(folder)
    qtbot.waitUntil(lambda: app.window.banner.offer.text() == "Choose what to read…")
    said = "Scrubjay now searches school (1 note). Scrubjay can also read the text in 1 picture"
    assert app.window.banner.words.startswith(said)
    app.window.banner.offer.click()
    qtbot.waitUntil(lambda: app.window.findChild(ReadNotesDialog) is not None)


def test_the_news_of_a_folder_does_not_wait_for_its_pictures(
    qtbot, app: Desktop, engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_notes(tmp_path / "school", {"plan.md": "Buy chalk.\n"})
    (folder / "lease.pdf").write_bytes(pdf(["A lease"]))
    count = Future[PictureCount]()
    monkeypatch.setattr(engine.folders, "count_pictures", lambda *_: count)
    app.window.workspaces.folder_added.emit(folder)
    said = "Scrubjay now searches school (2 notes)."
    qtbot.waitUntil(lambda: app.window.banner.words == said)
    count.set_result(PictureCount(0, 1, 9))
    qtbot.waitUntil(lambda: app.window.banner.offer.text() == "Choose what to read…")
    assert "the text in 1 scanned PDF in this folder" in app.window.banner.words


def test_a_folder_whose_pictures_cannot_be_counted_says_why(
    qtbot, app: Desktop, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    count = Future[PictureCount]()
    count.set_exception(ScrubjayError("The drive does not respond."))
    monkeypatch.setattr(engine.folders, "count_pictures", lambda *_: count)
    choose(app, "choose")
    qtbot.waitUntil(lambda: app.window.findChild(ReadNotesDialog) is not None)
    pictures = app.window.findChild(ReadNotesDialog).pictures
    qtbot.waitUntil(lambda: pictures.obstacle.text() == "The drive does not respond.")
    assert pictures.box.text() == "Also read text in &pictures"


def test_a_folder_of_documents_alone_can_be_left_out(
    qtbot, app: Desktop, engine: Engine, notes: Path
) -> None:
    papers = {"Mail/letter.docx": word("An okapi"), "Mail/more/old.docx": word("A gnu")}
    write_notes(notes / "home", {**papers, "plans/a.md": "Plan.\n", "plans/b.docx": word("A yak")})
    choose(app, "choose")
    qtbot.waitUntil(lambda: app.window.findChild(ReadNotesDialog) is not None)
    dialog = app.window.findChild(ReadNotesDialog)
    rows = items(dialog)
    contents = [rows[name].text(1) for name in ("Mail", "more", "plans")]
    assert contents == ["2 documents", "1 document", "1 note and 1 document"]
    dialog.documents.setChecked(True)
    rows["Mail"].setCheckState(0, Qt.CheckState.Unchecked)
    assert dialog.chosen.left_out == ("Mail",)


def test_hidden_folders_are_read_by_a_tick(
    qtbot, app: Desktop, engine: Engine, notes: Path
) -> None:
    write_notes(notes / "home", {".old/zoo.md": "A zebra.\n"})
    choose(app, "choose")
    qtbot.waitUntil(lambda: app.window.findChild(ReadNotesDialog) is not None)
    dialog = app.window.findChild(ReadNotesDialog)
    assert dialog.hidden.isVisible()
    assert dialog.hidden.text() == "Also read 1 note in folders whose names &begin with a dot"
    assert not dialog.hidden.isChecked()
    assert ".old" not in items(dialog)
    assert found(engine, "zebra") == []
    dialog.hidden.setChecked(True)
    dialog.accept()
    qtbot.waitUntil(lambda: found(engine, "zebra") == [".old/zoo.md"])
    undo(qtbot, app)
    qtbot.waitUntil(lambda: found(engine, "zebra") == [])


def test_a_folder_with_its_own_place_on_the_list_is_no_choice(
    qtbot, app: Desktop, engine: Engine, notes: Path
) -> None:
    write_notes(notes / "home", {"recipes/bread.md": "Flour.\n"})
    engine.folders.change(replace(status_of(app).workspace, left_out=("recipes",))).result(TIMEOUT)
    add(engine, notes / "home" / "recipes")
    qtbot.waitUntil(lambda: len(app.feed.status.workspaces) == len(engine.workspaces()))
    choose(app, "choose")
    qtbot.waitUntil(lambda: app.window.findChild(ReadNotesDialog) is not None)
    dialog = app.window.findChild(ReadNotesDialog)
    assert items(dialog)["recipes"].isHidden()
    assert not items(dialog)["diary"].isHidden()
    dialog.accept()


def test_what_a_folder_holds_is_shown_and_can_be_changed(
    qtbot, app: Desktop, engine: Engine, notes: Path
) -> None:
    write_notes(notes / "home", {"MEMORY.md": "A heron.\n"})
    qtbot.waitUntil(lambda: found(engine, "heron") == ["MEMORY.md"])
    choose(app, "choose")
    qtbot.waitUntil(lambda: app.window.findChild(ReadNotesDialog) is not None)
    dialog = app.window.findChild(ReadNotesDialog)
    assert dialog.notes.isChecked()
    assert dialog.tree.isVisible()
    assert dialog.notes.text() == "All 3 notes in the &folder"
    assert dialog.agent.text() == "Only an &agent's memory (MEMORY.md and memory/): 1 note"
    dialog.agent.setChecked(True)
    assert not dialog.tree.isVisible()
    dialog.accept()
    card = card_of(app)
    qtbot.waitUntil(lambda: card.read.text() == "An agent's memory: MEMORY.md and memory/")
    qtbot.waitUntil(lambda: found(engine, "fridge") == [])


def test_only_an_absent_folder_is_asked_for(app: Desktop) -> None:
    menu = folder_menu(status_of(app), app.window.workspaces.requested, app.window)
    shown = [action.objectName() for action in menu.actions() if action.isVisible()]
    assert "locate" not in shown
    assert shown[-1] == "forget"


def test_the_home_folder_is_written_short(person: Path) -> None:
    texts = (person, person / "My Notes", f"{person}x", "A sentence.")
    assert [abbreviate_home(text) for text in texts] == [
        "~",
        str(Path("~/My Notes")),
        f"{person}x",
        "A sentence.",
    ]


@pytest.mark.parametrize(
    ("own", "banner", "line"),
    [
        (
            {},
            "All notes in papers are excluded or belong to other folders that Scrubjay searches.",
            "No notes apart",
        ),
        ({"elm.md": "An elm.\n"}, "Scrubjay now searches papers (1 note).", "1 note, "),
    ],
)
def test_a_folder_around_another_one_is_said_to_have_its_own_notes(
    qtbot, app: Desktop, tmp_path: Path, own: dict[str, str], banner: str, line: str
) -> None:
    papers = write_notes(tmp_path / "papers", {"garden/oak.md": "An oak.\n", **own})
    app.engine.add_workspace(papers / "garden").result()
    app.window.folder_added.emit(papers)
    qtbot.waitUntil(lambda: app.window.banner.words == banner)
    qtbot.waitUntil(lambda: workspace_line(status_of(app, "papers")).startswith(line))


def test_a_folder_that_was_just_added_can_be_read_without_some_of_it(
    qtbot, app: Desktop, tmp_path: Path
) -> None:
    garden = write_notes(
        tmp_path / "garden",
        {
            "oak.md": "An oak.\n",
            "Archive/elm.md": "An elm.\n",
            # Not all folders are read.
            ".hidden/ash.md": "An ash.\n",
            "node_modules/fir.md": "A fir.\n",
        },
    )
    app.window.folder_added.emit(garden)
    banner = app.window.banner
    qtbot.waitUntil(lambda: banner.words == "Scrubjay now searches garden (2 notes).")
    banner.offer.click()
    items(app.window.findChild(ReadNotesDialog))["Archive"].setCheckState(
        0, Qt.CheckState.Unchecked
    )
    app.window.findChild(ReadNotesDialog).accept()
    qtbot.waitUntil(lambda: status_of(app, "garden").workspace.left_out == ("Archive",))


def test_a_folder_is_described_for_agents(qtbot, app: Desktop, engine: Engine, notes: Path) -> None:
    choose(app, "describe")
    qtbot.waitUntil(lambda: app.window.findChild(DescriptionsDialog) is not None)
    dialog = app.window.findChild(DescriptionsDialog)
    assert [dialog.folder.itemText(row) for row in range(dialog.folder.count())] == [
        "The whole folder",
        "diary",
    ]
    dialog.box.setPlainText("What the family\nwrites down.")
    dialog.folder.setCurrentIndex(1)
    assert dialog.box.toPlainText() == ""
    dialog.box.setPlainText("One page a day.")
    dialog.folder.setCurrentIndex(0)
    assert dialog.box.toPlainText() == "What the family\nwrites down."
    dialog.accept()
    described = (
        FolderDescription("", "What the family writes down."),
        FolderDescription("diary", "One page a day."),
    )
    qtbot.waitUntil(lambda: status_of(app).workspace.descriptions == described)
    undo(qtbot, app)
    qtbot.waitUntil(lambda: status_of(app).workspace.descriptions == ())


def test_patterns_are_counted_before_they_exclude_notes(
    qtbot, app: Desktop, engine: Engine, notes: Path
) -> None:
    write_notes(notes / "home", {"zoo.tmp.md": "A zebra.\n", "diary/ape.tmp.md": "A zebra.\n"})
    qtbot.waitUntil(lambda: len(found(engine, "zebra")) == 2)
    choose(app, "choose")
    qtbot.waitUntil(lambda: app.window.findChild(ReadNotesDialog) is not None)
    dialog = app.window.findChild(ReadNotesDialog)
    result = dialog.patterns.result
    assert result.text() == ""
    dialog.patterns.box.setPlainText("*.tmp.md\n\n!diary/ape.tmp.md")
    total = len([*(notes / "home").rglob("*.md")])
    qtbot.waitUntil(lambda: result.text() == f"The patterns exclude 1 of {total} notes.")
    dialog.patterns.box.setPlainText("[z-a]")
    qtbot.waitUntil(lambda: "The pattern '[z-a]' cannot be used." in result.text())
    ok = dialog.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.Ok)
    assert not ok.isEnabled()
    dialog.patterns.box.setPlainText("*.tmp.md")
    qtbot.waitUntil(lambda: result.text() == f"The patterns exclude 2 of {total} notes.")
    assert ok.isEnabled()
    items(dialog)["diary"].setCheckState(0, Qt.CheckState.Unchecked)
    dialog.accept()
    qtbot.waitUntil(lambda: status_of(app).workspace.left_out == ("*.tmp.md", "diary"))
    qtbot.waitUntil(lambda: found(engine, "zebra") == [])
    choose(app, "choose")
    shown = []
    qtbot.waitUntil(lambda: shown.extend(app.window.findChildren(ReadNotesDialog)) or bool(shown))
    assert shown[-1].patterns.patterns == ("*.tmp.md",)
    shown[-1].reject()
    undo(qtbot, app)
    qtbot.waitUntil(lambda: len(found(engine, "zebra")) == 2)


def test_a_folder_is_searched_only_when_it_is_named_by_a_tick(
    qtbot, app: Desktop, engine: Engine, notes: Path
) -> None:
    write_notes(notes / "home", {"zoo.md": "A zebra.\n"})
    qtbot.waitUntil(lambda: found(engine, "zebra") == ["zoo.md"])
    choose(app, "choose")
    qtbot.waitUntil(lambda: app.window.findChild(ReadNotesDialog) is not None)
    dialog = app.window.findChild(ReadNotesDialog)
    assert not dialog.named.isChecked()
    dialog.named.setChecked(True)
    dialog.accept()
    qtbot.waitUntil(lambda: status_of(app).workspace.searched == "named")
    qtbot.waitUntil(
        lambda: "Searched only when it is chosen or named in the search" in card_of(app).read.text()
    )
    undo(qtbot, app)
    qtbot.waitUntil(lambda: found(engine, "zebra") == ["zoo.md"])
