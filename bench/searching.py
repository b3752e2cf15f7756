"""How long a search takes, by number of chunks, in a process that does nothing else."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from bench.synthetic import CHUNKS_A_NOTE, RandomDocuments, write_notes
from scrubjay import Engine, Paths
from scrubjay.embedding.llama import LocalProvider


def measure(folder: Path, model: Path, chunks: int, dimensions: int) -> dict[str, Any]:
    """Index synthetic notes, then search them: alone, and while they are indexed anew."""
    notes = folder / f"notes-{chunks}"
    home = folder / f"home-{chunks}"
    text_bytes = write_notes(notes, chunks // CHUNKS_A_NOTE)
    provider = RandomDocuments(LocalProvider(model), dimensions)
    engine = Engine(Paths.under(home), provider=provider)
    try:
        workspace = engine.add_workspace(notes).result()
        began = time.perf_counter()
        report = engine.refresh(workspace.id).result()[0]
        indexing_s = time.perf_counter() - began
        status = engine.current_status().result().workspaces[0]
        vector_bytes = report.chunks * 4 * provider.dimensions()
        alone = _probe(home, model, dimensions)
        engine.refresh(workspace.id, force=True)
        busy = _probe(home, model, dimensions)
        return {
            "chunks": report.chunks,
            "dimensions": provider.dimensions(),
            "indexing_s": round(indexing_s, 2),
            "index_mb": round(status.index_bytes / 1e6, 1),
            "index_ratio": round(status.index_bytes / (text_bytes + vector_bytes), 2),
            **alone,
            "while_indexing": {name: busy[name] for name in ("words", "words_and_meaning")},
        }
    finally:
        engine.close()


def _probe(home: Path, model: Path, dimensions: int) -> dict[str, Any]:
    command = [sys.executable, "-m", "bench.search_probe", str(home), str(model), str(dimensions)]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found
