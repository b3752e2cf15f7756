"""Atomic replacement of a file: readers see the old or the new content, never a part.

What another program has open cannot be replaced, deleted or even read on Windows, nor at all on
some network drives. Virus scanners and programs that synchronise files have each file open for a
moment, so such a step is repeated for about a second.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import secrets
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from scrubjay.errors import is_sharing_violation

if sys.platform == "win32":
    from scrubjay.platform.windows_exchange import replace_file
else:
    import fcntl

T = TypeVar("T")

PAUSES_S = (0.01, 0.02, 0.04, 0.08, 0.15, 0.3, 0.4)
"""Pauses between attempts at a file that another program has open: about a second in all."""
TEMPORARY_PREFIX = ".scrubjay-"
"""Beginning of the names of new contents until they replace the old ones."""
PRIVATE_FILE = 0o600
"""Mode of a file that only its owner may read."""
INCOMPLETE_FILE = 0o200
"""Mode of new contents until they are complete, which nobody reads."""
_IN_USE = (errno.EBUSY, errno.ETXTBSY)
"""Errors of a file that another program has open."""
_NO_LINKS = (errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK)
"""Errors of a file system that gives a file only one name."""
_EXCHANGE = 2
"""RENAME_EXCHANGE of Linux, and RENAME_SWAP of macOS: see rename(2) of both."""


def when_released(work: Callable[[], T], file: Path, *, pauses_s: Sequence[float] = PAUSES_S) -> T:
    """The result of work on a file that another program may have open for a moment.

    Raises the OSError of the work, or one with EBUSY if the file is still open at the end.
    """
    for pause_s in pauses_s:
        try:
            return work()
        except OSError as error:
            if not _may_be_in_use(error):
                raise
        time.sleep(pause_s)
    try:
        return work()
    except OSError as error:
        if not is_sharing_violation(error) and not _is_held(file, error):
            raise
        raise OSError(errno.EBUSY, os.strerror(errno.EBUSY), str(file)) from error


def _may_be_in_use(error: OSError) -> bool:
    """Whether another program may have the file open; Windows often says no more than refused."""
    is_refused = sys.platform == "win32" and isinstance(error, PermissionError)
    return is_refused or error.errno in _IN_USE


def _is_held(file: Path, error: OSError) -> bool:
    """Whether another program has a file open that the system refused to change, on Windows."""
    if not _may_be_in_use(error) or error.errno in _IN_USE:
        return False
    # A rename fails with a more precise error than most calls; to the same name it changes nothing.
    try:
        file.rename(file)
    except OSError as refusal:
        return is_sharing_violation(refusal)
    return False


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
    too, where the drive can exchange two files: the error is that of another check.
    """
    target = _inside(path, folder)
    with _new_file(target, [data], mode=mode, folder=folder) as temporary:

        def put() -> Path | None:
            """The former content, once the new one is in its place; None if it is gone."""
            check()
            displaced: Path | None = None
            if former:
                displaced = _exchange(temporary, target, folder)
            if displaced is None:
                os.replace(temporary, target, src_dir_fd=folder, dst_dir_fd=folder)
            return displaced

        # After an exchange the former content is still there, and can be compared with what it
        # was at the check. Where there is none, a save at this very moment is lost.
        displaced = when_released(put, path)
        if displaced:
            _keep_save(displaced, target, folder=folder, former=former, written=data, check=check)


def create_file(path: Path, parts: Iterable[bytes], mode: int, folder: int | None = None) -> None:
    """Write a file of these parts that is not there yet, all of it or none. May raise OSError.

    An error while the parts are made leaves nothing either.
    """
    target = _inside(path, folder)
    with _new_file(target, parts, mode=mode, folder=folder) as temporary:
        if sys.platform == "win32":
            # This refuses to replace a file there. A scanner may still look at the new one.
            when_released(lambda: temporary.rename(target), temporary)
        else:
            _rename_unless_there(temporary, target, folder)


def _rename_unless_there(temporary: Path, target: Path, folder: int | None) -> None:
    """Give a file another name. Raises FileExistsError where another file has it."""
    # A second name is given only where no file has it; a rename would replace the file.
    try:
        os.link(temporary, target, src_dir_fd=folder, dst_dir_fd=folder)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        with contextlib.suppress(FileNotFoundError):
            os.stat(target, dir_fd=folder, follow_symlinks=False)
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST)) from error
        os.rename(temporary, target, src_dir_fd=folder, dst_dir_fd=folder)
        return
    os.unlink(temporary, dir_fd=folder)


