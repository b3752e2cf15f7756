"""Migration of an index whose words are not in their normal form, which may end at any moment."""

from __future__ import annotations

import signal
import subprocess
import sys
import textwrap
from contextlib import closing
from pathlib import Path
from random import Random

import apsw
import pytest

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.errors import Cancelled
from scrubjay.store.index_file import fetch
from scrubjay.store.index_records import Filters, compress_text
from scrubjay.store.reader import Reader
from scrubjay.store.schema import MIGRATIONS, check_schema_version, migrate
from scrubjay.store.writer import Writer
from support.documents import document, publish

FORMER = MIGRATIONS.index(next(step for step in MIGRATIONS if step.__name__ == "_normal_words"))
CHUNKS = 700


@pytest.fixture
def old(file: Path) -> Path:
    """An index with *acorn* as the only word of each chunk so far, and *straße* in its text."""
    with closing(Writer.open(file)) as writer:
        publish(writer, *(document(f"{at}.md", f"Number {at}") for at in range(CHUNKS)))
    with closing(apsw.Connection(str(file))) as db:
        db.execute("update chunk set text = ?", (compress_text("In der Straße"),))
        db.execute("delete from fts")
        db.execute("insert into fts(rowid, text) select id, 'acorn' from chunk")
        db.execute(f"pragma user_version = {FORMER}")
    return file


def found(file: Path, word: str) -> int:
    with closing(Reader.open(file)) as reader:
        return len(reader.lexical(word, CHUNKS, Filters(), CancelToken()))


def version(file: Path) -> int:
    with closing(apsw.Connection(str(file))) as db:
        return check_schema_version(db, file)


def test_it_can_be_stopped_between_steps_and_goes_on_there(old: Path) -> None:
    told: list[tuple[int, int]] = []

    def on_step(done: int, total: int) -> None:
        told.append((done, total))
        if len(told) == 3:
            raise Cancelled

    with pytest.raises(Cancelled):
        Writer.open(old, on_step=on_step)
    assert told == [(0, CHUNKS), (200, CHUNKS), (400, CHUNKS)]
    # Until all are written, the former words are found.
    assert (version(old), found(old, "acorn"), found(old, "strasse")) == (FORMER, CHUNKS, 0)
    told.clear()
    Writer.open(old, on_step=lambda *step: told.append(step)).close()
    assert told == [(400, CHUNKS), (600, CHUNKS)]
    assert (version(old), found(old, "acorn")) == (len(MIGRATIONS), 0)
    assert found(old, "strasse") == CHUNKS


def test_what_an_older_program_changes_meanwhile_is_written_again(old: Path) -> None:
    def stop(done: int, _total: int) -> None:
        if done:
            raise Cancelled

    with pytest.raises(Cancelled):
        Writer.open(old, on_step=stop)
    # A number is used again for another text.
    with closing(apsw.Connection(str(old))) as db:
        db.execute("pragma foreign_keys = on")
        row = fetch(db, "select id, document, hash from chunk order by id limit 1")[0]
        db.execute("delete from chunk where id = ?", (row[0],))
        db.execute("delete from fts where rowid = ?", (row[0],))
        values = (*row, compress_text("Another lane"))
        db.execute("insert into chunk values (?1, ?2, 1, 1, '', ?4, ?3)", values)
    Writer.open(old).close()
    assert (found(old, "strasse"), found(old, "lane")) == (CHUNKS - 1, 1)


def test_a_reader_that_is_open_all_the_time_finds_words_before_and_after(old: Path) -> None:
    with closing(Reader.open(old)) as reader:

        def hits(word: str) -> int:
            return len(reader.lexical(word, CHUNKS, Filters(), CancelToken()))

        counts: list[int] = []
        Writer.open(old, on_step=lambda *_: counts.append(hits("acorn"))).close()
        assert counts == [CHUNKS] * 4
        assert (hits("acorn"), hits("strasse")) == (0, CHUNKS)


KILLED = """
    import psutil
    from pathlib import Path
    import apsw
    left = {moments}
    def maybe_die():
        global left
        left -= 1
        if not left:
            psutil.Process().kill()
        return False
    # SQLite calls this every few steps of its machine, also within a transaction.
    apsw.connection_hooks.append(lambda db: db.set_progress_handler(maybe_die, 50))
    from scrubjay.store.writer import Writer
    Writer.open(Path({file!r})).close()
"""


def test_killing_it_at_any_moment_loses_nothing(old: Path) -> None:
    # Each one dies a little later than the one before, until one reaches the end.
    dice = Random("migration")
    moments = 5
    killed = 0
    while True:
        script = textwrap.dedent(KILLED.format(moments=moments, file=str(old)))
        process = subprocess.run([sys.executable, "-c", script])
        if process.returncode == 0:
            break
        # Windows has no signals: psutil ends a process there with the number of SIGTERM.
        assert process.returncode in (-9, signal.SIGTERM)
        killed += 1
        moments = int(moments * dice.uniform(1.2, 2.2)) + 5
        with closing(apsw.Connection(str(old))) as db:
            assert db.pragma("integrity_check") == "ok"
            assert db.execute("select count(*) from chunk").get == CHUNKS
        if version(old) == FORMER:
            assert found(old, "acorn") == CHUNKS
    assert killed >= 3
    assert (version(old), found(old, "strasse")) == (len(MIGRATIONS), CHUNKS)


def test_an_index_without_texts_has_no_steps(file: Path) -> None:
    with closing(apsw.Connection(str(file))) as db:
        migrate(db, file)
        db.execute(f"pragma user_version = {FORMER}")
        told: list[tuple[int, int]] = []
        migrate(db, file, lambda *step: told.append(step))
    assert (told, version(file)) == ([], len(MIGRATIONS))
