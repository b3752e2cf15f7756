"""A folder that one computer shares and another one searches, in their windows."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QMessageBox

from scrubjay.engine.engine import Engine
from scrubjay.platform.keychain import Keychain
from scrubjay.platform.paths import Paths
from scrubjay.records.engine_limits import EngineLimits
from scrubjay.records.shared_records import SharedMemory
from scrubjay.records.status_records import WorkspaceStatus
from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.app.start_request import StartRequest
from scrubjay_desktop.health.health_page import HealthPage
from scrubjay_desktop.preview.preview import Header
from scrubjay_desktop.workspaces.folder_dialogs import folder_menu
from scrubjay_desktop.workspaces.shared_card import SharedCard, with_empty_memories
from scrubjay_desktop.workspaces.sharing_dialogs import PlaceDialog
from scrubjay_desktop.workspaces.skipped_files import SkippedFilesDialog
from scrubjay_desktop.workspaces.workspaces_page import WorkspaceCard, WorkspacesPage
from support.app import running_app
from support.hostile_memory import HostileMemory
from support.limits import LOOK_ALWAYS
from support.notes import SYNONYMS
from support.object_storage import KEY, bucket, object_storage
from support.providers import WordProvider
from support.secret_service import secret_service
from support.vault import TIMEOUT, add, write_notes

# What publishes is the person alone.
pytestmark = [
    pytest.mark.qt_log_ignore("systemTrayWindowChanged", extend=True),
    LOOK_ALWAYS,
    pytest.mark.limits(publish_quiet_seconds=3600),
]

ELSEWHERE = (
    "This note is on another computer. You can read and copy it here, but you cannot change "
    "it or open it in another program."
)


@pytest.fixture
def app(qtbot, desktop: Desktop) -> Desktop:
    """The computer that has the folders."""
    with qtbot.waitSignal(desktop.started):
        desktop.begin(StartRequest.WINDOW)
    return desktop


@pytest.fixture
def team(tmp_path: Path) -> Path:
    """Where the memory is shared."""
    return tmp_path / "team"


@pytest.fixture
def sharer(qtbot, app: Desktop, team: Path) -> Desktop:
    """The same, after it has shared the folder `home`."""
    share(qtbot, app, team)
    return app


@pytest.fixture
def other(
    qtbot, qapp: QApplication, sharer: Desktop, engine_limits: EngineLimits, tmp_path: Path
) -> Iterator[Desktop]:
    """Another computer, with a note of its own."""
    own = write_notes(tmp_path / "own", {"mine.md": "# Mine\n\nMy router hums.\n"})
    provider = WordProvider("10", SYNONYMS)
    paths = Paths.under(tmp_path / "other")
    with running_app(qapp, paths, provider, limits=engine_limits) as made:
        made.late.actions.add_folder(own, "Own")
        qtbot.waitUntil(lambda: made.window.status_line.sentence == "1 note is up to date")
        yield made


@pytest.fixture
def joined(qtbot, other: Desktop, team: Path) -> Desktop:
    """The same, after it has added the shared memory."""
    join(qtbot, other, team)
    return other


def status_of(app: Desktop) -> WorkspaceStatus:
    return next(each for each in app.feed.status.workspaces if each.workspace.id == "home")


def choose(app: Desktop, action: str, status: WorkspaceStatus) -> None:
    """Choose an entry of a folder's menu."""
    menu = app.window.workspaces.menu_for(status)
    [entry] = [one for one in menu.actions() if one.objectName() == action and one.isVisible()]
    entry.trigger()


def enter(app: Desktop, place: object) -> PlaceDialog:
    """Enter a place into the dialog that is open, and go on."""
    dialog = app.window.findChild(PlaceDialog)
    dialog.place.setText(str(place))
    dialog.go.click()
    return dialog


def until_closed(qtbot, app: Desktop) -> str:
    """Wait for the dialog to be gone; the answer is what was told."""
    qtbot.waitUntil(lambda: app.window.findChild(PlaceDialog) is None)
    return app.window.banner.words


def share(qtbot, app: Desktop, place: object) -> str:
    choose(app, "share", status_of(app))
    enter(app, place)
    return until_closed(qtbot, app)


def join(qtbot, app: Desktop, place: object) -> str:
    page_of(app).memory.click()
    enter(app, place)
    return until_closed(qtbot, app)


