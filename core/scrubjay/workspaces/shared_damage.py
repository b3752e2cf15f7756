"""Sentences about damaged parts of shared folders, which are excluded."""

from __future__ import annotations

from collections.abc import Iterator

from scrubjay.messages import join_sentences, msg
from scrubjay.records.shared_records import SharedRecord


def workspace_damage(workspace: SharedRecord) -> str:
    """The part of a workspace that is excluded, in sentences; empty for nothing."""
    return join_sentences(" ", _of_workspace(workspace))


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
