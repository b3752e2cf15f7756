"""Judged questions over pictures and scans that the tests draw."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import Paths
from support.judged_pictures import write_pictures
from support.vault import ask

pytestmark = [
    pytest.mark.model,
    pytest.mark.skipif(
        "SCRUBJAY_JUDGED_PICTURES" not in os.environ,
        reason="takes two minutes of processor time; set SCRUBJAY_JUDGED_PICTURES=1 to run it",
    ),
]

FLOOR = 0.85
"""Share of the questions whose picture is the first hit (docs/quality.md)."""
PATIENCE = 3_000
"""Seconds for sixty pictures on a busy computer."""


def test_the_right_picture_is_first(tmp_path: Path) -> None:
    answers = write_pictures(tmp_path / "pictures")
    with closing(Engine(Paths.under(tmp_path / "home"))) as engine:
        workspace = engine.add_workspace(tmp_path / "pictures").result(PATIENCE)
        engine.folders.change(replace(workspace, documents=True, pictures=True)).result(PATIENCE)
        engine.refresh(workspace).result(PATIENCE)
        wrong = {}
        for question, path in answers.items():
            answer = ask(engine, question)
            first = [hit.path for hit in (*answer.hits, *answer.uncertain)][:1]
            if first != [path]:
                wrong[question] = first
    print(f"Hit@1 {1 - len(wrong) / len(answers):.3f}", wrong)
    assert 1 - len(wrong) / len(answers) >= FLOOR, wrong
