"""The order of a person's answer: as typed, begun, mended, near; and what stands below it."""

from __future__ import annotations

import datetime as dt
import random
from pathlib import Path

import pytest

from scrubjay.engine.engine import Engine
from scrubjay.records.audience import PERSON
from scrubjay.records.search_modes import Mode
from scrubjay.search.ranking.decay_and_selection import MOST_PERHAPS
from support.providers import WordProvider
from support.vault import NewEngine, ask, found, indexed, write_notes

WORDS = {
    "pond": "pondweed",
    "heat": "heathers",
    "book": "bookshelf",
    "plan": "planetarium",
    "tomato": "tomatoland",
}
"""Words, and longer ones that only begin like them."""
FILLER = [
    "the",
    "cat",
    "sat",
    "beside",
    "a",
    "wall",
    "and",
    "looked",
    "into",
    "rain",
    "while",
    "nobody",
    "rang",
    "us",
    "that",
    "quiet",
    "day",
]
MODES = (Mode.LEXICAL, Mode.HYBRID)
YEAR = dt.date.today().year - (dt.date.today().month < 11)
"""That of the November next to today."""
MEETINGS = (f"{YEAR}-11-04", f"{YEAR}-09-02", f"{YEAR - 2}-11-07")


@pytest.fixture
def searched(new_engine: NewEngine) -> Engine:
    synonyms = {"lagoon": "pond", "radiator": "heat", "novel": "book"}
    return new_engine(provider=WordProvider("1", synonyms))


def closeness(text: str, typed: list[str]) -> int:
    """2: every word is in a text, 1: the last one only begins a word, 0: one is missing."""
    words = text.lower().split()
    if not all(word in words for word in typed[:-1]):
        return 0
    if typed[-1] in words:
        return 2
    return int(any(word.startswith(typed[-1]) for word in words))


def test_every_word_as_typed_stands_before_words_begun_and_these_before_all_others(
    searched: Engine, tmp_path: Path
) -> None:
    chance = random.Random(1)
    forms = [*WORDS, *WORDS.values(), "lagoon", "radiator", "novel"]
    notes: dict[str, str] = {}
    for number in range(60):
        words = chance.choices(FILLER, k=chance.randint(5, 200))
        words += chance.choices(forms, k=chance.randint(0, 6))
        chance.shuffle(words)
        notes[f"{number}.md"] = f"# Note {number}\n\n{' '.join(words)}\n"
    indexed(searched, write_notes(tmp_path / "notes", notes))
    pairs = [[word, other] for word in WORDS for other in WORDS if word != other]
    for typed in [*([word] for word in WORDS), *pairs]:
        best = max(closeness(text, typed) for text in notes.values())
        for mode in MODES:
            hits = ask(searched, " ".join(typed), mode, audience=PERSON, max_results=20).hits
            order = [closeness(notes[hit.path], typed) for hit in hits]
            assert order == sorted(order, reverse=True), typed
            assert order[0] == best, typed
            assert [bool(rank) for rank in order] == [not (best and hit.is_perhaps) for hit in hits]
            assert sum(hit.is_perhaps for hit in hits) <= MOST_PERHAPS


def test_a_word_as_typed_stands_before_one_that_is_mended_elsewhere(
    engine: Engine, tmp_path: Path
) -> None:
    long = f"A quince, {'and much else about other things ' * 20}"
    indexed(engine, write_notes(tmp_path / "one", {"typed.md": long}), words_only=True)
    two = {"mended.md": "# Quines\n\nQuines, quines, quines."}
    indexed(engine, write_notes(tmp_path / "two", two), words_only=True)
    assert found(engine, "quince", audience=PERSON) == ["typed.md", "mended.md"]
    [typed, mended] = ask(engine, "quince", audience=PERSON).hits
    assert (typed.is_perhaps, mended.is_perhaps) == (False, True)


