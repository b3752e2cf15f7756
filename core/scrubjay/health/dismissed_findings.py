"""Findings that a person left as they are, such as a link in an example."""

from __future__ import annotations

import json
from collections.abc import Collection

from scrubjay.health.findings import Finding, FindingKind
from scrubjay.platform.state_file import StateFile
from scrubjay.records.workspace_id import WorkspaceId

LEAVABLE = (
    FindingKind.DEAD_LINK,
    FindingKind.MISSING_FILE,
    FindingKind.DUPLICATE_NOTE,
    FindingKind.DUPLICATE_TEXT,
    FindingKind.CONFLICT_COPY,
)
"""Kinds that may be meant as they are. A password is not one: the next in that note may be real."""
_LINES = ("line", "other_line")
"""Values that change whenever a line is added above."""


class DismissedFindings:
    """Left findings of all workspaces, in a state file. Calls may raise OSError."""

    def __init__(self, file: StateFile) -> None:
        """Nothing is read yet."""
        self._file = file

    def of(self, workspace: WorkspaceId) -> Collection[str]:
        """Keys of the findings of a workspace that were left."""
        keys = self._file.read().get(workspace)
        # The file may have been edited by hand.
        if not isinstance(keys, list):
            return frozenset()
        return frozenset(map(str, keys))

    def add(self, finding: Finding) -> None:
        """Leave a finding as it is."""
        keys = {*self.of(finding.workspace), key_of(finding)}
        with self._file.changed() as entries:
            entries[finding.workspace] = sorted(keys)

    def remove(self, finding: Finding) -> None:
        """Report a finding again."""
        keys = {*self.of(finding.workspace)} - {key_of(finding)}
        with self._file.changed() as entries:
            entries[finding.workspace] = sorted(keys)


def key_of(finding: Finding) -> str:
    """Text that tells a finding from the others of its workspace, wherever its line moves."""
    values = {name: str(value) for name, value in finding.values.items() if name not in _LINES}
    return json.dumps([finding.kind.name, finding.path, values], sort_keys=True)
