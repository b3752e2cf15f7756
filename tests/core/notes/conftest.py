"""Folders whose changes are collected once they are due."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from support.due_changes import Due


@pytest.fixture
def due(request: pytest.FixtureRequest) -> Iterator[Due]:
    collector = Due(getattr(request, "param", 0.05))
    yield collector
    collector.timers.close()
