"""Shared memories compared with a local index: the same answers, and their times."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from bench.searching import search_times
from bench.synthetic import CHUNKS_A_NOTE, RandomDocuments, write_notes
from scrubjay.concurrency.cancel import CancelToken
from scrubjay.embedding.local.local_provider import LocalProvider
from scrubjay.embedding.provider import EmbeddingProvider
from scrubjay.engine.engine import Engine
from scrubjay.evaluation.metrics import (
    DEPTH,
    Qrels,
    QuestionOutcome,
    evaluate,
    mean_measures,
    read_qrels,
)
from scrubjay.platform.paths import Paths
from scrubjay.records.note_records import Workspace
from scrubjay.records.search_modes import Mode
from scrubjay.records.search_records import Hit, SearchRequest

_MEASURES = ("hit@1", "hit@5", "mrr@10", "ms_p50", "ms_p95")
_SAVED = 10
_TIMES = "times.json"


def is_installed() -> bool:
    """Whether the extra for shared memories is there."""
    return importlib.util.find_spec("lancedb") is not None


def quality(folder: Path, judged: Path) -> dict[str, Any]:
    """Measures of judged conversations in an index here and in a shared memory."""
    outcomes: dict[str, list[QuestionOutcome]] = {}
    for file in sorted(judged.glob("*.json")):
        qrels = read_qrels(file)
        home = folder / file.stem.partition(".")[0]
        with _two_computers(home, qrels.workspace) as (engine, workspace, reader, shared):
            for mode in (Mode.LEXICAL, Mode.HYBRID):
                for name, asked, its in (("here", engine, workspace), ("shared", reader, shared)):
                    found = _evaluated(asked, its, qrels, mode)
                    outcomes.setdefault(f"{mode} {name}", []).extend(found)
    return {
        name: {key: mean_measures(found)[key] for key in _MEASURES}
        for name, found in outcomes.items()
    }


def measure(folder: Path, model: Path, chunks: int) -> dict[str, Any]:
    """Times of publishing an index of synthetic notes, and of searches in it from elsewhere."""
    provider = RandomDocuments(LocalProvider(model))
    notes = folder / f"notes-{chunks}"
    if not notes.is_dir():
        write_notes(notes, chunks // CHUNKS_A_NOTE)
    home = folder / f"team-{chunks}"
    with _two_computers(home, notes, provider) as (engine, workspace, reader, shared):
        times = json.loads((home / _TIMES).read_text())
        saved = [_saved(engine, workspace, reader, shared, at) for at in range(_SAVED)]
    return {
        **times,
        "publishing_to_indexing": round(times["publishing_s"] / times["indexing_s"], 2),
        "saved_note_found_s": round(sorted(saved)[-1], 2),
        "here": search_times(home / "here", model, 0),
        "shared": search_times(home / "elsewhere", model, 0),
        "shared_mb": round(_size(home / "team") / 1e6, 1),
    }


@contextlib.contextmanager
def _two_computers(
    folder: Path, notes: Path, provider: EmbeddingProvider | None = None
) -> Iterator[tuple[Engine, Workspace, Engine, Workspace]]:
    """One that publishes a folder with its workspace, and one that searches it with its own.

    Both are made where the folder does not hold them, and their times kept in it.
    """
    if not (folder / _TIMES).is_file():
        shutil.rmtree(folder, ignore_errors=True)
    engine = Engine(Paths.under(folder / "here"), provider=provider)
    reader = Engine(Paths.under(folder / "elsewhere"), provider=provider)
    try:
        if not (folder / _TIMES).is_file():
            _publish(engine, reader, notes, folder)
        [workspace], [shared] = engine.workspaces(), reader.searchable_workspaces()
        yield engine, workspace, reader, shared
    finally:
        reader.close()
        engine.close()


def _publish(engine: Engine, reader: Engine, notes: Path, folder: Path) -> None:
    """Read notes and share them, and add what is shared to the other computer."""
    place = folder / "team"
    place.mkdir(parents=True)
    workspace = engine.add_workspace(notes).result()
    indexing = _timed(lambda: engine.refresh(workspace).result())
    # The first look imports the library.
    engine.sharing.look().result()
    publishing = _timed(lambda: engine.sharing.share(workspace, str(place)).result())
    names = ("indexing_s", "indexing_processor_s", "publishing_s", "publishing_processor_s")
    times = dict(zip(names, (*indexing, *publishing), strict=True))
    reader.sharing.add(str(place)).result()
    (folder / _TIMES).write_text(json.dumps(times))


def _timed(work: Callable[[], object]) -> tuple[float, float]:
    """Seconds, by the clock and of the processor."""
    began, busy = time.perf_counter(), time.process_time()
    work()
    return round(time.perf_counter() - began, 2), round(time.process_time() - busy, 2)


def _evaluated(
    engine: Engine, workspace: Workspace, qrels: Qrels, mode: Mode
) -> list[QuestionOutcome]:
    def search(query: str) -> Sequence[Hit]:
        request = SearchRequest(query, workspace.id, mode, max_results=DEPTH, min_score=0.0)
        hits = engine.search(request, CancelToken()).result().hits
        return [replace(hit, file=qrels.workspace / hit.path) for hit in hits]

    min_score = engine.settings.settings.memory_search.query.min_score

    def text_of(hit: Hit) -> str:
        return hit.file.read_text("utf-8")

    return evaluate(qrels, search, text_of=text_of, min_score=min_score)


def _saved(
    engine: Engine, workspace: Workspace, reader: Engine, shared: Workspace, number: int
) -> float:
    """Seconds from a saved note to the answer with it on another computer."""
    word = f"unheardof{number}"
    engine.sharing.look().result()
    began = time.perf_counter()
    (workspace.root / f"{word}.md").write_text(f"# Note\n\nOf {word}.\n")
    engine.refresh(workspace).result()
    engine.sharing.publish(workspace).result()
    request = SearchRequest(word, shared.id, mode=Mode.LEXICAL)
    while not any(hit.path == f"{word}.md" for hit in _hits(reader, request)):
        time.sleep(0.05)
    elapsed = time.perf_counter() - began
    (workspace.root / f"{word}.md").unlink()
    return elapsed


def _hits(engine: Engine, request: SearchRequest) -> Sequence[Hit]:
    return engine.search(request, CancelToken()).result().hits


def _size(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
