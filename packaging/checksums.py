"""Collects the files of a release in dist/packages, each with its SHA-256 and list of parts.

Usage: checksums.py [DIST].
"""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import sbom
from scrubjay.platform.licences import DATA_FILE, Component, list_components

ROOT = Path(__file__).resolve().parents[1]
ENDINGS = (".deb", ".tar.gz", ".dmg", ".exe", ".zip", ".mcpb")
AGENT_BUNDLES = (
    "-claude-code.zip", "-claude-code-windows.zip", "-gemini-cli.zip", "-gemini-cli-windows.zip",
    ".mcpb",
)  # fmt: skip
"""Endings of bundles for agents, which start the installed program and contain no parts."""
WINDOWS_PACKAGES = ("-setup.exe", "-windows-portable.zip")
"""Endings of the packages for Windows, which Linux makes of a bundle in a folder of its own."""


def main(arguments: list[str]) -> int:
    """Collect from dist or the named folder."""
    dist = Path(arguments[0]) if arguments else ROOT / "dist"
    target = dist / "packages"
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    for package in packages(dist):
        text = json.dumps(sbom.bill(parts(dist, package)), indent=2, ensure_ascii=False)
        copy = target / package.name
        shutil.copy(package, copy)
        with copy.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        # Bytes, because sha256sum takes the line ends of Windows for a part of the name.
        copy.with_name(f"{copy.name}.sha256").write_bytes(f"{digest}  {copy.name}\n".encode())
        copy.with_name(f"{copy.name}.cdx.json").write_text(text, encoding="utf-8")
        print(f"{digest}  {copy.name}  {copy.stat().st_size / 1e6:.1f} MB")
    return 0


def parts(dist: Path, package: Path) -> tuple[Component, ...]:
    """What a package contains of others, as the bundle that it was made of says."""
    if package.name.endswith(AGENT_BUNDLES):
        return ()
    bundle = dist / "windows"
    if not package.name.endswith(WINDOWS_PACKAGES) or not bundle.is_dir():
        bundle = dist / "scrubjay"
    return list_components(next(bundle.rglob(DATA_FILE)).parent)


def packages(dist: Path) -> Iterator[Path]:
    """Files that people install."""
    yield from (file for file in sorted(dist.iterdir()) if file.name.endswith(ENDINGS))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
