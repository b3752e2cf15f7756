"""A long step says how far it is: in one line on a terminal, now and then elsewhere."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

import progress

RECIPE = """\
build deep/one.cpp.o: CXX_COMPILER /src/one.cpp
build two.c.o: C_COMPILER /src/two.c
build three.cpp.obj: CXX_COMPILER C:/src/three.cpp
build four.cpp.o: CXX_COMPILER /src/four.cpp
build bin/lib.so: CXX_LINKER deep/one.cpp.o two.c.o
build all: phony bin/lib.so
"""


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def finish(folder: Path, *outputs: str) -> None:
    rows = [f"0\t{number}\t0\t{output}\tabc" for number, output in enumerate(outputs)]
    (folder / ".ninja_log").write_text("\n".join(["# ninja log v5", *rows, ""]), encoding="utf-8")


def test_a_build_that_has_not_begun_only_works(tmp_path: Path) -> None:
    build = progress.NinjaBuild(tmp_path / "absent")
    assert build.share() == 0
    assert build.text(12.3) == "  working for 12 s"


def test_the_share_is_that_of_finished_objects(tmp_path: Path) -> None:
    (tmp_path / "build.ninja").write_text(RECIPE, encoding="utf-8")
    build = progress.NinjaBuild(tmp_path)
    assert build.share() == 0
    # Ninja logs what is made anew a second time.
    finish(tmp_path, "deep/one.cpp.o", "deep/one.cpp.o", "three.cpp.obj")
    assert build.share() == 0.5
    finish(tmp_path, "deep/one.cpp.o", "two.c.o", "three.cpp.obj", "four.cpp.o", "bin/lib.so")
    assert build.share() == 1


def test_what_is_left_counts_from_the_first_object(tmp_path: Path) -> None:
    (tmp_path / "build.ninja").write_text(RECIPE, encoding="utf-8")
    build = progress.NinjaBuild(tmp_path)
    finish(tmp_path, "two.c.o")
    build.text(20)
    # A quarter took 50 seconds.
    assert build.text(70) == "  [######..................] 25%, about 3 minutes left"


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "less than a minute"),
        (60, "less than a minute"),
        (61, "about 2 minutes"),
        (150, "about 3 minutes"),
    ],
)
def test_minutes_are_whole(seconds: float, words: str) -> None:
    assert progress.minutes(seconds) == words


def test_a_terminal_rewrites_one_line_and_ends_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "8")
    terminal = Terminal()
    line = progress.ProgressLine(terminal)
    line.show("half way there")
    line.clear()
    assert terminal.getvalue() == "\r\x1b[Khalf wa\r\x1b[K"


def test_a_file_gets_a_line_now_and_then() -> None:
    file = io.StringIO()
    progress.ProgressLine(file).show("too early")
    line = progress.ProgressLine(file, plain_every_s=0)
    line.show("half way")
    line.clear()
    assert file.getvalue() == "half way\n"
