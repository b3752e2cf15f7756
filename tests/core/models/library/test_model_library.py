"""What a person may do with models, and what the list then says."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from scrubjay.concurrency.timers import Timers
from scrubjay.config.schema.memory_search import LocalModelSettings, MemorySearch
from scrubjay.config.schema.settings import Settings
from scrubjay.errors import Cancelled, DownloadFailed, ModelMissing, ModelRefused
from scrubjay.event_bus import EventBus
from scrubjay.events import ModelDownloadFailed, ModelImportProgressed, ModelsChanged, Resolved
from scrubjay.models.catalogue import known_models
from scrubjay.models.download.partial_file import PartialFile
from scrubjay.models.library.model_library import ModelLibrary
from scrubjay.models.library.model_status import add_advice
from scrubjay.records.model_records import ModelPurpose, ModelState, NoteSample
from support.gguf_files import HEAD, gguf
from support.hub import Fault, Hub, Trouble
from support.vault import TIMEOUT
from support.waiting import wait_until

REFERENCE = "hf:jay/tiny-GGUF/tiny.gguf"
CONTENT = gguf(200_000)
GEMMA = "embeddinggemma-300m"
BUILT_IN = "all-MiniLM-L6-v2-Q8_0.gguf"


def using(model_path: str) -> Settings:
    return Settings(memory_search=MemorySearch(local=LocalModelSettings(model_path=model_path)))


@pytest.fixture
def offered(hub: Hub) -> Hub:
    hub.add("jay/tiny-GGUF", "tiny.gguf", CONTENT)
    return hub


@pytest.fixture
def own_file(tmp_path: Path) -> Path:
    file = tmp_path / "stick" / "mine.gguf"
    file.parent.mkdir()
    file.write_bytes(CONTENT)
    return file


def states(library: ModelLibrary) -> dict[str, ModelState]:
    return {info.id: info.state for info in library.list()}


def test_at_first_only_what_comes_with_scrubjay_is_here(library: ModelLibrary) -> None:
    (built_in, *others) = library.list()
    helpers = [info.id for info in others if info.purpose is ModelPurpose.EMBEDDING]
    assert [built_in.id, *helpers] == [one.id for one in known_models()]
    assert {info.state for info in others} == {ModelState.ABSENT}
    assert not built_in.is_removable


def test_a_fetched_model_is_listed_with_what_the_file_says(
    offered: Hub, library: ModelLibrary, paths: object
) -> None:
    info = library.download(REFERENCE).result(TIMEOUT)
    assert (info.state, info.dimensions, info.context) == (ModelState.READY, 8, 64)
    assert states(library)[REFERENCE] is ModelState.READY
    assert library.download(REFERENCE).result(TIMEOUT) == info
    assert len(offered.ranges) == 1


def test_a_model_that_does_not_tell_texts_apart_is_listed_with_a_warning_and_not_advised(
    library: ModelLibrary, own_file: Path
) -> None:
    own_file.write_bytes(gguf(200_000, head={**HEAD, "general.name": "Random"}))
    info = library.import_model(own_file).result(TIMEOUT)
    assert (info.state, info.warning) == (ModelState.READY, "Its numbers are random.")
    spanish = NoteSample(1, 1, (["Hoy vino el técnico para ver qué pasa con la caldera."],))
    for warning, advised in (("", info.id), (info.warning, "")):
        listed = replace(info, languages=("mul",), warning=warning)
        advice = {each.id: each.advice for each in add_advice([listed], spanish, {})}
        assert [id_ for id_, reason in advice.items() if reason] == [advised][: bool(advised)]


def test_an_import_tells_how_much_is_copied_and_checked(
    library: ModelLibrary, events: EventBus, own_file: Path
) -> None:
    told: list[ModelImportProgressed] = []
    events.subscribe(told.append, ModelImportProgressed)
    library.import_model(own_file).result(TIMEOUT)
    size = own_file.stat().st_size
    copying = [step for step in told if step.phase == "copying"]
    assert (copying[-1].name, copying[-1].done, copying[-1].total) == (own_file.name, size, size)


@pytest.mark.parametrize(
    ("better", "advised"), [({}, "a"), ({"a": "b"}, "b"), ({"a": "gone"}, "a"), ({"b": "a"}, "a")]
)
def test_the_model_that_found_more_in_the_notes_is_advised(
    library: ModelLibrary, better: dict[str, str], advised: str
) -> None:
    [built_in, *_] = library.list()
    ready = replace(built_in, id="a", state=ModelState.READY, languages=("mul",), is_used=True)
    spanish = NoteSample(1, 1, (["Hoy vino el técnico para ver qué pasa con la caldera."],))
    infos = (ready, replace(ready, id="b", is_used=False))
    told = [info.id for info in add_advice(infos, spanish, better) if info.advice]
    assert told == [advised]


def test_nothing_is_fetched_before_its_terms_are_accepted(
    hub: Hub, library: ModelLibrary, new_library: Callable[..., ModelLibrary]
) -> None:
    with pytest.raises(DownloadFailed, match="terms of EmbeddingGemma 300M"):
        library.download(GEMMA).result(TIMEOUT)
    assert not library.get(GEMMA).is_accepted
    assert hub.questions == []
    with pytest.raises(DownloadFailed, match="does not have this language helper"):
        library.download(GEMMA, accept_terms=True).result(TIMEOUT)
    assert new_library().get(GEMMA).is_accepted


def test_an_interrupted_download_is_listed_and_goes_on_by_itself_but_a_paused_one_waits(
    offered: Hub, library: ModelLibrary, new_library: Callable[..., ModelLibrary]
) -> None:
    offered.pace = threading.Event()
    running = library.download(REFERENCE)
    wait_until(lambda: offered.reached)
    assert states(library)[REFERENCE] is ModelState.DOWNLOADING
    library.close()
    with pytest.raises(Cancelled):
        running.result(TIMEOUT)
    later = new_library()
    assert states(later)[REFERENCE] is ModelState.PAUSED
    later.resume()
    wait_until(lambda: len(offered.ranges) == 2)
    later.pause(REFERENCE)
    wait_until(lambda: states(later)[REFERENCE] is ModelState.PAUSED)
    offered.pace.set()
    offered.pace = None
    last = new_library()
    last.resume().result(TIMEOUT)
    assert states(last)[REFERENCE] is ModelState.PAUSED
    assert last.download(REFERENCE).result(TIMEOUT).state is ModelState.READY


def test_a_failed_download_says_why_and_can_be_called_off(
    offered: Hub, library: ModelLibrary
) -> None:
    offered.troubles += [Trouble(Fault.CUT)] + [Trouble(Fault.BUSY)] * 9
    with pytest.raises(DownloadFailed):
        library.download(REFERENCE).result(TIMEOUT)
    info = library.get(REFERENCE)
    assert info.state is ModelState.FAILED
    assert "503" in info.reason
    assert info.progress
    assert info.progress.done_bytes
    library.cancel(REFERENCE).result(TIMEOUT)
    assert REFERENCE not in states(library)
    library.resume().result(TIMEOUT)
    assert REFERENCE not in states(library)


def test_an_own_file_is_copied_and_left_alone(
    library: ModelLibrary, own_file: Path, model_folder: Path
) -> None:
    info = library.import_model(own_file).result(TIMEOUT)
    assert (info.id, info.file, info.state) == (
        "mine.gguf",
        model_folder / "mine.gguf",
        ModelState.READY,
    )
    said = library.remove("mine.gguf").result(TIMEOUT)
    assert str(own_file) in said
    assert own_file.read_bytes() == CONTENT
    assert not (model_folder / "mine.gguf").exists()
    # Nothing is said of a copy that was deleted or moved in the meantime.
    library.import_model(own_file).result(TIMEOUT)
    own_file.unlink()
    assert str(own_file) not in library.remove("mine.gguf").result(TIMEOUT)


@pytest.mark.parametrize(
    ("named", "listed"),
    [("my own model.GGUF", "my_own_model.gguf"), ("sha256-0a1b", "sha256-0a1b.gguf")],
)
def test_a_file_of_any_name_is_taken(
    library: ModelLibrary, tmp_path: Path, named: str, listed: str
) -> None:
    file = tmp_path / named
    file.write_bytes(CONTENT)
    assert library.import_model(file).result(TIMEOUT).id == listed
    assert states(library)[listed] is ModelState.READY
    again = library.import_model(file).result(TIMEOUT).id
    assert again.endswith(f"-{listed}")


def test_a_file_put_into_the_folder_by_hand_is_not_deleted(
    library: ModelLibrary, model_folder: Path
) -> None:
    theirs = model_folder / "theirs.gguf"
    theirs.write_bytes(CONTENT)
    library.import_model(theirs).result(TIMEOUT)
    with pytest.raises(ModelRefused, match="will not delete"):
        library.remove("theirs.gguf").result(TIMEOUT)
    assert theirs.exists()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "file does not exist"),
        (b"<html>", "not a language helper"),
        (gguf(head={**HEAD, "general.name": "Broken"}), "returned nothing for one of the texts"),
    ],
)
def test_a_file_that_does_not_work_is_not_imported(
    library: ModelLibrary, tmp_path: Path, model_folder: Path, content: bytes | None, words: str
) -> None:
    file = tmp_path / "a.gguf"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(ModelRefused, match=words):
        library.import_model(file).result(TIMEOUT)
    assert list(model_folder.iterdir()) == []


@pytest.mark.parametrize(
    "content", [CONTENT[:-100_000], gguf(head={**HEAD, "general.name": "Broken"})]
)
def test_a_refused_file_is_called_as_the_person_called_it(
    library: ModelLibrary, tmp_path: Path, content: bytes
) -> None:
    file = tmp_path / "cut off.gguf"
    file.write_bytes(content)
    with pytest.raises(ModelRefused) as refused:
        library.import_model(file).result(TIMEOUT)
    assert "cut off.gguf" in refused.value.title
    assert ".import-" not in str(refused.value)


def test_a_file_that_was_cut_off_is_not_even_copied(
    library: ModelLibrary, tmp_path: Path, model_folder: Path
) -> None:
    file = tmp_path / "cut-off.gguf"
    file.write_bytes(CONTENT[:-1])
    with pytest.raises(ModelRefused, match="ends too early"):
        library.import_model(file).result(TIMEOUT)
    assert not list(model_folder.iterdir())


def test_what_an_interrupted_import_left_is_cleaned_after_a_while(
    library: ModelLibrary, model_folder: Path
) -> None:
    left = model_folder / ".import-1" / "mine.gguf"
    left.parent.mkdir()
    left.write_bytes(bytes(500))
    os.utime(left, (0, 0))
    assert library.leftover_sizes() == (500,)
    assert library.clean().result(TIMEOUT) == 500
    assert not list(model_folder.iterdir())


def test_a_file_with_the_name_of_a_known_model_does_not_pass_for_it(
    library: ModelLibrary, tmp_path: Path
) -> None:
    file = tmp_path / BUILT_IN
    file.write_bytes(CONTENT)
    info = library.import_model(file).result(TIMEOUT)
    assert info.id.endswith(f"-{BUILT_IN}")


def test_damage_is_found_when_a_model_is_checked_again(
    offered: Hub, library: ModelLibrary, events: EventBus
) -> None:
    file = library.download(REFERENCE).result(TIMEOUT).file
    assert file
    assert library.verify(REFERENCE).result(TIMEOUT).state is ModelState.READY
    file.write_bytes(CONTENT[:-1] + b"!")
    assert library.get(REFERENCE).state is ModelState.FAILED
    with pytest.raises(ModelRefused, match="damaged"):
        library.verify(REFERENCE).result(TIMEOUT)
    assert "damaged" in library.get(REFERENCE).reason
    with pytest.raises(ModelRefused, match="cannot be used"):
        library.setting_for(REFERENCE)
    assert library.download(REFERENCE).result(TIMEOUT).state is ModelState.READY
    assert file.read_bytes() == CONTENT


def test_the_model_in_use_is_not_removed(
    offered: Hub, new_library: Callable[..., ModelLibrary]
) -> None:
    library = new_library(using(REFERENCE))
    library.download(REFERENCE).result(TIMEOUT)
    assert library.get(REFERENCE).is_used
    with pytest.raises(ModelRefused, match="in use"):
        library.remove(REFERENCE).result(TIMEOUT)


def test_an_own_path_in_the_settings_is_listed_and_not_ours(
    new_library: Callable[..., ModelLibrary], own_file: Path
) -> None:
    library = new_library(using(str(own_file)))
    info = library.get(str(own_file))
    assert (info.is_used, info.state, info.is_removable) == (True, ModelState.READY, False)
    assert str(own_file) in states(library)


@pytest.mark.parametrize("name", ["acorn", "hf:jay/nest", "no/such.gguf"])
def test_a_name_that_means_nothing_is_told(library: ModelLibrary, name: str) -> None:
    with pytest.raises(ModelMissing):
        library.download(name).result(TIMEOUT)
    with pytest.raises(ModelMissing):
        library.remove(name).result(TIMEOUT)
    with pytest.raises(ModelMissing):
        library.setting_for(name)


def test_leftovers_are_cleaned_and_the_rest_is_kept(
    offered: Hub, library: ModelLibrary, model_folder: Path
) -> None:
    offered.troubles += [Trouble(Fault.CUT)] + [Trouble(Fault.BUSY)] * 9
    with pytest.raises(DownloadFailed):
        library.download(REFERENCE).result(TIMEOUT)
    (model_folder / "lost.gguf.part").write_bytes(bytes(500))
    # A folder of models may be one to which a browser downloads.
    (model_folder / "film.mkv.part").write_bytes(bytes(700))
    assert library.clean().result(TIMEOUT) == 500
    assert PartialFile(model_folder / "hf_jay_tiny.gguf").size
    assert (model_folder / "film.mkv.part").exists()


@pytest.mark.needs("links")
def test_a_leftover_that_goes_while_it_is_looked_at_is_none(
    library: ModelLibrary, model_folder: Path
) -> None:
    (model_folder / ".import-1.gguf").symlink_to(model_folder / "gone.gguf")
    assert library.leftover_sizes() == ()
    assert library.clean().result(TIMEOUT) == 0


@pytest.mark.parametrize("damage", ["", "[]", '{"model": 1, "strange": 2}', "{"])
def test_spoiled_notes_and_receipts_count_as_none(
    offered: Hub, library: ModelLibrary, model_folder: Path, damage: str
) -> None:
    file = library.download(REFERENCE).result(TIMEOUT).file
    assert file
    file.with_name(f"{file.name}.json").write_text(damage)
    file.with_name("other.gguf.part.json").write_text(damage)
    assert library.get(REFERENCE).state is ModelState.READY
    assert library.list()


def test_changes_are_announced(offered: Hub, library: ModelLibrary, events: EventBus) -> None:
    seen: list[object] = []
    events.subscribe(seen.append)
    library.download(REFERENCE).result(TIMEOUT)
    wait_until(lambda: seen.count(ModelsChanged()) == 2)


def test_accepted_terms_are_written_where_the_app_keeps_its_memory(
    hub: Hub, library: ModelLibrary, tmp_path: Path
) -> None:
    with pytest.raises(DownloadFailed):
        library.download(GEMMA, accept_terms=True).result(TIMEOUT)
    accepted = json.loads((tmp_path / "home/state/accepted-terms.json").read_bytes())
    assert list(accepted) == ["https://ai.google.dev/gemma/terms"]


def test_a_download_that_failed_goes_on_by_itself_unless_a_person_stopped_it(
    library: ModelLibrary, offered: Hub, events: EventBus
) -> None:
    told: list[object] = []
    events.subscribe(told.append, ModelDownloadFailed, Resolved)
    timers = Timers()
    library.keep_trying(timers, lambda _attempt: 0.05)
    try:
        offered.is_down = True
        with pytest.raises(DownloadFailed):
            library.download(REFERENCE).result(TIMEOUT)
        wait_until(lambda: len(told) >= 2)
        offered.is_down = False
        wait_until(lambda: states(library).get(REFERENCE) is ModelState.READY)
        assert told[-1] == Resolved(REFERENCE, "The download of the language helper is continuing.")
        # One that was cancelled stays so.
        library.remove(REFERENCE).result(TIMEOUT)
        offered.is_down = True
        with pytest.raises(DownloadFailed):
            library.download(REFERENCE).result(TIMEOUT)
        library.cancel(REFERENCE).result(TIMEOUT)
        offered.is_down = False
        waited = threading.Event()
        timers.after(0.3, waited.set)
        assert waited.wait(TIMEOUT)
        assert states(library).get(REFERENCE) in (None, ModelState.ABSENT)
    finally:
        timers.close()
