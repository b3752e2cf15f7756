"""The command line: a thin face of the engine."""

from __future__ import annotations

import os
import sys
import traceback

EXIT_FAILED = 1
EXIT_BUG = 70
"""EX_SOFTWARE of sysexits.h."""
EXIT_INTERRUPTED = 130


def main() -> None:
    """Entry point of `scrubjay`: one sentence for what is expected, a report for a bug."""
    # Late, so that Ctrl-C during the imports is handled too.
    try:
        from scrubjay.cli.commands import app

        app(standalone_mode=False)
    except KeyboardInterrupt:
        print("\nStopped. What was indexed is kept.", file=sys.stderr)
        sys.exit(EXIT_INTERRUPTED)
    except BrokenPipeError:
        # The reader of our output has gone; there is nobody to tell.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(EXIT_FAILED)
    except Exception as error:  # the last border of the program
        sys.exit(_explained(error))


def _explained(error: Exception) -> int:
    import click

    from scrubjay.errors import Cancelled, ScrubjayError

    if isinstance(error, click.exceptions.Exit):
        return error.exit_code
    if isinstance(error, click.ClickException):
        error.show()
        return error.exit_code
    if isinstance(error, ScrubjayError):
        print(f"scrubjay: {error}", file=sys.stderr)
        return EXIT_FAILED
    if isinstance(error, click.Abort | Cancelled):
        print("Stopped. What was indexed is kept.", file=sys.stderr)
        return EXIT_INTERRUPTED
    traceback.print_exception(error)
    print("scrubjay: this is a bug. Please report it with the lines above.", file=sys.stderr)
    return EXIT_BUG
