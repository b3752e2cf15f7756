"""Progress is one number: in the window, in the tray, in the status and in a terminal."""

from __future__ import annotations

import contextlib
import itertools
import re
from pathlib import Path

import pytest
from msgspec import Struct

from scrubjay.cli import status_output
from scrubjay.engine.engine import Engine
from scrubjay.events import IndexChanged, IndexProgressed
from scrubjay.platform.paths import Paths
from scrubjay.records.engine_limits import EngineLimits
from scrubjay.records.status_records import WorkspaceStatus
from scrubjay_desktop.text.status_sentences import busy_workspace
from scrubjay_desktop.windows.app_state import status_sentence, tray_tooltip
from support.providers import WordProvider
from support.vault import TIMEOUT, add, write_notes

LARGE = 60
AT_ONCE = 5
EDITED = 20
# Vectors are counted after each batch, and notes after each transaction.
pytestmark = pytest.mark.limits(buffer_seconds=0.0, prepared_seconds=0.0)


class Seen(Struct):
    """What was told of one folder at one moment."""

    folder: str
    percent: int
    added: int
    sentence: str


def text(name: str) -> str:
    """A note that fills a batch for the model."""
    return f"# {name}\n\n" + " ".join(f"{name}-{n}" for n in range(500)) + "\n"


class Person:
    """A person who renames and edits many notes while the model learns them."""

    def __init__(self, paths: Paths, limits: EngineLimits, root: Path) -> None:
        self.provider = WordProvider()
        self.engine = Engine(paths, provider=self.provider, limits=limits)
        self.root = root
        self.seen: list[Seen] = []
        self.elsewhere: list[tuple[str, str]] = []
        """Lines of a terminal in another process, and what they should have been."""
        self._paths = paths
        self._batches = 0
        self.engine.events.subscribe(lambda _: self._look(), IndexProgressed, IndexChanged)
        self.provider.before_batch = self._act

    def _look(self) -> None:
        """Note what the window says. On the index thread, between any two steps."""
        status = self.engine.status()
        busy = busy_workspace(status)
        if busy is None or not busy.progress.is_learning:
            return
        sentence = status_sentence(status)
        assert sentence in tray_tooltip(status)
        progress = busy.progress
        self.seen.append(
            Seen(busy.workspace.name, progress.percent, progress.added, sentence=sentence)
        )

    def _act(self) -> None:
        """Look, and do something to the notes, between two batches."""
        self._look()
        self._batches += 1
        large = self.root / "large"
        if self._batches == 20:
            (large / "old").rename(large / "new")
            self._edit("changed", AT_ONCE)
        elif self._batches == 40:
            self._edit("other", EDITED)
        else:
            return
        self._compare()
        self.engine.refresh(self.engine.find_workspace("large"))

    def _edit(self, name: str, count: int) -> None:
        """Write other texts into the newest notes, which were learned first and are known."""
        for number in range(LARGE - count, LARGE):
            file = self.root / "large" / "new" / f"n{number}.md"
            file.write_text(text(f"{name}{number}"))

    def _compare(self) -> None:
        """Ask for the status as another process does."""
        with contextlib.closing(Engine(self._paths, provider=WordProvider())) as other:
            [*statuses] = other.current_status().result(TIMEOUT).workspaces
        for status, here in zip(statuses, self.engine.status().workspaces, strict=True):
            self.elsewhere.append((line(status), line(here)))


def line(status: WorkspaceStatus) -> str:
    return status_output._learned(status)  # noqa: SLF001


@pytest.fixture
def person(tmp_path: Path, paths: Paths, engine_limits: EngineLimits) -> Person:
    """A person who has seen all notes learned."""
    root = tmp_path / "all"
    write_notes(root / "large", {f"old/n{n}.md": text(f"large{n}") for n in range(LARGE)})
    write_notes(root / "small", {f"n{n}.md": text(f"small{n}") for n in range(5)})
    made = Person(paths, engine_limits, root)
    with contextlib.closing(made.engine):
        for name in ("large", "small"):
            add(made.engine, root / name)
        made.engine.refresh().result(TIMEOUT)
        # Those that were asked for in between.
        made.engine.refresh().result(TIMEOUT)
    return made


def test_the_number_falls_only_where_it_says_why(person: Person) -> None:
    for folder in ("large", "small"):
        series = [seen for seen in person.seen if seen.folder == folder]
        assert series[-1].percent == 100
        for before, after in itertools.pairwise(series):
            is_told = after.added > 0 and "more" in after.sentence
            assert after.percent >= before.percent or is_told, (before, after)


def test_what_was_edited_is_told_and_what_was_renamed_is_not(person: Person) -> None:
    assert {seen.added for seen in person.seen} == {0, AT_ONCE, EDITED}
    assert any(f"({EDITED} notes more)" in seen.sentence for seen in person.seen)


def test_the_sentence_of_the_window_has_that_number(person: Person) -> None:
    told = [(seen.percent, re.search(r"(\d+)%", seen.sentence)) for seen in person.seen]
    numbers = {(percent, int(match[1])) for percent, match in told if match}
    assert len(numbers) > 10
    assert all(percent == number for percent, number in numbers)


def test_a_terminal_says_the_same_at_the_same_time(person: Person) -> None:
    assert len(person.elsewhere) == 4
    assert all(there == here for there, here in person.elsewhere)
    assert any(not there.startswith("100%") for there, _ in person.elsewhere)
