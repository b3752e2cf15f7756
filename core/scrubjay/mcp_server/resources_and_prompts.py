"""Memory files as resources, `memory://<workspace>/<path>`, and prompts for users of agents."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import quote, unquote_to_bytes

from scrubjay.agents.recall.flush import flush_texts
from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.io_timeout import IoTimedOut, IoTimeout, IoTimeouts
from scrubjay.config.loading import memory_search_for
from scrubjay.config.schema.memory_search import MemorySearch
from scrubjay.engine.engine import Engine
from scrubjay.errors import NoteRefused, QueryError
from scrubjay.messages import msg
from scrubjay.notes.scan import FoundFile, Scan, scan
from scrubjay.records.search_records import Workspace

SCHEME = "memory://"
TEMPLATE = "memory://{workspace}/{+path}"
PAGE = 200
"""Resources in one answer."""


@dataclass(frozen=True, slots=True)
class NoteResource:
    """A memory file in the list."""

    uri: str
    name: str
    workspace: str
    size: int


def resource_uri(workspace_id: str, path: str) -> str:
    """The address of a note, percent-encoded."""
    return f"{SCHEME}{quote(workspace_id, safe='')}/{quote(path)}"


def parsed(uri: str) -> tuple[str, str]:
    """Workspace id and path of an address. Raises NoteRefused for any other address."""
    workspace, slash, path = uri.removeprefix(SCHEME).partition("/")
    if not uri.startswith(SCHEME) or not slash or not workspace:
        raise NoteRefused(
            msg("{uri} is no note", uri=repr(uri[:200])),
            msg("Notes are at {address}.", address=TEMPLATE),
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
) -> list[NoteResource]:
    """All memory files, by workspace and name. Reads folders only.

    Workspaces on a drive that does not answer are left out. Raises Cancelled.
    """
    resources: list[NoteResource] = []
    for workspace in workspaces:
        settings = memory_search_for(engine.settings, workspace.id)[0]
        if settings.enabled:
            files = _scanned(workspace, settings, io_timeouts[workspace.id], cancel).files
            resources += [_resource(workspace, files[label]) for label in sorted(files)]
    return resources


def _scanned(
    workspace: Workspace, settings: MemorySearch, io_timeout: IoTimeout, cancel: CancelToken
) -> Scan:
    partial = Scan()
    try:
        return io_timeout.call(
            lambda: scan(workspace.root, settings.extra_paths, cancel, into=partial),
            cancel,
            progress=lambda: partial.looked_at,
        )
    except IoTimedOut:
        return Scan()


def _resource(workspace: Workspace, file: FoundFile) -> NoteResource:
    return NoteResource(
        resource_uri(workspace.id, file.label), file.label, workspace.name, file.size
    )


_RECALL = """\
Look in my notes before you answer. Call memory_search with this, and again in other words when \
the first answer is thin; read the lines you need with memory_get. Then answer from what you found \
and name the source of each fact as path#Lfirst-Llast. If the notes say nothing about it, say so.

What I want to know: {topic}"""
_FLUSH_WITH = "Append with the tool memory_write, which writes to that file alone."


@dataclass(frozen=True, slots=True)
class PromptText:
    """A prompt that the user may choose in their agent."""

    name: str
    title: str
    description: str
    arguments: Mapping[str, str]
    """Name -> description; all are required."""
    text: Callable[[Mapping[str, str]], str]


PROMPTS = {
    prompt.name: prompt
    for prompt in (
        PromptText(
            "recall",
            "Recall from my notes",
            "Answer a question from the notes, with sources.",
            {"topic": "What you want to know."},
            lambda arguments: _RECALL.format_map({"topic": arguments["topic"]}),
        ),
        PromptText(
            "flush",
            "Keep what matters",
            "Write down what should outlive this conversation before it is shortened.",
            {},
            lambda _: f"{flush_texts(_today()).both}\n\n{_FLUSH_WITH}",
        ),
    )
}


def _today() -> str:
    return f"memory/{dt.date.today().isoformat()}.md"


def prompt_text(name: str, arguments: Mapping[str, str]) -> str:
    """The text of a prompt. Raises QueryError for an unknown name or a missing argument."""
    prompt = PROMPTS.get(name)
    if prompt is None:
        raise QueryError(
            msg("There is no prompt {name}", name=repr(name)),
            msg("There are {names}.", names=", ".join(PROMPTS)),
        )
    missing = [key for key in prompt.arguments if not arguments.get(key, "").strip()]
    if missing:
        raise QueryError(
            msg("The prompt {name} needs {names}", name=name, names=", ".join(missing))
        )
    return prompt.text(arguments)
