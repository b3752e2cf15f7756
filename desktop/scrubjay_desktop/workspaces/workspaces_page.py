"""The folders that are searched, one card each with its state and actions."""

from __future__ import annotations

import datetime as dt

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPalette, QShowEvent
from PySide6.QtWidgets import QMenu, QWidget

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.config.ignore_patterns import (
    EntryMatcher,
    excluded_folders,
    folder_label,
    written_patterns,
)
from scrubjay.engine.engine import Engine
from scrubjay.event_bus import Event
from scrubjay.events import IndexFinished, WorkspacesChanged
from scrubjay.records.note_records import Workspace
from scrubjay.records.shared_records import PublishState
from scrubjay.records.status_records import EngineStatus, WorkspaceStatus
from scrubjay_desktop.bridge.bridge import Tasks
from scrubjay_desktop.text.formatting import (
    abbreviate_home,
    format_size,
    join_words,
    plain_tip,
    translate,
    translated,
)
from scrubjay_desktop.text.sharing_sentences import publication_lines, publication_trouble
from scrubjay_desktop.text.status_sentences import (
    failure_reason,
    indexing_percent,
    learned_line,
    learned_share,
    pictures_sentence,
)
from scrubjay_desktop.widgets.buttons import Card, Chip, SmallButton
from scrubjay_desktop.widgets.flow_layout import FlowLayout
from scrubjay_desktop.widgets.labels import bold_label, muted_label, page_title, progress_bar
from scrubjay_desktop.widgets.layouts import BEFORE_BAR, hbox, scroll_area, vbox
from scrubjay_desktop.workspaces.folder_dialogs import folder_menu
from scrubjay_desktop.workspaces.sample_notes import sample_notes_folder
from scrubjay_desktop.workspaces.shared_card import (
    SharedCard,
    records_by_place,
    with_empty_memories,
)


