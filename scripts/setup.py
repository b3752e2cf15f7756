"""Prepares a checkout for running, testing or packaging: `setup.py [run|test|package]`.

Needs only Python 3.11. Steps that were done before with the same inputs are skipped, so a second
run takes only a moment.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import inspector
import llama_variant
import progress
import system_packages
from stamps import Stamp

PROGRAM = Path(__file__).resolve()
ROOT = PROGRAM.parents[1]
VENV = ROOT / ".venv"
SCRIPTS = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = SCRIPTS / ("python.exe" if os.name == "nt" else "python")
UV_FOLDER = ROOT / ".tools" / "uv"
UV = "uv==0.13.9"
"""Fetched where uv is not installed, and by the job that publishes the wheel."""
LOCK = ROOT / "requirements.lock"
TEAM_LOCK = ROOT / "requirements-team.lock"
MODEL = ROOT / "build" / "models" / "all-MiniLM-L6-v2-Q8_0.gguf"
CATALOGUES = tuple(
    ROOT / "resources" / "translations" / f"scrubjay_{code}.ts" for code in ("en", "es")
)
LOG = ROOT / "build" / "setup.log"
VARIANT_LOG = ROOT / "build" / "faster-llama.log"
LLAMA_RECIPE = ROOT / "scripts" / "llama.cmake"
LLAMA_BUILD = ROOT / "build" / "llama-portable"

PURPOSES = {
    "run": system_packages.RUN,
    "test": (*system_packages.RUN, *system_packages.TEST),
    "package": (*system_packages.RUN, *system_packages.TEST, *system_packages.PACKAGE),
}
"""Packages of the operating system for each purpose."""
BACKGROUND = "background"
"""What this script is told when it starts itself for the work that the first start leaves."""

PORTABLE_LLAMA = "-DGGML_NATIVE=OFF"
"""A native build crashes at its first embedding on CPUs with AMX (llama.cpp issue 20824)."""
POLL_S = 0.5
"""Seconds between two looks at a command that runs."""
BACKGROUND_NICENESS = 19


class StepFailed(Exception):
    """A command did not succeed; its output is in the log."""


def main(arguments: list[str]) -> int:
    """Run every step that is not done yet."""
    purpose = arguments[0] if arguments else "run"
    if purpose == BACKGROUND:
        if sys.platform != "win32":
            os.nice(BACKGROUND_NICENESS)
        FasterLlama().build(BACKGROUND)
        return 0
    if purpose not in PURPOSES:
        print(f"Unknown purpose {purpose!r}: say run, test or package.", file=sys.stderr)
        return 2
    system_packages.ensure(PURPOSES[purpose])
    try:
        make_environment()
        sync_packages()
        if purpose == "test":
            install_team()
        # The build hook of the project makes what is missing itself, but with tools of its own.
        build_translations()
        build_model()
        install_project()
        if purpose == "run":
            FasterLlama().build_later()
        else:
            FasterLlama().build(purpose)
        if purpose == "test" and not inspector.ensure():
            print("Without npm the test with the official inspector is skipped", flush=True)
    except StepFailed as failure:
        print(f"{failure}\nThe whole output is in {LOG.relative_to(ROOT)}.", file=sys.stderr)
        return 1
    return 0


def make_environment() -> None:
    """Create the virtual environment unless one that works here exists."""
    if environment_works():
        return
    print("Creating the virtual environment .venv", flush=True)
    shutil.rmtree(VENV, ignore_errors=True)
    run("create .venv", [uv(), "venv", "--quiet", "--python", sys.executable, str(VENV)])


def environment_works(scripts: Path = SCRIPTS, python: Path = PYTHON) -> bool:
    """Whether the virtual environment has its Python, and was made at this very place."""
    try:
        activation = (scripts / "activate").read_text(encoding="utf-8")
    except FileNotFoundError:
        return False
    # Its scripts hold absolute paths, so a checkout that was moved needs a new one.
    return python.exists() and str(VENV) in activation


def sync_packages() -> None:
    """Install exactly the locked packages."""
    stamp = packages_stamp()
    if stamp.is_current:
        return
    is_first = not stamp.file.exists()
    sync = [uv(), "pip", "sync", "--python", str(PYTHON), "--require-hashes", "--compile-bytecode"]
    print("Installing Python packages", flush=True)
    if is_first:
        system_packages.ensure(system_packages.COMPILER)
        print("Building llama.cpp, two or three minutes, once", flush=True)
    arguments = os.environ.get("CMAKE_ARGS", "")
    # A build that was interrupted may be of another version.
    shutil.rmtree(LLAMA_BUILD, ignore_errors=True)
    try:
        run(
            "install the Python packages",
            [*sync, str(LOCK)],
            progress.NinjaBuild(LLAMA_BUILD).text,
            CMAKE_ARGS=f"{arguments} {PORTABLE_LLAMA}".strip(),
            # uv keeps what it builds by CMAKE_ARGS; the place of a checkout must not be in them.
            SKBUILD_CMAKE_DEFINE=f"LLAVA_BUILD=OFF;CMAKE_PROJECT_INCLUDE={LLAMA_RECIPE.as_posix()}",
            SKBUILD_BUILD_DIR=str(LLAMA_BUILD),
        )
    finally:
        shutil.rmtree(LLAMA_BUILD, ignore_errors=True)
    # A sync removes every unlocked package, and Scrubjay itself is not locked.
    project_stamp().remove()
    team_stamp().remove()
    stamp.write()


def install_team() -> None:
    """Install what shared memories need, which is in no bundle and large."""
    stamp = team_stamp()
    if stamp.is_current:
        return
    print("Installing the packages for shared memories", flush=True)
    install = [uv(), "pip", "install", "--python", str(PYTHON), "--require-hashes", "--no-deps"]
    run("install the packages for shared memories", [*install, "-r", str(TEAM_LOCK)])
    stamp.write()


@dataclass(frozen=True)
class FasterLlama:
    """The faster library for the model, which the app can do without."""

    stamps: Path = VENV / ".stamps"
    log: Path = VARIANT_LOG
    program: Path = PROGRAM
    """This script, which is started again for the work in the background."""

    @property
    def stamp(self) -> Stamp:
        """Depends on the version of llama.cpp and on the recipe."""
        recipe = ROOT / "scripts" / "llama_variant.py"
        return Stamp(self.stamps / "llama-variant", (llama_version(), recipe))

    def is_due(self, purpose: str) -> bool:
        """Whether it is of use for the purpose, and was not built yet."""
        return llama_variant.is_of_use(here=purpose != "package") and not self.stamp.is_current

    def build_later(self) -> subprocess.Popen[bytes] | None:
        """The process that builds it while the app runs; None where it is not due."""
        if not self.is_due("run"):
            return None
        print(
            "A faster llama.cpp for this kind of processor is being built in the background, "
            "for later starts",
            flush=True,
        )
        # A session of its own, so that it lives on when the app or the terminal is closed.
        return subprocess.Popen(
            [sys.executable, str(self.program), BACKGROUND],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def build(self, purpose: str) -> None:
        """Build it where it can run, or for packages; or do without."""
        if not self.is_due(purpose):
            return
        print("Building a faster llama.cpp for this kind of processor, about a minute", flush=True)
        with self.one_at_a_time():
            # Another set-up may have built it meanwhile.
            if self.is_due(purpose):
                self._build_now()

    def one_at_a_time(self) -> contextlib.AbstractContextManager[None]:
        """Inside, no other set-up of this checkout builds it."""
        return one_at_a_time(self.stamps / "llama-variant.lock")

    def _build_now(self) -> None:
        """Build it; say so where that fails."""
        target = llama_library_folder() / llama_variant.FILE_NAME
        target.unlink(missing_ok=True)  # that of another version would be a mistake
        cache = Path(subprocess.check_output([uv(), "cache", "dir"], text=True).strip())
        source = llama_variant.sources(cache, llama_version())
        cmake = ["cmake"] if shutil.which("cmake") else [uv(), "tool", "run", "cmake"]

        def build_step(command: list[str]) -> None:
            run("build it", command, log=self.log)

        try:
            if source is None:
                raise StepFailed("The sources of llama.cpp are no longer in uv's cache.")
            work = ROOT / "build" / "llama"
            llama_variant.build(source, cmake, work, target, build_step)
        except (OSError, StepFailed) as failure:
            last = str(failure).splitlines()[-1]
            print(f"{last} The portable llama.cpp is used, which is slower.", flush=True)
        # After a failure too: the same inputs would fail again.
        self.stamp.write()


@contextlib.contextmanager
def one_at_a_time(file: Path) -> Iterator[None]:
    """Wait for other set-ups of this checkout that are at the same work, except on Windows."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("w") as lock:
        if sys.platform != "win32":
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def install_project() -> None:
    """Put `scrubjay` and `scrubjay-desktop` into the environment, editable."""
    stamp = project_stamp()
    if stamp.is_current:
        return
    print("Installing Scrubjay", flush=True)
    run(
        "install Scrubjay",
        [uv(), "pip", "install", "--python", str(PYTHON), "--no-deps", "--editable", str(ROOT)],
    )
    # An environment that forbids Python to write bytecode would make each start compile all of it.
    sources = [str(ROOT / folder) for folder in ("core", "desktop")]
    run("compile Scrubjay", [str(PYTHON), "-m", "compileall", "-q", *sources])
    stamp.write()


