"""The language models that tests read passages with, where `make test-reader` fetched them."""

from __future__ import annotations

from pathlib import Path

import pytest

READERS = Path(__file__).resolve().parents[2] / "build" / "readers"


def reader_file(name: str) -> Path:
    """A model of scripts/reader_models.py; the test is skipped where it is absent."""
    file = READERS / name
    if not file.exists():
        pytest.skip(f"{name} is absent: run `make test-reader`")
    return file
