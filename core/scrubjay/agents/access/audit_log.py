"""The guest book: who asked what and which notes were shown. Never the text of a note.

One small SQLite file, written by every process that answers agents. It is a log: when it is
damaged a new one is begun.
"""

from __future__ import annotations

import datetime as dt
import json
import logging
import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import apsw

from scrubjay.errors import IndexTooNew
from scrubjay.messages import restored, stored
from scrubjay.records.access_records import (
    AccessRequest,
    Action,
    AuditedHit,
    AuditEntry,
    KnownAgent,
)

log = logging.getLogger(__name__)

MAX_ROWS = 100_000
"""Visits that are kept, however few days they go back."""
_VERSION = 1
_BUSY_MS = 5000
_PRUNE_EVERY = 500
"""Visits that are written between two looks for old ones."""
_LONGEST_QUERY = 2000
_DAY_S = 86_400

_SCHEMA = """
create table visit(
    id integer primary key autoincrement,
    at real not null,
    agent text not null,
    tool text not null,
    query text not null,
    shown text not null,
    outcome text not null,
    reason text not null,
    elapsed_ms real not null
);
create table agent(
    name text primary key, title text not null, first_at real not null, last_at real not null,
    visits integer not null
) without rowid;
create table request(
    id integer primary key autoincrement,
    at real not null,
    agent text not null,
    workspace text not null,
    action text not null,
    tool text not null,
    query text not null,
    answer text not null default ''
);
"""
_ADD_VISIT = """
insert into visit(at, agent, tool, query, shown, outcome, reason, elapsed_ms)
values (?, ?, ?, ?, ?, ?, ?, ?)
"""
_ADD_AGENT = """
insert into agent values (?1, ?2, ?3, ?3, ?4) on conflict(name) do update set
    title = excluded.title, last_at = excluded.last_at, visits = visits + excluded.visits
"""
_PAGE = """
select id, at, agent, coalesce(title, ''), tool, query, shown, outcome, reason, elapsed_ms
from visit left join agent on name = agent
where id < ? and (?2 = '' or agent = ?2) order by id desc limit ?3
"""
_PRUNE = """
delete from visit where at < ? or id <= (select coalesce(max(id), 0) from visit) - ?
"""


class AuditLog:
    """The book in one file. For one thread at a time. Methods raise apsw.Error."""

    def __init__(self, file: Path) -> None:
        """The file is opened when it is first needed, and made when it is first written to."""
        self._file = file
        self._db: apsw.Connection | None = None
        self._written = 0

    def write(self, visits: Sequence[AuditEntry], days: int) -> None:
        """Note visits, and now and then drop those older than some days."""
        until_pruned = -self._written % _PRUNE_EVERY
        db = self._opened()
        with db:
            for visit in visits:
                _write(db, visit)
            if until_pruned < len(visits):
                db.execute(_PRUNE, (time.time() - days * _DAY_S, MAX_ROWS))
        self._written += len(visits)

    def page(self, before: int | None, limit: int, agent: str = "") -> tuple[AuditEntry, ...]:
        """Visits, the latest first, from before an id on."""
        if not self._file.exists():
            return ()
        rows = self._opened().execute(_PAGE, (before or 2**62, agent, limit))
        return tuple(_visit(*row) for row in rows)

    def count(self) -> int:
        """How many visits are in the book."""
        return self._number("select count(*) from visit")

    def latest(self) -> int:
        """Id of the latest visit, 0 for none."""
        return self._number("select coalesce(max(id), 0) from visit")

    def agents(self) -> tuple[KnownAgent, ...]:
        """Who was here, the latest first."""
        if not self._file.exists():
            return ()
        rows = self._opened().execute("select * from agent order by last_at desc")
        return tuple(
            KnownAgent(name, title, _local(first), _local(last), visits)
            for name, title, first, last, visits in rows
        )

    def clear(self) -> None:
        """Forget all visits and who was here, also in the free pages of the file."""
        if not self._file.exists():
            return
        db = self._opened()
        with db:
            for table in ("visit", "agent", "request"):
                db.execute(f"delete from {table}")
        db.execute("vacuum")
        db.execute("pragma wal_checkpoint(truncate)").fetchall()

    # -- waiting for a person -----------------------------------------------------------------

    def ask(self, request: AccessRequest) -> int:
        """Put a question; the answer is its id."""
        db = self._opened()
        values = (request.at.timestamp(), request.agent, request.workspace, request.action)
        with db:
            db.execute(
                "insert into request(at, agent, workspace, action, tool, query)"
                " values (?, ?, ?, ?, ?, ?)",
                (*values, request.tool, _short(request.query)),
            )
        return db.last_insert_rowid()

    def answer(self, request_id: int, answer: str) -> bool:
        """Answer a question, unless it has been answered."""
        db = self._opened()
        with db:
            db.execute(
                "update request set answer = ? where id = ? and answer = ''", (answer, request_id)
            )
        return db.changes() > 0

    def answer_of(self, request_id: int) -> str:
        """The answer to a question; empty while there is none."""
        found = self._opened().execute("select answer from request where id = ?", (request_id,))
        return next((str(row[0]) for row in found), "deny")

    def open_requests(self, since: float) -> tuple[AccessRequest, ...]:
        """Questions without an answer, the oldest first; older ones are not waited for any more."""
        if not self._file.exists():
            return ()
        rows = self._opened().execute(
            "select id, agent, workspace, action, tool, query, at from request"
            " where answer = '' and at > ? order by id",
            (since,),
        )
        return tuple(
            AccessRequest(number, agent, workspace, Action(action), tool, query, _local(at))
            for number, agent, workspace, action, tool, query, at in rows
        )

    def close(self) -> None:
        """Close the file."""
        if self._db:
            self._db.close()
            self._db = None

    def _number(self, statement: str) -> int:
        if not self._file.exists():
            return 0
        [[number]] = self._opened().execute(statement)
        return cast("int", number)

    def _opened(self) -> apsw.Connection:
        if self._db is None:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            try:
                self._db = _open(self._file)
            except (apsw.NotADBError, apsw.CorruptError):
                log.warning("The guest book was damaged; a new one is begun")
                _drop(self._file)
                self._db = _open(self._file)
        return self._db


