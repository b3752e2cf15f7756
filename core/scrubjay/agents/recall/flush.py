"""The memory flush: asks an agent once for notes before its context is compacted."""

from __future__ import annotations

import contextlib
import datetime as dt
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from scrubjay.agents.recall.hook_input import HookInput, read_transcript_tail
from scrubjay.agents.recall.hook_output import added_context, one_more_turn
from scrubjay.agents.write_rules import is_daily_note_writable
from scrubjay.config.schema.agent_features import FlushSettings
from scrubjay.notes.daily_note import daily_note_path
from scrubjay.notes.scan import Exclusions
from scrubjay.platform.state_file import StateFile
from scrubjay.records.note_records import Workspace

NO_REPLY = "NO_REPLY"
"""An answer that begins with it is not shown to the user."""

MAX_SESSIONS = 500
"""Sessions in our own file; the oldest are dropped beyond this."""

# Fields of a session, as OpenClaw names them.
_COMPACTIONS = "compactionCount"
_FLUSHED = "memoryFlushCompactionCount"
_FLUSHED_AT = "memoryFlushAt"

# Rules that every prompt gets, also one that the user wrote.
_ONLY_TODAY = (
    "Store durable memories only in {path}, and always use exactly that name. "
    "If the file or its folder does not exist, create it."
)
_APPEND = "If that file exists, APPEND to its end and leave all existing lines unchanged."
_READ_ONLY = (
    "MEMORY.md, DREAMS.md, AGENTS.md, SOUL.md, TOOLS.md and all other files are read-only now."
)
_SYSTEM = (
    "This is a memory flush turn: the conversation is about to be compacted, and anything that "
    "is not written down may be lost."
)
_USER = (
    "Before this conversation is compacted, write down what should be kept: decisions, "
    "preferences, facts about people and projects, open questions. Write one short line for each."
)
_SILENT = f"If there is nothing to store, answer only {NO_REPLY}."
TOOL_PROMPT = (
    f"{_SYSTEM} {_USER} Pass the lines as text to memory_write, without a path: it appends them to "
    f"today's note, wherever that is. Leave other notes as they are. {_SILENT}"
)
"""Prompt of a flush that a person asks for, by an agent that has Scrubjay's tools."""
_KEEP = (
    "Keep in the summary every decision, preference, fact about people or projects, and open "
    "question that has not been written to {path} yet, so that it can be written there afterwards."
)


class FlushAnswer(Struct, frozen=True):
    """The output of the hook. Reply and text are empty if there is nothing to do."""

    reply: dict[str, Any] | None = None
    """JSON for the agent."""
    text: str = ""
    """Instructions for the model that writes the summary."""
    reason: str = ""
    """Why nothing is to do, in one plain sentence."""


def flush_prompt(path: str, *, system: str = "", user: str = "") -> str:
    """The system and the user prompt of a flush into a daily file, as one text.

    The path is the one file that may be appended to, such as `memory/2026-11-21.md`. Texts of the
    user get the same rules.
    """
    rules = " ".join((_ONLY_TODAY.replace("{path}", path), _APPEND, _READ_ONLY))
    afterwards = f"Usually, {NO_REPLY} is the right answer afterwards."
    of_system = f"{system.strip() or _SYSTEM} {rules} {afterwards}"
    of_user = f"{user.strip() or _USER} {rules} {_SILENT}"
    return f"{of_system}\n\n{of_user}"


def flush_answer(
    hook: HookInput, workspace: Workspace, settings: FlushSettings, sessions: Path, *, is_ours: bool
) -> FlushAnswer:
    """The answer to one call of the hook, for a workspace. May raise OSError.

    Sessions is a `sessions.json` in the form of OpenClaw; that of another program is never
    shortened. PreCompact counts a cycle. After a compaction without a flush, the agent is asked
    at the first chance.
    """
    # An agent that may not write would only lose a turn.
    if not settings.enabled:
        return FlushAnswer(
            reason="The memory flush is turned off. To turn it on, set flush.enabled to true."
        )
    if hook.is_read_only or not is_daily_note_writable(workspace.root):
        return FlushAnswer(reason=f"The workspace {workspace.root} is read-only.")
    with session_entry(sessions, hook.session or "main", is_ours=is_ours) as entry:
        return _answer(entry, hook, workspace=workspace, settings=settings)


