"""Rankings as people get them, through the engine and its settings."""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

import numpy as np
import pytest

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import Paths
from scrubjay.records.audience import AGENT, PERSON
from scrubjay.records.note_records import Source
from scrubjay.records.search_modes import Mode
from scrubjay.records.search_records import SearchRequest
from scrubjay.records.vectors import Vector
from scrubjay.search.collection_search import Collection
from scrubjay.search.searcher import Searcher
from support.providers import WordProvider
from support.vault import TIMEOUT, NewEngine, add, ask, found, indexed, write_notes

Daily: TypeAlias = Callable[[int], str]


def configured(new_engine: NewEngine, paths: Paths, query: str) -> Engine:
    """An engine with a `query` section of its own."""
    write_notes(paths.config, {"config.json5": f"{{memorySearch: {{query: {query}}}}}"})
    engine = new_engine()
    assert engine.settings.problems == ()
    return engine


@pytest.fixture
def daily() -> Daily:
    """Names the daily file of some days ago, counted from the same day in all of a test."""
    today = dt.date.today()
    return lambda days_ago: f"memory/{today - dt.timedelta(days=days_ago)}.md"


@pytest.mark.parametrize("fusion", ["adaptive", "weighted", "rrf"])
def test_recent_notes_come_first_when_age_counts(
    new_engine: NewEngine, paths: Paths, tmp_path: Path, daily: Daily, fusion: str
) -> None:
    engine = configured(
        new_engine,
        paths,
        f'{{minScore: 0, hybrid: {{fusion: "{fusion}", temporalDecay: {{enabled: true}}}}}}',
    )
    indexed(
        engine,
        write_notes(
            tmp_path / "agent",
            {
                daily(0): "Rod works Monday to Friday, standup at 14:15.\n",
                daily(7): "Rod works Monday to Friday, standup at 14:00.\n",
                daily(148): "Rod works Monday to Friday, standup at 10:00.\n",
            },
        ),
    )
    hits = ask(engine, "what's Rod's work schedule?").hits
    assert [hit.path for hit in hits] == [daily(0), daily(7), daily(148)]
    decays = [hit.explanation.decay for hit in hits]
    assert decays == pytest.approx([1.0, 0.85, 0.03], abs=0.01)


