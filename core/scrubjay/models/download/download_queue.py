"""Downloads, one at a time on a thread of their own: begun, paused, called off, gone on with."""

from __future__ import annotations

import collections
import contextlib
import logging
import threading
import time
from concurrent.futures import Future
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.worker import Worker, is_refused
from scrubjay.errors import Cancelled, DownloadFailed, ModelRefused, ScrubjayError, system_reason
from scrubjay.events import EventBus, ModelDownloadFailed, ModelDownloadProgressed, ModelsChanged
from scrubjay.messages import msg
from scrubjay.models.catalogue import KnownModel
from scrubjay.models.download.hub import RemoteFile, look_up
from scrubjay.models.download.partial_file import PartialFile, PartialFileState
from scrubjay.models.download.transfer import Patience, ResumableDownload
from scrubjay.models.verification import Probe, check, write_receipt
from scrubjay.records.model_records import DownloadProgress

log = logging.getLogger(__name__)

_REPORT_SECONDS = 0.1
_SPEED_SECONDS = 5.0
_CLOSE_SECONDS = 1.0
_SAME_DIGEST_TRIES = 2
"""After wrong bytes everything is fetched once more; twice wrong is no accident."""


class _Stop(Enum):
    """Why a download was told to stop."""

    NO = "no"
    QUIT = "quit"
    PAUSE = "pause"
    CANCEL = "cancel"


@dataclass(slots=True)
class _Job:
    model: KnownModel
    part: PartialFile
    progress: DownloadProgress
    future: Future[Path] = field(default_factory=Future)
    cancel: CancelToken = field(default_factory=CancelToken)
    stop: _Stop = _Stop.NO


class Downloads:
    """Fetches models. All methods may be called from any thread."""

    def __init__(self, events: EventBus, probe: Probe, patience: Patience | None = None) -> None:
        """Probe tries a model file before it counts."""
        self._events = events
        self._probe = probe
        self._patience = patience or Patience()
        self._worker = Worker("download")
        self._lock = threading.Lock()
        self._jobs: dict[str, _Job] = {}

    def begin(self, model: KnownModel, target: Path) -> Future[Path]:
        """Fetch a model, or go on with it; asking again gives the same future.

        It may raise DownloadFailed, ModelRefused, or Cancelled after a pause.
        """
        with self._lock:
            if known := self._jobs.get(model.id):
                return known.future
            part = PartialFile(target)
            waiting = DownloadProgress(part.size, model.size_bytes, phase="waiting")
            job = self._jobs[model.id] = _Job(model, part, waiting)
            job.future.set_running_or_notify_cancel()
        if is_refused(self._worker.submit(lambda: self._run(job))):
            self._end(job, Cancelled())
        self._events.publish(ModelsChanged())
        return job.future

    def progress(self, model_id: str) -> DownloadProgress | None:
        """How far a download of this process is; None when there is none."""
        job = self._jobs.get(model_id)
        return job.progress if job else None

    def pause(self, model_id: str) -> None:
        """Stop a download and keep what has arrived. It goes on when it is begun again."""
        self._stop(model_id, _Stop.PAUSE)

    def cancel(self, model_id: str) -> bool:
        """Stop a download and delete what has arrived; False when this process has none."""
        return self._stop(model_id, _Stop.CANCEL)

    def close(self) -> None:
        """Stop at once. What was being fetched goes on at the next start."""
        for model_id in tuple(self._jobs):
            self._stop(model_id, _Stop.QUIT)
        self._worker.stop(_CLOSE_SECONDS)

    def _stop(self, model_id: str, why: _Stop) -> bool:
        with self._lock:
            job = self._jobs.get(model_id)
            if job is None:
                return False
            # Quitting does not undo what a person decided a moment before.
            if why is not _Stop.QUIT or job.stop is _Stop.NO:
                job.stop = why
        job.cancel.cancel()
        return True

    # -- on the download thread -----------------------------------------------------------------

    def _run(self, job: _Job) -> None:
        outcome: Path | BaseException
        try:
            with job.part.alone():
                outcome = self._outcome(job)
        except ScrubjayError as error:
            outcome = error
        except OSError as error:
            outcome = _unwritable(job.part, error)
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
        """The finished file, or why there is none, which the part then knows too."""
        try:
            return self._fetch(job)
        except Cancelled as error:
            if job.stop is _Stop.CANCEL:
                job.part.discard()
            elif job.stop is _Stop.PAUSE:
                _remember(job, is_paused=True)
            return error
        except ScrubjayError as error:
            _remember(job, failure=str(error))
            return error
        except OSError as error:
            failure = _unwritable(job.part, error)
            _remember(job, failure=str(failure))
            return failure
        except Exception as error:  # the thread must outlive a bug, and people must hear of it
            log.exception("Fetching %s failed", job.model.id)
            _remember(job, failure=msg("It stopped unexpectedly ({error}).", error=error))
            return error

    def _fetch(self, job: _Job) -> Path:
        job.part.write_note(_note(job))
        for attempt in range(1, _SAME_DIGEST_TRIES + 1):
            digest, remote = self._transfer(job)
            self._show(job, phase="checking")
            try:
                receipt = check(
                    job.part.file,
                    job.model.id,
                    sha256=digest,
                    wanted=job.model.sha256 or remote.sha256,
                    probe=self._probe,
                    cancel=job.cancel,
                )
                break
            except ModelRefused:
                # Its bytes are of no use to anybody, whatever the reason.
                job.part.discard()
                is_changed = digest != (job.model.sha256 or remote.sha256 or digest)
                if not is_changed or attempt == _SAME_DIGEST_TRIES:
                    raise
                job.part.write_note(_note(job))
        file = job.part.finish()
        write_receipt(file, receipt)
        return file

    def _transfer(self, job: _Job) -> tuple[str, RemoteFile]:
        offered: list[RemoteFile] = []
        meter = _Meter()

        def started(remote: RemoteFile) -> None:
            note = job.part.note()
            if job.part.size and not (note and note.is_of(remote)):
                job.part.discard()
            job.part.write_note(_note(job, remote=remote))
            offered.append(remote)

        def arrived(done: int, total: int | None) -> None:
            now = time.monotonic()
            meter.add(now, done)
            # Kept each time: nothing more may come for a while, and somebody may look then.
            job.progress = meter.progress(done, total)
            if meter.is_due(now) or done == total:
                self._events.publish(ModelDownloadProgressed(job.model.id, job.progress))

        digest = ResumableDownload(
            lambda: look_up(job.model, job.cancel),
            job.part,
            cancel=job.cancel,
            patience=self._patience,
            arrived=arrived,
        ).run(started)
        return digest, offered[-1]

    def _show(self, job: _Job, phase: str) -> None:
        size = job.part.size or job.progress.done_bytes
        job.progress = DownloadProgress(size, size, phase=phase)
        self._events.publish(ModelDownloadProgressed(job.model.id, job.progress))


