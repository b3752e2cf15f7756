"""Settings of search as the contract words them: its examples, and several folders at once."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from pathlib import Path

import pytest

from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import Paths
from scrubjay.records.search_modes import Mode
from scrubjay.search.query.query_parser import parse_query
from support.vault import NewEngine, ask, found, indexed, write_notes

_SHARES = 'fusion: "weighted", vectorWeight: 0.7, textWeight: 0.3'


def engine_with(new_engine: NewEngine, paths: Paths, settings: str) -> Engine:
    """An engine whose settings file holds these keys."""
    write_notes(paths.config, {"config.json5": f"{{{settings}}}"})
    engine = new_engine()
    assert engine.settings.problems == ()
    return engine


def with_hybrid(new_engine: NewEngine, paths: Paths, hybrid: str) -> Engine:
    return engine_with(new_engine, paths, f"memorySearch: {{query: {{hybrid: {{{hybrid}}}}}}}")


CELLAR = {
    "memory/2026-03-12.md": "Cellar light: new dimmer, relay 4 switches the lamps at the stairs.\n",
    "memory/2026-03-10.md": "Cellar light: a dimmer, relay 4 switches lamps at the stairs.\n",
    "memory/2026-03-07.md": "Light sensor for the shed ordered.\n",
    "memory/wiring.md": "Cellar reference: fuse box, light circuits, meter.\n",
}


@pytest.mark.parametrize(
    ("mmr", "places"),
    [
        ("", ["memory/2026-03-12.md", "memory/2026-03-10.md", "memory/wiring.md"]),
        (
            ", mmr: {enabled: true, lambda: 0.7}",
            ["memory/2026-03-12.md", "memory/wiring.md", "memory/2026-03-07.md"],
        ),
    ],
)
def test_a_near_duplicate_drops_out_where_different_results_are_wanted(
    new_engine: NewEngine, paths: Paths, tmp_path: Path, mmr: str, places: list[str]
) -> None:
    engine = with_hybrid(new_engine, paths, _SHARES + mmr)
    indexed(engine, write_notes(tmp_path / "agent", CELLAR))
    question = "new cellar light dimmer"
    assert found(engine, question, Mode.HYBRID, max_results=3) == places


def test_different_results_never_lift_a_note_that_is_beside_the_point(
    new_engine: NewEngine, paths: Paths, tmp_path: Path
) -> None:
    engine = with_hybrid(new_engine, paths, "mmr: {enabled: true, lambda: 0.7}")
    cat = {"MEMORY.md": "# Memory\n\nThe cat is called Minka.\n"}
    indexed(engine, write_notes(tmp_path / "agent", {**CELLAR, **cat}))
    hits = ask(engine, "new cellar light dimmer", min_score=0.0, max_results=20).hits
    scores = [hit.score for hit in hits if hit.score < 0.35]
    assert scores == sorted(scores, reverse=True)
    assert hits[-1].path == "MEMORY.md" or "MEMORY.md" not in {hit.path for hit in hits}


@pytest.mark.parametrize("fusion", ["weighted", "rrf"])
@pytest.mark.parametrize("decays", [False, True])
def test_a_stale_note_is_last_where_newer_ones_come_first(
    new_engine: NewEngine, paths: Paths, tmp_path: Path, fusion: str, decays: bool
) -> None:
    today = dt.date.today()
    old, week, new = (f"memory/{today - dt.timedelta(days=days)}.md" for days in (148, 7, 0))
    notes = {
        old: "Ines and her work schedule: Tuesday to Saturday.\n",
        new: "Ines has a new schedule, oven at 13:45, then Pau.\n",
        week: "Ines joined the bakery, her schedule moved to 13:15.\n",
    }
    decay = f"temporalDecay: {{enabled: {str(decays).lower()}, halfLifeDays: 30}}"
    engine = with_hybrid(new_engine, paths, f'fusion: "{fusion}", {decay}')
    indexed(engine, write_notes(tmp_path / "agent", notes))
    hits = ask(engine, "what is the work schedule of Ines?").hits
    if not decays:
        assert hits[0].path == old
        return
    assert [hit.path for hit in hits] == [new, week, old]
    assert [hit.explanation.decay for hit in hits] == pytest.approx([1.0, 0.85, 0.03], abs=0.01)


LONGER = {
    **{f"day{n}.md": f"Walked to the mill, day {n}.\n" for n in range(12)},
    "dns.md": "The sparrowhawk took a finch.\n",
}


def test_without_vectors_the_score_of_the_words_stands_alone(
    new_engine: NewEngine, paths: Paths, tmp_path: Path
) -> None:
    engine = with_hybrid(new_engine, paths, _SHARES)
    indexed(engine, write_notes(tmp_path / "birds", LONGER), words_only=True)
    [hit] = ask(engine, "sparrowhawk finch", Mode.LEXICAL).hits
    assert (hit.path, hit.score) == ("dns.md", hit.text_score)
    assert hit.explanation.parts == {"meaning": 0.0, "words": hit.text_score}


def test_without_words_the_score_of_the_meaning_stands_alone(
    new_engine: NewEngine, paths: Paths, tmp_path: Path
) -> None:
    engine = with_hybrid(new_engine, paths, _SHARES)
    indexed(engine, write_notes(tmp_path / "birds", LONGER))
    hit = ask(engine, "sparrowhawk finch", Mode.VECTOR).hits[0]
    assert (hit.path, hit.score) == ("dns.md", hit.vector_score)


@pytest.mark.parametrize("fusion", ["weighted", "rrf"])
@pytest.mark.parametrize("notes", [LONGER, {"dns.md": "The sparrowhawk took a finch.\n"}])
def test_a_note_with_every_word_passes_the_threshold_whatever_its_score(
    new_engine: NewEngine, paths: Paths, tmp_path: Path, fusion: str, notes: dict[str, str]
) -> None:
    """In a folder with one note no word tells anything, so its score is next to nothing."""
    engine = with_hybrid(new_engine, paths, f'fusion: "{fusion}", vectorWeight: 0.9')
    indexed(engine, write_notes(tmp_path / "birds", notes), words_only=True)
    assert found(engine, "sparrowhawk finch") == ["dns.md"]
    assert found(engine, "sparrowhawk zeppelin", min_score=0.99) == []


@pytest.mark.parametrize("text_weight", [0.0, 0.3, 1.0])
def test_a_score_is_the_sum_of_both_shares(
    new_engine: NewEngine, paths: Paths, tmp_path: Path, text_weight: float
) -> None:
    shares = f"vectorWeight: {1 - text_weight}, textWeight: {text_weight}"
    engine = with_hybrid(new_engine, paths, f'fusion: "weighted", {shares}')
    indexed(engine, write_notes(tmp_path / "birds", LONGER))
    hit = ask(engine, "sparrowhawk at the mill", min_score=0.0).hits[0]
    parts = {
        "meaning": (1 - text_weight) * (hit.vector_score or 0.0),
        "words": text_weight * (hit.text_score or 0.0),
    }
    assert hit.explanation.parts == pytest.approx(parts)
    assert hit.score == pytest.approx(sum(parts.values()))


def test_meaning_alone_is_searched_where_both_together_are_switched_off(
    new_engine: NewEngine, paths: Paths, tmp_path: Path
) -> None:
    engine = with_hybrid(new_engine, paths, "enabled: false")
    indexed(engine, write_notes(tmp_path / "birds", LONGER))
    answer = ask(engine, "sparrowhawk finch")
    assert (answer.mode, answer.hits[0].path) == (Mode.VECTOR, "dns.md")
    assert answer.hits[0].text_score is None
    assert ask(engine, "sparrowhawk finch", Mode.LEXICAL).hits[0].text_score


def test_words_answer_where_meaning_alone_is_wanted_and_there_is_none(
    new_engine: NewEngine, paths: Paths, tmp_path: Path
) -> None:
    engine = with_hybrid(new_engine, paths, "enabled: false")
    indexed(engine, write_notes(tmp_path / "birds", LONGER), words_only=True)
    answer = ask(engine, "sparrowhawk finch")
    assert (answer.mode, answer.hits[0].path) == (Mode.LEXICAL, "dns.md")


def two_folders(
    new_engine: NewEngine, paths: Paths, tmp_path: Path, m1: str, shared: str
) -> Engine:
    """Two folders with nine notes each about an otter; the first has settings of its own."""
    own = f"{{id: 'm1', memorySearch: {{{m1}}}}}"
    settings = f"memorySearch: {{{shared}}}, agents: {{list: [{own}]}}"
    engine = engine_with(new_engine, paths, settings)
    for name in ("m1", "m2"):
        notes = {f"{name}-{n}.md": f"An otter near pier {n}.\n" for n in range(9)}
        indexed(engine, write_notes(tmp_path / name, notes), words_only=True)
    return engine


def counts(engine: Engine, query: str, **fields: object) -> dict[str, int]:
    """Number of hits in each folder."""
    return dict(Counter(hit.workspace for hit in ask(engine, query, Mode.LEXICAL, **fields).hits))


@pytest.mark.parametrize(
    ("own", "shared", "asked", "total", "most"),
    [(2, 5, None, 5, 2), (2, 14, None, 11, 2), (9, 4, None, 4, 4), (2, 4, 12, 12, 9)],
)
def test_a_folder_has_its_own_number_of_places_among_the_shared_ones(
    new_engine: NewEngine,
    paths: Paths,
    tmp_path: Path,
    own: int,
    shared: int,
    asked: int | None,
    total: int,
    most: int,
) -> None:
    places = f"query: {{maxResults: {own}}}", f"query: {{maxResults: {shared}, minScore: 0}}"
    engine = two_folders(new_engine, paths, tmp_path, *places)
    found_in = counts(engine, "otter pier", max_results=asked)
    assert (sum(found_in.values()), found_in["m1"] <= most) == (total, True)


def test_each_folder_has_its_own_threshold(
    new_engine: NewEngine, paths: Paths, tmp_path: Path
) -> None:
    shared = "query: {minScore: 0.99, maxResults: 50}"
    engine = two_folders(new_engine, paths, tmp_path, "query: {minScore: 0}", shared)
    assert counts(engine, "otter swims") == {"m1": 9}
    assert counts(engine, "otter swims", min_score=0.0) == {"m1": 9, "m2": 9}


def test_each_folder_has_its_own_words(new_engine: NewEngine, paths: Paths, tmp_path: Path) -> None:
    own = 'queryExpansion: {synonyms: {lutra: ["otter"]}}'
    engine = two_folders(new_engine, paths, tmp_path, own, "query: {maxResults: 50}")
    assert set(counts(engine, "lutra", min_score=0.0)) == {"m1"}


@pytest.mark.parametrize("own", [True, False])
def test_each_folder_is_diverse_by_itself(
    new_engine: NewEngine, paths: Paths, tmp_path: Path, own: bool
) -> None:
    mmr = "query: {{maxResults: 50, minScore: 0, hybrid: {{mmr: {{enabled: {}}}}}}}"
    on, off = (mmr.format(str(value).lower()) for value in (own, not own))
    engine = two_folders(new_engine, paths, tmp_path, on, off)
    hits = ask(engine, "otter pier", Mode.LEXICAL).hits
    moved = {hit.workspace for hit in hits if hit.explanation.diversity_penalty}
    assert moved == {"m1" if own else "m2"}


@pytest.mark.parametrize(
    ("switch", "question", "beginning"),
    [("translations", "camarones", "memory/food"), ("dates", "yesterday", "memory/20")],
)
def test_each_step_can_be_switched_off(
    new_engine: NewEngine, paths: Paths, tmp_path: Path, switch: str, question: str, beginning: str
) -> None:
    # After midnight, today is yesterday.
    today = dt.date.today()
    days = {f"memory/{today - dt.timedelta(days=ago)}.md": "Called Ines.\n" for ago in (0, 1)}
    folder = write_notes(tmp_path / "agent", {"memory/food.md": "Shrimp for dinner.\n", **days})
    engine = engine_with(new_engine, paths, "")
    indexed(engine, folder, words_only=True)
    [path] = found(engine, question)
    assert path.startswith(beginning)
    engine.close()
    text = paths.config_file.read_text().rstrip().removesuffix("}").rstrip().rstrip(",")
    off = f"{text}, memorySearch: {{queryExpansion: {{{switch}: false}}}}}}"
    write_notes(paths.config, {"config.json5": off})
    assert found(new_engine(), question) == []


def test_small_words_count_where_they_are_not_looked_past() -> None:
    assert [term.text for term in parse_query("the jay").keywords] == ["jay"]
    assert [term.text for term in parse_query("the jay", has_stop_words=False).keywords] == [
        "the",
        "jay",
    ]