class CountingProvider(WordProvider):
    """Knows which queries it was asked for together."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[list[str]] = []

    def embed_queries(self, texts: Sequence[str]) -> list[Vector]:
        self.asked.append(list(texts))
        return super().embed_queries(texts)


def test_the_model_learns_of_all_alternatives_in_one_call(
    new_engine: NewEngine, notes: Path
) -> None:
    provider = CountingProvider()
    engine = new_engine(provider)
    indexed(engine, notes)
    provider.asked.clear()
    answer = ask(engine, "tomatoes OR router OR heron tag:a OR tag:b", Mode.HYBRID)
    assert answer.mode is Mode.HYBRID
    assert provider.asked == [["tomatoes", "router", "heron"]]
    # Words alone ask for nothing.
    provider.asked.clear()
    ask(engine, "violin OR piano", Mode.LEXICAL)
    assert provider.asked == []


class WordlessProvider(WordProvider):
    """Knows no word of any question."""

    def embed_queries(self, texts: Sequence[str]) -> list[Vector]:
        return [np.zeros(self.dimensions(), dtype=np.float32) for _ in texts]


@pytest.mark.parametrize("mode", list(Mode))
def test_a_question_without_a_meaning_is_answered_by_its_words(
    new_engine: NewEngine, notes: Path, mode: Mode
) -> None:
    engine = new_engine(WordlessProvider())
    indexed(engine, notes)
    [hit] = ask(engine, "router password", mode).hits
    assert (hit.path, 0 < hit.score <= 1) == ("house/router.md", True)


def test_evergreen_notes_do_not_fade(new_engine: NewEngine, paths: Paths, tmp_path: Path) -> None:
    engine = configured(new_engine, paths, "{hybrid: {temporalDecay: {enabled: true}}}")
    notes = {"MEMORY.md": "Rod likes tea.\n", "memory/people.md": "Rod, 42, likes tea.\n"}
    indexed(engine, write_notes(tmp_path / "agent", notes))
    hits = ask(engine, "Rod tea", min_score=0.0).hits
    assert {hit.path: hit.explanation.decay for hit in hits} == dict.fromkeys(notes, 1.0)


def test_age_counts_nothing_unless_it_is_switched_on(
    engine: Engine, tmp_path: Path, daily: Daily
) -> None:
    indexed(engine, write_notes(tmp_path / "agent", {daily(3000): "Rod likes tea.\n"}))
    [hit] = ask(engine, "Rod tea").hits
    assert hit.explanation.decay == 1.0


def test_near_duplicates_move_down_when_diversity_counts(
    new_engine: NewEngine, paths: Paths, tmp_path: Path
) -> None:
    same = "Configured the Omada router for the home network, set VLAN 10 for IoT devices"
    notes = {
        "memory/2026-02-10.md": f"{same} and tested the setup.\n",
        "memory/2026-02-08.md": f"{same} and saved the setup.\n",
        "memory/network.md": "Home network reference: ER605 gateway, access points, cables.\n",
        "memory/2026-02-05.md": "DNS of the home network: AdGuard with Quad9 upstream.\n",
    }
    root = write_notes(tmp_path / "agent", notes)
    plain, diverse = "mmr: {enabled: false}", "mmr: {enabled: true, lambda: 0.3}"
    orders = []
    for mmr in (plain, diverse):
        engine = configured(new_engine, paths, f"{{minScore: 0, maxResults: 3, hybrid: {{{mmr}}}}}")
        indexed(engine, root)
        orders.append(found(engine, "home network setup", Mode.HYBRID))
        engine.close()
    twins = {"memory/2026-02-10.md", "memory/2026-02-08.md"}
    assert set(orders[0][:2]) == twins
    assert len(twins & set(orders[1])) == 1
    assert orders[1][0] == orders[0][0]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("memory/2026-02-10.md", "memory/2026-02-10.md"),
        ("what is in `2026-02-10.md`?", "memory/2026-02-10.md"),
        ("2026-02-10", "memory/2026-02-10.md"),
        ("what happened on 10 February 2026", "memory/2026-02-10.md"),
        ("a828e60", "memory/work.md"),
        ("memorySearch.query.hybrid", "memory/work.md"),
        ("gpt-4", "memory/work.md"),
    ],
)
def test_an_exact_path_date_or_identifier_finds_its_note_first(
    engine: Engine, tmp_path: Path, query: str, first: str
) -> None:
    notes = {
        "memory/2026-02-10.md": "Walked in the rain, then rested.\n",
        "memory/2026-02-11.md": "After a day of rest: what happened with the rain?\n",
        "memory/work.md": "Commit a828e60 sets memorySearch.query.hybrid for gpt-4.\n",
        "memory/other.md": "Commits, queries and hybrids of memory: search a gpt, 4 of them.\n",
    }
    indexed(engine, write_notes(tmp_path / "agent", notes))
    assert found(engine, query, Mode.HYBRID, min_score=0.0)[0] == first


def test_yesterday_means_the_daily_note_of_yesterday(
    engine: Engine, tmp_path: Path, daily: Daily
) -> None:
    notes = {daily(n): f"Entry number {n}: rested and read.\n" for n in range(6)}
    indexed(engine, write_notes(tmp_path / "agent", notes))
    for query in ("what did I do yesterday", "¿qué hice ayer?"):
        assert found(engine, query, Mode.HYBRID, min_score=0.0)[0] == daily(1)


@pytest.mark.parametrize("mode", list(Mode))
def test_what_is_excluded_is_not_found_in_any_mode(engine: Engine, notes: Path, mode: Mode) -> None:
    indexed(engine, notes)
    assert "house/router.md" not in found(engine, "password tomatoes -fridge", mode, min_score=0.0)


@pytest.mark.parametrize("mode", list(Mode))
def test_what_is_in_quotes_is_in_every_hit(engine: Engine, notes: Path, mode: Mode) -> None:
    indexed(engine, notes)
    query = 'emma tomatoes "the fridge"'
    assert found(engine, query, mode, min_score=0.0) == ["house/router.md"]


@pytest.mark.parametrize("mode", list(Mode))
def test_people_find_what_is_in_quotes_as_it_was_written(
    engine: Engine, tmp_path: Path, mode: Mode
) -> None:
    others = {f"{n}.md": f"We met at lock {n}, on one egg each.\n" for n in range(60)}
    notes = {"cat.md": "The cat ate the Éclair.\n", "leaf.md": "Silver leaves.\n", **others}
    indexed(engine, write_notes(tmp_path / "meals", notes))

    def asked(query: str) -> list[str]:
        return found(engine, query, mode, min_score=0.0, audience=PERSON)

    assert asked('"ate"') == asked('"cat ATE the eclair"') == ["cat.md"]
    assert asked('"on egg"') == asked('"silver leaf"') == []
    assert asked('"silver leaves"') == ["leaf.md"]


def test_what_is_in_quotes_and_nobody_wrote_is_looked_for_by_its_words(
    engine: Engine, notes: Path
) -> None:
    indexed(engine, notes)
    assert found(engine, '"fridge on the password"', min_score=0.0) == ["house/router.md"]


def test_quotes_in_a_question_mark_a_title(engine: Engine, notes: Path) -> None:
    indexed(engine, notes)
    assert "people/emma.md" in found(engine, 'does Emma like "the fridge"?', min_score=0.0)


def test_a_word_that_is_empty_in_another_language_only_is_searched(
    engine: Engine, notes: Path
) -> None:
    indexed(engine, notes)
    assert set(found(engine, "sea water", min_score=0.0)) == {"people/emma.md", "garden.md"}


@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize("query", ["path:people violins water", "violins water path:people"])
def test_a_path_narrows_every_mode(engine: Engine, notes: Path, mode: Mode, query: str) -> None:
    indexed(engine, notes)
    assert found(engine, query, mode, min_score=0.0) == ["people/emma.md"]


def index_crowd(engine: Engine, folder: Path) -> None:
    """130 notes about the harbour, one of them in a folder of its own; a rare word elsewhere."""
    notes = {
        f"log/{n:03}.md": f"# Log {n}\n\nThe harbour was calm, the boat {n}.\n" for n in range(129)
    }
    rare = {"attic/box.md": "# Box\n\nA model of the harbour.\n", "zoo.md": "# Zoo\n\nA zebra.\n"}
    indexed(engine, write_notes(folder, notes | rare))


@pytest.fixture
def crowded(engine: Engine, tmp_path: Path) -> Engine:
    index_crowd(engine, tmp_path / "crowded")
    return engine


@pytest.mark.parametrize(
    ("mode", "min_score"), [(Mode.LEXICAL, None), (Mode.HYBRID, 0.0), (Mode.VECTOR, 0.0)]
)
def test_as_many_are_found_as_are_asked_for(
    crowded: Engine, mode: Mode, min_score: float | None
) -> None:
    asked = {
        count: found(crowded, "harbour", mode, max_results=count, min_score=min_score)
        for count in (1, 6, 20, 50, 100)
    }
    assert {count: len(paths) for count, paths in asked.items()} == {n: n for n in asked}
    assert {tuple(paths[:1]) for paths in asked.values()} == {tuple(asked[1])}
    assert len(set(asked[100])) == 100


@pytest.mark.parametrize("fusion", ["weighted", "rrf"])
def test_every_way_of_merging_finds_as_many_as_are_asked_for(
    new_engine: NewEngine, tmp_path: Path, paths: Paths, fusion: str
) -> None:
    engine = configured(new_engine, paths, f'{{hybrid: {{fusion: "{fusion}"}}}}')
    index_crowd(engine, tmp_path / "crowded")
    hits = ask(engine, "harbour", max_results=100, min_score=0.0).hits
    assert len({hit.path for hit in hits}) == 100
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


@pytest.mark.limits(most_postings=10)
@pytest.mark.parametrize("mode", list(Mode))
def test_a_rare_path_is_searched_whole_whatever_is_elsewhere(crowded: Engine, mode: Mode) -> None:
    """Also by the word that is common elsewhere, which alone is not worth looking for."""
    assert found(crowded, "zebra harbour path:attic", mode, min_score=0.0) == ["attic/box.md"]


@pytest.mark.parametrize("mode", list(Mode))
def test_what_is_left_when_a_word_is_excluded_is_found_behind_all_that_has_it(
    crowded: Engine, mode: Mode
) -> None:
    assert found(crowded, "harbour -calm", mode, min_score=0.0)[:1] == ["attic/box.md"]


def test_sources_narrow_a_search(engine: Engine, tmp_path: Path) -> None:
    extra = write_notes(tmp_path / "library", {"zoo.md": "A zebra in a book.\n"}).as_posix()
    write_notes(
        engine.paths.config, {"config.json5": f'{{memorySearch: {{extraPaths: ["{extra}"]}}}}'}
    )
    engine.close()
    again = Engine(engine.paths, provider=WordProvider())
    try:
        indexed(again, write_notes(tmp_path / "agent", {"MEMORY.md": "A zebra in memory.\n"}))
        by_source = {
            source: found(again, "zebra", sources=frozenset({source}))
            for source in (Source.MEMORY, Source.EXTRA, Source.NOTES)
        }
        assert by_source == {
            Source.MEMORY: ["MEMORY.md"],
            Source.EXTRA: ["library/zoo.md"],
            Source.NOTES: [],
        }
    finally:
        again.close()


def test_a_threshold_lets_weak_meaning_in_only_when_it_is_low(engine: Engine, notes: Path) -> None:
    indexed(engine, notes)
    assert found(engine, "xylophone quartz", Mode.HYBRID) == []
    assert len(found(engine, "sea water fridge", Mode.VECTOR, min_score=0.0)) == 3
    assert found(engine, "sea water fridge", Mode.VECTOR, min_score=1.0) == []


def test_synonyms_of_ones_own_are_used(new_engine: NewEngine, paths: Paths, notes: Path) -> None:
    write_notes(
        paths.config,
        {
            "config.json5": """{memorySearch: {provider: "none", queryExpansion: {
                synonyms: {icebox: ["fridge"]}}}}"""
        },
    )
    engine = new_engine()
    indexed(engine, notes)
    assert found(engine, "icebox") == ["house/router.md"]


@pytest.mark.parametrize(
    ("question", "path"),
    [("contraseña", "house/router.md"), ("el jardín", "garden.md"), ("casa", "house/router.md")],
)
def test_a_spanish_question_finds_an_english_note(
    engine: Engine, notes: Path, question: str, path: str
) -> None:
    indexed(engine, notes)
    assert found(engine, question)[0] == path


def test_a_word_counts_more_than_its_translation(engine: Engine, tmp_path: Path) -> None:
    notes = {"a.md": "Zzz deberes zzz.\n", "b.md": "Zzz homework zzz.\n"}
    indexed(engine, write_notes(tmp_path / "words", notes))
    assert found(engine, "homework") == ["b.md", "a.md"]
    assert found(engine, "deberes") == ["a.md", "b.md"]


PAIRS = """
perro dog, perra dog, gato cat, mascota pet, almuerzo lunch, almorzar lunch, almorcé lunch,
cena dinner, desayuno breakfast, comida food, camarón shrimp, camarones shrimp, mariscos seafood,
marisco seafood, alergia allergy, alérgico allergic, alergico allergic, cumpleaños birthday,
nombre name, llamar name, llama name, ayer yesterday, mañana tomorrow, semana week, mes month,
año year, proyecto project, reunión meeting, reunion meeting, tarea task, pendiente pending,
pendientes pending, nota note, notas notes, favorito favorite, favorita favorite,
mariscos shrimp, langosta lobster, cangrejo crab, pescado fish, gambas shrimps, langostas lobsters,
favoritas favorites, meses months, cangrejos crabs
"""
"""Words of two languages that find each other, as facts from ClawCode's list, and plurals."""


