"""Runs the program QMD, and says in one sentence why it gave no answer."""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.errors import Cancelled, QmdFailed, system_reason
from scrubjay.messages import msg
from scrubjay.platform.paths import expanded_path

MAX_OUTPUT = 16 * 1024 * 1024
"""An answer beyond this is no answer."""

_KEPT_OF_ERRORS = 300
_SHIM_TARGET = Path("node_modules", "@tobilu", "qmd", "bin", "qmd")


class Programs:
    """Runs commands, each in a process group of its own. For any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: set[subprocess.Popen[bytes]] = set()
        self._is_closed = False

    def run(
        self,
        command: str,
        arguments: Sequence[str],
        home: Path,
        environ: Mapping[str, str],
        seconds: float,
        cancel: CancelToken,
    ) -> str:
        """What the command printed. Raises QmdFailed or Cancelled."""
        words = [*command_words(command), *arguments]
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
            # Files and not pipes: whatever the program starts may keep a pipe open.
            process = self._start(words, home, environ, (out.fileno(), errors.fileno()))
            try:
                with cancel.calling(lambda: _kill(process)):
                    code = process.wait(seconds)
            except subprocess.TimeoutExpired:
                raise QmdFailed(
                    msg("QMD gave no answer within {seconds} seconds.", seconds=f"{seconds:.3g}")
                ) from None
            finally:
                self._end(process)
            cancel.check()
            if self._is_closed:
                raise Cancelled
            if code != 0:
                raise QmdFailed(
                    msg(
                        "QMD ended with {code}{words}.",
                        code=code,
                        words=_last_words(errors),
                    ),
                    is_exit=True,
                )
            out.seek(0)
            data = out.read(MAX_OUTPUT + 1)
        if len(data) > MAX_OUTPUT:
            raise QmdFailed("QMD answered with more than anybody can read.")
        return data.decode("utf-8", "replace")

    def close(self) -> None:
        """End what runs and start nothing any more."""
        with self._lock:
            self._is_closed = True
            running = list(self._running)
        for process in running:
            _kill(process)

    def _start(
        self, words: Sequence[str], home: Path, environ: Mapping[str, str], output: tuple[int, int]
    ) -> subprocess.Popen[bytes]:
        flags = getattr(subprocess, "CREATE_NO_WINDOW", 0)  # Windows has it
        with self._lock:
            if self._is_closed:
                raise Cancelled
            try:
                process = subprocess.Popen(
                    words,
                    stdin=subprocess.DEVNULL,
                    stdout=output[0],
                    stderr=output[1],
                    cwd=home,
                    env=dict(environ),
                    start_new_session=True,
                    creationflags=flags,
                )
            except (OSError, ValueError) as error:
                reason = system_reason(error) if isinstance(error, OSError) else str(error)
                raise QmdFailed(
                    msg("QMD could not be started ({reason}).", reason=reason)
                ) from error
            self._running.add(process)
        return process

    def _end(self, process: subprocess.Popen[bytes]) -> None:
        _kill(process)
        process.wait()
        with self._lock:
            self._running.discard(process)


def command_words(command: str) -> list[str]:
    """The program with the arguments that are written behind it. Raises QmdFailed."""
    written = str(expanded_path(Path(command.strip())))
    if found := shutil.which(written):
        return _without_shim(found)
    try:
        words = shlex.split(written, posix=os.name == "posix")
    except ValueError:
        words = []
    found = shutil.which(words[0]) if words else None
    if found is None:
        raise QmdFailed(msg("The program {name} is not there.", name=repr((words or [command])[0])))
    return [*_without_shim(found), *words[1:]]


def _without_shim(program: str) -> list[str]:
    """On Windows npm installs batch files, which would read a query as commands."""
    if not program.lower().endswith((".cmd", ".bat")):
        return [program]
    script = Path(program).parent / _SHIM_TARGET
    node = shutil.which("node")
    if node is None or not script.is_file():
        raise QmdFailed(
            msg(
                "{program} is a batch file; set memory.qmd.command to the program itself.",
                program=program,
            )
        )
    return [node, str(script)]


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End it with everything that it started, unless it has ended."""
    if process.poll() is not None:
        return
    if sys.platform == "win32":
        process.kill()
        return
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def _last_words(errors: IO[bytes]) -> str:
    errors.seek(0)
    text = errors.read(MAX_OUTPUT).decode("utf-8", "replace")
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    said = " ".join("".join(filter(str.isprintable, line)) for line in lines)
    return f": {said[:_KEPT_OF_ERRORS]}" if said else ""
