"""The sample notes answer the sample questions."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.notes.chunker import chunk_document
from scrubjay.platform.paths import Paths, resources
from scrubjay.records.audience import PERSON
from scrubjay.records.chunks import ChunkSizes
from scrubjay.records.search_records import SearchRequest
from scrubjay.text.tokenizer import Analyzer

SAMPLE = resources() / "sample"
QUESTIONS = json.loads((resources() / "sample-questions.json").read_text(encoding="utf-8"))
PARAPHRASES = [question for question in QUESTIONS if not question["shares_words"]]
QUESTION_WORDS = {"what", "when", "which", "who"}
FUNCTION_WORDS = QUESTION_WORDS | {"a", "do", "does", "i", "my", "no", "our", "should", "with"}


def by_text(question: dict) -> str:
    return question["question"]


class Place(NamedTuple):
    path: str
    text: str


@pytest.fixture(scope="module")
def places() -> list[Place]:
    notes = sorted(SAMPLE.rglob("*.md"))
    return [
        Place(note.relative_to(SAMPLE).as_posix(), chunk.text)
        for note in notes
        for chunk in chunk_document(note.read_text(encoding="utf-8"), ChunkSizes()).chunks
    ]


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    engine = Engine(Paths.under(tmp_path_factory.mktemp("home")))
    engine.refresh(engine.open_folder(SAMPLE)).result()
    yield engine
    engine.close()


def content_words(text: str) -> set[str]:
    words = re.findall(r"\w+", text.lower())
    return set(Analyzer().stems(" ".join(word for word in words if word not in FUNCTION_WORDS)))


@pytest.mark.parametrize("question", QUESTIONS, ids=by_text)
def test_the_answer_is_where_the_question_says(question: dict) -> None:
    note = (SAMPLE / question["path"]).read_text(encoding="utf-8")
    assert question["answer"] in note


@pytest.mark.parametrize("question", PARAPHRASES, ids=by_text)
def test_paraphrases_share_no_content_word(question: dict, places: list[Place]) -> None:
    (answer,) = (place.text for place in places if question["answer"] in place.text)
    assert content_words(question["question"]) & content_words(answer) == set()


@pytest.mark.model
@pytest.mark.parametrize("question", QUESTIONS, ids=by_text)
def test_the_answer_is_among_the_first_two(engine: Engine, question: dict) -> None:
    workspace = engine.open_folder(SAMPLE)
    request = SearchRequest(question["question"], workspace.id)
    answer = engine.search(request, CancelToken()).result()
    assert question["path"] in [hit.path for hit in (*answer.hits, *answer.uncertain)[:2]]


@pytest.mark.model
def test_each_suggested_question_finds_its_note_first(tmp_path: Path) -> None:
    """Asked as a person does; those of the folders on the list are suggested."""
    listed = Engine(Paths.under(tmp_path))
    listed.refresh(listed.add_workspace(SAMPLE).result()).result()
    questions = listed.notes.suggested_questions(6).result()
    assert len(questions) > 2
    for question in questions:
        request = SearchRequest(question, audience=PERSON)
        hit = listed.search(request, CancelToken()).result().hits[0]
        assert f"# {question}\n" in hit.file.read_text(encoding="utf-8"), question
    listed.close()


@pytest.mark.model
@pytest.mark.parametrize("question", ["capital of mongolia", "purple elephants on mars"])
def test_what_nobody_wrote_is_not_probable(engine: Engine, question: str) -> None:
    workspace = engine.open_folder(SAMPLE)
    answer = engine.search(SearchRequest(question, workspace.id), CancelToken()).result()
    assert [hit.path for hit in answer.hits if hit.score >= 0.5] == []


def test_every_note_named_in_the_memory_exists() -> None:
    named = re.findall(r"`(memory/.*?\.md)`", (SAMPLE / "MEMORY.md").read_text(encoding="utf-8"))
    assert [path for path in named if not Path(SAMPLE, path).is_file()] == []
    assert len(named) >= 6
