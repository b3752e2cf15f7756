"""Brings the bytes of one file here, whatever the line does.

huggingface_hub's own download cannot be paused or cancelled from another thread, sleeps through
its retries and believes any range that it is sent; so the hub is asked for the metadata only.
"""

from __future__ import annotations

import errno
import hashlib
import http.client
import itertools
import logging
import random
import re
import shutil
import socket
import ssl
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from io import RawIOBase
from pathlib import Path

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.errors import DownloadFailed, system_reason
from scrubjay.messages import msg, sentence
from scrubjay.models.download import http_stream
from scrubjay.models.download.hub import HubTrouble, RemoteFile, refusal
from scrubjay.models.download.partial_file import PartialFile
from scrubjay.platform.http_access import network_reason

log = logging.getLogger(__name__)

SPACE_FACTOR = 1.2
"""Free space wanted at the start, for each byte that is still to come."""

_RESERVE = 64 << 20
"""Free space that is left to everybody else."""

_CONTENT_RANGE = re.compile(r"bytes (\d+)-\d+/(\d+|\*)")
_PIECE = 1 << 20
"""Pieces of a quarter of this took a fifth more of a processor."""
_LOOK_SECONDS = 1.0
_PATIENT_WITH_RANGES = 4
"""So many wrong ranges in a row, and the whole file is asked for: this server knows no ranges."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a download tries."""

    stall_seconds: float = 15.0
    """Without a single byte, the line counts as broken."""
    attempts: int = 6
    """In a row without a new byte."""
    first_wait: float = 0.5
    longest_wait: float = 8.0
    """Seconds between two attempts, doubling from the first."""

    def wait_after(self, failures: int, asked: float) -> float:
        """Seconds to wait; what the server asks for counts up to a minute."""
        doubled = min(self.longest_wait, self.first_wait * 2.0 ** max(0, failures - 1))
        return max(doubled * random.uniform(1.0, 1.2), min(asked, 60.0))


def free_bytes(folder: Path) -> int:
    """Space that is left where a folder is."""
    return shutil.disk_usage(folder).free


