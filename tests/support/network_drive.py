"""A folder that is reached through a network file system: SFTP, mounted by sshfs."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

from support.vault import TIMEOUT
from support.waiting import wait_until

_SERVER = "/usr/lib/openssh/sftp-server"
# A program started with this ends with its parent: a folder that stays mounted after tests that
# were killed would stop pytest, which clears the folders of earlier runs.
_ENDS_WITH_TESTS = ("setpriv", "--pdeathsig")


class NetworkDrive:
    """A mounted folder and the server behind it."""

    def __init__(self, folder: Path, server: subprocess.Popen[bytes]) -> None:
        self.folder = folder
        self._server = server

    @contextlib.contextmanager
    def silent(self) -> Iterator[None]:
        """Meanwhile the server gives no answer."""
        self._server.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self._server.send_signal(signal.SIGCONT)

    def lose(self) -> None:
        """End the connection, after which nothing there can be read."""
        self._server.kill()


@contextlib.contextmanager
def network_drive(there: Path, here: Path) -> Iterator[NetworkDrive]:
    """A folder of a server, mounted. Raises OSError where that cannot be done."""
    if not (Path(_SERVER).exists() and shutil.which("sshfs") and shutil.which("setpriv")):
        raise OSError("sshfs, setpriv or the server of SFTP is not installed")
    here.mkdir()
    server = subprocess.Popen(
        [*_ENDS_WITH_TESTS, "KILL", _SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    # As another computer would, it looks again at what it knows.
    options = "passive,dir_cache=no,attr_timeout=0"
    mount = subprocess.Popen(
        [*_ENDS_WITH_TESTS, "TERM", "sshfs", f":{there}", str(here), "-f", "-o", options],
        stdin=server.stdout,
        stdout=server.stdin,
        stderr=subprocess.PIPE,
    )
    for end in (server.stdin, server.stdout):
        assert end is not None
        end.close()
    try:
        wait_until(lambda: mount.poll() is not None or os.path.ismount(here))
        if mount.poll() is not None:
            assert mount.stderr is not None
            raise OSError(mount.stderr.read().decode())
        yield NetworkDrive(here, server)
    finally:
        with contextlib.suppress(ProcessLookupError):
            server.send_signal(signal.SIGCONT)
        subprocess.run(["fusermount3", "-u", "-z", str(here)], check=False, capture_output=True)
        server.kill()
        server.wait(TIMEOUT)
        mount.wait(TIMEOUT)
        assert mount.stderr is not None
        mount.stderr.close()
