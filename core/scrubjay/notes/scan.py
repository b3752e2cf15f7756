"""Files that belong to a workspace, and files that are excluded with a reason."""

from __future__ import annotations

import functools
import os
import re
import stat
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from pathlib import Path

from msgspec import Struct, field

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.config.ignore_patterns import EntryMatcher, excluded_folders
from scrubjay.documents.media_types import NO_MEDIA, PICTURES, MediaRules
from scrubjay.errors import system_reason
from scrubjay.messages import msg
from scrubjay.notes.note_files import (
    Identity,
    as_listed,
    file_identity,
    is_folder,
    is_link,
    list_entries,
)
from scrubjay.notes.transcripts import SUFFIX, is_transcript_name
from scrubjay.notes.unavailable_folders import TOO_LONG, missing_message
from scrubjay.platform.path_limit import SYSTEM_PATH_LIMIT, PathLimit
from scrubjay.platform.paths import expanded_path
from scrubjay.platform.temporary_files import is_temporary_name
from scrubjay.records.chunks import ChunkSizes
from scrubjay.records.note_records import Layout, Source
from scrubjay.records.status_records import SkippedFile
from scrubjay.text.file_kinds import (
    DOCUMENT,
    MAIL,
    NOTE,
    PDF,
    PICTURE,
    TEXTS,
    document_endings,
    document_kind,
    is_board,
    is_picture,
    text_ending,
)
from scrubjay.text.printable import printable_label

_VAULT = ".obsidian"
"""Folder with the settings of a vault of Obsidian, in the folder that is the vault."""

NEVER_ENTERED = frozenset(
    {".git", "node_modules", ".venv", "venv", ".tox", "__pycache__", _VAULT, ".trash", ".recycle"}
    | {".dreams"}
)
"""Names of the folders of programs, not of people; `.dreams` holds state of agents."""

MAX_BYTES = 64 * 1024 * 1024
"""Bytes beyond which a text file is data, not a note."""

_MEMORY_FILES = ("MEMORY.md", "DREAMS.md")
"""Files of an agent's memory outside of its folder."""
_MEMORY_FOLDER = "memory"
"""Folder in which agents keep their notes."""
_SESSIONS_FOLDER = "sessions"
"""Beginning of the labels of transcripts."""
_DATED = re.compile(r"\d{4}-\d{2}-\d{2}.*\.md$", re.IGNORECASE)
"""Name of a note of a day, as agents write them."""
_UNREAD = (
    ".doc", ".dot", ".xls", ".xlt", ".xlsb", ".ppt", ".pps", ".vsd", ".vsdx", ".one", ".wps",
    ".pages", ".numbers", ".key", ".webarchive", ".mht", ".mhtml", ".odm", ".odf", ".odb", ".sxw",
    ".sxc", ".sxi", ".abw", ".wpd", ".djvu", ".mobi", ".azw", ".azw3", ".fb2", ".xps", ".pst",
    ".ost",
)  # fmt: skip
"""Endings of documents that no reader here understands."""
_OTHER_TEXTS = TEXTS.union(document_endings(""), _UNREAD) - PICTURES - {".md"}
"""Endings of files that people write in, and that are counted although nothing reads them; in a
folder without notes all files are."""
_WITH_PICTURES = frozenset(
    {".pdf", ".docx", ".docm", ".odt", ".pptx", ".pptm", ".ppsx", ".ppsm", ".odp", ".odg", ".epub"}
    | {".eml", ".emlx", ".mbox", ".msg", ".oft"}
)
"""Endings of documents in which pictures are read."""
_KINDS = 8
"""Number of endings that are named; a folder of programs has dozens."""
_MOST_NAMED = 4
"""Number of hidden folders that are named."""
_BUILT: Mapping[str, frozenset[str]] = {
    "bower_components": frozenset({"bower.json"}),
    "build": frozenset(
        {"CMakeLists.txt", "build.gradle", "package.json", "pyproject.toml", "setup.py"}
    ),
    "dist": frozenset({"package.json", "pyproject.toml", "setup.py"}),
    "target": frozenset({"Cargo.toml", "pom.xml"}),
    "vendor": frozenset({"Gemfile", "composer.json", "go.mod"}),
}
"""Names of folders that programs fill, with the files beside them that tell; a person may well
have a folder of this name."""

