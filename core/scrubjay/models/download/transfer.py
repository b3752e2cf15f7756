"""The transfer of one file over connections that may break.

huggingface_hub's own download cannot be paused or cancelled from another thread, sleeps during its
retries and accepts any range. It is therefore used only for the metadata.
"""

from __future__ import annotations

import errno
import hashlib
import logging
import random
import re
import shutil
import socket
import ssl
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from http import HTTPStatus
from io import RawIOBase
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.errors import DownloadFailed, system_reason
from scrubjay.messages import as_sentence, msg
from scrubjay.models.download import remote_file
from scrubjay.models.download.partial_file import PartialFile, PartialFileState
from scrubjay.models.download.remote_file import (
    RemoteFile,
    TemporaryFailure,
    Unreachable,
    UnusableAddress,
    status_error,
)
from scrubjay.platform.http_access import network_reason

if TYPE_CHECKING:
    import httpx2

log = logging.getLogger(__name__)

SPACE_FACTOR = 1.2
"""Free bytes wanted at the start, for each byte that is still to come."""

_RESERVE_BYTES = 64 << 20
"""Bytes of free space that are left to other programs."""
_SPACE_CHECK_SECONDS = 1.0
"""Seconds between two looks at the free space."""
_CONTENT_RANGE = re.compile(r"bytes (\d+)-\d+/(\d+|\*)")
_UNHASHED_PIECES = 2
"""Pieces that may wait for the digest. With one, reading waits on a busy computer (0.6 of curl)."""
_WRONG_RANGES = 4
"""Number of wrong ranges in a row after which the whole file is asked for: such a server knows no
ranges."""


class DownloadRetries(Struct, frozen=True):
    """The attempts of a download and their pauses."""

    stall_seconds: float = 15.0
    """Seconds without a single byte after which a connection counts as broken."""
    attempts: int = 6
    """Number of attempts in a row without a new byte."""
    first_attempts: int = 2
    """Number of attempts to reach a server that has sent nothing yet."""
    first_wait: float = 0.5
    """Seconds before the second attempt; each further one waits twice as long."""
    longest_wait: float = 8.0
    """Seconds between two attempts, at most."""


