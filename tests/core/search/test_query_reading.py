"""What an answer says about the exclusions and unknown operators of its question."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from scrubjay.answers.answer_json import search_answer_json
from scrubjay.cli.answer_lines import answer_lines
from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import Paths
from scrubjay.records.audience import AGENT, PERSON
from scrubjay.records.search_records import QueryReading
from support.providers import WordProvider
from support.vault import TIMEOUT, NewEngine, add, age, ask, write_notes

NOTES = {
    "beds.md": "# Beds\n\nThe garden has carrots.\n",
    "pond.md": "# Pond\n\nThe garden has a pond.\n",
}


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    root = tmp_path_factory.mktemp("reading")
    engine = Engine(Paths.under(root / "home"), provider=WordProvider())
    engine.refresh(add(engine, write_notes(root / "vault", NOTES), "vault")).result(TIMEOUT)
    yield engine
    engine.close()


@pytest.fixture(scope="module")
def two_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    root = tmp_path_factory.mktemp("folders")
    engine = Engine(Paths.under(root / "home"), provider=WordProvider())
    school = {"7b/one.md": "Fractions in the garden.\n"}
    engine.refresh(add(engine, write_notes(root / "vault", NOTES), "vault")).result(TIMEOUT)
    engine.refresh(add(engine, write_notes(root / "s", school), "School notes")).result(TIMEOUT)
    yield engine
    engine.close()


@pytest.mark.parametrize(
    ("question", "reading"),
    [
        ("garden", QueryReading()),
        ("garden -pond", QueryReading(("pond",), "garden pond")),
        ("garden NOT pond", QueryReading(("pond",), "garden pond")),
        ('garden -"a pond"', QueryReading(("a pond",), 'garden "a pond"')),
        ("garden -tag:water", QueryReading(("tag:water",), "garden")),
        ('garden -path:"old stuff"', QueryReading(('path:"old stuff"',), "garden")),
        ("ssh -T garden", QueryReading()),
        ("garden foo:bar", QueryReading(unknown=("foo:",))),
        ("section:(garden carrots)", QueryReading(unknown=("section:",))),
        ("garden at 10:30 https://a.org/b", QueryReading()),
    ],
)
@pytest.mark.parametrize("audience", [PERSON, AGENT])
def test_an_answer_says_how_its_question_was_read(
    engine: Engine, question: str, reading: QueryReading, audience: object
) -> None:
    answer = ask(engine, question, audience=audience)
    assert answer.reading == reading


@pytest.mark.parametrize(
    ("question", "unmatched", "similar"),
    [
        ("folder:School garden", ("folder:School",), 'folder:"School notes"'),
        ("folder:school", ("folder:school",), 'folder:"School notes"'),
        ("folder:7", ("folder:7",), "folder:7b"),
        ("folder:attic garden", ("folder:attic",), ""),
        ("tag:attic path:cellar garden", ("path:cellar", "#attic"), ""),
        ('title:"old stuff" garden', ('title:"old stuff"',), ""),
        ("kind:pdf garden", ("kind:pdf",), ""),
        ("ext:jpg garden", ("ext:jpg",), ""),
        # Each is matched by some note, but no note matches all of it.
        ('folder:"School notes" path:beds garden', (), ""),
        ("path:beds zebra", (), ""),
    ],
)
def test_an_answer_without_results_names_the_conditions_that_no_note_matches(
    two_folders: Engine, question: str, unmatched: tuple[str, ...], similar: str
) -> None:
    answer = ask(two_folders, question, audience=PERSON)
    assert answer.hits == ()
    assert (answer.reading.unmatched, answer.reading.similar_folder) == (unmatched, similar)


@pytest.mark.parametrize(
    ("question", "similar"),
    [
        ("folder:School zebra", 'folder:"School notes"'),
        ("folder:school/ zebra", 'folder:"School notes"'),
        ("folder:Old/School zebra", 'folder:"School notes"'),
        ("in:School zebra", 'folder:"School notes"'),
        # What only the names of notes have is not a folder.
        ("folder:list zebra", ""),
        ("folder:S_hool zebra", ""),
    ],
)
def test_a_similar_folder_is_found_beside_newer_notes_with_the_word_in_their_names(
    new_engine: NewEngine, tmp_path: Path, question: str, similar: str
) -> None:
    engine = new_engine(WordProvider())
    notes = {f"My School list {number}.md": "Pens.\n" for number in range(9)}
    root = write_notes(tmp_path / "vault", {"School notes/a.md": "Fractions.\n", **notes})
    age(root / "School notes/a.md")
    engine.refresh(add(engine, root)).result(TIMEOUT)
    answer = ask(engine, question, audience=PERSON)
    assert answer.reading.similar_folder == similar


def test_agents_get_a_query_without_the_exclusion(engine: Engine) -> None:
    answer = ask(engine, "garden -pond foo:bar")
    reply = search_answer_json(answer).as_json()
    assert reply["plainQuery"] == "garden pond foo:bar"
    assert reply["queryNote"] == (
        "Excluded: pond. Searched as words, because there is no such operator: foo:."
    )
    assert ask(engine, reply["plainQuery"]).hits[0].path == "pond.md"
    assert "queryNote" not in search_answer_json(ask(engine, "garden")).as_json()


def test_the_terminal_prints_the_command_without_the_exclusion(engine: Engine) -> None:
    answer = ask(engine, "garden -pond", audience=PERSON)
    printed = ["".join(map(_text, line)) for line in answer_lines(answer, {}, explain=False)]
    assert "Excluded: pond. To include them, run: scrubjay search 'garden pond'" in printed


def _text(part: object) -> str:
    return part if isinstance(part, str) else part[0]  # type: ignore[index]
