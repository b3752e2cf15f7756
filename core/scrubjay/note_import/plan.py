"""The plan of an import: what it would write, and where."""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.messages import msg
from scrubjay.note_import.export_limits import MOST_TEXT
from scrubjay.note_import.export_process import open_export
from scrubjay.note_import.imported_note import ImportedNote, Obstacle
from scrubjay.note_import.safe_names import TakenLabels, safe_name
from scrubjay.notes.note_files import walk_folders
from scrubjay.text.markdown import parse_front_matter

KEY_FIELD = "imported-from"
"""The line of the front matter by which a note is known again, wherever it is moved to."""
_HEAD_BYTES = 4096
"""Bytes of a note that hold its front matter."""
_MOST_FOLDERS = 12
"""Notebooks in notebooks; deeper ones are put into the last."""
_MOST_OBSTACLES = 1000
"""Obstacles that a plan names; the others are counted."""
_MOST_ALIKE = 20
"""Notes of one second that are read: a program may have stamped all of them with one time."""


class NotePlan(Struct, frozen=True):
    """The notes of an export with the files to write. Nothing is written yet."""

    export: Path
    program: str
    target: Path
    labels: Mapping[str, str]
    """Key of each new note -> its file in the target."""
    known: Mapping[str, str]
    """Key of each note that is in the target already -> its file there."""
    titles: Mapping[str, str]
    """Title in lower case -> key, for links that name notes by their titles."""
    attachments: int
    """Number of attachments of the new notes."""
    tags: int
    obstacles: tuple[Obstacle, ...] = ()
    more_obstacles: int = 0
    """Number of obstacles beyond the first thousand."""


def make_plan(
    export: Path, target: Path | None, default: Callable[[str], Path], cancel: CancelToken
) -> NotePlan:
    """The plan for an export. Raises ExportRefused or Cancelled.

    Without a target the default for the program is taken.
    """
    with open_export(export, cancel, has_attachments=False) as opened:
        root = target or default(opened.program)
        draft = _Draft(opened.program, _TargetNotes(root, cancel))
        for note in number_duplicate_keys(opened.notes()):
            cancel.check()
            if isinstance(note, Obstacle):
                draft.add_obstacle(note)
            else:
                draft.add(note)
    draft.find_renamed()
    # Beyond those that are named comes one more, which stands for many files.
    if opened.skipped:
        reason = msg(
            "Scrubjay does not open links, devices, encrypted files or unnamed files in an export."
        )
        what = msg("{n} {n:file|files}", n=opened.skipped)
        draft.obstacles.append(Obstacle(what, reason))
    return draft.plan(export, root)


class _Draft:
    """A plan that is being made, note by note."""

    def __init__(self, program: str, target_notes: _TargetNotes) -> None:
        self._program = program
        self._target_notes = target_notes
        self._labels: dict[str, str] = {}
        """Key of each new note -> its file."""
        self._found: dict[str, str] = {}
        """Key of each note that is there already -> its file."""
        self._titles: dict[str, str] = {}
        self._former: dict[str, list[str]] = {}
        """Key of a new note -> files of notes that may be the same under another title."""
        self._attachments: dict[str, int] = {}
        """Key of each new note -> number of its attachments."""
        self._tags: dict[str, tuple[str, ...]] = {}
        """Key of each new note -> its tags."""
        self.obstacles: list[Obstacle] = []
        self._more_obstacles = 0

    def add_obstacle(self, obstacle: Obstacle) -> None:
        """Add an obstacle, or count it where there are many."""
        if len(self.obstacles) < _MOST_OBSTACLES:
            self.obstacles.append(obstacle)
        else:
            self._more_obstacles += 1

    def add(self, note: ImportedNote) -> None:
        """Add a note as an existing one, or with a free label."""
        full = full_key(self._program, note.key)
        self._titles.setdefault(note.title.casefold(), note.key)
        if full in self._target_notes.known:
            self._found[note.key] = self._target_notes.known[full]
            return
        alike = self._target_notes.alike(full, note)
        if alike:
            self._former[note.key] = alike
        # A folder for each notebook, and a name that no other note has.
        folder = "/".join(safe_name(name) for name in note.folder[:_MOST_FOLDERS])
        label = self._target_notes.labels.free(folder, safe_name(note.title), ".md")
        self._target_notes.labels.add(label)
        self._labels[note.key] = label
        self._attachments[note.key] = len(note.attachments)
        self._tags[note.key] = note.tags

    def find_renamed(self) -> None:
        """Take new notes for known ones where a note like them is left in the target."""
        taken = set(self._found.values())
        for key, alike in self._former.items():
            free = [label for label in alike if label not in taken]
            if free:
                self._found[key] = free[0]
                taken.add(free[0])
                del self._labels[key]
                del self._attachments[key]
                del self._tags[key]

    def plan(self, export: Path, root: Path) -> NotePlan:
        """The plan for all notes that were added."""
        # Only those of new notes count, as only they are written.
        tags = {tag for own in self._tags.values() for tag in own}
        return NotePlan(
            export=export,
            program=self._program,
            target=root,
            labels=self._labels,
            known=self._found,
            titles=self._titles,
            attachments=sum(self._attachments.values()),
            tags=len(tags),
            obstacles=tuple(self.obstacles),
            more_obstacles=self._more_obstacles,
        )


