"""The life of a child process that reads what strangers made: requests in, answers out.

It answers one request at a time (platform/pipe_protocol) in a sandbox of the operating system
(platform/sandbox), and ends when stdin closes, after some time without a request, or when an answer
takes too long.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
from collections.abc import Callable
from typing import Any, BinaryIO

from scrubjay.documents.document_errors import DocumentRefused
from scrubjay.documents.document_limits import MOST_MEMORY
from scrubjay.messages import Sentence, serialize_sentence
from scrubjay.platform import pipe_protocol
from scrubjay.platform.sandbox.entry import enter_sandbox
from scrubjay.platform.sandbox.windows_calls import lower_priority

Answer = tuple[dict[str, Any], bytes]
"""A header and bytes."""

IDLE_S = 30.0
"""Seconds without a request after which the process ends."""
_NICENESS = 5
"""Steps by which the process gives way to others."""
_REFUSED = (
    "socket.",
    "subprocess.",
    "os.exec",
    "os.fork",
    "os.posix_spawn",
    "os.spawn",
    "os.system",
)
"""Beginnings of the events of Python that are refused."""


def serve(
    answer: Callable[[dict[str, Any], bytes], Answer],
    damaged: Callable[[dict[str, Any]], Sentence],
    *,
    most_memory: int,
    needs_more_memory: Sentence,
    with_threads: bool = False,
) -> None:
    """Answer requests until stdin closes or the process is idle.

    Whatever an answer trips over is damage of the file, which has a sentence. Import what answers
    need before: from here on the process is in its sandbox.
    """
    # Output of native code must not get into the protocol.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sandbox = restrict_process(most_memory, with_threads=with_threads)
    requests = os.fdopen(0, "rb")
    # The parent may ask what the sandbox enforces, at any time.
    message = _next(requests)
    while message is not None:
        request, data = message
        if "sandbox" in request:
            pipe_protocol.send_message(answers, sandbox)
        else:
            _set_alarm(int(request["seconds"]) + 1)
            header: dict[str, Any] = {}
            payload = b""
            try:
                header, payload = answer(request, data)
            except DocumentRefused as error:
                header = {"refused": serialize_sentence(error.args[0])}
            except MemoryError:
                header = {"refused": serialize_sentence(needs_more_memory)}
            except ImportError:
                # A part of the program is missing or may not be read: no fault of the file.
                raise
            except Exception:  # whatever a parser trips over is damage of the file
                header = {"refused": serialize_sentence(damaged(request))}
            _set_alarm(0)
            pipe_protocol.send_message(answers, header, payload)
        message = _next(requests)


def _set_alarm(seconds: int) -> None:
    # Where the parent is gone, nobody else ends a document that never ends.
    if hasattr(signal, "alarm"):
        signal.alarm(seconds)


def _next(requests: BinaryIO) -> tuple[dict[str, Any], bytes] | None:
    """The next request; None if the parent has gone, or asks nothing for so long."""
    match sys.platform:
        case "win32":
            import threading  # takes 2 ms, and only Windows needs it

            idle = threading.Timer(IDLE_S, os._exit, [0])
            idle.daemon = True
            idle.start()
            message = pipe_protocol.receive_message(requests)
            idle.cancel()
            return message
        case _:
            # The sandbox of Linux refuses threads. The stream holds nothing back: the parent waits
            # for each answer before it asks again.
            ready, _, _ = select.select([requests], [], [], IDLE_S)
            if not ready:
                return None
            return pipe_protocol.receive_message(requests)


def restrict_process(
    most_memory: int = MOST_MEMORY, *, with_threads: bool = False
) -> dict[str, list[str]]:
    """Take from this process what reading a document does not need; memory is in bytes.

    Decoders that cannot do without threads may be allowed to start them in the sandbox.

    The result says what the system enforces from now on, and what it does not.
    """
    with contextlib.suppress(OSError):
        if sys.platform == "win32":
            lower_priority()
        else:
            os.nice(_NICENESS)
    _limit_resources(most_memory)
    measures, gaps = enter_sandbox(with_threads=with_threads)
    # Where the system refuses less, Python itself refuses the ways of ordinary code.
    sys.addaudithook(_refuse)
    return {"measures": measures, "gaps": [serialize_sentence(gap) for gap in gaps]}


def _limit_resources(most_memory: int) -> None:
    """Let the system refuse more memory, and files that are written, where it has such limits.

    The parent watches the memory on every system. This limit also holds after the parent's end.
    """
    if sys.platform != "win32":
        import resource

        for what, most in (
            (resource.RLIMIT_AS, most_memory),
            (resource.RLIMIT_FSIZE, 0),
            (resource.RLIMIT_CORE, 0),
        ):
            # macOS knows the first one and refuses to set it.
            with contextlib.suppress(OSError, ValueError):
                resource.setrlimit(what, (most, most))


def _refuse(event: str, _: object) -> None:
    """Raise PermissionError for an event of Python that no reader causes."""
    if event.startswith(_REFUSED):
        raise PermissionError(event)
