"""Entries in today's file of a workspace: appended, and taken back again.

The system itself appends (`O_APPEND`), which cannot overwrite what an editor saves at that moment.
A save just then may lose the entry instead; reading the file back shows that.
"""

from __future__ import annotations

import datetime as dt
import errno
import json
import os
import re
import stat
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from scrubjay.errors import NotWritable, QueryError, system_reason
from scrubjay.messages import msg
from scrubjay.notes.note_files import NotePlace, note_place, read_bytes, walk
from scrubjay.notes.scan import NEVER_ENTERED, is_agent_workspace

MAX_CHARACTERS = 16_000
"""Length of one entry; a longer text is a note of its own."""

_BLOCK_START = re.compile(r"([-*+>#|]|\d+[.)]|```|~~~)")
_MEMORY_FOLDER = "memory"
_DAY_FILES = {
    "%Y{0}%m{0}%d": r"(?P<year>(19|20)\d\d)(?P<gap>[-_.]?)(?P<month>0[1-9]|1[0-2])(?P=gap)\d\d\.md",
    "%d{0}%m{0}%Y": r"\d\d(?P<gap>[-_.])(?P<month>0[1-9]|1[0-2])(?P=gap)(?P<year>(19|20)\d\d)\.md",
}
"""Form of a day -> the names of files in it."""
_ISO = "%Y-%m-%d"
_OBSIDIAN_FORMAT = re.compile(r"(?:YYYY|MM|DD|[^A-Za-z\\[\]])+")
"""Of file names; others are in a language, or rare."""
_SAVE_SECONDS = 0.05
"""An editor's save takes a few milliseconds from its first to its last write."""
_READ_ONLY = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})


@dataclass(frozen=True, slots=True)
class Remembered:
    """An entry and its place in the file: enough to take it back."""

    path: str
    """Label inside the workspace, such as `memory/2026-11-21.md`."""
    file: Path
    text: str
    """The entry as it stands in the file, without the line breaks around it."""
    added: str
    """All of the appended text, with the heading of a new day and blank lines."""
    first_line: int
    """1-based, where the entry begins."""
    last_line: int
    is_new_file: bool
    """The file was made for this entry."""
    new_folders: int = 0
    """Folders that were made for the file."""


def daily_label(root: Path, day: dt.date, layout: str = "") -> str:
    """Where the log of a day is kept: in `memory/`, or where a plain folder has its daily notes.

    A dated file in `memory/` makes a folder an agent's, of which the other notes are no part.
    """
    if is_agent_workspace(root, layout) or not (layout or _has_notes(root)):
        return f"{_MEMORY_FOLDER}/{day.isoformat()}.md"
    return _obsidian_label(root, day) or _journal_label(root, day)


def _obsidian_label(root: Path, day: dt.date) -> str:
    """Where Obsidian keeps the daily note; empty where its settings do not say."""
    try:
        settings = json.loads((root / ".obsidian" / "daily-notes.json").read_bytes())
        folder, form = str(settings.get("folder") or ""), str(settings.get("format") or "")
    except (OSError, ValueError, AttributeError):
        return ""
    if not (folder or form) or ".." in folder.split("/"):
        return ""
    name = day.isoformat()
    if _OBSIDIAN_FORMAT.fullmatch(form) and ".." not in form:
        name = form.replace("YYYY", f"{day:%Y}").replace("MM", f"{day:%m}")
        name = name.replace("DD", f"{day:%d}")
    return f"{folder}/{name}.md".strip("/")


