"""Runs Windows programs on Linux with Wine. Standard library only.

Every function has a prefix, the folder with the drive C: and the registry: the one of
`make windows`, unless another is given.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "build" / "windows"
PREFIX = FOLDER / "prefix"
SCREEN = "1280x800x24"
TIMEOUT_S = 300
"""Seconds after which a program that hangs is ended."""
_END_S = 30
"""Seconds in which the other programs of a prefix end after the wineserver was told to."""


class WineTimeout(Exception):
    """A program did not end in time, and was ended with all others of its prefix."""


def is_installed() -> bool:
    """Whether Windows programs can run here."""
    return shutil.which("wine") is not None


def version() -> str:
    """The version of Wine, such as 8.0; empty where it does not tell."""
    try:
        command = ["wine", "--version"]
        told = subprocess.run(command, capture_output=True, text=True, timeout=_END_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return told.stdout.removeprefix("wine-").partition(" ")[0].strip()


def windows_path(path: Path) -> str:
    """A path of this computer, as a Windows program under Wine writes it."""
    return "Z:" + str(path.absolute()).replace("/", "\\")


def environ(prefix: Path = PREFIX, **variables: str) -> dict[str, str]:
    """Variables for a program: those of this process without what its Python was told."""
    inherited = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTHON", "QT_", "SCRUBJAY_", "VIRTUAL_ENV", "PYTEST_"))
    }
    return {**inherited, "WINEPREFIX": str(prefix), "WINEDEBUG": "-all", **variables}


def start(
    command: Sequence[str | Path], folder: Path = ROOT, prefix: Path = PREFIX, **variables: str
) -> subprocess.Popen[bytes]:
    """A program that runs, with pipes to it; standard error comes with standard output.

    Python gets an invalid handle from Wine for a file of Unix, so nothing but pipes will do.
    """
    return subprocess.Popen(
        ["wine", *map(str, command)],
        cwd=folder,
        env=environ(prefix, **variables),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


def run(
    command: Sequence[str | Path],
    *,
    folder: Path = ROOT,
    prefix: Path = PREFIX,
    timeout_s: float = TIMEOUT_S,
    output: IO[bytes] | None = None,
    **variables: str,
) -> int:
    """The exit code of a program, whose output is copied to a file as it comes.

    Raises WineTimeout when it does not end in time.
    """
    process = start(command, folder, prefix, **variables)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.close()
    copier = threading.Thread(target=_copy, args=(process.stdout, output), daemon=True)
    copier.start()
    try:
        return process.wait(timeout_s)
    except subprocess.TimeoutExpired as error:
        end_all(prefix)
        process.kill()
        process.wait()
        name = Path(str(command[0])).name
        message = f"{name} did not end within {timeout_s:.0f} seconds, and was ended."
        raise WineTimeout(message) from error
    finally:
        # A program that outlives this one may hold the pipe open.
        copier.join(_END_S)
        if not copier.is_alive():
            process.stdout.close()


def end_all(prefix: Path = PREFIX) -> None:
    """End all programs of a prefix, and of no other one."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        subprocess.run(
            ["wineserver", "-k"], env=environ(prefix), capture_output=True, timeout=_END_S
        )


@contextlib.contextmanager
def display() -> Iterator[str]:
    """A virtual screen of its own, for the variable DISPLAY."""
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", SCREEN, "-nolisten", "tcp"]
    server = subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL)
    os.close(writing)
    try:
        with os.fdopen(reading) as number:
            yield f":{number.readline().strip()}"
    finally:
        server.terminate()
        server.wait()


def _copy(source: IO[bytes], output: IO[bytes] | None) -> None:
    for line in source:
        if output is not None:
            output.write(line)
            output.flush()
