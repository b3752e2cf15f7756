"""Connections of SQLite to the file of an index, and checks that the file is complete.

Each thread opens and closes its own connections. Two kinds of damage are found that SQLite alone
does not detect. A page that was damaged on the disk is detected by its checksum. The extension for
this is SQLite's own (https://www.sqlite.org/cksumvfs.html) and comes with APSW. It wraps the files
of all connections that are opened after it was loaded, and acts on those whose pages reserve 8
bytes. Reading 400 vectors from anywhere in 200 MB takes 2.8 ms instead of 2.2. If the end of the
last page is missing, SQLite reads zeros without checking the checksum, and while the log contains
anything, it takes the number of pages only from the log. The length of the file is therefore
compared.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import functools
import glob
import logging
import os
import threading
import time
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import apsw

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.errors import (
    Cancelled,
    IndexCorrupt,
    IndexLocked,
    IndexUnavailable,
    ScrubjayError,
    system_reason,
)
from scrubjay.messages import Sentence, msg
from scrubjay.platform.atomic_write import PRIVATE_FILE, when_released
from scrubjay.platform.deferred_deletion import NOTE_SUFFIX, delete_or_note
from scrubjay.platform.paths import make_private_folder
from scrubjay.records.engine_limits import DEFAULT_LIMITS
from scrubjay.store.index_records import FOLDED, Generation
from scrubjay.text.tokenizer import fold

log = logging.getLogger(__name__)

FileId: TypeAlias = tuple[int, int]
"""Device and inode of a file."""

BUSY_MS = 5_000
"""Milliseconds that a statement waits for another connection."""
_PAGE_BYTES = 16_384
"""Bytes of a page. Vectors fill pages of 16 KiB to 95 %, pages of 4 KiB to 77 %."""
_CACHE_KIB = 8_192
"""Pages of the file that each connection caches, in KiB."""
_PARTS = ("", "-wal", "-shm")
"""Endings of the files of an index: the database, its log, and the log's index."""
_RETRY_S = 0.02
"""Seconds between two attempts."""
_SELF_TEST = "select vec_distance_cosine(vec_f32('[3, 4]'), vec_f32('[4, -3]'))"
"""A statement that gives 1 where sqlite-vec works, as the vectors are at a right angle."""

_RESERVED = 8
"""Bytes at the end of each page that hold its checksum."""
_CHECKSUMS = "cksumvfs"
"""Name of the extension that keeps checksums, and of its file."""
_checksums_lock = threading.Lock()
"""Lock for loading it, which two threads must not do at once."""
_LOG_HEADER = 32
"""Bytes before the first frame of a log (https://www.sqlite.org/fileformat2.html)."""
_FRAME_HEADER = 24
"""Bytes before the page of each frame, from the same source."""


def open_reader(path: Path) -> apsw.Connection:
    """Open the index for searching; it never waits for the writer."""
    with convert_sqlite_errors(path):
        if deletion_note(path).exists():
            raise apsw.CantOpenError  # an index of the past, which nothing may keep open
        load_page_checksums()
        db = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
        try:
            # Before the first statement, which finds the file locked while its log is recovered.
            db.set_busy_timeout(BUSY_MS)
            # A file that is still empty has no size of pages. Read by another size than its writer
            # gives it a moment later, their checksums would be wrong.
            db.pragma("page_size", _PAGE_BYTES)
            db.pragma("user_version")
        except (apsw.ReadOnlyError, apsw.CantOpenError):
            db.close()
            if is_index_writable(path):
                raise
            # SQLite cannot make the files of the log here, so nothing can change the index either.
            db = open_immutable(path)
        except BaseException:
            # The error keeps it, and a file that is open cannot be replaced on Windows.
            db.close()
            raise
        db.create_scalar_function(FOLDED, lambda *texts: fold(str(texts[0])), 1, deterministic=True)
        try:
            check_index_length(db, path)
            db.execute(f"pragma cache_size = -{_CACHE_KIB}")
        except BaseException:
            db.close()
            raise
        return db


