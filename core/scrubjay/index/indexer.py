"""One pass over a workspace: scan, diff, publish words, then compute missing vectors."""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Mapping, Sequence

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.io_timeout import IoTimeout
from scrubjay.embedding.provider import EmbeddingProvider, ProviderSource
from scrubjay.errors import ProviderUnavailable
from scrubjay.index.batch_api_backfill import BatchesUnderWay
from scrubjay.index.consent import ConsentMissing, check_consent
from scrubjay.index.lexical_writer import LexicalWriter
from scrubjay.index.progress import PassHooks, PassReport, ProgressThrottle
from scrubjay.index.scan_diff import (
    IndexSettings,
    difference,
    drive_of,
    scanned,
    unreachable_message,
)
from scrubjay.index.vector_builder import VectorBuilder
from scrubjay.notes.media_types import media_type
from scrubjay.notes.note_reader import NotePrefetcher
from scrubjay.notes.scan import FoundFile
from scrubjay.records.search_records import IndexReport, Progress, Workspace
from scrubjay.store.rows import Generation, KnownDocument
from scrubjay.store.writer import Writer


class Indexer:
    """Brings one index up to date. Transactions before a stop stay."""

    def __init__(
        self,
        workspace: Workspace,
        writer: Writer,
        providers: ProviderSource,
        settings: IndexSettings,
        *,
        hooks: PassHooks | None = None,
        io_timeout: IoTimeout | None = None,
    ) -> None:
        """The provider is chosen after the words: it may wait for a model or for a keychain.

        The timeout of the folder's drive remembers the calls that still hang from former passes.
        """
        self._workspace = workspace
        self._writer = writer
        self._providers = providers
        self._settings = settings
        self._hooks = hooks or PassHooks()
        self._io_timeout = io_timeout or IoTimeout()
        self._counts = PassReport()
        self._progress = ProgressThrottle(self._hooks.on_progress)
        self.provider: EmbeddingProvider | None = None
        """The provider of the last pass; None when it did not come so far."""
        self.generation: Generation | None = None
        """The generation of the last pass's vectors; None when it did not come so far."""

    def run(
        self,
        cancel: CancelToken,
        *,
        force: bool = False,
        words_only: bool = False,
        may_send: bool = False,
    ) -> IndexReport:
        """Do one pass. With force every file is read again, whatever its times say.

        With words_only the vectors are left to a later pass. May_send is the user's yes to
        sending the notes to a remote provider.
        Raises Cancelled, or IndexUnavailable when the index cannot be written.
        """
        started, scanned_ns = time.monotonic(), time.time_ns()
        self._counts = counts = PassReport()
        self._progress.show(Progress("scanning", 0, 0))
        drive = self._writer.metadata.drive()
        scan = scanned(self._workspace.root, self._settings, cancel, self._io_timeout, drive)
        counts.skipped += scan.skipped
        counts.away = scan.away
        documents = self._writer.metadata.documents()
        diff = difference(scan, documents, self._settings)
        dirty: Sequence[FoundFile] = (*diff.changed, *diff.doubtful)
        rechunk = diff.rechunk
        if force:
            dirty, rechunk = sorted(scan.files.values(), key=lambda file: -file.mtime_ns), ()
        counts.unchanged = len(scan.files) - len(dirty) - len(rechunk)
        self._publish_words(dirty, documents, scanned_ns, cancel)
        self._prune(diff.gone)
        self._hooks.on_words_indexed()
        try:
            if not words_only:
                counts.meaning_missing = self._providers.off_reason
                if not counts.meaning_missing:
                    self._compute_vectors(rechunk, scanned_ns, cancel, may_send=may_send)
        except ProviderUnavailable as error:
            counts.meaning_missing = str(error)
            counts.backfill = error.cost if isinstance(error, ConsentMissing) else None
            counts.in_batches = error.texts if isinstance(error, BatchesUnderWay) else 0
        if counts.meaning_missing:
            self._publish_words(rechunk, documents, scanned_ns, cancel)
        self._finish(cancel)
        return counts.report(self._workspace.id, time.monotonic() - started)

    def index_now(
        self,
        files: Sequence[FoundFile],
        documents: Mapping[str, KnownDocument],
        gone: Sequence[str],
        cancel: CancelToken,
    ) -> None:
        """Publish the words of a few files ahead of the next pass, and remove those that are gone.

        Documents are the index's records of these files.
        """
        self._publish_words(files, documents, time.time_ns(), cancel)
        self._prune(gone)

    def _publish_words(
        self,
        files: Sequence[FoundFile],
        documents: Mapping[str, KnownDocument],
        scanned_ns: int,
        cancel: CancelToken,
    ) -> None:
        def show(done: int, label: str) -> None:
            self._progress.show(Progress("words", done, len(files), current=label))

        words = LexicalWriter(self._writer, self._settings.sizes, self._counts, scanned_ns)
        notes = NotePrefetcher(files, self._io_timeout, cancel)
        for changed in words.publish(notes, documents, cancel, show):
            self._hooks.on_commit(changed, 0)
        if notes.is_silent:
            self._counts.away = unreachable_message(self._workspace.root)

    def _prune(self, gone: Sequence[str]) -> None:
        if not gone:
            return
        with self._writer.transaction():
            self._writer.remove(gone)
        self._counts.removed = len(gone)
        self._hooks.on_commit(0, len(gone))

    def _compute_vectors(
        self, rechunk: Sequence[FoundFile], scanned_ns: int, cancel: CancelToken, *, may_send: bool
    ) -> None:
        self.provider = self._providers.current()
        sizes = [file.size for file in rechunk if not media_type(file.label)]
        check_consent(self._writer, self.provider, sizes, may_send=may_send)
        builder = VectorBuilder(
            self._workspace,
            self._writer,
            self.provider,
            self._settings,
            self._hooks,
            self._io_timeout,
            self._counts,
            self._progress,
            cancel,
        )
        try:
            builder.rechunk(rechunk, scanned_ns)
            builder.fill()
            builder.refine_lines()
        finally:
            builder.store()
            self.generation = builder.generation

    def _finish(self, cancel: CancelToken) -> None:
        with self._writer.transaction():
            self._writer.set_skipped(self._counts.skipped)
            self._writer.set_checked(dt.datetime.now().astimezone())
            drive = drive_of(self._workspace.root)
            if drive is not None and not self._counts.away:
                self._writer.set_drive(drive)
            self._writer.vectors.evict(self._settings.max_cache_entries)
            self._writer.vectors.pack()
        for _ in self._writer.merge_words():
            self._hooks.on_idle()
            cancel.check()
        self._writer.shrink()
