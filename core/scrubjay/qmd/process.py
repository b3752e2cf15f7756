"""Runs the program QMD; a failure has its reason in one sentence."""

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
"""Bytes of an answer; a longer one is refused."""

_MAX_ERROR = 300
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
        """The output of the command. Raises QmdFailed or Cancelled."""
        words = [*command_words(command), *arguments]
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
            # Files and not pipes: a program that it starts may keep a pipe open.
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
                    msg("QMD ended with {code}{words}.", code=code, words=_last_words(errors)),
                    is_exit=True,
                )
            out.seek(0)
            data = out.read(MAX_OUTPUT + 1)
        if len(data) > MAX_OUTPUT:
            raise QmdFailed("QMD answered with more than anybody can read.")
        return data.decode("utf-8", "replace")

    def close(self) -> None:
        """End running programs and start none any more."""
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
    """The program of a command with its arguments. Raises QmdFailed."""
    expanded = str(expanded_path(Path(command.strip())))
    if program := shutil.which(expanded):
        return _without_shim(program)
    try:
        words = shlex.split(expanded, posix=os.name == "posix")
    except ValueError:
        words = []
    program = shutil.which(words[0]) if words else None
    if program is None:
        raise QmdFailed(msg("The program {name} is not there.", name=repr((words or [command])[0])))
    return [*_without_shim(program), *words[1:]]


def _without_shim(program: str) -> list[str]:
    """The script behind a batch file of npm, which would take a query for commands."""
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
    """End a process with its children, unless it has ended."""
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
    words = " ".join("".join(filter(str.isprintable, line)) for line in lines)
    return f": {words[:_MAX_ERROR]}" if words else ""
