"""Lets QMD answer where the settings say so, and the built-in search where it cannot."""

from __future__ import annotations

import contextlib
import logging
import math
import re
import shutil
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.thread_pool import SerialQueue
from scrubjay.concurrency.timers import Timer, Timers
from scrubjay.config.schema.qmd_backend import QmdMatch, QmdScope, QmdSettings
from scrubjay.errors import Cancelled, NoteRefused, QmdFailed
from scrubjay.events import Event, EventBus, IndexChanged
from scrubjay.messages import msg
from scrubjay.notes.note_pages import file_inside, page_of
from scrubjay.notes.note_reader import NoteUnreadable, decode, read_note
from scrubjay.notes.scan import session_folders
from scrubjay.platform.paths import Paths
from scrubjay.platform.state_file import StateFile
from scrubjay.qmd.collections import PREFIX, named
from scrubjay.qmd.process import Programs
from scrubjay.qmd.results import limited
from scrubjay.qmd.workspace_index import Sidecar
from scrubjay.records.search_records import (
    BackendStatus,
    EngineStatus,
    Freshness,
    Hit,
    Mode,
    NotePage,
    SearchAnswer,
    SearchRequest,
    Takeover,
    Workspace,
)
from scrubjay.workspaces.registry import Registry
from scrubjay.workspaces.status_board import StatusBoard

log = logging.getLogger(__name__)

Search: TypeAlias = Callable[[SearchRequest, CancelToken], Future[SearchAnswer]]

RETRY_S = 60.0
"""After a failure QMD is left alone so long."""
_FIRST_READ_S = 10.0
"""A search waits so long for notes that QMD never read."""
_AT_ONCE = 4


