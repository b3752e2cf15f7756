"""The card of one model: its facts, state and buttons, and a comparison with another model."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QFont, QPalette
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from scrubjay.records.model_records import DownloadProgress, ModelComparison, ModelInfo, ModelState
from scrubjay_desktop.models.model_text import (
    CardAction,
    advice_words,
    card_action_name,
    card_actions,
    comparison_progress_words,
    comparison_words,
    download_percent,
    download_progress_words,
    model_description,
    model_facts,
    model_title,
    score_words,
    state_name,
    technical_line,
)
from scrubjay_desktop.text.formatting import translated
from scrubjay_desktop.widgets.banner import announce
from scrubjay_desktop.widgets.buttons import Card, SmallButton
from scrubjay_desktop.widgets.labels import bold_label, muted_label, plain_label, progress_bar
from scrubjay_desktop.widgets.layouts import hbox, vbox
from scrubjay_desktop.widgets.theme import set_style_property, sized_font

SILENCE_MS = 3_000
"""Milliseconds after which a server that sends nothing counts as one that does not answer."""


class ModelCard(Card):
    """Shows one ModelInfo, and announces the action that the user chooses."""

    act_requested = Signal(object)
    """Signal with an Act."""

    def __init__(self, info: ModelInfo) -> None:
        super().__init__()
        self._info = info
        self._is_comparing = False
        self._silence = QTimer(self, singleShot=True, interval=SILENCE_MS)
        self._silence.timeout.connect(self._say_silence)
        self.comparison = ComparisonView()
        self.comparison.hide()
        # The facts of the model, of which most stay as they are.
        self.title = bold_label(model_title(info.id, info.name), 1)
        self.state = QLabel(textFormat=Qt.TextFormat.PlainText)
        self.state.setFont(sized_font(self.font(), -1, QFont.Weight.Medium))
        head = hbox((self.title, 1), self.state)
        self.sentence = plain_label(model_description(info))
        self.advice = plain_label()
        self.advice.setFont(sized_font(self.font(), 0, QFont.Weight.DemiBold))
        self.facts = muted_label("", -1)
        # What is under way, and what went wrong, is shown below them.
        self.bar = progress_bar(self.tr("Progress for {name}").format(name=self.title.text()))
        self.progress = muted_label("", -1)
        self.error = plain_label("", -1)
        self.error.setForegroundRole(QPalette.ColorRole.BrightText)
        lines = (
            head,
            self.sentence,
            self.advice,
            self.facts,
            muted_label(technical_line(info), -1),
            self.bar,
            self.progress,
            self.comparison,
            self.error,
            self._make_buttons(),
        )
        vbox(*lines, on=self, margins=(2, 1.5, 2, 1.5), spacing=0.5)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.show_info(info)

    @property
    def info(self) -> ModelInfo:
        """The model."""
        return self._info

    @property
    def offered(self) -> tuple[CardAction, ...]:
        """The actions with a visible button."""
        return tuple(act for act, button in self.buttons.items() if not button.isHidden())

    def show_info(self, info: ModelInfo, error: str = "") -> None:
        """Show a newer state, and the latest error."""
        self._info = info
        set_style_property(self, "chosen", info.is_used)
        self.state.setText(state_name(info))
        self.facts.setText(model_facts(info))
        self.advice.setText(advice_words(info))
        self.advice.setVisible(bool(info.advice))
        self.error.setText(translated(error or info.reason or info.warning))
        self.error.setVisible(bool(self.error.text()))
        # The keys stay on the card when the button that had them goes.
        had_focus = any(button.hasFocus() for button in self.buttons.values())
        offered = card_actions(info, error)
        if self._is_comparing:
            offered = (CardAction.CANCEL,)
        for act, button in self.buttons.items():
            button.setVisible(act in offered)
            is_wanted = act is CardAction.RETRY or (
                act in (CardAction.DOWNLOAD, CardAction.USE) and bool(info.advice)
            )
            button.set_primary(is_wanted and act in offered[:1])
        if had_focus and offered:
            self.buttons[offered[0]].setFocus()
        if self._is_comparing:
            return
        # During a comparison the bar shows its progress instead.
        is_moving = info.state in (ModelState.DOWNLOADING, ModelState.PAUSED)
        self._silence.stop()
        self.bar.setVisible(is_moving)
        self.progress.setVisible(is_moving)
        if is_moving:
            self.show_progress(info.progress or DownloadProgress(0, info.size_bytes))
        self.setAccessibleName(", ".join(filter(None, (self.title.text(), self.state.text()))))

    def begin_comparison(self) -> None:
        """Show that a comparison with the model in use has begun."""
        # A comparison takes the place of all that the card shows of a download.
        self._is_comparing = True
        self.comparison.hide()
        self.show_info(self._info)
        self.show_comparison_progress(0, 0)
        self.bar.show()
        self.progress.show()

    def show_comparison_progress(self, done: int, total: int) -> None:
        """Show how many questions both models have answered."""
        self.bar.setRange(0, total)
        self.bar.setValue(done)
        self.progress.setText(comparison_progress_words(done, total))

    def end_comparison(self) -> None:
        """Show the card as it was before the comparison."""
        self._is_comparing = False
        self.show_info(self._info)

    def show_comparison(self, result: ModelComparison) -> None:
        """Show which model found more."""
        self.comparison.show_result(result)
        self.comparison.show()

    def show_progress(self, progress: DownloadProgress) -> None:
        """Show how much of the file is here."""
        percent = download_percent(progress)
        # While the size is unknown the bar only moves.
        most = 100
        if percent is None:
            most = 0
        self.bar.setRange(0, most)
        self.bar.setValue(percent or 0)
        is_paused = self._info.state is ModelState.PAUSED
        self.progress.setText(download_progress_words(progress, is_paused=is_paused))
        if progress.phase in ("asking", "fetching") and not is_paused:
            self._silence.start()
        else:
            self._silence.stop()

    def _say_silence(self) -> None:
        words = self.tr(
            "The server is not responding. Check whether this computer is "
            "connected to the internet."
        )
        self.progress.setText(words)
        announce(self, words)

    def _make_buttons(self) -> QHBoxLayout:
        self.buttons: dict[CardAction, SmallButton] = {}
        for act in CardAction:
            button = SmallButton(card_action_name(act))
            button.setAccessibleName(f"{card_action_name(act)}: {self.title.text()}")
            button.clicked.connect(lambda _=False, act=act: self.act_requested.emit(act))
            self.buttons[act] = button
        return hbox(*self.buttons.values(), 1, margins=(0, 0.5, 0, 0), spacing=1)


class ComparisonView(QWidget):
    """Shows a ModelComparison as a sentence, and a bar for each model."""

    def __init__(self) -> None:
        super().__init__()
        self.words = plain_label()
        self.bars = [(plain_label("", -1), progress_bar("")) for _ in range(2)]
        rows = [hbox((name, 1), (bar, 2), spacing=1) for name, bar in self.bars]
        vbox(self.words, *rows, on=self, margins=(0, 0.5, 0, 0), spacing=0.5)

    def show_result(self, result: ModelComparison) -> None:
        """Show a finished comparison."""
        self.words.setText(comparison_words(result))
        for (name, bar), score in zip(self.bars, result.scores, strict=True):
            # A full bar would be a model that found every answer at once.
            name.setText(model_title(score.model, score.name))
            bar.setRange(0, result.questions)
            bar.setValue(score.first)
            bar.setAccessibleName(score_words(result, score))
