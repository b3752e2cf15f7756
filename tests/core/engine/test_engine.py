"""What people do with their notes, through the engine."""

from __future__ import annotations

import json
import math
import os
import time
from itertools import chain
from pathlib import Path

import apsw
import pytest

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.errors import Cancelled, NoteRefused
from scrubjay.events import IndexChanged, IndexFinished
from scrubjay.platform.paths import Paths
from scrubjay.records.engine_limits import EngineLimits
from scrubjay.records.note_records import NoteAddress, PageRequest, Source
from scrubjay.records.search_modes import Mode
from scrubjay.records.search_records import SearchRequest
from scrubjay.records.status_records import IndexState
from support.files_in_use import InUse
from support.providers import AbsentProvider, HungProvider, WordProvider
from support.vault import (
    TIMEOUT,
    Announcements,
    NewEngine,
    add,
    ask,
    first,
    found,
    indexed,
    tree_digest,
    write_notes,
)
from support.waiting import wait_until

SYNONYMS = {"wifi": "router", "secret": "password", "kitchen": "fridge"}


def test_a_note_is_found_by_its_words(engine: Engine, notes: Path) -> None:
    indexed(engine, notes)
    hit = first(engine, "router password", Mode.LEXICAL)
    assert (hit.path, hit.title, hit.heading) == ("house/router.md", "Router", "Router")
    assert (hit.first_line, hit.last_line, hit.best_line) == (1, 3, 3)
    assert (hit.file, hit.source) == (notes / "house/router.md", Source.NOTES)
    marked = {hit.snippet.text[span.start : span.end] for span in hit.snippet.spans}
    assert marked == {"Router", "password", "router"}


def test_a_note_is_found_by_its_meaning(new_engine: NewEngine, notes: Path) -> None:
    engine = new_engine(WordProvider(synonyms=SYNONYMS))
    indexed(engine, notes)
    answer = ask(engine, "wifi secret kitchen", min_score=0.0)
    assert answer.hits[0].path == "house/router.md"
    assert answer.hits[0].text_score is None
    assert (answer.mode, answer.fallback_reason) == (Mode.HYBRID, "")
    assert found(engine, "wifi secret kitchen", Mode.LEXICAL) == []


def test_every_mode_finds_the_note(engine: Engine, notes: Path) -> None:
    indexed(engine, notes)
    for mode in Mode:
        assert first(engine, "violins and the sea", mode, min_score=0.0).path == "people/emma.md"


def test_all_workspaces_are_searched_unless_one_is_named(
    engine: Engine, notes: Path, tmp_path: Path
) -> None:
    other = write_notes(tmp_path / "work", {"tomatoes.md": "Tomatoes are on the agenda.\n"})
    indexed(engine, notes, words_only=True)
    indexed(engine, other, words_only=True)
    work = engine.find_workspace("work").id
    assert set(found(engine, "tomatoes")) == {"garden.md", "tomatoes.md"}
    assert found(engine, "tomatoes", workspace=work) == ["tomatoes.md"]


def test_an_answer_says_what_was_searched(engine: Engine, notes: Path) -> None:
    indexed(engine, notes)
    answer = ask(engine, "router")
    assert (answer.freshness.documents, answer.freshness.pending) == (3, 0)
    assert answer.freshness.embedded == 1.0
    assert answer.freshness.checked_at is not None
    assert (answer.provider, answer.model) == ("words", "hashed words")
    assert answer.elapsed_ms > 0


@pytest.mark.parametrize("blank", ["", "   ", "\n\t"])
def test_a_blank_query_has_no_answer_and_asks_no_model(
    new_engine: NewEngine, notes: Path, blank: str
) -> None:
    engine = new_engine(HungProvider())
    indexed(engine, notes, words_only=True)
    assert ask(engine, blank).hits == ()


@pytest.mark.parametrize("query", ["router", "the tomatoes and emma", "water every day sea"])
@pytest.mark.parametrize("mode", list(Mode))
def test_the_first_row_does_not_depend_on_how_many_are_asked_for(
    engine: Engine, notes: Path, query: str, mode: Mode
) -> None:
    indexed(engine, notes)
    rows = [
        [hit.path for hit in ask(engine, query, mode, max_results=count, min_score=0.0).hits]
        for count in (1, 6, 20)
    ]
    assert rows[0] == rows[1][:1] == rows[2][:1]
    assert rows[1] == rows[2][:6]


