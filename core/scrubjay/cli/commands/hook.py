"""`scrubjay hook`: commands for the hooks of an agent. They never stop the agent.

For any input and any failure, the exit code is 0, standard output holds an answer or nothing, and
one line on standard error gives the reason.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, TypeAlias

from scrubjay.agents.recall.hook_input import (
    MAX_BYTES,
    HookInput,
    HookInputRefused,
    hook_input,
    read_tail,
)
from scrubjay.cli.arguments import Group, Option
from scrubjay.cli.session import In, opened
from scrubjay.engine.engine import Engine
from scrubjay.errors import AccessRefused, WorkspaceMissing
from scrubjay.messages import msg
from scrubjay.records.access_records import Action, AuditedHit, AuditEntry, Permission
from scrubjay.records.search_records import PageRequest, Workspace

app = Group(
    "What the hooks of an agent call: JSON on standard input, JSON on standard output.",
    # Of any kind, wrong usage too: agents take the exit code 2 as an order to stop.
    on_failure=lambda error: _warn(str(error)),
)


AsAgent: TypeAlias = Annotated[str, Option("--agent", help="Name in the rules and the guest book.")]

_INPUT_S = 2.0
"""Seconds that the end of the input is waited for; an agent says all at once, or never."""
_CLOSING_S = 0.5
"""Seconds reserved for closing the engine."""


@app.command("recall")
def recall(workspace: In = None, agent: AsAgent = "hooks") -> None:
    """Print notes that fit a prompt (UserPromptSubmit): at most three, 1,000 characters."""

    def answer(engine: Engine, hook: HookInput, seconds: float) -> str:
        workspaces = (engine.find_workspace(workspace),) if workspace else engine.workspaces()
        allowed = _readable(engine, agent, "recall", hook.prompt, workspaces)
        reminder = engine.recall.remind(hook, frozenset(allowed), seconds).result(seconds)
        hits = tuple(
            AuditedHit(hit.workspace, hit.path, hit.first_line, hit.last_line)
            for hit in (reminder.hits if reminder.block else ())
        )
        engine.agents.record(AuditEntry(agent, "recall", hook.prompt, hits))
        if not reminder.block:
            return ""
        return _context(hook.event or "UserPromptSubmit", reminder.block)

    _answer(answer)


@app.command("today")
def today(workspace: In = None, agent: AsAgent = "hooks") -> None:
    """Print today's and yesterday's notes for the start of a conversation (SessionStart)."""

    def answer(engine: Engine, hook: HookInput, seconds: float) -> str:
        from scrubjay.agents.recall.related_notes import daily_block

        chosen = _workspace(engine, hook, workspace)
        _readable(engine, agent, "today", "", (chosen,))
        paths = engine.recall.daily_paths(chosen).result(seconds)
        whole = PageRequest(is_whole=True)
        pages = [engine.notes.page(chosen.id, path, whole).result(seconds) for path in paths]
        block = daily_block(pages)
        hits = [AuditedHit(chosen.id, page.path, 1, page.line_count) for page in pages if page.text]
        engine.agents.record(AuditEntry(agent, "today", "", tuple(hits)))
        return _context(hook.event or "SessionStart", block) if block else ""

    _answer(answer)


@app.command("keep")
def keep(workspace: In = None, agent: AsAgent = "hooks") -> None:
    """Write the end of a finished conversation into a note (SessionEnd)."""

    def answer(engine: Engine, hook: HookInput, seconds: float) -> str:
        chosen = _workspace(engine, hook, workspace)
        # To install the hook is to allow it, but not where an agent may not even read.
        _readable(engine, agent, "keep", "", (chosen,))
        engine.agents.record(AuditEntry(agent, "keep", "", ()))
        if reason := engine.recall.keep(hook, chosen).result(seconds):
            _warn(reason)
        return ""

    _answer(answer)


@app.command("capture")
def capture(workspace: In = None) -> None:
    """Put what a person said and may want to keep on a list (Stop, or UserPromptSubmit)."""

    def answer(engine: Engine, hook: HookInput, seconds: float) -> str:
        chosen = _workspace(engine, hook, workspace)
        messages = (hook.prompt,) if hook.prompt else read_tail(hook.transcript).messages
        if messages:
            engine.recall.capture(chosen.id, messages).result(seconds)
        return ""

    _answer(answer)


@app.command("flush")
def flush(
    workspace: In = None,
    sessions: Annotated[
        Path | None, Option(help="The sessions.json of the agent; else Scrubjay's own.")
    ] = None,
) -> None:
    """Ask for notes before a context is compacted (Stop, PreCompact and SessionStart)."""

    def answer(engine: Engine, hook: HookInput, seconds: float) -> str:
        chosen = _workspace(engine, hook, workspace)
        flushed = engine.recall.flush(hook, chosen, sessions).result(seconds)
        if flushed.reason:
            _warn(flushed.reason)
        return json.dumps(flushed.reply) if flushed.reply else flushed.text

    _answer(answer)


def _readable(
    engine: Engine, agent: str, tool: str, query: str, workspaces: Sequence[Workspace]
) -> list[str]:
    """Ids of the workspaces that an agent may read. Raises AccessRefused if there are none."""
    permission = engine.agents.permission
    allowed = [
        each.id
        for each in workspaces
        if permission(agent, each.id, Action.READ) is Permission.ALLOW
    ]
    if not allowed:
        refused = msg("No workspace may be read")
        engine.agents.record(AuditEntry(agent, tool, query, (), "refused", refused))
        hint = f"Allow it with `scrubjay agents allow {agent}`." if workspaces else ""
        raise AccessRefused(refused, hint=hint)
    return allowed


def _context(event: str, text: str) -> str:
    """A hook's answer that an agent adds to its context."""
    context = {"hookEventName": event, "additionalContext": text}
    return json.dumps({"hookSpecificOutput": context})


