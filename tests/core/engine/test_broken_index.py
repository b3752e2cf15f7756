"""Index files that are damaged, foreign, too new, locked or cannot grow."""

from __future__ import annotations

import contextlib
import datetime as dt
import os
import random
import re
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import apsw
import psutil
import pytest
from filelock import FileLock

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.errors import IndexCorrupt, IndexLocked, IndexTooNew, IndexUnavailable
from scrubjay.events import IndexChanged, IndexFailed, Notice
from scrubjay.health.findings import FindingKind
from scrubjay.index.vector_builder import MAX_BUFFERED
from scrubjay.platform.paths import Paths
from scrubjay.records.search_modes import Mode
from scrubjay.records.search_records import SearchRequest
from scrubjay.records.status_records import IndexState
from scrubjay.store import index_file
from scrubjay.store.reader import Reader
from scrubjay.store.writer import Writer
from support.limits import PATIENT
from support.providers import HungProvider, WordProvider
from support.vault import (
    TIMEOUT,
    Announcements,
    NewEngine,
    add,
    ask,
    found,
    tree_digest,
    write_notes,
)
from support.waiting import wait_until


def foreign_database(file: Path) -> None:
    """Somebody else's SQLite file."""
    db = apsw.Connection(str(file))
    db.execute("create table theirs(x); insert into theirs values ('precious')")
    db.close()


@pytest.fixture
def file(paths: Paths) -> Path:
    """Where the index of the fixture `notes` is."""
    paths.indexes.mkdir(parents=True)
    return paths.indexes / "notes.sqlite"


@pytest.fixture
def built(new_engine: NewEngine, notes: Path, file: Path) -> Path:
    """A complete index, closed again."""
    engine = new_engine()
    engine.refresh(add(engine, notes)).result(TIMEOUT)
    engine.close()
    db = apsw.Connection(str(file))
    db.execute("pragma wal_checkpoint(truncate)")  # so that a test may change the file itself
    db.close()
    return file


def damage(file: Path, needle: bytes) -> None:
    """Overwrite the beginning of each page that holds needle."""
    data = bytearray(file.read_bytes())
    size = int.from_bytes(data[16:18], "big")  # of a page, says the header
    at = data.find(needle)
    assert at > 0
    while at >= 0:
        page = at - at % size
        data[page : page + 64] = b"\xff" * 64
        at = data.find(needle, page + size)
    file.write_bytes(data)


@pytest.mark.parametrize("content", [b"not a database, " * 500, b"SQLite format 3\0" + b"x" * 9000])
def test_a_file_that_is_no_index_is_moved_aside_and_told(
    engine: Engine, notes: Path, file: Path, content: bytes
) -> None:
    file.write_bytes(content)
    heard = Announcements(engine)
    engine.refresh(add(engine, notes)).result(TIMEOUT)
    [kept] = file.parent.glob("*.damaged-*")
    assert kept.read_bytes() == content
    [notice] = heard.of(Notice)
    assert str(kept) in notice.message
    assert found(engine, "router") == ["house/router.md"]


def test_somebody_elses_database_is_kept_beside_the_new_index(
    engine: Engine, notes: Path, file: Path
) -> None:
    foreign_database(file)
    engine.refresh(add(engine, notes)).result(TIMEOUT)
    [kept] = file.parent.glob("*.damaged-*")
    db = apsw.Connection(str(kept))
    assert db.execute("select * from theirs").get == "precious"
    db.close()
    assert found(engine, "router") == ["house/router.md"]


def test_only_the_last_damaged_file_is_kept(engine: Engine, notes: Path, file: Path) -> None:
    add(engine, notes)
    for number in range(3):
        file.write_bytes(f"damage {number}".encode() * 100)
        engine.refresh().result(TIMEOUT)
    [kept] = file.parent.glob("*.damaged-*")
    assert kept.read_bytes().startswith(b"damage 2")


def test_an_empty_file_becomes_an_index(engine: Engine, notes: Path, file: Path) -> None:
    file.touch()
    add(engine, notes)
    engine.current_status().result(TIMEOUT)
    assert found(engine, "router") == ["house/router.md"]


def test_lengths_that_make_no_sense_are_found_and_the_index_rebuilt(
    new_engine: NewEngine, notes: Path, built: Path
) -> None:
    data, dice = bytearray(built.read_bytes()), random.Random(8664)
    at = dice.randrange(8000, 16320)  # in a row of the schema
    data[at : at + 64] = dice.randbytes(64)
    built.write_bytes(data)
    engine = new_engine()
    ask(engine, "router")  # begins the repair
    engine.refresh().result(TIMEOUT)
    assert found(engine, "router") == ["house/router.md"]


