"""Comparing two builds, and making packages that can be compared."""

from __future__ import annotations

import os
import shutil
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

import deb
import portable
import reproducible
import versions


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
    assert reproducible.main([str(build) for build in builds]) == 0


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


# -- packages --------------------------------------------------------------------------------


def bundle_made_at(folder: Path, moment: int, mask: int) -> Path:
    """A small bundle, as a machine with another clock and other habits leaves it."""
    former = os.umask(mask)
    try:
        (folder / "_internal/zoo").mkdir(parents=True)
        names = ["_internal/zoo/b", "_internal/zoo/a", "NOTICE", "LICENSE"]
        for name in names if moment % 2 else reversed(names):
            (folder / name).write_text(f"what is in {name}")
        shutil.copy("/bin/true", folder / "scrubjay")
        (folder / "scrubjay-desktop").symlink_to("scrubjay")
        for place in folder.rglob("*"):
            os.utime(place, (moment, moment), follow_symlinks=False)
    finally:
        os.umask(former)
    return folder


@pytest.fixture
def at_one_time(monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1795000000")
    return versions.source_date()


@pytest.mark.skipif(shutil.which("dpkg-shlibdeps") is None, reason="not a Debian with dpkg-dev")
@pytest.mark.parametrize("build", [deb.build, portable.build], ids=["deb", "tar.gz"])
def test_a_package_is_the_same_to_the_byte_whenever_it_is_made(
    tmp_path: Path, qapp, at_one_time: int, build: Callable[[Path, Path], Path]
) -> None:
    archives = []
    for number, (moment, mask) in enumerate([(1_700_000_001, 0o022), (1_800_000_002, 0o077)]):
        target = tmp_path / f"dist{number}"
        target.mkdir()
        archives.append(build(bundle_made_at(tmp_path / f"bundle{number}", moment, mask), target))
    first, second = archives
    assert first.name == second.name
    assert first.read_bytes() == second.read_bytes()
    assert reproducible.main([str(file.parent) for file in archives]) == 0


def test_the_archive_belongs_to_nobody_and_has_the_time_of_the_source(
    tmp_path: Path, qapp, at_one_time: int
) -> None:
    file = portable.build(bundle_made_at(tmp_path / "bundle", 1, 0o077), tmp_path)
    with tarfile.open(file) as archive:
        entries = archive.getmembers()
    assert {(entry.uid, entry.gid, entry.mtime) for entry in entries} == {(0, 0, at_one_time)}
    names = [entry.name for entry in entries if "/_internal/" in entry.name]
    assert names == sorted(names)
