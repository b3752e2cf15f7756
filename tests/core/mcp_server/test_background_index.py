"""Passes of a server that shares an index with the server of another agent."""

from __future__ import annotations

import contextlib
import threading
from pathlib import Path

import pytest

from scrubjay.engine.engine import Engine
from scrubjay.errors import IndexLocked
from scrubjay.mcp_server.background_index import BackgroundIndexer
from scrubjay.platform.paths import Paths
from scrubjay.records.engine_limits import EngineLimits
from scrubjay.store.index_file import hold_write_lease
from support.vault import TIMEOUT, write_notes
from support.waiting import wait_until


def test_a_pass_that_finds_its_index_in_use_is_made_once_it_is_free(
    home: Path, workspace: Path, paths: Paths
) -> None:
    with contextlib.closing(Engine(paths, limits=EngineLimits(lease_seconds=0.0))) as engine:
        engine.refresh().result(TIMEOUT)
        known = documents(engine)
        threads = threading.enumerate()
        write_notes(workspace, {"memory/new.md": "# New\n\nThe stork has come.\n"})
        [record] = engine.workspaces()
        background = BackgroundIndexer(engine)
        [file] = paths.indexes.glob("*.sqlite")
        with hold_write_lease(file):
            for _ in range(3):
                background.refresh((record,), is_changed=True)
            # The three passes before this one have ended when it has.
            with pytest.raises(IndexLocked):
                engine.refresh(record).result(TIMEOUT)
            wait_until(lambda: pending_timers(threads))
            assert len(pending_timers(threads)) <= 1
            assert documents(engine) == known
        wait_until(lambda: documents(engine) == known + 1)


def pending_timers(former: list[threading.Thread]) -> list[threading.Timer]:
    """Timers that were started since and not cancelled, which still have a thread for a moment."""
    return [
        each
        for each in threading.enumerate()
        if isinstance(each, threading.Timer) and each not in former and not each.finished.is_set()
    ]


def documents(engine: Engine) -> int:
    """Number of notes that the index knows."""
    [status] = engine.current_status().result(TIMEOUT).workspaces
    return status.freshness.documents
