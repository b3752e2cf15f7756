"""Names of the folders, by which rows and sentences tell them apart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from scrubjay.records.note_records import Workspace
from scrubjay.records.workspace_id import WorkspaceId

WorkspaceNames: TypeAlias = Mapping[WorkspaceId, str]
"""Name of each workspace by its id, which a note or a finding has."""


def display_names(workspaces: Iterable[Workspace]) -> WorkspaceNames:
    """The names of these workspaces."""
    return {workspace.id: workspace.name for workspace in workspaces}


def badge_names(workspaces: Iterable[Workspace]) -> WorkspaceNames:
    """The names for the badges of rows; empty names when there is one workspace only."""
    names = display_names(workspaces)
    if len(names) < 2:
        return dict.fromkeys(names, "")
    return names
