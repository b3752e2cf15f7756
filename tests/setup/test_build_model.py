"""The built-in model is what its publishers trained, in llama.cpp's format."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from gguf import GGUFReader, TokenType
from llama_cpp import Llama

import build_model
from scrubjay.platform.paths import resources

needs_model = pytest.mark.model

EXPECTED_HEADER = {
    "general.architecture": "bert",
    "general.license": "apache-2.0",
    "bert.block_count": 6,
    "bert.context_length": 512,
    "bert.embedding_length": 384,
    "bert.pooling_type": 1,
    "bert.attention.causal": False,
    "tokenizer.ggml.model": "bert",
    "tokenizer.ggml.padding_token_id": 0,
    "tokenizer.ggml.unknown_token_id": 100,
    "tokenizer.ggml.bos_token_id": 101,
    "tokenizer.ggml.eos_token_id": 102,
}


@pytest.fixture(scope="module")
def reader() -> GGUFReader:
    return GGUFReader(build_model.TARGET)


@pytest.fixture(scope="module")
def model() -> Iterator[Llama]:
    """One thread, because two of them wait for each other when the machine has other work."""
    file = str(build_model.TARGET)
    model = Llama(file, embedding=True, n_ctx=512, n_threads=1, n_threads_batch=1, verbose=False)
    yield model
    model.close()


def unit_vector(model: Llama, text: str) -> np.ndarray:
    vector = np.array(model.embed(text))
    return vector / np.linalg.norm(vector)


@needs_model
def test_the_header_describes_the_network(reader: GGUFReader) -> None:
    read = {name: reader.get_field(name).contents() for name in EXPECTED_HEADER}
    assert read == EXPECTED_HEADER


@needs_model
@pytest.mark.parametrize(
    ("other", "cosine"), [("A man is playing guitar", 0.04), ("The feline rests outdoors", 0.60)]
)
def test_meanings_are_as_near_as_the_publishers_say(
    model: Llama, other: str, cosine: float
) -> None:
    found = unit_vector(model, "The cat sits outside") @ unit_vector(model, other)
    assert found == pytest.approx(cosine, abs=0.01)


@needs_model
def test_the_catalogue_tells_the_truth_about_the_file() -> None:
    entry, *_ = json.loads((resources() / "models.json").read_text(encoding="utf-8"))
    assert entry["file"] == build_model.TARGET.name
    content = build_model.TARGET.read_bytes()
    assert entry["size_bytes"] == len(content)
    assert entry["sha256"] == hashlib.sha256(content).hexdigest()


@needs_model
def test_building_again_gives_the_same_file(tmp_path: Path) -> None:
    again = tmp_path / "models" / "again.gguf"
    build_model.build(build_model.find_checkpoint(), again)
    assert again.read_bytes() == build_model.TARGET.read_bytes()
    assert list(again.parent.iterdir()) == [again]


@pytest.mark.parametrize(
    ("token", "spelled"),
    [
        ("cat", ("\u2581cat", TokenType.NORMAL)),
        ("##ing", ("ing", TokenType.NORMAL)),
        ("[CLS]", ("[CLS]", TokenType.CONTROL)),
        ("[UNK]", ("[UNK]", TokenType.UNKNOWN)),
        ("[unused7]", ("[unused7]", TokenType.UNUSED)),
        ("[", ("\u2581[", TokenType.NORMAL)),
    ],
)
def test_tokens_are_spelled_for_llama(token: str, spelled: tuple[str, TokenType]) -> None:
    assert build_model.spell(token) == spelled


def test_other_weights_are_refused(tmp_path: Path) -> None:
    weights = tmp_path / "model.safetensors"
    weights.write_bytes(b"something else")
    with pytest.raises(FileNotFoundError, match="not the published one"):
        build_model.verify(weights)


def test_a_failed_build_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        build_model.build(tmp_path / "no checkpoint", tmp_path / "models" / "model.gguf")
    assert list((tmp_path / "models").iterdir()) == []