@pytest.mark.parametrize(
    ("question", "expected"),
    [("bathtub", ["a.md"]), ("the bathtub ", ["a.md"]), ("tubbath", []), ("bathroom", ["b.md"])],
)
def test_a_word_that_notes_write_as_two_is_found(
    engine: Engine, tmp_path: Path, question: str, expected: list[str]
) -> None:
    notes = {"a.md": "The only room with a bath tub.", "b.md": "Bathroom on the left, no room."}
    indexed(engine, write_notes(tmp_path / "words", notes), words_only=True)
    assert found(engine, question, audience=PERSON) == expected


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("el fin de las vacaciones", "fines"),
        ("los fines de la asociación", "fin"),
        ("alergia a los gatos", "alérgica"),
        ("la directora del colegio", "director"),
        ("el alemán que vino", "alemana"),
        ("una gata en el jardín", "gatos"),
        ("shelf for jars", "shelves"),
        ("allergy of the boy", "allergic"),
        ("crisis in the team", "crises"),
    ],
)
def test_a_near_form_is_a_form(engine: Engine, tmp_path: Path, question: str, word: str) -> None:
    indexed(
        engine, write_notes(tmp_path / "words", {"a.md": f"Zzz {word} zzz.\n"}), words_only=True
    )
    assert found(engine, question, min_score=0.0) == ["a.md"]


