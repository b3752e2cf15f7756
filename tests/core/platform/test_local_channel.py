"""The line between programs of one user, over the kind of connection that this system has."""

from __future__ import annotations

import contextlib
import shutil
import sys
import tempfile
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from scrubjay.platform.local_channel.channel import Connection, Listener, LocalChannel, pieces
from scrubjay.platform.sandbox.windows_token import sid_bytes, sid_text
from support.platforms import IS_WINDOWS
from support.vault import TIMEOUT

LARGE = bytes(range(256)) * 20_000
"""Bytes that no buffer of a system holds."""

only_windows = pytest.mark.skipif(not IS_WINDOWS, reason="named pipes of Windows")


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder with a short name: those of sockets are limited."""
    made = Path(tempfile.mkdtemp(prefix="sj-"))
    yield made
    shutil.rmtree(made, ignore_errors=True)


@pytest.fixture
def listener(folder: Path) -> Iterator[Listener]:
    with contextlib.closing(LocalChannel(folder).listen()) as made:
        yield made


@pytest.fixture
def ends(folder: Path, listener: Listener) -> Iterator[tuple[Connection, Connection]]:
    """Those of a program that connected, and of the one that listens."""
    with (
        contextlib.closing(LocalChannel(folder).connect(TIMEOUT)) as program,
        contextlib.closing(listener.accept()) as app,
    ):
        yield program, app


def test_what_is_sent_arrives_whole_in_both_directions(ends: tuple[Connection, Connection]) -> None:
    program, app = ends
    with ThreadPoolExecutor() as threads:
        sent = threads.submit(program.send, LARGE, TIMEOUT)
        received = bytearray()
        while len(received) < len(LARGE):
            received += app.receive(1_000_000, TIMEOUT)
        sent.result(TIMEOUT)
        assert bytes(received) == LARGE
        answer = threads.submit(lambda: b"".join(pieces(program, len(LARGE), TIMEOUT)))
        app.send(LARGE, TIMEOUT)
        app.close()
        assert answer.result(TIMEOUT) == LARGE


def test_what_was_sent_before_the_end_can_be_read_after_it(
    folder: Path, listener: Listener
) -> None:
    with contextlib.closing(LocalChannel(folder).connect(TIMEOUT)) as program:
        app = listener.accept()
        app.send(b"the last words", TIMEOUT)
        app.close()
        assert b"".join(pieces(program, 100, TIMEOUT)) == b"the last words"


def test_waiting_for_bytes_ends_in_time(ends: tuple[Connection, Connection]) -> None:
    program, app = ends
    with pytest.raises(TimeoutError):
        app.receive(1, 0.05)
    # What was given up takes nothing of what comes later.
    program.send(b"late", TIMEOUT)
    assert app.receive(4, TIMEOUT) == b"late"


def test_sending_to_a_program_that_reads_nothing_ends_in_time(
    ends: tuple[Connection, Connection],
) -> None:
    with pytest.raises(TimeoutError):
        ends[0].send(LARGE, 0.05)


def test_bytes_now_and_then_do_not_hold_a_reader_up(ends: tuple[Connection, Connection]) -> None:
    program, app = ends
    is_over = threading.Event()

    def drip() -> None:
        while not is_over.wait(0.01):
            with contextlib.suppress(OSError):
                program.send(b".", TIMEOUT)

    with ThreadPoolExecutor() as threads:
        threads.submit(drip)
        with pytest.raises(TimeoutError):
            list(pieces(app, len(LARGE), 0.3))
        is_over.set()


def test_too_many_bytes_are_not_taken(ends: tuple[Connection, Connection]) -> None:
    program, app = ends
    program.send(b"12345", TIMEOUT)
    with pytest.raises(ValueError, match="more bytes"):
        list(pieces(app, 4, TIMEOUT))


def test_two_homes_do_not_meet(folder: Path, listener: Listener) -> None:
    other = LocalChannel(folder / "other")
    assert not other.may_be_open()
    with pytest.raises(FileNotFoundError):
        other.connect(TIMEOUT)


def test_many_programs_at_once_are_all_answered(folder: Path, listener: Listener) -> None:
    def ask(number: int) -> bytes:
        with contextlib.closing(LocalChannel(folder).connect(TIMEOUT)) as program:
            program.send(bytes([number]), TIMEOUT)
            return b"".join(pieces(program, 10, TIMEOUT))

    with ThreadPoolExecutor(8) as threads:
        asked = [threads.submit(ask, number) for number in range(40)]
        for _ in asked:
            with contextlib.closing(listener.accept()) as app:
                app.send(app.receive(1, TIMEOUT), TIMEOUT)
        assert [each.result(TIMEOUT) for each in asked] == [bytes([n]) for n in range(40)]


def test_a_program_that_is_gone_again_is_only_an_end(folder: Path, listener: Listener) -> None:
    for _ in range(10):
        LocalChannel(folder).connect(TIMEOUT).close()
        with contextlib.closing(listener.accept()) as app:
            assert app.receive(1, TIMEOUT) == b""


def test_closing_wakes_whoever_waits_for_a_program(folder: Path) -> None:
    for _ in range(10):
        listener = LocalChannel(folder).listen()
        with ThreadPoolExecutor() as threads:
            waiting = threads.submit(listener.accept)
            listener.close()
            assert isinstance(waiting.exception(TIMEOUT), OSError)
        assert not LocalChannel(folder).may_be_open()


@pytest.mark.parametrize("parts", [(1, 0), (5, 32, 545), (5, 21, 4_294_967_295, 2, 3, 1000)])
def test_a_sid_is_written_as_people_know_it(parts: tuple[int, ...]) -> None:
    assert sid_text(sid_bytes(*parts)) == "S-1-" + "-".join(map(str, parts))


@only_windows
def test_the_same_folder_in_other_letters_is_the_same_place(
    folder: Path, listener: Listener
) -> None:
    assert LocalChannel(Path(str(folder).upper())).may_be_open()
    assert LocalChannel(Path(str(folder).replace("\\", "/") + "/")).may_be_open()


@only_windows
@pytest.mark.wine_fault("FILE_FLAG_FIRST_PIPE_INSTANCE is ignored")
def test_a_pipe_that_another_program_has_is_not_shared(folder: Path, listener: Listener) -> None:
    with pytest.raises(PermissionError):
        LocalChannel(folder).listen()


if sys.platform == "win32":
    from scrubjay.platform.local_channel import pipe_access


@only_windows
def test_a_pipe_of_another_user_gets_nothing(
    folder: Path, listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same pipe, seen by a process of another user: Everyone stands for it here."""
    monkeypatch.setattr(pipe_access, "user_sid", lambda: sid_bytes(1, 0))
    with pytest.raises(PermissionError):
        LocalChannel(folder).connect(TIMEOUT)
    with contextlib.closing(listener.accept()) as app:
        assert app.receive(1, TIMEOUT) == b""


@only_windows
def test_the_pipe_is_the_users_and_open_to_nobody_else(folder: Path, listener: Listener) -> None:
    program = LocalChannel(folder).connect(TIMEOUT)
    with contextlib.closing(program):
        sid = sid_text(pipe_access.user_sid())
        rights = access_list(program._handle)  # noqa: SLF001
        # Windows writes "generic all" as "file all"; Wine keeps it.
        assert rights.replace("GA", "FA") == f"O:{sid}D:P(A;;FA;;;{sid})"


def access_list(handle: int) -> str:
    """Owner and rights as text, as Windows keeps them."""
    import ctypes

    security = ctypes.WinDLL("advapi32")
    descriptor = ctypes.c_void_p()
    opened = ctypes.c_void_p(handle)
    what = 0x1 | 0x4
    refused = security.GetSecurityInfo(
        opened, 6, what, None, None, None, None, ctypes.byref(descriptor)
    )
    assert refused == 0
    text = ctypes.c_wchar_p()
    assert security.ConvertSecurityDescriptorToStringSecurityDescriptorW(
        descriptor, 1, what, ctypes.byref(text), None
    )
    return str(text.value)