@dataclass
class ResumableDownload:
    """Download of one file into its partial file, from where that ends."""

    look_up: Callable[[], RemoteFile]
    partial_file: PartialFile
    cancel: CancelToken
    policy: DownloadRetries
    on_progress: Callable[[int, int | None], None] = lambda _done, _total: None
    """Listener that gets (bytes so far, bytes in all) after every piece."""
    _remote: RemoteFile | None = field(default=None, init=False)
    _digest: hashlib._Hash = field(default_factory=hashlib.sha256, init=False)
    _done: int = field(default=0, init=False)
    _wrong_ranges: int = field(default=0, init=False)
    _refusals: int = field(default=0, init=False)
    _retry_after: float = field(default=0.0, init=False)
    _space_checked_at: float = field(default=0.0, init=False)

    @property
    def _folder(self) -> Path:
        return self.partial_file.target.parent

    def run(self) -> tuple[str, str | None]:
        """Download the rest; SHA-256 as it is and should be. Raises Cancelled or DownloadFailed."""
        failures = 0
        while True:
            self.cancel.check()
            before = self._done
            try:
                remote = self._remote or self._offered()
                self._remote = remote
                if remote.size is None or self._done < remote.size:
                    self._fetch(remote)
                return self._digest.hexdigest(), remote.sha256
            except (TemporaryFailure, OSError) as error:
                # Each new byte gives it all its attempts again.
                if self._done > before:
                    failures = 0
                failures += 1
                name = self.partial_file.target.name
                log.info("Attempt %s to fetch %s: %s", failures, name, error)
                # A certificate stays wrong, and a computer without a network knows it soon.
                is_hopeless = isinstance(error, ssl.SSLCertVerificationError)
                if isinstance(error, Unreachable) and not self._done:
                    is_hopeless = failures >= self.policy.first_attempts
                if failures >= self.policy.attempts or is_hopeless:
                    raise _download_failed(error, self.policy) from error
                doubled = self.policy.first_wait * 2.0 ** (failures - 1)
                seconds = min(self.policy.longest_wait, doubled) * random.uniform(1.0, 1.2)
                # A request of the server counts up to a minute.
                self.cancel.wait(max(seconds, min(self._retry_after, 60.0)))
            except UnusableAddress as error:
                title = msg("The language helper cannot be downloaded")
                if self._remote is None:
                    title = msg("The file cannot be downloaded")
                raise DownloadFailed(title, msg("{error}.", error=error)) from error

    def _offered(self) -> RemoteFile:
        """The file on the server, for which there is space."""
        remote = self.look_up()
        former = self.partial_file.state() or PartialFileState("")
        keeps_bytes = _is_same_file(former, remote)
        self._digest = self.partial_file.prepare_for(remote, keeps_bytes=keeps_bytes)
        self._done = self.partial_file.size
        needed = int(((remote.size or 0) - self._done) * SPACE_FACTOR)
        self._check_space(needed, needed)
        return remote

    def _fetch(self, remote: RemoteFile) -> None:
        wants_range = self._done > 0 and self._wrong_ranges < _WRONG_RANGES
        headers: dict[str, str] = {}
        if wants_range:
            headers["Range"] = f"bytes={self._done}-"
        get = remote_file.open_response(
            remote.url, headers, stall_seconds=self.policy.stall_seconds, cancel=self.cancel
        )
        with get as response:
            self._receive(response, remote, self._overlap(response, remote))

    def _overlap(self, response: httpx2.Response, remote: RemoteFile) -> int:
        """Bytes of a response that are here already. Raises TemporaryFailure or DownloadFailed."""
        retry_after = response.headers.get("retry-after", "")
        self._retry_after = float(retry_after) if retry_after.isdecimal() else 0.0
        # The rest, as it was asked for.
        if response.status_code == HTTPStatus.PARTIAL_CONTENT:
            match = _CONTENT_RANGE.fullmatch(response.headers.get("content-range", ""))
            totals = ("*", str(remote.size))
            if not match or match[1] != str(self._done) or match[2] not in totals:
                self._wrong_ranges += 1
                raise TemporaryFailure(
                    msg("The server sent a part of the file that Scrubjay did not request")
                )
            self._wrong_ranges = 0
            return 0
        # The whole file, whose beginning is here already.
        if response.status_code == HTTPStatus.OK:
            if remote.size and remote_file.content_length(response) not in (None, remote.size):
                raise TemporaryFailure(
                    msg("The server sent something other than the file, such as a login page")
                )
            if self._done and self._wrong_ranges < _WRONG_RANGES:
                self._wrong_ranges += 1
                raise TemporaryFailure(msg("The server sent the file from the beginning again"))
            return self._done
        if response.status_code < HTTPStatus.INTERNAL_SERVER_ERROR:
            # Addresses are signed for an hour: the hub gives another one.
            self._remote = None
            self._refusals += 1
        error = status_error(response.status_code, remote.url)
        if isinstance(error, DownloadFailed) and self._refusals == 1:
            raise TemporaryFailure(str(error))
        raise error

    def _receive(self, response: httpx2.Response, remote: RemoteFile, overlap: int) -> None:
        with (
            self.partial_file.opened() as file,
            # A piece is added to the digest while the next one is read.
            ThreadPoolExecutor(1, "scrubjay-digest") as hasher,
        ):
            hashed: deque[Future[None]] = deque()
            for piece in remote_file.iterate_body(response):
                # Only what is new and belongs to the file.
                new = memoryview(piece)[overlap:]
                overlap -= min(overlap, len(piece))
                if remote.size is not None:
                    new = new[: remote.size - self._done]
                self._write(new, file)
                if len(hashed) == _UNHASHED_PIECES:
                    hashed.popleft().result()
                hashed.append(hasher.submit(self._digest.update, new))
                self.on_progress(self._done, remote.size)
                if self._done == remote.size:
                    break
                self._check_space_now_and_then(remote)
        if remote.size not in (None, self._done):
            raise TemporaryFailure(msg("The connection was lost"))

    def _write(self, view: memoryview, file: RawIOBase) -> None:
        # A part may be written before the disk is full.
        try:
            while view:
                written = file.write(view) or 0
                self._done += written
                view = view[written:]
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.EDQUOT):
                raise self._disk_full(
                    msg("More space is needed in {folder}", folder=self._folder)
                ) from error
            raise DownloadFailed(
                msg("Scrubjay cannot write to {file}", file=self.partial_file.file),
                msg("{reason}.", reason=system_reason(error)),
            ) from error

    def _check_space_now_and_then(self, remote: RemoteFile) -> None:
        """Raise DownloadFailed when other programs have taken the space meanwhile."""
        now = time.monotonic()
        if now - self._space_checked_at <= _SPACE_CHECK_SECONDS:
            return
        self._space_checked_at = now
        left = _RESERVE_BYTES
        if remote.size is not None:
            left = remote.size - self._done
        self._check_space(min(_RESERVE_BYTES, left), left)

    def _check_space(self, wanted: int, needed: int) -> None:
        """Raise DownloadFailed when less than wanted is free, and say what is needed, in bytes."""
        if shutil.disk_usage(self._folder).free < wanted:
            n = round(needed / 1000000.0)
            raise self._disk_full(
                msg("{n} MB of free space is needed in {folder}", n=n, folder=self._folder)
            )

    def _disk_full(self, need: str) -> DownloadFailed:
        free = round(shutil.disk_usage(self._folder).free / 1000000.0)
        return DownloadFailed(
            "There is not enough space on the disk",
            msg("{wanted}, but only {n} MB is free.", wanted=need, n=free),
            hint="Free some space, then continue the download. The part that is "
            "already downloaded is kept.",
        )


def _is_same_file(former: PartialFileState, remote: RemoteFile) -> bool:
    """Whether the bytes that are here belong to the file that the server offers now."""
    # A digest proves it. Otherwise the size and the ETag have to be those of last time.
    if former.sha256 and remote.sha256:
        return former.sha256 == remote.sha256
    return (former.size, former.etag) == (remote.size, remote.etag)


def _download_failed(error: Exception, policy: DownloadRetries) -> DownloadFailed:
    hint = msg(
        "Check the internet connection, then continue. The part that was downloaded is "
        "kept. You can also use a file that you already have."
    )
    if isinstance(error, Unreachable):
        hint = msg("Check that this computer is connected to the internet, then try again.")
    # The reason in words, for errors of the network by their kind.
    match error:
        case ssl.SSLCertVerificationError():
            reason = network_reason(error)
            hint = msg(
                "If you are at work or at school, ask the network administrator "
                "whether the network inspects secure connections."
            )
        case TimeoutError():
            reason = msg("No data arrived for {n} s", n=f"{policy.stall_seconds:g}")
        case socket.gaierror():
            reason = network_reason(error)
        case OSError():
            reason = msg("The connection was lost. {error}", error=network_reason(error))
        case _:
            reason = as_sentence(str(error))
    return DownloadFailed("The language helper could not be downloaded", reason, hint=hint)
