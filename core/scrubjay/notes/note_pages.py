"""Pages of memory files for agents. Other files are refused without opening them."""

from __future__ import annotations

import contextlib
import io
import os
import stat
import unicodedata
from collections import deque
from collections.abc import Iterable, Iterator, Sequence, Set
from functools import partial
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, TextIO

from msgspec.structs import replace

from scrubjay.documents.document_parts import part_number, split_part
from scrubjay.errors import NoteRefused
from scrubjay.messages import msg
from scrubjay.notes.note_edits import EDITED
from scrubjay.notes.note_files import is_junction, is_within
from scrubjay.notes.note_reader import (
    NoteUnreadable,
    check_note_text,
    decode_note,
    note_digest,
    open_note_text,
    read_file,
)
from scrubjay.notes.scan import (
    EXCLUDED,
    MAX_BYTES,
    NEVER_ENTERED,
    Exclusions,
    is_agent_workspace,
    is_document,
    labelled_extra_paths,
    modified_ns,
    path_exists,
)
from scrubjay.platform.paths import expanded_path
from scrubjay.records.note_records import (
    NO_FACTS,
    ONE_PAGE,
    NoteFacts,
    NotePage,
    PageRequest,
    Workspace,
)
from scrubjay.text.age import local_time
from scrubjay.text.file_kinds import TEXTS, text_ending
from scrubjay.text.markdown import find_date, parse_outline, split_lines
from scrubjay.text.printable import visible_text

if TYPE_CHECKING:
    from scrubjay.documents.document_converter import TextSource

PAGE_LINES = 120
"""Lines of a page at most."""
PAGE_CHARACTERS = 12_000
"""Characters of a page at most."""
_WHOLE = 200_000
"""Lines and characters of a note that is read at once; it is cut where it is longer."""

_DATED_CHARACTERS = 64 * 1024
"""Characters at the beginning of a note in which its front matter and first heading are."""
_MARKDOWN = frozenset({".md"})
"""Endings of the files of an agent's memory."""
_WRITTEN_PATH = msg("Pass a path inside the folder, such as ideas/note.md.")
"""Hint for an agent that names another file."""
_ROOT_FILES = frozenset({"MEMORY.md", "memory.md", "DREAMS.md"})
"""Names of the files of an agent's memory outside of its folder."""


# The parameters are the address of a note, and what belongs to its workspace.
def memory_get(  # noqa: PLR0913
    root: Path,
    extra_paths: Sequence[str],
    path: str,
    wanted: PageRequest = ONE_PAGE,
    *,
    layout: str = "",
    left_out: Sequence[str] = (),
    hidden_folders: bool = False,
    converter: TextSource | None = None,
) -> NotePage:
    """One page of a note of the workspace, or all of it if not long.

    The path is that of a search result, or one as an agent or the settings write it: from `./`, `~`
    or the root of the disk on, or of a file in one of the extra paths.
    With `#p3` after the path of a document, of its third page, slide, sheet, chapter or message.
    Documents are read where there is a converter for them.

    A file that may be read but is not there gives an empty page. Raises NoteRefused for every
    other path, and for a file that is not text.
    """
    path, part = split_part(path)
    path = note_label(root, extra_paths, path)
    allowed = partial(
        _allowed,
        root,
        extra_paths,
        layout=layout,
        documents=converter is not None,
        hidden_folders=hidden_folders,
    )
    file = allowed(path=path)
    if not path.isascii() and not path_exists(file):
        path = _as_listed(root, path)
        file = allowed(path=path)
    if Exclusions(root, left_out, extra_paths).holds_written(path):
        raise _refused(path, EXCLUDED)
    if part is not None:
        wanted = _inside(file, path, part=part, wanted=wanted, converter=converter)
    # Read before the page, so that a change in between is noticed later.
    facts = NO_FACTS
    if wanted.has_facts:
        facts = note_facts(file, path)
    return replace(read_page(file, path, wanted=wanted, converter=converter), facts=facts)


def note_facts(file: Path, path: str) -> NoteFacts:
    """The facts of a note as its file is now; none where there is no such file."""
    facts = NO_FACTS
    with contextlib.suppress(OSError, NoteUnreadable):
        state = file.stat()
        facts = NoteFacts(date=find_date(file.stem), modified=local_time(modified_ns(state)))
        # The day of a larger file, or of one of another kind, comes from its name alone.
        if path.lower().endswith(EDITED) and state.st_size <= MAX_BYTES:
            note = read_file(file, path)
            outline = parse_outline(split_lines(decode_note(note.data)[:_DATED_CHARACTERS]))
            facts = replace(facts, digest=note_digest(note.data), date=facts.date or outline.date)
    return facts


