"""`scrubjay demo`: search on the sample notes, without a screen."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from scrubjay.cli import output
from scrubjay.cli.session import opened, wait
from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import resources
from scrubjay.records.search_records import SearchRequest, Workspace

_QUESTIONS: Final = 4
_HITS: Final = 3


def demo() -> None:
    """Try it on the sample notes."""
    with opened() as engine:
        _run(engine)


def _run(engine: Engine) -> None:
    """Index the sample, answer a few questions, then ask for more where there is a terminal."""
    sample = engine.open_folder(resources() / "sample")
    print(f"Indexing the sample notes in {sample.root}.")
    for report in wait(engine, engine.refresh(sample.id)):
        output.report(report, sample)
    for question in _questions(resources() / "sample-questions.json")[:_QUESTIONS]:
        print(f"\n? {question}\n")
        _answer(engine, sample, question)
    if not output.has_terminal():
        return
    print("Ask the sample notes something. An empty line ends.")
    while question := _input():
        _answer(engine, sample, question)


def _answer(engine: Engine, workspace: Workspace, question: str) -> None:
    request = SearchRequest(question, workspace.id, max_results=_HITS)
    output.answer(engine.search(request, CancelToken()).result(), explain=False)


def _input() -> str:
    try:
        return input("? ").strip()
    except EOFError:
        return ""


def _questions(file: Path) -> list[str]:
    return [str(entry["question"]) for entry in json.loads(file.read_text(encoding="utf-8"))]
