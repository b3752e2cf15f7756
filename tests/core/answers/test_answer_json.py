"""The JSON of the memory tools."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.answers.answer_json import search_answer_json, unavailable_json
from scrubjay.config.schema.memory_search import Citations
from scrubjay.engine.engine import Engine
from scrubjay.errors import IndexCorrupt, IndexUnavailable
from scrubjay.records.conversation import Conversation
from scrubjay.records.note_records import Source
from scrubjay.records.search_modes import Mode
from scrubjay.records.search_records import Hit, SearchAnswer, SearchRequest, Snippet
from scrubjay.records.workspace_id import WorkspaceId
from support.vault import TIMEOUT, add, ask, write_notes


@pytest.mark.parametrize(
    ("citations", "key", "cites"),
    [
        ("auto", "agent:main:main", True),
        ("auto", "agent:main:telegram:direct:7", True),
        ("auto", "agent:main:telegram:group:7", False),
        ("auto", "", False),
        ("on", "agent:main:telegram:group:7", True),
        ("on", "agent:main:main", True),
        ("off", "agent:main:main", False),
        ("off", "", False),
    ],
)
def test_sources_are_named_in_direct_chats_unless_the_settings_say_otherwise(
    engine: Engine, notes: Path, citations: Citations, key: str, cites: bool
) -> None:
    engine.refresh(add(engine, notes), words_only=True).result(TIMEOUT)
    answer = ask(engine, "router", conversation=Conversation(key))
    reply = search_answer_json(answer, citations=citations).as_json()
    [hit] = reply["results"]
    assert hit["snippet"].endswith("Source: house/router.md#L1-L3") is cites
    assert (reply["citations"], hit["path"]) == ("on" if cites else "off", "house/router.md")


def test_a_short_answer_keeps_the_sentence_that_answers_of_its_later_hits(
    engine: Engine, tmp_path: Path
) -> None:
    filler = "Nothing of note happened in the yard that day, and it rained. " * 8
    notes = {f"day {n}.md": f"# Day {n}\n\n{filler}The heron came to pond {n}.\n" for n in range(4)}
    engine.refresh(add(engine, write_notes(tmp_path / "yard", notes)), words_only=True).result(
        TIMEOUT
    )
    answer = ask(engine, "heron pond")
    results = search_answer_json(answer, is_short=True).as_json()["results"]
    assert len(results) == 4
    assert all("The heron came to pond" in hit["snippet"] for hit in results)
    lengths = [len(hit["snippet"]) for hit in results]
    assert min(lengths[:2]) > 400
    assert max(lengths[2:]) <= 240
    # Parts of scores and an index without reservations are for those who compare searches.
    assert not {"vectorScore", "textScore"} & {*results[0]}
    assert {"textScore"} < {*search_answer_json(answer).as_json()["results"][0]}


def short(snippet: Snippet) -> str:
    """A snippet as a short answer has it of a hit that is not sure."""
    hit = Hit(
        workspace=WorkspaceId("w"),
        path="note.md",
        file=Path("note.md"),
        source=Source.NOTES,
        title="Note",
        heading="",
        first_line=1,
        last_line=1,
        best_line=1,
        score=0.3,
        text_score=None,
        vector_score=None,
        snippet=snippet,
        modified=dt.datetime.now().astimezone(),
    )
    answer = SearchAnswer(
        SearchRequest("budget"), (), Mode.LEXICAL, provider="", model="", uncertain=(hit,)
    )
    [reply] = search_answer_json(answer, is_short=True).as_json()["uncertain"]
    assert isinstance(reply["snippet"], str)
    return reply["snippet"]


LETTERS = st.one_of(
    st.text("今日は会議で予算の話をした。"),
    st.text("ประชุมงบประมาณ"),
    st.text("abc/-_%=&?"),
    st.text("abcdefgh \n"),
    st.text(),
)
TEXTS = st.builds(lambda letters, count: (letters * count)[:700], LETTERS, st.integers(1, 100))


@given(TEXTS, TEXTS)
def test_a_short_hit_has_the_place_that_answers_best_in_any_language(
    before: str, after: str
) -> None:
    text = f"{before}X⌖X{after}"
    shown = short(Snippet(text, (), len(before)))
    assert "X⌖X" in shown
    if len(text) > 200:
        assert len(shown) <= 200


@pytest.mark.parametrize(
    "text", ["今日は会議で予算の話をした。" * 30, "https://a.org/" + "b/" * 300]
)
@pytest.mark.parametrize("best", [0, 150, 300, 399])
def test_a_text_without_spaces_is_as_long_as_others(text: str, best: int) -> None:
    shown = short(Snippet(text, (), best))
    assert len(shown) >= 195
    assert text[best : best + 1] in shown


def test_a_single_letter_that_is_longer_than_a_hit_is_cut() -> None:
    assert short(Snippet("a" + "\u0301" * 400, (), 0)).startswith("a\u0301")


def test_what_is_unavailable_says_why_and_what_to_do() -> None:
    error = IndexUnavailable("Search is turned off", "So it is.", hint="Switch it on.")
    assert unavailable_json(error).as_json() == {
        "results": [],
        "disabled": True,
        "error": "Search is turned off: So it is.",
        "action": "Switch it on.",
    }
    assert "scrubjay status" in unavailable_json(IndexCorrupt("Damaged")).action
