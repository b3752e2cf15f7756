"""Advisories of locked packages, from a dump that the tests write."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

import advisories
from advisories import Affected, Event, Range, concerns

LOCK = """\
jay-feathers==2.5.0 ; sys_platform == 'linux' \\
    --hash=sha256:00
# jay-feathers==9.9
acorn==1.0 ; python_full_version < '3.12' \\
    --hash=sha256:00
acorn==2.0 ; python_full_version >= '3.12' \\
    --hash=sha256:00
"""
OF_NPM = {"ecosystem": "npm", "name": "jay-feathers"}
TEAM = "oak==0.9.1 \\\n    --hash=sha256:00\njay-feathers==2.5.0 \\\n    --hash=sha256:00\n"


def record(name: str, package: str = "Jay_Feathers", **more: Any) -> dict[str, Any]:
    ranges = [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "2.6"}]}]
    affected = {"package": {"ecosystem": "PyPI", "name": package}, "ranges": ranges}
    return {"id": name, "summary": f"About {name}", "affected": [affected], **more}


@pytest.fixture
def locks(tmp_path: Path) -> list[Path]:
    first, team = tmp_path / "requirements.lock", tmp_path / "requirements-team.lock"
    first.write_text(LOCK)
    team.write_text(TEAM)
    return [first, team]


def dumped(folder: Path, *records: dict[str, Any]) -> Path:
    folder.mkdir()
    for each in records:
        (folder / f"{each['id']}.json").write_text(json.dumps(each))
    return folder


def test_a_hit_is_named_with_its_package_file_and_fix(
    tmp_path: Path, locks: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    dump = dumped(tmp_path / "dump", record("GHSA-1"), record("GHSA-2", package="another"))
    assert advisories.main([str(dump)], locks) == 1
    assert capsys.readouterr().out.splitlines() == [
        "jay-feathers 2.5.0 (requirements-team.lock, requirements.lock): GHSA-1; About GHSA-1; "
        "fixed in 2.6",
        "Advisories found for the 4 locked versions: 1.",
    ]


def test_each_version_of_a_package_is_compared(
    tmp_path: Path, locks: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    affected = [{"package": {"ecosystem": "PyPI", "name": "acorn"}, "versions": ["2.0"]}]
    assert (
        advisories.main([str(dumped(tmp_path / "dump", record("A", affected=affected)))], locks)
        == 1
    )
    first, _ = capsys.readouterr().out.splitlines()
    assert first.startswith("acorn 2.0 (requirements.lock): A")


def test_a_zip_says_the_same(
    tmp_path: Path, locks: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    dump = tmp_path / "all.zip"
    with zipfile.ZipFile(dump, "w") as archive:
        archive.writestr("GHSA-1.json", json.dumps(record("GHSA-1")))
        archive.writestr("README", "not a record")
    assert advisories.main([str(dump)], locks[:1]) == 1
    assert "GHSA-1" in capsys.readouterr().out


@pytest.mark.parametrize(
    "harmless",
    [
        record("A", withdrawn="2026-01-01T00:00:00Z"),
        record("A", affected=[]),
        record("A", affected=None),
        record("A", affected=[{"ranges": None, "versions": ["2.5.0"]}]),
        record("A", package="jay"),
        record("A", affected=[{"package": OF_NPM, "versions": ["2.5.0"]}]),
    ],
)  # fmt: skip
def test_what_concerns_nothing_that_is_locked_is_silent(
    tmp_path: Path, locks: list[Path], harmless: dict[str, Any]
) -> None:
    assert advisories.main([str(dumped(tmp_path / "dump", harmless))], locks) == 0


def test_one_advisory_under_several_names_counts_once(
    tmp_path: Path, locks: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    dump = dumped(
        tmp_path / "dump",
        record("GHSA-1", aliases=["CVE-1"]),
        record("PYSEC-1", aliases=["CVE-2"]),
        record("OTHER-1", aliases=["CVE-1", "CVE-2"]),
        record("GHSA-9", aliases=["CVE-9"]),
    )
    assert advisories.main([str(dump)], locks[:1]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3
    assert "CVE-1, CVE-2, GHSA-1, OTHER-1, PYSEC-1" in lines[0]
    assert "CVE-9, GHSA-9" in lines[1]


def within(*events: dict[str, str], kind: str = "ECOSYSTEM") -> Affected:
    return Affected(ranges=(Range(kind, tuple(Event(**each) for each in events)),))


TWICE = within({"introduced": "1"}, {"fixed": "2"}, {"introduced": "3"}, {"fixed": "4"})


@pytest.mark.parametrize(
    ("affected", "version", "expected"),
    [
        (within({"introduced": "0"}, {"fixed": "2"}), "1.9", True),
        (within({"introduced": "0"}, {"fixed": "2"}), "2.0.0", False),
        (within({"introduced": "0"}, {"fixed": "2"}), "2rc1", True),
        (within({"introduced": "0"}), "99", True),
        (within({"introduced": "0"}), "0.dev0", True),
        (within({"introduced": "1.10"}), "1.9", False),
        (within({"introduced": "1"}, {"last_affected": "1.5"}), "1.5.0", True),
        (within({"introduced": "1"}, {"last_affected": "1.5"}), "1.5.post1", False),
        (within({"fixed": "2"}, {"introduced": "1"}), "1.5", True),
        (TWICE, "2.5", False),
        (TWICE, "3", True),
        (within({"introduced": "0"}, {"limit": "2"}), "2.1", False),
        (within({"introduced": "0"}, {"limit": "*"}), "2.1", True),
        (within({"introduced": "1!0"}), "9999", False),
        (within({"introduced": "0"}, kind="GIT"), "1", False),
        (within({"introduced": "0"}, kind="SEMVER"), "1", True),
        (within({"introduced": "an odd one"}), "1", True),
        (Affected(versions=("1.0", "an odd one")), "1", True),
        (Affected(versions=("1.0.1",)), "1", False),
        (Affected(), "1", False),
    ],
)  # fmt: skip
def test_ranges_are_those_of_the_schema(affected: Affected, version: str, expected: bool) -> None:
    assert concerns(affected, version) is expected


@pytest.mark.parametrize("kind", ["missing", "empty", "text", "zip", "broken", "odd"])
def test_what_is_no_dump_is_not_taken_for_a_clean_one(
    tmp_path: Path, locks: list[Path], capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    dump = tmp_path / "dump"
    if kind in ("empty", "broken", "odd"):
        dump.mkdir()
    if kind == "text":
        dump.write_text("no zip")
    if kind == "zip":
        zipfile.ZipFile(dump, "w").close()
    if kind == "broken":
        (dump / "a.json").write_text("{")
    if kind == "odd":
        (dump / "a.json").write_text('{"id": 5}')
    assert advisories.main([str(dump)], locks) == 2
    assert capsys.readouterr().err.strip()


def test_without_a_dump_the_usage_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert advisories.main([""]) == 2
    assert "make advisories OSV=PATH" in capsys.readouterr().err


def test_what_a_stranger_wrote_does_not_act_on_the_terminal(
    tmp_path: Path, locks: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    dump = dumped(tmp_path / "dump", record("A", summary="x\x1b[2J\n\u202ey"))
    assert advisories.main([str(dump)], locks[:1]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2
    assert all(line.isprintable() for line in lines)


def test_the_locks_of_this_repository_are_read() -> None:
    found = {pin.name for pin in advisories.pins(advisories.LOCKS)}
    assert {"mcp", "uvicorn", "lancedb", "packaging"} <= found
    assert len(found) > 150
