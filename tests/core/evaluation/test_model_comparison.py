"""Two real models and a person's real headings: which finds more."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from gguf import GGMLQuantizationType

import build_model
from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.errors import Cancelled, ModelMissing, QueryError
from scrubjay.evaluation.model_comparison import FEWEST, is_significant
from scrubjay.events import ModelComparisonProgressed
from scrubjay.platform.paths import Paths
from support.tiny_models import NOMIC, write_tiny_model
from support.vault import TIMEOUT, Announcements, add, write_notes

QUALITY_NOTES = Path(__file__).parents[2] / "quality" / "notes"
BUILT_IN = "builtin-minilm"


@pytest.fixture
def engine(paths: Paths) -> Iterator[Engine]:
    made = Engine(paths)
    yield made
    made.close()


@pytest.fixture(scope="module")
def random_model(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Real, and as good as throwing dice."""
    return str(write_tiny_model(NOMIC, tmp_path_factory.mktemp("random")))


@pytest.mark.model
def test_the_better_model_is_told_from_one_that_knows_nothing(
    engine: Engine, random_model: str
) -> None:
    heard = Announcements(engine)
    add(engine, QUALITY_NOTES)
    comparisons = engine.models.comparisons
    result = comparisons.compare(random_model, BUILT_IN, None, CancelToken()).result(2 * TIMEOUT)
    poor, good = result.scores
    assert comparisons.better_models() == {poor.model: BUILT_IN}
    assert good.first > 2 * poor.first
    assert good.first <= good.among_five <= result.questions
    assert result.better == good
    assert good.name == "all-MiniLM-L6-v2"
    told = heard.of(ModelComparisonProgressed)
    assert (told[-1].done, told[-1].total) == (result.questions, result.questions)


@pytest.mark.model
def test_the_same_weights_in_other_numbers_find_as_much(engine: Engine, tmp_path: Path) -> None:
    other = tmp_path / "half.gguf"
    build_model.build(build_model.find_checkpoint(), other, GGMLQuantizationType.F16)
    workspace = add(engine, QUALITY_NOTES)
    future = engine.models.comparisons.compare(
        BUILT_IN, str(other), workspace.id, CancelToken(), seconds=0
    )
    result = future.result(2 * TIMEOUT)
    assert result.questions == FEWEST  # the time was up at once
    assert result.better is None
    assert abs(result.scores[0].first - result.scores[1].first) <= 1


def test_too_few_headings_are_told(engine: Engine, random_model: str, tmp_path: Path) -> None:
    workspace = add(engine, write_notes(tmp_path / "few", {"one.md": "# Router\n\nBasement.\n"}))
    with pytest.raises(QueryError, match=r"12 different headings .* 0 were found"):
        engine.models.comparisons.compare(
            BUILT_IN, random_model, workspace.id, CancelToken()
        ).result(TIMEOUT)


def test_a_model_that_is_not_here_cannot_be_asked(engine: Engine, random_model: str) -> None:
    future = engine.models.comparisons.compare(
        random_model, "qwen3-embedding-0.6b", None, CancelToken()
    )
    with pytest.raises(ModelMissing, match="not on this computer"):
        future.result(TIMEOUT)


def test_a_model_is_not_compared_with_itself(engine: Engine, random_model: str) -> None:
    future = engine.models.comparisons.compare(random_model, random_model, None, CancelToken())
    with pytest.raises(QueryError, match="two different language helpers"):
        future.result(TIMEOUT)


@pytest.mark.model
def test_a_comparison_can_be_called_off_in_the_middle(engine: Engine, random_model: str) -> None:
    workspace = add(engine, QUALITY_NOTES)
    cancel = CancelToken()
    engine.events.subscribe(
        lambda event: cancel.cancel() if isinstance(event, ModelComparisonProgressed) else None
    )
    with pytest.raises(Cancelled):
        engine.models.comparisons.compare(BUILT_IN, random_model, workspace.id, cancel).result(
            TIMEOUT
        )


@pytest.mark.model
def test_closing_ends_a_comparison_at_once(engine: Engine, random_model: str) -> None:
    workspace = add(engine, QUALITY_NOTES)
    asked = threading.Event()
    engine.events.subscribe(
        lambda event: asked.set() if isinstance(event, ModelComparisonProgressed) else None
    )
    future = engine.models.comparisons.compare(BUILT_IN, random_model, workspace.id, CancelToken())
    assert asked.wait(TIMEOUT)
    engine.close()
    with pytest.raises(Cancelled):
        future.result(TIMEOUT)


@pytest.mark.parametrize(
    ("first", "second", "clear"),
    [
        ([0] * 9, [0] * 9, False),
        ([0] * 5 + [1] * 4, [1] * 5 + [1] * 4, False),
        ([0] * 6, [3] * 6, True),
        ([0] * 6 + [1], [3] * 6 + [0], False),
        ([0] * 20 + [1] * 5, [1] * 20 + [0] * 5, True),
    ],
)
def test_a_difference_is_clear_when_chance_would_seldom_make_it(
    first: list[int], second: list[int], *, clear: bool
) -> None:
    assert is_significant(first, second) is clear
    assert is_significant(second, first) is clear
