"""Differences between the files on disk and an index."""

from __future__ import annotations

import contextlib
import datetime as dt
import os
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import accumulate, islice
from pathlib import Path, PurePosixPath

from msgspec import Struct

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.io_timeout import IoTimedOut, IoTimeout, IoTimeouts
from scrubjay.config.schema.memory_search import MemorySearch
from scrubjay.config.validation import multimodal_problem
from scrubjay.documents.media_types import NO_MEDIA, MediaRules, media_rules
from scrubjay.errors import IndexUnavailable
from scrubjay.notes.interrupted_saves import clear_interrupted_saves
from scrubjay.notes.note_files import drive_id, is_folder
from scrubjay.notes.note_reader import NoteBytes, NotePrefetcher
from scrubjay.notes.scan import FoundFile, Scan, scan_folder
from scrubjay.notes.transcripts import has_grown
from scrubjay.notes.unavailable_folders import empty_message, unreachable_message
from scrubjay.records.chunks import ChunkSizes
from scrubjay.records.note_records import MovedFolder, Source, Workspace
from scrubjay.store.index_records import KnownDocument
from scrubjay.store.reader import Reader
from scrubjay.text.tokenizer import fold
from scrubjay.workspaces.open_workspace import LocalWorkspace

_OWN = frozenset({Source.MEMORY, Source.NOTES})
"""Sources in the folder of a workspace itself."""

SETTLED_NS = 2_000_000_000
"""Nanoseconds after its last change in which a file may change again in the same clock tick."""

_OVER_NS = 3_600_000_000_000
"""Nanoseconds without a message after which a conversation is over, and read to its end."""

_MOST_BYTES = 200_000
"""Size of the notes that are indexed before an answer; their words take some 50 ms."""

_MOST_SEARCHED = 4 * 2**20
"""Size of the notes that are searched for the words of a query before its answer."""

_SAMPLE = 20
"""Notes that a folder is first tried with."""

_MOST_FOLDERS = 2_000
"""Folders that are tried at most."""


class IndexSettings(Struct, frozen=True):
    """The settings that a pass depends on."""

    sizes: ChunkSizes
    extra_paths: tuple[str, ...] = ()
    max_cache_entries: int = 50_000
    layout: str = ""
    left_out: tuple[str, ...] = ()
    has_notes: bool = True
    session_folders: tuple[Path, ...] = ()
    session_growth: tuple[int, int] = (100_000, 50)
    """(bytes, messages) after which a conversation is read again."""
    media: MediaRules = NO_MEDIA
    documents: bool = False
    """Whether documents are read besides notes."""
    pictures: bool = False
    """Whether what is written on pictures is read."""
    hidden_folders: bool = False
    """Whether folders are read whose names begin with a dot."""
    keeps_generations: bool = False
    """Whether vectors of the first choice and of the fallback are both kept, as one may replace the
    other at any time."""

    @property
    def scope(self) -> str:
        """Text of the settings that say which files of the folder belong to it."""
        parts: list[object] = [self.layout, self.left_out, self.extra_paths, self.has_notes]
        # Only where they are on, so that older indexes keep their scope.
        if self.documents:
            parts.append("documents")
        if self.pictures:
            parts.append("pictures")
        if self.hidden_folders:
            parts.append("hidden folders")
        return repr(tuple(parts))

    @classmethod
    def of(cls, search: MemorySearch, workspace: Workspace) -> IndexSettings:
        """The part of a workspace's settings that its index depends on."""
        # Transcripts and media are read only where the settings ask for them.
        growth = search.sync.sessions
        multimodal = search.multimodal
        folders: tuple[Path, ...] = ()
        if "sessions" in search.active_sources:
            from scrubjay.onboarding.foreign_setups import transcript_folders

            folders = transcript_folders(workspace, search.sessions)
        media = NO_MEDIA
        if multimodal.enabled and not multimodal_problem(search):
            media = media_rules(multimodal.modalities, multimodal.max_file_bytes)
        max_cache_entries = search.cache.max_entries if search.cache.enabled else 0
        return cls(
            ChunkSizes(search.chunking.tokens, search.chunking.overlap),
            search.extra_paths,
            max_cache_entries=max_cache_entries,
            layout=workspace.layout,
            left_out=workspace.left_out,
            has_notes="memory" in search.active_sources,
            session_folders=folders,
            session_growth=(growth.delta_bytes, growth.delta_messages),
            media=media,
            documents=workspace.documents,
            pictures=workspace.pictures,
            hidden_folders=workspace.hidden_folders,
            keeps_generations=search.fallback != "none",
        )


class ScanDiff(Struct, frozen=True):
    """The differences that a pass must process."""

    changed: tuple[FoundFile, ...]
    """Files that are new, or have another size or time than the index remembers; newest first."""
    doubtful: tuple[FoundFile, ...]
    """Files that look the same, but of which only the bytes tell: they were read very soon after
    their last change, or their entry on the disk is another one."""
    rechunk: tuple[FoundFile, ...]
    """Files of which only the chunking is outdated."""
    gone: tuple[str, ...]
    """Labels of the index for which there certainly is no longer a file."""


