"""The window: pages and folders on the left; on the home page search, and the note beside it."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QStackedWidget, QToolButton, QWidget

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.lazy import lazy
from scrubjay.engine.engine import Engine
from scrubjay.records.note_records import Workspace
from scrubjay.records.status_records import EngineStatus, WorkspaceStatus
from scrubjay_desktop.bridge.bridge import Tasks
from scrubjay_desktop.preview.open_external import Opener
from scrubjay_desktop.results.result_rows import Row
from scrubjay_desktop.search.live_search import LiveSearch
from scrubjay_desktop.search.pinned_searches import PinnedSearch, PinnedSearches
from scrubjay_desktop.search.search_panel import SearchPanel
from scrubjay_desktop.settings.preferences import Preferences
from scrubjay_desktop.text.formatting import attention_words, translated
from scrubjay_desktop.widgets.banner import NEWS, Banner, Offer
from scrubjay_desktop.widgets.buttons import IconButton
from scrubjay_desktop.widgets.labels import IconLabel, bold_label
from scrubjay_desktop.widgets.layouts import NONE, hbox, side_by_side, vbox
from scrubjay_desktop.widgets.painting import fill_unpainted
from scrubjay_desktop.widgets.theme import GRID
from scrubjay_desktop.windows.navigation import Navigation, NavigationEntry, Page, Pages
from scrubjay_desktop.windows.row_actions import RowActions
from scrubjay_desktop.windows.status_line import StatusLine
from scrubjay_desktop.windows.window_actions import WindowActions
from scrubjay_desktop.windows.window_requests import WindowRequests
from scrubjay_desktop.workspaces.first_run import FirstRun
from scrubjay_desktop.workspaces.workspaces_sidebar import WorkspacesSidebar

if TYPE_CHECKING:
    from scrubjay.onboarding.discovery import NotesFolder
    from scrubjay_desktop.preview.preview import Preview
    from scrubjay_desktop.windows.action_list import ActionList
    from scrubjay_desktop.workspaces.skipped_files import SkippedFilesDialog

_MOST_RESULTS = 30
"""Rows of the search at most."""
HOME = "search"
"""The page that a start of the app shows."""


class MainWindow(QWidget):
    """The window: all of Scrubjay can be reached from it, without the tray."""

    found_added = Signal(object)
    """Signal with a tuple of NotesFolder to search from now on."""
    folder_added = Signal(object)
    model_dropped = Signal(object)
    """Path of a model file that was dropped on the window."""
    export_dropped = Signal(object)
    """Path of a file that may be an export of notes."""
    skip_requested = Signal(object, str, bool)
    """Signal with a Workspace, the path of a file in it that cannot be read, and whether it is to
    be skipped."""
    statuses_shown = Signal(object)
    """The status of each workspace, for dialogs over the window."""

    def __init__(
        self, engine: Engine, tasks: Tasks, opener: Opener, preferences: Preferences
    ) -> None:
        super().__init__()
        self._engine = engine
        self._tasks = tasks
        self._opener = opener
        self._preferences = preferences
        self._is_restored = False
        """Whether the question of the last time was asked again."""
        self._status: EngineStatus = engine.status()
        # The parts, of which the note and the list of actions are made later.
        self.setWindowTitle("Scrubjay")
        self.setAcceptDrops(True)
        self.requests = WindowRequests(self)
        self.pinned = PinnedSearches(engine, tasks, preferences.pinned)
        search = LiveSearch(engine, tasks, max_results=_MOST_RESULTS, parent=self)
        self.search = SearchPanel(search, preferences, self.pinned)
        self.workspaces = WorkspacesSidebar(preferences.stored)
        self.workspaces.published = self.published
        self.status_line = StatusLine()
        self.navigation = Navigation()
        self.first_run = FirstRun()
        self.pages = Pages(self.first_run)
        self.banner = Banner(self.tr("Close this message"))
        self.row_actions = RowActions(
            self.search.list,
            lambda: self.preview,
            opener=opener,
            tasks=tasks,
            preferences=preferences,
        )
        self.window_actions = WindowActions(self, parent=self)
        self._build()
        self._connect()
        # The size is that of the last time, where the screen still has room for it.
        self.resize(145 * GRID, 92 * GRID)
        self.restoreGeometry(preferences.geometry("window"))
        # With large letters, or on a smaller screen than the last, it would reach beyond the edge.
        self.resize(self.size().boundedTo(self.screen().availableSize()))
        self._splitter.restoreState(preferences.geometry("splitter"))

    @lazy
    def preview(self) -> Preview:
        """The note beside the search; made after the first frame."""
        from scrubjay_desktop.preview.preview import Preview
        from scrubjay_desktop.windows.quick_search_preview import keep_look

        # Imported late: the first frame shows no note.
        preview = Preview(self._engine, self._tasks, self._opener)
        keep_look(preview, self._preferences)
        preview.tag_clicked.connect(self.search.narrow_to_tag)
        self._beside.addWidget(preview)
        return preview

    @lazy
    def action_list(self) -> ActionList:
        """The list of all actions, hidden."""
        from scrubjay_desktop.windows.action_list import ActionList

        return ActionList(self, self.window_actions)

    def show_status(self, status: EngineStatus) -> None:
        """Show the state of the engine, and the page that fits."""
        self._status = status
        self.status_line.show_status(status)
        self.workspaces.show_statuses(self._searched)
        self.statuses_shown.emit(self._searched)
        had_focus = self.pages.isAncestorOf(self.focusWidget() or self)
        if self.pages.set_notes(bool(self._searched)) and had_focus:
            self._focus_page()

    @property
    def _searched(self) -> tuple[WorkspaceStatus, ...]:
        """Folders, and after them those that other computers share."""
        return (*self._status.workspaces, *self._status.shared)

    def _workspace(self, stored: str | None) -> Workspace | None:
        """The workspace of an id that was kept; None when there is none any longer."""
        found = (each.workspace for each in self._searched if each.workspace.id == stored)
        return next(found, None)

    def published(self) -> set[str]:
        """Ids of the folders that are shared from this computer."""
        return {each.workspace for each in self._engine.sharing.status().publications}

    def _restore_search(self) -> None:
        self._is_restored = True
        text = self._preferences.open_search
        folder = self._workspace(self._preferences.open_folder)
        if folder is not None:
            self.search.set_scope(folder)
        if text and not self.search.search.text:
            self.search.set_text(text)
            self.search.box.selectAll()

    def show_workspaces(self) -> None:
        """Search in the list of workspaces as it is now."""
        if self._searched and not self._is_restored:
            self._restore_search()
        # The folder that was searched in may have been forgotten.
        if self._workspace(self.search.search.scope.workspace) is None:
            self.search.set_scope(None)
        self.search.search.search_now()

    def tell(
        self, sentence: str, offer: Offer | None = None, *, is_good: bool = False, cause: str = ""
    ) -> None:
        """Show a sentence over the window, with an offer; until its cause is gone if it has one."""
        if self.banner.tell(sentence, offer, is_good=is_good, cause=cause):
            self.status_line.announce(sentence)

    def resolve(self, cause: str, sentence: str) -> None:
        """Close the message about a cause that is gone, and say what works again."""
        self.banner.end(cause)
        # An offer may be the only way to undo a change, and this news does not take its place.
        if sentence and not self.banner.offer.isVisible():
            self.tell(sentence, is_good=True)

    def show_message(self, sentence: str, offer: Offer | None) -> None:
        """Show the message of a page: a failure has no offer to undo it."""
        is_good = offer is not None
        if offer is NEWS:
            offer = None
        self.tell(sentence, offer, is_good=is_good)

    def add_page(self, page: Page) -> None:
        """Add one more entry to the navigation."""
        self.pages.add(page)
        self.navigation.add(page)
        self.navigation.setVisible(len(self.navigation.entries) > 1)

    def show_agents_entry(self, is_shown: bool) -> None:
        """Have the page of agents in the navigation, or otherwise in the menu."""
        self.navigation.set_shown("agents", is_shown)
        self.window_actions.set_shown("agents", not is_shown)

    def show_attention(self, found: int, of_folders: int = 0) -> None:
        """Show how many findings need the user; a restart shows those of the check-up at once."""
        self._preferences.attention = found
        count = found + of_folders
        self.navigation.entries["health"].show_count(count, attention_words(count))

    def offer_import(self, apps: str) -> None:
        """Offer to import the set-ups of these programs, on the first page and in the menu."""
        self.first_run.show_setups(apps)
        self.window_actions.set_shown("bring", is_shown=True)

    def search_for(self, text: str) -> None:
        """Search for a text as if it had been typed."""
        self.search.set_text(text)
        self.focus_search()
        # After the text: it may be the beginning of a question.
        self.search.box.end(False)

    def show_row(self, row: Row) -> None:
        """Show one note, with the search that found it."""
        self.pages.show_page(HOME)
        self.search.leave_results()
        self.preview.show_row(row)

    def try_note_again(self) -> None:
        """Show the note that could not be shown, if it can be now."""
        # The reader is made for the first note.
        if "preview" in vars(self):
            self.preview.try_again()

    def present(self) -> None:
        """Bring the window to the front, ready to type."""
        if self.isMinimized():
            self.showNormal()
        # Without its colour the window would flash while it is painted for the first time.
        fill_unpainted(self, self.palette().window().color())
        self.show()
        self.raise_()
        self.activateWindow()
        if self.pages.key == HOME:
            self._focus_page()

    def show_problems(self, workspace: Workspace | None = None) -> SkippedFilesDialog:
        """List the files that are not searched."""
        from scrubjay_desktop.workspaces.skipped_files import SkippedFilesDialog, skipped_rows

        # The dialog follows the state of the folders while it is open.
        problems = skipped_rows(self._searched, workspace)
        dialog = SkippedFilesDialog(problems, self, workspace)
        dialog.check_requested.connect(lambda: self.requests.refresh.emit(workspace))
        self.statuses_shown.connect(dialog.show_statuses)
        dialog.skip_requested.connect(self.skip_requested)
        dialog.open()
        return dialog

    def show_search_tips(self) -> None:
        """Show what a question may hold besides words."""
        # Imported late, as all dialogs of the help.
        from scrubjay_desktop.health.help_dialogs import SearchTipsDialog

        SearchTipsDialog(self).open()

    def save_geometry(self) -> None:
        """Remember where everything is, and the open question."""
        if self._preferences.keeps_searches:
            scope = self.search.search.scope.workspace
            self._preferences.open_search = self.search.search.text
            self._preferences.open_folder = scope or ""
        self._preferences.keep_geometry("window", self.saveGeometry())
        self._preferences.keep_geometry("splitter", self._splitter.saveState())

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: D102
        event.ignore()
        self.requests.close.emit()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: D102
        # A row that is dragged to another program comes back here as a drop.
        is_own = event.source() is not None
        if not is_own and any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: D102
        event.acceptProposedAction()
        for url in event.mimeData().urls():
            if url.isLocalFile():
                path = Path(url.toLocalFile())
                self._take_dropped(path)

    def _take_dropped(self, path: Path) -> None:
        from scrubjay.note_import.formats import SUFFIXES

        suffix = path.suffix.lower()

        # The end of a name decides, and the drive says whether it is a file.
        def take(is_file: bool) -> None:
            if suffix == ".gguf" and is_file:
                self.model_dropped.emit(path)
            elif suffix in SUFFIXES and (is_file or suffix == ".textbundle"):
                self.export_dropped.emit(path)
            else:
                self._add_folder(path)

        self._tasks.run(
            path.is_file,
            CancelToken(),
            done=take,
            failed=lambda error: self.tell(translated(str(error))),
            folder=path.parent,
        )

    def _build(self) -> None:
        self.search.setMinimumWidth(36 * GRID)
        self._beside = QStackedWidget()
        self._beside.setMinimumWidth(32 * GRID)
        self._splitter = side_by_side(self.search, self._beside, widths=(56, 60))
        page = Page(HOME, "search", title=self.tr("Search"), make=lambda: self._splitter)
        self.add_page(page)
        # A column of pages and folders, then the page, and the state of all below them.
        middle = vbox(hbox(self.banner, margins=(1, 0, 1, 0)), (self.pages, 1), spacing=0)
        upper = hbox(self._sidebar(), (middle, 1), spacing=0)
        # Only a Mac shows the menus of an app outside of its windows.
        if sys.platform == "darwin":
            self._menu_bar = self.window_actions.menu_bar()
        vbox((upper, 1), self.status_line, on=self, margins=NONE, spacing=0)

    def _sidebar(self) -> QWidget:
        # Whoever has no tray finds all commands in this menu.
        menu_button = IconButton("menu", self.tr("Menu"))
        menu_button.setMenu(self.window_actions.app_menu())
        menu_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        parts = (IconLabel("app", 28), (bold_label("Scrubjay", 2), 1), menu_button)
        head = hbox(*parts, margins=(2, 2, 1, 0), spacing=1)
        # The folders take the room that pages and pinned searches leave.
        side = QWidget()
        side.setFixedWidth(29 * GRID)
        lists = (self.navigation, (self.workspaces, 1), self.pinned)
        vbox(head, *lists, on=side, margins=(0, 0, 0, 1), spacing=0)
        return side

    def _connect(self) -> None:
        panel = self.search
        # The search panel asks the preferences, and tells them what was asked.
        panel.set_order(self._preferences.order)
        panel.filters.ordered.connect(partial(setattr, self._preferences, "order"))
        panel.asked.connect(self._preferences.keep_search)
        panel.asked.connect(lambda _: self._preferences.count_question())
        panel.first_questions.closed.connect(self._end_questions)
        # A chosen row is shown beside the list, where it can be acted on.
        panel.row_chosen.connect(lambda row: self.preview.show_row(row))
        panel.pin.clicked.connect(self.turn_pin)
        self.pinned.chosen.connect(self._ask_pinned)
        self.pinned.changed.connect(self._preferences.keep_pinned)
        self.pinned.changed.connect(lambda _: panel.show_pin())
        panel.list.customContextMenuRequested.connect(self._show_note_menu)
        panel.list.refused.connect(self.tell)
        panel.list.opened.connect(self._opener.open_row)
        panel.scope_changed.connect(self.workspaces.choose)
        panel.announced.connect(self.status_line.announce)
        panel.problems_requested.connect(lambda: self.show_problems())
        panel.tips_requested.connect(self.show_search_tips)
        panel.refresh_requested.connect(lambda: self.requests.refresh.emit(None))
        # Pages and folders lead to each other.
        self.navigation.chosen.connect(self.show_page)
        self.pages.changed.connect(self.navigation.show_chosen)
        self.workspaces.chosen.connect(panel.set_scope)
        self.workspaces.chosen.connect(lambda _: self.pages.show_page(HOME))
        self.workspaces.folder_added.connect(self._add_folder)
        self.workspaces.problems_requested.connect(lambda: self.show_problems())
        self.first_run.folder_requested.connect(self.workspaces.ask_for_folder)
        self.first_run.bring_over_requested.connect(self.requests.setups)
        self.first_run.note_import_requested.connect(self.requests.notes)
        self.first_run.chosen.connect(self.found_added)

    def _end_questions(self) -> None:
        self._preferences.questions_to_try = 0
        self.search.first_questions.hide()

    def turn_pin(self) -> None:
        """Pin the present question, or unpin it."""
        self.pinned.turn(*self.search.question)

    def _ask_pinned(self, search: PinnedSearch) -> None:
        self.pages.show_page(HOME)
        self.search.set_scope(self._workspace(search.folder))
        self.search.set_text(search.text)
        self.search.box.setFocus()

    def _add_folder(self, path: Path) -> None:
        """Add a folder beside the discovered folders that are ticked, not instead of them."""
        ticked: tuple[NotesFolder, ...] = ()
        if self.pages.currentWidget() is self.first_run:
            ticked = self.first_run.ticked
        self.folder_added.emit(path)
        # What was ticked beside it would be gone with the first page.
        if ticked:
            self.found_added.emit(ticked)

    def show_page(self, key: str) -> None:
        """Show a page, ready for keys."""
        self.pages.show_page(key)
        # A user who walks through the entries with Tab continues from there.
        if isinstance(self.focusWidget(), NavigationEntry):
            return
        self._focus_page()

    def _focus_page(self) -> None:
        if self.pages.currentWidget() is self._splitter:
            self.search.focus_box()
        else:
            self.pages.focus_page()

    def _show_note_menu(self, point: QPoint) -> None:
        if self.preview.row is not None:
            menu = self.window_actions.note_menu()
            menu.aboutToHide.connect(menu.deleteLater)
            menu.popup(self.search.list.viewport().mapToGlobal(point))

    def show_actions(self) -> None:
        """Show the list of all actions, or close it."""
        self.action_list.toggle()

    def focus_search(self) -> None:
        """Show the home page, ready to type."""
        self.pages.show_page(HOME)
        self.search.focus_box()

    def find_in_note(self) -> None:
        """Find a text in the shown note; without one, search."""
        # Only the home page shows a note beside its search.
        if self.pages.key != HOME or not self.preview.find_in_note():
            self.focus_search()