def answer(qtbot, app: Desktop, text: str) -> str:
    """Press a button of the question that is open; the answer is what it told."""
    qtbot.waitUntil(lambda: app.window.findChild(QMessageBox) is not None)
    box = app.window.findChild(QMessageBox)
    said = f"{box.text()} {box.informativeText()}"
    next(each for each in box.buttons() if each.text() == text).click()
    return said


def page_of(app: Desktop) -> WorkspacesPage:
    page = app.window.pages.show_page("folders")
    assert isinstance(page, WorkspacesPage)
    return page


def card_of(app: Desktop) -> WorkspaceCard:
    return page_of(app).cards["home"]


def shared_status(app: Desktop) -> WorkspaceStatus:
    [status] = app.feed.status.shared
    return status


def shared_card(app: Desktop) -> SharedCard:
    [card] = page_of(app).shared.values()
    return card


def sidebar(app: Desktop) -> list[tuple[str, str]]:
    """Names and second lines of the rows in the sidebar."""
    model = app.window.workspaces.model
    rows = [model.index(number) for number in range(model.rowCount())]
    described = Qt.ItemDataRole.AccessibleDescriptionRole
    return [(row.data(), row.data(described)) for row in rows]


def search(qtbot, app: Desktop, text: str) -> set[str]:
    """Paths of what is found, once the whole answer is there."""
    app.window.pages.show_page("search")
    panel = app.window.search
    with qtbot.waitSignal(
        panel.search.answered, check_params_cb=lambda answer: not answer.request.is_typing
    ):
        panel.set_text(text)
        panel.search.search_now()
    return {row.path for row in panel.search.model.rows}


def take_away(team: Path) -> Path:
    return team.rename(team.with_name("away"))


def test_a_folder_is_shared_by_its_menu(qtbot, app: Desktop, team: Path) -> None:
    said = share(qtbot, app, team)
    assert said == (
        f"The folder Home notes is now shared at {team}. "
        "Other people can search it after they add this shared memory in Scrubjay."
    )
    card = card_of(app)
    first = f"Shared at {team} as home-notes\n2 notes · 2 passages · last published by "
    qtbot.waitUntil(lambda: card.shared.text().startswith(first))
    assert card.shared.isVisible()
    assert ": Today" in card.shared.text()
    assert not card.trouble.isVisible()
    assert not page_of(app).cards["work"].shared.isVisible()


@pytest.mark.parametrize("is_shared", [False, True])
def test_the_menu_offers_what_fits(app: Desktop, *, is_shared: bool) -> None:
    requested, parent = app.window.workspaces.requested, app.window
    menu = folder_menu(status_of(app), requested, parent, is_published=is_shared)
    shown = {action.objectName() for action in menu.actions() if action.isVisible()}
    assert ("share" in shown) is not is_shared
    assert ({"publish", "unshare"} <= shown) is is_shared


def test_a_folder_that_was_not_read_yet_is_read_first(
    qtbot, app: Desktop, engine: Engine, tmp_path: Path, team: Path
) -> None:
    app.window.status_line.toggle_pause()
    add(engine, write_notes(tmp_path / "new", {"zoo.md": "A zebra.\n"}), "New")
    status = next(each for each in app.feed.status.workspaces if each.workspace.name == "New")
    assert status.freshness.documents == 0
    choose(app, "share", status)
    enter(app, team)
    assert until_closed(qtbot, app).startswith(f"The folder New is now shared at {team}.")
    [published] = [each for each in engine.sharing.status().publications if each.record]
    assert published.record.documents == 1


def test_a_place_that_is_not_there_is_told_in_the_dialog(
    qtbot, app: Desktop, tmp_path: Path, team: Path
) -> None:
    choose(app, "share", status_of(app))
    dialog = enter(app, tmp_path / "no" / "folder")
    qtbot.waitUntil(lambda: dialog.go.isEnabled())
    there = tmp_path / "no"
    assert dialog.message.text() == (
        f"The folder {there} does not exist. Check whether the drive is connected, then try again."
    )
    assert not app.engine.sharing.status().publications
    enter(app, team)
    assert until_closed(qtbot, app).startswith(f"The folder Home notes is now shared at {team}.")


def test_a_memory_that_is_not_there_is_told_in_the_dialog(
    qtbot, other: Desktop, tmp_path: Path, team: Path
) -> None:
    other.window.requests.memory.emit()
    dialog = enter(other, tmp_path / "nowhere")
    qtbot.waitUntil(lambda: dialog.go.isEnabled())
    assert "cannot be reached. The folder does not exist." in dialog.message.text()
    enter(other, team)
    said = "Scrubjay will also search Home notes (2 notes) from now on."
    assert until_closed(qtbot, other) == said


