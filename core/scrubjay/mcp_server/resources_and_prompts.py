"""Memory files as resources, `memory://<workspace>/<path>`, and prompts for users of agents."""

from __future__ import annotations

import contextlib
import datetime as dt
from collections.abc import Iterable, Mapping
from functools import partial
from urllib.parse import quote, unquote_to_bytes

import mcp_types as types

from scrubjay.agents.recall.flush import flush_prompt
from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.io_timeout import IoTimedOut, IoTimeouts
from scrubjay.config.loading import memory_search_for
from scrubjay.engine.engine import Engine
from scrubjay.errors import NoteRefused, QueryError
from scrubjay.mcp_server.tool_schemas import NOTICE
from scrubjay.messages import msg
from scrubjay.notes.scan import FoundFile, Scan, scan
from scrubjay.records.search_records import Workspace

SCHEME = "memory://"
MARKDOWN = "text/markdown"
TEMPLATE = types.ResourceTemplate(
    uri_template="memory://{workspace}/{+path}",
    name="note",
    title="A note",
    description=f"One memory file of a workspace. {NOTICE}",
    mime_type=MARKDOWN,
)


def resource_uri(workspace_id: str, path: str) -> str:
    """The address of a note, percent-encoded."""
    return f"{SCHEME}{quote(workspace_id, safe='')}/{quote(path)}"


def parsed(uri: str) -> tuple[str, str]:
    """Workspace id and path of an address. Raises NoteRefused for any other address."""
    workspace, slash, path = uri.removeprefix(SCHEME).partition("/")
    if not uri.startswith(SCHEME) or not slash or not workspace:
        raise NoteRefused(
            msg("{uri} is no note", uri=repr(uri[:200])),
            msg("Notes are at {address}.", address=TEMPLATE.uri_template),
        )
    try:
        # Decoded once, and checked after that, so that no escape hides a path.
        return (unquote_to_bytes(workspace).decode("utf-8"), unquote_to_bytes(path).decode("utf-8"))
    except UnicodeError as error:
        raise NoteRefused(
            msg("{uri} is no note", uri=repr(uri[:200])), "It is not UTF-8."
        ) from error


def listed(
    engine: Engine, workspaces: Iterable[Workspace], io_timeouts: IoTimeouts, cancel: CancelToken
) -> list[tuple[Workspace, FoundFile]]:
    """All memory files, by workspace and name. Reads folders only.

    Workspaces on a drive that does not answer are left out. Raises Cancelled.
    """
    notes: list[tuple[Workspace, FoundFile]] = []
    for workspace in workspaces:
        settings = memory_search_for(engine.settings, workspace.id)[0]
        if not settings.enabled:
            continue
        found = Scan()
        look = partial(scan, workspace.root, settings.extra_paths, cancel, into=found)
        progress = partial(getattr, found, "looked_at")
        with contextlib.suppress(IoTimedOut):
            files = io_timeouts[workspace.id].call(look, cancel, progress=progress).files
            notes += [(workspace, files[label]) for label in sorted(files)]
    return notes


_RECALL = """\
Look in my notes before you answer. Call memory_search with this, and again in other words when \
the first answer is thin; read the lines you need with memory_get. Then answer from what you found \
and name the source of each fact as path#Lfirst-Llast. If the notes say nothing about it, say so.

What I want to know: {topic}"""
_FLUSH_WITH = "Append with the tool memory_write, which writes to that file alone."


_PROMPTS = (
    types.Prompt(
        name="recall",
        title="Recall from my notes",
        description="Answer a question from the notes, with sources.",
        arguments=[
            types.PromptArgument(name="topic", description="What you want to know.", required=True)
        ],
    ),
    types.Prompt(
        name="flush",
        title="Keep what matters",
        description="Write down what should outlive this conversation before it is shortened.",
        arguments=[],
    ),
)
PROMPTS = {prompt.name: prompt for prompt in _PROMPTS}
"""Prompts that the user may choose in their agent."""


def prompt_result(name: str, arguments: Mapping[str, str]) -> types.GetPromptResult:
    """A prompt with its text. Raises QueryError for an unknown name or a missing argument."""
    if name not in PROMPTS:
        raise QueryError(
            msg("There is no prompt {name}", name=repr(name)),
            msg("There are {names}.", names=", ".join(PROMPTS)),
        )
    if name == "recall":
        topic = arguments.get("topic", "")
        if not topic.strip():
            raise QueryError(msg("The prompt {name} needs {names}", name=name, names="topic"))
        text = _RECALL.format(topic=topic)
    else:
        today = f"memory/{dt.date.today().isoformat()}.md"
        text = f"{flush_prompt(today)}\n\n{_FLUSH_WITH}"
    message = types.PromptMessage(role="user", content=types.TextContent(text=text))
    return types.GetPromptResult(description=PROMPTS[name].description, messages=[message])
