"""Writes down one thing in today's file of a workspace, and can take it back.

The file may be open in an editor. So nothing is ever replaced by an older reading of it: new text
is appended by the system itself (`O_APPEND`), which cannot overwrite what somebody else saves at
that moment. A save that swaps or rewrites the file just then would lose the new text instead;
that is looked for, and then it is appended again.
"""

from __future__ import annotations

import datetime as dt
import errno
import os
import re
import stat
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from pathlib import Path

from scrubjay.concurrency.thread_pool import SerialQueue
from scrubjay.errors import NotWritable, QueryError, system_reason
from scrubjay.messages import msg
from scrubjay.notes.scan import NEVER_ENTERED, is_agent_workspace
from scrubjay.platform.atomic_write import replace_bytes

MAX_CHARACTERS = 16_000
"""One entry of a daily log; more than this belongs into a note of its own."""

_MEMORY_FOLDER = "memory"
_ATTEMPTS = 20
"""Each lasts as long as a save: who comes in between for a second rewrites the file for ever."""
_SETTLE_S = 0.05
"""An editor's save takes a few milliseconds from its first to its last write."""
_LOOKS = 2
"""The first may meet a file that is empty because an editor is just writing it."""
_BLOCK_START = re.compile(r"([-*+>#|]|\d+[.)]|```|~~~)")
_READ_ONLY = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})


@dataclass(frozen=True, slots=True)
class Remembered:
    """What was written, and where: enough to take it back."""

    workspace: str
    path: str
    """Label inside the workspace, such as `memory/2026-11-21.md`."""
    file: Path
    text: str
    """The entry as it stands in the file, without the line breaks around it."""
    added: str
    """Everything that was appended, with the heading of a new day and blank lines."""
    first_line: int
    """1-based, where the entry begins."""
    last_line: int
    is_new_file: bool
    """The file was made for this entry."""
    is_new_folder: bool = False


class _Saved(Exception):
    """Somebody saved the file since it was read."""


class DailyNote:
    """Remembers and takes back, one entry at a time. For any thread."""

    def __init__(self, root_of: Callable[[str], Path], pool: Executor) -> None:
        """Root_of gives the folder of a workspace, or raises WorkspaceMissing."""
        self._root_of = root_of
        self._jobs = SerialQueue(pool)

    def remember(self, workspace_id: str, text: str) -> Future[Remembered]:
        """Append to today's file. The future may raise NotWritable or QueryError.

        WorkspaceMissing is raised at once.
        """
        root = self._root_of(workspace_id)
        return self._jobs.submit(lambda: remember(workspace_id, root, text))

    def undo(self, remembered: Remembered) -> Future[bool]:
        """Take an entry back; False when it is not there any more as it was written.

        The future may raise NotWritable.
        """
        return self._jobs.submit(lambda: undo(remembered))

    def close(self) -> None:
        """Finish what is queued."""
        self._jobs.close(seconds=1)


def daily_label(root: Path, day: dt.date) -> str:
    """Where the log of a day is kept: in `memory/`, or at the top of a plain folder of notes.

    A dated file in `memory/` makes a folder an agent's, of which the other notes are no part.
    """
    name = f"{day.isoformat()}.md"
    if is_agent_workspace(root) or not _has_notes(root):
        return f"{_MEMORY_FOLDER}/{name}"
    return name


def remember(
    workspace_id: str, root: Path, text: str, *, now: dt.datetime | None = None
) -> Remembered:
    """Append text to today's file. Raises QueryError for no text, NotWritable for the rest."""
    entry = _entry(text)
    day = (now or dt.datetime.now().astimezone()).date()
    label = daily_label(root, day)
    try:
        is_new_folder = _make_folder(root, label)
        return _kept(workspace_id, root, label, entry, day, is_new_folder=is_new_folder)
    except OSError as error:
        raise _not_writable(root / label, error) from error


