"""Thirty questions that are names of notes, over three vaults."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import pytest

from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import Paths
from scrubjay.records.audience import PERSON
from scrubjay.records.search_modes import Mode
from support.named_vaults import QUESTIONS, vaults
from support.vault import TIMEOUT, add, ask, write_notes

pytestmark = pytest.mark.model

AT_FIRST = 28
"""Questions of thirty whose note has to be in the first row."""


def test_the_name_of_a_note_is_its_first_row(tmp_path: Path) -> None:
    engine = Engine(Paths.under(tmp_path / "home"))
    for name, files in vaults().items():
        add(engine, write_notes(tmp_path / name, files))
    engine.refresh().result(TIMEOUT)
    for mode in (Mode.HYBRID, Mode.LEXICAL):
        wrong: dict[str, list[str]] = {}
        for text, name in QUESTIONS:
            answer = ask(engine, text, mode, audience=PERSON, max_results=10)
            names = [PurePosixPath(hit.path).stem for hit in answer.hits or answer.uncertain]
            if names[:1] != [name]:
                wrong[text] = names[:3]
        assert len(QUESTIONS) - len(wrong) >= AT_FIRST, wrong
    engine.close()