def test_why_a_memory_is_not_there_is_told_in_spanish(
    qtbot, spanish: None, app: Desktop, tmp_path: Path
) -> None:
    app.window.requests.memory.emit()
    dialog = enter(app, tmp_path / "nowhere")
    qtbot.waitUntil(lambda: dialog.go.isEnabled())
    assert dialog.message.text().startswith("No se puede acceder a la memoria compartida ")
    assert dialog.message.text().endswith(". La carpeta no existe.")
    dialog.reject()


def test_a_shared_memory_is_added_from_the_list_of_actions(qtbot, app: Desktop) -> None:
    actions = app.window.action_list
    qtbot.keyClick(app.window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClicks(actions.box, "shared memory")
    qtbot.keyClick(actions.box, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: app.window.findChild(PlaceDialog) is not None)
    app.window.findChild(PlaceDialog).reject()


def test_what_is_shared_stands_beside_the_own_folders(joined: Desktop, team: Path) -> None:
    rows = [("All notes", "3 notes"), ("Own", "1 note, up to date")]
    assert sidebar(joined) == [*rows, ("Home notes", "2 notes, shared")]
    card = shared_card(joined)
    assert card.name.text() == "Home notes"
    assert card.place.text() == f"Shared memory: {team}"
    assert card.facts.text().startswith("2 notes · 2 passages · last published by ")
    assert not card.trouble.isVisible()


def test_shared_notes_are_found_beside_the_own_or_alone(qtbot, joined: Desktop) -> None:
    assert search(qtbot, joined, "router") == {"mine.md", "router.md"}
    assert joined.window.search.line.text() == "Searched 3 notes by words and by meaning."
    joined.window.search.set_scope(shared_status(joined).workspace)
    assert search(qtbot, joined, "router") == {"router.md"}
    assert search(qtbot, joined, "daughter") == {"diary/2026-03-12.md"}
    joined.window.search.set_text("")
    told = "Type to search in “Home notes”"
    qtbot.waitUntil(lambda: joined.window.search.nothing_text.startswith(told))


@pytest.fixture
def found(qtbot, joined: Desktop) -> Desktop:
    """The computer that shows a note of the other one."""
    assert search(qtbot, joined, "fridge") == {"router.md"}
    preview = joined.window.preview
    qtbot.waitUntil(lambda: "password is on the fridge" in preview.view.toPlainText())
    return joined


def test_a_shared_note_is_read_from_what_was_published(qtbot, joined: Desktop, notes: Path) -> None:
    shutil.rmtree(notes / "home")
    assert search(qtbot, joined, "fridge") == {"router.md"}
    preview = joined.window.preview
    qtbot.waitUntil(lambda: "The router password is on the fridge." in preview.view.toPlainText())
    assert preview.row is not None
    assert preview.row.is_elsewhere
    header = preview.findChild(Header)
    assert header.copy.isVisible()
    assert not header.open.isVisible()
    assert not header.folder.isVisible()


def test_what_needs_the_file_is_not_offered_for_a_shared_note(found: Desktop) -> None:
    menu = found.window.window_actions.note_menu()
    shown = [one.text().replace("&", "") for one in menu.actions() if one.isVisible()]
    assert [text for text in shown if text] == [
        "Copy the passage", "Copy as quotation", "Print this note…", "Why this result?"
    ]  # fmt: skip


DONE_WITH_A_FILE: dict[str, Callable[[Desktop], object]] = {
    "open": lambda app: app.window.search.list.open_current(),
    "open in the preview": lambda app: app.window.preview.open(),
    "show in folder": lambda app: app.window.preview.reveal(),
    "add a line": lambda app: app.window.preview.enter_line(),
}


@pytest.mark.parametrize("done", DONE_WITH_A_FILE)
def test_it_is_said_that_a_shared_note_is_on_another_computer(found: Desktop, done: str) -> None:
    DONE_WITH_A_FILE[done](found)
    assert found.window.banner.words == ELSEWHERE
    assert not found.window.preview.line_bar.isVisible()


def test_a_shared_note_is_copied(qtbot, found: Desktop, qapp: QApplication) -> None:
    found.window.preview.copy()
    assert "password is on the fridge" in qapp.clipboard().text()


def test_the_popup_opens_a_shared_note_in_the_window(qtbot, joined: Desktop) -> None:
    popup = joined.late.popup
    popup.present()
    qtbot.keyClicks(popup.box, "fridge")
    qtbot.waitUntil(lambda: popup.list.row() is not None and popup.list.row().is_elsewhere)
    qtbot.keyClick(popup.box, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not popup.isVisible())
    preview = joined.window.preview
    qtbot.waitUntil(lambda: preview.row is not None and preview.row.path == "router.md")
    assert joined.window.isVisible()


def test_shared_notes_alone_are_enough(
    qtbot,
    qapp: QApplication,
    sharer: Desktop,
    engine_limits: EngineLimits,
    team: Path,
    tmp_path: Path,
) -> None:
    paths = Paths.under(tmp_path / "third")
    with running_app(qapp, paths, WordProvider(), limits=engine_limits) as third:
        assert third.window.first_run.isVisible()
        third.window.requests.memory.emit()
        enter(third, team)
        until_closed(qtbot, third)
        assert third.window.status_line.sentence == "2 shared notes can be searched"
        assert search(qtbot, third, "fridge") == {"router.md"}
        take_away(team)
        shared_card(third).look.click()
        said = f"Home notes: The shared memory {team} cannot be reached. The folder does not exist."
        qtbot.waitUntil(lambda: third.window.status_line.sentence == said)


def test_a_changed_note_is_published_on_request(
    qtbot, sharer: Desktop, joined: Desktop, notes: Path
) -> None:
    write_notes(notes / "home", {"zoo.md": "A zebra.\n"})
    qtbot.waitUntil(lambda: status_of(sharer).freshness.documents == 3)
    choose(sharer, "publish", status_of(sharer))
    said = "The latest version of Home notes was published."
    qtbot.waitUntil(lambda: sharer.window.banner.words == said)
    qtbot.waitUntil(lambda: "3 notes · " in card_of(sharer).shared.text())
    assert search(qtbot, joined, "zebra") >= {"zoo.md"}
    shared_card(joined).look.click()
    said = "Home notes can be searched (3 notes)."
    qtbot.waitUntil(lambda: joined.window.banner.words == said)
    assert sidebar(joined)[-1] == ("Home notes", "3 notes, shared")


@pytest.mark.parametrize(
    ("button", "is_left"), [("&Delete published notes", False), ("&Keep published notes", True)]
)
def test_a_folder_is_shared_no_more(
    qtbot, sharer: Desktop, joined: Desktop, team: Path, button: str, *, is_left: bool
) -> None:
    choose(sharer, "unshare", status_of(sharer))
    assert f"You can delete the published notes at {team}" in answer(qtbot, sharer, button)
    said = "Home notes is no longer shared."
    qtbot.waitUntil(lambda: sharer.window.banner.words == said)
    qtbot.waitUntil(lambda: not card_of(sharer).shared.isVisible())
    shared_card(joined).look.click()
    told = "can be searched (2 notes)." if is_left else "is no longer published."
    qtbot.waitUntil(lambda: joined.window.banner.words == f"Home notes {told}")
    qtbot.waitUntil(lambda: (sidebar(joined)[-1][0] == "Home notes") is is_left)
    assert (search(qtbot, joined, "fridge") == {"router.md"}) is is_left


def test_a_refused_question_changes_nothing(qtbot, sharer: Desktop, joined: Desktop) -> None:
    choose(sharer, "unshare", status_of(sharer))
    answer(qtbot, sharer, "Cancel")
    choose(joined, "drop", shared_status(joined))
    answer(qtbot, joined, "Cancel")
    assert [each.workspace for each in sharer.engine.sharing.status().publications] == ["home"]
    assert search(qtbot, joined, "fridge") == {"router.md"}


def test_a_memory_is_searched_no_more(qtbot, joined: Desktop, team: Path) -> None:
    joined.window.search.set_scope(shared_status(joined).workspace)
    shared_card(joined).drop.click()
    said = answer(qtbot, joined, "Stop &searching")
    assert said.startswith(f"Stop searching {team}? You will no longer find notes from Home notes")
    told = f"Scrubjay no longer searches {team}."
    qtbot.waitUntil(lambda: joined.window.banner.words == told)
    qtbot.waitUntil(lambda: sidebar(joined)[1:] == [("Own", "1 note, up to date")])
    assert page_of(joined).shared == {}
    assert joined.window.search.search.scope.workspace is None


def test_a_memory_without_other_folders_can_be_left(qtbot, sharer: Desktop, team: Path) -> None:
    said = join(qtbot, sharer, team)
    assert said == f"Scrubjay already searches all the shared folders at {team}."
    card = shared_card(sharer)
    assert card.facts.text() == "No other folders are shared in this memory yet."
    card.drop.click()
    answer(qtbot, sharer, "Stop &searching")
    qtbot.waitUntil(lambda: page_of(sharer).shared == {})


@pytest.mark.parametrize(
    ("memory", "facts", "trouble"),
    [
        (SharedMemory("/team"), "No other folders are shared in this memory yet.", ""),
        (SharedMemory("/team", excluded=2, damage="2 are damaged."), "", "2 are damaged."),
    ],
)
def test_a_memory_without_folders_is_said_to_have_none_unless_some_are_excluded(
    qtbot, memory: SharedMemory, facts: str, trouble: str
) -> None:
    [status] = with_empty_memories([], [memory])
    card = SharedCard(status)
    qtbot.addWidget(card)
    card.show_status(status, None)
    shown = [label.text() for label in (card.facts, card.trouble) if not label.isHidden()]
    assert shown == [facts or trouble]


def test_a_memory_whose_list_is_damaged_is_not_said_to_be_searched(
    qtbot, sharer: Desktop, team: Path
) -> None:
    HostileMemory(team).write_entries({}, {"name": "a/b", "row": "0"})
    said = join(qtbot, sharer, team)
    assert said.startswith(f"Scrubjay does not search 1 folder in the list of {team}")


@pytest.fixture
def away(qtbot, joined: Desktop, team: Path) -> Desktop:
    """The computer whose shared memory cannot be reached."""
    take_away(team)
    assert search(qtbot, joined, "router") == {"mine.md"}
    qtbot.waitUntil(lambda: sidebar(joined)[-1] == ("Home notes", "Not available"))
    return joined


def test_an_answer_tells_which_memory_was_left_out(qtbot, away: Desktop, team: Path) -> None:
    reason = f"The shared memory {team} cannot be reached. The folder does not exist."
    line = away.window.search.line
    assert line.text() == (
        f"Searched 1 note by words and by meaning. Home notes was not searched. {reason}"
    )
    line.click()
    problems = away.window.findChild(SkippedFilesDialog)
    row = problems.model.index(0)
    assert row.data() == "Home notes"
    assert row.data(Qt.ItemDataRole.ToolTipRole) == f"Home notes: {reason}"
    problems.reject()


def test_the_popup_tells_it_too(qtbot, away: Desktop, team: Path) -> None:
    popup = away.late.popup
    popup.present()
    qtbot.keyClicks(popup.box, "router")
    qtbot.waitUntil(lambda: popup.answer.line.text().startswith("Home notes was not searched. The"))
    popup.dismiss()


def test_a_memory_that_is_away_alone_is_told_in_place_of_results(
    qtbot, away: Desktop, team: Path
) -> None:
    panel = away.window.search
    with qtbot.waitSignal(panel.search.failed):
        panel.set_scope(shared_status(away).workspace)
    assert panel.nothing_text.startswith("Search is not available right now")
    assert panel.search.model.rowCount() == 0
    assert "The folder does not exist." in panel.line.text()
    popup = away.late.popup
    popup.present()
    popup.search.set_scope(panel.search.scope)
    with qtbot.waitSignal(popup.search.failed):
        qtbot.keyClicks(popup.box, "router")
    told = f"Search is not available right now. The shared memory {team} cannot be reached."
    assert popup.answer.nothing_text.startswith(told)
    popup.dismiss()


def test_a_click_on_the_warning_looks_again(qtbot, away: Desktop, team: Path) -> None:
    view = away.window.workspaces.list
    place = view.visualRect(view.model().index(2))
    sign = QPoint(place.right() - 20, place.top() + 20)
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=sign)
    qtbot.waitUntil(lambda: "cannot be reached" in away.window.banner.words)
    assert away.window.search.search.scope.workspace is None
    team.with_name("away").rename(team)
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=sign)
    qtbot.waitUntil(lambda: sidebar(away)[-1] == ("Home notes", "2 notes, shared"))
    qtbot.waitUntil(lambda: "can be searched" in away.window.banner.words)


