"""The folders that are searched, one card each with its state and actions."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QStackedWidget, QWidget

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.events import Event, IndexFinished, WorkspacesChanged
from scrubjay.records.search_records import EngineStatus, WorkspaceStatus
from scrubjay_desktop.bridge.bridge import Tasks
from scrubjay_desktop.text.formatting import number, percent, size, translate
from scrubjay_desktop.text.status_sentences import failure, progress_percent, workspace_line
from scrubjay_desktop.widgets.banner import EmptyState
from scrubjay_desktop.widgets.buttons import Card, SmallButton
from scrubjay_desktop.widgets.flow_layout import FlowLayout
from scrubjay_desktop.widgets.labels import bold_label, muted_label, page_title, progress_bar
from scrubjay_desktop.widgets.layouts import TOP, hbox, scroll_area, vbox
from scrubjay_desktop.widgets.theme import GRID
from scrubjay_desktop.workspaces.workspaces_sidebar import ask_to_forget


class WorkspacesPage(QWidget):
    """A card for each folder. Sizes of indexes are measured when a pass ends."""

    add_requested = Signal()
    refreshed = Signal(str)
    rebuilt = Signal(str)
    """Read all notes of a workspace again."""
    problems_requested = Signal(str)
    revealed = Signal(object)
    """A folder to show."""
    forgotten = Signal(str)

    def __init__(self, engine: Engine, tasks: Tasks) -> None:
        super().__init__()
        self._engine = engine
        self._tasks = tasks
        self._life = CancelToken()
        self.cards: dict[str, WorkspaceCard] = {}
        self.add = SmallButton(self.tr("Add a folder…"))
        self.add.clicked.connect(self.add_requested)
        title = page_title(self.tr("Folders"))
        top = hbox((title, 1), (self.add, TOP), margins=(0, 0, 2, 0))
        content = QWidget()
        self._cards = vbox(1, on=content, margins=(0, 0, 2, 2), spacing=1.5)
        self._pages = QStackedWidget()
        self._pages.addWidget(scroll_area(content, self.tr("Folders")))
        self._pages.addWidget(
            EmptyState(
                "folder",
                self.tr("No folders yet"),
                self.tr("Add a folder of Markdown notes, or drop one on the window."),
            )
        )
        vbox(top, (self._pages, 1), on=self, margins=(3, 3, 1, 2), spacing=2)
        self.show_status(engine.status())
        self._measure()

    def on_event(self, event: Event) -> None:
        """Measure the indexes when a pass ends."""
        if isinstance(event, IndexFinished | WorkspacesChanged) and self.isVisible():
            self._measure()

    def show_status(self, status: EngineStatus) -> None:
        """Show the state of all workspaces."""
        ids = [each.workspace.id for each in status.workspaces]
        for removed in [card for card in self.cards if card not in ids]:
            self.cards.pop(removed).deleteLater()
        for place, each in enumerate(status.workspaces):
            card = self.cards.get(each.workspace.id) or self._new_card(each, place)
            card.show_status(each)
        self._pages.setCurrentIndex(0 if ids else 1)

    def _new_card(self, status: WorkspaceStatus, place: int) -> WorkspaceCard:
        card = WorkspaceCard(status)
        workspace = status.workspace
        card.check.clicked.connect(lambda: self.refreshed.emit(workspace.id))
        card.rebuild.clicked.connect(lambda: self.rebuilt.emit(workspace.id))
        card.problems.clicked.connect(lambda: self.problems_requested.emit(workspace.id))
        card.reveal.clicked.connect(lambda: self.revealed.emit(workspace.root))
        card.forget.clicked.connect(
            lambda: ask_to_forget(card.status, self.window(), self.forgotten)
        )
        self.cards[workspace.id] = card
        self._cards.insertWidget(place, card)
        return card

    def _measure(self) -> None:
        self._tasks.watch(self._engine.current_status(), self._life, done=self.show_status)


class WorkspaceCard(Card):
    """One workspace."""

    def __init__(self, status: WorkspaceStatus) -> None:
        super().__init__()
        self.status = status
        name = bold_label(status.workspace.name, 1)
        name.setTextFormat(Qt.TextFormat.PlainText)
        self.folder = muted_label(str(status.workspace.root))
        self.folder.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.facts = muted_label()
        self.trouble = muted_label()
        self.trouble.setForegroundRole(QPalette.ColorRole.BrightText)
        self._progress = progress_bar(self.tr("How far reading has come"))
        workspace = status.workspace.name
        self.check = SmallButton(self.tr("Check for changes"), workspace)
        self.rebuild = SmallButton(self.tr("Read everything again"), workspace)
        self.problems = SmallButton(self.tr("What is not searched…"), workspace)
        self.reveal = SmallButton(self.tr("Show in folder"), workspace)
        self.forget = SmallButton(self.tr("Forget…"), workspace)
        buttons = (self.check, self.rebuild, self.problems, self.reveal, self.forget)
        actions = FlowLayout(*buttons, is_last_apart=True)
        actions.setContentsMargins(0, GRID, 0, 0)
        lines = (name, self.folder, self.facts, self.trouble, self._progress)
        vbox(*lines, actions, on=self, margins=(2, 1.5, 2, 1.5), spacing=0.5)

    def show_status(self, status: WorkspaceStatus) -> None:
        """Show the state of the workspace."""
        self.status = status
        parts = [workspace_line(status)]
        if status.chunks and status.progress is None:  # counted when a pass ends
            text = translate("Workspaces", "pieces of text: {n}, {share} of them by meaning")
            share = percent(status.freshness.embedded)
            parts.append(text.format(n=number(status.chunks), share=share))
        if status.index_bytes:
            parts.append(
                translate("Workspaces", "index {size}").format(size=size(status.index_bytes))
            )
        self.facts.setText(" · ".join(parts))
        trouble = failure(status)
        self.trouble.setText(trouble)
        self.trouble.setVisible(bool(trouble))
        done = progress_percent(status.progress)
        self._progress.setVisible(done is not None)
        self._progress.setValue(done or 0)
        self.problems.setEnabled(bool(status.skipped) or bool(status.error))
