"""Info.plist of the app for macOS, and the translations of its sentences.

Each key has a page below https://developer.apple.com/documentation/bundleresources/information-property-list/
whose last part is the name of the key in lowercase.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import versions
from scrubjay.platform.installation import APP_ID

STRINGS = "InfoPlist.strings"
"""File with the sentences of one language, in a folder such as `es.lproj` of the app."""
_COPYRIGHT = "Copyright © 2026 Scrubjay contributors. MIT License."
_ENGLISH = "Scrubjay searches the notes in the folders that you add. One of them is {place}."
_SPANISH = "Scrubjay busca en las notas de las carpetas que añades. Una de ellas está {place}."
_PLACES = {
    "NSDesktopFolderUsageDescription": ("on your desktop", "en el escritorio"),
    "NSDocumentsFolderUsageDescription": ("in Documents", "en Documentos"),
    "NSDownloadsFolderUsageDescription": ("in Downloads", "en Descargas"),
    "NSRemovableVolumesUsageDescription": ("on a removable drive", "en una unidad extraíble"),
    "NSNetworkVolumesUsageDescription": ("on a network drive", "en una unidad de red"),
    "NSFileProviderDomainUsageDescription": ("in cloud storage", "en la nube"),
    "NSAppDataUsageDescription": (
        "among the files of another app",
        "entre los archivos de otra app",
    ),
}
"""Places for which macOS asks the person before an app may read there, in both languages."""


def info_plist() -> dict[str, Any]:
    """Info.plist of the app, without the entries that PyInstaller writes itself."""
    return {
        "CFBundleIdentifier": APP_ID,
        "CFBundleName": "Scrubjay",
        "CFBundleDisplayName": "Scrubjay",
        "CFBundleExecutable": "scrubjay-desktop",
        "CFBundleShortVersionString": bundle_version(versions.version()),
        "CFBundleVersion": bundle_version(versions.version()),
        "CFBundleDevelopmentRegion": "en",
        "CFBundleLocalizations": ["en", "es"],
        "LSApplicationCategoryType": "public.app-category.productivity",
        # That of Qt for Python's own libraries, which were built for a newer system than the wheel
        # says. `mach_o.py` fails where a library needs a newer one.
        "LSMinimumSystemVersion": "15.0",
        # It has a window, so it belongs in the Dock. The icon in the menu bar is an addition.
        "LSUIElement": False,
        # PyInstaller would keep an app with a program for terminals out of the Dock, if that one
        # came last in the recipe.
        "LSBackgroundOnly": False,
        "NSHighResolutionCapable": True,
        "NSSupportsAutomaticGraphicsSwitching": True,
        "NSHumanReadableCopyright": _COPYRIGHT,
        **usage_descriptions("en"),
    }


def bundle_version(number: str) -> str:
    """A version as macOS wants it: three numbers, without what follows them, such as rc1."""
    return ".".join(map(str, versions.four_numbers(number)[:3]))


def usage_descriptions(language: str) -> dict[str, str]:
    """The sentences that macOS shows when it asks whether Scrubjay may read in a place."""
    match language:
        case "es":
            return {key: _SPANISH.format(place=spanish) for key, (_, spanish) in _PLACES.items()}
        case _:
            return {key: _ENGLISH.format(place=english) for key, (english, _) in _PLACES.items()}


def write_strings(folder: Path) -> list[tuple[str, str]]:
    """Write the sentences in each language; the result is what PyInstaller adds to the app."""
    added: list[tuple[str, str]] = []
    for language in info_plist()["CFBundleLocalizations"]:
        place = f"{language}.lproj"
        file = folder / place / STRINGS
        file.parent.mkdir(parents=True, exist_ok=True)
        lines = [f'"{key}" = "{text}";\n' for key, text in usage_descriptions(language).items()]
        file.write_text("".join(lines), encoding="utf-8")
        added.append((str(file), place))
    return added