def test_the_card_tells_why_a_memory_is_away(away: Desktop, team: Path) -> None:
    card = shared_card(away)
    assert card.facts.text().startswith("2 notes · 2 passages · last published by ")
    assert card.trouble.isVisible()
    reason = f"The shared memory {team} cannot be reached. The folder does not exist."
    assert card.trouble.text() == reason


def health_of(qtbot, app: Desktop, title: str) -> HealthPage:
    """The page, with a finding chosen."""
    page = app.window.pages.show_page("health")
    assert isinstance(page, HealthPage)
    qtbot.waitUntil(lambda: title in titles(page))
    page.list.setCurrentIndex(page.model.index(titles(page).index(title)))
    return page


def titles(page: HealthPage) -> list[str]:
    return [page.model.index(row).data() for row in range(page.model.rowCount())]


def test_the_check_up_leads_to_a_memory_that_is_away(qtbot, away: Desktop) -> None:
    page = health_of(qtbot, away, "A shared memory has a problem")
    [button] = page.buttons
    assert button.text() == "Show"
    button.click()
    assert away.window.pages.key == "folders"


def test_the_check_up_has_leftovers_deleted(qtbot, desktop: Desktop, team: Path) -> None:
    # Before it has begun the app publishes nothing by itself, which would delete them too.
    desktop.engine.sharing.share(desktop.engine.find_workspace("home"), str(team)).result(TIMEOUT)
    desktop.window.present()
    [table] = team.glob("home-notes.*.stems.lance")
    shutil.copytree(table, team / "home-notes.old.stems.lance")
    page = health_of(qtbot, desktop, "Leftover data in a shared memory")
    [button] = page.buttons
    assert button.text() == "Publish now"
    button.click()
    qtbot.waitUntil(lambda: "Leftover data in a shared memory" not in titles(page))
    assert not (team / "home-notes.old.stems.lance").exists()
    assert desktop.window.banner.words == "The latest version of Home notes was published."


