"""Models of every family in the catalogue, tiny and with random weights, through the real child.

What each family needs is compared with llama.cpp's own word for each token: how these are pooled,
what comes behind the pooling, which prompts go before the text.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from gguf import PoolingType
from llama_cpp import LLAMA_POOLING_TYPE_NONE, Llama

from scrubjay.embedding.embedding_input import EmbeddingInput
from scrubjay.embedding.local.llama_model import LlamaContext, LlamaModel
from scrubjay.embedding.local.local_provider import LoadOptions, LocalProvider
from scrubjay.embedding.prompts import prompt_profile
from scrubjay.models.catalogue import find_known
from scrubjay.models.gguf import read_gguf_header
from support.providers import embedding_inputs
from support.tiny_models import CONTEXT, FAMILIES, WIDTH, Family, dense_layers, write_tiny_model

TEXT = "the jay hides acorns and finds them again"
MODELS = {
    "gemma-embedding": "embeddinggemma-300m",
    "qwen3": "qwen3-embedding-0.6b",
    "nomic-bert": "nomic-embed-text-v1.5",
}


@pytest.fixture(scope="module", params=FAMILIES, ids=lambda family: family.architecture)
def family(request: pytest.FixtureRequest) -> Family:
    return request.param


@pytest.fixture(scope="module")
def file(family: Family, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_model(family, tmp_path_factory.mktemp("models"))


@pytest.fixture(scope="module")
def provider(file: Path) -> Iterator[LocalProvider]:
    made = LocalProvider(file, LoadOptions(threads=1))
    yield made
    made.close()


@pytest.fixture(scope="module")
def token_model(family: Family, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Llama]:
    """llama.cpp by another way: a vector for each token, without what comes behind the pooling."""
    bare = replace(family, has_dense=False)
    file = write_tiny_model(bare, tmp_path_factory.mktemp("bare"))
    made = Llama(
        str(file), embedding=True, n_ctx=CONTEXT, n_batch=CONTEXT, n_ubatch=CONTEXT, n_threads=1,
        pooling_type=LLAMA_POOLING_TYPE_NONE, verbose=False,
    )  # fmt: skip
    yield made
    made.close()


def expected(family: Family, file: Path, model: Llama, text: str) -> np.ndarray:
    """The vector of a text, pooled by hand."""
    tokens = np.array(model.embed(text, truncate=False))
    pooled = tokens[-1] if family.pooling is PoolingType.LAST else tokens.mean(axis=0)
    for matrix in dense_layers(file):
        pooled = matrix @ pooled
    return pooled / np.linalg.norm(pooled)


def document(provider: LocalProvider, text: str, title: str = "") -> np.ndarray:
    return provider.embed_documents([EmbeddingInput(title, text)])[0]


@pytest.mark.parametrize("text", [TEXT, "acorns", "jay, jay and jay again"])
def test_a_text_gets_its_prompt_and_is_pooled_as_its_family_is(
    family: Family, file: Path, token_model: Llama, provider: LocalProvider, text: str
) -> None:
    profile = prompt_profile(file.name)
    assert profile.name == find_known(MODELS[family.architecture]).prompt_profile
    query = expected(family, file, token_model, profile.for_query(text))
    passage = expected(family, file, token_model, profile.for_document("title", text))
    assert provider.embed_queries([text])[0] @ query > 0.999
    assert document(provider, text, "title") @ passage > 0.999


def test_a_text_of_unknown_words_has_no_vector(tmp_path: Path) -> None:
    family = next(each for each in FAMILIES if each.architecture == "nomic-bert")
    provider = LocalProvider(write_tiny_model(family, tmp_path), LoadOptions(threads=1))
    texts = ["끝말잇기", TEXT, f"{TEXT} 끝말잇기", "the ស្រី ដូង ភ្នំ"]
    has_vector = [bool(vector.any()) for vector in provider.embed_queries(texts)]
    has_vector += [bool(document(provider, text).any()) for text in texts]
    provider.close()
    assert has_vector == [False, True, True, False] * 2


def test_a_question_is_not_embedded_as_a_note_is(provider: LocalProvider) -> None:
    assert provider.embed_queries([TEXT])[0] @ document(provider, TEXT) < 0.9999


def test_vectors_have_length_one_and_do_not_depend_on_their_batch(provider: LocalProvider) -> None:
    texts = [f"{TEXT} " * (1 + n % 3) for n in range(9)]
    together = provider.embed_documents(embedding_inputs(*texts))
    assert provider.dimensions() == WIDTH
    for vector, text in zip(together, texts, strict=True):
        assert float(np.linalg.norm(vector)) == pytest.approx(1, abs=1e-4)
        assert vector @ document(provider, text) > 0.999


def test_the_head_tells_what_the_model_then_does(file: Path, family: Family) -> None:
    header = read_gguf_header(file)
    assert (header.architecture, header.dimensions) == (family.architecture, WIDTH)
    assert header.context == CONTEXT


def test_a_text_beyond_the_context_is_read_to_its_end(provider: LocalProvider) -> None:
    filler = "the jay hides acorns " * CONTEXT
    plain, other = document(provider, filler), document(provider, filler + "search task " * CONTEXT)
    assert np.isfinite(other).all()
    assert plain @ other < 0.9999


def test_word_order_counts(provider: LocalProvider) -> None:
    """Positions reach the model: rotated for each of these families."""
    one, other = "jay hides the acorns", "acorns hides the jay"
    assert document(provider, one) @ document(provider, other) < 0.99999


def test_the_pieces_of_a_long_text_hold_each_token_once(file: Path) -> None:
    model = LlamaModel(str(file), 0)
    tokens = model.tokens("the jay hides acorns " * CONTEXT)
    pieces = LlamaContext(model, threads=1).pieces(tokens)
    assert len(pieces) > 1
    assert max(map(len, pieces)) <= CONTEXT
    inner = [token for piece in pieces for token in piece if not model.is_special(token)]
    assert inner == [token for token in tokens if not model.is_special(token)]
