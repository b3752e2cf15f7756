"""Result readers beside language helpers: fetched, imported, listed, used and removed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from scrubjay.engine.engine import Engine
from scrubjay.errors import DownloadFailed, ModelMissing, ModelRefused
from scrubjay.events import ModelsChanged, ReaderChanged
from scrubjay.models.download.remote_file import ENDPOINT_VARIABLE
from scrubjay.models.model_files import find_model
from scrubjay.platform.paths import Paths
from scrubjay.records.model_records import ModelInfo, ModelPurpose, ModelState
from support.gguf_files import gguf
from support.hub import Hub
from support.reader_models import (
    SMOL,
    SMOL_FILE,
    SMOL_REPOSITORY,
    install_reader,
    reader_file,
    reader_hub,
)
from support.vault import TIMEOUT, Announcements, NewEngine, ask, indexed, write_notes

REFERENCE = f"hf:{SMOL_REPOSITORY}/{SMOL_FILE}"
GEMMA = "gemma-3-270m"
GEMMA_FILE = "gemma-3-270m-q4_k_m.gguf"
NOTES = {"router.md": "# Router\n\nThe wifi password is on the sticker below the router.\n"}
QUESTION = "how do I get on the internet"


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    with reader_hub() as running:
        monkeypatch.setenv(ENDPOINT_VARIABLE, running.address)
        yield running


@pytest.fixture
def engine(new_engine: NewEngine, tmp_path: Path) -> Engine:
    made = new_engine()
    indexed(made, write_notes(tmp_path / "notes", NOTES))
    return made


def listed(engine: Engine) -> dict[str, ModelInfo]:
    return {info.id: info for info in engine.models.list().result(TIMEOUT)}


def readers(engine: Engine) -> dict[str, ModelInfo]:
    purpose = ModelPurpose.READING
    return {id_: info for id_, info in listed(engine).items() if info.purpose is purpose}


def read_by(engine: Engine) -> str:
    return ask(engine, QUESTION, second_look_seconds=TIMEOUT, min_score=0.0).read_again_by


def test_nothing_is_fetched_by_itself(engine: Engine) -> None:
    (smol,) = readers(engine).values()
    assert (smol.id, smol.state, smol.is_used) == (SMOL, ModelState.ABSENT, False)
    assert read_by(engine) == ""


def test_a_fetched_reader_is_used_at_once_and_removed_while_it_is_warm(
    hub: Hub, engine: Engine
) -> None:
    helper = next(info for info in listed(engine).values() if info.is_used)
    fetched = engine.models.download(SMOL).result(TIMEOUT)
    assert (fetched.state, fetched.is_used) == (ModelState.READY, True)
    assert fetched.purpose is ModelPurpose.READING
    assert (fetched.dimensions, fetched.advice, fetched.learning_s) == (None, "", None)
    assert read_by(engine)
    assert engine.is_reader_warm
    # The language helper is another one, as before.
    assert listed(engine)[helper.id].is_used
    heard = Announcements(engine)
    assert "Deleted" in engine.models.library.remove(SMOL).result(TIMEOUT)
    assert not engine.is_reader_warm
    assert heard.of(ModelsChanged)
    assert engine.status().reader is None
    assert heard.of(ReaderChanged) == [ReaderChanged(None)]
    assert readers(engine)[SMOL].state is ModelState.ABSENT
    assert read_by(engine) == ""


def test_a_reader_is_checked_again_without_vectors(hub: Hub, engine: Engine) -> None:
    engine.models.download(SMOL).result(TIMEOUT)
    checked = engine.models.library.verify(SMOL).result(TIMEOUT)
    assert (checked.state, checked.dimensions) == (ModelState.READY, None)


def test_a_reader_that_is_turned_off_is_used_again_when_it_is_chosen(
    hub: Hub, engine: Engine
) -> None:
    engine.models.download(SMOL).result(TIMEOUT)
    engine.settings_editor.set("memorySearch.query.reader", "off").result(TIMEOUT)
    assert not readers(engine)[SMOL].is_used
    assert read_by(engine) == ""
    before = engine.settings.settings.memory_search.local.model_path
    assert engine.models.use(SMOL).result(TIMEOUT).is_used
    assert engine.settings.settings.memory_search.local.model_path == before
    assert read_by(engine)


def test_a_reader_cannot_be_a_language_helper_nor_the_other_way_round(
    hub: Hub, engine: Engine, paths: Paths, new_engine: NewEngine
) -> None:
    engine.models.download(SMOL).result(TIMEOUT)
    built_in = find_model(paths)
    assert built_in
    with pytest.raises(ModelRefused, match="cannot be used for search by meaning"):
        engine.models.comparisons.compare(SMOL, built_in.name).result(TIMEOUT)
    with pytest.raises(ModelRefused, match="cannot be used for search by meaning"):
        engine.models.library.setting_for(SMOL)


@pytest.mark.model
@pytest.mark.parametrize("written", [REFERENCE, SMOL_FILE])
def test_a_reader_in_the_settings_of_language_helpers_is_refused(
    hub: Hub, engine: Engine, paths: Paths, written: str
) -> None:
    engine.models.download(SMOL).result(TIMEOUT)
    engine.settings_editor.set("memorySearch.local.modelPath", written).result(TIMEOUT)
    engine.close()
    other = Engine(paths)
    answer = ask(other, QUESTION)
    other.close()
    assert "cannot be used for search by meaning" in answer.fallback_reason


def test_gemma_is_known_by_its_bytes_and_wants_its_terms_accepted(
    engine: Engine, tmp_path: Path
) -> None:
    own = tmp_path / "my own.gguf"
    own.write_bytes(reader_file(GEMMA_FILE).read_bytes())
    library = engine.models.library
    with pytest.raises(ModelMissing, match="cannot be downloaded"):
        engine.models.download(GEMMA).result(TIMEOUT)
    assert GEMMA not in listed(engine)
    with pytest.raises(DownloadFailed, match="accept the terms"):
        library.import_model(own).result(TIMEOUT)
    info = library.import_model(own, accept_terms=True).result(TIMEOUT)
    assert (info.id, info.is_used) == (GEMMA, True)
    assert info.file
    assert info.file.name == GEMMA_FILE


def test_the_largest_reader_is_used(hub: Hub, engine: Engine, paths: Paths, tmp_path: Path) -> None:
    engine.models.download(SMOL).result(TIMEOUT)
    install_reader(paths, GEMMA_FILE, name="other.gguf")
    info = readers(engine)["other.gguf"]
    assert info.is_used
    assert not readers(engine)[SMOL].is_used
    with pytest.raises(ModelRefused, match="larger result reader") as refused:
        engine.models.use(SMOL).result(TIMEOUT)
    assert "other.gguf" in str(refused.value)


@pytest.mark.parametrize(
    ("architecture", "name", "more", "purpose"),
    [
        ("llama", "Smol", {}, ModelPurpose.READING),
        ("qwen3", "Qwen3 0.6B Base", {}, ModelPurpose.READING),
        ("qwen3", "Qwen3 0.6B", {"qwen3.pooling_type": 3}, ModelPurpose.EMBEDDING),
        ("qwen3", "Qwen3 Embedding 0.6B", {}, ModelPurpose.EMBEDDING),
        ("gemma-embedding", "Gemma", {}, ModelPurpose.EMBEDDING),
        ("nomic-bert", "Nomic", {}, ModelPurpose.EMBEDDING),
    ],
)
def test_the_head_of_a_file_says_what_it_is_for(
    engine: Engine,
    paths: Paths,
    architecture: str,
    name: str,
    more: dict[str, str | int],
    purpose: ModelPurpose,
) -> None:
    head = {"general.architecture": architecture, "general.name": name}
    numbers = {f"{architecture}.embedding_length": 8, f"{architecture}.context_length": 64}
    write_notes(paths.models, {"any.gguf": gguf(head=head | numbers | more)})
    assert listed(engine)["any.gguf"].purpose is purpose
    assert listed(engine)["any.gguf"].is_used == (purpose is ModelPurpose.READING)