class WorkspacesPage(QWidget):
    """A card for each folder. Sizes of indexes are measured when a pass ends."""

    add_requested = Signal()
    memory_requested = Signal()
    """Signal that the user wants to search a shared memory."""
    import_requested = Signal()
    """Signal that the user wants to import notes from an export."""
    requested = Signal(str, object)
    """Signal with an action of a folder's menu, and the status of the folder."""

    def __init__(self, engine: Engine, tasks: Tasks) -> None:
        super().__init__()
        self._engine = engine
        self._tasks = tasks
        self._life = CancelToken()
        self.cards: dict[str, WorkspaceCard] = {}
        self.shared: dict[str, SharedCard] = {}
        """Folders that other computers share."""
        # The buttons stand right of the title. The Tab key reaches them in this order.
        self.bring = SmallButton(self.tr("Import notes…"))
        self.bring.clicked.connect(self.import_requested)
        self.memory = SmallButton(self.tr("Add a shared memory…"))
        self.memory.clicked.connect(self.memory_requested)
        self.add = SmallButton(self.tr("Add a folder…"))
        self.add.clicked.connect(self.add_requested)
        title = page_title(self.tr("Folders"))
        buttons = QWidget()
        buttons.setLayout(FlowLayout(self.bring, self.memory, self.add))
        top = hbox((vbox(title, 1), 1), buttons, margins=(0, 0, 2, 0), spacing=1)
        # The cards scroll below them.
        content = QWidget()
        self._cards = vbox(1, on=content, margins=(0, 0, BEFORE_BAR, 2), spacing=1.5)
        cards = scroll_area(content, self.tr("Folders"))
        vbox(top, (cards, 1), on=self, margins=(3, 3, 1, 2), spacing=2)
        self.show_status(engine.status())
        self._measure()

    def on_event(self, event: Event) -> None:
        """Measure the indexes when a pass ends."""
        if isinstance(event, IndexFinished | WorkspacesChanged) and self.isVisible():
            self._measure()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: D102
        super().showEvent(event)
        sharing = self._engine.sharing.status()
        # Memories are asked only while someone looks at the page.
        if sharing.publications or sharing.memories:
            self._tasks.watch(self._engine.sharing.look(), self._life, done=lambda _: None)

    def show_status(self, status: EngineStatus) -> None:
        """Show the state of all workspaces."""
        sharing = self._engine.sharing.status()
        publications = {each.workspace: each for each in sharing.publications}
        # Cards of folders that are gone go, and new ones come in at their places.
        ids = [each.workspace.id for each in status.workspaces]
        for removed in [card for card in self.cards if card not in ids]:
            self.cards.pop(removed).deleteLater()
        for position, each in enumerate(status.workspaces):
            card = self.cards.get(each.workspace.id) or self._new_card(each, position)
            card.show_status(each, publications.get(each.workspace.id))
        # The same for what others share, after the folders of this computer.
        shared = {
            each.workspace.id: each for each in with_empty_memories(status.shared, sharing.memories)
        }
        for removed in [card for card in self.shared if card not in shared]:
            self.shared.pop(removed).deleteLater()
        records = records_by_place(sharing.memories)
        for position, each in enumerate(shared.values(), start=len(ids)):
            address = each.workspace.shared
            of_shared = self.shared.get(each.workspace.id) or self._new_shared(each, position)
            key = ("", "")
            if address:
                key = (address.place.uri, address.name)
            of_shared.show_status(each, records.get(key))

    def _new_shared(self, status: WorkspaceStatus, position: int) -> SharedCard:
        card = SharedCard(status)
        card.look.clicked.connect(lambda: self.requested.emit("look", card.status))
        card.drop.clicked.connect(lambda: self.requested.emit("drop", card.status))
        self.shared[status.workspace.id] = card
        self._cards.insertWidget(position, card)
        return card

    def _new_card(self, status: WorkspaceStatus, position: int) -> WorkspaceCard:
        card = WorkspaceCard(
            status, is_sample=status.workspace.root == sample_notes_folder(self._engine.paths)
        )
        card.check.clicked.connect(lambda: self.requested.emit("refresh", card.status))
        card.locate.clicked.connect(lambda: self.requested.emit("locate", card.status))
        card.more.clicked.connect(lambda: self._show_menu(card))
        self.cards[status.workspace.id] = card
        self._cards.insertWidget(position, card)
        return card

    def menu_of(self, card: WorkspaceCard) -> QMenu:
        """The menu of actions for the folder of a card, without those that are its buttons."""
        is_published = card.publication is not None
        menu = folder_menu(card.status, self.requested, card, is_published=is_published)
        for action in menu.actions():
            if action.objectName() in ("locate", "refresh"):
                action.setVisible(False)
        return menu

    def _show_menu(self, card: WorkspaceCard) -> None:
        self.menu_of(card).popup(card.more.mapToGlobal(card.more.rect().bottomLeft()))

    def _measure(self) -> None:
        def show(_measured: EngineStatus) -> None:
            # More may be known since it was measured.
            self.show_status(self._engine.status())

        self._tasks.watch(self._engine.current_status(), self._life, done=show)


