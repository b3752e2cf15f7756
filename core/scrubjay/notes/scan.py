"""Files that belong to a workspace, and files that are left out with a reason."""

from __future__ import annotations

import os
import re
import stat
from collections import Counter
from collections.abc import Iterable, Sequence, Set
from pathlib import Path

from msgspec import Struct, field

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.documents.document_kinds import document_kind
from scrubjay.documents.media_types import NO_MEDIA, MediaRules
from scrubjay.errors import system_reason
from scrubjay.messages import msg
from scrubjay.notes.note_files import Identity, entries_of, identity_of
from scrubjay.notes.transcripts import SUFFIX, is_transcript_name
from scrubjay.platform.left_behind import is_temporary
from scrubjay.platform.paths import expanded_path
from scrubjay.records.search_records import Layout, SkippedFile, Source
from scrubjay.text.printable import printable
from scrubjay.text.text_kinds import TEXTS, text_ending

NEVER_ENTERED = frozenset(
    {".git", "node_modules", ".venv", "venv", ".tox", "__pycache__", ".obsidian", ".trash"}
    | {".dreams"}
)
"""Folders of programs, not of people; `.dreams` holds state of agents."""

MAX_BYTES = 64 * 1024 * 1024
"""A Markdown file beyond this is data, not a note."""

_MEMORY_FILES = ("MEMORY.md", "DREAMS.md")
_MEMORY_FOLDER = "memory"
_SESSIONS_FOLDER = "sessions"
_DATED = re.compile(r"\d{4}-\d{2}-\d{2}.*\.md$", re.IGNORECASE)
_OTHER_TEXTS = frozenset(
    {
        ".txt", ".text", ".markdown", ".org", ".rst", ".rtf", ".pdf", ".doc", ".docx", ".odt",
        ".epub", ".html", ".htm", ".eml",
    }
)  # fmt: skip
"""Endings of files that people write notes in, and that are counted although nothing reads them;
in a folder without notes all files are."""
_KINDS = 8
"""Endings that are named; a folder of programs has dozens."""

_MARKDOWN = frozenset({".md"})
"""What the memory of an agent is written in, and what additional paths are looked through for."""
_CHECK_EVERY = 256


class FoundFile(Struct, frozen=True):
    """A file that belongs to the workspace, as the folder listing shows it."""

    label: str
    """Workspace-relative with forward slashes; unique in the workspace."""
    path: Path
    source: Source
    mtime_ns: int
    size: int


class Scan(Struct):
    """All files of a workspace at one moment."""

    files: dict[str, FoundFile] = field(default_factory=dict)
    """By label."""
    skipped: list[SkippedFile] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    """Labels that could not be looked at: neither they nor what is below them may be pruned."""
    away: str = ""
    """Sentence why the whole folder cannot be read right now; empty when it can."""
    looked_at: int = 0
    """Entries of folders so far."""
    temporary: list[tuple[Path, str]] = field(default_factory=list)
    """Files and labels of new contents that are being saved, or were when a process was killed."""

    def is_missing(self, reason: str) -> None:
        """Note that the whole folder is away, so that nothing in it counts as deleted."""
        self.away = reason
        self.unread.append("")
        self.skipped.append(SkippedFile("", reason, is_problem=True))

    def is_certain(self, label: str) -> bool:
        """True when the absence of label means that the file is gone."""
        return not any(label.startswith(prefix) for prefix in self.unread)


_BOOTSTRAP = frozenset(
    f"{name}.md" for name in ("SOUL", "IDENTITY", "USER", "TOOLS", "HEARTBEAT", "BOOTSTRAP", "BOOT")
)
"""Files that an agent's program puts into a new workspace, beside AGENTS.md."""


def is_agent_workspace(root: Path, layout: str = "") -> bool:
    """True for an agent's memory, false for plain notes; told by the folder without a layout."""
    if layout:
        return layout == "agent"
    try:
        names = set(os.listdir(root))  # noqa: PTH208
        if "MEMORY.md" in names or "memory.md" in names:
            return True
        seen = {name for name in names if not name.startswith(".")}
        is_fresh = seen & _BOOTSTRAP or {"AGENTS.md", _MEMORY_FOLDER} <= seen
        if is_fresh and seen <= _BOOTSTRAP | {"AGENTS.md", "skills", "canvas", _MEMORY_FOLDER}:
            return True
        if _MEMORY_FOLDER not in names:
            return False
        inner = os.listdir(root / _MEMORY_FOLDER)  # noqa: PTH208
    except OSError:
        return False
    return "MEMORY.md" in inner or any(_DATED.match(name) for name in inner)


