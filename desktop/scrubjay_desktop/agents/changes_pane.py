"""Changes to notes by agents: those that wait for a review, and those that can be undone."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFrame,
    QLabel,
    QPlainTextEdit,
    QStackedWidget,
    QWidget,
)

from scrubjay.agents.edits.agent_edits import AgentEdits
from scrubjay.agents.edits.edit_records import ProposedEdit, ReviewedEdit, WrittenEdit
from scrubjay.errors import ScrubjayError
from scrubjay.records.access_records import shown_name
from scrubjay_desktop.bridge.bridge import PageRequests, Tasks
from scrubjay_desktop.text.formatting import format_number, relative_date, translate, translated
from scrubjay_desktop.text.workspace_names import WorkspaceNames
from scrubjay_desktop.timeline.diff_view import DiffText
from scrubjay_desktop.widgets.banner import NEWS, EmptyState, Offer
from scrubjay_desktop.widgets.buttons import Card, SmallButton, dialog_buttons
from scrubjay_desktop.widgets.labels import bold_label, muted_label, plain_label
from scrubjay_desktop.widgets.layouts import BEFORE_BAR, DIALOG, hbox, scroll_area, vbox
from scrubjay_desktop.widgets.theme import GRID

_MOST_LINES = 14
"""Lines of a difference that a card shows without scrolling."""
_MOST_WRITTEN = 50
"""Changes that can be undone here; the command line lists all of them."""


class ChangesPane(QWidget):
    """A card for each change, those of one agent below its name.

    Its page refreshes it after each change, by the event of the engine.
    """

    announced = Signal(str, object)
    """Signal with a sentence, and an Offer to undo the change or None."""
    counted = Signal(int)
    """Signal with the number of changes that wait."""

    def __init__(self, edits: AgentEdits, tasks: Tasks) -> None:
        super().__init__()
        self._edits = edits
        self._requests = PageRequests(tasks, self.announced)
        self._names: WorkspaceNames = {}
        self._waiting: tuple[ReviewedEdit, ...] = ()
        self._drawn: object = None
        """What the cards show; each call of an agent asks for it again."""
        self.cards: dict[str, ChangeCard] = {}
        self.written_rows: dict[str, SmallButton] = {}
        """Buttons that undo a change, by its id."""
        self.group_buttons: dict[str, tuple[SmallButton, SmallButton]] = {}
        """For each agent with several changes, the buttons that discard and accept all of them."""
        # What this is about is told above the list, also while it is empty.
        words = muted_label(
            self.tr(
                "Changes that agents propose to your notes wait here until you accept them. On "
                "the Permissions tab, you can allow an agent to change notes without your "
                "review. By default, agents can write to their own memory without asking. You "
                "can undo a change for two weeks, unless the note has been edited since."
            )
        )
        # A picture stands in for the cards while there is nothing to show.
        self._area = scroll_area(QWidget())
        self._empty = EmptyState(
            "notice",
            self.tr("No changes to review"),
            self.tr("Changes that agents propose appear here."),
        )
        self._pages = QStackedWidget()
        self._pages.addWidget(self._area)
        self._pages.addWidget(self._empty)
        self._pages.setCurrentWidget(self._empty)
        self._empty.setContentsMargins(0, 0, 2 * GRID, 0)
        top = hbox((words, 1), margins=(0, 0, 2, 0))
        vbox(top, (self._pages, 1), on=self, margins=(0, 2, 0, 0), spacing=2)

    def refresh(self, names: WorkspaceNames) -> None:
        """Show the changes as they are now, with these names of workspaces."""
        self._names = names
        self._requests.watch(self._edits.waiting(), self._show_waiting)

    def _show_waiting(self, waiting: tuple[ReviewedEdit, ...]) -> None:
        self._waiting = waiting
        self.counted.emit(len(waiting))
        self._requests.watch(self._edits.written(), self._show)

    def _show(self, written: tuple[WrittenEdit, ...]) -> None:
        drawn = (self._names, self._waiting, written)
        if drawn == self._drawn:
            return
        self._drawn = drawn
        # The lists are short, so all of it is drawn again, at the place that was looked at.
        place = self._area.verticalScrollBar().value()
        content = QWidget()
        self.cards.clear()
        self.written_rows.clear()
        self.group_buttons.clear()
        parts: list[QWidget] = []
        # One group for each agent, then what can be undone.
        for agent in dict.fromkeys(each.proposed.agent for each in self._waiting):
            parts += self._group(agent)
        if written:
            parts.append(bold_label(self.tr("Written in the last two weeks"), 0))
            parts += [self._written_row(each) for each in written[:_MOST_WRITTEN]]
        vbox(*parts, 1, on=content, margins=(0, 0, BEFORE_BAR, 2), spacing=1)
        self._area.setWidget(content)
        content.setAutoFillBackground(False)
        self._area.verticalScrollBar().setValue(place)
        page: QWidget = self._empty
        if parts:
            page = self._area
        self._pages.setCurrentWidget(page)

    def _group(self, agent: str) -> Iterator[QWidget]:
        """The name of an agent, with buttons for all of its changes, and a card for each."""
        own = [each for each in self._waiting if each.proposed.agent == agent]
        name = shown_name(agent)
        heading = QWidget()
        title = bold_label(name, 0)
        # One change needs no buttons for all of them.
        if len(own) > 1:
            # Buttons of several agents are told apart by the agent's name.
            count = format_number(len(own))
            no = SmallButton(self.tr("Discard all {n}").format(n=count), name)
            no.clicked.connect(lambda: self._refuse_all(own))
            yes = SmallButton(self.tr("Accept all {n}").format(n=count), name)
            yes.clicked.connect(lambda: self._accept_all(own))
            self.group_buttons[agent] = (no, yes)
            hbox(title, 1, no, yes, on=heading, margins=(0, 1, 0, 0))
        else:
            hbox(title, 1, on=heading, margins=(0, 1, 0, 0))
        yield heading
        for each in own:
            card = ChangeCard(each, self._place(each.proposed))
            card.accepted.connect(self._accept)
            card.refused.connect(self._refuse)
            card.edited.connect(self._edit)
            self.cards[each.proposed.id] = card
            yield card

    def _place(self, edit: ProposedEdit | WrittenEdit) -> str:
        """The note of a change, its workspace, and when it was made."""
        # A workspace that was removed meanwhile is shown by its id.
        now = dt.datetime.now().astimezone()
        workspace = self._names.get(edit.workspace, edit.workspace)
        return " · ".join((edit.path, workspace, relative_date(edit.at, now)))

    def _written_row(self, written: WrittenEdit) -> QWidget:
        row = QWidget()
        text = plain_label(f"{shown_name(written.agent)} · {self._place(written)}")
        undo = SmallButton(self.tr("Undo"), written.path)
        undo.clicked.connect(lambda: self._undo(written.id))
        self.written_rows[written.id] = undo
        hbox((text, 1), undo, on=row, margins=(0, 0, 0, 0))
        return row

    def _accept(self, proposed: ProposedEdit, text: str) -> None:
        self._requests.watch(self._edits.accept(proposed.id, text), self._tell_written, self._fail)

    def _edit(self, proposed: ProposedEdit) -> None:
        # It stays open while cards come and go, since agents propose one change after the other.
        dialog = EditTextDialog(proposed, self)
        dialog.accepted.connect(lambda: self._accept(proposed, dialog.text))
        dialog.open()

    def _tell_written(self, written: WrittenEdit) -> None:
        words = self.tr("{path} was changed.").format(path=written.path)
        self.announced.emit(words, Offer(self.tr("Undo"), lambda: self._undo(written.id)))

    def _accept_all(self, reviewed: Sequence[ReviewedEdit]) -> None:
        # Those that no longer fit stay, each with its reason.
        for each in reviewed:
            if not each.reason:
                self._accept(each.proposed, "")

    def _refuse(self, proposed: ProposedEdit) -> None:
        self._requests.watch(self._edits.refuse(proposed.id), lambda _: None, self._fail)

    def _refuse_all(self, reviewed: Sequence[ReviewedEdit]) -> None:
        for each in reviewed:
            self._refuse(each.proposed)

    def _undo(self, edit_id: str) -> None:
        def done(written: WrittenEdit) -> None:
            words = self.tr("{path} was restored.").format(path=written.path)
            self.announced.emit(words, NEWS)

        self._requests.watch(self._edits.undo(edit_id), done, self._fail)

    def _fail(self, error: ScrubjayError) -> None:
        """Announce a failure, and show the changes as they are now."""
        self._requests.fail(error)
        self.refresh(self._names)


class ChangeCard(Card):
    """The difference that a change would make, its note, and the three buttons."""

    accepted = Signal(object, str)
    """Signal with a ProposedEdit, and the text to write instead of its own or an empty one."""
    refused = Signal(object)
    edited = Signal(object)
    """Signals with a ProposedEdit."""

    def __init__(self, reviewed: ReviewedEdit, place: str) -> None:
        super().__init__()
        proposed = reviewed.proposed
        # Where the change would be made, and how the note would look.
        parts: list[QWidget | QLabel] = [muted_label(place, -1)]
        # As high as its lines, up to a height that leaves room for other cards.
        self.diff = DiffText()
        self.diff.show_lines(reviewed.lines)
        height = self.diff.fontMetrics().lineSpacing()
        self.diff.setFixedHeight((min(len(reviewed.lines), _MOST_LINES) + 2) * height)
        # One that no longer fits its note can only be discarded, and its text copied.
        if reviewed.reason:
            parts.append(plain_label(translated(reviewed.reason)))
        parts.append(self.diff)
        if reviewed.is_cut:
            words = translate("Diff", "Only the beginning of this long change is shown.")
            parts.append(plain_label(words))
        # Buttons of several cards are told apart by the note.
        self.no = SmallButton(self.tr("Discard"), proposed.path)
        self.no.clicked.connect(lambda: self.refused.emit(proposed))
        self.edit = SmallButton(self.tr("Edit…"), proposed.path)
        self.edit.clicked.connect(lambda: self.edited.emit(proposed))
        self.yes = SmallButton(self.tr("Accept"), proposed.path)
        self.yes.clicked.connect(lambda: self.accepted.emit(proposed, ""))
        self.edit.setVisible(not reviewed.reason)
        self.yes.setVisible(not reviewed.reason)
        vbox(*parts, hbox(1, self.no, self.edit, self.yes), on=self, margins=(2, 1.5, 2, 1.5))


class EditTextDialog(QDialog):
    """The text that an agent proposes, to change it before it is written."""

    def __init__(self, proposed: ProposedEdit, parent: QWidget) -> None:
        super().__init__(parent)
        # The whole text, since it is written as it stands in the box.
        self.setWindowTitle(self.tr("Edit the proposed text"))
        self.resize(80 * GRID, 48 * GRID)
        self.box = QPlainTextEdit(proposed.edit.text)
        self.box.setFrameShape(QFrame.Shape.StyledPanel)
        self.box.setTabChangesFocus(True)
        self.box.setAccessibleName(self.tr("Text that will be written"))
        buttons = dialog_buttons(self, QDialogButtonBox.StandardButton.Cancel)
        self.write = buttons.addButton(self.tr("&Accept"), QDialogButtonBox.ButtonRole.AcceptRole)
        # An empty text is no change.
        self.box.textChanged.connect(lambda: self.write.setEnabled(bool(self.text.strip())))
        words = plain_label(
            self.tr("This text will be written to {path}.").format(path=proposed.path)
        )
        vbox(words, (self.box, 1), buttons, on=self, margins=DIALOG, spacing=1.5)

    @property
    def text(self) -> str:
        """The text as it is in the box."""
        return self.box.toPlainText()
