"""The sample notes answer the sample questions."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
import snowballstemmer
from llama_cpp import Llama

import build_model
from scrubjay.chunker import ChunkSizes, chunk_document
from scrubjay.paths import resources

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
def model() -> Iterator[Llama]:
    """One thread, because two of them wait for each other when the machine has other work."""
    file = str(build_model.TARGET)
    model = Llama(file, embedding=True, n_ctx=512, n_threads=1, n_threads_batch=1, verbose=False)
    yield model
    model.close()


@pytest.fixture(scope="module")
def vectors(model: Llama, places: list[Place]) -> np.ndarray:
    return np.array([unit_vector(model, place.text) for place in places])


def unit_vector(model: Llama, text: str) -> np.ndarray:
    vector = np.array(model.embed(text))
    return vector / np.linalg.norm(vector)


def content_words(text: str) -> set[str]:
    stemmer = snowballstemmer.stemmer("english")
    words = re.findall(r"\w+", text.lower())
    return {stemmer.stemWord(word) for word in words if word not in FUNCTION_WORDS}


@pytest.mark.parametrize("question", QUESTIONS, ids=by_text)
def test_the_answer_is_where_the_question_says(question: dict) -> None:
    note = (SAMPLE / question["path"]).read_text(encoding="utf-8")
    assert question["answer"] in note


@pytest.mark.parametrize("question", PARAPHRASES, ids=by_text)
def test_paraphrases_share_no_content_word(question: dict, places: list[Place]) -> None:
    (answer,) = (place.text for place in places if question["answer"] in place.text)
    assert content_words(question["question"]) & content_words(answer) == set()


@pytest.mark.model
@pytest.mark.parametrize("question", PARAPHRASES, ids=by_text)
def test_meaning_alone_finds_a_paraphrase(
    question: dict, places: list[Place], vectors: np.ndarray, model: Llama
) -> None:
    nearest = places[int(np.argmax(vectors @ unit_vector(model, question["question"])))]
    assert nearest.path == question["path"]
    assert question["answer"] in nearest.text


def test_every_note_named_in_the_memory_exists() -> None:
    named = re.findall(r"`(memory/.*?\.md)`", (SAMPLE / "MEMORY.md").read_text(encoding="utf-8"))
    assert [path for path in named if not Path(SAMPLE, path).is_file()] == []
    assert len(named) >= 6
