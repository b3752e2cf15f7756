"""Large backfills through a provider's batch interface, across restarts.

A batch is recorded in the index before it is sent, and its id as soon as it is known, so that it is
never paid for twice. A batch of a program that has ended in the meantime is found by its label.
"""

from __future__ import annotations

import base64
import json
import time
import uuid
from collections.abc import Iterator
from itertools import chain, islice

from msgspec import Struct

from scrubjay.embedding.embedding_input import EmbeddingInput
from scrubjay.embedding.remote.batch_jobs import BatchFailed, BatchJobs, BatchProgress
from scrubjay.errors import ProviderUnavailable
from scrubjay.index.passes import PassContext
from scrubjay.messages import msg
from scrubjay.records.status_records import Progress
from scrubjay.store.index_records import Generation
from scrubjay.store.metadata import BATCH

WORTH_IT = 64
"""Texts below which single requests are quicker and cost nearly the same."""

_HASH_BYTES = 32
"""Bytes of a SHA-256."""
_READ_AT_ONCE = 256
"""Texts, or vectors, that are in memory at once."""
_SETTLING_S = 60.0
"""Seconds in which a batch that began just now may not be on the provider's list yet."""
_FORGOTTEN_S = 30 * 24 * 3600.0
"""Seconds after which a batch is forgotten: providers delete the results within a month."""


class _Batch(Struct):
    """One batch, as the index remembers it."""

    label: str
    identity: str
    hashes: list[bytes]
    """Hashes of the texts, in the order in which they were sent."""
    began: float
    """Time on the wall clock, since it outlives the program."""
    id: str = ""
    """Name that the provider gave it; empty until its answer came."""


