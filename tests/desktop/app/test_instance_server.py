from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtNetwork import QLocalServer, QLocalSocket

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


@contextlib.contextmanager
def connected(qtbot, address: InstanceAddress) -> Iterator[QLocalSocket]:
    """Somebody who is connected to the app."""
    connection = QLocalSocket()
    connection.connectToServer(address.socket)
    qtbot.waitUntil(lambda: connection.state() == QLocalSocket.LocalSocketState.ConnectedState)
    yield connection
    connection.abort()


def ended(connection: QLocalSocket) -> bool:
    """Whether the app has ended a connection."""
    return connection.state() == QLocalSocket.LocalSocketState.UnconnectedState


def test_a_request_without_an_end_is_not_gathered(
    qtbot, server: InstanceServer, address: InstanceAddress
) -> None:
    with connected(qtbot, address) as connection:
        connection.write(b"x" * 10_000_000)
        qtbot.waitUntil(lambda: ended(connection))
    with connected(qtbot, address) as other, qtbot.waitSignal(server.requested):
        other.write(b'{"wish": "window"}\n')
        other.flush()


@pytest.mark.parametrize("sent", [b"", b'{"wish": ', b'{"wish": "window"}\n'])
def test_a_connection_does_not_last(qtbot, address: InstanceAddress, sent: bytes) -> None:
    server = InstanceServer(address, request_ms=500)
    with connected(qtbot, address) as connection:
        connection.write(sent)
        qtbot.waitUntil(lambda: ended(connection))
    server.close()


def test_connections_have_a_limit(qtbot, address: InstanceAddress) -> None:
    server = InstanceServer(address, request_ms=TIMEOUT * 1000)
    with contextlib.ExitStack() as stack:
        half = [stack.enter_context(connected(qtbot, address)) for _ in range(20)]
        refused: set[int] = set()

        def look() -> bool:
            refused.update(number for number, each in enumerate(half) if ended(each))
            return len(refused) == 4

        qtbot.waitUntil(look)
        assert refused == {16, 17, 18, 19}
    server.close()


@pytest.mark.parametrize("token", ["a\0b", "é" * 3, "x" * 5_000, "", "\ud800"])
def test_what_cannot_be_a_token_is_ignored(
    qtbot, server: InstanceServer, address: InstanceAddress, monkeypatch, token: str
) -> None:
    monkeypatch.delenv("XDG_ACTIVATION_TOKEN", raising=False)
    with connected(qtbot, address) as other, qtbot.waitSignal(server.requested):
        other.write(json.dumps({"wish": "window", "token": token}).encode() + b"\n")
        other.flush()
    assert "XDG_ACTIVATION_TOKEN" not in os.environ


@pytest.fixture
def silent(qapp, address: InstanceAddress) -> Iterator[QLocalServer]:
    """An instance that does not answer by itself."""
    made = QLocalServer()
    made.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
    assert made.listen(address.socket)
    yield made
    made.close()


def test_an_instance_that_is_busy_for_a_while_is_asked_once(
    qtbot, silent: QLocalServer, address: InstanceAddress, tasks: Tasks
) -> None:
    """It hears what waits for it later, and a second wish would close the popup again."""
    heard: list[bool] = []
    tasks.run(
        lambda: forward_to_running_instance(address, StartRequest.QUICK_SEARCH),
        CancelToken(),
        done=heard.append,
    )
    qtbot.waitUntil(silent.hasPendingConnections)
    connection = silent.nextPendingConnection()
    qtbot.wait(1_500)
    assert connection.readAll().count(b"\n") == 1
    connection.write(b"ok\n")
    qtbot.waitUntil(lambda: heard == [True])
    assert not silent.hasPendingConnections()


def test_an_instance_that_never_answers_is_given_up(
    qtbot, silent: QLocalServer, address: InstanceAddress, tasks: Tasks
) -> None:
    heard: list[bool] = []
    tasks.run(
        lambda: forward_to_running_instance(address, StartRequest.WINDOW, answer_s=0.5),
        CancelToken(),
        done=heard.append,
    )
    qtbot.waitUntil(silent.hasPendingConnections)
    connection = silent.nextPendingConnection()
    qtbot.waitUntil(connection.canReadLine)
    qtbot.waitUntil(lambda: heard == [False])


@pytest.mark.parametrize(
    "line", [b"nonsense\n", b"[1]\n", b'{"wish": "dance"}\n', b"\xff\xfe\n", b"[" * 9000 + b"\n"]
)
def test_nonsense_is_ignored(
    qtbot, server: InstanceServer, address: InstanceAddress, line: bytes
) -> None:
    with connected(qtbot, address) as connection, qtbot.assertNotEmitted(server.requested, wait=50):
        connection.write(line)
        connection.flush()


@pytest.mark.needs("sockets in folders")
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
