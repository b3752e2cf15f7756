"""The actions of the main window: their names, their keys, and the menus made of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu

from scrubjay_desktop.windows.status_line import pause_menu

if TYPE_CHECKING:
    from scrubjay_desktop.windows.main_window import MainWindow


class WindowActions(QObject):
    """One QAction for each thing that keys and menus can do, by a short name."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._actions: dict[str, QAction] = {}
        for name, text, keys, act in self._entries():
            action = QAction(text, window)
            action.setShortcuts([QKeySequence(key) for key in keys])
            action.triggered.connect(lambda _=False, act=act: act())
            window.addAction(action)
            self._actions[name] = action
        self.set_shown("bring", False)

    def show_quick_keys(self, keys: QKeySequence) -> None:
        """Write beside its entry which key opens the popup."""
        self._actions["quick"].setShortcut(keys)

    def set_shown(self, name: str, is_shown: bool) -> None:
        """Show or hide an entry of the menus."""
        self._actions[name].setVisible(is_shown)

    def keys(self) -> list[tuple[str, str]]:
        """Keys as people read them, each with the name of its action."""
        form = QKeySequence.SequenceFormat.NativeText
        return [
            (
                ", ".join(key.toString(form) for key in action.shortcuts()),
                action.text().replace("&", "").removesuffix("…"),
            )
            for action in self._actions.values()
            if action.shortcuts()
        ]

    def app_menu(self) -> QMenu:
        """The entries of the tray's menu, and some more."""
        menu = self._menu(
            "remember quick add pin | task line print | why find_in next previous path "
            "| models agents bring_notes bring settings help | close quit"
        )
        menu.insertMenu(
            self._actions["models"], pause_menu(self._window.status_line.paused, self._window)
        )
        return menu

    def note_menu(self) -> QMenu:
        """Entries for the chosen note."""
        return self._menu(
            "open obsidian program editor reveal | copy quote address wikilink path "
            "| task line print | why"
        )

    def _menu(self, names: str) -> QMenu:
        menu = QMenu(self._window)
        for name in names.split():
            if name == "|":
                menu.addSeparator()
            else:
                menu.addAction(self._actions[name])
        return menu

    def _entries(self) -> tuple[tuple[str, str, list[str], Callable[[], object]], ...]:
        window, view = self._window, self._window.preview.view
        rows = window.row_actions
        quick = window.quick_search_requested
        return (
            ("add", self.tr("&Add a folder…"), ["Ctrl+Shift+N"], window.workspaces.ask_for_folder),
            ("quick", self.tr("&Quick search"), [], quick.emit),
            (
                "remember",
                self.tr("&Remember this…"),
                ["Ctrl+N", "Ctrl+R"],
                window.remember_requested.emit,
            ),
            ("find", self.tr("&Search"), ["Ctrl+K", "Ctrl+L"], window.focus_search),
            ("pin", self.tr("P&in or unpin this search"), ["Ctrl+D"], window.turn_pin),
            ("find_in", self.tr("&Find in this note"), ["Ctrl+F"], window.find_in_note),
            ("why", self.tr("&Why this result"), ["Ctrl+I"], window.preview.why.toggle),
            ("task", self.tr("Tick or op&en the task"), ["Ctrl+T"], window.preview.turn_task),
            (
                "line",
                self.tr("A&dd a line to this note…"),
                ["Ctrl+Shift+R"],
                window.preview.enter_line,
            ),
            ("print", self.tr("Print this note…"), ["Ctrl+P"], window.preview.print_note),
            ("larger", self.tr("&Larger text"), ["Ctrl++", "Ctrl+="], lambda: view.zoom_by(1)),
            ("smaller", self.tr("&Smaller text"), ["Ctrl+-"], lambda: view.zoom_by(-1)),
            ("usual", self.tr("&Usual size of text"), ["Ctrl+0"], lambda: view.zoom_by(0)),
            ("next", self.tr("&Next match"), ["F3"], lambda: view.step(1)),
            ("previous", self.tr("Pre&vious match"), ["Shift+F3"], lambda: view.step(-1)),
            ("open", self.tr("&Open"), [], rows.open),
            ("obsidian", self.tr("Open in O&bsidian"), [], rows.open_in_obsidian),
            ("program", self.tr("Choose a pro&gram…"), [], rows.choose_program),
            ("editor", self.tr("Open at the l&ine"), ["Ctrl+Return"], window.open_at_line),
            ("reveal", self.tr("Show in &folder"), ["Alt+Return"], window.preview.reveal),
            ("copy", self.tr("&Copy the passage"), [], window.search.list.copy),
            ("quote", self.tr("Copy as &quotation"), ["Ctrl+Shift+B"], rows.copy_quotation),
            ("address", self.tr("Copy as lin&k"), ["Ctrl+Shift+L"], rows.copy_address),
            ("wikilink", self.tr("Copy as [[link]] for &notes"), [], rows.copy_wikilink),
            ("path", self.tr("Copy the fi&le's path"), ["Ctrl+Shift+C"], rows.copy_path),
            (
                "pause",
                self.tr("&Pause or resume"),
                ["Ctrl+Shift+P"],
                window.status_line.toggle_pause,
            ),
            ("refresh", self.tr("&Check for changes"), ["F5"], lambda: window.refreshed.emit("")),
            ("bring_notes", self.tr("Bring over n&otes…"), [], window.note_import_requested.emit),
            ("bring", self.tr("&Bring over settings…"), [], window.bring_over_requested.emit),
            ("models", self.tr("Lang&uage helpers…"), ["Ctrl+M"], window.models_requested.emit),
            ("agents", self.tr("For AI a&gents…"), [], window.agents_requested.emit),
            ("settings", self.tr("&Settings…"), ["Ctrl+,"], window.settings_requested.emit),
            ("help", self.tr("&Help"), ["F1"], window.help_requested.emit),
            ("close", self.tr("&Close the window"), ["Ctrl+W"], window.close),
            ("quit", self.tr("Qui&t Scrubjay"), ["Ctrl+Q"], window.quit_requested.emit),
        )