class QmdBackend:
    """Stands before the built-in search. For any thread; starts nothing unless it is wanted."""

    def __init__(
        self,
        paths: Paths,
        pool: Executor,
        registry: Registry,
        board: StatusBoard,
        events: EventBus,
        alarms: Timers,
        builtin: Search,
    ) -> None:
        self._folder = paths.state / "qmd"
        self._registry = registry
        self._board = board
        self._events = events
        self._alarms = alarms
        self._builtin = builtin
        self._programs = Programs()
        self._sidecars: dict[str, Sidecar] = {}
        self._lock = threading.Lock()
        self._updates = SerialQueue(pool)
        self._searches = ThreadPoolExecutor(_AT_ONCE, "scrubjay-qmd")
        self._closed = CancelToken()
        self._failure: tuple[QmdSettings, float, str] | None = None
        """With which settings it failed, when, and why."""
        self._told = StateFile(self._folder / "failure.json")
        """The last failure, for programs that start later."""
        self._has_answered = False
        self._note = ""
        self._due: dict[str, Timer] = {}
        self._is_following = False

    @property
    def is_wanted(self) -> bool:
        """True when the settings choose QMD."""
        return self._registry.loaded.settings.memory.backend == "qmd"

    def search(self, request: SearchRequest, cancel: CancelToken) -> Future[SearchAnswer]:
        """The answer of whoever is chosen. The future may raise what a search may raise.

        QMD is asked for what agents and people ask as a whole. While somebody types, and where
        words or meaning alone are asked for, the built-in search answers.
        """
        if not self.is_wanted:
            return self._builtin(request, cancel)
        if not is_allowed(self._settings.scope, request.session_key):
            return _done(_refused(request))
        chosen = self._chosen(request)
        if request.mode is not Mode.HYBRID or request.is_typing or not chosen:
            return self._builtin(request, cancel)
        answer: Future[SearchAnswer] = Future()
        answer.set_running_or_notify_cancel()
        try:
            self._searches.submit(self._answer, request, chosen, cancel, answer)
        except RuntimeError:  # closed
            answer.set_exception(Cancelled())
        return answer

    def page(
        self, workspace: Workspace, path: str, first_line: int, line_count: int | None
    ) -> NotePage | None:
        """A page of a note at `qmd/<collection>/<path>`; None for every other path.

        Reads a file. Raises NoteRefused.
        """
        if (file := self._file(workspace, path)) is None:
            return None
        return page_of(file, path, first_line=first_line, line_count=line_count)

    def text(self, workspace: Workspace, path: str) -> str | None:
        """The whole of such a note, for a person. Reads a file. Raises NoteRefused."""
        file = self._file(workspace, path)
        try:
            return decode(read_note(file).data) if file else None
        except (FileNotFoundError, NoteUnreadable) as error:
            raise NoteRefused(msg("{path} cannot be shown", path=path), str(error)) from error

    def _file(self, workspace: Workspace, path: str) -> Path | None:
        if not self.is_wanted or not path.startswith(PREFIX):
            return None
        name, _, inside = path[len(PREFIX) :].partition("/")
        one = named(self._sidecar(workspace).collections(workspace, self._settings), name)
        if one is None:
            return None
        if not one.holds(inside):
            raise NoteRefused(
                msg("{path} cannot be read here", path=repr(path)), "It is not in that collection."
            )
        return file_inside(one.root, inside)

    def with_status(self, status: EngineStatus) -> EngineStatus:
        """The status, saying who answers searches."""
        if not self.is_wanted:
            return status
        failure = self._failure
        reason = failure[2] if failure and failure[0] == self._settings else ""
        return replace(status, backend=BackendStatus("qmd", reason, self._note))

    def look(self) -> None:
        """Learn from a small file how QMD failed in another program."""
        if not self.is_wanted or self._failure or self._has_answered:
            return
        with contextlib.suppress(OSError):
            told = self._told.read()
            if told.get("command") == self._settings.command:
                # Long ago, so that it is tried at once.
                self._failure = (self._settings, -math.inf, str(told.get("reason", "")))

    def start(self) -> None:
        """Keep QMD up to date from now on."""
        self._is_following = True
        self._events.subscribe(self._heard)
        if self.is_wanted and self._settings.update.on_boot:
            for workspace in self._registry.enabled():
                self.update(workspace)
        self._look_again()

    def update(self, workspace: Workspace) -> Future[None]:
        """Let QMD read what changed. The future may raise QmdFailed or Cancelled."""
        return self._updates.submit(lambda: self._update(workspace))

    def drop(self, workspace_id: str) -> None:
        """Delete all that QMD has of a workspace that was taken off the list."""
        with self._lock:
            self._sidecars.pop(workspace_id, None)
            if due := self._due.pop(workspace_id, None):
                due.cancel()
        home = self._folder / workspace_id
        if home.is_dir():
            # Behind an update that may run.
            self._updates.submit(lambda: shutil.rmtree(home, ignore_errors=True))

    def close(self) -> None:
        """End what runs and start nothing any more."""
        self._closed.cancel()
        self._programs.close()
        self._updates.close()
        self._searches.shutdown(cancel_futures=True)

    # -- when to read -------------------------------------------------------------------------

    def _heard(self, event: Event) -> None:
        if not isinstance(event, IndexChanged) or not self.is_wanted:
            return
        for workspace in self._registry.enabled():
            if workspace.id == event.workspace:
                self._update_when_quiet(workspace)

    def _update_when_quiet(self, workspace: Workspace) -> None:
        seconds = self._settings.update.debounce_ms / 1000
        with self._lock:
            if earlier := self._due.pop(workspace.id, None):
                earlier.cancel()
            self._due[workspace.id] = self._alarms.after(seconds, lambda: self.update(workspace))

    def _look_again(self) -> None:
        """Once a minute, whatever the settings say by then."""
        self._alarms.after(60, self._look_again)
        if self.is_wanted and self._settings.update.interval:
            for workspace in self._registry.enabled():
                if self._sidecar(workspace).is_due(self._settings) and not self._is_resting():
                    self.update(workspace)

    def _update(self, workspace: Workspace) -> None:
        """On the thread for updates."""
        settings = self._settings
        search = self._registry.settings(workspace).sessions

        def folders() -> tuple[Path, ...]:
            return session_folders(workspace.root, workspace.id, search.paths)

        try:
            self._sidecar(workspace).update(workspace, settings, folders, self._closed)
        except QmdFailed as failure:
            self._note = msg("QMD could not read what changed. {message}", message=failure.message)
            log.warning("QMD update failed: %s", failure.message)
            if not self._sidecar(workspace).is_ready:
                self._failed(settings, failure)
            raise
        self._note = ""

    # -- answering ----------------------------------------------------------------------------

    def _answer(
        self,
        request: SearchRequest,
        chosen: Sequence[Workspace],
        cancel: CancelToken,
        answer: Future[SearchAnswer],
    ) -> None:
        """On a thread of its own."""
        began = time.perf_counter()
        settings = self._settings
        try:
            cancel.check()
            if self._is_resting():
                raise QmdFailed(self._failure[2] if self._failure else "")
            found = [hit for one in chosen for hit in self._found(request, one, settings, cancel)]
        except QmdFailed as failure:
            self._failed(settings, failure)
            self._fall_back(request, cancel, failure.message, answer)
        except BaseException as error:  # whoever asked must get an answer
            answer.set_exception(error)
        else:
            self._answers()
            kept = limited(found, settings, request.max_results)
            answer.set_result(self._answered(request, chosen, kept, settings, began))

    def _found(
        self, request: SearchRequest, one: Workspace, settings: QmdSettings, cancel: CancelToken
    ) -> list[Hit]:
        sidecar = self._sidecar(one)
        if not request.text.strip():
            return []
        if not sidecar.is_ready or (not self._is_following and sidecar.is_due(settings)):
            self._read_first(one, sidecar)
        return sidecar.search(request, one, settings, cancel)

    def _read_first(self, workspace: Workspace, sidecar: Sidecar) -> None:
        try:
            self.update(workspace).result(_FIRST_READ_S)
        except TimeoutError:
            if not sidecar.is_ready:
                raise QmdFailed("QMD is reading the notes for the first time.") from None
        except QmdFailed:
            if not sidecar.is_ready:
                raise
            # What it read before still answers; the status says that it is behind.

    def _answered(
        self,
        request: SearchRequest,
        chosen: Sequence[Workspace],
        hits: tuple[Hit, ...],
        settings: QmdSettings,
        began: float,
    ) -> SearchAnswer:
        listed = [self._board.workspace(one.id) for one in chosen]
        return SearchAnswer(
            request,
            hits,
            Mode.LEXICAL if settings.search_mode == "search" else Mode.HYBRID,
            "qmd",
            settings.search_mode,
            # Of the built-in index; what QMD has read it does not say.
            freshness=Freshness(
                documents=sum(one.freshness.documents for one in listed if one),
                pending=0,
                unreadable=0,
                embedded=1.0,
                checked_at=None,
                reason=self._note,
            ),
            elapsed_ms=(time.perf_counter() - began) * 1000,
        )

    def _fall_back(
        self, request: SearchRequest, cancel: CancelToken, why: str, answer: Future[SearchAnswer]
    ) -> None:
        def end(done: Future[SearchAnswer]) -> None:
            if error := done.exception():
                answer.set_exception(error)
                return
            found = done.result()
            reason = found.fallback_reason
            if reason:
                reason = msg("{why} {reason}", why=why, reason=reason)
            answer.set_result(replace(found, takeover=Takeover("qmd", why), fallback_reason=reason))

        self._builtin(request, cancel).add_done_callback(end)

    # -- what is known ------------------------------------------------------------------------

    @property
    def _settings(self) -> QmdSettings:
        return self._registry.loaded.settings.memory.qmd

    def _is_resting(self) -> bool:
        """True for a while after a failure, unless the settings have changed."""
        failure = self._failure
        return (
            failure is not None
            and failure[0] == self._settings
            and time.monotonic() - failure[1] < RETRY_S
        )

    def _failed(self, settings: QmdSettings, failure: QmdFailed) -> None:
        if self._is_resting():
            return
        self._failure = (settings, time.monotonic(), failure.message)
        with contextlib.suppress(OSError), self._told.changed() as told:
            told |= {"command": settings.command, "reason": failure.message}

    def _answers(self) -> None:
        if self._failure or not self._has_answered:
            with contextlib.suppress(OSError):
                self._told.path.unlink(missing_ok=True)
        self._failure, self._has_answered = None, True

    def _sidecar(self, workspace: Workspace) -> Sidecar:
        with self._lock:
            if workspace.id not in self._sidecars:
                home = self._folder / workspace.id
                self._sidecars[workspace.id] = Sidecar(home, self._programs)
            return self._sidecars[workspace.id]

    def _chosen(self, request: SearchRequest) -> tuple[Workspace, ...]:
        """Workspaces of the list; a folder that is open in this run only is not QMD's."""
        enabled = self._registry.enabled()
        if request.workspace:
            return tuple(one for one in enabled if one.id == request.workspace)
        return tuple(one for one in enabled if not request.among or one.id in request.among)


