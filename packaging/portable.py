"""Make a portable archive of a bundle: `python packaging/portable.py [BUNDLE] [TARGET]`.

The unpacked program keeps settings, index and models in a folder next to itself.
"""

from __future__ import annotations

import gzip
import io
import platform
import shutil
import sys
import tarfile
from pathlib import Path

import linux_desktop as desktop
import versions
from scrubjay.platform.paths import PORTABLE_FLAG

ROOT = Path(__file__).resolve().parents[1]

README = """\
Scrubjay {version}, portable

To open the window, start ./scrubjay-desktop. In a terminal, use ./scrubjay.

As long as the file {flag} is here, Scrubjay keeps its files in the folder scrubjay-home next
to it. If you delete {flag}, Scrubjay uses the folders of your account instead. Keys of
services are always kept in the keychain of the computer.

Scrubjay needs a desktop with X11 or Wayland, glibc 2.36 or newer, and the libraries that every
desktop has (GLib, D-Bus, fontconfig, OpenGL, xkbcommon).

To add Scrubjay to the menu of your desktop, copy the content of the folder share to ~/.local/share,
and write the full path of scrubjay-desktop after Exec= in the copied desktop entry.
"""


def main(arguments: list[str]) -> int:
    """Pack dist/scrubjay into dist, or the named bundle into the named folder."""
    bundle = Path(arguments[0] if arguments else ROOT / "dist/scrubjay")
    target = Path(arguments[1] if len(arguments) > 1 else ROOT / "dist")
    print(build(bundle, target))
    return 0


def build(bundle: Path, target: Path) -> Path:
    """Write the archive into a folder; returns its path."""
    name = f"scrubjay-{versions.version()}-linux-{platform.machine()}"
    file = target / f"{name}.tar.gz"
    share = ROOT / "build/packaging/share"
    shutil.rmtree(share, ignore_errors=True)
    desktop.share(share)
    with (
        file.open("wb") as raw,
        gzip.GzipFile(filename="", mode="wb", fileobj=raw, compresslevel=9, mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive,
    ):
        for place in sorted(bundle.rglob("*")):
            archive.add(place, f"{name}/{place.relative_to(bundle)}", False, filter=plain)
        for place in sorted(share.rglob("*")):
            archive.add(place, f"{name}/share/{place.relative_to(share)}", False, filter=plain)
        add_text(archive, f"{name}/{PORTABLE_FLAG}", "")
        readme = README.format(version=versions.version(), flag=PORTABLE_FLAG)
        add_text(archive, f"{name}/README.txt", readme)
    return file


def add_text(archive: tarfile.TarFile, name: str, text: str) -> None:
    """Add a file that is on no disk."""
    entry = tarfile.TarInfo(name)
    entry.size = len(text.encode())
    archive.addfile(plain(entry), io.BytesIO(text.encode()))


def plain(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    """The entry without owner, with the time of the source and one of two modes."""
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    entry.mtime = versions.source_date()
    entry.mode = 0o755 if entry.isdir() or entry.mode & 0o100 else 0o644
    return entry


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
