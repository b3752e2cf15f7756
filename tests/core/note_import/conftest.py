from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from scrubjay.engine.engine import Engine
from scrubjay.note_import.note_import import NoteImport
from scrubjay.platform.paths import Paths


@pytest.fixture
def engine(paths: Paths) -> Iterator[Engine]:
    engine = Engine(paths)
    yield engine
    engine.close()


@pytest.fixture
def note_import(engine: Engine) -> NoteImport:
    return engine.note_import


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "notes"
