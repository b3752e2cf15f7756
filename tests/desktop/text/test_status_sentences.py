from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest
from msgspec.structs import replace

from scrubjay.errors import ONLY_WHEN_NAMED
from scrubjay.records.note_records import Source, Workspace
from scrubjay.records.search_modes import Mode
from scrubjay.records.search_records import Hit, SearchAnswer, SearchRequest, Snippet
from scrubjay.records.status_records import (
    EngineStatus,
    Freshness,
    IndexState,
    ModelStatus,
    PictureProgress,
    Progress,
    Takeover,
    WorkspaceStatus,
)
from scrubjay.records.workspace_id import WorkspaceId
from scrubjay_desktop.text.status_sentences import (
    answer_sentence,
    indexing_percent,
    learned_line,
    meaning_sentence,
    named_only_sentence,
    nothing_found,
    pictures_sentence,
    progress_sentence,
    short_answer_sentence,
    waiting_sentence,
    workspace_line,
)
from support.statuses import BROKEN, FRESH, LEARNING, NOTES, NOW, READING


@pytest.mark.parametrize(
    ("progress", "sentence", "percent"),
    [
        (Progress(), "looking for changes", None),
        (Progress("scanning", learned=3, passages=4), "looking for changes", None),
        (Progress("updating", passages=4, done=1, total=4), "updating the search index, 25%", None),
        (Progress("words", passages=4, done=1, total=4), "reading notes, 3 left", None),
        (Progress("words", learned=3, passages=4, done=1, total=4), "reading notes, 3 left", 75),
        (
            Progress("pictures", learned=4, passages=4, done=31, total=214, seconds_left=370),
            "reading pictures, 31 of 214, about 6 minutes left",
            14,
        ),
        (
            Progress("meaning", learned=999, passages=1000),
            "preparing notes for search by meaning, 99%",
            99,
        ),
        (
            Progress("meaning", learned=2, passages=4, added=1000, seconds_left=200),
            "preparing notes for search by meaning, 50% (1,000 notes more), about 3 minutes left",
            50,
        ),
        (
            Progress("meaning", learned=2, passages=4, added=-1),
            "preparing notes for search by meaning, 50% (1 note removed)",
            50,
        ),
        (
            Progress("refining", learned=4, passages=4, done=1, total=9),
            "making search by meaning more exact",
            100,
        ),
    ],
)
def test_progress(progress: Progress, sentence: str, percent: int | None) -> None:
    assert (progress_sentence(progress), indexing_percent(progress)) == (sentence, percent)


FRESH_BUT_TWO = replace(FRESH, unreadable=2)
ADVICE = "Try other words, or ask a question."
UNLEARNED = "Some notes are not fully ready for search yet. Search again later for more results."
UNREAD = replace(NOTES, freshness=Freshness(0, 0, 0, 0.0, None), state=IndexState.WAITING)
VAULT = replace(UNREAD, workspace=Workspace("vault", "Teaching Vault", Path("/vault")))


@pytest.mark.parametrize(
    ("workspaces", "sentence"),
    [
        ((NOTES, VAULT), "Teaching Vault is still being read"),
        ((UNREAD, VAULT), f"{NOTES.workspace.name} and Teaching Vault are still being read"),
        ((NOTES, BROKEN), "Still searching…"),
    ],
)
def test_what_a_search_waits_for(workspaces: tuple[WorkspaceStatus, ...], sentence: str) -> None:
    status = EngineStatus(workspaces, ModelStatus("local", "", is_ready=True), is_paused=False)
    assert waiting_sentence(status) == sentence


@pytest.mark.parametrize(
    ("one", "line"),
    [
        (NOTES, "3,220 notes, up to date"),
        (READING, "Reading, 3,100 left"),
        (LEARNING, "Preparing search by meaning, 33%"),
        (replace(NOTES, state=IndexState.INDEXING), "Looking for changes"),
        (BROKEN, "3,220 notes, attention needed"),
        (replace(NOTES, state=IndexState.PAUSED), "3,220 notes, paused"),
        (replace(NOTES, state=IndexState.WAITING), "3,220 notes, waiting for other folders"),
        (replace(NOTES, state=IndexState.NEVER), "Not read yet"),
        (replace(NOTES, freshness=replace(FRESH, pending=3)), "3,220 notes, 3 not read yet"),
        (replace(NOTES, freshness=FRESH_BUT_TWO), "3,220 notes, 2 could not be read"),
    ],
)
def test_the_second_line_of_a_workspace(one: WorkspaceStatus, line: str) -> None:
    assert workspace_line(one) == line


