"""The connection to a shared memory, whose calls have a time limit."""

from __future__ import annotations

import contextlib
import datetime as dt
import importlib.util
import os
import re
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.io_timeout import IoTimedOut, IoTimeout
from scrubjay.errors import Cancelled, ScrubjayError, SharedUnavailable, system_reason
from scrubjay.messages import Sentence, as_sentence, msg
from scrubjay.platform.http_access import is_this_computer
from scrubjay.platform.paths import expanded_path
from scrubjay.records.engine_limits import DEFAULT_LIMITS, EngineLimits
from scrubjay.records.shared_records import SharedPlace, SharedRecord
from scrubjay.store.lancedb.checked_rows import (
    TooManyBytes,
    WorkspaceList,
    WorkspaceRow,
    has_columns,
    workspace_list,
)
from scrubjay.store.lancedb.sql_conditions import sql_literal
from scrubjay.store.lancedb.table_reads import (
    NO_TABLE,
    Connection,
    LocalTable,
    OpenTable,
    TableRead,
    Tables,
    connect_database,
    find_table,
)
from scrubjay.store.lancedb.tables import SCHEMA, WORKSPACES, workspaces_schema
from scrubjay.text.printable import printable_label

if TYPE_CHECKING:
    from lancedb.db import DBConnection
    from lancedb.table import Table

T = TypeVar("T")
AnyTable = TypeVar("AnyTable", "Table", OpenTable)

READ_SECONDS = 3.0
"""Seconds that one call of a search may take."""
WRITE_SECONDS = 60.0
"""Seconds that one call of a publication may take."""
_WAIT_S = 3.0
"""Seconds between two signs of life of a publication during a long call."""
_LONGEST_S = 3600.0
"""Seconds after which a long call no longer counts as moving on."""
_MOST_ENTRIES = 1_000
"""Entries of a list of workspaces that are looked at."""
_MOST_MANIFEST = 64 * 1024 * 1024
"""Bytes of a list of the files of a table, which is read as a whole; 100,000 files take 10 MB."""
_MOST_LABEL = 100
"""Characters of a title, or of the name of a computer, that are shown."""

# What an address and its options may say.
_ADDRESSES = {"s3": "aws", "gs": "google", "az": "azure", "abfss": "azure", "db": "db"}
"""Scheme of an address -> beginning of the options of its storage."""
_SECRET = re.compile(r"secret|token|password|key|credential|\bsas\b", re.IGNORECASE)
"""Part of the name of an option that holds a secret."""
_WITH_PASSWORD = re.compile(r"://[^/]*@")
"""Part of an address in which a name or a password stands."""
_HOST = re.compile(r"endpoint|host_override|proxy|url", re.IGNORECASE)
"""Part of the name of an option that names some server."""
_S3 = ("aws_endpoint", "aws_endpoint_url", "endpoint", "endpoint_url")
"""Options of S3 that name the server that is asked."""
_AZURE = ("azure_storage_endpoint", "azure_endpoint", "endpoint")
"""Options of Azure that name the server that is asked."""
_SERVER = {"s3": _S3, "az": _AZURE, "abfss": _AZURE, "db": ("host_override",)}
"""Scheme of an address -> options of which one names the server that is asked."""


class FilesLost(SharedUnavailable):
    """Files of a table are missing or damaged, or were deleted with an earlier model."""


class TablesTooLarge(FilesLost):
    """Tables would fill the memory if they were read."""


class ReadFailed(Exception):
    """The process that reads a memory failed."""

    def __init__(self, reason: Sentence) -> None:
        super().__init__(reason)
        self.reason = reason


class NothingShared(SharedUnavailable):
    """A place has never had a shared memory, or its drive is unavailable."""


class StoreAccess(Struct, frozen=True):
    """The resources of this computer that a shared memory needs."""

    is_local_only: Callable[[], bool] = lambda: False
    """Whether nothing may leave this computer now."""
    key: Callable[[str], str] = lambda _place: ""
    """Key of a place that the keychain has; empty for none, then the environment counts."""
    limits: EngineLimits = DEFAULT_LIMITS