@pytest.mark.parametrize(
    "needle", ["select cast(path as blob) from document", "select text from chunk"]
)
def test_a_damaged_page_is_found_and_the_index_rebuilt(
    new_engine: NewEngine, notes: Path, built: Path, needle: str
) -> None:
    db = apsw.Connection(str(built))
    (content,) = next(iter(db.execute(needle)))
    db.close()
    damage(built, content)
    engine = new_engine()
    heard = Announcements(engine)
    assert found(engine, "tomatoes water every") == ["garden.md"]
    engine.refresh().result(TIMEOUT)
    assert heard.of(Notice)
    assert found(engine, "tomatoes") == ["garden.md"]
    assert found(engine, "router") == ["house/router.md"]


def spoil_words(file: Path) -> None:
    db = apsw.Connection(str(file))
    db.execute("update fts_data set block = zeroblob(length(block)) where id > 10")
    db.close()


def test_a_damaged_word_list_is_found_by_a_search_and_rebuilt(
    new_engine: NewEngine, built: Path
) -> None:
    spoil_words(built)
    engine = new_engine()
    answer = ask(engine, "router")
    assert answer.hits[0].path == "house/router.md"
    assert answer.fallback_reason == (
        "The search index was damaged. Scrubjay is rebuilding it. Your notes are unchanged."
    )
    [kept] = built.parent.glob("*.damaged-*")
    assert kept.is_file()


@pytest.mark.needs("open files that move")
def test_who_asks_again_without_the_model_hears_of_it_too(
    new_engine: NewEngine, built: Path
) -> None:
    built.write_bytes(b"not an index at all" * 500)
    engine = new_engine(HungProvider())
    heard = Announcements(engine)
    engine.search(SearchRequest("router"), CancelToken())
    heard.wait(lambda: heard.of(IndexChanged))
    answer = ask(engine, "router", Mode.LEXICAL)
    assert answer.hits[0].path == "house/router.md"
    assert answer.fallback_reason == (
        "The search index was damaged. Scrubjay is rebuilding it. Your notes are unchanged."
    )
    assert ask(engine, "router", Mode.LEXICAL).fallback_reason == ""


def test_while_indexing_is_paused_a_damaged_word_list_is_told(
    new_engine: NewEngine, built: Path
) -> None:
    spoil_words(built)
    engine = new_engine()
    engine.pause()
    with pytest.raises(IndexCorrupt, match="will rebuild"):
        found(engine, "router")


def test_damage_in_one_index_does_not_silence_the_others(
    new_engine: NewEngine, notes: Path, built: Path, tmp_path: Path
) -> None:
    engine = new_engine()
    other = write_notes(tmp_path / "other", {"routers.md": "Another router.\n"})
    engine.refresh(add(engine, other)).result(TIMEOUT)
    built.write_bytes(b"rubbish" * 1000)
    assert found(engine, "router") == ["routers.md"]
    states = {status.workspace.name: status for status in engine.status().workspaces}
    assert states["notes"].state is IndexState.ERROR
    assert "damaged" in states["notes"].error
    engine.refresh().result(TIMEOUT)
    assert set(found(engine, "router")) == {"routers.md", "house/router.md"}


@pytest.mark.parametrize("open_index", [Reader.open, Writer.open])
def test_an_index_that_cannot_be_opened_stays_closed(
    open_index: Callable[[Path], object], built: Path
) -> None:
    """The error may be kept for long, and Windows does not replace a file that is open."""
    built.write_bytes(b"rubbish" * 1000)
    before = psutil.Process().open_files()
    with pytest.raises(IndexCorrupt) as kept:
        open_index(built)
    assert psutil.Process().open_files() == before
    assert kept.value.file == built


@pytest.mark.needs("Linux")
@pytest.mark.parametrize("provider", [WordProvider, HungProvider])
def test_no_search_keeps_a_damaged_index_open(
    new_engine: NewEngine, built: Path, provider: Callable[[], WordProvider | HungProvider]
) -> None:
    """Windows would not let it be replaced then."""
    engine = new_engine(provider())
    for mode in (Mode.LEXICAL, Mode.HYBRID):
        assert found(engine, "router", mode)
    built.write_bytes(b"rubbish" * 1000)
    engine.refresh(words_only=True).result(TIMEOUT)

    def has_damaged_open() -> bool:
        opened = [os.path.realpath(handle) for handle in Path("/proc/self/fd").iterdir()]
        return any(".damaged-" in path for path in opened)

    assert list(built.parent.glob("*.damaged-*"))
    wait_until(lambda: not has_damaged_open())