def note_to_write(workspace: Workspace, path: str) -> Path:
    """The file, perhaps missing, that an agent may change. Raises NoteRefused for another path."""
    title = msg("{name} cannot be changed", name=path)
    if not path.lower().endswith(EDITED):
        raise NoteRefused(
            title,
            "The path does not end with .md, .markdown or .txt.",
            hint="Pass the path that memory_get shows, or add .md to the name of a new note.",
        )
    # Only what agents may read inside the folder itself; a document is not text. Additional paths
    # belong to other programs, and are only read. A home is not a folder of that name.
    try:
        file = _allowed(
            workspace.root,
            (),
            path=path,
            layout=workspace.layout,
            documents=False,
            hidden_folders=workspace.hidden_folders,
        )
    except NoteRefused as error:
        raise NoteRefused(title, error.message, hint=_WRITTEN_PATH) from error
    if path.startswith("~/") and not path_exists(workspace.root / "~"):
        raise NoteRefused(title, "The path is not inside the folder.", hint=_WRITTEN_PATH)
    if Exclusions(workspace.root, workspace.left_out).holds_written(path):
        raise NoteRefused(msg("{name} cannot be changed", name=path), EXCLUDED)
    return file


def note_label(root: Path, extra_paths: Sequence[str], path: str) -> str:
    """The path as search results have it; one that leads elsewhere stays as it is."""
    # Only at its beginning may a path lead upwards: a step back further on could lead past what
    # was checked before.
    steps = path.replace("\\", "/").split("/")
    while steps and steps[0] == "..":
        steps.pop(0)
    if "\0" in path or ".." in steps:
        return path
    is_relative = not path.startswith(("~", "../")) and not Path(path).is_absolute()
    if is_relative:
        while path.startswith("./"):
            path = path.removeprefix("./")
        return path
    # Compared as text: links on the way are refused later.
    file = Path(os.path.normpath(root / expanded_path(Path(path))))
    for label, extra in labelled_extra_paths(root, extra_paths):
        if file == extra:
            return label
        if extra in file.parents:
            return f"{label}/{file.relative_to(extra).as_posix()}"
    # Of the folder itself, only a whole path is taken: no way leads out of it and in again.
    if root in file.parents and not path.startswith("../"):
        return file.relative_to(root).as_posix()
    return path


def _as_listed(root: Path, path: str) -> str:
    """A path with each name as its folder lists it: some systems write accents as letters."""
    names: list[str] = []
    for name in path.split("/"):
        folder = root.joinpath(*names)
        try:
            listed = os.listdir(folder)  # noqa: PTH208
        except OSError:
            return path
        composed_name = unicodedata.normalize("NFC", name)
        same = (each for each in listed if unicodedata.normalize("NFC", each) == composed_name)
        names.append(next(same, name))
    return "/".join(names)


def _inside(
    file: Path, path: str, part: int, wanted: PageRequest, converter: TextSource | None
) -> PageRequest:
    """The lines of a part of a document, from a line of it on. Raises NoteRefused."""
    try:
        with open_note_text(file, path, converter) as stream:
            return _of_part(stream, path, part=part, wanted=wanted)
    except FileNotFoundError:
        return wanted
    except NoteUnreadable as error:
        raise NoteRefused(msg("{path} is not a readable note", path=path), str(error)) from error


def _of_part(lines: Iterable[str], path: str, part: int, wanted: PageRequest) -> PageRequest:
    """The lines of a part among those of a document. Raises NoteRefused."""
    numbers = [part_number(line.removesuffix("\n")) for line in lines]
    if part not in numbers:
        raise _refused(path, msg("The document has no text in part {n}.", n=f"#p{part}"))
    first = numbers.index(part) + 1
    # Up to the next part, or to the end of the document.
    end = next((at for at, n in enumerate(numbers[first:], first + 1) if n), len(numbers) + 1)
    first_line = max(first, wanted.first_line)
    # A column is one of the line that was asked for, not of the first one of the part.
    column = 1
    if first_line == wanted.first_line:
        column = wanted.first_column
    return replace(wanted, first_line=first_line, last_line=end - 1, first_column=column)


