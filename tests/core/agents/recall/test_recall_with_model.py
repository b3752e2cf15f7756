"""Recall, capture and forgetting with the model that comes with Scrubjay."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from scrubjay.agents.recall.hook_input import HookInput
from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import Paths
from support.vault import TIMEOUT, add, write_notes

pytestmark = pytest.mark.model

NOTES: dict[str, str | bytes] = {
    "MEMORY.md": "# Memory\n\n- Ana prefers green tea over coffee.\n- The shop runs on Postgres.\n",
    "memory/2026-11-20.md": "# 2026-11-20\n\n- Booked the orthodontist for Emma on Monday.\n",
}


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    folder = tmp_path_factory.mktemp("recall")
    paths = Paths.under(folder / "home")
    write_notes(paths.config, {"config.json5": '{recall: {capture: "review"}}'})
    engine = Engine(paths)
    add(engine, write_notes(folder / "agent", NOTES))
    engine.refresh().result(TIMEOUT)
    yield engine
    engine.close()


def test_a_prompt_finds_a_note_that_shares_no_word_with_it(engine: Engine) -> None:
    prompt = "When does my daughter have to go to the dentist?"
    reminder = engine.recall.remind(HookInput(prompt=prompt), frozenset(), TIMEOUT).result(TIMEOUT)
    assert "orthodontist" in reminder.block


def test_the_same_in_nearly_the_same_words_is_not_kept_again(engine: Engine) -> None:
    said = ["Ana prefers green tea over coffee!!", "I want a window seat on the night train"]
    added = engine.recall.capture(engine.workspaces()[0], said).result(TIMEOUT)
    assert [captured.text for captured in added] == said[1:]


@pytest.mark.parametrize(
    ("text", "line"),
    [("Ana prefers green tea to coffee", "Ana"), ("the shop runs on postgres", "Postgres")],
)
def test_what_is_said_in_other_words_is_forgotten_and_comes_back(
    engine: Engine, text: str, line: str
) -> None:
    [workspace] = engine.workspaces()
    file = workspace.root / "MEMORY.md"
    before = file.read_bytes()
    done = engine.recall.forget(text).result(TIMEOUT)
    assert done.deleted
    assert line in done.deleted.text
    assert line.encode() not in file.read_bytes()
    engine.recall.undo_forget().result(TIMEOUT)
    assert file.read_bytes() == before


def test_what_nobody_wrote_is_not_forgotten(engine: Engine, tmp_path: Path) -> None:
    assert engine.recall.forget("The boat is moored in Genoa").result(TIMEOUT).deleted is None
