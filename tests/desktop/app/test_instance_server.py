from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.platform.paths import Paths
from scrubjay_desktop.__main__ import busy_message
from scrubjay_desktop.app.instance_server import InstanceServer
from scrubjay_desktop.app.start_request import (
    InstanceAddress,
    StartRequest,
    forward_to_running_instance,
    instance_address,
    lock_instance,
)
from scrubjay_desktop.bridge.bridge import Tasks
from support.vault import TIMEOUT


@pytest.fixture
def address(paths: Paths) -> Iterator[InstanceAddress]:
    made = instance_address(paths)
    # It may be in a folder that outlives the tests, where killed ones leave it.
    socket_file = Path(made.socket)
    with contextlib.suppress(OSError):
        socket_file.unlink()
    yield made
    with contextlib.suppress(OSError):
        socket_file.unlink()


@pytest.fixture
def server(qtbot, address: InstanceAddress) -> Iterator[InstanceServer]:
    made = InstanceServer(address)
    assert made.is_listening
    yield made
    made.close()


def test_only_one_instance_holds_the_lock(address: InstanceAddress) -> None:
    first = lock_instance(address)
    assert first is not None
    assert lock_instance(address) is None
    first.unlock()
    assert lock_instance(address) is not None


def test_a_lock_that_outlived_its_app_has_a_way_out(address: InstanceAddress) -> None:
    Path(address.lock).touch()
    sentence = busy_message(address)
    [file] = [word for word in sentence.removesuffix(".").split(" file ") if Path(word).is_file()]
    Path(file).unlink()
    lock = lock_instance(address)
    assert lock is not None
    lock.unlock()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such limit")
@pytest.mark.parametrize("folder", ["home", "h" * 120], ids=["short", "deep"])
def test_a_disk_without_room_for_the_lock_is_told(tmp_path: Path, folder: str) -> None:
    home = tmp_path / folder
    (home / "state").mkdir(parents=True)
    full = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)); "
        "from scrubjay_desktop.__main__ import main; sys.exit(main([]))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", full],
        env={**os.environ, "SCRUBJAY_HOME": str(home), "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
    )
    assert ran.returncode == 73
    assert ran.stderr == (
        f"Scrubjay cannot write to {home / 'state'}. Free some space on the disk, or allow "
        "writing there, then try again.\n"
    )


def test_an_entry_of_the_system_names_the_home(tmp_path: Path) -> None:
    home = tmp_path / "my notes"
    start = (
        "import os, sys; from scrubjay_desktop.__main__ import main; "
        f"main(['--home', {str(home)!r}, '--quit']); print(os.environ['SCRUBJAY_HOME'])"
    )
    ran = subprocess.run(
        [sys.executable, "-c", start],
        env={**os.environ, "SCRUBJAY_HOME": str(tmp_path / "other")},
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=True,
    )
    assert ran.stdout == f"{home}\n"
    assert not (tmp_path / "other").exists()


def test_homes_do_not_meet(tmp_path: Path) -> None:
    one, other = (instance_address(Paths.under(tmp_path / name)) for name in ("one", "other"))
    assert one != other


def test_a_deep_home_still_has_a_short_socket(tmp_path: Path) -> None:
    deep = tmp_path.joinpath(*["deep" * 5] * 9)
    assert len(instance_address(Paths.under(deep)).socket) < 100


def test_nobody_hears_when_nobody_runs(address: InstanceAddress) -> None:
    assert forward_to_running_instance(address, StartRequest.WINDOW) is False


@pytest.mark.parametrize("wish", list(StartRequest))
def test_a_wish_reaches_the_first_instance(
    qtbot, server: InstanceServer, address: InstanceAddress, tasks: Tasks, wish: StartRequest
) -> None:
    heard: list[bool] = []
    with qtbot.waitSignal(server.requested) as wished:
        tasks.run(
            lambda: forward_to_running_instance(address, wish), CancelToken(), done=heard.append
        )
    assert wished.args == [wish]
    qtbot.waitUntil(lambda: heard == [True])


def reached_end(connection: socket.socket, data: bytes) -> bool:
    """Whether all of this could be sent."""
    with connection:
        try:
            connection.sendall(data)
        except OSError:
            return False
    return True


def connected(address: InstanceAddress) -> socket.socket:
    connection = socket.socket(socket.AF_UNIX)
    connection.settimeout(TIMEOUT)
    connection.connect(address.socket)
    return connection


