"""The type of vectors."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Vector: TypeAlias = npt.NDArray[np.float32]
"""One embedding: float32[dimensions], of length one or zero."""


def normalize(vector: npt.ArrayLike) -> Vector:
    """float32[dimensions] of length one, non-finite values 0. A zero vector stays zero."""
    # In double precision, where squares of single numbers neither overflow nor vanish.
    wide = np.nan_to_num(np.asarray(vector, dtype=np.float64), nan=0.0, posinf=0.0, neginf=0.0)
    length = float(np.linalg.norm(wide))
    return (wide / length if length > 0 else wide).astype(np.float32)