def scan_workspace(
    root: Path,
    settings: IndexSettings,
    cancel: CancelToken,
    io_timeout: IoTimeout,
    drive: int | None = None,
    backups: Path | None = None,
) -> Scan:
    """All files of a workspace as its settings describe it; none if its drive does not answer.

    What killed processes left behind in it is removed, to the folder of backups if need be. Drive
    is the one that the folder was on when it was indexed: where a drive was taken away, an empty
    folder may stay behind, and that is not a reason to forget the notes.
    """
    result = Scan()

    def look() -> None:
        scan_folder(
            root,
            settings.extra_paths,
            cancel=cancel,
            layout=settings.layout,
            left_out=settings.left_out,
            has_notes=settings.has_notes,
            sessions=settings.session_folders,
            media=settings.media,
            documents=settings.documents,
            pictures=settings.pictures,
            hidden_folders=settings.hidden_folders,
            into=result,
        )
        # The scan has seen what killed processes left in the folder.
        if backups and result.temporary:
            clear_interrupted_saves(result.temporary, backups)
        # Where a drive was taken away, the mount point is an empty folder of another drive.
        is_empty = not any(file.source in _OWN for file in result.files.values())
        if drive is not None and is_empty and not result.away and drive_id(root) != drive:
            result.is_missing(empty_message(root))

    try:
        # A walk that makes progress may take as long as it needs.
        io_timeout.call(look, cancel, progress=partial(getattr, result, "looked_at"))
    except IoTimedOut:
        # Another scan: the look may go on, and fill its own, when the drive answers after all.
        nothing = Scan()
        nothing.is_missing(unreachable_message(root))
        return nothing
    return result


def absent_note_sizes(
    others: Iterable[LocalWorkspace], io_timeouts: IoTimeouts
) -> Iterator[dict[str, int]]:
    """Sizes of the notes of each workspace whose folder is not there, by path; with its index."""
    for workspace in others:
        with contextlib.suppress(IndexUnavailable, IoTimedOut):
            if not io_timeouts[workspace.root].call(partial(is_folder, workspace.root)):
                with contextlib.closing(Reader.open(workspace.index_file)) as reader:
                    yield reader.metadata.sizes()


def exclude_moved_folders(
    scan: Scan,
    documents: Mapping[str, KnownDocument],
    absent: Callable[[], Iterable[Mapping[str, int]]],
) -> None:
    """Take a folder out of a scan that belongs to another workspace and was moved or renamed.

    That workspace asks where its notes are now; read here too, each would be found twice.
    """
    new = [
        (label.split("/"), file.size)
        for label, file in scan.files.items()
        if label not in documents
    ]
    if not new:
        return  # before the folders of others are looked for, as at most searches
    for sizes in absent():
        # A new file with the path and size of a missing note votes for the folder it would be in.
        folders: Counter[str] = Counter()
        for parts, size in new:
            for at in range(1, len(parts)):
                if sizes.get("/".join(parts[at:])) == size:
                    folders["/".join(parts[:at])] += 1
        # Only a folder with at least half of the notes is taken for the moved one.
        for folder, known in folders.most_common(1):
            if MovedFolder(Path(folder), known, len(sizes)).is_likely:
                moved = [label for label in scan.files if label.startswith(f"{folder}/")]
                for label in moved:
                    del scan.files[label]


def count_known_notes(root: Path, sizes: Mapping[str, int]) -> int:
    """Number of notes that are in a folder, at their path and with their size."""
    count = 0
    for path, size in sizes.items():
        with contextlib.suppress(OSError, ValueError):
            count += (root / path).stat().st_size == size
    return count


def find_moved_folder(
    root: Path, sizes: Mapping[str, int], is_taken: Callable[[Path], object]
) -> MovedFolder | None:
    """The folder that holds the notes of one that was moved or renamed; None when none does."""
    # A few notes tell most folders apart, before all notes are looked for.
    sample = dict(islice(sizes.items(), _SAMPLE))
    for folder in islice(_likely_folders(root), _MOST_FOLDERS):
        if 2 * count_known_notes(folder, sample) > len(sample) and not is_taken(folder):
            moved = MovedFolder(folder, count_known_notes(folder, sizes), len(sizes))
            if moved.is_likely:
                return moved
    return None


def _likely_folders(root: Path) -> Iterator[Path]:
    """Folders where a folder may be that was moved or renamed, or has a parent that was."""
    there = next(filter(is_folder, root.parents))
    rest = root.relative_to(there).parts
    # Beside the last folder that still exists, one level up, and where people move things to.
    for base in dict.fromkeys((there, there.parent, Path.home(), Path.home() / "Documents")):
        with contextlib.suppress(OSError):
            with os.scandir(base) as listed:
                entries = sorted(listed, key=lambda entry: entry.name)
            for entry in entries:
                if entry.is_dir(follow_symlinks=False) and not entry.name.startswith("."):
                    # It, or a folder in it, may be the last part of the former path.
                    ways = dict.fromkeys(rest[at:] for at in range(1, len(rest) + 1))
                    yield from (Path(entry.path, *way) for way in (*ways, (root.name,)))


