"""A writer that is killed at random moments, again and again: `killed_writer.py WRITER HOME TIMES`.

Each round forks a process that writes and confirms each change in a pipe, kills it after a random
time, and forks another one that looks at what is there. Ends with 1 at the first loss.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import random
import re
import select
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import apsw

from scrubjay.agents.recall.capture_queue import CaptureQueue
from scrubjay.agents.recall.capture_rules import Category
from scrubjay.config.json5.json5_parser import parse_json5
from scrubjay.config.settings_file import ConfigFile
from scrubjay.engine.engine import Engine
from scrubjay.notes.note_edits import UndoableEdits
from scrubjay.platform.keychain import Keychain
from scrubjay.platform.paths import Paths
from scrubjay.platform.state_file import StateFile
from scrubjay.records.access_records import Action, AuditEntry, Permission
from scrubjay.records.note_records import NoteAddress, Workspace
from scrubjay.records.search_modes import Mode
from scrubjay.records.workspace_id import WorkspaceId
from support.providers import WordProvider
from support.vault import TIMEOUT, ask

_LONGEST_S = 0.25
"""A writer is killed within this time after its first confirmed change."""


@contextlib.contextmanager
def _engine(home: Path) -> Iterator[Engine]:
    with contextlib.closing(Engine(Paths.under(home), provider=WordProvider())) as engine:
        yield engine


def _checked_database(file: Path) -> apsw.Connection:
    db = apsw.Connection(str(file))
    assert db.execute("pragma integrity_check").get == "ok", file
    assert not db.execute("pragma foreign_key_check").fetchall(), file
    return db


# -- writers: they yield the number of each change once it is confirmed; checks get all of these ---


def index(home: Path, numbers: Iterator[int]) -> Iterator[int]:
    """Notes change, and a pass reads them."""
    with _engine(home) as engine:
        for number in numbers:
            for name in ("new", "changed"):
                file = home / "notes" / "memory" / f"{name}{number if name == 'new' else ''}.md"
                file.parent.mkdir(exist_ok=True)
                file.write_text(f"Apricot number{number}.\n" * (number % 40 + 1))
            engine.refresh().result(TIMEOUT)
            yield number


def check_index(home: Path, confirmed: Sequence[int]) -> None:
    [file] = (home / "state" / "memory").glob("*.sqlite")
    db = _checked_database(file)
    paths = {path for (path,) in db.execute("select path from document")}
    assert {f"memory/new{number}.md" for number in confirmed} <= paths
    times = [moment for (moment,) in db.execute("select at_ns from revision")]
    assert len(times) >= len(confirmed), "the timeline lost something"
    with _engine(home) as engine:
        engine.refresh().result(TIMEOUT)
        for number in confirmed[-3:]:
            hits = ask(engine, f"number{number}", Mode.LEXICAL).hits
            assert f"memory/new{number}.md" in {hit.path for hit in hits}


def settings(home: Path, numbers: Iterator[int]) -> Iterator[int]:
    for number in numbers:
        ConfigFile(Paths.under(home).config_file).set(("recall", "deadlineMs"), 1000 + number)
        yield number


def check_settings(home: Path, confirmed: Sequence[int]) -> None:
    text = (home / "config.json5").read_text()
    assert "// A person wrote this." in text
    last = parse_json5(text).value.get("recall", {}).get("deadlineMs", 0)
    assert last >= 1000 + max(confirmed, default=-1000)


def rules(home: Path, numbers: Iterator[int]) -> Iterator[int]:
    with _engine(home) as engine:
        for number in numbers:
            agent = f"agent{number}"
            engine.agents.set_rule(agent, "notes", Action.READ, Permission.DENY).result(TIMEOUT)
            yield number


def check_rules(home: Path, confirmed: Sequence[int]) -> None:
    with _engine(home) as engine:
        for number in confirmed:
            answer = engine.agents.permission(f"agent{number}", "notes", Action.READ)
            assert answer is Permission.DENY, number


def remember(home: Path, numbers: Iterator[int]) -> Iterator[int]:
    """Each third entry is taken back before it counts."""
    with _engine(home) as engine:
        for number in numbers:
            done = engine.notes.remember("notes", f"Entry {number} of the day.").result(TIMEOUT)
            if number % 3 == 0:
                assert engine.notes.undo_remember(done).result(TIMEOUT)
            yield number


def check_remember(home: Path, confirmed: Sequence[int]) -> None:
    lines = "".join(file.read_text() for file in (home / "notes").rglob("*.md")).splitlines()
    entries = [line for line in lines if "Entry" in line]
    assert all(line.endswith(" of the day.") for line in entries), "half an entry"
    for number in confirmed:
        count = sum(f"Entry {number} of" in line for line in entries)
        assert count == (number % 3 != 0), (number, count)


def ticks(home: Path, numbers: Iterator[int]) -> Iterator[int]:
    """Lines are added to a note as tasks, and ticked; each third is taken back before it counts."""
    with _engine(home) as engine:
        _make_list(home / "notes" / "memory" / "List.md")
        engine.refresh().result(TIMEOUT)
        notes = engine.notes
        task_list = NoteAddress(WorkspaceId("notes"), "memory/List.md")
        for number in numbers:
            done = notes.add_line(task_list, f"Task {number} of all").result(TIMEOUT)
            text = notes.read(task_list).result(TIMEOUT)
            edit = notes.tick(task_list, done.first_line, text).result(TIMEOUT)
            if number % 3 == 0:
                notes.undo_tick(edit).result(TIMEOUT)
                assert notes.undo_remember(done).result(TIMEOUT)
            yield number


def _make_list(file: Path) -> None:
    file.parent.mkdir(exist_ok=True)
    if not file.exists():
        file.write_bytes("\ufeff# Mañana\r\n\r\n- [ ] Task one\r\n".encode())
        file.chmod(0o640)


def check_ticks(home: Path, confirmed: Sequence[int]) -> None:
    file = home / "notes" / "memory" / "List.md"
    _make_list(file)  # of a writer that was killed before its first change
    assert file.stat().st_mode & 0o777 == 0o640
    head, *lines, end = file.read_bytes().split(b"\r\n")
    assert (head, lines[:2], end) == ("\ufeff# Mañana".encode(), [b"", b"- [ ] Task one"], b"")
    tasks = [re.fullmatch(rb"- \[[ x]\] Task (\d+) of all", line) for line in lines[2:]]
    assert all(tasks), "half a line"
    for number in confirmed:
        count = lines.count(b"- [x] Task %d of all" % number)
        assert count == (number % 3 != 0), (number, count)


def edits(home: Path, numbers: Iterator[int]) -> Iterator[int]:
    """A note is replaced, and each third time the change is taken back."""
    undoable, file = UndoableEdits(home / "state" / "edits"), home / "notes" / "MEMORY.md"
    for number in numbers:
        before = file.read_bytes()
        undoable.replace(file, file.name, before, f"{number}\n".encode() * 500, "a change")
        if number % 3 == 0:
            undoable.undo()
            assert file.read_bytes() == before
        yield number


def check_edits(home: Path, confirmed: Sequence[int]) -> None:
    lines = (home / "notes" / "MEMORY.md").read_text().splitlines()
    assert len(lines) in (1, 500)
    assert len(set(lines)) == 1


def state(home: Path, numbers: Iterator[int]) -> Iterator[int]:
    file = StateFile(home / "state" / "some.json")
    queue = CaptureQueue(home / "state" / "queue.json")
    notes = Workspace(WorkspaceId("notes"), "Notes", home / "notes")
    for number in numbers:
        with file.changed() as content:
            content[str(number)] = "x" * number
        queue.add(notes, [(f"Text {number}", Category.FACT)], [f"Text {number}"])
        yield number


def check_state(home: Path, confirmed: Sequence[int]) -> None:
    content = json.loads((home / "state" / "some.json").read_bytes()) if confirmed else {}
    assert all(content[str(number)] == "x" * number for number in confirmed)
    waiting = {entry.text for entry in CaptureQueue(home / "state" / "queue.json").waiting()}
    assert {f"Text {number}" for number in confirmed[-5:]} <= waiting


def keys(home: Path, numbers: Iterator[int]) -> Iterator[int]:
    keychain = _keychain(home)
    for number in numbers:
        keychain.set(f"key{number}", f"secret-{number}")
        yield number


def check_keys(home: Path, confirmed: Sequence[int]) -> None:
    keychain = _keychain(home)
    known = {key.id for key in keychain.known()}
    for number in confirmed:
        assert f"key{number}" in known
        assert keychain.get(f"key{number}") == f"secret-{number}"


def _keychain(home: Path) -> Keychain:
    import keyring
    from keyring.backend import KeyringBackend

    class Held(KeyringBackend):
        """A keychain that loses nothing."""

        priority = 9  # type: ignore[assignment]
        file = StateFile(home / "held.json")

        def get_password(self, service: str, username: str) -> str | None:
            return self.file.read().get(f"{service} {username}")

        def set_password(self, service: str, username: str, password: str) -> None:
            with self.file.changed() as held:
                held[f"{service} {username}"] = password

        def delete_password(self, service: str, username: str) -> None:
            with self.file.changed() as held:
                held.pop(f"{service} {username}", None)

    keyring.set_keyring(Held())
    return Keychain(record=StateFile(home / "state" / "keys.json"))


def guests(home: Path, numbers: Iterator[int]) -> Iterator[int]:
    with _engine(home) as engine:
        for number in numbers:
            engine.agents.record(AuditEntry("agent", "search", f"q{number}")).result(TIMEOUT)
            yield number


def check_guests(home: Path, confirmed: Sequence[int]) -> None:
    _checked_database(home / "state" / "agents" / "guests.sqlite").close()
    with _engine(home) as engine:
        queries = {entry.query for entry in engine.agents.audit_log(limit=10_000).result(TIMEOUT)}
    # The book has an end: of very many requests the first are taken out.
    assert {f"q{number}" for number in confirmed[-500:]} <= queries


# -- the rounds ------------------------------------------------------------------------------------


def forked(job: Callable[[], object]) -> int:
    """Number of a process that does the job and ends with 1 if it fails."""
    if pid := os.fork():
        return pid
    try:
        job()
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


def _write(writer: Callable[..., Iterator[int]], home: Path, first: int, pipe: int) -> None:
    for number in writer(home, itertools.count(first)):
        os.write(pipe, f"{number}\n".encode())


def main(name: str, home: Path, times: int) -> None:
    writer, check = globals()[name], globals()[f"check_{name}"]
    dice, confirmed, first = random.Random(name), list[int](), -1
    for _ in range(times):
        # One change may have been begun beyond the last that was confirmed.
        first = max([first, *confirmed[-1:]]) + 2
        reading, writing = os.pipe()
        pid = forked(lambda first=first, writing=writing: _write(writer, home, first, writing))
        os.close(writing)
        # Some are killed while they begin, most between two of many changes.
        if dice.random() < 0.9:
            select.select([reading], [], [], TIMEOUT)
        time.sleep(dice.random() * _LONGEST_S)
        os.kill(pid, signal.SIGKILL)
        assert os.waitpid(pid, 0)[1] == signal.SIGKILL, "the writer ended by itself"
        with os.fdopen(reading) as lines:
            confirmed.extend(map(int, lines))
        pid = forked(lambda: check(home, confirmed))
        assert os.waitpid(pid, 0)[1] == 0, "the check failed"
    print(json.dumps({"kills": times, "changes": len(confirmed)}))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])))
