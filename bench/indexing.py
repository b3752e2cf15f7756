"""Times of indexing: by words alone, without changes, and with the model."""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from bench.synthetic import write_notes
from scrubjay.embedding.embedding_input import EmbeddingInput
from scrubjay.embedding.local.local_provider import LocalProvider
from scrubjay.engine.engine import Engine
from scrubjay.event_bus import Event
from scrubjay.events import IndexProgressed
from scrubjay.notes.chunker import chunk_document
from scrubjay.platform.paths import Paths
from scrubjay.records.chunks import ChunkSizes
from scrubjay.records.note_records import Workspace

_FILES = 5_440
_LINES = 34
"""About 3.3 KB a note: 5,440 of them make 18 MB, like the corpus other tools were timed on."""


def words(folder: Path) -> dict[str, float]:
    """Times to index 5,440 files by words alone, and to check them without a change."""
    notes = folder / "many"
    size = write_notes(notes, _FILES, lines=_LINES)
    engine = Engine(Paths.under(folder / "home-many"))
    try:
        workspace = engine.add_workspace(notes).result()
        first = _timed_refresh(engine, workspace)
        # Files changed within the last two seconds are read again by the next pass.
        time.sleep(2.1)
        _timed_refresh(engine, workspace)
        again = _timed_refresh(engine, workspace)
    finally:
        engine.close()
    return {
        "files": _FILES,
        "mb": round(size / 1e6, 1),
        "words_s": round(first, 2),
        "words_mb_per_s": round(size / 1e6 / first, 1),
        "no_change_s": round(again, 3),
    }


def with_model(folder: Path, notes: Iterable[Path], model: Path) -> dict[str, Any]:
    """Times to index folders with the model, and of the model alone for the same chunks."""
    total_s = model_s = searchable_s = 0.0
    chunks = 0
    engine = Engine(Paths.under(folder / "home-model"), provider=LocalProvider(model))
    inputs: list[EmbeddingInput] = []
    try:
        for folder_of_notes in notes:
            workspace = engine.open_folder(folder_of_notes)
            stopwatch = _Stopwatch()
            unsubscribe = engine.events.subscribe(stopwatch.note)
            report = engine.refresh(workspace).result()[0]
            unsubscribe()
            searchable_s += stopwatch.seconds
            total_s += report.elapsed_s
            model_s += report.model_s
            chunks += report.embedded
            inputs += _inputs(folder_of_notes)
    finally:
        engine.close()
    alone_s = _alone(model, inputs)
    tokens = sum(len(item.text) for item in inputs) / 4
    return {
        "chunks": chunks,
        "pass_s": round(total_s, 2),
        "until_found_by_meaning_s": round(searchable_s, 2),
        "model_in_pass_s": round(model_s, 2),
        "model_alone_s": round(alone_s, 2),
        "pass_to_model": round(total_s / model_s, 3),
        "until_found_by_meaning_to_model_alone": round(searchable_s / alone_s, 3),
        "pass_with_line_signs_to_model_alone": round(total_s / alone_s, 3),
        "tokens_per_s": round(tokens / alone_s),
    }


class _Stopwatch:
    """Time from now until every chunk has a vector; sign bits of lines come after."""

    def __init__(self) -> None:
        self._began = time.perf_counter()
        self.seconds = 0.0

    def note(self, event: Event) -> None:
        """Take the time of an event."""
        if isinstance(event, IndexProgressed) and event.progress.phase == "meaning":
            self.seconds = time.perf_counter() - self._began


def _timed_refresh(engine: Engine, workspace: Workspace) -> float:
    began = time.perf_counter()
    engine.refresh(workspace, words_only=True).result()
    return time.perf_counter() - began


def _inputs(folder: Path) -> list[EmbeddingInput]:
    return [
        EmbeddingInput("", chunk.text)
        for file in sorted(folder.rglob("*.md"))
        for chunk in chunk_document(file.read_text(), ChunkSizes()).chunks
    ]


def _alone(model: Path, inputs: list[EmbeddingInput]) -> float:
    provider = LocalProvider(model)
    try:
        provider.dimensions()
        began = time.perf_counter()
        for at in range(0, len(inputs), 4):
            provider.embed_documents(inputs[at : at + 4])
        return time.perf_counter() - began
    finally:
        provider.close()