def build_translations() -> None:
    """Build what Qt loads for each language."""
    stamp = translations_stamp()
    if stamp.is_current and all(file.with_suffix(".qm").exists() for file in CATALOGUES):
        return
    print("Building the translations", flush=True)
    run(
        "build the translations",
        [str(PYTHON), str(ROOT / "scripts" / "translations.py"), "--build"],
    )
    stamp.write()


def build_model() -> None:
    """Build the embedding model that comes with Scrubjay."""
    stamp = model_stamp()
    if MODEL.exists() and stamp.is_current:
        return
    print("Building the embedding model", flush=True)
    run(
        "build the embedding model", [str(PYTHON), str(ROOT / "scripts/build_model.py"), str(MODEL)]
    )
    stamp.write()


def packages_stamp() -> Stamp:
    """Depends on the lock file alone."""
    return Stamp(VENV / ".stamps" / "packages", (LOCK,))


def team_stamp() -> Stamp:
    """Depends on both lock files."""
    return Stamp(VENV / ".stamps" / "team", (LOCK, TEAM_LOCK))


def llama_version() -> str:
    """The version of llama-cpp-python that the lock file names."""
    match = re.search(r"^llama-cpp-python(?:\[\w+\])?==(\S+)", LOCK.read_text(), re.MULTILINE)
    return match[1] if match else ""


