from __future__ import annotations

import datetime as dt

import pytest
from PySide6.QtCore import QLocale

from scrubjay.health.findings import Finding, FindingKind, Severity
from scrubjay_desktop.health.findings_model import finding_texts
from scrubjay_desktop.text.formatting import (
    days_name,
    format_age,
    format_note_count,
    format_percent,
    format_size,
    format_time_left,
    join_words,
    long_day,
    note_title,
    notes_and_files,
    part_names,
    plain_notice,
    provider_name,
    relative_date,
    short_day,
)

NOW = dt.datetime(2026, 3, 14, 12, 0, tzinfo=dt.UTC)


@pytest.mark.parametrize(("count", "said"), [(0, "0 notes"), (1, "1 note"), (3214, "3,214 notes")])
def test_notes_are_counted_as_people_do(count: int, said: str) -> None:
    assert format_note_count(count) == said


@pytest.mark.parametrize(
    ("files", "said"),
    [
        (0, "3 notes"),
        (1, "3 notes and 1 image or recording"),
        (1_200, "3 notes and 1,200 images or recordings"),
    ],
)
def test_images_and_recordings_are_counted_too(files: int, said: str) -> None:
    assert notes_and_files(3, files) == said


@pytest.mark.parametrize(
    ("provider", "said"),
    [("openai", "OpenAI"), ("voyage", "Voyage"), ("local", "the language helper on this computer")],
)
def test_providers_are_called_what_people_call_them(provider: str, said: str) -> None:
    assert provider_name(provider) == said


@pytest.mark.parametrize(
    ("share", "said"), [(0, "0%"), (0.5, "50%"), (0.999, "99%"), (1.0, "100%")]
)
def test_a_hundred_percent_means_all(share: float, said: str) -> None:
    assert format_percent(share) == said


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (-3, "just now"),
        (4.9, "just now"),
        (8, "8 s ago"),
        (61, "1 min ago"),
        (7199, "1 h ago"),
        (86_400, "2 days ago"),
        (10 * 86_400, "10 days ago"),
    ],
)
def test_ages(seconds: float, said: str) -> None:
    assert format_age(seconds) == said


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (None, ""),
        (3, "a few seconds left"),
        (60, "about a minute left"),
        (120, "about 2 minutes left"),
        (3 * 3600, "about 3 hours left"),
    ],
)
def test_estimates_do_not_pretend(seconds: float | None, said: str) -> None:
    assert format_time_left(seconds) == said


@pytest.mark.parametrize(
    ("ago", "said"),
    [
        (dt.timedelta(hours=2), "Today 10:00"),
        (dt.timedelta(days=1), "Yesterday"),
        (dt.timedelta(days=3), "Wednesday"),
        (dt.timedelta(days=40), "2 Feb"),
        (dt.timedelta(days=400), "7 Feb 2025"),
        (-dt.timedelta(days=2), "16 Mar"),
    ],
)
def test_days_have_the_names_people_use(ago: dt.timedelta, said: str) -> None:
    assert relative_date(NOW - ago, NOW) == said


def test_a_day_is_a_day_where_the_person_is() -> None:
    here = dt.timezone(dt.timedelta(hours=-5))
    assert relative_date(NOW, NOW.astimezone(here)) == "Today 07:00"


@pytest.mark.parametrize(
    ("words", "said"),
    [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (list("abc"), "a, b and c")],
)
def test_lists_end_with_and(words: list[str], said: str) -> None:
    assert join_words(words) == said


def test_sizes() -> None:
    assert format_size(4_204_019) == "4.2 MB"


@pytest.mark.parametrize(
    ("title", "path", "shown"),
    [
        ("Router", "a/router.md", "Router"),
        ("", "a/router.md", "router"),
        ("Conversation of 2026-03-09", "sessions/a.jsonl", "Conversación del 9 mar 2026"),
        ("Conversation of 2026-13-99", "sessions/a.jsonl", "Conversation of 2026-13-99"),
        ("Conversation of 2026-03-09", "mine.md", "Conversation of 2026-03-09"),
    ],
)
def test_a_conversation_is_called_so_in_the_language_of_the_app(
    spanish, title: str, path: str, shown: str
) -> None:
    assert note_title(title, path) == shown


@pytest.mark.parametrize(
    ("text", "path", "shown"),
    [
        ("# Page 12", "manual.pdf", "# Página 12"),
        ("x\n\n# Slide 2: Costs\n\ny", "a.pptx", "x\n\n# Diapositiva 2: Costs\n\ny"),
        ("# Sheet 1: Page 3", "a.xlsx", "# Hoja 1: Page 3"),
        ("# Chapter 1", "a.epub", "# Capítulo 1"),
        ("# Message 4", "a.mbox", "# Mensaje 4"),
        ("# Page 12", "mine.md", "# Page 12"),
        ("Page 12\n# Page 12 of 13", "manual.pdf", "Page 12\n# Page 12 of 13"),
    ],
)
def test_parts_of_a_document_are_called_so_in_the_language_of_the_app(
    spanish, text: str, path: str, shown: str
) -> None:
    assert part_names(text, path) == shown


@pytest.mark.parametrize(
    ("pending", "said"),
    [
        (1, "Casa: 1 nota ha cambiado y aún no se ha leído."),
        (2, "Casa: 2 notas han cambiado y aún no se han leído."),
    ],
)
def test_a_sentence_of_the_core_agrees_with_its_number(spanish, pending: int, said: str) -> None:
    values = {"workspace": "Casa", "pending": pending}
    found = Finding(FindingKind.INDEX_BEHIND, Severity.NOTICE, values)
    assert finding_texts(found).detail == said


def test_a_day_in_a_sentence_of_the_core_is_said_as_people_say_it(spanish) -> None:
    values = {"days": 2, "span": 14, "last": dt.date(2026, 3, 9), "workspace": "Mis notas"}
    found = Finding(FindingKind.DAYS_WITHOUT_LOG, Severity.NOTICE, values)
    assert finding_texts(found).detail.endswith(" 9 mar 2026.")


@pytest.mark.parametrize("country", ["en_US", "en_GB"])
def test_days_are_written_one_way(country: str) -> None:
    day = dt.date(2026, 11, 22)
    QLocale.setDefault(QLocale(country))
    try:
        said = (long_day(day), days_name(day, day), short_day(day))
    finally:
        QLocale.setDefault(QLocale("en_US"))
    assert said == ("Sunday 22 November 2026", "Sun 22 Nov 2026", "22 Nov 2026")


@pytest.mark.usefixtures("spanish")
def test_days_are_written_as_in_spain() -> None:
    assert long_day(dt.date(2026, 11, 22)) == "domingo, 22 de noviembre de 2026"


def test_a_notification_has_no_markup() -> None:
    said = plain_notice('<img src="https://a.example/"> 1 < 2')
    assert said == '‹img src="https://a.example/"› 1 ‹ 2'
