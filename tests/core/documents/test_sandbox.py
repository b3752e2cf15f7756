"""The sandbox of Linux around the process that reads documents, attacked from within."""

from __future__ import annotations

import ctypes
import json
import os
import re
import socket
import stat
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.documents.document_process import DocumentChild
from scrubjay.documents.pdf_page_client import PdfPageClient
from scrubjay.documents.pdf_renderer import render_page
from scrubjay.records.page_picture import PageWanted
from support import machine_code, refusing_kernel
from support.document_makers import SAMPLES, pdf

if sys.platform != "linux":
    pytest.skip("the sandbox of another system", allow_module_level=True)

from scrubjay.platform.sandbox import seccomp

_VICTIM = """
import ctypes, time
planted = ctypes.create_string_buffer(b"planted")
print(ctypes.addressof(planted), flush=True)
time.sleep(600)
"""
_REFUSED = {"EPERM", "EACCES", "ENOSYS"}
_READS = {
    "list_a_folder",
    "read_a_file_of_the_system",
    "read_a_note",
    "read_the_environment_of_another",
    "read_the_environment_of_the_parent",
    "read_the_memory_of_another_as_a_file",
}
"""Attacks that Landlock alone stops: seccomp does not know one path from another."""
_SECCOMP_CALL = {"x86_64": 317, "aarch64": 277}
_LANDLOCK_CALLS = (444, 445, 446)


_ALL_ALLOWED = seccomp.ALLOWED | seccomp.FOR_THREADS


def _has_landlock() -> bool:
    return ctypes.CDLL(None).syscall(444, None, ctypes.c_long(0), 1) > 0


@pytest.fixture(scope="module")
def victim() -> Iterator[tuple[int, int]]:
    """Another process of the same user, and the place of a secret in its memory."""
    with subprocess.Popen([sys.executable, "-c", _VICTIM], stdout=subprocess.PIPE) as process:
        assert process.stdout
        yield process.pid, int(process.stdout.readline())
        process.kill()


class Outcomes:
    """What became of each attack, and of what was attacked."""

    def __init__(
        self,
        folder: Path,
        victim: tuple[int, int],
        *,
        is_fenced: bool,
        refused: tuple[int, ...] = (),
        with_threads: bool = False,
    ) -> None:
        self.folder = folder
        folder.mkdir()
        for name in machine_code.ATTACKS:
            (folder / name).write_text("kept")
        for name in ("empty folder", "mounted"):
            (folder / name).mkdir()
        with ExitStack() as stack:
            tcp = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
            udp = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
            udp.bind(("127.0.0.1", 0))
            unix = stack.enter_context(socket.socket(socket.AF_UNIX))
            unix.bind(str(folder / "listener.sock"))
            unix.listen()
            self.before = _tree(folder)
            process, address = victim
            targets = {
                "fenced": is_fenced,
                "threads": with_threads,
                "folder": str(folder),
                "process": process,
                "address": address,
                "tcp": tcp.getsockname()[1],
                "udp": udp.getsockname()[1],
            }
            self.by_name = _tried(targets, refused)
            self.after = _tree(folder)
            self.guests = sum(_has_guest(listener) for listener in (tcp, udp, unix))


def _start(refused: tuple[int, ...]) -> list[str]:
    """The beginning of a command of Python, for which the kernel refuses these calls."""
    return [sys.executable, refusing_kernel.__file__, *map(str, refused), "--", sys.executable]


def _tree(folder: Path) -> dict[str, tuple[int, int, int, bytes]]:
    """Mode, time, links and content of all files."""
    tree = {}
    for path in folder.rglob("*"):
        found = path.lstat()
        content = path.read_bytes() if stat.S_ISREG(found.st_mode) else b""
        tree[path.name] = (found.st_mode, found.st_mtime_ns, found.st_nlink, content)
    return tree


def _tried(targets: dict[str, Any], refused: tuple[int, ...]) -> dict[str, Any]:
    leader, terminal = os.openpty()
    command = [*_start(refused), machine_code.__file__, json.dumps(targets)]
    try:
        done = subprocess.run(command, stdin=terminal, capture_output=True, text=True, timeout=120)
    finally:
        os.close(leader)
        os.close(terminal)
    assert done.returncode == 0, done.stderr
    outcomes: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return outcomes


def _has_guest(listener: socket.socket) -> bool:
    listener.settimeout(0)
    try:
        if listener.type == socket.SOCK_DGRAM:
            listener.recv(1)
        else:
            listener.accept()[0].close()
    except BlockingIOError:
        return False
    return True


@pytest.fixture(scope="module")
def fenced(tmp_path_factory: pytest.TempPathFactory, victim: tuple[int, int]) -> Outcomes:
    """All attacks in the sandbox."""
    return Outcomes(tmp_path_factory.mktemp("fenced") / "home", victim, is_fenced=True)


@pytest.fixture(scope="module")
def free(tmp_path_factory: pytest.TempPathFactory, victim: tuple[int, int]) -> Outcomes:
    """All attacks without it."""
    return Outcomes(tmp_path_factory.mktemp("free") / "home", victim, is_fenced=False)


