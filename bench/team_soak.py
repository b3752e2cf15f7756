"""Readers and publishers of one shared memory at the same time, each in its own process.

`python -m bench.team_soak reads HOME` searches until it is killed, and prints each answer.
`python -m bench.team_soak publishes HOME` changes its notes and publishes them.
"""

from __future__ import annotations

import functools
import itertools
import json
import random
import re
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from bench.synthetic import RandomDocuments, questions
from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.errors import NoteRefused, ScrubjayError
from scrubjay.platform.paths import Paths
from scrubjay.records.note_records import NoteAddress
from scrubjay.records.search_modes import Mode
from scrubjay.records.search_records import SearchRequest

_READERS, _PUBLISHERS = 8, 2
_NOTES = 200
"""Of each publisher."""
_EDITION = re.compile(r"edition(\d+)")
_REST_S = 1.0
"""Between two publications of one computer."""
_THOUGHT_S = 0.25
"""Between two searches of one reader: all of them share the processor of one computer here."""


def measure(folder: Path, minutes: float) -> dict[str, Any]:
    """What happened while some published, and others searched and were killed now and then."""
    place = folder / "team"
    place.mkdir(parents=True)
    for number in range(_PUBLISHERS):
        _begin(folder / f"publisher{number}", place)
    for number in range(_READERS):
        with_engine(folder / f"reader{number}", lambda engine: engine.sharing.add(str(place)))
    counts, threads = Counter[str](), list[threading.Thread]()
    until = time.monotonic() + 60 * minutes
    for number in range(_PUBLISHERS):
        threads.append(_followed("publishes", folder / f"publisher{number}", until, counts))
    dice = random.Random(5)
    for number in range(_READERS):
        # Half of them are killed, and begin anew.
        lasts = dice.uniform(20, 60) if number % 2 else 0.0
        threads.append(_followed("reads", folder / f"reader{number}", until, counts, lasts))
    for thread in threads:
        thread.join()
    return dict(counts)


def _begin(home: Path, place: Path) -> None:
    notes = home / "notes"
    notes.mkdir(parents=True)
    for number in range(_NOTES):
        _write(notes, number, 0)

    def share(engine: Engine) -> object:
        workspace = engine.add_workspace(notes, home.name).result()
        engine.refresh(workspace).result()
        return engine.sharing.share(workspace, str(place))

    with_engine(home, share)


def with_engine(home: Path, work: Callable[[Engine], Any]) -> None:
    """Do something with the engine of a home, and wait for it."""
    engine = Engine(Paths.under(home / "home"), provider=RandomDocuments())
    try:
        work(engine).result()
    finally:
        engine.close()


def _write(notes: Path, number: int, edition: int) -> None:
    """A note of several passages, each of which names its edition."""
    some = random.Random(number).sample(_sentences(), 60)
    lines = (f"{sentence} edition{edition}." for sentence in some)
    (notes / f"note{number}.md").write_text(f"# Note {number}\n\n" + "\n".join(lines) + "\n")


@functools.cache
def _sentences() -> list[str]:
    return questions(500)


def _followed(
    job: str, home: Path, until: float, counts: Counter[str], lasts: float = 0.0
) -> threading.Thread:
    """A thread that adds up what a process tells, one that is killed after so many seconds."""

    def follow() -> None:
        while (left := until - time.monotonic()) > 0:
            command = [sys.executable, "-m", "bench.team_soak", job, str(home)]
            process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
            timer = threading.Timer(min(left, lasts or left), process.kill)
            timer.start()
            assert process.stdout is not None
            for line in process.stdout:
                if line.endswith("\n"):
                    _add(json.loads(line), counts)
            timer.cancel()
            counts[f"{job} killed"] += process.wait() == -9
            process.stdout.close()

    thread = threading.Thread(target=follow)
    thread.start()
    return thread


def _add(told: Mapping[str, str], counts: Counter[str]) -> None:
    for kind, text in told.items():
        counts[kind] += 1
        if text:
            print(f"{kind}: {text}", file=sys.stderr)


def _tell(kind: str, text: str = "") -> None:
    print(json.dumps({kind: text}), flush=True)


def _read(engine: Engine) -> None:
    """Search and read, and look whether each note is whole and none is there twice."""
    asked = itertools.cycle(_sentences())
    for text, mode in zip(asked, itertools.cycle((Mode.LEXICAL, Mode.HYBRID)), strict=False):
        try:
            _ask(engine, text, mode)
        except ScrubjayError as error:
            _tell("errors", str(error))
        time.sleep(_THOUGHT_S)


def _ask(engine: Engine, text: str, mode: Mode) -> None:
    answer = engine.search(SearchRequest(text, mode=mode), CancelToken()).result()
    if reason := answer.freshness.reason:
        _tell("left out", reason)
    _tell("answers" if answer.hits or answer.uncertain else "empty answers")
    if len({(hit.workspace, hit.path, hit.first_line) for hit in answer.hits}) < len(answer.hits):
        _tell("doubled passages", text)
    for hit in answer.hits[:1]:
        try:
            note = engine.notes.read(NoteAddress(hit.workspace, hit.path)).result()
        except NoteRefused:
            _tell("notes gone meanwhile")
            continue
        if len(set(_EDITION.findall(note))) != 1:
            _tell("torn notes", hit.path)


def _publish(engine: Engine, notes: Path) -> None:
    """Change some notes, add some, take some away, and publish what is there."""
    [workspace] = engine.workspaces()
    dice = random.Random(3)
    for edition in itertools.count(1):
        for number in dice.sample(range(_NOTES), 10):
            if number % 10:
                _write(notes, number, edition)
            else:
                (notes / f"note{number}.md").unlink(missing_ok=True)
        try:
            engine.refresh(workspace).result()
            engine.sharing.publish(workspace).result()
            _tell("publications")
        except ScrubjayError as error:
            _tell("errors", str(error))
        time.sleep(_REST_S)


if __name__ == "__main__":
    job, home = sys.argv[1], Path(sys.argv[2])
    own = Engine(Paths.under(home / "home"), provider=RandomDocuments())
    if job == "reads":
        own.sharing.look().result()
        _read(own)
    else:
        _publish(own, home / "notes")
