"""Replies to the hooks of agents, from the engine of any process. Failures never stop an agent."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from scrubjay.agents.recall.hook_input import (
    HookInput,
    HookInputRefused,
    parse_hook_input,
    read_transcript_tail,
)
from scrubjay.agents.recall.hook_output import added_context, hears_before_compaction
from scrubjay.cli.reply import Reply, warning_line
from scrubjay.cli.session import find_workspace
from scrubjay.engine.engine import Engine
from scrubjay.errors import AccessRefused, WorkspaceMissing
from scrubjay.messages import msg
from scrubjay.records.access_records import Action, AuditedHit, AuditEntry, Permission
from scrubjay.records.note_records import NoteAddress, PageRequest, Workspace
from scrubjay.records.workspace_id import WorkspaceId

_CLOSING_S = 0.5
"""Seconds reserved for closing the engine."""


class _HookCall(Struct, frozen=True):
    """One call of a hook, with what its options name."""

    engine: Engine
    hook: HookInput
    seconds: float
    """Seconds that remain for the answer."""
    named: Workspace | None
    """Workspace of `--workspace`."""
    agent: str = ""
    sessions: str | None = None
    """File of the agent's sessions."""

    @property
    def workspace(self) -> Workspace:
        """The workspace that is named, or that of the agent's folder. Raises WorkspaceMissing."""
        workspace = self.named or self.engine.recall.workspace_at(self.hook.cwd)
        if workspace is None:
            raise WorkspaceMissing(
                "The hook does not say which workspace to use",
                hint="Add --workspace NAME to the hook.",
            )
        return workspace


def reply_to_hook(
    engine: Engine, hook: str, data: str, options: Mapping[str, str | None], spent: float
) -> Reply:
    """The answer of a hook within `recall.deadlineMs`, or a warning.

    Data are the bytes of standard input, as Latin-1; spent are the seconds until now.
    """
    # The start of the program counts as well: the agent has waited for it.
    began = time.monotonic() - spent
    try:
        given = parse_hook_input(data.encode("latin-1"))
        seconds = engine.settings.settings.recall.deadline_ms / 1000
        left = seconds - (time.monotonic() - began) - _CLOSING_S
        # The workspace is looked up here; all else is handed on.
        others: dict[str, Any] = dict(options)
        workspace = find_workspace(engine, others.pop("workspace"))
        call = _HookCall(engine, given, max(0.1, left), named=workspace, **others)
        return _HOOKS[hook](call)
    except HookInputRefused as refused:
        return Reply(warnings=[warning_line(str(refused))])
    except TimeoutError:
        return Reply(
            warnings=[
                warning_line("Scrubjay took too long, so the agent continues without an answer.")
            ]
        )
    except Exception as error:  # a failure must not stop the agent
        return Reply(warnings=[warning_line(str(error) or type(error).__name__)])


def _recall(call: _HookCall) -> Reply:
    engine = call.engine
    hook = call.hook
    workspaces = engine.workspaces()
    if call.named:
        workspaces = (call.named,)
    allowed = _readable(call, "recall", query=hook.prompt, workspaces=workspaces)
    reminder = engine.recall.remind(
        hook, frozenset(allowed), seconds=call.seconds, workspace=call.named
    ).result(call.seconds)
    # The audit log names only what the agent gets to read.
    hits: tuple[AuditedHit, ...] = ()
    if reminder.block:
        hits = tuple(
            AuditedHit(hit.workspace, hit.path, first_line=hit.first_line, last_line=hit.last_line)
            for hit in reminder.hits
        )
    engine.agents.record(AuditEntry(call.agent, "recall", query=hook.prompt, hits=hits))
    return _context(hook, "UserPromptSubmit", reminder.block)


def _today(call: _HookCall) -> Reply:
    from scrubjay.agents.recall.recall_block import daily_block

    engine = call.engine
    workspace = call.workspace
    _readable(call, "today", query="", workspaces=(workspace,))
    paths = engine.recall.daily_paths(workspace).result(call.seconds)
    whole = PageRequest(is_whole=True)
    notes = [NoteAddress(workspace.id, path) for path in paths]
    pages = [engine.notes.page(note, whole).result(call.seconds) for note in notes]
    # A page without text told the agent nothing.
    hits = tuple(
        AuditedHit(workspace.id, page.path, first_line=1, last_line=page.line_count)
        for page in pages
        if page.text
    )
    engine.agents.record(AuditEntry(call.agent, "today", query="", hits=hits))
    return _context(call.hook, "SessionStart", daily_block(pages))


def _keep(call: _HookCall) -> Reply:
    workspace = call.workspace
    # To install the hook is to allow it, but not where an agent may not even read.
    _readable(call, "keep", query="", workspaces=(workspace,))
    call.engine.agents.record(AuditEntry(call.agent, "keep", query=""))
    return _said("", call.engine.recall.keep(call.hook, workspace).result(call.seconds))


def _capture(call: _HookCall) -> Reply:
    workspace = call.workspace
    # Some agents hand the message over, others only the file of the conversation.
    messages: tuple[str, ...]
    if call.hook.prompt:
        messages = (call.hook.prompt,)
    else:
        messages = read_transcript_tail(call.hook.transcript).messages
    if messages:
        call.engine.recall.capture(workspace, messages).result(call.seconds)
    return Reply()


def _flush(call: _HookCall) -> Reply:
    file = None
    if call.sessions:
        file = Path(call.sessions)
    # The agent's own program may keep a file that tells when it compacts.
    flush = call.engine.recall.flush(call.hook, call.workspace, file)
    flushed = flush.result(call.seconds)
    if flushed.reply:
        return _said(json.dumps(flushed.reply), flushed.reason)
    # Some agents take any text for an error.
    if not hears_before_compaction(call.hook, call.agent):
        return _said("", flushed.reason)
    return _said(flushed.text, flushed.reason)


_HOOKS: Mapping[str, Callable[[_HookCall], Reply]] = {
    "recall": _recall,
    "today": _today,
    "keep": _keep,
    "capture": _capture,
    "flush": _flush,
}


def _readable(
    call: _HookCall, tool: str, *, query: str, workspaces: Sequence[Workspace]
) -> list[WorkspaceId]:
    """Ids of the workspaces that the agent may read. Raises AccessRefused if there are none."""
    # A hook asks nobody: what has to be asked about counts as refused.
    agents = call.engine.agents
    permissions = agents.permissions(call.agent, Action.READ)
    may_read = {each.id: each.root for each, rule in permissions if rule is Permission.ALLOW}
    # By the folder too: the id may be another one's in the settings of this moment.
    allowed = [each.id for each in workspaces if may_read.get(each.id) == each.root]
    if not allowed:
        refused = msg("The agent is not allowed to read any workspace")
        agents.record(AuditEntry(call.agent, tool, query=query, outcome="refused", reason=refused))
        hint = ""
        if workspaces:
            hint = f"Allow it with `scrubjay agents allow {call.agent}`."
        raise AccessRefused(refused, hint=hint)
    return allowed


def _context(hook: HookInput, event: str, text: str) -> Reply:
    """A hook's answer that an agent adds to its context; nothing for no text."""
    if not text:
        return Reply()
    return _said(json.dumps(added_context(hook, event, text)))


def _said(text: str, reason: str = "") -> Reply:
    """Text for the agent, and why there is none or not all of it."""
    if not reason:
        return Reply(text=text)
    return Reply(warnings=[warning_line(reason)], text=text)
