"""Searches an index from a process of its own; prints one JSON object. See bench.searching."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import psutil

from bench.synthetic import RandomDocuments, questions
from scrubjay import CancelToken, Engine, Mode, Paths, SearchRequest
from scrubjay.embedding.llama import LocalProvider

_QUESTIONS = 300


def probe(home: Path, model: Path, dimensions: int) -> dict[str, Any]:
    """Time the first search after start and many warm ones; weigh the process."""
    first, asked = questions(1, seed=1), questions(_QUESTIONS)
    began = time.perf_counter()
    provider = RandomDocuments(LocalProvider(model), dimensions)
    engine = Engine(Paths.under(home), provider=provider)
    try:
        before = psutil.Process().memory_info().rss
        first_words = _times(engine, first, Mode.LEXICAL)[0]
        first_ms = _times(engine, first, Mode.HYBRID)[0]
        since_start_ms = (time.perf_counter() - began) * 1000
        return {
            "first_words_ms": round(first_words, 1),
            "first_ms": round(first_ms, 1),
            "start_to_first_answer_ms": round(since_start_ms, 1),
            "words": _percentiles(_times(engine, asked, Mode.LEXICAL)),
            "words_and_meaning": _percentiles(_times(engine, asked, Mode.HYBRID)),
            "memory_mb": round((psutil.Process().memory_info().rss - before) / 1e6, 1),
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


if __name__ == "__main__":
    print(json.dumps(probe(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))))
