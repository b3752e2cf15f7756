"""Judged questions over small files of all kinds, asked as a person and as an agent asks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import Paths
from scrubjay.records.audience import AGENT, PERSON, Audience
from scrubjay.records.note_records import NoteAddress
from scrubjay.records.search_modes import Mode
from scrubjay.records.search_records import Hit
from scrubjay.text.markdown import split_lines
from scrubjay.text.tokenizer import Analyzer
from support.document_makers import pdf
from support.judged_documents import FILES, PARAPHRASES, PLAIN, Question
from support.vault import TIMEOUT, add, ask, write_notes

pytestmark = pytest.mark.model

FLOORS = {PLAIN: 0.92, PARAPHRASES: 0.60}
"""Share of the questions whose right place is the first hit (docs/quality.md)."""


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    home = tmp_path_factory.mktemp("documents")
    engine = Engine(Paths.under(home / "home"))
    workspace = add(engine, write_notes(home / "files", FILES))
    engine.refresh(workspace).result(TIMEOUT)
    yield engine
    engine.close()


def is_right(engine: Engine, question: Question, hit: Hit) -> bool:
    """Whether a hit is of the file and place, and covers the words that answer."""
    address = NoteAddress(hit.workspace, hit.path)
    lines = split_lines(engine.notes.read(address).result(TIMEOUT))
    shown = " ".join(" ".join(lines[hit.first_line - 1 : hit.last_line]).split())
    answer = " ".join(question.answer.split())
    return (hit.path, hit.part) == (question.path, question.place) and answer in shown


@pytest.mark.parametrize("audience", [PERSON, AGENT])
@pytest.mark.parametrize("questions", FLOORS, ids=["plain", "paraphrases"])
def test_the_right_place_is_first(
    engine: Engine, questions: tuple[Question, ...], audience: Audience
) -> None:
    wrong = {}
    misplaced = []
    for question in questions:
        answer = ask(engine, question.text, audience=audience)
        hits = [hit for hit in (*answer.hits, *answer.uncertain) if is_right(engine, question, hit)]
        [first] = (*answer.hits, *answer.uncertain)[:1]
        if first not in hits:
            wrong[question.text] = first.citation
        if first.path == question.path and first.part != question.place:
            misplaced.append(question.text)
    assert 1 - len(wrong) / len(questions) >= FLOORS[questions], wrong
    assert len(misplaced) <= 1, misplaced


def test_paraphrases_share_few_words_with_their_answers() -> None:
    with closing(Analyzer()) as analyzer:
        for question in PARAPHRASES:
            asked, said = ({*analyzer.stems(text)} for text in (question.text, question.answer))
            assert len(asked & said) <= 3, question.text
    assert {question.path for question in PARAPHRASES} == {*FILES}
    assert {question.path for question in PLAIN} == {*FILES}


def test_a_manual_of_300_pages_leaves_the_first_ten_to_notes(tmp_path: Path) -> None:
    """Each of its pages is nearer to the question than any of the notes."""
    page = "How to bleed the radiators: bleed each of the radiators in turn, part {n}."
    notes: dict[str, str | bytes] = {
        f"{n}.md": f"# Visit {n}\n\nHe bled the radiators, and it took {n} hours.\n"
        for n in range(2, 14)
    }
    notes["manual.pdf"] = pdf([page.format(n=n) for n in range(300)], title="Radiators")
    with closing(Engine(Paths.under(tmp_path / "home"))) as engine:
        workspace = add(engine, write_notes(tmp_path / "house", notes))
        engine.refresh(workspace).result(TIMEOUT)
        for mode in Mode:
            for audience, most in ((PERSON, 1), (AGENT, 3)):
                fields = {"audience": audience, "max_results": 10, "min_score": 0.0}
                answer = ask(engine, "how to bleed the radiators", mode, **fields)
                paths = [hit.path for hit in answer.hits]
                assert len(paths) == 10, mode
                assert 1 <= paths.count("manual.pdf") <= most, (mode, paths)
