"""The llama child process by itself, spoken to over its pipes."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from scrubjay.platform import pipe_protocol

pytestmark = pytest.mark.model


@pytest.fixture
def worker(model_file: Path) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "scrubjay.embedding.local.llama_worker"]
    load = {"id": 0, "op": "load", "path": str(model_file), "context": 512, "threads": 1}
    load |= {"gpu_layers": None, "idle_seconds": 10, "library": "", "reads": False}
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        pipe_protocol.send_message(process.stdin, load)
        assert pipe_protocol.receive_message(process.stdout)
        yield process
        process.kill()


def test_requests_that_come_in_one_piece_are_all_answered(worker: subprocess.Popen[bytes]) -> None:
    """A question and a batch of notes often do, and who waits for the batch sends nothing more."""
    together = io.BytesIO()
    for number, op in enumerate(("query", "documents", "query"), start=1):
        pipe_protocol.send_message(together, {"id": number, "op": op, "texts": ["jay"]})
    assert worker.stdin
    assert worker.stdout
    worker.stdin.write(together.getvalue())
    worker.stdin.flush()
    answers = [pipe_protocol.receive_message(worker.stdout) for _ in range(3)]
    assert {answer[0]["id"] for answer in answers if answer} == {1, 2, 3}
