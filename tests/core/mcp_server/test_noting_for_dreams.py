"""What agents find in daily files is noted, when the person has switched that on."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrubjay.agents.dreaming.recall_store import RecallStore
from scrubjay.platform.paths import Paths
from support.mcp_client import connected
from support.vault import write_notes

from .conftest import settings


@pytest.mark.parametrize("is_on", [True, False])
def test_a_search_over_the_protocol_is_noted(paths: Paths, workspace: Path, *, is_on: bool) -> None:
    dreaming = f"dreaming: {{ enabled: {str(is_on).lower()} }},"
    write_notes(paths.config, {"config.json5": settings(workspace, dreaming)})
    with connected(paths.config) as client:
        client.answer("memory_search", query="router attic")
        client.answer("memory_search", query="green tea")
    found = [entry.path for entry in RecallStore(workspace).entries().values()]
    assert found == (["memory/2026-05-08.md"] if is_on else [])