class SharedStore:
    """One shared memory. For any thread but the GUI's; opened with the first call."""

    def __init__(
        self,
        place: SharedPlace,
        access: StoreAccess,
        seconds: float = READ_SECONDS,
        *,
        tables: Tables | None = None,
    ) -> None:
        """Seconds is how long a call may take before the storage counts as unavailable.

        Tables opens those that are read; without it this process does.
        """
        self._tables = tables
        self.place = place
        self.limits = access.limits
        self._access = access
        self._seconds = seconds
        self._folder: Path | None = None
        """Folder of a memory that is not in object storage."""
        if not place.scheme:
            self._folder = uri_folder(place.uri)
        # Opening has its own limit: it may have to import the library.
        self._io = IoTimeout(seconds, self._folder)
        self._opening = IoTimeout(access.limits.storage_opening_seconds, self._folder)
        self._lock = threading.Lock()
        self._db: DBConnection | None = None

    def call(
        self, work: Callable[[], T], cancel: CancelToken | None = None, seconds: float | None = None
    ) -> T:
        """The result of work on the storage, in so many seconds at most.

        Raises SharedUnavailable or Cancelled.
        """
        return self._timed(self._io, work, cancel=cancel, seconds=seconds)

    def call_long(self, work: Callable[[], T], on_wait: Callable[[], object]) -> T:
        """The result of work that takes minutes; on_wait is called every few seconds."""
        began = time.monotonic()

        # While the figure grows, the call counts as moving on.

        def progress() -> float:
            on_wait()
            return min(time.monotonic() - began, _LONGEST_S)

        return self._timed(IoTimeout(_WAIT_S, self._folder), work, progress=progress)

    def open(self) -> None:
        """Connect, with the first import of the library: seconds. Raises SharedUnavailable."""
        self.call_opening(self._opened)

    def call_opening(self, work: Callable[[], T]) -> T:
        """The result of work before or while the memory is opened. Raises SharedUnavailable."""
        return self._timed(self._opening, work)

    def of_workspace(self, work: Callable[[], T]) -> T:
        """The result of work on one workspace, whose lost files do not concern others.

        Inside of `call` only.
        """
        try:
            return self._converted(work)
        except FilesLost as error:
            error.is_of_workspace = True
            raise

    def table(self, name: str) -> Table | None:
        """A table as it is now; None if there is none. Inside of `call` only."""
        with contextlib.suppress(FileNotFoundError):
            db = self._connection()
            self._check_manifests(name)
            return find_table(db, name)
        return None

    def readable_table(self, name: str) -> OpenTable | None:
        """A table as it is now, for reading; None if there is none. Inside of `call` only."""
        if self._tables is None:
            table = self.table(name)
            return None if table is None else LocalTable(table)
        with contextlib.suppress(FileNotFoundError):
            self._check()
            self._check_manifests(name)
            return self._tables.open(self._connection_arguments(), name)
        return None

    def key(self) -> str:
        """Key of the storage; empty for a folder, or where there is none. Inside of a call only.

        Raises SharedUnavailable for an address that must not be asked.
        """
        self._check()
        if not self.place.key_id:
            return ""
        return self._access.key(self.place.key_id)

    def create(self, name: str, schema: Any) -> Table:
        """A new table, or the one that another computer made meanwhile. Inside of `call` only."""
        return self._connection().create_table(name, schema=schema, exist_ok=True)

    def drop(self, name: str) -> None:
        """Delete a table, if it is there. Inside of `call` only."""
        try:
            self._connection().drop_table(name)
        except ValueError as error:
            if NO_TABLE not in str(error):
                raise

    def table_names(self) -> list[str]:
        """Names of all tables. Inside of `call` only."""
        # The library gives tables page by page.
        page = self._connection().list_tables()
        names = list(page.tables)
        while page.page_token:
            page = self._connection().list_tables(page_token=page.page_token)
            names += page.tables
        return sorted(names)

    def workspaces(self, name: str = "") -> WorkspaceList:
        """The list of workspaces, or what it says of one. Inside of `call` only.

        Raises SharedUnavailable.
        """
        table = self._checked_list(self.readable_table(WORKSPACES))
        where = f"name = {sql_literal(name)}" if name else ""
        read = TableRead(workspaces_schema().names, where=where, limit=_MOST_ENTRIES)
        return workspace_list(table.read(read, self.limits.answer_bytes).to_pylist())

    def workspaces_table(self) -> Table:
        """The table of workspaces. Inside of `call` only. Raises SharedUnavailable."""
        return self._checked_list(self.table(WORKSPACES))

    def _checked_list(self, table: AnyTable | None) -> AnyTable:
        """The table of workspaces, if it is there and has its columns. Raises SharedUnavailable."""
        if table is None:
            # A drive that is not connected leaves an empty folder behind.
            raise NothingShared(
                msg("There is no shared memory at {uri}", uri=self.place.uri),
                hint=(
                    "Check whether the drive is connected. To create a shared memory "
                    "there, share a folder in the app or with `scrubjay share`."
                ),
            )
        if not has_columns(table.schema, workspaces_schema()):
            raise SharedUnavailable(
                msg("The list of shared folders at {uri} is damaged", uri=self.place.uri),
                hint=msg(
                    "Delete the folder {name} in the shared memory, then share the folders again.",
                    name="workspaces.lance",
                ),
            )
        return table

    def make_workspaces_table(self) -> None:
        """Begin a shared memory where there is none. Inside of `call` only."""
        self.create(WORKSPACES, workspaces_schema())

    def _opened(self) -> None:
        """Load the library and connect, where the tables are read."""
        if self._tables is None:
            self._connection()
        else:
            self.readable_table(WORKSPACES)

    # -- inside of a call ---------------------------------------------------------------------

    def _connection(self) -> DBConnection:
        """The connection, made with the first call; what may be asked is checked at each."""
        self._check()
        with self._lock:
            if self._db is None:
                self._db = self._connected()
            return self._db

    def _check_manifests(self, name: str) -> None:
        """Raise FilesLost for a list of files in a folder that would fill the memory."""
        if self._folder is None:
            return
        # The library reads such a list as a whole, before anything can be said of its size.
        with (
            contextlib.suppress(NotADirectoryError),
            os.scandir(self._folder / f"{name}.lance" / "_versions") as entries,
        ):
            if any(_size(entry) > _MOST_MANIFEST for entry in entries):
                raise self._away(TOO_LARGE, TablesTooLarge)

    def _check(self) -> None:
        """Raise SharedUnavailable for an address that must not, or cannot, be asked."""
        scheme = self.place.scheme
        if scheme and scheme not in _ADDRESSES:
            raise SharedUnavailable(
                msg("{uri} is not a valid address", uri=self.place.uri),
                msg("Enter a folder, or an address that begins with s3://, gs://, az:// or db://."),
            )
        # The library would make it, also where a drive is only unavailable.
        if not scheme and not uri_folder(self.place.uri).is_dir():
            raise self._away(msg("The folder does not exist"))
        if importlib.util.find_spec("lancedb") is None:
            raise _not_installed()
        self._check_secrets()
        if scheme and self._access.is_local_only() and not self._is_on_this_computer():
            raise SharedUnavailable(
                "Services on the internet are not allowed",
                msg(
                    "The setting “Never use services on the internet” is on, so {host} "
                    "was not contacted.",
                    host=self.place.uri,
                ),
            )

    def _check_secrets(self) -> None:
        """Raise SharedUnavailable where a secret stands in an address or an option."""
        options = dict(self.place.options)
        hint = msg(
            "Remove the secret from the settings and store it as a key "
            "instead: in Settings, under “Service keys”, or with `scrubjay "
            "keys set {place}`.",
            place=SharedPlace(_WITH_PASSWORD.sub("://", self.place.uri)).key_id,
        )
        secrets = [name for name in options if _SECRET.search(name)]
        if secrets:
            raise SharedUnavailable(
                msg("{name} is a secret and must not be in the settings", name=secrets[0]),
                hint=hint,
            )
        if any(map(_WITH_PASSWORD.search, (self.place.uri, *options.values()))):
            raise SharedUnavailable(
                "An address must not contain a user name or a password", hint=hint
            )

    def _is_on_this_computer(self) -> bool:
        """Whether the options send each request for object storage to this computer."""
        options = dict(self.place.options)
        hosts = [value for name, value in options.items() if _HOST.search(name)]
        servers = _SERVER.get(self.place.scheme, ())
        has_server = any(name.lower() in servers for name in options)
        return has_server and all(map(is_this_computer, hosts))

    def _connected(self) -> DBConnection:
        """A new connection, by the kind of the address. Raises SharedUnavailable."""
        os.environ.setdefault("LANCEDB_LOG", "error")  # read when the library is loaded
        try:
            return connect_database(self._connection_arguments())
        except ImportError as error:
            raise _not_installed() from error

    def _connection_arguments(self) -> Connection:
        """The library's options for a connection, by the kind of address."""
        scheme = self.place.scheme
        options = dict(self.place.options)
        if not scheme:
            return {"uri": str(uri_folder(self.place.uri))}

        # The service of LanceDB itself.
        key = self.key()
        if scheme == "db":
            return {
                "uri": self.place.uri,
                "api_key": key or os.environ.get("LANCEDB_API_KEY"),
                "region": options.pop("region", "us-east-1"),
                "host_override": options.pop("host_override", None),
            }

        # Object storage. Options of a person go before our limits, the key before both.
        waits = {
            "timeout": f"{self._seconds:g}s",
            "connect_timeout": f"{min(self._seconds, 5):g}s",
            "client_max_retries": "3",
            "client_retry_timeout": f"{max(1, int(self._seconds)):d}",
        }
        return {
            "uri": self.place.uri,
            "storage_options": {**waits, **options, **storage_credentials(scheme, key)},
        }

    def _timed(self, io: IoTimeout, work: Callable[[], T], **limits: Any) -> T:
        """The result of work under a limit of time. Raises SharedUnavailable or Cancelled."""
        try:
            return io.call(lambda: self._converted(work), **limits)
        except IoTimedOut as error:
            raise self._away(msg("No response was received in time")) from error

    def _converted(self, work: Callable[[], T]) -> T:
        """The result of work, with whatever the library raises as SharedUnavailable."""
        try:
            return work()
        except (SharedUnavailable, Cancelled):
            raise
        except ScrubjayError as error:  # the keychain is locked
            raise self._away(as_sentence(str(error))) from error
        except BaseException as error:  # as the library likes
            if not isinstance(error, Exception) and type(error).__name__ != _PANIC:
                raise
            reason = storage_error_reason(error)
            if reason == TOO_LARGE:
                raise self._away(reason, TablesTooLarge) from error
            if reason in LOST:
                raise self._away(reason, FilesLost) from error
            raise self._away(reason) from error

    def _away(
        self, reason: str, kind: type[SharedUnavailable] = SharedUnavailable
    ) -> SharedUnavailable:
        """The error of a memory that does not answer, for a reason."""
        # A text that is cut is no longer a Sentence, and stays English.
        if reason.endswith("."):
            reason = reason.rstrip(".")
        return kind(
            msg("The shared memory {uri} cannot be reached", uri=self.place.uri),
            msg("{reason}.", reason=reason),
        )


