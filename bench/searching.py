"""How long a search takes in a warm process, by number of chunks."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import psutil

from bench.synthetic import CHUNKS_A_NOTE, RandomDocuments, questions, write_notes
from scrubjay import CancelToken, Engine, Mode, Paths, SearchRequest
from scrubjay.embedding.llama import LocalProvider

_QUESTIONS = 300


def measure(folder: Path, model: Path, chunks: int) -> dict[str, Any]:
    """Index synthetic notes and time searches by words, and by words and meaning."""
    notes = folder / f"notes-{chunks}"
    text_bytes = write_notes(notes, chunks // CHUNKS_A_NOTE)
    provider = RandomDocuments(LocalProvider(model))
    engine = Engine(Paths.under(folder / f"home-{chunks}"), provider=provider)
    try:
        workspace = engine.add_workspace(notes).result()
        began = time.perf_counter()
        report = engine.refresh(workspace.id).result()[0]
        indexing_s = time.perf_counter() - began
        before = psutil.Process().memory_info().rss
        first_ms = _times(engine, questions(1, seed=1), Mode.HYBRID)[0]
        asked = questions(_QUESTIONS)
        status = engine.current_status().result().workspaces[0]
        return {
            "chunks": report.chunks,
            "indexing_s": round(indexing_s, 2),
            "first_ms": round(first_ms, 1),
            "words": _percentiles(_times(engine, asked, Mode.LEXICAL)),
            "words_and_meaning": _percentiles(_times(engine, asked, Mode.HYBRID)),
            "memory_mb": round((psutil.Process().memory_info().rss - before) / 1e6, 1),
            "index_ratio": round(
                status.index_bytes / (text_bytes + report.chunks * 4 * provider.dimensions()), 2
            ),
        }
    finally:
        engine.close()


def _times(engine: Engine, asked: Sequence[str], mode: Mode) -> list[float]:
    times: list[float] = []
    for question in asked:
        began = time.perf_counter()
        engine.search(SearchRequest(question, mode=mode), CancelToken()).result()
        times.append((time.perf_counter() - began) * 1000)
    return times


def _percentiles(times: Sequence[float]) -> dict[str, float]:
    return {
        "p50_ms": round(float(np.percentile(times, 50)), 2),
        "p95_ms": round(float(np.percentile(times, 95)), 2),
    }