@pytest.mark.parametrize(
    ("typed", "path", "is_sure"),
    [
        ("missi", "lost.md", True),
        ("missin", "lost.md", True),
        ("necesar", "spelling.md", False),
        ("nesess", "spelling.md", False),
        ("nesessar", "spelling.md", False),
        ("photosintes", "leaves.md", False),
        ("the lost rabbit on the bus gnarfl", "lost.md", True),
    ],
)
def test_a_word_on_its_way_keeps_the_note(
    engine: Engine, tmp_path: Path, typed: str, path: str, is_sure: bool
) -> None:
    notes = {
        "lost.md": "The rabbit went missing, lost on the bus.",
        "spelling.md": "Words to learn: necessary, rhythm.",
        "leaves.md": "A lesson on photosynthesis.",
    }
    indexed(engine, write_notes(tmp_path / "notes", notes), words_only=True)
    answer = ask(engine, typed, Mode.LEXICAL, audience=PERSON)
    assert [hit.path for hit in (answer.hits or answer.uncertain)][:1] == [path]
    assert bool(answer.hits) is is_sure
    assert found(engine, "fish", audience=PERSON) == []


@pytest.mark.parametrize(
    ("question", "marked"),
    [
        ("eat", {"eat", "eating"}),
        ("can't", {"can't"}),
        ("presentation", {"presentation", "presentations"}),
        ("presenta", {"presentation", "presentations"}),
        ("presentaton", {"presentation", "presentations", "presents", "presenter"}),
        ("present ", {"presents"}),
    ],
)
def test_forms_of_a_word_are_marked_and_no_other_word(
    engine: Engine, tmp_path: Path, question: str, marked: set[str]
) -> None:
    text = (
        "At noon they eat; eating can wait. One can't say more. The presenter has presents, a "
        "presentation and two presentations."
    )
    indexed(engine, write_notes(tmp_path / "notes", {"a.md": text}), words_only=True)
    answer = ask(engine, question, Mode.LEXICAL, audience=PERSON)
    [hit] = answer.hits or answer.uncertain
    shown = hit.snippet
    assert {shown.text[span.start : span.end].lower() for span in shown.spans} == marked


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("ate", {"cake.md"}),
        ("evening", {"party.md", "parents/Parents evening.md"}),
        ("one", {"list.md"}),
        ("use", {"tools.md"}),
        ("used", {"tools.md"}),
        ("ones", {"list.md"}),
    ],
)
@pytest.mark.parametrize("mode", MODES)
def test_a_word_is_not_found_by_the_stop_word_that_is_its_stem(
    engine: Engine, tmp_path: Path, mode: Mode, question: str, expected: set[str]
) -> None:
    notes = {
        "cake.md": "Tom ate two slices.",
        "party.md": "Cake in the evening.",
        "parents/Parents evening.md": "In the hall, six o'clock.",
        "list.md": "Only one page.",
        "tools.md": "What we use in the garden.",
    }
    notes |= {f"at{n}.md": f"At {n}, at noon, even on the day; on us, even." for n in range(60)}
    indexed(engine, write_notes(tmp_path / "notes", notes), words_only=True)
    hits = ask(engine, question, mode, audience=PERSON, max_results=20).hits
    assert {hit.path for hit in hits if not hit.is_perhaps} == expected
    assert not any({"at", "on", "us", "even"} & hit.explanation.words.keys() for hit in hits)


NUTS = {
    "Lucía.md": "# Lucía Ferrer (3B)\n\nAlérgica a los frutos secos, lleva una pluma.\n",
    "Birds.md": "# Birds\n\nWhat birds eat in winter: seeds and fat.\n",
    "Lessons.md": "# Lessons\n\nWhat we should eat every day and what we eat seldom.\n",
    **{f"{day}.md": f"We eat out with Ana, lesson {day}, song at the end.\n" for day in range(20)},
}


@pytest.mark.parametrize(
    ("mode", "other", "row"),
    [
        (Mode.LEXICAL, "Cards with bread and fish.", 0),
        (Mode.LEXICAL, "We eat bread, fruit and nuts.", 1),
        (Mode.HYBRID, "We eat bread, fruit and nuts.", 1),
    ],
)
def test_a_rare_word_in_the_other_language_tells_more_than_a_common_one(
    searched: Engine, tmp_path: Path, mode: Mode, other: str, row: int
) -> None:
    notes = {**NUTS, "Pyramid.md": f"# Food pyramid\n\n{other}\n"}
    indexed(searched, write_notes(tmp_path / "notes", notes))
    answer = ask(searched, "who can't eat nuts ", mode, audience=PERSON, max_results=10)
    paths = [hit.path for hit in answer.hits or answer.uncertain]
    assert paths.index("Lucía.md") == row, paths