@pytest.mark.parametrize("fusion", ["adaptive", "weighted", "rrf"])
def test_the_parts_of_a_score_add_up_to_it(
    new_engine: NewEngine, paths: Paths, notes: Path, fusion: str
) -> None:
    write_notes(
        paths.config,
        {"config.json5": f'{{memorySearch: {{query: {{hybrid: {{fusion: "{fusion}"}}}}}}}}'},
    )
    engine = new_engine()
    indexed(engine, notes)
    hits = ask(engine, "the password of emma", min_score=0.0).hits
    assert len(hits) >= 2
    for hit in hits:
        why = hit.explanation
        total = sum(why.parts.values())
        before_decay = 1 / (1 + math.exp(-total)) if why.is_log_odds else total
        assert before_decay * why.decay == pytest.approx(hit.score)
        assert 0 <= hit.score <= 1


def test_hits_explain_which_words_matched_where(engine: Engine, notes: Path) -> None:
    indexed(engine, notes)
    why = first(engine, "house password xylophone", Mode.LEXICAL).explanation
    assert dict(why.matched) == {"house": ("path",), "password": ("text",)}
    assert why.missing == ("xylophone",)
    assert (why.lexical_rank, why.vector_rank) == (1, None)


def test_hits_come_best_first(engine: Engine, notes: Path) -> None:
    indexed(engine, notes)
    for mode in Mode:
        hits = ask(engine, "router water emma the", mode, min_score=0.0).hits
        assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_without_a_model_words_still_answer_and_the_reason_is_given(
    new_engine: NewEngine, notes: Path
) -> None:
    engine = new_engine(AbsentProvider())
    workspace = add(engine, notes)
    [report] = engine.refresh(workspace).result(TIMEOUT)
    answer = ask(engine, "router password")
    assert answer.hits[0].path == "house/router.md"
    assert answer.mode is Mode.LEXICAL
    assert answer.fallback_reason == report.meaning_missing == AbsentProvider.reason


def test_a_hung_model_never_delays_a_search_by_words(new_engine: NewEngine, notes: Path) -> None:
    provider = HungProvider()
    engine = new_engine(provider)
    indexed(engine, notes, words_only=True)
    hung = engine.search(SearchRequest("router"), CancelToken())
    assert provider.is_asked.wait(TIMEOUT)
    assert found(engine, "router", Mode.LEXICAL) == ["house/router.md"]
    assert not hung.done()


def test_notes_that_are_being_understood_are_found_by_words_already(
    new_engine: NewEngine, notes: Path
) -> None:
    provider = WordProvider()
    engine = new_engine(provider)
    seen: list[list[str]] = []
    provider.before_batch = lambda: seen.append(found(engine, "router"))
    indexed(engine, notes)
    assert seen == [["house/router.md"]]


def test_a_cancelled_search_raises_cancelled(engine: Engine, notes: Path) -> None:
    indexed(engine, notes)
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        engine.search(SearchRequest("router"), cancel).result(TIMEOUT)


def test_the_reader_sees_what_the_writer_commits(engine: Engine, notes: Path) -> None:
    indexed(engine, notes)
    assert found(engine, "zebra") == []
    write_notes(notes, {"zoo.md": "A zebra.\n"})
    engine.refresh().result(TIMEOUT)
    assert found(engine, "zebra") == ["zoo.md"]
    assert first(engine, "zebra", Mode.VECTOR, min_score=0.0).path == "zoo.md"


def test_a_deleted_note_is_not_found_any_more(engine: Engine, notes: Path) -> None:
    indexed(engine, notes)
    (notes / "garden.md").unlink()
    [report] = engine.refresh().result(TIMEOUT)
    assert (report.removed, found(engine, "tomatoes")) == (1, [])


def test_a_changed_note_is_found_by_its_new_words_only(engine: Engine, notes: Path) -> None:
    indexed(engine, notes)
    write_notes(notes, {"garden.md": "Now about pumpkins.\n"})
    engine.refresh().result(TIMEOUT)
    assert (found(engine, "tomatoes"), found(engine, "pumpkins")) == ([], ["garden.md"])


def test_a_pass_over_unchanged_notes_does_nothing(new_engine: NewEngine, notes: Path) -> None:
    provider = WordProvider()
    engine = new_engine(provider)
    indexed(engine, notes)
    provider.embedded.clear()
    [report] = engine.refresh().result(TIMEOUT)
    assert (report.changed, report.removed, report.unchanged) == (0, 0, 3)
    assert provider.embedded == []


