"""Times of query embeddings while notes are embedded: with one child process or two.

`python -m bench.busy_model [FILE.gguf]`. One child has a context for queries and one for documents
over the same weights, as in Scrubjay; two children have weights of their own.
"""

from __future__ import annotations

import itertools
import statistics
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import psutil

from bench.local_model import sample_chunks
from scrubjay.embedding.embedding_input import EmbeddingInput
from scrubjay.embedding.local.local_provider import LocalProvider
from scrubjay.models.model_files import find_model
from scrubjay.platform.paths import Paths

_ROUNDS = 3
_QUERIES = 100
_AT_ONCE = 4


def main(arguments: list[str]) -> int:
    """Print p50 and p95 of a query, chunks a second meanwhile, and memory."""
    file = Path(arguments[0]) if arguments else find_model(Paths.of_user())
    if file is None:
        print("The built-in model is missing: run `make setup`.", file=sys.stderr)
        return 1
    with ExitStack() as stack:
        shared, other = (stack.enter_context(closing(LocalProvider(file))) for _ in range(2))
        for provider in (shared, other):
            provider.dimensions()  # starts the child, which ends with the thread that started it
        latencies: dict[str, list[float]] = {}
        chunks: dict[str, int] = {}
        for _ in range(_ROUNDS):  # in turn, since other programs come and go
            for name, busy in (("nothing else", None), ("one child", shared), ("two", other)):
                with _embedding(busy) as count:
                    latencies.setdefault(name, []).extend(_queries(shared))
                chunks[name] = chunks.get(name, 0) + count[0]
        for name, times in latencies.items():
            p50, p95 = statistics.median(times), statistics.quantiles(times, n=20)[-1]
            print(f"{name:<13} p50 {p50 * 1000:6.1f} ms, p95 {p95 * 1000:6.1f} ms", end="")
            print(f", {chunks[name] / sum(times):5.1f} chunks/s meanwhile")
        memory = psutil.Process(shared.child_pid).memory_full_info().uss / 1e6
        print(f"a second child takes {memory:.0f} MB of its own")
    return 0


def _queries(provider: LocalProvider) -> Iterator[float]:
    for number in range(_QUERIES):
        began = time.perf_counter()
        provider.embed_queries([f"which router has address number {number}"])
        yield time.perf_counter() - began


@contextmanager
def _embedding(provider: LocalProvider | None) -> Iterator[list[int]]:
    """Inside, documents are embedded without a pause; yields a counter of the chunks."""
    count, over = [0], threading.Event()

    def work() -> None:
        assert provider
        for start in itertools.cycle(range(0, len(texts), _AT_ONCE)):
            if over.is_set():
                return
            inputs = [EmbeddingInput("", text) for text in texts[start : start + _AT_ONCE]]
            provider.embed_documents(inputs)
            count[0] += len(inputs)

    texts = sample_chunks()
    thread = threading.Thread(target=work)
    if provider:
        thread.start()
    yield count
    over.set()
    if provider:
        thread.join()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
