"""Shared memories, where their extra is installed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import Paths
from scrubjay.records.engine_limits import EngineLimits
from scrubjay.records.shared_records import SharedPlace
from scrubjay.store.lancedb.lancedb_library import load_lancedb
from scrubjay.store.lancedb.publishing_limits import PublishingLimits
from support import platforms
from support.object_storage import object_storage
from support.shared_memory import Asker, Sharer

platforms.require("shared memories")


@pytest.fixture(autouse=True, scope="session")
def library() -> None:
    """No test waits for the library, which takes longer to load than a search may."""
    load_lancedb()


@pytest.fixture(scope="session")
def storage() -> Iterator[str]:
    """Address of an object storage on this computer."""
    with object_storage() as address:
        yield address


@pytest.fixture
def place(tmp_path: Path) -> SharedPlace:
    """An empty folder for a shared memory."""
    folder = tmp_path / "team"
    folder.mkdir()
    return SharedPlace(str(folder))


@pytest.fixture
def limits() -> PublishingLimits:
    """The limits of the one who shares; tests with others are parametrized by them."""
    return PublishingLimits()


@pytest.fixture
def sharer(
    engine: Engine, paths: Paths, notes: Path, place: SharedPlace, limits: PublishingLimits
) -> Sharer:
    """Shares the three notes."""
    return Sharer(engine, paths, notes, place, limits=limits)


@pytest.fixture
def asker(engine: Engine, place: SharedPlace, engine_limits: EngineLimits) -> Iterator[Asker]:
    """Searches them."""
    asker = Asker(engine, place, limits=engine_limits)
    yield asker
    asker.close()
