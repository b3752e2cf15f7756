"""Builds a Python for Windows with all of Scrubjay's packages below build/windows: `make windows`.

It runs on Linux under Wine. Python itself comes from the wheel of panda3d, which carries the
interpreter of python.org for programs that are packed with it; the standard library comes from a
Python 3.11 on this computer, and the packages are those of requirements.lock for Windows. Steps
that were done before with the same inputs are skipped. `windows_python.py --words` leaves out
llama.cpp, without which Scrubjay searches by words only.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import llama_variant
import progress
import setup
import system_packages
import wine
import wine_standins
from stamps import Stamp
from system_packages import Need

PYTHON = wine.FOLDER / "python"
PACKAGES = PYTHON / "Lib" / "site-packages"
PROGRAM = PYTHON / "python.exe"
SOURCES = setup.ROOT / "packaging" / "windows"
PARTS_LOCK = SOURCES / "requirements.lock"
TOOLCHAIN = SOURCES / "mingw.cmake"
LLAMA_HEADER = SOURCES / "thread_power.h"
VERSION = "3.11"
LOG = wine.FOLDER / "setup.log"

RUN_NEEDS = (
    Need("wine", program="wine"),
    Need("wine64", file="/usr/lib/wine/wine64"),
    Need("xvfb", program="Xvfb"),
    Need("gcc-mingw-w64-x86-64-win32", program="x86_64-w64-mingw32-gcc"),
)
"""Packages of the operating system for the Windows Python without llama.cpp."""
LLAMA_NEEDS = (
    Need("g++-mingw-w64-x86-64-posix", program="x86_64-w64-mingw32-g++-posix"),
    Need("cmake", program="cmake"),
    Need("ninja-build", program="ninja"),
)
BUILT_HERE = ("llama-cpp-python",)
"""Packages of the lock file that have no wheel for Windows and are built here."""
_EXCLUDED_FROM_PYTHON = ("api-ms-", "tcl86t", "tk86t", "_tkinter", "winsound")
"""Files that Wine has itself, or that need a part of Python that is not copied."""
_EXCLUDED_FROM_LIBRARY = (
    "site-packages", "lib-dynload", "__pycache__", "test", "idlelib", "tkinter", "turtledemo",
    "config-*", "lib2to3",
)  # fmt: skip
_RUNTIME = ("libstdc++-6.dll", "libgcc_s_seh-1.dll", "libwinpthread-1.dll")
"""Libraries of mingw-w64 that llama.cpp needs."""
_LAUNCHERS = (
    ("scrubjay", "t64.exe", "python.exe", "scrubjay.cli"),
    ("scrubjay-desktop", "w64.exe", "pythonw.exe", "scrubjay_desktop.__main__"),
)
"""Name of the program, launcher of distlib, interpreter and module."""
_WINDOWS_10 = ("reg", "add", r"HKCU\Software\Wine", "/v", "Version", "/d", "win10", "/f")


class CannotBuild(Exception):
    """Something that this computer lacks; the text says what."""


def main(arguments: list[str]) -> int:
    """Run every step that is not done yet."""
    try:
        build(with_llama="--words" not in arguments)
    except (CannotBuild, setup.StepFailed, wine.WineTimeout) as failure:
        print(failure, file=sys.stderr)
        return 1
    print(f"The Windows Python is ready: wine {PROGRAM.relative_to(setup.ROOT)}", flush=True)
    return 0


def build(*, with_llama: bool = True) -> None:
    """Make the Windows Python. Raises CannotBuild, StepFailed or WineTimeout."""
    library = standard_library()
    ensure(RUN_NEEDS)
    install_python(library)
    install_packages()
    compile_standins()
    install_project()
    if with_llama:
        build_llama()
    make_prefix()


def python_stamp() -> Stamp:
    """The record of the interpreter and the standard library."""
    return Stamp(PYTHON / ".stamps" / "python", (PARTS_LOCK,))


def packages_stamp() -> Stamp:
    """The record of the locked packages."""
    return Stamp(PYTHON / ".stamps" / "packages", (setup.LOCK, PARTS_LOCK))


def standins_stamp() -> Stamp:
    """The record of the programs and of what Wine lacks."""
    sources = sorted(wine_standins.SOURCES.iterdir())
    recipe = Path(wine_standins.__file__)
    inputs = (setup.LOCK, PARTS_LOCK, recipe, *sources)
    return Stamp(PACKAGES / ".stamps" / "standins", inputs)


def project_stamp() -> Stamp:
    """The record of Scrubjay itself."""
    inputs = (setup.LOCK, setup.ROOT / "pyproject.toml", PARTS_LOCK, str(PYTHON))
    return Stamp(PACKAGES / ".stamps" / "project", inputs)


def llama_stamp(packages: Path = PACKAGES) -> Stamp:
    """The record of llama.cpp."""
    inputs = (setup.llama_version(), PARTS_LOCK, TOOLCHAIN, LLAMA_HEADER, setup.LLAMA_RECIPE)
    return Stamp(packages / ".stamps" / "llama", inputs)


def ensure(needs: tuple[Need, ...]) -> None:
    """Install what is missing where that is allowed. Raises CannotBuild where it is not."""
    system_packages.ensure(needs)
    missing = [need.package for need in needs if not need.is_met]
    if missing:
        raise CannotBuild(f"The Windows Python cannot be built without: {', '.join(missing)}.")


def install_python(library: Path) -> None:
    """Put the interpreter and a standard library into the folder."""
    stamp = python_stamp()
    if stamp.is_current:
        return
    print("Downloading Python for Windows, which the wheel of panda3d carries", flush=True)
    shutil.rmtree(PYTHON, ignore_errors=True)
    parts = parts_folder()
    shutil.rmtree(parts, ignore_errors=True)
    install(PARTS_LOCK, parts)
    (PYTHON / "DLLs").mkdir(parents=True)
    for file in sorted((parts / "deploy_libs").iterdir()):
        if file.name.startswith(_EXCLUDED_FROM_PYTHON):
            continue
        is_beside_program = file.name.lower() in ("python311.dll", "vcruntime140.dll")
        shutil.copy(file, PYTHON if is_beside_program else PYTHON / "DLLs")
    ignored = shutil.ignore_patterns(*_EXCLUDED_FROM_LIBRARY)
    shutil.copytree(library, PYTHON / "Lib", ignore=ignored)
    stamp.write()


def parts_folder() -> Path:
    """Where the packages of packaging/windows/requirements.lock are unpacked."""
    return wine.FOLDER / "parts"


def standard_library(programs: Sequence[str] = (str(setup.PYTHON), f"python{VERSION}")) -> Path:
    """The standard library of a Python of the same version. Raises CannotBuild without one."""
    code = "import os, sys; print(sys.version_info[:2] == (3, 11), os.path.dirname(os.__file__))"
    for program in programs:
        if shutil.which(program) is None:
            continue
        # A program of this name may stand for a version that is not installed.
        answer = subprocess.run([program, "-c", code], capture_output=True, text=True, check=False)
        is_right, _, folder = answer.stdout.strip().partition(" ")
        if is_right == "True":
            return Path(folder)
    raise CannotBuild(
        f"The Windows Python takes its standard library from Python {VERSION}, which is not "
        f"installed; install it as python{VERSION}."
    )


def install_packages() -> None:
    """Install the locked packages for Windows, with their hashes checked."""
    stamp = packages_stamp()
    if stamp.is_current:
        return
    print("Downloading and installing the packages for Windows", flush=True)
    wanted = wine.FOLDER / "requirements.lock"
    lock = setup.LOCK.read_text(encoding="utf-8")
    wanted.write_text(without_built_here(lock), encoding="utf-8")
    with llama_kept():
        shutil.rmtree(PACKAGES, ignore_errors=True)
        install(wanted, PACKAGES)
    stamp.write()


@contextlib.contextmanager
def llama_kept(packages: Path = PACKAGES) -> Iterator[None]:
    """Put llama.cpp back once the other packages are there: it takes minutes to build."""
    stamp = llama_stamp(packages)
    if not stamp.is_current:
        yield
        return
    kept = packages.with_name("llama_cpp")
    shutil.rmtree(kept, ignore_errors=True)
    shutil.move(packages / "llama_cpp", kept)
    yield
    shutil.move(kept, packages / "llama_cpp")
    copy_metadata("llama_cpp_python", packages)
    stamp.write()


def without_built_here(lock: str) -> str:
    """A lock file without the packages that are built here."""
    pattern = rf"^(?:{'|'.join(BUILT_HERE)})\b.*?(?=^[a-z]|\Z)"
    return re.sub(pattern, "", lock, flags=re.MULTILINE | re.DOTALL)


def install(requirements: Path, target: Path) -> None:
    """Install what a lock file names for Windows into a folder."""
    command = [
        setup.uv(), "pip", "install", "--target", str(target), "--no-deps", "--require-hashes",
        "--python-platform", "x86_64-pc-windows-msvc", "--python-version", VERSION,
        # odfpy is published as source only, all of it Python.
        "--only-binary", ":all:", "--no-binary", "odfpy", "-r", str(requirements),
    ]  # fmt: skip
    describe = progress.Downloads(LOG).text
    setup.run("install the packages for Windows", command, describe, log=LOG)


def compile_standins() -> None:
    """Compile the programs of Python, and the functions of Windows that Wine lacks."""
    stamp = standins_stamp()
    if stamp.is_current:
        return
    print("Compiling python.exe and what Wine lacks", flush=True)
    work = wine.FOLDER / "work"
    work.mkdir(exist_ok=True)
    try:
        wine_standins.make_programs(PYTHON, work)
        wine_standins.make_functions(PYTHON, PACKAGES, work)
    except (OSError, subprocess.CalledProcessError) as error:
        raise setup.StepFailed(
            f"Could not compile python.exe and what Wine lacks: {error}"
        ) from error
    stamp.write()


def install_project() -> None:
    """Put `scrubjay` and `scrubjay-desktop` into the Windows Python, editable."""
    stamp = project_stamp()
    if stamp.is_current:
        return
    print("Installing Scrubjay into the Windows Python", flush=True)
    roots = [wine.windows_path(setup.ROOT / folder) for folder in ("core", "desktop")]
    (PACKAGES / "_scrubjay.pth").write_text("\r\n".join([*roots, ""]), encoding="utf-8")
    copy_metadata("scrubjay")
    # Beside the interpreter, as in an environment.
    for name, stub, interpreter, module in _LAUNCHERS:
        launcher = (parts_folder() / "distlib" / stub).read_bytes()
        line = f"#!{wine.windows_path(PYTHON / interpreter)}\r\n".encode()
        (PYTHON / f"{name}.exe").write_bytes(launcher + line + start_script(module))
    stamp.write()


def copy_metadata(package: str, target: Path = PACKAGES) -> None:
    """Copy what the Python of this computer knows about a package, in place of earlier versions."""
    for folder in target.glob(f"{package}-*.dist-info"):
        shutil.rmtree(folder)
    for folder in host_packages().glob(f"{package}-*.dist-info"):
        shutil.copytree(folder, target / folder.name)


def start_script(module: str) -> bytes:
    """A zip with the program that a launcher starts."""
    script = f"import sys\nfrom {module} import main\nsys.exit(main())\n"
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("__main__.py", script)
    return archive.getvalue()


def build_llama() -> None:
    """Compile llama.cpp for Windows from the sources that uv keeps, and install its package."""
    ensure(LLAMA_NEEDS)
    stamp = llama_stamp()
    if stamp.is_current:
        return
    cache = Path(subprocess.check_output([setup.uv(), "cache", "dir"], text=True).strip())
    source = llama_variant.sources(cache, setup.llama_version())
    if source is None:
        raise CannotBuild(
            "The sources of llama.cpp are no longer in uv's cache. Delete .venv, then run "
            "`make windows` again."
        )
    print("Compiling llama.cpp for Windows, about five minutes", flush=True)
    work = wine.FOLDER / "llama"
    if not is_configured(work, source):
        shutil.rmtree(work, ignore_errors=True)
    configure = [
        "cmake", "-G", "Ninja", "-S", str(source), "-B", str(work),
        f"-DCMAKE_TOOLCHAIN_FILE={TOOLCHAIN}", f"-DCMAKE_PROJECT_INCLUDE={setup.LLAMA_RECIPE}",
        *LLAMA_OPTIONS,
    ]  # fmt: skip
    setup.run("configure llama.cpp", configure, log=LOG)
    compile_all = ["cmake", "--build", str(work), "--target", "llama"]
    setup.run("compile llama.cpp", compile_all, progress.NinjaBuild(work).text, log=LOG)
    package = PACKAGES / "llama_cpp"
    shutil.copytree(source.parents[1] / "llama_cpp", package, dirs_exist_ok=True)
    (package / "lib").mkdir(exist_ok=True)
    libraries = [*(work / "bin").glob("*.dll"), *(mingw_library(name) for name in _RUNTIME)]
    for library in libraries:
        strip = ["x86_64-w64-mingw32-strip", "-o", str(package / "lib" / library.name)]
        setup.run("strip a library", [*strip, str(library)], log=LOG)
    copy_metadata("llama_cpp_python")
    stamp.write()


def is_configured(work: Path, source: Path) -> bool:
    """Whether an earlier build had the same places. uv may have unpacked the sources anew."""
    try:
        cache = (work / "CMakeCache.txt").read_text(encoding="utf-8")
    except FileNotFoundError:
        return False
    places = {"CMAKE_CACHEFILE_DIR": work, "CMAKE_HOME_DIRECTORY": source}
    return all(f"\n{name}:INTERNAL={place}\n" in cache for name, place in places.items())


LLAMA_OPTIONS = (
    "-DCMAKE_BUILD_TYPE=Release",
    "-DBUILD_SHARED_LIBS=ON",
    setup.PORTABLE_LLAMA,
    "-DGGML_OPENMP=OFF",
    f"-DCMAKE_C_FLAGS=-include {LLAMA_HEADER}",
    *(f"-DGGML_{extension}=ON" for extension in ("AVX", "AVX2", "FMA", "F16C", "BMI2")),
    *(f"-DLLAMA_BUILD_{part}=OFF" for part in ("COMMON", "TOOLS", "EXAMPLES", "TESTS", "SERVER")),
    "-DLLAMA_CURL=OFF",
)


def mingw_library(name: str) -> Path:
    """Where mingw-w64 has a library of its own."""
    command = ["x86_64-w64-mingw32-g++-posix", f"-print-file-name={name}"]
    place = Path(subprocess.check_output(command, text=True).strip())
    if place.is_absolute():
        return place
    return Path("/usr/x86_64-w64-mingw32/lib") / name


def host_packages() -> Path:
    """Where the Python of this computer has Scrubjay's packages."""
    return next((setup.VENV / "lib").glob("python3*/site-packages"))


def make_prefix(prefix: Path = wine.PREFIX) -> None:
    """Create the drive C: and the registry of a Windows 10."""
    stamp = Stamp(prefix / ".stamp", _WINDOWS_10)
    if stamp.is_current:
        return
    print("Creating the drive C: and the registry", flush=True)
    shutil.rmtree(prefix, ignore_errors=True)
    prefix.parent.mkdir(parents=True, exist_ok=True)
    # Without a display, Wine asks for no further parts of itself.
    wine.run(["wineboot", "-i"], prefix=prefix, DISPLAY="")
    wine.run(_WINDOWS_10, prefix=prefix, DISPLAY="")
    stamp.write()


if __name__ == "__main__":
    os.umask(0o022)
    sys.exit(main(sys.argv[1:]))
