"""Tests Scrubjay for Windows under Wine: `make windows-test`, or `windows_test.py --quick` in CI.

It runs the tests of the core and of the desktop app that are quick there, takes pictures of real
windows, and tests the installer if `make package` has made one. `--quick` builds the Windows
Python without llama.cpp, runs fewer tests, and takes five minutes at most. Where that is not
possible, it says why and succeeds.
"""

from __future__ import annotations

import contextlib
import os
import platform
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Sequence
from pathlib import Path

import setup
import system_packages
import windows_pictures
import windows_python
import wine

TESTS = (
    "tests/core/concurrency",
    "tests/core/config",
    "tests/core/platform",
    "tests/core/records",
    "tests/core/search/query",
    "tests/core/text",
    "tests/core/workspaces",
    "tests/desktop/bridge",
    "tests/desktop/platform",
    "tests/desktop/widgets",
)
"""Folders whose tests take at most some minutes together under Wine."""
SINGLE_TESTS = (
    "tests/core/cli/test_running_app.py::"
    "test_a_command_goes_on_alone_where_the_app_was_killed_amid_it",
    "tests/core/cli/test_running_app.py::test_a_command_that_the_app_answers_loads_next_to_nothing",
    "tests/core/cli/test_running_app.py::"
    "test_programs_that_connect_and_send_nothing_hold_nobody_up",
)
"""Tests of other folders, whose programs start slowly under Wine."""
NOT_YET = (
    # The library for random tests takes its strategy for one that cannot recurse.
    "tests/core/config/test_loading.py::test_any_value_anywhere_gives_valid_settings",
    # The lock file is deleted with the lock.
    "tests/core/config/test_settings_file.py::test_writers_at_the_same_time_lose_nothing",
    # The reason of the system is another one, and so is the sentence.
    "tests/core/platform/test_http_access.py::test_a_line_that_fails_is_told_in_plain_words",
    "tests/core/workspaces/test_user_skips.py::test_where_it_cannot_be_noted_that_is_said",
    # Their settings are written with the paths of Linux.
    "tests/core/workspaces/test_registry.py::"
    "test_a_memory_that_is_off_is_not_read_as_part_of_the_folder_around_it",
    "tests/core/workspaces/test_registry.py::test_a_new_folder_that_is_off_never_looks_on",
    # Too few of the random inputs are of use there.
    "tests/core/search/query/test_query_syntax.py::"
    "test_a_plain_question_limits_to_nothing_that_the_question_does_not",
    "tests/desktop/platform/hotkey/test_hotkey.py::test_the_key_opens_and_closes_the_popup",
    "tests/desktop/platform/hotkey/test_hotkey.py::"
    "test_where_no_key_can_be_had_the_settings_say_what_to_do",
    "tests/desktop/widgets/test_banner.py::"
    "test_what_was_closed_is_told_again_only_after_it_worked_or_when_it_was_asked_for",
    # They look for the entry of a Linux desktop.
    "tests/desktop/platform/test_autostart.py::test_another_copy_that_starts_is_named",
    "tests/desktop/platform/test_autostart.py::test_a_copy_that_was_moved_is_off_and_says_so",
    # They are written with the paths of other systems.
    "tests/desktop/platform/test_programs.py::test_any_program_file_can_be_chosen",
    "tests/core/platform/test_installation.py::"
    "test_the_way_to_remove_the_program_fits_how_it_was_installed",
    # Wine tells the same memory of every process.
    "tests/core/platform/test_child_limits.py::test_the_memory_of_a_process_is_measured",
    "tests/core/platform/test_child_limits.py::test_a_process_is_ended_above_its_limit",
    # Qt paints no letters without a screen there.
    "tests/desktop/widgets/test_labels_and_boxes.py::test_the_day_of_a_note_is_never_cut",
    "tests/desktop/widgets/test_labels_and_boxes.py::"
    "test_the_name_of_a_file_is_cut_after_its_folders",
    # Wine, perhaps: the certificate of an unknown authority is accepted.
    "tests/core/platform/test_proxies.py::test_an_authority_that_nobody_trusts_gets_nothing",
)
"""Tests that fail under Wine for a reason that is not cleared up; each has to be looked at."""
QUICK_TESTS = ("tests/core/config", "tests/core/records", "tests/core/text")
LIMIT_S = 900
QUICK_LIMIT_S = 290
"""Seconds for all of it in CI, with building the Windows Python."""
LEAST_S = 60
"""Seconds that are worth beginning the tests for."""
END_S = 10
"""Seconds for a build to end after it was told to."""
POLL_S = 0.1
TEST_LIMIT_S = 120
"""Seconds after which a single test that hangs ends the run with a traceback."""
TESTS_FAILED = 1
"""Exit code of pytest where all tests ran and some failed; others tell of the run itself."""
WORKERS = 2


