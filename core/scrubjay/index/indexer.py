"""Passes over a workspace: scan, diff, publish words, then compute missing vectors."""

from __future__ import annotations

import contextlib
import datetime as dt
import functools
import logging
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.thread_pool import DaemonThreadPool
from scrubjay.documents.media_types import media_type
from scrubjay.embedding.provider import ProviderSource
from scrubjay.errors import Cancelled, IndexCorrupt, LocalOnly, ProviderUnavailable
from scrubjay.events import IndexChanged, IndexProgressed, Notice
from scrubjay.index.document_queue import DocumentQueue, ReadDocument, WaitingDocument
from scrubjay.index.lexical_writer import publish_words
from scrubjay.index.passes import Pass, PassContext, PassHooks, PassInput, PassParts, WordsRead
from scrubjay.index.scan_diff import (
    IndexSettings,
    absent_note_sizes,
    diff_scan,
    exclude_moved_folders,
    find_renames,
    scan_workspace,
)
from scrubjay.messages import msg
from scrubjay.notes.note_files import drive_id
from scrubjay.notes.note_reader import NoteBytes, NotePrefetcher, NoText
from scrubjay.notes.scan import FoundFile, Scan
from scrubjay.notes.unavailable_folders import unreachable_message
from scrubjay.records.status_records import IndexReport, IndexState, PictureProgress, Progress
from scrubjay.store.index_file import (
    convert_sqlite_errors,
    hold_write_lease,
    index_bytes,
    move_aside,
)
from scrubjay.store.index_records import KnownDocument
from scrubjay.store.metadata import DRIVE, OWNER, PICTURES, ROOT, SCOPE, UNREAD, VERIFIED
from scrubjay.store.writer import Writer
from scrubjay.text.file_kinds import document_kind
from scrubjay.text.printable import printable_label
from scrubjay.workspaces.open_workspace import LocalWorkspace

if TYPE_CHECKING:
    from scrubjay.documents.document_converter import TextSource
    from scrubjay.index.picture_pauses import PicturePauses
    from scrubjay.index.picture_time import PictureTime

log = logging.getLogger(__name__)

_LISTEN_S = 0.05
"""Seconds after which a pass that waits for a document looks for work that goes first."""


_NO_HOOKS = PassHooks()
_MIGRATED_AT_ONCE = 500
"""Chunks of an older index that are migrated for a search, in half a second."""


