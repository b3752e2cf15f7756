"""Normalised vectors."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.records.vectors import normalize


@given(st.lists(st.floats(width=32), min_size=1, max_size=50))
def test_a_vector_has_length_one_or_is_zero(values: list[float]) -> None:
    vector = normalize(values)
    assert vector.dtype == np.float32
    assert np.isfinite(vector).all()
    length = float(np.linalg.norm(vector.astype(np.float64)))
    if any(value and math.isfinite(value) for value in values):
        assert length == pytest.approx(1, abs=1e-3)
    else:
        assert length == 0


def test_what_is_no_number_counts_nothing() -> None:
    assert normalize([3, math.nan, 4, math.inf]).tolist() == pytest.approx([0.6, 0, 0.8, 0])