def test_renaming_and_moving_notes_embeds_nothing(new_engine: NewEngine, notes: Path) -> None:
    provider = WordProvider()
    engine = new_engine(provider)
    indexed(engine, notes)
    provider.embedded.clear()
    (notes / "house").rename(notes / "flat")
    (notes / "garden.md").rename(notes / "people/allotment.md")
    [report] = engine.refresh().result(TIMEOUT)
    assert (report.changed, report.removed, report.embedded, report.reused) == (2, 2, 0, 2)
    assert provider.embedded == []
    assert first(engine, "tomatoes", Mode.VECTOR, min_score=0.0).path == "people/allotment.md"
    assert first(engine, "fridge", Mode.VECTOR, min_score=0.0).path == "flat/router.md"


def test_force_reads_every_note_again(engine: Engine, notes: Path) -> None:
    indexed(engine, notes)
    garden = notes / "garden.md"
    times = garden.stat()
    garden.write_text(garden.read_text().replace("tomatoes", "potatoes"))
    os.utime(garden, ns=(times.st_atime_ns, times.st_mtime_ns))
    engine.refresh(force=True).result(TIMEOUT)
    assert found(engine, "potatoes") == ["garden.md"]


def test_words_only_leaves_the_vectors_to_a_later_pass(new_engine: NewEngine, notes: Path) -> None:
    provider = WordProvider()
    engine = new_engine(provider)
    indexed(engine, notes, words_only=True)
    assert provider.embedded == []
    assert ask(engine, "router").freshness.embedded == 0.0
    [report] = engine.refresh().result(TIMEOUT)
    assert report.embedded == 3


def test_a_whole_note_can_be_read(engine: Engine, notes: Path) -> None:
    indexed(engine, notes)
    workspace = engine.find_workspace("notes").id
    text = engine.notes.read(NoteAddress(workspace, "house/router.md")).result(TIMEOUT)
    assert text == (notes / "house/router.md").read_text()


def test_only_notes_of_the_index_can_be_read(engine: Engine, notes: Path) -> None:
    indexed(engine, notes)
    workspace = engine.find_workspace("notes").id
    (notes / "garden.md").unlink()
    for path in ("../secret.md", "/etc/passwd", "nothing.md", "garden.md"):
        with pytest.raises(NoteRefused):
            engine.notes.read(NoteAddress(workspace, path)).result(TIMEOUT)


def test_an_agent_reads_a_page(engine: Engine, notes: Path) -> None:
    workspace = add(engine, notes).id
    page = engine.notes.page(NoteAddress(workspace, "garden.md"), PageRequest(3, 1)).result(TIMEOUT)
    assert page.text == "The tomatoes need water every second day."
    assert (page.first_line, page.line_count, page.next_line) == (3, 1, None)


def test_recent_notes_come_newest_first_from_all_workspaces(
    engine: Engine, notes: Path, tmp_path: Path
) -> None:
    other = write_notes(tmp_path / "other", {"newest.md": "New.\n"})
    for minutes, file in enumerate(("people/emma.md", "garden.md", "house/router.md")):
        when = time.time() - 3600 + 60 * minutes
        os.utime(notes / file, (when, when))
    indexed(engine, notes)
    indexed(engine, other)
    recent = engine.notes.recent(3).result(TIMEOUT)
    assert [note.path for note in recent] == ["newest.md", "house/router.md", "garden.md"]
    assert recent[0].workspace == engine.find_workspace("other").id


def test_of_recent_notes_that_were_copied_together_the_last_days_come_first(
    engine: Engine, tmp_path: Path
) -> None:
    days = {f"2026-11-{day}.md": "New.\n" for day in (19, 21)}
    copied = write_notes(tmp_path / "copied", days)
    other = write_notes(tmp_path / "other", {"2026-11-20.md": "New.\n"})
    # Each was written some milliseconds after the one before.
    for number, file in enumerate(sorted(tmp_path.glob("*/2026-*.md"), reverse=True)):
        os.utime(file, (1_700_000_000, 1_700_000_000 + number / 100))
    indexed(engine, copied)
    indexed(engine, other)
    recent = engine.notes.recent(3).result(TIMEOUT)
    assert [note.path for note in recent] == ["2026-11-21.md", "2026-11-20.md", "2026-11-19.md"]


def test_the_status_is_read_from_the_disk_in_a_new_process(
    new_engine: NewEngine, notes: Path
) -> None:
    engine = new_engine()
    add(engine, notes)
    assert engine.status().workspaces[0].state is IndexState.NEVER
    engine.refresh().result(TIMEOUT)
    engine.close()
    [status] = new_engine().current_status().result(TIMEOUT).workspaces
    assert (status.state, status.chunks) == (IndexState.READY, 3)
    assert (status.freshness.documents, status.freshness.embedded) == (3, 1.0)
    assert status.index_bytes > 0


