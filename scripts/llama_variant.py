"""Builds the computing library of llama.cpp again for processors with AVX-512 (VBMI, VNNI).

The new file is put next to the portable build, and Scrubjay tries it on the computer where it runs
(core/scrubjay/embedding/local/cpu_variant.py). uv has just built the portable library from the same
sources, so nothing is downloaded. Standard library only.
"""

from __future__ import annotations

import os
import platform
import shutil
from collections.abc import Callable
from pathlib import Path

FILE_NAME = "libggml-cpu-avx512.so"

FLAGS = {"avx512f", "avx512cd", "avx512bw", "avx512dq", "avx512vl", "avx512vbmi", "avx512_vnni"}
_OPTIONS = (
    "-DCMAKE_BUILD_TYPE=Release",
    "-DBUILD_SHARED_LIBS=ON",
    "-DCMAKE_BUILD_WITH_INSTALL_RPATH=ON",
    "-DCMAKE_INSTALL_RPATH=$ORIGIN",
    "-DGGML_NATIVE=OFF",
    "-DGGML_AVX512=ON",
    "-DGGML_AVX512_VBMI=ON",
    "-DGGML_AVX512_VNNI=ON",
    *(f"-DLLAMA_BUILD_{part}=OFF" for part in ("COMMON", "TESTS", "TOOLS", "EXAMPLES", "SERVER")),
)

Run = Callable[[list[str]], None]
"""Runs a command; raises when it fails."""


def is_of_use(*, here: bool) -> bool:
    """Whether it can be built; with here, whether this computer can run it too."""
    if platform.system() != "Linux" or platform.machine() != "x86_64":
        return False
    return not here or set(Path("/proc/cpuinfo").read_text().split()) >= FLAGS


def sources(cache: Path, version: str) -> Path | None:
    """Where uv keeps the unpacked sources of llama.cpp, of one version of the Python package."""
    found = sorted(cache.glob(f"sdists-*/*/llama-cpp-python/{version}/*/src/vendor/llama.cpp"))
    return next((one for one in found if (one / "ggml" / "CMakeLists.txt").is_file()), None)


def build(source: Path, cmake: list[str], work: Path, target: Path, run: Run) -> None:
    """Build it in a folder for the purpose and put it in its place. Raises what run raises."""
    shutil.rmtree(work, ignore_errors=True)
    # What ships must not tell where it was built.
    places = f"-ffile-prefix-map={source}=. -ffile-prefix-map={work}=. -s"
    flags = [f"-DCMAKE_{language}FLAGS={places}" for language in ("C", "CXX")]
    try:
        run([*cmake, "-S", str(source), "-B", str(work), *_OPTIONS, *flags])
        at_once = str(os.cpu_count() or 1)
        run([*cmake, "--build", str(work), "--target", "ggml-cpu", "--parallel", at_once])
        built = (work / "bin" / "libggml-cpu.so").resolve(strict=True)
        fresh = target.with_name(f".{target.name}.new")
        shutil.copyfile(built, fresh)
        fresh.replace(target)
    finally:
        shutil.rmtree(work, ignore_errors=True)