def undo(remembered: Remembered) -> bool:
    """Take an entry back; False when it is not there any more as it was written.

    Raises NotWritable.
    """
    file = remembered.file
    try:
        for _ in range(_ATTEMPTS):
            before = file.read_bytes()
            after = _without(before, remembered)
            if after is None:
                return False
            if _replaced(file, before, after, delete=remembered.is_new_file and not after.strip()):
                if remembered.is_new_folder and not file.exists():
                    _remove_empty(file.parent)
                return True
    except FileNotFoundError:
        return False
    except OSError as error:
        raise _not_writable(file, error) from error
    return False


def _entry(text: str) -> str:
    """The text as it will stand in the file: a list item when it is one plain line."""
    if "\0" in text or any("\ud800" <= letter <= "\udfff" for letter in text):
        raise QueryError("This cannot be written down", "It holds characters that are no text.")
    clean = "\n".join(line.rstrip() for line in text.splitlines()).strip("\n")
    if not clean.strip():
        raise QueryError("There is nothing to remember", "The text is empty.")
    if len(clean) > MAX_CHARACTERS:
        raise QueryError(
            "This is too long for a daily note",
            msg(
                "It has {n} characters; {limit} are allowed at once.",
                n=len(clean),
                limit=MAX_CHARACTERS,
            ),
            hint="Write it into a note of its own.",
        )
    is_plain_line = "\n" not in clean and not _BLOCK_START.match(clean.lstrip())
    return f"- {clean.strip()}" if is_plain_line else clean


def _kept(
    workspace_id: str, root: Path, label: str, entry: str, day: dt.date, *, is_new_folder: bool
) -> Remembered:
    file, is_new_file = root / label, False
    for _ in range(_ATTEMPTS):
        before, added, is_new = _append(root, label, entry, day)
        is_new_file = is_new_file or is_new
        earlier = len(_lines_of(before, entry))
        if found := _settled(file, entry, earlier):
            first = found[-1]
            last = first + entry.count("\n")
            return Remembered(
                workspace_id, label, file, entry, added, first, last, is_new_file, is_new_folder
            )
        # A save that came in between did not know of it: once more.
    raise NotWritable(
        msg("{file} changes all the time", file=label),
        "Another program rewrites it faster than an entry can be added.",
        hint="Wait until it has finished, then try again.",
    )


def _append(root: Path, label: str, entry: str, day: dt.date) -> tuple[bytes, str, bool]:
    """Add the entry with one write: what was there, what was added, whether the file is new."""
    handle, is_new = _open(root, label)
    with open(handle, "rb+", buffering=0) as file:  # noqa: PTH123  (a descriptor, not a path)
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise NotWritable(msg("{file} is not a file", file=label), "Nothing was written.")
        before = file.read()
        _check_text(label, before)
        added = _addition(before, entry, day)
        data = added.encode()
        written = file.write(data)
        if written != len(data):
            # A full disk takes a part. Only our own part goes, and only while it is the end.
            if written and os.fstat(handle).st_size == len(before) + written:
                os.ftruncate(handle, len(before))
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        os.fsync(handle)
    return before, added, is_new


def _addition(before: bytes, entry: str, day: dt.date) -> str:
    """What has to be appended: the entry on lines of its own, a heading above the first one."""
    newline = "\r\n" if b"\r\n" in before else "\n"
    if not before.strip():
        lead = f"# {day.isoformat()}\n\n"
    else:
        lead = "" if before.endswith(b"\n") else "\n"
        is_in_list = entry.startswith("- ") and _last_line(before).startswith(b"- ")
        if not is_in_list and not before.endswith((b"\n\n", b"\r\n\r\n")):
            lead += "\n"
    return f"{lead}{entry}\n".replace("\n", newline)


def _last_line(data: bytes) -> bytes:
    return data.rstrip().rpartition(b"\n")[2].lstrip()


def _open(root: Path, label: str) -> tuple[int, bool]:
    """The file for appending, and whether it is new. Links are not followed, nowhere on the way."""
    flags = os.O_RDWR | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    flags |= getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    file = root / label
    if file.is_symlink():
        raise NotWritable(
            msg("{file} is a link", file=label), "Links are not followed. Nothing was written."
        )
    _check_writable(file.parent)
    if file.exists():
        _check_writable(file)
    try:
        return os.open(file, flags | os.O_CREAT | os.O_EXCL, 0o644), True
    except FileExistsError:
        return os.open(file, flags), False


