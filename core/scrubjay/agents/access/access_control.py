"""The agents' door: rules, questions to the person, and the guest book. For any thread."""

from __future__ import annotations

import datetime as dt
import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import TYPE_CHECKING, Any

import apsw
from filelock import FileLock, Timeout

from scrubjay.agents.access.audit_log import AuditLog
from scrubjay.agents.access.permissions import LiveAccess, agent_id, permission, rule_path, rules
from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.thread_pool import SerialQueue
from scrubjay.config.settings_file import ConfigFile
from scrubjay.errors import IndexTooNew
from scrubjay.events import AccessAsked, AccessChanged, AccessSettled, AuditLogChanged, EventBus
from scrubjay.platform.paths import Paths
from scrubjay.records.access_records import (
    AccessRequest,
    Action,
    AuditEntry,
    KnownAgent,
    Permission,
    Rule,
)

if TYPE_CHECKING:
    from scrubjay.agents.access.presence import PresenceLock

log = logging.getLogger(__name__)

PATIENCE_S = 20.0
"""How long an agent waits for a person, below the 30 s in which every answer has to come."""
_LOOK_S = 0.1


class AccessControl:
    """What agents may do, what they did, and who waits for a yes.

    Futures may raise ConfigError where something is written to the settings.
    """

    def __init__(
        self, paths: Paths, pool: Executor, events: EventBus, reload: Callable[[], None]
    ) -> None:
        """Reload is called after a change of the settings. Nothing is started or opened yet."""
        self._config = paths.config_file
        self._folder = paths.state / "agents"
        self._events = events
        self._reload = reload
        self._book = AuditLog(self._folder / "guests.sqlite")
        self._live = LiveAccess(paths.config_file)
        self._lock = threading.Lock()
        self._jobs = SerialQueue(pool)
        self._attended = FileLock(str(self._folder / "attended.lock"), thread_local=False)
        self._attendance: PresenceLock | None = None
        self._latest: int | None = None
        self._open: dict[int, AccessRequest] = {}
        self._unwritten: list[AuditEntry] = []

    # -- rules --------------------------------------------------------------------------------

    def rules(self) -> tuple[Rule, ...]:
        """Every rule; the first two are those for all agents."""
        with self._lock:
            return rules(self._live.current())

    def permission(self, agent: str, workspace_id: str, action: Action) -> Permission:
        """What counts for an agent in a workspace right now."""
        with self._lock:
            return permission(self._live.current(), agent_id(agent), workspace_id, action)

    def set_rule(
        self, agent: str, workspace_id: str, action: Action, wanted: Permission | None
    ) -> Future[None]:
        """Write a rule, or with None take it back. Empty names stand for all."""
        return self._jobs.submit(lambda: self._set_rule(agent, workspace_id, action, wanted))

    # -- the guest book -----------------------------------------------------------------------

    def record(self, visit: AuditEntry) -> Future[None]:
        """Note a visit. A book that cannot be written stops nobody."""
        with self._lock:
            self._unwritten.append(visit)
        return self._jobs.submit(self._record)

    def seen(self) -> Future[tuple[KnownAgent, ...]]:
        """Who was here, the latest first."""
        return self._jobs.submit(lambda: self._reading(self._book.agents, ()))

    def visits(
        self, before: int | None = None, limit: int = 100, agent: str = ""
    ) -> Future[tuple[AuditEntry, ...]]:
        """A page of the book, the latest first; before is the id that the last page ended with."""
        return self._jobs.submit(
            lambda: self._reading(lambda: self._book.page(before, limit, agent), ())
        )

    def count(self) -> Future[int]:
        """How many visits are in the book."""
        return self._jobs.submit(lambda: self._reading(self._book.count, 0))

    def clear(self) -> Future[None]:
        """Forget all visits. The rules stay."""
        return self._jobs.submit(self._clear)

    # -- a person who is asked ----------------------------------------------------------------

    def attend(self) -> None:
        """From now on this process shows questions to a person, and announces what happens."""
        from scrubjay.agents.access.presence import PresenceLock

        with self._lock:
            if self._attendance is None:
                self._attendance = PresenceLock(self._folder, self._attended, self._look_soon)
                self._attendance.start()

    def waiting(self) -> Future[tuple[AccessRequest, ...]]:
        """Questions without an answer, the oldest first."""
        return self._jobs.submit(lambda: self._reading(self._requests, ()))

    def answer(
        self, request: AccessRequest, *, is_allowed: bool, always: bool = False
    ) -> Future[bool]:
        """Answer a question; with always it becomes a rule. False when nobody waits any more."""
        return self._jobs.submit(
            lambda: self._answer(request, is_allowed=is_allowed, always=always)
        )

    def ask(
        self,
        agent: str,
        workspace_id: str,
        action: Action,
        tool: str,
        query: str,
        cancel: CancelToken,
    ) -> Permission:
        """Ask the person and wait; ASK means that nobody answered. Blocks up to 20 seconds.

        Raises Cancelled.
        """
        if not self.is_attended():
            return Permission.ASK
        request = AccessRequest(
            0, agent_id(agent), workspace_id, action, tool, query, dt.datetime.now().astimezone()
        )
        number = self._jobs.submit(
            lambda: self._reading(lambda: self._book.ask(request), 0)
        ).result()
        until = time.monotonic() + PATIENCE_S
        try:
            while number and time.monotonic() < until:
                cancel.check()
                answer = self._jobs.submit(
                    lambda: self._reading(lambda: self._book.answer_of(number), "")
                ).result()
                if answer:
                    return Permission(answer)
                time.sleep(_LOOK_S)
        finally:
            if number:
                # Nothing to answer any more, whoever was faster.
                self._jobs.submit(
                    lambda: self._reading(lambda: self._book.answer(number, "ask"), False)
                )
        return Permission.ASK

    def is_attended(self) -> bool:
        """True while some process shows questions to a person."""
        if self._attendance:
            return True
        if not Path(self._attended.lock_file).exists():
            return False
        try:
            with self._attended.acquire(timeout=0):
                return False
        except Timeout:
            return True
        except OSError:
            return False

    def close(self) -> None:
        """Stop announcing and write what waits to be written."""
        if self._attendance:
            self._attendance.close()
        self._jobs.submit(self._book.close)
        self._jobs.close(seconds=1)

    # -- on the thread ------------------------------------------------------------------------

    def _set_rule(
        self, agent: str, workspace_id: str, action: Action, wanted: Permission | None
    ) -> None:
        path = rule_path(agent_id(agent) if agent else "", workspace_id, action)
        file = ConfigFile(self._config)
        if wanted is None:
            file.remove(path)
        else:
            file.set(path, str(wanted))
        self._reload()
        self._events.publish(AccessChanged())

    def _record(self) -> None:
        """Whatever came by now goes in at once."""
        with self._lock:
            visits, self._unwritten = self._unwritten, []
            days = self._live.current().guest_book_days
        if visits and days:
            self._reading(lambda: self._book.write(visits, days), None)

    def _clear(self) -> None:
        self._book.clear()
        self._events.publish(AuditLogChanged())

    def _answer(self, request: AccessRequest, *, is_allowed: bool, always: bool) -> bool:
        wanted = Permission.ALLOW if is_allowed else Permission.DENY
        if always:
            self._set_rule(request.agent, request.workspace, request.action, wanted)
        is_waiting = self._book.answer(request.id, str(wanted))
        self._look()
        return is_waiting

    def _requests(self) -> tuple[AccessRequest, ...]:
        return self._book.open_requests(time.time() - PATIENCE_S - 1)

    def _look_soon(self) -> None:
        self._jobs.submit(lambda: self._reading(self._look, None))

    def _look(self) -> None:
        """Announce what other processes wrote since the last look."""
        latest = self._book.latest()
        if latest != self._latest:
            self._latest = latest
            self._events.publish(AuditLogChanged())
        now = {request.id: request for request in self._requests()}
        before, self._open = self._open, now
        for number in before.keys() - now.keys():
            self._events.publish(AccessSettled(number))
        for number in now.keys() - before.keys():
            self._events.publish(AccessAsked(now[number]))

    def _reading(self, job: Callable[[], Any], otherwise: Any) -> Any:
        """The book is a log: when it cannot be used, agents are answered all the same."""
        try:
            return job()
        except (apsw.Error, OSError, IndexTooNew):
            log.exception("The guest book cannot be used")
            return otherwise
