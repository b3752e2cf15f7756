"""Vectors that an index lacks, computed in one pass."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.io_timeout import IoTimeout
from scrubjay.embedding.embedding_input import EmbeddingInput
from scrubjay.embedding.prompts import is_by_lines
from scrubjay.embedding.provider import EmbeddingProvider
from scrubjay.index.batch_api_backfill import BatchApiBackfill, BatchesUnderWay
from scrubjay.index.lexical_writer import new_document
from scrubjay.index.line_vectors import LineVectors, line_sign_bits, own_lines
from scrubjay.index.media_backfill import ExtraFiles, MediaBackfill
from scrubjay.index.progress import PassHooks, PassReport, ProgressEstimator, ProgressThrottle
from scrubjay.index.scan_diff import IndexSettings
from scrubjay.notes.media_types import media_type
from scrubjay.notes.note_reader import NoteUnreadable, read_note, read_or_timeout
from scrubjay.notes.scan import FoundFile, printable
from scrubjay.records.search_records import Progress, SkippedFile, Workspace
from scrubjay.records.vectors import Vector
from scrubjay.store.rows import Generation
from scrubjay.store.writer import Writer
from scrubjay.text.grouping import grouped

KeyedInput: TypeAlias = tuple[bytes, EmbeddingInput]
"""(SHA-256 of a text, the text)."""

_BUFFER_SECONDS = 0.25
MAX_BUFFERED = 128
"""Vectors in one transaction, which writes a dozen pages however few they are. A pass that is
killed computes again the vectors that were not stored."""
_LINE_BATCH = 4
"""Chunks whose lines are embedded together, about a hundred lines."""

_CACHED_LINES = 400
"""Lines whose sign bits are kept: overlapping chunks share lines."""


@dataclass(frozen=True, slots=True)
class BatchSize:
    """Limits of one call; small enough that a pause or a quit is soon noticed."""

    texts: int
    characters: int

    @classmethod
    def of(cls, provider: EmbeddingProvider | None) -> BatchSize:
        """Limits for a provider; a remote one makes four requests of a batch, at the same time."""
        return cls(512, 128_000) if provider and not provider.is_local else cls(32, 6_400)

    def batches(self, inputs: Iterable[KeyedInput]) -> Iterator[list[KeyedInput]]:
        """All passages in order, in runs of at most so many characters."""
        return grouped(inputs, lambda item: len(item[1].text), self.characters)


class VectorBuffer:
    """Vectors of one generation on their way into the index, stored some at a time."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self._generation: Generation | None = None
        self._vectors: dict[bytes, Vector] = {}
        self._lines: dict[bytes, bytes] = {}
        self._stored_at = time.monotonic()

    def add(
        self, generation: Generation, vectors: Mapping[bytes, Vector], lines: Mapping[bytes, bytes]
    ) -> None:
        """Add vectors and the sign bits of their lines. Outside of transactions only."""
        self._generation = generation
        self._vectors |= vectors
        self._lines |= lines
        is_late = time.monotonic() - self._stored_at >= _BUFFER_SECONDS
        if is_late or len(self._vectors) >= MAX_BUFFERED:
            self.store()

    def store(self) -> None:
        """Write the vectors into the index. Outside of transactions only."""
        if self._generation and self._vectors:
            with self._writer.transaction():
                self._writer.vectors.add(self._generation, self._vectors, self._lines)
            self._vectors, self._lines = {}, {}
        self._stored_at = time.monotonic()


