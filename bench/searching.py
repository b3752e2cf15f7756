"""Times of searches for different numbers of chunks: alone, and while notes are indexed."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.recall import recall
from bench.search_probe import busy_times
from bench.synthetic import CHUNKS_A_NOTE, RandomDocuments, write_notes
from scrubjay.embedding.local.local_provider import LocalProvider
from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import Paths
from scrubjay.records.note_records import Workspace

_REWRITTEN = 100
"""Notes that change before each pass of an index run."""

_SETTINGS = "{ memorySearch: { sync: { onSearch: false } } }\n"
"""Indexing changes before an answer has a limit of its own, 50 ms and more."""


def measure(folder: Path, model: Path, chunks: int, dimensions: int) -> dict[str, Any]:
    """Sizes of an index of synthetic notes, and times of searches in it.

    A process of its own searches, alone and while this one indexes; then the indexing one does.
    Notes and index are made where the folder does not hold them.
    """
    provider = RandomDocuments(LocalProvider(model), dimensions)
    notes = folder / f"notes-{chunks}"
    home = folder / f"home-{chunks}-{provider.dimensions()}"
    if not notes.is_dir():
        write_notes(notes, chunks // CHUNKS_A_NOTE)
    paths = Paths.under(home)
    if not paths.config_file.exists():
        home.mkdir(parents=True)
        paths.config_file.write_text(_SETTINGS)
    engine = Engine(paths, provider=provider)
    try:
        workspaces = engine.workspaces()
        workspace = workspaces[0] if workspaces else engine.add_workspace(notes).result()
        began, busy_s = time.perf_counter(), time.process_time()
        engine.refresh(workspace).result()
        indexing_s, indexing_processor_s = time.perf_counter() - began, time.process_time() - busy_s
        size = _size(engine, notes, provider.dimensions(), home / "size.json")
        alone = search_times(home, model, dimensions)
        with _index_run(engine, workspace):
            other_process = search_times(home, model, dimensions)
            same_process = busy_times(engine)
        return {
            "dimensions": provider.dimensions(),
            "indexing_s": round(indexing_s, 2),
            "indexing_processor_s": round(indexing_processor_s, 2),
            **size,
            **alone,
            "recall_at_10": recall(chunks, provider.dimensions()),
            "while_another_process_indexes": {
                name: other_process[name] for name in ("words", "words_and_meaning")
            },
            "while_the_same_process_indexes": same_process,
        }
    finally:
        engine.close()


def _size(engine: Engine, notes: Path, dimensions: int, cache: Path) -> dict[str, Any]:
    """Sizes of a fresh index; later it also holds vectors of deleted texts for a while."""
    if cache.is_file():
        sizes: dict[str, Any] = json.loads(cache.read_text())
        return sizes
    status = engine.current_status().result().workspaces[0]
    text_bytes = sum(file.stat().st_size for file in notes.rglob("*.md"))
    vector_bytes = status.chunks * 4 * dimensions
    sizes = {
        "chunks": status.chunks,
        "index_mb": round(status.index_bytes / 1e6, 1),
        "index_ratio": round(status.index_bytes / (text_bytes + vector_bytes), 2),
    }
    cache.write_text(json.dumps(sizes))
    return sizes


@contextlib.contextmanager
def _index_run(engine: Engine, workspace: Workspace) -> Iterator[None]:
    """Inside, notes change and are indexed without a pause, with words and vectors."""
    files = sorted(workspace.root.rglob("*.md"))
    stopped = threading.Event()

    def work() -> None:
        at = 0
        while not stopped.is_set():
            for file in files[at : at + _REWRITTEN]:
                # Lines change places, so that the notes do not grow.
                first, _, rest = file.read_text().partition("\n")
                body, _, last = rest.rstrip("\n").rpartition("\n")
                file.write_text(f"{first}\n{last}\n{body.lstrip()}\n")
            at = (at + _REWRITTEN) % len(files)
            engine.refresh(workspace).result()

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        stopped.set()
        thread.join()


def search_times(home: Path, model: Path, dimensions: int) -> dict[str, Any]:
    """Times and memory of searches in a process of its own, over the settings in a folder."""
    arguments = [str(home), str(model), str(dimensions)]
    command = [sys.executable, "-m", "bench.search_probe", *arguments]
    process = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    times: dict[str, Any] = json.loads(process.stdout)
    return times
