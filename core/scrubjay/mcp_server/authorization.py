"""The workspaces that a caller may use in one request, after the user is asked if necessary."""

from __future__ import annotations

import datetime as dt
import threading
import time
from collections.abc import Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import TypeVar

from msgspec import Struct, field

from scrubjay.agents.access.permissions import agent_id
from scrubjay.answers.answer_json import NotSearched
from scrubjay.concurrency.cancel import CancelToken
from scrubjay.config.loading import off_key
from scrubjay.engine.engine import Engine
from scrubjay.errors import AccessRefused, IndexUnavailable, QueryError, SearchOff, WorkspaceMissing
from scrubjay.mcp_server.background_index import Report
from scrubjay.messages import msg
from scrubjay.records.access_records import (
    AGENT_NAMES,
    EVERY_WORKSPACE,
    AccessRequest,
    Action,
    AuditedHit,
    Permission,
)
from scrubjay.records.conversation import NO_KEY, Conversation
from scrubjay.records.note_records import Workspace
from scrubjay.records.workspace_id import WorkspaceId

T = TypeVar("T")

LATEST_S = 28.0
"""Seconds of a call after which no step is waited for; each answer has to come within 30."""


class Caller(Struct, frozen=True):
    """The agent behind a request."""

    name: str
    """Name in the settings."""
    title: str
    """Name that the agent has for itself."""
    session_key: str = ""
    """Key of the conversation by a header of the request; blank where there is none."""
    program: str = ""
    """Name of its program for itself, where a person gave the agent another one."""
    is_claimed: bool = False
    """Whether only the program itself gives this name, so it may be false."""


def caller_named(
    own: str, title: str, *, known_as: str, session_key: str = "", is_named: bool = True
) -> Caller:
    """The agent that calls itself own and title; known_as is its name in the settings."""
    # The name that a person gave counts more than that of a library, which several may use.
    program = ""
    if known_as:
        if is_named and agent_id(own) != agent_id(known_as):
            program = title[:200]
        own = known_as
        title = own
    agent = agent_id(own)
    # Each agent has one name, whether it sends its title or not.
    return Caller(
        agent,
        AGENT_NAMES.get(agent, title[:200]),
        session_key,
        program=program,
        is_claimed=not known_as,
    )


class ToolCall(Struct):
    """One call of a tool, as the rules and the user who may be asked need it."""

    caller: Caller
    tool: str
    query: str
    cancel: CancelToken
    """Token that is cancelled when the agent has given up."""
    report: Report = lambda *_: None
    # Filled in on the way to the answer.
    hits: tuple[AuditedHit, ...] = ()
    """Lines in the answer, for the audit log."""
    conversation: Conversation = NO_KEY
    granted: tuple[tuple[str, Path, Permission], ...] = ()
    """Id, folder and rule of each workspace that it may read."""
    has_caught_up: bool = False
    """Whether it has waited for changed notes to be read."""
    began: float = field(default_factory=time.perf_counter)

    @property
    def elapsed_s(self) -> float:
        """Seconds since the call began."""
        return time.perf_counter() - self.began

    def left_s(self, total: float) -> float:
        """Seconds that are left for an answer within so many; a late step gets up to one more.

        The user may have thought for as long, and several steps may follow.
        """
        elapsed_s = self.elapsed_s
        late_s = min(1.0, LATEST_S - elapsed_s)
        return max(0.0, late_s, total - elapsed_s)

    def wait(self, future: Future[T], seconds: float) -> T:
        """The result. Raises TimeoutError after some seconds, Cancelled at once."""
        is_over = threading.Event()
        # An event hears of the cancellation as well, which a wait for the future would not.
        future.add_done_callback(lambda _: is_over.set())
        with self.cancel.calling(is_over.set):
            is_over.wait(seconds)
        self.cancel.check()
        return future.result(0)

    def result(self, future: Future[T], total: float) -> T:
        """The result within so many seconds of the call. Raises IndexUnavailable or Cancelled."""
        try:
            return self.wait(future, self.left_s(total))
        except TimeoutError as error:
            raise IndexUnavailable(
                "Scrubjay could not answer in time",
                hint="Try again in a minute. If that fails too, ask the user to check whether the "
                "drive with the notes responds.",
            ) from error