class VectorBuilder:
    """Computes vectors with one provider. All methods raise Cancelled and ProviderUnavailable."""

    def __init__(
        self,
        workspace: Workspace,
        writer: Writer,
        provider: EmbeddingProvider,
        settings: IndexSettings,
        hooks: PassHooks,
        io_timeout: IoTimeout,
        counts: PassReport,
        progress: ProgressThrottle,
        cancel: CancelToken,
    ) -> None:
        """The provider may have the notes: the user was asked before."""
        self._workspace = workspace
        self._writer = writer
        self._provider = provider
        self._settings = settings
        self._hooks = hooks
        self._io_timeout = io_timeout
        self._counts = counts
        self._progress = progress
        self._cancel = cancel
        self._batch_size = BatchSize.of(provider)
        self._line_vectors = LineVectors(provider) if is_by_lines(provider.identity()) else None
        self._buffer = VectorBuffer(writer)
        self.generation: Generation | None = None
        """The generation of the vectors; None before the first."""

    def rechunk(self, files: Sequence[FoundFile], scanned_ns: int) -> None:
        """Swap chunks and vectors of a file at once, so that the old ones answer until then."""
        if not files:
            return
        generation = self._begin_generation()
        for done, file in enumerate(files, start=1):
            self._cancel.check()
            try:
                read = partial(read_note, file.path)
                note = read_or_timeout(read, self._io_timeout, self._cancel)
                new = new_document(file, note, self._settings.sizes)
            except (NoteUnreadable, FileNotFoundError):
                continue  # the index keeps its record; the next pass reports the file
            inputs = {chunk.sha256: EmbeddingInput(new.title, chunk.text) for chunk in new.chunks}
            if media_type(file.label):
                inputs = {}  # its vector is not that of its name
            with self._writer.transaction():
                lacking = self._writer.vectors.lacking(generation, inputs)
            for batch in self._batch_size.batches([(key, inputs[key]) for key in lacking]):
                self._embed(generation, batch)
            self.store()
            with self._writer.transaction():
                self._writer.replace(new, indexed_ns=scanned_ns)
            self._counts.chunks += len(new.chunks)
            self._progress.show(Progress("meaning", done, len(files), current=file.label))

    def fill(self) -> None:
        """Compute all vectors that are missing, then let searches use them."""
        generation = self._begin_generation()
        under_way = self._run_batch_jobs(generation)
        missing = self._writer.vectors.missing(generation)
        done = under_way | self._embed_media(generation, missing)
        estimator = ProgressEstimator(len(missing))
        texts = self._batch_size.texts
        for at in range(0, len(missing), texts):
            rows = self._writer.texts(missing[at : at + texts])
            inputs = [(key, EmbeddingInput(*text)) for key, *text in rows if key not in done]
            for batch in self._batch_size.batches(inputs):
                self._embed(generation, batch)
                estimator.done += len(batch)
                self._progress.show(estimator.progress())
            estimator.done = min(len(missing), at + texts)
        self.store()
        if under_way:
            raise BatchesUnderWay(len(under_way))
        self._counts.reused = max(0, self._counts.chunks - self._counts.embedded)
        with self._writer.transaction():
            keeps_others = self._settings.keeps_generations
            self._writer.vectors.activate(generation, keeps_others=keeps_others)
            if self._writer.metadata.allowance(generation.identity):
                self._writer.allow(generation.identity, 0)

    def refine_lines(self) -> None:
        """Give each line the sign bits of its own vector: they tell where in a chunk to look.

        Comes last, since search by meaning works without. A model of sentences has done it by then.
        """
        if not self._provider.is_local:
            return
        vectors = self._writer.vectors.without_lines(self._begin_generation())
        estimator = ProgressEstimator(len(vectors), "refining")
        cached: dict[str, bytes] = {}
        for at in range(0, len(vectors), _LINE_BATCH):
            self._cancel.check()
            self._hooks.on_idle()
            rows = self._writer.vectors.texts(vectors[at : at + _LINE_BATCH])
            lines = [(vector, own_lines(text)) for vector, text, _ in rows]
            began = time.monotonic()
            missing = {line for _, own in lines for line in own if line not in cached}
            cached |= line_sign_bits(self._provider, sorted(missing))
            self._counts.model_s += time.monotonic() - began
            sign_bits = [(vector, b"".join(cached[line] for line in own)) for vector, own in lines]
            with self._writer.transaction():
                self._writer.vectors.set_lines(sign_bits)
            cached = dict(list(cached.items())[-_CACHED_LINES:])
            estimator.done = min(len(vectors), at + _LINE_BATCH)
            self._progress.show(estimator.progress())

    def store(self) -> None:
        """Write the vectors that are still in memory into the index."""
        self._buffer.store()

    def _begin_generation(self) -> Generation:
        identity, dimensions = self._provider.identity(), self._provider.dimensions()
        with self._writer.transaction():
            self.generation = self._writer.vectors.generation(identity, dimensions)
        return self.generation

    def _embed_media(self, generation: Generation, missing: Sequence[int]) -> frozenset[bytes]:
        """Embed images and recordings; the hashes of all that are missing."""
        rows = self._writer.media_of(missing) if self._settings.media.kinds else []
        if rows and self._provider.media:
            files = ExtraFiles(
                self._workspace.root,
                self._settings.extra_paths,
                self._settings.media.max_bytes,
                self._io_timeout,
            )
            backfill = MediaBackfill(
                self._writer,
                generation,
                self._provider.media,
                files.load,
                self._cancel,
                self._progress.counter(ProgressEstimator(len(rows))),
                self._hooks.on_idle,
            )
            backfill.run(rows)
            self._counts.embedded += backfill.embedded
            self._counts.skipped += (
                SkippedFile(printable(path), reason, is_problem=True)
                for path, reason in backfill.refused
            )
        return frozenset(key for key, *_ in rows)

    def _run_batch_jobs(self, generation: Generation) -> frozenset[bytes]:
        """Leave a large backfill to the provider's batch interface; hashes still under way."""
        jobs = self._provider.batch_jobs
        if jobs is None:
            return frozenset()
        backfill = BatchApiBackfill(
            self._writer,
            generation,
            jobs,
            self._cancel,
            self._progress.counter(ProgressEstimator(0)),
            self._hooks.should_yield,
            self._hooks.on_idle,
        )
        try:
            return backfill.run()
        finally:
            self._counts.embedded += backfill.embedded
            self._counts.batches_off = jobs.disabled_reason

    def _embed(self, generation: Generation, batch: Sequence[KeyedInput]) -> None:
        self._cancel.check()
        self._hooks.on_idle()
        began = time.monotonic()
        keys, inputs = [key for key, _ in batch], [text for _, text in batch]
        lines: dict[bytes, bytes] = {}
        if self._line_vectors:
            pairs = self._line_vectors.embed(inputs)
            vectors = [vector for vector, _ in pairs]
            lines = {key: bits for key, (_, bits) in zip(keys, pairs, strict=True)}
        else:
            vectors = self._provider.embed_documents(inputs)
        self._counts.model_s += time.monotonic() - began
        self._counts.embedded += len(batch)
        self._buffer.add(generation, dict(zip(keys, vectors, strict=True)), lines)
