"""How much of the library's speed reaches an index: our child process against a bare loop.

`python -m bench.local_model [FILE.gguf ...]`. Both embed the same chunks of the project's own
notes, a few at a time in turn, at the same priority and with the same number of threads, so that
whatever else the computer does hits both.
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from llama_cpp import Llama

from scrubjay import Paths
from scrubjay.chunker import ChunkSizes, chunk_document
from scrubjay.embedding.llama import LocalProvider, spare_cores
from scrubjay.embedding.provider import Passage
from scrubjay.models.shelf import find_model

_ROOT = Path(__file__).resolve().parents[1]
_FOLDERS = ("docs", "tests/quality/notes")
_AT_ONCE = 4
"""As many as a pass over notes sends at once."""
_ROUNDS = 3
_NICENESS = 10
"""That of documents in the child."""


def main(arguments: list[str]) -> int:
    """Print tokens a second of both, and their ratio."""
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    built_in = find_model(Paths.of_user())
    files = [Path(one) for one in arguments] or ([built_in] if built_in else [])
    if not files:
        print("The built-in model is missing: run `make setup`.", file=sys.stderr)
        return 1
    texts = _chunks()
    for file in files:
        print(f"{file.name}, {len(texts)} chunks, {spare_cores()} threads")
        measure(file, texts)
    return 0


def measure(file: Path, texts: Sequence[str]) -> float:
    """The share of the bare loop's speed that the child has."""
    threads = spare_cores()
    bare = Llama(
        str(file), embedding=True, n_ctx=512, n_batch=512, n_ubatch=512, n_threads=threads,
        n_threads_batch=threads, verbose=False,
    )  # fmt: skip
    tokens = sum(len(bare.tokenize(text.encode())) for text in texts)
    ours, theirs = [0.0] * _ROUNDS, [0.0] * _ROUNDS
    provider = LocalProvider(file)
    try:
        provider.dimensions()
        for number in range(_ROUNDS):
            for piece in _pieces(texts):
                began = time.perf_counter()
                provider.embed_documents([Passage("", text) for text in piece])
                turned = time.perf_counter()
                bare.embed(list(piece), truncate=True)
                ours[number] += turned - began
                theirs[number] += time.perf_counter() - turned
    finally:
        provider.close()
        bare.close()
    ratio = statistics.median(b / a for a, b in zip(ours, theirs, strict=True))
    print(f"{'child':<12} {tokens / statistics.median(ours):>8.0f} tokens/s")
    print(f"{'bare loop':<12} {tokens / statistics.median(theirs):>8.0f} tokens/s")
    print(f"{'ratio':<12} {ratio:>8.2f}")
    return ratio


def _chunks() -> list[str]:
    return [
        chunk.text
        for folder in _FOLDERS
        for file in sorted((_ROOT / folder).rglob("*.md"))
        for chunk in chunk_document(file.read_text(encoding="utf-8"), ChunkSizes()).chunks
    ]


def _pieces(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    return (texts[at : at + _AT_ONCE] for at in range(0, len(texts), _AT_ONCE))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
