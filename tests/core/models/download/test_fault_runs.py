"""Many downloads, each with its own seeded series of faults."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from scrubjay.errors import DownloadFailed, ModelRefused
from scrubjay.models.catalogue import find_known
from scrubjay.models.download.download_queue import DownloadQueue
from scrubjay.models.download.partial_file import PartialFile
from support.gguf_files import gguf
from support.hub import Fault, Hub, Trouble
from support.vault import TIMEOUT
from support.waiting import wait_until

REFERENCE = "hf:jay/tiny-GGUF/tiny.gguf"
RUNS = 100 if os.environ.get("SCRUBJAY_SOAK") else 12
REPEATED_AT_MOST = 0.10

_FETCH = """
import sys
from pathlib import Path
from scrubjay.event_bus import EventBus
from scrubjay.models.catalogue import find_known
from scrubjay.models.download.download_queue import DownloadQueue
DownloadQueue(EventBus(), lambda file, cancel: 8).begin(
    find_known(sys.argv[1]), Path(sys.argv[2])).result()
"""


def series(dice: random.Random) -> list[Trouble]:
    return [Trouble(dice.choice(list(Fault)), dice.random()) for _ in range(dice.randint(1, 6))]


@pytest.mark.soak
@pytest.mark.parametrize("retry_policy", [0.3], indirect=True)
@pytest.mark.parametrize("seed", range(RUNS))
def test_a_download_ends_with_the_right_file_or_with_words(
    hub: Hub, downloads: DownloadQueue, model_folder: Path, seed: int
) -> None:
    dice = random.Random(seed)
    content = gguf(dice.randint(1, 600_000), seed=seed)
    hub.add("jay/tiny-GGUF", "tiny.gguf", content)
    hub.troubles += series(dice)
    model = find_known(REFERENCE)
    assert model
    target = model_folder / model.file
    if seed % 5 == 0:
        kill_half_way(hub, target)
    while error := downloads.begin(model, target).exception(TIMEOUT):
        assert isinstance(error, DownloadFailed | ModelRefused)
        assert error.hint
        assert not target.exists()
    assert target.read_bytes() == content
    assert hub.repeated <= REPEATED_AT_MOST * len(content)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(RUNS // 6))
def test_a_disk_that_fills_up_keeps_what_arrived_and_says_what_to_do(
    hub: Hub, downloads: DownloadQueue, small_disk: Path, seed: int
) -> None:
    dice = random.Random(seed)
    content = gguf(dice.randint(200_000, 600_000), seed=seed)
    hub.add("jay/tiny-GGUF", "tiny.gguf", content)
    model = find_known(REFERENCE)
    assert model
    target = small_disk / model.file
    hub.pace, ballast = threading.Event(), small_disk / "somebody else's"
    running = downloads.begin(model, target)
    wait_until(lambda: hub.reached and PartialFile(target).size >= hub.reached)
    fill(ballast, leave=dice.randint(0, 50_000))
    hub.pace.set()
    error = running.exception(TIMEOUT)
    assert isinstance(error, DownloadFailed)
    assert "Free some space" in error.hint
    kept = PartialFile(target).size
    assert kept > 0
    assert not target.exists()
    hub.pace = None
    ballast.unlink()
    downloads.begin(model, target).result(TIMEOUT)
    assert target.read_bytes() == content
    assert hub.ranges == [0, kept]


def fill(file: Path, *, leave: int) -> None:
    """Take all space of a disk but a little."""
    size = max(0, shutil.disk_usage(file.parent).free - leave)
    file.write_bytes(bytes(size))


def kill_half_way(hub: Hub, target: Path) -> None:
    """Let another process begin, and kill it when it has half of the file."""
    troubles, hub.troubles = hub.troubles, type(hub.troubles)()
    hub.pace = threading.Event()
    with subprocess.Popen([sys.executable, "-c", _FETCH, REFERENCE, str(target)]) as child:
        wait_until(lambda: hub.reached and PartialFile(target).size >= hub.reached)
        child.kill()
    hub.pace.set()
    hub.pace = None
    hub.troubles = troubles
