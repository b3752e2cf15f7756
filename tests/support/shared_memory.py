"""Folders of notes that are published, and the readers of what was."""

from __future__ import annotations

import contextlib
from pathlib import Path

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.io_timeout import IoBudget
from scrubjay.engine.engine import Engine
from scrubjay.errors import SharedUnavailable
from scrubjay.platform.paths import Paths
from scrubjay.records.engine_limits import EngineLimits
from scrubjay.records.note_records import Workspace
from scrubjay.records.search_modes import Mode
from scrubjay.records.search_records import Hit, SearchRequest
from scrubjay.records.shared_records import SharedAddress, SharedPlace
from scrubjay.search.collection_search import Collection
from scrubjay.search.searcher import Searcher
from scrubjay.store.index_records import Filters
from scrubjay.store.lancedb.lease import ComputerId
from scrubjay.store.lancedb.publisher import Publisher
from scrubjay.store.lancedb.publishing_limits import DEFAULT_LIMITS, PublishingLimits
from scrubjay.store.lancedb.shared_reader import SharedReader, SharedView, View
from scrubjay.store.lancedb.shared_store import SharedStore, StoreAccess
from scrubjay.store.lancedb.table_reads import Tables
from scrubjay.store.local_index_export import LocalIndexExport
from scrubjay.store.protocol import IndexAddress, IndexReader
from scrubjay.store.reader import Reader, open_local_index
from support.object_storage import KEY
from support.providers import WordProvider
from support.vault import TIMEOUT, add

NAME = "notes"
USUAL_LIMITS = EngineLimits()


class Sharer:
    """A computer that publishes one folder."""

    def __init__(
        self,
        engine: Engine,
        paths: Paths,
        root: Path,
        place: SharedPlace,
        name: str = "one",
        *,
        seconds: float = TIMEOUT,
        limits: PublishingLimits = DEFAULT_LIMITS,
    ) -> None:
        self.engine, self.paths = engine, paths
        self.workspace: Workspace = add(engine, root)
        self.file = paths.indexes / f"{self.workspace.id}.sqlite"
        self.store = SharedStore(place, StoreAccess(key=lambda _place: KEY), seconds)
        self.publisher = Publisher(
            self.store, NAME, title="Notes", computer=ComputerId(name, name), limits=limits
        )
        self.publisher.begin()

    def publish(self, *, is_wanted: bool = True) -> bool:
        """Read the folder and publish what is there."""
        self.engine.refresh(self.workspace).result(TIMEOUT)
        return self.publish_index(is_wanted=is_wanted)

    def publish_index(self, *, is_wanted: bool = True) -> bool:
        """Publish what the index has."""
        index = LocalIndexExport.open(self.file)
        assert index is not None
        with contextlib.closing(index):
            return self.publisher.publish(index, CancelToken(), is_wanted=is_wanted)


class Asker:
    """Searches a shared workspace, as a computer without the folder does."""

    def __init__(
        self,
        engine: Engine,
        place: SharedPlace,
        *,
        name: str = NAME,
        seconds: float = TIMEOUT,
        limits: EngineLimits = USUAL_LIMITS,
        tables: Tables | None = None,
    ) -> None:
        access = StoreAccess(key=lambda _place: KEY, limits=limits)
        self.view = SharedView(SharedStore(place, access, seconds, tables=tables), name)
        self.address = SharedAddress(place, name)
        self._settings = engine.settings.settings.memory_search
        self._searcher = Searcher(lambda _identity: WordProvider(), opened=self._opened)
        self._local = Workspace("local", "local", Path("/nowhere"))

    def reader(self) -> SharedReader:
        """A reader of what is published now."""
        reader = SharedReader.open(self.view)
        assert reader is not None
        self.view.forget()
        assert reader.refresh()
        return reader

    def hits(self, text: str, mode: Mode = Mode.HYBRID, **fields: object) -> tuple[Hit, ...]:
        """What is found in the shared workspace now."""
        self.view.forget()
        self._searcher.forget(self.address)
        return self._search(self.address, text, mode, **fields)

    def local_hits(self, file: Path, text: str, mode: Mode, **fields: object) -> tuple[Hit, ...]:
        """What is found in an index of this computer."""
        return self._search(file, text, mode, **fields)

    def paths(self, text: str, mode: Mode = Mode.LEXICAL) -> list[str]:
        """Paths of the notes that are found, best first."""
        return list(dict.fromkeys(hit.path for hit in self.hits(text, mode)))

    def current(self) -> View:
        """The tables as they are now, with what of them turned out to be damaged."""
        view = self.view.current(IoBudget(TIMEOUT))
        assert view is not None
        return view

    def has_all_of(self, own: Sharer) -> bool:
        """Whether all that is found is what a computer has: documents, passages and words."""
        index = LocalIndexExport.open(own.file)
        assert index is not None
        there, here = self.reader(), Reader.open(own.file)
        with contextlib.closing(here), contextlib.closing(index):
            texts = [
                {(chunk.path, chunk.text) for chunk in reader.first_chunks(Filters(), 500)}
                for reader in (there, here)
            ]
            counts = dict(index.vocabulary())
            is_same = texts[0] == texts[1] and there.stem_counts([*counts]) == counts
            return is_same and there.chunk_count() == here.chunk_count()

    def is_answered(self) -> bool:
        """Whether the storage answers, and the note of the garden is found."""
        try:
            return self.paths("tomatoes") == ["garden.md"]
        except SharedUnavailable:
            return False

    def close(self) -> None:
        """Close the readers."""
        self._searcher.close()

    def _search(
        self, place: IndexAddress, text: str, mode: Mode, **fields: object
    ) -> tuple[Hit, ...]:
        request = SearchRequest(text, mode=mode, **fields)  # type: ignore[arg-type]
        collection = Collection(self._local, place, self._settings)
        return self._searcher.search(request, [collection], CancelToken()).hits

    def _opened(self, place: IndexAddress) -> IndexReader | None:
        return SharedReader.open(self.view) if place == self.address else open_local_index(place)
