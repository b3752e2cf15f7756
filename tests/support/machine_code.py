"""What machine code would try in a process that reads documents, past all checks of Python.

Run as a program with a JSON object of targets: it tries every attack, in the sandbox or without
it, and prints a JSON object of outcomes: "done", or the name of the error.
"""

from __future__ import annotations

import ctypes
import errno
import json
import mmap
import os
import signal
import struct
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

if sys.platform != "win32":
    LIBC = ctypes.CDLL(None, use_errno=True)
HERE = -100
"""AT_FDCWD."""
NUMBERS = {
    "add_key": (248, 217),
    "bind": (49, 200),
    "bpf": (321, 280),
    "capset": (126, 91),
    "chdir": (80, 49),
    "chroot": (161, 51),
    "clone": (56, 220),
    "clone3": (435, 435),
    "connect": (42, 203),
    "copy_file_range": (326, 285),
    "creat": (85, None),
    "epoll_create1": (291, 20),
    "eventfd2": (290, 19),
    "execve": (59, 221),
    "execveat": (322, 281),
    "fallocate": (285, 47),
    "fanotify_init": (300, 262),
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "fchownat": (260, 54),
    "fcntl": (72, 25),
    "fork": (57, None),
    "fsopen": (430, 430),
    "ftruncate": (77, 46),
    "inotify_init1": (294, 26),
    "io_uring_setup": (425, 425),
    "ioctl": (16, 29),
    "ioprio_set": (251, 30),
    "kcmp": (312, 272),
    "keyctl": (250, 219),
    "kill": (62, 129),
    "landlock_create_ruleset": (444, 444),
    "linkat": (265, 37),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "mkdirat": (258, 34),
    "mknodat": (259, 33),
    "mount": (165, 40),
    "mq_open": (240, 180),
    "msgget": (68, 186),
    "name_to_handle_at": (303, 264),
    "open": (2, None),
    "open_by_handle_at": (304, 265),
    "open_tree": (428, 428),
    "openat": (257, 56),
    "openat2": (437, 437),
    "perf_event_open": (298, 241),
    "personality": (135, 92),
    "pidfd_getfd": (438, 438),
    "pidfd_open": (434, 434),
    "pidfd_send_signal": (424, 424),
    "prctl": (157, 167),
    "prlimit64": (302, 261),
    "process_madvise": (440, 440),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "ptrace": (101, 117),
    "renameat2": (316, 276),
    "rt_sigqueueinfo": (129, 138),
    "sched_setaffinity": (203, 122),
    "seccomp": (317, 277),
    "semget": (64, 190),
    "sendto": (44, 206),
    "setns": (308, 268),
    "setpriority": (141, 140),
    "setuid": (105, 146),
    "setxattr": (188, 5),
    "shmget": (29, 194),
    "socket": (41, 198),
    "socketpair": (53, 199),
    "symlinkat": (266, 36),
    "syslog": (103, 116),
    "tgkill": (234, 131),
    "timerfd_create": (283, 85),
    "truncate": (76, 45),
    "umount2": (166, 39),
    "unlinkat": (263, 35),
    "unshare": (272, 97),
    "userfaultfd": (323, 282),
    "utimensat": (280, 88),
    "vfork": (58, None),
}
"""Calls of the kernel: numbers on x86-64 and on AArch64."""
ATTACKS: dict[str, Callable[[Targets], object]] = {}
UNCERTAIN = set[str]()
"""Attacks that some systems refuse by themselves."""


class Targets:
    """What is attacked: files, a process, and sockets that listen."""

    def __init__(self, folder: str, process: int, address: int, tcp: int, udp: int) -> None:
        self.folder = Path(folder)
        # Asked for now: the sandbox does not answer such a question.
        self.parent = os.getppid()
        self.process = process
        """Another process of the same user."""
        self.address = address
        """Where the bytes "planted" are in its memory."""
        self.tcp = tcp
        self.udp = udp

    def file(self, name: str) -> bytes:
        """The path of a file that belongs to one attack, or of none yet."""
        return os.fsencode(self.folder / name)


def attack(function: Callable[[Targets], object]) -> Callable[[Targets], object]:
    """Put an attack on the list."""
    ATTACKS[function.__name__] = function
    return function


