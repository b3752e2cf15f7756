"""The order in which notes were read, which no answer may depend on."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import Paths
from scrubjay.records.audience import AGENT, PERSON
from scrubjay.records.search_modes import Mode
from support.providers import WordProvider
from support.vault import TIMEOUT, add, ask, write_notes

ROOMS = ("kitchen", "cellar", "attic", "garden", "hall")
NOTES = {
    # Of each text there are nine, word for word: nothing but their names tells them apart.
    **{
        f"{room}/{number:02}.md": f"# Walk\n\nThe river and the {room}, seen from the bridge.\n"
        for room in ROOMS
        for number in range(9)
    },
    # And of these each is as long as the others, with the words as often.
    **{
        f"log {number:03}.md": f"Which {ROOMS[number % 5]} and river, item {number:03}.\n"
        for number in range(120)
    },
    "long.md": "\n\n".join(f"# Part {at}\n\n" + "river kitchen stone\n" * 60 for at in range(9)),
}
QUESTIONS = ("which kitchen and river", "river", "seen from the bridge", '"the attic"', "rive")


@pytest.fixture(scope="module")
def grown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sequence[Engine]]:
    """Two engines whose notes came a few at a time, the first ones last in one of them."""
    engines: list[Engine] = []
    for order in ([*NOTES], [*reversed(NOTES)]):
        root = tmp_path_factory.mktemp("order")
        engine = Engine(Paths.under(root / "home"), provider=WordProvider())
        engines.append(engine)
        vault = write_notes(root / "vault", {"first.md": "Nothing but a beginning.\n"})
        workspace = add(engine, vault, "vault")
        for names in (order[at : at + 40] for at in range(0, len(order), 40)):
            # A draft was read before, of which nothing may stay.
            for ending in ("A draft with the river in it.\n", ""):
                write_notes(vault, {name: NOTES[name] + ending for name in names})
                _date_alike(vault)
                engine.refresh(workspace).result(TIMEOUT)
    yield engines
    for engine in engines:
        engine.close()


def _date_alike(vault: Path) -> None:
    for file in vault.rglob("*.md"):
        os.utime(file, (1_700_000_000, 1_700_000_000))


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize("audience", [PERSON, AGENT])
def test_the_same_notes_give_the_same_answer(grown, question, mode, audience) -> None:
    for most in (3, 40):
        answers = (
            ask(engine, question, mode, audience=audience, max_results=most) for engine in grown
        )
        here, there = (
            [(hit.path, hit.first_line, hit.score, hit.snippet) for hit in answer.hits]
            for answer in answers
        )
        assert here == there


def test_notes_of_one_moment_are_listed_in_the_same_order(grown) -> None:
    here, there = (
        [note.path for note in engine.notes.recent().result(TIMEOUT)] for engine in grown
    )
    assert here == there
