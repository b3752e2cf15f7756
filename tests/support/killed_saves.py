"""A writer that is killed at each step of each of its saves: `killed_saves.py WRITER HOME`.

Round n forks a process that makes one change and dies at the nth step on the way: when the new
content is on the disk, when it takes the place of the old one, when the old one is deleted. Another
process is then started, and looks whether anything is left. Ends when a writer comes to its end.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from scrubjay.agents.connect.connections import Connections
from scrubjay.agents.connect.known_agents import ClientContext
from scrubjay.concurrency.thread_pool import DaemonThreadPool
from scrubjay.config.settings_file import ConfigFile
from scrubjay.engine.engine import Engine
from scrubjay.health.findings import Fix
from scrubjay.mcp_server import http
from scrubjay.platform.paths import Paths
from scrubjay.platform.temporary_files import is_temporary_name
from support import killed_writer
from support.killed_writer import forked
from support.providers import WordProvider
from support.vault import TIMEOUT


def _connections(home: Path) -> Connections:
    person = ClientContext(home / "person", {}, "linux")
    return Connections(Paths.under(home), DaemonThreadPool("connections"), person)


# -- one change each -------------------------------------------------------------------------------


def connect(home: Path) -> None:
    with contextlib.closing(_connections(home)) as connections:
        connections.apply(connections.plan("cursor").result(TIMEOUT)).result(TIMEOUT)


def key_moved(home: Path) -> None:
    ConfigFile(*Paths.under(home).settings).set(
        ("memorySearch", "remote", "apiKey"), {"source": "keyring", "id": "openai"}
    )


def redact(home: Path) -> None:
    with contextlib.closing(Engine(Paths.under(home), provider=WordProvider())) as engine:
        for finding in engine.health.check().result(TIMEOUT).findings:
            if finding.fix is Fix.REDACT:
                engine.health.fix(finding).result(TIMEOUT)


def token(home: Path) -> None:
    http.load_token(Paths.under(home))


def of_killed_writer(name: str) -> Callable[[Path], object]:
    return lambda home: next(getattr(killed_writer, name)(home, itertools.count(1)))


OWN = {each.__name__: each for each in (connect, key_moved, redact, token)}


# -- the rounds ------------------------------------------------------------------------------------


def _dying(step: int) -> None:
    """Let this process be killed at the nth step of its saves."""
    steps = itertools.count()

    def dies_before(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **named: Any) -> Any:
            is_step = function is not os.unlink or is_temporary_name(Path(arguments[0]).name)
            if is_step and next(steps) == step:
                os.kill(os.getpid(), signal.SIGKILL)
            return function(*arguments, **named)

        return call

    for name in ("fsync", "replace", "link", "unlink"):
        setattr(os, name, dies_before(getattr(os, name)))


def _left(home: Path) -> list[str]:
    return [str(file) for file in home.rglob("*") if is_temporary_name(file.name)]


def start(home: Path) -> None:
    """Start once more, as after a crash, and look at the notes and at the agents."""
    with contextlib.closing(Engine(Paths.under(home), provider=WordProvider())) as engine:
        engine.refresh().result(TIMEOUT)
    with contextlib.closing(_connections(home)) as connections:
        connections.list().result(TIMEOUT)
    assert not _left(home), _left(home)


def main(name: str, home: Path) -> None:
    change = OWN.get(name) or of_killed_writer(name)
    left = 0
    for step in itertools.count():

        def job(step: int = step) -> None:
            _dying(step)
            change(home)

        status = os.waitpid(forked(job), 0)[1]
        assert status in (0, signal.SIGKILL), (step, status)
        left += len(_left(home))
        assert os.waitpid(forked(lambda: start(home)), 0)[1] == 0, step
        if status == 0:
            break
    print(json.dumps({"kills": step, "left": left}))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], Path(sys.argv[2])))
