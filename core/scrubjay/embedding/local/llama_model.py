"""An embedding model in llama.cpp, through its C interface. Only the child process imports this.

The high-level class of llama-cpp-python owns one context a model; two contexts over one set of
weights need the C interface. A user waits while this module is imported. It therefore does not use
numpy, which would not save time compared with the model's work, and uses only the C interface of
llama-cpp-python.

The `__init__` of that package brings chat templates, a disk cache and numpy: two thirds of the time
that the process took to start. The module with the C interface needs none of them, so it is
imported while an empty package stands in for the real one.
"""

from __future__ import annotations

import ctypes
import importlib.util
import math
import sys
from array import array
from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

from scrubjay.messages import msg
from scrubjay.text.grouping import group_by_size

_spec = None
if "llama_cpp" not in sys.modules:
    _spec = importlib.util.find_spec("llama_cpp")
if _spec:
    sys.modules["llama_cpp"] = importlib.util.module_from_spec(_spec)
    import llama_cpp.llama_cpp as llama_cpp

    del sys.modules["llama_cpp"]
else:
    # It was imported whole, or it is not here, which this says.
    import llama_cpp.llama_cpp as llama_cpp

__all__ = ["Embeddings", "LlamaContext", "LlamaModel", "llama_cpp"]

Embeddings: TypeAlias = "array[float]"
"""Rows of length one, one for each text: float32 of shape (texts * dimensions,)."""

_ALL_LAYERS = -1
_MAX_CONTEXT = 2_048
"""Tokens of a text at most, where the settings name none."""
_MAX_SEQUENCES = 32
"""Texts of one batch at most."""
_PACKED_TOKENS = 256
"""Tokens up to which short texts share a batch: in a larger one each looks at all others in
vain."""

_ERROR_LEVEL = 4
"""GGML_LOG_LEVEL_ERROR of ggml.h."""

_errors: list[str] = []


@llama_cpp.llama_log_callback  # type: ignore[untyped-decorator]
def _remember_error(level: int, text: bytes, _data: ctypes.c_void_p) -> None:
    if level == _ERROR_LEVEL:
        _errors.append(text.decode("utf-8", "replace").strip())


llama_cpp.llama_log_set(_remember_error, ctypes.c_void_p(0))


class LlamaModel:
    """The weights, shared by all contexts."""

    def __init__(self, path: str, context_tokens: int, gpu_layers: int | None = None) -> None:
        """Context_tokens 0: as many as the model was trained for; gpu_layers None: all."""
        llama_cpp.llama_backend_init()
        parameters = llama_cpp.llama_model_default_params()
        parameters.n_gpu_layers = 0
        if llama_cpp.llama_supports_gpu_offload():
            parameters.n_gpu_layers = _ALL_LAYERS if gpu_layers is None else gpu_layers
        self.handle = llama_cpp.llama_model_load_from_file(path.encode(), parameters)
        if not self.handle:
            raise ValueError(_errors[-1] if _errors else msg("Scrubjay cannot read this file"))
        trained = llama_cpp.llama_model_n_ctx_train(self.handle)
        self.context_tokens = min(trained, context_tokens or _MAX_CONTEXT)
        self.dimensions: int = llama_cpp.llama_model_n_embd(self.handle)
        self.vocabulary = llama_cpp.llama_model_get_vocab(self.handle)

    def tokens(self, text: str, *, is_whole: bool = True) -> list[int]:
        """Token ids; of a whole text with the special ones that the model was trained with."""
        # No more tokens than bytes, and some for the special ones.
        data = text.encode("utf-8", "replace")
        room = len(data) + 16
        buffer = (llama_cpp.llama_token * room)()
        count = llama_cpp.llama_tokenize(
            self.vocabulary, data, len(data), buffer, room, is_whole, False
        )
        return list(buffer[:count])

    def new_context(self, parameters: Any, threads: int) -> Any:
        """A handle to compute with, by llama.cpp's parameters of a context. Raises MemoryError."""
        parameters.n_threads = threads
        parameters.n_threads_batch = threads
        parameters.no_perf = True
        handle = llama_cpp.llama_init_from_model(self.handle, parameters)
        if not handle:
            raise MemoryError(
                msg("This computer does not have enough free memory for the language helper")
            )
        return handle

    def is_special(self, token: int) -> bool:
        """True for a token that stands for no text, such as the end."""
        return bool(llama_cpp.llama_vocab_is_control(self.vocabulary, token))

    def knows(self, tokens: Sequence[int]) -> bool:
        """False for a text of which the vocabulary lacks so much that its vector says nothing."""
        words = [token for token in tokens if not self.is_special(token)]
        unknown = sum(
            1
            for token in words
            if llama_cpp.llama_vocab_get_attr(self.vocabulary, token)
            & llama_cpp.LLAMA_TOKEN_ATTR_UNKNOWN
        )
        return unknown <= _MOST_UNKNOWN * len(words)


