"""Likelihoods of questions in llama.cpp. Only the child process imports this.

A base language model tells how likely a question is after a passage, and how likely it is without
one. The logarithm of their quotient says whether the passage answers the question (Sachan et al.,
2022, "Improving Passage Retrieval with Zero-Shot Question Generation"). Here it is a sum over the
tokens of the question, to which each token adds no more than a few nats.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from msgspec import Struct

from scrubjay.embedding.local.llama_model import LlamaModel, llama_cpp
from scrubjay.messages import msg
from scrubjay.text.grouping import group_by_size

LABEL_TOKENS = 32
"""Tokens of the date, title and heading above a passage at most."""
AHEAD_TOKENS = 12
"""Tokens before the best line of a passage at most."""
LINE_TOKENS = 44
"""Tokens from the best line of a passage on at most; longer passages fit every question a little,
and find fewer answers."""
PASSAGE_TOKENS = LABEL_TOKENS + AHEAD_TOKENS + LINE_TOKENS
"""Tokens of a passage at most."""
QUESTION_TOKENS = 32
"""Tokens of a question at most. The probabilities of the whole vocabulary, a megabyte for each
token of Gemma 3, are computed for them alone."""

_LEAST_NATS = -1.0
"""Least nats of a token of the question: one word that nothing explains does not decide; fitted, a
flat optimum."""
_MOST_NATS = 2.0
"""Most nats of a token of the question: one word that a passage repeats does not decide, since
search by words has seen it; fitted, a flat optimum."""
_SEQUENCE_TOKENS = 256
"""Tokens of a passage with its frame and a question, and of short ones that share a batch."""
_SEQUENCES = 7
"""Sequences that are kept: the question alone, and passages that the next question may need."""

_BEFORE = "Note: "
_AFTER = "\n\nA question that this note answers:"
_ALONE = "A question that a note answers:"


class _Sequence(Struct):
    """Tokens to compute after those of a frame that are there."""

    number: int
    frame: list[int]
    at: int
    """Number of its tokens that need not be computed again."""


class LikelihoodContext:
    """Computes log-likelihoods, for one thread at a time."""

    def __init__(self, model: LlamaModel, threads: int) -> None:
        self._model = model
        parameters = llama_cpp.llama_context_default_params()
        parameters.n_ctx = _SEQUENCES * _SEQUENCE_TOKENS
        parameters.n_batch = _SEQUENCE_TOKENS
        parameters.n_ubatch = _SEQUENCE_TOKENS
        parameters.n_seq_max = _SEQUENCES
        # Each sequence looks at itself alone, and the end of each can be replaced.
        parameters.kv_unified = False
        parameters.swa_full = True
        self._handle = model.new_context(parameters, threads)
        self._batch = llama_cpp.llama_batch_init(_SEQUENCE_TOKENS, 0, 1)
        self._memory = llama_cpp.llama_get_memory(self._handle)
        self._vocabulary_size: int = llama_cpp.llama_vocab_n_tokens(model.vocabulary)
        self._alone = model.tokens(_ALONE)
        self._before = model.tokens(_BEFORE)
        self._after = model.tokens(_AFTER, is_whole=False)
        self._free = [*range(_SEQUENCES)]
        self._kept: dict[int, list[int]] = {}
        """Number of a sequence -> its frame, which is there; oldest first."""
        self.computed = 0
        """Tokens that were computed so far."""

    def ratios(self, question: str, passages: Sequence[tuple[str, int]]) -> list[float]:
        """How much likelier each passage makes the question, in nats.

        That is the sum over the tokens of the question after the first one, each within its
        limits. A passage is its text and the position in it where its best line begins. The first
        line above that is its label.
        """
        asked = self._model.tokens(f" {question.strip()}", is_whole=False)[:QUESTION_TOKENS]
        frames = [self._alone, *(self.frame(text, best) for text, best in passages)]
        groups = group_by_size(
            frames,
            lambda frame: len(frame) + len(asked),
            max_size=_SEQUENCE_TOKENS,
            max_items=max(1, min(_SEQUENCES, QUESTION_TOKENS // len(asked))),
        )
        alone, *others = (values for group in groups for values in self._compute(group, asked))
        limited = (np.clip(values - alone, _LEAST_NATS, _MOST_NATS) for values in others)
        # The first token tells how a question begins, and not what it is about.
        first = min(1, len(asked) - 1)
        return [float(nats[first:].sum()) for nats in limited]

    def frame(self, text: str, best: int) -> list[int]:
        """The tokens before a question about a passage."""
        label, line_end, ahead = text[:best].partition("\n")
        passage = [
            *self._model.tokens(label + line_end, is_whole=False)[:LABEL_TOKENS],
            *self._model.tokens(ahead, is_whole=False)[-AHEAD_TOKENS:],
            *self._model.tokens(text[best:], is_whole=False)[:LINE_TOKENS],
        ]
        return [*self._before, *passage, *self._after]

    def _compute(self, frames: Sequence[list[int]], asked: list[int]) -> list[Any]:
        """Log-probabilities of the tokens of a question after each of some frames.

        The frames fit into one batch.
        """
        sequences = [self._place(frame) for frame in frames]
        at = 0
        for sequence in sequences:
            # The last token of a frame tells the first one of the question.
            tokens = [*sequence.frame, *asked[:-1]]
            first = len(sequence.frame) - 1
            for position in range(sequence.at, len(tokens)):
                self._batch.token[at] = tokens[position]
                self._batch.pos[at] = position
                self._batch.n_seq_id[at] = 1
                self._batch.seq_id[at][0] = sequence.number
                self._batch.logits[at] = position >= first
                at += 1
        self._batch.n_tokens = at
        status = llama_cpp.llama_decode(self._handle, self._batch)
        if status:
            llama_cpp.llama_memory_clear(self._memory, True)
            self._kept.clear()
            self._free = [*range(_SEQUENCES)]
            raise RuntimeError(msg("The language helper failed (error {status})", status=status))
        self.computed += at
        self._kept |= {sequence.number: sequence.frame for sequence in sequences}
        pointer = llama_cpp.llama_get_logits(self._handle)
        shape = (len(sequences), len(asked), self._vocabulary_size)
        logits = np.ctypeslib.as_array(pointer, shape=shape)
        return [_log_probabilities(rows, asked) for rows in logits]

    def _place(self, frame: list[int]) -> _Sequence:
        """The sequence that has a frame, otherwise a free one or the oldest."""
        number = next((at for at, kept in self._kept.items() if kept == frame), -1)
        if number >= 0:
            # Its last token is computed once more, with the question.
            del self._kept[number]
            present = len(frame) - 1
        else:
            if not self._free:
                oldest = next(iter(self._kept))
                del self._kept[oldest]
                self._free.append(oldest)
            number = self._free.pop()
            present = 0
        llama_cpp.llama_memory_seq_rm(self._memory, number, present, -1)
        return _Sequence(number, frame, present)


def _log_probabilities(logits: Any, tokens: list[int]) -> Any:
    """The log-probability of each token; logits are float32[tokens, vocabulary]."""
    values: list[float] = []
    # Row by row, since a copy of all of them would take as much memory again.
    for row, token in zip(logits, tokens, strict=True):
        highest = float(row.max())
        mass = float(np.exp(row - highest).sum(dtype=np.float64))
        values.append(float(row[token]) - highest - float(np.log(mass)))
    return np.array(values)
