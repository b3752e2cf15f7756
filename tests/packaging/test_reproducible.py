"""Comparing two builds."""

from __future__ import annotations

from pathlib import Path

import pytest

import reproducible


@pytest.fixture
def builds(tmp_path: Path) -> tuple[Path, Path]:
    """Two that are the same."""
    for name in ("first", "second"):
        folder = tmp_path / name
        (folder / "lib").mkdir(parents=True)
        (folder / "lib/code").write_text("same")
        (folder / "link").symlink_to("lib/code")
    return tmp_path / "first", tmp_path / "second"


def test_equal_builds_are_equal(builds: tuple[Path, Path]) -> None:
    assert list(reproducible.differences(*builds)) == []
    assert reproducible.main([str(one) for one in builds]) == 0


def test_whatever_differs_is_named(builds: tuple[Path, Path]) -> None:
    first, second = builds
    (second / "lib/code").write_text("other")
    (second / "link").unlink()
    (second / "link").symlink_to("lib")
    (second / "new").touch()
    assert sorted(reproducible.differences(first, second)) == ["lib/code", "link", "new"]
    assert reproducible.main([str(first), str(second)]) == 1


def test_rights_count_too(builds: tuple[Path, Path]) -> None:
    first, second = builds
    (second / "lib/code").chmod(0o755)
    assert list(reproducible.differences(first, second)) == ["lib/code"]
