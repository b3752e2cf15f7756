"""The dialog of models: download one, choose one, import a file."""

from __future__ import annotations

import json
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent, QSettings, Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFileDialog, QWidget

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.errors import DownloadFailed, ScrubjayError
from scrubjay.event_bus import Event
from scrubjay.events import (
    ModelComparisonProgressed,
    ModelDownloadFailed,
    ModelDownloadProgressed,
    ModelImportProgressed,
    ModelsChanged,
)
from scrubjay.records.model_records import ModelComparison, ModelInfo, ModelPurpose, ModelState
from scrubjay_desktop.bridge.bridge import Tasks
from scrubjay_desktop.models.model_card import ModelCard
from scrubjay_desktop.models.model_questions import (
    import_question,
    removal_question,
    terms_question,
)
from scrubjay_desktop.models.model_text import CardAction, model_title
from scrubjay_desktop.text.formatting import format_percent, translated
from scrubjay_desktop.widgets.banner import announce
from scrubjay_desktop.widgets.buttons import SmallButton, dialog_buttons
from scrubjay_desktop.widgets.labels import bold_label, plain_label
from scrubjay_desktop.widgets.layouts import DIALOG, hbox, scroll_area, vbox
from scrubjay_desktop.widgets.message_boxes import open_where_it_was
from scrubjay_desktop.widgets.theme import GRID

_FORMER = "models/former"
_COMPARED = "models/compared"
"""Key of the downloaded models that were compared with another one without being asked to."""