def test_a_request_without_an_end_is_not_gathered(
    qtbot, server: InstanceServer, address: InstanceAddress, tasks: Tasks
) -> None:
    done: list[bool] = []
    connection = connected(address)
    tasks.run(lambda: reached_end(connection, b"x" * 10_000_000), CancelToken(), done=done.append)
    qtbot.waitUntil(lambda: done == [False], timeout=TIMEOUT * 1000)
    with qtbot.waitSignal(server.requested), connected(address) as other:
        other.sendall(b'{"wish": "window"}\n')


def ended(connection: socket.socket) -> bool:
    connection.setblocking(False)
    with contextlib.suppress(BlockingIOError):
        return connection.recv(1) == b""
    return False


@pytest.mark.parametrize("sent", [b"", b'{"wish": ', b'{"wish": "window"}\n'])
def test_a_connection_does_not_last(qtbot, address: InstanceAddress, sent: bytes) -> None:
    server = InstanceServer(address, request_ms=500)
    with connected(address) as connection:
        connection.sendall(sent)
        qtbot.waitUntil(lambda: ended(connection), timeout=TIMEOUT * 1000)
    server.close()


def test_connections_have_a_limit(qtbot, address: InstanceAddress) -> None:
    server = InstanceServer(address, request_ms=TIMEOUT * 1000)
    with contextlib.ExitStack() as stack:
        half = [stack.enter_context(connected(address)) for _ in range(20)]
        refused: set[int] = set()

        def look() -> bool:
            refused.update(number for number, each in enumerate(half) if ended(each))
            return len(refused) == 4

        qtbot.waitUntil(look, timeout=TIMEOUT * 1000)
        assert refused == {16, 17, 18, 19}
    server.close()


@pytest.mark.parametrize("token", ["a\0b", "é" * 3, "x" * 5_000, "", "\ud800"])
def test_what_cannot_be_a_token_is_ignored(
    qtbot, server: InstanceServer, address: InstanceAddress, monkeypatch, token: str
) -> None:
    monkeypatch.delenv("XDG_ACTIVATION_TOKEN", raising=False)
    with qtbot.waitSignal(server.requested), connected(address) as other:
        other.sendall(json.dumps({"wish": "window", "token": token}).encode() + b"\n")
    assert "XDG_ACTIVATION_TOKEN" not in os.environ


def test_an_instance_that_is_busy_for_a_while_is_asked_once(address: InstanceAddress) -> None:
    """It hears what waits for it later, and a second wish would close the popup again."""
    heard: list[bytes] = []

    def answer_late() -> None:
        connection, _ = first.accept()
        with connection, connection.makefile("rwb") as line:
            heard.append(line.readline())
            threading.Event().wait(1.5)
            line.write(b"ok\n")

    with socket.socket(socket.AF_UNIX) as first:
        first.bind(address.socket)
        first.listen()
        busy = threading.Thread(target=answer_late)
        busy.start()
        assert forward_to_running_instance(address, StartRequest.QUICK_SEARCH)
        busy.join()
    assert len(heard) == 1


@pytest.mark.parametrize(
    "line", [b"nonsense\n", b"[1]\n", b'{"wish": "dance"}\n', b"\xff\xfe\n", b"[" * 9000 + b"\n"]
)
def test_nonsense_is_ignored(
    qtbot, server: InstanceServer, address: InstanceAddress, line: bytes
) -> None:
    with (
        qtbot.assertNotEmitted(server.requested, wait=50),
        socket.socket(socket.AF_UNIX) as connection,
    ):
        connection.connect(address.socket)
        connection.sendall(line)


def test_a_dead_socket_is_replaced(qtbot, address: InstanceAddress) -> None:
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(address.socket)
    server = InstanceServer(address)
    assert server.is_listening
    server.close()


def test_a_second_start_never_loads_qt(
    qtbot, server: InstanceServer, paths: Paths, tasks: Tasks, tmp_path: Path
) -> None:
    program = (
        "import sys; from scrubjay_desktop.__main__ import main; code = main(['--quick-search']); "
        "print(code, any(name.startswith('PySide6') for name in sys.modules))"
    )
    said: list[str] = []
    with qtbot.waitSignal(server.requested):
        tasks.run(
            lambda: (
                subprocess.run(
                    [sys.executable, "-c", program],
                    env={**os.environ, "SCRUBJAY_HOME": str(paths.config)},
                    capture_output=True,
                    text=True,
                    check=True,
                ).stdout
            ),
            CancelToken(),
            done=said.append,
        )
    qtbot.waitUntil(lambda: said == ["0 False\n"])


def test_asking_nobody_to_quit_is_fine(paths: Paths) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "scrubjay_desktop", "--quit"],
        env={**os.environ, "SCRUBJAY_HOME": str(paths.config)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
