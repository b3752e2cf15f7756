"""NOTICE and the data of the licences page, made from the content of a bundle."""

from __future__ import annotations

import importlib.metadata
import re
import subprocess
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from msgspec.structs import replace
from PyInstaller.archive.readers import ZlibArchiveReader

import first_step
from scrubjay.platform.licences import (
    DATA_FILE,
    Component,
    data_file_text,
    normalized_name,
    package_component,
)
from scrubjay.text.secret_rules import published_rules

ROOT = Path(__file__).resolve().parents[1]
TEXTS = ROOT / "resources" / "licences"
_OWN = {"scrubjay", "scrubjay_desktop"}
_PYTHON_OR_START = re.compile(r"_?pyi|python3|Python\.framework$|_sysconfigdata")
"""Names of PyInstaller's own modules, and of those of Python that are in no list. The framework is
Python itself on macOS."""

HEAD = """\
Scrubjay is under the MIT License (see LICENSE). It is delivered with the works below, each under
its own terms, whose texts follow the list.

Qt, PySide6 and Shiboken are used under the GNU Lesser General Public License, version 3. You may
replace them: they are ordinary files in the folder `_internal/PySide6` (on macOS
`Contents/Frameworks/PySide6`). Build or download the same version of Qt for Python, change what
you like, and put the libraries of the same names there; Scrubjay loads whatever it finds. The same
holds for every other library of this folder. The sources are at
https://download.qt.io/official_releases/QtForPython/ and https://download.qt.io/official_releases/qt/.
Works of third parties inside Qt are listed at https://doc.qt.io/qt-6/licenses-used-in-qt.html.
"""

PARTS = {
    "pyside6-essentials": (
        Component("Qt", "", "LGPL-3.0-only", "https://www.qt.io", ()),
        Component("ICU (in Qt)", "", "ICU", "https://icu.unicode.org", ()),
    ),
    "apsw": (Component("SQLite (in apsw)", "", "blessing", "https://sqlite.org", ()),),
    "llama-cpp-python": (
        Component("llama.cpp with ggml", "", "MIT", "https://github.com/ggml-org/llama.cpp", ()),
    ),
    "pi-heif": (
        Component("libheif", "", "LGPL-3.0-or-later", "https://github.com/strukturag/libheif", ()),
        Component(
            "libde265", "", "LGPL-3.0-or-later", "https://github.com/strukturag/libde265", ()
        ),
    ),
    "rapidocr": (
        Component(
            "PP-OCRv6 (models that read pictures)",
            "",
            "Apache-2.0",
            "https://github.com/PaddlePaddle/PaddleOCR",
            (),
        ),
    ),
}
"""Works of others inside a Python package."""

_OPENSSL = Component("OpenSSL", "", "Apache-2.0", "https://openssl.org", ())
_LIBFFI = Component("libffi", "", "MIT", "https://sourceware.org/libffi/", ())
_SQLITE = Component("SQLite (of Python)", "", "blessing", "https://sqlite.org", ())
WINDOWS_LIBRARIES: dict[str, Component | None] = {
    r"python3\d*": None,  # listed as Python
    r"(vcruntime|msvcp|concrt|vcomp)140\w*|ucrtbase|api-ms-win-.*": Component(
        "Microsoft Visual C++ runtime",
        "",
        "LicenseRef-Microsoft-redistributable",
        "https://learn.microsoft.com/cpp/windows/redistributing-visual-cpp-files",
        (),
    ),
    r"lib(crypto|ssl)-3.*": _OPENSSL,
    r"libffi-\d+": _LIBFFI,
    r"sqlite3": _SQLITE,
    r"lib(heif|de265-0)(-[0-9a-f]+)?": None,  # listed with pi-heif
    r"lib(gcc_s_seh-1|stdc\+\+-6)(-[0-9a-f]+)?": Component(
        "GCC runtime libraries",
        "",
        "GPL-3.0-or-later WITH GCC-exception-3.1",
        "https://gcc.gnu.org",
        (),
    ),
    r"libwinpthread-1(-[0-9a-f]+)?": Component(
        "winpthreads (of mingw-w64)", "", "MIT", "https://www.mingw-w64.org", ()
    ),
}
"""Libraries on Windows that belong to no Python package, by patterns of their names."""
MAC_LIBRARIES: dict[str, Component | None] = {
    r"libpython3.*": None,  # listed as Python
    r"lib(crypto|ssl)\.3": _OPENSSL,
    r"libffi\.\d+": _LIBFFI,
    r"libsqlite3.*": _SQLITE,
}
"""The same on macOS: those that come with Python."""

