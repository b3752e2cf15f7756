"""Word lists."""

from __future__ import annotations

import pytest

from scrubjay.analysis import fold
from scrubjay.search.vocabulary import both_ways, counterparts, other_forms, stop_words


@pytest.mark.parametrize(
    ("sentence", "empty"),
    [
        ("where is the key of the house", {"where", "is", "the", "of"}),
        ("donde esta la llave de la casa", {"donde", "esta", "la", "de"}),
        ("onde esta a chave da casa", {"onde", "esta", "a", "da"}),
        ("wo ist der schlussel", {"wo", "ist", "der"}),
        ("ou est la cle de la maison", {"ou", "est", "la", "de"}),
        ("nothing common", set()),
        ("", set()),
    ],
)
def test_one_language_says_which_words_are_empty(sentence: str, empty: set[str]) -> None:
    assert stop_words(sentence.split()) >= empty - {"nothing"}
    assert stop_words(sentence.split()) <= set(sentence.split())


def test_words_of_another_language_are_kept() -> None:
    assert "die" not in stop_words(["when", "did", "the", "old", "oak", "die"])
    assert "main" not in stop_words(["what", "is", "on", "the", "main", "street"])


@pytest.mark.parametrize(
    ("word", "other"), [("house", "casa"), ("casa", "house"), ("password", "contraseña")]
)
def test_english_and_spanish_stand_for_each_other(word: str, other: str) -> None:
    assert other in counterparts(fold(word), {})


def test_own_pairs_come_first() -> None:
    assert counterparts("house", {"house": ("hogar",)})[0] == "hogar"
    assert counterparts("xyzzy", {}) == ()


def test_pairs_go_both_ways() -> None:
    assert both_ways([("Jay", "Arrendajo"), ("jay", "urraca")]) == {
        "jay": ("Arrendajo", "urraca"),
        "arrendajo": ("Jay",),
        "urraca": ("jay",),
    }


def test_irregular_forms_belong_together() -> None:
    assert "went" in other_forms("go")
    assert "go" in other_forms("went")
    assert other_forms("jay") == ()