def open_immutable(path: Path) -> apsw.Connection:
    """Open an index that nothing writes to, without its log. Raises apsw.Error."""
    load_page_checksums()
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    return apsw.Connection(f"{path.absolute().as_uri()}?immutable=1", flags=flags)


def is_index_writable(path: Path) -> bool:
    """Whether an index, or one that is to be made there, can be written to."""
    if not os.access(path.parent, os.W_OK):
        return False
    return not path.exists() or os.access(path, os.W_OK)


def open_writer(path: Path) -> apsw.Connection:
    """Open the index for writing. One process at a time holds the index lease."""
    make_index_folder(path)
    if deletion_note(path).exists():
        _finish_deletion(path)
    with convert_sqlite_errors(path):
        # Its log gets the same mode, and SQLite says what is wrong. A file that is there already is
        # not opened: closing it would take away the locks of this process's readers.
        with contextlib.suppress(OSError):
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE_FILE))
        load_page_checksums()
        db = apsw.Connection(str(path))
        try:
            db.set_busy_timeout(BUSY_MS)
            version = db.pragma("user_version")
            # A header can also say so, to programs that are older than its format.
            if db.readonly("main") and os.access(path, os.W_OK):
                raise apsw.CorruptError
            check_index_length(db, path)
            if version == 0:
                db.reserve_bytes(reserve=_RESERVED)  # before the size of pages, or it is not kept
                db.pragma("page_size", _PAGE_BYTES)
                db.execute("pragma auto_vacuum = incremental")
            # What holds for this connection only, set at each opening.
            db.execute("pragma journal_mode = wal")
            db.execute("pragma synchronous = normal")
            db.execute("pragma foreign_keys = on")
            db.execute(f"pragma cache_size = -{_CACHE_KIB}")
            db.execute("pragma journal_size_limit = 16777216")
        except apsw.Error:
            db.close()
            raise
        return db


def load_vector_functions(db: apsw.Connection) -> bool:
    """Load sqlite-vec and test it; return whether it works here."""
    try:
        # A broken build may load and compute nonsense, so one distance is computed.
        db.enable_load_extension(True)
        import sqlite_vec  # brings numpy with it

        db.load_extension(sqlite_vec.loadable_path())
        db.enable_load_extension(False)
        return abs(float(db.execute(_SELF_TEST).get) - 1.0) < 1e-6
    except (apsw.Error, OSError, TypeError) as error:
        log.warning("sqlite-vec does not work here, computing with numpy instead: %s", error)
        return False


def has_table(db: apsw.Connection, name: str) -> bool:
    """Whether a table exists; those of a later schema do once a writer has migrated the index."""
    statement = "select 1 from sqlite_schema where name = ?"
    return db.execute(statement, (name,)).fetchone() is not None


