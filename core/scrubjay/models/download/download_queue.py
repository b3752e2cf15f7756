"""Model downloads, one at a time on the download thread: start, pause, cancel, resume."""

from __future__ import annotations

import collections
import contextlib
import logging
import threading
import time
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.thread_pool import DaemonThreadPool, SerialQueue, is_refused
from scrubjay.errors import Cancelled, DownloadFailed, ModelRefused, ScrubjayError, system_reason
from scrubjay.events import EventBus, ModelDownloadFailed, ModelDownloadProgressed, ModelsChanged
from scrubjay.messages import msg
from scrubjay.models.catalogue import KnownModel
from scrubjay.models.download.hub import RemoteFile, look_up
from scrubjay.models.download.partial_file import PartialFile, PartialFileState
from scrubjay.models.download.transfer import ResumableDownload, RetryPolicy
from scrubjay.models.verification import Probe, check, write_receipt
from scrubjay.records.model_records import DownloadProgress

log = logging.getLogger(__name__)

_REPORT_SECONDS = 0.1
_SPEED_SECONDS = 5.0
_CLOSE_SECONDS = 1.0
_DIGEST_ATTEMPTS = 2
"""After wrong bytes everything is downloaded once more; twice wrong is no accident."""


class _Stop(Enum):
    """Why a download was told to stop."""

    NO = "no"
    QUIT = "quit"
    PAUSE = "pause"
    CANCEL = "cancel"


@dataclass(slots=True)
class _Job:
    model: KnownModel
    partial_file: PartialFile
    progress: DownloadProgress
    future: Future[Path] = field(default_factory=Future)
    cancel: CancelToken = field(default_factory=CancelToken)
    stop: _Stop = _Stop.NO

    def update_state(
        self, remote: RemoteFile | None = None, *, is_paused: bool = False, failure: str = ""
    ) -> None:
        """Store the state; without remote, the description of the file stays. Raises OSError."""
        state = self.partial_file.state() or PartialFileState(
            self.model.id, self.model.size_bytes, self.model.sha256
        )
        if remote:
            state = replace(state, size=remote.size, sha256=remote.sha256, etag=remote.etag)
        state = replace(state, model=self.model.id, is_paused=is_paused, failure=failure)
        self.partial_file.write_state(state)


