"""Times and sizes by which a publisher decides; tests hand in others."""

from __future__ import annotations

import datetime as dt

from msgspec import Struct


class PublishingLimits(Struct, frozen=True):
    """Times after which a publisher takes over from another one, or maintains its tables."""

    lease_seconds: float = 30.0
    """Seconds without a beat after which a publisher is taken to have stopped."""
    beat_seconds: float = 5.0
    """Seconds between two beats of a lease."""
    few_documents: int = 200
    """Changed documents whose stems are counted one by one; for more, all stems are."""
    batch_chunks: int = 2_000
    """Chunks in one commit, some ten megabytes: a lost batch is soon written again."""
    kept: dt.timedelta = dt.timedelta(hours=1)
    """How long former versions stay, for searches and publications that began with them."""
    many_rows: int = 500
    """Rows that the indexes lack before they are taken in, if they are also more than
    `rows_share`. A search by words looks through a hundred of them in a millisecond."""
    rows_share: float = 0.002
    """Share of all rows that the indexes lack before they are taken in."""
    many_fragments: int = 40
    """Files of few rows, one for each commit, before they are joined."""
    indexed_vectors: int = 20_000
    """Vectors from which on they get an index; fewer are all compared."""


DEFAULT_LIMITS = PublishingLimits()
"""Limits of the app."""
