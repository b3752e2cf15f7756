"""The audit log: requests of agents and the lines they received, but never the text of a note.

A small SQLite file, written by every process that answers agents. A damaged log is replaced by
a new one.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import apsw
from msgspec.structs import astuple

from scrubjay.errors import IndexTooNew
from scrubjay.messages import deserialize_sentence, serialize_sentence
from scrubjay.platform.atomic_write import PRIVATE_FILE, when_released
from scrubjay.platform.paths import make_private_folder
from scrubjay.records.access_records import (
    AccessRequest,
    Action,
    AuditedHit,
    AuditEntry,
    KnownAgent,
)
from scrubjay.store.index_file import check_index_length, file_id
from scrubjay.text.age import local_time
from scrubjay.text.printable import encodable_text

log = logging.getLogger(__name__)

T = TypeVar("T")

MAX_ROWS = 100_000
"""Entries that are kept, however few days they go back."""
_VERSION = 1
"""Version of the tables; a log of a later one is not touched."""
_BUSY_MS = 5000
"""Milliseconds that a statement waits for another process."""
_RETRY_S = 0.02
"""Seconds between two attempts to begin the write-ahead log."""
PRUNE_EVERY = 500
"""Entries between two deletions of old ones."""
_LONGEST_QUERY = 2000
"""Characters of a query that are kept."""
_DAY_S = 86_400

# One row for each request of an agent, a count for each agent, and requests to the user. The names
# of the first version stay, since versions of Scrubjay share the file.
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
# Newer tables are added to a log of the same version, so that an older Scrubjay can still use it.
_ADD_TABLES = """
create table if not exists program(agent text primary key, name text not null) without rowid;
create table if not exists claimed_agent(name text primary key) without rowid;
create table if not exists claimed_request(id integer primary key);
"""
_TABLES = ("visit", "agent", "request", "program", "claimed_agent", "claimed_request")
"""All tables, in the order of their creation."""
# Statements for entries and agents. An agent without any entry left stays known.
_ADD_ENTRY = """
insert into visit(at, agent, tool, query, shown, outcome, reason, elapsed_ms)
values (?, ?, ?, ?, ?, ?, ?, ?)
"""
_ADD_AGENT = """
insert into agent values (?1, ?2, ?3, ?3, ?4) on conflict(name) do update set
    title = excluded.title, last_at = excluded.last_at, visits = visits + excluded.visits
"""
_ADD_PROGRAM = "insert or replace into program values (?, ?)"
_DROP_PROGRAM = "delete from program where agent = ?"
_ADD_CLAIM = "insert or ignore into claimed_agent values (?)"
_DROP_CLAIM = "delete from claimed_agent where name = ?"
_AGENTS = """
select agent.name, title, first_at, last_at, visits, coalesce(program.name, ''),
    agent.name in (select name from claimed_agent)
from agent left join program on program.agent = agent.name order by last_at desc
"""
_ADD_REQUEST = """
insert into request(at, agent, workspace, action, tool, query) values (?, ?, ?, ?, ?, ?)
"""
_ADD_CLAIMED_REQUEST = "insert into claimed_request values (?)"
# The title comes from the log, which an agent that asks for the first time is not in yet.
_OPEN_REQUESTS = """
select id, agent, workspace, action, tool, query, at, coalesce(title, ''),
    id in (select id from claimed_request)