class DownloadQueue:
    """Downloads models. All methods may be called from any thread."""

    def __init__(self, events: EventBus, probe: Probe, policy: RetryPolicy | None = None) -> None:
        """Probe tries a model file before it counts."""
        self._events = events
        self._probe = probe
        self._policy = policy or RetryPolicy()
        self._queue = SerialQueue(DaemonThreadPool("download"))
        self._lock = threading.Lock()
        self._jobs: dict[str, _Job] = {}

    def begin(self, model: KnownModel, target: Path) -> Future[Path]:
        """Start or resume a download; a second call gives the same future.

        It may raise DownloadFailed, ModelRefused, or Cancelled after a pause.
        """
        with self._lock:
            if running := self._jobs.get(model.id):
                return running.future
            partial_file = PartialFile(target)
            waiting = DownloadProgress(partial_file.size, model.size_bytes, phase="waiting")
            job = self._jobs[model.id] = _Job(model, partial_file, waiting)
            job.future.set_running_or_notify_cancel()
        if is_refused(self._queue.submit(lambda: self._run(job))):
            self._end(job, Cancelled())
        self._events.publish(ModelsChanged())
        return job.future

    def progress(self, model_id: str) -> DownloadProgress | None:
        """Progress of a download of this process; None when there is none."""
        job = self._jobs.get(model_id)
        return job.progress if job else None

    def pause(self, model_id: str) -> None:
        """Stop a download and keep its bytes; begin resumes it."""
        self._stop(model_id, _Stop.PAUSE)

    def cancel(self, model_id: str) -> bool:
        """Stop a download and delete its bytes; False when this process has none."""
        return self._stop(model_id, _Stop.CANCEL)

    def close(self) -> None:
        """Stop at once. Downloads that were running are resumed at the next start."""
        for model_id in tuple(self._jobs):
            self._stop(model_id, _Stop.QUIT)
        self._queue.close(_CLOSE_SECONDS)

    def _stop(self, model_id: str, reason: _Stop) -> bool:
        with self._lock:
            job = self._jobs.get(model_id)
            if job is None:
                return False
            # Quitting does not undo a pause or a cancel of a moment before.
            if reason is not _Stop.QUIT or job.stop is _Stop.NO:
                job.stop = reason
        job.cancel.cancel()
        return True

    # -- on the download thread -----------------------------------------------------------------

    def _run(self, job: _Job) -> None:
        outcome: Path | BaseException
        try:
            with job.partial_file.locked():
                outcome = self._outcome(job)
        except (ScrubjayError, OSError) as error:
            outcome = _for_people(error, job.partial_file)
        self._end(job, outcome)
        self._events.publish(ModelsChanged())

    def _end(self, job: _Job, outcome: Path | BaseException) -> None:
        with self._lock:
            self._jobs.pop(job.model.id, None)
        if isinstance(outcome, Path):
            job.future.set_result(outcome)
            return
        job.future.set_exception(outcome)
        if isinstance(outcome, ScrubjayError):
            self._events.publish(ModelDownloadFailed(job.model.id, str(outcome)))

    def _outcome(self, job: _Job) -> Path | BaseException:
        """The finished file, or the error, which the stored state then holds too."""
        try:
            return self._download(job)
        except Cancelled as cancelled:
            if job.stop is _Stop.CANCEL:
                job.partial_file.discard()
            elif job.stop is _Stop.PAUSE:
                _try_update(job, is_paused=True)
            return cancelled
        except (ScrubjayError, OSError) as error:
            failure = _for_people(error, job.partial_file)
            _try_update(job, failure=str(failure))
            return failure
        except Exception as bug:  # the thread must outlive it, and people must hear of it
            log.exception("Fetching %s failed", job.model.id)
            _try_update(job, failure=msg("It stopped unexpectedly ({error}).", error=bug))
            return bug

    def _download(self, job: _Job) -> Path:
        job.update_state()
        for attempt in range(1, _DIGEST_ATTEMPTS + 1):
            digest, remote = self._transfer(job)
            size = job.partial_file.size or job.progress.done_bytes
            job.progress = DownloadProgress(size, size, phase="checking")
            self._events.publish(ModelDownloadProgressed(job.model.id, job.progress))
            expected = job.model.sha256 or remote.sha256
            try:
                receipt = check(
                    job.partial_file.file,
                    job.model.id,
                    sha256=digest,
                    expected=expected,
                    probe=self._probe,
                    cancel=job.cancel,
                )
                break
            except ModelRefused:
                # Its bytes are of no use, whatever the reason.
                job.partial_file.discard()
                if digest == (expected or digest) or attempt == _DIGEST_ATTEMPTS:
                    raise
                job.update_state()
        file = job.partial_file.finish()
        write_receipt(file, receipt)
        return file

    def _transfer(self, job: _Job) -> tuple[str, RemoteFile]:
        """SHA-256 of the downloaded bytes, and the file that they are of."""
        offered: list[RemoteFile] = []
        meter = _SpeedMeter()

        def on_remote(remote: RemoteFile) -> None:
            state = job.partial_file.state()
            if job.partial_file.size and not (state and state.is_of(remote)):
                job.partial_file.discard()
            job.update_state(remote)
            offered.append(remote)

        def on_progress(done: int, total: int | None) -> None:
            now = time.monotonic()
            meter.add(now, done)
            # Stored each time: nothing more may come for a while, and a reader may look then.
            job.progress = meter.progress(done, total)
            if meter.is_due(now) or done == total:
                self._events.publish(ModelDownloadProgressed(job.model.id, job.progress))

        digest = ResumableDownload(
            lambda: look_up(job.model, job.cancel),
            job.partial_file,
            cancel=job.cancel,
            policy=self._policy,
            on_progress=on_progress,
        ).run(on_remote)
        return digest, offered[-1]


def _try_update(job: _Job, *, is_paused: bool = False, failure: str = "") -> None:
    # On a full disk the state stays as it is, which is enough to resume.
    with contextlib.suppress(OSError):
        job.update_state(is_paused=is_paused, failure=failure)


def _for_people(error: ScrubjayError | OSError, partial_file: PartialFile) -> ScrubjayError:
    """The error itself, or the DownloadFailed for a file that cannot be written."""
    if isinstance(error, ScrubjayError):
        return error
    return DownloadFailed(
        msg("{file} cannot be written", file=partial_file.target.parent),
        msg("{reason}.", reason=system_reason(error)),
        hint="Choose another folder with local.modelCacheDir, or make room.",
    )


class _SpeedMeter:
    """Speed over the last seconds, and when to report it."""

    def __init__(self) -> None:
        self._samples: collections.deque[tuple[float, int]] = collections.deque()
        self._reported_at = 0.0

    def add(self, now: float, done: int) -> None:
        """Add a sample: bytes that are here now."""
        self._samples.append((now, done))
        while now - self._samples[0][0] > _SPEED_SECONDS and len(self._samples) > 2:
            self._samples.popleft()

    def is_due(self, now: float) -> bool:
        """True at most ten times a second."""
        if now - self._reported_at < _REPORT_SECONDS:
            return False
        self._reported_at = now
        return True

    def progress(self, done: int, total: int | None) -> DownloadProgress:
        """Progress with the seconds that are left at this speed."""
        (first, before), (last, after) = self._samples[0], self._samples[-1]
        speed = (after - before) / (last - first) if last > first else 0.0
        eta = (total - done) / speed if total is not None and speed else None
        return DownloadProgress(done, total, speed, eta)
