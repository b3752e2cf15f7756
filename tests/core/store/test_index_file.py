"""Connections, and SQLite's errors in our own words."""

from __future__ import annotations

import contextlib
import re
import threading
from pathlib import Path

import apsw
import pytest
import sqlite_vec

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.errors import Cancelled, IndexCorrupt, IndexLocked, IndexUnavailable
from scrubjay.store.index_file import (
    convert_sqlite_errors,
    hold_write_lease,
    interruptible,
    load_vector_functions,
    open_reader,
    open_writer,
)

ENDLESS = "with recursive c(x) as (select 1 union all select x + 1 from c) select count(*) from c"


@pytest.mark.parametrize(
    ("raised", "expected"),
    [
        (apsw.CorruptError, IndexCorrupt),
        (apsw.NotADBError, IndexCorrupt),
        (apsw.TooBigError, IndexCorrupt),
        (apsw.BusyError, IndexLocked),
        (apsw.LockedError, IndexLocked),
        (apsw.FullError, IndexUnavailable),
        (apsw.ReadOnlyError, IndexUnavailable),
        (apsw.IOError, IndexUnavailable),
        (apsw.CantOpenError, IndexUnavailable),
        (apsw.PermissionsError, IndexUnavailable),
    ],
)
def test_expected_failures_name_the_path(
    raised: type[Exception], expected: type[Exception]
) -> None:
    error = raised("boom")
    error.extendedresult = 0  # type: ignore[attr-defined]  # as SQLite sets it
    path = Path("/some/index")
    named = re.escape(str(path))
    with pytest.raises(expected, match=named) as caught, convert_sqlite_errors(path):
        raise error
    assert type(caught.value) is expected


def test_a_wrong_checksum_is_damage(tmp_path: Path) -> None:
    file = tmp_path / "index.sqlite"
    db = open_writer(file)
    db.execute("create table word(text)")
    db.execute("insert into word values ('violin')")
    db.close()
    file.write_bytes(file.read_bytes().replace(b"violin", b"violon"))
    with pytest.raises(IndexCorrupt, match="is not valid"), convert_sqlite_errors(file):
        open_writer(file).execute("select text from word").fetchall()


@pytest.mark.parametrize("bug", [apsw.SQLError("syntax"), apsw.ConstraintError("no"), KeyError(1)])
def test_bugs_stay_what_they_are(bug: Exception) -> None:
    with pytest.raises(type(bug)), convert_sqlite_errors(Path("/some/index")):
        raise bug


def test_a_writer_makes_its_folder_and_writes_ahead(tmp_path: Path) -> None:
    db = open_writer(tmp_path / "deep/er/index.sqlite")
    assert db.pragma("journal_mode") == "wal"
    assert db.pragma("foreign_keys") == 1
    db.close()


def test_an_index_that_was_to_be_deleted_is_made_anew_under_its_lease(tmp_path: Path) -> None:
    file = tmp_path / "index.sqlite"
    open_writer(file).close()
    (tmp_path / "index.sqlite.to-delete").write_text("index.sqlite")
    with hold_write_lease(file):
        db = open_writer(file)
        # Nobody else gets it meanwhile.
        with pytest.raises(IndexLocked), hold_write_lease(file):
            pass
        db.close()
    assert not (tmp_path / "index.sqlite.to-delete").exists()


def test_cancelling_stops_an_endless_statement(tmp_path: Path) -> None:
    db, cancel = open_writer(tmp_path / "index.sqlite"), CancelToken()
    threading.Timer(0.05, cancel.cancel).start()
    with pytest.raises(Cancelled), interruptible(db, cancel):
        list(db.execute(ENDLESS))
    assert db.execute("select 1").get == 1
    db.close()


def test_a_late_cancel_does_not_hit_the_next_statement(tmp_path: Path) -> None:
    db, cancel = open_writer(tmp_path / "index.sqlite"), CancelToken()
    with interruptible(db, cancel):
        list(db.execute("select 1"))
    rows = db.execute("select 1 union select 2")
    next(rows)
    cancel.cancel()
    assert list(rows) == [(2,)]
    db.close()


def test_sqlite_vec_proves_itself(tmp_path: Path) -> None:
    db = open_writer(tmp_path / "index.sqlite")
    assert load_vector_functions(db)
    db.close()


def test_a_missing_extension_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(sqlite_vec, "loadable_path", lambda: "/nowhere/vec0")
    db = open_writer(tmp_path / "index.sqlite")
    assert not load_vector_functions(db)
    assert "numpy instead" in caplog.text
    db.close()


def test_a_reader_needs_a_file(tmp_path: Path) -> None:
    with pytest.raises(IndexUnavailable):
        open_reader(tmp_path / "nothing.sqlite")


def test_a_reader_waits_while_the_file_is_locked_for_a_moment(tmp_path: Path) -> None:
    file = tmp_path / "index.sqlite"
    open_writer(file).close()
    other = apsw.Connection(str(file))
    other.pragma("locking_mode", "exclusive")
    other.execute("begin immediate")
    ending = threading.Timer(0.3, other.close)
    ending.start()
    with contextlib.closing(open_reader(file)) as reader:
        assert [*reader.execute("select count(*) from sqlite_schema")] == [(0,)]
    ending.join()
