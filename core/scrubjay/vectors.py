"""What a vector is."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Vector: TypeAlias = npt.NDArray[np.float32]
"""One embedding: float32, length one or zero."""


def normalized(vector: npt.ArrayLike) -> Vector:
    """Length one, non-finite values 0. A zero vector stays zero."""
    clean = np.nan_to_num(np.asarray(vector, dtype=np.float32), nan=0.0, posinf=0.0, neginf=0.0)
    length = float(np.linalg.norm(clean))
    return clean / np.float32(length) if length > 0 else clean
