from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import launcher

PACKAGING = Path(__file__).resolve().parents[2] / "packaging"


def start(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(PACKAGING / "launcher.py"), *arguments],
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


@pytest.mark.parametrize("switch", ["--document-worker", "--export-worker"])
def test_the_bundled_program_reads_files_until_its_input_closes(switch: str) -> None:
    done = start(switch)
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.parametrize(
    ("changed", "former"),
    [
        ({"LD_LIBRARY_PATH": "/bundle", "LD_LIBRARY_PATH_ORIG": "/opt/x"}, "/opt/x"),
        ({"LD_LIBRARY_PATH": "/bundle"}, None),
        ({}, None),
    ],
)
def test_programs_that_the_app_opens_find_the_libraries_of_the_system(
    monkeypatch: pytest.MonkeyPatch, changed: dict[str, str], former: str | None
) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    launcher.restore_environment(changed)
    assert changed.get("LD_LIBRARY_PATH") == former
    assert "LD_LIBRARY_PATH_ORIG" not in changed
    assert changed["PYINSTALLER_RESET_ENVIRONMENT"] == "1"


def test_a_checkout_leaves_the_environment_alone() -> None:
    environ = {"LD_LIBRARY_PATH": "/opt/x"}
    launcher.restore_environment(environ)
    assert environ == {"LD_LIBRARY_PATH": "/opt/x"}


def test_the_recipe_is_valid_python() -> None:
    recipe = PACKAGING / "scrubjay.spec"
    compile(recipe.read_text(), str(recipe), "exec")
