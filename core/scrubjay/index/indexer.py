"""One pass over a workspace: scan, diff, publish words, then compute what vectors are missing."""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.io_timeout import IoTimeout
from scrubjay.embedding.prompts import is_by_lines
from scrubjay.embedding.provider import EmbeddingInput, EmbeddingProvider
from scrubjay.errors import ProviderUnavailable
from scrubjay.index.batch_api_backfill import BulkBackfill, BulkUnderWay
from scrubjay.index.batches import BatchSize
from scrubjay.index.consent import ConsentMissing, check_consent
from scrubjay.index.document_builder import new_document
from scrubjay.index.gathering import VectorBuffer
from scrubjay.index.lexical_writer import LexicalWriter
from scrubjay.index.line_vectors import OfLines, line_sketches, own_lines
from scrubjay.index.media_backfill import ExtraFiles, MediaBackfill
from scrubjay.index.meter import ProgressEstimator
from scrubjay.index.progress import PassReport
from scrubjay.index.scan_diff import (
    IndexSettings,
    difference,
    drive_of,
    scanned,
    unreachable_message,
)
from scrubjay.notes.media_types import media_type
from scrubjay.notes.note_reader import NotePrefetcher, NoteUnreadable, read_note, read_or_timeout
from scrubjay.notes.scan import FoundFile, printable
from scrubjay.records.search_records import IndexReport, Progress, SkippedFile, Workspace
from scrubjay.store.rows import Generation, KnownDocument
from scrubjay.store.writer import Writer

_LINE_BATCH = 4
"""Chunks whose lines are embedded together, about a hundred lines."""

_KNOWN_LINES = 400
_REPORT_SECONDS = 0.1


