"""QMD's index of one workspace: its home folder, collections, updates and searches."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.config.schema.qmd_backend import QmdSettings
from scrubjay.errors import QmdFailed, system_reason
from scrubjay.messages import msg
from scrubjay.platform.atomic_write import PRIVATE_FILE, write_atomically
from scrubjay.platform.child_process import minimal_environment
from scrubjay.platform.paths import expanded_path, make_private_folder
from scrubjay.qmd.collections import QmdCollection, export_sessions, workspace_collections
from scrubjay.qmd.process import run_program
from scrubjay.qmd.results import parse_hits
from scrubjay.records.note_records import Workspace
from scrubjay.records.search_records import Hit, SearchRequest
from scrubjay.search.hits import open_hits

# The words with which command lines refuse a command or an option that they do not know.
_REJECTED = re.compile(
    r"(?:unknown|unrecognized|unsupported|invalid|not defined)[^:]{0,40}(?:command|mode|option|flag"
    r"|argument|subcommand)|(?:command|mode|option|flag|argument)[^:]{0,40}(?:unknown|unrecognized"
    r"|not (?:supported|recognized|defined))|unknown command",
    re.IGNORECASE,
)
"""Refusal of a command or an option."""
_DAMAGED = re.compile(r"not a database|disk image is malformed|SQLITE_(?:CORRUPT|NOTADB)")
"""Words of SQLite on a damaged index."""
_EMBEDDING_MODES = ("vsearch", "query")
"""Modes that search by meaning, for which passages are embedded."""
_VARIABLES = frozenset(
    (
        *("APPDATA", "ASDF_DATA_DIR", "ASDF_DIR", "BUN_INSTALL", "COMSPEC", "FNM_DIR", "LOGNAME"),
        *("NODE_EXTRA_CA_CERTS", "NVM_DIR", "PATHEXT", "SHELL", "SSL_CERT_DIR", "SSL_CERT_FILE"),
        *("USER", "VOLTA_HOME"),
        *("ALL_PROXY", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"),
        *("all_proxy", "http_proxy", "https_proxy", "no_proxy"),
    )
)
"""Variables that Node, its version managers and downloads of QMD read."""
_BEGINNINGS = ("NODE_LLAMA_CPP_", "QMD_", "XDG_")
"""Beginnings of other variables that it reads."""


class WorkspaceIndex:
    """QMD's index of one workspace, with all data below one home folder. For any thread."""

    def __init__(
        self,
        home: Path,
        workspace: Workspace,
        settings: Callable[[], QmdSettings],
        closed: CancelToken,
    ) -> None:
        self._home = home
        self._config = home / "config" / "qmd"
        self._cache = home / "cache" / "qmd"
        self.workspace = workspace
        self._settings = settings
        self._closed = closed
        self._rejected: set[tuple[str, str]] = set()
        """Commands with a mode that they do not know."""

    @property
    def is_ready(self) -> bool:
        """True once the notes were indexed, with the current collections and conversations."""
        with contextlib.suppress(OSError):
            return (self._home / "updated").read_bytes() == self._wanted
        return False

    @property
    def is_due(self) -> bool:
        """True when the last update is longer ago than the interval of the settings."""
        interval = self._settings().update.interval * 60
        return not self.is_ready or (0 < interval < time.time() - self._time("updated"))

    @property
    def collections(self) -> dict[str, QmdCollection]:
        """The collections of the workspace by name."""
        settings = self._settings()
        sessions = self._exported if settings.sessions.enabled else None
        workspace = self.workspace
        return workspace_collections(
            workspace.root, settings, sessions=sessions, layout=workspace.layout
        )

    @property
    def _exported(self) -> Path:
        """Folder of exported conversations, in which nothing else is."""
        chosen = self._settings().sessions.export_dir.strip()
        if not chosen:
            return self._home / "sessions"
        return Path.home() / expanded_path(Path(chosen)) / f"scrubjay-{self.workspace.id}"

    @property
    def _wanted(self) -> bytes:
        """The settings that an index is made by; its first line is QMD's own settings file."""
        entries = {
            name: {"path": str(collection.root), "pattern": collection.pattern}
            for name, collection in self.collections.items()
        }
        sessions = json.dumps(self._settings().sessions.by_key(), separators=(",", ":"))
        return f"{json.dumps({'collections': entries})}\n{sessions}\n".encode()

    def update(self, transcripts: Callable[[], tuple[Path, ...]]) -> None:
        """Index changes; transcripts gives folders. Not twice at once. May raise QmdFailed."""
        settings = self._settings()
        # First the files that QMD reads: exported conversations, and its settings.
        with _folder_errors():
            if settings.sessions.enabled:
                export_sessions(transcripts(), self._exported, settings.sessions.retention_days)
            else:  # switched off
                shutil.rmtree(self._exported, ignore_errors=True)
            wanted = self._wanted
            self._make_home()
            if not self.is_ready or not (self._config / "index.yml").is_file():
                # JSON is valid YAML. Else the file stays, since QMD adds to it.
                write_atomically(self._config / "index.yml", wanted.partition(b"\n")[0], 0o600)
        self._run(["update"], settings.update.update_timeout_ms / 1000)
        with _folder_errors():
            write_atomically(self._home / "updated", wanted, PRIVATE_FILE)
        # Embedding is slow, so it has its own interval.
        every = settings.update.embed_interval * 60
        is_late = time.time() - self._time("embed-tried") > every
        if settings.search_mode in _EMBEDDING_MODES and every and is_late:
            self._stamp("embed-tried")  # a failure is not repeated at once either
            self._run(["embed"], settings.update.embed_timeout_ms / 1000)
            self._stamp("embedded")

    def search(self, request: SearchRequest, cancel: CancelToken) -> list[Hit]:
        """Hits in QMD's order. Raises QmdFailed or Cancelled."""
        # All runs of one search share its time.
        settings = self._settings()
        limit = min(request.max_results or 1000, settings.limits.max_results)
        until = time.monotonic() + settings.limits.timeout_ms / 1000
        # One line, since line breaks have a meaning in mode `query`.
        query = " ".join(request.text.replace("\0", " ").split())

        def run(mode: str) -> str:
            arguments = [mode, "--json", "-n", str(limit), "--", query]
            return self._run(arguments, max(0.05, until - time.monotonic()), cancel)

        mode = settings.search_mode
        if (settings.command, mode) in self._rejected:
            mode = "query"
        if mode == "vsearch" and not self._time("embedded"):
            # It would find nothing, without a reason.
            raise QmdFailed("QMD has not prepared the notes for search by meaning yet.")
        # A version that does not know the mode searches with `query` from then on.
        try:
            output = run(mode)
        except QmdFailed as failure:
            if mode == "query" or not failure.is_exit or not _REJECTED.search(failure.message):
                raise
            output = run("query")
            self._rejected.add((settings.command, mode))
        min_score = request.min_score or 0.0
        hits = parse_hits(output, self.workspace, self.collections)
        return [
            hit
            for hit in open_hits(hits, [self.workspace], request.conversation)
            if hit.score >= min_score and (not request.sources or hit.source in request.sources)
        ]

    def _run(self, arguments: list[str], seconds: float, *cancels: CancelToken) -> str:
        self._make_home()
        command = self._settings().command
        # QMD's folders are moved into the home.
        environ = minimal_environment(os.environ, _VARIABLES, _BEGINNINGS) | {
            "XDG_CONFIG_HOME": str(self._home / "config"),
            "XDG_CACHE_HOME": str(self._home / "cache"),
            "QMD_CONFIG_DIR": str(self._config),
            "PWD": str(self._home),
            "NO_COLOR": "1",
        }
        try:
            return run_program(
                command,
                arguments,
                self._closed,
                *cancels,
                home=self._home,
                environ=environ,
                seconds=seconds,
            )
        except QmdFailed as failure:
            if _DAMAGED.search(failure.message):
                self._delete_index()
            raise

    def _delete_index(self) -> None:
        """Delete a damaged index, so that the next update builds it again."""
        for file in self._cache.glob("index.sqlite*"):
            with contextlib.suppress(OSError):
                file.unlink()
        for name in ("updated", "embedded", "embed-tried"):
            (self._home / name).unlink(missing_ok=True)

    def _make_home(self) -> None:
        with _folder_errors():
            for folder in (self._config, self._cache):
                make_private_folder(folder)
        # A person's own QMD may have downloaded its models already.
        models = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "qmd", "models")
        if models.is_dir() and not os.path.lexists(self._cache / "models"):
            # Two gigabytes of models, shared by all workspaces.
            with contextlib.suppress(OSError):
                (self._cache / "models").symlink_to(models, target_is_directory=True)

    def _stamp(self, name: str) -> None:
        """Note that something was done now, in a file of that name."""
        with contextlib.suppress(OSError):
            (self._home / name).touch(PRIVATE_FILE)

    def _time(self, name: str) -> float:
        """Time of a stamp in seconds since 1970; 0 if there is none."""
        with contextlib.suppress(OSError):
            return (self._home / name).stat().st_mtime
        return 0.0


@contextlib.contextmanager
def _folder_errors() -> Iterator[None]:
    """Inside, a folder that cannot be written raises QmdFailed."""
    try:
        yield
    except OSError as error:
        raise QmdFailed(
            msg("Scrubjay cannot write to QMD's folder ({reason}).", reason=system_reason(error))
        ) from error
