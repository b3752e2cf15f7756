"""What a query names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.search.query.identifiers import names


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("When is my flight to Lisbon?", ["Lisbon"]),
        ("When is Piotr's birthday?", ["Piotr"]),
        ("dates were off in New Zealand", ["New", "Zealand"]),
        ("did Ana or Leo call", ["Ana", "Leo"]),
        ("¿Cuál es la capital de Mongolia?", ["Mongolia"]),
        ("what is TW9999", ["TW9999"]),
        ("commit 4a7fe17 of Jean-Pierre", ["4a7fe17", "Jean-Pierre"]),
        # Where a sentence begins, a capital tells nothing.
        ("Lisbon hotel", []),
        ("We left early. Breakfast was cold", []),
        ('the song "Yesterday" again', []),
        # Nor does it in a headline, in German, or in an abbreviation.
        ("Recipe For Chocolate Cake", []),
        ("Wo ist die Rechnung für den Rasenmäher?", []),
        ("how much RAM is used", []),
        # Days and measures are said in many ways.
        ("what did I do on Monday in March", []),
        ("the meeting at 10:30am for a 3-year-old", []),
        ("", []),
    ],
)
def test_names_are_told_from_other_words(query: str, found: list[str]) -> None:
    assert list(names(query)) == found


@given(st.text())
def test_any_text_has_names_of_its_own_words_or_none(text: str) -> None:
    assert all(word in text for word in names(text))