def read_page(
    file: Path, path: str, wanted: PageRequest = ONE_PAGE, converter: TextSource | None = None
) -> NotePage:
    """One page of a file that may be read, labelled path; all of it at once if that is not long.

    Nothing after the page is read, and only a line at a time before it: a file may be huge.
    Raises NoteRefused for what is not text.
    """
    try:
        # A missing file is an empty page: agents look for notes that are not written yet.
        with open_note_text(file, path, converter) as stream:
            return _page(stream, path, wanted)
    except (FileNotFoundError, NotADirectoryError):
        return missing_page(path, wanted)
    except NoteUnreadable as error:
        raise NoteRefused(msg("{path} is not a readable note", path=path), str(error)) from error


def missing_page(path: str, wanted: PageRequest) -> NotePage:
    """The page of a note that is not there."""
    return NotePage(
        path=path,
        text="",
        first_line=max(1, wanted.first_line),
        line_count=0,
        is_truncated=False,
        next_line=None,
        is_missing=True,
    )


def text_page(text: str, path: str, wanted: PageRequest = ONE_PAGE) -> NotePage:
    """One page of a text that was already read; an empty one has no line. Raises NoteRefused."""
    path, part = split_part(path)
    if part is not None and text:
        wanted = _of_part(text.split("\n"), path, part=part, wanted=wanted)
    return _page(io.StringIO(text), path, wanted)


def _page(stream: TextIO, path: str, wanted: PageRequest) -> NotePage:
    first_line = max(1, wanted.first_line)
    count = PAGE_LINES
    room = PAGE_CHARACTERS
    if wanted.is_whole:
        count = _WHOLE
        room = _WHOLE
    if wanted.line_count is not None:
        count = max(1, min(wanted.line_count, count))
    if wanted.most_characters is not None:
        room = min(wanted.most_characters, room)
    page: list[str] = []
    has_more = False
    next_line = first_line
    next_column = 1
    # The lines before the page, then its own up to the one that no longer fits. The first line is
    # on it in any case; of a line that is longer than a page, the next page has the rest.
    skipped = max(1, wanted.first_column) - 1
    deque(islice(_cut_lines(stream, room), first_line - 1), maxlen=0)
    for line, is_cut in _cut_lines(stream, room, skipped):
        if wanted.last_line and next_line > wanted.last_line:
            break
        has_more = len(page) == count or (bool(page) and len(line) + 1 > room)
        if has_more:
            break
        page.append(line)
        if is_cut:
            has_more = True
            next_column = skipped + len(line) + 1
            break
        next_line += 1
        room -= len(line) + 1
    # Signs that would hide or turn text are shown to the agent.
    text = visible_text(check_note_text("\n".join(page)))
    return NotePage(
        path=path,
        text=text,
        first_line=first_line,
        line_count=len(page),
        is_truncated=has_more,
        next_line=next_line if has_more else None,
        next_column=next_column,
    )


