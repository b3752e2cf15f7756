"""Result readers in the dialog of models: real weights from a local hub."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QApplication, QLabel, QMessageBox, QPushButton

from scrubjay.engine.engine import Engine
from scrubjay.events import ModelsChanged
from scrubjay.models.download.remote_file import ENDPOINT_VARIABLE
from scrubjay.platform.paths import Paths
from scrubjay.records.model_records import ModelInfo, ModelPurpose, ModelState
from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.app.start_options import Start
from scrubjay_desktop.app.start_request import StartRequest
from scrubjay_desktop.models.model_questions import removal_question, terms_question
from scrubjay_desktop.models.model_text import CardAction, card_actions
from scrubjay_desktop.models.models_dialog import ModelsDialog
from scrubjay_desktop.windows.app_state import status_sentence
from support.gguf_files import gguf
from support.hub import Hub
from support.reader_models import SMOL, SMOL_FILE, reader_file, reader_hub
from support.vault import TIMEOUT, ask, indexed, write_notes

pytestmark = pytest.mark.qt_log_ignore("systemTrayWindowChanged", extend=True)

READER = ModelInfo(
    "reader", "Reader", "", ModelState.READY, is_used=True, purpose=ModelPurpose.READING,
    is_removable=True, terms_name="Terms", terms_url="https://example.org",
)  # fmt: skip


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    with reader_hub() as running:
        monkeypatch.setenv(ENDPOINT_VARIABLE, running.address)
        yield running


@pytest.fixture
def engine(paths: Paths) -> Iterator[Engine]:
    """With the built-in model."""
    made = Engine(paths)
    yield made
    made.close()


@pytest.fixture
def dialog(qtbot, qapp: QApplication, engine: Engine, paths: Paths) -> Iterator[ModelsDialog]:
    made = Desktop(qapp, engine, paths, Start(theme="light"))
    made.begin(StartRequest.WINDOW)
    shown = made.show_models()
    qtbot.waitUntil(lambda: SMOL in shown.cards)
    yield shown
    made.dispose()


def answer(dialog: ModelsDialog, name: str) -> None:
    (box,) = dialog.findChildren(QMessageBox)
    next(one for one in box.findChildren(QPushButton) if name in one.text()).click()


def test_readers_stand_below_the_helpers_with_what_they_are_for(qtbot, dialog) -> None:
    card = dialog.cards[SMOL]
    helpers = [each for each in dialog.cards.values() if each is not card]
    words = " ".join(label.text() for label in dialog.readers.findChildren(QLabel))
    assert "reads the first results of a search again" in words
    assert "optional" in words
    qtbot.waitUntil(lambda: card.y() > dialog.readers.y() > max(each.y() for each in helpers))
    assert card.title.text() == "Result reader for English"
    assert card.offered == (CardAction.DOWNLOAD,)
    assert "98.4 MB download" in card.facts.text()


def test_one_click_fetches_a_reader_and_two_remove_it(qtbot, hub, dialog, engine) -> None:
    card = dialog.cards[SMOL]
    card.buttons[CardAction.DOWNLOAD].click()
    qtbot.waitUntil(lambda: card.state.text() == "In use")
    assert card.offered == (CardAction.REMOVE,)
    # The language helper is still the one in use, and compared with nothing.
    in_use = [each.info.purpose for each in dialog.cards.values() if each.info.is_used]
    assert sorted(in_use) == [ModelPurpose.EMBEDDING, ModelPurpose.READING]
    assert dialog.findChildren(QMessageBox) == []
    card.buttons[CardAction.REMOVE].click()
    answer(dialog, "Remove")
    qtbot.waitUntil(lambda: card.offered == (CardAction.DOWNLOAD,))
    assert not (engine.paths.models / SMOL_FILE).exists()


def test_a_reader_that_is_off_is_used_again_with_one_click(qtbot, hub, dialog, engine) -> None:
    engine.models.download(SMOL).result(TIMEOUT)
    engine.settings_editor.set("memorySearch.query.reader", "off").result(TIMEOUT)
    engine.events.publish(ModelsChanged())
    card = dialog.cards[SMOL]
    qtbot.waitUntil(lambda: card.offered == (CardAction.USE, CardAction.REMOVE))
    card.buttons[CardAction.USE].click()
    qtbot.waitUntil(lambda: engine.settings.settings.memory_search.query.reader == "auto")


def test_a_reader_that_stopped_is_forgotten_with_its_file(hub, dialog, engine, paths) -> None:
    engine.models.download(SMOL).result(TIMEOUT)
    numbers = {"llama.embedding_length": 8, "llama.context_length": 64}
    head = {"general.architecture": "llama", "general.name": "Damaged"} | numbers
    write_notes(paths.models, {SMOL_FILE: gguf(head=head)})
    root = write_notes(paths.data / "notes", {"router.md": "# Router\n\nIn the hall.\n"})
    indexed(engine, root)
    ask(engine, "where is the router", second_look_seconds=TIMEOUT, min_score=0.0)
    assert "stopped unexpectedly" in status_sentence(engine.status())
    engine.models.library.remove(SMOL).result(TIMEOUT)
    assert engine.status().reader is None


def test_an_imported_reader_is_a_card_below_the_helpers(qtbot, dialog, tmp_path) -> None:
    own = tmp_path / "my own.gguf"
    own.write_bytes(reader_file(SMOL_FILE).read_bytes())
    dialog.use_file(own)
    card = dialog.cards[SMOL]
    qtbot.waitUntil(lambda: card.state.text() == "In use")
    assert "is ready to use" in dialog.line.text()


@pytest.mark.parametrize(
    ("info", "actions"),
    [
        (READER, (CardAction.REMOVE,)),
        (replace(READER, is_used=False), (CardAction.USE, CardAction.REMOVE)),
        (replace(READER, purpose=ModelPurpose.EMBEDDING), ()),
        (
            replace(READER, is_used=False, purpose=ModelPurpose.EMBEDDING),
            (CardAction.USE, CardAction.COMPARE, CardAction.REMOVE),
        ),
    ],
)
def test_a_reader_in_use_can_be_removed_and_none_is_compared(
    info: ModelInfo, actions: tuple[CardAction, ...]
) -> None:
    assert card_actions(info) == actions


def test_questions_about_a_reader_call_it_so(qtbot, dialog) -> None:
    boxes = [terms_question(dialog, READER, "Reader"), removal_question(dialog, READER, "Reader")]
    for box in boxes:
        assert "result reader" in box.informativeText()
        assert "language helper" not in box.informativeText()