def uncertain(function: Callable[[Targets], object]) -> Callable[[Targets], object]:
    """Put an attack on the list that some systems refuse by themselves."""
    UNCERTAIN.add(function.__name__)
    return attack(function)


def call(name: str, *arguments: Any) -> int:
    """The result of a call of the kernel. Raises OSError."""
    number = NUMBERS[name][os.uname().machine == "aarch64"]
    if number is None:
        raise OSError(errno.ENOSYS, name)
    return call_number(number, *arguments)


def call_number(number: int, *arguments: Any) -> int:
    """The result of a call of the kernel by its number. Raises OSError."""
    wide = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    result: int = LIBC.syscall(ctypes.c_long(number), *wide)
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def child_of(process: int) -> None:
    """Go on in the parent only."""
    if process == 0:
        os._exit(0)
    os.waitpid(process, 0)


def ipv4(port: int) -> bytes:
    """The address of a port of this computer."""
    return struct.pack("=H", 2) + struct.pack(">H4s8x", port, bytes([127, 0, 0, 1]))


# Connections to others.


@attack
def connect_by_tcp(targets: Targets) -> None:
    call("connect", call("socket", 2, 1, 0), ipv4(targets.tcp), 16)


@attack
def send_by_udp(targets: Targets) -> None:
    call("sendto", call("socket", 2, 2, 0), b"planted", 7, 0, ipv4(targets.udp), 16)


@attack
def connect_to_a_unix_socket(targets: Targets) -> None:
    address = struct.pack("=H", 1) + targets.file("listener.sock") + b"\0"
    call("connect", call("socket", 1, 1, 0), address, len(address))


@attack
def listen_for_others(_: Targets) -> None:
    call("bind", call("socket", 2, 1, 0), ipv4(0), 16)


@attack
def talk_to_the_kernel_by_netlink(_: Targets) -> None:
    call("socket", 16, 3, 0)


@attack
def make_a_pair_of_sockets(_: Targets) -> None:
    call("socketpair", 1, 1, 0, ctypes.create_string_buffer(8))


# Other programs.


@attack
def fork_exec_of_python(_: Targets) -> None:
    from _posixsubprocess import fork_exec

    reading, writing = os.pipe()
    arguments: Any = [[b"true"], [b"/bin/true"], True, (), None, None]
    arguments += [-1, -1, -1, -1, -1, -1, reading, writing, True, False]
    arguments += [-1] if sys.version_info >= (3, 11) else []
    child_of(fork_exec(*arguments, None, None, None, -1, None, False))


@attack
def fork(_: Targets) -> None:
    child_of(call("fork"))


@attack
def clone_a_process(_: Targets) -> None:
    child_of(call("clone", signal.SIGCHLD, 0, 0, 0, 0))


@attack
def clone_a_process_by_the_new_call(_: Targets) -> None:
    child_of(call("clone3", struct.pack("=8Q", 0, 0, 0, 0, signal.SIGCHLD, 0, 0, 0), 64))


@attack
def spawn_by_libc(_: Targets) -> None:
    process = ctypes.c_int()
    arguments = (ctypes.c_char_p * 2)(b"true", None)
    error = LIBC.posix_spawn(ctypes.byref(process), b"/bin/true", None, None, arguments, None)
    if error:
        raise OSError(error, "posix_spawn")


@attack
def become_another_program(_: Targets) -> None:
    call("execve", b"/bin/true", (ctypes.c_char_p * 2)(b"true", None), None)


@attack
def become_another_program_by_descriptor(_: Targets) -> None:
    file = os.open(sys.executable, os.O_RDONLY | os.O_CLOEXEC)
    arguments = (ctypes.c_char_p * 3)(b"python", b"--version", None)
    call("execveat", file, b"", arguments, None, 0x1000)


@attack
def make_a_program_in_memory(_: Targets) -> None:
    call("memfd_create", b"program", 0)


@uncertain
def make_secret_memory(_: Targets) -> None:
    call("memfd_secret", 0)


@attack
def start_a_thread(_: Targets) -> None:
    import _thread

    done = _thread.allocate_lock()
    done.acquire()
    try:
        _thread.start_new_thread(done.release, ())
    except RuntimeError:
        raise PermissionError(errno.EPERM, "no thread") from None
    done.acquire()


