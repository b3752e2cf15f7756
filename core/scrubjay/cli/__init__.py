"""The command line: a thin face of the engine."""

from __future__ import annotations

import gc
import io
import os
import sys
import traceback

EXIT_FAILED = 1
EXIT_BUG = 70
"""EX_SOFTWARE of sysexits.h."""
EXIT_INTERRUPTED = 130

_OBJECTS_BEFORE_LOOKING_FOR_WASTE = 50_000
"""700 is Python's own; a server that runs for days still tidies up, in larger portions."""


def main() -> None:
    """Entry point of `scrubjay`: one sentence for what is expected, a report for a bug."""
    # Late, so that Ctrl-C during the imports is handled too.
    try:
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                # Notes hold letters that not every terminal can show.
                stream.reconfigure(errors="backslashreplace")
        code = _run()
        sys.stdout.flush()
    except KeyboardInterrupt:
        code = EXIT_INTERRUPTED
    except BrokenPipeError:
        # The reader of our output has gone; there is nobody to tell.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = EXIT_FAILED
    except Exception as error:  # the last border of the program
        code = _explained(error)
    if code == EXIT_INTERRUPTED:
        print("\nStopped. What was indexed is kept.", file=sys.stderr)
    # Whatever is left goes with the process; the end need not look through it once more.
    gc.freeze()
    sys.exit(code)


def _run() -> int:
    # One command asks for one small product of vectors: starting threads for it costs more.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # It would read about every installed package, and nothing here has plug-ins for it.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "1")
    # Modules stay, and looking for waste among them was a fifth of a short command's time.
    gc.set_threshold(_OBJECTS_BEFORE_LOOKING_FOR_WASTE)
    from scrubjay.cli.app import app

    try:
        # It explains wrong usage itself, and ends with 130 after Ctrl-C.
        app(prog_name="scrubjay")
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 0
    return 0


def _explained(error: Exception) -> int:
    from scrubjay.errors import Cancelled, ScrubjayError
    from scrubjay.platform.crash_reports import CrashReports, report_text
    from scrubjay.platform.paths import Paths

    if isinstance(error, Cancelled):
        return EXIT_INTERRUPTED
    if isinstance(error, ScrubjayError):
        print(f"scrubjay: {error}", file=sys.stderr)
        return EXIT_FAILED
    traceback.print_exception(error)
    print("scrubjay: this is a bug. Please report it with the lines above.", file=sys.stderr)
    if file := CrashReports(Paths.of_user()).write(report_text(error)):
        print(f"scrubjay: they are also in {file}, and nowhere else.", file=sys.stderr)
    return EXIT_BUG
