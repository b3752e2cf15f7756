"""QMD for one workspace: a home of its own, its collections, and what is asked of it."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import threading
import time
from collections.abc import Callable
from pathlib import Path

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.config.schema.qmd_backend import QmdSettings
from scrubjay.errors import QmdFailed, system_reason
from scrubjay.messages import msg
from scrubjay.platform.atomic_write import replace_bytes
from scrubjay.qmd.collections import QmdCollection, collections, export_sessions
from scrubjay.qmd.process import Programs
from scrubjay.qmd.results import hits, read_results
from scrubjay.records.search_records import Hit, SearchRequest, Workspace

_REJECTED = re.compile(
    r"(?:unknown|unrecognized|unsupported|invalid|not defined)[^:]{0,40}(?:command|mode|option|flag"
    r"|argument|subcommand)|(?:command|mode|option|flag|argument)[^:]{0,40}(?:unknown|unrecognized"
    r"|not (?:supported|recognized|defined))|unknown command",
    re.IGNORECASE,
)
_DAMAGED = re.compile(r"not a database|disk image is malformed|SQLITE_(?:CORRUPT|NOTADB)")
_EMBEDDING_MODES = ("vsearch", "query")


class Sidecar:
    """Everything that QMD has of one workspace is below its home. For any thread."""

    def __init__(self, home: Path, programs: Programs) -> None:
        self._home = home
        self._programs = programs
        self._lock = threading.Lock()
        self._rejected: set[tuple[str, str]] = set()
        """Commands with the modes that they do not know."""

    @property
    def is_ready(self) -> bool:
        """True once the notes were read, with the collections as they are now."""
        return self._updated_at() > 0

    def is_due(self, settings: QmdSettings) -> bool:
        """True when the notes were not read for as long as the settings say."""
        interval = settings.update.interval * 60
        return not self.is_ready or (0 < interval < time.time() - self._updated_at())

    def collections(self, workspace: Workspace, settings: QmdSettings) -> tuple[QmdCollection, ...]:
        """What is indexed for the workspace."""
        sessions = self._sessions if settings.sessions.enabled else None
        return collections(workspace.root, settings, sessions)

    def update(
        self,
        workspace: Workspace,
        settings: QmdSettings,
        transcripts: Callable[[], tuple[Path, ...]],
        cancel: CancelToken,
    ) -> None:
        """Read what changed. Transcripts are folders. Raises QmdFailed or Cancelled."""
        with self._lock:
            try:
                if settings.sessions.enabled:
                    export_sessions(transcripts(), self._sessions, settings.sessions.retention_days)
                else:  # somebody does not want them any more
                    shutil.rmtree(self._sessions, ignore_errors=True)
                self._write_collections(self.collections(workspace, settings))
            except OSError as error:
                raise QmdFailed(
                    msg("QMD's folder cannot be written ({reason}).", reason=system_reason(error))
                ) from error
            seconds = settings.update.update_timeout_ms / 1000
            self._run(settings, ["update"], seconds, cancel)
            self._stamp("updated")
            every = settings.update.embed_interval * 60
            is_late = time.time() - _time_of(self._home / "embed-tried") > every
            if settings.search_mode in _EMBEDDING_MODES and every and is_late:
                self._stamp("embed-tried")  # a failure is not repeated at once either
                self._run(settings, ["embed"], settings.update.embed_timeout_ms / 1000, cancel)
                self._stamp("embedded")

    def search(
        self,
        request: SearchRequest,
        workspace: Workspace,
        settings: QmdSettings,
        cancel: CancelToken,
    ) -> list[Hit]:
        """Hits in QMD's order. Raises QmdFailed or Cancelled."""
        wanted = min(request.max_results or 1000, settings.limits.max_results)
        until = time.monotonic() + settings.limits.timeout_ms / 1000
        mode = settings.search_mode
        if (settings.command, mode) in self._rejected:
            mode = "query"
        if mode == "vsearch" and not _time_of(self._home / "embedded"):
            # It would find nothing, and nobody would know why.
            raise QmdFailed("QMD has no vectors of the notes yet.")
        try:
            output = self._ask(mode, request.text, wanted, settings, until, cancel)
        except QmdFailed as failure:
            if mode == "query" or not failure.is_exit or not _REJECTED.search(failure.message):
                raise
            output = self._ask("query", request.text, wanted, settings, until, cancel)
            self._rejected.add((settings.command, mode))
        found = hits(read_results(output), workspace, self.collections(workspace, settings))
        least = request.min_score or 0.0
        return [
            hit
            for hit in found
            if hit.score >= least and (not request.sources or hit.source in request.sources)
        ]

    def _ask(
        self,
        mode: str,
        text: str,
        wanted: int,
        settings: QmdSettings,
        until: float,
        cancel: CancelToken,
    ) -> str:
        # One line, because lines are a language of their own in mode `query`.
        words = [mode, "--json", "-n", str(wanted), "--", " ".join(text.replace("\0", " ").split())]
        return self._run(settings, words, max(0.05, until - time.monotonic()), cancel)

    def _run(
        self, settings: QmdSettings, words: list[str], seconds: float, cancel: CancelToken
    ) -> str:
        self._make_home()
        try:
            return self._programs.run(
                settings.command, words, self._home, self._environ(), seconds, cancel
            )
        except QmdFailed as failure:
            if _DAMAGED.search(failure.message):
                self._forget_index()
            raise

    def _forget_index(self) -> None:
        """A damaged index is made of the notes again, the next time that QMD is tried."""
        for file in (self._home / "cache" / "qmd").glob("index.sqlite*"):
            with contextlib.suppress(OSError):
                file.unlink()
        for name in ("updated", "embedded", "embed-tried"):
            (self._home / name).unlink(missing_ok=True)

    def _environ(self) -> dict[str, str]:
        """The person's own, with QMD's folders moved into the home."""
        environ = {name: value for name, value in os.environ.items() if name != "INDEX_PATH"}
        return environ | {
            "XDG_CONFIG_HOME": str(self._home / "config"),
            "XDG_CACHE_HOME": str(self._home / "cache"),
            "QMD_CONFIG_DIR": str(self._config),
            "PWD": str(self._home),
            "NO_COLOR": "1",
        }

    @property
    def _config(self) -> Path:
        return self._home / "config" / "qmd"

    @property
    def _sessions(self) -> Path:
        return self._home / "sessions"

    def _make_home(self) -> None:
        cache = self._home / "cache" / "qmd"
        try:
            for folder in (self._config, cache):
                folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise QmdFailed(
                msg("QMD's folder cannot be written ({reason}).", reason=system_reason(error))
            ) from error
        usual = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "qmd", "models")
        if usual.is_dir() and not os.path.lexists(cache / "models"):
            # Two gigabytes that need not be fetched once for each workspace.
            with contextlib.suppress(OSError):
                (cache / "models").symlink_to(usual, target_is_directory=True)

    def _write_collections(self, found: tuple[QmdCollection, ...]) -> None:
        """QMD's own settings file; it is YAML, of which JSON is a part."""
        self._make_home()
        listed = {one.name: {"path": str(one.root), "pattern": one.pattern} for one in found}
        wanted = f"{json.dumps({'collections': listed}, indent=2)}\n".encode()
        # QMD adds to its file what it likes, so what was written is kept beside it.
        written, file = self._home / "collections.json", self._config / "index.yml"
        if file.is_file() and written.is_file() and written.read_bytes() == wanted:
            return
        (self._home / "updated").unlink(missing_ok=True)
        replace_bytes(file, wanted, 0o600)
        replace_bytes(written, wanted, 0o600)

    def _updated_at(self) -> float:
        return _time_of(self._home / "updated")

    def _stamp(self, name: str) -> None:
        with contextlib.suppress(OSError):
            (self._home / name).touch()


def _time_of(file: Path) -> float:
    try:
        return file.stat().st_mtime
    except OSError:
        return 0.0
