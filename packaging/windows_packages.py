"""Makes the packages for Windows: `python packaging/windows_packages.py [BUNDLE]`.

The result is an installer and a portable archive in dist. On Linux, the Windows Python is completed
first, as by `make windows`, and makes the bundle under Wine. Where NSIS or Wine is not installed,
nothing is made, and one sentence says why.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import checksums
import under_wine
import versions
import windows_python
from archives import write_zip
from scrubjay.platform.installation import APP_ID
from scrubjay.platform.paths import PORTABLE_FLAG
from setup import StepFailed
from under_wine import wine

ROOT = Path(__file__).resolve().parents[1]
DIST = ROOT / "dist"
RECIPE = ROOT / "packaging" / "windows" / "installer.nsi"
IS_WINDOWS = sys.platform == "win32"
BUNDLE = DIST / "scrubjay" if IS_WINDOWS else DIST / "windows" / "scrubjay"
"""The bundle of a build on Linux is in a folder of its own, beside that for Linux."""
BUILD_LIMIT_S = 3600
"""Seconds for PyInstaller under Wine, which takes twenty minutes on two busy cores."""
SIGN_VARIABLE = "WINDOWS_SIGN_COMMAND"
"""Variable with the command that signs a file whose path follows; not set for none."""

README = """\
Scrubjay {version}, portable

To open the window, start scrubjay-desktop.exe. In a terminal, use scrubjay.exe.