_MARKDOWN = frozenset({".md"})
"""Endings of files that agents keep their memory in, and that additional paths are searched for."""
_CHECK_EVERY = 256
"""Entries of folders between two looks at whether the scan is to stop."""


EXCLUDED = msg("This note is in an excluded folder, or a pattern excludes it.")
"""Reason why a note is neither read nor written."""


class Exclusions:
    """What a person excluded from a workspace: the one place that decides, for every reader."""

    def __init__(self, root: Path, entries: Sequence[str], extra_paths: Sequence[str] = ()) -> None:
        """Without extra paths, each label is taken for that of something in the workspace."""
        self._root = root
        self._entries = entries
        self._extra_paths = extra_paths

    @functools.cached_property
    def labels(self) -> tuple[str, ...]:
        """Labels of the folders that are excluded as a whole."""
        # Most workspaces exclude nothing.
        if not self._entries:
            return ()
        return excluded_folders(self._entries, self._matcher)

    @functools.cached_property
    def folders(self) -> list[Path]:
        """Places of these folders."""
        return [self._root / label for label in self.labels]

    @functools.cached_property
    def _matcher(self) -> EntryMatcher:
        return EntryMatcher(self._entries)

    @functools.cached_property
    def _identities(self) -> Set[Identity | None]:
        """Identities of these folders, regardless of how their names are spelled."""
        return {file_identity(folder) for folder in self.folders} - {None}

    def holds(self, label: str, *, is_folder: bool = False) -> bool:
        """Whether a file or folder that was listed is excluded."""
        if not self._entries:
            return False
        if self._is_excluded(label, is_folder=is_folder):
            return True
        # Looking at folders takes time, so it is done only where some are excluded.
        if not is_folder or not self._identities:
            return False
        return file_identity(self._root / label) in self._identities

    def holds_note(self, path: str, *, is_folder: bool = False) -> bool:
        """Whether a file of the index is excluded, which may be that of an older list."""
        if not self._entries:
            return False
        if self._is_excluded(path, is_folder=is_folder):
            return True
        # Looking at folders takes time, so it is done only where some are excluded.
        if not self._identities:
            return False
        steps = path.split("/")
        ways = (self._root.joinpath(*steps[:count]) for count in range(1, len(steps) + 1))
        return any(file_identity(way) in self._identities for way in ways)

    def holds_written(self, path: str, *, is_folder: bool = False) -> bool:
        """Whether a file or folder is excluded that somebody named, in any spelling."""
        if self.holds_note(path, is_folder=is_folder):
            return True
        # Where case makes no difference, patterns are compared with the name on the disk.
        if not self._entries or not self._matcher.has_patterns:
            return False
        listed = as_listed(self._root / path)
        root = as_listed(self._root)
        if not listed.is_relative_to(root):
            return False
        return self._is_excluded(listed.relative_to(root).as_posix(), is_folder=is_folder)

    def _is_excluded(self, label: str, *, is_folder: bool) -> bool:
        is_elsewhere = label.partition("/")[0] in self._elsewhere
        return self._matcher.excludes(label, is_folder=is_folder, is_elsewhere=is_elsewhere)

    @functools.cached_property
    def _elsewhere(self) -> Set[str]:
        """Labels of the additional folders and files that are not in the workspace."""
        if not self._extra_paths or not self._matcher.has_patterns:
            return frozenset()
        labelled = labelled_extra_paths(self._root, self._extra_paths)
        return {label for label, path in labelled if not path.is_relative_to(self._root)}


