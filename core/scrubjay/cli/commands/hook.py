"""`scrubjay hook`: what an agent's hooks call. An agent is never stopped by them.

Whatever arrives and whatever fails, the exit code is 0, standard output holds an answer or
nothing, and one line on standard error says why.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from scrubjay.agents.recall.hook_input import MAX_BYTES, HookInput, HookInputRefused, hook_input
from scrubjay.agents.recall.transcript_tail import read_tail
from scrubjay.cli.session import In, opened
from scrubjay.engine.engine import Engine
from scrubjay.errors import AccessRefused, WorkspaceMissing
from scrubjay.messages import msg
from scrubjay.records.access_records import Action, AuditedHit, AuditEntry, Permission
from scrubjay.records.search_records import Workspace


class _NeverFails(TyperGroup):
    """Wrong usage ends with 2 elsewhere; agents take that as an order to stop."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command that was named."""
        try:
            return super().invoke(ctx)
        except (typer.Exit, typer.Abort):
            raise
        except Exception as error:  # of any kind: it must not reach the agent
            _say(str(error))
            return None


app = typer.Typer(
    cls=_NeverFails,
    help="What the hooks of an agent call: JSON on standard input, JSON on standard output.",
    no_args_is_help=True,
)


_CLOSING_S = 0.5
"""Kept free for ending in order."""


@app.command()
def recall(
    workspace: In = None,
    agent: Annotated[str, typer.Option(help="Name in the rules and the guest book.")] = "hooks",
) -> None:
    """Print notes that fit a prompt (UserPromptSubmit): at most three, 1,000 characters."""
    _answer(lambda engine, given, seconds: _recall(engine, given, workspace, agent, seconds))


@app.command()
def capture(workspace: In = None) -> None:
    """Put what a person said and may want to keep on a list (Stop, or UserPromptSubmit)."""
    _answer(lambda engine, given, seconds: _capture(engine, given, workspace, seconds))


@app.command()
def flush(
    workspace: In = None,
    sessions: Annotated[
        Path | None, typer.Option(help="The sessions.json of the agent; else Scrubjay's own.")
    ] = None,
) -> None:
    """Ask for notes before a context is compacted (Stop, PreCompact and SessionStart)."""
    _answer(lambda engine, given, seconds: _flush(engine, given, workspace, sessions, seconds))


def _recall(engine: Engine, given: HookInput, named: str | None, agent: str, seconds: float) -> str:
    wanted = (engine.find_workspace(named),) if named else engine.workspaces()
    allowed = [
        one.id
        for one in wanted
        if engine.agents.permission(agent, one.id, Action.READ) is Permission.ALLOW
    ]
    if not allowed:
        refused = msg("No workspace may be read")
        engine.agents.record(AuditEntry(agent, "recall", given.prompt, (), "refused", refused))
        raise AccessRefused(
            refused,
            hint=f"Allow it with `scrubjay agents allow {agent}`." if wanted else "",
        )
    reminder = engine.recall.remind(given.prompt, frozenset(allowed), seconds).result(seconds)
    shown = tuple(
        AuditedHit(hit.workspace, hit.path, hit.first_line, hit.last_line) for hit in reminder.hits
    )
    engine.agents.record(AuditEntry(agent, "recall", given.prompt, shown if reminder.block else ()))
    if not reminder.block:
        return ""
    event = given.event or "UserPromptSubmit"
    context = {"hookEventName": event, "additionalContext": reminder.block}
    return json.dumps({"hookSpecificOutput": context})


def _capture(engine: Engine, given: HookInput, named: str | None, seconds: float) -> str:
    chosen = _workspace(engine, given, named)
    said = (given.prompt,) if given.prompt else read_tail(given.transcript).messages
    if said:
        engine.recall.capture(chosen.id, said).result(seconds)
    return ""


def _flush(
    engine: Engine, given: HookInput, named: str | None, sessions: Path | None, seconds: float
) -> str:
    chosen = _workspace(engine, given, named)
    answer = engine.recall.flush(given, chosen.root, sessions).result(seconds)
    if answer.reason:
        _say(answer.reason)
    return json.dumps(answer.reply) if answer.reply else answer.text


def _workspace(engine: Engine, given: HookInput, named: str | None) -> Workspace:
    chosen = engine.find_workspace(named) if named else engine.recall.workspace_at(given.cwd)
    if chosen is None:
        raise WorkspaceMissing(
            "It is not clear which workspace is meant", hint="Add --workspace NAME to the hook."
        )
    return chosen


def _answer(job: Callable[[Engine, HookInput, float], str]) -> None:
    """Run one hook, in the time that the settings allow, and print what it answers."""
    began = time.monotonic()
    try:
        with opened() as engine:
            seconds = engine.settings.settings.recall.deadline_ms / 1000
            given = hook_input(_standard_input(seconds))
            left = seconds - (time.monotonic() - began) - _CLOSING_S
            printed = job(engine, given, max(0.1, left))
    except HookInputRefused as refused:
        _say(str(refused))
    except TimeoutError:
        _say("It took too long; the agent goes on without an answer.")
    except Exception as error:  # no failure of ours may stop an agent
        _say(str(error) or type(error).__name__)
    else:
        if printed:
            with contextlib.suppress(OSError):  # nobody listens any more
                print(printed, flush=True)


def _standard_input(seconds: float) -> bytes:
    """Everything that is piped in. Raises TimeoutError when it does not end."""
    parts: list[bytes] = []

    def read() -> None:
        size = 0
        # Not through sys.stdin: a thread that still waits in it must not block the exit.
        while size <= MAX_BYTES and (part := os.read(0, 65_536)):
            parts.append(part)
            size += len(part)

    if sys.stdin is None or sys.stdin.isatty():
        return b""
    reader = threading.Thread(target=read, name="scrubjay-stdin", daemon=True)
    reader.start()
    reader.join(seconds)
    if reader.is_alive():
        raise TimeoutError
    return b"".join(parts)


def _say(reason: str) -> None:
    with contextlib.suppress(OSError):
        print(f"scrubjay: {' '.join(reason.split())}", file=sys.stderr)
