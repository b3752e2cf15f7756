"""The Windows Python: what is downloaded for it, and what is said while it comes."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import zipfile
from fnmatch import fnmatch
from pathlib import Path

import pytest

import progress
import setup
import system_packages
import windows_python
import windows_test
import wine
from support import platforms
from support.waiting import wait_until

LOG = """Resolved 3 packages in 20ms
Downloading pyside6-essentials (75.0MiB)
Downloading numpy (25.0MiB)
{}
"""


@pytest.mark.parametrize(
    ("lines", "share"),
    [
        ("", 0.0),
        (" Downloaded numpy", 0.25),
        (" Downloaded numpy\n Downloaded pyside6-essentials", 1.0),
        (" Downloaded a-package-too-small-to-be-named", 0.0),
    ],
)
def test_a_download_is_as_far_as_its_large_files(tmp_path: Path, lines: str, share: float) -> None:
    log = tmp_path / "setup.log"
    log.write_text(LOG.format(lines), encoding="utf-8")
    assert progress.Downloads(log).share() == share


@pytest.mark.parametrize("text", [None, "", "Resolved 3 packages in 20ms\n"])
def test_a_download_without_a_size_says_how_long_it_takes(tmp_path: Path, text: str | None) -> None:
    log = tmp_path / "setup.log"
    if text is not None:
        log.write_text(text, encoding="utf-8")
    assert progress.Downloads(log).text(7.0) == "  working for 7 s"


def test_everything_that_is_downloaded_has_a_hash_and_no_address() -> None:
    lock = windows_python.PARTS_LOCK.read_text(encoding="utf-8")
    assert "://" not in lock
    wanted = [line for line in lock.splitlines() if "==" in line]
    assert wanted
    assert all(line.endswith("\\") for line in wanted)
    assert lock.count("--hash=sha256:") >= len(wanted)


def test_all_locked_packages_but_llama_are_taken_for_windows() -> None:
    lock = setup.LOCK.read_text(encoding="utf-8")
    wanted = windows_python.without_built_here(lock)
    missing = set(lock.splitlines()) - set(wanted.splitlines())
    names = {line.partition("==")[0] for line in missing if "==" in line}
    assert names == {"llama-cpp-python"}
    assert "pywin32==" in wanted


@pytest.mark.parametrize("is_current", [True, False])
def test_new_packages_leave_a_current_llama_where_it_is(tmp_path: Path, is_current: bool) -> None:
    packages = tmp_path / "site-packages"
    (packages / "llama_cpp").mkdir(parents=True)
    (packages / "llama_cpp/llama.dll").touch()
    if is_current:
        windows_python.llama_stamp(packages).write()
    with windows_python.llama_kept(packages):
        shutil.rmtree(packages)
        packages.mkdir()
    assert (packages / "llama_cpp/llama.dll").exists() is is_current
    assert windows_python.llama_stamp(packages).is_current is is_current


def test_a_build_of_llama_is_continued_only_with_the_same_places(tmp_path: Path) -> None:
    work = tmp_path / "work"
    source = tmp_path / "source"
    assert not windows_python.is_configured(work, source)
    work.mkdir()
    (work / "CMakeCache.txt").write_text(
        f"# made by CMake\nCMAKE_CACHEFILE_DIR:INTERNAL={work}\n"
        f"CMAKE_HOME_DIRECTORY:INTERNAL={source}\n",
        encoding="utf-8",
    )
    assert windows_python.is_configured(work, source)
    assert not windows_python.is_configured(work, tmp_path / "unpacked anew")
    assert not windows_python.is_configured(work.with_name("moved"), source)


def test_what_cannot_be_installed_ends_the_build_with_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))  # neither apt-get nor sudo
    need = system_packages.Need("absent", program="no-such-program")
    with pytest.raises(windows_python.CannotBuild, match=r"cannot be built without: absent\.$"):
        windows_python.ensure((need,))


@pytest.mark.needs("POSIX modes")
def test_without_the_right_python_the_build_says_what_to_install(tmp_path: Path) -> None:
    # pyenv leaves such a program for a version that is not chosen.
    program = tmp_path / "python3.11"
    program.write_text("#!/bin/sh\nexit 127\n", encoding="ascii")
    program.chmod(0o755)
    with pytest.raises(windows_python.CannotBuild) as caught:
        windows_python.standard_library([str(tmp_path / "python3.13"), str(program)])
    assert str(caught.value) == (
        "The Windows Python takes its standard library from Python 3.11, which is not installed; "
        "install it as python3.11."
    )


@pytest.mark.needs("Linux")
def test_the_windows_python_knows_one_version_of_a_package(tmp_path: Path) -> None:
    (tmp_path / "scrubjay-0.0.1.dist-info").mkdir()
    windows_python.copy_metadata("scrubjay", tmp_path)
    [folder] = tmp_path.iterdir()
    assert (folder / "METADATA").is_file()
    assert folder.name != "scrubjay-0.0.1.dist-info"


def test_a_launcher_carries_a_program_that_starts_the_module() -> None:
    with zipfile.ZipFile(io.BytesIO(windows_python.start_script("scrubjay.cli"))) as archive:
        assert b"from scrubjay.cli import main" in archive.read("__main__.py")


def test_paths_are_written_as_wine_shows_them() -> None:
    assert wine.windows_path(Path("/a b/ñ.md")) == r"Z:\a b\ñ.md"


def test_programs_under_wine_do_not_get_what_this_python_was_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("PYTHONPATH", "QT_QPA_PLATFORM", "SCRUBJAY_HOME", "PYTEST_ADDOPTS"):
        monkeypatch.setenv(name, "x")
    environ = wine.environ(Path("/prefix"), SCRUBJAY_HOME="C:\\home")
    assert environ["WINEPREFIX"] == "/prefix"
    assert environ["SCRUBJAY_HOME"] == "C:\\home"
    assert not {"PYTHONPATH", "QT_QPA_PLATFORM", "PYTEST_ADDOPTS"} & set(environ)


def test_ci_says_why_it_skips_windows_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))  # neither Wine nor apt-get
    assert windows_test.main(["--quick"]) == 0
    assert capsys.readouterr().out == (
        "The tests for Windows are skipped. "
        "Wine is not installed, and installing it needs root and apt.\n"
    )


@pytest.mark.parametrize("code", [None, 0, 1, 2, 3, 4, 5, 127, -9])
def test_only_a_test_that_fails_on_windows_fails_in_ci(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], code: int | None
) -> None:
    monkeypatch.setattr(windows_test, "obstacle", lambda: "")
    monkeypatch.setattr(windows_test, "run_tests", lambda *_: code)
    monkeypatch.setattr(wine, "version", lambda: "8.0")
    assert windows_test.main(["--quick"]) == int(code == 1)
    sentences = capsys.readouterr().out
    assert sentences.count("\n") == int(code not in (0, 1))
    if code not in (None, 0, 1):
        assert sentences.endswith(f": exit code {code}.\n")


def test_failures_under_a_wine_with_other_faults_do_not_fail_in_ci(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(windows_test, "obstacle", lambda: "")
    monkeypatch.setattr(windows_test, "run_tests", lambda *_: 1)
    monkeypatch.setattr(wine, "version", lambda: "10.0")
    assert windows_test.main(["--quick"]) == 0
    assert "this is Wine 10.0" in capsys.readouterr().out


def test_the_version_of_wine_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert wine.version() == ""
    program = tmp_path / "wine"
    program.write_text("#!/bin/sh\necho 'wine-8.0 (Debian 8.0~repack-4)'\n", encoding="ascii")
    program.chmod(0o755)
    assert wine.version() == "8.0"


def test_ci_depends_on_the_tests_for_windows() -> None:
    checks = (setup.ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert "if make test </dev/null && .venv/bin/python scripts/windows_test.py --quick" in checks


@pytest.mark.needs("Linux")
def test_a_build_that_takes_too_long_ends_with_all_that_it_started(tmp_path: Path) -> None:
    file = tmp_path / "child"
    # Both programs go on when they are told to end.
    build = f"trap '' TERM; sleep 600 & echo $! >'{file}'; wait"
    with pytest.raises(subprocess.TimeoutExpired):
        windows_test.run_within(["sh", "-c", build], 2.0, end_s=0.2)
    child = Path("/proc", file.read_text(encoding="ascii").strip(), "stat")
    wait_until(lambda: not child.exists() or ") Z " in child.read_text(encoding="ascii"))


def test_every_folder_and_test_for_wine_exists() -> None:
    for place in (*windows_test.TESTS, *windows_test.QUICK_TESTS, *windows_test.LEFT_OUT):
        assert (setup.ROOT / place).exists()
    for test in (*windows_test.SINGLE_TESTS, *windows_test.SLOW_TESTS):
        file, _, name = test.partition("::")
        assert f"def {name}(" in (setup.ROOT / file).read_text(encoding="utf-8")


def test_each_file_of_tests_runs_under_wine_or_a_page_says_why_not() -> None:
    page = (setup.ROOT / "docs" / "platforms.md").read_text(encoding="utf-8")
    missing = re.findall(r"^\| `(tests/[^`]+)` \|", page, re.MULTILINE)
    assert set(windows_test.LEFT_OUT) <= set(missing)
    files = [file for top in ("core", "desktop") for file in _tests_below(f"tests/{top}")]
    for file in files:
        runs = file.startswith(windows_test.TESTS) and not file.startswith(windows_test.LEFT_OUT)
        rows = [row for row in missing if file.startswith(f"{row}/") or fnmatch(file, row)]
        assert runs is not bool(rows), file
    for row in missing:
        assert any(file.startswith(f"{row}/") or fnmatch(file, row) for file in files), row


def _tests_below(folder: str) -> list[str]:
    found = (setup.ROOT / folder).rglob("test_*.py")
    return [file.relative_to(setup.ROOT).as_posix() for file in found]


def test_every_need_of_a_test_is_known() -> None:
    wanted = re.compile(r"(?:mark\.needs|platforms\.require)\(([^)]*)\)")
    names = set()
    for file in (setup.ROOT / "tests").rglob("*.py"):
        for arguments in wanted.findall(file.read_text(encoding="utf-8")):
            names |= set(re.findall(r'"([^"]+)"', arguments))
    assert {"links", "named pipes"} <= names <= set(platforms.LACKING)
