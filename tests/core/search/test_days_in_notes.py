"""Questions of people about a time find its days inside of long notes."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import TypeAlias

import pytest

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import Paths
from scrubjay.records.audience import AGENT, PERSON
from scrubjay.records.search_records import Hit, SearchRequest
from scrubjay.search.collection_search import Collection
from scrubjay.search.searcher import Searcher
from scrubjay.text.word_lists import MONTHS, WEEKDAYS
from support.providers import WordProvider
from support.vault import TIMEOUT, add, write_notes

Asked: TypeAlias = Callable[..., tuple[Hit, ...]]

TODAY = dt.date(2026, 11, 23)
DIARY, NOTE = "Class diary.md", "2025-06-05 Picnic.md"


def english(day: dt.date) -> str:
    month = MONTHS[day.month - 1][0].title()
    return f"{WEEKDAYS[day.weekday()][0].title()} {day.day} {month} {day.year}"


def american(day: dt.date) -> str:
    return f"{MONTHS[day.month - 1][0].title()} {day.day}, {day.year}"


def spanish(day: dt.date) -> str:
    return f"{day.day} de {MONTHS[day.month - 1][1]} de {day.year}"


def diary(spelled: Callable[[dt.date], str]) -> str:
    """Every fifth day from January 2024 to November 2026."""
    days = (dt.date(2024, 1, 3) + dt.timedelta(5 * number) for number in range(211))
    entries = (f"## {spelled(day)}\n\nRain on {day:%j}.\n\n### Buses\n\nLate.\n" for day in days)
    return "# Class diary\n\n" + "\n".join(entries)


@pytest.fixture
def asked(engine: Engine, paths: Paths, tmp_path: Path) -> Iterator[Asked]:
    """Asks a question about a folder, by default as a person on the day of these tests."""
    root = write_notes(tmp_path / "school", {NOTE: "Sandwiches.\n", "Pond.md": "Newts.\n"})
    workspace = add(engine, root)
    searcher = Searcher(lambda _: WordProvider(), lambda: TODAY)

    def ask(text: str, notes: dict[str, str], **fields: object) -> tuple[Hit, ...]:
        engine.refresh(add(engine, write_notes(root, notes))).result(TIMEOUT)
        settings = engine.settings.settings.memory_search
        file = paths.indexes / f"{workspace.id}.sqlite"
        request = SearchRequest(text, **{"audience": PERSON, **fields})  # type: ignore[arg-type]
        collection = Collection(workspace, file, settings)
        return searcher.search(request, [collection], CancelToken()).hits

    yield ask
    searcher.close()


@pytest.mark.parametrize("spelled", [english, american, spanish, dt.date.isoformat])
def test_the_days_of_a_diary_are_days(asked: Asked, spelled: Callable[[dt.date], str]) -> None:
    notes = {DIARY: diary(spelled)}
    for text in ("last year", "el año pasado"):
        first, second = asked(text, notes)
        assert (first.path, second.path) == (NOTE, DIARY)
        assert second.date == dt.date(2025, 12, 28)
        assert (
            second.snippet.text
            == f"## {spelled(second.date)}\n\nRain on 362.\n\n### Buses\n\nLate."
        )
        assert {part.date.year for part in second.passages if part.date} == {2025}
    for text, newest in (
        ("in winter", dt.date(2026, 2, 26)),
        ("en abril", dt.date(2026, 4, 27)),
        ("last month", dt.date(2026, 10, 29)),
    ):
        first, *_ = asked(text, notes)
        days = [first.date, *(part.date for part in first.passages)]
        assert (first.path, days[0]) == (DIARY, newest)
        assert days == sorted(days, key=str, reverse=True)
        places = sorted((part.first_line, part.last_line) for part in (first, *first.passages))
        assert all(one[1] < two[0] for one, two in pairwise(places))


def test_a_period_outside_of_the_limits_of_a_question_has_no_days(asked: Asked) -> None:
    notes = {DIARY: diary(english)}
    found = asked("before:2025-06-01 last month", notes)
    assert all(hit.date is None or hit.date < dt.date(2025, 6, 2) for hit in found)


def test_of_days_without_a_year_the_nearest_come_first(asked: Asked) -> None:
    dates = [dt.date(year, 11, day) for year in range(2017, 2026) for day in (20, 26)]
    text = "".join(f"## {english(day)}\n\nRain.\n\n" for day in dates)
    notes = {DIARY: f"# Diary\n\n{text}", "Lava.md": "Slides for Thursday 26 November 2026.\n"}
    for question, path, day in (
        ("20 November", DIARY, dt.date(2025, 11, 20)),
        ("on 20 november", DIARY, dt.date(2025, 11, 20)),
        ("26 November", "Lava.md", None),
        ("26 de noviembre", "Lava.md", None),
    ):
        first, *others = asked(question, notes)
        assert (first.path, first.date) == (path, day), question
        assert [part.date for part in others if part.path == DIARY] in ([], [dt.date(2025, 11, 26)])


def test_a_passage_has_the_day_of_the_heading_above_it(asked: Asked) -> None:
    text = "# Diary\n\n## 2 March 2021\n\nThe parrot.\n\n### Buses\n\nThe ostrich.\n"
    for word in ("parrot", "ostrich"):
        first, *_ = asked(word, {DIARY: text})
        assert (first.path, first.date) == (DIARY, dt.date(2021, 3, 2))
        first, *_ = asked(word, {}, audience=AGENT)
        assert (first.path, first.date) == (DIARY, None)


def test_a_time_without_a_day_finds_nothing(asked: Asked) -> None:
    assert asked("last year", {NOTE: "", DIARY: "# Diary\n\n## 3 March 2024\n\nSnow.\n"}) == ()


def test_agents_get_the_notes_of_a_time_alone(asked: Asked) -> None:
    hits = asked("last year", {DIARY: diary(english)}, audience=AGENT)
    assert [hit.path for hit in hits] == [NOTE]


def test_a_feast_of_a_year_is_its_days_and_what_says_its_name(asked: Asked) -> None:
    notes = {
        "Diario/2025-12-24.md": "Cordero quemado en casa de Lola.\n",
        "Calendario.md": "Del 23 de diciembre de 2026 al 7 de enero de 2027: Navidad.\n",
        "2025-08-02.md": "Edimburgo en 2025: lluvia.\n",
    }
    for text in ("Navidad 2025", "la última Nochebuena"):
        hits = asked(text, notes)
        assert hits[0].path == "Diario/2025-12-24.md"
        assert "2025-08-02.md" not in [hit.path for hit in hits]


def test_a_note_that_is_called_like_a_time_is_above_the_notes_of_the_time(asked: Asked) -> None:
    notes = {"2025-12-24.md": "Lamb.\n", "Lists/Christmas 2025.md": "Socks for Ann.\n"}
    paths = [hit.path for hit in asked("Christmas 2025", notes)]
    assert paths == ["Lists/Christmas 2025.md", "2025-12-24.md"]