STANDARD_TEXTS = {
    "LGPL-3.0-only": ("LGPL-3.0.txt", "GPL-3.0.txt"),
    "LGPL-3.0-or-later": ("LGPL-3.0.txt", "GPL-3.0.txt"),
    "Apache-2.0": ("Apache-2.0.txt",),
    "ICU": ("ICU.txt",),
    "blessing": ("blessing.txt",),
}
"""Texts for components that ship none."""
LICENCES = {
    # The exception allows any terms for the program that starts a bundle.
    "pyinstaller": "GPL-2.0-or-later WITH Bootloader-exception"
}
HOMEPAGES = {"sqlite-vec": "https://github.com/asg017/sqlite-vec"}
OWN_TEXTS = {
    "llama.cpp with ggml": ("ggml.txt",),
    "onnxruntime": ("onnxruntime.txt",),
    "gitleaks (rules for secrets)": ("gitleaks.txt",),
    "GCC runtime libraries": ("GCC-exception-3.1.txt", "GPL-3.0.txt"),
    "winpthreads (of mingw-w64)": ("winpthreads.txt",),
    "libffi": ("libffi.txt",),
    "Microsoft Visual C++ runtime": ("msvc-runtime.txt",),
}
MODEL = Component(
    "all-MiniLM-L6-v2 (the built-in model)",
    "",
    "Apache-2.0",
    "https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2",
    (),
)


def write(inside: Path) -> list[str]:
    """Write NOTICE and the app's data for a bundle; returns the parts without a known licence."""
    parts, missing = gathered(inside)
    (inside / "scrubjay" / "resources" / DATA_FILE).write_text(
        data_file_text(parts), encoding="utf-8"
    )
    (inside.parent / "NOTICE").write_text(notice(parts), encoding="utf-8")
    (inside.parent / "LICENSE").write_bytes((ROOT / "LICENSE").read_bytes())
    return missing + [part.name for part in parts if not part.licence]


def gathered(inside: Path) -> tuple[list[Component], list[str]]:
    """The components of a bundle by name, and the files that belong to none."""
    names, unknown = distributions({*modules(inside), *folders(inside)})
    parts = [python()]
    for name in ["pyinstaller", *names]:
        own = package_component(name)
        parts.append(with_text(corrected(own, name)))
        parts += [with_text(replace(part, version=own.version)) for part in PARTS.get(name, ())]
    parts += [with_text(MODEL), with_text(secret_rules())]
    libraries, unowned = system_libraries(inside)
    match sys.platform:
        case "win32":
            libraries, unowned = windows_libraries(inside)
        case "darwin":
            libraries, unowned = mac_libraries(inside)
    return sorted([*parts, *libraries], key=lambda part: part.name.lower()), unknown + unowned


def modules(inside: Path) -> set[str]:
    """Top packages of the modules in the archive of a bundle."""
    archive = ZlibArchiveReader(str(inside / first_step.MODULES))
    return {module.partition(".")[0] for module in archive.toc}


def folders(inside: Path) -> set[str]:
    """Top packages that lie in a bundle as files."""
    packages = (folder.name for folder in inside.iterdir() if folder.is_dir())
    return {name for name in packages if not name.endswith(".dist-info")}


def distributions(names: Iterable[str]) -> tuple[list[str], list[str]]:
    """Installed packages that modules belong to, and the modules that belong to none."""
    owners = package_owners()
    packages: set[str] = set()
    unknown = []
    for name in sorted(names):
        if name in sys.stdlib_module_names or name in _OWN or _PYTHON_OR_START.match(name):
            continue
        if name in owners:
            packages |= {normalized_name(owner) for owner in owners[name]}
        else:
            unknown.append(name)
    return sorted(packages), unknown


def package_owners() -> dict[str, set[str]]:
    """Names of the installed packages by the modules and folders that they install."""
    owners: dict[str, set[str]] = {}
    for name, packages in importlib.metadata.packages_distributions().items():
        # pywin32 lists modules that its path file makes importable, such as `win32\\lib\\winerror`.
        module = name.replace("\\", "/").rpartition("/")[2]
        owners.setdefault(module, set()).update(packages)
    # A package that lists its modules may have folders of libraries as well.
    for distribution in importlib.metadata.distributions():
        files = distribution.files or ()
        for folder in {file.parts[0] for file in files if len(file.parts) > 1}:
            owners.setdefault(folder, set()).add(distribution.metadata["Name"])
    return owners


