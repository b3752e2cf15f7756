from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDropEvent, QImage
from PySide6.QtWidgets import QApplication, QLabel, QMessageBox, QPushButton, QWidget

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.events import (
    ModelDownloadFailed,
    ModelDownloadProgressed,
    ModelImportProgressed,
    ModelsChanged,
)
from scrubjay.models.download.remote_file import ENDPOINT_VARIABLE
from scrubjay.platform.paths import Paths
from scrubjay.records.model_records import (
    DownloadProgress,
    ModelComparison,
    ModelInfo,
    ModelScore,
    ModelState,
)
from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.app.start_request import StartRequest
from scrubjay_desktop.models.model_card import ModelCard
from scrubjay_desktop.models.model_questions import terms_question
from scrubjay_desktop.models.model_text import (
    CardAction,
    card_actions,
    download_progress_words,
    model_facts,
    state_name,
)
from scrubjay_desktop.models.models_dialog import ModelsDialog
from scrubjay_desktop.widgets.theme import Theme
from support.hub import Hub
from support.tiny_models import NOMIC, write_tiny_model
from support.two_models import forget_catalogues, offer, write_two_models
from support.vault import TIMEOUT, write_notes

pytestmark = pytest.mark.qt_log_ignore("systemTrayWindowChanged", extend=True)

MB = 1_000_000
SMALL = ModelInfo(
    "small", "Small", "Small and fast.", ModelState.READY, is_used=True, size_bytes=24 * MB,
    languages=("en",), licence="Apache-2.0",
)  # fmt: skip
BETTER = ModelInfo(
    "better", "Better", "Understands more.", ModelState.ABSENT, is_used=False,
    size_bytes=300 * MB, languages=("mul",), licence="Gemma", terms_name="Gemma Terms of Use",
    terms_url="https://ai.google.dev/gemma/terms", is_accepted=False,
)  # fmt: skip
HERE = replace(SMALL, is_used=False, is_removable=True)
MOVING = DownloadProgress(120 * MB, 300 * MB, 4 * MB, 45)


