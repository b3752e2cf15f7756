"""Processes that read documents and pictures end once nobody needs them."""

from __future__ import annotations

import subprocess
import sys

import pytest

from scrubjay.platform import pipe_protocol
from support import pictures

PATIENCE_S = 60


@pytest.mark.parametrize(
    ("worker", "request_header", "data"),
    [
        ("document_worker", {"ending": ".rtf"}, rb"{\rtf1 Zebra}"),
        ("picture_worker", {}, pictures.encoded(pictures.page(pictures.GERMAN))),
    ],
)
def test_a_process_ends_when_its_parent_is_gone(
    worker: str, request_header: dict[str, str], data: bytes
) -> None:
    command = [sys.executable, "-P", "-m", f"scrubjay.documents.{worker}"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        request = {**request_header, "seconds": PATIENCE_S}
        pipe_protocol.send_message(process.stdin, request, data)
        assert pipe_protocol.receive_message(process.stdout)
        process.stdin.close()
        try:
            assert process.wait(PATIENCE_S) == 0
        finally:
            process.kill()
