"""Model downloads, one at a time on the download thread: start, pause, cancel, resume."""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Literal

from msgspec.structs import replace

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.thread_pool import DaemonThreadPool, SerialQueue, is_refused
from scrubjay.errors import Cancelled, DownloadFailed, ModelRefused, ScrubjayError, system_reason
from scrubjay.event_bus import EventBus
from scrubjay.events import ModelDownloadFailed, ModelDownloadProgressed, ModelsChanged
from scrubjay.messages import msg
from scrubjay.models.catalogue import KnownModel
from scrubjay.models.download.partial_file import PartialFile
from scrubjay.models.download.remote_file import look_up_file
from scrubjay.models.download.transfer import DownloadRetries, ResumableDownload
from scrubjay.models.verification import ModelTrial, OnProgress, receipt_file, verify_model
from scrubjay.records.model_records import DownloadProgress

log = logging.getLogger(__name__)

_REPORT_SECONDS = 0.1
"""Seconds between two reports of progress."""
_SPEED_SECONDS = 5.0
"""Seconds over which the speed is measured."""
_CLOSE_SECONDS = 1.0
"""Seconds that closing waits for a download to stop."""
_DIGEST_ATTEMPTS = 2
"""Number of downloads until the bytes are right; wrong twice is not an accident."""


@dataclass(slots=True)
class _Job:
    model: KnownModel
    partial_file: PartialFile
    progress: DownloadProgress
    future: Future[Path] = field(init=False)
    cancel: CancelToken = field(default_factory=CancelToken)
    decision: Literal["", "pause", "cancel"] = ""
    """Command of a person; empty if the program quits."""

    def store(self, *, is_paused: bool = False, failure: str = "") -> None:
        """Store the state of the download next to its bytes. Raises OSError."""
        self.partial_file.update(model=self.model.id, is_paused=is_paused, failure=failure)

    @contextlib.contextmanager
    def storing_end(self) -> Iterator[None]:
        """Inside, the error that ends the download is stored next to its bytes."""
        failure = ""
        try:
            yield
        except Exception as error:
            if isinstance(error, ScrubjayError):
                failure = str(error)
            elif not isinstance(error, Cancelled):
                # People must hear of it.
                log.exception("Fetching %s failed", self.model.id)
                failure = msg("The download stopped unexpectedly ({error}).", error=error)
            is_cancelled = self.decision == "cancel" and not failure
            if is_cancelled or (failure and not self.partial_file.size):
                self.partial_file.discard()
            else:
                # On a full disk the state stays as it is, which is enough to resume.
                with contextlib.suppress(OSError):
                    self.store(is_paused=self.decision == "pause", failure=failure)
            raise


