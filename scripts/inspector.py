"""Downloads the official MCP inspector from npm, for one test: `inspector.py`.

Without npm, the test is skipped and says why.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from stamps import Stamp

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / ".tools" / "inspector"
PACKAGE = "@modelcontextprotocol/inspector-cli@0.15.0"
"""Its latest sibling needs a newer Node than most systems have."""

_LONGEST_S = 180


def program() -> Path | None:
    """The inspector, when it was fetched."""
    name = "mcp-inspector-cli.cmd" if os.name == "nt" else "mcp-inspector-cli"
    found = FOLDER / "node_modules" / ".bin" / name
    return found if found.exists() else None


def ensure() -> bool:
    """Fetch it once; False when that is not possible here, which stops nothing."""
    stamp = Stamp(FOLDER / ".stamp", (PACKAGE,))
    if stamp.is_current:
        return True
    npm = shutil.which("npm")
    if npm is None:
        return False
    FOLDER.mkdir(parents=True, exist_ok=True)
    quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    command = [npm, "install", "--prefix", str(FOLDER), *quiet, PACKAGE]
    try:
        subprocess.run(
            command, check=True, capture_output=True, stdin=subprocess.DEVNULL, timeout=_LONGEST_S
        )
    except (OSError, subprocess.SubprocessError):
        return False
    stamp.write()
    return True


if __name__ == "__main__":
    sys.exit(not ensure())