class WorkspaceCard(Card):
    """One workspace."""

    def __init__(self, status: WorkspaceStatus, *, is_sample: bool) -> None:
        """A card; of the sample notes, which are laid out like an agent's memory, all are read."""
        super().__init__()
        self.status = status
        self._is_sample = is_sample
        self.publication: PublishState | None = None
        self.name = bold_label("", 1)
        self.folder = muted_label()
        self.name.setTextFormat(Qt.TextFormat.PlainText)
        self.folder.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.facts, self.read, self.pictures, self.shared = (muted_label() for _ in range(4))
        self.trouble = muted_label()
        self.trouble.setForegroundRole(QPalette.ColorRole.BrightText)
        self._progress = progress_bar(self.tr("Reading progress"))
        # Buttons of several cards are told apart by the name of the folder.
        workspace = status.workspace.name
        self.locate = SmallButton(self.tr("Locate the folder…"), workspace)
        self.locate.set_primary(is_primary=True)
        self.check = SmallButton(self.tr("Check for changes"), workspace)
        self.more = Chip(self.tr("More"), self.tr("More actions for {name}"), has_menu=True)
        actions = (self.locate, self.check, self.more, 1)
        row = hbox(*actions, margins=(0, 1, 0, 0), spacing=1)
        facts = (self.facts, self.pictures, self.read, self.shared, self.trouble)
        lines = (self.name, self.folder, *facts, self._progress, row)
        vbox(*lines, on=self, margins=(2, 1.5, 2, 1.5), spacing=0.5)

    def show_status(self, status: WorkspaceStatus, publication: PublishState | None = None) -> None:
        """Show the state of the workspace, and how it is shared if it is."""
        self.status = status
        workspace = status.workspace
        self.publication = publication
        self.name.setText(workspace.name)
        self.more.setAccessibleName(self.tr("More actions for {name}").format(name=workspace.name))
        self.folder.setText(abbreviate_home(workspace.root))
        self.facts.setText(learned_line(status))
        self.facts.setToolTip(plain_tip(_details(status)))
        # What is read is told where it is not simply all of the folder.
        others = [translated(skip.reason) for skip in status.skipped if skip.is_kind]
        is_told = (workspace.layout and not self._is_sample) or workspace.left_out
        read = _read_line(workspace) if is_told else ""
        named = ""
        if workspace.searched == "named":
            named = self.tr("Searched only when it is chosen or named in the search")
        self.read.setText("\n".join(filter(None, (read, named, *others))))
        self.read.setVisible(bool(self.read.text()))
        self.pictures.setText(pictures_sentence([status]))
        self.pictures.setVisible(bool(self.pictures.text()))
        # What is wrong with the folder comes before what is wrong with sharing it.
        trouble = failure_reason(status)
        if publication is not None:
            self.shared.setText(publication_lines(publication, dt.datetime.now().astimezone()))
            trouble = "\n".join(filter(None, (trouble, publication_trouble(publication))))
        self.shared.setVisible(publication is not None)
        self.trouble.setText(trouble)
        self.trouble.setVisible(bool(trouble))
        # A folder that is not there can only be located.
        self.locate.setVisible(bool(status.away))
        self.check.setVisible(not status.away)
        done = indexing_percent(status.progress)
        self._progress.setVisible(done is not None)
        self._progress.setValue(done or 0)


def _read_line(workspace: Workspace) -> str:
    """Which notes of a folder are read."""
    if workspace.layout == "agent":
        return translate("Workspaces", "An agent's memory: MEMORY.md and memory/")
    # Folders of programs are never read, so that no sentence speaks of everything.
    sentence = translate("Workspaces", "Notes in this folder")
    if workspace.documents and workspace.pictures:
        sentence = translate("Workspaces", "Notes, documents and pictures in this folder")
    elif workspace.documents:
        sentence = translate("Workspaces", "Notes and documents in this folder")
    elif workspace.pictures:
        sentence = translate("Workspaces", "Notes and pictures in this folder")
    # A later pattern may bring a folder back.
    matcher = EntryMatcher(workspace.left_out)
    exceptions = [*excluded_folders(workspace.left_out, matcher)]
    if not workspace.hidden_folders:
        exceptions.append(translate("Workspaces", "hidden folders"))
    if exceptions:
        sentence = translate("Workspaces", "{notes}, except in {folders}").format(
            notes=sentence, folders=join_words(exceptions)
        )
    patterns = [entry for entry in workspace.left_out if not folder_label(entry)]
    if not patterns:
        return sentence
    excluded = translate("Workspaces", "Exclusion patterns: {patterns}").format(
        patterns=", ".join(written_patterns(patterns))
    )
    return f"{sentence}\n{excluded}"


def _details(status: WorkspaceStatus) -> str:
    """Sizes of a folder, for experts."""
    text = translate("Workspaces", "{share} of the text ready for search by meaning")
    pieces = text.format(share=learned_share(status.progress))
    index = translate("Workspaces", "search index: {size}").format(
        size=format_size(status.index_bytes)
    )
    return f"{pieces} · {index}"