def test_a_publication_that_fails_is_told_on_the_card(qtbot, sharer: Desktop, team: Path) -> None:
    card = card_of(sharer)
    take_away(team)
    team.write_text("No folder any more.")
    choose(sharer, "publish", status_of(sharer))
    qtbot.waitUntil(lambda: card.trouble.text().startswith("Not published: The shared memory"))
    assert card.trouble.isVisible()


def test_a_folder_is_shared_in_a_bucket_with_a_key_of_the_keychain(
    qtbot, app: Desktop, tmp_path: Path
) -> None:
    with secret_service(tmp_path / "keychain"), object_storage() as address:
        place = bucket(address, "team-notes")
        choose(app, "share", status_of(app))
        dialog = app.window.findChild(PlaceDialog)
        dialog.place.setText(place.uri)
        dialog.options.setText(",".join(f"{name}={value}" for name, value in place.options))
        dialog.key.setText(KEY)
        dialog.go.click()
        said = until_closed(qtbot, app)
        assert said.startswith("The folder Home notes is now shared at s3://team-notes/memory.")
        assert Keychain().get("s3://team-notes") == KEY
        assert KEY not in app.engine.paths.config_file.read_text()
        keys = app.engine.keys.known().result(TIMEOUT)
        assert [key.id for key in keys if key.is_used] == ["s3://team-notes"]