# Changed files.


@attack
def open_for_writing(targets: Targets) -> None:
    call("openat", HERE, targets.file("open_for_writing"), os.O_WRONLY)


@attack
def open_for_both(targets: Targets) -> None:
    call("openat", HERE, targets.file("open_for_both"), os.O_RDWR)


@attack
def open_for_writing_by_the_old_call(targets: Targets) -> None:
    call("open", targets.file("open_for_writing_by_the_old_call"), os.O_WRONLY)


@attack
def open_for_writing_by_the_new_call(targets: Targets) -> None:
    how = struct.pack("=3Q", os.O_WRONLY, 0, 0)
    call("openat2", HERE, targets.file("open_for_writing_by_the_new_call"), how, len(how))


@attack
def empty_a_file_while_it_is_opened_for_reading(targets: Targets) -> None:
    name = targets.file("empty_a_file_while_it_is_opened_for_reading")
    call("openat", HERE, name, os.O_RDONLY | os.O_TRUNC)


@attack
def append_to_a_file(targets: Targets) -> None:
    call("openat", HERE, targets.file("append_to_a_file"), os.O_WRONLY | os.O_APPEND)


@attack
def create_a_file(targets: Targets) -> None:
    call("openat", HERE, targets.file("new file"), os.O_RDONLY | os.O_CREAT, 0o600)


@attack
def create_a_file_by_the_old_call(targets: Targets) -> None:
    call("creat", targets.file("new file of the old call"), 0o600)


@uncertain
def create_a_file_without_a_name(targets: Targets) -> None:
    call("openat", HERE, targets.file(""), os.O_RDWR | os.O_TMPFILE, 0o600)


@attack
def change_a_file_through_memory(targets: Targets) -> None:
    file = os.open(targets.file("change_a_file_through_memory"), os.O_RDWR)
    with mmap.mmap(file, 0) as memory:
        memory[0:1] = b"x"


@attack
def truncate(targets: Targets) -> None:
    call("truncate", targets.file("truncate"), 0)


@attack
def truncate_by_descriptor(targets: Targets) -> None:
    call("ftruncate", os.open(targets.file("truncate_by_descriptor"), os.O_WRONLY), 0)


@uncertain
def make_room_in_a_file(targets: Targets) -> None:
    file = os.open(targets.file("make_room_in_a_file"), os.O_WRONLY)
    call("fallocate", file, 3, 0, 1)


@attack
def unlink(targets: Targets) -> None:
    call("unlinkat", HERE, targets.file("unlink"), 0)


@attack
def remove_a_folder(targets: Targets) -> None:
    call("unlinkat", HERE, targets.file("empty folder"), 0x200)


@attack
def rename(targets: Targets) -> None:
    call("renameat2", HERE, targets.file("rename"), HERE, targets.file("renamed"), 0)


@attack
def make_a_folder(targets: Targets) -> None:
    call("mkdirat", HERE, targets.file("new folder"), 0o700)


@attack
def make_a_pipe(targets: Targets) -> None:
    call("mknodat", HERE, targets.file("new pipe"), 0o010600, 0)


@attack
def make_a_symbolic_link(targets: Targets) -> None:
    call("symlinkat", b"/etc/passwd", HERE, targets.file("new link"))


@attack
def make_a_hard_link(targets: Targets) -> None:
    name = targets.file("make_a_hard_link")
    call("linkat", HERE, name, HERE, targets.file("new name"), 0)


@attack
def change_the_mode(targets: Targets) -> None:
    call("fchmodat", HERE, targets.file("change_the_mode"), 0o777)


@attack
def change_the_mode_by_descriptor(targets: Targets) -> None:
    call("fchmod", os.open(targets.file("change_the_mode_by_descriptor"), os.O_RDONLY), 0o777)


@attack
def change_the_owner(targets: Targets) -> None:
    name = targets.file("change_the_owner")
    call("fchownat", HERE, name, os.getuid(), os.getgid(), 0)


@attack
def change_the_time(targets: Targets) -> None:
    moments = struct.pack("=4q", 0, 0, 0, 0)
    call("utimensat", HERE, targets.file("change_the_time"), moments, 0)