def diff_scan(
    scan: Scan, documents: Mapping[str, KnownDocument], settings: IndexSettings
) -> ScanDiff:
    """Compare by size and times. A conversation is unchanged until it has grown enough."""
    changed: list[FoundFile] = []
    doubtful: list[FoundFile] = []
    rechunk: list[FoundFile] = []
    for label, file in scan.files.items():
        before = documents.get(label)
        # In this order: without a record nothing can be compared, and only equal files be doubted.
        if before is None:
            changed.append(file)
        elif (before.mtime_ns, before.size) != (file.mtime_ns, file.size):
            if _is_worth_reading(file, before, settings.session_growth):
                changed.append(file)
        elif before.indexed_ns - before.mtime_ns <= SETTLED_NS or is_replaced(file, before):
            doubtful.append(file)
        elif before.chunking != file.chunking(settings.sizes, with_pictures=file.has_pictures):
            rechunk.append(file)
    # The newest notes are read first, since people look for those.
    changed.sort(key=lambda file: -file.mtime_ns)
    gone = tuple(path for path in documents if path not in scan.files and scan.is_certain(path))
    return ScanDiff(
        changed=tuple(changed), doubtful=tuple(doubtful), rechunk=tuple(rechunk), gone=gone
    )


def is_replaced(file: FoundFile, before: KnownDocument) -> bool:
    """Whether another file may be in the place of one of equal size and time.

    A copy or a restored backup has the time of its original. Older indexes do not know the entry.
    """
    return before.ctime_ns not in (0, file.ctime_ns)


def find_renames(
    files: Iterable[FoundFile], documents: Mapping[str, KnownDocument], gone: Sequence[str]
) -> dict[str, str]:
    """The former label of each new file that seems to have been renamed, by its present label.

    It tells which documents are exchanged in one step, and nothing about their content.
    """
    new = [file for file in files if file.label not in documents]
    moved: dict[str, str] = {}
    if not new or not gone:
        return moved
    # Renaming keeps size and time. What was changed as well often keeps its name.
    keys: Sequence[Callable[[str, int, int], object]] = (
        lambda label, mtime_ns, size: (mtime_ns, size, PurePosixPath(label).name),
        lambda _, mtime_ns, size: (mtime_ns, size),
        lambda label, *_: PurePosixPath(label).name,
    )
    # The surest key takes its pairs first.
    left = dict.fromkeys(label for label in gone if label in documents)
    for key in keys:
        former: dict[object, list[str]] = defaultdict(list)
        for label in left:
            known = documents[label]
            former[key(label, known.mtime_ns, known.size)].append(label)
        for file in new:
            labels = former.get(key(file.label, file.mtime_ns, file.size))
            if labels and file.label not in moved:
                moved[file.label] = labels.pop(0)
                del left[moved[file.label]]
    return moved


def most_relevant_files(
    files: Sequence[FoundFile], query: str, io_timeout: IoTimeout
) -> Sequence[FoundFile]:
    """Changed notes to index before an answer: those a query names, then those with its words.

    Files come newest first.
    """
    from scrubjay.search.query.dates import named_periods
    from scrubjay.search.query.query_parser import parse_query

    # A document that is slow to read would hold up the answer.
    files = [file for file in files if not file.is_document]
    if sum(file.size for file in files) <= _MOST_BYTES:
        return files
    # Names and days of files count most, and cost nothing to look at.
    words = [fold(term.text) for term in parse_query(query).keywords]
    periods = named_periods(query, dt.date.today())
    days = [day for period in periods for day in period.days]
    named = [file for file in files if any(name in fold(file.label) for name in (*words, *days))]
    relevance = dict.fromkeys(named, 2)
    # Then the words in the newest of the others, within what can be read quickly.
    others = [file for file in files if file not in relevance and file.size <= _MOST_BYTES]
    sizes = accumulate(file.size for file in others)
    searched = [file for file, size in zip(others, sizes, strict=True) if size <= _MOST_SEARCHED]
    for file, note in NotePrefetcher(searched, io_timeout, CancelToken()):
        text = ""
        if isinstance(note, NoteBytes):
            text = fold(note.data.decode("utf-8", "replace"))
        relevance[file] = int(any(word in text for word in words))
    chosen: list[FoundFile] = []
    left = _MOST_BYTES
    for file in sorted(files, key=lambda file: -relevance.get(file, 0)):
        if file.size <= left:
            chosen.append(file)
            left -= file.size
    return chosen


def _is_worth_reading(file: FoundFile, before: KnownDocument, growth: tuple[int, int]) -> bool:
    """Whether a changed file is to be read: not a conversation that goes on and has little new."""
    if file.source is not Source.SESSIONS or time.time_ns() - file.mtime_ns > _OVER_NS:
        return True
    with contextlib.suppress(OSError):
        return has_grown(
            file.path, file.label, size_before=before.size, size=file.size, limits=growth
        )
    return True  # reading it will report the error
