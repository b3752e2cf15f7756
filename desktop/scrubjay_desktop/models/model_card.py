"""One model: what it is, how far it is, and what can be done with it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QFont, QPalette
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from scrubjay.records.model_records import (
    DownloadProgress,
    ModelComparison,
    ModelInfo,
    ModelState,
)
from scrubjay_desktop.models.model_comparison_view import ContestView
from scrubjay_desktop.models.model_text import (
    Act,
    act_name,
    acts,
    asking_words,
    described,
    facts,
    progress_percent,
    progress_words,
    state_name,
)
from scrubjay_desktop.text.formatting import translated
from scrubjay_desktop.widgets.buttons import Card, SmallButton
from scrubjay_desktop.widgets.theme import GRID, Colors, sized


class ModelCard(Card):
    """Shows one ModelInfo, and announces what a person wants done with it."""

    asked = Signal(object)
    """An Act."""

    def __init__(self, info: ModelInfo, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._info = info
        self._is_asking = False
        self.contest = ContestView()
        self.contest.hide()
        name = QLabel(info.name)
        name.setFont(sized(self.font(), 1, QFont.Weight.DemiBold))
        self.state = QLabel()
        self.state.setFont(sized(self.font(), -1, QFont.Weight.Medium))
        head = QHBoxLayout()
        head.addWidget(name, 1)
        head.addWidget(self.state)
        self.sentence = _text(described(info))
        self.facts = _text(facts(info))
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(GRID)
        self.bar.setAccessibleName(self.tr("Download of {name}").format(name=info.name))
        self.progress = _text()
        self.error = _text()
        for small in (self.facts, self.progress, self.error):
            small.setFont(sized(self.font(), -1))
        for muted in (self.facts, self.progress):
            muted.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self.error.setForegroundRole(QPalette.ColorRole.BrightText)
        column = QVBoxLayout(self)
        column.setContentsMargins(2 * GRID, 3 * GRID // 2, 2 * GRID, 3 * GRID // 2)
        column.setSpacing(GRID // 2)
        column.addLayout(head)
        for widget in (
            self.sentence,
            self.facts,
            self.bar,
            self.progress,
            self.contest,
            self.error,
        ):
            column.addWidget(widget)
        column.addLayout(self._make_buttons())
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.show_info(info)

    @property
    def info(self) -> ModelInfo:
        """What is shown."""
        return self._info

    @property
    def offered(self) -> tuple[Act, ...]:
        """What can be done now."""
        return tuple(act for act, button in self.buttons.items() if not button.isHidden())

    def show_info(self, info: ModelInfo, error: str = "") -> None:
        """Show a newer state, and what went wrong if anything did."""
        self._info = info
        self.state.setText(state_name(info))
        self.error.setText(translated(error or info.reason))
        self.error.setVisible(bool(self.error.text()))
        had_focus = any(button.hasFocus() for button in self.buttons.values())
        wanted = (Act.CANCEL,) if self._is_asking else acts(info, error)
        for act, button in self.buttons.items():
            button.setVisible(act in wanted)
            button.set_primary(act is Act.RETRY and act in wanted[:1])
        if had_focus and wanted:
            self.buttons[wanted[0]].setFocus()
        if self._is_asking:
            return
        is_moving = info.state in (ModelState.DOWNLOADING, ModelState.PAUSED)
        self.bar.setVisible(is_moving)
        self.progress.setVisible(is_moving)
        if is_moving:
            self.show_progress(info.progress or DownloadProgress(0, info.size_bytes))
        self.setAccessibleName(", ".join(filter(None, (info.name, self.state.text()))))

    def begin_asking(self) -> None:
        """A comparison with the model in use has begun."""
        self._is_asking = True
        self.contest.hide()
        self.show_info(self._info)
        self.show_asked(0, 0)
        self.bar.show()
        self.progress.show()

    def show_asked(self, done: int, total: int) -> None:
        """Both models have answered so many questions."""
        self.bar.setRange(0, total)
        self.bar.setValue(done)
        self.progress.setText(asking_words(done, total))

    def end_asking(self) -> None:
        """The comparison has ended."""
        self._is_asking = False
        self.show_info(self._info)

    def show_comparison(self, result: ModelComparison) -> None:
        """Show which model found more."""
        self.contest.show_result(result)
        self.contest.show()

    def show_progress(self, progress: DownloadProgress) -> None:
        """More has arrived."""
        percent = progress_percent(progress)
        self.bar.setRange(0, 0 if percent is None else 100)
        self.bar.setValue(percent or 0)
        is_paused = self._info.state is ModelState.PAUSED
        self.progress.setText(progress_words(progress, is_paused=is_paused))

    def border(self, colors: Colors) -> QColor:  # noqa: D102
        return colors.accent if self._info.is_used else super().border(colors)

    def _make_buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(0, GRID // 2, 0, 0)
        row.setSpacing(GRID)
        self.buttons: dict[Act, SmallButton] = {}
        for act in Act:
            button = SmallButton(act_name(act))
            button.setAccessibleName(f"{act_name(act)}: {self._info.name}")
            button.clicked.connect(lambda _=False, act=act: self.asked.emit(act))
            row.addWidget(button)
            self.buttons[act] = button
        row.addStretch(1)
        return row


def _text(words: str = "") -> QLabel:
    label = QLabel(words)
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    return label