def test_a_word_finds_its_counterpart_in_the_other_language(engine: Engine, tmp_path: Path) -> None:
    pairs = [pair.split() for pair in PAIRS.split(",")]
    words = sorted({word for pair in pairs for word in pair})
    notes = {f"{word}.md": f"Zzz {word} zzz.\n" for word in words}
    folder = write_notes(tmp_path / "words", notes)
    # After midnight, *ayer* would be the day on which the notes were written.
    for file in folder.iterdir():
        os.utime(file, (1_600_000_000, 1_600_000_000))
    indexed(engine, folder, words_only=True)
    missing = [
        (typed, wanted)
        for pair in pairs
        for typed, wanted in (pair, pair[::-1])
        if f"{wanted}.md" not in found(engine, typed, max_results=50, min_score=0.0)
    ]
    assert missing == []


@pytest.mark.parametrize(
    ("typed", "other"),
    [
        ("camarón", "camera"), ("camera", "camarón"), ("camarones", "chamber"),
        ("éxito", "exit"), ("ropa", "rope"), ("carpeta", "carpet"), ("sopa", "soap"),
        ("decepción", "deception"), ("injuria", "injury"), ("sales", "salt"), ("front", "border"),
        ("preservativo", "preservative"), ("vienen los niños", "deer"), ("jueves", "young"),
    ],
)  # fmt: skip
def test_a_word_is_not_taken_for_one_that_looks_alike(
    engine: Engine, tmp_path: Path, typed: str, other: str
) -> None:
    notes = {"note.md": f"The {other} is here.\n", "else.md": "Nothing of that.\n"}
    root = write_notes(tmp_path / "words", notes)
    for name in notes:  # on a Thursday "jueves" asks for what was written today
        os.utime(root / name, (0, 0))
    indexed(engine, root, words_only=True)
    assert found(engine, typed, min_score=0.0) == []


