"""Proposals that wait for a yes or a no: lines for MEMORY.md, captured sentences."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from scrubjay.records.workspace_id import WorkspaceId
from scrubjay_desktop.widgets.banner import EmptyState
from scrubjay_desktop.widgets.buttons import Card, SmallButton
from scrubjay_desktop.widgets.labels import muted_label, plain_label
from scrubjay_desktop.widgets.layouts import BEFORE_BAR, TOP, hbox, scroll_area, vbox
from scrubjay_desktop.widgets.theme import GRID


class Proposal(Struct, frozen=True):
    """One thing to decide about."""

    key: str
    workspace: WorkspaceId
    text: str
    """The text that would be written."""
    origin: str
    """Source of the text, in words."""
    reason: str = ""
    """Reason why it is proposed, in words; empty when that is plain."""


class ReviewQueuePane(QWidget):
    """A card for each proposal. The lists are short: a user reviews them."""

    kept = Signal(object)
    refused = Signal(object)
    """Signals with a Proposal."""

    def __init__(
        self, explanation: str, switch: QWidget, keep: str, buttons: Sequence[SmallButton] = ()
    ) -> None:
        """The switch turns on and off what is explained."""
        super().__init__()
        self._keep_text = keep
        self.cards: dict[str, ProposalCard] = {}
        words = muted_label(explanation)
        content = QWidget()
        self._cards = vbox(1, on=content, margins=(0, 0, BEFORE_BAR, 2), spacing=1)
        # A picture stands in for the cards while nothing waits.
        self._pages = QStackedWidget()
        self._pages.addWidget(scroll_area(content))
        self._empty = EmptyState("notice", "", "")
        self._pages.addWidget(self._empty)
        self._pages.setCurrentIndex(1)
        row = hbox((words, 1), *((button, TOP) for button in buttons))
        top = vbox(row, switch, margins=(0, 0, 2, 0), spacing=2)
        self._empty.setContentsMargins(0, 0, 2 * GRID, 0)
        vbox(top, (self._pages, 1), on=self, margins=(0, 2, 0, 0), spacing=2)

    def show_reason(self, title: str, text: str) -> None:
        """Say why there are no proposals, which is seen while there are none."""
        self._empty.show_message(title, text)

    def show_proposals(self, proposals: Sequence[Proposal]) -> None:
        """Show these instead; a card that stays keeps its place and the focus."""
        keys = {proposal.key for proposal in proposals}
        for key in [key for key in self.cards if key not in keys]:
            self.cards.pop(key).deleteLater()
        # Cards of proposals that are gone go, and new ones come in at their places.
        for number, proposal in enumerate(proposals):
            if proposal.key not in self.cards:
                card = ProposalCard(proposal, self._keep_text)
                card.kept.connect(self.kept)
                card.refused.connect(self.refused)
                self.cards[proposal.key] = card
                self._cards.insertWidget(number, card)
        self._pages.setCurrentIndex(0 if proposals else 1)


class ProposalCard(Card):
    """The text, its source and the two buttons."""

    kept = Signal(object)
    refused = Signal(object)

    def __init__(self, proposal: Proposal, keep: str) -> None:
        super().__init__()
        text = plain_label(proposal.text)
        text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        lines = [muted_label(line, -1) for line in (proposal.origin, proposal.reason) if line]
        # Buttons of several cards are told apart by the beginning of their text.
        self.no = SmallButton(self.tr("Discard"), proposal.text[:80])
        self.no.clicked.connect(lambda: self.refused.emit(proposal))
        self.yes = SmallButton(keep, proposal.text[:80])
        self.yes.clicked.connect(lambda: self.kept.emit(proposal))
        buttons = hbox(1, self.no, self.yes)
        vbox(text, *lines, buttons, on=self, margins=(2, 1.5, 2, 1.5))