class ModelsDialog(QDialog):
    """A card for each model. Closing it stops no download."""

    def __init__(
        self, engine: Engine, tasks: Tasks, stored: QSettings, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._stored = stored
        self._engine = engine
        self._tasks = tasks
        self._life = CancelToken()
        self._errors: dict[str, str] = {}
        self._latest: dict[str, Future[Any]] = {}
        """Latest request for each model: the failure of a former try is no longer news."""
        self._failed = ""
        """The model whose error is new, and still to be scrolled to."""
        self._compared_model = ""
        """The model that is being compared with the one in use."""
        self._comparison = CancelToken()
        self._former_model = str(stored.value(_FORMER, ""))
        """The model that was in use before the present one was chosen here."""
        self.cards: dict[str, ModelCard] = {}
        # The name tells others whether the dialog is open.
        self.setObjectName("models")
        self.setWindowTitle(self.tr("Language helpers"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAcceptDrops(True)
        self.resize(80 * GRID, 80 * GRID)
        self._build()
        self.finished.connect(self._life.cancel)
        self.finished.connect(lambda: self._comparison.cancel())
        self._reload()

    def on_event(self, event: Event) -> None:
        """Show progress, failures and changes of models."""
        # Progress may come for a card that is gone.
        match event:
            case ModelDownloadProgressed(model=model, progress=progress) if model in self.cards:
                self.cards[model].show_progress(progress)
            case ModelComparisonProgressed(done=done, total=total) if (
                self._compared_model in self.cards
            ):
                self.cards[self._compared_model].show_comparison_progress(done, total)
            case ModelImportProgressed(name=name, phase=phase, done=done, total=total):
                self._show_import(name, phase, format_percent(done / max(1, total)))
            case ModelDownloadFailed(model=model, reason=reason):
                self._errors[model] = reason
                self._failed = model
                self._reload()
            case ModelsChanged():
                self._reload()
            case _:
                pass

    def use_file(self, file: Path, *, accept_terms: bool = False) -> None:
        """Check a model file, and copy it to the others."""
        # Checking a large file takes a while, so a line says that it continues.
        self._show_line(self.tr("Checking {name}…").format(name=file.name))
        self._tasks.watch(
            self._engine.models.library.import_model(file, accept_terms=accept_terms),
            self._life,
            done=lambda info: self._show_line(
                self.tr("“{name}” is ready to use.").format(name=model_title(info.id, info.name))
            ),
            failed=partial(self._refuse_file, file),
        )

    def _show_import(self, name: str, phase: str, share: str) -> None:
        # The line alone: a screen reader has said that the file is being checked.
        sentence = self.tr("Copying {name}, {share}")
        if phase == "checking":
            sentence = self.tr("Checking {name}, {share}")
        self.line.setText(sentence.format(name=name, share=share))

    def offer_file(self, file: Path) -> None:
        """Ask whether to import a file that was dropped elsewhere."""
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
        words = plain_label(
            self.tr(
                "Language helpers let Scrubjay find notes by meaning. They run on this "
                "computer, so your notes are not sent anywhere. To add a language helper "
                "file, drag it here."
            )
        )
        # The cards scroll, and a line below them says what happened last.
        content = QWidget()
        self._columns = {purpose: vbox(spacing=1) for purpose in ModelPurpose}
        self.readers = self._make_heading()
        helpers, readers = self._columns.values()
        cards = (helpers, self.readers, readers, 1)
        vbox(*cards, on=content, margins=(0, 0, 1, 0), spacing=1)
        self.area = scroll_area(content, self.windowTitle())
        self.line = plain_label()
        self.line.hide()
        self.back = SmallButton()
        self.back.hide()
        self.back.clicked.connect(lambda: self._use(self.cards[self._former_model].info))
        buttons = dialog_buttons(self, QDialogButtonBox.StandardButton.Close)
        file = buttons.addButton(self.tr("Add from &file…"), QDialogButtonBox.ButtonRole.ActionRole)
        file.clicked.connect(self._choose_file)
        below = hbox((self.line, 1), self.back, spacing=1)
        parts = (words, (self.area, 1), below, buttons)
        vbox(*parts, on=self, margins=DIALOG, spacing=1.5)

    def _make_heading(self) -> QWidget:
        """What result readers are for, above their cards."""
        heading = QWidget()
        words = plain_label(
            self.tr(
                "A result reader reads the first results of a search again, shortly after you stop "
                "typing, and moves up those that fit better. It is optional, and rests while the "
                "computer runs on battery power."
            )
        )
        vbox(bold_label(self.tr("Result readers"), 1), words, on=heading, margins=(0, 1, 0, 0))
        heading.hide()
        return heading

    def _reload(self) -> None:
        future = self._engine.models.list()
        self._tasks.watch(future, self._life, done=self._show, failed=self._show_failure)

    def _show(self, infos: tuple[ModelInfo, ...]) -> None:
        # Cards of models that are gone go, and new ones come in below those of their purpose, which
        # is known for certain when the file is here.
        purposes = {info.id: info.purpose for info in infos}
        for model, card in [*self.cards.items()]:
            if purposes.get(model) is not card.info.purpose:
                del self.cards[model]
                self._columns[card.info.purpose].removeWidget(card)
                card.deleteLater()
        for info in infos:
            if info.id not in self.cards:
                card = ModelCard(info)
                card.act_requested.connect(partial(self._act, info.id))
                self._columns[info.purpose].addWidget(card)
                self.cards[info.id] = card
            self.cards[info.id].show_info(info, self._errors.get(info.id, ""))
        self.readers.setVisible(ModelPurpose.READING in purposes.values())
        self._show_way_back()
        self._compare_new()
        if self._failed in self.cards:
            # The card must have grown by the error first.
            QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
            card = self.cards[self._failed]
            self._failed = ""
            self.area.ensureWidgetVisible(card, 0, 0)
            self.area.ensureVisible(0, card.geometry().bottom(), 0, 0)

    def _show_way_back(self) -> None:
        """Offer the model that was used before the present one, if its file is here."""
        former = self.cards.get(self._former_model)
        is_offered = (
            former is not None and former.info.state is ModelState.READY and not former.info.is_used
        )
        if former and is_offered:
            name = model_title(former.info.id, former.info.name)
            self.back.setText(self.tr("Use “{name}” again").format(name=name))
        self.back.setVisible(is_offered)

    def _compare_new(self) -> None:
        """Compare a model that was downloaded since, wherever that was begun.

        It should find more notes, and the person is shown once whether it does.
        """
        # One at a time: the next one follows when the list changes, or the next time.
        compared = json.loads(str(self._stored.value(_COMPARED, "[]")))
        for info in self._helpers():
            is_new = info.is_downloaded and info.id not in compared
            if is_new and info.state is ModelState.READY and not self._compared_model:
                self._stored.setValue(_COMPARED, json.dumps([*compared, info.id]))
                self._compare(info.id, is_asked=False)

    def _helpers(self) -> list[ModelInfo]:
        """The models for search by meaning, which can be compared."""
        infos = (card.info for card in self.cards.values())
        return [info for info in infos if info.purpose is ModelPurpose.EMBEDDING]

    def _act(self, model: str, act: CardAction) -> None:
        # An act answers the former error of its model.
        info = self.cards[model].info
        self._errors.pop(model, None)
        self._show_line("")
        match act:
            case CardAction.DOWNLOAD | CardAction.RESUME | CardAction.RETRY:
                self._download(info)
            case CardAction.PAUSE:
                self._engine.models.library.pause(model)
            case CardAction.COMPARE:
                self._compare(model)
            case CardAction.CANCEL if model == self._compared_model:
                self._end_comparison()
            case CardAction.CANCEL:
                self._await(model, self._engine.models.library.cancel(model))
            case CardAction.USE:
                self._use(info)
            case CardAction.REMOVE:
                # A file of some hundred megabytes would have to be downloaded again.
                box = removal_question(self, info, model_title(info.id, info.name))
                box.accepted.connect(
                    lambda: self._await(model, self._engine.models.library.remove(model))
                )
                box.open()

    def _download(self, info: ModelInfo) -> None:
        # Terms are accepted once, before the first byte is fetched.
        if info.is_accepted:
            self._fetch(info.id, accept_terms=False)
            return
        box = terms_question(self, info, model_title(info.id, info.name))
        box.accepted.connect(lambda: self._fetch(info.id, accept_terms=True))
        box.open()

    def _fetch(self, model: str, *, accept_terms: bool) -> None:
        self._await(model, self._engine.models.download(model, accept_terms=accept_terms))

    def _use(self, info: ModelInfo) -> None:
        name = model_title(info.id, info.name)
        if info.purpose is ModelPurpose.READING:
            sentence = self.tr("“{name}” will read the first results of your searches again.")
            self._await(info.id, self._engine.models.use(info.id), sentence.format(name=name))
            return
        # One click leads back to the model that was used before, if its file is here.
        used = [other for other in self._helpers() if other.is_used]
        here = [other for other in used if other.state is ModelState.READY and other.id != info.id]
        self._former_model = here[0].id if here else ""
        self._stored.setValue(_FORMER, self._former_model)
        sentence = self.tr(
            "“{name}” is now reading your notes in the background. Scrubjay will keep "
            "using the previous language helper until the new one has finished."
        )
        if self._engine.status().is_paused:
            sentence = self.tr(
                "“{name}” will read your notes once you resume reading. Scrubjay will keep "
                "using the previous language helper until the new one has finished."
            )
        self._await(info.id, self._engine.models.use(info.id), sentence.format(name=name))

    def _compare(self, model: str, *, is_asked: bool = True) -> None:
        """Compare a model with the one in use, by questions made from headings of the notes.

        A comparison that nobody asked for says nothing where there is nothing to compare.
        """
        self._end_comparison()
        here = [info for info in self._helpers() if info.state is ModelState.READY]
        others = [info for info in here if info.id != model]
        if not others:
            if is_asked:
                self._show_line(
                    self.tr("To compare language helpers, you need at least two on this computer.")
                )
            return
        # A remote provider may do the work; then no model here is in use.
        other = max(others, key=lambda info: info.is_used).id
        self._compared_model = model
        self._comparison = CancelToken()
        self.cards[model].begin_comparison()
        compared = self._engine.models.comparisons.compare(
            other, model, workspace_id=None, cancel=self._comparison
        )
        self._tasks.watch(
            compared,
            self._comparison,
            done=partial(self._show_comparison, model),
            failed=partial(self._show_error, model) if is_asked else lambda _error: None,
            settled=self._end_comparison,
        )

    def _show_comparison(self, model: str, result: ModelComparison) -> None:
        card = self.cards.get(model)
        if card:
            card.show_comparison(result)
            announce(card, card.comparison.words.text())

    def _end_comparison(self) -> None:
        self._comparison.cancel()
        card = self.cards.get(self._compared_model)
        self._compared_model = ""
        if card:
            card.end_comparison()

    def _await(self, model: str, future: Future[Any], sentence: str = "") -> None:
        """Show the outcome: a sentence below the cards, an error on the card."""

        def done(_: object) -> None:
            if sentence:
                self._show_line(sentence)
            self._reload()

        # Only the last request of a model tells its failure.
        def failed(error: ScrubjayError) -> None:
            if self._latest[model] is future:
                self._show_error(model, error)

        self._latest[model] = future
        self._tasks.watch(future, self._life, done=done, failed=failed)

    def _show_error(self, model: str, error: ScrubjayError) -> None:
        self._errors[model] = str(error)
        self._failed = model
        announce(self.line, translated(str(error)))
        self._reload()

    def _refuse_file(self, file: Path, error: ScrubjayError) -> None:
        # Terms that were not accepted are the one reason that the user can do something about here.
        cards = self.cards.values()
        waiting = [card.info for card in cards if not card.info.is_accepted]
        if isinstance(error, DownloadFailed):
            for info in waiting:
                if info.name in error.title:
                    self._show_line("")
                    box = terms_question(self, info, model_title(info.id, info.name))
                    box.accepted.connect(lambda: self.use_file(file, accept_terms=True))
                    box.open()
                    return
        self._show_failure(error)

    def _show_failure(self, error: ScrubjayError) -> None:
        self._show_line(translated(str(error)))

    def _show_line(self, sentence: str) -> None:
        self.line.setText(sentence)
        self.line.setVisible(bool(sentence))
        if sentence:
            announce(self.line, sentence)

    def _choose_file(self) -> None:
        dialog = QFileDialog(self, self.tr("Choose a language helper file"))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setOption(QFileDialog.Option.HideNameFilterDetails)
        dialog.setNameFilters([self.tr("Language helpers (*.gguf)"), self.tr("All files (*)")])
        dialog.fileSelected.connect(lambda name: self.use_file(Path(name)))
        open_where_it_was(dialog, self._stored, "models")