class FoundFile(Struct, frozen=True):
    """A file that belongs to the workspace, as the folder listing shows it."""

    label: str
    """Path in the workspace with forward slashes; unique there."""
    path: Path
    source: Source
    mtime_ns: int
    size: int
    is_in_vault: bool = False
    """Whether it is in a vault of Obsidian, where notes are called as their files."""
    ctime_ns: int = 0
    """Last change of its entry on the disk, which another file in its place does not share."""
    is_media: bool = False
    """Whether it is an image or a recording whose vector is that of its bytes."""
    has_pictures: bool = False
    """Whether it is a picture, or a document in which pictures are read, too."""

    @property
    def is_document(self) -> bool:
        """Whether its text is made of its bytes, one file after the other."""
        return not self.is_media and bool(document_kind(self.label))

    @property
    def is_read_picture(self) -> bool:
        """Whether it is a picture whose words are read."""
        return self.has_pictures and is_picture(self.label)

    @property
    def is_called_as_file(self) -> bool:
        """Whether its title is the name of its file; a mail has its subject everywhere."""
        return self.is_in_vault and document_kind(self.label) != MAIL

    def chunking(self, sizes: ChunkSizes, *, with_pictures: bool = False) -> str:
        """Name of the way in which it is cut into chunks and gets its title and text."""
        name = sizes.identity
        if self.is_called_as_file:
            name = f"{name}:vault"
        if with_pictures:
            name = f"{name}:pictures"
        return name


class Scan(Struct):
    """All files of a workspace at one moment."""

    files: dict[str, FoundFile] = field(default_factory=dict)
    """Files by label."""
    skipped: list[SkippedFile] = field(default_factory=list)
    unread: set[str] = field(default_factory=set)
    """Labels that could not be looked at: neither they nor what is below them may be pruned."""
    away: str = ""
    """Sentence why the whole folder cannot be read right now; empty if it can."""
    looked_at: int = 0
    """Number of entries of folders so far."""
    temporary: list[tuple[Path, str]] = field(default_factory=list)
    """Files and labels of new contents that are being saved, or were when a process was killed."""

    def is_missing(self, reason: str) -> None:
        """Note that the whole folder is unavailable, so that nothing in it counts as deleted."""
        self.away = reason
        self.unread.add("")
        self.skipped.append(SkippedFile("", reason, is_problem=True))

    def is_certain(self, label: str) -> bool:
        """Whether the absence of a label means that the file is gone."""
        # The folders of the file are looked up, since thousands of others may be unreadable.
        folders = [label[:at] for at, letter in enumerate(label) if letter == "/"]
        ways = (f"{folder}/" for folder in folders)
        return self.unread.isdisjoint(("", label, *folders, *ways))


_BOOTSTRAP = frozenset(
    f"{name}.md" for name in ("SOUL", "IDENTITY", "USER", "TOOLS", "HEARTBEAT", "BOOTSTRAP", "BOOT")
)
"""Files that an agent's program puts into a new workspace, beside AGENTS.md."""

_APPLE_DOUBLE = "._"
"""Beginning of the file that macOS writes beside each one on drives of others, with its colours."""


def is_agent_workspace(root: Path, layout: str = "") -> bool:
    """Whether a folder is an agent's memory, not plain notes; without a layout, its files tell."""
    if layout:
        return layout == "agent"
    try:
        names = set(os.listdir(root))  # noqa: PTH208
        if "MEMORY.md" in names or "memory.md" in names:
            return True
        # A workspace that was just made has only what its program puts there.
        seen = {name for name in names if not name.startswith(".")}
        is_fresh = seen & _BOOTSTRAP or {"AGENTS.md", _MEMORY_FOLDER} <= seen
        if is_fresh and seen <= _BOOTSTRAP | {"AGENTS.md", "skills", "canvas", _MEMORY_FOLDER}:
            return True
        if _MEMORY_FOLDER not in names:
            return False
        # A folder of this name holds an agent's memory if notes of days are in it.
        inner = os.listdir(root / _MEMORY_FOLDER)  # noqa: PTH208
    except OSError:
        return False
    return "MEMORY.md" in inner or any(_DATED.match(name) for name in inner)


