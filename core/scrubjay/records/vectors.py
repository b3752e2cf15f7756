"""The type of vectors, and the size of their sign bits."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

# As text, since importing numpy takes longer than a search by words, which has no vectors.
Vector: TypeAlias = "npt.NDArray[np.float32]"
"""One embedding: float32[dimensions], of length one or zero."""

WORD_BYTES = 8
"""Bytes of an unsigned 64-bit word, the unit in which signs are compared."""


def binary_width(dimensions: int) -> int:
    """Bytes of one binary vector."""
    return -(-dimensions // (8 * WORD_BYTES)) * WORD_BYTES


def normalize(vector: npt.ArrayLike) -> Vector:
    """float32[dimensions] of length one, non-finite values 0. A zero vector stays zero."""
    import numpy as np

    # In double precision, where squares of single numbers neither overflow nor vanish.
    wide = np.nan_to_num(np.asarray(vector, dtype=np.float64), nan=0.0, posinf=0.0, neginf=0.0)
    length = float(np.linalg.norm(wide))
    if length > 0:
        wide = wide / length
    return wide.astype(np.float32)