As long as the file {flag} is here, Scrubjay keeps its files in the folder scrubjay-home next
to it. If you delete {flag}, Scrubjay uses the folders of your account instead. Keys of
services are always kept in the Windows Credential Manager.
"""


class CannotPack(Exception):
    """Something that this computer lacks; the text says what."""


def main(arguments: list[str], target: Path = DIST) -> int:
    """Make both packages of the bundle that is named, or of the usual one."""
    target.mkdir(exist_ok=True)
    remove_packages(target)
    try:
        compiler = makensis()
        bundle = find_bundle(arguments)
        print(installer(bundle, target, number=versions.version(), compiler=compiler), flush=True)
        print(portable(bundle, target))
    except (CannotPack, windows_python.CannotBuild) as reason:
        print(f"The packages for Windows were not made. {reason}", flush=True)
        # `make package` makes what this computer can make.
        return int(IS_WINDOWS or bool(arguments))
    except (StepFailed, wine.WineTimeout, subprocess.CalledProcessError) as failure:
        print(f"The packages for Windows were not made. {failure}", file=sys.stderr)
        return 1
    return 0


def find_bundle(arguments: list[str]) -> Path:
    """The bundle that is named, or that of this Windows, or a new one made under Wine."""
    if arguments:
        return Path(arguments[0]).absolute()
    if IS_WINDOWS:
        return BUNDLE
    return make_bundle()


def remove_packages(folder: Path) -> None:
    """Delete the packages of an earlier build, so that none is released as a new one."""
    for ending in checksums.WINDOWS_PACKAGES:
        for file in folder.glob(f"Scrubjay-*{ending}"):
            file.unlink()


def installer(
    bundle: Path, target: Path, *, number: str, compiler: str, is_fast: bool = False
) -> Path:
    """The installer of a bundle, written into a folder; is_fast is for tests."""
    file = target / f"Scrubjay-{number}-setup.exe"
    icon = versions.icon_file(is_windows=True)
    files = versions.WORK / "windows-files.nsh"
    files.write_text(file_list(bundle), encoding="utf-8")
    size = sum(each.stat().st_size for each in bundle.rglob("*") if each.is_file())
    definitions = {
        "VERSION": number,
        "NUMBERS": ".".join(map(str, versions.four_numbers(number))),
        "APP_ID": APP_ID,
        "FILES": files,
        "ICON": icon,
        "LICENCE": ROOT / "LICENSE",
        "KILOBYTES": size // 1024,
        "TARGET_FILE": file,
    }
    if is_fast:
        definitions["FAST"] = 1
    # A Wine of 64 bits alone does not start the stub of 32 bits, the only one of NSIS for Windows.
    if not IS_WINDOWS:
        definitions["PROCESSOR"] = "amd64-unicode"
    if sign := os.environ.get(SIGN_VARIABLE):
        definitions["SIGN"] = sign
    options = [f"-D{name}={value}" for name, value in definitions.items()]
    subprocess.run(
        [compiler, "-INPUTCHARSET", "UTF8", "-V2", *options, str(RECIPE)],
        check=True,
        env={**os.environ, "SOURCE_DATE_EPOCH": str(versions.source_date())},
    )
    return file


def make_bundle() -> Path:
    """The bundle for Windows, made under Wine.

    Raises CannotPack or CannotBuild where this computer lacks something, and StepFailed,
    WineTimeout or CalledProcessError where a step fails.
    """
    if not wine.is_installed():
        raise CannotPack("Wine is not installed.")
    windows_python.build()
    print("Building the bundle for Windows under Wine (10 to 15 minutes)", flush=True)
    code = under_wine.run_python(ROOT / "packaging" / "bundle.py", BUNDLE, timeout_s=BUILD_LIMIT_S)
    if code:
        raise subprocess.CalledProcessError(code, "packaging/bundle.py under Wine")
    return BUNDLE


def file_list(bundle: Path) -> str:
    """Script that installs, checks and removes the files of a bundle one by one, and no others."""
    install: list[str] = []
    check: list[str] = []
    remove: list[str] = []
    folders: list[str] = []
    for folder in [bundle, *sorted(place for place in bundle.rglob("*") if place.is_dir())]:
        inside = installed_place(bundle, folder)
        folders.append(inside)
        install.append(f'SetOutPath "{inside}"')
        for file in sorted(place for place in folder.iterdir() if place.is_file()):
            install.append(f'File "{file}"')
            check += [f'Push "{installed_place(bundle, file)}"', "Call un.checkFile"]
            remove.append(f'Delete "{installed_place(bundle, file)}"')
    # The deepest comes first. The folder of the program itself may have been there before.
    remove += [f'RMDir "{inside}"' for inside in reversed(folders[1:])]
    macros = {"INSTALL_FILES": install, "CHECK_FILES": check, "REMOVE_FILES": remove}
    return "\n".join(
        "\n".join([f"!macro {name}", *lines, "!macroend"]) for name, lines in macros.items()
    )


def installed_place(bundle: Path, place: Path) -> str:
    """Path of a file or folder of a bundle where it is installed, as NSIS writes it."""
    inside = str(place.relative_to(bundle)).replace("/", "\\").replace("$", "$$")
    return f"$INSTDIR\\{inside}".removesuffix("\\.")


def portable(bundle: Path, target: Path) -> Path:
    """The portable archive of a bundle, written into a folder."""
    name = f"Scrubjay-{versions.version()}-windows-portable"
    file = target / f"{name}.zip"
    write_zip(file, contents(bundle, name))
    return file


def contents(bundle: Path, name: str) -> Iterator[tuple[str, bytes]]:
    """Path and content of each file of the portable archive, which holds one folder."""
    for file in sorted(bundle.rglob("*")):
        if file.is_file():
            yield f"{name}/{file.relative_to(bundle).as_posix()}", file.read_bytes()
    yield f"{name}/{PORTABLE_FLAG}", b""
    readme = README.format(version=versions.version(), flag=PORTABLE_FLAG)
    yield f"{name}/README.txt", readme.replace("\n", "\r\n").encode()


def makensis() -> str:
    """Path of NSIS's compiler. Raises CannotPack where it is not installed."""
    usual = r"C:\Program Files (x86)\NSIS\makensis.exe"
    if IS_WINDOWS and Path(usual).exists():
        return usual
    program = shutil.which("makensis")
    if program is None:
        raise CannotPack("NSIS is not installed.")
    return program


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