def test_the_model_that_is_named_is_the_one_whose_vectors_answered(
    new_engine: NewEngine, paths: Paths, tmp_path: Path
) -> None:
    """As during a switch, when one index has new vectors already and another one has not."""
    texts = {"old": "The tomatoes need water.", "new": "Emma likes violins."}
    providers: dict[str, WordProvider] = {}
    collections: list[Collection] = []
    for name, text in texts.items():
        provider = WordProvider(name)
        provider.model = f"the {name} model"
        providers[provider.identity()] = provider
        engine = new_engine(provider)
        workspace = add(engine, write_notes(tmp_path / name, {"note.md": f"{text}\n"}))
        engine.refresh(workspace).result(TIMEOUT)
        file = paths.indexes / f"{workspace.id}.sqlite"
        collections.append(Collection(workspace, file, engine.settings.settings.memory_search))
        engine.close()
    searcher = Searcher(providers.__getitem__)
    try:
        for text, model in (("tomatoes water", "old"), ("violins of Emma", "new")):
            request = SearchRequest(text, mode=Mode.VECTOR, min_score=0.0)
            result = searcher.search(request, collections, CancelToken())
            assert result.hits[0].workspace == model
            assert result.model == f"the {model} model"
    finally:
        searcher.close()


def test_words_alone_name_no_model(engine: Engine, tmp_path: Path) -> None:
    indexed(engine, write_notes(tmp_path / "agent", {"MEMORY.md": "Rod likes tea.\n"}))
    answer = ask(engine, "tea", Mode.LEXICAL)
    assert (answer.provider, answer.model) == ("none", "")
    assert ask(engine, "tea").model == "hashed words"