def detect_layout(root: Path, into: Scan | None = None) -> Layout:
    """`agent` for a folder with an agent's memory and no notes of a person, otherwise `notes`.

    With into, another thread can see how far it is.
    """
    if not is_agent_workspace(root) or path_exists(root / _VAULT):
        return "notes"
    others = scan_folder(root, layout="notes", left_out=(_MEMORY_FOLDER,), into=into).files
    # Agents write their own files beside it in capitals: AGENTS.md, README.md, skills/x/SKILL.md.
    names = (label.rpartition("/")[2] for label in others if label[-3:].lower() == ".md")
    if all(name[:-3].isupper() or name == "memory.md" for name in names):
        return "agent"
    return "notes"


# Each parameter is a choice of which most callers make one or two.
def scan_folder(  # noqa: PLR0913
    root: Path,
    extra_paths: Sequence[str] = (),
    cancel: CancelToken | None = None,
    *,
    layout: str = "",
    left_out: Sequence[str] = (),
    has_notes: bool = True,
    sessions: Iterable[Path] = (),
    media: MediaRules = NO_MEDIA,
    documents: bool = False,
    pictures: bool = False,
    hidden_folders: bool = False,
    into: Scan | None = None,
    path_limit: PathLimit | None = None,
) -> Scan:
    """List the files of a workspace. Reads folders only, never a note.

    Without notes, only the transcripts in the sessions folders belong to it. Media are looked for
    only in the extra paths, notes not in excluded folders, documents and pictures not in an agent's
    memory, and nothing in the folders of programs nor, unless they are asked for, in hidden ones.
    With into, another thread can see how far it is. The limit of paths is the system's, unless one
    is passed.
    """
    exclusions = Exclusions(root, left_out, extra_paths)
    walk = _Walk(
        into or Scan(),
        cancel or CancelToken(),
        exclusions=exclusions,
        media=media,
        kinds=_kinds(documents=documents, pictures=pictures),
        hidden_folders=hidden_folders,
    )
    walk.path_limit = path_limit or SYSTEM_PATH_LIMIT
    if walk.is_too_long(root, is_folder=True) or not is_folder(root):
        walk.scan.is_missing(missing_message(root, walk.path_limit))
    elif has_notes and is_agent_workspace(root, layout):
        walk.agent_memory(root)
    elif has_notes:
        walk.folder(root, "", Source.NOTES)
        _note_lost_exclusions(walk, root, exclusions.labels)
    # Additional paths come after the folder itself, so that its own labels stay as they are.
    if has_notes:
        _add_extra_paths(walk, root, extra_paths)
    # Transcripts belong to it even where its notes do not.
    for folder in sessions:
        walk.sessions(folder)
    walk.count_others()
    return walk.scan


def _kinds(*, documents: bool, pictures: bool) -> Set[str]:
    """Kinds of documents that are read besides notes."""
    kinds: set[str] = set()
    if documents:
        kinds.update((NOTE, PDF, DOCUMENT, MAIL))
    if pictures:
        kinds.add(PICTURE)
    return kinds


def _add_extra_paths(walk: _Walk, root: Path, extra_paths: Sequence[str]) -> None:
    """Add additional folders and files, and tell of those that are not there."""
    for text, path in _resolved(root, extra_paths).items():
        if walk.is_too_long(path):
            walk.skip(text, TOO_LONG)
        elif not path_exists(path):
            walk.skip(text, msg("This additional folder or file does not exist."))
    for label, path in labelled_extra_paths(root, extra_paths):
        walk.extra(path, label)


def _note_lost_exclusions(walk: _Walk, root: Path, left_out: Iterable[str]) -> None:
    """Tell of folders that a person excluded and that have another name by now."""
    for label in left_out:
        is_seen = not walk.is_too_long(root / label)
        if is_seen and not path_exists(root / label):
            reason = msg(
                "You excluded this folder, but it no longer exists. If you renamed the "
                "folder, exclude it under its new name."
            )
            walk.skip(label, reason, is_problem=False)


def session_folders(root: Path, agent_id: str, written: Iterable[str]) -> tuple[Path, ...]:
    """Folders where the transcripts of one agent may be; `{agentId}` stands for its id."""
    paths = (path.replace("{agentId}", agent_id) for path in written)
    return tuple(dict.fromkeys(_resolved(root, paths).values()))


