"""What a query means to a model, once more in English where the model knows nothing else."""

from __future__ import annotations

import re
from dataclasses import dataclass

from scrubjay.vectors import Vector

_ENGLISH_ONLY = re.compile(
    r"all-minilm|all-mpnet|multi-qa|bge-(?:small|base|large)-en|nomic-embed-text-v1|snowflake",
    re.IGNORECASE,
)
"""Names of models that were trained on English, from their model cards."""

_SPANISH = re.compile(r"\b(?:de|la|que|el|en|los|las|para|con|una|por|del|se|no|es)\b", re.I)
_ENGLISH = re.compile(r"\b(?:the|of|and|to|is|in|for|with|on|that|was|not|it|at|are)\b", re.I)


@dataclass(frozen=True, slots=True)
class QueryMeaning:
    """Vectors of a query."""

    vector: Vector
    english: Vector | None = None
    """Of the gloss of a Spanish query, for comparing with what is not Spanish."""

    def compared_with(self, text: str) -> Vector:
        """The vector that says more about a text."""
        return self.vector if self.english is None or looks_spanish(text) else self.english


def knows_english_only(model: str) -> bool:
    """True for a model to which a Spanish question is mere spelling."""
    return bool(_ENGLISH_ONLY.search(model))


def looks_spanish(text: str) -> bool:
    """True when the small words of a text are Spanish rather than English."""
    return len(_SPANISH.findall(text)) > len(_ENGLISH.findall(text))
