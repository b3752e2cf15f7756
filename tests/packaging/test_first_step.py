"""The first step of a program in a bundle."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import first_step


@pytest.fixture
def inside(tmp_path: Path) -> Path:
    """The inner folder of a bundle that is whole."""
    (tmp_path / first_step.MODULES).write_bytes(b"modules")
    (tmp_path / "whole.so").write_bytes(b"whole")
    (tmp_path / "qt").mkdir()
    (tmp_path / "qt" / "an other.so").write_bytes(b"whole")
    sizes = f"7 {first_step.MODULES}\n5 whole.so\n5 qt/an other.so\n"
    (tmp_path / first_step.SIZES).write_text(sizes)
    return tmp_path


@pytest.mark.parametrize("left", [b"", b"whol", None], ids=["empty", "short", "gone"])
@pytest.mark.parametrize("name", [first_step.MODULES, "qt/an other.so"])
def test_a_damaged_file_is_named(inside: Path, name: str, left: bytes | None) -> None:
    assert first_step.damaged_file(str(inside)) == ""
    (inside / name).unlink()
    if left is not None:
        (inside / name).write_bytes(left)
    assert first_step.damaged_file(str(inside)) == name
    with pytest.raises(SystemExit, match=f"{name} is damaged. Install Scrubjay again"):
        first_step.main(str(inside))


def test_a_bundle_without_sizes_needs_its_modules(inside: Path) -> None:
    (inside / first_step.SIZES).unlink()
    assert first_step.damaged_file(str(inside)) == ""
    (inside / first_step.MODULES).unlink()
    assert first_step.damaged_file(str(inside)) == first_step.MODULES


def test_the_loader_is_told_where_the_modules_are(
    inside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "_pyinstaller_pyz", "in the program", raising=False)
    first_step.main(str(inside))
    assert Path(vars(sys)["_pyinstaller_pyz"]) == inside / first_step.MODULES
