"""What CMake is told about llama.cpp: to build what is used, fast where it computes."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

import setup

# As llama-cpp-python has it: a cached switch, and one project within the other.
OUTER = """\
cmake_minimum_required(VERSION 3.21)
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")
project(llama_cpp NONE)
set(LLAMA_BUILD_COMMON ON CACHE BOOL "" FORCE)
message(STATUS "outer ${CMAKE_CXX_FLAGS_RELEASE}")
add_subdirectory(vendor)
"""
LLAMA = """\
project("llama.cpp" NONE)
option(LLAMA_BUILD_COMMON "" ON)
message(STATUS "llama ${CMAKE_CXX_FLAGS_RELEASE} ${LLAMA_BUILD_COMMON}")
add_subdirectory(ggml)
message(STATUS "after ${CMAKE_CXX_FLAGS_RELEASE}")
"""
GGML = """\
project(ggml NONE)
message(STATUS "ggml ${CMAKE_CXX_FLAGS_RELEASE}")
"""


@pytest.mark.skipif(not shutil.which("cmake"), reason="needs CMake")
def test_only_what_computes_is_optimised_in_full(tmp_path: Path) -> None:
    (tmp_path / "vendor" / "ggml").mkdir(parents=True)
    for folder, text in ((".", OUTER), ("vendor", LLAMA), ("vendor/ggml", GGML)):
        (tmp_path / folder / "CMakeLists.txt").write_text(text, encoding="utf-8")
    recipe = f"-DCMAKE_PROJECT_INCLUDE={setup.LLAMA_RECIPE.as_posix()}"
    command = ["cmake", "-S", str(tmp_path), "-B", str(tmp_path / "build"), recipe]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert [line for line in said.splitlines() if "-O" in line] == [
        "-- outer -O3 -DNDEBUG",
        "-- llama -O1 -DNDEBUG OFF",
        "-- ggml -O3 -DNDEBUG",
        "-- after -O1 -DNDEBUG",
    ]