def _cut_lines(stream: TextIO, longest: int, skipped: int = 0) -> Iterator[tuple[str, bool]]:
    """Lines without their ends, of so many characters at most, each with whether it was cut.

    The rest of a long line is read and dropped, up to the size of the largest note. So many
    characters of the first line are skipped; nothing is left of a shorter one.
    """
    while skipped > 0:
        piece = stream.readline(min(skipped, longest))
        skipped -= len(piece)
        if not piece or piece.endswith("\n"):
            yield "", False
            break
    while line := stream.readline(longest + 1):
        rest = line
        for _ in range(MAX_BYTES // longest):
            if not rest or rest.endswith("\n"):
                break
            rest = stream.readline(longest)
        text = line.removesuffix("\n")
        yield text[:longest], len(text) > longest


def file_inside(folder: Path, inside: str, workspace: Workspace) -> Path:
    """The file at a path in a folder that belongs to a workspace, perhaps missing.

    Raises NoteRefused for links, hidden files, and files that are excluded.
    """
    parts = _parts(inside)
    file = folder.joinpath(*parts)
    # Exclusions are paths in the workspace, and the folder may be inside it.
    exclusions = Exclusions(workspace.root, workspace.left_out)
    is_excluded = is_within(folder, inside, exclusions.folders)
    if file.is_relative_to(workspace.root):
        path = file.relative_to(workspace.root).as_posix()
        is_excluded = is_excluded or exclusions.holds_written(path)
    if is_excluded:
        raise _refused(inside, EXCLUDED)
    if any(part.startswith(".") for part in parts):
        raise _refused(inside, msg("Hidden files and folders are not read."))
    return _without_links(inside, folder, file)


def _allowed(
    root: Path,
    extra_paths: Sequence[str],
    *,
    path: str,
    layout: str,
    documents: bool,
    hidden_folders: bool,
) -> Path:
    """The file that path names, when it is one that agents may read. Raises NoteRefused."""
    parts = _parts(path, TEXTS, documents=documents)
    # Only Markdown is read from additional paths, and documents where those are on.
    for label, extra in labelled_extra_paths(root, extra_paths):
        if path == label or path.startswith(f"{label}/"):
            _parts(path, documents=documents)
        if path == label:
            return _without_links(path, extra.parent, extra)
        if path.startswith(f"{label}/"):
            # The name of the folder itself does not count: a person chose it.
            inside = path[len(label) + 1 :]
            _refuse_machines_folders(path, inside.split("/"))
            if not hidden_folders:
                _refuse_hidden_folders(path, inside.split("/"))
            # The extra folder itself may be a link, so the way begins above it.
            return _without_links(path, extra.parent, extra / inside)
    _refuse_machines_folders(path, parts)
    # An agent's memory is less than its folder, in which its programs lie as well. It is read as
    # its program reads it.
    if is_agent_workspace(root, layout):
        _parts(path, documents=documents)
        if path not in _ROOT_FILES and parts[0] != "memory":
            raise _refused(path, msg("The file is not one of the notes in this folder."))
    elif not hidden_folders:
        _refuse_hidden_folders(path, parts)
    return _without_links(path, root, root.joinpath(*parts))


def _refuse_hidden_folders(path: str, parts: Sequence[str]) -> None:
    """Refuse what is in folders whose names begin with a dot; a file may have such a name."""
    if any(part.startswith(".") for part in parts[:-1]):
        raise _refused(path, msg("Folders whose names begin with a dot are not read."))


def _refuse_machines_folders(path: str, parts: Sequence[str]) -> None:
    """Refuse what is in folders of programs, which are never indexed, however they are spelled."""
    if any(part.rstrip(". ").casefold() in NEVER_ENTERED for part in parts):
        raise _refused(path, msg("Scrubjay does not read folders that belong to other programs."))


def _parts(path: str, texts: Set[str] = _MARKDOWN, *, documents: bool = False) -> list[str]:
    """The steps of a path to a note. Raises NoteRefused for one that leads elsewhere."""
    parts = path.split("/")
    # Whatever a system could take for another folder, or cannot be a name.
    is_odd = (
        not path
        or "\0" in path
        or "\\" in path
        or (":" in path and os.name == "nt")
        or PurePosixPath(path).is_absolute()
        or any(part in ("", ".", "..") for part in parts)
    )
    is_read = text_ending(parts[-1]) in texts or (documents and is_document(parts[-1]))
    if is_odd or not is_read:
        raise _refused(path, msg("Only notes inside the folder can be read."))
    return parts


def _without_links(path: str, base: Path, file: Path) -> Path:
    """The file itself, when no link stands anywhere on the way from base to it.

    Raises NoteRefused.
    """
    step = base
    # Every step is looked at, since a link anywhere would lead elsewhere.
    for part in file.relative_to(base).parts:
        step = step / part
        try:
            status = os.lstat(step)
        except (FileNotFoundError, NotADirectoryError):
            return file
        except (OSError, ValueError) as error:
            raise _refused(path, msg("The properties of the file cannot be read.")) from error
        if stat.S_ISLNK(status.st_mode) or is_junction(status):
            raise _refused(path, msg("Scrubjay does not follow links to files or folders."))
    if not stat.S_ISREG(status.st_mode):
        raise _refused(path, msg("This is not a file."))
    return file


def _refused(path: str, reason: str) -> NoteRefused:
    # An excluded note may be a result that was found before.
    hint = ""
    if reason != EXCLUDED:
        hint = msg("Pass the path of a search result.")
    return NoteRefused(msg("Scrubjay cannot read {path}", path=repr(path)), reason, hint=hint)