@pytest.mark.parametrize("name", machine_code.ATTACKS)
def test_machine_code_is_refused(name: str, fenced: Outcomes) -> None:
    if name in _READS and not _has_landlock():
        pytest.skip("this kernel has no Landlock")
    assert fenced.by_name[name] in _REFUSED


@pytest.mark.parametrize("name", sorted(machine_code.ATTACKS.keys() - machine_code.UNCERTAIN))
def test_the_same_attack_succeeds_without_the_sandbox(name: str, free: Outcomes) -> None:
    assert free.by_name[name] == "done"


def test_attacks_in_the_sandbox_leave_no_trace(fenced: Outcomes) -> None:
    assert fenced.after == fenced.before
    assert fenced.guests == 0


def test_attacks_without_the_sandbox_leave_traces(free: Outcomes) -> None:
    assert free.after != free.before
    assert free.guests == 3


def test_a_thread_in_the_sandbox_is_all_that_the_decoder_of_heif_can_start(
    tmp_path: Path, victim: tuple[int, int], fenced: Outcomes
) -> None:
    outcomes = Outcomes(tmp_path / "home", victim, is_fenced=True, with_threads=True)
    differing = {name for name, said in outcomes.by_name.items() if said != fenced.by_name[name]}
    assert differing == {"start_a_thread"}
    assert outcomes.by_name["start_a_thread"] == "done"
    assert (outcomes.after, outcomes.guests) == (outcomes.before, 0)


def test_without_landlock_files_are_read_and_nothing_else_is_done(
    tmp_path: Path, victim: tuple[int, int]
) -> None:
    outcomes = Outcomes(tmp_path / "home", victim, is_fenced=True, refused=_LANDLOCK_CALLS)
    others = {name: outcomes.by_name[name] for name in machine_code.ATTACKS.keys() - _READS}
    assert set(others.values()) == _REFUSED - {"EACCES"}
    assert outcomes.by_name["read_a_note"] == "done"
    assert (outcomes.after, outcomes.guests) == (outcomes.before, 0)


@pytest.fixture
def child() -> Iterator[DocumentChild]:
    """The process as it reads documents."""
    with closing(DocumentChild(60)) as started:
        yield started


def _in_force(child: DocumentChild) -> dict[str, Any]:
    return child.ask({"sandbox": True}, b"", CancelToken())[0]


def test_the_process_says_what_is_in_force(child: DocumentChild) -> None:
    answer = _in_force(child)
    assert ("no_new_privs" in answer["measures"], "seccomp" in answer["measures"]) == (True, True)
    assert any("Landlock" in each for each in answer["measures"]) == _has_landlock()
    assert len(answer["gaps"]) == (not _has_landlock())


def test_the_kernel_says_so_too(child: DocumentChild) -> None:
    _in_force(child)
    assert child.process
    status = Path(f"/proc/{child.process.pid}/status").read_text()
    facts = dict(re.findall(r"(?m)^(\w+):\t(.*)$", status))
    assert (facts["NoNewPrivs"], facts["Seccomp"], facts["Threads"]) == ("1", "2", "1")
    # Root may still read what belongs to others, as far as Landlock lets it.
    assert int(facts["CapEff"], 16) in {0, 4}
    assert int(facts["CapBnd"], 16) >= int(facts["CapPrm"], 16)


def test_pages_are_drawn_with_the_same_fonts(child: DocumentChild) -> None:
    data = pdf(["Apricot jam, Äpfel"], title="Jam")
    wanted = {"page": 1, "width": 500, "words": [], "passage": ""}
    page_client = PdfPageClient()
    try:
        picture = page_client.draw(data, PageWanted(1, 500, (), ""), CancelToken())
    finally:
        page_client.close()
    assert picture.pixels == render_page(data, wanted)[1]


@pytest.fixture
def refusing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[tuple[int, ...]], None]:
    """Let the child start as in a container that refuses these calls of the kernel."""

    def refuse(numbers: tuple[int, ...]) -> None:
        program = tmp_path / "python"
        program.write_text(f'#!/bin/sh\nexec {" ".join(_start(numbers))} "$@"\n')
        program.chmod(0o755)
        monkeypatch.setattr(sys, "executable", str(program))

    return refuse


@pytest.mark.parametrize(
    ("refused", "measures", "gaps"),
    [
        (_LANDLOCK_CALLS, {"no_new_privs", "seccomp"}, ["Landlock"]),
        ((_SECCOMP_CALL[os.uname().machine],), {"no_new_privs", "Landlock"}, ["seccomp"]),
        (
            (*_LANDLOCK_CALLS, _SECCOMP_CALL[os.uname().machine]),
            {"no_new_privs"},
            ["Landlock", "seccomp"],
        ),
    ],
)
def test_a_container_that_refuses_a_part_is_told_and_documents_are_read(
    refused: tuple[int, ...],
    measures: set[str],
    gaps: list[str],
    refusing: Callable[[tuple[int, ...]], None],
    child: DocumentChild,
) -> None:
    refusing(refused)
    answer = _in_force(child)
    assert {each.split()[0] for each in answer["measures"]} <= measures
    assert [json.loads(gap)["say"].split()[0] for gap in answer["gaps"]] == gaps
    assert "error 1)" in answer["gaps"][0].replace("{n}", "1")
    for ending, make in SAMPLES.items():
        _, text = child.ask({"ending": ending}, make("apricot"), CancelToken())
        assert b"apricot" in text


