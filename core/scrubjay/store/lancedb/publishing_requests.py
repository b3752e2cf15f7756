"""Requests for publications, and the answers of the child process that makes them."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from scrubjay.records.engine_limits import EngineLimits
from scrubjay.records.shared_records import SharedPlace, SharedRecord
from scrubjay.store.lancedb.lease import ComputerId


class PublisherAt(Struct, frozen=True):
    """A workspace of a shared memory, and who publishes it."""

    place: SharedPlace
    key: str
    """Key of the storage; empty for none."""
    is_local_only: bool
    """Whether nothing may leave this computer."""
    limits: EngineLimits
    name: str
    title: str
    computer: ComputerId


class PublishingRequest(Struct, frozen=True, tag="publishing"):
    """A request for a step of a publication."""

    at: PublisherAt
    step: Literal["look", "begin", "publish", "withdraw"]
    # What follows is for the step "publish" only.
    index_file: str = ""
    is_wanted: bool = False
    is_first: bool = False
    starts_over: bool = False


class PublishingAnswer(Struct, frozen=True):
    """What a step came to."""

    is_done: bool
    """Whether no other computer publishes the workspace."""
    record: SharedRecord | None
    """Record of the workspace; None if nothing was published."""
    left_overs: int = 0
    """Number of tables that are no longer needed; only a look counts them."""
