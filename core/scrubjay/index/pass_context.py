"""State that the steps of one pass over a workspace share: input, report, progress, hooks."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.io_timeout import IoTimeout
from scrubjay.concurrency.thread_pool import DaemonThreadPool
from scrubjay.documents.converter import Converter
from scrubjay.embedding.provider import EmbeddingProvider
from scrubjay.index.document_queue import DocumentQueue
from scrubjay.index.jobs import PassHooks
from scrubjay.index.scan_diff import IndexSettings
from scrubjay.records.engine_limits import DEFAULT_LIMITS, EngineLimits
from scrubjay.records.note_records import Workspace
from scrubjay.records.status_records import IndexReport, Progress, SkippedFile
from scrubjay.store.rows import Generation
from scrubjay.store.writer import Writer
from scrubjay.text.printable import printable

_REPORT_SECONDS = 0.1
"""Seconds between two progress reports at least: more often, no reader sees it."""


@dataclass(slots=True)
class PassContext:
    """Everything that the steps of one pass share. For the index thread."""

    workspace: Workspace
    writer: Writer
    settings: IndexSettings
    cancel: CancelToken = field(default_factory=CancelToken)
    hooks: PassHooks = field(default_factory=PassHooks)
    io_timeout: IoTimeout = field(default_factory=IoTimeout)
    """Limit on calls to the folder's drive; it remembers those that still hang from former passes.
    """
    absent: Callable[[], Iterable[Mapping[str, int]]] = tuple
    """Sizes of the notes of each other workspace whose folder is not there, by path."""
    limits: EngineLimits = DEFAULT_LIMITS
    backups: Path | None = None
    """Folder where the former content of notes is kept."""
    began_ns: int = field(default_factory=time.time_ns)
    """Time before the scan, on the clock of file times."""
    documents: DocumentQueue = field(
        default_factory=lambda: DocumentQueue(DaemonThreadPool(""), Converter())
    )
    """Documents that are read after the notes, by this pass and later ones."""
    provider: EmbeddingProvider | None = None
    """Provider of its vectors; None until the pass has come to them."""
    generation: Generation | None = None
    """Generation of its vectors; None before the first."""
    report: IndexReport = field(init=False)
    """Result so far."""
    _shown_at: float = float("-inf")

    def __post_init__(self) -> None:
        self.report = IndexReport(self.workspace.id)

    def skip(self, label: str, reason: str) -> None:
        """Note a file that people expect to be searched, and why it is not."""
        self.report.skipped += (SkippedFile(printable(label), reason, is_problem=True),)

    def forget_skipped(self, label: str) -> None:
        """Take a file off the list of skipped ones, since it is read again."""
        path = printable(label)
        self.report.skipped = tuple(each for each in self.report.skipped if each.path != path)

    def show(self, progress: Progress) -> None:
        """Publish the first and the last progress of a phase, and some in between."""
        now = time.monotonic()
        is_last = progress.total > 0 and progress.done >= progress.total
        if is_last or now - self._shown_at >= _REPORT_SECONDS:
            self._shown_at = now
            self.hooks.on_progress(progress)

    def show_pace(
        self, began: float, done: int, total: int, phase: str = "meaning", *, before: int = 0
    ) -> None:
        """Publish progress with the time that the rest takes at the pace since began.

        So many more were there before: what was learned is not lost when the app is closed.
        """
        done = min(done, total)
        eta: float | None = None
        if done:
            seconds = time.monotonic() - began
            eta = seconds / done * (total - done)
        progress = Progress(phase, before + done, total=before + total, eta_seconds=eta)
        self.show(progress)

    def before_batch(self) -> None:
        """Let urgent work go first, between two batches for a model. Raises Cancelled."""
        # Urgent work may take a while, in which a person can stop the pass.
        self.cancel.check()
        self.hooks.on_idle()
        self.cancel.check()
