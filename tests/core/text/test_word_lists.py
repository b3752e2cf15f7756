"""Word lists."""

from __future__ import annotations

import json
from contextlib import closing

import pytest

from scrubjay.platform.paths import resources
from scrubjay.text.tokenizer import Analyzer, fold
from scrubjay.text.word_lists import (
    common_english,
    english_of_spanish,
    other_forms,
    spanish_of_english,
    stop_words,
)


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


@pytest.mark.parametrize(
    ("sentence", "empty"),
    [
        ("who can't eat nuts", {"who", "can't"}),
        ("i’m sure it doesn't and won’t", {"i’m", "it", "doesn't", "and", "won’t"}),
        ("who dont eat nuts", {"who", "dont"}),
        ("what's at five o'clock", {"what's", "at"}),
        ("is there vitamin d", {"is", "there"}),
        ("qui n'est pas la", {"qui", "n'est", "pas", "la"}),
    ],
)
def test_a_contraction_of_stop_words_is_one(sentence: str, empty: set[str]) -> None:
    assert stop_words(sentence.split()) == empty


def test_words_of_another_language_are_kept() -> None:
    assert "die" not in stop_words(["when", "did", "the", "old", "oak", "die"])
    assert "main" not in stop_words(["what", "is", "on", "the", "main", "street"])


@pytest.mark.parametrize(
    ("english", "spanish"),
    [("house", "casa"), ("password", "contraseña"), ("backup", "copia de seguridad")],
)
def test_english_and_spanish_stand_for_each_other(english: str, spanish: str) -> None:
    assert english in english_of_spanish(fold(spanish))
    assert spanish in spanish_of_english(english)


def test_an_english_plural_is_known_by_its_singular() -> None:
    assert "llave" in spanish_of_english("keys")
    assert spanish_of_english("xyzzys") == ()


def test_common_words_are_those_that_people_type() -> None:
    words = common_english().split()
    assert "guitar" in words
    assert "guittar" not in words


def test_irregular_forms_belong_together() -> None:
    assert "went" in other_forms("go")
    assert "go" in other_forms("went")
    assert other_forms("jay") == ()


def test_no_other_form_has_the_stem_of_a_stop_word() -> None:
    folder = resources() / "words"
    groups = json.loads((folder / "english-forms.json").read_text(encoding="utf-8"))
    empty = json.loads((folder / "stop-words.json").read_text(encoding="utf-8"))["en"]
    with closing(Analyzer()) as analyzer:
        stems = {stem for word in empty for stem in analyzer.stems(word)}
        forms = [form for group in groups for form in group if form not in empty]
        assert [form for form in forms if stems.intersection(analyzer.stems(form))] == []
