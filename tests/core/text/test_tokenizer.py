"""How text becomes tokens."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.text.normal_form import normal_form
from scrubjay.text.tokenizer import (
    Analyzer,
    cjk_pairs,
    fold,
    further_words,
    identifier_parts,
    searchable_text,
)

TEXTS = st.text(st.characters()) | st.lists(
    st.sampled_from(
        ["jays ", "Café", "漢字カナ", "Python入門", "한글", "👩‍👧", "a_b", " ", "\n", "\udce9"]
    )
).map("".join)


@pytest.fixture(scope="module")
def analyzer() -> Iterator[Analyzer]:
    analyzer = Analyzer()
    yield analyzer
    analyzer.close()


@given(TEXTS)
def test_tokens_know_their_places(analyzer: Analyzer, text: str) -> None:
    tokens = analyzer.tokens(text)
    assert all(0 <= token.start < token.end <= len(text) for token in tokens)
    assert [token.start for token in tokens] == sorted(token.start for token in tokens)


@given(TEXTS)
def test_places_and_plain_stems_are_of_the_same_words(analyzer: Analyzer, text: str) -> None:
    assert {token.stem for token in analyzer.tokens(text)} == set(analyzer.stems(text))


@pytest.mark.parametrize(
    ("text", "stems"),
    [
        ("Running cats ran", ["run", "cat", "ran"]),
        ("CAFÉ naïve Ångström", ["cafe", "naiv", "angstrom"]),
        ("snake_case x_1", ["snake_cas", "x_1"]),
        ("gpt-4 2026.4.10", ["gpt", "4", "2026", "4", "10"]),
        ("漢字カナ", ["漢字", "字カ", "カナ", "ナ"]),
        ("Python入門", ["python", "入門", "門"]),
        ("", []),
        ("!? ...", []),
    ],
)
def test_stems(analyzer: Analyzer, text: str, stems: list[str]) -> None:
    assert analyzer.stems(text) == stems
    assert [token.stem for token in analyzer.tokens(text)] == stems


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("memorySearch", "memory Search"),
        ("read_note_twice", "read note twice"),
        ("HTTPServer parseXMLFile2", "parse XML File 2"),
        ("plain words", ""),
        ("__init__", ""),
        ("x_1", "x 1"),
    ],
)
def test_compound_names_have_parts(text: str, parts: str) -> None:
    assert identifier_parts(text) == parts


@given(st.text(st.sampled_from("abYZ_9 é漢.")))
def test_compound_names_are_those_with_a_bend_or_an_underscore(text: str) -> None:
    names = re.findall(r"\w*(?:[a-z][A-Z]|[^\W_]_[^\W_])\w*", text)
    parts = " ".join(
        part for name in dict.fromkeys(names) for part in identifier_parts(name).split()
    )
    assert identifier_parts(text) == parts


@pytest.mark.parametrize(
    ("text", "folded"),
    [("Straße", "strasse"), ("ÁÉÑ", "aen"), ("ﬁ", "fi"), ("İ", "i"), ("漢", "漢")],
)
def test_folding(text: str, folded: str) -> None:
    assert fold(text) == folded


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("plain words, 2026-04-16 and 1.2.3", ""),
        ("C++, C# or A+ in .NET", "c_plus_plus c_sharp a_plus net_dot"),
        ("a+b C+D x#y #tag", ""),
        ("reloadTimelines(snake_case)", "reload Timelines snake case"),
        ("1,234 4.310,75 0.5", "1234 4310_75 4310 0_5"),
        ("12, 13 #1.234,50 in 2026, 4", "1234_50 1234"),
        ("+49 (0)30 1234567", "49301234567 0301234567 301234567"),
        ("DE68 2105 0170 0012 3456 78", "de68210501700012345678"),
        ("Müller in Åse", "mueller aase"),
        ("Größe snake_ä naïveWord", "snake a naive Word groesse snake_ae"),
        ("€ 1,234.56 am 3. Mai, 2026-04-16", "1234_56 1234"),
        ("8.5, 1.234,50 AB12 99", "8_5 1234_50 1234"),
    ],
)
def test_further_words(text: str, words: str) -> None:
    assert further_words(text, normal_form(text)) == words


@given(st.text(st.sampled_from("019.,'- /()+ADEx")))
def test_a_letter_beyond_ascii_elsewhere_changes_no_number(text: str) -> None:
    plain = f"{text} x"
    other = f"{text} я"
    assert further_words(other, other) == further_words(plain, plain)


@pytest.mark.parametrize(
    ("text", "stem", "written"),
    [
        ("call reloadTimelines now", "timelin", "Timelines"),
        ("é C++ code", "c_plus_plu", "C++"),
        ("$4,310.75 due", "4310_75", "4,310.75"),
        ("Herr Müller", "mueller", "Müller"),
    ],
)
def test_further_words_stand_where_they_are_written(
    analyzer: Analyzer, text: str, stem: str, written: str
) -> None:
    [token] = [token for token in analyzer.tokens_and_parts(text) if token.stem == stem]
    assert text[token.start : token.end] == written


def test_runs_without_spaces_become_pairs() -> None:
    assert cjk_pairs("漢字カ") == ["漢字", "字カ", "カ"]
    assert searchable_text("see 漢字 here").split() == ["see", "漢字", "字", "here"]
    assert searchable_text("ข้าว").split() == ["ข้", "้า", "าว", "ว"]
    assert searchable_text("nothing to do") == "nothing to do"