def test_an_index_of_a_newer_version_is_refused_and_not_touched(
    new_engine: NewEngine, notes: Path, built: Path
) -> None:
    db = apsw.Connection(str(built))
    db.execute("pragma user_version = 99; pragma wal_checkpoint(truncate)")
    db.close()
    before = built.read_bytes()
    engine = new_engine()
    with pytest.raises(IndexTooNew, match="Update Scrubjay"):
        engine.refresh().result(TIMEOUT)
    with pytest.raises(IndexTooNew):
        found(engine, "router")
    engine.close()
    assert built.read_bytes() == before


@pytest.mark.needs("open files that move")
def test_an_index_is_rebuilt_under_an_open_search(
    new_engine: NewEngine, notes: Path, built: Path
) -> None:
    engine = new_engine()
    assert found(engine, "router")
    built.unlink()
    foreign_database(built)
    write_notes(notes, {"zoo.md": "Zebra.\n"})
    engine.refresh().result(TIMEOUT)
    assert found(engine, "zebra") == ["zoo.md"]


@pytest.mark.limits(lease_seconds=0)
def test_while_another_process_writes_this_one_reads(
    new_engine: NewEngine, notes: Path, built: Path
) -> None:
    engine = new_engine()
    heard = Announcements(engine)
    with FileLock(f"{built}.lock"):
        with pytest.raises(IndexLocked, match="Another copy of Scrubjay"):
            engine.refresh().result(TIMEOUT)
        assert found(engine, "router") == ["house/router.md"]
    assert len(heard.of(IndexFailed)) == 1
    engine.refresh().result(TIMEOUT)
    assert engine.status().workspaces[0].state is IndexState.READY


def test_an_index_folder_that_cannot_be_made_is_one_clear_error(
    engine: Engine, paths: Paths, notes: Path
) -> None:
    write_notes(paths.state, {"memory": "a file where the folder should be"})
    workspace = add(engine, notes)
    with pytest.raises(IndexUnavailable, match=re.escape(str(paths.indexes))):
        engine.refresh(workspace).result(TIMEOUT)


def test_an_index_that_may_not_be_written_is_still_searched(locked_away: Path) -> None:
    notes = write_notes(locked_away / "notes", {"zoo.md": "Zebra.\n"})
    paths = Paths.under(locked_away / "home")
    engine = Engine(paths, provider=WordProvider())
    try:
        engine.refresh(add(engine, notes)).result(TIMEOUT)
        assert found(engine, "zebra")
        for file in paths.indexes.iterdir():
            file.chmod(0o400)
        paths.indexes.chmod(0o500)
        write_notes(notes, {"new.md": "Lion.\n"})
        with pytest.raises(IndexUnavailable):
            engine.refresh().result(TIMEOUT)
        assert found(engine, "zebra") == ["zoo.md"]
    finally:
        engine.close()


def test_a_full_disk_is_told_and_words_still_answer(notes: Path, small_disk: Path) -> None:
    _resize(small_disk, "3m")
    engine = Engine(Paths.under(small_disk / "home"), provider=WordProvider())
    try:
        engine.refresh(add(engine, notes)).result(TIMEOUT)
        write_notes(notes, {f"{n}.md": f"Note {n} on jays and acorns.\n" * 200 for n in range(300)})
        before = tree_digest(notes)
        with pytest.raises(IndexUnavailable, match="disk is full"):
            engine.refresh().result(TIMEOUT)
        assert found(engine, "router", Mode.LEXICAL) == ["house/router.md"]
        # The search itself has tried once more.
        wait_until(lambda: engine.status().workspaces[0].state is IndexState.ERROR)
        assert tree_digest(notes) == before
        _resize(small_disk, "32m")
        engine.refresh().result(TIMEOUT)
        assert ask(engine, "acorns").freshness.documents == 303
    finally:
        engine.close()


def _resize(disk: Path, size: str) -> None:
    subprocess.run(["mount", "-o", f"remount,size={size}", str(disk)], check=True)