def test_words_as_typed_stand_before_translated_ones_over_all_folders(
    engine: Engine, tmp_path: Path
) -> None:
    english = {"Dentist.md": "# Dentist\n\nAn appointment in May; call for an appointment."}
    spanish = {
        "Consejo.md": "# Consejo del médico\n\nAndar media hora.",
        "Pan.md": "# Pan\n\nHarina, agua y sal.",
    }
    for name, notes in {"one": english, "two": spanish}.items():
        indexed(engine, write_notes(tmp_path / name, notes), words_only=True)
    order = found(engine, "mi cita del médico", audience=PERSON)
    assert order == ["Consejo.md", "Dentist.md"]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("reunión de noviembre", [f"Reunión 5-11-{YEAR}.md"]),
        ("staff meeting November", [MEETINGS[0], MEETINGS[2]]),
        ("staff meeting in November", [MEETINGS[0]]),
        (f"meeting November {YEAR - 2}", [MEETINGS[2]]),
    ],
)
def test_a_month_beside_other_words_is_one_of_them(
    engine: Engine, tmp_path: Path, question: str, expected: list[str]
) -> None:
    english = {f"{day}.md": "# Staff meeting\n\nRota." for day in MEETINGS}
    english |= {f"Journal/{YEAR}-11-{day}.md": "Rain, and bread." for day in range(10, 20)}
    english |= {"Canal.md": "# Canal\n\nMeet at lock 5."}
    spanish = {f"Reunión 5-11-{YEAR}.md": "# Reunión con las familias\n\nLa excursión."}
    for name, notes in {"one": english, "two": spanish}.items():
        indexed(engine, write_notes(tmp_path / name, notes), words_only=True)
    hits = ask(engine, question, Mode.LEXICAL, audience=PERSON).hits
    order = [hit.path.removesuffix(".md") for hit in hits]
    assert order[: len(expected)] == [path.removesuffix(".md") for path in expected]
    assert {*order} >= {*MEETINGS}


@pytest.mark.parametrize(
    ("typed", "is_sure"),
    [("photosintesis leson", True), ("necesary embarras", True), ("photosintesis", True),
     ("leson", False), ("photosintes", False)],
)  # fmt: skip
def test_a_note_with_all_words_mended_is_an_answer(
    engine: Engine, tmp_path: Path, typed: str, *, is_sure: bool
) -> None:
    notes = {
        "leaves.md": "A lesson on photosynthesis.",
        "spelling.md": "Words to learn: necessary, embarrass.",
        "fish.md": "Fish eat in the pond.",
    }
    indexed(engine, write_notes(tmp_path / "notes", notes), words_only=True)
    answer = ask(engine, typed, Mode.LEXICAL, audience=PERSON)
    assert bool(answer.hits) is is_sure
    assert (answer.hits or answer.uncertain)[0].path in ("leaves.md", "spelling.md")


@pytest.mark.parametrize("typed", ["weed", "weed ", "weeds"])
def test_a_word_that_only_ends_longer_ones_finds_these_for_people(
    searched: Engine, tmp_path: Path, typed: str
) -> None:
    notes = {
        "Pondweed experiment.md": "# Pondweed experiment\n\nBubbles in the light.\n",
        "Pond dipping.md": "# Pond dipping\n\nPut pondweeds in the jar.\n",
        "Tweed.md": "# Tweed\n\nA coat. Come with us to the savannah during the day.\n",
    }
    indexed(searched, write_notes(tmp_path / "notes", notes))
    for mode in MODES:
        paths = found(searched, typed, mode, audience=PERSON)
        assert {"Pondweed experiment.md", "Pond dipping.md"} == {*paths}
        assert "Pondweed experiment.md" not in found(searched, typed, Mode.LEXICAL)
        for word in ("ring", "anna"):
            assert found(searched, word, mode, audience=PERSON) == []
    write_notes(tmp_path / "notes", {"Lawn.md": "# Lawn\n\nPull out each weed.\n"})
    searched.refresh().result()
    assert found(searched, typed, audience=PERSON)[0] == "Lawn.md"
    assert found(searched, "weed", audience=PERSON) == ["Lawn.md"]


