"""Large backfills by a provider's batch interface, across restarts.

A batch is noted in the index before it is sent and its id as soon as that is known, so that it is
never paid twice: one that was begun by a program that has ended since is found again by its label.
"""

from __future__ import annotations

import base64
import json
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import chain, islice

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.embedding.embedding_input import EmbeddingInput
from scrubjay.embedding.remote.batch_jobs import BatchFailed, BatchJobs, BatchProgress
from scrubjay.errors import ProviderUnavailable
from scrubjay.messages import msg
from scrubjay.store.rows import Generation
from scrubjay.store.writer import Writer

WORTH_IT = 64
"""Texts below which single requests are quicker and cost nearly the same."""

_NOTE = "batch:"
"""With a label: key of the note about a batch."""
_HASH_BYTES = 32
_READ_AT_ONCE = 256
_SETTLING_S = 60.0
"""A batch that began just now may not be on the provider's list yet."""
_FORGOTTEN_S = 30 * 24 * 3600.0
"""Providers delete the results of a batch within a month."""


class BatchesUnderWay(ProviderUnavailable):
    """Batches are not done yet, and a later pass takes their vectors."""

    def __init__(self, texts: int) -> None:
        """Texts is the number of texts under way."""
        super().__init__(
            msg("Search by meaning waits for a batch"),
            msg(
                "{n} parts of the notes are in it, and are found by their words meanwhile.", n=texts
            ),
        )
        self.texts = texts


@dataclass(slots=True)
class _Batch:
    """One batch, as the index remembers it."""

    label: str
    identity: str
    hashes: list[bytes]
    """Of the texts, in the order they were sent in."""
    began: float
    """On the clock of the wall, since it outlives the program."""
    id: str = ""
    """The provider's name for it; empty until its answer came."""

    @classmethod
    def from_json(cls, key: str, value: str) -> _Batch:
        record = json.loads(value)
        data = base64.b64decode(record["hashes"])
        hashes = [data[at : at + _HASH_BYTES] for at in range(0, len(data), _HASH_BYTES)]
        label = key.removeprefix(_NOTE)
        return cls(label, record["identity"], hashes, record["began"], record["id"])

    def to_json(self) -> str:
        hashes = base64.b64encode(b"".join(self.hashes)).decode()
        record = {"identity": self.identity, "began": self.began, "id": self.id, "hashes": hashes}
        return json.dumps(record)


