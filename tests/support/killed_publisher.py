"""A program that publishes an index until it is killed: INDEX PLACE NAME [OPTIONS KEY]."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.records.shared_records import SharedPlace
from scrubjay.store.lancedb.lease import ComputerId
from scrubjay.store.lancedb.publisher import Publisher
from scrubjay.store.lancedb.publishing_limits import PublishingLimits
from scrubjay.store.lancedb.shared_store import SharedStore, StoreAccess
from scrubjay.store.local_index_export import LocalIndexExport

if __name__ == "__main__":
    index, uri, name, options, key = [*sys.argv[1:], "{}", ""][:5]
    # Who was killed before is not waited for.
    limits = PublishingLimits(lease_seconds=0.0, batch_chunks=8)
    store = SharedStore(
        SharedPlace.of(uri, json.loads(options)), StoreAccess(key=lambda _: key), 60
    )
    own = Publisher(store, "notes", title="Notes", computer=ComputerId(name, name), limits=limits)
    reader = LocalIndexExport.open(Path(index))
    assert reader is not None
    print("ready", flush=True)
    own.publish(reader, CancelToken())
    print("done", flush=True)
