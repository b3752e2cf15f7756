"""Downloads from a hub that misbehaves as real ones do."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Literal

import pytest
from msgspec.structs import replace

from scrubjay.errors import Cancelled, DownloadFailed, ModelRefused
from scrubjay.event_bus import Event, EventBus
from scrubjay.events import ModelDownloadProgressed
from scrubjay.models.catalogue import KnownModel, find_known
from scrubjay.models.download.download_queue import DownloadQueue
from scrubjay.models.download.partial_file import PartialFile, delete_stale_locks
from scrubjay.models.download.transfer import DownloadRetries
from support import platforms
from support.gguf_files import HEAD, gguf
from support.hub import Fault, Hub, Trouble
from support.vault import TIMEOUT
from support.waiting import wait_until

REFERENCE = "hf:jay/tiny-GGUF/tiny.gguf"
CONTENT = gguf(400_000)


@pytest.fixture
def model(hub: Hub) -> KnownModel:
    hub.add("jay/tiny-GGUF", "tiny.gguf", CONTENT)
    found = find_known(REFERENCE)
    assert found
    return found


@pytest.fixture
def target(model_folder: Path, model: KnownModel) -> Path:
    return model_folder / model.file


def test_a_model_arrives_whole_and_nothing_else_stays(
    hub: Hub, downloads: DownloadQueue, model: KnownModel, target: Path
) -> None:
    assert downloads.begin(model, target).result(TIMEOUT) == target
    assert target.read_bytes() == CONTENT
    assert {file.name for file in target.parent.iterdir()} == {target.name, f"{target.name}.json"}
    assert hub.questions == [
        "HEAD /jay/tiny-GGUF/resolve/main/tiny.gguf",
        "GET /storage/jay/tiny-GGUF/tiny.gguf?signature=1",
    ]


@pytest.mark.needs("links")
def test_a_link_in_place_of_what_has_arrived_is_not_written_through(
    downloads: DownloadQueue, model: KnownModel, target: Path, tmp_path: Path
) -> None:
    victim = tmp_path / "victim"
    victim.write_bytes(CONTENT[:100])
    target.parent.mkdir(parents=True, exist_ok=True)
    part = PartialFile(target)
    part.update(model=model.id, size=len(CONTENT), etag="")
    part.file.symlink_to(victim)
    downloads.begin(model, target).result(TIMEOUT)
    assert target.read_bytes() == CONTENT
    assert not target.is_symlink()
    assert victim.read_bytes() == CONTENT[:100]


def test_who_asks_after_the_end_is_not_kept_waiting(
    downloads: DownloadQueue, model: KnownModel, target: Path
) -> None:
    downloads.close()
    assert isinstance(downloads.begin(model, target).exception(TIMEOUT), Cancelled)
    assert downloads.progress(model.id) is None


@pytest.mark.parametrize("retry_policy", [0.3], indirect=True)
@pytest.mark.parametrize("fault", Fault)
def test_a_fault_in_the_middle_costs_nothing_but_time(
    hub: Hub, downloads: DownloadQueue, model: KnownModel, target: Path, fault: Fault
) -> None:
    hub.troubles += [Trouble(Fault.CUT, 0.3), Trouble(fault)]
    downloads.begin(model, target).result(TIMEOUT)
    assert target.read_bytes() == CONTENT
    # Windows does not tell the hub how much had arrived when it reset the line.
    assert hub.repeated == 0 or (fault is Fault.RESET and platforms.IS_WINDOWS)
    assert not hub.troubles


def test_a_server_that_cannot_send_parts_is_read_from_the_start(
    hub: Hub, downloads: DownloadQueue, model: KnownModel, target: Path
) -> None:
    hub.troubles += [Trouble(Fault.CUT, 0.3)] + [Trouble(Fault.WHOLE)] * 5
    downloads.begin(model, target).result(TIMEOUT)
    assert target.read_bytes() == CONTENT


def test_progress_is_told_in_measure_with_first_and_last(
    events: EventBus, downloads: DownloadQueue, model: KnownModel, target: Path
) -> None:
    seen: list[Event] = []
    events.subscribe(seen.append)
    began = time.monotonic()
    downloads.begin(model, target).result(TIMEOUT)
    took = time.monotonic() - began
    told = [event.progress for event in seen if isinstance(event, ModelDownloadProgressed)]
    assert told.pop(0).phase == "asking"
    fetching = [progress for progress in told if progress.phase == "fetching"]
    assert fetching[0].done_bytes < fetching[-1].done_bytes == len(CONTENT)
    assert {progress.total_bytes for progress in told} == {len(CONTENT)}
    assert len(fetching) <= 2 + took / 0.1
    checking = [progress.done_bytes for progress in told if progress.phase == "checking"]
    assert checking[-1] == len(CONTENT)


def test_who_looks_while_nothing_comes_is_told_all_that_arrived(
    hub: Hub, downloads: DownloadQueue, model: KnownModel, target: Path
) -> None:
    hub.pace = threading.Event()
    downloads.begin(model, target)
    wait_until(lambda: 0 < hub.reached <= PartialFile(target).size)

    def told() -> int:
        progress = downloads.progress(model.id)
        return progress.done_bytes if progress else 0

    wait_until(lambda: told() == hub.reached)


def test_a_paused_download_goes_on_where_it_stopped(
    hub: Hub, downloads: DownloadQueue, model: KnownModel, target: Path
) -> None:
    hub.pace = threading.Event()
    paused = downloads.begin(model, target)
    part = PartialFile(target)
    wait_until(lambda: part.size >= len(CONTENT) // 2 > 0)
    downloads.stop(model.id, "pause")
    with pytest.raises(Cancelled):
        paused.result(TIMEOUT)
    state = part.state()
    assert state
    assert state.is_paused
    arrived = part.size
    hub.pace.set()
    hub.pace = None
    downloads.begin(model, target).result(TIMEOUT)
    assert target.read_bytes() == CONTENT
    assert hub.ranges == [0, arrived]


def test_a_cancelled_download_leaves_nothing(
    hub: Hub, downloads: DownloadQueue, model: KnownModel, target: Path
) -> None:
    hub.pace = threading.Event()
    running = downloads.begin(model, target)
    wait_until(lambda: PartialFile(target).size)
    assert downloads.stop(model.id, "cancel")
    with pytest.raises(Cancelled):
        running.result(TIMEOUT)
    assert not PartialFile(target).exists
    assert list(target.parent.iterdir()) == []


@pytest.mark.parametrize("decision", ["pause", "cancel"])
def test_what_a_person_decided_counts_when_the_app_quits_at_once(
    hub: Hub,
    downloads: DownloadQueue,
    model: KnownModel,
    target: Path,
    decision: Literal["pause", "cancel"],
) -> None:
    hub.pace = threading.Event()
    running = downloads.begin(model, target)
    wait_until(lambda: PartialFile(target).size)
    downloads.stop(model.id, decision)
    downloads.close()
    with pytest.raises(Cancelled):
        running.result(TIMEOUT)
    state = PartialFile(target).state()
    assert state is None or state.is_paused


def test_asking_twice_is_one_download(
    downloads: DownloadQueue, model: KnownModel, target: Path
) -> None:
    assert downloads.begin(model, target) is downloads.begin(model, target)


@pytest.mark.parametrize(
    ("retry_policy", "troubles", "words"),
    [
        (TIMEOUT, [Trouble(Fault.BUSY)] * 9, "localhost responded with error 503"),
        (0.2, [Trouble(Fault.STALL, 0.0)] * 9, "No data arrived for 0.2 s"),
        (TIMEOUT, [Trouble(Fault.LOGIN)] * 9, "a login page"),
        (TIMEOUT, [Trouble(Fault.EXPIRED)] * 9, "restricts access to this language helper"),
    ],
    indirect=["retry_policy"],
)
def test_who_gives_up_says_why_and_what_to_do(
    hub: Hub,
    downloads: DownloadQueue,
    model: KnownModel,
    target: Path,
    troubles: list[Trouble],
    words: str,
) -> None:
    hub.troubles += troubles
    with pytest.raises(DownloadFailed, match=words) as failed:
        downloads.begin(model, target).result(TIMEOUT)
    assert failed.value.hint
    assert not PartialFile(target).exists  # as nothing has arrived


def test_a_hub_that_is_down_is_asked_again_and_then_given_up(
    hub: Hub, downloads: DownloadQueue, model: KnownModel, target: Path
) -> None:
    hub.is_down = True
    with pytest.raises(DownloadFailed, match="responded with error 503"):
        downloads.begin(model, target).result(TIMEOUT)
    assert len(hub.questions) == DownloadRetries().attempts
    hub.is_down = False
    downloads.begin(model, target).result(TIMEOUT)
    assert target.read_bytes() == CONTENT


def test_a_model_that_is_not_there_is_asked_for_once(
    hub: Hub, downloads: DownloadQueue, model_folder: Path
) -> None:
    missing = find_known("hf:jay/tiny-GGUF/typo.gguf")
    assert missing
    with pytest.raises(DownloadFailed, match="does not have this language helper"):
        downloads.begin(missing, model_folder / missing.file).result(TIMEOUT)
    assert len(hub.questions) == 1


def test_bytes_that_are_wrong_twice_are_refused_and_not_kept(
    hub: Hub, downloads: DownloadQueue, model: KnownModel, target: Path
) -> None:
    hub.troubles += [Trouble(Fault.WRONG), Trouble(Fault.WRONG)]
    with pytest.raises(ModelRefused, match="damaged"):
        downloads.begin(model, target).result(TIMEOUT)
    assert not target.exists()
    assert PartialFile(target).size == 0


def test_a_part_of_another_version_is_not_gone_on_with(
    hub: Hub, downloads: DownloadQueue, model: KnownModel, target: Path
) -> None:
    hub.troubles += [Trouble(Fault.CUT)] + [Trouble(Fault.BUSY)] * 9
    with pytest.raises(DownloadFailed):
        downloads.begin(model, target).result(TIMEOUT)
    assert PartialFile(target).size
    newer = gguf(400_000, seed=1)
    hub.add("jay/tiny-GGUF", "tiny.gguf", newer)
    hub.troubles.clear()
    downloads.begin(model, target).result(TIMEOUT)
    assert target.read_bytes() == newer
    assert hub.ranges == [0, 0]


def test_another_file_than_the_known_one_is_not_fetched(
    hub: Hub, downloads: DownloadQueue, model: KnownModel, target: Path
) -> None:
    known = replace(model, sha256="0" * 64)
    with pytest.raises(DownloadFailed, match="is not the one that"):
        downloads.begin(known, target).result(TIMEOUT)
    assert hub.ranges == []


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"<html>not a model</html>", "not a language helper"),
        (gguf(head={**HEAD, "general.name": "Broken"}), "returned nothing for one of the texts"),
    ],
)
def test_a_file_that_does_not_work_is_refused_although_its_digest_is_right(
    hub: Hub, downloads: DownloadQueue, model: KnownModel, target: Path, content: bytes, words: str
) -> None:
    hub.add("jay/tiny-GGUF", "tiny.gguf", content)
    with pytest.raises(ModelRefused, match=words):
        downloads.begin(model, target).result(TIMEOUT)
    assert not target.exists()
    assert len(hub.ranges) == 1


def test_a_plain_address_works_too(hub: Hub, downloads: DownloadQueue, model_folder: Path) -> None:
    hub.add("jay/tiny-GGUF", "tiny.gguf", CONTENT)
    model = find_known(f"{hub.address}/storage/jay/tiny-GGUF/tiny.gguf")
    assert model
    hub.troubles += [Trouble(Fault.CUT, 1.0), Trouble(Fault.CUT), Trouble(Fault.RESET)]
    file = downloads.begin(model, model_folder / model.file).result(TIMEOUT)
    assert file.read_bytes() == CONTENT


def test_two_processes_do_not_fetch_the_same_file(
    downloads: DownloadQueue, model: KnownModel, target: Path
) -> None:
    with PartialFile(target).locked(), pytest.raises(DownloadFailed, match="already"):
        downloads.begin(model, target).result(TIMEOUT)


_FETCH = """
import sys
from pathlib import Path
from scrubjay.event_bus import EventBus
from scrubjay.models.catalogue import find_known
from scrubjay.models.download.download_queue import DownloadQueue
DownloadQueue(EventBus(), lambda file, cancel: 8).begin(
    find_known(sys.argv[1]), Path(sys.argv[2])).result()
