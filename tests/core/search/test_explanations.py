"""Explanations of the rank of every hit."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import pytest

from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import Paths
from scrubjay.records.search_modes import Mode
from scrubjay.records.search_records import Hit
from support.providers import WordProvider
from support.vault import NewEngine, ask, found, indexed, write_notes

NOTES = {
    "MEMORY.md": "# Memory\n\n- Nora keeps bees.\n- The boat is called Petrel.\n",
    "memory/2026-02-10.md": "# Tuesday\n\nPainted the boat blue.\n\nNora laughed about it.\n",
    "memory/2026-02-11.md": "# Wednesday\n\nRain. The paint of the boat did not dry.\n",
    "memory/bees.md": "# Bees\n\nTwo hives.\n\n## Honey\n\nElf jars, eleven in all, café crème.\n",
    "memory/japan.md": "# 日本\n\n東京タワーに行きました。蜂蜜を買った。\n",
}
QUERIES = ("boat", "what colour did Nora paint the boat", "honey jars", "xyzzy", "蜂蜜", "petrel?")


@pytest.fixture(scope="module", params=["adaptive", "weighted", "rrf"])
def filled(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Engine]:
    """An engine for each way of merging, with decay and diversity switched on for two of them."""
    extra = "temporalDecay: {enabled: true}, mmr: {enabled: true}, "
    options = "" if request.param == "adaptive" else extra
    block = f'{{memorySearch: {{query: {{hybrid: {{{options}fusion: "{request.param}"}}}}}}}}'
    folder = tmp_path_factory.mktemp(request.param)
    paths = Paths.under(folder / "home")
    write_notes(paths.config, {"config.json5": block})
    engine = Engine(paths, provider=WordProvider())
    assert engine.settings.problems == ()
    indexed(engine, write_notes(folder / "agent", NOTES))
    yield engine
    engine.close()


def hits(engine: Engine, query: str, **fields: object) -> tuple[Hit, ...]:
    return ask(engine, query, min_score=0.0, **fields).hits


@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize("query", QUERIES)
def test_the_parts_add_up_to_the_score(filled: Engine, query: str, mode: Mode) -> None:
    for hit in hits(filled, query, mode=mode, max_results=20):
        why = hit.explanation
        total = sum(why.parts.values())
        undecayed = 1 / (1 + math.exp(-total)) if why.is_log_odds else total
        assert hit.score == pytest.approx(undecayed * why.decay)


@pytest.mark.parametrize("query", QUERIES)
def test_the_first_row_does_not_depend_on_how_many_are_wanted(filled: Engine, query: str) -> None:
    firsts = {
        tuple((hit.path, hit.first_line, hit.last_line, hit.score) for hit in answer[:1])
        for answer in (hits(filled, query, max_results=count) for count in (1, 6, 20))
    }
    assert len(firsts) == 1


def test_terms_are_found_somewhere_or_missing(filled: Engine) -> None:
    [hit, *_] = hits(filled, "boat memory submarine", mode=Mode.LEXICAL)
    assert hit.path == "MEMORY.md"
    assert hit.explanation.missing == ("submarine",)
    assert set(hit.explanation.matched["boat"]) == {"text"}
    assert {"heading", "path"} <= set(hit.explanation.matched["memory"])


def test_ranks_and_scores_of_both_lists_are_told(filled: Engine) -> None:
    by_words = hits(filled, "petrel", mode=Mode.LEXICAL)[0]
    assert by_words.explanation.lexical_rank == 1
    assert by_words.explanation.vector_rank is None
    assert by_words.text_score is not None
    by_meaning = hits(filled, "petrel", mode=Mode.VECTOR)[0]
    assert by_meaning.explanation.vector_rank is not None
    assert by_meaning.text_score is None
    assert by_meaning.vector_score is not None


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("蜂蜜", "memory/japan.md"),
        ("タワー", "memory/japan.md"),
        ("cafe creme", "memory/bees.md"),
        ("CAFÉ", "memory/bees.md"),
        ("hive", "memory/bees.md"),
    ],
)
def test_what_is_typed_otherwise_than_written_is_found(
    filled: Engine, query: str, path: str
) -> None:
    assert found(filled, query, Mode.LEXICAL, min_score=0.0)[0] == path


def test_age_never_silences_a_confident_match(
    new_engine: NewEngine, paths: Paths, tmp_path: Path
) -> None:
    decay = "{memorySearch: {query: {hybrid: {temporalDecay: {enabled: true, halfLifeDays: 7}}}}}"
    write_notes(paths.config, {"config.json5": decay})
    engine = new_engine(WordProvider())
    root = write_notes(tmp_path / "agent", {"memory/2019-01-05.md": "Petrel is the boat.\n"})
    indexed(engine, root)
    [hit] = ask(engine, "petrel boat").hits
    assert hit.explanation.decay < 1e-6
    assert hit.score < 0.35