def diary(line: str) -> str:
    """A long note with one line on each of its days."""
    return "# Diary\n\n" + "\n".join(f"## Day {day}\n\n{line}\n" for day in range(40))


def test_a_short_note_with_a_translated_word_as_its_title_stands_before_a_long_one(
    searched: Engine, tmp_path: Path
) -> None:
    notes = {
        "Caldera.md": "# Caldera\n\nUna Vaillant de 2017.\n",
        "Home/Boiler.md": "# Boiler\n\nA Vaillant from 2017.\n",
        "Diary.md": diary("The boiler leaks again."),
    }
    indexed(searched, write_notes(tmp_path / "notes", notes))
    for mode in MODES:
        caldera = found(searched, "caldera", mode, audience=PERSON)
        assert caldera == ["Caldera.md", "Home/Boiler.md", "Diary.md"]
        assert found(searched, "boiler", mode, audience=PERSON)[0] == "Home/Boiler.md"


def test_a_note_with_the_word_in_its_title_stands_before_a_long_one(
    searched: Engine, tmp_path: Path
) -> None:
    notes = {
        "Mrs Okafor.md": "# Mrs Okafor\n\nThe neighbour upstairs, 14 Quay Street.\n",
        "Boiler.md": "# Boiler\n\nA Vaillant from 2017.\n",
        "Diary.md": f"{diary('Mrs Okafor came by. Boil water.')}The boiler leaks.\n",
    }
    indexed(searched, write_notes(tmp_path / "notes", notes))
    for mode in MODES:
        for typed in ("oka", "okaf", "okafo", "okafor", "okaffor", "Okafro"):
            assert found(searched, typed, mode, audience=PERSON)[0] == "Mrs Okafor.md", typed
        assert found(searched, "boyler", mode, audience=PERSON)[0] == "Boiler.md"


def test_an_open_quote_brings_no_note_without_its_words(searched: Engine, tmp_path: Path) -> None:
    notes = {
        "Net.md": "# Net\n\nFor the pond dipping.\n",
        "Fish.md": "# Fish\n\nThree in the pond.\n",
        "Camp.md": "# Camp\n\nWe walked for three days.\n",
    }
    indexed(searched, write_notes(tmp_path / "notes", notes))
    for mode in MODES:
        for typed, path in (('"pond dip', "Net.md"), ('"three day', "Camp.md")):
            assert found(searched, typed, mode, audience=PERSON) == [path]
            assert found(searched, typed.removeprefix('"'), mode, audience=PERSON)[0] == path


@pytest.mark.parametrize("typed", ["pond", "pond ", "pond v", "pond we", "pond wee", "pond weed"])
def test_a_longer_word_stays_while_the_next_one_is_typed(
    searched: Engine, tmp_path: Path, typed: str
) -> None:
    notes = {
        "Pond.md": "# Pond\n\nThree fish.\n",
        "Plant.md": "# Experiment\n\nPondweed in the light.\n",
        "Fruit.md": "# Fruit\n\nPears and plums.\n",
    }
    indexed(searched, write_notes(tmp_path / "notes", notes))
    for mode in MODES:
        hits = ask(searched, typed, mode, audience=PERSON).hits
        sure = {hit.path for hit in hits if not hit.is_perhaps}
        assert {"Pond.md", "Plant.md"} <= {hit.path for hit in hits}
        assert sure == {
            "pond": {"Pond.md", "Plant.md"},
            "pond wee": {"Plant.md"},
            "pond weed": {"Plant.md"},
        }.get(typed, {"Pond.md"})
    assert "Plant.md" not in found(searched, "pond ")


