"""Counts and progress of a pass over a workspace, and the calls it makes on its way."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, fields

from scrubjay.records.search_records import BackfillCost, IndexReport, Progress, SkippedFile

_REPORT_SECONDS = 0.1
"""Progress is published ten times a second at most: more often no reader sees it."""


@dataclass(frozen=True, slots=True)
class PassHooks:
    """Calls that a pass makes on its way, on its own thread."""

    on_progress: Callable[[Progress], None] = lambda _progress: None
    on_commit: Callable[[int, int], None] = lambda _changed, _removed: None
    """With the number of changed and removed documents of a transaction."""
    on_words_indexed: Callable[[], None] = lambda: None
    on_idle: Callable[[], None] = lambda: None
    """Before each batch for the model, when no transaction is open: the place for urgent work."""
    should_yield: Callable[[], bool] = lambda: False
    """Whether another pass waits, so that this one does not stay for batches under way."""


@dataclass(slots=True)
class PassReport:
    """Counts of a pass as it goes on."""

    changed: int = 0
    removed: int = 0
    unchanged: int = 0
    chunks: int = 0
    embedded: int = 0
    reused: int = 0
    model_s: float = 0.0
    meaning_missing: str = ""
    in_batches: int = 0
    batches_off: str = ""
    away: str = ""
    backfill: BackfillCost | None = None
    skipped: list[SkippedFile] = field(default_factory=list)

    def report(self, workspace_id: str, elapsed_s: float) -> IndexReport:
        """The counts at the end."""
        counts = {count.name: getattr(self, count.name) for count in fields(self)}
        counts["skipped"] = tuple(self.skipped)
        return IndexReport(workspace=workspace_id, elapsed_s=elapsed_s, **counts)


@dataclass(slots=True)
class ProgressEstimator:
    """Progress of long work, with the time that the rest takes at the pace so far."""

    total: int
    phase: str = "meaning"
    done: int = 0
    began: float = field(default_factory=time.monotonic)

    def progress(self) -> Progress:
        """The progress now."""
        elapsed = time.monotonic() - self.began
        done = min(self.done, self.total)
        eta = elapsed / done * (self.total - done) if done else None
        return Progress(self.phase, done, self.total, eta)


class ProgressThrottle:
    """Passes progress on, but not more often than it can be read."""

    def __init__(self, publish: Callable[[Progress], None]) -> None:
        self._publish = publish
        self._published_at = float("-inf")

    def show(self, progress: Progress) -> None:
        """Publish the first and the last progress of a phase, and some in between."""
        now = time.monotonic()
        is_last = progress.total > 0 and progress.done >= progress.total
        if is_last or now - self._published_at >= _REPORT_SECONDS:
            self._published_at = now
            self._publish(progress)

    def counter(self, estimator: ProgressEstimator) -> Callable[[int, int], None]:
        """A function of (done, total) that shows the estimator's progress."""

        def count(done: int, total: int) -> None:
            estimator.done, estimator.total = done, total
            self.show(estimator.progress())

        return count