class Indexer:
    """Updates one index. If it is stopped, completed transactions stay."""

    def __init__(self, context: PassContext, providers: ProviderSource) -> None:
        """The provider is chosen after the words: it may wait for a model or for a keychain."""
        self._context = context
        self._writer = context.writer
        self._report = context.report
        self._providers = providers

    def read_words(self, *, force: bool = False) -> WordsRead:
        """Do the first half of a pass. With force every file is read and compared.

        Raises IndexCorrupt for damage, which is looked for with force and once a day.
        """
        started = time.monotonic()
        context = self._context
        report = self._report
        writer = self._writer
        today = dt.date.today().isoformat()
        if force or writer.metadata.notes(VERIFIED) != {VERIFIED: today}:
            writer.verify(context.cancel)
        # A look at the disk, and a comparison with what the index holds.
        scan = self._scan()
        # Files that settings add or take away are not changes of the notes.
        scope = writer.metadata.notes(SCOPE)
        writer.history.is_silent = scope not in ({}, {SCOPE: context.settings.scope})
        documents = writer.metadata.documents()
        exclude_moved_folders(scan, documents, context.absent)
        diff = diff_scan(scan, documents, context.settings)
        dirty: Sequence[FoundFile] = (*diff.changed, *diff.doubtful)
        rechunk: Sequence[FoundFile] = diff.rechunk
        if force:
            dirty = sorted(scan.files.values(), key=lambda file: -file.mtime_ns)
            rechunk = ()
            # What is read once more is no change that waits.
            context.hooks = replace(context.hooks, on_read=PassHooks().on_read)
        # A report that words were added to before continues.
        report.unchanged = len(scan.files) - len(dirty) - len(rechunk) - report.changed
        dirty_notes = [file for file in dirty if not file.is_document]
        if not force:
            context.hooks.on_found([str(file.path) for file in dirty_notes])
        # New words first, then what is gone, then documents, which wait for the next step.
        gone_notes = [label for label in diff.gone if not document_kind(label)]
        self.publish_words(dirty_notes, documents, gone_notes)
        gone_documents = [label for label in diff.gone if document_kind(label)]
        moved = find_renames((f for f in dirty if f.is_document), documents, gone_documents)
        pictures, texts = _split_pictures(
            dirty, rechunk, documents=documents, settings=context.settings
        )
        formers = self._queue(texts, scan, moved, force=force)
        self._queue_pictures(pictures, scan, force=force)
        self.prune([label for label in gone_documents if label not in formers])
        has_moved = self._note_scan(scan, today)
        writer.history.is_silent = False
        if has_moved:
            context.hooks.on_commit(0, 0, 0)
        report.elapsed_s += time.monotonic() - started
        rechunk = [file for file in rechunk if not file.is_document]
        return WordsRead(report, rechunk, documents, waiting=context.waiting)

    def _scan(self) -> Scan:
        """The files of the workspace. What cannot be read goes into the report."""
        context = self._context
        context.show(Progress("scanning"))
        scan = scan_workspace(
            context.workspace.root,
            context.settings,
            cancel=context.cancel,
            io_timeout=context.io_timeout,
            drive=self._writer.metadata.drive(),
            backups=context.backups,
        )
        self._report.skipped = list(scan.skipped)
        self._report.away = scan.away
        return scan

    def _note_scan(self, scan: Scan, today: str) -> bool:
        """Store when and where the files were found; return whether the folder has moved."""
        writer = self._writer
        root = self._context.workspace.root
        has_moved = False
        with writer.transaction():
            writer.set_skipped(self._report.skipped)
            writer.note(UNREAD, str(self._unread))
            self._note_pictures()
            writer.note(VERIFIED, today)
            writer.note(OWNER, self._context.workspace.id)
            # A folder that is unavailable says nothing about its files.
            if not self._report.away:
                writer.set_checked(dt.datetime.now().astimezone())
                writer.note(SCOPE, self._context.settings.scope)
                drive = drive_id(root)
                if drive is not None:
                    writer.note(DRIVE, str(drive))
                if writer.metadata.notes(ROOT) != {ROOT: str(root)}:
                    files = {label: str(file.path) for label, file in scan.files.items()}
                    has_moved = writer.relocate(files)
                    writer.note(ROOT, str(root))
        return has_moved

    def _queue(
        self, files: Iterable[FoundFile], scan: Scan, moved: Mapping[str, str], *, force: bool
    ) -> set[str]:
        """Leave the documents among files to the next step, which may take long.

        The result are former labels: a renamed document stays until it is read under its new one.
        """
        context = self._context
        documents = [file for file in files if file.is_document]
        if not documents and not context.documents.is_used:
            return set()
        writer = self._writer
        # In a folder that is read for the first time, the text of a document is not a change.
        compared = writer.metadata.checked_at()
        compared_ns = 0
        if compared is not None and not writer.history.is_silent:
            compared_ns = int(compared.timestamp() * 1e9)
        # Documents that failed before are reported again, until they change.
        refused = context.documents.update(
            documents, scan.files, compared_ns, moved=moved, force=force
        )
        for file, reason in refused:
            context.skip(file.label, str(reason))
            # A document without text may have pictures with some.
            if file.has_pictures and isinstance(reason, NoText):
                context.pictures.add(WaitingDocument(file, compared_ns))
        # Why the others could not be read is said until they are read again.
        waiting = {printable_label(file.label) for file in context.documents.files}
        report = self._report
        report.skipped += [each for each in writer.metadata.skipped() if each.path in waiting]
        return context.documents.formers

    def _queue_pictures(self, files: Sequence[FoundFile], scan: Scan, *, force: bool) -> None:
        """Leave files whose pictures are to be read to the time when nothing else is left."""
        context = self._context
        queue = context.pictures
        if not files and not queue.is_used:
            return
        # Without the setting, nothing waits any longer.
        present = scan.files
        if not context.settings.pictures:
            present = {}
        # A document without text has its reason already.
        skipped = {each.path for each in self._report.skipped}
        for file, reason in queue.update(files, present, 0, force=force):
            if printable_label(file.label) not in skipped:
                context.skip(file.label, str(reason))

    def run(
        self,
        words: WordsRead | None = None,
        *,
        force: bool = False,
        words_only: bool = False,
        may_send: bool = False,
    ) -> IndexReport:
        """Do one pass, or the second half of one whose words were read.

        With words_only the vectors are left to a later pass. May_send is the user's yes to
        sending the notes to a remote provider.
        Raises Cancelled, or IndexUnavailable when the index cannot be written.
        """
        words = words or self.read_words(force=force)
        started = time.monotonic()
        context = self._context
        report = self._report
        if words.waiting:
            self._update_reasons(words.waiting)
        # A provider that does not answer costs the vectors of this pass, and not its words.
        try:
            if not words_only:
                context.before_batch()
                report.meaning_missing = self._providers.off_reason
                if not report.meaning_missing:
                    # Imported late: a search that only looks for new notes needs no vectors.
                    from scrubjay.index.consent import check_consent
                    from scrubjay.index.vector_builder import VectorBuilder

                    context.provider = self._providers.current()
                    sizes = [file.size for file in words.rechunk if not media_type(file.label)]
                    check_consent(context, context.provider, sizes, may_send=may_send)
                    VectorBuilder(context, context.provider).run(words.rechunk)
                    report.takeover = self._providers.takeover(context.provider.name)
        except ProviderUnavailable as error:
            report.meaning_missing = str(error)
            is_refused = isinstance(error, LocalOnly) or bool(report.backfill)
            report.may_come = not is_refused and not report.in_batches
        # New chunks come with their vectors; without any, their words must not wait.
        if report.meaning_missing:
            self.publish_words(words.rechunk, words.documents)
        self._finish()
        report.elapsed_s += time.monotonic() - started
        return report

    def publish_words(
        self,
        files: Sequence[FoundFile],
        documents: Mapping[str, KnownDocument],
        gone: Sequence[str] = (),
    ) -> None:
        """Read files and publish their words, then remove what is gone, by label.

        Documents are the index's records. A file that was renamed is exchanged in one step.
        """
        moved = find_renames(files, documents, gone)
        notes = NotePrefetcher(files, self._context.io_timeout, self._context.cancel)
        publish_words(self._context, notes, documents, total=len(files), moved=moved)
        if notes.is_silent:
            self._report.away = unreachable_message(self._context.workspace.root)
        exchanged = set(moved.values())
        self.prune([label for label in gone if label not in exchanged])

    def prune(self, gone: Sequence[str]) -> None:
        """Remove documents by their labels."""
        if not gone:
            return
        with self._writer.transaction():
            self._writer.remove(gone)
        self._report.removed += len(gone)
        self._context.hooks.on_commit(0, len(gone), -len(gone))

    def publish_documents(self, documents: Sequence[ReadDocument], done: int, total: int) -> None:
        """Publish the words of documents, before which so many of all were read."""
        context = self._context
        writer = self._writer
        # The index itself counts the documents that are left.
        context.hooks = replace(context.hooks, on_read=PassHooks().on_read)
        for number, document in enumerate(documents, start=done):
            file = document.waiting.file
            known = writer.metadata.document(file.label)
            # Each document has its own moments, as it may have waited for long.
            context.began_ns = document.read_ns
            context.forget_skipped(file.label)
            writer.history.compared_ns = document.waiting.compared_ns
            former = document.waiting.former
            found = {file.label: known, former: writer.metadata.document(former)}
            publish_words(
                context,
                [(file, document.outcome)],
                {label: each for label, each in found.items() if each},
                total=total,
                done=number,
                moved={file.label: former},
            )
            if _lacks_pictures(document):
                context.pictures.add(document.waiting)
        with writer.transaction():
            writer.note(UNREAD, str(len(context.documents)))
            writer.set_skipped(self._report.skipped)
            self._note_pictures()

    def _note_pictures(self) -> None:
        """Store how many pictures are left, in the transaction of the caller."""
        left = self._pictures_left
        if left or self._writer.metadata.unread_pictures():
            self._writer.note(PICTURES, str(left))

    @property
    def _unread(self) -> int:
        """Number of documents that are still to be read."""
        if not self._context.documents.is_used:
            return 0
        return len(self._context.documents)

    @property
    def _pictures_left(self) -> int:
        """Number of pictures that are still to be read."""
        if not self._context.pictures.is_used:
            return 0
        return len(self._context.pictures)

    def _update_reasons(self, waiting: frozenset[str]) -> None:
        """Report why files could not be read that waited when the words of the pass were read.

        Another pass may have come to them since.
        """
        report = self._report
        report.skipped = [each for each in report.skipped if each.path not in waiting]
        report.skipped += [each for each in self._writer.metadata.skipped() if each.path in waiting]

    def _finish(self) -> None:
        self._report.documents_left = self._unread
        self._report.pictures_left = self._pictures_left
        with self._writer.transaction():
            self._writer.set_skipped(self._report.skipped)
            self._writer.note(UNREAD, str(self._report.documents_left))
            self._writer.vectors.evict(self._context.settings.max_cache_entries)
            self._writer.vectors.pack()
        # Merging takes longer than other steps, so urgent work goes first in between.
        for _ in self._writer.merge_words():
            self._context.hooks.on_idle()
            self._context.cancel.check()
        self._writer.shrink()


