"""Searches an index in a separate process and prints one JSON object. See bench.searching."""

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
from scrubjay.concurrency.cancel import CancelToken
from scrubjay.embedding.local.local_provider import LocalProvider
from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import Paths
from scrubjay.records.search_modes import Mode
from scrubjay.records.search_records import SearchRequest

_QUESTIONS = 300
_WARMING = 200
"""Other questions before these. The first search for a word counts it in the index, which takes
milliseconds where it is common; a person's questions share most of their words."""


def probe(home: Path, model: Path, dimensions: int) -> dict[str, Any]:
    """Times of the first search after start and of many warm ones, and the memory they take.

    The model is loaded before, as the first pass of the app does it, in model_ms. All imports and
    reads that a search needs fall into first_words_ms, of the first answer by words, and
    first_meaning_ms, of the first one by meaning after that.
    """
    first, warm = questions(1, seed=1), questions(_QUESTIONS)
    began = time.perf_counter()
    provider = RandomDocuments(LocalProvider(model), dimensions)
    provider.embed_queries(first[:1])
    model_ms = (time.perf_counter() - began) * 1000
    engine = Engine(Paths.under(home), provider=provider)
    try:
        before = psutil.Process().memory_info().rss
        first_words = _times(engine, first, Mode.LEXICAL)
        first_meaning = _times(engine, first, Mode.HYBRID)
        since_start_ms = (time.perf_counter() - began) * 1000
        _warm(engine)
        return {
            "model_ms": round(model_ms, 1),
            "first_words_ms": first_words["p50_ms"],
            "first_words_processor_ms": first_words["processor_ms"],
            "first_meaning_ms": first_meaning["p50_ms"],
            "first_meaning_processor_ms": first_meaning["processor_ms"],
            "start_to_both_answers_ms": round(since_start_ms, 1),
            "words": _times(engine, warm, Mode.LEXICAL),
            "words_and_meaning": _times(engine, warm, Mode.HYBRID),
            "memory_mb": round((psutil.Process().memory_info().rss - before) / 1e6, 1),
        }
    finally:
        engine.close()


def busy_times(engine: Engine) -> dict[str, Any]:
    """Times of searches in a process that does other work too."""
    texts = questions(_QUESTIONS)
    _warm(engine)
    results = {
        "words": _times(engine, texts, Mode.LEXICAL),
        "words_and_meaning": _times(engine, texts, Mode.HYBRID),
    }
    for times in results.values():
        del times["processor_ms"]  # most of it is the other work's
    return results


def _warm(engine: Engine) -> None:
    _times(engine, questions(_WARMING, seed=2), Mode.LEXICAL)


def _times(engine: Engine, texts: Sequence[str], mode: Mode) -> dict[str, float]:
    times: list[float] = []
    busy = time.process_time()
    for text in texts:
        began = time.perf_counter()
        engine.search(SearchRequest(text, mode=mode), CancelToken()).result()
        times.append((time.perf_counter() - began) * 1000)
    return {
        "p50_ms": round(float(np.percentile(times, 50)), 2),
        "p95_ms": round(float(np.percentile(times, 95)), 2),
        "processor_ms": round((time.process_time() - busy) * 1000 / len(texts), 2),
    }


if __name__ == "__main__":
    print(json.dumps(probe(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))))