@uncertain
def change_attributes(targets: Targets) -> None:
    call("setxattr", targets.file("change_attributes"), b"user.planted", b"x", 1, 0)


@attack
def copy_into_a_file(targets: Targets) -> None:
    file = os.open(targets.file("copy_into_a_file"), os.O_RDWR)
    call("copy_file_range", file, None, file, struct.pack("=q", 4), 4, 0)


# Files that are read.


@attack
def read_a_note(targets: Targets) -> None:
    os.read(call("openat", HERE, targets.file("read_a_note"), os.O_RDONLY), 10)


@attack
def list_a_folder(targets: Targets) -> None:
    next(targets.folder.iterdir())


@attack
def read_a_file_of_the_system(_: Targets) -> None:
    call("openat", HERE, b"/etc/passwd", os.O_RDONLY)


@uncertain
def read_a_file_by_its_handle(targets: Targets) -> None:
    handle = ctypes.create_string_buffer(struct.pack("=Ii", 128, 0), 136)
    name = targets.file("read_a_file_by_its_handle")
    call("name_to_handle_at", HERE, name, handle, ctypes.create_string_buffer(4), 0)
    call("open_by_handle_at", os.open("/", os.O_RDONLY), handle, os.O_RDONLY)


@attack
def follow_changes_of_files(_: Targets) -> None:
    call("inotify_init1", 0)


@uncertain
def follow_all_files(_: Targets) -> None:
    call("fanotify_init", 0, 0)


@attack
def change_the_working_folder(targets: Targets) -> None:
    call("chdir", os.fsencode(targets.folder))


# Other processes.


@attack
def read_the_environment_of_the_parent(targets: Targets) -> None:
    call("openat", HERE, f"/proc/{targets.parent}/environ".encode(), os.O_RDONLY)


@uncertain
def read_the_environment_of_another(targets: Targets) -> None:
    call("openat", HERE, f"/proc/{targets.process}/environ".encode(), os.O_RDONLY)


@uncertain
def read_the_memory_of_another_as_a_file(targets: Targets) -> None:
    call("openat", HERE, f"/proc/{targets.process}/mem".encode(), os.O_RDONLY)


@uncertain
def read_the_memory_of_another(targets: Targets) -> None:
    own = ctypes.create_string_buffer(7)
    here = struct.pack("PN", ctypes.addressof(own), 7)
    there = struct.pack("PN", targets.address, 7)
    call("process_vm_readv", targets.process, here, 1, there, 1, 0)
    assert own.raw == b"planted"


@uncertain
def write_the_memory_of_another(targets: Targets) -> None:
    own = ctypes.create_string_buffer(b"planted")
    here = struct.pack("PN", ctypes.addressof(own), 7)
    there = struct.pack("PN", targets.address, 7)
    call("process_vm_writev", targets.process, here, 1, there, 1, 0)


@uncertain
def trace_another(targets: Targets) -> None:
    call("ptrace", 0x4206, targets.process, 0, 0)


@attack
def be_traced_by_the_parent(_: Targets) -> None:
    call("ptrace", 0, 0, 0, 0)


@attack
def signal_another(targets: Targets) -> None:
    call("kill", targets.process, signal.SIGCONT)


@attack
def signal_a_thread_of_another(targets: Targets) -> None:
    call("tgkill", targets.process, targets.process, signal.SIGCONT)


@attack
def signal_another_with_a_value(targets: Targets) -> None:
    information = struct.pack("=iiii", signal.SIGCONT, 0, -1, 0).ljust(128, b"\0")
    call("rt_sigqueueinfo", targets.process, signal.SIGCONT, information)


@attack
def signal_the_parent(targets: Targets) -> None:
    call("kill", targets.parent, signal.SIGCONT)


@attack
def have_a_file_signal_another(targets: Targets) -> None:
    call("fcntl", 0, 8, targets.process)


@attack
def choose_the_signal_of_a_file(_: Targets) -> None:
    call("fcntl", 0, 10, signal.SIGKILL)


@attack
def hold_another_by_descriptor(targets: Targets) -> None:
    call("pidfd_open", targets.process, 0)