class Authorization(Struct, frozen=True):
    """Workspaces that may be used, and those that may not with their reasons."""

    workspaces: tuple[Workspace, ...]
    left_out: tuple[tuple[Workspace, str], ...] = ()
    reviewed: frozenset[WorkspaceId] = frozenset()
    """Ids of the workspaces in which changes wait for the user's review."""
    is_named: bool = False
    """Whether the call names its one workspace."""

    @property
    def listed(self) -> tuple[Workspace, ...]:
        """The workspaces whose notes a list may name without being asked for them."""
        if self.is_named:
            return self.workspaces
        return tuple(each for each in self.workspaces if each.searched == "always")

    @property
    def ids(self) -> frozenset[WorkspaceId]:
        """Ids of the workspaces that may be used."""
        return frozenset(workspace.id for workspace in self.workspaces)

    @property
    def not_searched(self) -> list[NotSearched]:
        """The workspaces that the agent gets no answer from."""
        return [
            NotSearched(workspace=workspace.id, reason=reason)
            for workspace, reason in self.left_out
        ]


def permissions_of(
    engine: Engine, caller: Caller, action: Action
) -> tuple[tuple[Workspace, Permission], ...]:
    """All workspaces with what the caller may do there."""
    return engine.agents.permissions(caller.name, action, is_claimed=caller.is_claimed)


def workspaces_with_permission(
    engine: Engine, caller: Caller, *permissions: Permission
) -> tuple[Workspace, ...]:
    """Workspaces that the caller may read, or may ask to, by the rules."""
    return tuple(
        workspace
        for workspace, permission in permissions_of(engine, caller, Action.READ)
        if permission in permissions
    )


def authorize(engine: Engine, call: ToolCall, name: str | None, *, action: Action) -> Authorization:
    """The named workspace, or all that may be used. May block while the user is asked.

    Raises AccessRefused if there is none, SearchOff, WorkspaceMissing, QueryError, Cancelled.
    """
    agent = call.caller.name
    permissions = permissions_of(engine, call.caller, action)
    visible = [workspace for workspace, _ in permissions]
    # First which workspaces are meant, then which of them are searched at all.
    listed = _requested(engine, call.caller, name=name, workspaces=visible)
    requested = [item for item in listed if not off_key(engine.settings, item.id)]
    if not requested:
        raise SearchOff(off_key(engine.settings, listed[0].id))
    # Then what the rules say of each.
    rules = {workspace.id: permission for workspace, permission in permissions}
    unasked = (Permission.ALLOW, Permission.PROPOSE)
    allowed = [item for item in requested if rules[item.id] in unasked]
    to_ask = [item for item in requested if rules[item.id] is Permission.ASK]
    # The user is not interrupted for a search that has hits without a question.
    answer: Permission | None = None
    if to_ask and not allowed and engine.agents.is_user_present():
        answer = _answer_of_user(engine, call, to_ask, action=action)
        if answer is Permission.ALLOW:
            allowed = to_ask
    flag = " --write" if action is Action.WRITE else ""
    # The agent hears why the others were excluded, so that it does not take them for empty.
    left_out: list[tuple[Workspace, str]] = []
    for item in listed:
        if item in allowed:
            continue
        reason = _denied(agent, action)
        if item not in requested:
            reason = SearchOff().title
        elif rules[item.id] is Permission.ASK:
            reason = _unanswered(
                call.caller, item, answer=answer, has_others=bool(allowed), flag=flag
            )
        left_out.append((item, reason))
    # What was granted is kept, and compared with the rules once the answer is there.
    if allowed:
        if action is Action.READ:
            call.granted = tuple((each.id, each.root, rules[each.id]) for each in allowed)
        reviewed = {item.id for item in allowed if rules[item.id] is Permission.PROPOSE}
        return Authorization(
            tuple(allowed), tuple(left_out), frozenset(reviewed), is_named=name is not None
        )
    raise _refusal(call.caller, action, left_out=left_out, flag=flag)


def _answer_of_user(
    engine: Engine, call: ToolCall, workspaces: Sequence[Workspace], *, action: Action
) -> Permission:
    """The user's answer to one question about some workspaces. Raises Cancelled."""
    workspace_id = EVERY_WORKSPACE
    if len(workspaces) == 1:
        workspace_id = workspaces[0].id
    request = AccessRequest(
        id=0,
        agent=call.caller.name,
        workspace=workspace_id,
        action=action,
        tool=call.tool,
        query=call.query,
        at=dt.datetime.now().astimezone(),
        is_claimed=call.caller.is_claimed,
    )
    return engine.agents.ask(request, call.cancel)


