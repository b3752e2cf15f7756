"""The dialog of models on the real engine: a real download from a local hub, real vectors."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.events import IndexProgressed
from scrubjay.models.download.partial_file import partial_files
from scrubjay.models.download.remote_file import ENDPOINT_VARIABLE
from scrubjay.models.model_files import find_model
from scrubjay.platform.paths import Paths
from scrubjay.records.search_modes import Mode
from scrubjay.records.search_records import SearchRequest
from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.app.start_options import Start
from scrubjay_desktop.app.start_request import StartRequest
from scrubjay_desktop.models.model_text import CardAction
from scrubjay_desktop.models.models_dialog import ModelsDialog
from support.hub import Hub
from support.tiny_models import NOMIC, write_tiny_model
from support.vault import TIMEOUT, write_notes

pytestmark = [pytest.mark.model, pytest.mark.qt_log_ignore("systemTrayWindowChanged", extend=True)]

REFERENCE = "hf:jay/minilm-GGUF/minilm.gguf"
LEARNING_MS = 10 * TIMEOUT * 1000
"""For what a model reads in the background: on a busy machine everything else comes first."""


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, paths: Paths) -> Iterator[Hub]:
    """Offers the built-in model with another name in its head, and stops half-way at first."""
    built_in = find_model(paths)
    assert built_in, "run make setup"
    content = built_in.read_bytes()
    other = content[:4096].replace(b"MiniLM", b"MaxiLM", 1) + content[4096:]
    with Hub.running() as running:
        running.add("jay/minilm-GGUF", "minilm.gguf", other)
        running.pace = threading.Event()
        monkeypatch.setenv(ENDPOINT_VARIABLE, running.address)
        for name in ("http_proxy", "https_proxy", "all_proxy"):
            monkeypatch.delenv(name, raising=False)
            monkeypatch.delenv(name.upper(), raising=False)
        yield running


@pytest.fixture
def long_notes(tmp_path: Path) -> Path:
    """Enough text that it is embedded in several batches."""
    filler = "It was a long day with many small things to do, none of them worth a note. " * 9
    many = {f"{n}.md": f"# Day {n}\n\nNumber {n}. {filler}\n" for n in range(12)}
    many["emma.md"] = "# Emma\n\nEmma likes violins and the sea.\n"
    return write_notes(tmp_path / "notes", many)


@pytest.fixture
def engine(paths: Paths) -> Iterator[Engine]:
    """With the built-in model."""
    made = Engine(paths)
    yield made
    made.close()


@pytest.fixture
def desktop(qtbot, qapp: QApplication, engine: Engine, paths: Paths) -> Iterator[Desktop]:
    made = Desktop(qapp, engine, paths, Start(theme="light"))
    made.begin(StartRequest.WINDOW)
    yield made
    made.dispose()


def press(dialog: ModelsDialog, act: CardAction) -> None:
    dialog.cards[REFERENCE].buttons[act].click()


def finds_emma(engine: Engine) -> bool:
    request = SearchRequest("a person who is fond of music", mode=Mode.VECTOR, min_score=0.0)
    answer = engine.search(request, CancelToken()).result(TIMEOUT)
    return answer.fallback_reason == "" and answer.hits[0].path == "emma.md"


def test_from_a_click_to_a_model_that_answers(
    qtbot, hub: Hub, desktop: Desktop, engine: Engine, long_notes: Path
) -> None:
    workspace = engine.add_workspace(long_notes).result(TIMEOUT)
    engine.refresh(workspace).result(LEARNING_MS / 1000)
    begun = engine.models.download(REFERENCE)
    models = engine.paths.models
    qtbot.waitUntil(lambda: any(0 < hub.reached <= part.size for part in partial_files(models)))
    dialog = desktop.show_models()
    qtbot.waitUntil(lambda: REFERENCE in dialog.cards)
    card = dialog.cards[REFERENCE]

    # It stands at a half, and can be paused there.
    qtbot.waitUntil(lambda: 0 < card.bar.value() < 100)
    assert " of 25.3 MB" in card.progress.text()
    press(dialog, CardAction.PAUSE)
    qtbot.waitUntil(lambda: card.offered == (CardAction.RESUME, CardAction.CANCEL))
    assert begun.exception(TIMEOUT) is not None
    assert 0 < card.bar.value() < 100

    # Resumed, it fetches the rest only, is checked, and can be used.
    arrived = hub.reached
    hub.pace, waiting = None, hub.pace
    assert waiting
    waiting.set()
    press(dialog, CardAction.RESUME)
    qtbot.waitUntil(lambda: CardAction.USE in card.offered)
    assert hub.ranges[-1] > 0
    assert hub.repeated == 0
    assert hub.reached > arrived

    # Used, it reads the notes in the background with its progress; the old one answers meanwhile.
    told: list[IndexProgressed] = []
    answers: list[bool] = []

    def listen(event: object) -> None:
        if isinstance(event, IndexProgressed) and event.progress.phase == "meaning":
            told.append(event)
            if len(answers) < 2:
                answers.append(finds_emma(engine))

    engine.events.subscribe(listen)
    press(dialog, CardAction.USE)
    qtbot.waitUntil(lambda: card.state.text() == "In use", timeout=LEARNING_MS)
    assert "in the background" in dialog.line.text()
    providers = engine._parts.providers  # noqa: SLF001
    qtbot.waitUntil(lambda: not providers.has_former, timeout=LEARNING_MS)
    assert answers == [True, True]
    # The old model has learned everything, and the new one counts from the beginning.
    counts = [one.progress.learned for one in told]
    assert counts == sorted(counts)
    assert counts[0] < told[0].progress.passages
    assert finds_emma(engine)


def test_a_model_that_the_settings_name_comes_with_one_click(
    qtbot, qapp: QApplication, hub: Hub, paths: Paths, tmp_path: Path
) -> None:
    hub.pace = None
    settings = f'{{memorySearch: {{local: {{modelPath: "{REFERENCE}"}}}}}}'
    write_notes(paths.config, {"config.json5": settings})
    engine = Engine(paths)
    desktop = Desktop(qapp, engine, paths, Start(theme="light"))
    desktop.begin(StartRequest.WINDOW)
    try:
        few = write_notes(tmp_path / "few", {"emma.md": "Emma likes violins.\n", "b.md": "Tax.\n"})
        engine.add_workspace(few).result(TIMEOUT)
        dialog = desktop.show_models()
        qtbot.waitUntil(lambda: REFERENCE in dialog.cards)
        card = dialog.cards[REFERENCE]
        qtbot.waitUntil(lambda: card.state.text() == "Selected but missing")
        press(dialog, CardAction.DOWNLOAD)
        qtbot.waitUntil(lambda: card.state.text() == "In use", timeout=LEARNING_MS)
        qtbot.waitUntil(lambda: engine.status().model.is_ready)
        engine.refresh().result(LEARNING_MS / 1000)
        assert finds_emma(engine)
    finally:
        desktop.dispose()
        engine.close()


def test_a_model_of_ones_own_is_compared_on_the_page(
    qtbot, desktop: Desktop, engine: Engine, tmp_path: Path
) -> None:
    subjects = "router violin dentist bakery garden printer passport bicycle ocean honey tax chess"
    stories = {f"{one}.md": f"# The {one} story\n\n{f'All about {one}. ' * 9}\n"
               for one in subjects.split()}  # fmt: skip
    engine.add_workspace(write_notes(tmp_path / "stories", stories)).result(TIMEOUT)
    own = write_tiny_model(NOMIC, tmp_path)
    dialog = desktop.show_models()
    dialog.use_file(own)
    qtbot.waitUntil(lambda: own.name in dialog.cards)
    card = dialog.cards[own.name]
    qtbot.waitUntil(lambda: CardAction.COMPARE in card.offered)
    card.buttons[CardAction.COMPARE].click()
    qtbot.waitUntil(card.comparison.isVisible, timeout=LEARNING_MS)
    assert card.comparison.words.text().startswith(
        "“Small and fast” finds more of your notes than the other language helper."
    )
