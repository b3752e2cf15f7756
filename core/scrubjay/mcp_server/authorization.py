"""Workspaces that a caller may use in one request; the user is asked if the rules say so."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.errors import AccessRefused, QueryError, WorkspaceMissing
from scrubjay.messages import msg
from scrubjay.records.access_records import AccessRequest, Action, Permission
from scrubjay.records.search_records import Workspace


@dataclass(frozen=True, slots=True)
class Caller:
    """The agent behind a request."""

    name: str
    """As in the settings."""
    title: str
    """The agent's own name for itself."""


@dataclass(frozen=True, slots=True)
class AccessRequestPrompt:
    """A request as the rules, and the user who may be asked, need it."""

    caller: Caller
    tool: str
    query: str
    cancel: CancelToken


@dataclass(frozen=True, slots=True)
class Authorized:
    """Workspaces that may be used, and those that may not with their reasons."""

    workspaces: tuple[Workspace, ...]
    left_out: tuple[tuple[Workspace, str], ...] = ()

    @property
    def ids(self) -> frozenset[str]:
        """Of the workspaces that may be used."""
        return frozenset(workspace.id for workspace in self.workspaces)


class Authorization:
    """Applies the rules to requests. For any thread; may block while the user is asked."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def readable(self, caller: Caller) -> tuple[Workspace, ...]:
        """Workspaces that may be read without a question to the user."""
        return self._with_rule(caller, Permission.ALLOW)

    def visible(self, caller: Caller) -> tuple[Workspace, ...]:
        """Workspaces that are not denied."""
        return self._with_rule(caller, Permission.ALLOW, Permission.ASK)

    def authorize(
        self, prompt: AccessRequestPrompt, name: str | None, action: Action
    ) -> Authorized:
        """The named workspace, or all that may be used.

        Raises AccessRefused if there is none, WorkspaceMissing, QueryError, Cancelled.
        """
        requested = self._requested(prompt.caller, name)
        rules = {item.id: self._rule(prompt.caller, item, action) for item in requested}
        allowed = [item for item in requested if rules[item.id] is Permission.ALLOW]
        to_ask = [item for item in requested if rules[item.id] is Permission.ASK]
        answer = Permission.ASK
        if to_ask and not allowed:
            # The user is not interrupted for a search that has hits without a question.
            workspace_id = to_ask[0].id if len(to_ask) == 1 else ""
            now = dt.datetime.now().astimezone()
            request = AccessRequest(
                0, prompt.caller.name, workspace_id, action, prompt.tool, prompt.query, now
            )
            answer = self._engine.agents.ask(request, prompt.cancel)
            if answer is Permission.ALLOW:
                allowed = to_ask
        left_out = [
            (item, _reason(prompt, item, action, rules[item.id], answer))
            for item in requested
            if item not in allowed
        ]
        if not allowed:
            raise _refused(prompt, action, left_out)
        return Authorized(tuple(allowed), tuple(left_out))

    def _requested(self, caller: Caller, name: str | None) -> tuple[Workspace, ...]:
        workspaces = self._engine.workspaces()
        if name is None:
            if not workspaces:
                raise WorkspaceMissing(
                    "There are no notes to search yet",
                    hint="The person adds a folder in Scrubjay, or with `scrubjay workspace add`.",
                )
            return workspaces
        for workspace in workspaces:
            if name in (workspace.id, workspace.name):
                return (workspace,)
        names = ", ".join(workspace.name for workspace in self.visible(caller))
        raise QueryError(
            "There is no such workspace",
            msg("There are: {names}.", names=names or "none"),
            hint="Name one of them, or leave workspace out.",
        )

    def _with_rule(self, caller: Caller, *permissions: Permission) -> tuple[Workspace, ...]:
        return tuple(
            workspace
            for workspace in self._engine.workspaces()
            if self._rule(caller, workspace, Action.READ) in permissions
        )

    def _rule(self, caller: Caller, workspace: Workspace, action: Action) -> Permission:
        return self._engine.agents.permission(caller.name, workspace.id, action)


def _reason(
    prompt: AccessRequestPrompt,
    workspace: Workspace,
    action: Action,
    rule: Permission,
    answer: Permission,
) -> str:
    name = prompt.caller.name
    if rule is Permission.DENY:
        if action is Action.WRITE:
            return msg("The person does not let {name} write to it.", name=name)
        return msg("The person does not let {name} read it.", name=name)
    if answer is Permission.DENY:
        return msg("The person was asked and said no.")
    return msg(
        "The person wants to be asked first, and nobody answered. It can be allowed with "
        "`scrubjay agents allow {name} --workspace {workspace}{flag}`.",
        name=name,
        workspace=workspace.id,
        flag=_flag(action),
    )


def _refused(
    prompt: AccessRequestPrompt, action: Action, left_out: Sequence[tuple[Workspace, str]]
) -> AccessRefused:
    workspace, reason = left_out[0]
    if len(left_out) > 1:
        title = msg("None of the workspaces may be used")
    elif action is Action.WRITE:
        title = msg("{name} may not be written to", name=workspace.name)
    else:
        title = msg("{name} may not be read", name=workspace.name)
    return AccessRefused(
        title,
        reason,
        hint=msg(
            "Only the person can change that: in Scrubjay on the page Agents, or with "
            "`scrubjay agents allow {name}{flag}`.",
            name=prompt.caller.name,
            flag=_flag(action),
        ),
    )


def _flag(action: Action) -> str:
    return " --write" if action is Action.WRITE else ""
