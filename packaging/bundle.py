"""Builds dist/scrubjay, a folder that runs without Python: `python packaging/bundle.py [FOLDER]`.

The output of PyInstaller is made smaller and reproducible. Every part must have a known licence.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import first_step
import notices
import pruning
import under_wine
import versions
from scrubjay.platform.licences import DATA_FILE

ROOT = Path(__file__).resolve().parents[1]
DIST = ROOT / "dist"
IS_LINUX = sys.platform.startswith("linux")


def main(arguments: list[str]) -> int:
    """Build into the folder that is named, else into dist/scrubjay."""
    target = Path(arguments[0]).absolute() if arguments else DIST / "scrubjay"
    build(target)
    inside = target / "_internal"
    if IS_LINUX:
        finish(target)
    elif under_wine.is_wine():
        under_wine.remove_stand_ins(inside)
    if inside.is_dir():
        missing = notices.write(inside)
        if missing:
            print("Without a known licence: " + ", ".join(missing), file=sys.stderr)
            return 1
    if (app := target.with_name("Scrubjay.app")).is_dir():
        copy_notices(target, app)
    whole, without = megabytes(target), megabytes(target, without=".gguf")
    print(f"{target}: {whole:.0f} MB, {without:.0f} MB of it without the model")
    return 0


def build(target: Path) -> None:
    """Let PyInstaller collect everything."""
    work = ROOT / "build" / f"pyinstaller-{sys.platform}"
    subprocess.run(
        [
            sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN",
            "--distpath", str(target.parent), "--workpath", str(work),
            str(ROOT / "packaging" / "scrubjay.spec"),
        ],
        check=True,
        cwd=ROOT,
        env={
            **os.environ,
            "SCRUBJAY_BUNDLE": target.name,
            "SOURCE_DATE_EPOCH": str(versions.source_date()),
            # The order of sets would get into the compiled code.
            "PYTHONHASHSEED": "0",
        },
    )  # fmt: skip


def finish(target: Path) -> None:
    """On Linux: no second copies, no debugging symbols, and the sizes of what must be whole."""
    inside = target / "_internal"
    # The app is the same program under another name.
    link(target / "scrubjay-desktop", "scrubjay")
    for library in sorted(inside.rglob("*.so")):
        for numbered in sorted(library.parent.glob(f"{library.name}.*")):
            if same(library, numbered):
                link(library, numbered.name)
                break
    for library in libraries(inside):
        if pruning.is_stripped(library.relative_to(inside).as_posix()):
            subprocess.run(["strip", "--strip-unneeded", str(library)], check=True)
    checked = (inside / first_step.MODULES, *libraries(inside))
    sizes = (f"{file.stat().st_size} {file.relative_to(inside)}\n" for file in checked)
    (inside / first_step.SIZES).write_text("".join(sizes), encoding="utf-8")


def copy_notices(bundle: Path, app: Path) -> None:
    """Copy the notices of a folder into the app of macOS."""
    resources = app / "Contents" / "Resources"
    data = Path("scrubjay") / "resources" / DATA_FILE
    shutil.copy(bundle / "_internal" / data, resources / data)
    for name in ("NOTICE", "LICENSE"):
        shutil.copy(bundle / name, resources / name)


def libraries(inside: Path) -> Iterator[Path]:
    """Every library in a bundle, once."""
    for file in sorted(inside.rglob("*.so*")):
        if file.is_file() and not file.is_symlink():
            yield file


def link(place: Path, target: str) -> None:
    """Put a link where a file was, or is to be."""
    place.unlink(missing_ok=True)
    place.symlink_to(target)


def same(first: Path, second: Path) -> bool:
    """Whether two files are equal, and neither is a link yet."""
    if first.is_symlink() or second.is_symlink():
        return False
    sizes = {first.stat().st_size, second.stat().st_size}
    return len(sizes) == 1 and first.read_bytes() == second.read_bytes()


def megabytes(folder: Path, without: str = "\0") -> float:
    """Size of all files; links count nothing."""
    files = (file for file in folder.rglob("*") if file.is_file() and not file.is_symlink())
    return sum(file.stat().st_size for file in files if file.suffix != without) / 1e6


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
