"""What an import would write, and where."""

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
from scrubjay.note_import.export_process import opened_export
from scrubjay.note_import.imported_note import ImportedNote, Obstacle
from scrubjay.note_import.limits import MOST_TEXT
from scrubjay.note_import.names import TakenLabels, safe_name
from scrubjay.notes.note_files import walk
from scrubjay.text.markdown import front_matter

KEY_FIELD = "imported-from"
"""The line of the front matter by which a note is known again, wherever it is moved to."""
_HEAD_BYTES = 4096
_MOST_FOLDERS = 12
"""Notebooks in notebooks; deeper ones are put into the last."""
_MOST_OBSTACLES = 1000
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
    """The same of those that are in the target already."""
    titles: Mapping[str, str]
    """Title in lower case -> key, for links that name notes by their titles."""
    attachments: int
    """Of the new notes."""
    tags: int
    obstacles: tuple[Obstacle, ...] = ()
    more_obstacles: int = 0
    """Those beyond the first thousand."""


def make_plan(
    export: Path, target: Path | None, default: Callable[[str], Path], cancel: CancelToken
) -> NotePlan:
    """The plan for an export. Raises ExportRefused or Cancelled.

    Without a target the default for the program is taken.
    """
    with opened_export(export, cancel, has_attachments=False) as opened:
        program = opened.program
        root = target or default(program)
        target_notes = _TargetNotes(root, cancel)
        labels: dict[str, str] = {}
        found: dict[str, str] = {}
        titles: dict[str, str] = {}
        former: dict[str, list[str]] = {}
        counts: dict[str, tuple[int, tuple[str, ...]]] = {}
        obstacles: list[Obstacle] = []
        more = 0
        for note in numbered(opened.notes()):
            cancel.check()
            if isinstance(note, Obstacle):
                more += len(obstacles) >= _MOST_OBSTACLES
                obstacles += [note][: _MOST_OBSTACLES - len(obstacles)]
                continue
            full = full_key(program, note.key)
            titles.setdefault(note.title.casefold(), note.key)
            if full in target_notes.known:
                found[note.key] = target_notes.known[full]
                continue
            if alike := target_notes.alike(full, note):
                former[note.key] = alike
            folder = "/".join(safe_name(name) for name in note.folder[:_MOST_FOLDERS])
            label = target_notes.labels.free(folder, safe_name(note.title), ".md")
            target_notes.labels.add(label)
            labels[note.key] = label
            counts[note.key] = len(note.attachments), note.tags
    taken = set(found.values())
    for key, alike in former.items():
        if free := [label for label in alike if label not in taken]:
            found[key] = free[0]
            taken.add(free[0])
            del labels[key], counts[key]
    if opened.skipped:
        reason = msg(
            "Links, devices, encrypted files and files without a name in an export are not opened."
        )
        obstacles.append(Obstacle(msg("{n} {n:file|files}", n=opened.skipped), reason))
    attachments = sum(count for count, _ in counts.values())
    tags = {tag for _, own in counts.values() for tag in own}
    return NotePlan(
        export, program, root, labels, found, titles, attachments, len(tags), tuple(obstacles), more
    )


def numbered(notes: Iterator[ImportedNote | Obstacle]) -> Iterator[ImportedNote | Obstacle]:
    """Notes with keys that differ: the second of the same key gets a number."""
    seen: Counter[str] = Counter()
    for note in notes:
        if isinstance(note, ImportedNote):
            seen[note.key] += 1
            if (number := seen[note.key]) > 1:
                yield replace(note, key=f"{note.key}-{number}")
                continue
        yield note


def full_key(program: str, key: str) -> str:
    """The value of the field by which a note is known again."""
    clean = "".join(letter for letter in key if letter.isalnum() or letter in "-_.")[:80]
    return f"{program.casefold().replace(' ', '-')} {clean}"


class _TargetNotes:
    """The notes and names in a target already."""

    def __init__(self, root: Path, cancel: CancelToken) -> None:
        self._root = root
        self.labels = TakenLabels()
        """Of all files and folders."""
        self.known: dict[str, str] = {}
        """Full key -> label of each imported note."""
        self._of_time: dict[tuple[str, str], list[str]] = {}
        """Program and time -> labels of the notes that were made then."""
        for folder, names in walk(root) if root.is_dir() else ():
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
        return [
            label
            for label in self._of_time.get(_made(full, created_line(note.created)), [])[
                :_MOST_ALIKE
            ]
            if _is_alike(own, _words(self._text(label, MOST_TEXT), is_note=True))
        ]

    def _learn(self, label: str) -> None:
        pairs, _ = front_matter(self._text(label, _HEAD_BYTES).splitlines())
        if key := pairs.get(KEY_FIELD):
            self.known[key] = label
            if created := pairs.get("created"):
                self._of_time.setdefault(_made(key, created), []).append(label)

    def _text(self, label: str, most: int) -> str:
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
    return full.partition(" ")[0], created


def _words(text: str, *, is_note: bool = False) -> set[str]:
    lines = text.splitlines()
    body = lines[front_matter(lines)[1] :] if is_note else lines
    return set(re.findall(r"\w+", "\n".join(body).casefold()))


def _is_alike(one: set[str], other: set[str]) -> bool:
    return 2 * len(one & other) >= max(len(one), len(other))