class DownloadQueue:
    """Downloads models. All methods may be called from any thread."""

    def __init__(
        self, events: EventBus, trial: ModelTrial, policy: DownloadRetries | None = None
    ) -> None:
        """A model file counts after its trial."""
        self._events = events
        self.trial = trial
        self._policy = policy or DownloadRetries()
        self._queue = SerialQueue(DaemonThreadPool("download"))
        self._lock = threading.Lock()
        self._jobs: dict[str, _Job] = {}

    def probe(
        self, file: Path, cancel: CancelToken, on_progress: OnProgress = lambda _done, _total: None
    ) -> int:
        """Vector length of a file that works here. Raises ProviderUnavailable or Cancelled."""
        return self.trial.probe(file, cancel, on_progress)

    def begin(self, model: KnownModel, target: Path) -> Future[Path]:
        """Start, resume or join a download. Raises DownloadFailed, ModelRefused or Cancelled."""
        # Two callers share one download; a second model waits until the first is there.
        with self._lock:
            running = self._jobs.get(model.id)
            if running:
                return running.future
            partial_file = PartialFile(target)
            phase = "waiting" if self._jobs else "asking"
            begun = DownloadProgress(partial_file.size, model.size_bytes, phase=phase)
            job = _Job(model, partial_file, begun)
            job.future = self._queue.submit(lambda: self._run(job))
            if not is_refused(job.future):
                self._jobs[model.id] = job
        self._events.publish(ModelsChanged())
        return job.future

    def progress(self, model_id: str) -> DownloadProgress | None:
        """Progress of a download of this process; None if there is none."""
        job = self._jobs.get(model_id)
        if job is None:
            return None
        return job.progress

    def stop(self, model_id: str, decision: Literal["pause", "cancel"]) -> bool:
        """Stop a download; a cancelled one loses its bytes. False when none runs here."""
        job = self._jobs.get(model_id)
        if job:
            job.decision = decision
            job.cancel.cancel()
        return job is not None

    def close(self) -> None:
        """Stop at once. Downloads that were running are resumed at the next start."""
        for job in tuple(self._jobs.values()):
            job.cancel.cancel()
        self._queue.close(_CLOSE_SECONDS)

    # -- on the download thread -----------------------------------------------------------------

    def _run(self, job: _Job) -> Path:
        failure: ScrubjayError | None = None
        folder = job.partial_file.target.parent
        try:
            with _in_words(folder), job.partial_file.locked(), job.storing_end(), _in_words(folder):
                return self._download(job)
        except ScrubjayError as error:
            failure = error
            raise
        finally:
            with self._lock:
                del self._jobs[job.model.id]
            if failure:
                may_pass = isinstance(failure, DownloadFailed)
                failed = ModelDownloadFailed(job.model.id, str(failure), may_pass=may_pass)
                self._events.publish(failed)
            self._events.publish(ModelsChanged())

    def _download(self, job: _Job) -> Path:
        part = job.partial_file
        for attempt in range(1, _DIGEST_ATTEMPTS + 1):
            # All bytes, from where an earlier attempt ended.
            job.store()
            job.progress = replace(job.progress, phase="asking")
            self._events.publish(ModelDownloadProgressed(job.model.id, job.progress))
            download = ResumableDownload(
                look_up=lambda: look_up_file(job.model, job.cancel),
                partial_file=part,
                cancel=job.cancel,
                policy=self._policy,
                on_progress=self._reporter(job),
            )
            digest, expected = download.run()
            # The check of what has arrived.
            size = job.progress.done_bytes
            job.progress = DownloadProgress(size, size, phase="checking")
            self._events.publish(ModelDownloadProgressed(job.model.id, job.progress))
            try:
                receipt = verify_model(
                    part.file,
                    job.model.id,
                    sha256=digest,
                    expected=expected,
                    probe=partial(self.probe, on_progress=partial(self._report_check, job, size)),
                    cancel=job.cancel,
                )
                break
            except ModelRefused:
                # Its bytes are of no use, whatever the reason.
                part.discard()
                if digest == (expected or digest) or attempt == _DIGEST_ATTEMPTS:
                    raise
        file = part.finish()
        receipt.write(receipt_file(file))
        return file

    def _report_check(self, job: _Job, size: int, done: int, total: int) -> None:
        """Publish how much of the check of a file is done, as a share of its size."""
        # In bytes, as everything else that the bar shows.
        job.progress = DownloadProgress(size * done // total, size, phase="checking")
        self._events.publish(ModelDownloadProgressed(job.model.id, job.progress))

    def _reporter(self, job: _Job) -> Callable[[int, int | None], None]:
        """Measures the speed of a download, and publishes it at most ten times a second."""
        # Times with the bytes that had arrived by then.
        samples: deque[tuple[float, int]] = deque()
        reported_at = 0.0

        def on_progress(done: int, total: int | None) -> None:
            nonlocal reported_at
            now = time.monotonic()
            samples.append((now, done))
            while now - samples[0][0] > _SPEED_SECONDS and len(samples) > 2:
                samples.popleft()
            first, before = samples[0]
            speed = (done - before) / (now - first) if now > first else 0.0
            eta = (total - done) / speed if total is not None and speed else None
            # Stored each time: nothing more may come for a while, and a reader may look then.
            job.progress = DownloadProgress(done, total, bytes_per_second=speed, eta_seconds=eta)
            if now - reported_at >= _REPORT_SECONDS or done == total:
                reported_at = now
                self._events.publish(ModelDownloadProgressed(job.model.id, job.progress))

        return on_progress


@contextlib.contextmanager
def _in_words(folder: Path) -> Iterator[None]:
    """Inside, the error of a file is raised as DownloadFailed."""
    try:
        yield
    except OSError as error:
        raise DownloadFailed(
            msg("Scrubjay cannot write to {file}", file=folder),
            msg("{reason}.", reason=system_reason(error)),
            hint="Free some space, or change “Folder for the language helpers” in the settings.",
        ) from error