def _refusal(
    caller: Caller, action: Action, *, left_out: Sequence[tuple[Workspace, str]], flag: str
) -> AccessRefused:
    """The error for an agent that may use none of some workspaces."""
    agent = caller.name
    workspace = left_out[0][0]
    is_one = len(left_out) == 1
    match action:
        case Action.WRITE if is_one:
            name = workspace.name
            title = msg("{agent} is not allowed to write to {name}", agent=agent, name=name)
        case Action.WRITE:
            title = msg("{agent} is not allowed to write to any workspace", agent=agent)
        case _ if is_one:
            title = msg("{agent} is not allowed to read {name}", agent=agent, name=workspace.name)
        case _:
            title = msg("{agent} is not allowed to read any workspace", agent=agent)
    # That a rule forbids it is said by the title. One other reason stands for all: the agent can
    # only tell the person.
    denied = _denied(agent, action)
    reasons = [reason for _, reason in left_out if reason != denied]
    hint = msg(
        "Only the user can change this, on the Agents page in Scrubjay or with `scrubjay "
        "agents allow {name}{flag}`.",
        name=agent,
        flag=flag,
    )
    if caller.is_claimed:
        hint = msg("{change} {named}", change=hint, named=_start_with_name(agent))
    return AccessRefused(title, next(iter(reasons), ""), hint=hint)


def _start_with_name(agent: str) -> str:
    """What makes a rule that allows more hold for an agent that only claims its name."""
    return msg(
        "This takes effect only if the agent is connected with `scrubjay connect`, or starts "
        "`scrubjay mcp --as {name}`.",
        name=agent,
    )


def confirm_access(engine: Engine, call: ToolCall) -> None:
    """Raise AccessRefused when what a call was granted is another folder or has another rule now.

    What it read may be of that folder.
    """
    if not call.granted:
        return
    permissions = permissions_of(engine, call.caller, Action.READ)
    if not {(each.id, each.root, rule) for each, rule in permissions}.issuperset(call.granted):
        raise AccessRefused(
            "The settings changed during this request",
            "The results were discarded.",
            hint="Repeat the request.",
        )


def _denied(agent: str, action: Action) -> str:
    """The reason for a workspace that a rule closes to an agent."""
    if action is Action.WRITE:
        return msg("The user does not allow {name} to write to this workspace.", name=agent)
    return msg("The user does not allow {name} to read this workspace.", name=agent)


def _unanswered(
    caller: Caller, workspace: Workspace, *, answer: Permission | None, has_others: bool, flag: str
) -> str:
    """The reason for a workspace that the user has to be asked about."""
    if answer is Permission.DENY:
        return msg("The user was asked for permission and refused it.")
    if answer is None and has_others:
        return msg(
            "The user was not asked, because other workspaces could be used "
            "without asking. To ask for permission, pass the workspace "
            "argument."
        )
    # The user can do without the question.
    if answer is None:
        why = msg("Scrubjay is not open, so the user could not be asked for permission.")
    else:
        why = msg("The user was asked for permission but did not answer.")
    reason = msg(
        "{why} The user can allow access with `scrubjay agents allow {name} --workspace "
        "{workspace}{flag}`.",
        why=why,
        name=caller.name,
        workspace=workspace.id,
        flag=flag,
    )
    if caller.is_claimed:
        return msg("{change} {named}", change=reason, named=_start_with_name(caller.name))
    return reason


def _requested(
    engine: Engine, caller: Caller, *, name: str | None, workspaces: Sequence[Workspace]
) -> Sequence[Workspace]:
    """The workspaces that a call is about."""
    if name is None:
        if not workspaces:
            raise WorkspaceMissing(
                "There are no notes to search yet",
                hint=("Ask the user to add a folder in Scrubjay or with `scrubjay workspace add`."),
            )
        return workspaces
    for workspace in workspaces:
        if name in (workspace.id, workspace.name):
            return (workspace,)
    # Names of workspaces that are denied to the agent are not for it to know.
    visible = workspaces_with_permission(engine, caller, Permission.ALLOW, Permission.ASK)
    names = ", ".join(workspace.name for workspace in visible)
    raise QueryError(
        "There is no such workspace",
        msg("Available workspaces: {names}.", names=names or "none"),
        hint="Pass one of these names, or omit the workspace argument.",
    )
