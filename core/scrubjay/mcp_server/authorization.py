"""Which workspaces a caller may use in one request; asks the person where the rules say so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.errors import AccessRefused, QueryError, WorkspaceMissing
from scrubjay.messages import msg
from scrubjay.records.access_records import Action, Permission
from scrubjay.records.search_records import Workspace


@dataclass(frozen=True, slots=True)
class Caller:
    """The agent behind a request."""

    name: str
    """As in the settings."""
    title: str
    """As it calls itself."""


@dataclass(frozen=True, slots=True)
class AccessRequestPrompt:
    """A request, for rules and for the person who may be asked about it."""

    caller: Caller
    tool: str
    query: str
    cancel: CancelToken


@dataclass(frozen=True, slots=True)
class Allowed:
    """What may be used, and what not for which reason."""

    workspaces: tuple[Workspace, ...]
    left_out: tuple[tuple[Workspace, str], ...] = ()


class Access:
    """Applies the rules to requests. For any thread; may block while the person is asked."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def readable(self, caller: Caller) -> tuple[Workspace, ...]:
        """What may be read without asking."""
        return tuple(
            one
            for one in self._engine.workspaces()
            if self._rule(caller, one, Action.READ) is Permission.ALLOW
        )

    def visible(self, caller: Caller) -> tuple[Workspace, ...]:
        """What is not denied."""
        return tuple(
            one
            for one in self._engine.workspaces()
            if self._rule(caller, one, Action.READ) is not Permission.DENY
        )

    def allowed(self, asking: AccessRequestPrompt, name: str | None, action: Action) -> Allowed:
        """The named workspace, or all that may be used.

        Raises AccessRefused when that is none, WorkspaceMissing, QueryError, Cancelled.
        """
        wanted = self._wanted(asking.caller, name)
        rules = {one.id: self._rule(asking.caller, one, action) for one in wanted}
        free = [one for one in wanted if rules[one.id] is Permission.ALLOW]
        to_ask = [one for one in wanted if rules[one.id] is Permission.ASK]
        answer = Permission.ASK
        if to_ask and not free:
            # A search that finds something without a question does not interrupt the person.
            answer = self._ask(asking, to_ask, action)
            if answer is Permission.ALLOW:
                free, to_ask = to_ask, []
        left_out = [
            (one, _reason(asking, one, action, rules[one.id], answer))
            for one in wanted
            if one not in free
        ]
        if not free:
            raise _refused(asking, action, left_out)
        return Allowed(tuple(free), tuple(left_out))

    def _wanted(self, caller: Caller, name: str | None) -> tuple[Workspace, ...]:
        if name is None:
            workspaces = self._engine.workspaces()
            if not workspaces:
                raise WorkspaceMissing(
                    "There are no notes to search yet",
                    hint="The person adds a folder in Scrubjay, or with `scrubjay workspace add`.",
                )
            return workspaces
        for one in self._engine.workspaces():
            if name in (one.id, one.name):
                return (one,)
        names = ", ".join(one.name for one in self.visible(caller))
        raise QueryError(
            "There is no such workspace",
            msg("There are: {names}.", names=names or "none"),
            hint="Name one of them, or leave workspace out.",
        )

    def _ask(
        self, asking: AccessRequestPrompt, to_ask: Sequence[Workspace], action: Action
    ) -> Permission:
        workspace = to_ask[0].id if len(to_ask) == 1 else ""
        return self._engine.agents.ask(
            asking.caller.name, workspace, action, asking.tool, asking.query, asking.cancel
        )

    def _rule(self, caller: Caller, workspace: Workspace, action: Action) -> Permission:
        return self._engine.agents.permission(caller.name, workspace.id, action)


def _reason(
    asking: AccessRequestPrompt,
    workspace: Workspace,
    action: Action,
    rule: Permission,
    answer: Permission,
) -> str:
    if rule is Permission.DENY:
        name = asking.caller.name
        if action is Action.WRITE:
            return msg("The person does not let {name} write to it.", name=name)
        return msg("The person does not let {name} read it.", name=name)
    if answer is Permission.DENY:
        return msg("The person was asked and said no.")
    flag = " --write" if action is Action.WRITE else ""
    return msg(
        "The person wants to be asked first, and nobody answered. It can be allowed with "
        "`scrubjay agents allow {name} --workspace {workspace}{flag}`.",
        name=asking.caller.name,
        workspace=workspace.id,
        flag=flag,
    )


def _refused(
    asking: AccessRequestPrompt, action: Action, left_out: Sequence[tuple[Workspace, str]]
) -> AccessRefused:
    if len(left_out) == 1:
        workspace, reason = left_out[0]
        title = msg("{name} may not be read", name=workspace.name)
        if action is Action.WRITE:
            title = msg("{name} may not be written to", name=workspace.name)
    else:
        title, reason = msg("None of the workspaces may be used"), left_out[0][1]
    flag = " --write" if action is Action.WRITE else ""
    return AccessRefused(
        title,
        reason,
        hint=msg(
            "Only the person can change that: in Scrubjay on the page Agents, or with "
            "`scrubjay agents allow {name}{flag}`.",
            name=asking.caller.name,
            flag=flag,
        ),
    )