# The filter, also for the processor that this computer does not have.

_AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_OPENAT = {"x86_64": 257, "aarch64": 56}
_FCNTL = {"x86_64": 72, "aarch64": 25}
_PRLIMIT64 = {"x86_64": 302, "aarch64": 261}
_ALLOW = 0x7FFF0000
_EPERM = 0x00050001
_ENOSYS = 0x00050026


def _answer(
    machine: str, number: int, *arguments: int, audit: int = 0, with_threads: bool = False
) -> int:
    """What the filter says of a call: an interpreter of the kernel's packet filter."""
    data = struct.pack("=IIQ", number, audit or _AUDIT[machine], 0)
    data += b"".join(struct.pack("=Q", each) for each in arguments).ljust(48, b"\0")
    steps = seccomp.filter_program(machine, with_threads=with_threads)
    program = list(struct.iter_unpack("=HBBI", steps))
    at = value = 0
    while True:
        code, then, otherwise, operand = program[at]
        at += 1
        match code:
            case 0x20:
                (value,) = struct.unpack_from("=I", data, operand)
            case 0x15:
                at += then if value == operand else otherwise
            case 0x35:
                at += then if value >= operand else otherwise
            case 0x45:
                at += then if value & operand else otherwise
            case 0x06:
                return operand


@pytest.mark.parametrize("machine", _AUDIT)
def test_the_filter_knows_its_processor(machine: str) -> None:
    number = _OPENAT[machine]
    assert _answer(machine, number) == _ALLOW
    others = {0x40000003, 0x40000028, *_AUDIT.values()} - {_AUDIT[machine]}
    assert {_answer(machine, number, audit=other) for other in others} == {_EPERM}
    # Calls of x32 have this bit in their numbers.
    assert _answer(machine, 0x40000000 + number) == _ENOSYS


@pytest.mark.parametrize("machine", _AUDIT)
def test_the_filter_looks_at_arguments(machine: str) -> None:
    directory = {"x86_64": 0o200000, "aarch64": 0o40000}[machine]
    tried = {
        flags: _answer(machine, _OPENAT[machine], 0, 0, flags)
        for flags in (0o2000000, 0o2000000 | directory, 0o1, 0o2, 0o3, 0o100, 0o1000, 0o20200002)
    }
    assert list(tried.values()) == [_ALLOW, _ALLOW, *[_EPERM] * 6]
    assert _answer(machine, _FCNTL[machine], 0, 3) == _ALLOW
    assert _answer(machine, _FCNTL[machine], 0, 8) == _EPERM
    limits = _PRLIMIT64[machine]
    assert _answer(machine, limits, 0, 7, 0) == _ALLOW
    assert {
        _answer(machine, limits, *arguments)
        for arguments in ((1, 7, 0), (0, 7, 1), (0, 7, 1 << 32))
    } == {_EPERM}


@pytest.mark.parametrize("machine", _AUDIT)
def test_the_filter_tells_threads_from_processes(machine: str) -> None:
    clone = machine_code.NUMBERS["clone"][machine == "aarch64"]
    assert clone is not None
    thread, process, namespace = 0x3D0F00, 0x4111, 0x3D0F00 | 0x10000000
    assert _answer(machine, clone, thread) == _EPERM
    tried = [
        _answer(machine, clone, flags, with_threads=True) for flags in (thread, process, namespace)
    ]
    assert tried == [_ALLOW, _EPERM, _EPERM]


@pytest.mark.parametrize("machine", _AUDIT)
def test_the_filter_refuses_all_that_is_attacked(machine: str) -> None:
    """With the numbers of the attacks, which were written down a second time."""
    answers = {
        name: _answer(machine, numbers[machine == "aarch64"], 3, 1024, 1)
        for name, numbers in machine_code.NUMBERS.items()
        if numbers[machine == "aarch64"] is not None
    }
    assert {name for name, answer in answers.items() if answer == _ALLOW} == set()


@pytest.mark.parametrize(
    ("machine", "header"),
    [
        ("x86_64", "/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
        ("aarch64", "/usr/include/asm-generic/unistd.h"),
    ],
)
def test_numbers_are_those_of_the_kernel(machine: str, header: str) -> None:
    if not Path(header).exists():
        pytest.skip("no headers of the kernel here")
    lines = Path(header).read_text()
    known = {
        name: int(number)
        for name, number in re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", lines)
    }
    # The generic header calls one of them by another name.
    known.setdefault("newfstatat", known.get("fstatat", -1))
    which = machine == "aarch64"
    own = {name: numbers[which] for name, numbers in _ALL_ALLOWED.items()}
    own |= {name: numbers[which] for name, numbers in machine_code.NUMBERS.items()}
    assert {name: number for name, number in own.items() if number != known.get(name)} == {}
