"""Names that one system takes for one, or cannot have at all."""

from __future__ import annotations

import unicodedata

import pytest

from scrubjay.platform.file_names import file_name_key, is_portable_name


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Plan.md", "PLAN.md"),
        ("Café", unicodedata.normalize("NFD", "CAFÉ")),
        ("Όνος", "ΌΝΟΣ"),
        ("ΐ", "Ϊ́"),  # folded to three letters, or to two
        ("İstanbul", "i̇stanbul"),
        ("Straße", "STRAẞE"),
        ("ﬁ", "FI"),
    ],
)
def test_names_that_differ_in_case_or_the_form_of_accents_are_one(first: str, second: str) -> None:
    assert file_name_key(first) == file_name_key(second)


@pytest.mark.parametrize(
    ("first", "second"), [("Plan", "Plan "), ("istanbul", "ıstanbul"), ("Café", "Cafe")]
)
def test_other_names_are_not(first: str, second: str) -> None:
    assert file_name_key(first) != file_name_key(second)


@pytest.mark.parametrize(
    "name",
    [
        *("con", "CON.md", "nul .md", "Aux.tar.md", "COM¹.md", "lpt9", "conin$", "CONOUT$.txt"),
        *(
            "a:b.md",
            "C:a.md",
            "a?.md",
            'a".md',
            "a|b",
            "a\\b",
            "a\nb",
            "a.",
            "a ",
            " a",
            "a\u200bb",
        ),
    ],
)
def test_names_that_windows_does_not_have_are_not_portable(name: str) -> None:
    assert not is_portable_name(name)


@pytest.mark.parametrize("name", ["console.md", "com10.md", "aux-notes", "nul_1", "ñ 日本 😀.md"])
def test_similar_names_are_portable(name: str) -> None:
    assert is_portable_name(name)
