"""The progress of a long step, in one line. Standard library only."""

from __future__ import annotations

import math
import re
import shutil
import sys
import time
from pathlib import Path
from typing import TextIO

PLAIN_EVERY_S = 30.0
"""Seconds between two lines where no terminal can rewrite one."""
_BAR_WIDTH = 24
_ENOUGH = 0.05
"""Share of the work after which the time it took predicts the rest."""
_KIBIBYTES = {"K": 1, "M": 1024, "G": 1024 * 1024}
"""KiB in each unit of uv, by its first letter."""


class ProgressLine:
    """A line that a terminal rewrites; elsewhere a new one every half minute."""

    def __init__(self, stream: TextIO | None = None, plain_every_s: float = PLAIN_EVERY_S) -> None:
        """Stream: standard output unless another is given."""
        self._stream = stream or sys.stdout
        self._plain_every_s = plain_every_s
        self._is_rewritten = self._stream.isatty()
        self._last = time.monotonic()

    def show(self, text: str) -> None:
        """Show how far it is now."""
        if self._is_rewritten:
            width = shutil.get_terminal_size().columns - 1
            self._write(f"\r\x1b[K{text[:width]}")
        elif time.monotonic() - self._last >= self._plain_every_s:
            self._last = time.monotonic()
            self._write(f"{text}\n")

    def clear(self) -> None:
        """Take away the line that was rewritten."""
        if self._is_rewritten:
            self._write("\r\x1b[K")

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()


class NinjaBuild:
    """The share of a build that is done, from the files that ninja writes into its folder."""

    def __init__(self, folder: Path) -> None:
        """The folder may still be absent or empty."""
        self._folder = folder
        self._objects = 0
        self._started: float | None = None

    def text(self, seconds: float) -> str:
        """A bar and the minutes left; seconds is how long the step has taken until now."""
        done = self.share()
        if done == 0:
            return working(seconds)
        if self._started is None:
            self._started = seconds
        left = (seconds - self._started) * (1 - done) / done
        return f"{bar(done)}{f', {minutes(left)} left' if done >= _ENOUGH else ''}"

    def share(self) -> float:
        """From 0, before ninja has begun, to 1."""
        try:
            if not self._objects:
                recipe = (self._folder / "build.ninja").read_text(encoding="utf-8")
                self._objects = len(re.findall(r"^build \S+\.o(?:bj)?: ", recipe, re.MULTILINE))
            log = (self._folder / ".ninja_log").read_text(encoding="utf-8")
        except OSError:
            return 0.0
        done = len(set(re.findall(r"^\d+\t\d+\t\d+\t(\S+\.o(?:bj)?)\t", log, re.MULTILINE)))
        return min(1.0, done / self._objects) if self._objects else 0.0


class Downloads:
    """The share of what uv downloads that has come, from what it writes into a log."""

    def __init__(self, log: Path) -> None:
        """The log may still be absent or empty."""
        self._log = log

    def text(self, seconds: float) -> str:
        """A bar once uv has named the files; seconds is how long the step has taken until now."""
        share = self.share()
        if share is None:
            return working(seconds)
        return bar(share)

    def share(self) -> float | None:
        """From 0 to 1; None before uv has named a file, which it does for the large ones."""
        try:
            log = self._log.read_text(encoding="utf-8", errors="replace")
        except OSError:
            return None
        sizes: dict[str, float] = {}
        for name, size, unit in re.findall(r"^Downloading (\S+) \(([\d.]+)([KMG])iB\)", log, re.M):
            sizes[name] = float(size) * _KIBIBYTES[unit]
        if not sizes:
            return None
        come = set(re.findall(r"^ *Downloaded (\S+)", log, re.M))
        return sum(size for name, size in sizes.items() if name in come) / sum(sizes.values())


def working(seconds: float) -> str:
    """What is said while nothing tells how much is left."""
    return f"  working for {seconds:.0f} s"


def bar(share: float) -> str:
    """A drawing of a share from 0 to 1."""
    filled = round(share * _BAR_WIDTH)
    return f"  [{'#' * filled}{'.' * (_BAR_WIDTH - filled)}] {share:.0%}"


def minutes(seconds: float) -> str:
    """A time in whole minutes, rounded up."""
    count = math.ceil(seconds / 60)
    return "less than a minute" if count <= 1 else f"about {count} minutes"
