"""Publications that the child process makes for the app.

Others may have written to the tables of a publisher as well, so the app never opens them itself.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.errors import IndexUnavailable
from scrubjay.messages import msg
from scrubjay.store.lancedb import table_maintenance
from scrubjay.store.lancedb.lancedb_library import load_lancedb
from scrubjay.store.lancedb.publisher import Publisher
from scrubjay.store.lancedb.publishing_requests import (
    PublisherAt,
    PublishingAnswer,
    PublishingRequest,
)
from scrubjay.store.lancedb.shared_store import (
    WRITE_SECONDS,
    SharedStore,
    StoreAccess,
    shared_record,
)
from scrubjay.store.local_index_export import LocalIndexExport


class PublishingWorker:
    """The publishers of this process. For one request at a time."""

    def __init__(self) -> None:
        self._publishers: dict[PublisherAt, Publisher] = {}

    def answer(
        self, request: PublishingRequest, cancel: CancelToken, on_pending: Callable[[int], object]
    ) -> PublishingAnswer:
        """The answer to a request. Raises SharedUnavailable, IndexUnavailable or Cancelled."""
        # The limit of time for opening a memory is not meant for the import.
        with contextlib.suppress(ImportError):
            load_lancedb()
        publisher = self._publisher(request.at)
        publisher.store.open()
        match request.step:
            case "look":
                return _looked(publisher.store, request.at.name)
            case "begin":
                publisher.begin()
                is_done = True
            case "withdraw":
                is_done = publisher.withdraw()
            case "publish":
                is_done = _published(publisher, request, cancel, on_pending)
        return PublishingAnswer(is_done, publisher.record)

    def _publisher(self, at: PublisherAt) -> Publisher:
        """The publisher, which remembers what it has published."""
        if at not in self._publishers:
            access = StoreAccess(
                is_local_only=lambda: at.is_local_only, key=lambda _: at.key, limits=at.limits
            )
            self._publishers[at] = Publisher(
                SharedStore(at.place, access, WRITE_SECONDS),
                at.name,
                title=at.title,
                computer=at.computer,
            )
        return self._publishers[at]


def _published(
    publisher: Publisher,
    request: PublishingRequest,
    cancel: CancelToken,
    on_pending: Callable[[int], object],
) -> bool:
    """Whether the index was published, or another computer publishes the workspace."""
    index = LocalIndexExport.open(Path(request.index_file))
    if index is None:
        raise IndexUnavailable(msg("{name} has not been read yet", name=request.at.title))
    with contextlib.closing(index):
        return publisher.publish(
            index,
            cancel,
            on_pending,
            is_wanted=request.is_wanted,
            is_first=request.is_first,
            starts_over=request.starts_over,
        )


def _looked(store: SharedStore, name: str) -> PublishingAnswer:
    """What is published under a name now."""
    row = store.call(lambda: store.workspaces(name)).find(name)
    left = store.call(lambda: table_maintenance.leftover_tables(store, name, row))
    record = shared_record(row) if row else None
    return PublishingAnswer(is_done=True, record=record, left_overs=len(left))
