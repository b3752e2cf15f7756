"""Things that wait for a yes or a no: what belongs into MEMORY.md, what was kept of talks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from scrubjay_desktop.widgets.banner import EmptyState
from scrubjay_desktop.widgets.buttons import Card, SmallButton
from scrubjay_desktop.widgets.labels import muted_label
from scrubjay_desktop.widgets.theme import GRID, slim


@dataclass(frozen=True, slots=True)
class Proposal:
    """One thing to decide about."""

    key: str
    workspace: str
    text: str
    """What would be written."""
    origin: str
    """Where it comes from, in words."""
    why: str
    """Why it is proposed, in words; empty when that is plain."""


class ReviewPane(QWidget):
    """A card for each proposal. The lists are short: they hold what a person would review."""

    kept = Signal(object)
    refused = Signal(object)
    """A Proposal."""

    def __init__(
        self,
        explanation: str,
        empty: tuple[str, str],
        keep: str,
        buttons: Sequence[SmallButton] = (),
    ) -> None:
        super().__init__()
        self._keep_text = keep
        self.cards: dict[str, ProposalCard] = {}
        words = muted_label(explanation)
        content = QWidget()
        self._cards = QVBoxLayout(content)
        self._cards.setContentsMargins(0, 0, 2 * GRID, 2 * GRID)
        self._cards.setSpacing(GRID)
        self._cards.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(content)
        slim(area)
        self._pages = QStackedWidget()
        self._pages.addWidget(area)
        self._pages.addWidget(EmptyState("notice", *empty))
        self._pages.setCurrentIndex(1)
        top = QHBoxLayout()
        top.addWidget(words, 1)
        for button in buttons:
            top.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 2 * GRID, 0, 0)
        column.setSpacing(2 * GRID)
        column.addLayout(top)
        column.addWidget(self._pages, 1)

    def show_proposals(self, proposals: Sequence[Proposal]) -> None:
        """Show these instead; a card that stays keeps its place and the focus."""
        keys = {one.key for one in proposals}
        for key in [key for key in self.cards if key not in keys]:
            self.cards.pop(key).deleteLater()
        for number, one in enumerate(proposals):
            if one.key not in self.cards:
                card = ProposalCard(one, self._keep_text)
                card.kept.connect(self.kept)
                card.refused.connect(self.refused)
                self.cards[one.key] = card
                self._cards.insertWidget(number, card)
        self._pages.setCurrentIndex(0 if proposals else 1)


class ProposalCard(Card):
    """The text, where it comes from, and the two buttons."""

    kept = Signal(object)
    refused = Signal(object)

    def __init__(self, proposal: Proposal, keep: str) -> None:
        super().__init__()
        text = QLabel(proposal.text)
        text.setWordWrap(True)
        text.setTextFormat(Qt.TextFormat.PlainText)
        text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        column = QVBoxLayout(self)
        column.setContentsMargins(2 * GRID, 3 * GRID // 2, 2 * GRID, 3 * GRID // 2)
        column.addWidget(text)
        for line in (proposal.origin, proposal.why):
            if line:
                column.addWidget(muted_label(line, -1))
        row = QHBoxLayout()
        row.addStretch(1)
        self.no = self._button(self.tr("No"), proposal, lambda: self.refused.emit(proposal))
        self.yes = self._button(keep, proposal, lambda: self.kept.emit(proposal))
        row.addWidget(self.no)
        row.addWidget(self.yes)
        column.addLayout(row)

    def _button(self, text: str, proposal: Proposal, act: Callable[[], None]) -> SmallButton:
        button = SmallButton(text)
        button.setAccessibleName(f"{text}: {proposal.text[:80]}")
        button.clicked.connect(act)
        return button
