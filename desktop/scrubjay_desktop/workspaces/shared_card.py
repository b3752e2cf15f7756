"""A shared memory's folder as a card of the page of folders."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QPalette

from scrubjay.records.note_records import Workspace
from scrubjay.records.shared_records import SharedAddress, SharedMemory, SharedPlace, SharedRecord
from scrubjay.records.status_records import Freshness, IndexState, WorkspaceStatus
from scrubjay.records.workspace_id import WorkspaceId
from scrubjay_desktop.text.formatting import abbreviate_home, format_note_count, translated
from scrubjay_desktop.text.sharing_sentences import record_line
from scrubjay_desktop.text.status_sentences import failure_reason
from scrubjay_desktop.widgets.buttons import Card, SmallButton
from scrubjay_desktop.widgets.labels import bold_label, muted_label
from scrubjay_desktop.widgets.layouts import hbox, vbox


class SharedCard(Card):
    """One folder that another computer publishes, or a memory without any."""

    def __init__(self, status: WorkspaceStatus) -> None:
        super().__init__()
        self.status = status
        self.name = bold_label("", 1)
        self.place = muted_label()
        self.name.setTextFormat(Qt.TextFormat.PlainText)
        self.place.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.facts = muted_label()
        self.trouble = muted_label()
        self.trouble.setForegroundRole(QPalette.ColorRole.BrightText)
        # Buttons of several cards are told apart by the name of the folder.
        name = status.workspace.name
        self.look = SmallButton(self.tr("Check for changes"), name)
        self.drop = SmallButton(self.tr("Stop searching…"), name)
        actions = hbox(self.look, self.drop, 1, margins=(0, 1, 0, 0), spacing=1)
        lines = (self.name, self.place, self.facts, self.trouble)
        vbox(*lines, actions, on=self, margins=(2, 1.5, 2, 1.5), spacing=0.5)

    def show_status(self, status: WorkspaceStatus, record: SharedRecord | None) -> None:
        """Show the state of the workspace, as its memory tells of it."""
        self.status = status
        shared = status.workspace.shared
        self.name.setText(status.workspace.name)
        place = abbreviate_home(shared.place.uri) if shared else ""
        self.place.setText(self.tr("Shared memory: {place}").format(place=place))
        # Facts are shown where the memory answers, or where nothing is wrong.
        trouble = failure_reason(status) or translated(status.freshness.reason)
        self.trouble.setText(trouble)
        self.trouble.setVisible(bool(trouble))
        facts = format_note_count(status.freshness.documents)
        if record is not None:
            facts = record_line(record, dt.datetime.now().astimezone())
        elif shared and not shared.name:
            facts = self.tr("No other folders are shared in this memory yet.")
        self.facts.setText(facts)
        self.facts.setVisible(record is not None or not trouble)


def records_by_place(memories: Iterable[SharedMemory]) -> dict[tuple[str, str], SharedRecord]:
    """The records that memories have of their workspaces, by address and name."""
    return {(memory.uri, each.name): each for memory in memories for each in memory.workspaces}


def with_empty_memories(
    shared: Iterable[WorkspaceStatus], memories: Iterable[SharedMemory]
) -> Iterator[WorkspaceStatus]:
    """The workspaces of memories, and one that stands for each memory without any."""
    listed = list(shared)
    yield from listed
    places = {each.workspace.memory_uri for each in listed}
    for memory in memories:
        if memory.uri in places:
            continue
        address = SharedAddress(SharedPlace(memory.uri), "")
        workspace = Workspace(
            id=WorkspaceId(memory.uri),
            name=abbreviate_home(memory.uri),
            root=Path(memory.uri),
            layout="notes",
            shared=address,
        )
        state = IndexState.ERROR if memory.reason else IndexState.READY
        # Nothing is known of it but the reason why it is not there.
        yield WorkspaceStatus(
            workspace=workspace,
            state=state,
            freshness=Freshness(
                documents=0,
                pending=0,
                unreadable=0,
                embedded=1.0,
                checked_at=None,
                reason=memory.damage,
            ),
            chunks=0,
            skipped=(),
            index_bytes=0,
            error=memory.reason,
        )
