"""The run of the process that opens shared memories, which may say anything."""

from __future__ import annotations

import json
import os
import struct
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from scrubjay.store.lancedb.worker_run import RunEnded, WorkerRun
from support.vault import TIMEOUT

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the process is started by a script")


def message(header: object, payload_bytes: int = 0) -> bytes:
    """The beginning of a message, whose payload does not follow."""
    text = json.dumps(header).encode()
    return struct.pack("<II", len(text), payload_bytes) + text


@pytest.mark.parametrize(
    "said",
    [
        message({"id": 99}),
        message({"id": []}),
        message({}),
        message([]),
        message({"id": 0, "pending": None}),
        message({"id": 0, "pending": "many"}),
        message({"id": 0}, 2**32 - 1),
        message({"id": 0, "x": "x" * 100_000}),
        struct.pack("<II", 4, 0) + b"\xff{}!",
    ],
)
def test_what_makes_no_sense_ends_the_process_and_each_request(
    said: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "said").write_bytes(said)
    program = tmp_path / "python"
    program.write_text(f"#!/bin/sh\nhead -c 1 >/dev/null\ncat '{tmp_path}/said'\nexec sleep 600\n")
    program.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(program))
    run = WorkerRun(2**30)
    pool = ThreadPoolExecutor()
    with pytest.raises(RunEnded):
        pool.submit(run.ask, b"", None, print).result(TIMEOUT)
    assert run.process.wait(TIMEOUT)
    assert not run.is_alive
