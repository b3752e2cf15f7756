"""Who may import whom."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LINT_IMPORTS = Path(sys.executable).with_name("lint-imports")


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    """Check the contracts of pyproject.toml on the packages in folder."""
    return subprocess.run(
        [LINT_IMPORTS, "--no-cache", "--config", str(folder / "pyproject.toml")],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": f"{folder / 'core'}{os.pathsep}{folder / 'desktop'}"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The sources, to be spoiled."""
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for package in ("core", "desktop"):
        shutil.copytree(
            ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__")
        )
    return tmp_path


def broken(ran: subprocess.CompletedProcess[str]) -> list[str]:
    """Names of the contracts that do not hold."""
    return re.findall(r"^(.+?) BROKEN", ran.stdout, re.MULTILINE)


def test_all_contracts_hold() -> None:
    ran = lint(ROOT)
    assert ran.returncode == 0, ran.stdout
    assert "0 broken" in ran.stdout


@pytest.mark.parametrize(
    ("file", "line", "contract"),
    [
        ("core/scrubjay/notes/note_reader.py", "import PySide6.QtCore", "core never imports Qt"),
        ("core/scrubjay/notes/chunker.py", "from PySide6 import QtCore", "core never imports Qt"),
        (
            "core/scrubjay/concurrency/cancel.py",
            "import scrubjay_desktop.widgets.theme",
            "core never imports Qt",
        ),
        ("core/scrubjay/errors.py", "import scrubjay.engine.engine", "core layers"),
        (
            "core/scrubjay/store/reader.py",
            "import scrubjay.search.query.query_parser",
            "core layers",
        ),
        (
            "desktop/scrubjay_desktop/widgets/theme.py",
            "import scrubjay.store.reader",
            "only public modules",
        ),
    ],
)
def test_a_forbidden_import_breaks_its_contract(
    copy: Path, file: str, line: str, contract: str
) -> None:
    spoiled = copy / file
    spoiled.write_text(f"{spoiled.read_text()}\n{line}\n")
    ran = lint(copy)
    assert ran.returncode != 0
    assert any(contract in name for name in broken(ran)), ran.stdout