def _not_installed() -> SharedUnavailable:
    return SharedUnavailable(
        "Shared memories need a part of Scrubjay that is not installed",
        hint="Ask the person who installed Scrubjay to add the missing part "
        "(350 MB), or run `pip install 'scrubjay[team]'`.",
    )


def shared_record(row: WorkspaceRow) -> SharedRecord:
    """The record of a row."""
    return SharedRecord(
        name=row.name,
        title=_label(row.title) or row.name,
        documents=row.documents or 0,
        chunks=row.chunks or 0,
        identity=row.identity or "",
        published_at=_moment(row.published_at or ""),
        published_by=_label(row.published_by),
        holder=_label(row.holder_name) if row.holder else "",
        is_newer=row.schema > SCHEMA,
    )


def _label(text: str | None) -> str:
    """An untrusted name, in a form that can be shown anywhere."""
    label = printable_label(text or "").strip()
    if len(label) > _MOST_LABEL:
        return f"{label[:_MOST_LABEL]}…"
    return label


def _size(entry: os.DirEntry[str]) -> int:
    """Bytes of a file; 0 if a publisher has just given it another name."""
    with contextlib.suppress(FileNotFoundError):
        return entry.stat().st_size
    return 0


def _moment(text: str) -> dt.datetime | None:
    """A time with its zone; None if there is none that any zone can show."""
    with contextlib.suppress(ValueError):
        moment = dt.datetime.fromisoformat(text)
        if moment.tzinfo and dt.MINYEAR < moment.year < dt.MAXYEAR:
            return moment
    return None