class ResumableDownload:
    """One file on its way into its part. Goes on where the part ends."""

    def __init__(
        self,
        look_up: Callable[[], RemoteFile],
        part: PartialFile,
        *,
        cancel: CancelToken,
        patience: Patience,
        arrived: Callable[[int, int | None], None] = lambda _done, _total: None,
        free: Callable[[Path], int] = free_bytes,
    ) -> None:
        """Arrived is told (bytes so far, bytes in all) after every piece."""
        self._look_up = look_up
        self._part = part
        self._cancel = cancel
        self._patience = patience
        self._arrived = arrived
        self._free = free
        self._remote: RemoteFile | None = None
        self._digest = hashlib.sha256()
        self._done = 0
        self._has_ended = False
        self._wrong_ranges = 0
        self._refusals = 0
        self._wait_asked = 0.0
        self._looked_at = 0.0

    def run(self, started: Callable[[RemoteFile], None]) -> str:
        """Fetch what is missing and return the SHA-256 of the whole file.

        Started is told what the server offers before anything is written; it may discard a part
        of something else. Raises Cancelled, or DownloadFailed when there is no point in going on.
        """
        failures = 0
        while not self._has_ended:
            self._cancel.check()
            before = self._done
            try:
                self._attempt(started)
            except (HubTrouble, http.client.HTTPException, OSError) as error:
                failures = 1 if self._done > before else failures + 1
                log.info("Attempt %s to fetch %s: %s", failures, self._part.target.name, error)
                if failures >= self._patience.attempts or _is_hopeless(error):
                    raise _given_up(error, self._patience) from error
                self._wait(self._patience.wait_after(failures, self._wait_asked))
        return self._digest.hexdigest()

    def _attempt(self, started: Callable[[RemoteFile], None]) -> None:
        remote = self._remote
        if remote is None:
            remote = self._look_up()
            started(remote)
            self._digest, self._done = self._part.digest(), self._part.size
            self._check_space(remote)
            self._remote = remote
        if remote.size is not None and self._done >= remote.size:
            self._has_ended = True
            return
        asks_for_range = self._done > 0 and self._wrong_ranges < _PATIENT_WITH_RANGES
        headers = {"Range": f"bytes={self._done}-"} if asks_for_range else {}
        stall = self._patience.stall_seconds
        try:
            with http_stream.get(
                remote.url, headers, stall_seconds=stall, cancel=self._cancel
            ) as found:
                known = self._known_bytes(found, remote)
                with self._part.file.open("ab", buffering=0) as file:
                    self._take(found, remote, file, known)
        except ssl.SSLCertVerificationError:
            raise  # which Python takes for a ValueError too
        except ValueError as error:
            raise DownloadFailed(
                "The model cannot be fetched", msg("{error}.", error=error)
            ) from error

    def _known_bytes(self, answer: http_stream.Answer, remote: RemoteFile) -> int:
        """How much of an answer is here already. Raises HubTrouble or DownloadFailed."""
        self._wait_asked = _seconds(answer.headers.get("retry-after", ""))
        if answer.status == http.client.PARTIAL_CONTENT:
            told = _CONTENT_RANGE.fullmatch(answer.headers.get("content-range", ""))
            begin, total = told.groups() if told else ("", "")
            if begin != str(self._done) or total not in ("*", str(remote.size)):
                self._wrong_ranges += 1
                raise HubTrouble(msg("The server sent another part than it was asked for"))
            self._wrong_ranges = 0
            return 0
        if answer.status == http.client.OK:
            if remote.size and answer.length not in (None, remote.size):
                raise HubTrouble(msg("The server sent something else, such as a page to log in"))
            if self._done and self._wrong_ranges < _PATIENT_WITH_RANGES:
                self._wrong_ranges += 1
                raise HubTrouble(msg("The server began from the start again"))
            return self._done
        if answer.status < http.client.INTERNAL_SERVER_ERROR:
            # Addresses are signed for an hour: the hub gives another one.
            self._remote = None
            self._refusals += 1
        error = refusal(answer.status, remote.url)
        if isinstance(error, DownloadFailed) and self._refusals == 1:
            raise HubTrouble(str(error))
        raise error

    def _take(
        self, answer: http_stream.Answer, remote: RemoteFile, file: RawIOBase, known: int
    ) -> None:
        pieces = [memoryview(bytearray(_PIECE)) for _ in range(2)]
        hashed: deque[Future[None]] = deque()
        # One piece is added to the digest while the next one is read.
        with ThreadPoolExecutor(1, "scrubjay-digest") as beside:
            for piece in itertools.cycle(pieces):
                if len(hashed) == len(pieces):
                    hashed.popleft().result()
                count = answer.read_into(piece)
                new = piece[min(known, count) : count]
                known -= min(known, count)
                if remote.size is not None:
                    new = new[: remote.size - self._done]
                self._write(new, file)
                hashed.append(beside.submit(self._digest.update, new))
                self._arrived(self._done, remote.size)
                if count == 0 or self._done == remote.size:
                    break
                self._watch_space(remote)
        self._has_ended = remote.size in (None, self._done)
        if not self._has_ended:
            raise HubTrouble(msg("The line was cut"))

    def _write(self, view: memoryview, file: RawIOBase) -> None:
        try:
            while view:
                written = file.write(view) or 0
                self._done += written
                view = view[written:]
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.EDQUOT):
                raise self._disk_full() from error
            reason = system_reason(error)
            raise DownloadFailed(
                msg("{file} cannot be written", file=self._part.file),
                msg("{reason}.", reason=reason),
            ) from error

    def _check_space(self, remote: RemoteFile) -> None:
        missing = (remote.size or 0) - self._done
        needed = int(missing * SPACE_FACTOR)
        if self._free(self._part.target.parent) < needed:
            raise self._disk_full(needed)

    def _watch_space(self, remote: RemoteFile) -> None:
        now = time.monotonic()
        if now - self._looked_at < _LOOK_SECONDS:
            return
        self._looked_at = now
        missing = _RESERVE if remote.size is None else remote.size - self._done
        if self._free(self._part.target.parent) < min(_RESERVE, missing):
            raise self._disk_full(missing)

    def _disk_full(self, needed: int = 0) -> DownloadFailed:
        folder = self._part.target.parent
        wanted = (
            msg("{n} MB are needed in {folder}", n=round(needed / 1000000.0), folder=folder)
            if needed
            else msg("{folder} is full", folder=folder)
        )
        return DownloadFailed(
            "There is not enough space on the disk",
            msg(
                "{wanted}, and {n} MB are free.",
                wanted=wanted,
                n=round(self._free(folder) / 1000000.0),
            ),
            hint="Make room and go on: what has arrived is kept.",
        )

    def _wait(self, seconds: float) -> None:
        called_off = threading.Event()
        with self._cancel.calling(called_off.set):
            called_off.wait(seconds)
        self._cancel.check()


def _is_hopeless(error: Exception) -> bool:
    return isinstance(error, ssl.SSLCertVerificationError)


def _given_up(error: Exception, patience: Patience) -> DownloadFailed:
    hint = msg("Check the network and go on: what has arrived is kept. Or import a file.")
    match error:
        case ssl.SSLCertVerificationError():
            reason = network_reason(error)
            hint = msg("If your network has a proxy that looks inside, the system must trust it.")
        case TimeoutError():
            reason = msg("Nothing arrived for {n} s", n=f"{patience.stall_seconds:g}")
        case socket.gaierror():
            reason = network_reason(error)
        case http.client.HTTPException() | OSError():
            reason = msg("The line broke ({error})", error=network_reason(error))
        case _:
            reason = sentence(str(error))
    return DownloadFailed("The model could not be fetched", reason, hint=hint)


def _seconds(retry_after: str) -> float:
    return float(retry_after) if retry_after.isdecimal() else 0.0
