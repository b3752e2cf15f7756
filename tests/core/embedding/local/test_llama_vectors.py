"""What the local model says."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from scrubjay.embedding.local.llama_child import content_id
from scrubjay.embedding.local.local_provider import LoadOptions, LocalProvider
from support.providers import embedding_inputs

pytestmark = pytest.mark.model


@pytest.fixture(scope="module")
def provider(model_file: Path) -> Iterator[LocalProvider]:
    """One child for all of these tests."""
    made = LocalProvider(model_file, LoadOptions(threads=1))
    yield made
    made.close()


def test_like_meanings_have_like_vectors(provider: LocalProvider) -> None:
    outside, guitar, feline = provider.embed_documents(
        embedding_inputs(
            "The cat sits outside", "A man is playing guitar", "The feline rests outdoors"
        )
    )
    assert outside @ guitar == pytest.approx(0.04, abs=0.05)
    assert outside @ feline == pytest.approx(0.60, abs=0.05)


def test_vectors_have_length_one_and_do_not_depend_on_their_batch(provider: LocalProvider) -> None:
    texts = [f"Note {n} about jays. " * (n % 7 + 1) for n in range(40)]
    together = provider.embed_documents(embedding_inputs(*texts))
    alone = [provider.embed_documents(embedding_inputs(text))[0] for text in texts[:5]]
    for vector in together:
        assert vector.dtype == np.float32
        assert len(vector) == provider.dimensions() == 384
        assert float(np.linalg.norm(vector)) == pytest.approx(1, abs=1e-4)
    for one, other in zip(together, alone, strict=False):
        assert one @ other > 0.999
    assert provider.embed_queries([texts[0]])[0] @ together[0] > 0.999


@pytest.mark.parametrize(
    "text", ["", " ", "\n", "漢字", "👩‍👧", "\ud800", "\0", "x" * 2000, "word " * 600]
)
def test_any_text_gets_a_vector(provider: LocalProvider, text: str) -> None:
    [vector] = provider.embed_documents(embedding_inputs(text))
    assert np.isfinite(vector).all()
    assert np.isfinite(provider.embed_queries([text])[0]).all()


def test_the_end_of_a_long_text_counts_too(provider: LocalProvider) -> None:
    filler = "The weather report says that it may rain in the afternoon. " * 50
    plain, with_end = provider.embed_documents(
        embedding_inputs(filler, filler + "My violin teacher plays Bach. " * 40)
    )
    query = provider.embed_queries(["violin lessons"])[0]
    assert query @ with_end > query @ plain + 0.1


def test_the_identity_is_of_the_content_and_not_of_the_place(
    provider: LocalProvider, model_file: Path, tmp_path: Path
) -> None:
    shutil.copyfile(model_file, tmp_path / "renamed.gguf")
    other = LocalProvider(tmp_path / "renamed.gguf", LoadOptions(threads=1))
    assert other.identity() == provider.identity()
    assert "384" in provider.identity()
    other.close()


def test_a_changed_file_is_another_model(model_file: Path, tmp_path: Path) -> None:
    data = bytearray(model_file.read_bytes())
    copy = tmp_path / "copy.gguf"
    copy.write_bytes(data)
    assert content_id(copy) == content_id(model_file)
    data[-5] ^= 1
    copy.write_bytes(data)
    assert content_id(copy) != content_id(model_file)


def test_a_query_has_one_vector_whatever_is_asked_beside_it(provider: LocalProvider) -> None:
    titles = ["Photosynthesis", "Boiler", "Where the keys of the allotment are", "Mrs Okafor"]
    together = provider.embed_queries(titles)
    for title, vector in zip(titles, together, strict=True):
        np.testing.assert_array_equal(provider.embed_queries([title])[0], vector)