@pytest.mark.parametrize(
    ("fresh", "learned", "line"),
    [
        (FRESH, 9000, "3,220 notes · all ready for search by meaning"),
        (FRESH, 3600, "3,220 notes, up to date · 40% ready for search by meaning"),
        (FRESH, 8999, "3,220 notes, up to date · 99% ready for search by meaning"),
        (FRESH_BUT_TWO, 9000, "3,220 notes, 2 could not be read"),
    ],
)
def test_a_folder_is_learned_as_far_as_it_can_be_read(
    fresh: Freshness, learned: int, line: str
) -> None:
    progress = Progress(learned=learned, passages=9000)
    assert learned_line(replace(NOTES, freshness=fresh, progress=progress)) == line


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({}, ADVICE),
        ({"freshness": replace(FRESH, embedded=0.2)}, UNLEARNED),
        ({"unread": ("Teaching Vault",)}, UNLEARNED),
        (
            {"freshness": replace(FRESH, pending=2)},
            "2 notes have not been read yet. Search again later for more results.",
        ),
        ({"mode": Mode.LEXICAL, "freshness": replace(FRESH, embedded=0.2)}, ADVICE),
        ({"freshness": replace(FRESH, unreadable=2)}, "2 notes could not be read."),
        (
            {"days": (NOW.date(), NOW.date())},
            "Scrubjay found no headings with a date in this period.",
        ),
        (
            {"days": (NOW.date(), NOW.date()), "freshness": replace(FRESH, pending=2)},
            "2 notes have not been read yet. Search again later for more results.",
        ),
    ],
)
def test_nothing_found_says_what_to_think_of_it(given: dict[str, object], text: str) -> None:
    assert nothing_found(answer(hits=(), **given))[1] == text


def answer(**changes: object) -> SearchAnswer:
    hit = Hit(
        "notes", "a.md", Path("/notes/a.md"), Source.NOTES, "A", "", 1, 2, 1, 0.9, 0.9, None,
        Snippet("a"), NOW,
    )  # fmt: skip
    made = SearchAnswer(SearchRequest("a"), (hit,), Mode.HYBRID, "local", "m", "", FRESH)
    return replace(made, **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (answer(), "Searched 3,220 notes by words and by meaning."),
        (
            answer(freshness=replace(FRESH, documents=3214, unreadable=6)),
            "Searched 3,214 of 3,220 notes by words and by meaning. 6 notes could not be read.",
        ),
        (
            answer(freshness=replace(FRESH, pending=3, embedded=0.999)),
            "Searched 3,220 notes by words, and some of them by meaning. "
            "3 changed notes have not been read yet.",
        ),
        (
            answer(unread=("Teaching Vault",)),
            "Searched 3,220 notes by words and by meaning. Teaching Vault is still being read.",
        ),
        (
            answer(freshness=replace(FRESH, embedded=0.0)),
            "Searched 3,220 notes by words, and some of them by meaning.",
        ),
        (
            answer(freshness=replace(FRESH, embedded=0.001)),
            "Searched 3,220 notes by words, and some of them by meaning.",
        ),
        (
            answer(freshness=replace(FRESH, pending=3, reason="Reading is paused.")),
            "Searched 3,220 notes by words and by meaning. 3 changed notes have not been read "
            "yet. Reading is paused.",
        ),
        (
            answer(freshness=replace(FRESH, reason="The folder /x is not there.")),
            "Searched 3,220 notes by words and by meaning. The folder /x is not there.",
        ),
        (  # the clock was set back meanwhile
            answer(freshness=replace(FRESH, checked_at=NOW + dt.timedelta(days=400))),
            "Searched 3,220 notes by words and by meaning.",
        ),
        (
            answer(mode=Mode.LEXICAL, freshness=replace(FRESH, checked_at=None)),
            "Searched 3,220 notes by words only.",
        ),
        (answer(hits=()), "Searched 3,220 notes by words and by meaning."),
        (
            answer(freshness=replace(FRESH, checked_at=NOW - dt.timedelta(minutes=5))),
            "Searched 3,220 notes by words and by meaning. Last checked for changes 5 min ago.",
        ),
        (answer(days=(NOW.date(), NOW.date())), "Searched 3,220 notes."),
        (
            answer(provider="gemini", takeover=Takeover("openai", "It refused the key.")),
            "Searched 3,220 notes by words and by meaning. "
            "Used Gemini instead of OpenAI (It refused the key).",
        ),
        (
            answer(mode=Mode.LEXICAL, takeover=Takeover("openai", "It refused the key.")),
            "Searched 3,220 notes by words only.",
        ),
    ],
)
def test_an_answer_says_how_far_it_can_be_trusted(given: SearchAnswer, sentence: str) -> None:
    assert answer_sentence(given, NOW) == sentence


