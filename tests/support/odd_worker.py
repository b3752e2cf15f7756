"""A llama child whose builds of the library behave as their file is called."""

from __future__ import annotations

import json
import os
import signal
import struct
import sys
import threading
from pathlib import Path

import numpy as np

from scrubjay.platform import pipe_protocol

SECONDS = {"portable": 0.10, "faster": 0.05, "alike": 0.095, "differs": 0.05, "nothing": 0.05}

LIES: dict[str, tuple[dict[str, object], bytes, int]] = {
    "longest": ({}, b"", 2**32 - 1),
    "wordy": ({"error": "x" * 1_000_000}, b"", 0),
    "short": ({}, b"abc", 3),
    "long": ({}, bytes(80), 80),
    "unasked": ({"id": 99}, b"", 0),
    "odd": ({"id": []}, b"", 0),
    "untimed": ({"thread_s": None}, bytes(8), 8),
}
"""Build -> a header, a payload and its length as it is announced."""


def main() -> None:
    """Answer as the child does: loading, then vectors."""
    build = "portable"
    while message := pipe_protocol.receive_message(sys.stdin.buffer):
        request, _ = message
        if request["op"] == "load":
            build = Path(request["library"]).stem or build
            pipe_protocol.send_message(sys.stdout.buffer, {"id": request["id"], "dimensions": 2})
            if build == "deaf":
                threading.Event().wait()
            continue
        if build == "dies":
            os.kill(os.getpid(), signal.SIGILL)
        if build == "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        if build == "hangs":
            threading.Event().wait()
        if request["op"] == "read":
            answer = {"id": request["id"], "ratios": ["far"], "tokens": 1, "seconds": 0.1}
            pipe_protocol.send_message(sys.stdout.buffer, answer)
            continue
        if build in LIES:
            header, payload, length = LIES[build]
            text = json.dumps({"id": request["id"], "thread_s": 0.1} | header).encode()
            sys.stdout.buffer.write(struct.pack("<II", len(text), length) + text + payload)
            sys.stdout.buffer.flush()
            continue
        vector = {"differs": (0.6, 0.8), "nothing": (np.nan, np.nan)}.get(build, (1, 0))
        vectors = np.array([vector] * len(request["texts"]), dtype=np.float32)
        header = {"id": request["id"], "thread_s": SECONDS[build]}
        pipe_protocol.send_message(sys.stdout.buffer, header, vectors.tobytes())


if __name__ == "__main__":
    main()