def _make_folder(root: Path, label: str) -> bool:
    """Make the folder of the daily files where it is missing; True when it was."""
    if not root.is_dir():
        raise NotWritable("The folder of this workspace is not there", msg("{root}.", root=root))
    folder = (root / label).parent
    if folder == root:
        return False
    if folder.is_symlink():
        raise NotWritable(
            msg("{file} is a link", file=folder.name),
            "Links are not followed. Nothing was written.",
        )
    if folder.is_dir():
        return False
    _check_writable(root)
    folder.mkdir(exist_ok=True)
    return True


def _check_writable(place: Path) -> None:
    """Also an administrator, who may write everywhere, leaves alone what was made read-only."""
    if not place.stat().st_mode & 0o222:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def _check_text(label: str, data: bytes) -> None:
    try:
        is_text = b"\0" not in data and data.decode() is not None
    except UnicodeDecodeError:
        is_text = False
    if not is_text:
        raise NotWritable(
            msg("{file} is not UTF-8 text", file=label),
            "Nothing was written.",
            hint="Save it as UTF-8 first.",
        )


def _settled(file: Path, entry: str, earlier: int) -> list[int]:
    """Lines where the entry begins, one more than earlier; none when somebody's save lost it."""
    for _ in range(_LOOKS):
        time.sleep(_SETTLE_S)
        found = _lines_of(_read_if_there(file), entry)
        if len(found) > earlier:
            return found
    return []


def _lines_of(data: bytes, entry: str) -> list[int]:
    """1-based lines where the entry begins, each time that it stands there as whole lines."""
    text = f"\n{data.decode('utf-8', 'replace')}\n".replace("\r\n", "\n")
    found, at = [], text.find(f"\n{entry}\n")
    while at >= 0:
        found.append(text.count("\n", 0, at) + 1)
        at = text.find(f"\n{entry}\n", at + 1)
    return found


def _without(before: bytes, remembered: Remembered) -> bytes | None:
    """The file without what was added last; None when that is not there."""
    newline = b"\r\n" if b"\r\n" in before else b"\n"
    entry = remembered.text.encode().replace(b"\n", newline) + newline
    for written in (remembered.added.encode(), entry):
        at = before.rfind(written)
        above = before[: max(at, 0)]
        is_own_line = not above.strip() or above.endswith(b"\n") or written[:1] in (b"\r", b"\n")
        if at >= 0 and is_own_line:
            return above + before[at + len(written) :]
    return None


def _replaced(file: Path, before: bytes, after: bytes, *, delete: bool) -> bool:
    """Put other content in place, unless somebody saved the file since it was read."""
    _check_writable(file.parent)

    def check() -> None:
        if file.is_symlink() or file.read_bytes() != before:
            raise _Saved

    try:
        if delete:
            check()
            file.unlink()
        else:
            replace_bytes(file, after, stat.S_IMODE(file.stat().st_mode), check)
    except _Saved:
        return False
    return True


def _remove_empty(folder: Path) -> None:
    if not any(folder.iterdir()):
        folder.rmdir()


def _has_notes(root: Path) -> bool:
    """True when a Markdown file is anywhere outside `memory/`. Stops at the first one."""
    for place, folders, files in os.walk(root):
        folders[:] = [
            name
            for name in folders
            if name not in NEVER_ENTERED and not (Path(place) == root and name == _MEMORY_FOLDER)
        ]
        if any(name[-3:].lower() == ".md" for name in files):
            return True
    return False


def _read_if_there(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except FileNotFoundError:  # between the two steps of somebody's save
        return b""


def _not_writable(file: Path, error: OSError) -> NotWritable:
    if error.errno in _READ_ONLY:
        return NotWritable(
            "This workspace is read-only",
            msg("{file} cannot be written.", file=file),
            hint="Allow writing to the folder, or choose another workspace.",
        )
    return NotWritable(
        msg("{file} cannot be written", file=file),
        msg("{reason}.", reason=system_reason(error)),
    )