def fetch(db: apsw.Connection, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
    """All rows of one statement."""
    return list(db.execute(sql, tuple(values)))


def active_generation(db: apsw.Connection) -> Generation | None:
    """The active generation of vectors; None before the first vectors."""
    rows = fetch(db, "select id, identity, dimensions from generation where is_active")
    if not rows:
        return None
    return Generation(*rows[0])


@contextlib.contextmanager
def interruptible(db: apsw.Connection, cancel: CancelToken) -> Iterator[None]:
    """Let cancel stop the statements inside, raising Cancelled."""
    try:
        with cancel.calling(db.interrupt):
            yield
    except apsw.Error as error:
        # sqlite-vec reports an interrupt as a plain SQLError, so the token decides.
        if cancel.cancelled:
            raise Cancelled from error
        raise


@contextlib.contextmanager
def convert_sqlite_errors(path: Path) -> Iterator[None]:
    """Raise IndexCorrupt, IndexLocked or IndexUnavailable with the path for SQLite's errors."""
    try:
        yield
    except (apsw.Error, zlib.error, UnicodeDecodeError) as error:
        # After some errors SQLite has ended the transaction before it is rolled back here.
        first = error
        if isinstance(error.__context__, apsw.Error) and "cannot rollback" in str(error):
            first = error.__context__
        expected = _expected(path, first)
        if expected is None:
            raise
        raise expected from first


def _expected(path: Path, error: Exception) -> ScrubjayError | None:
    """The error in our own words; None for a bug."""
    # Damage comes first, since some of its errors are of kinds that can mean less.
    if _is_damage(error):
        damaged = IndexCorrupt(
            "The search index is damaged",
            msg("{path} cannot be read ({error}).", path=path, error=_reason(error)),
            hint="Your notes are untouched. Scrubjay will rebuild the search index "
            "the next time it reads them.",
        )
        damaged.file = path
        return damaged
    # What a person can do something about: wait, free space, or change permissions.
    if isinstance(error, (apsw.BusyError, apsw.LockedError)):
        return IndexLocked(
            "The search index is busy",
            msg("Another program is writing to {path}.", path=path),
            hint="Wait until the other program has finished.",
        )
    if isinstance(error, apsw.FullError):
        return IndexUnavailable(
            "The disk is full",
            msg("There is not enough space for {path}.", path=path),
            hint="Your notes are safe. Free some space, and Scrubjay will continue "
            "reading them where it stopped.",
        )
    if isinstance(error, _UNUSABLE):
        return IndexUnavailable(
            "The search index cannot be used",
            msg("{path}: {error}.", path=path, error=_reason(error)),
            hint="Check that the folder exists and is writable, and that the disk has free space.",
        )
    # Whatever is left is a fault of ours, and keeps its traceback.
    return None


def _is_damage(error: Exception) -> bool:
    if isinstance(error, apsw.IOError):
        code: int = error.extendedresult  # type: ignore[attr-defined]
        return code == apsw.SQLITE_IOERR_DATA  # a checksum that is wrong
    if type(error) is apsw.SQLError:
        return str(error).startswith(_NO_SCHEMA)
    return isinstance(error, _DAMAGED)


def _reason(error: Exception) -> Exception | Sentence:
    if _is_damage(error) and not isinstance(error, apsw.NotADBError):
        # What SQLite says about damage depends on where it met it, and helps nobody.
        return msg("its content is not valid")
    reasons = (reason for kind, reason in _REASONS.items() if isinstance(error, kind))
    return next(reasons, error)


# Errors that a file without damage never causes.
_DAMAGED = (
    apsw.CorruptError,
    apsw.FormatError,
    apsw.MismatchError,
    apsw.NotADBError,
    apsw.TooBigError,  # a length of the schema's rows that was changed
    zlib.error,
    UnicodeDecodeError,
)
_UNUSABLE = (apsw.ReadOnlyError, apsw.IOError, apsw.CantOpenError, apsw.PermissionsError)
"""Errors of files that cannot be opened or written."""

_NO_SCHEMA = ("unsupported file format", "table ", "index ", "trigger ", "no such ", "duplicate ")
"""Beginnings of SQLite's words where the header contradicts the tables: migrations find them there
already. No statement of ours can be the reason."""

_REASONS: Mapping[type[Exception], Sentence] = {
    apsw.NotADBError: msg("the file is not a search index"),
    apsw.ReadOnlyError: msg("the file is read-only"),
    apsw.IOError: msg("the disk reported an error"),
    apsw.CantOpenError: msg("the file cannot be opened"),
    apsw.PermissionsError: msg("access is denied"),
}
"""Words for people, by error; SQLite's own are for programmers."""


def load_page_checksums() -> None:
    """Let this process check and write checksums. Raises apsw.Error where that does not work."""
    with _checksums_lock:
        _load_page_checksums()


@functools.cache
def _load_page_checksums() -> None:
    # The extension stays with the process; any connection can load it.
    db = apsw.Connection(":memory:")
    try:
        db.enable_load_extension(True)
        db.load_extension(str(_checksums_extension()))
    finally:
        db.close()


def _checksums_extension() -> Path:
    # `apsw.sqlite_extra` knows the file too, and takes 30 ms to import.
    folder = Path(apsw.__file__).parent / "sqlite_extra_binaries"
    return next(folder.glob(f"{_CHECKSUMS}.*"), folder / _CHECKSUMS)


def has_page_checksums(db: apsw.Connection) -> bool:
    """Whether pages have checksums; those of an older version get them from a writer."""
    return db.reserve_bytes() == _RESERVED


def add_page_checksums(db: apsw.Connection) -> None:
    """Give all pages of the file a checksum; it is rewritten. Outside of transactions only."""
    db.reserve_bytes(reserve=_RESERVED)
    db.execute("vacuum")


def check_index_length(db: apsw.Connection, path: Path) -> int:
    """Bytes that the pages of an index take in its file.

    Raises apsw.CorruptError when a page is neither there nor in the log. The file is not opened:
    closing it would take away the locks of all connections of this process
    (https://www.sqlite.org/howtocorrupt.html).
    """
    with db:  # one moment, in which no process moves a page from the log to the file
        pages = int(db.pragma("page_count"))
        page_bytes = int(db.pragma("page_size"))
        size = file_size(path)
        # Pages that the file is too short for must all be in the log.
        lacking = range(size // page_bytes + 1, pages + 1)
        if lacking and not _logged_pages(path, page_bytes).issuperset(lacking):
            raise apsw.CorruptError
    return min(size, pages * page_bytes)


def file_size(path: Path) -> int:
    """Bytes of a file. Raises apsw.CantOpenError when it is not there."""
    try:
        return path.stat().st_size
    except OSError as error:
        raise apsw.CantOpenError(str(error)) from error


def file_id(path: Path) -> FileId | None:
    """The id of a file; None if it is not there."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _logged_pages(path: Path, page_bytes: int) -> set[int]:
    """Numbers of the pages in the log of an index."""
    numbers: set[int] = set()
    log = Path(f"{path}-wal")
    if not log.exists():
        return numbers
    with log.open("rb") as file:
        salts = file.read(_LOG_HEADER)[16:24]
        # Each frame is a header and a page; only the numbers in the headers are of use.
        while len(frame := file.read(_FRAME_HEADER)) == _FRAME_HEADER:
            if frame[8:16] != salts:  # left over from before the log began anew
                break
            numbers.add(int.from_bytes(frame[:4], "big"))
            file.seek(page_bytes, os.SEEK_CUR)
    return numbers


def make_index_folder(path: Path) -> None:
    """Make the folder of an index that is not there yet. Raises IndexUnavailable."""
    try:
        if not path.exists():
            make_private_folder(path.parent)
    except OSError as error:
        raise index_folder_not_writable(path, error) from error


def index_folder_not_writable(path: Path, error: OSError) -> IndexUnavailable:
    """The error for an index whose folder cannot be written."""
    return IndexUnavailable(
        "The folder for search indexes cannot be used",
        msg("{folder}: {reason}.", folder=path.parent, reason=system_reason(error)),
        hint="Check that the folder is writable.",
    )


@contextlib.contextmanager
def hold_write_lease(
    file: Path, cancel: CancelToken | None = None, seconds: float = DEFAULT_LIMITS.lease_seconds
) -> Iterator[None]:
    """Hold the right to write an index. With a token, others get some seconds to release it.

    Raises IndexLocked when another process keeps it, IndexUnavailable, or Cancelled.
    """
    from filelock import FileLock, Timeout  # late: most commands write nothing

    make_index_folder(file)
    lock = FileLock(_lock_file(file), timeout=0, mode=PRIVATE_FILE)
    until = time.monotonic()
    if cancel is not None:
        until += seconds
    # Another process may hold the lease for a moment only: try again until the time is up.
    try:
        while not lock.is_locked:
            try:
                lock.acquire()
            except Timeout:
                if cancel is None or time.monotonic() >= until:
                    raise
                cancel.check()
                time.sleep(_RETRY_S)
    except Timeout as error:
        raise IndexLocked(
            "Another copy of Scrubjay is reading these notes",
            "You can still search the notes.",
            hint="Wait until the other program has finished.",
        ) from error
    except OSError as error:
        raise index_folder_not_writable(file, error) from error
    # The library counts how often it is held, so that both `with` and this release are needed.
    with lock:
        try:
            yield
        finally:
            lock.release()


def index_bytes(file: Path) -> int:
    """Size of an index on disk, with its log."""
    total = 0
    for part in _PARTS:
        with contextlib.suppress(OSError):
            total += Path(f"{file}{part}").stat().st_size
    return total


def index_files(file: Path) -> list[Path]:
    """All files of an index, whether they exist or not, and what was moved aside of it."""
    return [*_content_files(file), _lock_file(file)]


def _content_files(file: Path) -> list[Path]:
    return [*(Path(f"{file}{part}") for part in (*_PARTS, NOTE_SUFFIX)), *_damaged(file)]


def _lock_file(file: Path) -> Path:
    return Path(f"{file}.lock")


def delete_index(file: Path) -> OSError | None:
    """The error of a file that stays until a later start; None once the whole index is deleted.

    Raises IndexUnavailable where the folder cannot be written.
    """
    problem = _delete_content(file)
    # On Windows it stays while another process holds the lease.
    with contextlib.suppress(OSError):
        _lock_file(file).unlink()
    return problem


def _delete_content(file: Path) -> OSError | None:
    """Delete an index, but not the lock, which whoever is about to write it holds."""
    try:
        return delete_or_note(_content_files(file), deletion_note(file))
    except OSError as error:
        raise index_folder_not_writable(file, error) from error


def deletion_note(file: Path) -> Path:
    """The file that says of an index that it is to be deleted at a later start."""
    return Path(f"{file}{NOTE_SUFFIX}")


def _finish_deletion(file: Path) -> None:
    """Delete the index of a folder that was removed and added again. Raises IndexUnavailable."""
    problem = _delete_content(file)
    if problem is not None:
        raise IndexUnavailable(
            "The former search index of this folder cannot be deleted yet",
            msg("{file}: {reason}.", file=file, reason=system_reason(problem)),
            hint="Close the other programs that use Scrubjay, then try again.",
        ) from problem


def _damaged(file: Path) -> list[Path]:
    return list(file.parent.glob(f"{glob.escape(file.name)}.damaged-*"))


def move_aside(file: Path) -> Path:
    """Rename a damaged index and return its new path; only the last such file stays.

    Raises IndexUnavailable while another program has it open.
    """
    # The moment is in the name, so that a person can tell what happened when.
    stamp = dt.datetime.now().strftime("%Y%m%d-%H%M%S")
    damaged = Path(f"{file}.damaged-{stamp}")
    # The log belonged to the damaged file; a new index must not take it for its own. It goes first,
    # so that nothing of it is left when the file itself is renamed.
    logs = [Path(f"{file}{part}") for part in _PARTS[1:]]
    try:
        for old in (*_damaged(file), *logs):
            when_released(functools.partial(old.unlink, missing_ok=True), old)
        when_released(lambda: file.replace(damaged), file)
    except OSError as error:
        raise IndexUnavailable(
            "The damaged search index cannot be replaced yet",
            msg("{file}: {reason}.", file=file, reason=system_reason(error)),
            hint="Close the other programs that use Scrubjay, then try again.",
        ) from error
    return damaged