class BatchApiBackfill:
    """Embeds missing texts in batches during one pass over an index."""

    def __init__(self, context: PassContext, generation: Generation, jobs: BatchJobs) -> None:
        self._context = context
        self._writer = context.writer
        self._generation = generation
        self._jobs = jobs
        self._under_way: list[_Batch] = []

    def run(self) -> frozenset[bytes]:
        """Store the vectors of earlier batches and begin new ones; return hashes under way.

        All other missing texts are for single requests. Raises Cancelled or
        ProviderUnavailable; batches continue meanwhile and the next pass finds them.
        """
        # Batches of earlier passes first: what they bring need not be sent again.
        self._under_way = [batch for batch in self._noted() if self._is_resumed(batch)]
        self._take_finished()
        missing = self._writer.vectors.missing(self._generation)
        groups = self._groups(missing)
        # While this pass may wait, finished batches make room for the next ones.
        while True:
            self._begin(groups)
            may_wait = self._jobs.settings.wait and not self._context.hooks.should_yield()
            if not self._under_way or not may_wait:
                return self._hashes_under_way()
            self._context.cancel.wait(self._jobs.settings.poll_interval_ms / 1000)
            self._context.hooks.on_idle()
            self._take_finished()

    def _noted(self) -> Iterator[_Batch]:
        """Batches of earlier passes and programs."""
        for key, value in self._writer.metadata.notes(BATCH).items():
            # Hashes have one length, so they are stored one after the other.
            record = json.loads(value)
            data = base64.b64decode(record["hashes"])
            hashes = [data[at : at + _HASH_BYTES] for at in range(0, len(data), _HASH_BYTES)]
            label = key.removeprefix(BATCH)
            yield _Batch(
                label=label,
                identity=record["identity"],
                hashes=hashes,
                began=record["began"],
                id=record["id"],
            )

    def _is_resumed(self, batch: _Batch) -> bool:
        """Whether a batch that was begun earlier is to be followed; others are dropped."""
        if batch.identity != self._generation.identity:
            # It may be for the fallback, whose turn comes again.
            if time.time() - batch.began > _FORGOTTEN_S:
                self._drop(batch)
            return False
        if not batch.id:
            if self._jobs.disabled_reason:
                return False  # it can wait for a run in which batches work
            batch.id = self._found_id(batch)
            if not batch.id:
                self._drop(batch)  # it never began
                return False
            self._note(batch)
        # Its texts may have been embedded by other means, or are no longer in any note.
        if self._writer.vectors.lacking(self._generation, batch.hashes):
            return True
        self._jobs.cancel(batch.id)
        self._drop(batch)
        self._jobs.delete(batch.id)
        return False

    def _found_id(self, batch: _Batch) -> str:
        """The provider's name for a batch whose answer never came; empty if it did not begin."""
        try:
            batch_id = self._jobs.find(batch.label)
            if not batch_id and time.time() - batch.began < _SETTLING_S:
                self._context.cancel.wait(self._jobs.settings.poll_interval_ms / 1000)
                batch_id = self._jobs.find(batch.label)
        except ProviderUnavailable as error:
            self._jobs.count_failure(str(error))
            raise
        return batch_id

    def _groups(self, missing: list[int]) -> Iterator[dict[bytes, EmbeddingInput]]:
        """Groups of texts for one batch each, read as they are needed; none for a few texts."""
        media = {key for key, *_ in self._writer.media_chunks(missing)}
        excluded = self._hashes_under_way() | media
        waiting = (
            (key, EmbeddingInput(title, text))
            for at in range(0, len(missing), _READ_AT_ONCE)
            for key, title, text in self._writer.texts(missing[at : at + _READ_AT_ONCE])
            if key not in excluded
        )
        # For fewer texts than that no batch begins, so the first ones are read to know.
        first = list(islice(waiting, WORTH_IT))
        if len(first) == WORTH_IT:
            yield from self._jobs.groups(chain(first, waiting))

    def _begin(self, groups: Iterator[dict[bytes, EmbeddingInput]]) -> None:
        """Send batches until enough are under way."""
        jobs = self._jobs
        while len(self._under_way) < jobs.settings.concurrency and not jobs.disabled_reason:
            self._context.cancel.check()
            group = next(groups, None)
            if group is None:
                return
            label = uuid.uuid4().hex
            # Noted before it is sent, so that it is found again if the program ends now.
            batch = _Batch(label, self._generation.identity, hashes=list(group), began=time.time())
            self._note(batch)
            try:
                batch.id = jobs.submit(label, list(group.values()))
            except BatchFailed as failure:
                jobs.count_failure(str(failure))
                # Without an answer it may be under way, and the next pass looks for it.
                if not failure.may_have_begun:
                    self._drop(batch)
                continue
            self._note(batch)
            self._under_way.append(batch)

    def _take_finished(self) -> None:
        for batch in list(self._under_way):
            self._context.cancel.check()
            try:
                trouble = self._look(batch)
            except BatchFailed as failure:
                trouble = str(failure)
            if trouble is None:
                # It is over, with vectors or without.
                continue
            self._under_way.remove(batch)
            self._drop(batch)
            self._jobs.delete(batch.id)
            if trouble:
                self._jobs.count_failure(trouble)
        self._context.show(Progress("meaning"))

    def _look(self, batch: _Batch) -> str | None:
        """The reason why a finished batch lacks vectors, or blank; None if it runs."""
        progress = self._jobs.progress(batch.id)
        minutes = self._jobs.settings.timeout_minutes
        # A batch that takes too long is given up, and what it has so far is taken.
        if not progress.is_over and time.time() - batch.began > minutes * 60:
            self._jobs.cancel(batch.id)
            trouble = msg("The service did not finish within {minutes} minutes.", minutes=minutes)
            progress = BatchProgress(is_over=True, trouble=trouble)
        if not progress.is_over:
            return None
        took = self._take(batch)
        if not progress.trouble and not took:
            return msg("The service sent an empty response.")
        return progress.trouble

    def _take(self, batch: _Batch) -> int:
        """Store the vectors that came; return how many."""
        rows = self._jobs.vectors(batch.id)
        took = 0
        while some := list(islice(rows, _READ_AT_ONCE)):
            self._context.cancel.check()
            # A provider could send places that were never asked for.
            vectors = {
                batch.hashes[position]: vector
                for position, vector in some
                if 0 <= position < len(batch.hashes)
            }
            # Stored in pieces: a cancelled pass keeps what it has.
            with self._writer.transaction():
                self._writer.vectors.add(self._generation, vectors)
            self._context.hooks.on_vectors()
            took += len(vectors)
        self._context.report.embedded += took
        return took

    def _hashes_under_way(self) -> frozenset[bytes]:
        return frozenset(key for batch in self._under_way for key in batch.hashes)

    def _note(self, batch: _Batch) -> None:
        hashes = base64.b64encode(b"".join(batch.hashes)).decode()
        record = {"identity": batch.identity, "began": batch.began, "id": batch.id}
        with self._writer.transaction():
            self._writer.note(f"{BATCH}{batch.label}", json.dumps(record | {"hashes": hashes}))

    def _drop(self, batch: _Batch) -> None:
        with self._writer.transaction():
            self._writer.note(f"{BATCH}{batch.label}", "")
