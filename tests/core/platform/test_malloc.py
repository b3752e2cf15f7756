"""Each program runs in a process of its own: its heaps stay as they are until it ends."""

from __future__ import annotations

import ctypes
import json
import subprocess
import sys

import pytest

from scrubjay.platform.malloc import MOST_ARENAS

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux") or not hasattr(ctypes.CDLL(None), "malloc_info"),
    reason="another C library than glibc",
)

_THREADS = """
import ctypes, threading
from scrubjay.platform.malloc import limit_arenas

limit_arenas()
together = threading.Barrier(12)

def work():
    block = bytearray(5_000)  # too large for the heap of Python itself
    together.wait()

threads = [threading.Thread(target=work) for _ in range(12)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
libc = ctypes.CDLL(None)
libc.malloc_info(0, ctypes.c_void_p.in_dll(libc, "stdout"))
libc.fflush(None)
"""
_BLOCKS = """
import json, psutil
from scrubjay.platform.malloc import trim_heaps

blocks = [bytearray(50_000) for _ in range(1_000)]
stays = bytearray(100_000)  # above them, so that the heap cannot shrink by itself
del blocks
kept = psutil.Process().memory_info().rss
trim_heaps()
print(json.dumps([kept, psutil.Process().memory_info().rss]))
"""


def printed(program: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout


def test_threads_share_a_few_heaps() -> None:
    assert printed(_THREADS).count("<heap nr=") == MOST_ARENAS


def test_freed_memory_goes_back_to_the_system() -> None:
    kept, left = json.loads(printed(_BLOCKS))
    assert kept - left > 40 * 2**20
