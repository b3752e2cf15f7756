"""The id of a workspace, which differs from its name and its folder."""

from __future__ import annotations

from typing import NewType

WorkspaceId = NewType("WorkspaceId", str)
"""Id that is stable, unique and safe in a file name; also the agent id of per-agent settings."""