def _inside(path: Path, folder: int | None) -> Path:
    """A path in the form that is used with the descriptor of its folder, if there is one."""
    if folder is None:
        return path
    return Path(path.name)


@contextlib.contextmanager
def _new_file(
    target: Path, parts: Iterable[bytes], *, mode: int, folder: int | None
) -> Iterator[Path]:
    """A file with these parts next to a target, on the disk. After an error it is deleted.

    It is locked meanwhile, which tells it from what a killed process left behind.
    """
    temporary, handle = _locked_file(target, folder)
    try:
        # The content reaches the disk before its name does.
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
        # What cannot be deleted now goes at the next start, and the first error is the reason.
        with contextlib.suppress(OSError):
            when_released(lambda: os.unlink(temporary, dir_fd=folder), temporary)
        raise


def _locked_file(target: Path, folder: int | None) -> tuple[Path, int]:
    """A new empty file next to a target, and its descriptor, with a lock where there are locks."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    while True:
        # Not named after the file: with more letters a long name would be too long.
        temporary = target.with_name(f"{TEMPORARY_PREFIX}{secrets.token_hex(8)}")
        handle = os.open(temporary, flags, INCOMPLETE_FILE, dir_fd=folder)
        is_deleted = False
        if sys.platform != "win32":
            with contextlib.suppress(OSError):  # not every drive knows locks
                fcntl.flock(handle, fcntl.LOCK_EX)
            is_deleted = os.fstat(handle).st_nlink == 0
        if not is_deleted:
            return temporary, handle
        os.close(handle)  # another process took it for left behind before it was locked


def _keep_save(
    displaced: Path,
    target: Path,
    *,
    folder: int | None,
    former: bytes,
    written: bytes,
    check: Callable[[], object],
) -> None:
    """Put back what another program saved between the check and the exchange, if it did.

    Raises the error of the check then. The displaced content is deleted.
    """
    is_former = hashlib.sha256(_content(displaced, folder)).digest() == former
    if not is_former:
        displaced = _exchanged(displaced, target, folder)
        # Our own content has come back, unless the program saved once more: then that belongs
        # there.
        if _content(displaced, folder) != written:
            displaced = _exchanged(displaced, target, folder)
    # Whatever holds it open: the new content is in its place, and this goes at the next start.
    with contextlib.suppress(OSError):
        when_released(lambda: os.unlink(displaced, dir_fd=folder), displaced)
    if not is_former:
        # The check now sees what was saved. It was interrupted even if that is no obstacle.
        check()
        raise InterruptedError(errno.EINTR, os.strerror(errno.EINTR))


def _exchanged(first: Path, second: Path, folder: int | None) -> Path:
    """The place of the second content, after an exchange on a drive that has made one before."""
    return when_released(lambda: _exchange(first, second, folder), second) or first


def _content(target: Path, folder: int | None) -> bytes:
    flags = os.O_RDONLY | getattr(os, "O_BINARY", 0)
    handle = when_released(lambda: os.open(target, flags, dir_fd=folder), target)
    with open(handle, "rb") as file:  # noqa: PTH123  (a descriptor, not a path)
        return file.read()


if sys.platform == "win32":

    def _exchange(first: Path, second: Path, folder: int | None) -> Path | None:
        """Put the first file in the place of the second one, which has the returned place then.

        None if the drive cannot do so.
        """
        del folder
        kept = second.with_name(f"{TEMPORARY_PREFIX}{secrets.token_hex(8)}")
        if replace_file(first, second, kept):
            return kept
        return None

else:

    def _exchange(first: Path, second: Path, folder: int | None) -> Path | None:
        """Exchange two files at one moment, and return the place of the second one.

        None if the drive cannot do so.
        """
        # The name of the function, and the descriptor that stands for the current folder.
        match sys.platform:
            case "linux":
                name = "renameat2"
                at = -100
            case "darwin":
                name = "renameatx_np"
                at = -2
            case _:
                return None
        import ctypes

        exchange = getattr(ctypes.CDLL(None, use_errno=True), name, None)
        if exchange is None:
            return None
        if folder is not None:
            at = folder
        swap = ctypes.c_uint(_EXCHANGE)
        if exchange(at, os.fsencode(first), at, os.fsencode(second), swap) == 0:
            return first
        if ctypes.get_errno() == errno.ENOENT:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(second))
        return None