@pytest.mark.parametrize("without", ["-Epi", "-EpiP", '-"EpiPe', "-EpiPen", "-epip "])
def test_a_word_to_leave_out_is_left_out_while_it_is_typed(
    searched: Engine, tmp_path: Path, without: str
) -> None:
    notes = {
        "Leo.md": "# Leo\n\nLeo has an EpiPen in his bag.\n",
        "Trip.md": "# Trip\n\nLeo is coming along.\n",
    }
    indexed(searched, write_notes(tmp_path / "notes", notes))
    for mode in MODES:
        paths = found(searched, f"Leo {without}", mode, audience=PERSON)
        assert {*paths} == ({*notes} if without.endswith(" ") else {"Trip.md"})
        assert "Leo.md" in found(searched, "Leo -EpiP", mode)


def test_a_note_without_any_word_is_not_sure_beside_words_to_leave_out(
    searched: Engine, tmp_path: Path
) -> None:
    notes = {
        "Pond.md": "# Pond\n\nIker likes the pond.\n",
        "Lagoon.md": "# Lagoon\n\nA lagoon, the lagoon.\n",
    }
    indexed(searched, write_notes(tmp_path / "notes", notes))
    assert ask(searched, "pond", audience=PERSON).hits[0].path == "Pond.md"
    answer = ask(searched, "pond -iker", audience=PERSON)
    assert not answer.hits
    assert [hit.path for hit in answer.uncertain] == ["Lagoon.md"]


def test_a_word_that_only_begins_longer_ones_leaves_near_notes_sure(
    searched: Engine, tmp_path: Path
) -> None:
    notes = {
        "Weed.md": "# Experiment\n\nPondweed in the light.\n",
        "Lagoon.md": "# Lagoon\n\nA lagoon, the lagoon.\n",
    }
    indexed(searched, write_notes(tmp_path / "notes", notes))
    hits = ask(searched, "pond ", audience=PERSON).hits
    assert [(hit.path, hit.is_perhaps) for hit in hits] == [("Lagoon.md", False), ("Weed.md", True)]


@pytest.mark.parametrize(
    "question", ["quien arregla la caldera", "telefono de la caldera", "fontanero caldera"]
)
def test_a_note_whose_name_is_in_the_question_is_first_and_sure(
    searched: Engine, tmp_path: Path, question: str
) -> None:
    day = "# 2026-10-{:02}\n\nRain, and soup for dinner.\n"
    notes = {f"{number}.md": day.format(number) for number in range(1, 29)} | {
        "Caldera.md": "# Caldera\n\nTécnico: Ramón Iglesias, 955 310 442.\n",
        "Diario.md": "# Diario\n\nCaldera revisada por Ramón, 65 euros.\n",
    }
    indexed(searched, write_notes(tmp_path / "notes", notes))
    for mode in MODES:
        hit = ask(searched, question, mode, audience=PERSON).hits[0]
        assert (hit.path, hit.is_perhaps) == ("Caldera.md", False)


def test_a_note_with_all_words_is_above_one_whose_name_is_one_of_them(
    searched: Engine, tmp_path: Path
) -> None:
    notes = {
        "Ann.md": "# Ann\n\nLikes owls.\n",
        "Club.md": "# Club\n\nThe treasurer is Ann.\n",
        "Fruit.md": "# Fruit\n\nPears and plums.\n",
    }
    indexed(searched, write_notes(tmp_path / "notes", notes))
    for mode in MODES:
        hits = ask(searched, "ann treasurer ", mode, audience=PERSON).hits
        assert hits[0].path == "Club.md"
        assert all(hit.is_perhaps for hit in hits[1:])


def test_a_note_with_a_keyword_in_another_language_is_listed_last(
    searched: Engine, tmp_path: Path
) -> None:
    notes = {
        "Food.md": "# Food pyramid\n\nWhat we eat: fruit, nuts and oil.\n",
        "Lucía.md": "# Lucía\n\nNo puede tomar frutos secos.\n",
        "Pond.md": "# Pond\n\nThree fish.\n",
    }
    indexed(searched, write_notes(tmp_path / "notes", notes))
    for mode in MODES:
        hits = ask(searched, "who can't eat nuts ", mode, audience=PERSON).hits
        listed = [hit.path for hit in hits if hit.path != "Pond.md"]
        assert listed == ["Food.md", "Lucía.md"]
        assert hits[-1].is_perhaps
