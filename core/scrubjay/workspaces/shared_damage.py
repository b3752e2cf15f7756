"""Sentences about damaged parts of shared memories, which are excluded."""

from __future__ import annotations

from collections.abc import Iterator

from scrubjay.messages import join_sentences, msg
from scrubjay.records.shared_records import SharedMemory, SharedRecord


def workspace_damage(workspace: SharedRecord) -> str:
    """The part of a workspace that is excluded, in sentences; empty for nothing."""
    return join_sentences(" ", _of_workspace(workspace))


def memory_damage(memory: SharedMemory) -> str:
    """The part of the list of a memory that is excluded, in a sentence; empty for nothing."""
    if not memory.excluded:
        return ""
    return msg(
        "Scrubjay does not search {n} {n:folder|folders} in the list of "
        "{uri}, because {n:the entry is|the entries are} damaged or the "
        "list is too long.",
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
            "Scrubjay does not search {n} {n:passage|passages} in {name}, because {n:the "
            "passage is|they are} damaged.",
            n=workspace.damaged_passages,
            name=workspace.title,
        )
    if workspace.damaged_words:
        yield msg(
            "Scrubjay does not use {n} {n:entry|entries} in the word list of {name}, because "
            "{n:the entry is|they are} damaged.",
            n=workspace.damaged_words,
            name=workspace.title,
        )