def system_libraries(inside: Path) -> tuple[list[Component], list[str]]:
    """Components for the building machine's libraries, and the libraries of no package."""
    names = {
        file.name
        for file in inside.glob("lib*.so*")
        # A link leads to a package that is counted already.
        if not file.is_symlink() and not file.name.startswith("libpython")
    }
    owners = _debian_packages(names) if names else {}
    parts = [_debian_component(package) for package in sorted(set(owners.values()))]
    return parts, sorted(names - owners.keys())


def windows_libraries(inside: Path) -> tuple[list[Component], list[str]]:
    """Components for a bundle's libraries that no Python package owns, and the unknown ones."""
    # Those of the compiler of llama.cpp lie beside it.
    files = [*inside.glob("*.dll"), *inside.glob("llama_cpp/lib/lib*-[0-9]*.dll")]
    return _known_libraries(files, WINDOWS_LIBRARIES)


def mac_libraries(inside: Path) -> tuple[list[Component], list[str]]:
    """The same for a bundle for macOS."""
    # A link leads to a package that is counted already.
    files = [file for file in inside.glob("*.dylib") if not file.is_symlink()]
    return _known_libraries(files, MAC_LIBRARIES)


def _known_libraries(
    files: Iterable[Path], known: Mapping[str, Component | None]
) -> tuple[list[Component], list[str]]:
    """Components for libraries by patterns of their names, and the libraries that fit none."""
    parts: dict[str, Component] = {}
    unknown = []
    for file in files:
        matching = [
            part
            for pattern, part in known.items()
            if re.fullmatch(pattern, file.stem, re.IGNORECASE)
        ]
        if not matching:
            unknown.append(file.name)
        parts |= {part.name: with_text(part) for part in matching if part}
    return list(parts.values()), sorted(unknown)


def notice(parts: Iterable[Component]) -> str:
    """Text of NOTICE: how to replace libraries, a list, and each licence text once."""
    parts = list(parts)
    names_of: dict[str, list[str]] = {}
    for part in parts:
        for text in part.texts:
            names_of.setdefault(text.strip(), []).append(part.name)
    lines = [f"- {part.name} {part.version}: {part.licence}. {part.homepage}" for part in parts]
    texts = [f"{'=' * 80}\n{', '.join(names)}\n\n{text}\n" for text, names in names_of.items()]
    return "\n".join([HEAD, *lines, "", *texts])


def corrected(part: Component, name: str) -> Component:
    """The component with the facts that its metadata lack."""
    return replace(
        part, licence=LICENCES.get(name, part.licence), homepage=HOMEPAGES.get(name, part.homepage)
    )


def with_text(part: Component) -> Component:
    """The component with the standard text where its authors ship none."""
    if part.texts:
        return part
    licence = part.licence.partition(" ")[0]
    files = OWN_TEXTS.get(part.name) or STANDARD_TEXTS.get(licence, ())
    return replace(part, texts=tuple(_text(name) for name in files))


def secret_rules() -> Component:
    """The rules of another program that tell secrets."""
    source = published_rules().source
    return Component(
        f"{source['name']} (rules for secrets)",
        source["version"],
        source["licence"],
        source["homepage"],
        (),
    )


def python() -> Component:
    """Python itself."""
    terms = Path(sysconfig.get_path("stdlib")) / "LICENSE.txt"
    text = terms.read_text(encoding="utf-8") if terms.exists() else ""
    version = sys.version.partition(" ")[0]
    return Component("Python", version, "PSF-2.0", "https://www.python.org", (text,))


def _text(name: str) -> str:
    return (TEXTS / name).read_text(encoding="utf-8")


def _debian_packages(libraries: Iterable[str]) -> dict[str, str]:
    done = subprocess.run(
        ["dpkg-query", "--search", *(f"*/{library}" for library in libraries)],
        capture_output=True,
        text=True,
        check=False,
    )
    lines = (line.split(": ", 1) for line in done.stdout.splitlines())
    return {Path(file).name: packages.partition(":")[0] for packages, file in lines}


def _debian_component(package: str) -> Component:
    terms = Path("/usr/share/doc") / package / "copyright"
    done = subprocess.run(
        ["dpkg-query", "--show", "--showformat=${Version}", package],
        capture_output=True,
        text=True,
        check=True,
    )
    text = terms.read_text(encoding="utf-8", errors="replace")
    homepage = f"https://packages.debian.org/{package}"
    return Component(package, done.stdout, "see its text", homepage, (text,))


def _lines(inside: Path) -> Iterator[str]:
    parts, missing = gathered(inside)
    yield from (f"{part.name} {part.version}: {part.licence}" for part in parts)
    yield from (f"{name}: no known licence" for name in missing)


if __name__ == "__main__":
    print("\n".join(_lines(Path(sys.argv[1]) / "_internal")))