KILLED_PASS = """
    import psutil, sys
    sys.path[:0] = {paths!r}
    from pathlib import Path
    from scrubjay.engine.engine import Engine; from scrubjay.platform.paths import Paths
    from support.providers import WordProvider
    provider = WordProvider()
    def maybe_die():
        if len(provider.embedded) >= {after}:
            psutil.Process().kill()
    provider.before_batch = maybe_die
    Engine(Paths.under(Path({home!r})), provider=provider).refresh().result()
"""


def test_a_pass_that_was_killed_goes_on_where_it_stopped(
    new_engine: NewEngine, paths: Paths, tmp_path: Path
) -> None:
    root = write_notes(
        tmp_path / "many", {f"{n}.md": f"Number {n} is nice. " * 60 for n in range(400)}
    )
    engine = new_engine()
    add(engine, root)
    engine.close()
    tests = str(Path(__file__).parents[2])
    script = KILLED_PASS.format(paths=[tests], home=str(paths.config), after=200)
    died = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], timeout=TIMEOUT)
    assert died.returncode not in (0, 1)
    provider = WordProvider()
    engine = new_engine(provider)
    assert ask(engine, "number nice", Mode.LEXICAL).freshness.documents == 400
    [report] = engine.refresh().result(TIMEOUT)
    assert report.embedded == len(provider.embedded)
    assert 0 < report.embedded <= 400 - (200 - MAX_BUFFERED)
    assert ask(engine, "number").freshness.embedded == 1.0


@pytest.mark.parametrize("wrong", [b"violon", b"a\0\xff\xff  "])
def test_a_word_that_was_spoilt_in_the_list_of_words_is_found_again(
    new_engine: NewEngine, built: Path, wrong: bytes
) -> None:
    content = built.read_bytes()
    assert b"violin" in content
    built.write_bytes(content.replace(b"violin", wrong))
    engine = new_engine()
    with contextlib.suppress(IndexCorrupt):
        ask(engine, "violin")
    engine.refresh().result(TIMEOUT)
    assert found(engine, "violin") == ["people/emma.md"]


def test_a_number_of_a_vector_that_was_changed_is_learned_again_and_no_other(
    new_engine: NewEngine, built: Path
) -> None:
    db = apsw.Connection(str(built))
    embeddings = [row[0] for row in db.execute("select embedding from vector order by id")]
    before = db.execute("select count(*) from vector").get
    db.close()
    content = bytearray(built.read_bytes())
    content[content.index(embeddings[0])] ^= 1
    built.write_bytes(content)
    provider = WordProvider()
    engine = new_engine(provider)
    heard = Announcements(engine)
    engine.refresh(force=True).result(TIMEOUT)
    assert "damaged" in heard.of(Notice)[0].title
    assert 0 < len(provider.embedded) <= before
    assert ask(engine, "violin").freshness.embedded == 1.0


def test_vectors_and_the_timeline_outlive_damage_elsewhere(
    new_engine: NewEngine, notes: Path, file: Path
) -> None:
    write_notes(notes, {f"many/{n}.md": f"# Number {n}\n\napricot {n}\n" * 40 for n in range(60)})
    engine = new_engine()
    workspace = add(engine, notes)
    engine.refresh(workspace).result(TIMEOUT)
    (notes / "garden.md").write_text("Only radishes.\n")
    engine.refresh(workspace).result(TIMEOUT)
    hour_ago = dt.datetime.now().astimezone() - dt.timedelta(hours=1)
    before = engine.journal.changes(hour_ago).result(TIMEOUT)
    assert [change.path for change in before.changes] == ["garden.md"]
    engine.close()
    db = apsw.Connection(str(file))
    db.execute("pragma wal_checkpoint(truncate)")
    (content,) = next(iter(db.execute("select text from chunk order by id desc limit 1")))
    db.close()
    damage(file, content)
    provider = WordProvider()
    engine = new_engine(provider)
    engine.refresh(workspace, force=True).result(TIMEOUT)
    assert found(engine, "radishes") == ["garden.md"]
    assert provider.embedded == []
    assert engine.journal.changes(hour_ago).result(TIMEOUT) == before


def test_damage_that_no_question_meets_is_looked_for_once_a_day(
    new_engine: NewEngine, built: Path
) -> None:
    db = apsw.Connection(str(built))
    db.execute("delete from fts_data where id > 10")
    db.execute("update note set value = '2026-01-01' where key = 'verified'")
    db.close()
    engine = new_engine()
    heard = Announcements(engine)
    engine.refresh().result(TIMEOUT)
    assert "damaged" in heard.of(Notice)[0].title
    assert found(engine, "tomatoes") == ["garden.md"]


