from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PACKAGING = Path(__file__).resolve().parents[2] / "packaging"


def start(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(PACKAGING / "faces.py"), *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_the_bundled_program_is_the_command_line_by_default() -> None:
    done = start("--help")
    assert done.returncode == 0
    assert "search" in done.stdout


@pytest.mark.model
def test_the_bundled_program_serves_as_the_child_until_its_input_closes() -> None:
    done = start("--llama-worker")
    assert (done.returncode, done.stdout) == (0, "")


def test_the_recipe_is_valid_python() -> None:
    recipe = PACKAGING / "scrubjay.spec"
    compile(recipe.read_text(), str(recipe), "exec")
