"""One place for each hit: heading, excerpt and best line, as a person reads them."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from scrubjay.engine.engine import Engine
from scrubjay.records.audience import PERSON
from scrubjay.records.search_modes import Mode
from scrubjay.records.search_records import Hit
from scrubjay.text.plain_snippet import plain_snippet
from support.providers import WordProvider
from support.vault import NewEngine, ask, first, found, indexed, write_notes

MODES = (Mode.LEXICAL, Mode.HYBRID)
DAYS = [dt.date(2026, 1, 1) + dt.timedelta(number) for number in range(120)]


def day_of(hit: Hit) -> str:
    """The day that the entry at the best line names."""
    lines = hit.file.read_text(encoding="utf-8").splitlines()[: hit.best_line]
    return next(line.lstrip("# ") for line in reversed(lines) if line.startswith("#"))


@pytest.fixture(params=["# Diary\n\n", "", "---\ntitle: Diary\n---\n"])
def diary(request: pytest.FixtureRequest, engine: Engine, tmp_path: Path) -> Engine:
    """A diary with three days in each chunk, one week between two days of the boiler."""
    entries = (
        f"## {day:%A} {day.day} {day:%B %Y}\n\n{number} pages read, a walk along the canal.\n\n"
        + ("The boiler failed again." if number % 7 == 4 else "Nothing else all day. " * 9)
        for number, day in enumerate(DAYS)
    )
    text = request.param + "\n\n".join(entries)
    indexed(engine, write_notes(tmp_path / "notes", {"diary.md": text}))
    return engine


@pytest.mark.parametrize("mode", MODES)
def test_a_passage_stands_under_the_heading_of_its_best_line(diary: Engine, mode: Mode) -> None:
    hit = first(diary, "boiler", mode, audience=PERSON)
    assert len(hit.passages) >= 5
    for each in (hit, *hit.passages):
        day = day_of(each)
        shown = plain_snippet(each.snippet).text
        assert each.heading.removeprefix("Diary > ") == day
        assert shown.removeprefix(day).strip().endswith("The boiler failed again.")
        assert shown.count(" 2026") <= 1  # no other day's heading
        assert each.snippet.text[each.snippet.best :].startswith("The boiler")


def test_headings_above_the_chunk_stay_above_the_line(engine: Engine, tmp_path: Path) -> None:
    days = "".join(f"### Day {n}\n\n{'words ' * 60}\n\n" for n in range(40))
    text = f"# Diary\n\n## Year\n\n{days}### Last\n\nThe boiler failed.\n"
    indexed(engine, write_notes(tmp_path / "notes", {"diary.md": text}), words_only=True)
    assert first(engine, "boiler", audience=PERSON).heading == "Diary > Year > Last"


NOTES = {
    "House/Heater.md": "---\ntags: [house, warmth]\ncreated: 2026-08-30\n---\n# Heater\n\n"
    "![[leaf.png]] Serviced by Dave, see [[Books/Bloom|Bloom]].\n",
    "Stove.md": "---\ntags:\n  - ember\n---\n# Stove\n\nLit in {{title}} winter, warmth for all.\n",
    "Telescope.md": "Made of brass.\n",
    "Gate.md": "# Garden gate\n\nDad painted it green. Mum pushed the trolley.\n",
}


@pytest.fixture
def house(new_engine: NewEngine, tmp_path: Path) -> Engine:
    engine = new_engine(WordProvider("1", {"oven": "stove"}))
    indexed(engine, write_notes(tmp_path / "notes", NOTES))
    return engine


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("question", "path", "excerpt"),
    [
        ("dave", "House/Heater.md", "Heater\nServiced by Dave, see Bloom."),
        ("bloom", "House/Heater.md", "Heater\nServiced by Dave, see Bloom."),
        ("house", "House/Heater.md", "Tags: house, warmth\nHeater\nServiced by Dave, see Bloom."),
        ("warmth", "Stove.md", "Stove\nLit in winter, warmth for all."),
        ("ember", "Stove.md", "Tags: ember\nStove\nLit in winter, warmth for all."),
    ],
)
def test_an_excerpt_is_prose_and_names_the_property_that_alone_matches(
    house: Engine, mode: Mode, question: str, path: str, excerpt: str
) -> None:
    hits = {hit.path: hit for hit in ask(house, question, mode, audience=PERSON).hits}
    assert plain_snippet(hits[path].snippet).text == excerpt
    assert question in [word.lower() for word in hits[path].explanation.words]


def test_agents_read_the_file_as_it_is(house: Engine) -> None:
    assert first(house, "warmth").snippet.text.startswith(("---\ntags", "# Stove\n\nLit in {{"))


@pytest.mark.parametrize(
    ("question", "words", "named"),
    [
        ("gate", {"gate": ""}, {}),
        ("ating", {"gate": "ating"}, {}),
        ("telesc", {}, {"telescope": ""}),
        ("telescpoe", {}, {"telescope": "telescpoe"}),
        ("trolly", {"trolley": "trolly"}, {}),
        ("trol", {"trolley": ""}, {}),
    ],
)
def test_words_that_are_only_close_to_the_typed_one_are_told(
    house: Engine, question: str, words: dict[str, str], named: dict[str, str]
) -> None:
    answer = ask(house, question, audience=PERSON)
    why = (answer.hits or answer.uncertain)[0].explanation
    told = {word.lower(): typed for word, typed in why.words.items()}
    labels = {word.lower(): typed for word, typed in why.named.items()}
    assert (told, labels) == (words, named)


def test_a_time_is_no_word_that_something_is_close_to(house: Engine) -> None:
    answer = ask(house, "trolley in October", audience=PERSON, min_score=0.0)
    [why] = [hit.explanation for hit in answer.hits if hit.path == "Gate.md"]
    assert (why.missing, why.times) == (("October",), ("October",))


@pytest.mark.parametrize("mode", MODES)
def test_more_passages_are_those_with_a_word_of_the_question(
    new_engine: NewEngine, tmp_path: Path, mode: Mode
) -> None:
    entries = (f"## Entry {n}\n\n{'A quiet day at home. ' * 30}" for n in range(40))
    text = "\n\n".join([*entries, "## Last\n\nThe hamster sat in the piano."])
    engine = new_engine(WordProvider("1", {"hamster": "quiet"}))
    indexed(engine, write_notes(tmp_path / "notes", {"diary.md": text}))
    hit = first(engine, "hamster in the piano upstairs", mode, audience=PERSON, min_score=0.0)
    assert "hamster" in hit.snippet.text
    assert hit.passages == ()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("07700900412", ["whole.md", "groups.md"]),
        ("07700 900 412", ["groups.md", "whole.md"]),
        ("07700-900-412", ["groups.md", "whole.md"]),
        ("0770090", ["whole.md", "groups.md"]),
        ("TP 1363", ["groups.md", "whole.md"]),
        ("tp1363", ["whole.md", "groups.md"]),
        ('"TP 1363"', ["groups.md"]),
    ],
)
def test_numbers_and_codes_are_found_however_they_are_grouped(
    engine: Engine, tmp_path: Path, mode: Mode, question: str, expected: list[str]
) -> None:
    notes = {
        "groups.md": "Call 07700 900 412 about TP 1363.",
        "whole.md": "Call 07700900412 about TP1363.",
        "other.md": "In 1363 a TP was seen, or 900 of them.",
    }
    indexed(engine, write_notes(tmp_path / "notes", notes), words_only=True)
    rows = found(engine, question, mode, audience=PERSON, is_typing=mode is Mode.LEXICAL)
    assert [path for path in rows if path != "other.md"] == expected
    assert first(engine, question, mode, audience=PERSON).snippet.spans


@pytest.mark.parametrize("mode", [Mode.LEXICAL, Mode.HYBRID])
@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("550e8400-e29b-41d4-a716-446655440000", ["hyphens.md", "whole.md"]),
        ("550E8400E29B41D4A716446655440000", ["whole.md", "hyphens.md"]),
        ("who has {550e8400-e29b-41d4-a716-446655440000}?", ["hyphens.md", "whole.md"]),
        ("12345678123412341234123456789012", ["digits.md"]),
    ],
)
def test_a_uuid_is_found_with_and_without_its_hyphens(
    engine: Engine, tmp_path: Path, mode: Mode, question: str, expected: list[str]
) -> None:
    notes = {
        "hyphens.md": "The pump is 550e8400-e29b-41d4-a716-446655440000.",
        "whole.md": "The pump is 550e8400e29b41d4a716446655440000.",
        "digits.md": "The valve is 12345678-1234-1234-1234-123456789012.",
        "other.md": "The tank is 550e8400-e29b-41d4-a716-446655440001.",
    }
    indexed(engine, write_notes(tmp_path / "notes", notes), words_only=True)
    rows = found(engine, question, mode, audience=PERSON)
    assert rows[: len(expected)] == expected
    assert first(engine, question, mode, audience=PERSON).snippet.spans


@pytest.mark.parametrize("question", ["浅草寺", "新幹線", "幹線", "草"])
def test_a_few_characters_inside_a_run_are_found_at_once_and_marked_whole(
    engine: Engine, tmp_path: Path, question: str
) -> None:
    notes = {
        "tokyo.md": "# 東京\n\n浅草寺の新幹線です。\n",
        "other.md": "# 京都\n\n清水寺と電車。\n",
    }
    indexed(engine, write_notes(tmp_path / "notes", notes), words_only=True)
    answer = ask(engine, question, Mode.LEXICAL, audience=PERSON, is_typing=True)
    assert [hit.path for hit in answer.hits] == ["tokyo.md"]
    [word] = answer.hits[0].explanation.words
    assert question in word
