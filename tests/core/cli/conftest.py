"""The command line in this process, and as people start it."""

from __future__ import annotations

import json
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from scrubjay.cli import main
from scrubjay.platform.paths import HOME_VARIABLE, Paths
from support.platforms import IS_WINDOWS
from support.vault import TIMEOUT, write_notes

PROGRAM = Path(sys.executable).with_name("scrubjay")
COMMAND: tuple[str | Path, ...] = (PROGRAM,)
if IS_WINDOWS:
    # The Python that runs under Wine has no programs next to it.
    COMMAND = (sys.executable, "-c", "from scrubjay.cli import main; main()")


@dataclass(frozen=True)
class Ran:
    """What one command did."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output, read as JSON."""
        return json.loads(self.out)


@pytest.fixture
def home(paths: Paths, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Settings without a model, which most commands do not need."""
    monkeypatch.setenv(HOME_VARIABLE, str(paths.config))
    return write_notes(paths.config, {"config.json5": '{memorySearch: {provider: "none"}}'})


@pytest.fixture
def cli(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[..., Ran]]:
    """Runs one command in this process."""

    def run(*arguments: str | Path) -> Ran:
        monkeypatch.setattr(sys, "argv", ["scrubjay", *map(str, arguments)])
        capsys.readouterr()
        code: object = 0
        try:
            main()
        except SystemExit as ended:
            code = ended.code or 0
        captured = capsys.readouterr()
        return Ran(int(str(code)), captured.out, captured.err)

    yield run
    logger = logging.getLogger("scrubjay")
    for handler in list(logger.handlers):
        logger.removeHandler(handler)
        handler.close()
    logger.propagate = True


@pytest.fixture
def shell(home: Path) -> Callable[..., Ran]:
    """Runs one command in a process of its own, with an input or none."""

    def run(*arguments: str | Path, typed: str = "", **environment: str) -> Ran:
        command = [os.fsencode(part) for part in (*COMMAND, *arguments)]
        done = subprocess.run(
            command,
            env=os.environ | environment,
            input=typed.encode(),
            capture_output=True,
            timeout=2 * TIMEOUT,
        )
        return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())

    return run


@pytest.fixture(autouse=True, scope="session")
def ctrl_c_counts() -> Iterator[None]:
    """A shell that starts the tests in the background lets them and all they start ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
