"""The note of a finished conversation: its last messages, next to the day's note."""

from __future__ import annotations

import datetime as dt
import hashlib
import re
from pathlib import Path

from scrubjay.agents.recall.flush import session_entry
from scrubjay.agents.recall.hook_input import HookInput, read_last_lines
from scrubjay.errors import NotWritable
from scrubjay.notes.daily_note import append_to_daily_note
from scrubjay.notes.transcripts import read_transcript
from scrubjay.records.note_records import Workspace
from scrubjay.text.graphemes import truncate_text

MAX_MESSAGES = 15
_MAX_CHARACTERS = 1000
"""Characters of one message; all of them together fit into one entry."""
_KEPT = "keptMessage"
"""Digest of the last message that was written, in the session's entry."""
_RECALLED = ("relevant-memories", "daily-notes")
"""Names of the marks around what hooks of ours added to a message."""
_COMMAND = re.compile(r"User: (?:/|$)")


def keep_conversation(hook: HookInput, workspace: Workspace, sessions: Path) -> str:
    """Write the messages that were not written before; the answer says why there are none.

    Raises NotWritable, OSError, or ValueError for a file that is not a transcript.
    """
    if hook.is_read_only:
        raise NotWritable("The agent is not allowed to write to this folder")
    if not hook.transcript:
        return "The agent did not say where its conversation is stored."
    text = read_transcript(read_last_lines(hook.transcript)).text
    said = map(_without_recalled, text.split("\n"))
    messages = [line for line in said if line and not _COMMAND.match(line)]
    with session_entry(sessions, hook.session or hook.transcript, is_ours=True) as entry:
        # Messages after the last one that was written are new.
        digests = [hashlib.sha256(line.encode()).hexdigest()[:16] for line in messages]
        if entry.get(_KEPT) in digests:
            at = len(digests) - digests[::-1].index(entry[_KEPT])
            messages = messages[at:]
            digests = digests[at:]
        if not any(line.startswith("User: ") for line in messages):
            return "The conversation has no new messages."
        now = dt.datetime.now().astimezone()
        lead = f"## Conversation that ended at {now:%H:%M}"
        key = ""
        if hook.conversation.raw:
            key = f"Session key: {hook.conversation.raw}"
        shown = (truncate_text(line, _MAX_CHARACTERS) for line in messages[-MAX_MESSAGES:])
        note = "\n\n".join(filter(None, (lead, key, *shown)))
        append_to_daily_note(workspace, note, now=now, suffix=f"-{now:%H%M}")
        entry[_KEPT] = digests[-1]
    return ""


def _without_recalled(line: str) -> str:
    """A message without the notes that were added to it."""
    for name in _RECALLED:
        *closed, rest = line.split(f"</{name}>")
        # Each of these parts ended with a closing mark; its notes begin at the first opening one.
        kept: list[str] = []
        is_after_notes = False
        for part in closed:
            said, opening, _ = part.partition(f"<{name}>")
            if is_after_notes:
                said = said.lstrip()
            is_after_notes = bool(opening)
            kept.append(said)
            if not opening:
                kept.append(f"</{name}>")
        if is_after_notes:
            rest = rest.lstrip()
        line = "".join([*kept, rest])
    return line
