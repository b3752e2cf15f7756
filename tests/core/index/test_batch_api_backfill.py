"""Large backfills by batches: waiting, restarts, failures, and nothing paid twice."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from scrubjay.engine.engine import Engine
from scrubjay.events import IndexFinished, Notice
from scrubjay.index.batch_api_backfill import WORTH_IT
from scrubjay.platform.paths import Paths
from scrubjay.records.engine_limits import EngineLimits
from scrubjay.records.search_modes import Mode
from scrubjay.records.status_records import IndexReport
from scrubjay.store.metadata import BATCH
from scrubjay.store.writer import Writer
from support.batch_desk import HUNG
from support.embedding_server import KEY, EmbeddingServer, far_url
from support.vault import TIMEOUT, Announcements, add, ask, found, write_notes
from support.waiting import wait_until

Open = Callable[..., Engine]

MANY = 80

pytestmark = pytest.mark.limits(request_attempts=2, request_pause_seconds=0.01)


@pytest.fixture
def many_notes(tmp_path: Path) -> Path:
    """More notes than are sent one by one."""
    some = {f"{n}.md": f"# Note {n}\n\nAcorn number {n}.\n" for n in range(MANY - 1)}
    return write_notes(
        tmp_path / "notes", some | {"garden.md": "# Garden\n\nTomatoes need water.\n"}
    )


@pytest.fixture
def open_engine(
    paths: Paths, server: EmbeddingServer, engine_limits: EngineLimits
) -> Iterator[Open]:
    made: list[Engine] = []

    def engine(*, provider: str = "openai", base_url: str = "", **batch: object) -> Engine:
        remote = {
            "baseUrl": base_url or server.base_url(provider),
            "apiKey": KEY,
            "batch": {"enabled": True, "pollIntervalMs": 100, **batch},
        }
        block = {"provider": provider, "outputDimensionality": 32, "remote": remote}
        settings = json.loads(paths.config_file.read_text()) if paths.config_file.exists() else {}
        write_notes(paths.config, {"config.json5": json.dumps(settings | {"memorySearch": block})})
        made.append(Engine(paths, limits=engine_limits))
        return made[-1]

    yield engine
    server.batches.released.set()
    for one in made:
        one.close()


def refresh(engine: Engine, **options: bool) -> IndexReport:
    [report] = engine.refresh(**options).result(TIMEOUT)
    return report


def inline(server: EmbeddingServer) -> list[str]:
    """Texts of notes that went in single requests."""
    return [text for text in server.texts if "#" in text]


@pytest.mark.parametrize("provider", ["openai", "voyage", "gemini"])
def test_a_large_backfill_goes_as_a_batch(
    open_engine: Open, server: EmbeddingServer, many_notes: Path, provider: str
) -> None:
    server.batches.looks_until_done = 3
    engine = open_engine(provider=provider)
    add(engine, many_notes)
    report = refresh(engine)
    assert (report.embedded, report.in_batches, report.meaning_missing) == (MANY, 0, "")
    assert len(server.batches.paid) == MANY
    assert inline(server) == []
    assert ask(engine, "tomatoes", Mode.VECTOR).hits[0].path == "garden.md"


def test_a_few_texts_are_sent_at_once(
    open_engine: Open, server: EmbeddingServer, tmp_path: Path
) -> None:
    few = {f"{n}.md": f"# Note {n}\n\nAcorn {n}.\n" for n in range(WORTH_IT - 1)}
    engine = open_engine()
    add(engine, write_notes(tmp_path / "few", few))
    assert refresh(engine).embedded == WORTH_IT - 1
    assert server.batches.steps == []


def test_texts_that_failed_in_a_batch_are_sent_again(
    open_engine: Open, server: EmbeddingServer, many_notes: Path
) -> None:
    engine = open_engine()
    add(engine, many_notes)
    server.batches.failing.add("# Note 7\n\nAcorn number 7.")
    assert refresh(engine).embedded == MANY
    assert inline(server) == ["# Note 7\n\nAcorn number 7."]


@pytest.mark.parametrize("end", ["expired", "cancelled"])
def test_the_rest_of_a_batch_that_ended_early_is_sent_at_once(
    open_engine: Open, server: EmbeddingServer, many_notes: Path, end: str
) -> None:
    server.batches.ends_as = end
    engine = open_engine()
    add(engine, many_notes)
    assert refresh(engine).embedded == MANY
    assert len(inline(server)) == MANY // 2


def test_two_failures_switch_batches_off_and_say_why(
    open_engine: Open, server: EmbeddingServer, many_notes: Path
) -> None:
    engine = open_engine()
    heard = Announcements(engine)
    add(engine, many_notes)
    server.batches.refusals["upload"].extend([(400, "no batches here")] * 9)
    first = refresh(engine)
    assert (first.embedded, first.batches_off) == (MANY, "")
    more = {f"more/{n}.md": f"# More {n}\n\nChestnut {n}.\n" for n in range(MANY)}
    write_notes(many_notes, more)
    second = refresh(engine)
    assert second.embedded == MANY
    assert "no batches here" in second.batches_off
    write_notes(
        many_notes, {name: text.replace("Chestnut", "Hazel") for name, text in more.items()}
    )
    assert refresh(engine, words_only=True).batches_off == ""
    assert refresh(engine).embedded == MANY
    assert server.batches.steps == ["upload", "upload"]
    [notice] = heard.of(Notice)
    assert "no batches here" in notice.message


def begin_earlier(file: Path, seconds: float) -> None:
    """Let the batches that an index waits for have been sent so much earlier."""
    with closing(Writer.open(file)) as writer, writer.transaction():
        for key, value in writer.metadata.notes(BATCH).items():
            record = json.loads(value)
            writer.note(key, json.dumps(record | {"began": record["began"] - seconds}))


def test_a_batch_that_takes_too_long_is_given_up(
    open_engine: Open, server: EmbeddingServer, many_notes: Path, paths: Paths
) -> None:
    engine = open_engine(wait=False)
    workspace = add(engine, many_notes)
    server.batches.is_held = True
    assert refresh(engine).in_batches == MANY
    assert refresh(engine).in_batches == MANY
    begin_earlier(paths.indexes / f"{workspace.id}.sqlite", seconds=3_601)
    report = refresh(engine)
    assert report.embedded == MANY
    assert "cancel" in server.batches.steps
    assert len(inline(server)) >= MANY // 2


KILLED = """
import sys
from pathlib import Path
from scrubjay.engine.engine import Engine; from scrubjay.platform.paths import Paths
engine = Engine(Paths.under(Path(sys.argv[1])))
engine.refresh().result()
"""


def killed_while_indexing(paths: Paths, until: Callable[[], object]) -> None:
    """Index in a program of its own, and kill that at a certain moment."""
    child = subprocess.Popen([sys.executable, "-c", KILLED, str(paths.config)])
    try:
        wait_until(until)
    finally:
        child.kill()
    assert child.wait(TIMEOUT) != 0


@pytest.mark.parametrize("provider", ["openai", "voyage", "gemini"])
def test_a_batch_outlives_a_killed_program_and_is_not_paid_twice(
    open_engine: Open, server: EmbeddingServer, many_notes: Path, paths: Paths, provider: str
) -> None:
    engine = open_engine(provider=provider)
    add(engine, many_notes)
    server.batches.is_held = True
    killed_while_indexing(paths, lambda: "look" in server.batches.steps)
    server.batches.is_held = False
    assert refresh(engine).embedded == MANY
    assert server.batches.steps.count("create") == 1
    assert inline(server) == []


@pytest.mark.parametrize("provider", ["openai", "gemini"])
def test_a_batch_whose_answer_never_came_is_found_again(
    open_engine: Open, server: EmbeddingServer, many_notes: Path, paths: Paths, provider: str
) -> None:
    engine = open_engine(provider=provider)
    add(engine, many_notes)
    server.batches.refusals["create"].append((HUNG, ""))
    killed_while_indexing(paths, lambda: server.batches.batches)
    assert refresh(engine).embedded == MANY
    assert server.batches.steps.count("create") == 1
    assert inline(server) == []


def test_what_never_became_a_batch_is_sent_again(
    open_engine: Open, server: EmbeddingServer, many_notes: Path, paths: Paths
) -> None:
    engine = open_engine()
    add(engine, many_notes)
    server.batches.refusals["upload"].append((HUNG, ""))
    killed_while_indexing(paths, lambda: "upload" in server.batches.steps)
    assert refresh(engine).embedded == MANY
    assert server.batches.steps.count("create") == 1
    assert len(server.batches.paid) == MANY


def test_a_pause_leaves_the_batch_for_later(
    open_engine: Open, server: EmbeddingServer, many_notes: Path
) -> None:
    engine = open_engine()
    add(engine, many_notes)
    server.batches.is_held = True
    stopped = engine.refresh()
    wait_until(lambda: "look" in server.batches.steps)
    engine.pause()
    assert stopped.exception(TIMEOUT)
    server.batches.is_held = False
    engine.resume()
    assert refresh(engine).in_batches == 0
    assert server.batches.steps.count("create") == 1
    assert ask(engine, "tomatoes", Mode.VECTOR).hits[0].path == "garden.md"


def test_other_notes_do_not_wait_for_a_batch(
    open_engine: Open, server: EmbeddingServer, many_notes: Path, tmp_path: Path
) -> None:
    engine = open_engine()
    add(engine, many_notes)
    server.batches.is_held = True
    first = engine.refresh()
    wait_until(lambda: "look" in server.batches.steps)
    other = add(engine, write_notes(tmp_path / "other", {"sea.md": "# Sea\n\nThe tide.\n"}))
    engine.refresh(other).result(TIMEOUT)
    assert [hit.path for hit in ask(engine, "tide", Mode.LEXICAL).hits] == ["sea.md"]
    assert not first.done()
    engine.refresh(engine.find_workspace("notes"), force=True)
    [report] = first.result(TIMEOUT)
    assert report.in_batches == MANY
    assert "The service is processing 80 passages of your notes" in report.meaning_missing
    finished = Announcements(engine)
    server.batches.is_held = False
    finished.wait(lambda: any(e.report.embedded == MANY for e in finished.of(IndexFinished)))
    assert server.batches.steps.count("create") == 1


def test_a_note_that_is_saved_meanwhile_is_found_at_once(
    open_engine: Open, server: EmbeddingServer, many_notes: Path
) -> None:
    engine = open_engine()
    add(engine, many_notes)
    server.batches.is_held = True
    waiting = engine.refresh()
    wait_until(lambda: "look" in server.batches.steps)
    write_notes(many_notes, {"sea.md": "# Sea\n\nThe tide is at nine.\n"})
    wait_until(lambda: "sea.md" in found(engine, "tide"))
    server.batches.is_held = False
    waiting.result(TIMEOUT)
    assert refresh(engine).in_batches == 0
    assert ask(engine, "tomatoes", Mode.VECTOR).hits[0].path == "garden.md"
    assert inline(server) == ["# Sea\n\nThe tide is at nine."]
    assert server.batches.steps.count("create") == 1


def test_without_waiting_a_later_pass_takes_the_results(
    open_engine: Open, server: EmbeddingServer, many_notes: Path
) -> None:
    server.batches.looks_until_done = 2
    engine = open_engine(wait=False)
    add(engine, many_notes)
    assert refresh(engine).in_batches == MANY
    assert refresh(engine).in_batches == MANY
    assert refresh(engine).embedded == MANY
    assert server.batches.steps.count("create") == 1


LATER = pytest.mark.limits(later_seconds=1)


@pytest.fixture
def left_for_later(
    open_engine: Open, server: EmbeddingServer, many_notes: Path, tmp_path: Path
) -> Engine:
    """Has two workspaces with a batch under way, which is looked at again after a while."""
    engine = open_engine(wait=False)
    other = {f"{n}.md": f"# Other {n}\n\nTide number {n}.\n" for n in range(MANY)}
    add(engine, many_notes)
    add(engine, write_notes(tmp_path / "other", other))
    server.batches.is_held = True
    reports = engine.refresh().result(TIMEOUT)
    assert [one.in_batches for one in reports] == [MANY, MANY]
    return engine


@LATER
def test_batches_of_every_workspace_are_looked_at_again(
    left_for_later: Engine, server: EmbeddingServer
) -> None:
    finished = Announcements(left_for_later)
    server.batches.is_held = False
    finished.wait(lambda: [e.report.embedded for e in finished.of(IndexFinished)].count(MANY) == 2)


@LATER
def test_batches_of_a_workspace_that_was_removed_are_not(
    left_for_later: Engine, server: EmbeddingServer, paths: Paths
) -> None:
    first, other = left_for_later.workspaces()
    left_for_later.folders.remove(first).result(TIMEOUT)
    finished = Announcements(left_for_later)
    server.batches.is_held = False
    finished.wait(lambda: any(e.report.embedded == MANY for e in finished.of(IndexFinished)))
    assert {e.report.workspace for e in finished.of(IndexFinished)} == {other.id}
    assert [file.stem for file in paths.indexes.glob("*.sqlite")] == [other.id]


def test_so_many_batches_run_at_once(
    open_engine: Open, server: EmbeddingServer, tmp_path: Path
) -> None:
    notes = {f"{n}.md": f"# Note {n}\n\nAcorn {n}.\n" for n in range(2_050)}
    engine = open_engine(provider="gemini", concurrency=2)
    add(engine, write_notes(tmp_path / "many", notes))
    server.batches.is_held = True
    future = engine.refresh()
    wait_until(lambda: "look" in server.batches.steps)
    assert server.batches.steps.count("create") == 2
    server.batches.is_held = False
    [report] = future.result(TIMEOUT)
    assert report.embedded == 2_050
    assert server.batches.steps.count("create") == 3


def test_the_question_comes_before_a_batch_as_well(
    open_engine: Open, server: EmbeddingServer, many_notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.stand_for_all(monkeypatch)
    engine = open_engine(base_url=far_url("openai"))
    add(engine, many_notes)
    report = refresh(engine)
    assert report.backfill is not None
    assert report.backfill.notes == MANY
    assert server.batches.steps == []
    assert refresh(engine, may_send=True).embedded == MANY
    assert server.batches.steps.count("create") == 1


def test_a_batch_is_left_alone_while_nothing_may_leave(
    open_engine: Open,
    server: EmbeddingServer,
    many_notes: Path,
    paths: Paths,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    server.stand_for_all(monkeypatch)
    engine = open_engine(base_url=far_url("openai"), wait=False)
    add(engine, many_notes)
    assert refresh(engine, may_send=True).in_batches == MANY
    engine.close()
    before = list(server.batches.steps)
    settings = json.loads(paths.config_file.read_text())
    paths.config_file.write_text(json.dumps(settings | {"localOnly": True}))
    quiet = open_engine(base_url=far_url("openai"))
    assert "“Never use services on the internet” is on" in refresh(quiet).meaning_missing
    assert server.batches.steps == before
    quiet.close()
    paths.config_file.write_text(json.dumps(settings | {"localOnly": False}))
    assert refresh(open_engine(base_url=far_url("openai"))).embedded == MANY
    assert server.batches.steps.count("create") == 1