def layout_of(root: Path, into: Scan | None = None) -> Layout:
    """`agent` for a folder with an agent's memory and no notes of a person, else `notes`.

    With into, another thread can see how far it is.
    """
    if not is_agent_workspace(root) or is_there(root / ".obsidian"):
        return "notes"
    others = scan(root, layout="notes", left_out=(_MEMORY_FOLDER,), into=into).files
    # Agents write their own files beside it in capitals: AGENTS.md, README.md, skills/x/SKILL.md.
    names = (label.rpartition("/")[2] for label in others if label[-3:].lower() == ".md")
    return "agent" if all(name[:-3].isupper() or name == "memory.md" for name in names) else "notes"


def scan(
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
    into: Scan | None = None,
) -> Scan:
    """List the files of a workspace. Reads folders only, never a note.

    Without notes, only the transcripts in the sessions folders belong to it. Media are looked for
    in the extra paths and nowhere else, notes not in folders left out, documents not in an agent's
    memory. With into, another thread can see how far it is.
    """
    walk = _Walk(into or Scan(), cancel or CancelToken(), media, documents=documents)
    walk.leave_out(root, left_out)
    if not is_folder(root):
        walk.scan.is_missing(missing_message(root))
    elif has_notes and is_agent_workspace(root, layout):
        walk.agent_memory(root)
    elif has_notes:
        walk.folder(root, "", Source.NOTES)
        for label in left_out:
            if not is_there(root / label):
                walk.skip(
                    label,
                    msg(
                        "You left this folder out, and it is not there any more. If it has another "
                        "name now, leave it out under that name."
                    ),
                    is_problem=False,
                )
    if has_notes:
        for text, path in _resolved(root, extra_paths).items():
            if not is_there(path):
                walk.skip(text, msg("This additional folder or file is not there."))
        for label, path in labelled_extra_paths(root, extra_paths):
            walk.extra(path, label)
    for folder in sessions:
        walk.sessions(folder)
    walk.count_others()
    return walk.scan


def session_folders(root: Path, agent_id: str, written: Iterable[str]) -> tuple[Path, ...]:
    """Folders where the transcripts of one agent may be; `{agentId}` stands for its id."""
    paths = (path.replace("{agentId}", agent_id) for path in written)
    return tuple(dict.fromkeys(_resolved(root, paths).values()))


def labelled_extra_paths(root: Path, extra_paths: Iterable[str]) -> list[tuple[str, Path]]:
    """Labels and places of the extra paths that exist; equal base names get different labels."""
    places: dict[Path, str] = {}
    labels: set[str] = set()
    for path in _resolved(root, extra_paths).values():
        if path in places or not is_there(path):
            continue
        is_inside = path.is_relative_to(root)
        label = path.relative_to(root).as_posix() if is_inside else path.name
        number = 2
        unique = label
        # A folder elsewhere must not pass for one of the workspace, nor hide it.
        while unique in labels or (not is_inside and is_there(root / unique)):
            unique, number = f"{label} ({number})", number + 1
        labels.add(unique)
        places[path] = unique
    return [(label, path) for path, label in places.items()]


def is_folder(path: Path) -> bool:
    """True for a folder; False without an error for a path that cannot be read."""
    return os.path.isdir(path)  # noqa: PTH112  (is_dir raises for a name that is too long)


def missing_message(root: Path) -> str:
    """The sentence about a folder that is not there."""
    return msg("The folder {folder} is not there.", folder=printable(str(root)))


def unreachable_message(root: Path) -> str:
    """The sentence about a folder that does not answer."""
    return msg("The folder {root} does not answer. Its drive may be disconnected.", root=root)


def is_there(path: Path) -> bool:
    """True for a file or folder; False without an error for a path that cannot be read."""
    return os.path.exists(path)  # noqa: PTH110  (as above)


def _resolved(root: Path, extra_paths: Iterable[str]) -> dict[str, Path]:
    trimmed = (text.strip() for text in extra_paths)
    return {
        text: Path(os.path.normpath(root / expanded_path(Path(text))))
        for text in trimmed
        if text and "\0" not in text
    }


