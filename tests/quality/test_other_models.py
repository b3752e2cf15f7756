"""Search quality with a model other than the built-in one: multilingual-e5-small.

Its weights are not part of Scrubjay (scripts/build_e5.py). docs/quality.md has the numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.embedding.calibrated_provider import CalibratedProvider
from scrubjay.embedding.calibration import calibration_pairs
from scrubjay.embedding.embedding_input import EmbeddingInput
from scrubjay.embedding.local.calibrated_models import CalibratedModels
from scrubjay.embedding.local.local_provider import LoadOptions, LocalProvider
from scrubjay.embedding.provider import EmbeddingProvider
from scrubjay.engine.engine import Engine
from scrubjay.evaluation.metrics import evaluate, mean_measures, read_qrels
from scrubjay.models.model_files import find_model
from scrubjay.platform.paths import Paths
from scrubjay.records.search_records import Hit, SearchRequest
from scrubjay.records.workspace_id import WorkspaceId

pytestmark = pytest.mark.model

HERE = Path(__file__).parent
E5 = HERE.parents[1] / "build" / "e5" / "multilingual-e5-small-Q4_0.gguf"
ENGLISH = [HERE / f"{name}.qrels.json" for name in ("lab", "lessons")]
"""Sets that came after the weights of ranking were fitted to the built-in model."""
SPANISH = [HERE / f"{name}.qrels.json" for name in ("spanish", "piso", "cuaderno")]
LANGUAGES = ("french", "german", "italian", "polish", "russian")

needs_e5 = pytest.mark.skipif(
    not E5.is_file(), reason="the weights of multilingual-e5-small are not on this computer"
)

HitRate = Callable[[EmbeddingProvider, Sequence[Path]], float]


@pytest.fixture(scope="module")
def hit_rate(tmp_path_factory: pytest.TempPathFactory) -> HitRate:
    """Hit@1 of the questions of some files with a provider."""

    def measured(provider: EmbeddingProvider, files: Sequence[Path]) -> float:
        engine = Engine(Paths.under(tmp_path_factory.mktemp("home")), provider=provider)
        outcomes = []
        for file in files:
            qrels = read_qrels(file)
            folder = engine.open_folder(qrels.workspace)
            engine.refresh(folder).result()

            def search(query: str, workspace: WorkspaceId = folder.id) -> Sequence[Hit]:
                request = SearchRequest(query, workspace, max_results=50, min_score=0.0)
                return engine.search(request, CancelToken()).result().hits

            outcomes += evaluate(
                qrels, search, text_of=lambda hit: hit.file.read_text("utf-8"), min_score=0.35
            )
        engine.close()
        return mean_measures(outcomes)["hit@1"]

    return measured


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> Paths:
    return Paths.under(tmp_path_factory.mktemp("paths"))


@pytest.fixture
def minilm(paths: Paths) -> LocalProvider:
    file = find_model(paths)
    assert file, "run make setup"
    return LocalProvider(file, LoadOptions(threads=1))


@pytest.fixture
def e5(paths: Paths) -> Iterator[CalibratedProvider]:
    provider = CalibratedModels(paths.state).provider(E5, LoadOptions(threads=1))
    assert isinstance(provider, CalibratedProvider)
    yield provider
    provider.close()


@needs_e5
def test_in_english_it_finds_nearly_as_much(
    hit_rate: HitRate, minilm: LocalProvider, e5: CalibratedProvider
) -> None:
    assert hit_rate(e5, ENGLISH) >= 0.93 * hit_rate(minilm, ENGLISH)


@needs_e5
def test_in_spanish_it_finds_more(
    hit_rate: HitRate, minilm: LocalProvider, e5: CalibratedProvider
) -> None:
    assert hit_rate(e5, SPANISH) > hit_rate(minilm, SPANISH)


@needs_e5
@pytest.mark.parametrize("language", LANGUAGES)
def test_in_other_languages_it_finds_more(
    hit_rate: HitRate, minilm: LocalProvider, e5: CalibratedProvider, language: str
) -> None:
    files = [HERE / "languages" / f"{language}.qrels.json"]
    assert hit_rate(e5, files) > hit_rate(minilm, files) + 0.2


@needs_e5
def test_its_unrelated_texts_get_the_cosine_of_the_built_in_model(e5: CalibratedProvider) -> None:
    calibration = e5.calibration()
    assert calibration.tells_apart
    assert calibration.mean == pytest.approx(0.76, abs=0.02)
    assert calibration.spread == pytest.approx(0.03, abs=0.01)
    pairs = calibration_pairs()
    questions = np.stack(e5.embed_queries([pair.question for pair in pairs]))
    inputs = [EmbeddingInput("", pair.sentence) for pair in pairs]
    cosines = questions @ np.stack(e5.embed_documents(inputs)).T
    others = cosines[~np.eye(len(pairs), dtype=bool)]
    assert others.mean() == pytest.approx(0.065, abs=0.01)
    assert others.std() == pytest.approx(0.09, abs=0.015)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_question_points_at_lines_that_are_there(language: str) -> None:
    qrels = read_qrels(HERE / "languages" / f"{language}.qrels.json")
    assert len(qrels.queries) == 20
    for judged in qrels.queries:
        for path, line in judged.relevant:
            lines = (qrels.workspace / path).read_text(encoding="utf-8").split("\n")
            assert lines[line - 1].strip(), judged.id
