"""Access of agents to workspaces: rules, requests to the user, and the audit log."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import apsw

from scrubjay.agents.access.audit_log import AuditLog
from scrubjay.agents.access.permissions import (
    access_rules,
    access_settings,
    agent_id,
    effective_permission,
    named_permission,
    rule_path,
)
from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.lazy import lazy
from scrubjay.concurrency.thread_pool import SerialQueue, queued
from scrubjay.config.schema.settings import AccessSettings
from scrubjay.config.settings_file import ConfigFile
from scrubjay.errors import IndexTooNew
from scrubjay.event_bus import EventBus
from scrubjay.events import AccessAsked, AccessChanged, AccessSettled, AuditLogChanged
from scrubjay.platform.atomic_write import PRIVATE_FILE
from scrubjay.platform.paths import Paths
from scrubjay.records.access_records import (
    AGENT_NAMES,
    AccessRequest,
    Action,
    AgentOverview,
    AuditEntry,
    KnownAgent,
    Permission,
    Rule,
    shown_name,
)
from scrubjay.records.note_records import Workspace
from scrubjay.records.workspace_id import WorkspaceId
from scrubjay.workspaces.registry import Registry

if TYPE_CHECKING:
    from filelock import FileLock

    from scrubjay.agents.access.presence import PresenceLock

log = logging.getLogger(__name__)

T = TypeVar("T")

ANSWER_WAIT_S = 20.0
"""Seconds that an agent waits for the user, below the 30 s in which every answer has to come."""
_POLL_S = 0.1
"""Seconds between two looks for an answer."""


class AccessControl:
    """Rules for agents, their requests, and the log of both. Futures may raise ConfigError."""

    def __init__(self, paths: Paths, pool: Executor, events: EventBus, registry: Registry) -> None:
        """Nothing is started or opened yet."""
        self._files = paths.settings
        self._folder = paths.state / "agents"
        self._events = events
        self._registry = registry
        self._log = AuditLog(self._folder / "guests.sqlite")
        self._lock = threading.Lock()
        self._jobs = SerialQueue(pool)
        # Only the process that shows requests follows the log for the entries of others.
        self._presence: PresenceLock | None = None
        self._latest: int | None = None
        self._open: dict[int, AccessRequest] = {}
        self._unwritten: list[AuditEntry] = []

    @lazy
    def _presence_file(self) -> FileLock:
        """Held while someone is there to answer requests."""
        from filelock import FileLock  # late: a hook takes no part in it

        file = self._folder / "attended.lock"
        return FileLock(str(file), thread_local=False, mode=PRIVATE_FILE)

    # -- rules --------------------------------------------------------------------------------

    def rules(self) -> tuple[Rule, ...]:
        """All rules; the first two are those for all agents."""
        return access_rules(access_settings(self._registry.up_to_date()))

    def permission(self, agent: str, workspace_id: WorkspaceId, action: Action) -> Permission:
        """The permission of an agent in a workspace right now."""
        # Settings that were written a moment ago count already.
        loaded, workspaces = self._registry.at_this_moment()
        access = access_settings(loaded)
        asked = [each for each in workspaces if each.id == workspace_id]
        name = agent_id(agent)
        for _, permission in self._permissions(access, name, asked, action=action):
            return permission
        return effective_permission(access, name, workspace_id, action=action)

    def permissions(
        self, agent: str, action: Action, *, is_claimed: bool = False
    ) -> tuple[tuple[Workspace, Permission], ...]:
        """All workspaces that can be searched and the permission of an agent in each.

        Both are of one version of the settings, as they are right now. An agent that only claims
        its name has no memory of its own, and rules for that name only take away from it.
        """
        loaded, workspaces = self._registry.at_this_moment()
        access = access_settings(loaded)
        name = agent_id(agent)
        return self._permissions(access, name, workspaces, action=action, is_claimed=is_claimed)

    def set_rule(
        self, agent: str, workspace_id: WorkspaceId, action: Action, permission: Permission | None
    ) -> Future[None]:
        """Write a rule, or remove it with None. Empty names stand for all."""
        return self._jobs.submit(
            lambda: self._set_rule(agent, workspace_id, action=action, permission=permission)
        )

    # -- the audit log ------------------------------------------------------------------------

    def record(self, entry: AuditEntry) -> Future[None]:
        """Add an entry. A log that cannot be written stops no agent."""
        with self._lock:
            self._unwritten.append(entry)
        return self._submit(self._record, None)

    def known_agents(self) -> Future[tuple[KnownAgent, ...]]:
        """Agents in the log, the latest first."""
        return self._submit(self._log.agents, ())

    def audit_log(
        self, before: int | None = None, limit: int = 100, agent: str = ""
    ) -> Future[tuple[AuditEntry, ...]]:
        """A page of the log, the latest first; before is the last id of the page before."""
        return self._submit(lambda: self._log.page(before, limit, agent), ())

    def overview(self, names: Sequence[str] = ()) -> Future[tuple[AgentOverview, ...]]:
        """What agents with these names, those in the log and those with a rule may do and asked.

        Agents that were asked for come first, then the others by their last request.
        """
        return self._submit(lambda: self._overview(names), ())

    @queued
    def clear(self) -> None:
        """Delete all entries. The rules stay."""
        self._log.clear()
        self._events.publish(AuditLogChanged())

    # -- requests to the user -----------------------------------------------------------------

    def announce_presence(self) -> None:
        """Show requests to the user in this process from now on, and publish events of them."""
        from scrubjay.agents.access.presence import PresenceLock

        with self._lock:
            if self._presence is None:
                self._presence = PresenceLock(
                    self._folder, self._presence_file, lambda: self._submit(self._check_log, None)
                )
                self._presence.start()

    def waiting(self) -> Future[tuple[AccessRequest, ...]]:
        """Requests without an answer, the oldest first."""
        return self._submit(self._requests, ())

    @queued
    def answer(self, request: AccessRequest, *, is_allowed: bool, always: bool = False) -> bool:
        """Answer a request; with always it becomes a rule. False when no agent waits any longer.

        A name that is only claimed is never allowed by a rule, so none is written.
        """
        permission = Permission.ALLOW if is_allowed else Permission.DENY
        can_be_rule = permission is Permission.DENY or not request.is_claimed
        # The rule comes first, so that the agent's next request already finds it.
        if always and can_be_rule:
            self._set_rule(
                request.agent, request.workspace, action=request.action, permission=permission
            )
        is_waiting = self._log.answer(request.id, str(permission))
        self._check_log()
        return is_waiting

    def ask(self, request: AccessRequest, cancel: CancelToken) -> Permission:
        """The user's answer, within 20 seconds; ASK if there is none. Raises Cancelled."""
        if not self.is_user_present():
            return Permission.ASK
        number = self._submit(lambda: self._log.ask(request), 0).result()
        until = time.monotonic() + ANSWER_WAIT_S
        # The answer comes from another process, so the log is asked again and again.
        try:
            while number and time.monotonic() < until:
                cancel.check()
                answer = self._submit(lambda: self._log.read_answer(number), "").result()
                if answer:
                    return Permission(answer)
                time.sleep(_POLL_S)
        finally:
            if number:
                # Closes the request, unless the user was faster.
                self._submit(lambda: self._log.answer(number, "ask"), False)
        return Permission.ASK

    def is_user_present(self) -> bool:
        """True while some process shows requests to the user."""
        if self._presence:
            return True
        if not Path(self._presence_file.lock_file).exists():
            return False
        from filelock import Timeout

        # A lock that can be taken has no owner, thus nobody is there.
        try:
            with self._presence_file.acquire(timeout=0):
                return False
        except Timeout:
            return True
        except OSError:
            return False

    def close(self) -> None:
        """Stop showing requests and write the last entries."""
        if self._presence:
            self._presence.close()
        self._jobs.submit(self._log.close)
        self._jobs.close(seconds=1)

    # -- on the thread ------------------------------------------------------------------------

    def _set_rule(
        self, agent: str, workspace_id: WorkspaceId, action: Action, permission: Permission | None
    ) -> None:
        name = agent_id(agent) if agent else ""
        path = rule_path(name, workspace_id, action)
        file = ConfigFile(*self._files)
        if permission is None:
            file.remove(path)
        else:
            file.set(path, str(permission))
        self._registry.reload()
        # Other processes notice the change of the file by themselves.
        self._events.publish(AccessChanged())

    def _overview(self, names: Sequence[str]) -> tuple[AgentOverview, ...]:
        known = {agent.name: agent for agent in self._log.agents()}
        loaded, workspaces = self._registry.at_this_moment()
        access = access_settings(loaded)
        overviews: list[AgentOverview] = []
        # Each agent once, whatever it is known by.
        for name in dict.fromkeys((*names, *known, *access.agents)):
            agent = known.get(name)
            is_claimed = agent is not None and agent.is_claimed
            latest = self._log.page(None, 1, name)
            overviews.append(
                AgentOverview(
                    name=name,
                    title=shown_name(name, agent.title if agent else ""),
                    program=agent.program if agent else "",
                    permissions=self._all_permissions(
                        access, name, workspaces, is_claimed=is_claimed
                    ),
                    is_claimed=is_claimed,
                    has_rule=name in access.agents,
                    requests=agent.requests if agent else 0,
                    latest=next(iter(latest), None),
                )
            )
        return tuple(overviews)

    def _all_permissions(
        self,
        access: AccessSettings,
        agent: str,
        workspaces: Sequence[Workspace],
        *,
        is_claimed: bool,
    ) -> tuple[tuple[Workspace, dict[Action, Permission]], ...]:
        """Workspaces with all that an agent may do in each."""
        # All actions of a workspace side by side, as a card shows them.
        found: dict[WorkspaceId, dict[Action, Permission]] = {each.id: {} for each in workspaces}
        for action in Action:
            for each, permission in self._permissions(
                access, agent, workspaces, action=action, is_claimed=is_claimed
            ):
                found[each.id][action] = permission
        return tuple((each, found[each.id]) for each in workspaces)

    def _permissions(
        self,
        access: AccessSettings,
        agent: str,
        workspaces: Sequence[Workspace],
        action: Action,
        *,
        is_claimed: bool = False,
    ) -> tuple[tuple[Workspace, Permission], ...]:
        """Workspaces with what an agent may do in each."""
        found = tuple(
            (
                each,
                effective_permission(access, agent, each.id, action=action, is_claimed=is_claimed),
            )
            for each in workspaces
        )
        # What an agent writes into its own memory needs no review, unless a rule names it. A folder
        # with files besides its memory, such as instructions, is not meant.
        reviewed = [
            each.id
            for each, permission in found
            if permission is Permission.PROPOSE
            and each.layout == "agent"
            and not named_permission(access, agent, each.id, action=action)
        ]
        if action is Action.READ or not reviewed or agent not in AGENT_NAMES or is_claimed:
            return found
        from scrubjay.onboarding.discovery import app_folders  # late: only agents that write

        own = app_folders(AGENT_NAMES[agent], Path.home(), os.environ)
        allowed = {each.id for each, _ in found if each.id in reviewed and each.root in own}
        return tuple(
            (each, Permission.ALLOW if each.id in allowed else permission)
            for each, permission in found
        )

    def _record(self) -> None:
        """Write all entries that have come until now."""
        with self._lock:
            entries = self._unwritten
            self._unwritten = []
        # A person may not want any log.
        days = access_settings(self._registry.up_to_date()).audit_log_days
        if entries and days:
            self._log.write(entries, days)

    def _requests(self) -> tuple[AccessRequest, ...]:
        return self._log.open_requests(time.time() - ANSWER_WAIT_S - 1)

    def _check_log(self) -> None:
        """Publish events for entries of other processes since the last check."""
        latest = self._log.latest()
        if latest != self._latest:
            self._latest = latest
            self._events.publish(AuditLogChanged())
        # Requests that were opened or closed since the last check.
        now = {request.id: request for request in self._requests()}
        before = self._open
        self._open = now
        for number in before.keys() - now.keys():
            self._events.publish(AccessSettled(number))
        for number in now.keys() - before.keys():
            self._events.publish(AccessAsked(now[number]))

    def _submit(self, job: Callable[[], T], default: T) -> Future[T]:
        """A job whose result is the default if the log cannot be used, since it is only a log."""

        def run() -> T:
            try:
                return job()
            except (apsw.Error, OSError, IndexTooNew):
                log.exception("The audit log cannot be used")
                return default

        return self._jobs.submit(run)
