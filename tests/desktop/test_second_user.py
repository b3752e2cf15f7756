"""Another user of this computer: neither the running app nor its files are theirs."""

from __future__ import annotations

import contextlib
import os
import socket
from pathlib import Path

import pytest

from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import Paths
from scrubjay.records.access_records import AuditEntry
from scrubjay_desktop.app.instance_server import InstanceServer
from scrubjay_desktop.app.start_request import instance_address
from support.attacks import tries
from support.vault import TIMEOUT, add, write_notes

pytestmark = [
    pytest.mark.soak,
    pytest.mark.skipif(
        not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root may act as another user"
    ),
]

NOBODY = 65534


def attack(socket_path: str, folders: list[Path], files: list[Path]) -> str:
    """What another user gets into; empty when all is refused."""
    for _ in range(tries(20, 1_000)):
        with socket.socket(socket.AF_UNIX) as connection, contextlib.suppress(PermissionError):
            connection.connect(socket_path)
            return "the socket"
    for path in (*folders, *files):
        for way in (os.listdir, lambda path: path.open("rb"), lambda path: path.open("ab")):
            with contextlib.suppress(PermissionError, NotADirectoryError, IsADirectoryError):
                way(path)
                return str(path)
        with contextlib.suppress(PermissionError, NotADirectoryError):
            (path / "planted").write_text("")
            return f"{path}/planted"
    return ""


def as_nobody(socket_path: str, folders: list[Path], files: list[Path]) -> str:
    """The attack of a child with the rights of another user: it may not even start a program."""
    reading, writing = os.pipe()
    if pid := os.fork():
        os.close(writing)
        with os.fdopen(reading) as pipe:
            answer = pipe.read()
        os.waitpid(pid, 0)
        return answer
    answer = "the attack failed"
    with contextlib.suppress(BaseException):
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)
        answer = attack(socket_path, folders, files) or "refused"
    os.write(writing, answer.encode())
    os._exit(0)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home that others may reach: only its own rights protect what is in it."""
    for folder in (tmp_path, *tmp_path.parents):
        if folder.owner() == "root" and folder.stat().st_mode & 0o111 != 0o111:
            if not folder.is_relative_to("/tmp"):
                pytest.skip(f"nobody may enter {folder}")
            folder.chmod(folder.stat().st_mode | 0o111)
    return tmp_path / "home"


def test_a_second_user_reaches_neither_the_socket_nor_the_files(
    qapp, home: Path, tmp_path: Path
) -> None:
    before = os.umask(0)
    try:
        paths = Paths.under(home)
        engine = Engine(paths)
        notes = write_notes(tmp_path / "notes", {"diary.md": "Today.\n"})
        engine.refresh(add(engine, notes), words_only=True).result(TIMEOUT)
        engine.agents.record(AuditEntry("agent", "search", "secret")).result(TIMEOUT)
        address = instance_address(paths)
        server = InstanceServer(address)
    finally:
        os.umask(before)
    assert server.is_listening
    folders = [each for each in (paths.state, paths.data, paths.cache) if each.exists()]
    files = [file for folder in folders for file in folder.rglob("*") if file.is_file()]
    assert files
    got_into = as_nobody(address.socket, folders, [*files, paths.config_file])
    server.close()
    engine.close()
    assert got_into == "refused"
