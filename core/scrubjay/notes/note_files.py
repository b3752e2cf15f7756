"""The only way to the files of notes: step by step, so that no link on it is followed.

A program that may write into a folder of notes could otherwise put a link in place of a folder just
while it is read. The way begins where the label begins: whatever leads to the folder of a workspace
may be a link.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

from msgspec import Struct

from scrubjay.platform.atomic_write import create_file, when_released, write_atomically
from scrubjay.platform.file_names import file_name_key
from scrubjay.platform.temporary_files import abandoned_file_status

if sys.platform == "win32":
    from scrubjay.platform.shared_open import open_shared

# Windows has none of these flags.
_FOLDER: int = getattr(os, "O_DIRECTORY", 0)
_NO_LINK: int = getattr(os, "O_NOFOLLOW", 0)
_BASE = getattr(os, "O_PATH", os.O_RDONLY) | _FOLDER
"""Flags to open the folder where a label begins, which may be a link."""
_STEP = _BASE | _NO_LINK
"""Flags to open a folder on the way."""
# A pipe or device would block for ever; the scan has seen a regular file, but that was then.
_FILE = getattr(os, "O_NONBLOCK", 0) | _NO_LINK | getattr(os, "O_BINARY", 0)
"""Flags to open a file."""
_JUNCTION = 0xA0000003
"""IO_REPARSE_TAG_MOUNT_POINT of `winnt.h`."""
NEW_MODE = 0o644
"""Mode of a new file."""


def open_note(file: Path, label: str, flags: int = os.O_RDONLY) -> int:
    """A descriptor of a file whose path ends as its label does. May raise OSError."""
    folder = _folder_of(file, label)
    try:
        return _opened(file, label, folder=folder, flags=flags)
    finally:
        _close(folder)


def read_bytes(file: Path, label: str) -> bytes:
    """The bytes of a file. May raise OSError as `open_note`."""
    with open(open_note(file, label), "rb") as stream:
        return stream.read()


class HeldNote(Struct, frozen=True):
    """A note, or the place for one, whose folder is kept open. All methods may raise OSError."""

    file: Path
    label: str
    _folder: int | None

    def open(self, flags: int) -> int:
        """A descriptor of the file itself."""
        file = self.file
        return when_released(
            lambda: _opened(file, self.label, folder=self._folder, flags=flags), file
        )

    def status(self) -> os.stat_result:
        """Kind and mode of the file, or of the link in its place."""
        return os.stat(self._name, dir_fd=self._folder, follow_symlinks=False)

    def replace(self, data: bytes, mode: int, check: Callable[[], object], former: bytes) -> None:
        """Write the whole file at once as `write_atomically` does."""
        write_atomically(
            self.file, data, mode=mode, check=check, folder=self._folder, former=former
        )

    def create(self, parts: Iterable[bytes], mode: int) -> None:
        """Write a file that is not there yet as `create_file` does."""
        create_file(self.file, parts, mode=mode, folder=self._folder)

    def abandoned(self) -> AbstractContextManager[os.stat_result | None]:
        """The status of a temporary file that no process writes, as `abandoned_file_status`."""
        return abandoned_file_status(self._name, self._folder)

    def unlink(self) -> None:
        """Delete the file."""
        when_released(lambda: os.unlink(self._name, dir_fd=self._folder), self.file)

    def rmdir(self) -> None:
        """Delete what is a folder and empty."""
        os.rmdir(self._name, dir_fd=self._folder)

    @property
    def _name(self) -> Path | str:
        """The name of the file in its open folder, otherwise its whole path."""
        if self._folder is None:
            return self.file
        return self.file.name


@contextlib.contextmanager
def held_note(file: Path, label: str, *, make_folders: bool = False) -> Iterator[HeldNote]:
    """A note while it is written. May raise OSError, also for links on the way."""
    folder = _folder_of(file, label, make=make_folders)
    try:
        yield HeldNote(file, label, folder)
    finally:
        _close(folder)


def remove_folders(file: Path, label: str, count: int) -> None:
    """Remove the folders that were made for a note, unless other files came. May raise OSError."""
    for folder in file.parents[:count]:
        label = label.rpartition("/")[0]
        if not any(folder.iterdir()):
            with held_note(folder, label) as note:
                note.rmdir()


@contextlib.contextmanager
def list_entries(folder: str, label: str) -> Iterator[list[os.DirEntry[str]]]:
    """Entries of a folder, by name. May raise OSError, also for links on the way."""
    # Without steps, what was listed counts only if no link is on the way.
    if not _is_stepwise():
        with os.scandir(folder) as listed:
            entries = sorted(listed, key=_name_of)
        if label:
            _check_way(Path(folder), label)
        yield entries
        return
    above: int | None = None
    if label:
        above = _folder_of(Path(folder), label)
        # The folder where labels begin may be a link, none below it.
    try:
        flags = os.O_RDONLY | _FOLDER
        if label:
            flags |= _NO_LINK
        name = folder if above is None else os.path.basename(folder)  # noqa: PTH119
        handle = os.open(name, flags, dir_fd=above)
    finally:
        _close(above)
    try:
        with os.scandir(handle) as listed:
            yield sorted(listed, key=_name_of)  # their stat() needs the descriptor
    finally:
        os.close(handle)


def walk_folders(
    root: str | Path, is_entered: Callable[[str], bool] = lambda name: True
) -> Iterator[tuple[str, list[str]]]:
    """Root and each folder below it whose name is to be entered, with the names of its files.

    Folders are labels that end with a slash. Follows no links. A stack: `os.walk` calls itself, and
    folders nest deeper than calls.
    """
    waiting = [""]
    while waiting:
        label = waiting.pop()
        folders: list[str] = []
        files: list[str] = []
        # What cannot be listed counts as empty.
        with contextlib.suppress(OSError), os.scandir(os.path.join(root, label)) as entries:  # noqa: PTH118
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    # A junction may lead to a folder above it, and so without end.
                    if not is_link(entry):
                        folders.append(entry.name)
                else:
                    files.append(entry.name)
        waiting += [f"{label}{name}/" for name in folders if is_entered(name)]
        yield label, files


Identity = tuple[int, int | str]
"""Number of a volume, and of a folder there: the same however its name is written."""


def file_identity(path: Path) -> Identity | None:
    """The identity of a file or folder; None if there is none or it cannot be looked at.

    File systems that ignore case, the form of accents, or dots and spaces at the end of a name give
    the same identity for all spellings.
    """
    try:
        status = os.lstat(path)
    except (OSError, ValueError):
        return None
    # Some drives number nothing; there all spellings that any system ignores are one.
    return status.st_dev, status.st_ino or _folded(path)


def is_link(entry: Path | os.DirEntry[str]) -> bool:
    """Whether a file or folder leads elsewhere: a link, or a junction of Windows."""
    if entry.is_symlink():
        return True
    # Only Windows has junctions, and tells in the list of a folder which entries they are.
    if os.name != "nt":
        return False
    try:
        return is_junction(entry.stat(follow_symlinks=False))
    except FileNotFoundError:
        return False


def is_junction(status: os.stat_result) -> bool:
    """Whether the status is that of a junction, which Python takes for a folder."""
    return getattr(status, "st_reparse_tag", 0) == _JUNCTION


def is_folder(path: Path) -> bool:
    """Whether there is a folder; False without an error for a path that cannot be read."""
    return os.path.isdir(path)  # noqa: PTH112  (is_dir raises for a name that is too long)


def drive_id(root: Path) -> int | None:
    """A number for the drive that a folder is on; None if it is not there."""
    try:
        return root.stat().st_dev
    except OSError:
        return None


def is_within(
    root: Path,
    label: str,
    folders: Iterable[Path],
    identify: Callable[[Path], Identity | None] = file_identity,
) -> bool:
    """Whether a path of root leads to or through one of the folders, however it is spelled."""
    steps = label.split("/")
    way = [root.joinpath(*steps[:count]) for count in range(1, len(steps) + 1)]
    closed = {*folders}
    # Paths as they are spelled come first, which needs no look at the disk.
    if not closed.isdisjoint(way):
        return True
    identities = {identify(folder) for folder in closed} - {None}
    if not identities:
        return False
    return any(identify(step) in identities for step in way)


def as_listed(path: Path) -> Path:
    """An absolute path with each name as its folder lists it, where that can be seen."""
    spelled = Path(path.anchor)
    # Where a name is not listed as it is written, the entry that is the same folder has it.
    for name in path.parts[1:]:
        identity = file_identity(spelled / name)
        try:
            names = os.listdir(spelled)  # noqa: PTH208
        except OSError:
            names = [name]
        if name not in names and identity is not None:
            name = next((each for each in names if file_identity(spelled / each) == identity), name)
        spelled /= name
    return spelled


def _folded(path: Path) -> str:
    """A path without what some file system ignores in names."""
    parts = (part.rstrip(". ") for part in path.parts)
    return file_name_key("/".join(parts))


def _name_of(entry: os.DirEntry[str]) -> str:
    return entry.name


def _opened(file: Path, label: str, folder: int | None, flags: int) -> int:
    """A descriptor of a file, in its open folder where there is one. May raise OSError."""
    if folder is not None:
        return os.open(file.name, flags | _FILE, NEW_MODE, dir_fd=folder)
    # Without steps, the way is checked once the file is open and can no longer be exchanged.
    # Whoever reads many notes waits for none that is open, and comes back to it.
    handle = when_released(lambda: _open_path(file, flags | _FILE), file, pauses_s=())
    try:
        _check_way(file, label)
    except OSError:
        os.close(handle)
        raise
    return handle


def _open_path(file: Path, flags: int) -> int:
    """A descriptor of a file by its path; no other program has to wait until it is closed."""
    if sys.platform == "win32":
        handle = open_shared(file, flags)
    else:
        handle = os.open(file, flags, NEW_MODE)
    return handle


def _is_stepwise() -> bool:
    """Whether files can be opened relative to an open folder; not on Windows."""
    return os.open in os.supports_dir_fd


def _folder_of(file: Path, label: str, *, make: bool = False) -> int | None:
    """A descriptor of the folder of a file; None if the system cannot go step by step."""
    base, steps = _way(file, label)
    if not _is_stepwise():
        _check_way(file, label)
        # A folder is made only where no link leads elsewhere.
        if make:
            file.parent.mkdir(parents=True, exist_ok=True)
            _check_way(file, label)
        return None
    # Each folder is opened from the one above it, so that none can be exchanged for a link.
    folder = os.open(base, _BASE)
    try:
        for step in steps[:-1]:
            if make:
                with contextlib.suppress(FileExistsError):
                    os.mkdir(step, dir_fd=folder)
            above = folder
            folder = os.open(step, _STEP, dir_fd=above)
            os.close(above)
    except OSError:
        os.close(folder)
        raise
    return folder


def _way(file: Path, label: str) -> tuple[str, list[str]]:
    """The folder where the label begins, and the steps from it to the file.

    The beginning of a label is not part of the path where two extra folders have the same name.
    """
    path = str(file)
    inside = label.replace("/", os.sep)
    # Parts of the label that the path does not end with are dropped from its beginning.
    while inside and not path.endswith(f"{os.sep}{inside}"):
        inside = inside.partition(os.sep)[2]
    inside = inside or file.name
    steps = inside.split(os.sep)  # noqa: PTH206  (four times as fast)
    if ".." in steps:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    return path[: len(path) - len(inside)] or os.curdir, steps


def _check_way(file: Path, label: str) -> None:
    """Raise OSError when a link is on the way now."""
    base, steps = _way(file, label)
    real = os.path.join(os.path.realpath(base), *steps)  # noqa: PTH118
    if os.path.normcase(os.path.realpath(file)) != os.path.normcase(real):
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))


def _close(folder: int | None) -> None:
    if folder is not None:
        os.close(folder)
