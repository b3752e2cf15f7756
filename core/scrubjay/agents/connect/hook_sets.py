"""The hooks of each agent: their file, their form, and the event at which each of ours runs.

Sources, as of November 2026: Claude Code, https://docs.claude.com/en/docs/claude-code/hooks;
Codex, https://developers.openai.com/codex/hooks, whose SessionEnd may take three seconds at most;
Gemini CLI, https://geminicli.com/docs/hooks/reference, which counts milliseconds;
Cursor, https://cursor.com/docs/agent/hooks, where only sessionStart can add to the context.
On Windows, Gemini CLI and Cursor run commands in PowerShell, Codex in PowerShell or cmd.exe, and
Claude Code in Git Bash where there is one, unless the entry lists arguments: then in no shell.
OpenClaw has no hooks that run a command; `openclaw_plugin` writes a plugin instead.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from scrubjay.agents.connect.known_agents import ClientContext
from scrubjay.messages import Sentence, msg

HOOK_SECONDS = 10
"""Seconds after which an agent ends a hook; ours answer within `recall.deadlineMs`, 5 seconds."""
_CODEX_END_SECONDS = 3
"""Seconds that Codex grants at most to a hook at the end of a conversation."""

HOOKS_KEY = "hooks"
"""Key of the hooks in each of the files, and of the commands in a group."""

RECALL = "recall"
TODAY = "today"
FLUSH = "flush"
KEEP = "keep"
MANAGED = frozenset({RECALL, TODAY, FLUSH, KEEP})
"""Hooks of ours that connecting writes; people may add others by hand."""

_AFTERWARDS = msg(
    "Scrubjay can ask {name} to write notes only after it has compacted a conversation, not before."
)


class HookSet(Struct, frozen=True):
    """The hooks of one kind of agent."""

    file: Callable[[ClientContext], Path]
    events: Mapping[str, tuple[str, ...]]
    """Hooks of ours by the event of the agent at which they run."""
    is_flat: bool = False
    """Whether an event lists its commands, and not groups of commands."""
    constants: Mapping[str, Any] = {}
    """Keys that the file must have beside the hooks."""
    units: int = 1
    """Units of a second in which the agent counts timeouts."""
    seconds: Mapping[str, int] = {}
    """Seconds by event, where they are not `HOOK_SECONDS`."""
    takes_arguments: bool = False
    """Whether an entry may list arguments, so that the agent runs its program without a shell."""
    lacks: tuple[Sentence, ...] = ()
    """Sentences on hooks that this agent does not have; `{name}` is the agent."""

    def entry(
        self, event: str, command: str, arguments: Sequence[str] | None = None
    ) -> dict[str, Any]:
        """One command as the agent's file lists it; with arguments, the command is a program."""
        timeout = self.seconds.get(event, HOOK_SECONDS) * self.units
        if self.is_flat:
            return {"command": command, "timeout": timeout}
        if arguments is None:
            return {"type": "command", "command": command, "timeout": timeout}
        return {"type": "command", "command": command, "args": list(arguments), "timeout": timeout}

    def listed(self, entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Commands as the list of an event has them."""
        if self.is_flat:
            return entries
        return [{HOOKS_KEY: entries}]


HOOK_SETS = {
    "claude-code": HookSet(
        lambda at: at.path("CLAUDE_CONFIG_DIR", at.home / ".claude") / "settings.json",
        {
            "SessionStart": (TODAY, FLUSH),
            "UserPromptSubmit": (RECALL,),
            "Stop": (FLUSH,),
            "PreCompact": (FLUSH,),
            "SessionEnd": (KEEP,),
        },
        takes_arguments=True,
    ),
    "codex": HookSet(
        lambda at: at.path("CODEX_HOME", at.home / ".codex") / "hooks.json",
        {
            "SessionStart": (TODAY, FLUSH),
            "UserPromptSubmit": (RECALL,),
            "Stop": (FLUSH,),
            "PreCompact": (FLUSH,),
            "SessionEnd": (KEEP,),
        },
        seconds={"SessionEnd": _CODEX_END_SECONDS},
    ),
    "gemini-cli": HookSet(
        lambda at: at.home / ".gemini" / "settings.json",
        {
            "SessionStart": (TODAY,),
            "BeforeAgent": (RECALL, FLUSH),
            "PreCompress": (FLUSH,),
            "SessionEnd": (KEEP,),
        },
        units=1000,
    ),
    "cursor": HookSet(
        lambda at: at.home / ".cursor" / "hooks.json",
        {"sessionStart": (TODAY,), "preCompact": (FLUSH,), "stop": (FLUSH,), "sessionEnd": (KEEP,)},
        is_flat=True,
        constants={"version": 1},
        lacks=(
            msg(
                "Scrubjay cannot add notes to your questions to {name}, but {name} can search "
                "the notes itself."
            ),
            _AFTERWARDS,
        ),
    ),
}
"""Hooks by the id of the agent; others have none that run a command."""
