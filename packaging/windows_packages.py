"""Makes the packages for Windows: `python packaging/windows_packages.py [BUNDLE]`.

The result is an installer and a portable archive in dist. On Linux, the bundle is made first, by
the Windows Python of `make windows` under Wine. Without these, nothing is made, and that is said.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

import checksums
import icons
import under_wine
import versions
from scrubjay.platform.paths import PORTABLE_FLAG

ROOT = Path(__file__).resolve().parents[1]
DIST = ROOT / "dist"
WORK = ROOT / "build" / "packaging"
RECIPE = ROOT / "packaging" / "windows" / "installer.nsi"
IS_WINDOWS = sys.platform == "win32"
BUNDLE = DIST / "scrubjay" if IS_WINDOWS else DIST / "windows" / "scrubjay"
"""The bundle of a build on Linux is in a folder of its own, beside that for Linux."""
BUILD_LIMIT_S = 3600
"""Seconds for PyInstaller under Wine, which takes twenty minutes on two busy cores."""
SIGN_VARIABLE = "WINDOWS_SIGN_COMMAND"
"""Variable with the command that signs a file whose path follows; not set for none."""
EARLIEST = 315_532_800
"""Time of 1 January 1980, before which an archive cannot date a file."""

README = """\
Scrubjay {version}, portable

Start scrubjay-desktop.exe for the window, scrubjay.exe for the command line.

Everything that Scrubjay writes goes into the folder scrubjay-home beside this file, because there
is a file {flag} here. Delete that file, and Scrubjay uses the folders of your account.
Keys of remote providers stay in the Windows Credential Manager.
"""


def main(arguments: list[str]) -> int:
    """Make both packages of the bundle that is named, or of the usual one."""
    DIST.mkdir(exist_ok=True)
    remove_packages(DIST)
    if IS_WINDOWS or arguments:
        bundle = Path(arguments[0]).absolute() if arguments else BUNDLE
    else:
        missing = missing_tool()
        if missing:
            print(f"The packages for Windows were not made, because {missing}.")
            return 0
        bundle = make_bundle()
    print(installer(bundle, DIST, number=versions.version()))
    print(portable(bundle, DIST))
    return 0


def remove_packages(folder: Path) -> None:
    """Delete the packages of an earlier build, so that none is released as a new one."""
    for ending in checksums.WINDOWS_PACKAGES:
        for file in folder.glob(f"Scrubjay-*{ending}"):
            file.unlink()


def installer(bundle: Path, target: Path, *, number: str, is_fast: bool = False) -> Path:
    """The installer of a bundle, written into a folder; is_fast is for tests."""
    WORK.mkdir(parents=True, exist_ok=True)
    file = target / f"Scrubjay-{number}-setup.exe"
    icon = WORK / "scrubjay.ico"
    icon.write_bytes(icons.ico())
    files = WORK / "windows-files.nsh"
    files.write_text(file_list(bundle), encoding="utf-8")
    size = sum(each.stat().st_size for each in bundle.rglob("*") if each.is_file())
    definitions = {
        "VERSION": number,
        "NUMBERS": ".".join(map(str, versions.four_numbers(number))),
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
        [makensis(), "-INPUTCHARSET", "UTF8", "-V2", *options, str(RECIPE)],
        check=True,
        env={**os.environ, "SOURCE_DATE_EPOCH": str(versions.source_date())},
    )
    return file


def missing_tool() -> str:
    """What a build on Linux lacks, as the end of a sentence; empty for nothing."""
    if not makensis():
        return "NSIS is not installed"
    return under_wine.missing_tool()


def make_bundle() -> Path:
    """The bundle for Windows, made under Wine. Raises CalledProcessError where that fails."""
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
    moment = time.gmtime(max(versions.source_date(), EARLIEST))[:6]
    readme = README.format(version=versions.version(), flag=PORTABLE_FLAG)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path, data in contents(bundle):
            archive.writestr(dated(f"{name}/{path}", moment), data)
        archive.writestr(dated(f"{name}/{PORTABLE_FLAG}", moment), b"")
        archive.writestr(dated(f"{name}/README.txt", moment), readme.replace("\n", "\r\n"))
    return file


def contents(bundle: Path) -> Iterator[tuple[str, bytes]]:
    """Path and content of each file of a bundle."""
    for file in sorted(bundle.rglob("*")):
        if file.is_file():
            yield file.relative_to(bundle).as_posix(), file.read_bytes()


def dated(name: str, moment: tuple[int, ...]) -> zipfile.ZipInfo:
    """A compressed entry of an archive with the time of the source."""
    entry = zipfile.ZipInfo(name, (moment[0], *moment[1:6]))  # type: ignore[arg-type]
    entry.compress_type = zipfile.ZIP_DEFLATED
    return entry


def makensis() -> str:
    """Path of NSIS's compiler; empty where it is not installed."""
    usual = r"C:\Program Files (x86)\NSIS\makensis.exe"
    if IS_WINDOWS and Path(usual).exists():
        return usual
    return shutil.which("makensis") or ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