def _journal_label(root: Path, day: dt.date) -> str:
    """The day's note in the folder with most files that are named for a day, and spelled as those.

    Folders of a year or a month are those of the day. What agents write in `memory/` is no journal.
    """
    no_journals = {*NEVER_ENTERED, _MEMORY_FOLDER}
    counts: Counter[tuple[str, str]] = Counter()
    for folder, files in walk(root, lambda name: name not in no_journals and name[0] != "."):
        days = [
            (form, match)
            for name in files
            for form, names in _DAY_FILES.items()
            if (match := re.fullmatch(names, name, re.IGNORECASE))
        ]
        if days:
            parts = folder.split("/")[:-1]
            form, (year, month, gap) = days[0][0], days[0][1].group("year", "month", "gap")
            now = {year: f"{day:%Y}", month: f"{day:%m}", f"{year}-{month}": f"{day:%Y-%m}"}
            place = "".join(f"{now.get(part, part)}/" for part in parts)
            counts[place, form.format(gap)] += len(days)
    folder, form = max(counts, key=lambda each: (counts[each], not each[0]), default=("", _ISO))
    return f"{folder}{day:{form}}.md"


def remember(
    root: Path, text: str, *, layout: str = "", now: dt.datetime | None = None, suffix: str = ""
) -> Remembered:
    """Append text to today's file, or to the one beside it with a suffix to its name.

    Raises QueryError for no text, NotWritable for the rest.
    """
    entry = _entry_text(text)
    day = (now or dt.datetime.now().astimezone()).date()
    label = f"{daily_label(root, day, layout)[:-3]}{suffix}.md"
    file = root / label
    label = file.relative_to(root).as_posix()
    folder = file.parent
    if not root.is_dir():
        raise NotWritable("The folder is not there", msg("{root}.", root=root))
    for step in (file, *file.parents[: label.count("/")]):
        if step.is_symlink():
            raise NotWritable(
                msg("{file} only points to another file", file=step.relative_to(root).as_posix()),
                "Scrubjay writes only into real files. Nothing was written.",
            )
    try:
        is_new_file = not file.exists()
        new_folders = sum(not step.exists() for step in (folder, *folder.parents))
        _check_writable(file.parents[new_folders])
        if not is_new_file:
            _check_writable(file)
        with note_place(file, label, make_folders=True) as place:
            before, added = _append(place, entry, day)
        time.sleep(_SAVE_SECONDS)
        lines = _lines_of(read_bytes(file, label) if file.exists() else b"", entry)
    except OSError as error:
        raise _not_writable(file, error) from error
    if len(lines) <= len(_lines_of(before, entry)):
        raise NotWritable(
            msg("{file} changes all the time", file=label),
            "Another program changes it all the time. Nothing was written.",
            hint="Wait until it has finished, then try again.",
        )
    last_line = lines[-1] + entry.count("\n")
    return Remembered(label, file, entry, added, lines[-1], last_line, is_new_file, new_folders)


def undo(remembered: Remembered) -> bool:
    """Take an entry back; False when it changed or is being saved. Raises NotWritable."""
    file, label = remembered.file, remembered.path

    def check() -> None:
        if file.is_symlink() or read_bytes(file, label) != before:
            raise InterruptedError

    try:
        before = read_bytes(file, label)
        newline = b"\r\n" if b"\r\n" in before else b"\n"
        line = remembered.text.encode().replace(b"\n", newline) + newline
        for text in (remembered.added.encode(), line):
            at = before.rfind(text)
            above = before[: max(at, 0)]
            is_own_line = not above.strip() or above.endswith(b"\n") or text[:1] in (b"\r", b"\n")
            if at >= 0 and is_own_line:
                after = above + before[at + len(text) :]
                break
        else:
            return False
        _check_writable(file.parent)
        with note_place(file, label) as place:
            place.replace(after, stat.S_IMODE(place.status().st_mode), check)
            if remembered.is_new_file and not after.strip():
                place.unlink()
        for folder in file.parents[: remembered.new_folders]:
            if not any(folder.iterdir()):
                label = label.rpartition("/")[0]
                with note_place(folder, label) as place:
                    place.rmdir()
    except (FileNotFoundError, InterruptedError):
        return False
    except OSError as error:
        raise _not_writable(file, error) from error
    return True


