"""A repository of somebody else, full of files that tell when one of them was run."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

_MODULES = (
    # What Python itself looks for at its start.
    *("sitecustomize", "usercustomize"),
    # Of the standard library, needed by the children and imported late by the commands.
    *("bz2", "collections", "csv", "email", "enum", "html", "http", "logging", "queue", "re"),
    *("select", "shutil", "ssl", "subprocess", "traceback", "uuid", "xml", "zipfile"),
    # Libraries.
    *("apsw", "llama_cpp", "lxml", "mcp", "msgspec", "numpy", "pypdfium2", "uvicorn"),
)
_LIBRARIES = (
    *(
        "libstdc++.so.6",
        "libgcc_s.so.1",
        "libpython3.11.so.1.0",
        "libsqlite3.so.0",
        "libssl.so.3",
        "libz.so.1",
    ),
    *("libQt6Core.so.6", "libX11.so.6", "libllama.so", "libggml.so", "libgomp.so.1"),
    *("vec0.so", "cksumvfs.so", "libpdfium.so", "_ctypes.so", "apsw.so", "msgspec.so"),
)
_LIBRARY = """
#include <stdio.h>
__attribute__((constructor)) static void tell(void) {
    FILE *told = fopen(TOLD, "a");
    if (told) { fputs("library\\n", told); fclose(told); }
}
"""
_PROGRAMS = ("code", "gcc", "git", "ldconfig", "node", "qmd", "xdg-mime", "xdg-open")
_SETTINGS = """\
SCRUBJAY_HOME={folder}/other-home
OPENAI_API_KEY=sk-planted
PYTHONPATH={folder}
MCP_DEBUG=true
"""


class PlantedFolder(Struct, frozen=True):
    """The folder, and where its files tell what was run."""

    folder: Path
    told: Path

    def executed(self) -> str:
        """One line for each file that was run; empty for none."""
        return self.told.read_text(encoding="utf-8") if self.told.exists() else ""

    def hostile(self, **variables: str) -> dict[str, str]:
        """An environment in which PATH has the current folder, as some people's has."""
        path = os.pathsep.join(["", ".", os.environ["PATH"]])
        return {**os.environ, "PATH": path, **variables}


def plant(folder: Path, told: Path) -> PlantedFolder:
    """Fill a folder. Its files have no other effect, so that nobody would notice."""
    folder.mkdir(parents=True, exist_ok=True)
    module = f"open({str(told)!r}, 'a').write(f'module {{__name__}}\\n')\n"
    for name in _MODULES:
        (folder / f"{name}.py").write_text(module, encoding="utf-8")
    for package in ("scrubjay", "scrubjay_desktop"):
        (folder / package).mkdir()
        (folder / package / "__init__.py").write_text(module, encoding="utf-8")
        (folder / package / "__main__.py").write_text(module, encoding="utf-8")
    for name in _PROGRAMS:
        program = folder / name
        program.write_text(f"#!/bin/sh\necho program {name} >> '{told}'\n", encoding="utf-8")
        program.chmod(0o755)
    plant_libraries(folder, told)
    (folder / "code.cmd").write_text(f'@echo program code.cmd >> "{told}"\r\n', encoding="utf-8")
    (folder / ".env").write_text(_SETTINGS.format(folder=folder), encoding="utf-8")
    (folder / "pyvenv.cfg").write_text(f"home = {Path(sys.executable).parent}\n", encoding="utf-8")
    (folder / "qt.conf").write_text("[Paths]\nPlugins = .\n", encoding="utf-8")
    return PlantedFolder(folder, told)


def plant_libraries(folder: Path, told: Path, names: Sequence[str] = _LIBRARIES) -> None:
    """Put libraries for programs and for Python there, where there is a compiler."""
    compiler = shutil.which("cc")
    if compiler is None:
        return
    first = folder / names[0]
    words = ["-x", "c", "-", "-shared", "-fPIC", f'-DTOLD="{told}"', "-o", str(first)]
    subprocess.run([compiler, *words], input=_LIBRARY, text=True, check=True)
    for name in names[1:]:
        shutil.copy(first, folder / name)