class LlamaContext:
    """Computes embeddings, for one thread at a time."""

    def __init__(self, model: LlamaModel, threads: int) -> None:
        self._model = model
        self._limit = model.context_tokens
        parameters = llama_cpp.llama_context_default_params()
        batch = max(self._limit, _PACKED_TOKENS)
        # Embeddings need a whole sequence in one piece.
        parameters.n_ctx = batch
        parameters.n_batch = batch
        parameters.n_ubatch = batch
        parameters.n_seq_max = _MAX_SEQUENCES
        parameters.kv_unified = True
        parameters.embeddings = True
        self._handle = model.new_context(parameters, threads)
        self._batch = llama_cpp.llama_batch_init(batch, 0, _MAX_SEQUENCES)
        for position in range(batch):
            # Every token belongs to one text, and takes part in its vector.
            self._batch.n_seq_id[position] = 1
            self._batch.logits[position] = 1
        self._memory = llama_cpp.llama_get_memory(self._handle)

    def embed(self, texts: Sequence[str]) -> Embeddings:
        """One row for each text, zeros for one that the model does not know.

        A text beyond the model's limit is the mean of its pieces.
        """
        # Each piece with the number of its text; several short ones are computed at once.
        pieces: list[tuple[int, list[int]]] = []
        for row, text in enumerate(texts):
            tokens = self._model.tokens(text)
            if self._model.knows(tokens):
                pieces += [(row, piece) for piece in self.pieces(tokens)]
        parts: list[list[_Weighted]] = [[] for _ in texts]
        batches = group_by_size(
            pieces, lambda piece: len(piece[1]), max_size=_PACKED_TOKENS, max_items=_MAX_SEQUENCES
        )
        for batch in batches:
            for (row, tokens), vector in zip(batch, self._compute(batch), strict=True):
                parts[row].append((len(tokens), vector))
        rows = array("f")
        nothing = [0.0] * self._model.dimensions
        for weighted in parts:
            rows.extend(_mean(weighted) if weighted else nothing)
        return rows

    def pieces(self, tokens: list[int]) -> list[list[int]]:
        """Tokens of a text in pieces that fit the context, special tokens around each."""
        if len(tokens) <= self._limit:
            return [tokens]
        # Some families have special tokens at one end only.
        head = tokens[:1] if self._model.is_special(tokens[0]) else []
        tail = tokens[-1:] if self._model.is_special(tokens[-1]) else []
        inner = tokens[len(head) : len(tokens) - len(tail)]
        room = self._limit - len(head) - len(tail)
        parts = -(-len(inner) // room)
        size = -(-len(inner) // parts)
        return [[*head, *inner[at : at + size], *tail] for at in range(0, len(inner), size)]

    def _compute(self, batch: Sequence[tuple[int, list[int]]]) -> Iterator[list[float]]:
        if self._memory:
            llama_cpp.llama_memory_clear(self._memory, True)
        # Every token with its place in its text, and the number of the text.
        at = 0
        for sequence, (_, tokens) in enumerate(batch):
            for position, token in enumerate(tokens):
                self._batch.token[at] = token
                self._batch.pos[at] = position
                self._batch.seq_id[at][0] = sequence
                at += 1
        self._batch.n_tokens = at
        status = llama_cpp.llama_decode(self._handle, self._batch)
        if status:
            raise RuntimeError(msg("The language helper failed (error {status})", status=status))
        for sequence in range(len(batch)):
            pointer = llama_cpp.llama_get_embeddings_seq(self._handle, sequence)
            if not pointer:
                raise RuntimeError(msg("This language helper does not support search by meaning"))
            yield pointer[: self._model.dimensions]


_MOST_UNKNOWN = 1 / 3
"""Share of the tokens of a text that the vocabulary may lack."""

_Weighted: TypeAlias = tuple[int, Sequence[float]]
"""Number of tokens of a piece, and its vector."""


def _mean(parts: Sequence[_Weighted]) -> Sequence[float]:
    """The direction of all pieces together, as a vector of length one; zeros stay zeros."""
    if len(parts) == 1:
        return _unit(parts[0][1])
    # A longer piece says more of what the text is about.
    weighted = [[tokens * value for value in _unit(vector)] for tokens, vector in parts]
    return _unit([sum(values) for values in zip(*weighted, strict=True)])


def _unit(vector: Sequence[float]) -> Sequence[float]:
    length = math.hypot(*vector)
    if not length:
        return vector
    return [value / length for value in vector]
