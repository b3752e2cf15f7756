"""Text of documents: made once by the child process, then kept by the hash of their bytes."""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import os
import subprocess
import sys
import threading
import time
import zlib
from pathlib import Path
from typing import BinaryIO, cast

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.documents.document_kinds import ConversionFailed, DocumentRefused
from scrubjay.messages import msg, restored, stored
from scrubjay.platform import pipe_protocol
from scrubjay.platform.atomic_write import PRIVATE_FILE, replace_bytes
from scrubjay.platform.paths import private_folder

log = logging.getLogger(__name__)

VERSION = 1
"""Changes whenever equal bytes may give another text."""
MOST_SECONDS = 120.0
"""For one document; a thousand pages take some four."""
MOST_KEPT = 256 * 2**20
"""Bytes of all texts that are kept, compressed."""
_AGAIN_S = 86_400.0
"""After a day a document that took too long is tried again: the computer may have been busy."""
_WORKER = "scrubjay.documents.document_worker"
_ENVIRONMENT = ("PATH", "PYTHON", "SYSTEMROOT", "LD_", "DYLD_", "LANG", "LC_", "PYINSTALLER")
"""Beginnings of the names of variables that the child may see: keys and tokens are in others."""


class Converter:
    """Texts of documents. For any thread; one document is read at a time."""

    def __init__(self, most_seconds: float = MOST_SECONDS, most_kept: int = MOST_KEPT) -> None:
        self._seconds = most_seconds
        self._most_kept = most_kept
        self._lock = threading.Lock()
        self.child: subprocess.Popen[bytes] | None = None
        """None before the first document, and after the end."""
        self._folder: Path | None = None
        self._kept: int | None = None
        """Bytes of the texts that are kept; None before they were counted."""

    def keep_in(self, folder: Path) -> None:
        """Keep texts in a folder from now on."""
        with self._lock:
            self._folder, self._kept = folder, None

    def text_of(self, data: bytes, name: str, cancel: CancelToken | None = None) -> str:
        """Text of a document, by the ending of its name.

        Raises DocumentRefused, ConversionFailed, Cancelled, or OSError without a process.
        """
        ending = os.path.splitext(name)[1].lower()  # noqa: PTH122
        digest = hashlib.sha256(f"{VERSION}{ending}\0".encode())
        digest.update(data)
        key = digest.hexdigest()
        answer = self._remembered(key)
        if answer is None:
            with self._lock:
                # Another thread may have asked for the same one.
                answer = self._remembered(key) or self._asked(data, ending, cancel or CancelToken())
                self._keep(key, answer)
        kind, text = answer
        if kind == "refused":
            raise DocumentRefused(restored(text))
        if kind == "failed":
            raise ConversionFailed(restored(text))
        return text

    def close(self) -> None:
        """End the process unless it works."""
        if self._lock.acquire(blocking=False):
            try:
                self._end()
            finally:
                self._lock.release()

    def _asked(self, data: bytes, ending: str, cancel: CancelToken) -> tuple[str, str]:
        """The child's answer: "text", "refused" or "failed", and the words."""
        request = {"ending": ending, "seconds": self._seconds}
        for _ in range(2):
            process = self._running()
            late = threading.Event()

            def end(
                process: subprocess.Popen[bytes] = process, late: threading.Event = late
            ) -> None:
                late.set()
                process.kill()

            timer = threading.Timer(self._seconds, end)
            timer.daemon = True
            timer.start()
            message = None
            try:
                with cancel.calling(process.kill), contextlib.suppress(OSError):
                    pipe_protocol.send(cast("BinaryIO", process.stdin), request, data)
                    message = pipe_protocol.receive(cast("BinaryIO", process.stdout))
            finally:
                timer.cancel()
                if message is None:
                    self._end()
            cancel.check()
            if message is not None:
                header, text = message
                if refused := header.get("refused"):
                    return "refused", refused
                return "text", text.decode("utf-8")
            if late.is_set():
                seconds = int(self._seconds)
                return "failed", stored(msg("Reading it took more than {n} seconds.", n=seconds))
            # A child that was idle ends with 0 just when a document comes.
            if process.returncode:
                log.warning("Reading a document ended with code %s", process.returncode)
                break
        return "failed", stored(msg("The program that reads it broke down at it."))

    def _running(self) -> subprocess.Popen[bytes]:
        """The child, started where there is none. May raise OSError."""
        if self.child is not None and self.child.poll() is None:
            return self.child
        self._end()
        command = [sys.executable, "-m", _WORKER]
        if getattr(sys, "frozen", False):
            # A bundle has no interpreter, only the program itself.
            command = [sys.executable, "--document-worker"]
        self.child = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={key: text for key, text in os.environ.items() if key.startswith(_ENVIRONMENT)},
            # Ctrl-C in a terminal is for the parent, which then closes the pipe.
            start_new_session=True,
        )
        return self.child

    def _end(self) -> None:
        if self.child is None:
            return
        self.child.kill()
        self.child.wait()
        for stream in (self.child.stdin, self.child.stdout):
            with contextlib.suppress(OSError):  # unsent bytes to a dead process
                cast("BinaryIO", stream).close()
        self.child = None

    def _remembered(self, key: str) -> tuple[str, str] | None:
        """The answer that is kept; None where there is none, or it has to be tried again."""
        if self._folder is None:
            return None
        try:
            file = self._folder / key
            kind, text = json.loads(zlib.decompress(file.read_bytes()))
            if kind == "failed" and time.time() - file.stat().st_mtime > _AGAIN_S:
                return None
            if kind == "text":
                os.utime(file)
        except (OSError, ValueError, zlib.error):
            return None
        return kind, text

    def _keep(self, key: str, answer: tuple[str, str]) -> None:
        """Write an answer; what was not used for longest makes room. A full disk keeps nothing."""
        if self._folder is None:
            return
        with contextlib.suppress(OSError):
            private_folder(self._folder)
            content = zlib.compress(json.dumps(answer).encode(), level=1)
            replace_bytes(self._folder / key, content, PRIVATE_FILE)
            if self._kept is not None:
                self._kept += len(content)
            if self._kept is None or self._kept > self._most_kept:
                self._make_room(self._folder)

    def _make_room(self, folder: Path) -> None:
        files = [
            (entry.stat().st_mtime, entry.stat().st_size, entry.path)
            for entry in os.scandir(folder)
        ]
        self._kept = sum(size for _, size, _ in files)
        for _, size, path in sorted(files):
            if self._kept <= self._most_kept:
                return
            os.unlink(path)  # noqa: PTH108
            self._kept -= size


converter = Converter()
"""The one of this process."""
