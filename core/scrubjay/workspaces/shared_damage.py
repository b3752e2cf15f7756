"""Sentences about damaged parts of shared memories, which are excluded."""

from __future__ import annotations

from collections.abc import Iterator

from scrubjay.messages import joined, msg
from scrubjay.records.shared_records import SharedMemory, SharedRecord


def workspace_damage(workspace: SharedRecord) -> str:
    """The part of a workspace that is excluded, in sentences; empty for nothing."""
    return joined(" ", _of_workspace(workspace))


def memory_damage(memory: SharedMemory) -> str:
    """The part of the list of a memory that is excluded, in a sentence; empty for nothing."""
    if not memory.excluded:
        return ""
    return msg(
        "{n} {n:entry|entries} in the list of {uri} {n:is|are} damaged or beyond the limit, and "
        "not searched.",
        n=memory.excluded,
        uri=memory.uri,
    )


def _of_workspace(workspace: SharedRecord) -> Iterator[str]:
    """One sentence for each kind of damage."""
    if workspace.reason:
        yield msg(
            "{name} cannot be searched. {reason}", name=workspace.title, reason=workspace.reason
        )
    if workspace.damaged_passages:
        yield msg(
            "{n} {n:passage|passages} of {name} {n:is|are} damaged and not searched.",
            n=workspace.damaged_passages,
            name=workspace.title,
        )
    if workspace.damaged_words:
        yield msg(
            "{n} {n:entry|entries} in the list of words of {name} {n:is|are} damaged and not used.",
            n=workspace.damaged_words,
            name=workspace.title,
        )
