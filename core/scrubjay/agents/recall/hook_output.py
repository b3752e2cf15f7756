"""Answers of hooks in the form that each agent reads.

Claude Code: https://docs.claude.com/en/docs/claude-code/hooks. Codex:
https://developers.openai.com/codex/hooks. Gemini CLI: https://geminicli.com/docs/hooks/reference.
Cursor: https://cursor.com/docs/agent/hooks, the only one with names of events in lower case.
"""

from __future__ import annotations

from typing import Any

from scrubjay.agents.recall.hook_input import HookInput

_SILENT_BEFORE_COMPACTION = frozenset({"codex"})
"""Agents that call the event as Claude Code does, but read no text there."""


def added_context(hook: HookInput, event: str, text: str) -> dict[str, Any]:
    """JSON that adds a text to the context of an agent; event is for an agent that names none."""
    if _is_of_cursor(hook):
        return {"additional_context": text}
    context = {"hookEventName": hook.event_name or hook.event or event, "additionalContext": text}
    return {"hookSpecificOutput": context}


def one_more_turn(hook: HookInput, prompt: str) -> dict[str, Any]:
    """JSON that gives an agent one more turn with a prompt, instead of stopping."""
    if _is_of_cursor(hook):
        return {"followup_message": prompt}
    return {"decision": "block", "reason": prompt, "suppressOutput": True}


def hears_before_compaction(hook: HookInput, agent: str) -> bool:
    """Whether an agent reads the text of a hook that runs before a compaction."""
    return hook.event_name == hook.event and agent not in _SILENT_BEFORE_COMPACTION


def _is_of_cursor(hook: HookInput) -> bool:
    return hook.event_name[:1].islower()