def _refused(request: SearchRequest) -> SearchAnswer:
    reason = msg("The settings do not let notes be found in this conversation (memory.qmd.scope).")
    return SearchAnswer(request, (), request.mode, "none", "", fallback_reason=reason)


def _done(answer: SearchAnswer) -> Future[SearchAnswer]:
    future: Future[SearchAnswer] = Future()
    future.set_result(answer)
    return future


_AGENT = re.compile(r"agent:[^:]*:")


def is_allowed(scope: QmdScope, session_key: str) -> bool:
    """What the first rule that matches says, else the default.

    A blank key stands for a direct chat: a person at this computer, or their own agent.
    """
    raw = session_key.strip().lower()
    key = _AGENT.sub("", raw, count=1) if _AGENT.match(raw) else raw
    for rule in scope.rules:
        if _matches(rule.match, raw, key):
            return rule.action == "allow"
    return scope.default == "allow"


def _matches(match: QmdMatch, raw: str, key: str) -> bool:
    prefix = (match.key_prefix or "").strip().lower()
    # Older settings have the whole key here.
    whole = raw if _AGENT.match(prefix) else key
    return (
        (match.chat_type is None or match.chat_type == _chat_type(key))
        and (match.channel is None or match.channel.strip().lower() == _channel(key))
        and whole.startswith(prefix)
        and raw.startswith((match.raw_key_prefix or "").strip().lower())
    )


def _chat_type(key: str) -> str:
    """Keys are such as `telegram:group:123`, `discord:channel:9`, `main`; subagents have none."""
    parts = key.split(":")
    if parts[0] == "subagent":
        return ""
    return next((kind for kind in ("group", "channel") if kind in parts), "direct")


def _channel(key: str) -> str:
    parts = [part for part in key.split(":") if part]
    kinds = ("group", "channel", "direct", "dm")
    return parts[0] if len(parts) > 1 and parts[1] in kinds else ""