@dataclass(slots=True)
class BatchApiBackfill:
    """Embeds missing texts in batches, in one pass over an index."""

    writer: Writer
    generation: Generation
    jobs: BatchJobs
    cancel: CancelToken
    report: Callable[[int, int], None] = lambda _done, _total: None
    """Called with (texts done, all texts)."""
    should_yield: Callable[[], bool] = lambda: False
    """True when another pass waits for the thread, which must not stay for hours."""
    on_idle: Callable[[], None] = lambda: None
    """Called before each request for the state of the batches."""
    embedded: int = 0
    """Texts that got their vectors."""
    _under_way: list[_Batch] = field(default_factory=list)
    _progress: dict[str, int] = field(default_factory=dict)
    _total: int = 0

    def run(self) -> frozenset[bytes]:
        """Store the vectors of earlier batches and begin new ones; hashes that are still under way.

        All other missing texts are for single requests. Raises Cancelled or
        ProviderUnavailable; batches go on meanwhile and the next pass finds them.
        """
        self._under_way = self._resumed()
        self._take_finished()
        missing = self.writer.vectors.missing(self.generation)
        media = {key for key, *_ in self.writer.media_of(missing)}
        self._total = self.embedded + len(missing)
        groups = self._groups(missing, media)
        while True:
            self._begin(groups)
            if not self._under_way or not self.jobs.settings.wait or self.should_yield():
                return self._hashes_under_way()
            self.cancel.wait(self.jobs.settings.poll_interval_ms / 1000)
            self.on_idle()
            self._take_finished()

    def _resumed(self) -> list[_Batch]:
        """Batches of an earlier pass or program that are under way."""
        batches = [
            _Batch.from_json(key, value) for key, value in self.writer.metadata.notes(_NOTE).items()
        ]
        return [batch for batch in batches if self._is_resumed(batch)]

    def _is_resumed(self, batch: _Batch) -> bool:
        if batch.identity != self.generation.identity:
            if time.time() - batch.began > _FORGOTTEN_S:
                self._drop(batch)
            return False
        if not batch.id:
            if self.jobs.disabled_reason:
                return False  # it can wait for a run in which batches work
            batch.id = self._find_id(batch)
            if not batch.id:
                self._drop(batch)  # it never began
                return False
            self._note(batch)
        if self.writer.vectors.lacking(self.generation, batch.hashes):
            return True
        self.jobs.cancel(batch.id)
        self._drop(batch)
        self.jobs.delete(batch.id)
        return False

    def _find_id(self, batch: _Batch) -> str:
        """Id of a batch whose answer never came; empty when it did not begin."""
        try:
            batch_id = self.jobs.find(batch.label)
            if not batch_id and time.time() - batch.began < _SETTLING_S:
                self.cancel.wait(self.jobs.settings.poll_interval_ms / 1000)
                batch_id = self.jobs.find(batch.label)
        except ProviderUnavailable as error:
            self.jobs.count_failure(str(error))
            raise
        return batch_id

    def _groups(
        self, missing: list[int], media: set[bytes]
    ) -> Iterator[dict[bytes, EmbeddingInput]]:
        excluded = self._hashes_under_way() | media
        waiting = (item for item in self._texts(missing) if item[0] not in excluded)
        first = list(islice(waiting, WORTH_IT))
        if len(first) < WORTH_IT:
            return
        yield from self.jobs.groups(chain(first, waiting))

    def _begin(self, groups: Iterator[dict[bytes, EmbeddingInput]]) -> None:
        """Send batches until enough are under way."""
        while (
            len(self._under_way) < self.jobs.settings.concurrency and not self.jobs.disabled_reason
        ):
            self.cancel.check()
            group = next(groups, None)
            if group is None:
                return
            label = uuid.uuid4().hex
            batch = _Batch(label, self.generation.identity, list(group), time.time())
            self._note(batch)
            try:
                batch.id = self.jobs.submit(label, list(group.values()))
            except BatchFailed as failure:
                self.jobs.count_failure(str(failure))
                if not failure.may_have_begun:
                    self._drop(batch)
                continue
            self._note(batch)
            self._under_way.append(batch)

    def _take_finished(self) -> None:
        for batch in list(self._under_way):
            self.cancel.check()
            try:
                self._look(batch)
            except BatchFailed as failure:
                self._end(batch, str(failure))
        self.report(self.embedded + sum(self._progress.values()), self._total)

    def _look(self, batch: _Batch) -> None:
        progress = self.jobs.progress(batch.id)
        self._progress[batch.label] = progress.done
        minutes = self.jobs.settings.timeout_minutes
        if not progress.is_over and time.time() - batch.began > minutes * 60:
            self.jobs.cancel(batch.id)
            trouble = msg("A batch was not done after {minutes} minutes.", minutes=minutes)
            progress = BatchProgress(0, True, trouble)
        if progress.is_over:
            took = self._take(batch)
            nothing = "" if took else msg("A batch brought no vectors.")
            self._end(batch, progress.trouble or nothing)

    def _take(self, batch: _Batch) -> int:
        """Store the vectors that came; how many."""
        rows = self.jobs.vectors(batch.id)
        took = 0
        while some := list(islice(rows, _READ_AT_ONCE)):
            self.cancel.check()
            vectors = {
                batch.hashes[place]: vector
                for place, vector in some
                if 0 <= place < len(batch.hashes)
            }
            with self.writer.transaction():
                self.writer.vectors.add(self.generation, vectors)
            took += len(vectors)
        self.embedded += took
        return took

    def _end(self, batch: _Batch, trouble: str) -> None:
        """Nothing more comes from a batch."""
        self._under_way.remove(batch)
        self._progress.pop(batch.label, None)
        self._drop(batch)
        self.jobs.delete(batch.id)
        if trouble:
            self.jobs.count_failure(trouble)

    def _hashes_under_way(self) -> frozenset[bytes]:
        return frozenset(key for batch in self._under_way for key in batch.hashes)

    def _texts(self, chunks: list[int]) -> Iterator[tuple[bytes, EmbeddingInput]]:
        """Texts by their hash, read as they are needed."""
        for at in range(0, len(chunks), _READ_AT_ONCE):
            for key, title, text in self.writer.texts(chunks[at : at + _READ_AT_ONCE]):
                yield key, EmbeddingInput(title, text)

    def _note(self, batch: _Batch) -> None:
        with self.writer.transaction():
            self.writer.note(f"{_NOTE}{batch.label}", batch.to_json())

    def _drop(self, batch: _Batch) -> None:
        with self.writer.transaction():
            self.writer.note(f"{_NOTE}{batch.label}", "")
