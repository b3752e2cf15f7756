"""From a hub to a search: the built-in model under another name, through the whole engine."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from concurrent.futures import wait
from pathlib import Path

import psutil
import pytest

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.errors import ModelMissing, ModelRefused
from scrubjay.models.download.remote_file import ENDPOINT_VARIABLE
from scrubjay.models.model_files import find_model
from scrubjay.platform.paths import Paths
from scrubjay.records.model_records import ModelState
from scrubjay.records.search_modes import Mode
from scrubjay.records.search_records import SearchAnswer, SearchRequest
from support.hub import Fault, Hub, Trouble
from support.vault import TIMEOUT, add, ask
from support.waiting import wait_until

pytestmark = pytest.mark.model

REFERENCE = "hf:jay/minilm-GGUF/minilm.gguf"


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, paths: Paths) -> Iterator[Hub]:
    """Offers the built-in model with another name in its head: another model, the same vectors."""
    built_in = find_model(paths)
    assert built_in, "run make setup"
    content = built_in.read_bytes()
    head, rest = content[:4096], content[4096:]
    assert b"MiniLM" in head
    with Hub.running() as running:
        running.add("jay/minilm-GGUF", "minilm.gguf", head.replace(b"MiniLM", b"MaxiLM", 1) + rest)
        monkeypatch.setenv(ENDPOINT_VARIABLE, running.address)
        yield running


@pytest.fixture
def engine(paths: Paths) -> Iterator[Engine]:
    made = Engine(paths)
    yield made
    made.close()


def model_processes() -> list[psutil.Process]:
    """Child processes that compute vectors, one for each model in use."""
    alive: list[psutil.Process] = []
    for child in psutil.Process().children():
        # One may end between any two questions about it.
        with contextlib.suppress(psutil.NoSuchProcess):
            is_model = any("llama_worker" in part for part in child.cmdline())
            if is_model and child.status() != psutil.STATUS_ZOMBIE:
                alive.append(child)
    return alive


def about_music(engine: Engine) -> SearchAnswer:
    """By meaning alone, however uncertain."""
    return ask(engine, "a person who is fond of music", Mode.VECTOR, min_score=0.0)


def test_a_fetched_model_takes_over_when_all_notes_are_read_and_the_old_one_answers_until_then(
    hub: Hub, engine: Engine, notes: Path
) -> None:
    engine.refresh(add(engine, notes)).result(TIMEOUT)
    hub.troubles += [Trouble(Fault.CUT), Trouble(Fault.RESET)]
    fetched = engine.models.download(REFERENCE).result(TIMEOUT)
    assert (fetched.state, fetched.dimensions) == (ModelState.READY, 384)
    assert not fetched.is_used

    assert engine.models.use(REFERENCE).result(TIMEOUT).is_used
    answer = about_music(engine)
    assert answer.hits[0].path == "people/emma.md"
    assert answer.fallback_reason == ""
    assert len(model_processes()) == 1

    [report] = engine.refresh().result(TIMEOUT)
    assert report.embedded > 0
    wait_until(lambda: len(model_processes()) == 1)
    answer = about_music(engine)
    assert answer.hits[0].path == "people/emma.md"
    assert answer.fallback_reason == ""


def test_after_a_restart_the_old_model_still_answers_for_what_is_not_read_anew(
    hub: Hub, paths: Paths, notes: Path
) -> None:
    first = Engine(paths)
    first.refresh(add(first, notes)).result(TIMEOUT)
    first.models.download(REFERENCE).result(TIMEOUT)
    first.models.use(REFERENCE).result(TIMEOUT)
    first.close()
    second = Engine(paths)
    try:
        answer = about_music(second)
        assert answer.hits[0].path == "people/emma.md"
    finally:
        second.close()


@pytest.mark.parametrize("is_former", [False, True])
def test_an_engine_that_is_closed_while_its_model_starts_leaves_no_process(
    hub: Hub, paths: Paths, notes: Path, is_former: bool
) -> None:
    first = Engine(paths)
    first.refresh(add(first, notes)).result(TIMEOUT)
    if is_former:
        first.models.download(REFERENCE).result(TIMEOUT)
        first.models.use(REFERENCE).result(TIMEOUT)
    first.close()
    wait_until(lambda: not model_processes())
    second = Engine(paths)
    asked = second.search(SearchRequest("fond of music", mode=Mode.VECTOR), CancelToken())
    wait_until(model_processes)
    second.close()
    wait([asked], TIMEOUT)
    assert asked.done()
    wait_until(lambda: not model_processes())


def test_settings_that_name_a_model_work_as_soon_as_it_has_arrived(
    hub: Hub, paths: Paths, notes: Path
) -> None:
    paths.config.mkdir(parents=True)
    paths.config_file.write_text(f'{{memorySearch: {{local: {{modelPath: "{REFERENCE}"}}}}}}')
    engine = Engine(paths)
    try:
        [report] = engine.refresh(add(engine, notes)).result(TIMEOUT)
        assert f"scrubjay models download {REFERENCE}" in report.meaning_missing
        engine.models.download(REFERENCE).result(TIMEOUT)
        [report] = engine.refresh().result(TIMEOUT)
        assert report.meaning_missing == ""
        assert about_music(engine).fallback_reason == ""
    finally:
        engine.close()


def test_a_model_that_is_not_here_is_not_chosen(engine: Engine, paths: Paths) -> None:
    with pytest.raises(ModelMissing, match="not on this computer"):
        engine.models.use("qwen3-embedding-0.6b").result(TIMEOUT)
    assert not paths.config_file.exists()


def test_the_built_in_model_passes_all_checks_as_an_own_file(
    engine: Engine, paths: Paths, tmp_path: Path
) -> None:
    built_in = find_model(paths)
    assert built_in
    own = tmp_path / "renamed.gguf"
    own.write_bytes(built_in.read_bytes())
    assert engine.models.library.import_model(own).result(TIMEOUT).id == "builtin-minilm"
    assert engine.models.library.verify("builtin-minilm").result(TIMEOUT).dimensions == 384


def test_a_file_that_crashes_or_confuses_llama_is_refused_and_the_engine_lives(
    engine: Engine, paths: Paths, tmp_path: Path
) -> None:
    built_in = find_model(paths)
    assert built_in
    cut = tmp_path / "cut.gguf"
    cut.write_bytes(built_in.read_bytes()[:2_000_000])
    with pytest.raises(ModelRefused, match="ends too early"):
        engine.models.library.import_model(cut).result(TIMEOUT)
    assert engine.models.list().result(TIMEOUT)[0].state is ModelState.READY
