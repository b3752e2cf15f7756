"""Scrubjay beside QMD and Recoll over the same notes, in turn, where they are installed.

Each program searches by words, since none of its models is needed for that. Only ratios mean
something: all are measured in one run on one machine.
"""

from __future__ import annotations

import os
import shutil
import statistics
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from msgspec import Struct

from bench import agents, qmd, terminal
from bench.synthetic import write_notes

assert sys.platform == "linux", "only Linux tells what is measured here"

_FILES = 5_440
_LINES = 34
"""About 3.3 KB a note: 5,440 of them make 18 MB."""
_ROUNDS = 9
_SETTLE_S = 2.1
_CALL = "tools/call"

_Times: TypeAlias = dict[str, list[terminal.ProcessTimes]]
"""Times of runs of each program, by its name."""


class _Program(Struct, frozen=True):
    """The commands of a program that searches notes."""

    first_pass: Sequence[str]
    later_pass: Sequence[str]
    search: Sequence[str]
    """Search for the word that follows."""
    environ: Mapping[str, str]


def measure(folder: Path, files: int = _FILES) -> dict[str, Any]:
    """Seconds of each program, and of ours divided by theirs."""
    notes = folder / "peers-notes"
    write_notes(notes, files, lines=_LINES)
    word = next(notes.rglob("*.md")).read_text(encoding="utf-8").splitlines()[0].split()[1]
    programs = _programs(folder, notes)
    # The first pass once; a pass without a change and a search in turn.
    first: _Times = {}
    for name, program in programs.items():
        first[name] = [terminal.run_process(program.first_pass, program.environ)]
    # Files changed within the last two seconds are read again by the next pass.
    time.sleep(_SETTLE_S)
    again: _Times = {name: [] for name in programs}
    searches: _Times = {name: [] for name in programs}
    for _ in range(_ROUNDS + 1):
        for name, program in programs.items():
            again[name].append(terminal.run_process(program.later_pass, program.environ))
            searches[name].append(terminal.run_process([*program.search, word], program.environ))
    # The first round fills caches.
    results: dict[str, Any] = {
        "index": _compared(first),
        "pass without a change": _compared({name: of[1:] for name, of in again.items()}),
        "search by words": _compared({name: of[1:] for name, of in searches.items()}),
    }
    if "QMD" in programs:
        answers = agents.starts(folder)["medians_ms"]
        results["start to the first answer over MCP"] = {
            f"{name}, of QMD's time": round(answers[name][_CALL] / answers["QMD, words"][_CALL], 2)
            for name in ("words", "words and meaning")
        }
    return results


def _compared(times: _Times) -> dict[str, Any]:
    """Medians of each program, and those of our time divided by that of another in each round."""
    ours = times["Scrubjay"]
    compared: dict[str, Any] = {}
    for name, theirs in times.items():
        compared[name] = {
            "elapsed_s": round(statistics.median(each.elapsed for each in theirs), 3),
            "processor_s": round(statistics.median(each.processor for each in theirs), 3),
        }
        if name != "Scrubjay":
            pairs = list(zip(ours, theirs, strict=True))
            elapsed = statistics.median(a.elapsed / b.elapsed for a, b in pairs)
            processor = statistics.median(a.processor / b.processor for a, b in pairs)
            compared[f"Scrubjay, of {name}'s"] = {
                "elapsed": round(elapsed, 2),
                "processor": round(processor, 2),
            }
    return compared


def _programs(folder: Path, notes: Path) -> dict[str, _Program]:
    """The installed programs by their names; each keeps all that it writes in a folder."""
    # A compiled module is part of an installed program.
    environ = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    home = folder / "peers-home"
    home.mkdir()
    (home / "config.json5").write_text('{ memorySearch: { provider: "none" } }')
    ours = {**environ, "SCRUBJAY_HOME": str(home)}
    terminal.run_process([terminal.SCRUBJAY, "workspace", "add", str(notes)], ours)
    programs = {
        "Scrubjay": _Program(
            first_pass=[terminal.SCRUBJAY, "index"],
            later_pass=[terminal.SCRUBJAY, "index"],
            search=[terminal.SCRUBJAY, "search", "--mode", "lexical"],
            environ=ours,
        )
    }
    command = qmd.command()
    if command:
        programs["QMD"] = _Program(
            first_pass=[*command, "collection", "add", str(notes), "--name", "peers"],
            later_pass=[*command, "update"],
            search=[*command, "search"],
            environ={**environ, **qmd.folders(folder / "peers-qmd")},
        )
    if shutil.which("recollindex") and shutil.which("recollq"):
        recoll = folder / "peers-recoll"
        recoll.mkdir()
        (recoll / "recoll.conf").write_text(f"topdirs = {notes}\nloglevel = 1\n")
        programs["Recoll"] = _Program(
            first_pass=["recollindex", "-c", str(recoll)],
            later_pass=["recollindex", "-c", str(recoll)],
            search=["recollq", "-c", str(recoll)],
            environ=environ,
        )
    return programs