@attack
def signal_another_by_descriptor(targets: Targets) -> None:
    call("pidfd_send_signal", call("pidfd_open", targets.process, 0), signal.SIGCONT, None, 0)


@uncertain
def take_a_descriptor_of_another(targets: Targets) -> None:
    call("pidfd_getfd", call("pidfd_open", targets.process, 0), 0, 0)


@uncertain
def advise_on_the_memory_of_another(targets: Targets) -> None:
    there = struct.pack("PN", targets.address & ~4095, 4096)
    process = call("pidfd_open", targets.process, 0)
    call("process_madvise", process, there, 1, 20, 0)


@uncertain
def compare_with_another(targets: Targets) -> None:
    call("kcmp", os.getpid(), targets.process, 1, 0, 0)


@attack
def change_limits_of_another(targets: Targets) -> None:
    call("prlimit64", targets.process, 4, struct.pack("=2Q", 0, 0), None)


@attack
def ask_for_limits_of_another(targets: Targets) -> None:
    call("prlimit64", targets.process, 4, None, ctypes.create_string_buffer(16))


@attack
def change_own_limits(_: Targets) -> None:
    call("prlimit64", 0, 4, struct.pack("=2Q", 0, 0), None)


@attack
def choose_processors_for_another(targets: Targets) -> None:
    call("sched_setaffinity", targets.process, 8, struct.pack("=Q", 1))


@attack
def slow_another_down(targets: Targets) -> None:
    call("setpriority", 0, targets.process, 19)


@attack
def slow_the_disk_of_another_down(targets: Targets) -> None:
    call("ioprio_set", 1, targets.process, 3 << 13)


# The kernel.


@uncertain
def enter_a_namespace_of_another(targets: Targets) -> None:
    call("setns", call("pidfd_open", targets.process, 0), 0x04000000)


@uncertain
def make_a_user_namespace(_: Targets) -> None:
    call("unshare", 0x10000000)


@attack
def leave_shared_descriptors(_: Targets) -> None:
    call("unshare", 0x400)


@uncertain
def mount_a_file_system(targets: Targets) -> None:
    call("mount", b"none", targets.file("mounted"), b"tmpfs", 0, None)
    call("umount2", targets.file("mounted"), 2)


@uncertain
def open_a_file_system(_: Targets) -> None:
    call("fsopen", b"tmpfs", 0)


@uncertain
def take_a_tree_of_files(targets: Targets) -> None:
    call("open_tree", HERE, os.fsencode(targets.folder), 1)


@uncertain
def change_the_root_folder(targets: Targets) -> None:
    call("chroot", os.fsencode(targets.folder))


@uncertain
def use_keys_of_the_kernel(_: Targets) -> None:
    call("keyctl", 0, -3, 1)


@uncertain
def add_a_key_to_the_kernel(_: Targets) -> None:
    call("add_key", b"user", b"planted", b"x", 1, -2)


@uncertain
def load_a_program_into_the_kernel(_: Targets) -> None:
    call("bpf", 0, struct.pack("=5I", 2, 4, 4, 1, 0).ljust(120, b"\0"), 120)


@uncertain
def handle_page_faults(_: Targets) -> None:
    call("userfaultfd", 0)


@uncertain
def count_events_of_the_processor(_: Targets) -> None:
    attributes = struct.pack("=II5Q", 1, 112, 1, 0, 0, 0, 1 << 5 | 1 << 6).ljust(112, b"\0")
    call("perf_event_open", attributes, 0, -1, -1, 0)


@uncertain
def make_a_ring_of_calls(_: Targets) -> None:
    call("io_uring_setup", 4, ctypes.create_string_buffer(120))


@uncertain
def read_the_log_of_the_kernel(_: Targets) -> None:
    call("syslog", 3, ctypes.create_string_buffer(100), 100)


@attack
def share_memory(_: Targets) -> None:
    LIBC.shmctl(call("shmget", 0, 4096, 0o1600), 0, None)


@attack
def make_a_queue_of_messages(_: Targets) -> None:
    LIBC.msgctl(call("msgget", 0, 0o1600), 0, None)


@attack
def make_a_semaphore(_: Targets) -> None:
    LIBC.semctl(call("semget", 0, 1, 0o1600), 0, 0)