def given_path(text: object, home: Path) -> Path | None:
    """A path in another program's settings, `~` being home; None when it is no absolute path."""
    if not isinstance(text, str) or not text.strip() or "\0" in text:
        return None
    path = Path(text.strip())
    if path.parts[0] == "~":
        return home.joinpath(*path.parts[1:])
    return path if path.is_absolute() else None


class _Walk:
    """Collects one scan."""

    def __init__(
        self, scan: Scan, cancel: CancelToken, media: MediaRules, *, documents: bool
    ) -> None:
        self.scan = scan
        self._left_out: frozenset[str] = frozenset()
        self._left_out_identities: Set[Identity | None] = frozenset()
        self.others: Counter[str] = Counter()
        """Ending of files that are no notes here -> their number."""
        self._media = media
        self._documents = documents
        self._cancel = cancel

    def leave_out(self, root: Path, folders: Iterable[str]) -> None:
        """Read nothing in these folders, however their names are spelled here or there."""
        self._left_out = frozenset(folders)
        self._left_out_identities = {identity_of(root / folder) for folder in folders} - {None}

    def skip(self, label: str, reason: str, *, is_problem: bool = True) -> None:
        self.scan.skipped.append(SkippedFile(printable(label), reason, is_problem))

    def count_others(self) -> None:
        """Put the files that are no notes into one sentence, most of a kind first."""
        has_notes = bool(self.scan.files)
        kinds = [each for each in self.others if not has_notes or each in _OTHER_TEXTS]
        kinds.sort(key=lambda kind: (-self.others[kind], kind))
        if kinds:
            named = [f"{self.others[kind]} {printable(kind)}" for kind in kinds[:_KINDS]]
            reason = msg(
                "{n} {n:file is|files are} not searched: {kinds}.",
                n=sum(self.others[kind] for kind in kinds),
                kinds=", ".join(named + ["…"] * (len(kinds) > _KINDS)),
            )
            self.skip(", ".join(f"*{kind}" for kind in kinds[:_KINDS]), reason, is_problem=False)

    def agent_memory(self, root: Path) -> None:
        """`MEMORY.md`, `DREAMS.md` and `memory/**`; `memory.md` only without `MEMORY.md`."""
        try:
            with entries_of(str(root), "") as listed:
                entries = {entry.name: entry for entry in listed}
                curated = "MEMORY.md" if "MEMORY.md" in entries else "memory.md"
                for name in (curated, *_MEMORY_FILES[1:]):
                    if name in entries:
                        self._entry(entries[name], root, name, Source.MEMORY, [])
                names = filter(is_temporary, entries)
                self.scan.temporary += [(root / name, name) for name in names]
        except OSError as error:
            self._unreadable_folder("", error)
            return
        folder = entries.get(_MEMORY_FOLDER)
        if folder is None:
            return
        if folder.is_symlink():
            self._skip_link(_MEMORY_FOLDER)
            return
        self.folder(root / _MEMORY_FOLDER, f"{_MEMORY_FOLDER}/", Source.MEMORY)

    def extra(self, path: Path, label: str) -> None:
        try:
            if path.is_symlink():
                self._skip_link(label)
            elif path.is_dir():
                self.folder(path, f"{label}/" if label != "." else "", Source.EXTRA)
            elif (
                text_ending(path.name) not in _MARKDOWN
                and not self._media.wants(path.name)
                and not (self._documents and is_document(path.name))
            ):
                self.skip(label, msg("Only notes that end in .md are searched."))
            else:
                self._file(path, label, Source.EXTRA, path.stat(follow_symlinks=False))
        except OSError as error:
            self._unreadable(label, error)

    def sessions(self, folder: Path) -> None:
        """The transcripts in a folder; deeper ones belong to other programs."""
        try:
            if folder.is_symlink():
                self._skip_link(_SESSIONS_FOLDER)
                return
            with entries_of(str(folder), folder.name) as entries:
                for entry in entries:
                    if is_transcript_name(entry.name):
                        self._session(entry, folder)
        except (FileNotFoundError, NotADirectoryError):
            return  # most agents have one of the usual places only
        except OSError as error:
            self._unreadable_folder(f"{_SESSIONS_FOLDER}/", error)

    def _session(self, entry: os.DirEntry[str], folder: Path) -> None:
        name, number = entry.name[: -len(SUFFIX)], 2
        label = f"{_SESSIONS_FOLDER}/{name}{SUFFIX}"
        while label in self.scan.files:
            label, number = f"{_SESSIONS_FOLDER}/{name} ({number}){SUFFIX}", number + 1
        self._entry(entry, folder, label, Source.SESSIONS, [])

    def folder(self, folder: Path, prefix: str, source: Source) -> None:
        """Every note below folder. A stack, since folders nest deeper than calls."""
        waiting: list[tuple[Path, str]] = [(folder, prefix)]
        while waiting:
            folder, prefix = waiting.pop()
            try:
                with entries_of(str(folder), prefix[:-1]) as entries:
                    for entry in entries:
                        self._entry(entry, folder, f"{prefix}{entry.name}", source, waiting)
            except OSError as error:
                self._unreadable_folder(prefix, error)

    def _entry(
        self,
        entry: os.DirEntry[str],
        folder: Path,
        label: str,
        source: Source,
        waiting: list[tuple[Path, str]],
    ) -> None:
        self.scan.looked_at += 1
        if self.scan.looked_at % _CHECK_EVERY == 0:
            self._cancel.check()
        try:
            if entry.is_symlink():
                if not entry.name.startswith(".") and entry.name not in NEVER_ENTERED:
                    self._skip_link(label)
            elif entry.is_dir():
                if label in self._left_out or (
                    self._left_out_identities
                    and identity_of(folder / entry.name) in self._left_out_identities
                ):
                    self.skip(label, msg("You left this folder out."), is_problem=False)
                elif entry.name not in NEVER_ENTERED:
                    waiting.append((folder / entry.name, f"{label}/"))
            elif (
                text_ending(entry.name) in (TEXTS if source is Source.NOTES else _MARKDOWN)
                or source is Source.SESSIONS
                or (source is Source.EXTRA and self._media.wants(entry.name))
                or (self._documents and source is not Source.MEMORY and is_document(entry.name))
            ):
                status = entry.stat(follow_symlinks=False)
                self._file(folder / entry.name, label, source, status)
            elif ending := os.path.splitext(entry.name)[1].lower():  # noqa: PTH122
                self.others[ending] += 1
            elif is_temporary(entry.name):
                self.scan.temporary.append((folder / entry.name, label))
        except OSError as error:
            self._unreadable(label, error)

    def _unreadable(self, label: str, error: OSError) -> None:
        # It may also be the folder that was moved meanwhile; a later scan tells.
        self.scan.unread.append(label)
        self.skip(label, msg("It cannot be looked at ({reason}).", reason=system_reason(error)))

    def _file(self, path: Path, label: str, source: Source, status: os.stat_result) -> None:
        if label in self.scan.files:
            return
        if not stat.S_ISREG(status.st_mode):
            self.skip(label, msg("It is not an ordinary file."), is_problem=False)
        elif not is_text(label):
            self.skip(
                label,
                msg(
                    "Its name has letters that Scrubjay cannot read. Rename it to have it searched."
                ),
            )
        elif status.st_size > MAX_BYTES:
            self.skip(label, msg("It is larger than {n} MB.", n=MAX_BYTES // 2**20))
        elif (
            source is Source.EXTRA
            and self._media.wants(label)
            and status.st_size > self._media.max_bytes
        ):
            self.skip(label, msg("It is larger than the settings allow.", n=self._media.max_bytes))
        else:
            self.scan.files[label] = FoundFile(
                label, path, source, modified_ns(status), status.st_size
            )

    def _skip_link(self, label: str) -> None:
        self.skip(
            label,
            msg("It only points to another place. Add the real folder instead."),
            is_problem=False,
        )

    def _unreadable_folder(self, prefix: str, error: OSError) -> None:
        self.scan.unread.append(prefix)
        self.skip(
            prefix or ".", msg("The folder cannot be read ({reason}).", reason=system_reason(error))
        )


def is_document(name: str) -> bool:
    """True for the name of a document, but not of the lock that Word puts beside one."""
    return bool(document_kind(name)) and not name.startswith("~$")


def document_count(root: Path, into: Scan | None = None) -> int:
    """Number of documents in a folder of notes; into is as that of `layout_of`."""
    return sum(map(is_document, scan(root, layout="notes", documents=True, into=into).files))


def modified_ns(status: os.stat_result) -> int:
    """Time of the last change in nanoseconds since 1970, between the years 1677 and 2262.

    Broken cameras and archives make later ones, which databases cannot hold.
    """
    return max(-(2**63), min(status.st_mtime_ns, 2**63 - 1))


def is_text(label: str) -> bool:
    """False for names whose bytes are not UTF-8."""
    return label.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in label)
