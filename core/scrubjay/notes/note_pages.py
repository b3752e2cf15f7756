"""Pages of memory files for agents; any other file is refused without opening it."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from scrubjay.errors import NoteRefused
from scrubjay.messages import msg
from scrubjay.notes.markdown import split_lines
from scrubjay.notes.note_reader import NoteUnreadable, decode, read_note
from scrubjay.notes.scan import NEVER_ENTERED, is_agent_workspace, labelled_extra_paths
from scrubjay.records.search_records import NotePage

PAGE_LINES = 120
PAGE_CHARACTERS = 12_000

_ROOT_FILES = frozenset({"MEMORY.md", "memory.md", "DREAMS.md"})


def memory_get(
    root: Path,
    extra_paths: Sequence[str],
    path: str,
    *,
    layout: str = "",
    left_out: Sequence[str] = (),
    first_line: int = 1,
    line_count: int | None = None,
) -> NotePage:
    """One page of a note of the workspace, from first_line (1-based).

    A file that may be read but is not there gives an empty page. Raises NoteRefused for every
    other path, and for a file that is no text.
    """
    file = _allowed(root, extra_paths, path, layout)
    if any(path.startswith(f"{folder}/") for folder in left_out):
        raise _refused(path, msg("Its folder was left out."))
    return page_of(file, path, first_line=first_line, line_count=line_count)


def page_of(
    file: Path, path: str, *, first_line: int = 1, line_count: int | None = None
) -> NotePage:
    """One page of a file that may be read, labelled path. Raises NoteRefused for no text."""
    first_line = max(1, first_line)
    try:
        text = decode(read_note(file).data)
    except (FileNotFoundError, NotADirectoryError):
        return NotePage(path, "", first_line, 0, is_truncated=False, next_line=None)
    except NoteUnreadable as error:
        raise NoteRefused(msg("{path} is not a readable note", path=path), str(error)) from error
    lines = split_lines(text)
    count = PAGE_LINES if line_count is None else max(0, min(line_count, PAGE_LINES))
    page: list[str] = []
    room = PAGE_CHARACTERS
    for line in lines[first_line - 1 : first_line - 1 + count]:
        if page and len(line) + 1 > room:
            break
        page.append(line[:PAGE_CHARACTERS])
        room -= len(line) + 1
    next_line = first_line + len(page)
    has_more = next_line <= len(lines)
    is_cut = any(len(line) == PAGE_CHARACTERS for line in page)
    return NotePage(
        path=path,
        text="\n".join(page),
        first_line=first_line,
        line_count=len(page),
        is_truncated=has_more or is_cut,
        next_line=next_line if has_more else None,
    )


def file_inside(folder: Path, inside: str) -> Path:
    """The file at a path in folder, no link, not hidden, perhaps missing. Raises NoteRefused."""
    parts = _parts(inside)
    if any(part.startswith(".") for part in parts):
        raise _refused(inside, msg("Hidden files and folders are not read."))
    return _without_links(inside, folder, folder.joinpath(*parts))


def _allowed(root: Path, extra_paths: Sequence[str], path: str, layout: str) -> Path:
    """The file that path names, when it is one that agents may read."""
    parts = _parts(path)
    for label, place in labelled_extra_paths(root, extra_paths):
        if path == label:
            return _without_links(path, place.parent, place)
        if path.startswith(f"{label}/"):
            inside = path[len(label) + 1 :]
            _refuse_machines_folders(path, inside.split("/"))
            # The extra folder itself may be a link, so the way begins above it.
            return _without_links(path, place.parent, place / inside)
    if is_agent_workspace(root, layout) and path not in _ROOT_FILES and parts[0] != "memory":
        raise _refused(path, msg("It is not among the notes of this folder."))
    _refuse_machines_folders(path, parts)
    return _without_links(path, root, root.joinpath(*parts))


def _refuse_machines_folders(path: str, parts: Sequence[str]) -> None:
    """Folders that are never indexed are not read either, however their name is spelled."""
    if any(part.rstrip(". ").casefold() in NEVER_ENTERED for part in parts):
        raise _refused(path, msg("This folder belongs to programs."))


def _parts(path: str) -> list[str]:
    """The steps of a path to a Markdown file. Raises NoteRefused for one that leads elsewhere."""
    parts = path.split("/")
    is_odd = (
        not path
        or "\0" in path
        or "\\" in path
        or ":" in path
        or PurePosixPath(path).is_absolute()
        or any(part in ("", ".", "..") for part in parts)
    )
    if is_odd or not path.lower().endswith(".md"):
        raise _refused(path, msg("Only notes (.md files) inside the folder can be read."))
    return parts


def _without_links(path: str, base: Path, file: Path) -> Path:
    """The file itself, when no link stands anywhere on the way from base to it."""
    place = base
    for part in file.relative_to(base).parts:
        place = place / part
        try:
            mode = os.lstat(place).st_mode
        except (FileNotFoundError, NotADirectoryError):
            return file
        except (OSError, ValueError) as error:
            raise _refused(path, msg("It cannot be looked at.")) from error
        if stat.S_ISLNK(mode):
            raise _refused(path, msg("Scrubjay uses only real files and folders."))
    if not stat.S_ISREG(mode):
        raise _refused(path, msg("It is not a file."))
    return file


def _refused(path: str, reason: str) -> NoteRefused:
    return NoteRefused(msg("{path} cannot be read here", path=repr(path)), reason)
