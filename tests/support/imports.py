"""What a run of the program imports."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping

from support.vault import TIMEOUT

_PROGRAM = """
import atexit, gc, json, sys
def tell():
    full = gc.get_stats()[-1]["collections"]
    print(json.dumps([sorted(sys.modules), full]), file=sys.stderr)
atexit.register(tell)
from scrubjay.cli import main
sys.argv = ["scrubjay", *sys.argv[1:]]
main()
"""


def imported(
    *arguments: str, typed: str = "", environ: Mapping[str, str] | None = None
) -> tuple[set[str], int]:
    """Modules that one run imported, and how often it looked through everything for waste."""
    ran = subprocess.run(
        [sys.executable, "-c", _PROGRAM, *arguments],
        input=typed,
        env=environ,
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=True,
    )
    modules, full_collections = json.loads(ran.stderr.splitlines()[-1])
    return set(modules), full_collections
