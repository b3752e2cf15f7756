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
    """Seconds of a first pass and of one without a change; nothing where QMD is absent.

    Its command is that of QMD_COMMAND, else `qmd` on the path.
    """
    command = shlex.split(os.environ.get("QMD_COMMAND", "")) or [shutil.which("qmd") or ""]
    if not command[0]:
        return {}
    home = str(folder / "home-qmd")
    folders = {"XDG_CACHE_HOME": home, "XDG_CONFIG_HOME": home, "HOME": home}
    first = _timed([*command, "collection", "add", str(notes), "--name", "many"], folders)
    return {
        "words_s": round(first, 2),
        "no_change_s": round(_timed([*command, "update"], folders), 2),
    }


def _timed(command: Sequence[str], folders: Mapping[str, str]) -> float:
    began = time.perf_counter()
    subprocess.run(command, env={**os.environ, **folders}, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - began
