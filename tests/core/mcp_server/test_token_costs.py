"""The tokens that agents spend on the tools and on their answers.

Counts are estimates, since no tokenizer of a large model is installed: schemas have 4 bytes a token
and answers 3.6, as o200k_base counts those of this page.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.mcp_server.authorization import Caller
from scrubjay.mcp_server.tool_schemas import TOOLS
from scrubjay.mcp_server.tools import MemoryTools
from scrubjay.platform.paths import Paths, resources
from support.vault import TIMEOUT, indexed, write_notes

SCHEMA_BYTES = 4.0
ANSWER_BYTES = 3.6
DOCS = Path(__file__).parents[3] / "docs"
QUESTIONS = json.loads((resources() / "sample-questions.json").read_text(encoding="utf-8"))
MIXED_QUESTIONS = (
    "what did we decide about the backups",
    "how does dreaming work",
    "which model is recommended",
    "library roof",
    "how are PDF files read",
    "rules for agents",
    "what happens if the disk is full",
    "http token",
    "tomatoes",
)
"""Questions about short notes and long pages, with one answer or several."""
DESCRIPTION = (
    "Minutes of the parents' council, one page for each meeting. "
    "Decisions are at the end of a page."
)
LONG_PAGES = (
    "how does dreaming work",
    "how are PDF files read",
    "rules for agents",
    "http token",
    "how is a note published",
    "what does an agent see",
    "how much memory does it use",
)
"""Questions with several answers in long pages, which cost the most."""


def tokens(value: Any, bytes_per_token: float) -> float:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return len(text.encode()) / bytes_per_token


def test_all_tools_together_cost_at_most_2000_tokens() -> None:
    tools = [tool.model_dump(by_alias=True, exclude_none=True, mode="json") for tool in TOOLS]
    assert tokens({"tools": tools}, SCHEMA_BYTES) <= 2_000


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MemoryTools]:
    """Tools over the sample notes, all of which can be found by meaning."""
    engine = Engine(Paths.under(tmp_path_factory.mktemp("home")))
    indexed(engine, resources() / "sample")
    yield MemoryTools(engine)
    engine.close()


def search_costs(tools: MemoryTools, questions: Iterable[str]) -> list[float]:
    costs = []
    for question in questions:
        caller = Caller("bot", "Bot")
        reply = tools.call("memory_search", {"query": question}, caller, CancelToken())
        assert reply.structured["results"] or reply.structured["uncertain"]
        costs.append(tokens(reply.structured, ANSWER_BYTES))
    return costs


@pytest.mark.model
def test_a_typical_search_in_short_notes_costs_at_most_900_tokens(sample: MemoryTools) -> None:
    costs = search_costs(sample, (each["question"] for each in QUESTIONS))
    assert statistics.median(costs) <= 900, costs


@pytest.mark.parametrize(
    ("folders", "questions"),
    [((DOCS, resources() / "sample"), MIXED_QUESTIONS), ((DOCS,), LONG_PAGES)],
)
def test_a_typical_search_in_long_notes_costs_at_most_900_tokens(
    paths: Paths, folders: Iterable[Path], questions: Iterable[str]
) -> None:
    write_notes(paths.config, {"config.json5": '{memorySearch: {provider: "none"}}'})
    engine = Engine(paths)
    for folder in folders:
        indexed(engine, folder)
    tools = MemoryTools(engine)
    costs = search_costs(tools, questions)
    assert statistics.median(costs) <= 900, costs
    # A description of two sentences for each folder may add little.
    for workspace in engine.workspaces():
        inner = {each.parent.relative_to(workspace.root) for each in workspace.root.rglob("*.md")}
        for path in {"", *(str(folder) for folder in inner if folder.name)}:
            engine.folders.describe(workspace, path, DESCRIPTION).result(TIMEOUT)
    described = search_costs(tools, questions)
    engine.close()
    assert statistics.median(described) <= 930, described
    assert statistics.median(described) > statistics.median(costs)
