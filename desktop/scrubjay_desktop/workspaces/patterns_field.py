"""The field in which a person types patterns of notes to exclude."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QWidget

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.errors import ScrubjayError
from scrubjay_desktop.text.formatting import format_note_count, format_number, translated
from scrubjay_desktop.widgets.labels import muted_label
from scrubjay_desktop.widgets.layouts import NONE, vbox
from scrubjay_desktop.widgets.theme import GRID

_PAUSE_MS = 200
"""Pause in typing after which the notes that patterns exclude are counted."""


class PatternsField(QWidget):
    """Patterns, one on each line, and below them how many notes they exclude."""

    count_wanted = Signal(tuple, object)
    """Signal with the patterns, and the token of the count, which is cancelled by the next one."""
    checked = Signal(bool)
    """Signal whether all patterns can be used."""

    def __init__(self, patterns: tuple[str, ...], total: int) -> None:
        """Total is the number of all notes in the folder."""
        super().__init__()
        self._total = total
        self._counting = CancelToken()
        explanation = muted_label(
            self.tr(
                "Notes that match any of these patterns are not searched (one pattern per line):"
            )
        )
        self.box = QPlainTextEdit("\n".join(patterns))
        self.box.setFrameShape(QFrame.Shape.StyledPanel)
        self.box.setTabChangesFocus(True)
        self.box.setFixedHeight(9 * GRID)
        self.box.setAccessibleName(self.tr("Exclusion patterns"))
        self.box.setPlaceholderText(self.tr("For example: drafts/ or *.tmp.md"))
        self.result = muted_label()
        vbox(explanation, self.box, self.result, on=self, margins=NONE, spacing=0.5)
        # Not at each key: a large folder takes a moment.
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self.box.textChanged.connect(self._pause.start)
        self._pause.timeout.connect(self.count)

    @property
    def patterns(self) -> tuple[str, ...]:
        """The patterns as they are typed, without blank lines."""
        return tuple(filter(str.strip, self.box.toPlainText().splitlines()))

    def count(self) -> None:
        """Ask how many notes the patterns exclude now."""
        self.stop()
        self._counting = CancelToken()
        self.count_wanted.emit(self.patterns, self._counting)

    def stop(self) -> None:
        """Cancel the count."""
        self._pause.stop()
        self._counting.cancel()

    def show_count(self, count: int) -> None:
        """Show how many notes the patterns exclude."""
        sentence = self.tr("The patterns exclude {count} of {total}.").format(
            count=format_number(count), total=format_note_count(self._total)
        )
        self.result.setText(sentence if self.patterns else "")
        self.checked.emit(True)

    def show_mistake(self, mistake: ScrubjayError) -> None:
        """Show what is wrong with a pattern."""
        self.result.setText(translated(mistake.title))
        self.checked.emit(False)
