"""Who is in charge of vectors when the first choice fails."""

from __future__ import annotations

import pytest

from scrubjay.embedding.embedding_input import EmbeddingInput
from scrubjay.embedding.selection.fallback_provider import RETRY_S, FallbackProvider
from scrubjay.errors import DimensionsChanged, ModelMissing, ProviderUnavailable
from scrubjay.records.status_records import Takeover
from support.providers import WordProvider


class Moody(WordProvider):
    """Embeds, or fails with what it is told to fail with."""

    name = "far"
    model = "moody"

    def __init__(self) -> None:
        super().__init__("far")
        self.failure: ProviderUnavailable | None = None

    def identity(self) -> str:
        return f"far:{super().identity()}"

    def embed_queries(self, texts):
        if self.failure:
            raise self.failure
        return super().embed_queries(texts)

    def embed_documents(self, inputs):
        if self.failure:
            raise self.failure
        return super().embed_documents(inputs)


class Line(FallbackProvider):
    """A fallback provider with a clock of its own, which notes each takeover."""

    def __init__(self, first: Moody, second: WordProvider) -> None:
        self.now = 0.0
        self.takeovers = 0
        super().__init__(
            lambda: first,
            lambda: second,
            setting="far",
            on_takeover=self.note,
            clock=lambda: self.now,
        )

    def note(self) -> None:
        self.takeovers += 1


@pytest.fixture
def first() -> Moody:
    return Moody()


@pytest.fixture
def second() -> WordProvider:
    return WordProvider("near")


@pytest.fixture
def line(first: Moody, second: WordProvider) -> Line:
    return Line(first, second)


DOWN = ProviderUnavailable("Down for the night")


def fail(line: Line, first: Moody) -> None:
    first.failure = DOWN
    with pytest.raises(ProviderUnavailable, match="Down for the night"):
        line.current().embed_documents([EmbeddingInput("", "acorn")])


def test_the_first_choice_is_in_charge_while_it_works(line: Line) -> None:
    assert line.current().name == "far"
    assert line.takeover is None


def test_a_failure_is_raised_and_then_the_fallback_is_in_charge(
    line: Line, first: Moody, second: WordProvider
) -> None:
    fail(line, first)
    assert line.current().name == second.name
    assert line.takeover == Takeover("far", "Down for the night")
    assert line.takeovers == 1


def test_whoever_began_a_pass_stays_in_charge_of_it(line: Line, first: Moody) -> None:
    begun = line.current()
    fail(line, first)
    first.failure = None
    assert begun.identity().startswith("far:")
    assert len(begun.embed_documents([EmbeddingInput("", "acorn")])) == 1


def test_the_first_choice_comes_back_when_it_answers_again(
    line: Line, first: Moody, second: WordProvider
) -> None:
    fail(line, first)
    first.failure = None
    line.now = RETRY_S - 1
    assert line.current().name == second.name
    line.now = RETRY_S
    assert line.current().name == "far"
    assert line.takeover is None


def test_one_that_is_still_down_is_left_alone_for_a_while(
    line: Line, first: Moody, second: WordProvider
) -> None:
    fail(line, first)
    line.now = RETRY_S
    assert line.current().name == second.name
    first.failure = None
    line.now = 2 * RETRY_S - 1
    assert line.current().name == second.name
    assert line.takeovers == 1


def test_vectors_are_searched_by_whoever_made_them(
    line: Line, first: Moody, second: WordProvider
) -> None:
    fail(line, first)
    near, far = second.identity(), first.identity()
    assert line.find(near).name == second.name
    assert line.find(far) is None  # a question would wait for nothing
    line.now = RETRY_S
    by_far = line.find(far)
    assert by_far is not None
    assert by_far.name == "far"
    assert line.find("other:1") is None


def test_a_model_that_is_not_here_gives_way_at_once(second: WordProvider) -> None:
    def absent() -> WordProvider:
        raise ModelMissing("The language helper is not on this computer")

    line = FallbackProvider(absent, lambda: second, "local")
    assert line.current().name == second.name
    assert line.takeover == Takeover("local", "The language helper is not on this computer")


def test_without_a_fallback_a_failure_stays_a_failure() -> None:
    def absent() -> WordProvider:
        raise ModelMissing("The language helper is not on this computer")

    line = FallbackProvider(absent, None, "local")
    with pytest.raises(ModelMissing):
        line.current()
    assert line.takeover is None


def test_longer_vectors_are_no_failure(line: Line, first: Moody) -> None:
    first.failure = DimensionsChanged("Longer")
    with pytest.raises(DimensionsChanged):
        line.current().embed_queries(["acorn"])[0]
    assert line.takeover is None


def test_closing_closes_both_and_makes_no_more(
    line: Line, first: Moody, second: WordProvider
) -> None:
    fail(line, first)
    line.current()
    line.close()
    assert first.is_closed
    assert second.is_closed
    with pytest.raises(ProviderUnavailable, match="is closing"):
        line.current()