from request left join agent on name = agent where answer = '' and at > ? order by id
"""
_PAGE = """
select agent, tool, query, shown, outcome, reason, elapsed_ms, coalesce(title, ''), at, id
from visit left join agent on name = agent
where id < ? and (?2 = '' or agent = ?2) order by id desc limit ?3
"""
_PRUNE = """
delete from visit where at < ? or id <= (select coalesce(max(id), 0) from visit) - ?
"""


class AuditLog:
    """The log and the open requests in one file. One thread at a time. Raises apsw.Error."""

    def __init__(
        self, file: Path, *, max_rows: int = MAX_ROWS, prune_every: int = PRUNE_EVERY
    ) -> None:
        """The file is opened at its first use, and created at the first write."""
        self._file = file
        self._max_rows = max_rows
        self._prune_every = prune_every
        self._db: apsw.Connection | None = None
        self._id: tuple[int, int] | None = None
        self._written = 0

    def write(self, entries: Sequence[AuditEntry], days: int) -> None:
        """Add entries, and now and then drop those older than some days."""
        # The first write prunes as well: most programs write only a few entries.
        until_pruned = -self._written % self._prune_every

        def add(db: apsw.Connection) -> None:
            with db:
                for entry in entries:
                    _add_entry(db, entry)
                if until_pruned < len(entries):
                    db.execute(_PRUNE, (time.time() - days * _DAY_S, self._max_rows))

        self._run(add)
        self._written += len(entries)

    def page(self, before: int | None, limit: int, agent: str = "") -> tuple[AuditEntry, ...]:
        """Entries, the latest first, from before an id on."""
        return tuple(map(_entry, self._rows(_PAGE, before or 2**62, agent, limit)))

    def latest(self) -> int:
        """Id of the latest entry, 0 for none."""
        rows = self._rows("select coalesce(max(id), 0) from visit")
        return next((number for (number,) in rows), 0)

    def agents(self) -> tuple[KnownAgent, ...]:
        """Agents with entries, the latest first."""
        return tuple(
            KnownAgent(
                name,
                title,
                first=local_time(first * 1e9),
                last=local_time(last * 1e9),
                requests=requests,
                program=program,
                is_claimed=bool(is_claimed),
            )
            for name, title, first, last, requests, program, is_claimed in self._rows(_AGENTS)
        )

    def clear(self) -> None:
        """Delete all entries and agents, also from the free pages of the file."""
        if not self._file.exists():
            return

        def empty(db: apsw.Connection) -> None:
            with db:
                for table in _TABLES:
                    db.execute(f"delete from {table}")
            # Deleted text stays in free pages and in the write-ahead log until both are rewritten.
            db.execute("vacuum")
            db.execute("pragma wal_checkpoint(truncate)").fetchall()

        self._run(empty)

    # -- requests to the user -----------------------------------------------------------------

    def ask(self, request: AccessRequest) -> int:
        """Add a request; the result is its id."""
        at = request.at.timestamp()
        names = (request.agent, request.workspace, request.action, request.tool)

        def add(db: apsw.Connection) -> int:
            with db:
                db.execute(_ADD_REQUEST, (at, *names, _short(request.query)))
                number = db.last_insert_rowid()
                if request.is_claimed:
                    db.execute(_ADD_CLAIMED_REQUEST, (number,))
            return number

        return self._run(add)

    def answer(self, request_id: int, answer: str) -> bool:
        """Answer a request, unless it has an answer; True if it had none."""
        statement = "update request set answer = ? where id = ? and answer = ''"

        def change(db: apsw.Connection) -> bool:
            with db:
                db.execute(statement, (answer, request_id))
            return db.changes() > 0

        return self._run(change)

    def read_answer(self, request_id: int) -> str:
        """The answer to a request; empty if there is none, "deny" for an unknown request."""
        rows = self._rows("select answer from request where id = ?", request_id)
        return next((answer for (answer,) in rows), "deny")

    def open_requests(self, since: float) -> tuple[AccessRequest, ...]:
        """Requests without an answer since a time in seconds of the epoch, the oldest first."""
        rows = self._rows(_OPEN_REQUESTS, since)
        return tuple(
            AccessRequest(
                id=number,
                agent=agent,
                workspace=workspace,
                action=Action(action),
                tool=tool,
                query=query,
                at=local_time(at * 1e9),
                title=title,
                is_claimed=bool(is_claimed),
            )
            for number, agent, workspace, action, tool, query, at, title, is_claimed in rows
        )

    def close(self) -> None:
        """Close the file."""
        if self._db:
            self._db.close()
            self._db = None

    def _rows(self, statement: str, *values: Any) -> Sequence[tuple[Any, ...]]:
        """Rows of a query; none if there is no file yet."""
        if not self._file.exists():
            return ()
        return self._run(lambda db: db.execute(statement, values).fetchall())

    def _run(self, job: Callable[[apsw.Connection], T]) -> T:
        """The result of a job, which begins again in a new file when the log is damaged."""
        try:
            return job(self._opened())
        except (apsw.NotADBError, apsw.CorruptError):
            log.warning("The audit log was damaged; a new one is begun")
            # Both side files belong to the damaged one and would damage the next one.
            self.close()
            for part in ("", "-wal", "-shm"):
                file = self._file.with_name(self._file.name + part)
                when_released(partial(file.unlink, missing_ok=True), file)
            return job(self._opened())

    def _opened(self) -> apsw.Connection:
        """The connection, opened when it is needed. Raises apsw.Error or IndexTooNew."""
        # Another process may have begun a new file in place of a damaged one.
        if self._db and file_id(self._file) != self._id:
            self.close()
        if self._db is None:
            make_private_folder(self._file.parent)
            self._db = _open(self._file)
            self._id = file_id(self._file)
        return self._db


def _open(file: Path) -> apsw.Connection:
    """A new connection to the log, which is created if it is missing."""
    # Queries are private to the user.
    with contextlib.suppress(FileExistsError):
        os.close(os.open(file, os.O_RDWR | os.O_CREAT | os.O_EXCL, PRIVATE_FILE))
    db = apsw.Connection(str(file))
    try:
        db.set_busy_timeout(_BUSY_MS)
        check_index_length(db, file)
        # Many processes write, and what is deleted has to be gone.
        _begin_write_ahead_log(db)
        db.execute("pragma synchronous=normal; pragma secure_delete=on").fetchall()
        # Create the tables once; the version is read again after other processes are locked out.
        if db.pragma("user_version") == 0:
            db.execute("begin immediate")  # another process may be doing the same
            if db.pragma("user_version") == 0:
                db.execute(_SCHEMA)
                db.execute(f"pragma user_version = {_VERSION}")
            db.execute("commit")
        if int(db.pragma("user_version")) > _VERSION:
            raise IndexTooNew(
                "This list of questions was created by a newer version of Scrubjay", str(file)
            )
        db.execute(_ADD_TABLES)
    except BaseException:
        db.close()
        raise
    return db


def _begin_write_ahead_log(db: apsw.Connection) -> None:
    """Switch a new file to a write-ahead log.

    While another process does the same, SQLite refuses at once instead of waiting.
    """
    until = time.monotonic() + _BUSY_MS / 1000
    while True:
        try:
            db.execute("pragma journal_mode=wal").fetchall()
        except apsw.BusyError:
            if time.monotonic() >= until:
                raise
            time.sleep(_RETRY_S)
        else:
            return


def _add_entry(db: apsw.Connection, entry: AuditEntry) -> None:
    at = entry.at.timestamp() if entry.at else time.time()
    hits = json.dumps([astuple(hit) for hit in entry.hits])
    request = (at, entry.agent, entry.tool, _short(entry.query), hits)
    ending = (entry.outcome, serialize_sentence(entry.reason), entry.elapsed_ms)
    db.execute(_ADD_AGENT, (entry.agent, entry.title or entry.agent, at, 1))
    # The program of an agent may change, and then the last one counts; a hook knows of none.
    if entry.program:
        db.execute(_ADD_PROGRAM, (entry.agent, entry.program))
    elif entry.title:
        db.execute(_DROP_PROGRAM, (entry.agent,))
    # A hook is started by name, whatever the server of the same agent is.
    if entry.is_claimed:
        db.execute(_ADD_CLAIM, (entry.agent,))
    elif entry.title:
        db.execute(_DROP_CLAIM, (entry.agent,))
    db.execute(_ADD_ENTRY, (*request, *ending))


def _entry(row: tuple[Any, ...]) -> AuditEntry:
    agent, tool, query, hits, outcome, reason, elapsed_ms, title, at, number = row
    return AuditEntry(
        agent=agent,
        tool=tool,
        query=query,
        hits=tuple(AuditedHit(*hit) for hit in json.loads(hits)),
        outcome=outcome,
        reason=deserialize_sentence(reason),
        elapsed_ms=elapsed_ms,
        title=title,
        at=local_time(at * 1e9),
        id=number,
    )


def _short(query: str) -> str:
    """A query without half surrogate pairs, cut to the longest that is kept."""
    return encodable_text(query[:_LONGEST_QUERY])
