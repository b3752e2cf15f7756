"""Times of whole processes in the terminal, with QMD in turn where it is installed."""

from __future__ import annotations

import contextlib
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench import qmd
from bench.synthetic import write_notes
from scrubjay.cli.command_server import CommandServer
from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import Paths

assert sys.platform == "linux", "only Linux tells what is measured here"

_NOTES, _LINES = 400, 6
_RUNS = 11
SCRUBJAY = str(Path(sys.executable).with_name("scrubjay"))


@dataclass(frozen=True)
class ProcessTimes:
    """Seconds of one process, of those it waited for, and of ours meanwhile, which may answer."""

    elapsed: float
    processor: float


def measure(folder: Path) -> dict[str, dict[str, float]]:
    """Medians of the times of each command over short notes, indexed with the built-in model."""
    notes, home = folder / "terminal-notes", folder / "terminal-home"
    write_notes(notes, _NOTES, lines=_LINES)
    engine = Engine(Paths.under(home))
    try:
        workspace = engine.add_workspace(notes).result()
        engine.refresh(workspace).result()
    finally:
        engine.close()
    environ = {**os.environ, "SCRUBJAY_HOME": str(home)}
    # Else each process would compile what it imports.
    environ.pop("PYTHONDONTWRITEBYTECODE", None)
    question = next(notes.rglob("*.md")).read_text(encoding="utf-8").splitlines()[0].lstrip("# ")
    word, prompt = question.split()[0], json.dumps({"prompt": question, "cwd": str(notes)})
    commands: dict[str, tuple[list[str], str]] = {
        "help": (["--help"], ""),
        "words": (["search", word, "--mode", "lexical"], ""),
        "words and meaning": (["search", question], ""),
        "hook recall": (["hook", "recall"], prompt),
    }
    results = {}
    qmd_command = qmd.command()
    if qmd_command:
        environ |= qmd.folders(folder)
        qmd.timed([*qmd_command, "collection", "add", str(notes), "--name", "terminal"], environ)
    for place, beside in (("", contextlib.nullcontext()), (", answered by the app", _app(home))):
        with beside:
            for name, (arguments, typed) in commands.items():
                times = _runs([[SCRUBJAY, *arguments]], environ, typed)
                results[name + place] = _medians([ours for (ours,) in times])
            if qmd_command:
                ours = [SCRUBJAY, "search", word, "--mode", "lexical"]
                pairs = _runs([ours, [*qmd_command, "search", word]], environ, "")
                results[f"words beside QMD{place}"] = {
                    **_medians([mine for mine, _ in pairs]),
                    "times its processor time": _ratio(
                        [(a.processor, b.processor) for a, b in pairs]
                    ),
                    "times its elapsed": _ratio([(a.elapsed, b.elapsed) for a, b in pairs]),
                }
                results[f"QMD, words{place}"] = _medians([theirs for _, theirs in pairs])
    return results


@contextlib.contextmanager
def _app(home: Path) -> Iterator[None]:
    """What the app has of commands, in this process."""
    engine = Engine(Paths.under(home))
    engine.start()
    server = CommandServer(engine)
    server.start()
    try:
        yield
    finally:
        server.close()
        engine.close()


def _runs(
    commands: Sequence[Sequence[str]], environ: Mapping[str, str], typed: str
) -> list[tuple[ProcessTimes, ...]]:
    """Times of the commands in turn; the first round, which fills caches, is left out."""
    rounds = [
        tuple(run_process(each, environ, typed) for each in commands) for _ in range(_RUNS + 1)
    ]
    return rounds[1:]


def run_process(
    command: Sequence[str], environ: Mapping[str, str], typed: str = ""
) -> ProcessTimes:
    """The times of one process, which reads what was typed."""
    began, busy = time.perf_counter(), time.process_time()
    process = subprocess.Popen(
        command, env=environ, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
    )
    assert process.stdin
    with process.stdin:
        process.stdin.write(typed)
    _, status, used = os.wait4(process.pid, 0)
    elapsed = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    here = time.process_time() - busy
    return ProcessTimes(elapsed, used.ru_utime + used.ru_stime + here)


def _medians(times: Sequence[ProcessTimes]) -> dict[str, float]:
    return {
        "elapsed_s": round(statistics.median(each.elapsed for each in times), 3),
        "processor_s": round(statistics.median(each.processor for each in times), 3),
    }


def _ratio(pairs: Sequence[tuple[float, float]]) -> float:
    return round(statistics.median(ours / theirs for ours, theirs in pairs), 2)
