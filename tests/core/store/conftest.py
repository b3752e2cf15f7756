"""An index file with its two sides."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from scrubjay.store.reader import Reader
from scrubjay.store.writer import Writer


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "index.sqlite"


@pytest.fixture
def writer(file: Path) -> Iterator[Writer]:
    made = Writer.open(file)
    yield made
    made.close()


@pytest.fixture
def reader(writer: Writer, file: Path) -> Iterator[Reader]:
    made = Reader.open(file)
    yield made
    made.close()