"""


def test_a_download_goes_on_after_its_process_was_killed(
    hub: Hub, downloads: DownloadQueue, model: KnownModel, target: Path
) -> None:
    hub.pace = threading.Event()
    child = subprocess.Popen([sys.executable, "-c", _FETCH, REFERENCE, str(target)])
    part = PartialFile(target)
    wait_until(lambda: part.size >= len(CONTENT) // 2)
    child.kill()
    child.wait(TIMEOUT)
    arrived = part.size
    hub.pace.set()
    hub.pace = None
    downloads.begin(model, target).result(TIMEOUT)
    assert target.read_bytes() == CONTENT
    assert hub.ranges == [0, arrived]
    # Windows does not tell the hub how much had arrived when the process was killed.
    assert hub.repeated == 0 or platforms.IS_WINDOWS


def test_a_disk_without_room_is_told_before_anything_is_fetched(
    hub: Hub,
    downloads: DownloadQueue,
    model: KnownModel,
    target: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    free = SimpleNamespace(free=len(CONTENT))
    monkeypatch.setattr(shutil, "disk_usage", lambda _folder: free)
    with pytest.raises(DownloadFailed, match="not enough space"):
        downloads.begin(model, target).result(TIMEOUT)
    assert hub.ranges == []


def test_a_disk_that_fills_up_is_told_and_what_arrived_is_kept(
    hub: Hub, downloads: DownloadQueue, model: KnownModel, small_disk: Path
) -> None:
    hub.pace = threading.Event()
    target = small_disk / "models" / model.file
    fetching = downloads.begin(model, target)
    wait_until(lambda: PartialFile(target).size >= len(CONTENT) // 2)
    filler = small_disk / "filler"
    with filler.open("wb") as file, pytest.raises(OSError, match="No space"):
        file.write(bytes(1 << 20))
    hub.pace.set()
    hub.pace = None
    with pytest.raises(DownloadFailed, match="not enough space"):
        fetching.result(TIMEOUT)
    arrived = PartialFile(target).size
    filler.unlink()
    assert downloads.begin(model, target).result(TIMEOUT).read_bytes() == CONTENT
    assert hub.ranges == [0, arrived]


def test_locks_of_downloads_that_were_killed_are_cleaned_and_those_in_use_are_not(
    model_folder: Path, target: Path
) -> None:
    for name in (".killed.gguf.lock", ".paused.gguf.lock", "notes.lock"):
        (model_folder / name).touch()
    PartialFile(model_folder / "paused.gguf").update(model="paused")
    with PartialFile(target).locked():
        delete_stale_locks(model_folder)
        left = {file.name for file in model_folder.iterdir()}
    assert left == {
        f".{target.name}.lock", ".paused.gguf.lock", "paused.gguf.part.json", "notes.lock",
    }  # fmt: skip


def test_only_one_at_a_time_has_a_part_though_each_deletes_the_lock(target: Path) -> None:
    inside: list[int] = []
    most: list[int] = []

    def take() -> None:
        for _ in range(40):
            with contextlib.suppress(DownloadFailed), PartialFile(target).locked():
                inside.append(1)
                most.append(len(inside))
                inside.pop()

    threads = [threading.Thread(target=take) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(TIMEOUT)
    assert set(most) == {1}
