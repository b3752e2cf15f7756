"""A real file system of which some files or folders never answer, as a network drive may do.

It speaks the kernel's FUSE protocol itself, so it needs a Linux where one may mount.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import stat
import struct
import threading
from collections.abc import Iterator
from pathlib import Path

from support.vault import TIMEOUT

_IN = struct.Struct("<IIQQIIII")
_OUT = struct.Struct("<IiQ")
_ATTR = struct.Struct("<QQQQQQIIIIIIIIII")
_READ, _READDIR = 15, 28
_WITHOUT_ANSWER = (2, 36, 42)
"""FORGET, INTERRUPT, BATCH_FORGET."""
_BUFFER = 1 << 18
_ROOT = 1
_FIRST_REQUEST = 26
"""INIT, which the system waits for when the drive is mounted."""
EVERYTHING = "*"
_DETACH_AND_FORCE = 3
_DIRECT_IO = 1


class HangingDrive:
    """One folder of files. What hangs is asked for and never answered, until it is released."""

    def __init__(self, handle: int, files: dict[str, bytes]) -> None:
        self._handle = handle
        self._files = files
        self._names = list(files)
        self.hanging: set[str] = set()
        """Names of files that cannot be read; "" for the listing of the folder, EVERYTHING."""
        self.asked = threading.Event()
        """Somebody waits for what hangs."""
        self._unanswered: list[tuple[int, int, int, bytes]] = []

    def release(self) -> None:
        """Answer everything from now on, what was asked meanwhile first."""
        self.hanging.clear()
        while self._unanswered:
            self._reply(*self._unanswered.pop())

    def serve(self) -> None:
        """Body of a thread: answers until the drive is unmounted."""
        with contextlib.suppress(OSError):
            while True:
                request = os.read(self._handle, _BUFFER)
                _, opcode, unique, node, *_ = _IN.unpack_from(request)
                body = request[_IN.size :]
                if opcode in _WITHOUT_ANSWER:
                    continue
                if self._hangs(opcode, node):
                    self._unanswered.append((opcode, unique, node, body))
                    self.asked.set()
                    continue
                self._reply(opcode, unique, node, body)

    def _hangs(self, opcode: int, node: int) -> bool:
        if EVERYTHING in self.hanging:
            return opcode != _FIRST_REQUEST
        if opcode == _READ:
            return self._names[node - 2] in self.hanging
        return opcode == _READDIR and "" in self.hanging

    def _reply(self, opcode: int, unique: int, node: int, body: bytes) -> None:
        try:
            answer, error = self._answer(opcode, node, body), 0
        except OSError as failed:
            answer, error = b"", -(failed.errno or errno.EIO)
        with contextlib.suppress(OSError):  # who asked has gone
            os.write(self._handle, _OUT.pack(_OUT.size + len(answer), error, unique) + answer)

    def _answer(self, opcode: int, node: int, body: bytes) -> bytes:
        match opcode:
            case 26:  # INIT
                return struct.pack("<IIIIHHIIHHI28x", 7, 31, 0, 0, 12, 9, 4096, 1, 0, 0, 0)
            case 1:  # LOOKUP
                name = body.rstrip(b"\0").decode()
                if name not in self._files:
                    raise OSError(errno.ENOENT, name)
                found = self._names.index(name) + 2
                return struct.pack("<QQQQII", found, 0, 0, 0, 0, 0) + self._attributes(found)
            case 3:  # GETATTR
                return struct.pack("<QII", 0, 0, 0) + self._attributes(node)
            case 14 | 27:  # OPEN, OPENDIR
                return struct.pack("<QII", 0, _DIRECT_IO, 0)
            case 15:  # READ
                _, offset, size = struct.unpack_from("<QQI", body)
                return self._files[self._names[node - 2]][offset : offset + size]
            case 28:  # READDIR
                _, offset, _ = struct.unpack_from("<QQI", body)
                return b"".join(self._entries()[offset:])
            case 18 | 25 | 29:  # RELEASE, FLUSH, RELEASEDIR
                return b""
        raise OSError(errno.ENOSYS, str(opcode))

    def _entries(self) -> list[bytes]:
        made = []
        for place, name in enumerate(self._names):
            head = struct.pack("<QQII", place + 2, place + 1, len(name), stat.S_IFREG >> 12)
            made.append((head + name.encode()).ljust(-(-(24 + len(name)) // 8) * 8, b"\0"))
        return made

    def _attributes(self, node: int) -> bytes:
        is_root = node == _ROOT
        size = 0 if is_root else len(self._files[self._names[node - 2]])
        mode = stat.S_IFDIR | 0o755 if is_root else stat.S_IFREG | 0o644
        when = 1_700_000_000
        return _ATTR.pack(
            node, size, 1, when, when, when, 0, 0, 0, mode, 1, os.getuid(), os.getgid(), 0, 4096, 0
        )


@contextlib.contextmanager
def hanging_drive(folder: Path, files: dict[str, str]) -> Iterator[HangingDrive]:
    """The files as a drive that is mounted on a folder. Raises OSError where none may mount."""
    libc = ctypes.CDLL(None, use_errno=True)
    handle = os.open("/dev/fuse", os.O_RDWR)
    options = f"fd={handle},rootmode=40000,user_id={os.getuid()},group_id={os.getgid()}"
    target = os.fsencode(folder)
    if libc.mount(b"hanging", target, b"fuse", 0, options.encode()) != 0:
        os.close(handle)
        raise OSError(ctypes.get_errno(), "no drive can be mounted here")
    drive = HangingDrive(handle, {name: text.encode() for name, text in files.items()})
    thread = threading.Thread(target=drive.serve, daemon=True)
    thread.start()
    try:
        yield drive
    finally:
        drive.release()
        libc.umount2(target, _DETACH_AND_FORCE)
        thread.join(TIMEOUT)
        os.close(handle)
