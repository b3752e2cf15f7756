"""Models whose vectors lie in a narrow cone, that are noise, or that are all the same."""

from __future__ import annotations

import threading
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from scrubjay.embedding.calibrated_provider import CalibratedProvider, progress_as_status
from scrubjay.embedding.calibration import CalibrationStore, calibration_pairs, measure
from scrubjay.embedding.embedding_input import EmbeddingInput
from scrubjay.embedding.local.local_provider import LoadOptions, LocalProvider
from scrubjay.errors import ProviderUnavailable
from scrubjay.evaluation.model_comparison import heading_questions
from scrubjay.platform.paths import Paths
from scrubjay.records.vectors import Vector, normalize
from support.providers import WordProvider, embedding_inputs
from support.vault import TIMEOUT

NOTES = Path(__file__).parents[2] / "quality" / "notes"


class ChangedProvider(WordProvider):
    """A provider whose vectors are those of another one, changed."""

    def __init__(
        self, change: Callable[[Vector], Vector], inner: LocalProvider | WordProvider
    ) -> None:
        super().__init__()
        self._change = change
        self._inner = inner
        self.asked = 0

    def embed_queries(self, texts: Sequence[str]) -> list[Vector]:
        self.asked += len(texts)
        return [self._change(vector) for vector in self._inner.embed_queries(texts)]

    def embed_documents(self, inputs: Sequence[EmbeddingInput]) -> list[Vector]:
        self.asked += len(inputs)
        return [self._change(vector) for vector in self._inner.embed_documents(inputs)]


class NoiseProvider(WordProvider):
    """Vectors that depend on a text and tell nothing about it."""

    def embed_queries(self, texts: Sequence[str]) -> list[Vector]:
        return [self._noise(text) for text in texts]

    def embed_documents(self, inputs: Sequence[EmbeddingInput]) -> list[Vector]:
        return [self._noise(item.text) for item in inputs]

    def _noise(self, text: str) -> Vector:
        seed = zlib.crc32(text.encode())
        return normalize(np.random.default_rng(seed).standard_normal(self.dimensions()))


def shifted(vector: Vector) -> Vector:
    """In a narrow cone: two unrelated texts have a cosine of .8."""
    constant = 2 * normalize(np.random.default_rng(7).standard_normal(len(vector)))
    return normalize(3 * (vector + constant))


def unchanged(vector: Vector) -> Vector:
    return vector


@pytest.fixture(scope="module")
def minilm(model_file: Path) -> Iterator[LocalProvider]:
    provider = LocalProvider(model_file, LoadOptions(threads=1))
    yield provider
    provider.close()


@pytest.fixture
def store(paths: Paths) -> CalibrationStore:
    return CalibrationStore(paths.state)


def cosines(provider: LocalProvider | ChangedProvider | CalibratedProvider) -> np.ndarray:
    """Between all headings of some notes and all sections of them."""
    texts = [file.read_text("utf-8") for file in sorted(NOTES.rglob("*.md"))]
    asked = heading_questions(texts, 60)
    questions = provider.embed_queries([each.question for each in asked])
    answers = provider.embed_documents([EmbeddingInput("", each.answer) for each in asked])
    return np.stack(questions) @ np.stack(answers).T


def first_hits(table: np.ndarray) -> int:
    """Number of questions whose own section is the nearest."""
    return int((table.argmax(axis=1) == np.arange(len(table))).sum())


@pytest.mark.model
def test_vectors_plus_a_constant_rank_as_those_without(
    minilm: LocalProvider, store: CalibrationStore
) -> None:
    expected = cosines(minilm)
    narrow = ChangedProvider(shifted, minilm)
    calibrated = cosines(CalibratedProvider(narrow, store))
    # The built-in model has a mean of its own, which goes with the constant.
    pairs = zip(calibrated.argsort().argsort(), expected.argsort().argsort(), strict=True)
    assert np.mean([np.corrcoef(*ranks)[0, 1] for ranks in pairs]) >= 0.85
    assert first_hits(calibrated) >= first_hits(expected) - 2
    # The numbers themselves are near, which scores and sign bits are made for.
    assert cosines(narrow).mean() > 0.7
    assert abs(calibrated.mean() - expected.mean()) < 0.1
    assert abs(calibrated.std() - expected.std()) < 0.05


@pytest.mark.model
def test_nothing_is_subtracted_from_vectors_that_lie_apart(
    minilm: LocalProvider, store: CalibrationStore
) -> None:
    provider = CalibratedProvider(ChangedProvider(unchanged, minilm), store)
    [before] = minilm.embed_queries(["where is the router"])
    [after] = provider.embed_queries(["where is the router"])
    # Of all texts together the means differ a little from those of these notes.
    assert float(before @ after) > 0.999
    assert store.warning("words:") == ""


