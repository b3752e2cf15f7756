from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from scrubjay.records.note_records import Source
from scrubjay.records.search_records import Explanation, Hit, Snippet, Span
from scrubjay.search.ranking.weights import WEIGHTS
from scrubjay_desktop.results.explanation import (
    Found,
    found_by,
    found_sentence,
    hit_reasons,
    why_sentences,
)

HIT = Hit(
    "notes", "a.md", Path("/notes/a.md"), Source.NOTES, "A", "", 1, 2, 1, 0.8, 0.5, 0.6,
    Snippet("a"), dt.datetime(2026, 3, 14, tzinfo=dt.UTC),
)  # fmt: skip


@pytest.mark.parametrize(
    ("text_score", "vector_score", "found"),
    [(0.5, None, Found.WORDS), (None, 0.5, Found.MEANING), (0.5, 0.5, Found.BOTH)],
)
def test_the_mark_of_a_hit(
    text_score: float | None, vector_score: float | None, found: Found
) -> None:
    assert found_by(replace(HIT, text_score=text_score, vector_score=vector_score)) is found


@pytest.mark.parametrize(
    "changes",
    [
        {"snippet": Snippet("the boiler", (Span(4, 10),))},
        {"explanation": Explanation(matched={"boiler": ("heading",)})},
    ],
)
def test_a_row_with_a_word_of_the_question_is_never_found_by_meaning_alone(
    changes: dict[str, Any],
) -> None:
    assert found_by(replace(HIT, text_score=None, **changes)) is Found.BOTH


@pytest.mark.parametrize(
    ("explanation", "sentences"),
    [
        (
            {"matched": {"boil": ("text",)}, "words": {"Boiler": ""}},
            "This result contains “Boiler”.",
        ),
        (
            {"matched": {"ating": ("text",)}, "words": {"gate": "ating"}},
            "In this result, “gate” is similar to “ating”.",
        ),
        (
            {"matched": {"ating": ("path",)}, "named": {"gate": "ating"}},
            "In this result, “gate” is similar to “ating”.",
        ),
        (
            {"matched": {"caldera": ("path",)}, "named": {"Boiler": ""}},
            "The title or the folder of this result contains “Boiler”.",
        ),
        (
            {"missing": ("October", "braces"), "times": ("October",)},
            "In this result, “The orthodontist.” is similar to “braces”.",
        ),
        ({"missing": ("October",), "times": ("October",)}, ""),
    ],
)
def test_the_reason_is_what_the_note_says(explanation: dict[str, Any], sentences: str) -> None:
    hit = replace(HIT, snippet=Snippet("The orthodontist."), explanation=Explanation(**explanation))
    assert why_sentences(hit) == sentences


def test_no_comma_stands_before_the_end_of_a_passage() -> None:
    text = "Rang the surgery in Whiteladies Road, which had booked the boiler man, Emma, Thursday"
    hit = replace(HIT, snippet=Snippet(text), explanation=Explanation(missing=("braces",)))
    assert "boiler man, Emma…”" in why_sentences(hit)


def test_the_word_of_the_note_is_told_for_a_mended_spelling() -> None:
    explanation = Explanation(matched={"ating": ("text",)}, words={"gate": "ating"})
    assert told(explanation) == [("Words found", "“gate” in the text")]


def test_every_mark_has_its_sentence() -> None:
    assert {found_sentence(found) for found in Found} == {
        "Found by words",
        "Found by meaning",
        "Found by words and by meaning",
    }


def told(explanation: Explanation) -> list[tuple[str, str]]:
    found = hit_reasons(replace(HIT, explanation=explanation))
    return [(reason.label, reason.text) for reason in found]


@pytest.mark.parametrize(
    ("reading", "text"),
    [
        (2.0, "It fits the question better than it seemed to at first"),
        (0.3, "It fits the question as well as it seemed to at first"),
        (-2.0, "It does not fit the question better than the other results do"),
    ],
)
def test_reading_again_is_told_as_everywhere_else(reading: float, text: str) -> None:
    assert told(Explanation(parts={"reading": reading}))[-1] == ("Read again", text)


def test_a_hit_explains_itself_in_plain_words() -> None:
    explanation = Explanation(
        matched={"router": ("text", "heading"), "dns": ("path",)},
        missing=("home",),
        lexical_rank=2,
        vector_rank=1,
        parts={
            "words_line": 0.5,
            "words_chunk": 0.3,
            "meaning_line": 2.4,
            "lines_around": 0.8,
            "confidence": -1.5,
        },
        decay=0.5,
        diversity_penalty=0.1,
    )
    assert told(explanation) == [
        ("Words found", "“router” in the text and in a heading; “dns” in the file name"),
        ("Words not found", "“home”"),
        ("Ranking based on", "60% meaning, 20% words, 20% the surrounding lines"),
        (
            "Age",
            "Because the note is older, this result counts only 50% as much as one from a new note",
        ),
        (
            "Similar result",
            "This result is lower in the list because a better result says nearly the same thing",
        ),
    ]


def test_the_shares_add_up_to_all() -> None:
    parts = {"meaning": 0.486, "words": 0.465, "lines_around": 0.049}
    [(_, text)] = told(Explanation(parts=parts))
    assert text == "48% meaning, 47% words, 5% the surrounding lines"


def test_every_part_of_a_score_has_a_name_for_people() -> None:
    for part in {*WEIGHTS, "lines_around"}:
        [(_, text)] = told(Explanation(parts={part: 1.0}))
        assert "100%" in text
        assert "_" not in text


def test_without_an_explanation_there_is_still_the_score() -> None:
    assert told(Explanation()) == []


def test_quotes_are_those_of_the_language(spanish) -> None:
    explanation = Explanation(matched={"caldera": ("text",)}, missing=("gas",))
    assert told(explanation)[:2] == [
        ("Palabras encontradas", "«caldera» en el texto"),
        ("Palabras no encontradas", "«gas»"),
    ]