@pytest.mark.parametrize(
    ("query", "is_typing", "is_unknown"),
    [
        ("what did they say about Oslo?", False, False),
        ("what did they say about Ursula?", False, True),
        ("what did they say about Oslo Nowhere?", False, False),
        ("what did they say in Oslo about Ursula?", False, False),
        # It may become a name that is known.
        ("what did they say about Os", True, False),
    ],
)
def test_a_name_that_nobody_wrote_makes_an_answer_less_sure(
    engine: Engine, tmp_path: Path, query: str, is_typing: bool, is_unknown: bool
) -> None:
    """Written small, the same word is one that may be said in another way."""
    indexed(engine, write_notes(tmp_path / "agent", {"MEMORY.md": "They say that Oslo is cold.\n"}))
    scores = [
        ask(engine, text, audience=PERSON if is_typing else AGENT, min_score=0.0).hits[0].score
        for text in (query, query.lower())
    ]
    assert (scores[0] < scores[1]) == is_unknown
    assert scores[0] <= scores[1]


DAYS = {
    "2026-02-01.md": "Planted garlic.\n",
    "2026-02-02.md": "Called the plumber.\n",
    "house.md": "The plumber came on 2 February 2026.\n",
}


def test_a_question_about_a_day_is_kept_to_the_days_it_names(
    engine: Engine, tmp_path: Path
) -> None:
    indexed(engine, write_notes(tmp_path / "notes", DAYS), words_only=True)
    assert found(engine, "2 February 2026")[:2] == ["2026-02-02.md", "house.md"]
    assert found(engine, "in February 2026")[:2] == ["2026-02-02.md", "2026-02-01.md"]
    assert found(engine, "1-2 February 2026")[:2] == ["2026-02-02.md", "2026-02-01.md"]
    assert "2026-02-01.md" not in found(engine, "in February 2026 after:2026-02-02")


@pytest.mark.parametrize("mode", [Mode.LEXICAL, Mode.HYBRID])
def test_a_persons_question_about_a_day_brings_its_notes_and_mentions_alone(
    engine: Engine, tmp_path: Path, mode: Mode
) -> None:
    notes = DAYS | {
        "Reunión 5-2-2026.md": "Presupuesto.\n",
        "taxonomy.md": "February fairs: a taxonomy of days and years.\n",
    }
    indexed(engine, write_notes(tmp_path / "notes", notes))
    assert found(engine, "2 February 2026", mode, audience=PERSON) == ["2026-02-02.md", "house.md"]
    assert found(engine, "5-2-2026", mode, audience=PERSON) == ["Reunión 5-2-2026.md"]
    assert found(engine, "February", mode, audience=PERSON)[-1] == "taxonomy.md"


