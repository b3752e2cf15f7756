"""The folders that are searched, one card each: how they are, and what can be done."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont, QPalette
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from scrubjay import CancelToken, Engine
from scrubjay.events import Event, IndexFinished, WorkspacesChanged
from scrubjay.records.search_records import EngineStatus, WorkspaceStatus
from scrubjay_desktop.bridge.bridge import Tasks
from scrubjay_desktop.text.formatting import number, percent, size, translate
from scrubjay_desktop.text.status_sentences import failure, progress_percent, workspace_line
from scrubjay_desktop.widgets.banner import EmptyState
from scrubjay_desktop.widgets.buttons import Card, SmallButton
from scrubjay_desktop.widgets.flow_layout import FlowLayout
from scrubjay_desktop.widgets.labels import muted_label
from scrubjay_desktop.widgets.theme import GRID, sized, slim
from scrubjay_desktop.workspaces.workspaces_sidebar import forget_question


class WorkspacesPage(QWidget):
    """Asks for the sizes of indexes when it is shown, and follows the status otherwise."""

    add_requested = Signal()
    refreshed = Signal(str)
    rebuilt = Signal(str)
    """All notes of a workspace are to be read again."""
    problems_requested = Signal(str)
    revealed = Signal(object)
    """A folder to show."""
    forgotten = Signal(str)

    def __init__(self, engine: Engine, tasks: Tasks, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._engine = engine
        self._tasks = tasks
        self._life = CancelToken()
        self.cards: dict[str, WorkspaceCard] = {}
        title = QLabel(self.tr("Folders"))
        title.setFont(sized(self.font(), 5, QFont.Weight.DemiBold))
        self.add = SmallButton(self.tr("Add a folder…"))
        self.add.clicked.connect(self.add_requested)
        top = QHBoxLayout()
        top.setContentsMargins(0, 0, 2 * GRID, 0)
        top.addWidget(title, 1)
        top.addWidget(self.add, 0, Qt.AlignmentFlag.AlignTop)
        content = QWidget()
        self._cards = QVBoxLayout(content)
        self._cards.setContentsMargins(0, 0, 2 * GRID, 2 * GRID)
        self._cards.setSpacing(3 * GRID // 2)
        self._cards.addStretch(1)
        area = QScrollArea()
        area.setAccessibleName(self.tr("Folders"))
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(content)
        slim(area)
        self._pages = QStackedWidget()
        self._pages.addWidget(area)
        self._pages.addWidget(
            EmptyState(
                "folder",
                self.tr("No folders yet"),
                self.tr("Add a folder of Markdown notes, or drop one on the window."),
            )
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(3 * GRID, 3 * GRID, GRID, 2 * GRID)
        column.setSpacing(2 * GRID)
        column.addLayout(top)
        column.addWidget(self._pages, 1)
        self.show_status(engine.status())
        self._measure()

    def on_event(self, event: Event) -> None:
        """Sizes change when a pass ends."""
        if isinstance(event, IndexFinished | WorkspacesChanged) and self.isVisible():
            self._measure()

    def show_status(self, status: EngineStatus) -> None:
        """Show how all workspaces are."""
        ids = [one.workspace.id for one in status.workspaces]
        for gone in [one for one in self.cards if one not in ids]:
            self.cards.pop(gone).deleteLater()
        for place, one in enumerate(status.workspaces):
            card = self.cards.get(one.workspace.id) or self._new_card(one, place)
            card.show_status(one)
        self._pages.setCurrentIndex(0 if ids else 1)

    def _new_card(self, one: WorkspaceStatus, place: int) -> WorkspaceCard:
        card = WorkspaceCard(one)
        workspace = one.workspace
        card.check.clicked.connect(lambda: self.refreshed.emit(workspace.id))
        card.rebuild.clicked.connect(lambda: self.rebuilt.emit(workspace.id))
        card.problems.clicked.connect(lambda: self.problems_requested.emit(workspace.id))
        card.reveal.clicked.connect(lambda: self.revealed.emit(workspace.root))
        card.forget.clicked.connect(lambda: self._ask_to_forget(card.status))
        self.cards[workspace.id] = card
        self._cards.insertWidget(place, card)
        return card

    def _measure(self) -> None:
        self._tasks.watch(self._engine.current_status(), self._life, done=self.show_status)

    def _ask_to_forget(self, one: WorkspaceStatus) -> None:
        question = forget_question(one, self.window())
        question.accepted.connect(lambda: self.forgotten.emit(one.workspace.id))
        question.open()


class WorkspaceCard(Card):
    """One workspace."""

    def __init__(self, status: WorkspaceStatus) -> None:
        super().__init__()
        self.status = status
        name = QLabel(status.workspace.name)
        name.setTextFormat(Qt.TextFormat.PlainText)
        name.setFont(sized(self.font(), 1, QFont.Weight.DemiBold))
        self.folder = muted_label(str(status.workspace.root))
        self.folder.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.facts = muted_label("")
        self.trouble = muted_label("")
        self.trouble.setForegroundRole(QPalette.ColorRole.BrightText)
        self._progress = QProgressBar()
        self._progress.setTextVisible(False)
        self._progress.setFixedHeight(GRID)
        self._progress.setAccessibleName(self.tr("How far reading has come"))
        self.check = self._button(self.tr("Check for changes"))
        self.rebuild = self._button(self.tr("Read everything again"))
        self.problems = self._button(self.tr("What is not searched…"))
        self.reveal = self._button(self.tr("Show in folder"))
        self.forget = self._button(self.tr("Forget…"))
        buttons = (self.check, self.rebuild, self.problems, self.reveal, self.forget)
        acts = FlowLayout(*buttons, is_last_apart=True)
        acts.setContentsMargins(0, GRID, 0, 0)
        column = QVBoxLayout(self)
        column.setContentsMargins(2 * GRID, 3 * GRID // 2, 2 * GRID, 3 * GRID // 2)
        column.setSpacing(GRID // 2)
        for widget in (name, self.folder, self.facts, self.trouble, self._progress):
            column.addWidget(widget)
        column.addLayout(acts)

    def show_status(self, status: WorkspaceStatus) -> None:
        """Show how it is."""
        self.status = status
        self.facts.setText(facts_of(status))
        trouble = failure(status)
        self.trouble.setText(trouble)
        self.trouble.setVisible(bool(trouble))
        done = progress_percent(status.progress)
        self._progress.setVisible(done is not None)
        self._progress.setValue(done or 0)
        self.problems.setEnabled(bool(status.skipped) or bool(status.error))

    def _button(self, text: str) -> SmallButton:
        button = SmallButton(text)
        button.setAccessibleName(f"{text.removesuffix('…')}: {self.status.workspace.name}")
        return button


def facts_of(one: WorkspaceStatus) -> str:
    """Notes, how many of them can be found by meaning and how large the index is."""
    parts = [workspace_line(one)]
    if one.chunks and one.progress is None:  # counted when a pass ends
        text = translate("Workspaces", "pieces of text: {n}, {share} of them by meaning")
        parts.append(text.format(n=number(one.chunks), share=percent(one.freshness.embedded)))
    if one.index_bytes:
        parts.append(translate("Workspaces", "index {size}").format(size=size(one.index_bytes)))
    return " · ".join(parts)
