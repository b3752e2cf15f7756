"""The process of QMD. A failure has a reason in one sentence, and is followed by a pause."""

from __future__ import annotations

import contextlib
import math
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.config.schema.qmd_backend import QmdSettings
from scrubjay.errors import QmdFailed, system_reason
from scrubjay.messages import msg
from scrubjay.platform.paths import expanded_path
from scrubjay.platform.process_group import ProcessGroup
from scrubjay.platform.program_search import find_program, split_command
from scrubjay.platform.state_file import StateFile
from scrubjay.platform.windows_scripts import is_script

MAX_OUTPUT = 16 * 1024 * 1024
"""Bytes of an answer; a longer one is refused."""

_MAX_ERROR = 300
"""Characters that are shown of what the program says of a failure."""
_SHIM_TARGET = Path("node_modules", "@tobilu", "qmd", "bin", "qmd")
"""Place of the program beside the batch file of npm that starts it."""


def run_program(
    command: str,
    arguments: Sequence[str],
    *cancels: CancelToken,
    home: Path,
    environ: Mapping[str, str],
    seconds: float,
) -> str:
    """The output of a command, which any of the tokens ends. Raises QmdFailed or Cancelled."""
    words = [*command_words(command), *arguments]
    # Files and not pipes: a program that it starts may keep a pipe open.
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
        for cancel in cancels:
            cancel.check()
        with (
            _running(words, home=home, environ=environ, out=out, errors=errors) as group,
            contextlib.ExitStack() as stack,
        ):
            for cancel in cancels:
                stack.enter_context(cancel.calling(group.kill))
            try:
                code = group.wait(seconds)
            except subprocess.TimeoutExpired:
                raise QmdFailed(
                    msg("QMD did not respond within {seconds} seconds.", seconds=f"{seconds:.3g}")
                ) from None
        # A token that ended the program is the reason for whatever the program says of its end.
        for cancel in cancels:
            cancel.check()
        if code != 0:
            errors.seek(0)
            raise _failure(code, errors.read(MAX_OUTPUT))
        out.seek(0)
        data = out.read(MAX_OUTPUT + 1)
    if len(data) > MAX_OUTPUT:
        raise QmdFailed("QMD sent a response that is too long.")
    return data.decode("utf-8", "replace")


def _failure(code: int, errors: bytes) -> QmdFailed:
    """The failure of a program that ended with a code other than 0 and wrote about it."""
    # The message is shown on one line, without signs that would steer a terminal.
    text = errors.decode("utf-8", "replace")
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    said = " ".join("".join(filter(str.isprintable, line)) for line in lines)
    if said:
        said = f": {said[:_MAX_ERROR]}"
    return QmdFailed(
        msg("QMD exited with code {code}{words}.", code=code, words=said), is_exit=True
    )


@contextlib.contextmanager
def _running(
    words: Sequence[str],
    *,
    home: Path,
    environ: Mapping[str, str],
    out: IO[bytes],
    errors: IO[bytes],
) -> Iterator[ProcessGroup]:
    """Run a program with all that it starts, which end with the block."""
    try:
        group = ProcessGroup(words, home, environ=environ, out=out, errors=errors)
    except (OSError, ValueError) as error:
        reason = system_reason(error) if isinstance(error, OSError) else str(error)
        raise QmdFailed(msg("QMD could not be started ({reason}).", reason=reason)) from error
    try:
        yield group
    finally:
        group.kill()
        group.wait()


def command_words(command: str) -> list[str]:
    """The program of a command with its arguments. Raises QmdFailed."""
    expanded = str(expanded_path(Path(command.strip())))
    program = find_program(expanded)
    if program:
        return _without_shim(program)
    # Not a program as a whole, which may have spaces in its path, but one with arguments.
    try:
        words = split_command(expanded)
    except ValueError:
        words = []
    program = find_program(words[0]) if words else None
    if program is None:
        raise QmdFailed(
            msg("The program {name} was not found.", name=repr((words or [command])[0]))
        )
    return [*_without_shim(program), *words[1:]]


def _without_shim(program: str) -> list[str]:
    """The script behind a batch file of npm, which would take a query for commands."""
    if not is_script(program):
        return [program]
    script = Path(program).parent / _SHIM_TARGET
    node = find_program("node")
    if node is None or not script.is_file():
        raise QmdFailed(
            msg(
                (
                    "{program} only starts another program. Set memory.qmd.command to "
                    "the program that it starts."
                ),
                program=program,
            )
        )
    return [node, str(script)]


class CircuitBreaker:
    """A pause after a failure, in which the built-in search answers. New settings end it."""

    def __init__(
        self, file: Path, settings: Callable[[], QmdSettings], pause_seconds: float
    ) -> None:
        """The file tells the last failure to programs that start later."""
        self._file = StateFile(file)
        self._pause_seconds = pause_seconds
        self._settings = settings
        self._failure: tuple[QmdSettings, float, str] | None = None
        """Settings, monotonic time and message of the last failure."""
        self._has_succeeded = False

    @property
    def reason(self) -> str:
        """Message of the last failure with these settings; empty if there is none."""
        failure = self._failure
        if failure is None or failure[0] != self._settings():
            return ""
        return failure[2]

    @property
    def is_open(self) -> bool:
        """True during the pause, in which QMD is not started."""
        failure = self._failure
        return (
            failure is not None
            and failure[0] == self._settings()
            and time.monotonic() - failure[1] < self._pause_seconds
        )

    def load(self) -> None:
        """Adopt the failure of another program, without its pause."""
        if self._failure or self._has_succeeded:
            return
        with contextlib.suppress(OSError):
            record = self._file.read()
            if record.get("command") == self._settings().command:
                self._failure = (self._settings(), -math.inf, str(record.get("reason", "")))

    def on_failure(self, settings: QmdSettings, failure: QmdFailed) -> None:
        """Begin a pause, unless one is under way."""
        if self.is_open:
            return
        self._failure = (settings, time.monotonic(), failure.message)
        with contextlib.suppress(OSError), self._file.changed() as record:
            record |= {"command": settings.command, "reason": failure.message}

    def on_success(self) -> None:
        """Forget the last failure."""
        # The file is touched only when it may say something else.
        if self._failure or not self._has_succeeded:
            with contextlib.suppress(OSError):
                self._file.path.unlink(missing_ok=True)
        self._failure = None
        self._has_succeeded = True
