from __future__ import annotations

import os
import subprocess
import sys
import zipfile
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


@pytest.mark.parametrize("switch", ["--document-worker", "--export-worker", "--reading-worker"])
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


@pytest.mark.parametrize("name", ["_PYI_ARCHIVE_FILE", "_PYI_LINUX_PROCESS_NAME", "_MEIPASS2"])
def test_programs_that_the_app_opens_are_not_told_of_its_bundle(name: str) -> None:
    environ = {name: "/bundle/scrubjay"}
    launcher.restore_environment(environ)
    assert environ == {}


LATER = """
import os, sys
archive = sys.argv[1]
sys.path.insert(0, archive)
import early, launcher
launcher.keep_program_open()
if sys.argv[2] == "replaced":
    os.replace(archive + ".new", archive)
else:
    os.rename(archive, archive + ".moved")
import late
print(late.VALUE)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
@pytest.mark.parametrize("fate", ["replaced", "moved"])
def test_modules_come_from_the_program_as_it_was_when_it_started(tmp_path: Path, fate: str) -> None:
    for name, before in (("modules.zip", ""), ("modules.zip.new", "# longer\n" * 100)):
        with zipfile.ZipFile(tmp_path / name, "w") as archive:
            archive.writestr("early.py", before)
            archive.writestr("late.py", f"VALUE = {name!r}\n")
    done = subprocess.run(
        [sys.executable, "-c", LATER, str(tmp_path / "modules.zip"), fate],
        env={**os.environ, "PYTHONPATH": str(PACKAGING)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("modules.zip\n", "")


def test_a_checkout_leaves_the_environment_alone() -> None:
    environ = {"LD_LIBRARY_PATH": "/opt/x"}
    launcher.restore_environment(environ)
    assert environ == {"LD_LIBRARY_PATH": "/opt/x"}


def test_the_recipe_is_valid_python() -> None:
    recipe = PACKAGING / "scrubjay.spec"
    assert "Analysis" in compile(recipe.read_text(), str(recipe), "exec").co_names
