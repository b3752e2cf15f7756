"""`scrubjay hook`: commands for the hooks of an agent. They never stop the agent.

For any input and any failure, the exit code is 0, standard output holds an answer or nothing, and
one line on standard error gives the reason.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

from scrubjay.agents.recall.hook_input import MAX_BYTES
from scrubjay.cli import running_app
from scrubjay.cli.arguments import CommandGroup, Option
from scrubjay.cli.options import AsAgent, In
from scrubjay.cli.reply import Reply, print_reply, warning_line

app = CommandGroup(
    "Respond to an agent's hooks, with JSON on standard input and output.",
    # For any error, wrong usage too: agents take the exit code 2 as an order to stop.
    on_failure=lambda error: _show(Reply(warnings=[warning_line(str(error))])),
)


_INPUT_S = 2.0
"""Seconds of waiting for the end of the input; an agent says all at once, or never."""


@app.command("recall")
def recall_notes(workspace: In = None, agent: AsAgent = "hooks") -> None:
    """Print notes that fit a prompt (UserPromptSubmit): at most three, 1,000 characters."""
    _answer("recall", workspace=workspace, agent=agent)


@app.command("today")
def recall_daily_notes(workspace: In = None, agent: AsAgent = "hooks") -> None:
    """Print today's and yesterday's notes for the start of a conversation (SessionStart)."""
    _answer("today", workspace=workspace, agent=agent)


@app.command("keep")
def keep_conversation(workspace: In = None, agent: AsAgent = "hooks") -> None:
    """Write the end of a finished conversation into a note (SessionEnd)."""
    _answer("keep", workspace=workspace, agent=agent)


@app.command("capture")
def capture_sentences(workspace: In = None) -> None:
    """List the user's sentences that are worth keeping (Stop, or UserPromptSubmit)."""
    _answer("capture", workspace=workspace)


@app.command("flush")
def flush_memory(
    workspace: In = None,
    agent: AsAgent = "hooks",
    sessions: Annotated[
        Path | None,
        Option(help="The agent's sessions.json file. By default, Scrubjay uses its own file."),
    ] = None,
) -> None:
    """Ask for notes before a context is compacted (Stop, PreCompact and SessionStart)."""
    file = None
    if sessions:
        file = str(sessions.absolute())  # the app has another working folder
    _answer("flush", workspace=workspace, agent=agent, sessions=file)


def _answer(name: str, **options: str | None) -> None:
    """Run one hook within `recall.deadlineMs`, and print its answer."""
    began = time.monotonic()
    try:
        # Input is read while an engine or the app is looked for.
        wait_for_input = _standard_input()
        reply = _of_running_app(name, options, wait_for_input=wait_for_input, began=began)
        if reply is None:
            from scrubjay.cli.hook_replies import reply_to_hook
            from scrubjay.cli.session import open_engine

            with open_engine(is_patient=False) as engine:
                seconds = engine.settings.settings.recall.deadline_ms / 1000
                given = wait_for_input(min(seconds, _INPUT_S))
                spent = time.monotonic() - began
                reply = reply_to_hook(engine, name, data=given, options=options, spent=spent)
    except TimeoutError:
        reply = Reply(
            warnings=[
                warning_line("Scrubjay took too long, so the agent continues without an answer.")
            ]
        )
    except Exception as error:  # a failure must not stop the agent
        reply = Reply(warnings=[warning_line(str(error) or type(error).__name__)])
    _show(reply)


def _of_running_app(
    name: str, options: dict[str, str | None], wait_for_input: Callable[[float], str], began: float
) -> Reply | None:
    """The reply of the app; None where none runs, or it does not answer."""
    if not running_app.may_be_running():
        return None
    # The time that passed here counts for the app, too.
    arguments = {"hook": name, "data": wait_for_input(_INPUT_S), "options": options}
    spent = time.monotonic() - began
    return running_app.ask_running_app("hook", {**arguments, "spent": spent}, options["workspace"])


def _standard_input() -> Callable[[float], str]:
    """Standard input as Latin-1, which is read from now on; raises TimeoutError after seconds."""
    parts: list[bytes] = []

    def read() -> None:
        size = 0
        # Not through sys.stdin: a thread that still waits in it must not block the exit.
        while size <= MAX_BYTES:
            part = os.read(0, 65_536)
            if not part:
                return
            parts.append(part)
            size += len(part)

    def wait(seconds: float) -> str:
        reader.join(seconds)
        if reader.is_alive():
            raise TimeoutError
        return b"".join(parts).decode("latin-1")

    # A person at a terminal says nothing.
    if sys.stdin is None or sys.stdin.isatty():
        return lambda _: ""
    reader = threading.Thread(target=read, name="scrubjay-stdin", daemon=True)
    reader.start()
    return wait


def _show(reply: Reply) -> None:
    with contextlib.suppress(OSError):  # the agent has closed the pipe
        print_reply(reply)
        sys.stdout.flush()
