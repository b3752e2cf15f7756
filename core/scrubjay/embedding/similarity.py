"""Similarity of short texts: by the model on this computer, or by their words."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from scrubjay.embedding.embedding_input import EmbeddingInput
from scrubjay.embedding.provider import EmbeddingProvider
from scrubjay.errors import ProviderUnavailable
from scrubjay.records.vectors import Vector
from scrubjay.text.tokenizer import fold

_WORD = re.compile(r"\w+")
_BATCH = 32


class TextSimilarity:
    """Compares texts. Not for the GUI thread, because the model may have to start."""

    def __init__(self, provider: Callable[[], EmbeddingProvider]) -> None:
        self._provider = provider

    def of(self, text: str, others: Sequence[str]) -> list[float]:
        """Similarity with each of the others, 0 to 1. Providers on other computers are not used."""
        if not others:
            return []
        # Words tell little of short texts, but something where there is no model.
        by_words = [word_overlap(text, other) for other in others]
        # The first vector is that of the text itself.
        vectors: list[Vector] = []
        try:
            provider = self._provider()
            if not provider.is_local:
                return by_words
            inputs = [EmbeddingInput("", each) for each in (text, *others)]
            for at in range(0, len(inputs), _BATCH):
                vectors += provider.embed_documents(inputs[at : at + _BATCH])
        except ProviderUnavailable:
            return by_words
        by_meaning = [float(vectors[0] @ vector) for vector in vectors[1:]]
        return [min(1.0, max(0.0, *both)) for both in zip(by_words, by_meaning, strict=True)]


def word_overlap(text: str, other: str) -> float:
    """Jaccard similarity of the words, 0 to 1; 1 for texts that differ in nothing else."""
    first = {*_WORD.findall(fold(text))}
    second = {*_WORD.findall(fold(other))}
    union = first | second
    if not union:
        return 0.0
    return len(first & second) / len(union)
