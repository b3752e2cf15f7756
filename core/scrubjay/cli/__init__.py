"""The command line: commands over the engine."""

from __future__ import annotations

import gc
import os
import sys

# A file of that name in the current folder must not be imported before it is excluded.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO

EXIT_FAILED = 1
EXIT_BUG = 70
"""EX_SOFTWARE of sysexits.h."""
EXIT_INTERRUPTED = 130

_GC_THRESHOLD = 200_000
"""Objects before a collection: more than a short command makes; Python's default is 700."""


def main() -> None:
    """Run `scrubjay`: an expected failure is one sentence, a bug is a report."""
    _open_missing_streams()
    before = sys.stdout, sys.stderr
    # Imported late, so that Ctrl-C during the imports is handled too.
    try:
        from scrubjay.platform.streams import use_utf8

        use_utf8()
        code = _run()
        sys.stdout.flush()
    except KeyboardInterrupt:
        code = EXIT_INTERRUPTED
    except BrokenPipeError:
        # The reader of our output has gone, and with it the place for messages.
        _drop_output(sys.stdout)
        code = EXIT_FAILED
    except Exception as error:  # the last border of the program
        code = _explained_if_possible(error)
    if code == EXIT_INTERRUPTED:
        print("\nStopped. The notes indexed so far are kept.", file=sys.stderr)  # noqa: T201
    sys.stdout, sys.stderr = before
    # Skip the collection at exit: the process returns all memory at once.
    gc.freeze()
    sys.exit(code)


def _open_missing_streams() -> None:
    """Give a process without a console, or with closed outputs, streams that go nowhere."""
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115


def _drop_output(stream: TextIO) -> None:
    """Let what is still buffered go nowhere, since Python writes it out at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _explained_if_possible(error: Exception) -> int:
    """The exit code of an error, also where not even messages can be written."""
    try:
        return _explained(error)
    except OSError:
        _drop_output(sys.stderr)
        return EXIT_FAILED


def _run() -> int:
    from scrubjay.platform.current_folder import exclude_current_folder

    exclude_current_folder()
    from scrubjay.cli.harmless_output import make_output_harmless

    make_output_harmless()
    # One command asks for one small product of vectors: starting threads for it costs more.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Looking for plug-ins reads the metadata of every installed package; none is used here.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "1")
    # Collecting among imported modules took a fifth of a short command.
    gc.set_threshold(_GC_THRESHOLD)
    from scrubjay.cli.command_list import run_command

    return run_command(sys.argv[1:])


def _explained(error: Exception) -> int:
    import traceback

    from scrubjay.cli.harmless_output import is_reader_gone, output_failure, print_line
    from scrubjay.errors import Cancelled, ScrubjayError, system_reason
    from scrubjay.platform.crash_reports import CrashReports, is_program_gone, report_text
    from scrubjay.platform.paths import Paths

    # Errors that are expected need no report.
    if isinstance(error, Cancelled):
        return EXIT_INTERRUPTED
    if isinstance(error, ScrubjayError):
        print_line(f"scrubjay: {error}", to_errors=True)
        return EXIT_FAILED
    if isinstance(error, OSError) and error is output_failure():
        _drop_output(sys.stdout)
        # There is nobody to be told.
        if is_reader_gone(error):
            return EXIT_FAILED
        reason = system_reason(error)
        print_line(f"scrubjay: The output could not be written ({reason}).", to_errors=True)
        return EXIT_FAILED
    if is_program_gone():
        sentence = "Scrubjay was moved or removed while it was running. Start Scrubjay again."
        print_line(f"scrubjay: {sentence}", to_errors=True)
        return EXIT_FAILED
    # Indented, since its last lines may be what a stranger wrote.
    for line in "".join(traceback.format_exception(error)).splitlines():
        print_line(f"  {line}", to_errors=True)
    print_line("scrubjay: this is a bug. Please report it with the lines above.", to_errors=True)
    file = CrashReports(Paths.of_user()).write(report_text(error))
    if file:
        print_line(
            f"scrubjay: the same lines are in {file}. They were not sent anywhere.", to_errors=True
        )
    return EXIT_BUG
