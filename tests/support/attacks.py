"""How often attacks are tried, and what the faces of Scrubjay answer to them in this process."""

from __future__ import annotations

import contextlib
import io
import json
import os
import random
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

from scrubjay.cli import main
from scrubjay.concurrency.cancel import CancelToken
from scrubjay.errors import ScrubjayError
from scrubjay.mcp_server.authorization import Caller
from scrubjay.mcp_server.tools import MemoryTools
from scrubjay.platform.paths import HOME_VARIABLE
from scrubjay.records.note_records import NoteAddress
from scrubjay.records.workspace_id import WorkspaceId

IS_LONG = bool(os.environ.get("SCRUBJAY_SOAK"))


def tries(short: int, long: int) -> int:
    """A number of tries: long ones with SCRUBJAY_SOAK=1, as many as SCRUBJAY_TRIES at most."""
    return min(long, int(os.environ.get("SCRUBJAY_TRIES", long))) if IS_LONG else short


@dataclass(frozen=True)
class Ran:
    """What one command did."""

    code: int
    out: str
    err: str

    def check(self) -> Ran:
        """The command itself, which ended in words and without a bug."""
        assert self.code in (0, 1, 2), self
        assert "Traceback" not in self.out + self.err, self
        assert "locked" not in self.err, self
        return self


def command(home: Path, *arguments: str, stdin: bytes = b"") -> Ran:
    """Run `scrubjay` in this process, with what it reads."""
    out, err = io.StringIO(), io.StringIO()
    code: object = 0
    with (
        mock.patch.dict(os.environ, {HOME_VARIABLE: str(home)}),
        mock.patch.object(sys, "argv", ["scrubjay", *arguments]),
        _reading(stdin),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as ended:
            code = ended.code or 0
    return Ran(int(str(code)), out.getvalue(), err.getvalue())


@contextlib.contextmanager
def _reading(content: bytes) -> Iterator[None]:
    """The file descriptor 0 gives this content."""
    before = os.dup(0)
    with tempfile.TemporaryFile() as file:
        file.write(content)
        file.seek(0)
        os.dup2(file.fileno(), 0)
        try:
            with mock.patch.object(sys, "stdin", io.StringIO()):
                yield
        finally:
            os.dup2(before, 0)
            os.close(before)


def tool(tools: MemoryTools, agent: str, name: str, **arguments: Any) -> str:
    """All that an agent gets for a call."""
    reply = tools.call(name, arguments, Caller(agent, agent), CancelToken())
    text = json.dumps(reply.structured, ensure_ascii=False)
    assert "An internal error occurred" not in text, (name, arguments, text)
    return text


def resource(tools: MemoryTools, agent: str, workspace: str, path: str) -> str:
    """Text of a resource, or the words of its refusal."""
    try:
        return tools.read(
            NoteAddress(WorkspaceId(workspace), path), Caller(agent, agent), CancelToken()
        )
    except ScrubjayError as error:
        return str(error)


@contextlib.contextmanager
def nowhere_else() -> Iterator[list[str]]:
    """The addresses beyond this computer that this process tries to reach meanwhile."""
    reached: list[str] = []
    is_on = True

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if not is_on or event not in ("socket.connect", "socket.getaddrinfo"):
            return
        address = arguments[1] if event == "socket.connect" else arguments
        host = address[0] if isinstance(address, tuple) else ""
        if host and host not in ("127.0.0.1", "::1", "localhost"):
            reached.append(str(host))

    sys.addaudithook(hook)  # it can never be taken away again
    yield reached
    is_on = False


_TOKENS = (
    b"\0", b"\xff", b"\xed\xa0\xbd", b"\\ud83d", b'"', b"{", b"}", b"[[[[", b"null", b"1e999",
    b"9" * 30, b"\xef\xbb\xbf", b"../", b"%2e%2e/", b"\x1b[2J", b"\r\n", b"\xe2\x80\xae", b"NaN",
    b"true", b"//", b"/*", b"'", b"\\", b"deny", b"~", b"-", b":", b"\xf0\x9f\xa6\x9c", b"-1",
    b"\xe2\x80\x8d",
)  # fmt: skip
"""What parsers stumble over."""


def mutated(dice: random.Random, content: bytes) -> bytes:
    """The content with a few changes: cut, repeated, exchanged, or with something put in."""
    data = bytearray(content)
    for _ in range(dice.choice([0, 1, 1, 2, 3, 8])):
        at = dice.randint(0, len(data))
        end = min(len(data), at + dice.choice([0, 1, 3, 20]))
        match dice.randrange(7):
            case 0:
                data[at:end] = dice.choice(_TOKENS)
            case 1:
                data[at:end] = dice.randbytes(end - at)
            case 2:
                del data[at:end]
            case 3:
                data[at:at] = data[at:end] * dice.choice([1, 2, 50])
            case 4:
                del data[at:]
            case 5:
                data[at:at] = dice.choice(_TOKENS) * dice.choice([1, 2, 2_000])
            case _:
                other = dice.randint(0, len(data))
                data[at:end] = data[other : other + 10]
    return bytes(data)