def llama_library_folder() -> Path:
    """Where the portable libraries of llama.cpp are."""
    code = "import importlib.util as u; print(u.find_spec('llama_cpp').origin)"
    origin = subprocess.check_output([str(PYTHON), "-c", code], text=True).strip()
    return Path(origin).parent / "lib"


def project_stamp() -> Stamp:
    """Depends on the project file, which names the entry points and the source roots."""
    return Stamp(VENV / ".stamps" / "project", (ROOT / "pyproject.toml",))


def translations_stamp() -> Stamp:
    """Depends on the catalogues alone."""
    return Stamp(VENV / ".stamps" / "translations", CATALOGUES)


def model_stamp() -> Stamp:
    """Depends on the recipe; the weights have a hash of their own in it."""
    return Stamp(MODEL.parent / ".stamps" / "model", (ROOT / "scripts" / "build_model.py",))


def uv() -> str:
    """The path of uv, which is fetched into .tools when it is not installed."""
    suffix = ".exe" if os.name == "nt" else ""
    own = UV_FOLDER / "bin" / f"uv{suffix}"
    if own.exists():
        return str(own)
    if installed := shutil.which("uv"):
        return installed
    print("Fetching uv, which installs Python packages", flush=True)
    system_packages.ensure(system_packages.PIP)
    # --target is allowed even where the system's Python is externally managed.
    run(
        "fetch uv",
        [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(UV_FOLDER), UV],
        PIP_USER="0",
    )
    return str(own)


def run(
    what: str,
    command: list[str],
    describe: Callable[[float], str] = progress.working,
    *,
    log: Path = LOG,
    line: progress.ProgressLine | None = None,
    poll_s: float = POLL_S,
    **environment: str,
) -> None:
    """Run a command with its output in the log; describe gets seconds and says how far it is."""
    started = time.monotonic()
    line = line or progress.ProgressLine()
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("w", encoding="utf-8") as output:
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        try:
            while (code := finished(process, poll_s)) is None:
                line.show(describe(time.monotonic() - started))
        finally:
            line.clear()
    if code != 0:
        tail = log.read_text(encoding="utf-8", errors="replace").splitlines()[-15:]
        raise StepFailed("\n".join([*tail, f"Could not {what}."]))


def finished(process: subprocess.Popen[bytes], poll_s: float) -> int | None:
    """The exit code, or None when the process is still running after a moment."""
    try:
        return process.wait(poll_s)
    except subprocess.TimeoutExpired:
        return None


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
