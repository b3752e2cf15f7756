"""What most tests of the core start from."""

from __future__ import annotations

import codecs
import contextlib
import importlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from scrubjay.embedding.provider import EmbeddingProvider
from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import Paths
from scrubjay.records.engine_limits import EngineLimits
from support import platforms
from support.embedding_server import EmbeddingServer, serving
from support.files_in_use import in_use as in_use
from support.providers import WordProvider
from support.small_disk import small_disk as disk_of_one_megabyte
from support.vault import THREE_NOTES, NewEngine, write_notes

NOBODY = 65534


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return Paths.under(tmp_path / "home")


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    """Speaks the interfaces of all remote providers, on this computer."""
    with serving() as running:
        yield running


@pytest.fixture
def new_engine(paths: Paths, engine_limits: EngineLimits) -> Iterator[NewEngine]:
    """Makes engines over the same settings and indexes, and closes them at the end."""
    made: list[Engine] = []

    def make(
        provider: EmbeddingProvider | None = None,
        *,
        paths: Paths = paths,
        limits: EngineLimits = engine_limits,
    ) -> Engine:
        made.append(Engine(paths, provider=provider or WordProvider(), limits=limits))
        return made[-1]

    yield make
    for engine in made:
        engine.close()


@pytest.fixture
def engine(new_engine: NewEngine) -> Engine:
    return new_engine()


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """A folder with three notes."""
    return write_notes(tmp_path / "notes", THREE_NOTES)


def open_to_all() -> Path:
    """A folder for temporary files that others may reach too; root's own may be closed to them."""
    places = Path(tempfile.gettempdir()), Path("/var/tmp"), Path("/tmp")
    ways = {place: (place, *place.parents) for place in places}
    return next(one for one, way in ways.items() if all(part.stat().st_mode & 1 for part in way))


@pytest.fixture
def locked_away() -> Iterator[Path]:
    """A folder of somebody who is not root, because root may read everything."""
    platforms.require("POSIX modes")
    is_root = os.geteuid() == 0
    folder = Path(tempfile.mkdtemp(prefix="scrubjay-", dir=open_to_all() if is_root else None))
    if is_root:
        os.chown(folder, NOBODY, NOBODY)
        # Nobody may not read the libraries that these come from.
        codecs.lookup("utf-8-sig")
        importlib.import_module("sqlite_vec")
        # Not the effective one alone: SQLite asks what the real one may.
        os.setresuid(NOBODY, NOBODY, 0)
    yield folder
    if is_root:
        os.setresuid(0, 0, 0)
    for parent, folders, _ in os.walk(folder):
        for name in folders:
            Path(parent, name).chmod(0o700)
    shutil.rmtree(folder)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of one megabyte."""
    try:
        stack = contextlib.ExitStack()
        folder = stack.enter_context(disk_of_one_megabyte(tmp_path / "disk"))
    except OSError as error:
        pytest.skip(f"a small disk cannot be mounted here: {error}")
    with stack:
        yield folder
