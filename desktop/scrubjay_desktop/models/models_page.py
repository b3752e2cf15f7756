"""The models that can be had: fetch one, choose one, bring a file of one's own."""

from __future__ import annotations

from concurrent.futures import Future
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFrame,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from scrubjay import CancelToken, Engine
from scrubjay.errors import DownloadFailed, ScrubjayError
from scrubjay.events import (
    Event,
    ModelComparisonProgressed,
    ModelDownloadFailed,
    ModelDownloadProgressed,
    ModelsChanged,
)
from scrubjay.records.model_records import ModelComparison, ModelInfo, ModelState
from scrubjay_desktop.bridge.bridge import Tasks
from scrubjay_desktop.models.model_card import ModelCard
from scrubjay_desktop.models.model_text import Act
from scrubjay_desktop.text.formatting import translated
from scrubjay_desktop.widgets.banner import announce
from scrubjay_desktop.widgets.message_boxes import import_question, removal_question, terms_question
from scrubjay_desktop.widgets.theme import GRID, slim


class ModelsPage(QDialog):
    """A card for each model. Closing it stops no download."""

    def __init__(self, engine: Engine, tasks: Tasks, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._engine = engine
        self._tasks = tasks
        self._life = CancelToken()
        self._errors: dict[str, str] = {}
        self._asked = ""
        """The model that is being compared with the one in use."""
        self._asking = CancelToken()
        self.cards: dict[str, ModelCard] = {}
        self.setWindowTitle(self.tr("Models"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAcceptDrops(True)
        self.resize(80 * GRID, 80 * GRID)
        self._build()
        self.finished.connect(self._life.cancel)
        self.finished.connect(lambda: self._asking.cancel())
        self._reload()

    def on_event(self, event: Event) -> None:
        """Follow what the engine announces."""
        match event:
            case ModelDownloadProgressed(model=model, progress=progress) if model in self.cards:
                self.cards[model].show_progress(progress)
            case ModelComparisonProgressed(done=done, total=total) if self._asked in self.cards:
                self.cards[self._asked].show_asked(done, total)
            case ModelDownloadFailed(model=model, reason=reason):
                self._errors[model] = reason
                self._reload()
            case ModelsChanged():
                self._reload()
            case _:
                pass

    def use_file(self, file: Path, *, accept_terms: bool = False) -> None:
        """Check a model file that is here already, and copy it to the others."""
        self._say(self.tr("Checking {name}…").format(name=file.name))
        self._tasks.watch(
            self._engine.models.import_file(file, accept_terms=accept_terms),
            self._life,
            done=lambda info: self._say(self.tr("{name} is ready to use.").format(name=info.name)),
            failed=partial(self._file_refused, file),
        )

    def offer_file(self, file: Path) -> None:
        """Ask whether a file that was dropped elsewhere is to become a model."""
        box = import_question(self, file.name)
        box.accepted.connect(lambda: self.use_file(file))
        box.open()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: D102
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: D102
        event.acceptProposedAction()
        for url in event.mimeData().urls():
            if url.isLocalFile():
                self.use_file(Path(url.toLocalFile()))

    def _build(self) -> None:
        words = QLabel(
            self.tr(
                "A model lets Scrubjay find notes by what they mean. It works on this computer, "
                "and no note leaves it. You can drop a model file here, too."
            )
        )
        words.setWordWrap(True)
        inner = QWidget()
        self._column = QVBoxLayout(inner)
        self._column.setContentsMargins(0, 0, GRID, 0)
        self._column.setSpacing(GRID)
        self._column.addStretch(1)
        area = QScrollArea()
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setAccessibleName(self.windowTitle())
        area.setWidget(inner)
        slim(area)
        self.line = QLabel()
        self.line.setWordWrap(True)
        self.line.setTextFormat(Qt.TextFormat.PlainText)
        self.line.hide()
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        file = buttons.addButton(
            self.tr("Use a &file I already have…"), QDialogButtonBox.ButtonRole.ActionRole
        )
        file.clicked.connect(self._choose_file)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(2 * GRID, 2 * GRID, 2 * GRID, 2 * GRID)
        column.setSpacing(3 * GRID // 2)
        column.addWidget(words)
        column.addWidget(area, 1)
        column.addWidget(self.line)
        column.addWidget(buttons)

    def _reload(self) -> None:
        future = self._engine.models.list()
        self._tasks.watch(future, self._life, done=self._show, failed=self._tell)

    def _show(self, infos: tuple[ModelInfo, ...]) -> None:
        for gone in self.cards.keys() - {info.id for info in infos}:
            card = self.cards.pop(gone)
            self._column.removeWidget(card)
            card.deleteLater()
        for info in infos:
            if info.id not in self.cards:
                card = ModelCard(info)
                card.asked.connect(partial(self._do, info.id))
                self._column.insertWidget(len(self.cards), card)
                self.cards[info.id] = card
            self.cards[info.id].show_info(info, self._errors.get(info.id, ""))

    def _do(self, model: str, act: Act) -> None:
        info = self.cards[model].info
        self._errors.pop(model, None)
        self._say("")
        match act:
            case Act.DOWNLOAD | Act.RESUME | Act.RETRY:
                self._download(info)
            case Act.PAUSE:
                self._engine.models.pause(model)
            case Act.COMPARE:
                self._compare(model)
            case Act.CANCEL if model == self._asked:
                self._end_asking()
            case Act.CANCEL:
                self._await(model, self._engine.models.cancel(model))
            case Act.USE:
                self._use(info)
            case Act.FILE:
                self._choose_file()
            case Act.REMOVE:
                box = removal_question(self, info.name)
                box.accepted.connect(lambda: self._await(model, self._engine.models.remove(model)))
                box.open()

    def _download(self, info: ModelInfo) -> None:
        if info.is_accepted:
            self._await(info.id, self._engine.models.download(info.id))
            return
        box = terms_question(self, info)
        box.accepted.connect(
            lambda: self._await(info.id, self._engine.models.download(info.id, accept_terms=True))
        )
        box.open()

    def _use(self, info: ModelInfo) -> None:
        sentence = self.tr(
            "{name} now reads your notes anew, in the background. Until it has read them all, "
            "the model from before goes on answering."
        ).format(name=info.name)
        self._await(info.id, self._engine.models.use(info.id), sentence)

    def _compare(self, model: str) -> None:
        """Ask the model and the one in use what people's own headings mean."""
        self._end_asking()
        here = [card.info for card in self.cards.values() if card.info.state is ModelState.READY]
        others = [info for info in here if info.id != model]
        if not others:
            self._say(self.tr("There is no other model here to compare it with."))
            return
        # A remote provider may do the work; then no model here is in use.
        other = max(others, key=lambda info: info.is_used).id
        self._asked, self._asking = model, CancelToken()
        self.cards[model].begin_asking()
        self._tasks.watch(
            self._engine.models.compare(other, model, None, self._asking),
            self._asking,
            done=partial(self._compared, model),
            failed=partial(self._blame, model),
            settled=self._end_asking,
        )

    def _compared(self, model: str, result: ModelComparison) -> None:
        if card := self.cards.get(model):
            card.show_comparison(result)
            announce(card, card.contest.words.text())

    def _end_asking(self) -> None:
        self._asking.cancel()
        card = self.cards.get(self._asked)
        self._asked = ""
        if card:
            card.end_asking()

    def _await(self, model: str, future: Future[Any], sentence: str = "") -> None:
        """Show what came of it: a sentence for all, an error on the card."""

        def done(_: object) -> None:
            if sentence:
                self._say(sentence)
            self._reload()

        self._tasks.watch(future, self._life, done=done, failed=partial(self._blame, model))

    def _blame(self, model: str, error: ScrubjayError) -> None:
        self._errors[model] = str(error)
        announce(self.line, translated(str(error)))
        self._reload()

    def _file_refused(self, file: Path, error: ScrubjayError) -> None:
        cards = self.cards.values()
        waiting = [card.info for card in cards if not card.info.is_accepted]
        if isinstance(error, DownloadFailed):
            for info in waiting:
                if info.name in error.title:
                    self._say("")
                    box = terms_question(self, info)
                    box.accepted.connect(lambda: self.use_file(file, accept_terms=True))
                    box.open()
                    return
        self._tell(error)

    def _tell(self, error: ScrubjayError) -> None:
        self._say(translated(str(error)))

    def _say(self, sentence: str) -> None:
        self.line.setText(sentence)
        self.line.setVisible(bool(sentence))
        if sentence:
            announce(self.line, sentence)

    def _choose_file(self) -> None:
        dialog = QFileDialog(self, self.tr("A model file"))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters([self.tr("Model files (*.gguf)"), self.tr("All files (*)")])
        dialog.fileSelected.connect(lambda name: self.use_file(Path(name)))
        dialog.open()