def labelled_extra_paths(root: Path, extra_paths: Iterable[str]) -> list[tuple[str, Path]]:
    """(label, path) of the extra paths that exist; equal base names get different labels."""
    labelled: dict[Path, str] = {}
    labels: set[str] = set()
    for path in _resolved(root, extra_paths).values():
        if path in labelled or not path_exists(path):
            continue
        is_inside = path.is_relative_to(root)
        label = path.name
        if is_inside:
            label = path.relative_to(root).as_posix()
        number = 2
        unique = label
        # A folder elsewhere must not pass for one of the workspace, nor hide it.
        while unique in labels or (not is_inside and path_exists(root / unique)):
            unique = f"{label} ({number})"
            number += 1
        labels.add(unique)
        labelled[path] = unique
    return [(label, path) for path, label in labelled.items()]


def path_exists(path: Path) -> bool:
    """Whether there is a file or folder; False without an error for a path that cannot be read."""
    return os.path.exists(path)  # noqa: PTH110  (exists raises for a name that is too long)


def _resolved(root: Path, extra_paths: Iterable[str]) -> dict[str, Path]:
    """Extra paths as they are written -> as they are meant, without empty ones."""
    trimmed = (text.strip() for text in extra_paths)
    return {
        text: Path(os.path.normpath(root / expanded_path(Path(text))))
        for text in trimmed
        if text and "\0" not in text
    }


def foreign_path(text: object, home: Path) -> Path | None:
    """A path in another program's settings, `~` being home; None if it is not absolute."""
    if not isinstance(text, str) or not text.strip() or "\0" in text:
        return None
    path = Path(text.strip())
    if path.parts[0] == "~":
        return home.joinpath(*path.parts[1:])
    if not path.is_absolute():
        return None
    return path


