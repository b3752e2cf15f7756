"""`python -m bench.second_look MODEL.gguf`: how fast a language model reranks results.

The same passages and questions are evaluated by the child process of Scrubjay and by llama.cpp's
own evaluation through llama-cpp-python, in turn, with the same file, threads and lengths. Processor
time is compared, which other programs hardly change.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import time
from pathlib import Path

# Threads that wait do not compute, as in the child process. The library reads it once.
os.environ["OMP_WAIT_POLICY"] = "passive"

import llama_cpp
import psutil

from scrubjay.embedding.local.likelihood import PASSAGE_TOKENS
from scrubjay.embedding.local.llama_process import LlamaProcess, LoadRequest

_ROUNDS = 5
_PASSAGES = 4
_FRAME_TOKENS = 12
_QUESTION = "when does the garage change the tyres of the old car"
_WORDS = [
    "acorn",
    "jay",
    "oak",
    "winter",
    "garage",
    "tyre",
    "router",
    "kitchen",
    "meeting",
    "invoice",
    "garden",
    "train",
]


def main() -> None:
    """Print tokens a second of both, milliseconds of a passage, and memory."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path)
    options = parser.parse_args()
    # The child process works in another folder.
    model = options.model.resolve()
    for threads in (1, 2):
        print(f"{model.name}, {threads} threads: {_measure(model, threads)}", flush=True)


def _measure(model: Path, threads: int) -> str:
    ours = LlamaProcess(LoadRequest(str(model), threads=threads, gpu_layers=0, reads=True))
    theirs = _Evaluation(model, threads)
    # Both in turn, so that whatever else the computer does slows down both.
    speeds: list[tuple[float, float]] = []
    passage_ms: list[float] = []
    for number in range(_ROUNDS + 1):
        passages = _passages(number)
        read = ours.read(_QUESTION, passages)
        expected = theirs.tokens_a_second(passages)
        # The first round loads the weights.
        if number:
            speeds.append((read.tokens / read.seconds, expected))
            passage_ms.append(1000 * read.seconds / _PASSAGES)
    memory = psutil.Process(ours.pid).memory_info().rss / 1e6
    ours.stop()
    own, other = (statistics.median(column) for column in zip(*speeds, strict=True))
    return (
        f"{own:.0f} tokens a second of processor time, llama.cpp {other:.0f} ({own / other:.2f}), "
        f"{statistics.median(passage_ms):.0f} ms for a passage, {memory:.0f} MB"
    )


def _passages(seed: int) -> list[tuple[str, int]]:
    """Passages that fill the tokens of one, different in each round."""
    words = random.Random(seed)
    passages: list[tuple[str, int]] = []
    for _ in range(_PASSAGES):
        label, ahead, line = (" ".join(words.choices(_WORDS, k=PASSAGE_TOKENS)) for _ in range(3))
        before = f"{label}\n{ahead}\n"
        passages.append((before + line, len(before)))
    return passages


class _Evaluation:
    """llama.cpp's own evaluation: a cleared context, one decode with logits of the question."""

    def __init__(self, model: Path, threads: int) -> None:
        self._llama = llama_cpp.Llama(
            str(model), n_ctx=256, n_batch=256, n_ubatch=256, n_threads=threads,
            n_threads_batch=threads, verbose=False,
        )  # fmt: skip
        self._batch = llama_cpp.llama_batch_init(256, 0, 1)

    def tokens_a_second(self, passages: list[tuple[str, int]]) -> float:
        """Tokens of passages with a frame and the question, by processor time."""
        asked = self._llama.tokenize(f" {_QUESTION}".encode(), add_bos=False)
        texts = [self._llama.tokenize(text.encode())[:PASSAGE_TOKENS] for text, _ in passages]
        began = time.process_time()
        for tokens in texts:
            self._decode([*tokens, *tokens[:_FRAME_TOKENS], *asked], len(asked))
        seconds = time.process_time() - began
        return sum(len(each) + _FRAME_TOKENS + len(asked) for each in texts) / seconds

    def _decode(self, tokens: list[int], outputs: int) -> None:
        context = self._llama.ctx
        llama_cpp.llama_memory_clear(llama_cpp.llama_get_memory(context), True)
        for at, token in enumerate(tokens):
            self._batch.token[at] = token
            self._batch.pos[at] = at
            self._batch.n_seq_id[at] = 1
            self._batch.seq_id[at][0] = 0
            self._batch.logits[at] = at >= len(tokens) - outputs
        self._batch.n_tokens = len(tokens)
        assert llama_cpp.llama_decode(context, self._batch) == 0


if __name__ == "__main__":
    main()