def _workspace(engine: Engine, hook: HookInput, name: str | None) -> Workspace:
    chosen = engine.find_workspace(name) if name else engine.recall.workspace_at(hook.cwd)
    if chosen is None:
        raise WorkspaceMissing(
            "It is not clear which workspace is meant", hint="Add --workspace NAME to the hook."
        )
    return chosen


def _answer(job: Callable[[Engine, HookInput, float], str]) -> None:
    """Run one hook within `recall.deadlineMs`, and print its answer."""
    began = time.monotonic()
    try:
        wait_for_input = _standard_input()
        with opened() as engine:
            seconds = engine.settings.settings.recall.deadline_ms / 1000
            hook = hook_input(wait_for_input(min(seconds, _INPUT_S)))
            left = seconds - (time.monotonic() - began) - _CLOSING_S
            answer = job(engine, hook, max(0.1, left))
    except HookInputRefused as refused:
        _warn(str(refused))
    except TimeoutError:
        _warn("It took too long; the agent goes on without an answer.")
    except Exception as error:  # a failure must not stop the agent
        _warn(str(error) or type(error).__name__)
    else:
        if answer:
            with contextlib.suppress(OSError):  # the agent has closed the pipe
                print(answer, flush=True)


def _standard_input() -> Callable[[float], bytes]:
    """Standard input, which is read from now on; raises TimeoutError after so many seconds."""
    parts: list[bytes] = []

    def read() -> None:
        size = 0
        # Not through sys.stdin: a thread that still waits in it must not block the exit.
        while size <= MAX_BYTES and (part := os.read(0, 65_536)):
            parts.append(part)
            size += len(part)

    def wait(seconds: float) -> bytes:
        reader.join(seconds)
        if reader.is_alive():
            raise TimeoutError
        return b"".join(parts)

    if sys.stdin is None or sys.stdin.isatty():
        return lambda _: b""
    reader = threading.Thread(target=read, name="scrubjay-stdin", daemon=True)
    reader.start()
    return wait


def _warn(reason: str) -> None:
    with contextlib.suppress(OSError):
        print(f"scrubjay: {' '.join(reason.split())}", file=sys.stderr)
