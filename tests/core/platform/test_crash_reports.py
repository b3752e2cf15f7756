"""Reports of crashes are files on this computer."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from scrubjay.platform.crash_reports import CrashReports, report_text
from scrubjay.platform.paths import Paths
from scrubjay.version import current_version

CRASHES = """
import ctypes, sys
from pathlib import Path
from scrubjay.platform.crash_reports import CrashReports
from scrubjay.platform.paths import Paths

reports = CrashReports(Paths.under(Path(sys.argv[1])))
assert reports.left_behind() == ""
reports.watch()
if sys.argv[2] == "crash":
    ctypes.string_at(0)
reports.unwatch()
"""


def run(home: Path, how: str) -> int:
    command = [sys.executable, "-c", CRASHES, str(home), how]
    return subprocess.run(command, check=False, capture_output=True, timeout=60).returncode


def test_a_report_names_versions_and_the_place_of_the_mistake() -> None:
    try:
        raise ValueError("acorn")
    except ValueError as error:
        text = report_text(error, "Qt 6")
    assert text.startswith(f"Scrubjay {current_version()}, ")
    assert ", Qt 6\n" in text
    assert text.rstrip().endswith("ValueError: acorn")


def test_the_last_ten_reports_are_kept(tmp_path: Path) -> None:
    reports = CrashReports(Paths.under(tmp_path))
    written = [reports.write(f"report {number}") for number in range(12)]
    assert reports.all() == written[:1:-1]
    assert reports.all()[0].read_text() == "report 11"


def test_a_folder_that_cannot_be_written_to_costs_the_report_and_nothing_else(
    tmp_path: Path,
) -> None:
    (tmp_path / "state").write_text("in the way")
    reports = CrashReports(Paths.under(tmp_path))
    assert reports.write("text") is None
    reports.watch()
    reports.unwatch()
    assert reports.left_behind() == ""


def test_a_crash_in_native_code_is_told_at_the_next_start_once(tmp_path: Path) -> None:
    assert run(tmp_path, "crash") != 0
    reports = CrashReports(Paths.under(tmp_path))
    told = reports.left_behind()
    assert "string_at" in told
    assert reports.all()[0].read_text() == told
    assert reports.left_behind() == ""


def test_a_regular_end_leaves_nothing(tmp_path: Path) -> None:
    assert run(tmp_path, "end") == 0
    assert list(CrashReports(Paths.under(tmp_path)).folder.iterdir()) == []


def test_reports_are_private_to_the_home(tmp_path: Path) -> None:
    reports = CrashReports(Paths.under(tmp_path))
    file = reports.write("text")
    assert file is not None
    assert os.path.commonpath([file, tmp_path]) == str(tmp_path)