class Indexer:
    """Brings one index up to date. Whatever was committed before it is stopped stays."""

    def __init__(
        self,
        workspace: Workspace,
        writer: Writer,
        provider: Callable[[], EmbeddingProvider],
        settings: IndexSettings,
        *,
        report: Callable[[Progress], None] = lambda _progress: None,
        on_commit: Callable[[int, int], None] = lambda _changed, _removed: None,
        should_yield: Callable[[], bool] = lambda: False,
        on_words_indexed: Callable[[], None] = lambda: None,
        between: Callable[[], None] = lambda: None,
        io_timeout: IoTimeout | None = None,
    ) -> None:
        """Committed is told (changed, removed) documents after each published transaction.

        While gives_way is true, the pass does not stay for batches that are under way.
        Words_done is called when all words are published, and between before each batch for the
        model, when no transaction is open: small work that cannot wait may be done there.
        The provider is asked for after the words, since it may wait for a model or for a keychain.
        The timeout of the folder's drive knows what still hangs from former passes.
        """
        self._workspace = workspace
        self._writer = writer
        self._ask = provider
        self._provider: EmbeddingProvider | None = None
        self._batch_size = BatchSize.of(None)
        self._of_lines: OfLines | None = None
        self._settings = settings
        self._report = report
        self._committed = on_commit
        self._gives_way = should_yield
        self._words_done = on_words_indexed
        self._between = between
        self._io_timeout = io_timeout or IoTimeout()
        self._used: Generation | None = None
        self._gathered = VectorBuffer(writer)
        self._reported_at = 0.0
        self._tally = PassReport()

    def run(
        self,
        cancel: CancelToken,
        *,
        force: bool = False,
        words_only: bool = False,
        may_send: bool = False,
    ) -> IndexReport:
        """Do one pass. With force every file is read again, whatever its times say.

        With words_only the vectors are left to a later pass. May_send is a person's yes to what
        a remote provider gets.
        Raises Cancelled, or IndexUnavailable when the index cannot be written.
        """
        started = time.monotonic()
        self._tally = tally = PassReport()
        self._say(Progress("scanning", 0, 0), always=True)
        scanned_ns = time.time_ns()
        drive = self._writer.drive()
        found = scanned(self._workspace.root, self._settings, cancel, self._io_timeout, drive)
        tally.skipped += found.skipped
        tally.away = found.away
        known = self._writer.documents()
        differing = difference(found, known, self._settings)
        dirty = [*differing.changed, *differing.doubtful]
        rechunk: Sequence[FoundFile] = differing.rechunk
        if force:
            dirty, rechunk = sorted(found.files.values(), key=lambda file: -file.mtime_ns), ()
        tally.unchanged = len(found.files) - len(dirty) - len(rechunk)
        self._publish_words(dirty, known, scanned_ns, cancel)
        self._prune(differing.gone)
        self._words_done()
        try:
            if not words_only:
                sizes = [file.size for file in rechunk if not media_type(file.label)]
                self._take_provider(sizes, may_send=may_send)
                self._rechunk(rechunk, scanned_ns, cancel)
                self._compute_vectors(cancel)
                self._sketch_lines(cancel)
        except ProviderUnavailable as error:
            tally.meaning_missing = str(error)
            tally.backfill = error.cost if isinstance(error, ConsentMissing) else None
            tally.in_batches = error.texts if isinstance(error, BulkUnderWay) else 0
            self._publish_words(rechunk, known, scanned_ns, cancel)
        finally:
            self._gathered.store()
        self._finish(cancel)
        return tally.report(self._workspace.id, time.monotonic() - started)

    @property
    def provider(self) -> EmbeddingProvider | None:
        """Who embedded in the last pass; None when it did not come so far."""
        return self._provider

    @property
    def generation(self) -> Generation | None:
        """What the last pass computed vectors for; None when it did not come so far."""
        return self._used

    def take_in(
        self,
        files: Sequence[FoundFile],
        known: Mapping[str, KnownDocument],
        gone: Sequence[str],
        cancel: CancelToken,
    ) -> None:
        """Publish the words of a few files ahead of the next pass, and forget what is gone.

        Known is what the index holds of these files.
        """
        self._publish_words(files, known, time.time_ns(), cancel)
        self._prune(gone)

    def _publish_words(
        self,
        files: Sequence[FoundFile],
        known: Mapping[str, KnownDocument],
        scanned_ns: int,
        cancel: CancelToken,
    ) -> None:
        words = LexicalWriter(self._writer, self._settings.sizes, self._tally, scanned_ns)
        notes = NotePrefetcher(files, self._io_timeout, cancel)
        for changed in words.publish(notes, known, cancel, self._say_words(len(files))):
            self._committed(changed, 0)
        if notes.is_silent:
            self._tally.away = unreachable_message(self._workspace.root)

    def _say_words(self, total: int) -> Callable[[int, str], None]:
        return lambda done, label: self._say(Progress("words", done, total, current=label))

    def _prune(self, gone: Sequence[str]) -> None:
        if not gone:
            return
        with self._writer.transaction():
            self._writer.remove(gone)
        self._tally.removed = len(gone)
        self._committed(0, len(gone))

    def _rechunk(self, files: Sequence[FoundFile], scanned_ns: int, cancel: CancelToken) -> None:
        """Swap chunks and vectors of a file at once, so that the old ones answer until then."""
        if not files:
            return
        generation = self._generation()
        for done, file in enumerate(files, start=1):
            cancel.check()
            try:
                note = read_or_timeout(partial(read_note, file.path), self._io_timeout, cancel)
                new = new_document(file, note, self._settings.sizes)
            except (NoteUnreadable, FileNotFoundError):
                continue  # what is indexed stays; the next pass tells
            passages = {chunk.sha256: EmbeddingInput(new.title, chunk.text) for chunk in new.chunks}
            if media_type(file.label):
                passages = {}  # its vector is not that of its name
            with self._writer.transaction():
                lacking = self._writer.vectors.lacking(generation, passages)
            for batch in self._batch_size.batches([(key, passages[key]) for key in lacking]):
                self._embed(generation, batch, cancel)
            self._gathered.store()
            with self._writer.transaction():
                self._writer.replace(new, indexed_ns=scanned_ns)
            self._tally.chunks += len(new.chunks)
            self._say(Progress("meaning", done, len(files), current=file.label))

    def _compute_vectors(self, cancel: CancelToken) -> None:
        generation = self._generation()
        under_way = self._by_batches(generation, cancel)
        missing = self._writer.vectors.missing(generation)
        media = self._embed_media(generation, missing, cancel)
        done = under_way | media
        meter = ProgressEstimator(len(missing))
        texts = self._batch_size.texts
        for at in range(0, len(missing), texts):
            rows = self._writer.texts(missing[at : at + texts])
            passages = [(key, EmbeddingInput(*rest)) for key, *rest in rows if key not in done]
            for batch in self._batch_size.batches(passages):
                self._embed(generation, batch, cancel)
                meter.done += len(batch)
                self._say(meter.progress())
            meter.done = min(len(missing), at + texts)
        self._gathered.store()
        if under_way:
            raise BulkUnderWay(len(under_way))
        self._tally.reused = max(0, self._tally.chunks - self._tally.embedded)
        with self._writer.transaction():
            keeps_others = self._settings.keeps_generations
            self._writer.vectors.activate(generation, keeps_others=keeps_others)
            if self._writer.allowance(generation.identity):
                self._writer.allow(generation.identity, 0)

    def _embed_media(
        self, generation: Generation, missing: Sequence[int], cancel: CancelToken
    ) -> frozenset[bytes]:
        """Embed images and recordings; the hashes of all that are missing."""
        rows = self._writer.media_of(missing) if self._settings.media.kinds else []
        media = self._provider.media if self._provider else None
        if rows and media:
            extra, limit = self._settings.extra_paths, self._settings.media.max_bytes
            places = ExtraFiles(self._workspace.root, extra, limit, self._io_timeout)
            meter = ProgressEstimator(len(rows))
            report = self._reporter(meter)
            backfill = MediaBackfill(
                self._writer, generation, media, places.load, cancel, report, self._between
            )
            backfill.run(rows)
            self._tally.embedded += backfill.embedded
            self._tally.skipped += (
                SkippedFile(printable(path), reason, is_problem=True)
                for path, reason in backfill.refused
            )
        return frozenset(key for key, *_ in rows)

    def _reporter(self, meter: ProgressEstimator) -> Callable[[int, int], None]:
        def report(done: int, total: int) -> None:
            meter.done, meter.total = done, total
            self._say(meter.progress())

        return report

    def _by_batches(self, generation: Generation, cancel: CancelToken) -> frozenset[bytes]:
        """Leave a large backfill to the provider's batch interface; what is still under way."""
        bulk = self._provider.bulk if self._provider else None
        if bulk is None:
            return frozenset()
        report = self._reporter(ProgressEstimator(0))
        backfill = BulkBackfill(
            self._writer, generation, bulk, cancel, report, self._gives_way, self._between
        )
        try:
            return backfill.run()
        finally:
            self._tally.embedded += backfill.embedded
            self._tally.batches_off = bulk.off_because

    def _sketch_lines(self, cancel: CancelToken) -> None:
        """Give each line the sign bits of its own vector: they tell where in a chunk to look.

        Comes last, since search by meaning works without. A model of sentences has done it by then.
        """
        provider = self._provider
        if provider is None or not provider.is_local:
            return
        generation = self._generation()
        vectors = self._writer.vectors.without_lines(generation)
        meter = ProgressEstimator(len(vectors), "refining")
        known: dict[str, bytes] = {}
        for at in range(0, len(vectors), _LINE_BATCH):
            cancel.check()
            self._between()
            rows = self._writer.vectors.texts(vectors[at : at + _LINE_BATCH])
            texts = {vector: own_lines(text) for vector, text, _ in rows}
            began = time.monotonic()
            # Overlapping chunks share lines: the last batches are remembered for them.
            missing = {line for lines in texts.values() for line in lines if line not in known}
            known |= line_sketches(provider, sorted(missing))
            self._tally.model_s += time.monotonic() - began
            with self._writer.transaction():
                self._writer.vectors.set_lines(
                    (vector, b"".join(known[line] for line in lines))
                    for vector, lines in texts.items()
                )
            known = dict(list(known.items())[-_KNOWN_LINES:])
            meter.done = min(len(vectors), at + _LINE_BATCH)
            self._say(meter.progress())

    def _take_provider(self, rechunked: Sequence[int], *, may_send: bool) -> None:
        """Ask for the provider, and whether it may have the notes. Raises ProviderUnavailable."""
        self._provider = self._ask()
        self._batch_size = BatchSize.of(self._provider)
        is_of_lines = is_by_lines(self._provider.identity())
        self._of_lines = OfLines(self._provider) if is_of_lines else None
        check_consent(self._writer, self._provider, rechunked, may_send=may_send)

    def _generation(self) -> Generation:
        assert self._provider is not None  # _take_provider has raised otherwise
        identity, dimensions = self._provider.identity(), self._provider.dimensions()
        with self._writer.transaction():
            self._used = self._writer.vectors.generation(identity, dimensions)
        return self._used

    def _embed(
        self,
        generation: Generation,
        batch: Sequence[tuple[bytes, EmbeddingInput]],
        cancel: CancelToken,
    ) -> None:
        cancel.check()
        self._between()
        assert self._provider is not None  # _take_provider has raised otherwise
        began = time.monotonic()
        keys, passages = [key for key, _ in batch], [passage for _, passage in batch]
        lines: dict[bytes, bytes] = {}
        if self._of_lines:
            made = self._of_lines.embed(passages)
            vectors = [vector for vector, _ in made]
            lines = {key: bits for key, (_, bits) in zip(keys, made, strict=True)}
        else:
            vectors = self._provider.embed_documents(passages)
        self._tally.model_s += time.monotonic() - began
        self._tally.embedded += len(batch)
        self._gathered.add(generation, dict(zip(keys, vectors, strict=True)), lines)

    def _finish(self, cancel: CancelToken) -> None:
        with self._writer.transaction():
            self._writer.set_skipped(self._tally.skipped)
            self._writer.set_checked(dt.datetime.now().astimezone())
            drive = drive_of(self._workspace.root)
            if drive is not None and not self._tally.away:
                self._writer.set_drive(drive)
            self._writer.vectors.evict(self._settings.max_cache_entries)
            self._writer.vectors.pack()
        for _ in self._writer.merge_words():
            self._between()
            cancel.check()
        self._writer.shrink()

    def _say(self, progress: Progress, *, always: bool = False) -> None:
        """Report at most ten times a second, first and last always."""
        now = time.monotonic()
        is_last = progress.total > 0 and progress.done >= progress.total
        if always or is_last or now - self._reported_at >= _REPORT_SECONDS:
            self._reported_at = now
            self._report(progress)
