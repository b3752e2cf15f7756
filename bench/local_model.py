"""Speed of embedding: our child process against a bare loop of the library.

`python -m bench.local_model [FILE.gguf ...]`. Both embed the same chunks of the project's own
notes, a few at a time in turn, at the same priority and with the same number of threads. While
other work runs, elapsed time says little, because the system gives each session its own share.
Processor time is still reliable.
"""

from __future__ import annotations

import contextlib
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import psutil
from llama_cpp import Llama

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.embedding.embedding_input import EmbeddingInput
from scrubjay.embedding.local.cpu_variant import CpuVariant, run_trial
from scrubjay.embedding.local.llama_process import LlamaProcess, LoadRequest
from scrubjay.embedding.local.local_provider import LocalProvider, embedding_threads
from scrubjay.models.model_files import find_model
from scrubjay.notes.chunker import chunk_document
from scrubjay.platform.paths import Paths
from scrubjay.records.chunks import ChunkSizes

_ROOT = Path(__file__).resolve().parents[1]
_FOLDERS = ("docs", "tests/quality/notes")
_AT_ONCE = 4
"""Chunks that a pass over notes sends at once."""
_MOST = 24
"""Chunks; enough for a ratio, and done in a minute."""
_ROUNDS = 3
_NICENESS = 10
"""Niceness of documents in the child."""


def main(arguments: list[str]) -> int:
    """Print tokens a second of both, and their ratio."""
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    built_in = find_model(Paths.of_user())
    files = [Path(argument) for argument in arguments] or ([built_in] if built_in else [])
    if not files:
        print("The built-in model is missing: run `make setup`.", file=sys.stderr)
        return 1
    texts = sample_chunks()
    for file in files:
        print(f"{file.name}, {len(texts)} chunks, {embedding_threads()} threads")
        measure(file, texts)
        compare_builds(file)
    return 0


def measure(file: Path, texts: Sequence[str]) -> None:
    """Print the speed of a model file both ways."""
    threads = embedding_threads()
    bare = Llama(
        str(file), embedding=True, n_ctx=512, n_batch=512, n_ubatch=512, n_threads=threads,
        n_threads_batch=threads, flash_attn=True, verbose=False,
    )  # fmt: skip
    tokens = sum(len(bare.tokenize(text.encode())) for text in texts)
    provider = LocalProvider(file)
    try:
        provider.dimensions()
        child = psutil.Process(provider.child_pid)
        rounds = [_round(provider, child, bare, texts) for _ in range(_ROUNDS)]
    finally:
        provider.close()
        bare.close()
    for name in ("wall", "processor"):
        pairs = [(ours[name], theirs[name]) for ours, theirs in rounds]
        ours_s, theirs_s = (statistics.median(seconds) for seconds in zip(*pairs, strict=True))
        ratio = statistics.median(theirs / ours for ours, theirs in pairs)
        print(
            f"  by {name} time: child {tokens / ours_s:.0f} tokens/s, bare loop "
            f"{tokens / theirs_s:.0f} tokens/s, ratio {ratio:.2f}"
        )


def compare_builds(file: Path) -> None:
    """Print the results of the trial that precedes the use of another build of llama.cpp."""
    variant = CpuVariant.of_this_computer()
    if variant.file is None:
        print(f"  portable build only: {variant.missing}")
        return

    def launch(library: Path | None, on_start: Callable[[LlamaProcess], None]) -> LlamaProcess:
        load = LoadRequest(str(file), gpu_layers=0, idle_seconds=60, library=str(library or ""))
        return LlamaProcess(load, on_start=on_start)

    for _ in range(_ROUNDS):
        print(f"  AVX-512 build: {run_trial(variant.file, launch, CancelToken())}")


def _round(
    provider: LocalProvider, child: psutil.Process, bare: Llama, texts: Sequence[str]
) -> tuple[dict[str, float], dict[str, float]]:
    """Seconds that the child and the bare loop took, a few chunks in turn."""
    ours, theirs = ({"wall": 0.0, "processor": 0.0} for _ in range(2))
    for piece in _pieces(texts):
        with _timed(ours, child):
            provider.embed_documents([EmbeddingInput("", text) for text in piece])
        with _timed(theirs, child):
            bare.embed(list(piece), truncate=True)
    return ours, theirs


@contextlib.contextmanager
def _timed(spent: dict[str, float], child: psutil.Process) -> Iterator[None]:
    """Add up the time inside. Processor time is that of both processes: the idle one waits."""
    wall, processor = time.perf_counter(), _processor(child)
    yield
    spent["wall"] += time.perf_counter() - wall
    spent["processor"] += _processor(child) - processor


def _processor(child: psutil.Process) -> float:
    used = child.cpu_times()
    return time.process_time() + float(used.user + used.system)


def sample_chunks() -> list[str]:
    """Chunks of the project's own notes, evenly spread."""
    texts = [
        chunk.text
        for folder in _FOLDERS
        for file in sorted((_ROOT / folder).rglob("*.md"))
        for chunk in chunk_document(file.read_text(encoding="utf-8"), ChunkSizes()).chunks
    ]
    return texts[:: max(1, len(texts) // _MOST)]


def _pieces(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    return (texts[at : at + _AT_ONCE] for at in range(0, len(texts), _AT_ONCE))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
