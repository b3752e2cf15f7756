"""The entry into the sandbox, for a process that gives up all rights that it does not need."""

from __future__ import annotations

import sys

from scrubjay.messages import Sentence, msg


def enter_sandbox(*, with_threads: bool) -> tuple[list[str], list[Sentence]]:
    """Names of what the system enforces from now on, and sentences about what it does not.

    For good, and for all that this process does later: it may read the program's own files and
    what it has open, nothing else. Never raises; call it before a second thread starts. Of threads
    that start later, only Linux refuses those that are not allowed.
    """
    match sys.platform:
        case "linux":
            from scrubjay.platform.sandbox.linux import enter as enter_on_linux

            return enter_on_linux(with_threads=with_threads)
        case "darwin":
            from scrubjay.platform.sandbox.macos import enter
        case "win32":
            from scrubjay.platform.sandbox.windows import enter
        case _:
            return [], [msg("Scrubjay has no sandbox for this operating system.")]
    return enter()
