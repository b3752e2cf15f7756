"""An index file with its two sides."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from scrubjay.store.reader import Reader
from scrubjay.store.writer import Writer


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "index.sqlite"


@pytest.fixture
def writer(file: Path) -> Iterator[Writer]:
    writer = Writer.open(file)
    yield writer
    writer.close()


@pytest.fixture
def reader(writer: Writer, file: Path) -> Iterator[Reader]:
    reader = Reader.open(file)
    yield reader
    reader.close()


@pytest.fixture
def db(writer: Writer, file: Path) -> Iterator[apsw.Connection]:
    """A connection of its own to the index of the writer."""
    db = apsw.Connection(str(file))
    yield db
    db.close()
