"""Children that take more memory than they may, on every system."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.platform.child_process import kill_after_timeout, process_memory

MB = 2**20
_EATER = "import sys, time; held = b'x' * (int(sys.argv[1]) << 20); print('ready', flush=True); "
_SLEEPS = "time.sleep(600)"


@pytest.fixture
def processes() -> Iterator[list[subprocess.Popen[bytes]]]:
    """Processes that are ended after the test."""
    processes: list[subprocess.Popen[bytes]] = []
    yield processes
    for process in processes:
        process.kill()
        process.communicate()


def holder(megabytes: int) -> subprocess.Popen[bytes]:
    """A process that holds so much memory."""
    command = [sys.executable, "-c", _EATER + _SLEEPS, str(megabytes)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def line_of(process: subprocess.Popen[bytes]) -> bytes:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def test_the_memory_of_a_process_is_measured(processes: list[subprocess.Popen[bytes]]) -> None:
    processes += [holder(1), holder(300)]
    small, large = processes
    assert line_of(small) == line_of(large) == b"ready"
    assert 290 * MB < process_memory(large.pid) - process_memory(small.pid) < 310 * MB


def test_a_process_that_has_ended_takes_no_memory(processes: list[subprocess.Popen[bytes]]) -> None:
    processes.append(holder(1))
    processes[0].kill()
    assert process_memory(processes[0].pid) in range(400 * MB)
    processes[0].wait()
    assert process_memory(processes[0].pid) == 0


def test_a_process_is_ended_above_its_limit(processes: list[subprocess.Popen[bytes]]) -> None:
    processes.append(holder(400))
    with kill_after_timeout(processes[0], 600, CancelToken(), most_memory=300 * MB) as overrun:
        assert line_of(processes[0]) in (b"ready", b"")
        assert line_of(processes[0]) == b""
    assert overrun.is_too_large
    assert not overrun.is_late
    assert processes[0].returncode


def test_a_process_below_its_limit_goes_on(processes: list[subprocess.Popen[bytes]]) -> None:
    processes.append(holder(100))
    with kill_after_timeout(processes[0], 600, CancelToken(), most_memory=600 * MB) as overrun:
        assert line_of(processes[0]) == b"ready"
    assert not overrun.is_too_large
    assert processes[0].poll() is None


def test_the_time_is_limited_where_memory_cannot_be_measured(
    processes: list[subprocess.Popen[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "psutil", None)
    processes.append(holder(1))
    with kill_after_timeout(processes[0], 0.2, CancelToken(), most_memory=MB) as overrun:
        assert processes[0].wait(600)
    assert overrun.is_late
    assert not overrun.is_too_large
