"""Spanish questions on English notes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.search.query.query_parser import parse_query
from scrubjay.text import spanish
from scrubjay.text.tokenizer import fold


@pytest.mark.parametrize(
    ("question", "tongue"),
    [
        ("¿Dónde está la llave de la casa?", "es"),
        ("factura de la luz", "es"),
        ("alergia penicilina", "es"),
        ("where is the red car of my son", "en"),
        ("red car", "en"),
        ("où est la clé de la maison", "en"),
        ("xyzzy", ""),
        ("hotel", ""),
        ("", ""),
    ],
)
def test_the_language_of_a_query(question: str, tongue: str) -> None:
    assert spanish.detect_language(question, fold(question).strip("¿?").split()) == tongue


@pytest.mark.parametrize(
    "forms",
    [
        ("factura", "facturas"),
        ("pagar", "pago", "pagamos", "pagaron", "pagado", "pagué"),
        ("cerrar", "cierra", "cerrado"),
        ("nuevo", "nueva", "nuevas"),
        ("luz", "luces"),
        ("bloquea", "bloquearse"),
    ],
)
def test_the_forms_of_a_word_share_a_stem(forms: tuple[str, ...]) -> None:
    assert len({spanish.stem_spanish(fold(form)) for form in forms}) == 1


@pytest.mark.parametrize(
    ("word", "english"),
    [("pasaporte", "passport"), ("facturas", "invoice"), ("informacion", "information")],
)
def test_a_word_in_english(word: str, english: str) -> None:
    assert english in spanish.english_translations(word)


@pytest.mark.parametrize(
    ("question", "gloss"),
    [
        ("¿Cuándo caduca el pasaporte?", "when expire the passport"),
        ("copia de seguridad del servidor", "backup of the server"),
        ("la hermana de Xaloc", "the sister of Xaloc"),
        ("when does the passport expire", ""),
    ],
)
def test_a_question_word_by_word(question: str, gloss: str) -> None:
    assert parse_query(question).gloss == gloss


@pytest.mark.parametrize(
    ("question", "word", "others"),
    [
        ("bring back the bikes", "back", ()),
        ("when did she give the book back", "back", ()),
        ("my back hurts", "back", ("espalda", "trasero", "trasera")),
        ("a bench near the station", "near", ()),
        ("who can help", "can", ()),
        ("quién puede comer nueces", "puede", ()),
        ("hubo un vaso tras la puerta", "hubo", ()),
        ("hubo un vaso tras la puerta", "tras", ()),
        ("qué suelen decir los profes", "suelen", ()),
        ("well", "well", ("pozo", "poza")),
        ("nunca", "nunca", ()),
    ],
)
def test_function_words_do_not_translate(question: str, word: str, others: tuple[str, ...]) -> None:
    (term,) = [term for term in parse_query(question).terms if term.text == word]
    assert term.translations == others


@pytest.mark.parametrize(
    ("question", "word", "other"),
    [
        ("¿dónde está la red?", "red", "network"),
        ("the red car", "red", "rojo"),
        ("una copia de seguridad", "copia de seguridad", "backup"),
    ],
)
def test_the_language_decides_what_a_word_stands_for(question: str, word: str, other: str) -> None:
    (term,) = [term for term in parse_query(question).terms if term.text == word]
    assert other in term.alternatives


def test_a_word_that_looks_spanish_is_left_alone_in_an_english_question() -> None:
    (term,) = [term for term in parse_query("who is the red son").terms if term.text == "red"]
    assert "network" not in term.alternatives


@given(st.text(max_size=60))
def test_any_text_has_a_stem_and_a_gloss(text: str) -> None:
    assert isinstance(spanish.gloss_words(text.split()), str)
    assert len(spanish.stem_spanish(fold(text))) <= len(fold(text)) + 1


@pytest.mark.parametrize(
    ("text", "is_spanish"),
    [
        ("El agua sale marrón el primer minuto.", True),
        ("The water is brown in the first minute.", False),
        ("E-4031", False),
        ("", False),
    ],
)
def test_the_language_of_a_text(text: str, is_spanish: bool) -> None:
    assert spanish.looks_spanish(text) == is_spanish


@pytest.mark.parametrize(
    ("text", "english"),
    [
        ("Nevó toda la tarde.", "snow all the afternoon ."),
        ("# Notas\n- Los ajos se plantan en noviembre", "# note\n- the garlic plant in november"),
        ("See ya, Nate!", "See ya, Nate!"),
        ("Replica lags (E-5021)", "Replica lags (E-5021)"),
        ("The last line\nLa puerta está cerrada", "The last line\nthe door is closed"),
        ("", ""),
    ],
)
def test_spanish_lines_are_put_into_english_and_no_others(text: str, english: str) -> None:
    assert spanish.gloss_spanish_lines(text) == english


@given(st.text())
def test_a_gloss_has_as_many_lines_as_its_text(text: str) -> None:
    assert spanish.gloss_spanish_lines(text).count("\n") == text.count("\n")


@pytest.mark.parametrize(
    ("word", "english"),
    [
        ("nevó", "snow"), ("nevera", "fridge"), ("facturas", "invoice"), ("blancas", "white"),
        ("heladas", "frosts"), ("casa", "house"), ("plantan", "plant"), ("mellizos", "twins"),
    ],
)  # fmt: skip
def test_a_form_is_taken_for_the_nearest_word(word: str, english: str) -> None:
    assert spanish.gloss_words([word]) == english


@pytest.mark.parametrize(
    ("question", "english"),
    [
        ("contraseña", "password"),
        ("¿Quién es el fontanero?", "¿ who is the plumber ?"),
        ("who is the plumber?", "who is the plumber?"),
        ("cable", "cable"),
    ],
)
def test_a_spanish_question_is_put_into_english(question: str, english: str) -> None:
    assert spanish.gloss_question(question) == english


def test_an_adjective_is_a_form_of_its_noun() -> None:
    assert spanish.stem_spanish("alergia") == spanish.stem_spanish("alergica")
    assert spanish.stem_spanish("historia") == spanish.stem_spanish("historico")
    assert spanish.stem_spanish("clase") != spanish.stem_spanish("clasica")


@pytest.mark.parametrize(
    ("word", "forms"),
    [
        ("fin", {"fines"}),
        ("fines", {"fin"}),
        ("luz", {"luces"}),
        ("veces", {"vez"}),
        ("pie", {"pies"}),
        ("mes", {"meses"}),
        ("gata", {"gato", "gatos", "gatas"}),
        ("caso", {"casos"}),
        ("directora", {"director", "directores", "directoras"}),
        ("ingles", {"inglesa", "ingleses", "inglesas"}),
        ("aleman", {"alemana", "alemanes", "alemanas"}),
    ],
)
def test_the_forms_of_a_noun(word: str, forms: set[str]) -> None:
    found = {*spanish.noun_forms(word)}
    assert found >= forms
    # No word of the dictionary that is another noun.
    assert found.isdisjoint({"casa", "casas", "mesa", "fina"})