def number_duplicate_keys(
    notes: Iterator[ImportedNote | Obstacle],
) -> Iterator[ImportedNote | Obstacle]:
    """Notes with keys that differ: the second of the same key gets a number."""
    seen: Counter[str] = Counter()
    for note in notes:
        if isinstance(note, Obstacle):
            yield note
            continue
        # Exports come in the same order each time, so the numbers stay.
        seen[note.key] += 1
        number = seen[note.key]
        if number == 1:
            yield note
        else:
            yield replace(note, key=f"{note.key}-{number}")


def full_key(program: str, key: str) -> str:
    """The value of the field by which a note is known again."""
    clean = "".join(letter for letter in key if letter.isalnum() or letter in "-_.")[:80]
    return f"{program.casefold().replace(' ', '-')} {clean}"


class _TargetNotes:
    """The notes and names in a target already."""

    def __init__(self, root: Path, cancel: CancelToken) -> None:
        self._root = root
        self.labels = TakenLabels()
        """Labels of all files and folders."""
        self.known: dict[str, str] = {}
        """Full key -> label of each imported note."""
        self._of_time: dict[tuple[str, str], list[str]] = {}
        """Program and time -> labels of the notes that were made then."""
        if not root.is_dir():
            return
        # Every name is taken, also those of files that are not notes.
        for folder, names in walk_folders(root):
            cancel.check()
            if folder:
                self.labels.add(folder.rstrip("/"))
            for name in names:
                label = f"{folder}{name}"
                self.labels.add(label)
                if name.endswith(".md"):
                    self._learn(label)

    def alike(self, full: str, note: ImportedNote) -> list[str]:
        """Labels of notes of the same program and second with mostly the same words.

        Such a note has another title by now, where its program gives it no id.
        """
        if note.created is None:
            return []
        own = _words(note.body)
        made_then = self._of_time.get(_made(full, created_line(note.created)), [])
        return [
            label
            for label in made_then[:_MOST_ALIKE]
            if _is_alike(own, _words(_without_front_matter(self._text(label, MOST_TEXT))))
        ]

    def _learn(self, label: str) -> None:
        """Read the key and the time of a note, where it was imported."""
        pairs, _ = parse_front_matter(self._text(label, _HEAD_BYTES).splitlines())
        key = pairs.get(KEY_FIELD)
        if not key:
            return
        self.known[key] = label
        created = pairs.get("created")
        if created:
            self._of_time.setdefault(_made(key, created), []).append(label)

    def _text(self, label: str, most: int) -> str:
        """The beginning of a note; empty if it cannot be read."""
        from scrubjay.notes.note_files import open_note

        try:
            with open(open_note(self._root / label, label), "rb") as stream:  # noqa: PTH123
                return stream.read(most).decode("utf-8", "replace")
        except OSError:
            return ""


def created_line(moment: dt.datetime) -> str:
    """The time when a note was made, as its front matter has it."""
    return moment.isoformat(" ", "seconds")


def _made(full: str, created: str) -> tuple[str, str]:
    """The program of a full key, with a time."""
    return full.partition(" ")[0], created


def _without_front_matter(text: str) -> str:
    lines = text.splitlines()
    _, body_start = parse_front_matter(lines)
    return "\n".join(lines[body_start:])


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.casefold()))


def _is_alike(one: set[str], other: set[str]) -> bool:
    return 2 * len(one & other) >= max(len(one), len(other))