def test_a_pass_announces_what_it_did(engine: Engine, notes: Path) -> None:
    heard = Announcements(engine)
    indexed(engine, notes)
    assert sum(event.changed for event in heard.of(IndexChanged)) == 3
    [finished] = heard.of(IndexFinished)
    assert (finished.report.changed, finished.report.embedded) == (3, 3)


def test_indexing_and_searching_never_touch_the_notes(engine: Engine, notes: Path) -> None:
    before = tree_digest(notes)
    indexed(engine, notes)
    engine.refresh(force=True).result(TIMEOUT)
    ask(engine, "router")
    engine.folders.remove(engine.find_workspace("notes")).result(TIMEOUT)
    assert tree_digest(notes) == before


def test_a_model_that_was_never_downloaded_is_named(
    paths: Paths, notes: Path, tmp_path: Path
) -> None:
    missing = tmp_path / "missing.gguf"
    settings = {"memorySearch": {"local": {"modelPath": str(missing)}}}
    write_notes(paths.config, {"config.json5": json.dumps(settings)})
    engine = Engine(paths)
    try:
        [report] = engine.refresh(add(engine, notes)).result(TIMEOUT)
        assert str(missing) in report.meaning_missing
        answer = ask(engine, "router")
        assert answer.hits[0].path == "house/router.md"
        assert str(missing) in answer.fallback_reason
        assert not engine.status().model.is_ready
    finally:
        engine.close()


def test_pages_of_indexes_are_given_back_once_nobody_searches(
    new_engine: NewEngine, notes: Path
) -> None:
    engine = new_engine()
    indexed(engine, notes)
    assert found(engine, "router") == ["house/router.md"]
    in_use = apsw.memory_used()
    engine.close()
    engine = new_engine(limits=EngineLimits(rest_seconds=0.05))
    assert found(engine, "router") == ["house/router.md"]
    wait_until(lambda: apsw.memory_used() < in_use - 32 * 1024)
    assert found(engine, "router") == ["house/router.md"]


def test_an_index_elsewhere_that_was_open_when_its_folder_was_removed_goes_at_the_next_start(
    new_engine: NewEngine, paths: Paths, notes: Path, tmp_path: Path, in_use: InUse
) -> None:
    folder = tmp_path / "elsewhere"
    store = {"path": f"{folder.as_posix()}/{{agentId}}.sqlite"}
    settings = json.dumps({"memorySearch": {"store": store}})
    write_notes(paths.config, {"config.json5": settings})
    engine = new_engine()
    index = folder / "notes.sqlite"
    indexed(engine, notes)
    with in_use(index):
        engine.folders.remove(engine.workspaces()[0]).result(TIMEOUT)
        engine.close()
        assert index.exists()
        places = chain.from_iterable(
            each.places for each in new_engine().uninstall.look().result(TIMEOUT).parts
        )
        assert str(index) in places
    engine = new_engine()
    engine.start()
    wait_until(lambda: not any(folder.iterdir()))


def test_after_closing_nothing_hangs(engine: Engine, notes: Path) -> None:
    indexed(engine, notes)
    engine.close()
    for future in (engine.search(SearchRequest("router"), CancelToken()), engine.refresh()):
        assert future.cancelled() or isinstance(future.exception(TIMEOUT), Cancelled)


def test_closing_does_not_wait_until_all_notes_are_understood(
    new_engine: NewEngine, tmp_path: Path
) -> None:
    provider = WordProvider()
    engine = new_engine(provider)
    root = write_notes(tmp_path / "many", {f"{n}.md": f"Note {n}. " * 400 for n in range(60)})
    heard = Announcements(engine)
    workspace = add(engine, root)
    pass_ = engine.refresh(workspace)
    heard.wait(lambda: len(provider.embedded) > 0 or pass_.done())
    engine.close()
    assert isinstance(pass_.exception(TIMEOUT), Cancelled)


def test_news_are_asked_for_only_when_the_user_enables_it(
    new_engine: NewEngine, paths: Paths
) -> None:
    file = paths.state / "updates.json"
    quiet = new_engine()
    quiet.start()
    quiet.close()
    assert not file.exists()
    paths.config_file.write_text("{updates: {check: true}}")
    new_engine().start()
    wait_until(file.exists)
