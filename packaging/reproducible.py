"""Compare two builds of one commit: `python packaging/reproducible.py FIRST SECOND`.

Both are folders: bundles, unpacked packages, or all of `dist` with the packages in it. Each file
that differs is printed. The exit code is 1 unless all of them are on the list below.
"""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ALLOWED: dict[str, str] = {}
"""Patterns of paths that may differ, and why."""


def main(arguments: list[str]) -> int:
    """Print the differing paths."""
    first, second = map(Path, arguments)
    paths = sorted(differences(first, second))
    strange = [path for path in paths if not any(re.search(each, path) for each in ALLOWED)]
    for path in paths:
        print(f"{path}: {'not expected' if path in strange else 'on the list'}")
    print(f"{len(paths)} of {len(content(first))} files differ, {len(strange)} unexpectedly.")
    return 1 if strange else 0


def differences(first: Path, second: Path) -> Iterator[str]:
    """Paths inside that are not the same in both, or only in one."""
    left, right = content(first), content(second)
    yield from (path for path in left.keys() | right.keys() if left.get(path) != right.get(path))


def content(folder: Path) -> dict[str, str]:
    """State of each path inside: kind, mode, and the digest or the target of a link."""
    return {str(place.relative_to(folder)): state(place) for place in folder.rglob("*")}


def state(place: Path) -> str:
    """A text that is equal for equal things."""
    if place.is_symlink():
        return f"link to {place.readlink()}"
    rights = oct(place.stat().st_mode)
    if place.is_dir():
        return rights
    with place.open("rb") as file:
        return f"{rights} {hashlib.file_digest(file, 'sha256').hexdigest()}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
