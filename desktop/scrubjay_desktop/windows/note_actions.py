"""The actions on the chosen note: their names, their keys, and when they have something to do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from scrubjay_desktop.results.result_rows import Row
from scrubjay_desktop.text.shortcuts import platform_keys
from scrubjay_desktop.windows.row_actions import RowActions

if TYPE_CHECKING:
    from scrubjay_desktop.preview.preview import Preview

Entry = tuple[str, str, list[str], Callable[[], object]]
"""Short name, text with a mnemonic, keys, and the call that make up an action."""


def add_actions(window: QWidget, entries: Iterable[Entry]) -> dict[str, QAction]:
    """An action of a window for each entry, by its short name."""
    actions = {}
    for name, text, keys, act in entries:
        action = QAction(text, window)
        # The keys belong to the window, so that they work wherever the focus is.
        action.setShortcuts([QKeySequence(platform_keys(key)) for key in keys])
        # Otherwise macOS moves actions into the menu of the app because of their first word.
        action.setMenuRole(QAction.MenuRole.NoRole)
        action.triggered.connect(lambda _=False, act=act: act())
        window.addAction(action)
        actions[name] = action
    return actions


def fill_menu(menu: QMenu, names: str, actions: Mapping[str, QAction]) -> QMenu:
    """The menu with the actions of these short names, and a line for each bar."""
    for name in names.split():
        if name == "|":
            menu.addSeparator()
        else:
            menu.addAction(actions[name])
    return menu


def action_name(action: QAction) -> str:
    """The text of an action without the mark of its mnemonic."""
    return action.text().replace("&&", "\0").replace("&", "").replace("\0", "&")


def shortcut_text(action: QAction) -> str:
    """The keys of an action, as people of this system write them."""
    form = QKeySequence.SequenceFormat.NativeText
    return ", ".join(key.toString(form) for key in action.shortcuts())


class NoteActions(QObject):
    """One QAction for each thing that is done with the chosen note of a window."""

    _NAMES = (
        "open obsidian program editor reveal | copy quote address wikilink path "
        "| task line print | why"
    )
    """The order of menus, with lines between."""
    _OF_FILE = ("open", "program", "editor", "reveal", "address", "path", "task", "line")
    """Names of what is done with a file, or written into it."""
    _OF_PDF = ("page_after", "page_before", "pdf_text")
    """Names of actions that only keys and the list of all actions have."""

    tag_chosen = Signal(str)
    """Signal with a tag: only notes with it are to be shown."""

    def __init__(self, window: QWidget, rows: RowActions) -> None:
        super().__init__(window)
        self._window = window
        self._rows = rows
        self.by_name = add_actions(window, self._entries())

    def offered(self, parent: QObject) -> list[QAction]:
        """The actions that have something to do now, in the order of the menus."""
        self._show_fitting()
        if not self._rows.rows:
            return []
        every = (*self._NAMES.split(), *self._OF_PDF)
        names = [name for name in every if name != "|" and self._fits(name)]
        fitting = [self.by_name[name] for name in names if self.by_name[name].isVisible()]
        # Tags are those of this note, so their actions are made anew.
        return [*fitting, *self._tag_actions(parent)]

    def menu(self) -> QMenu:
        """All entries for the chosen note."""
        self._show_fitting()
        menu = fill_menu(QMenu(self._window), self._NAMES, self.by_name)
        menu.addActions(self._tag_actions(menu))
        return menu

    def _show_fitting(self) -> None:
        """Show only the entries that fit the kind of the chosen note."""
        for name in self._OF_FILE:
            self.by_name[name].setVisible(self._rows.is_here)
        self.by_name["obsidian"].setVisible(self._rows.is_in_obsidian)
        self.by_name["wikilink"].setVisible(self._rows.is_in_vault)

    def _tag_actions(self, parent: QObject) -> Sequence[QAction]:
        """An action for each tag of the chosen note, to see only notes with it."""
        text = self.tr("Only notes with #{tag}")
        # An ampersand in a name would mark the letter after it as a key.
        tags = [tag for row in self._rows.rows[:1] for tag in row.tags]
        actions = [QAction(text.format(tag=tag.replace("&", "&&")), parent) for tag in tags]
        for tag, action in zip(tags, actions, strict=True):
            action.triggered.connect(lambda _=False, tag=tag: self.tag_chosen.emit(tag))
        return actions

    def _fits(self, name: str) -> bool:
        """Whether an action finds what it works on; keys without it get a sentence instead."""
        # Most of them work on the preview, which the popup may not have.
        preview = self._rows.reader()
        match name:
            case "task":
                return preview is not None and bool(preview.view.task_line())
            case "line":
                return preview is not None and preview.takes_lines
            case "print":
                return preview is not None and preview.is_note
            case "page_after" | "page_before":
                return preview is not None and preview.pages.page > 0
            case "pdf_text":
                return preview is not None and preview.has_modes
            case "why":
                return preview is not None and _was_searched(preview.row)
            case _:
                return True

    def _do(self, act: Callable[[Preview], object]) -> None:
        preview = self._rows.reader()
        if preview is not None:
            act(preview)

    def _entries(self) -> tuple[Entry, ...]:
        return (*self._row_entries(), *self._preview_entries())

    def _row_entries(self) -> tuple[Entry, ...]:
        """Actions on the chosen rows."""
        rows = self._rows
        return (
            ("open", self.tr("&Open"), [], rows.open),
            ("obsidian", self.tr("Open in O&bsidian"), [], rows.open_in_obsidian),
            ("program", self.tr("Choose a pro&gram…"), [], rows.choose_program),
            ("editor", self.tr("Open at this l&ine"), ["Ctrl+Return"], rows.open_at_line),
            ("reveal", self.tr("Show in &folder"), ["Alt+Return"], rows.reveal),
            ("copy", self.tr("&Copy the passage"), [], rows.copy),
            ("quote", self.tr("Copy as &quotation"), ["Ctrl+Shift+B"], rows.copy_quotation),
            ("address", self.tr("Copy as lin&k"), ["Ctrl+Shift+L"], rows.copy_address),
            ("wikilink", self.tr("Copy as [[link]] for &notes"), [], rows.copy_wikilink),
            ("path", self.tr("Copy the fi&le's path"), ["Ctrl+Shift+C"], rows.copy_path),
        )

    def _preview_entries(self) -> tuple[Entry, ...]:
        """Actions on the note that is shown."""
        return (
            (
                "task",
                self.tr("Tick or untick th&e task"),
                ["Ctrl+T"],
                lambda: self._do(lambda preview: preview.turn_task()),
            ),
            (
                "line",
                self.tr("A&dd a line to this note…"),
                ["Ctrl+Shift+R"],
                lambda: self._do(lambda preview: preview.enter_line()),
            ),
            (
                "print",
                self.tr("Print this note…"),
                ["Ctrl+P"],
                lambda: self._do(lambda preview: preview.print_note()),
            ),
            (
                "why",
                self.tr("&Why this result?"),
                ["Ctrl+I"],
                lambda: self._do(lambda preview: preview.why.toggle()),
            ),
            (
                "page_after",
                self.tr("Next page of the PDF"),
                ["Alt+PgDown"],
                lambda: self._do(lambda preview: preview.pages.turn(1)),
            ),
            (
                "page_before",
                self.tr("Previous page of the PDF"),
                ["Alt+PgUp"],
                lambda: self._do(lambda preview: preview.pages.turn(-1)),
            ),
            (
                "pdf_text",
                self.tr("Switch between the text and the page or picture"),
                ["Ctrl+Shift+T"],
                lambda: self._do(lambda preview: preview.turn_mode()),
            ),
        )


def _was_searched(row: Row | None) -> bool:
    return row is not None and row.hit is not None