@pytest.mark.parametrize("question", ["past 5 days", "past 40 days", "los últimos 40 días"])
def test_a_person_gets_the_notes_of_a_time_with_the_newest_first(
    engine: Engine, tmp_path: Path, daily: Daily, question: str
) -> None:
    notes = [daily(n) for n in range(5 if "5" in question else 40)]
    indexed(engine, write_notes(tmp_path / "notes", dict.fromkeys(notes, "Rested.\n")))
    assert found(engine, question, audience=PERSON) == notes[:30]
    assert found(engine, question, audience=PERSON, max_results=3) == notes[:3]


def test_a_word_for_a_time_is_also_a_word(engine: Engine, tmp_path: Path, daily: Daily) -> None:
    notes = {
        daily(1): "Rested.\n",
        "Mañana.md": "# Mañana\n\nFichas para la clase.\n",
        "organ.md": "She plays the organ on Sundays, yesterday too.\n",
    }
    indexed(engine, write_notes(tmp_path / "notes", notes))

    def asked(query: str) -> list[str]:
        return found(engine, query, Mode.HYBRID, audience=PERSON)

    assert asked("mañana") == asked('"mañana"') == ["Mañana.md"]
    assert asked("yesterday") == [daily(1), "organ.md"]
    assert asked('"yesterday"') == ["organ.md"]
    assert asked("what did I do yesterday") == [daily(1)]
    assert asked("sunday")[-1] == "organ.md"


def test_a_persons_question_about_a_day_without_notes_brings_none(
    engine: Engine, tmp_path: Path, daily: Daily
) -> None:
    notes = {"animals.md": "The lions of three savannas.\n", daily(4): "Día de descanso.\n"}
    indexed(engine, write_notes(tmp_path / "notes", notes))
    answer = ask(engine, "hace tres días", Mode.HYBRID, audience=PERSON)
    day = dt.date.today() - dt.timedelta(3)
    assert (answer.hits, answer.days) == ((), (day, day))
    assert found(engine, "hace cuatro días", Mode.HYBRID, audience=PERSON) == [daily(4)]


def test_a_person_gets_no_note_with_an_unwanted_word_anywhere_and_may_ask_for_a_tag(
    new_engine: NewEngine, tmp_path: Path
) -> None:
    engine = new_engine(WordProvider())
    long = "# Diary\n\n" + "The heating was warm today, and so on.\n\n" * 200 + "A boiler broke.\n"
    notes = {
        "diary.md": long,
        "school.md": "Heating at school. #pedagogy\n",
        "tagged.md": "---\ntags: [other]\n---\nA note with a tag.\n",
    }
    indexed(engine, write_notes(tmp_path / "notes", notes))
    for mode in (Mode.LEXICAL, Mode.HYBRID):
        assert found(engine, "heating -boiler", mode, audience=PERSON) == ["school.md"]
    for text in ("tag:pedagogy", "tag:#pedagogy"):
        assert found(engine, text, audience=PERSON) == ["school.md"]


def test_a_guess_in_one_folder_is_weighed_against_what_another_one_holds(
    new_engine: NewEngine, tmp_path: Path
) -> None:
    engine = new_engine(WordProvider("10", {"nuts": "walnut"}))
    home = write_notes(tmp_path / "home", {"tree.md": "A walnut for the garden.\n"})
    school = write_notes(tmp_path / "school", {"class.md": "No nuts for Kim, an allergy.\n"})
    indexed(engine, home)
    [guess] = ask(engine, "allergy nuts", min_score=0.0).hits
    indexed(engine, school)
    right, same = ask(engine, "allergy nuts", min_score=0.0).hits
    assert [right.path, same.path] == ["class.md", "tree.md"]
    assert same.score < guess.score
    trust = [each.explanation.parts["meaning_trust"] for each in (guess, same)]
    assert trust[1] < trust[0]
