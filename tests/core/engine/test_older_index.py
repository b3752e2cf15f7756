"""An index of an older version, of which a pass writes all words again."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest

from scrubjay.engine.engine import Engine
from scrubjay.errors import Cancelled
from scrubjay.event_bus import Event
from scrubjay.events import IndexChanged, IndexProgressed
from scrubjay.platform.paths import Paths
from scrubjay.records.search_modes import Mode
from scrubjay.records.status_records import IndexState, Progress
from scrubjay.store.schema import MIGRATIONS
from support.vault import TIMEOUT, NewEngine, add, ask, write_notes
from support.waiting import wait_until

NOTES = 600


@pytest.fixture
def old(new_engine: NewEngine, paths: Paths, tmp_path: Path) -> Path:
    """The folder of an index that lacks the last step of its tables."""
    notes = {f"{at}.md": f"Acorn number{at}.\n" for at in range(NOTES)}
    root = write_notes(tmp_path / "many", notes)
    engine = new_engine()
    engine.refresh(add(engine, root)).result(TIMEOUT)
    engine.close()
    [file] = paths.indexes.glob("*.sqlite")
    db = apsw.Connection(str(file))
    db.execute(f"pragma user_version = {len(MIGRATIONS) - 1}")
    db.close()
    return root


def updates(engine: Engine) -> list[Progress]:
    """A list that gets the progress of each step of the migration."""
    steps: list[Progress] = []

    def hear(event: Event) -> None:
        if isinstance(event, IndexProgressed) and event.progress.phase == "updating":
            steps.append(event.progress)

    engine.events.subscribe(hear)
    return steps


def test_a_pass_shows_how_far_it_is_and_can_be_stopped(new_engine: NewEngine, old: Path) -> None:
    engine = new_engine()
    steps = updates(engine)
    stop = engine.events.subscribe(lambda event: engine.cancel_indexing(), IndexProgressed)
    with pytest.raises(Cancelled):
        engine.refresh().result(TIMEOUT)
    stop()
    assert [step.amount for step in steps] == [(0, NOTES)]
    assert engine.status().workspaces[0].state is IndexState.READY
    # Words are found meanwhile, and the next pass does the rest.
    assert [hit.path for hit in ask(engine, "number7", Mode.LEXICAL).hits] == ["7.md"]
    engine.refresh().result(TIMEOUT)
    assert [step.done for step in steps] == [0, 200, 400]
    assert [hit.path for hit in ask(engine, "number7", Mode.LEXICAL).hits] == ["7.md"]


def test_the_words_of_other_folders_are_read_between_its_steps(
    new_engine: NewEngine, old: Path, tmp_path: Path
) -> None:
    engine = new_engine()
    other = add(engine, write_notes(tmp_path / "other", {"zoo.md": "Zebra.\n"}))
    heard: list[object] = []

    def hear(event: Event) -> None:
        if isinstance(event, IndexProgressed) and event.progress.phase == "updating":
            if not heard:
                engine.refresh(other)
            heard.append(event.progress.done)
        elif isinstance(event, IndexChanged) and event.workspace == other.id:
            heard.append("words")

    engine.events.subscribe(hear)
    [many] = [each.workspace for each in engine.status().workspaces if each.workspace != other]
    engine.refresh(many).result(TIMEOUT)
    assert heard[:4] == [0, "words", 200, 400]


def test_a_search_leaves_it_to_a_pass_and_finds_new_notes_afterwards(
    new_engine: NewEngine, old: Path
) -> None:
    write_notes(old, {"zoo.md": "Zebra.\n"})
    engine = new_engine()
    steps = updates(engine)
    answer = ask(engine, "acorn", Mode.LEXICAL)
    assert answer.freshness.pending == 1
    assert answer.hits
    wait_until(lambda: engine.status().workspaces[0].state is IndexState.READY and len(steps) == 3)
    wait_until(lambda: bool(ask(engine, "zebra", Mode.LEXICAL).hits))
