"""Vectors that an index lacks, computed in one pass."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import TypeAlias

from scrubjay.embedding.embedding_input import EmbeddingInput
from scrubjay.embedding.prompts import is_by_lines
from scrubjay.embedding.provider import EmbeddingProvider
from scrubjay.errors import ProviderUnavailable
from scrubjay.index.batch_api_backfill import BatchApiBackfill
from scrubjay.index.lexical_writer import new_document
from scrubjay.index.line_vectors import LineVectors
from scrubjay.index.media_backfill import embed_media
from scrubjay.index.passes import PassContext
from scrubjay.messages import msg
from scrubjay.notes.note_reader import NoteUnreadable, read_file, read_or_timeout
from scrubjay.notes.scan import FoundFile
from scrubjay.records.status_records import Progress
from scrubjay.records.vectors import Vector
from scrubjay.store.index_records import Generation
from scrubjay.store.metadata import PACE
from scrubjay.text.grouping import group_by_size

KeyedInput: TypeAlias = tuple[bytes, EmbeddingInput]
"""(SHA-256 of a text, the text)."""

_LOCAL_TEXTS = 32
"""Texts in one call of a local model; few enough that a pause or a quit is soon noticed."""
_LOCAL_CHARACTERS = 6_400
"""Characters in one call of a local model."""
_REMOTE_TEXTS = 512
"""Texts that go to a remote provider together: it makes four requests of them, at the same time."""
_REMOTE_CHARACTERS = 128_000
"""Characters that go to a remote provider together."""

MAX_BUFFERED = 128
"""Vectors in one transaction, which writes a dozen pages however few they are. A pass that is
killed computes again the vectors that were not stored."""
_MEASURED = 8
"""Chunks of a pass that tell the pace of a model."""
_LINE_BATCH = 4
"""Chunks whose lines are embedded together, about a hundred lines."""


class VectorBuilder:
    """Computes vectors with one provider, to which the user has agreed to send notes."""

    def __init__(self, context: PassContext, provider: EmbeddingProvider) -> None:
        self._context = context
        self._writer = context.writer
        self._report = context.report
        self._provider = provider
        self._batch_texts = _LOCAL_TEXTS
        self._batch_characters = _LOCAL_CHARACTERS
        if not provider.is_local:
            self._batch_texts = _REMOTE_TEXTS
            self._batch_characters = _REMOTE_CHARACTERS
        self._line_vectors = LineVectors(provider)
        self._is_by_lines = is_by_lines(provider.identity())
        # Vectors and the sign bits of their lines that are not in the index yet, by hash.
        self._vectors: dict[bytes, Vector] = {}
        self._lines: dict[bytes, bytes] = {}
        self._stored_at = time.monotonic()

    def run(self, rechunk: Sequence[FoundFile]) -> None:
        """Compute all vectors that are missing; those of files with outdated chunking first.

        Raises Cancelled and ProviderUnavailable; the vectors so far are stored.
        """
        # The identity is asked for first: it may tell how long the vectors are.
        identity = self._provider.identity()
        dimensions = self._provider.dimensions()
        with self._writer.transaction():
            generation = self._writer.vectors.generation(identity, dimensions)
        self._context.generation = generation
        # Whatever ends the pass, the vectors that were paid for are stored.
        try:
            self._rechunk(generation, rechunk)
            self._fill(generation)
            if self._provider.is_local:
                self._refine_lines(generation)
        finally:
            self._store(generation)

    def _rechunk(self, generation: Generation, files: Sequence[FoundFile]) -> None:
        """Swap chunks and vectors of a file at once, so that the old ones answer until then."""
        context = self._context
        for file in files:
            context.cancel.check()
            try:
                read = partial(read_file, file.path, file.label)
                note = read_or_timeout(read, context.io_timeout, context.cancel)
                new = new_document(file, note, context.settings.sizes)
            except (NoteUnreadable, FileNotFoundError):
                continue  # the index keeps its record; the next pass reports the file
            # Chunks with the text of an old one have their vector already.
            inputs = {chunk.sha256: EmbeddingInput(new.title, chunk.text) for chunk in new.chunks}
            if file.is_media:
                inputs = {}  # its vector is not that of its name
            with self._writer.transaction():
                lacking = self._writer.vectors.lacking(generation, inputs)
            # All vectors of the file are there before its chunks are swapped.
            for batch in self._batches((key, inputs[key]) for key in lacking):
                self._embed(generation, batch)
            self._store(generation)
            with self._writer.transaction():
                self._writer.replace(new, indexed_ns=context.began_ns)
            self._report.chunks += len(new.chunks)
            context.hooks.on_vectors()
            context.show(Progress("meaning", current=file.label))

    def _fill(self, generation: Generation) -> None:
        """Compute all vectors that are missing, then let searches use them."""
        context = self._context
        writer = self._writer
        # Batches at half the price come first, then media, then all other texts.
        under_way = self._run_batch_jobs(generation)
        missing = writer.vectors.missing(generation)
        media = self._media_among(missing)
        if media and self._provider.media:
            embed_media(context, generation, media=self._provider.media, rows=media)
        # Notes that changed meanwhile lack vectors by now, so that it is looked until none do.
        while self._fill_texts(generation, missing, under_way):
            missing = writer.vectors.missing(generation)
        if under_way:
            texts = len(under_way)
            self._report.in_batches = texts
            raise ProviderUnavailable(
                msg("Search by meaning is waiting for the service"),
                msg(
                    "The service is processing {n} {n:passage|passages} of your notes. "
                    "Until it has finished, search finds {n:it|them} only by words.",
                    n=texts,
                ),
            )
        # All vectors are there, so that searches can change over to them.
        self._report.reused = max(0, self._report.chunks - self._report.embedded)
        with writer.transaction():
            writer.vectors.activate(generation, keeps_others=context.settings.keeps_generations)
            # Too few chunks tell more about the start of the model than about its pace.
            if self._provider.is_local and self._report.embedded >= _MEASURED:
                pace = self._report.model_s / self._report.embedded
                writer.note(f"{PACE}{self._provider.model}", f"{pace:.4g}")
            if writer.metadata.allowance(generation.identity):
                writer.allow(generation.identity, 0)

    def _media_among(self, chunk_ids: Sequence[int]) -> Sequence[tuple[bytes, str, int]]:
        """(hash, path, size) of the images and recordings among chunks, if any are embedded."""
        if not self._context.settings.media.kinds:
            return []
        return self._writer.media_chunks(chunk_ids)

    def _fill_texts(
        self, generation: Generation, missing: Sequence[int], under_way: frozenset[bytes]
    ) -> int:
        """Compute and store the vectors of chunks; return how many."""
        before = self._report.embedded
        for at in range(0, len(missing), self._batch_texts):
            some = missing[at : at + self._batch_texts]
            # What a batch will bring, and what is not a text, is not sent with the others. Urgent
            # work may have replaced notes since the last batch, and an id may be of another file.
            excluded = under_way.union(key for key, *_ in self._media_among(some))
            rows = self._writer.texts(some)
            inputs = [(key, EmbeddingInput(*text)) for key, *text in rows if key not in excluded]
            for batch in self._batches(inputs):
                self._embed(generation, batch)
                self._context.show(Progress("meaning"))
        # What is still in memory goes into the index before searches may use it.
        self._store(generation)
        return self._report.embedded - before

    def _refine_lines(self, generation: Generation) -> None:
        """Give each line the sign bits of its own vector: they tell where in a chunk to look.

        Comes last, since search by meaning works without. A model that works line by line has done
        it by then.
        """
        vectors = self._writer.vectors.without_lines(generation)
        # A few chunks at a time, so that urgent work has to wait for one batch at most.
        for at in range(0, len(vectors), _LINE_BATCH):
            self._context.before_batch()
            rows = self._writer.vectors.texts(vectors[at : at + _LINE_BATCH])
            began = time.monotonic()
            sign_bits = self._line_vectors.sign_bits(text for _, text, _ in rows)
            self._report.model_s += time.monotonic() - began
            with self._writer.transaction():
                self._writer.vectors.set_lines(
                    [(vector, bits) for (vector, *_), bits in zip(rows, sign_bits, strict=True)]
                )
            done = min(at + _LINE_BATCH, len(vectors))
            self._context.show(Progress("refining", done=done, total=len(vectors)))

    def _run_batch_jobs(self, generation: Generation) -> frozenset[bytes]:
        """Leave a large backfill to the provider's batch interface; hashes still under way."""
        jobs = self._provider.batch_jobs
        if jobs is None:
            return frozenset()
        try:
            return BatchApiBackfill(self._context, generation, jobs).run()
        finally:
            self._report.batches_off = jobs.disabled_reason

    def _batches(self, inputs: Iterable[KeyedInput]) -> Iterator[list[KeyedInput]]:
        return group_by_size(inputs, lambda item: len(item[1].text), self._batch_characters)

    def _embed(self, generation: Generation, batch: Sequence[KeyedInput]) -> None:
        self._context.before_batch()
        began = time.monotonic()
        keys = [key for key, _ in batch]
        inputs = [text for _, text in batch]
        # Some models find more by the mean of the lines than by the chunk as one text.
        if self._is_by_lines:
            for key, (vector, bits) in zip(keys, self._line_vectors.embed(inputs), strict=True):
                self._vectors[key] = vector
                self._lines[key] = bits
        else:
            vectors = self._provider.embed_documents(inputs)
            self._vectors |= zip(keys, vectors, strict=True)
        self._report.model_s += time.monotonic() - began
        self._report.embedded += len(batch)
        # Small transactions would write the same pages again and again.
        is_late = time.monotonic() - self._stored_at >= self._context.limits.buffer_seconds
        if is_late or len(self._vectors) >= MAX_BUFFERED:
            self._store(generation)

    def _store(self, generation: Generation) -> None:
        """Write the vectors that wait into the index. Outside of transactions only."""
        if self._vectors:
            with self._writer.transaction():
                self._writer.vectors.add(generation, self._vectors, self._lines)
            self._vectors = {}
            self._lines = {}
            self._context.hooks.on_vectors()
        self._stored_at = time.monotonic()