@pytest.fixture
def better(tmp_path: Path, paths: Paths, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The file of a model with terms; another model is here and in use."""
    yield write_two_models(tmp_path / "catalogue", paths, monkeypatch)
    forget_catalogues()


@pytest.fixture
def hub(better: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    """Has the file, and sends it as far as the middle."""
    with Hub.running() as running:
        offer(running, better, monkeypatch)
        running.pace = threading.Event()
        yield running


@pytest.fixture
def dialog(qtbot, better: Path, desktop: Desktop) -> Iterator[ModelsDialog]:
    desktop.begin(StartRequest.WINDOW)
    made = desktop.show_models()
    qtbot.waitUntil(lambda: set(made.cards) == {"small", "better"})
    yield made
    desktop.quit()


def offers(dialog: ModelsDialog, model: str) -> tuple[CardAction, ...]:
    return dialog.cards[model].offered


def press(dialog: ModelsDialog, model: str, act: CardAction) -> None:
    dialog.cards[model].buttons[act].click()


def answer(dialog: ModelsDialog, name: str) -> None:
    (box,) = dialog.findChildren(QMessageBox)
    next(one for one in box.findChildren(QPushButton) if name in one.text()).click()


def start(qtbot, dialog: ModelsDialog) -> None:
    press(dialog, "better", CardAction.DOWNLOAD)
    answer(dialog, "Accept")
    qtbot.waitUntil(lambda: offers(dialog, "better") == (CardAction.PAUSE, CardAction.CANCEL))


def bring(qtbot, dialog: ModelsDialog, engine: Engine, file: Path) -> None:
    """Have both models here."""
    engine.models.library.import_model(file, accept_terms=True).result(TIMEOUT)
    qtbot.waitUntil(lambda: CardAction.COMPARE in offers(dialog, "better"))


@pytest.mark.parametrize(
    ("info", "offered", "name"),
    [
        (SMALL, (), "In use"),
        (HERE, (CardAction.USE, CardAction.COMPARE, CardAction.REMOVE), "On this computer"),
        (BETTER, (CardAction.DOWNLOAD,), ""),
        (replace(BETTER, is_used=True), (CardAction.DOWNLOAD,), "Selected but missing"),
        (
            replace(BETTER, state=ModelState.PAUSED),
            (CardAction.RESUME, CardAction.CANCEL),
            "Paused",
        ),
        (
            replace(BETTER, state=ModelState.FAILED),
            (CardAction.RETRY, CardAction.CANCEL),
            "Needs attention",
        ),
        (
            replace(HERE, state=ModelState.FAILED, file=Path("small.gguf")),
            (CardAction.RETRY, CardAction.REMOVE),
            "Needs attention",
        ),
    ],
)
def test_what_can_be_done_fits_the_state(
    info: ModelInfo, offered: tuple[CardAction, ...], name: str
) -> None:
    assert (card_actions(info), state_name(info)) == (offered, name)


@pytest.mark.parametrize(
    ("progress", "words"),
    [
        (MOVING, "120.0 MB of 300.0 MB, 4.0 MB per second, about a minute left"),
        (DownloadProgress(120 * MB), "120.0 MB"),
        (replace(MOVING, phase="checking"), "Checking the downloaded file"),
        (replace(MOVING, phase="waiting"), "Waiting for another download to finish"),
        (replace(MOVING, phase="asking"), "Connecting to the server"),
    ],
)
def test_progress_says_how_much_how_fast_how_long(progress: DownloadProgress, words: str) -> None:
    assert download_progress_words(progress) == words


def test_a_paused_download_has_no_speed() -> None:
    assert download_progress_words(MOVING, is_paused=True) == "120.0 MB of 300.0 MB"


def test_a_card_says_time_size_and_memory() -> None:
    assert model_facts(SMALL) == "24.0 MB on disk"
    known = replace(BETTER, memory_mb=400, notes=5_000, learning_s=2_400.0)
    assert model_facts(known) == (
        "Takes about 40 min to read your 5,000 notes · 300.0 MB download · uses 400 MB of memory"
    )
    assert model_facts(ModelInfo("a", "A", "", ModelState.READY, is_used=False)) == ""


def test_a_card_is_called_by_its_purpose_with_the_technical_name_small(qtbot) -> None:
    card = ModelCard(replace(BETTER, id="embeddinggemma-300m", name="EmbeddingGemma 300M"))
    qtbot.addWidget(card)
    assert card.title.text() == "Many languages"
    assert card.buttons[CardAction.DOWNLOAD].accessibleName() == "Download: Many languages"
    assert "EmbeddingGemma 300M · Gemma licence" in [
        label.text() for label in card.findChildren(QLabel)
    ]


@pytest.mark.parametrize(
    ("info", "words"),
    [
        (
            BETTER,
            "Recommended. Half. This language helper finds more of these notes than the "
            "included one.",
        ),
        (
            replace(BETTER, is_used=True),
            "Recommended. Half. This language helper is suitable for these notes.",
        ),
        (SMALL, "Recommended. Half. This language helper is suitable for these notes."),
    ],
)
def test_the_recommended_card_says_why(qtbot, info: ModelInfo, words: str) -> None:
    card = ModelCard(info)
    qtbot.addWidget(card)
    assert card.advice.isHidden()
    card.show_info(replace(info, advice="Half"))
    assert card.advice.text() == words
    assert not card.advice.isHidden()


def test_terms_are_shown_before_a_download_and_accepted_once(
    qtbot, hub: Hub, dialog: ModelsDialog
) -> None:
    press(dialog, "better", CardAction.DOWNLOAD)
    (box,) = dialog.findChildren(QMessageBox)
    assert "https://ai.google.dev/gemma/terms" in box.informativeText()
    assert hub.questions == []
    answer(dialog, "Accept")
    qtbot.waitUntil(lambda: offers(dialog, "better") == (CardAction.PAUSE, CardAction.CANCEL))
    qtbot.waitUntil(lambda: hub.reached > 0)
    press(dialog, "better", CardAction.PAUSE)
    qtbot.waitUntil(lambda: offers(dialog, "better") == (CardAction.RESUME, CardAction.CANCEL))
    waiting, hub.pace = hub.pace, None
    assert waiting
    waiting.set()
    press(dialog, "better", CardAction.RESUME)
    assert not [box for box in dialog.findChildren(QMessageBox) if box.isVisible()]
    qtbot.waitUntil(lambda: CardAction.USE in offers(dialog, "better"))


def test_the_link_to_the_terms_takes_the_colour_of_a_theme_chosen_later(qtbot, qapp) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    theme = Theme(qapp, "light")
    box = terms_question(window, BETTER, BETTER.name)
    box.show()
    try:
        theme.choose("dark")
        fresh = terms_question(window, BETTER, BETTER.name)
        fresh.show()

        def link(one: QMessageBox) -> QImage:
            return one.findChild(QLabel, "qt_msgbox_informativelabel").grab().toImage()

        qtbot.waitUntil(lambda: link(box) == link(fresh))
    finally:
        theme.choose("light")


def test_the_first_line_of_a_box_is_not_cut(qtbot, qapp) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    theme = Theme(qapp, "light")
    name = "A language helper with a much longer name than others"
    box = terms_question(window, BETTER, name)
    box.show()
    text = box.findChild(QLabel, "qt_msgbox_label")
    # As on a large screen, where Qt wraps only what is wider.
    text.setWordWrap(False)
    box.layout().activate()
    assert box.layout().minimumSize().width() > text.fontMetrics().horizontalAdvance(text.text())
    assert theme


def test_terms_that_are_not_accepted_download_nothing(hub: Hub, dialog: ModelsDialog) -> None:
    press(dialog, "better", CardAction.DOWNLOAD)
    answer(dialog, "Cancel")
    assert hub.questions == []
    assert offers(dialog, "better") == (CardAction.DOWNLOAD,)


def test_a_download_is_followed_and_can_be_cancelled(
    qtbot, hub: Hub, dialog: ModelsDialog, engine: Engine
) -> None:
    start(qtbot, dialog)
    card = dialog.cards["better"]

    def is_shown() -> bool:
        # More than once: the download itself tells of its beginning, maybe later.
        engine.events.publish(ModelDownloadProgressed("better", MOVING))
        return card.bar.value() == 40

    qtbot.waitUntil(is_shown)
    assert card.progress.text().startswith("120.0 MB of 300.0 MB")
    press(dialog, "better", CardAction.CANCEL)
    qtbot.waitUntil(lambda: offers(dialog, "better") == (CardAction.DOWNLOAD,))
    assert card.bar.isHidden()


def test_a_failure_is_said_on_the_card_until_it_is_tried_again(
    qtbot, hub: Hub, dialog: ModelsDialog
) -> None:
    files, hub.files = hub.files, {}
    press(dialog, "better", CardAction.DOWNLOAD)
    answer(dialog, "Accept")
    card = dialog.cards["better"]
    qtbot.waitUntil(lambda: offers(dialog, "better") == (CardAction.RETRY,))
    assert card.error.text().startswith("127.0.0.1 does not have this language helper: ")
    hub.files = files
    press(dialog, "better", CardAction.RETRY)
    qtbot.waitUntil(lambda: offers(dialog, "better") == (CardAction.PAUSE, CardAction.CANCEL))
    assert card.error.isHidden()


def test_no_connection_is_said_once_and_can_be_tried_again(
    qtbot, hub: Hub, dialog: ModelsDialog, desktop: Desktop, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    monkeypatch.setenv(ENDPOINT_VARIABLE, f"http://127.0.0.1:{port}")
    press(dialog, "better", CardAction.DOWNLOAD)
    answer(dialog, "Accept")
    card = dialog.cards["better"]
    qtbot.waitUntil(lambda: offers(dialog, "better") == (CardAction.RETRY,))
    assert "The server 127.0.0.1 cannot be reached" in card.error.text()
    assert "connected to the internet, then try again" in card.error.text()
    assert desktop.window.banner.words == ""
    monkeypatch.setenv(ENDPOINT_VARIABLE, hub.address)
    press(dialog, "better", CardAction.RETRY)
    qtbot.waitUntil(lambda: offers(dialog, "better") == (CardAction.PAUSE, CardAction.CANCEL))


def test_a_server_that_sends_nothing_is_told_before_the_download_gives_up(
    qtbot, monkeypatch: pytest.MonkeyPatch, hub: Hub, dialog: ModelsDialog
) -> None:
    dialog.cards["better"]._silence.setInterval(50)  # noqa: SLF001
    start(qtbot, dialog)  # the hub stops half-way
    card = dialog.cards["better"]
    qtbot.waitUntil(lambda: card.progress.text().startswith("The server is not responding."))
    assert offers(dialog, "better") == (CardAction.PAUSE, CardAction.CANCEL)


def test_a_copy_of_a_model_that_is_here_makes_no_second_card(
    qtbot, dialog: ModelsDialog, paths: Paths, better: Path
) -> None:
    build = better.parent / "models"
    build.mkdir()
    copy = build / "small.gguf"
    copy.write_bytes((paths.models / "small.gguf").read_bytes())
    dialog.use_file(copy)
    qtbot.waitUntil(lambda: dialog.line.text() == "“Small” is ready to use.")
    qtbot.waitUntil(lambda: set(dialog.cards) == {"small", "better"})
    assert [card.state.text() for card in dialog.cards.values()] == ["In use", ""]


def test_a_download_that_stops_by_itself_is_told(
    qtbot, dialog: ModelsDialog, engine: Engine
) -> None:
    engine.events.publish(ModelDownloadFailed("better", "The server is away. Try later."))
    card = dialog.cards["better"]
    qtbot.waitUntil(lambda: card.error.text() == "The server is away. Try later.")
    assert card.error.isVisible()


def test_an_error_and_its_button_are_scrolled_to(
    qtbot, dialog: ModelsDialog, engine: Engine
) -> None:
    # As high as the card with a few lines more, so that the other one leaves no room for it.
    room = dialog.cards["better"].height() + 90
    dialog.resize(dialog.width(), dialog.height() - dialog.area.height() + room)
    bar = dialog.area.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    bar.setValue(0)
    engine.events.publish(ModelDownloadFailed("better", "The server is away. " * 5))
    card = dialog.cards["better"]
    qtbot.waitUntil(lambda: CardAction.RETRY in card.offered)

    def is_seen() -> bool:
        button = card.buttons[CardAction.RETRY]
        whole = button.visibleRegion().boundingRect() == button.rect()
        return whole and card.error.visibleRegion().boundingRect() == card.error.rect()

    qtbot.waitUntil(is_seen)


def test_a_download_that_stops_while_nobody_looks_is_told_in_the_window(
    qtbot, dialog: ModelsDialog, desktop: Desktop, engine: Engine
) -> None:
    desktop.late.make_all()
    dialog.reject()
    engine.events.publish(ModelDownloadFailed("better", "The server is away. Try later."))
    qtbot.waitUntil(lambda: desktop.window.banner.words == "The server is away. Try later.")


def test_another_model_is_used_and_what_happens_is_said(
    qtbot, dialog: ModelsDialog, engine: Engine, better: Path
) -> None:
    bring(qtbot, dialog, engine, better)
    press(dialog, "better", CardAction.USE)
    qtbot.waitUntil(lambda: dialog.cards["better"].state.text() == "In use")
    qtbot.waitUntil(lambda: "in the background" in dialog.line.text())
    assert offers(dialog, "small") == (CardAction.USE, CardAction.COMPARE)


def test_a_model_that_is_chosen_during_a_pause_does_not_read_yet(
    qtbot, dialog: ModelsDialog, engine: Engine, better: Path
) -> None:
    bring(qtbot, dialog, engine, better)
    engine.pause()
    press(dialog, "better", CardAction.USE)
    qtbot.waitUntil(lambda: "once you resume reading" in dialog.line.text())
    assert "is now reading" not in dialog.line.text()


def test_a_model_is_removed_after_a_question(
    qtbot, dialog: ModelsDialog, engine: Engine, paths: Paths, better: Path
) -> None:
    bring(qtbot, dialog, engine, better)
    assert offers(dialog, "better") == (CardAction.USE, CardAction.COMPARE, CardAction.REMOVE)
    press(dialog, "better", CardAction.REMOVE)
    assert (paths.models / better.name).exists()
    answer(dialog, "Remove")
    qtbot.waitUntil(lambda: offers(dialog, "better") == (CardAction.DOWNLOAD,))
    assert not (paths.models / better.name).exists()


SCORES = (ModelScore("small", "Small", 21, 40, 1.0), ModelScore("better", "Better", 39, 50, 5.0))


@pytest.mark.parametrize(
    ("is_clear", "conclusion"),
    [
        (True, "“Better” finds more of your notes than the other language helper."),
        (
            False,
            "Neither language helper is clearly better at finding your notes. "
            "Any difference in the results may be due to chance.",
        ),
    ],
)
def test_a_card_says_and_draws_which_model_finds_more(
    qtbot, qapp: QApplication, conclusion: str, *, is_clear: bool
) -> None:
    Theme(qapp, "light")
    card = ModelCard(replace(BETTER, state=ModelState.READY))
    card.resize(600, 300)
    qtbot.addWidget(card)
    with qtbot.waitExposed(card):
        card.show()
    card.begin_comparison()
    assert card.offered == (CardAction.CANCEL,)
    card.show_comparison_progress(30, 60)
    assert card.progress.text() == "Testing question 30 of 60"
    assert card.bar.value() == 30
    card.end_comparison()
    card.show_comparison(ModelComparison(60, SCORES, is_clear=is_clear))
    assert card.comparison.words.text() == (
        f"{conclusion} Scrubjay tested both language helpers with questions made "
        "from the headings of your notes. "
        "“Small” listed the right note first for 21 of 60 questions. "
        "“Better” listed the right note first for 39 of 60 questions."
    )
    bars = [(name.text(), bar.value(), bar.maximum()) for name, bar in card.comparison.bars]
    assert bars == [("Small", 21, 60), ("Better", 39, 60)]
    assert [bar.accessibleName() for _, bar in card.comparison.bars] == [
        "“Small” listed the right note first for 21 of 60 questions.",
        "“Better” listed the right note first for 39 of 60 questions.",
    ]
    assert not card.bar.isVisible()
    assert card.offered == (CardAction.USE, CardAction.COMPARE)


@dataclass(frozen=True)
class Comparison:
    """A comparison as the dialog began it."""

    first: str
    second: str
    cancel: CancelToken


@pytest.fixture
def comparisons(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> list[Comparison]:
    """Every comparison that is begun, in order."""
    begun: list[Comparison] = []
    really = engine.models.comparisons.compare

    def compare(
        first: str, second: str, workspace_id: str | None, cancel: CancelToken
    ) -> Future[ModelComparison]:
        begun.append(Comparison(first, second, cancel))
        return really(first, second, workspace_id, cancel)

    monkeypatch.setattr(engine.models.comparisons, "compare", compare)
    return begun


@pytest.fixture
def headings(notes: Path) -> None:
    """Notes with enough headings for a comparison."""
    subjects = "violin dentist bakery garden printer passport bicycle ocean honey tax chess river"
    text = "{0} again, and whatever there is to say about it, at some length. " * 9
    write_notes(
        notes / "work",
        {f"{name}.md": f"# The {name} story\n\n{text.format(name)}\n" for name in subjects.split()},
    )


def test_a_comparison_on_the_page_comes_to_a_conclusion(
    qtbot, headings, dialog: ModelsDialog, engine: Engine, better: Path, comparisons
) -> None:
    bring(qtbot, dialog, engine, better)
    press(dialog, "better", CardAction.COMPARE)
    assert offers(dialog, "better") == (CardAction.CANCEL,)
    card = dialog.cards["better"]
    qtbot.waitUntil(card.comparison.isVisible)
    assert "Scrubjay tested both language helpers" in card.comparison.words.text()
    assert [(one.first, one.second) for one in comparisons] == [("small", "better")]


def test_a_model_that_arrives_is_compared_without_being_asked_to(
    qtbot, headings, hub: Hub, dialog: ModelsDialog, comparisons
) -> None:
    waiting, hub.pace = hub.pace, None
    assert waiting
    waiting.set()
    press(dialog, "better", CardAction.DOWNLOAD)
    answer(dialog, "Accept")
    qtbot.waitUntil(dialog.cards["better"].comparison.isVisible)
    assert [(one.first, one.second) for one in comparisons] == [("small", "better")]
    # Its weights are random, which is said beside the result.
    assert "could not tell answers from other sentences" in dialog.cards["better"].error.text()


def test_a_model_that_arrived_while_nobody_looked_is_compared_once(
    qtbot, headings, hub: Hub, dialog: ModelsDialog, desktop: Desktop, engine: Engine, comparisons
) -> None:
    assert dialog.close()
    waiting, hub.pace = hub.pace, None
    assert waiting
    waiting.set()
    engine.models.download("better", accept_terms=True).result(TIMEOUT)
    again = desktop.show_models()
    qtbot.waitUntil(
        lambda: "better" in again.cards and again.cards["better"].comparison.isVisible()
    )
    assert [(one.first, one.second) for one in comparisons] == [("small", "better")]
    press(again, "better", CardAction.USE)
    qtbot.waitUntil(lambda: again.cards["better"].state.text() == "In use")
    again.close()
    # The next time, only the way back is offered.
    last = desktop.show_models()
    qtbot.waitUntil(lambda: not last.back.isHidden())
    assert last.back.text() == "Use “Small” again"
    assert len(comparisons) == 1


def test_one_click_leads_back_to_the_model_that_was_used_before(
    qtbot, dialog: ModelsDialog, engine: Engine, better: Path
) -> None:
    bring(qtbot, dialog, engine, better)
    assert dialog.back.isHidden()
    press(dialog, "better", CardAction.USE)
    qtbot.waitUntil(lambda: dialog.cards["better"].state.text() == "In use")
    assert dialog.back.text() == "Use “Small” again"
    dialog.back.click()
    qtbot.waitUntil(lambda: dialog.cards["small"].state.text() == "In use")
    assert dialog.back.text() == "Use “Better” again"


def test_a_comparison_can_be_called_off(
    qtbot, headings, dialog: ModelsDialog, engine: Engine, better: Path, comparisons
) -> None:
    bring(qtbot, dialog, engine, better)
    press(dialog, "better", CardAction.COMPARE)
    press(dialog, "better", CardAction.CANCEL)
    assert comparisons[0].cancel.cancelled
    assert CardAction.COMPARE in offers(dialog, "better")
    assert not dialog.cards["better"].bar.isVisible()


def test_closing_the_page_ends_a_comparison(
    qtbot, headings, dialog: ModelsDialog, engine: Engine, better: Path, comparisons
) -> None:
    bring(qtbot, dialog, engine, better)
    press(dialog, "better", CardAction.COMPARE)
    dialog.reject()
    assert comparisons[0].cancel.cancelled


def test_without_a_model_in_use_another_one_that_is_here_is_compared(
    qtbot, dialog: ModelsDialog, engine: Engine, better: Path, comparisons
) -> None:
    bring(qtbot, dialog, engine, better)
    engine.settings_editor.set("memorySearch.provider", "none").result(TIMEOUT)
    engine.events.publish(ModelsChanged())
    qtbot.waitUntil(lambda: CardAction.USE in offers(dialog, "small"))
    press(dialog, "better", CardAction.COMPARE)
    assert [(one.first, one.second) for one in comparisons] == [("small", "better")]


def test_a_model_that_is_alone_is_compared_with_nothing(
    qtbot, dialog: ModelsDialog, engine: Engine, better: Path, paths: Paths
) -> None:
    bring(qtbot, dialog, engine, better)
    engine.settings_editor.set("memorySearch.provider", "none").result(TIMEOUT)
    (paths.models / "small.gguf").unlink()
    engine.events.publish(ModelsChanged())
    qtbot.waitUntil(lambda: dialog.cards["small"].info.state is ModelState.ABSENT)
    press(dialog, "better", CardAction.COMPARE)
    told = "To compare language helpers, you need at least two on this computer."
    assert dialog.line.text() == told
    assert CardAction.USE in offers(dialog, "better")


def test_a_comparison_that_fails_says_why(
    qtbot, dialog: ModelsDialog, engine: Engine, better: Path
) -> None:
    bring(qtbot, dialog, engine, better)
    press(dialog, "better", CardAction.COMPARE)
    card = dialog.cards["better"]
    qtbot.waitUntil(lambda: card.error.text().startswith("Your notes have too few headings"))
    assert CardAction.COMPARE in offers(dialog, "better")


def drop(widget: QWidget, path: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    widget.dropEvent(QDropEvent(QPoint(9, 9), Qt.DropAction.CopyAction, data, left, none))


@pytest.mark.parametrize(
    ("step", "line"),
    [
        (ModelImportProgressed("own.gguf", "copying", done=3, total=12), "Copying own.gguf, 25%"),
        (ModelImportProgressed("own.gguf", "checking", done=9, total=10), "Checking own.gguf, 90%"),
    ],
)
def test_an_import_shows_how_far_it_is(
    dialog: ModelsDialog, step: ModelImportProgressed, line: str
) -> None:
    dialog.on_event(step)
    assert dialog.line.text() == line


def test_a_model_file_that_falls_on_the_window_is_offered_as_a_model(
    qtbot, better: Path, desktop: Desktop, paths: Paths
) -> None:
    own = write_tiny_model(NOMIC, better.parent, seed=2)
    desktop.begin(StartRequest.WINDOW)
    drop(desktop.window, own)
    qtbot.waitUntil(lambda: desktop.window.findChild(ModelsDialog) is not None)
    dialog = desktop.window.findChild(ModelsDialog)
    assert not (paths.models / own.name).exists()
    answer(dialog, "Add")
    qtbot.waitUntil(lambda: dialog.line.text() == f"“{own.stem}” is ready to use.")
    assert (paths.models / own.name).exists()
    desktop.quit()


def test_a_folder_that_falls_on_the_window_is_still_a_folder(
    qtbot, desktop: Desktop, tmp_path: Path
) -> None:
    desktop.begin(StartRequest.WINDOW)
    (tmp_path / "odd.gguf").mkdir()
    with qtbot.waitSignal(desktop.window.folder_added) as added:
        drop(desktop.window, tmp_path / "odd.gguf")
    assert added.args == [tmp_path / "odd.gguf"]
    desktop.quit()


def test_a_dropped_file_is_taken_once_its_terms_are(
    qtbot, dialog: ModelsDialog, better: Path
) -> None:
    drop(dialog, better)
    qtbot.waitUntil(lambda: bool(dialog.findChildren(QMessageBox)))
    answer(dialog, "Accept")
    qtbot.waitUntil(lambda: dialog.line.text() == "“Better” is ready to use.")


def test_a_file_that_is_no_model_is_refused_in_words(
    qtbot, dialog: ModelsDialog, tmp_path: Path
) -> None:
    photo = tmp_path / "holiday.jpg"
    photo.write_bytes(b"JFIF" * 9)
    dialog.use_file(photo)
    qtbot.waitUntil(lambda: dialog.line.text().startswith("holiday.jpg is not a language helper"))


def test_the_keyboard_leads_to_the_models(qtbot, better: Path, desktop: Desktop) -> None:
    with qtbot.waitActive(desktop.window):
        desktop.begin(StartRequest.WINDOW)
    qtbot.keyClick(desktop.window, Qt.Key.Key_M, Qt.KeyboardModifier.ControlModifier)
    dialog = desktop.window.findChild(ModelsDialog)
    qtbot.waitUntil(lambda: bool(dialog.cards))
    assert dialog.cards["small"].buttons[CardAction.USE].accessibleName() == "Use: Small"
    assert dialog.cards["small"].accessibleName() == "Small, In use"
    desktop.quit()


def test_the_settings_lead_to_the_models(qtbot, desktop: Desktop) -> None:
    desktop.begin(StartRequest.WINDOW)
    dialog = desktop.show_settings()
    next(
        one for one in dialog.findChildren(QPushButton) if "Language helpers" in one.text()
    ).click()
    assert desktop.window.findChild(ModelsDialog).isVisible()
    desktop.quit()
