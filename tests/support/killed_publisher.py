"""A program that publishes an index until it is killed: INDEX PLACE NAME [OPTIONS KEY]."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.records.shared_records import SharedPlace
from scrubjay.store.lancedb import lease, publisher
from scrubjay.store.lancedb.shared_store import SharedStore, StoreAccess
from scrubjay.store.local_index_export import LocalIndexExport

if __name__ == "__main__":
    index, uri, name, options, key = [*sys.argv[1:], "{}", ""][:5]
    lease.LEASE_SECONDS = 0.0  # who was killed before is not waited for
    publisher.BATCH_CHUNKS = 8
    store = SharedStore(
        SharedPlace.of(uri, json.loads(options)), StoreAccess(key=lambda _: key), 60
    )
    own = publisher.Publisher(store, "notes", "Notes", lease.ComputerId(name, name))
    reader = LocalIndexExport.open(Path(index))
    assert reader is not None
    print("ready", flush=True)
    own.publish(reader, CancelToken())
    print("done", flush=True)
