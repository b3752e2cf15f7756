"""Entries in today's file of a workspace or in any note: appending them, and undoing that.

The system itself appends (`O_APPEND`), which cannot overwrite what an editor saves at that moment.
A save just then may lose the entry instead; reading the file back shows that.
"""

from __future__ import annotations

import datetime as dt
import errno
import hashlib
import json
import os
import re
import stat
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct

from scrubjay.errors import NotWritable, QueryError, system_reason
from scrubjay.messages import msg
from scrubjay.notes.note_files import (
    HeldNote,
    held_note,
    is_link,
    read_bytes,
    remove_folders,
    walk_folders,
)
from scrubjay.notes.note_reader import NoteUnreadable, check_note_text
from scrubjay.notes.scan import EXCLUDED, NEVER_ENTERED, Exclusions, is_agent_workspace
from scrubjay.records.note_records import Workspace
from scrubjay.text.encodings import detect_codec, errors_kept
from scrubjay.text.file_kinds import text_ending

MAX_CHARACTERS = 16_000
"""Length of one entry; a longer text is its own note."""

_BLOCK_START = re.compile(r"([-*+>#|]|\d+[.)]|```|~~~)")
"""Beginning of a line of Markdown that is not plain text."""
_ITEM = re.compile(
    r"(?P<indent>[ \t]*)(?P<mark>[-*+]|(?P<number>\d{1,9})[.)])[ \t]+(?P<task>\[.\] )?"
)
"""Beginning of an item of a list, and of a task."""
_MEMORY_FOLDER = "memory"
"""Folder in which agents keep their notes."""
_DAY_FILES = {
    "%Y{0}%m{0}%d": r"(?P<year>(19|20)\d\d)(?P<gap>[-_.]?)(?P<month>0[1-9]|1[0-2])(?P=gap)\d\d\.md",
    "%d{0}%m{0}%Y": r"\d\d(?P<gap>[-_.])(?P<month>0[1-9]|1[0-2])(?P=gap)(?P<year>(19|20)\d\d)\.md",
}
"""Form of a day -> pattern of the names of files in it."""
_ISO = "%Y-%m-%d"
"""Form of a day as agents write it, where no files tell another."""
_OBSIDIAN_FORMAT = re.compile(r"(?:YYYY|MM|DD|[^A-Za-z\\[\]])+")
"""Forms of file names that are understood; others are in a language, or rare."""
_SAVE_SECONDS = 0.05
"""Seconds to wait for an editor's save, of a few milliseconds from its first to its last write."""
_READ_ONLY = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})
"""Numbers of the errors that permissions cause."""

Composed: TypeAlias = Callable[[str], tuple[str, str]]
"""Text of a file -> what comes between it and the entry, and the entry."""


class AppendedEntry(Struct, frozen=True, tag=True):
    """An entry and its lines in the file, which are needed to remove it again."""

    path: str
    """Label inside the workspace, such as `memory/2026-11-21.md`."""
    file: Path
    text: str
    """Entry as it stands in the file, without the line breaks around it."""
    added: str
    """Text that was appended, with the heading of a new day and blank lines."""
    first_line: int
    """Line where the entry begins, 1-based."""
    last_line: int
    is_new_file: bool
    """Whether the file was made for this entry."""
    new_folders: int = 0
    """Number of folders that were made for the file."""
    codec: str = "utf-8"
    """Encoding of the file; with other letters in it, another one might be guessed."""


class _Appended(Struct, frozen=True):
    """Text that was written at the end of a file."""

    before: str
    """Text of the file before it."""
    entry: str
    added: str
    """Text that was appended, with all that comes between the two."""
    codec: str
    """Encoding of the file."""


def daily_note_path(root: Path, day: dt.date, layout: str = "") -> str:
    """The place of a day's log: `memory/`, or the place of daily notes in a plain folder.

    A dated file in `memory/` makes a folder an agent's memory, which excludes other notes.
    """
    if is_agent_workspace(root, layout) or not (layout or _has_notes(root)):
        return f"{_MEMORY_FOLDER}/{day.isoformat()}.md"
    return _obsidian_label(root, day) or _journal_label(root, day)


def _obsidian_label(root: Path, day: dt.date) -> str:
    """The folder of Obsidian's daily notes; empty if its settings do not name one."""
    try:
        settings = json.loads((root / ".obsidian" / "daily-notes.json").read_bytes())
        folder = str(settings.get("folder") or "")
        form = str(settings.get("format") or "")
    except (OSError, ValueError, AttributeError, RecursionError):
        return ""
    # Settings that would lead out of the folder are not followed.
    if not (folder or form) or ".." in folder.split("/"):
        return ""
    name = day.isoformat()
    if _OBSIDIAN_FORMAT.fullmatch(form) and ".." not in form:
        name = form.replace("YYYY", f"{day:%Y}").replace("MM", f"{day:%m}")
        name = name.replace("DD", f"{day:%d}")
    return "/".join(filter(None, f"{folder}/{name}.md".split("/")))