def _split_pictures(
    dirty: Iterable[FoundFile],
    rechunk: Iterable[FoundFile],
    *,
    documents: Mapping[str, KnownDocument],
    settings: IndexSettings,
) -> tuple[list[FoundFile], list[FoundFile]]:
    """The files of which only the pictures are to be read, and the others.

    What is dirty may have another text, even if it is as large and as old as before.
    """
    pictures = [file for file in dirty if file.is_read_picture]
    others = [file for file in dirty if not file.is_read_picture]
    for file in rechunk:
        known = documents.get(file.label)
        # The index has its text as it is without them.
        has_text = (
            file.has_pictures
            and known is not None
            and (known.mtime_ns, known.size) == (file.mtime_ns, file.size)
            and known.chunking == file.chunking(settings.sizes)
        )
        if has_text or file.is_read_picture:
            pictures.append(file)
        else:
            others.append(file)
    return pictures, others


def _lacks_pictures(document: ReadDocument) -> bool:
    """Whether a document was read, but not the pictures that it may have."""
    if not document.waiting.file.has_pictures:
        return False
    match document.outcome:
        case NoteBytes():
            return not document.outcome.has_pictures
        case _:
            return isinstance(document.outcome, NoText)


class _Sources:
    """Texts of the documents of a workspace, with what was read of their pictures before."""

    def __init__(self, parts: PassParts, workspace: LocalWorkspace) -> None:
        self._parts = parts
        self._workspace = workspace
        self.pictures = _PictureSources(self)
        """Sources with the pictures, which are read when their time has come."""

    # Imported late: most folders have no pictures that are read.
    @functools.cached_property
    def pauses(self) -> PicturePauses:
        """Pauses between pictures."""
        from scrubjay.index.picture_pauses import PicturePauses

        return PicturePauses(self._workspace, self._parts.pictures(), self._parts.priority)

    @functools.cached_property
    def picture_time(self) -> PictureTime:
        """Time that pictures take."""
        from scrubjay.index.picture_time import PictureTime

        return PictureTime(self._parts.pictures())

    def of(self, file: FoundFile) -> TextSource:
        """The source of the text of a file, which reads no picture."""
        if not file.has_pictures:
            return self._parts.converter
        return self.converter()

    def converter(self, pauses: PicturePauses | None = None) -> TextSource:
        """The source of texts with pictures, which reads them if it has pauses."""
        from scrubjay.documents.picture_converter import PictureConverter

        return PictureConverter(self._parts.converter, self._parts.pictures(), pauses)


