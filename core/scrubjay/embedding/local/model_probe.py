"""Tries a model file with one sentence, in a child process, because native code may crash on it."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.embedding.local.local_provider import LocalProvider
from scrubjay.errors import ProviderUnavailable

_SENTENCE = "The jay hides acorns and finds them again."
_CONTEXT = 128
"""Enough for the sentence, and little memory."""


def probe(file: Path, cancel: CancelToken) -> int:
    """Length of the vector that a model file gives. Raises ProviderUnavailable or Cancelled."""
    provider = LocalProvider(file, context=_CONTEXT, threads=1)
    try:
        with cancel.calling(provider.close):
            vector = provider.embed_query(_SENTENCE)
    finally:
        provider.close()
    if not vector.any() or not np.isfinite(vector).all():
        raise ProviderUnavailable("The model computes nothing", "Its vectors are empty.")
    return len(vector)