def _write(db: apsw.Connection, visit: AuditEntry) -> None:
    now = time.time() if visit.at is None else visit.at.timestamp()
    shown = [[one.workspace, one.path, one.first_line, one.last_line] for one in visit.shown]
    ending = (visit.outcome, stored(visit.reason), visit.elapsed_ms)
    db.execute(_ADD_AGENT, (visit.agent, visit.title or visit.agent, now, 1))
    db.execute(
        _ADD_VISIT,
        (now, visit.agent, visit.tool, _short(visit.query), json.dumps(shown), *ending),
    )


def _open(file: Path) -> apsw.Connection:
    # What was asked is nobody else's business.
    os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))
    db = apsw.Connection(str(file))
    try:
        db.set_busy_timeout(_BUSY_MS)
        db.execute("pragma journal_mode=wal").fetchall()
        db.execute("pragma synchronous=normal; pragma secure_delete=on").fetchall()
        _prepare(db, file)
    except BaseException:
        db.close()
        raise
    return db


def _prepare(db: apsw.Connection, file: Path) -> None:
    version = db.pragma("user_version")
    if version == 0:
        db.execute("begin immediate")  # another process may be doing the same
        version = db.pragma("user_version")
        if version == 0:
            db.execute(_SCHEMA)
            db.execute(f"pragma user_version = {_VERSION}")
        db.execute("commit")
    if not isinstance(version, int) or version > _VERSION:
        raise IndexTooNew("A newer Scrubjay keeps this guest book", str(file))


def _drop(file: Path) -> None:
    for part in ("", "-wal", "-shm"):
        file.with_name(file.name + part).unlink(missing_ok=True)


def _visit(
    number: int, at: float, agent: str, title: str, tool: str, query: str, shown: str, *rest: Any
) -> AuditEntry:
    outcome, reason, elapsed_ms = rest
    places: Sequence[Sequence[Any]] = json.loads(shown)
    return AuditEntry(
        agent,
        tool,
        query,
        tuple(AuditedHit(*place) for place in places),
        outcome,
        restored(reason),
        elapsed_ms,
        at=_local(at),
        id=number,
        title=title,
    )


def _local(at: float) -> dt.datetime:
    return dt.datetime.fromtimestamp(at).astimezone()


def _short(query: str) -> str:
    """What the book takes of a query: no half surrogate pairs, and not a whole book."""
    return query[:_LONGEST_QUERY].encode("utf-8", "replace").decode()
