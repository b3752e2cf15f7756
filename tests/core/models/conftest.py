"""A model hub on this computer, and a library that fetches from it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from scrubjay.concurrency.thread_pool import DaemonThreadPool
from scrubjay.config.loading import LoadedSettings
from scrubjay.config.schema.settings import Settings
from scrubjay.event_bus import EventBus
from scrubjay.models.download.download_queue import DownloadQueue
from scrubjay.models.download.remote_file import ENDPOINT_VARIABLE
from scrubjay.models.download.transfer import DownloadRetries
from scrubjay.models.library.model_library import ModelLibrary
from scrubjay.platform.paths import Paths
from support.gguf_files import HeaderTrial
from support.hub import Hub
from support.vault import TIMEOUT

REFERENCE = "hf:jay/tiny-GGUF/tiny.gguf"


class FixedSettings:
    """Settings that nobody changes."""

    def __init__(self, settings: Settings) -> None:
        self.loaded = LoadedSettings(settings)


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    with Hub.running() as running:
        monkeypatch.setenv(ENDPOINT_VARIABLE, running.address)
        for name in ("http_proxy", "https_proxy", "all_proxy"):
            monkeypatch.delenv(name, raising=False)
            monkeypatch.delenv(name.upper(), raising=False)
        yield running


@pytest.fixture
def events() -> EventBus:
    return EventBus()


@pytest.fixture
def retry_policy(request: pytest.FixtureRequest) -> DownloadRetries:
    """Tries again at once; waits long for a hub, unless a test that lets it stall says less."""
    stall_seconds = getattr(request, "param", float(TIMEOUT))
    return DownloadRetries(stall_seconds=stall_seconds, first_wait=0.01, longest_wait=0.05)


@pytest.fixture
def downloads(events: EventBus, retry_policy: DownloadRetries) -> Iterator[DownloadQueue]:
    made = DownloadQueue(events, HeaderTrial(), retry_policy)
    yield made
    made.close()


@pytest.fixture
def new_library(
    paths: Paths, events: EventBus, retry_policy: DownloadRetries
) -> Iterator[Callable[..., ModelLibrary]]:
    """Makes libraries over the same folders, and closes them at the end."""
    made: list[ModelLibrary] = []

    def make(settings: Settings | None = None) -> ModelLibrary:
        library = ModelLibrary(
            paths,
            DaemonThreadPool("test"),
            source=FixedSettings(settings or Settings()),
            events=events,
            downloads=DownloadQueue(events, HeaderTrial(), retry_policy),
        )
        made.append(library)
        return library

    yield make
    for library in made:
        library.close()


@pytest.fixture
def library(new_library: Callable[..., ModelLibrary]) -> ModelLibrary:
    return new_library()


@pytest.fixture
def model_folder(paths: Paths) -> Path:
    """Where models go."""
    paths.models.mkdir(parents=True)
    return paths.models
