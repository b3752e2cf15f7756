"""What failed for want of something is tried again by itself, and said when it works."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from msgspec.structs import replace

from scrubjay.engine.engine import Engine
from scrubjay.errors import ProviderUnavailable
from scrubjay.events import IndexChanged, IndexFailed, IndexFinished, Resolved
from scrubjay.platform.paths import Paths
from scrubjay.records.engine_limits import EngineLimits
from support.providers import WordProvider
from support.vault import TIMEOUT, Announcements, NewEngine, add, ask, write_notes

MANY = 3_000
NOT_LISTENING = "{memorySearch: {sync: {watch: false}}}"
"""Settings with which nothing announces a change."""

pytestmark = pytest.mark.limits(again_seconds=0.05, again_most_seconds=0.2)


@pytest.mark.parametrize(
    ("attempt", "seconds"), [(1, 15), (2, 30), (3, 60), (6, 480), (7, 900), (5_000, 900)]
)
def test_pauses_grow_up_to_a_quarter_of_an_hour(attempt: int, seconds: float) -> None:
    assert EngineLimits().pause_before(attempt) == seconds


def resize(disk: Path, size: str) -> None:
    subprocess.run(["mount", "-o", f"remount,size={size}", str(disk)], check=True)


def test_reading_goes_on_when_a_full_disk_has_space(
    tmp_path: Path, small_disk: Path, engine_limits: EngineLimits
) -> None:
    resize(small_disk, "3m")
    texts = {f"{n}.md": f"Note {n} on jays and acorns.\n" * 50 for n in range(MANY)}
    notes = write_notes(tmp_path / "notes", texts)
    write_notes(small_disk / "home" / "config", {"config.json5": NOT_LISTENING})
    engine = Engine(Paths.under(small_disk / "home"), provider=WordProvider(), limits=engine_limits)
    heard = Announcements(engine)
    try:
        engine.start()
        workspace = add(engine, notes)
        heard.wait(lambda: heard.of(IndexFailed))
        # Meanwhile a search says how many notes it does not know.
        fresh = ask(engine, "nowhere").freshness
        assert 0 < fresh.documents < MANY
        assert fresh.documents + fresh.pending == MANY
        resize(small_disk, "128m")
        heard.wait(lambda: heard.of(Resolved))
        [resolved] = heard.of(Resolved)
        name = workspace.name
        assert resolved == Resolved(workspace.id, f"Scrubjay can read {name} again.")
        fresh = ask(engine, "acorns").freshness
        assert (fresh.documents, fresh.pending) == (MANY, 0)
    finally:
        engine.close()


def test_it_is_said_that_notes_can_be_read_before_they_are_learned(
    new_engine: NewEngine, notes: Path, paths: Paths
) -> None:
    write_notes(paths.config, {"config.json5": NOT_LISTENING})
    provider = WordProvider()
    engine = new_engine(provider)
    heard = Announcements(engine)
    engine.start()
    add(engine, notes)
    heard.wait(lambda: heard.of(IndexFinished))
    away = notes.rename(notes.with_name("away"))
    engine.refresh().result(TIMEOUT)
    write_notes(away, {"new.md": "A zebra.\n"})
    told_by_then: list[bool] = []
    provider.before_batch = lambda: told_by_then.append(bool(heard.of(Resolved)))
    away.rename(notes)
    heard.wait(lambda: told_by_then)
    assert told_by_then == [True]


def test_notes_that_wait_are_counted_as_they_are_read(
    new_engine: NewEngine, tmp_path: Path, engine_limits: EngineLimits
) -> None:
    engine = new_engine(limits=replace(engine_limits, prepared_seconds=0.0))
    heard: list[tuple[int, int]] = []

    def look(_: object) -> None:
        [status] = engine.status().workspaces
        heard.append((status.freshness.documents, status.freshness.pending))

    engine.events.subscribe(look, IndexChanged)
    engine.start()
    add(engine, write_notes(tmp_path / "many", {f"{n}.md": f"Note {n}\n" for n in range(60)}))
    engine.refresh().result(TIMEOUT)
    assert {documents + pending for documents, pending in heard} == {60}
    assert len(heard) > 10


def test_a_folder_that_comes_back_is_read_again(
    new_engine: NewEngine, notes: Path, paths: Paths
) -> None:
    write_notes(paths.config, {"config.json5": NOT_LISTENING})
    engine = new_engine()
    heard = Announcements(engine)
    engine.start()
    workspace = add(engine, notes)
    heard.wait(lambda: heard.of(IndexFinished))
    away = notes.rename(notes.with_name("away"))
    engine.refresh().result(TIMEOUT)
    assert engine.status().workspaces[0].away
    away.rename(notes)
    heard.wait(lambda: heard.of(Resolved))
    assert [event.cause for event in heard.of(Resolved)] == [workspace.id]
    assert not engine.status().workspaces[0].away


class Service(WordProvider):
    """A service that cannot be reached for a while."""

    failures = 3

    def embed_documents(self, inputs):  # type: ignore[no-untyped-def]
        if self.failures:
            self.failures -= 1
            raise ProviderUnavailable("The service did not respond")
        return super().embed_documents(inputs)


def test_notes_are_learned_once_a_service_answers_again(
    new_engine: NewEngine, notes: Path, paths: Paths
) -> None:
    write_notes(paths.config, {"config.json5": NOT_LISTENING})
    engine = new_engine(Service())
    heard = Announcements(engine)
    engine.start()
    workspace = add(engine, notes)
    heard.wait(lambda: heard.of(Resolved))
    # Only the status told that meanings were not compared, so that no message ends.
    assert heard.of(Resolved) == [Resolved(workspace.id, "")]
    assert engine.status().workspaces[0].freshness.embedded == 1
    # Each attempt that failed, and the one that did not.
    reasons = [event.report.meaning_missing for event in heard.of(IndexFinished)]
    assert [bool(reason) for reason in reasons] == [True, True, True, False]


def test_a_mistake_of_ours_is_not_tried_again_and_ends_with_the_next_pass(
    new_engine: NewEngine, notes: Path, paths: Paths
) -> None:
    write_notes(paths.config, {"config.json5": NOT_LISTENING})
    provider = WordProvider()

    def broken() -> None:
        raise ZeroDivisionError("oops")

    provider.before_batch = broken
    engine = new_engine(provider)
    heard = Announcements(engine)
    engine.start()
    add(engine, notes)
    heard.wait(lambda: heard.of(IndexFailed))
    provider.before_batch = lambda: None
    assert heard.of(Resolved) == []
    engine.refresh().result(TIMEOUT)
    heard.wait(lambda: heard.of(Resolved))
