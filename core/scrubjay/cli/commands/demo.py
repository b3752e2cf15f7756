"""`scrubjay demo`: search on the sample notes, without a screen."""

from __future__ import annotations

import contextlib
import json
from typing import Final

from scrubjay.cli import output, status_output
from scrubjay.cli.answer_lines import answer_lines
from scrubjay.cli.harmless_output import print_line, print_text
from scrubjay.cli.progress import wait_with_progress
from scrubjay.cli.reply import Reply, print_reply
from scrubjay.cli.session import open_engine
from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import resources
from scrubjay.records.note_records import Workspace
from scrubjay.records.search_records import SearchRequest

_QUESTIONS: Final = 4
"""Questions that the demo asks itself."""
_HITS: Final = 3
"""Hits of each, so that the answers fit on a screen."""


def run_demo() -> None:
    """Try Scrubjay with sample notes."""
    with open_engine() as engine:
        sample = engine.open_folder(resources() / "sample")
        print_line(f"Indexing the sample notes in {sample.root}.")
        for report in wait_with_progress(engine, engine.refresh(sample)):
            status_output.print_index_report(report, engine.status())
        questions = json.loads((resources() / "sample-questions.json").read_text(encoding="utf-8"))
        for entry in questions[:_QUESTIONS]:
            print_text(f"\n? {entry['question']}\n\n")
            _answer(engine, sample, entry["question"])
        # Then the user asks, where there is one.
        if not output.has_terminal():
            return
        print_line("Enter a question about the sample notes. To stop, enter an empty line.")
        with contextlib.suppress(EOFError):
            question = input("? ").strip()
            while question:
                _answer(engine, sample, question)
                question = input("? ").strip()


def _answer(engine: Engine, workspace: Workspace, question: str) -> None:
    request = SearchRequest(question, workspace.id, max_results=_HITS)
    answer = engine.search(request, CancelToken()).result()
    print_reply(Reply([*answer_lines(answer, {}, explain=False)]))