@pytest.mark.parametrize(
    ("reasons", "sentence"),
    [
        ({}, ""),
        ({"old": ONLY_WHEN_NAMED}, "Searched only when chosen or named: Old stuff."),
        (
            {"old": ONLY_WHEN_NAMED, "mail": ONLY_WHEN_NAMED, "off": "Search is turned off"},
            "Searched only when chosen or named: Old stuff and Mail.",
        ),
        ({"gone": ONLY_WHEN_NAMED}, ""),
    ],
)
def test_folders_that_a_search_leaves_out_are_named(
    reasons: dict[WorkspaceId, str], sentence: str
) -> None:
    names = {WorkspaceId("old"): "Old stuff", WorkspaceId("mail"): "Mail"}
    assert named_only_sentence(answer(not_searched=reasons), names) == sentence


def test_a_missing_model_is_named_only_when_meaning_was_asked_for() -> None:
    without = answer(mode=Mode.LEXICAL, fallback_reason="The model is not there.")
    assert meaning_sentence(without) == "The model is not there."
    titled = replace(without, fallback_reason="Search by meaning is not ready yet")
    assert meaning_sentence(titled) == "Search by meaning is not ready yet."
    asked_for_words = replace(without, request=SearchRequest("a", mode=Mode.LEXICAL))
    assert meaning_sentence(asked_for_words) == ""


def test_each_reason_in_the_line_below_an_answer_is_a_sentence() -> None:
    made = answer(freshness=replace(FRESH, reason="Not all folders can be watched for changes"))
    assert answer_sentence(made, NOW).endswith(" Not all folders can be watched for changes.")
    assert short_answer_sentence(made).endswith("Not all folders can be watched for changes.")
    assert not answer_sentence(answer(freshness=FRESH), NOW).endswith("..")


@pytest.mark.parametrize(
    ("count", "words"),
    [
        (1, "1 nota no se pudo leer. 1 nota cambiada aún no se ha leído."),
        (2, "2 notas no se pudieron leer. 2 notas cambiadas aún no se han leído."),
    ],
)
def test_verbs_agree_with_the_number_of_notes(spanish, count: int, words: str) -> None:
    fresh = replace(FRESH, documents=30, unreadable=count, pending=count)
    assert words in answer_sentence(answer(freshness=fresh), NOW)


@pytest.mark.parametrize(
    ("pictures", "sentence"),
    [
        ((PictureProgress(),), ""),
        ((PictureProgress(1),), "1 picture not read yet"),
        ((PictureProgress(183, 370.0),), "183 pictures not read yet, about 6 minutes left"),
        (
            (PictureProgress(3, 6.0, "Pictures wait for mains power."), PictureProgress(2, 4.0)),
            "5 pictures not read yet. Pictures wait for mains power.",
        ),
    ],
)
def test_pictures_that_wait(pictures: tuple[PictureProgress, ...], sentence: str) -> None:
    workspaces = [replace(NOTES, pictures=each) for each in pictures]
    assert pictures_sentence(workspaces) == sentence


def test_pictures_that_wait_during_a_pass_say_why() -> None:
    progress = Progress("pictures", done=31, total=214, seconds_left=370)
    sentence = progress_sentence(progress, paused="Pictures are read after your search.")
    assert sentence == "reading pictures, 31 of 214. Pictures are read after your search."