def _remember(job: _Job, *, is_paused: bool = False, failure: str = "") -> None:
    # On a full disk the note stays as it is, and what it says then is enough to go on.
    with contextlib.suppress(OSError):
        job.part.write_note(_note(job, is_paused=is_paused, failure=failure))


def _unwritable(part: PartialFile, error: OSError) -> DownloadFailed:
    reason = system_reason(error)
    return DownloadFailed(
        msg("{file} cannot be written", file=part.target.parent),
        msg("{reason}.", reason=reason),
        hint="Choose another folder with local.modelCacheDir, or make room.",
    )


def _note(
    job: _Job, *, remote: RemoteFile | None = None, is_paused: bool = False, failure: str = ""
) -> PartialFileState:
    """What the part is of; without a server's word what was known before stays."""
    known = job.part.note()
    return PartialFileState(
        job.model.id,
        remote.size if remote else known.size if known else job.model.size_bytes,
        remote.sha256 if remote else known.sha256 if known else job.model.sha256,
        remote.etag if remote else known.etag if known else "",
        is_paused,
        failure,
    )


class _Meter:
    """Speed over the last seconds, and when to tell about it."""

    def __init__(self) -> None:
        self._seen: collections.deque[tuple[float, int]] = collections.deque()
        self._told_at = 0.0

    def add(self, now: float, done: int) -> None:
        """So many bytes are here now."""
        self._seen.append((now, done))
        while now - self._seen[0][0] > _SPEED_SECONDS and len(self._seen) > 2:
            self._seen.popleft()

    def is_due(self, now: float) -> bool:
        """True at most ten times a second."""
        if now - self._told_at < _REPORT_SECONDS:
            return False
        self._told_at = now
        return True

    def progress(self, done: int, total: int | None) -> DownloadProgress:
        """With the time that is left at this speed."""
        (first, before), (last, after) = self._seen[0], self._seen[-1]
        speed = (after - before) / (last - first) if last > first else 0.0
        eta = (total - done) / speed if total is not None and speed else None
        return DownloadProgress(done, total, speed, eta)