def test_what_others_publish_comes_into_the_open_list(
    qtbot, sharer: Desktop, joined: Desktop, engine: Engine
) -> None:
    assert "zebra.md" not in search(qtbot, joined, "zebra")
    root = status_of(sharer).workspace.root
    write_notes(root, {"zebra.md": "A zebra grazes.\n"})
    engine.refresh(engine.find_workspace("home")).result(TIMEOUT)
    engine.sharing.publish(engine.find_workspace("home")).result(TIMEOUT)
    joined.engine.sharing.look().result(TIMEOUT)
    model = joined.window.search.search.model
    qtbot.waitUntil(lambda: any(row.path == "zebra.md" for row in model.rows))


def test_a_folder_that_is_shared_is_first_shared_no_more(qtbot, sharer: Desktop) -> None:
    choose(sharer, "forget", status_of(sharer))
    assert "Stop sharing “Home notes”?" in answer(qtbot, sharer, "&Keep published notes")
    qtbot.waitUntil(lambda: not sharer.engine.sharing.status().publications)
    choose(sharer, "forget", status_of(sharer))
    assert "Forget “Home notes”?" in answer(qtbot, sharer, "&Forget")
    qtbot.waitUntil(lambda: "home" not in [each.id for each in sharer.engine.workspaces()])
