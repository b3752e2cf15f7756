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
    "tests/core/agents/access",
    "tests/core/agents/connect",
    "tests/core/agents/dreaming",
    "tests/core/agents/recall",
    "tests/core/answers",
    "tests/core/attacks/test_current_folder.py",
    "tests/core/cli/test_arguments.py",
    "tests/core/concurrency",
    "tests/core/config",
    "tests/core/documents/test_formats.py",
    "tests/core/documents/test_media_types.py",
    "tests/core/documents/test_sandbox_status.py",
    "tests/core/embedding/local/test_model_families.py",
    "tests/core/embedding/local/test_pipe_protocol.py",
    "tests/core/embedding/remote",
    "tests/core/embedding/selection",
    "tests/core/embedding/test_calibration.py",
    "tests/core/embedding/test_prompts.py",
    "tests/core/embedding/test_similarity.py",
    "tests/core/engine",
    "tests/core/evaluation",
    "tests/core/health",
    "tests/core/index",
    "tests/core/mcp_server/test_arguments.py",
    "tests/core/mcp_server/test_folder_descriptions.py",
    "tests/core/mcp_server/test_quoted_notes.py",
    "tests/core/mcp_server/test_rest.py",
    "tests/core/mcp_server/test_tools.py",
    "tests/core/mcp_server/test_writing.py",
    "tests/core/models",
    "tests/core/notes",
    "tests/core/note_import/test_safe_names.py",
    "tests/core/onboarding",
    "tests/core/platform",
    "tests/core/qmd",
    "tests/core/records",
    "tests/core/store",
    "tests/core/test_errors.py",
    "tests/core/test_events.py",
    "tests/core/test_messages.py",
    "tests/core/updates",
    "tests/core/workspaces",
    "tests/desktop/agents",
    "tests/desktop/app",
    "tests/desktop/bridge",
    "tests/desktop/health",
    "tests/desktop/models",
    "tests/desktop/platform",
    "tests/desktop/preview/test_find_bar.py",
    "tests/desktop/preview/test_media_view.py",
    "tests/desktop/preview/test_note_navigation.py",
    "tests/desktop/preview/test_note_pictures.py",
    "tests/desktop/preview/test_note_printing.py",
    "tests/desktop/preview/test_open_external.py",
    "tests/desktop/preview/test_page_canvas.py",
    "tests/desktop/preview/test_plain_texts.py",
    "tests/desktop/preview/test_preview.py",
    "tests/desktop/preview/test_related_pane.py",
    "tests/desktop/preview/test_text_layer.py",
    "tests/desktop/results",
    "tests/desktop/search/test_filter_chips.py",
    "tests/desktop/search/test_last_searches.py",
    "tests/desktop/search/test_pinned_searches.py",
    "tests/desktop/search/test_query_operators.py",
    "tests/desktop/search/test_second_look.py",
    "tests/desktop/settings",
    "tests/desktop/test_mnemonics.py",
    "tests/desktop/test_narrow.py",
    "tests/desktop/test_native_parts.py",
    "tests/desktop/test_true_sentences.py",
    "tests/desktop/text",
    "tests/desktop/timeline",
    "tests/desktop/widgets",
    "tests/desktop/windows",
    "tests/desktop/workspaces",
)
"""Folders and files whose tests take at most some minutes together under Wine."""
LEFT_OUT = (
    # What they test is the same on all systems, and there is much of it.
    "tests/core/embedding/remote/test_failures.py",
    "tests/core/engine/test_many_renames.py",
    "tests/core/engine/test_multimodal.py",
    "tests/core/engine/test_relations.py",
    "tests/core/engine/test_remote_search.py",
    "tests/core/engine/test_session_memory.py",
    "tests/core/engine/test_turns.py",
    "tests/core/index/test_batch_api_backfill.py",
    "tests/core/notes/test_note_pages.py",
    "tests/core/platform/test_licences.py",
    "tests/core/store/test_file_length.py",
    "tests/core/updates/test_hostile_lists.py",
    "tests/desktop/models/test_models_dialog.py",
    "tests/desktop/text/test_language.py",
    # Each test starts a program, which takes seconds under Wine.
    "tests/core/agents/connect/test_odd_settings.py",
    "tests/core/agents/connect/test_whole_connections.py",
    "tests/core/agents/recall/test_recall.py",
    "tests/core/answers/test_result_reader.py",
    "tests/core/engine/test_documents.py",
    "tests/core/engine/test_local_only.py",
    "tests/core/engine/test_pictures.py",
    "tests/core/engine/test_result_readers.py",
    "tests/core/store/lancedb",
    "tests/desktop/app/test_application.py",
    "tests/desktop/models/test_result_readers.py",
    "tests/desktop/workspaces/test_note_import.py",
)
"""Parts of these folders that do not run. docs/platforms.md says why, also of other folders."""
SLOW_TESTS = (
    "tests/core/engine/test_broken_index.py::test_a_pass_that_was_killed_goes_on_where_it_stopped",
    "tests/core/engine/test_broken_index.py::test_an_index_that_cannot_be_opened_stays_closed",
    "tests/core/engine/test_engine_auto_index.py::test_where_nobody_watches_changes_are_looked_for_at_intervals",
    "tests/core/engine/test_settings_reload.py::test_a_folder_that_is_turned_off_or_on_is_announced",
    "tests/core/index/test_indexer.py::test_the_file_does_not_grow_over_twenty_rebuilds",
    "tests/core/models/library/test_model_library.py::test_a_download_that_failed_goes_on_by_itself_unless_a_person_stopped_it",
    "tests/core/store/test_migration.py::test_killing_it_at_any_moment_loses_nothing",
    "tests/core/store/test_reader.py::test_the_last_changes_have_the_order_of_their_recency",
    "tests/desktop/agents/test_agents_page.py::test_a_permission_without_effect_for_a_name_that_is_only_sent_says_so",
    "tests/desktop/agents/test_agents_page.py::test_a_proposal_goes_into_memory_and_back",
    "tests/desktop/agents/test_agents_page.py::test_an_agent_is_connected_after_a_look_at_the_change_and_back",
    "tests/desktop/agents/test_agents_page.py::test_an_agent_that_came_by_itself_has_a_card_under_its_own_name",
    "tests/desktop/health/test_health_page.py::test_a_link_that_is_an_example_is_left_with_a_click_and_comes_back_with_another",
    "tests/desktop/health/test_health_page.py::test_a_password_cannot_be_left",
    "tests/desktop/health/test_health_page.py::test_health_and_the_status_line_tell_of_a_folder_at_the_same_moment",
    "tests/desktop/health/test_help_dialogs.py::test_the_names_of_works_need_no_scroll_bar",
    "tests/desktop/search/test_pinned_searches.py::test_a_folder_that_is_gone_is_searched_no_more",
    "tests/desktop/settings/test_settings_page.py::test_a_file_edited_by_hand_is_shown_at_once",
    "tests/desktop/windows/test_main_window.py::test_a_dropped_export_is_brought_over_and_taken_back",
    "tests/desktop/windows/test_main_window.py::test_a_row_dropped_on_its_own_window_adds_no_folder",
    "tests/desktop/windows/test_main_window.py::test_an_index_that_changes_before_the_first_answer_chooses_no_guess",
    "tests/desktop/windows/test_main_window.py::test_too_many_notes_are_not_opened_at_once",
    "tests/desktop/workspaces/test_folder_actions.py::test_a_folder_around_another_one_is_said_to_have_its_own_notes",
    "tests/desktop/workspaces/test_folder_actions.py::test_a_folder_that_was_just_added_can_be_read_without_some_of_it",
    "tests/desktop/workspaces/test_folder_actions.py::test_pictures_are_read_by_a_tick_that_says_how_many",
    "tests/desktop/workspaces/test_skipped_files.py::test_the_line_below_the_folders_lists_what_is_not_searched_in_all_of_them",
    "tests/desktop/workspaces/test_workspaces_page.py::test_the_card_says_which_notes_are_read",
)
"""Tests of these folders that take from eight seconds to a minute under Wine, and do not run."""
SINGLE_TESTS = (
    "tests/core/cli/test_running_app.py::"
    "test_a_command_goes_on_alone_where_the_app_was_killed_amid_it",
    "tests/core/cli/test_running_app.py::test_a_command_that_the_app_answers_loads_next_to_nothing",
    "tests/core/cli/test_running_app.py::"
    "test_programs_that_connect_and_send_nothing_hold_nobody_up",
)
"""Tests of other folders, whose programs start slowly under Wine."""
QUICK_TESTS = ("tests/core/config", "tests/core/records", "tests/core/text")
LIMIT_S = 1200
"""Seconds for the tests on a busy computer; on a quiet one they take half of it."""
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
KNOWN_WINE = "8"
"""Version of Wine whose faults the tests name with `wine_fault`."""
WORKERS = 5
FONTS = Path("/usr/share/fonts/truetype/dejavu")
"""Fonts for windows without a screen, as Wine has none."""


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
        print("The tests for Windows did not finish.", flush=True)
    elif code not in (0, TESTS_FAILED):
        print(f"The tests for Windows could not run here: exit code {code}.", flush=True)
    if code != TESTS_FAILED:
        return 0
    version = wine.version()
    if version.partition(".")[0] != KNOWN_WINE:
        print(
            f"These failures do not count, because the tests know only the bugs of Wine "
            f"{KNOWN_WINE}, and this is Wine {version}.",
            flush=True,
        )
        return 0
    return TESTS_FAILED


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
    """The exit code of pytest; None when it did not end in time, or could not be started."""
    print(f"Testing under Wine: {', '.join(folders)}", flush=True)
    command = [
        str(windows_python.PROGRAM), "-u", "-m", "pytest", "-q", "-p", "no:cacheprovider",
        # The same order each time: a failure in CI must come from the change that it tests.
        "-p", "no:randomly", "-m", "not model and not soak", "--tb=short",
        # A worker that ends with a test that hangs ends the run: with another one it would hang.
        "-n", str(WORKERS), "--max-worker-restart=0", "-o", f"faulthandler_timeout={TEST_LIMIT_S}",
        *(f"--ignore={place}" for place in LEFT_OUT),
        *(f"--deselect={test}" for test in SLOW_TESTS), *folders,
    ]  # fmt: skip
    try:
        with wine.display() as display:
            # Wine passes on no variable that begins with QT_, but this one without its first part.
            return wine.run(
                command,
                timeout_s=limit_s,
                output=sys.stdout.buffer,
                DISPLAY=display,
                WINEQT_QPA_FONTDIR=wine.windows_path(FONTS),
            )
    except (wine.WineTimeout, OSError) as failure:
        print(failure, file=sys.stderr)
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
