"""Terms, filters and names of a typed query."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.search.query.query_parser import MAX_TERMS, ParsedQuery, parse_query


def words(typed: str, **how: object) -> list[str]:
    return [term.text for term in parse_query(typed, **how).terms]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("typed", "terms"),
    [
        ("", []),
        ("acorn cache", ["acorn", "cache"]),
        ("  acorn\tcache\n", ["acorn", "cache"]),
        ("acorn, cache; (jay)!", ["acorn", "cache", "jay"]),
        ("a OR b AND NOT c", ["a", "b"]),
        ("acorn acorn", ["acorn"]),
        ("naïve café", ["naïve", "café"]),
        ("memorySearch.query.hybrid", ["memorySearch.query.hybrid"]),
        ("gpt-4 2026.4.10 a828e60", ["gpt-4", "2026.4.10", "a828e60"]),
        ("core/scrubjay/engine.py:42", ["core/scrubjay/engine.py:42"]),
        ('say "hi', ["say", "hi"]),
        ("*** ??? ---", []),
        ("日本語", ["日本", "本語"]),
        ("C'est l’été", ["C'est", "l’été"]),
    ],
)
def test_words(typed: str, terms: list[str]) -> None:
    assert words(typed) == terms


@pytest.mark.parametrize(
    ("typed", "parts"),
    [
        ("path:memory acorn", (("memory",), None, None)),
        ('path:"my notes" acorn', (("my notes",), None, None)),
        ("path:a path:b acorn", (("a", "b"), None, None)),
        ("after:2026-01-02 acorn", ((), dt.date(2026, 1, 2), None)),
        ("acorn BEFORE:2026-01-02", ((), None, dt.date(2026, 1, 2))),
        ("acorn after:2026-02-30", ((), None, None)),
        ("acorn after:lunch", ((), None, None)),
        ("acorn path:", ((), None, None)),
        ("acorn xpath:memory", ((), None, None)),
    ],
)
def test_filters(typed: str, parts: tuple[object, ...]) -> None:
    query = parse_query(typed)
    assert (query.filters.path_parts, query.filters.after, query.filters.before) == parts
    assert "acorn" in words(typed)


@pytest.mark.parametrize(
    ("typed", "names", "text"),
    [
        ("file:callouts acorn", ("callouts",), "acorn"),
        ('acorn FILE:"daily notes" file:b', ("daily notes", "b"), "acorn"),
        ("file:Callouts", ("Callouts",), "Callouts"),
        ("file: acorn", (), "file: acorn"),
    ],
)
def test_a_part_of_a_file_name_filters_and_alone_is_also_looked_for(
    typed: str, names: tuple[str, ...], text: str
) -> None:
    query = parse_query(typed)
    assert (query.filters.name_parts, query.text) == (names, text)


def test_an_operator_without_sense_is_a_word() -> None:
    assert words("after:lunch") == ["after:lunch"]
    assert words("xpath:memory") == ["xpath:memory"]


@pytest.mark.parametrize(
    ("typed", "phrases", "excluded"),
    [
        ('"exact phrase" word', ["exact phrase"], ()),
        ("word -without", [], ("without",)),
        ('word -"not this"', [], ("not this",)),
        ("well-known fact", [], ()),
        ("a - b", [], ()),
        ('""', [], ()),
        ('"..."', [], ()),
    ],
)
def test_phrases_and_exclusions(typed: str, phrases: list[str], excluded: tuple[str, ...]) -> None:
    query = parse_query(typed)
    assert [term.text for term in query.terms if term.is_phrase] == phrases
    assert query.excluded == excluded


@pytest.mark.parametrize(
    ("typed", "keywords"),
    [
        ("what is the password of the router", ["password", "router"]),
        ("cuál es la contraseña del router", ["contraseña", "router"]),
        ("qual é a senha do roteador", ["senha", "roteador"]),
        ("was ist das passwort vom router", ["passwort", "router"]),
        ("quel est le mot de passe", ["mot", "passe"]),
        ("where did I put the spare key", ["spare", "key"]),
        ("dónde puse la llave", ["llave"]),
        ("who made this", ["who", "made", "this"]),
        ("the who", ["the", "who"]),
        ("to be or not to be", ["to", "be", "or", "not"]),
    ],
)
def test_stop_words_say_nothing_unless_there_is_nothing_else(
    typed: str, keywords: list[str]
) -> None:
    assert [term.text for term in parse_query(typed).keywords] == keywords


@pytest.mark.parametrize(
    ("typed", "is_identifier"),
    [
        ("gpt-4", True),
        ("read_note", True),
        ("camelCase", True),
        ("a.b.c", True),
        ("2026", True),
        ("acorn", False),
        ("Acorn", False),
        ("naïve", False),
    ],
)
def test_identifiers_are_known(typed: str, is_identifier: bool) -> None:
    assert parse_query(typed).terms[0].is_identifier is is_identifier


def test_words_stand_for_their_counterparts() -> None:
    assert "casa" in parse_query("house").terms[0].alternatives
    assert "house" in parse_query("casa").terms[0].alternatives
    own = {"jay": ("arrendajo",)}
    assert "arrendajo" in parse_query("Jay", synonyms=own).terms[0].alternatives


def test_only_the_last_word_is_unfinished() -> None:
    typing = parse_query("viol bow", is_open=True).terms
    assert [term.is_prefix for term in typing] == [False, True]
    assert [term.is_prefix for term in parse_query("vi", is_open=True).terms] == [False]
    assert [term.is_prefix for term in parse_query("viol ", is_open=True).terms] == [False]


def test_no_word_of_a_pasted_page_is_cut_in_two() -> None:
    assert [term.text for term in parse_query("router " * 14_000).terms] == ["router"]
    assert len(parse_query("x" * 100_000).terms) == 1


def test_a_pasted_page_is_cut() -> None:
    assert len(parse_query(" ".join(f"word{n}" for n in range(500))).terms) == MAX_TERMS


@given(st.text(st.characters()), st.booleans())
def test_any_text_is_understood(typed: str, is_typing: bool) -> None:
    query = parse_query(typed, is_open=is_typing)
    assert len(query.terms) <= MAX_TERMS
    assert all(term.text and all(term.alternatives) for term in query.terms)
    assert bool(query.expression()) is bool(query.terms)


@pytest.mark.parametrize(
    ("query", "names"),
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
def test_names_are_told_from_other_words(query: str, names: list[str]) -> None:
    assert list(ParsedQuery(query).names) == names


@given(st.text())
def test_any_text_has_names_of_its_own_words_or_none(text: str) -> None:
    assert all(name in text for name in ParsedQuery(text).names)


def test_a_fixed_spanish_expression_is_one_term() -> None:
    query = parse_query("deberes los fines de semana")
    [homework, weekend] = query.keywords
    assert homework.text == "deberes"
    assert weekend.alternatives == ("fines de semana", "fin de semana", "weekend")
    assert (weekend.translations, weekend.parts) == (("weekend",), ("fines", "semana"))


@pytest.mark.parametrize(
    ("text", "words", "excluded"),
    [
        ("antique car NOT 1970", "antique car", "1970"),
        ("garden AND NOT pond", "garden", "pond"),
        ('boat NOT "red sail"', "boat", "red sail"),
        ("DO NOT ENTER", "DO NOT ENTER", ""),
        ("NOT car", "NOT car", ""),
        ("cat -dog", "cat", "dog"),
        ("salad -egg", "salad", "egg"),
        ("notes -2024", "notes", "2024"),
        ("ssh -T git@github.com", "ssh T git@github.com", ""),
        ("java -Xmx4g -jar app.jar", "java Xmx4g jar app.jar", ""),
        ("git push --force", "git push force", ""),
        ("tar -xzf a.tgz", "tar xzf a.tgz", ""),
        ("docker run -it --rm", "docker run it rm", ""),
        ("gcc -O2 -Wall main.c", "gcc O2 Wall main.c", ""),
        ("curl -H x", "curl H x", ""),
        ("“antique car”", "antique car", ""),
        ("„antique car“ red", "antique car red", ""),
        ("«antique car»", "antique car", ""),
        ("「古い車」 red", "古い い車 red", ""),
        ("‘antique car’ red", "antique car red", ""),
        ("don’t stop", "don’t stop", ""),
        ("*bold* word", "bold word", ""),
        ("4 310,75 due", "4 310,75 due", ""),
        ("pay DE68 2105 0170 0012 3456 78", "pay DE68 2105 0170 0012 3456 78", ""),
        ("party 🎉 c++", "party 🎉 c++", ""),
        ("हिन्दी शब्द", "हिन्दी शब्द", ""),
        ("ge\xadsamt", "ge\xadsamt", ""),
    ],
)
def test_what_people_type_is_read_as_they_mean_it(text: str, words: str, excluded: str) -> None:
    query = parse_query(text, translates=False)
    assert " ".join(term.text for term in query.terms) == words.replace("古い い車", "古い車")
    assert " ".join(query.excluded) == excluded


@pytest.mark.parametrize("word", ["chrysan*", "97f74b7"])
def test_a_beginning_finds_longer_words(word: str) -> None:
    [term] = parse_query(word).terms
    assert term.is_prefix
    assert term.expression().endswith("*)")
    assert not parse_query("*bold*").terms[0].is_prefix
