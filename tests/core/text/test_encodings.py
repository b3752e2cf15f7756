"""Encodings of plain texts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.notes.note_reader import decode_note
from scrubjay.text.encodings import HEAD_BYTES, detect_codec

LETTER = (
    "Lieber Herr Müller,\r\n\r\n"
    "die Schlüssel für die Tür hängen über der Spüle. Größe 42 ist schön.\r\n"
    "Le café était fermé à Noël, el niño comió piñas mañana.\r\n"
)


@pytest.mark.parametrize(
    "codec",
    ["utf-8", "utf-8-sig", "cp1252", "latin-1", "mac_roman", "utf-16", "utf-16-le", "utf-16-be"],
)
def test_a_letter_in_any_encoding_is_read(codec: str) -> None:
    assert decode_note(LETTER.encode(codec)) == LETTER


@pytest.mark.parametrize("codec", ["cp1252", "mac_roman"])
@pytest.mark.parametrize(
    "text",
    [
        "Café Müller\n",
        "Grüße\n",
        "Herr Müller,\r\n\r\ndie Küche wird am Montag gestrichen.\r\n",
        "El niño comió piñas mañana. ¿Dónde está la lección? Año nuevo.\n",
        "Le café était fermé à Noël; l\u2019élève a oublié ses leçons\u2026\n",
        "The \u201cquoted\u201d word \u2013 it\u2019s 5 today. Call Zoë at noon.\n",
    ],
)
def test_a_few_words_of_an_old_program_are_read(text: str, codec: str) -> None:
    assert decode_note(text.encode(codec)) == text


@pytest.mark.parametrize("codec", ["cp1251", "cp1250"])
def test_letters_of_other_languages_are_read(codec: str) -> None:
    text = {
        "cp1251": "Сегодня хорошая погода, мы пойдём гулять в парк и купим хлеб.\n",
        "cp1250": "Zażółć gęślą jaźń. Wczoraj byłem w sklepie i kupiłem świeże pączki na jutro.\n",
    }[codec]
    assert decode_note(text.encode(codec)) == text


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1))
def test_what_is_valid_utf8_is_read_as_such(text: str) -> None:
    assert detect_codec(text.encode("utf-8")) in ("utf-8", "utf-16-le", "utf-16-be")
    if not text.startswith("\ufeff"):
        assert decode_note(text.encode("utf-8")) == text


@given(st.binary())
def test_a_codec_that_is_guessed_gives_the_bytes_back(data: bytes) -> None:
    codec = detect_codec(data)
    try:
        text = data.decode(codec)
    except UnicodeDecodeError:
        return
    assert text.encode(codec) == data


def test_a_letter_that_is_cut_where_the_look_ends_is_no_other_encoding() -> None:
    assert detect_codec(b"a" * (HEAD_BYTES - 1) + "ü".encode() * 9) == "utf-8"


def test_bytes_of_a_program_are_no_text() -> None:
    assert detect_codec(b"\x7fELF\x02\x01\xe9\xff\xfe") == "utf-8"
