"""Times of QMD, where it is installed, over the same notes: words, and again without a change."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path


def measure(folder: Path, notes: Path) -> dict[str, float]:
    """Seconds of a first pass and of one without a change; nothing where QMD is absent."""
    program = command()
    if not program:
        return {}
    environ = {**os.environ, **folders(folder)}
    first = timed([*program, "collection", "add", str(notes), "--name", "many"], environ)
    return {
        "words_s": round(first, 2),
        "no_change_s": round(timed([*program, "update"], environ), 2),
    }


def command() -> list[str]:
    """That of QMD_COMMAND, else `qmd` on the path; empty where QMD is absent."""
    return shlex.split(os.environ.get("QMD_COMMAND", "")) or [*filter(None, [shutil.which("qmd")])]


def folders(folder: Path) -> dict[str, str]:
    """Variables that make QMD keep everything in a folder."""
    return dict.fromkeys(("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "HOME"), str(folder / "home-qmd"))


def timed(command: Sequence[str], environ: Mapping[str, str]) -> float:
    """Seconds that a command of QMD takes."""
    began = time.perf_counter()
    subprocess.run(command, env=environ, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - began