class _PictureSources(Struct, frozen=True):
    """Texts of pictures and of documents with pictures."""

    sources: _Sources

    def of(self, _: FoundFile) -> TextSource:
        """The source that reads pictures."""
        return self.sources.converter(self.sources.pauses)


class _Queues(Struct, eq=False):
    """What of one workspace waits to be read."""

    documents: DocumentQueue
    pictures: DocumentQueue


class IndexPasses:
    """Runs passes on the index thread and publishes their progress."""

    def __init__(self, parts: PassParts) -> None:
        self._providers = parts.providers
        self._board = parts.board
        self._events = parts.events
        self._io_timeouts = parts.io_timeouts
        self._backups = parts.backups
        self._converter = parts.converter
        self._limits = parts.limits
        self._leased: set[Path] = set()
        """Index files that the index thread is writing to right now."""
        self._document_threads = DaemonThreadPool("documents")
        self._picture_threads = DaemonThreadPool("pictures")
        self._parts = parts

    def documents(self, workspace: LocalWorkspace) -> DocumentQueue:
        """The documents of a workspace that wait to be read. For any thread."""
        return self._queues(workspace).documents

    def pictures(self, workspace: LocalWorkspace) -> DocumentQueue:
        """The pictures of a workspace that wait to be read. For any thread."""
        return self._queues(workspace).pictures

    def stop(self, workspace: LocalWorkspace) -> None:
        """Stop reading a document or picture of a workspace; it waits again. For any thread."""
        self.documents(workspace).stop()
        self.pictures(workspace).stop()

    def pictures_obstacle(self, workspace: LocalWorkspace) -> str:
        """Why no picture of a workspace is read for a while; empty if one can be."""
        return self._sources(workspace).pauses.obstacle() or ""

    def _queues(self, workspace: LocalWorkspace) -> _Queues:
        def make() -> _Queues:
            sources = self._sources(workspace)
            return _Queues(
                DocumentQueue(self._document_threads, sources),
                DocumentQueue(self._picture_threads, sources.pictures),
            )

        return workspace.part(_Queues, make)

    def _sources(self, workspace: LocalWorkspace) -> _Sources:
        return workspace.part(_Sources, lambda: _Sources(self._parts, workspace))

    def read_words(self, waiting: Pass, hooks: PassHooks) -> None:
        """Publish the words of a pass that waits, in the middle of another one."""
        job = waiting.job
        if job.workspace.is_damaged:
            return
        with self._open(job, waiting.cancel, hooks) as writer:
            context = self._begin(waiting, writer, hooks)
            try:
                waiting.words = Indexer(context, self._providers).read_words(force=job.force)
            finally:
                self._show_counts(job, writer, state=IndexState.WAITING)

    def run(self, running: Pass, hooks: PassHooks) -> IndexReport:
        """Do one pass, after moving a damaged index aside. The hooks add to those of this class."""
        job = running.job
        try:
            if not job.workspace.is_damaged:
                return self._run(running, hooks)
        except IndexCorrupt as error:
            log.warning("%s", error)
        # What can be read of the damaged file goes into the new one, before the notes do.
        self._parts.release(job.file)
        with hold_write_lease(job.file):
            damaged_file = move_aside(job.file)
        with self._open(job, running.cancel) as writer, writer.transaction():
            writer.salvage(damaged_file, job.record)
        job.workspace.is_damaged = False
        text = msg(
            "Your notes are untouched. The damaged file was kept as {file}.", file=damaged_file
        )
        self._events.publish(Notice(msg("The search index was damaged and is being rebuilt"), text))
        running.words = None
        return self._run(running, hooks)

    def index_now(
        self,
        job: PassInput,
        files: Sequence[FoundFile],
        documents: Mapping[str, KnownDocument],
        gone: Sequence[str],
    ) -> None:
        """Publish the words of a few files, also in the middle of a pass over the same index."""
        workspace = job.workspace
        # It may have been removed or turned off since it was asked for.
        if not workspace.is_listed or workspace.off_key or self._board.is_paused:
            raise Cancelled
        with self._open(job) as writer:
            # A pass may be in the middle of this index; its state stays shown.
            state = job.workspace.status.state
            publish = functools.partial(self._publish, job, writer, state=state)
            hooks = PassHooks(on_commit=publish)
            context = self._context(job, writer, cancel=CancelToken(), hooks=hooks)
            indexer = Indexer(context, self._providers)
            indexer.publish_words(files, documents, gone)

    def _begin(self, begun: Pass, writer: Writer, hooks: PassHooks) -> PassContext:
        """The context of a pass whose progress is shown; its report continues where it was."""
        job = begun.job
        # What each step does is shown, besides what the index thread does between steps.
        commit = functools.partial(self._publish, job, writer, state=IndexState.INDEXING)
        count = functools.partial(self._show_counts, job, writer)
        show = functools.partial(self._show, job.workspace)
        hooks = replace(
            hooks,
            on_progress=show,
            on_commit=commit,
            on_vectors=count,
            on_found=job.workspace.find_unread,
            on_read=job.workspace.leave_unread,
        )
        job.workspace.show(state=IndexState.INDEXING, error="")
        context = self._context(job, writer, cancel=begun.cancel, hooks=hooks)
        context.absent = functools.partial(
            absent_note_sizes, job.workspace.others, self._io_timeouts
        )
        if begun.words:
            context.report = begun.words.report
        return context

    def _run(self, running: Pass, hooks: PassHooks) -> IndexReport:
        """One pass: the words of notes, then some documents, then vectors."""
        job = running.job
        with contextlib.ExitStack() as stack:
            writer = stack.enter_context(self._open(job, running.cancel, hooks))
            # Words that were read before its turn count, unless it was asked for again since.
            if running.is_due or running.words is None:
                running.words = None
                context = self._begin(running, writer, hooks)
                running.words = Indexer(context, self._providers).read_words(force=job.force)
                self._show_counts(job, writer)
            hooks.on_words_indexed()
            queue = self.documents(job.workspace)
            has_documents = queue.is_used and len(queue)
            if has_documents and not running.words.report.away:
                # Others may write meanwhile, such as a search that found a new note.
                stack.close()
                self._read_documents(running, running.words.report, hooks)
                writer = stack.enter_context(self._open(job, running.cancel, hooks))
            try:
                report = self._learn(running, running.words, writer=writer, hooks=hooks)
            finally:
                self._show_counts(job, writer, state=IndexState.READY)
            # Everything else goes first, and so do the documents that are left.
            has_pictures = report.pictures_left and not report.documents_left
            if has_pictures and not (report.away or job.words_only):
                stack.close()
                words = WordsRead(report, (), running.words.documents)
                if self._read_pictures(running, report, hooks):
                    with self._open(job, running.cancel, hooks) as writer:
                        report = self._learn(running, words, writer=writer, hooks=hooks)
                        self._show_counts(job, writer, state=IndexState.READY)
            return report

    def _read_documents(self, running: Pass, report: IndexReport, hooks: PassHooks) -> None:
        """Publish the words of documents for some seconds; other work goes first meanwhile."""
        job = running.job
        queue = self.documents(job.workspace)
        io_timeout = self._io_timeouts[job.workspace.root]
        until = time.monotonic() + self._limits.documents_seconds
        done = 0
        total = len(queue)
        # One round after the other, until the time is up or nothing waits.
        while files := queue.files:
            running.cancel.check()
            step = Progress("words", done=done, total=total, current=files[0].label)
            self._show(job.workspace, step)
            # The index is open for no longer than writing takes, so that others can write too.
            documents = queue.read(io_timeout, _LISTEN_S).read
            if documents:
                with self._open(job, running.cancel) as writer:
                    context = self._begin(running, writer, hooks)
                    Indexer(context, self._providers).publish_documents(documents, done, total)
                done += len(documents)
            if io_timeout.is_exhausted:
                report.away = unreachable_message(job.workspace.root)
                return
            hooks.on_idle()
            if time.monotonic() >= until:
                return

    def _read_pictures(self, running: Pass, report: IndexReport, hooks: PassHooks) -> int:
        """Publish the words of pictures, one after the other, while there is no other work.

        The result is their number.
        """
        job = running.job
        workspace = job.workspace
        queue = self.pictures(workspace)
        io_timeout = self._io_timeouts[workspace.root]
        until = time.monotonic() + self._limits.pictures_seconds
        done = 0
        total = len(queue)
        resting = 0
        # What was read before needs no power, so each one is tried even on a battery.
        while len(queue) > resting:
            running.cancel.check()
            self._show_pictures(job, report, done=done, total=total)
            outcome = queue.read(io_timeout, _LISTEN_S)
            resting += len(outcome.resting)
            if outcome.read:
                with self._open(job, running.cancel) as writer:
                    context = self._begin(running, writer, hooks)
                    Indexer(context, self._providers).publish_documents(outcome.read, done, total)
                done += len(outcome.read)
                resting = 0
            hooks.on_idle()
            if io_timeout.is_exhausted or time.monotonic() >= until or hooks.has_other_work():
                break
        # What is half read is kept by the page, and goes on in its next turn.
        if hooks.has_other_work():
            queue.stop()
        report.pictures_left = len(queue)
        if len(queue):
            report.pictures_paused = self.pictures_obstacle(workspace)
        self._show_pictures(job, report, done=done, total=total)
        workspace.show(state=IndexState.READY)
        return done

    def _show_pictures(self, job: PassInput, report: IndexReport, *, done: int, total: int) -> None:
        """Show how many pictures wait, how long they take, and why none is read now."""
        files = self.pictures(job.workspace).files
        sources = self._sources(job.workspace)
        seconds = sources.picture_time.left(files, report.skipped)
        reason = report.pictures_paused or sources.pauses.reason or ""
        job.workspace.show(
            pictures=PictureProgress(len(files), seconds_left=seconds, paused=reason)
        )
        if files:
            current = files[0].label
            step = Progress(
                "pictures", done=done, total=total, current=current, seconds_left=seconds
            )
            self._show(job.workspace, step)

    def _learn(
        self, running: Pass, words: WordsRead, writer: Writer, hooks: PassHooks
    ) -> IndexReport:
        """The second half of a pass, and another pass when it made the provider give way."""
        job = running.job
        context = self._begin(running, writer, hooks)
        report = Indexer(context, self._providers).run(
            words,
            words_only=job.words_only,
            may_send=job.may_send,
            # Another provider, or a new generation, may do what this one could not.
        )
        if report.meaning_missing and not report.backfill and self._gave_way(context):
            context = self._begin(running, writer, hooks)
            Indexer(context, self._providers).run(may_send=job.may_send)
        with writer.transaction():
            writer.history.prune(time.time_ns())
        return report

    def _gave_way(self, context: PassContext) -> bool:
        """Whether the fallback took over, or a remote model now has longer vectors."""
        if self._providers.off_reason:
            return False
        # Asking for the provider again may be what fails.
        try:
            provider = self._providers.current()
            if provider is not context.provider:
                return True
            used = context.generation
            if provider.is_local or used is None:
                return False
            return provider.identity() != used.identity
        except ProviderUnavailable:
            return False

    def _context(
        self, job: PassInput, writer: Writer, cancel: CancelToken, hooks: PassHooks
    ) -> PassContext:
        settings = IndexSettings.of(job.settings, job.record)
        return PassContext(
            job.record,
            writer,
            settings=settings,
            cancel=cancel,
            hooks=hooks,
            io_timeout=self._io_timeouts[job.workspace.root],
            backups=self._backups,
            documents=self.documents(job.workspace),
            pictures=self.pictures(job.workspace),
            limits=self._limits,
        )

    @contextlib.contextmanager
    def _open(
        self, job: PassInput, cancel: CancelToken | None = None, hooks: PassHooks = _NO_HOOKS
    ) -> Iterator[Writer]:
        """The writer of an index, under a lease unless an interrupted pass holds it already.

        An older index is migrated first; between the steps, the words of other indexes are read.
        """
        with contextlib.ExitStack() as stack:
            if job.file not in self._leased:
                stack.enter_context(hold_write_lease(job.file, cancel, self._limits.lease_seconds))
                self._leased.add(job.file)
                stack.callback(self._leased.discard, job.file)
            # From here on SQLite's errors are told in Scrubjay's words.
            stack.enter_context(convert_sqlite_errors(job.file))
            on_step = functools.partial(self._show_migration, job, cancel, hooks)
            writer = stack.enter_context(
                contextlib.closing(Writer.open(job.file, job.settings.history, on_step))
            )
            writer.metadata.check_owner(job.record)
            yield writer

    def _show_migration(
        self, job: PassInput, cancel: CancelToken | None, hooks: PassHooks, done: int, total: int
    ) -> None:
        """Show how far the words of an older index are written again. Raises Cancelled."""
        # Only a pass may take long, since it can be stopped.
        if cancel:
            cancel.check()
            job.workspace.show(state=IndexState.INDEXING, error="")
            self._show(job.workspace, Progress("updating", done=done, total=total))
            hooks.while_reading()
        elif total > _MIGRATED_AT_ONCE:
            raise Cancelled

    def _publish(
        self,
        job: PassInput,
        writer: Writer,
        changed: int,
        removed: int,
        added: int,
        *,
        state: IndexState,
    ) -> None:
        self._show_counts(job, writer, state=state, added=added)
        self._events.publish(IndexChanged(job.workspace.id, changed, removed))

    def _show(self, workspace: LocalWorkspace, step: Progress) -> None:
        self._events.publish(IndexProgressed(workspace.id, workspace.show_step(step)))

    def _show_counts(
        self, job: PassInput, writer: Writer, *, added: int = 0, **status: object
    ) -> None:
        size = index_bytes(job.file)
        job.workspace.show_index(writer.metadata, size, added=added, **status)
