"""The process of Windows that gets a restricted token; what does not call Windows runs anywhere."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from scrubjay.embedding.local.llama_process import WORKER as LLAMA
from scrubjay.platform.child_process import end_worker, start_worker
from scrubjay.platform.sandbox.windows import can_list
from scrubjay.platform.sandbox.windows_calls import physical_memory
from scrubjay.platform.sandbox.windows_job import Limits
from scrubjay.platform.sandbox.windows_process import (
    ProcessInformation,
    RestrictedProcess,
    StartupInfo,
    WorkerStart,
    environment_block,
    start_restricted,
)
from scrubjay.platform.sandbox.windows_token import NO_PRIVILEGES, sid_bytes
from support.waiting import wait_until

on_windows = pytest.mark.skipif(sys.platform != "win32", reason="calls Windows")
IS_WINE = sys.platform == "win32" and hasattr(ctypes.windll.ntdll, "wine_get_version")
ECHO = "import sys; sys.stdout.write(sys.stdin.read().upper())"
ATTACK = """
import ctypes, os, subprocess, sys
def tried(action):
    try:
        action()
    except OSError as error:
        return type(error).__name__
    return "done"
folder = sys.argv[1]
print(tried(lambda: open(os.path.join(folder, "note.md")).read()))
print(tried(lambda: open(os.path.join(folder, "note.md"), "a").write("x")))
print(tried(lambda: open(os.path.join(folder, "new.md"), "w").close()))
print(tried(lambda: subprocess.run(["whoami"], check=False)))
"""


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ((1, 0), "010100000000000100000000"),
        ((5, 12), "01010000000000050c000000"),
        ((5, 32, 545), "01020000000000052000000021020000"),
        ((16, 4096), "010100000000001000100000"),
    ],
    ids=["S-1-1-0", "S-1-5-12", "S-1-5-32-545", "S-1-16-4096"],
)
def test_groups_are_written_as_windows_holds_them(parts: tuple[int, ...], expected: str) -> None:
    assert sid_bytes(*parts).hex() == expected


@pytest.mark.skipif(sys.maxsize < 2**32, reason="sizes of 64 bits")
@pytest.mark.parametrize(
    ("structure", "size"), [(StartupInfo, 112), (ProcessInformation, 24), (Limits, 144)]
)
def test_structures_have_the_sizes_of_windows(structure: type[ctypes.Structure], size: int) -> None:
    assert ctypes.sizeof(structure) == size


def test_variables_are_ended_by_zeros() -> None:
    assert environment_block((("PATH", "C:\\a b"), ("TMP", ""))) == "PATH=C:\\a b\0TMP=\0"


@pytest.mark.parametrize("folder", ["", "missing", "file"])
def test_a_folder_that_is_not_there_does_not_count_as_closed(folder: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert can_list(str(tmp_path / folder) if folder else "")


def python(code: str, *arguments: str) -> WorkerStart:
    """Python as it runs a piece of code."""
    variables = tuple((name, value) for name, value in os.environ.items())
    command = (sys.executable, "-P", "-c", code, *arguments)
    return WorkerStart(command, Path(sys.executable).parent, variables)


@on_windows
def test_it_reads_and_answers_through_its_pipes() -> None:
    process = RestrictedProcess(python(ECHO), NO_PRIVILEGES)
    assert process.poll() is None
    process.stdin.write(b"jam")
    process.stdin.close()
    assert process.stdout.read() == b"JAM"
    assert (process.wait(60), process.poll()) == (0, 0)
    process.stdout.close()


@on_windows
def test_it_is_killed() -> None:
    process = RestrictedProcess(python(ECHO), NO_PRIVILEGES)
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(0)
    process.kill()
    assert process.wait(60) == 1
    process.stdin.close()
    process.stdout.close()


@on_windows
def test_it_inherits_no_other_open_file() -> None:
    import msvcrt

    reading, writing = os.pipe()
    handle = msvcrt.get_osfhandle(writing)  # type: ignore[attr-defined,unused-ignore]
    os.set_handle_inheritable(handle, True)  # type: ignore[attr-defined,unused-ignore]
    code = (
        "import ctypes; written = ctypes.c_uint32(); ctypes.windll.kernel32.WriteFile("
        f"ctypes.c_void_p({handle}), b'x', 1, ctypes.byref(written), None)"
    )
    process = RestrictedProcess(python(code), NO_PRIVILEGES)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        assert pipe.read() == b""
    process.kill()
    process.wait(60)
    process.stdin.close()
    process.stdout.close()


SLOW_CHILD = """
import sys, time
from scrubjay.platform.child_process import start_worker
child = start_worker(["-c", "import time; print(1, flush=True); time.sleep(600)"], "", {})
child.stdout.read(1)
print(child.pid, flush=True)
time.sleep(600)
"""


@on_windows
def test_a_killed_parent_leaves_no_child() -> None:
    parent = subprocess.Popen([sys.executable, "-c", SLOW_CHILD], stdout=subprocess.PIPE)
    assert parent.stdout
    child = psutil.Process(int(parent.stdout.readline()))
    parent.kill()
    parent.wait()
    parent.stdout.close()
    _, alive = psutil.wait_procs([child], timeout=30)
    for process in alive:
        process.kill()
    assert alive == []


@on_windows
def test_a_job_ends_its_process() -> None:
    process = RestrictedProcess(python(ECHO), NO_PRIVILEGES)
    process.job.end()
    process.wait(60)
    process.stdin.close()
    process.stdout.close()


@on_windows
def test_a_process_lowers_its_priority() -> None:
    code = (
        "import psutil; from scrubjay.platform.sandbox.windows_calls import lower_priority; "
        "lower_priority(); print(int(psutil.Process().nice()))"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout
    assert int(told) == psutil.BELOW_NORMAL_PRIORITY_CLASS


@on_windows
def test_one_thread_of_a_process_of_lower_priority_can_be_exempt() -> None:
    code = """if True:
        import ctypes, threading
        from scrubjay.platform.sandbox.windows_calls import exempt_this_thread, lower_priority
        kernel = ctypes.windll.kernel32
        kernel.GetCurrentThread.restype = ctypes.c_void_p
        def told():
            print(kernel.GetThreadPriority(ctypes.c_void_p(kernel.GetCurrentThread())))
        exempt_this_thread()
        lower_priority()
        told()
        other = threading.Thread(target=told)
        other.start()
        other.join()
    """
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout
    assert told.split() == [b"2", b"0"]


@on_windows
def test_documents_are_embedded_at_low_priority() -> None:
    """The process has it for all its threads, since those of the library inherit none."""
    process = start_worker(LLAMA, "--llama-worker", {})
    try:
        wait_until(lambda: psutil.Process(process.pid).nice() == psutil.BELOW_NORMAL_PRIORITY_CLASS)
    finally:
        end_worker(process)


@on_windows
@pytest.mark.wine_fault("it tells no limits of a job, and enforces none of memory")
def test_a_process_takes_no_more_memory_than_the_computer_has() -> None:
    assert physical_memory() == psutil.virtual_memory().total
    code = """if True:
        import ctypes, sys
        from scrubjay.platform.sandbox.windows_job import Limits
        sys.stdin.read()
        limits = Limits()
        size = ctypes.sizeof(limits)
        kernel = ctypes.windll.kernel32
        kernel.QueryInformationJobObject(None, 9, ctypes.byref(limits), size, None)
        print(limits.flags & 0x100, limits.process_memory)
    """
    # It is in the job once start_worker returns, and looks after the end of its input.
    told, _ = start_worker(["-c", code], "", {}).communicate()
    assert [*map(int, told.split())] == [0x100, physical_memory()]


@on_windows
def test_a_program_that_never_starts_well_gets_no_restricted_token() -> None:
    assert start_restricted(python("raise SystemExit(3)")) is None


@on_windows
@pytest.mark.skipif(IS_WINE, reason="Wine keeps no restricted token and enforces no integrity")
def test_it_can_neither_read_nor_change_files_of_the_user_nor_start_programs() -> None:
    folder = Path(os.environ["USERPROFILE"]) / "scrubjay restricted"
    folder.mkdir(exist_ok=True)
    (folder / "note.md").write_text("secret")
    process = RestrictedProcess(python(ATTACK, str(folder)), NO_PRIVILEGES)
    process.stdin.close()
    assert process.stdout.read().decode().split() == ["PermissionError"] * 4
    process.stdout.close()