def too_new_error(title: str) -> SharedUnavailable:
    """The refusal of a workspace that a later version wrote."""
    error = SharedUnavailable(
        msg("The shared memory {name} was published with a newer version of Scrubjay", name=title),
        hint="Update Scrubjay.",
    )
    error.is_of_workspace = True
    return error


def uri_folder(uri: str) -> Path:
    """The folder of a place without a scheme."""
    return expanded_path(Path(uri.removeprefix("file://"))).absolute()


def storage_credentials(scheme: str, key: str) -> Mapping[str, str]:
    """Options of a storage with a key of the keychain; none without, then the environment counts.

    The key of S3 is its id, a colon and the secret.
    """
    if not key:
        return {}
    match scheme:
        case "s3":
            number, _, secret = key.partition(":")
            return {"aws_access_key_id": number, "aws_secret_access_key": secret}
        case "gs":
            return {"google_service_account_key": key}
    return {"azure_storage_account_key": key}


def storage_error_reason(error: BaseException) -> Sentence:
    """Why the storage did not do something, in a few words."""
    if isinstance(error, ReadFailed):
        return error.reason
    if isinstance(error, TooManyBytes):
        return TOO_LARGE
    text = " ".join(str(error).split())
    if isinstance(error, OSError) and error.errno:
        return system_reason(error)
    told = _TOLD.search(text)
    if told:
        return as_sentence(printable_label(told[1]))
    # The library has one class of exceptions for nearly everything, so its text decides.
    for reason, *signs in _REASONS:
        if any(sign in text for sign in signs):
            return reason
    said = printable_label(text.split(", ")[0].split(". ")[0][:200])
    return as_sentence(said or type(error).__name__)


