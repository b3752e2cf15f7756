"""Atomic replacement of a file: readers see the old or the new content, never a part."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import secrets
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

if sys.platform != "win32":
    import fcntl

TEMPORARY_PREFIX = ".scrubjay-"
"""Begins the names of new contents until they replace the old ones."""
PRIVATE_FILE = 0o600
"""Mode of a file that only its owner may read."""
INCOMPLETE_FILE = 0o200
"""Mode of new contents until they are complete, which nobody reads."""


def write_atomically(
    path: Path,
    data: bytes,
    mode: int,
    check: Callable[[], object] = lambda: None,
    folder: int | None = None,
    former: bytes = b"",
) -> None:
    """Write all of the bytes or none, also when the power fails. May raise OSError.

    Check runs at the last moment, because another program may save the file meanwhile; an error
    that it raises leaves the file as it was. With a descriptor of its folder, nothing else of the
    path counts. With the SHA-256 of the former content, what was saved after the check comes back
    too, where the system can exchange two files: the error is that of another check.
    """
    place = path if folder is None else Path(path.name)
    with _new_file(place, [data], mode, folder) as temporary:
        check()
        if former and _exchange(temporary, place, folder):
            _keep_save(temporary, place, folder, former, data, check)
            os.unlink(temporary, dir_fd=folder)
        else:
            os.replace(temporary, place, src_dir_fd=folder, dst_dir_fd=folder)


def create_file(path: Path, parts: Iterable[bytes], mode: int, folder: int | None = None) -> None:
    """Write a file of these parts that is not there yet, all of it or none. May raise OSError.

    An error while the parts are made leaves nothing either.
    """
    place = path if folder is None else Path(path.name)
    with _new_file(place, parts, mode, folder) as temporary:
        if sys.platform == "win32":
            temporary.rename(place)  # which refuses to replace a file there
            return
        try:
            os.link(temporary, place, src_dir_fd=folder, dst_dir_fd=folder)
        except OSError as error:
            if error.errno not in (errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK):
                raise
            with contextlib.suppress(FileNotFoundError):  # a file system without such links
                os.stat(place, dir_fd=folder, follow_symlinks=False)
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST)) from error
            os.rename(temporary, place, src_dir_fd=folder, dst_dir_fd=folder)
            return
        os.unlink(temporary, dir_fd=folder)


@contextlib.contextmanager
def _new_file(place: Path, parts: Iterable[bytes], mode: int, folder: int | None) -> Iterator[Path]:
    """A file with these parts beside a place, on the disk; after an error it is deleted.

    It is locked meanwhile, which tells it from what a killed process left behind.
    """
    temporary, handle = _locked_file(place, folder)
    try:
        with os.fdopen(handle, "wb") as file:
            file.writelines(parts)
            file.flush()
            os.fsync(handle)
            if sys.platform == "win32":
                file.close()  # an open file keeps its name there
            else:
                os.fchmod(handle, mode)
            yield temporary
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary, dir_fd=folder)
        raise


def _locked_file(place: Path, folder: int | None) -> tuple[Path, int]:
    """A new empty file beside a place, and its descriptor, which holds a lock where there are."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    while True:
        # Not named after the file: with more letters a long name would be too long.
        temporary = place.with_name(f"{TEMPORARY_PREFIX}{secrets.token_hex(8)}")
        handle = os.open(temporary, flags, INCOMPLETE_FILE, dir_fd=folder)
        if sys.platform == "win32":
            return temporary, handle
        with contextlib.suppress(OSError):  # not every drive knows locks
            fcntl.flock(handle, fcntl.LOCK_EX)
        if os.fstat(handle).st_nlink:
            return temporary, handle
        os.close(handle)  # another process took it for left behind before it was locked


def _keep_save(
    displaced: Path,
    place: Path,
    folder: int | None,
    former: bytes,
    data: bytes,
    check: Callable[[], object],
) -> None:
    """Put back what another program saved between the check and the exchange, if it did.

    Raises the error of the check then.
    """
    if hashlib.sha256(_content(displaced, folder)).digest() == former:
        return
    _exchange(displaced, place, folder)
    if _content(displaced, folder) != data:  # it saved once more
        _exchange(displaced, place, folder)
    check()
    raise InterruptedError(errno.EINTR, os.strerror(errno.EINTR))


def _content(place: Path, folder: int | None) -> bytes:
    with open(os.open(place, os.O_RDONLY, dir_fd=folder), "rb") as file:  # noqa: PTH123
        return file.read()


def _exchange(first: Path, second: Path, folder: int | None) -> bool:
    """Exchange two files at one moment; False where the system or the drive cannot."""
    import ctypes

    name, here = {"linux": ("renameat2", -100), "darwin": ("renameatx_np", -2)}.get(
        sys.platform, ("", 0)
    )
    exchange = getattr(ctypes.CDLL(None, use_errno=True), name, None) if name else None
    if exchange is None:
        return False
    at, swap = here if folder is None else folder, 2
    if exchange(at, os.fsencode(first), at, os.fsencode(second), ctypes.c_uint(swap)) == 0:
        return True
    if ctypes.get_errno() == errno.ENOENT:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(second))
    return False