def _append(place: NotePlace, entry: str, day: dt.date) -> tuple[bytes, str]:
    """Add the entry on lines of its own, below a heading when it is the first of the day.

    One write; the result are the content before it, and the added text.
    """
    label, handle = place.label, place.open(os.O_RDWR | os.O_APPEND | os.O_CREAT)
    with open(handle, "rb+", buffering=0) as stream:  # noqa: PTH123  (a descriptor, not a path)
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise NotWritable(msg("{file} is not a file", file=label), "Nothing was written.")
        before = stream.read()
        try:
            before.replace(b"\0", b"\xff").decode()  # NUL bytes are no text either
        except UnicodeDecodeError as error:
            title = msg("{file} is written with letters that Scrubjay cannot read", file=label)
            raise NotWritable(
                title,
                "Nothing was written.",
                hint="Open it in a text editor and copy the text into a new note, then try again.",
            ) from error
        if not before.strip():
            lead = f"# {day.isoformat()}\n\n"
        else:
            lead = "" if before.endswith(b"\n") else "\n"
            last_line = before.rstrip().rpartition(b"\n")[2].lstrip()
            is_in_list = entry.startswith("- ") and last_line.startswith(b"- ")
            if not is_in_list and not before.endswith((b"\n\n", b"\r\n\r\n")):
                lead += "\n"
        added = f"{lead}{entry}\n".replace("\n", "\r\n" if b"\r\n" in before else "\n")
        data = added.encode()
        written = stream.write(data)
        if written != len(data):
            # A full disk takes a part. Only our own part goes, and only while it is the end.
            if written and os.fstat(handle).st_size == len(before) + written:
                os.ftruncate(handle, len(before))
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        os.fsync(handle)
    return before, added


def _check_writable(place: Path) -> None:
    """Raises PermissionError for what was made read-only, also for administrators."""
    if not place.stat().st_mode & 0o222:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def _has_notes(root: Path) -> bool:
    """True when a Markdown file is anywhere outside `memory/`. Stops at the first one."""
    skipped = {*NEVER_ENTERED, _MEMORY_FOLDER}
    for _, files in walk(root, lambda name: name not in skipped):
        if any(name[-3:].lower() == ".md" for name in files):
            return True
        skipped.discard(_MEMORY_FOLDER)  # a folder of this name further down holds notes
    return False


def _not_writable(file: Path, error: OSError) -> NotWritable:
    if error.errno in _READ_ONLY:
        return NotWritable(
            "Scrubjay may not write into this folder",
            msg("{file} cannot be written.", file=file),
            hint="Allow writing to the folder, or choose another folder.",
        )
    return NotWritable(
        msg("{file} cannot be written", file=file), msg("{reason}.", reason=system_reason(error))
    )


def _entry_text(text: str) -> str:
    """The entry for the file: one plain line becomes a list item. Raises QueryError."""
    if "\0" in text or any("\ud800" <= letter <= "\udfff" for letter in text):
        raise QueryError("This cannot be written down", "It has letters that cannot be written.")
    clean = "\n".join(line.rstrip() for line in text.splitlines()).strip("\n")
    if not clean.strip():
        raise QueryError("There is nothing to remember", "The text is empty.")
    if len(clean) > MAX_CHARACTERS:
        raise QueryError(
            "This is too long for the note of a day",
            msg(
                "It has {n} characters; {limit} are allowed at once.",
                n=len(clean),
                limit=MAX_CHARACTERS,
            ),
            hint="Write it into a note of its own.",
        )
    is_plain_line = "\n" not in clean and not _BLOCK_START.match(clean.lstrip())
    return f"- {clean.strip()}" if is_plain_line else clean


def _lines_of(data: bytes, entry: str) -> list[int]:
    """1-based lines where the entry begins, wherever it stands as whole lines."""
    text = f"\n{data.decode('utf-8', 'replace')}\n".replace("\r\n", "\n")
    pattern = rf"(?=\n{re.escape(entry)}\n)"
    return [text.count("\n", 0, match.start()) + 1 for match in re.finditer(pattern, text)]