@pytest.mark.parametrize("change", [0x01, 0x04, 0x80, 0xFF])
def test_any_damage_to_the_header_is_mended_by_reading_the_notes_again(
    new_engine: NewEngine, built: Path, change: int
) -> None:
    content = built.read_bytes()
    for at in range(100):
        built.write_bytes(content[:at] + bytes([content[at] ^ change]) + content[at + 1 :])
        for kind in (Reader, Writer):
            try:
                with contextlib.closing(kind.open(built)) as index:
                    index.metadata.documents()
            except IndexCorrupt:
                continue
        index_file.delete_index(built)
    for at in (18, 47, 59, 60):
        built.write_bytes(content[:at] + bytes([content[at] ^ 0x80]) + content[at + 1 :])
        engine = new_engine()
        engine.refresh(engine.find_workspace("notes")).result(TIMEOUT)
        assert found(engine, "tomatoes") == ["garden.md"]
        engine.close()


def test_what_a_cut_index_still_holds_is_not_learned_again(
    new_engine: NewEngine, notes: Path, file: Path
) -> None:
    write_notes(notes, {f"many/{n}.md": f"# Number {n}\n\napricot {n}\n" * 40 for n in range(60)})
    engine = new_engine()
    engine.refresh(add(engine, notes)).result(TIMEOUT)
    engine.close()
    file.write_bytes(file.read_bytes()[:-20_000])
    provider = WordProvider()
    engine = new_engine(provider)
    heard = Announcements(engine)
    assert found(engine, "tomatoes") == ["garden.md"]
    engine.refresh().result(TIMEOUT)
    assert "damaged" in heard.of(Notice)[0].title
    assert len(provider.embedded) < 60
    assert ask(engine, "apricot").freshness.embedded == 1.0


def test_a_damaged_index_is_told_before_it_is_mended_and_after(
    new_engine: NewEngine, built: Path
) -> None:
    built.write_bytes(built.read_bytes()[:-100])
    engine = new_engine()
    [status] = engine.current_status().result(TIMEOUT).workspaces
    assert "damaged" in status.error
    assert kinds(engine) == {FindingKind.INDEX_TROUBLE}
    engine.refresh().result(TIMEOUT)
    [status] = engine.current_status().result(TIMEOUT).workspaces
    assert not status.error
    assert status.mended_at
    assert kinds(engine) == {FindingKind.INDEX_MENDED}


def kinds(engine: Engine) -> set[FindingKind]:
    report = engine.health.check().result(TIMEOUT)
    return {finding.kind for finding in report.of_folders}


def test_the_index_of_another_folder_answers_for_none(
    new_engine: NewEngine, notes: Path, built: Path, tmp_path: Path
) -> None:
    diary = write_notes(tmp_path / "diary", {"day.md": "The quinces are under the floor.\n"})
    engine = new_engine()
    other = add(engine, diary)
    engine.refresh(other).result(TIMEOUT)
    (diary / "day.md").write_text("Nothing of note.\n")
    engine.refresh(other).result(TIMEOUT)
    engine.close()
    theirs = built.with_name(f"{other.id}.sqlite")
    mine = built.read_bytes()
    built.write_bytes(theirs.read_bytes())
    theirs.write_bytes(mine)
    engine = new_engine()
    assert found(engine, "router", among=frozenset({other.id})) == []
    assert found(engine, "router", among=frozenset({"notes"})) == ["house/router.md"]
    engine.refresh().result(TIMEOUT)
    hour_ago = dt.datetime.now().astimezone() - dt.timedelta(hours=1)
    changes = (
        engine.journal.changes(hour_ago, engine.find_workspace("notes")).result(TIMEOUT).changes
    )
    assert "day.md" not in {change.path for change in changes}


# As on a busy computer, where a look at the folder serves for two seconds.
@pytest.mark.limits(quick_look_seconds=0)
@PATIENT
@pytest.mark.needs("open files that move")
def test_an_older_copy_of_an_index_catches_up(
    new_engine: NewEngine, notes: Path, built: Path
) -> None:
    older = built.read_bytes()
    engine = new_engine()
    write_notes(notes, {"zoo.md": "Zebra.\n"})
    (notes / "garden.md").unlink()
    engine.refresh().result(TIMEOUT)
    assert found(engine, "zebra") == ["zoo.md"]
    copy = built.with_name("copy")
    copy.write_bytes(older)
    copy.replace(built)
    assert found(engine, "zebra") == ["zoo.md"]
    assert found(engine, "tomatoes") == []
