"""What a model file says about itself, and what damaged files say."""

from __future__ import annotations

import contextlib
import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.models.gguf import GgufHeader, NotGguf, check_model_length, read_gguf_header
from scrubjay.models.model_files import find_model
from scrubjay.platform.paths import Paths
from scrubjay.records.model_records import ModelPurpose
from support.gguf_files import HEAD, gguf


def written(folder: Path, content: bytes) -> Path:
    file = folder / "model.gguf"
    file.write_bytes(content)
    return file


def test_a_head_is_read(tmp_path: Path) -> None:
    header = read_gguf_header(written(tmp_path, gguf()))
    assert header == GgufHeader(3, "bert", "Tiny", 8, 64, ModelPurpose.EMBEDDING)


@pytest.mark.model
def test_the_built_in_model_says_what_the_catalogue_says(paths: Paths) -> None:
    file = find_model(paths)
    assert file
    found = read_gguf_header(file)
    assert (found.architecture, found.dimensions, found.context) == ("bert", 384, 512)


def test_lists_in_front_of_what_is_wanted_are_passed_over(tmp_path: Path) -> None:
    name = struct.pack("<Q", 4) + b"list"
    words = struct.pack("<Q", 1) + b"a" + struct.pack("<Q", 2) + b"bc"
    texts = name + struct.pack("<IIQ", 9, 8, 2) + words
    numbers = name + struct.pack("<IIQ3I", 9, 4, 3, 1, 2, 3)
    plain = gguf()
    content = plain[:16] + struct.pack("<Q", len(HEAD) + 2) + texts + numbers + plain[24:]
    assert read_gguf_header(written(tmp_path, content)).dimensions == 8


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "not a language helper"),
        (b"PK\x03\x04 a packed file", "not a language helper"),
        (b"GGUF", "ends too early"),
        (b"GGUF" + struct.pack("<IQQ", 9, 1, 1), "version 9"),
        (b"GGUF" + struct.pack("<IQQ", 3, 1, 1 << 60), "damaged"),
        (b"GGUF" + struct.pack("<IQQ", 3, 0, 0), "damaged"),
        (gguf()[:60], "ends too early"),
        (gguf(head={"general.name": "Anonymous"}), "what kind of language helper"),
        (gguf(head={"general.architecture": "bert"}), "how much text the language helper accepts"),
    ],
)
def test_what_is_no_model_says_why(tmp_path: Path, content: bytes, reason: str) -> None:
    with pytest.raises(NotGguf, match=reason):
        read_gguf_header(written(tmp_path, content))


@pytest.mark.parametrize("lost", [1, 900, 1001, 1040])
def test_a_file_that_was_cut_off_ends_too_early(tmp_path: Path, lost: int) -> None:
    whole = gguf(1000)
    check_model_length(written(tmp_path, whole))
    with pytest.raises(NotGguf, match="ends too early"):
        check_model_length(written(tmp_path, whole[:-lost]))


@pytest.mark.model
def test_the_built_in_model_is_complete_and_one_byte_less_is_not(
    paths: Paths, tmp_path: Path
) -> None:
    file = find_model(paths)
    assert file
    check_model_length(file)
    with pytest.raises(NotGguf, match="ends too early"):
        check_model_length(written(tmp_path, file.read_bytes()[:-1]))


@given(st.binary(max_size=200), st.integers(0, 160))
def test_damage_is_never_more_than_a_refusal(
    tmp_path_factory: pytest.TempPathFactory, noise: bytes, at: int
) -> None:
    whole = gguf(0)
    file = written(tmp_path_factory.mktemp("gguf"), whole[:at] + noise + whole[at + len(noise) :])
    with contextlib.suppress(NotGguf):
        assert isinstance(read_gguf_header(file), GgufHeader)
    with contextlib.suppress(NotGguf):
        check_model_length(file)