def _journal_label(root: Path, day: dt.date) -> str:
    """The day's note in the folder with most files that are named for a day, in their form.

    Folders of a year or a month are those of the day. What agents write in `memory/` is not a
    journal.
    """
    no_journals = {*NEVER_ENTERED, _MEMORY_FOLDER}
    counts: Counter[tuple[str, str]] = Counter()
    for folder, files in walk_folders(
        root, lambda name: name not in no_journals and name[0] != "."
    ):
        days = [
            (form, match)
            for name in files
            for form, names in _DAY_FILES.items()
            if (match := re.fullmatch(names, name, re.IGNORECASE))
        ]
        if days:
            # Each folder has one form, which its first file tells.
            form, match = days[0]
            year, month, gap = match.group("year", "month", "gap")
            now = {year: f"{day:%Y}", month: f"{day:%m}", f"{year}-{month}": f"{day:%Y-%m}"}
            folder_now = "".join(f"{now.get(part, part)}/" for part in folder.split("/")[:-1])
            counts[folder_now, form.format(gap)] += len(days)
    folder, form = max(counts, key=lambda each: (counts[each], not each[0]), default=("", _ISO))
    return f"{folder}{day:{form}}.md"


def daily_entry(text: str, day: dt.date, before: str) -> str:
    """What a text adds to the daily note that reads as before. Raises QueryError."""
    return "".join(_daily_entry(_entry_text(text), day, before)) + "\n"


def append_to_daily_note(
    workspace: Workspace, text: str, *, now: dt.datetime | None = None, suffix: str = ""
) -> AppendedEntry:
    """Append text to today's file, or to the file next to it with a suffix in its name.

    Raises QueryError for no text, NotWritable for the rest.
    """
    entry = _entry_text(text)
    day = (now or dt.datetime.now().astimezone()).date()
    root = workspace.root
    label = f"{daily_note_path(root, day, workspace.layout)[:-3]}{suffix}.md"
    file = root / label
    label = file.relative_to(root).as_posix()
    if not root.is_dir():
        raise NotWritable("The folder does not exist", msg("{root}.", root=root))
    # What is written there could not be found again.
    if Exclusions(root, workspace.left_out).holds_written(label):
        raise NotWritable(msg("{name} cannot be changed", name=label), EXCLUDED)
    return _added(file, label, partial(_daily_entry, entry, day), may_make=True)


def append_line(file: Path, label: str, text: str) -> AppendedEntry:
    """Append text to an existing note, as a further item after an item.

    Raises as `append_to_daily_note`.
    """
    return _added(file, label, partial(note_entry, clean_entry(text)))


def _added(file: Path, label: str, compose: Composed, *, may_make: bool = False) -> AppendedEntry:
    """Append an entry to a file, and look whether it is still there after a moment."""
    folder = file.parent
    # The file itself, and each folder that its label names.
    for up, step in enumerate((file, *file.parents[: label.count("/")])):
        if is_link(step):
            raise NotWritable(
                msg("{file} is only a link to another file", file=label.rsplit("/", up)[0]),
                "Scrubjay does not write to linked files or folders. Nothing was written.",
            )
    # Whether anything is made or written is checked before the first step.
    try:
        is_new_file = may_make and not file.exists()
        new_folders = 0
        if may_make:
            new_folders = sum(not step.exists() for step in (folder, *folder.parents))
        _check_writable(file.parents[new_folders])
        if not is_new_file:
            _check_writable(file)
        with held_note(file, label, make_folders=may_make) as note:
            appended = _append(note, compose, os.O_CREAT if may_make else 0)
        # An editor that was saving at that moment may have replaced the file by now.
        time.sleep(_SAVE_SECONDS)
        data = read_bytes(file, label) if file.exists() else b""
        lines = _lines_of(data.decode(appended.codec, "replace"), appended.entry)
    except OSError as error:
        raise _not_writable(file, error) from error
    # Where the entry is not there once more than before, another program has undone it.
    if len(lines) <= len(_lines_of(appended.before, appended.entry)):
        raise NotWritable(
            msg("{file} keeps changing", file=label),
            "Another program keeps changing the note. Nothing was written.",
            hint="Wait until the other program has finished, then try again.",
        )
    return AppendedEntry(
        path=label,
        file=file,
        text=appended.entry,
        added=appended.added,
        first_line=lines[-1],
        last_line=lines[-1] + appended.entry.count("\n"),
        is_new_file=is_new_file,
        new_folders=new_folders,
        codec=appended.codec,
    )


