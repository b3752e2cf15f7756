"""Files that a process left: when it was killed during a save, or when another had them open."""

from __future__ import annotations

import contextlib
import os
import re
import stat
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from scrubjay.platform.atomic_write import TEMPORARY_PREFIX
from scrubjay.platform.deferred_deletion import NOTE_SUFFIX, delete_noted
from scrubjay.platform.paths import Paths

_NAME = re.compile(re.escape(TEMPORARY_PREFIX) + "[0-9a-f]{16}")
"""Name of a new content, as `atomic_write` makes it."""

_LONGEST_SAVE_S = 600.0
"""Seconds after which nobody is still writing a file, where no lock tells."""

_FOREIGN = "qmd"
"""Folder of the state that another program fills; there may be thousands of files in it."""


def is_temporary_name(name: str) -> bool:
    """True for the name of a new content that has not replaced the old one yet."""
    return name.startswith(TEMPORARY_PREFIX) and _NAME.fullmatch(name) is not None


def delete_left_behind(paths: Paths) -> None:
    """Delete leftover files next to the settings and in the state folder, 0.2 ms."""
    # Only where Scrubjay itself writes; folders of notes are looked after elsewhere.
    delete_temporary_files(paths.config)
    if paths.config_file.is_symlink():  # as in collections of dotfiles: the real one is replaced
        delete_temporary_files(paths.config_file.resolve().parent)
    for folder, inner, names in os.walk(paths.state):
        _delete(Path(folder), names)
        if _FOREIGN in inner:
            inner.remove(_FOREIGN)
    # In any other folder, a file of this name belongs to somebody else.
    for note in paths.indexes.glob(f"*{NOTE_SUFFIX}"):
        delete_noted(note)


def delete_temporary_files(folder: Path) -> None:
    """Delete what was left behind in one folder."""
    with contextlib.suppress(OSError):
        _delete(folder, os.listdir(folder))  # noqa: PTH208


def _delete(folder: Path, names: list[str]) -> None:
    for path in map(folder.joinpath, filter(is_temporary_name, names)):
        with contextlib.suppress(OSError), abandoned_file_status(path) as status:
            if status:
                path.unlink()


@contextlib.contextmanager
def abandoned_file_status(
    path: Path | str, folder: int | None = None
) -> Iterator[os.stat_result | None]:
    """The status of a temporary file; None if a process writes it, or for anything else.

    Inside, no other process of ours finds it abandoned. With a descriptor of its folder nothing
    else of the path counts. May raise OSError.
    """
    status = os.stat(path, dir_fd=folder, follow_symlinks=False)
    if not stat.S_ISREG(status.st_mode):
        yield None
        return
    with _locked(path, folder, status) as is_free:
        abandoned_status: os.stat_result | None = None
        if is_free:
            abandoned_status = status
        yield abandoned_status


def _is_old(status: os.stat_result) -> bool:
    """Whether a file was changed longer ago than any save takes."""
    return time.time() - status.st_mtime > _LONGEST_SAVE_S


if sys.platform == "win32":

    @contextlib.contextmanager
    def _locked(path: Path | str, folder: int | None, status: os.stat_result) -> Iterator[bool]:
        """Whether no process writes a file. Its age tells: there is no lock."""
        del path, folder
        yield _is_old(status)

else:
    import fcntl

    @contextlib.contextmanager
    def _locked(path: Path | str, folder: int | None, status: os.stat_result) -> Iterator[bool]:
        """Whether no process writes a file. Inside, two programs do not delete one file twice."""
        handle = _opened(path, folder)
        try:
            yield _is_free(handle, status)
        finally:
            os.close(handle)

    def _opened(path: Path | str, folder: int | None) -> int:
        """The descriptor of a file, without following a link or waiting for a pipe."""
        flags = os.O_NOFOLLOW | os.O_NONBLOCK
        try:
            return os.open(path, os.O_RDONLY | flags, dir_fd=folder)
        except PermissionError:  # incomplete ones may only be written
            return os.open(path, os.O_WRONLY | flags, dir_fd=folder)

    def _is_free(handle: int, status: os.stat_result) -> bool:
        """Whether no process holds the lock of a file; locks it."""
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:  # a drive that knows no locks
            return _is_old(status)
        return True
