"""A second build of what computes in llama.cpp, for processors that can do more at once.

Every x86-64 processor of the last ten years runs the portable build. The set-up builds the second
one beside it where it can (scripts/llama_variant.py); nothing here loads either.
"""

from __future__ import annotations

import hashlib
import importlib.util
import sys
from dataclasses import dataclass
from pathlib import Path

FILE_NAME = "libggml-cpu-avx512.so"

_FLAGS = (
    "avx512f", "avx512cd", "avx512bw", "avx512dq", "avx512vl", "avx512vbmi", "avx512_vnni",
)  # fmt: skip
"""What the second build uses. Without AMX, which crashes on Q8_0, and without BF16: no gain."""

_CPU_INFO = Path("/proc/cpuinfo")
_FIRST_PROCESSOR = 8192
"""Characters, more than it takes; a hundred others would cost milliseconds at each start."""


@dataclass(frozen=True, slots=True)
class Processor:
    """What Linux says of the first processor; empty elsewhere."""

    name: str = ""
    flags: frozenset[str] = frozenset()

    @classmethod
    def of_this_computer(cls, file: Path = _CPU_INFO) -> Processor:
        """Read it anew each time: an index may move to another computer, a process does not."""
        try:
            with file.open(encoding="utf-8", errors="replace") as stream:
                first, _, _ = stream.read(_FIRST_PROCESSOR).partition("\n\n")
        except OSError:
            return cls()
        said = {
            key.strip(): value.strip()
            for key, _, value in (line.partition(":") for line in first.splitlines())
        }
        return cls(said.get("model name", ""), frozenset(said.get("flags", "").split()))


@dataclass(frozen=True, slots=True)
class CpuVariant:
    """The library that may replace the portable one, if there is one for this processor."""

    file: Path | None
    processor: str
    missing: str = ""
    """Why there is none, in words."""

    @classmethod
    def of_this_computer(
        cls, folder: Path | None = None, processor: Processor | None = None
    ) -> CpuVariant:
        """Looks in the folder of llama.cpp's own libraries. Loads and runs nothing."""
        here = processor or Processor.of_this_computer()
        file = (folder or _libraries()) / FILE_NAME
        if sys.platform != "linux" or not file.is_file():
            return cls(None, here.name, "no other one was built")
        if absent := [flag for flag in _FLAGS if flag not in here.flags]:
            return cls(None, here.name, f"this processor has no {absent[0]}")
        return cls(file, here.name)

    def digest(self) -> str:
        """Of the content of the file, which differs between versions of llama.cpp."""
        return hashlib.sha256(self.file.read_bytes()).hexdigest()[:16] if self.file else ""


def _libraries() -> Path:
    found = importlib.util.find_spec("llama_cpp")  # which does not import it
    return Path(found.origin).parent / "lib" if found and found.origin else Path()
