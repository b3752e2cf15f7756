"""A person's folder of texts that are no Markdown, from the file to the answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrubjay.engine.engine import Engine
from scrubjay.errors import NoteRefused
from scrubjay.records.note_records import NoteAddress, PageRequest
from support.vault import TIMEOUT, add, ask, found, write_notes

LETTER = "Sehr geehrter Herr Müller,\r\n\r\ndie Küche wird am Montag gestrichen.\r\n"
TEXTS = {
    "Brief.txt": LETTER.encode("cp1252"),
    "plan.org": "#+title: Plan\n* Pond\n\nPondweed grows too fast.\n",
    "guide.rst": "Guide\n=====\n\nThe violin lesson is on Friday.\n",
    "paper.tex": "\\section{Heron}\nA heron visits each morning.\n",
    "wide.txt": "The orthodontist is in Park Street.\n".encode("utf-16"),
}


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    return write_notes(tmp_path / "texts", TEXTS)


@pytest.mark.parametrize(
    ("question", "path", "title"),
    [
        ("Küche gestrichen", "Brief.txt", "Brief"),
        ("pondweed", "plan.org", "Plan"),
        ("violin lesson", "guide.rst", "Guide"),
        ("heron", "paper.tex", "paper"),
        ("orthodontist", "wide.txt", "wide"),
    ],
)
def test_texts_are_found_by_their_words(
    engine: Engine, texts: Path, question: str, path: str, title: str
) -> None:
    engine.refresh(add(engine, texts)).result(TIMEOUT)
    [hit, *_] = ask(engine, question).hits
    assert (hit.path, hit.title) == (path, title)


def test_a_page_of_a_text_has_its_letters_and_its_lines(engine: Engine, texts: Path) -> None:
    workspace = add(engine, texts)
    page = engine.notes.page(NoteAddress(workspace.id, "Brief.txt"), PageRequest(3, 1)).result(
        TIMEOUT
    )
    assert page.text == "die Küche wird am Montag gestrichen."
    assert (texts / "Brief.txt").read_bytes() == TEXTS["Brief.txt"]


def test_an_agent_reads_no_text_beside_its_memory(engine: Engine, texts: Path) -> None:
    write_notes(texts, {"MEMORY.md": "Apricots.\n"})
    workspace = add(engine, texts)
    engine.refresh(workspace).result(TIMEOUT)
    assert found(engine, "pondweed") == []
    with pytest.raises(NoteRefused):
        engine.notes.page(NoteAddress(workspace.id, "plan.org")).result(TIMEOUT)
