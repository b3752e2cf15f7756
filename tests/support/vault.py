"""Folders of notes, and what an engine announced about them."""

from __future__ import annotations

import hashlib
import os
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeAlias, TypeVar

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.event_bus import Event
from scrubjay.records.note_records import Workspace
from scrubjay.records.search_modes import Mode
from scrubjay.records.search_records import Hit, SearchAnswer, SearchRequest

E = TypeVar("E", bound=Event)

NewEngine: TypeAlias = Callable[..., Engine]

TIMEOUT = 60
"""Seconds after which a test gives up; only a defect ever waits so long."""
_NOW_AND_THEN_S = 0.05

THREE_NOTES = {
    "garden.md": "# Garden\n\nThe tomatoes need water every second day.\n",
    "house/router.md": "# Router\n\nThe password of the router is on the fridge.\n",
    "people/emma.md": "# Emma\n\nEmma likes violins and the sea.\n",
}
"""Notes that many tests start from, by path."""


def write_notes(root: Path, notes: Mapping[str, str | bytes]) -> Path:
    """Write files below root, whose folders are made as needed."""
    for name, content in notes.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
    return root


def age(file: Path, seconds: float = 3600) -> None:
    """Make a file look as if it had not been touched for a while."""
    when = file.stat().st_mtime - seconds
    os.utime(file, (when, when))


def tree_digest(root: Path) -> str:
    """Changes when any name, content or time below root does."""
    digest = hashlib.sha256()
    for file in sorted(root.rglob("*")):
        found = file.lstat()
        digest.update(f"{os.fsencode(file)!r} {found.st_mode} {found.st_mtime_ns}".encode())
        if file.is_file():
            digest.update(file.read_bytes())
    return digest.hexdigest()


def add(engine: Engine, root: Path, name: str | None = None) -> Workspace:
    """Put a folder on the engine's list."""
    return engine.add_workspace(root, name).result(TIMEOUT)


def indexed(engine: Engine, root: Path, **options: bool) -> None:
    """Put a folder on the list and read it."""
    engine.refresh(add(engine, root), **options).result(TIMEOUT)


def ask(engine: Engine, text: str, mode: Mode = Mode.HYBRID, **fields: object) -> SearchAnswer:
    """Search and wait for the answer."""
    request = SearchRequest(text, mode=mode, **fields)  # type: ignore[arg-type]
    return engine.search(request, CancelToken()).result(TIMEOUT)


def found(engine: Engine, text: str, mode: Mode = Mode.LEXICAL, **fields: object) -> list[str]:
    """Paths of the notes that a search finds, best first, each once."""
    return list(dict.fromkeys(hit.path for hit in ask(engine, text, mode, **fields).hits))


def first(engine: Engine, text: str, mode: Mode = Mode.HYBRID, **fields: object) -> Hit:
    """The best hit."""
    return ask(engine, text, mode, **fields).hits[0]


class Announcements:
    """Everything an engine publishes, with a way to wait for it."""

    def __init__(self, engine: Engine) -> None:
        self.seen: list[Event] = []
        self._changed = threading.Condition()
        engine.events.subscribe(self._hear)

    def of(self, kind: type[E]) -> list[E]:
        """Those of one kind, in order."""
        return [event for event in self.seen if isinstance(event, kind)]

    def wait(self, condition: Callable[[], object]) -> None:
        """Return once condition holds; it is asked after each announcement, and now and then.

        Who announces does not wait while it is asked.
        """
        until = time.monotonic() + TIMEOUT
        while True:
            count = len(self.seen)
            if condition():
                return
            assert time.monotonic() < until, f"never came: {self.seen[-3:]}"
            with self._changed:
                if len(self.seen) == count:
                    self._changed.wait(_NOW_AND_THEN_S)

    def _hear(self, event: Event) -> None:
        with self._changed:
            self.seen.append(event)
            self._changed.notify_all()