def test_a_model_of_noise_is_told(store: CalibrationStore) -> None:
    provider = CalibratedProvider(NoiseProvider(), store)
    assert not provider.calibration().tells_apart
    assert "could not tell answers from other sentences" in store.warning("words:1:")
    assert store.warning("another:") == ""


def test_a_model_that_knows_none_of_the_texts_stays_as_it_is_and_is_told(
    store: CalibrationStore,
) -> None:
    class Unknown(WordProvider):
        def _vector(self, text: str) -> Vector:
            return super()._vector(text) * np.float32("jay" in text)

    provider = CalibratedProvider(Unknown(), store)
    [vector] = provider.embed_queries(["a jay"])
    assert vector.tolist() == Unknown().embed_queries(["a jay"])[0].tolist()
    assert store.warning("words:1:")


@pytest.mark.parametrize("tiny", [0.0, 1e-7])
def test_a_model_that_gives_one_vector_is_refused(store: CalibrationStore, tiny: float) -> None:
    constant = normalize(np.ones(256))
    same = ChangedProvider(lambda vector: constant + np.float32(tiny) * vector, WordProvider())
    provider = CalibratedProvider(same, store)
    with pytest.raises(ProviderUnavailable, match="same numbers for every text"):
        provider.embed_queries(["router"])
    assert store.find(provider.identity()) is None


def test_a_model_is_measured_once(store: CalibrationStore, paths: Paths) -> None:
    first = ChangedProvider(shifted, WordProvider())
    [before] = CalibratedProvider(first, store).embed_queries(["router"])
    assert first.asked == 2 * len(calibration_pairs()) + 1
    later = ChangedProvider(shifted, WordProvider())
    [after] = CalibratedProvider(later, CalibrationStore(paths.state)).embed_queries(["router"])
    assert (later.asked, before.tolist()) == (1, after.tolist())


class ReplacedProvider(ChangedProvider):
    """A service that may give the name of its model to another one."""

    length = 64

    def identity(self) -> str:
        return f"ollama:served:{self.length}"

    def replace(self, length: int) -> None:
        self.length = length
        self._change = lambda vector: normalize(vector[:length])


def test_another_model_of_the_same_name_is_measured_again(store: CalibrationStore) -> None:
    inner = ReplacedProvider(unchanged, WordProvider())
    provider = CalibratedProvider(inner, store)
    provider.embed_queries(["router"])
    inner.replace(32)
    [vector] = provider.embed_queries(["router"])
    assert len(vector) == 32


def test_both_threads_wait_for_one_measuring(store: CalibrationStore) -> None:
    inner = ChangedProvider(shifted, WordProvider())
    provider = CalibratedProvider(inner, store)
    asking = threading.Thread(target=provider.embed_queries, args=[["router"]])
    asking.start()
    provider.embed_documents(embedding_inputs("The router is in the hall."))
    asking.join(TIMEOUT)
    assert inner.asked == 2 * len(calibration_pairs()) + 2


def test_the_means_of_an_earlier_version_are_dropped(store: CalibrationStore) -> None:
    calibration = measure(WordProvider(), lambda _done, _total: None)
    store.keep("local:abc:384:centred0-00000000:none", calibration)
    provider = CalibratedProvider(WordProvider(), store)
    provider.embed_queries(["router"])
    assert store.find("local:abc:384:centred0-00000000:none") is None
    assert store.find(provider.identity())


def test_progress_is_told_and_the_end_too(store: CalibrationStore) -> None:
    told: list[str] = []
    CalibratedProvider(WordProvider(), store, progress_as_status(told.append)).embed_queries(
        ["router"]
    )
    assert told[0] == "Scrubjay is adjusting to the language helper (7%)."
    assert told[-1] == ""


def test_a_measuring_that_is_ended_leaves_nothing(store: CalibrationStore) -> None:
    class Closed(WordProvider):
        def embed_documents(self, inputs: Sequence[EmbeddingInput]) -> list[Vector]:
            if self.is_closed:
                raise ProviderUnavailable("The language helper is turned off")
            return super().embed_documents(inputs)

    def end(done: int, _total: int) -> None:
        if done > 40:
            provider.close()

    provider = CalibratedProvider(Closed(), store, end)
    with pytest.raises(ProviderUnavailable, match="turned off"):
        provider.embed_queries(["router"])
    assert store.find(provider.identity()) is None


def test_the_identity_tells_calibrated_vectors_from_others(store: CalibrationStore) -> None:
    class ByLines(WordProvider):
        def identity(self) -> str:
            return "local:abc:384:none+gloss1+lines"

    identity = CalibratedProvider(ByLines(), store).identity()
    assert identity.startswith("local:abc:384:centred1-")
    assert identity.endswith(":none+gloss1+lines")


def test_the_texts_are_in_many_languages_and_each_once() -> None:
    pairs = calibration_pairs()
    texts = {text for pair in pairs for text in (pair.question, pair.sentence)}
    assert len(texts) == 2 * len(pairs) >= 200
    assert len({pair.language for pair in pairs}) >= 8