def undo_append(remembered: AppendedEntry) -> bool:
    """Remove an entry again; return False when it changed or is being saved. Raises NotWritable."""
    file = remembered.file
    label = remembered.path

    def check() -> None:
        if is_link(file) or read_bytes(file, label) != before:
            raise InterruptedError

    try:
        before = read_bytes(file, label)
        codec = remembered.codec
        errors = errors_kept(codec)
        after_text = _without_entry(before.decode(codec, errors), remembered)
        if after_text is None:
            return False
        after = after_text.encode(codec, errors)
        # The note is replaced as a whole, if nobody has saved it since it was read.
        _check_writable(file.parent)
        with held_note(file, label) as note:
            former = hashlib.sha256(before).digest()
            mode = stat.S_IMODE(note.status().st_mode)
            note.replace(after, mode, check=check, former=former)
            if remembered.is_new_file and not after.strip():
                note.unlink()
        remove_folders(file, label, remembered.new_folders)
    except (FileNotFoundError, InterruptedError, UnicodeDecodeError):
        return False
    except OSError as error:
        raise _not_writable(file, error) from error
    return True


def _without_entry(whole: str, remembered: AppendedEntry) -> str | None:
    """The text of a note without an entry; None if that does not stand on its own lines."""
    # All that was appended, otherwise the entry alone, where other lines came between the two.
    for text in (remembered.added, as_lines(f"{remembered.text}\n", whole)):
        at = whole.rfind(text)
        if at < 0:
            continue
        above = whole[:at]
        is_first = not above.removeprefix("\ufeff").strip()
        if is_first or above.endswith("\n") or text[:1] in ("\r", "\n"):
            return above + whole[at + len(text) :]
    return None


def _append(note: HeldNote, compose: Composed, flags: int) -> _Appended:
    """Add an entry in one write.

    Raises NotWritable, or OSError.
    """
    label = note.label
    handle = note.open(os.O_RDWR | os.O_APPEND | flags)
    with open(handle, "rb+", buffering=0) as stream:  # noqa: PTH123  (a descriptor, not a path)
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise NotWritable(msg("{file} is not a file", file=label), "Nothing was written.")
        data = stream.read()
        codec = detect_codec(data)
        try:
            before = check_note_text(data.decode(codec))
        except (UnicodeDecodeError, NoteUnreadable) as error:
            title = msg("{file} contains characters that Scrubjay cannot read", file=label)
            raise NotWritable(
                title,
                "Nothing was written.",
                hint=(
                    "Open the file in a text editor and copy the text into a new note, "
                    "then try again."
                ),
            ) from error
        # The entry depends on what is above it, in the letters and line ends of the file.
        lead, entry = compose(before)
        added = as_lines(f"{lead}{entry}\n", before)
        try:
            size = len(data)
            data = added.encode(codec)
        except UnicodeEncodeError as error:
            letter = added[error.start]
            raise NotWritable(
                msg("{file} cannot store the character {letter}", file=label, letter=letter),
                msg(
                    "An older program saved the file in the text format {codec}. "
                    "Nothing was written.",
                    codec=codec,
                ),
                hint="Save the file in a newer text editor, then try again.",
            ) from error
        # One write at the end of the file, so that nothing can come in between.
        written = stream.write(data)
        if written != len(data):
            # A full disk takes a part, and only our own part goes.
            _cut_end(note, os.fstat(handle), size, written or 0)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        os.fsync(handle)
    return _Appended(before=before, entry=entry, added=added, codec=codec)


def _cut_end(note: HeldNote, opened: os.stat_result, size: int, written: int) -> None:
    """Remove what was written after a size, while it is the end of the same file."""
    # A handle that appends cannot make a file shorter on Windows.
    with open(note.open(os.O_RDWR), "rb+", buffering=0) as stream:  # noqa: PTH123  (a descriptor)
        now = os.fstat(stream.fileno())
        if os.path.samestat(now, opened) and now.st_size == size + written:
            stream.truncate(size)


def as_lines(text: str, note: str) -> str:
    """The text with the line ends of a note."""
    if "\r\n" in note:
        return text.replace("\n", "\r\n")
    return text