class _Walk:
    """Collects one scan."""

    def __init__(
        self,
        scan: Scan,
        cancel: CancelToken,
        exclusions: Exclusions,
        media: MediaRules,
        *,
        kinds: Set[str],
        hidden_folders: bool,
    ) -> None:
        self.scan = scan
        self.path_limit: PathLimit | None = None
        """Limit by which the walk skips what the system does not open; None without one."""
        self._exclusions = exclusions
        self._matched = 0
        """Number of files that patterns of a person exclude."""
        self.others: Counter[str] = Counter()
        """Number of files that are not notes here, by ending."""
        self._media = media
        self._kinds = kinds
        """Kinds of documents that are read besides notes."""
        self._hidden_folders = hidden_folders
        self._hidden: list[str] = []
        """Labels of the folders that are not read because their names begin with a dot."""
        self._cancel = cancel
        self._is_in_vault = False
        """Whether the folder that is being listed is in a vault of Obsidian."""

    def skip(self, label: str, reason: str, *, is_problem: bool = True) -> None:
        """Note a file or folder that people may expect to be searched, and why it is not."""
        self.scan.skipped.append(SkippedFile(printable_label(label), reason, is_problem=is_problem))

    def count_others(self) -> None:
        """Put the files that are not notes into one sentence, the most frequent kind first.

        Pictures have a sentence of their own, as many are photographs of notes.
        """
        if self._hidden:
            reason = msg(
                "{n} {n:folder is|folders are} not searched, because {n:its name begins|their "
                "names begin} with a dot.",
                n=len(self._hidden),
            )
            named = sorted(self._hidden)[:_MOST_NAMED]
            if len(self._hidden) > len(named):
                named.append("…")
            self.skip(", ".join(named), reason, is_problem=False)
        if self._matched:
            reason = msg(
                "{n} {n:file is|files are} not searched, because your patterns exclude "
                "{n:it|them}.",
                n=self._matched,
            )
            self.skip("…", reason, is_problem=False)
        has_notes = bool(self.scan.files)
        kinds = [each for each in self.others if not has_notes or each in _OTHER_TEXTS]
        kinds.sort(key=lambda kind: (-self.others[kind], kind))
        pictures = sorted(PICTURES.intersection(self.others))
        if has_notes and pictures:
            count = sum(self.others[kind] for kind in pictures)
            reason = msg("{n} {n:picture is|pictures are} not searched.", n=count)
            self.skip(", ".join(f"*{kind}" for kind in pictures), reason, is_problem=False)
        if kinds:
            # In a folder of notes only what people write in is worth a word.
            named = [f"{self.others[kind]} {printable_label(kind)}" for kind in kinds[:_KINDS]]
            if len(kinds) > _KINDS:
                named.append("…")
            reason = msg(
                "{n} {n:file is|files are} not searched: {kinds}.",
                n=sum(self.others[kind] for kind in kinds),
                kinds=", ".join(named),
            )
            self.skip(", ".join(f"*{kind}" for kind in kinds[:_KINDS]), reason, is_problem=False)

    def agent_memory(self, root: Path) -> None:
        """Add `MEMORY.md`, `DREAMS.md` and `memory/**`; `memory.md` only without `MEMORY.md`."""
        try:
            with list_entries(str(root), "") as listed:
                entries = {entry.name: entry for entry in listed}
                curated = "MEMORY.md" if "MEMORY.md" in entries else "memory.md"
                for name in (curated, *_MEMORY_FILES[1:]):
                    if name in entries:
                        self._entry(
                            entries[name], root, label=name, source=Source.MEMORY, waiting=[]
                        )
                names = filter(is_temporary_name, entries)
                self.scan.temporary += [(root / name, name) for name in names]
        except OSError as error:
            self._unreadable_folder("", error)
            return
        # The folder beside these files is read as a whole.
        folder = entries.get(_MEMORY_FOLDER)
        if folder is None:
            return
        if is_link(folder):
            self._skip_link(_MEMORY_FOLDER)
            return
        if self._is_entered(_MEMORY_FOLDER, root, label=_MEMORY_FOLDER, source=Source.MEMORY):
            self.folder(root / _MEMORY_FOLDER, f"{_MEMORY_FOLDER}/", Source.MEMORY)

    def extra(self, path: Path, label: str) -> None:
        """Add an additional folder with all that is below it, or an additional file."""
        try:
            # What a person added by hand is reported when it cannot be read.
            if is_link(path):
                self._skip_link(label)
            # The walk did not come through the folders around it.
            elif self._exclusions.holds_written(label, is_folder=path.is_dir()):
                self._matched += 1
            elif path.is_dir():
                prefix = f"{label}/" if label != "." else ""
                self.folder(path, prefix, Source.EXTRA)
            elif not self._is_read(path.name, Source.EXTRA):
                self.skip(
                    label,
                    msg(
                        "This additional file is not searched, because its name does not "
                        "end in .md."
                    ),
                )
            else:
                status = path.stat(follow_symlinks=False)
                self._file(path, label, source=Source.EXTRA, status=status)
        except OSError as error:
            self._unreadable(label, error)

    def sessions(self, folder: Path) -> None:
        """Add the transcripts in a folder; deeper ones belong to other programs."""
        try:
            if is_link(folder):
                self._skip_link(_SESSIONS_FOLDER)
                return
            with list_entries(str(folder), folder.name) as entries:
                for entry in entries:
                    if is_transcript_name(entry.name):
                        self._session(entry, folder)
        except (FileNotFoundError, NotADirectoryError):
            return  # most agents have only one of the default places
        except OSError as error:
            self._unreadable_folder(f"{_SESSIONS_FOLDER}/", error)

    def _session(self, entry: os.DirEntry[str], folder: Path) -> None:
        """Add a transcript, by its own label."""
        name = entry.name[: -len(SUFFIX)]
        number = 2
        label = f"{_SESSIONS_FOLDER}/{name}{SUFFIX}"
        # Several folders may hold transcripts of the same name.
        while label in self.scan.files:
            label = f"{_SESSIONS_FOLDER}/{name} ({number}){SUFFIX}"
            number += 1
        self._entry(entry, folder, label=label, source=Source.SESSIONS, waiting=[])

    def folder(self, folder: Path, prefix: str, source: Source) -> None:
        """Add every note below a folder. A stack, since folders nest deeper than calls."""
        is_in_vault = any(path_exists(above / _VAULT) for above in folder.parents)
        waiting: list[tuple[Path, str, bool]] = [(folder, prefix, is_in_vault)]
        while waiting:
            folder, prefix, is_in_vault = waiting.pop()
            if self.is_too_long(folder, is_folder=True):
                self._skip_too_long(prefix)
                continue
            self._is_in_vault = is_in_vault or path_exists(folder / _VAULT)
            try:
                with list_entries(str(folder), prefix[:-1]) as entries:
                    for entry in entries:
                        label = f"{prefix}{entry.name}"
                        self._entry(entry, folder, label=label, source=source, waiting=waiting)
            except OSError as error:
                self._unreadable_folder(prefix, error)

    def _entry(
        self,
        entry: os.DirEntry[str],
        folder: Path,
        label: str,
        source: Source,
        waiting: list[tuple[Path, str, bool]],
    ) -> None:
        """Add a file, or let a folder wait; note why others are not searched."""
        # A walk through a large folder can be stopped, and another thread sees how far it is.
        self.scan.looked_at += 1
        if self.scan.looked_at % _CHECK_EVERY == 0:
            self._cancel.check()
        try:
            if is_link(entry):
                if not entry.name.startswith(".") and entry.name not in NEVER_ENTERED:
                    self._skip_link(label)
            elif entry.is_dir():
                if self._is_entered(entry.name, folder, label=label, source=source):
                    waiting.append((folder / entry.name, f"{label}/", self._is_in_vault))
            elif source is not Source.SESSIONS and self._exclusions.holds(label):
                self._matched += 1
            elif self._is_read(entry.name, source) and not _is_by_product(entry.name):
                status = entry.stat(follow_symlinks=False)
                self._file(folder / entry.name, label, source=source, status=status)
            else:
                self._note_other(entry.name, folder, label)
        except OSError as error:
            self._unreadable(label, error)

    def _note_other(self, name: str, folder: Path, label: str) -> None:
        """Count a file that is not searched by its ending, and note one that is temporary."""
        if _is_by_product(name):
            return
        ending = os.path.splitext(name)[1].lower()  # noqa: PTH122
        if ending:
            self.others[ending] += 1
        elif is_temporary_name(name):
            self.scan.temporary.append((folder / name, label))

    def _is_entered(self, name: str, parent: Path, *, label: str, source: Source) -> bool:
        """Whether a folder is looked into; one that a person excluded is noted."""
        if self._exclusions.holds(label, is_folder=True):
            self.skip(label, msg("You excluded this folder."), is_problem=False)
            return False
        if name in NEVER_ENTERED or _is_built(parent, name):
            return False
        # An agent's memory is read as its program reads it.
        is_hidden = name.startswith(".") and source is not Source.MEMORY
        if is_hidden and not self._hidden_folders:
            self._hidden.append(label)
            return False
        return True

    def _is_read(self, name: str, source: Source) -> bool:
        """Whether files of a name are read where files have this source."""
        endings = TEXTS if source is Source.NOTES else _MARKDOWN
        if source is Source.SESSIONS or text_ending(name) in endings:
            return True
        if source is Source.NOTES and is_board(name):
            return True
        if source is Source.EXTRA and self._media.wants(name):
            return True
        is_read = source is not Source.MEMORY and document_kind(name) in self._kinds
        return is_read and is_document(name)

    def _unreadable(self, label: str, error: OSError) -> None:
        """Note a file that cannot be looked at, and may still be there."""
        # It may also be the folder that was moved meanwhile; a later scan tells.
        self.scan.unread.add(label)
        self.skip(
            label,
            msg(
                "The properties of the file cannot be read ({reason}).", reason=system_reason(error)
            ),
        )

    def _file(self, path: Path, label: str, source: Source, status: os.stat_result) -> None:
        """Add a file, or note why it is not read."""
        if label in self.scan.files:
            return
        if self.is_too_long(path):
            self._skip_too_long(label)
            return
        is_media = source is Source.EXTRA and self._media.wants(label)
        # Pipes, large files and names that cannot be written down are reported, not read.
        if not stat.S_ISREG(status.st_mode):
            self.skip(label, msg("This is not a regular file."), is_problem=False)
        elif not is_utf8_name(label):
            self.skip(
                label,
                msg(
                    "The file name contains characters that Scrubjay cannot read. To "
                    "make the file searchable, rename it."
                ),
            )
        elif status.st_size > MAX_BYTES:
            self.skip(label, msg("The file is larger than {n} MB.", n=MAX_BYTES // 2**20))
        elif is_media and status.st_size > self._media.max_bytes:
            self.skip(
                label, msg("The file is larger than the settings allow.", n=self._media.max_bytes)
            )
        else:
            self.scan.files[label] = FoundFile(
                label,
                path,
                source=source,
                mtime_ns=modified_ns(status),
                size=status.st_size,
                is_in_vault=self._is_in_vault,
                ctime_ns=changed_ns(status),
                is_media=is_media,
                has_pictures=PICTURE in self._kinds and not is_media and may_have_pictures(label),
            )

    def is_too_long(self, path: Path, *, is_folder: bool = False) -> bool:
        """Whether the system does not open a path for its length."""
        return self.path_limit is not None and self.path_limit.refuses(path, is_folder=is_folder)

    def _skip_too_long(self, label: str) -> None:
        """Note what the system lists, but neither opens nor calls too long: it says it is gone."""
        self.scan.unread.add(label)
        self.skip(label, TOO_LONG)

    def _skip_link(self, label: str) -> None:
        self.skip(
            label,
            msg(
                "This is only a link to a file or folder. Add the folder that contains the "
                "original instead."
            ),
            is_problem=False,
        )

    def _unreadable_folder(self, prefix: str, error: OSError) -> None:
        """Note a folder that cannot be read, so that nothing in it counts as deleted."""
        self.scan.unread.add(prefix)
        self.skip(
            prefix or ".", msg("The folder cannot be read ({reason}).", reason=system_reason(error))
        )


def _is_by_product(name: str) -> bool:
    """Whether a file was left beside another one by macOS, Word, LibreOffice or Emacs."""
    is_autosaved = name.startswith("#") and name.endswith("#")
    # Word leaves such files beside documents alone, so a note may be called so.
    is_of_word = name.startswith("~$") and not text_ending(name)
    return is_autosaved or is_of_word or name.startswith((_APPLE_DOUBLE, ".~lock.", ".#"))


def _is_built(parent: Path, name: str) -> bool:
    """Whether a folder holds what was built from its neighbours, or what they depend on."""
    # Logseq keeps former states of its pages beside its settings.
    if parent.name == "logseq" and name in ("bak", "version-files"):
        return path_exists(parent / "config.edn")
    return any(path_exists(parent / marker) for marker in _BUILT.get(name, ()))


def is_document(name: str) -> bool:
    """Whether a name is that of a document, and not of a lock file of Word."""
    return bool(document_kind(name)) and not name.startswith("~$")


def may_have_pictures(name: str) -> bool:
    """Whether a name is that of a picture, or of a document in which pictures are looked for."""
    return is_picture(name) or name[name.rfind(".") :].lower() in _WITH_PICTURES


def document_count(root: Path, into: Scan | None = None) -> int:
    """Number of documents in a folder of notes; into is as that of `detect_layout`."""
    files = scan_folder(root, layout="notes", documents=True, into=into).files
    return sum(is_document(label) and not is_board(label) for label in files)


def modified_ns(status: os.stat_result) -> int:
    """Time of the last change in nanoseconds since 1970, between the years 1677 and 2262.

    Broken cameras and archives make later ones, which databases cannot hold.
    """
    return _storable_ns(status.st_mtime_ns)


def changed_ns(status: os.stat_result) -> int:
    """Time of the last change of a file's entry, as `modified_ns`; of its creation on Windows.

    Programs set the time of the content, but not this one.
    """
    return _storable_ns(status.st_ctime_ns)


def _storable_ns(time_ns: int) -> int:
    return max(-(2**63), min(time_ns, 2**63 - 1))


def is_utf8_name(label: str) -> bool:
    """Whether the bytes of a name are UTF-8."""
    return label.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in label)
