"""What an import would write, and where."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.messages import msg
from scrubjay.note_import.formats import opened_export
from scrubjay.note_import.imported_note import ImportedNote, Obstacle
from scrubjay.note_import.names import safe_name, same, unique
from scrubjay.notes.note_files import walk
from scrubjay.text.markdown import front_matter

KEY_FIELD = "imported-from"
"""The line of the front matter by which a note is known again, wherever it is moved to."""
_HEAD_BYTES = 4096
_MOST_FOLDERS = 12
"""Notebooks in notebooks; deeper ones are put into the last."""
_MOST_OBSTACLES = 1000


@dataclass(frozen=True, slots=True)
class NotePlan:
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
    """The plan for an export. Raises ExportRefused.

    Without a target the default for the program is taken.
    """
    with opened_export(export) as (reader, skipped):
        program = str(reader.program)
        root = target or default(program)
        there, known = _contents(root, cancel)
        labels: dict[str, str] = {}
        found: dict[str, str] = {}
        titles: dict[str, str] = {}
        tags: set[str] = set()
        obstacles: list[Obstacle] = []
        attachments = more = 0
        for note in numbered(reader.notes()):
            cancel.check()
            if isinstance(note, Obstacle):
                more += len(obstacles) >= _MOST_OBSTACLES
                obstacles += [note][: _MOST_OBSTACLES - len(obstacles)]
                continue
            full = full_key(program, note.key)
            titles.setdefault(note.title.casefold(), note.key)
            if full in known:
                found[note.key] = known[full]
                continue
            folder = "/".join(safe_name(name) for name in note.folder[:_MOST_FOLDERS])
            label = unique(folder, safe_name(note.title), ".md", there)
            there.add(same(label))
            labels[note.key] = label
            attachments += len(note.attachments)
            tags.update(note.tags)
    if skipped:
        reason = msg("Links, devices and encrypted files in an export are not opened.")
        obstacles.append(Obstacle(msg("{n} {n:file|files}", n=skipped), reason))
    return NotePlan(
        export, program, root, labels, found, titles, attachments, len(tags), tuple(obstacles), more
    )


def numbered(notes: Iterator[ImportedNote | Obstacle]) -> Iterator[ImportedNote | Obstacle]:
    """Notes with keys that differ: the second of the same key gets a number."""
    from dataclasses import replace

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


def _contents(root: Path, cancel: CancelToken) -> tuple[set[str], dict[str, str]]:
    """The labels in a folder, in the form of `same`, and those of imported notes by their keys."""
    labels: set[str] = set()
    known: dict[str, str] = {}
    for folder, names in walk(root) if root.is_dir() else ():
        cancel.check()
        if folder:
            labels.add(same(folder.rstrip("/")))
        for name in names:
            label = f"{folder}{name}"
            labels.add(same(label))
            if name.endswith(".md") and (key := _key_in(root / folder / name, label)):
                known[key] = label
    return labels, known


def _key_in(file: Path, label: str) -> str:
    from scrubjay.notes.note_files import open_note

    try:
        with open(open_note(file, label), "rb") as stream:  # noqa: PTH123
            head = stream.read(_HEAD_BYTES)
    except OSError:
        return ""
    pairs, _ = front_matter(head.decode("utf-8", "replace").splitlines())
    return pairs.get(KEY_FIELD, "")
