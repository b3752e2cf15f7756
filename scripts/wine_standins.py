"""Compiles what the Windows Python lacks under Wine: its programs, and functions of Windows.

The sources are in packaging/windows/wine, and mingw-w64 compiles them. Standard library only.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

SOURCES = Path(__file__).resolve().parents[1] / "packaging" / "windows" / "wine"

_GCC = "x86_64-w64-mingw32-gcc"
_WINDRES = "x86_64-w64-mingw32-windres"
_OBJDUMP = "x86_64-w64-mingw32-objdump"
MATH = b"api-ms-win-crt-math-l1-1-0.dll"
"""Library whose complex functions are empty in Wine. numpy calls them when it is imported."""
OWN_MATH = b"scj-ms-win-crt-math-l1-1-0.dll"
"""Written over the other name in numpy's libraries, so it has as many letters."""
RANDOM = "bcryptprimitives.dll"
ENCODINGS = "icuuc.dll"
QT = "PySide6"
"""Folder of Qt's libraries, one of which takes the encodings from its own folder."""


def make_programs(python: Path, work: Path) -> None:
    """Make python.exe, pythonw.exe and python3.dll for the interpreter in a folder."""
    resources = work / "resources.o"
    manifest = f'1 24 "{SOURCES / "python.manifest"}"'
    _run([_WINDRES, "-O", "coff", "-o", str(resources)], manifest)
    interpreter = python / "python311.dll"
    program = [_GCC, "-O1", "-municode", str(SOURCES / "python.c"), str(interpreter)]
    program.append(str(resources))
    _run([*program, "-o", str(python / "python.exe")])
    _run([*program, "-DWINDOWED", "-mwindows", "-o", str(python / "pythonw.exe")])
    # Modules of the stable interface import python3.dll, which passes everything on.
    passed_on = {name: f"python311.{name}" for name in _exports(interpreter)}
    _make_library(python / "python3.dll", [], passed_on, work)


def make_functions(python: Path, packages: Path, work: Path) -> None:
    """Make the libraries of Windows that Wine 8 lacks, or has with empty functions."""
    source = str(SOURCES / "random.c")
    _run([_GCC, "-shared", "-o", str(python / RANDOM), source, "-ladvapi32"])
    qt = packages / QT
    names = _imports(qt / "Qt6Core.dll", ENCODINGS)
    encodings = dict.fromkeys(names, "absent") | {"ucnv_open": "ucnv_open"}
    for folder in (python, qt):
        _make_library(folder / ENCODINGS, [SOURCES / "icu.c"], encodings, work)
    _make_complex_math(python, packages / "numpy", work)


def _make_complex_math(python: Path, numpy: Path, work: Path) -> None:
    """Let numpy use our functions for complex numbers, and those of Wine for the rest."""
    source = SOURCES / "complex_math.c"
    ours = set(re.findall(r"\b(?:OF_ONE|OF_TWO|REAL)\((c\w+)\)", source.read_text("ascii")))
    rename_math(numpy, MATH, OWN_MATH)
    names: set[str] = set()
    for library in numpy.rglob("*.pyd"):
        names |= _imports(library, OWN_MATH.decode())
    targets = {}
    for name in names:
        is_ours = name in ours or name[:-1] in ours
        targets[name] = f"own_{name}" if is_ours else f"ucrtbase.{name}"
    _make_library(python / OWN_MATH.decode(), [source], targets, work)


def rename_math(numpy: Path, name: bytes, other: bytes) -> None:
    """Let numpy's libraries ask for a library by another name of the same length."""
    for library in numpy.rglob("*.pyd"):
        content = library.read_bytes()
        if name in content:
            library.write_bytes(content.replace(name, other))


def _make_library(target: Path, sources: list[Path], exports: dict[str, str], work: Path) -> None:
    """Link a library; exports: the name of each function, and what it leads to."""
    definition = work / f"{target.stem}.def"
    lines = [f"  {name} = {exports[name]}" for name in sorted(exports)]
    text = "\n".join([f"LIBRARY {target.name}", "EXPORTS", *lines, ""])
    definition.write_text(text, encoding="ascii")
    link = [_GCC, "-O1", "-shared", "-static-libgcc", "-o", str(target)]
    _run([*link, *map(str, sources), str(definition)])


def _exports(library: Path) -> list[str]:
    """Names that a library offers."""
    listing = _run([_OBJDUMP, "-p", str(library)])
    table = listing.partition("[Ordinal/Name Pointer] Table")[2]
    return re.findall(r"^\s+\[ *\d+\].*?([A-Za-z_]\w*)$", table, re.MULTILINE)


def _imports(library: Path, source: str) -> set[str]:
    """Names that a library takes from another."""
    listing = _run([_OBJDUMP, "-p", str(library)])
    parts = re.split(r"^\s*DLL Name: ", listing, flags=re.MULTILINE)
    names: set[str] = set()
    for part in parts[1:]:
        if part.splitlines()[0].strip().lower() == source:
            names |= set(re.findall(r"^\t[0-9a-f]+\t +\d+  (\w+)", part, re.MULTILINE))
    return names


def _run(command: list[str], text: str = "") -> str:
    """Output of a command. Raises CalledProcessError."""
    done = subprocess.run(command, input=text, stdout=subprocess.PIPE, check=True, text=True)
    return done.stdout