def _daily_entry(entry: str, day: dt.date, before: str) -> tuple[str, str]:
    """An entry on its own lines, below a heading when it is the first of the day."""
    if not before.strip():
        return f"# {day.isoformat()}\n\n", entry
    is_in_list = entry.startswith("- ") and _last_line(before).lstrip().startswith("- ")
    return _gap(before, is_in_list=is_in_list), entry


def note_entry(text: str, before: str) -> tuple[str, str]:
    """A plain line continues the list that a note ends with; others stand for themselves."""
    item = _ITEM.match(_last_line(before))
    if item is None or "\n" in text or _BLOCK_START.match(text.lstrip()):
        # An entry that is an item itself goes on with a list of the same kind.
        first = _ITEM.match(text)
        is_in_list = bool(item and first and item["mark"][-1] == first["mark"][-1])
        return _gap(before, is_in_list=is_in_list), text
    # One item more: with the next number, and with a box where the last one is a task.
    mark = item["mark"]
    if item["number"]:
        mark = f"{int(item['number']) + 1}{mark[-1]}"
    box = "[ ] " if item["task"] else ""
    line = f"{item['indent']}{mark} {box}{text.strip()}"
    return _gap(before, is_in_list=True), line


def _last_line(text: str) -> str:
    """The last line with anything in it."""
    return text.removeprefix("\ufeff").rstrip().rpartition("\n")[2]


def _gap(before: str, *, is_in_list: bool) -> str:
    """Line breaks that end the last line, and an empty one unless in a list."""
    if not before.removeprefix("\ufeff"):
        return ""
    end = "" if before.endswith("\n") else "\n"
    if is_in_list or before.endswith(("\n\n", "\r\n\r\n")):
        return end
    return f"{end}\n"


def _check_writable(path: Path) -> None:
    """Raise PermissionError for what was made read-only, also for administrators."""
    if not path.stat().st_mode & 0o222:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def _has_notes(root: Path) -> bool:
    """Whether a note is anywhere outside `memory/`. Stops at the first one."""
    skipped = {*NEVER_ENTERED, _MEMORY_FOLDER}
    for _, files in walk_folders(root, lambda name: name not in skipped):
        if any(map(text_ending, files)):
            return True
        skipped.discard(_MEMORY_FOLDER)  # a folder of this name further down holds notes
    return False


def _not_writable(file: Path, error: OSError) -> NotWritable:
    """The error for a file that the system did not let us write."""
    if error.errno in _READ_ONLY:
        return NotWritable(
            "Scrubjay is not allowed to write to this folder",
            msg("Scrubjay cannot write to {file}.", file=file),
            hint="Allow writing to the folder, or choose another folder.",
        )
    return NotWritable(
        msg("Scrubjay cannot write to {file}", file=file),
        msg("{reason}.", reason=system_reason(error)),
    )


def _entry_text(text: str) -> str:
    """The entry for the file: one plain line becomes a list item. Raises QueryError."""
    clean = clean_entry(text)
    is_plain_line = "\n" not in clean and not _BLOCK_START.match(clean.lstrip())
    if is_plain_line:
        return f"- {clean.strip()}"
    return clean


def checked_text(text: str) -> str:
    """Text that can be written, with one kind of line end. Raises QueryError."""
    if "\0" in text or any("\ud800" <= letter <= "\udfff" for letter in text):
        raise QueryError(
            "This text cannot be saved", ("The text contains characters that cannot be saved.")
        )
    # In front of a note U+FEFF says how it is written, and is not a letter of it.
    return text.replace("\ufeff", "").replace("\r\n", "\n").replace("\r", "\n")


def clean_entry(text: str) -> str:
    """Text that can be written, without blanks around it. Raises QueryError."""
    # Line ends of any system become one, without blanks before them.
    lines = checked_text(text).splitlines()
    clean = "\n".join(line.rstrip() for line in lines).strip("\n")
    if not clean.strip():
        raise QueryError("There is nothing to remember", "The text is empty.")
    if len(clean) > MAX_CHARACTERS:
        raise QueryError(
            "This text is too long for a daily note",
            msg(
                "The text has {n} characters, but only {limit} can be added at a time.",
                n=len(clean),
                limit=MAX_CHARACTERS,
            ),
            hint="Write the text in a separate note.",
        )
    return clean


def _lines_of(text: str, entry: str) -> list[int]:
    """1-based lines where the entry begins, wherever it stands as whole lines."""
    text = "\n" + text.removeprefix("\ufeff").replace("\r\n", "\n") + "\n"
    pattern = rf"(?=\n{re.escape(entry)}\n)"
    return [text.count("\n", 0, match.start()) + 1 for match in re.finditer(pattern, text)]
