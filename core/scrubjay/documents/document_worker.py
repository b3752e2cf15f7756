"""The child process that reads documents: it gets untrusted bytes and returns text or pixels.

Started as `python -m scrubjay.documents.document_worker`. It answers one request at a time
(platform/pipe_protocol) in a sandbox of the operating system (platform/sandbox), and ends when
stdin closes, after some time without a request, or when a document takes too long.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
from typing import Any, BinaryIO

from scrubjay.documents.document_errors import DocumentRefused
from scrubjay.documents.document_limits import MOST_MEMORY, NEEDS_MORE_MEMORY
from scrubjay.documents.document_readers import read_document
from scrubjay.documents.document_text import DocumentText
from scrubjay.messages import msg, serialize_sentence
from scrubjay.platform import pipe_protocol
from scrubjay.platform.sandbox.entry import enter_sandbox
from scrubjay.platform.sandbox.windows_calls import lower_priority

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


def main() -> None:
    """Serve requests until stdin closes or the process is idle."""
    # Output of native code must not get into the protocol.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sandbox = restrict_process()
    requests = os.fdopen(0, "rb")
    # The parent may ask what the sandbox enforces, at any time.
    message = _next(requests)
    while message is not None:
        request, data = message
        if "sandbox" in request:
            pipe_protocol.send_message(answers, sandbox)
        else:
            _serve(request, data, answers)
        message = _next(requests)


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


def _serve(request: dict[str, Any], data: bytes, answers: BinaryIO) -> None:
    """Send the text or the picture that a request asks for, or why there is none."""
    # Where the parent is gone, nobody else ends a document that never ends.
    if hasattr(signal, "alarm"):
        signal.alarm(int(request["seconds"]) + 1)
    header: dict[str, Any] = {}
    answer = b""
    # What a document does to its reader is told as a fault of the document.
    try:
        if "page" in request:
            from scrubjay.documents.pdf_renderer import render_page

            header, answer = render_page(data, request["page"])
        else:
            is_whole = not request.get("withoutAttachments")
            text = convert_document(data, request["ending"], with_attachments=is_whole)
            answer = text.encode("utf-8")
    except DocumentRefused as error:
        header["refused"] = serialize_sentence(error.args[0])
    except MemoryError:
        header["refused"] = serialize_sentence(NEEDS_MORE_MEMORY)
    except ImportError:
        # A part of the program is missing or may not be read: no fault of the file.
        raise
    except Exception:  # whatever a parser trips over is damage of the file
        ending = request["ending"]
        header["refused"] = serialize_sentence(
            msg("The file is damaged or is not a valid {ending} file.", ending=ending)
        )
    if hasattr(signal, "alarm"):
        signal.alarm(0)
    pipe_protocol.send_message(answers, header, answer)


def convert_document(data: bytes, ending: str, *, with_attachments: bool = True) -> str:
    """The text of a document. Raises DocumentRefused, and anything for a damaged one."""
    text = DocumentText()
    if not with_attachments:
        text.attached.close()
    read_document(data, ending, text)
    return text.finished()


def restrict_process(most_memory: int = MOST_MEMORY) -> dict[str, list[str]]:
    """Take from this process what reading a document does not need; memory is in bytes.

    The result says what the system enforces from now on, and what it does not.
    """
    with contextlib.suppress(OSError):
        if sys.platform == "win32":
            lower_priority()
        else:
            os.nice(_NICENESS)
    _limit_resources(most_memory)
    measures, gaps = enter_sandbox()
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


if __name__ == "__main__":
    main()