@contextlib.contextmanager
def session_entry(file: Path, session: str, *, is_ours: bool) -> Iterator[dict[str, Any]]:
    """The entry of a session in a `sessions.json`, to be changed. May raise OSError."""
    with StateFile(file).changed() as data:
        yield _entry(data, session)
        # The session moves to the end, so that those that were used last stay.
        if is_ours:
            if session in data:
                data[session] = data.pop(session)
            for oldest in list(data)[: max(0, len(data) - MAX_SESSIONS)]:
                del data[oldest]


def _answer(
    entry: dict[str, Any], hook: HookInput, *, workspace: Workspace, settings: FlushSettings
) -> FlushAnswer:
    """The answer for the session with an entry, in which it is noted."""
    now = dt.datetime.now().astimezone()
    root = workspace.root
    # An agent that works elsewhere needs the whole path.
    path = daily_note_path(root, now.date(), workspace.layout)
    # What an agent writes there could not be found again.
    if Exclusions(root, workspace.left_out).holds_written(path):
        return FlushAnswer(reason=f"{path} is in an excluded folder, or a pattern excludes it.")
    if hook.cwd and Path(hook.cwd) != root:
        path = str(root / path)
    # A cycle ends with a compaction; a flush is asked for once in each.
    cycle = _count(entry, _COMPACTIONS, 0)
    flushed = _count(entry, _FLUSHED, -1)
    if hook.event == "PreCompact":
        entry[_COMPACTIONS] = cycle + 1
        return FlushAnswer(text="" if flushed >= cycle else _KEEP.format(path=path))
    # A compaction that came before anything was asked; it counts for its own cycle.
    is_missed = flushed < cycle - 1
    if hook.event == "SessionStart":
        if hook.source != "compact" or not is_missed:
            return FlushAnswer(reason="No flush was missed before this conversation.")
        entry[_FLUSHED] = cycle - 1
    elif hook.is_continued:
        return FlushAnswer(reason="No flush is due.")
    elif _is_full(entry, hook, settings) and flushed < cycle:
        entry[_FLUSHED] = cycle
        entry[_FLUSHED_AT] = int(now.timestamp() * 1000)
    elif is_missed:
        entry[_FLUSHED] = cycle - 1
    else:
        return FlushAnswer(reason="No flush is due.")
    prompt = flush_prompt(
        path,
        system=_dated(settings.system_prompt, path, now),
        user=_dated(settings.prompt, path, now),
    )
    # An agent that stops gets one more turn; any other reads it with its next message.
    if hook.event == "Stop":
        return FlushAnswer(reply=one_more_turn(hook, prompt))
    return FlushAnswer(reply=added_context(hook, "UserPromptSubmit", prompt))


def _is_full(entry: Mapping[str, Any], hook: HookInput, settings: FlushSettings) -> bool:
    """Whether the context of an agent is so full that it will be compacted soon."""
    # What the hook says is newest, then the transcript, then what another program has noted.
    tokens = hook.tokens
    if tokens is None:
        tokens = read_transcript_tail(hook.transcript).tokens
    if tokens is None and entry.get("totalTokensFresh") is not False:
        tokens = _count(entry, "totalTokens", 0)
    window = hook.context_window or _count(entry, "contextTokens", settings.context_window)
    due_from = window - settings.reserve_tokens_floor - settings.soft_threshold_tokens
    # A window below both reserves is never free of them: an agent would be asked each time.
    return tokens is not None and 0 < due_from <= tokens


def _dated(text: str, path: str, now: dt.datetime) -> str:
    """A prompt of the user with today's file and date."""
    day = now.date().isoformat()
    return text.replace("memory/YYYY-MM-DD.md", path).replace("YYYY-MM-DD", day)


def _count(entry: Mapping[str, Any], key: str, otherwise: int) -> int:
    """The number in a field of a session, which another program may have written."""
    value = entry.get(key)
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    return otherwise


def _entry(data: dict[str, Any], session: str) -> dict[str, Any]:
    """The entry of a session by its key, otherwise by its `sessionId`; created if missing."""
    # OpenClaw has its own keys, with the id of the session in a field.
    entry = data.get(session)
    if isinstance(entry, dict):
        return entry
    for entry in data.values():
        if isinstance(entry, dict) and entry.get("sessionId") == session:
            return entry
    created: dict[str, Any] = {"sessionId": session}
    data[session] = created
    return created
