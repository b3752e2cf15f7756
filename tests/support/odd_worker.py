"""A llama child whose builds of the library behave as their file is called."""

from __future__ import annotations

import os
import signal
import sys
import threading
from pathlib import Path

import numpy as np

from scrubjay.platform import pipe_protocol

SECONDS = {"portable": 0.10, "faster": 0.05, "alike": 0.095, "differs": 0.05, "nothing": 0.05}


def main() -> None:
    """Answer as the child does: loading, then vectors."""
    build = "portable"
    while message := pipe_protocol.receive(sys.stdin.buffer):
        request, _ = message
        if request["op"] == "load":
            build = Path(request["library"]).stem or build
            pipe_protocol.send(sys.stdout.buffer, {"id": request["id"], "dimensions": 2})
            if build == "deaf":
                threading.Event().wait()
            continue
        if build == "dies":
            os.kill(os.getpid(), signal.SIGILL)
        if build == "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        if build == "hangs":
            threading.Event().wait()
        vector = {"differs": (0.6, 0.8), "nothing": (np.nan, np.nan)}.get(build, (1, 0))
        vectors = np.array([vector] * len(request["texts"]), dtype=np.float32)
        header = {"id": request["id"], "thread_s": SECONDS[build]}
        pipe_protocol.send(sys.stdout.buffer, header, vectors.tobytes())


if __name__ == "__main__":
    main()