def main(arguments: list[str]) -> int:
    """Run all of it, or what fits into CI."""
    if "--quick" in arguments:
        return quick()
    failed = [name for name, step in STEPS.items() if step() != 0]
    if failed:
        print(f"Failed under Wine: {', '.join(failed)}", file=sys.stderr)
        return 1
    return 0


def quick() -> int:
    """What fits into CI. Only a test that fails makes it fail."""
    until = time.monotonic() + QUICK_LIMIT_S
    reason = obstacle()
    if reason:
        print(f"The tests for Windows are skipped. {reason}", flush=True)
        return 0
    left = until - time.monotonic()
    if left < LEAST_S:
        print("The tests for Windows are skipped. Building their Python took too long.", flush=True)
        return 0
    code = run_tests(QUICK_TESTS, left)
    if code is None:
        print("The tests for Windows were ended, because they took too long here.", flush=True)
    elif code not in (0, TESTS_FAILED):
        print(f"The tests for Windows could not run here: exit code {code}.", flush=True)
    return TESTS_FAILED if code == TESTS_FAILED else 0


def obstacle() -> str:
    """Why the tests for Windows cannot run here in time; empty once their Python starts."""
    if platform.system() != "Linux":
        return "Only Linux runs them under Wine."
    if not wine.is_installed() and not system_packages.can_install():
        return "Wine is not installed, and installing it needs root and apt."
    try:
        windows_python.standard_library()
    except windows_python.CannotBuild as lack:
        return str(lack)
    build = [sys.executable, str(Path(windows_python.__file__)), "--words"]
    try:
        code = run_within(build, QUICK_LIMIT_S - LEAST_S)
    except subprocess.TimeoutExpired:
        # Wine may not have been installed yet.
        with contextlib.suppress(FileNotFoundError):
            wine.end_all()
        return "Their Python could not be built in time."
    if code != 0:
        return "Their Python could not be built."
    # Wine may be too old, or may not run in a container.
    try:
        code = wine.run([windows_python.PROGRAM, "-c", "import pytest"], timeout_s=LEAST_S)
    except wine.WineTimeout as timeout:
        return str(timeout)
    if code != 0:
        return "Their Python does not start under this Wine."
    return ""


def run_within(command: Sequence[str], limit_s: float, end_s: float = END_S) -> int:
    """The exit code of a program.

    Raises TimeoutExpired when it does not end in time; what it has started is ended with it.
    """
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True)
    try:
        return process.wait(limit_s)
    except BaseException:
        _end_group(process, end_s)
        raise


def _end_group(process: subprocess.Popen[bytes], end_s: float) -> None:
    """End a program and what it has started; a package manager first gets time to stop itself."""
    if sys.platform != "win32":
        until = time.monotonic() + end_s
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
            while time.monotonic() < until:
                process.poll()
                # This signal only asks whether the group still exists.
                os.killpg(process.pid, 0)
                time.sleep(POLL_S)
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def run_tests(folders: Sequence[str], limit_s: float) -> int | None:
    """The exit code of pytest; None when it did not end in time."""
    print(f"Testing under Wine: {', '.join(folders)}", flush=True)
    command = [
        str(windows_python.PROGRAM), "-u", "-m", "pytest", "-q", "-p", "no:cacheprovider",
        # The same order each time: a failure in CI must come from the change that it tests.
        "-p", "no:randomly", "-n", str(WORKERS), "-m", "not model and not soak", "--tb=short",
        "-o", f"faulthandler_timeout={TEST_LIMIT_S}",
        *(f"--deselect={test}" for test in NOT_YET), *folders,
    ]  # fmt: skip
    try:
        with wine.display() as display:
            return wine.run(command, timeout_s=limit_s, output=sys.stdout.buffer, DISPLAY=display)
    except wine.WineTimeout as timeout:
        print(timeout, file=sys.stderr)
        return None


def test_sources() -> int:
    """Run the tests of the core and of the desktop app."""
    code = run_tests((*TESTS, *SINGLE_TESTS), LIMIT_S)
    return 1 if code is None else code


def take_pictures() -> int:
    """Take pictures of real windows."""
    print("Taking pictures of the windows", flush=True)
    return windows_pictures.main()


def test_installer() -> int:
    """Install, use and remove what `make package` has made."""
    with (setup.ROOT / "pyproject.toml").open("rb") as file:
        version = tomllib.load(file)["project"]["version"]
    installer = setup.ROOT / "dist" / f"Scrubjay-{version}-setup.exe"
    if not installer.exists():
        print("There is no installer in dist to test. `make package` makes one.", flush=True)
        return 0
    smoke = [sys.executable, str(setup.ROOT / "packaging" / "windows_smoke.py")]
    return subprocess.run([*smoke, str(installer)], check=False).returncode


STEPS = {"tests": test_sources, "pictures": take_pictures, "installer": test_installer}
"""What `make windows-test` does, in this order."""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
