"""The local-only switch against every provider, with a trap on every socket of the process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from support.vault import TIMEOUT

SUPPORT = Path(__file__).parents[2] / "support"
HOSTS = {
    "api.openai.com",
    "generativelanguage.googleapis.com",
    "api.voyageai.com",
    "api.mistral.ai",
    "ollama.elsewhere.invalid",
}
KEYS = {f"{name}_API_KEY": "key" for name in ("OPENAI", "GEMINI", "VOYAGE", "MISTRAL")}


def session(tmp_path: Path, notes: Path, is_local_only: str) -> tuple[list[Any], set[str]]:
    """What each provider's session said, and the hosts that were tried."""
    noted = tmp_path / "noted"
    noted.touch()
    search = [str(SUPPORT / "socket_trap"), *filter(None, sys.path)]
    environment = {
        name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")
    }
    done = subprocess.run(
        [sys.executable, str(SUPPORT / "remote_session.py"), tmp_path, notes, is_local_only],
        env=environment
        | KEYS
        | {
            "PYTHONPATH": os.pathsep.join(search),
            "SOCKET_TRAP": str(noted),
            "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring",
        },
        capture_output=True,
        text=True,
        timeout=4 * TIMEOUT,
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()], set(noted.read_text().split())


@pytest.mark.parametrize("is_local_only", ["yes", "no"])
def test_nothing_leaves_this_computer_unless_it_may(
    tmp_path: Path, notes: Path, is_local_only: str
) -> None:
    said, tried = session(tmp_path, notes, is_local_only)
    # Without the switch the trap catches every provider: so it would with it.
    assert tried == (set() if is_local_only == "yes" else HOSTS)
    for one in said:
        assert one["embedded"] == 0
        assert "garden.md" in " ".join(one["found"])
        assert ("“Never use services on the internet” is on" in one["reason"]) is (
            is_local_only == "yes"
        )
