"""Version and icon of the programs, and the version resource of Windows."""

from __future__ import annotations

import os
import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import icons

ROOT = Path(__file__).resolve().parents[1]
WORK = ROOT / "build" / "packaging"
SUMMARY = "Find what you and your agents wrote down"


def project() -> dict[str, Any]:
    """The table `project` of pyproject.toml."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        table: dict[str, Any] = tomllib.load(file)["project"]
    return table


def version() -> str:
    """Such as 0.1.0."""
    return str(project()["version"])


def source_date() -> int:
    """Time of the last commit in seconds since 1970; SOURCE_DATE_EPOCH comes before it."""
    if epoch := os.environ.get("SOURCE_DATE_EPOCH"):
        return int(epoch)
    command = ["git", "-C", str(ROOT), "log", "-1", "--format=%ct"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return int(done.stdout) if done.returncode == 0 and done.stdout.strip() else 0


def icon_file(*, is_windows: bool = os.name == "nt") -> str:
    """An icon in the format of Windows or of macOS; that of this system unless another is named."""
    WORK.mkdir(parents=True, exist_ok=True)
    file = WORK / ("scrubjay.ico" if is_windows else "scrubjay.icns")
    file.write_bytes(icons.ico() if is_windows else icons.icns())
    return str(file)


def windows_resource() -> str:
    """A file with the version resource in PyInstaller's notation."""
    WORK.mkdir(parents=True, exist_ok=True)
    file = WORK / "version.txt"
    file.write_text(windows_resource_text(version()), encoding="utf-8")
    return str(file)


def four_numbers(number: str) -> tuple[int, ...]:
    """A version as Windows wants it; what follows the numbers, such as rc1, is dropped."""
    release = re.match(r"\d+(?:\.\d+)*", number)
    if release is None:
        raise ValueError(f"A version begins with a number, but this is {number}.")
    parts = [int(part) for part in release[0].split(".")]
    return tuple([*parts, 0, 0, 0, 0][:4])


def windows_resource_text(number: str) -> str:
    """The version resource, with the four numbers that Windows wants."""
    four = four_numbers(number)
    strings = {
        "CompanyName": "Scrubjay maintainers",
        "FileDescription": "Scrubjay",
        "FileVersion": number,
        "InternalName": "scrubjay",
        "LegalCopyright": "MIT License",
        "OriginalFilename": "scrubjay.exe",
        "ProductName": "Scrubjay",
        "ProductVersion": number,
    }
    entries = ", ".join(f"StringStruct({key!r}, {value!r})" for key, value in strings.items())
    return (
        f"VSVersionInfo(ffi=FixedFileInfo(filevers={four}, prodvers={four}, mask=0x3F, flags=0, "
        "OS=0x40004, fileType=1, subtype=0), kids=["
        f"StringFileInfo([StringTable('040904B0', [{entries}])]), "
        "VarFileInfo([VarStruct('Translation', [0x0409, 1200])])])\n"
    )