@uncertain
def open_a_queue_of_messages(_: Targets) -> None:
    name = f"planted-{os.getpid()}".encode()
    call("mq_open", name, os.O_RDWR | os.O_CREAT, 0o600, None)
    LIBC.mq_unlink(b"/" + name)


@uncertain
def type_into_a_terminal(_: Targets) -> None:
    """Standard input is one."""
    call("ioctl", 0, 0x5412, b"x")


@attack
def open_a_terminal(_: Targets) -> None:
    os.openpty()


@attack
def change_a_device(_: Targets) -> None:
    call("ioctl", 0, 0x541B, ctypes.create_string_buffer(4))


@attack
def change_itself(_: Targets) -> None:
    call("prctl", 4, 1, 0, 0, 0)


@attack
def change_its_way_of_running(_: Targets) -> None:
    call("personality", 0x0040000)


@attack
def change_the_user(_: Targets) -> None:
    call("setuid", os.getuid())


@attack
def change_its_capabilities(_: Targets) -> None:
    call("capset", struct.pack("=Ii", 0x20080522, 0), bytes(24))


@attack
def wait_for_many_files(_: Targets) -> None:
    call("epoll_create1", 0)


@attack
def count_events(_: Targets) -> None:
    call("eventfd2", 0, 0)


@attack
def make_a_clock(_: Targets) -> None:
    call("timerfd_create", 1, 0)


@uncertain
def load_another_filter(_: Targets) -> None:
    allow_all = ctypes.create_string_buffer(struct.pack("=HBBI", 6, 0, 0, 0x7FFF0000), 8)
    call("prctl", 38, 1, 0, 0, 0)
    call("seccomp", 1, 0, struct.pack("HP", 1, ctypes.addressof(allow_all)))


@uncertain
def make_a_set_of_rules(_: Targets) -> None:
    call("landlock_create_ruleset", struct.pack("=Q", 4), 8, 0)


@uncertain
def call_as_a_program_of_32_bits(_: Targets) -> None:
    if os.uname().machine != "x86_64":
        raise OSError(errno.ENOSYS, "another processor")
    memory = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    # mov eax, 20 (getpid of i386); int 0x80; ret
    memory.write(bytes([0xB8, 20, 0, 0, 0, 0xCD, 0x80, 0xC3]))
    code = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    result = ctypes.CFUNCTYPE(ctypes.c_int)(code)()
    if result < 0:
        raise OSError(-result, "int 0x80")


@uncertain
def call_as_x32(_: Targets) -> None:
    call_number(0x40000000 + 39)


@attack
def call_what_no_kernel_knows_yet(_: Targets) -> None:
    """Nothing that works today; a new call must not be allowed for being new."""
    call_number(990)


UNCERTAIN.add("call_what_no_kernel_knows_yet")


def outcome(name: str, targets: Targets) -> str:
    """ "done", or the name of the error."""
    try:
        ATTACKS[name](targets)
    except OSError as error:
        return errno.errorcode.get(error.errno or 0, str(error))
    return "done"


def outcome_in_a_child(name: str, targets: Targets) -> str:
    """The outcome without the sandbox, where an attack may end its process."""
    reading, writing = os.pipe()
    process = os.fork()
    if process == 0:
        os.set_inheritable(writing, False)
        os.write(writing, outcome(name, targets).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        said = pipe.read()
    _, status = os.waitpid(process, 0)
    # A process that became another program says nothing more, and ends with 0.
    return said or ("done" if status == 0 else f"ended with {status}")


def main() -> None:
    """Try all attacks."""
    targets = json.loads(sys.argv[1])
    is_fenced = targets.pop("fenced")
    with_threads = targets.pop("threads")
    # What the attacks import is loaded before, as in a process that works for some time.
    import _posixsubprocess  # noqa: F401

    made = Targets(**targets)
    outcomes: dict[str, Any] = {}
    if is_fenced:
        from scrubjay.documents.request_loop import restrict_process

        outcomes["sandbox"] = restrict_process(with_threads=with_threads)
    attempt = outcome if is_fenced else outcome_in_a_child
    for name in ATTACKS:
        outcomes[name] = attempt(name, made)
    print(json.dumps(outcomes))


if __name__ == "__main__":
    main()
