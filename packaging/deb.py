"""Make a .deb of a bundle: `python packaging/deb.py [BUNDLE] [TARGET]`."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from email.utils import formatdate
from pathlib import Path

import linux_desktop as desktop
import versions
from bundle import libraries
from notices import system_libraries

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = Path("usr/lib/scrubjay")
LOADED_BY_NAME = ("libdbus-1-3", "libfontconfig1")
"""Packages of libraries that are loaded while the program runs, so that no file names them."""
_MINIMAL = "Source: scrubjay\n\nPackage: scrubjay\nArchitecture: any\n"
RECOMMENDED = ("gnome-keyring | kwalletmanager | keepassxc", "fonts-noto-core | fonts-dejavu-core")
"""For API keys, and for letters of the whole world."""


def main(arguments: list[str]) -> int:
    """Pack dist/scrubjay into dist, or the named bundle into the named folder."""
    bundle = Path(arguments[0] if arguments else ROOT / "dist/scrubjay")
    target = Path(arguments[1] if len(arguments) > 1 else ROOT / "dist")
    print(build(bundle, target))
    return 0


def build(bundle: Path, target: Path) -> Path:
    """Write the package into a folder; returns its path."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "root"
        stage(bundle, root)
        control(root)
        tidy(root)
        file = target / f"scrubjay_{versions.version()}_{architecture()}.deb"
        subprocess.run(
            ["dpkg-deb", "--build", "--root-owner-group", "-Zzstd", "-z9", str(root), str(file)],
            check=True,
            stdout=subprocess.DEVNULL,
            env={**os.environ, "SOURCE_DATE_EPOCH": str(versions.source_date())},
        )
    return file


def stage(bundle: Path, root: Path) -> None:
    """Put everything where it will be installed."""
    shutil.copytree(bundle, root / PROGRAM, symlinks=True)
    documents = root / "usr/share/doc/scrubjay"
    documents.mkdir(parents=True)
    desktop.packed(documents / "changelog.gz", changelog())
    desktop.write(documents / "copyright", copyright_file())
    desktop.packed(documents / "NOTICE.gz", (root / PROGRAM / "NOTICE").read_text("utf-8"))
    for name in ("NOTICE", "LICENSE"):
        (root / PROGRAM / name).unlink()
    desktop.share(root / "usr/share")
    desktop.activatable(root / "usr/share", "/usr/bin/scrubjay-desktop")
    overrides = (ROOT / "packaging/linux/lintian-overrides").read_text(encoding="utf-8")
    desktop.write(root / "usr/share/lintian/overrides/scrubjay", overrides)
    (root / "usr/bin").mkdir(parents=True)
    for name in ("scrubjay", "scrubjay-desktop"):
        (root / "usr/bin" / name).symlink_to(f"../lib/scrubjay/{name}")


def control(root: Path) -> None:
    """Write the control files of dpkg."""
    kilobytes = sum(file.lstat().st_size for file in root.rglob("*") if file.is_file()) // 1024
    fields = {
        "Package": "scrubjay",
        "Version": versions.version(),
        "Architecture": architecture(),
        "Maintainer": desktop.MAINTAINER,
        "Installed-Size": str(kilobytes),
        "Depends": ", ".join(dependencies(root / PROGRAM)),
        "Recommends": ", ".join(RECOMMENDED),
        "Section": "utils",
        "Priority": "optional",
        "Description": "find notes by their words and by their meaning\n"
        " Scrubjay searches Markdown notes and the memory of agents on this computer\n"
        " as you type: by words with SQLite, and by meaning with a small model that is\n"
        " built in. It has a window, a popup, a command line and a server for agents.",
    }
    text = "".join(f"{name}: {value}\n" for name, value in fields.items())
    desktop.write(root / "DEBIAN/control", text)
    desktop.write(root / "DEBIAN/md5sums", "".join(sums(root)))


def dependencies(program: Path) -> list[str]:
    """Packages of the libraries that the bundle takes from the system, with their versions."""
    inside = program / "_internal"
    private = sorted({str(library.parent) for library in libraries(inside)})
    bundled = {package.name for package in system_libraries(inside)[0]}
    with tempfile.TemporaryDirectory() as folder:
        # The tool reads the name of the package from here.
        desktop.write(Path(folder) / "debian/control", _MINIMAL)
        done = subprocess.run(
            [
                "dpkg-shlibdeps", "-O", "--ignore-missing-info",
                *(f"-l{folder}" for folder in private),
                *(f"-x{name}" for name in bundled),
                *(f"-e{file}" for file in (program / "scrubjay", *libraries(inside))),
            ],
            cwd=folder,
            capture_output=True,
            text=True,
            check=True,
        )  # fmt: skip
    match = re.search(r"^shlibs:Depends=(.*)$", done.stdout, re.MULTILINE)
    if match is None:
        raise ValueError(f"dpkg-shlibdeps said nothing of use: {done.stdout}")
    packages = [package.strip() for package in match.group(1).split(",")]
    missing = {*LOADED_BY_NAME} - {package.partition(" ")[0] for package in packages}
    return sorted({*packages, *missing})


def sums(root: Path) -> Iterator[str]:
    """Lines of md5sums."""
    for file in sorted((root / "usr").rglob("*")):
        if file.is_file() and not file.is_symlink():
            digest = hashlib.md5(file.read_bytes(), usedforsecurity=False).hexdigest()
            yield f"{digest}  {file.relative_to(root)}\n"


def tidy(root: Path) -> None:
    """Rights as a package has them, and the time of the source on everything."""
    moment = versions.source_date()
    for place in [root, *root.rglob("*")]:
        if not place.is_symlink():
            runs = place.is_dir() or place == root / PROGRAM / "scrubjay"
            place.chmod(0o755 if runs else 0o644)
        os.utime(place, (moment, moment), follow_symlinks=False)


def changelog() -> str:
    """One entry: this version."""
    when = formatdate(versions.source_date(), localtime=False)
    return (
        f"scrubjay ({versions.version()}) stable; urgency=low\n\n"
        f"  * Version {versions.version()}.\n\n"
        f" -- {desktop.MAINTAINER}  {when}\n"
    )


def copyright_file() -> str:
    """The terms of Scrubjay, and where those of everything else are."""
    terms = (ROOT / "LICENSE").read_text(encoding="utf-8")
    # The format wants a dot on an empty line.
    body = "".join(f" {line}\n" if line else " .\n" for line in terms.splitlines())
    return (
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n"
        "Upstream-Name: Scrubjay\n"
        "Comment: The works that are delivered with it, and their terms, are listed in\n"
        " /usr/share/doc/scrubjay/NOTICE.gz. The texts of the GNU licences are also in\n"
        " /usr/share/common-licenses/LGPL-3 and /usr/share/common-licenses/GPL-3, the\n"
        " Apache License is in /usr/share/common-licenses/Apache-2.0.\n\n"
        "Files: *\n"
        "Copyright: 2026 Scrubjay maintainers\n"
        f"License: Expat\n{body}"
    )


def architecture() -> str:
    """Debian's name of this machine's kind."""
    done = subprocess.run(
        ["dpkg", "--print-architecture"], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