_TOLD = re.compile(r"<Message>(.+?)</Message>")
"""Sentence in an answer of services like S3."""
_GONE = msg("Some of its files are missing")
"""Reason of FilesLost, as people see it."""
_DAMAGED = msg("Its files are damaged")
"""Reason of FilesLost, as people see it."""
TOO_LARGE = msg("Its files are damaged or too large to read")
"""Reason of FilesLost, as people see it."""
LOST = (_GONE, _DAMAGED, TOO_LARGE)
"""Reasons of FilesLost."""
_PANIC = "PanicException"
"""Name of the class of a fault in the library, which is not an Exception."""

# Each reason with the words by which the library's errors for it are known. The first that fits
# counts, so the damage of a file goes before its absence.
_REASONS = (
    (msg("No response was received in time"), "timed out", "operation timed out", "TimedOut"),
    (msg("No server is responding at this address"), "error sending request", "Connection refused"),
    # A number alone may be part of the random name of a file.
    (msg("The service is too busy"), "status: 503", "503 Service Unavailable", "SlowDown"),
    (
        msg("Another computer was writing to the shared memory at the same time"),
        "Incompatible transaction",
    ),
    (msg("The service does not accept the key"), "status: 401", "status: 403", "Unauthenticated"),
    (msg("The service does not accept the key"), "401 Unauthorized", "403 Forbidden"),
    (msg("The region is unknown. Set aws_region=… in the options"), "Failed to resolve region"),
    (msg("There is no key for the service"), "api_key is required"),
    (msg("The system does not allow access"), "Operation not permitted", "Permission denied"),
    (_DAMAGED, "file size is too small", "Invalid range", "orrupt", "invalid magic"),
    (_DAMAGED, "failed to decode", "failed to fill whole buffer", "panicked", "Offset overflow"),
    (_GONE, "Not found", "NotFound", "No such file"),
)
