"""Replies to the hooks of agents, from an engine of any process. No failure stops an agent."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from scrubjay.agents.recall.hook_input import HookInput, HookInputRefused, hook_input, read_tail
from scrubjay.cli.reply import Reply, warning
from scrubjay.engine.engine import Engine
from scrubjay.errors import AccessRefused, WorkspaceMissing
from scrubjay.messages import msg
from scrubjay.records.access_records import Action, AuditedHit, AuditEntry, Permission
from scrubjay.records.note_records import PageRequest, Workspace
from scrubjay.records.workspace_id import WorkspaceId

_CLOSING_S = 0.5
"""Seconds reserved for closing the engine."""


def reply_to_hook(
    engine: Engine, hook: str, data: str, options: Mapping[str, str | None], spent: float
) -> Reply:
    """The answer of a hook within `recall.deadlineMs`, or a warning.

    Data are the bytes of standard input, as Latin-1; spent are the seconds until now.
    """
    began = time.monotonic() - spent
    try:
        given = hook_input(data.encode("latin-1"))
        seconds = engine.settings.settings.recall.deadline_ms / 1000
        left = seconds - (time.monotonic() - began) - _CLOSING_S
        return _HOOKS[hook](engine, given, max(0.1, left), **options)
    except HookInputRefused as refused:
        return Reply(warnings=[warning(str(refused))])
    except TimeoutError:
        return Reply(warnings=[warning("It took too long; the agent goes on without an answer.")])
    except Exception as error:  # a failure must not stop the agent
        return Reply(warnings=[warning(str(error) or type(error).__name__)])


def _recall(
    engine: Engine, hook: HookInput, seconds: float, workspace: str | None, agent: str
) -> Reply:
    workspaces = (engine.find_workspace(workspace),) if workspace else engine.workspaces()
    allowed = _readable(engine, agent, "recall", hook.prompt, workspaces)
    reminder = engine.recall.remind(hook, frozenset(allowed), seconds).result(seconds)
    hits = tuple(
        AuditedHit(hit.workspace, hit.path, hit.first_line, hit.last_line)
        for hit in (reminder.hits if reminder.block else ())
    )
    engine.agents.record(AuditEntry(agent, "recall", hook.prompt, hits))
    return _context(hook.event or "UserPromptSubmit", reminder.block)


def _today(
    engine: Engine, hook: HookInput, seconds: float, workspace: str | None, agent: str
) -> Reply:
    from scrubjay.agents.recall.recall_block import daily_block

    chosen = _workspace(engine, hook, workspace)
    _readable(engine, agent, "today", "", (chosen,))
    paths = engine.recall.daily_paths(chosen).result(seconds)
    whole = PageRequest(is_whole=True)
    pages = [engine.notes.page(chosen.id, path, whole).result(seconds) for path in paths]
    hits = [AuditedHit(chosen.id, page.path, 1, page.line_count) for page in pages if page.text]
    engine.agents.record(AuditEntry(agent, "today", "", tuple(hits)))
    return _context(hook.event or "SessionStart", daily_block(pages))


def _keep(
    engine: Engine, hook: HookInput, seconds: float, workspace: str | None, agent: str
) -> Reply:
    chosen = _workspace(engine, hook, workspace)
    # To install the hook is to allow it, but not where an agent may not even read.
    _readable(engine, agent, "keep", "", (chosen,))
    engine.agents.record(AuditEntry(agent, "keep", "", ()))
    return _said("", engine.recall.keep(hook, chosen).result(seconds))


def _capture(engine: Engine, hook: HookInput, seconds: float, workspace: str | None) -> Reply:
    chosen = _workspace(engine, hook, workspace)
    messages = (hook.prompt,) if hook.prompt else read_tail(hook.transcript).messages
    if messages:
        engine.recall.capture(chosen.id, messages).result(seconds)
    return Reply()


def _flush(
    engine: Engine, hook: HookInput, seconds: float, workspace: str | None, sessions: str | None
) -> Reply:
    chosen = _workspace(engine, hook, workspace)
    file = Path(sessions) if sessions else None
    flushed = engine.recall.flush(hook, chosen, file).result(seconds)
    return _said(json.dumps(flushed.reply) if flushed.reply else flushed.text, flushed.reason)


_HOOKS: Mapping[str, Callable[..., Reply]] = {
    "recall": _recall,
    "today": _today,
    "keep": _keep,
    "capture": _capture,
    "flush": _flush,
}


def _readable(
    engine: Engine, agent: str, tool: str, query: str, workspaces: Sequence[Workspace]
) -> list[WorkspaceId]:
    """Ids of the workspaces that an agent may read. Raises AccessRefused if there are none."""
    permissions = engine.agents.permissions(agent, Action.READ)
    may_read = {each.id: each.root for each, rule in permissions if rule is Permission.ALLOW}
    # By the folder too: the id may be another one's in the settings of this moment.
    allowed = [each.id for each in workspaces if may_read.get(each.id) == each.root]
    if not allowed:
        refused = msg("No workspace may be read")
        engine.agents.record(AuditEntry(agent, tool, query, (), "refused", refused))
        hint = f"Allow it with `scrubjay agents allow {agent}`." if workspaces else ""
        raise AccessRefused(refused, hint=hint)
    return allowed


def _context(event: str, text: str) -> Reply:
    """A hook's answer that an agent adds to its context; nothing for no text."""
    if not text:
        return Reply()
    context = {"hookEventName": event, "additionalContext": text}
    return _said(json.dumps({"hookSpecificOutput": context}))


def _said(text: str, reason: str = "") -> Reply:
    """Text for the agent, and why there is none or not all of it."""
    return Reply(warnings=[warning(reason)] if reason else [], text=text)


def _workspace(engine: Engine, hook: HookInput, name: str | None) -> Workspace:
    chosen = engine.find_workspace(name) if name else engine.recall.workspace_at(hook.cwd)
    if chosen is None:
        raise WorkspaceMissing(
            "It is not clear which workspace is meant", hint="Add --workspace NAME to the hook."
        )
    return chosen
