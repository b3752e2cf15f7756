"""A folder whose file system ignores case: a small NTFS in a file, where it can be mounted."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

_SIZE = 8 * 2**20


@pytest.fixture
def case_blind(tmp_path: Path) -> Iterator[Path]:
    """An empty folder in which `Private` and `private` are one name."""
    if (tmp_path / "CaSe").mkdir() or (tmp_path / "case").exists():
        yield tmp_path
        return
    programs = [shutil.which(name, path="/usr/sbin:/usr/bin") for name in ("mkntfs", "lowntfs-3g")]
    if None in programs or not Path("/dev/fuse").exists() or os.geteuid():
        pytest.skip("no file system that ignores case can be had (package ntfs-3g, as root)")
    make, mount = map(str, programs)
    image, folder = tmp_path / "disk", tmp_path / "mounted"
    image.write_bytes(b"")
    os.truncate(image, _SIZE)
    folder.mkdir()
    subprocess.run([make, "-F", "-Q", "-q", image], check=True, capture_output=True)
    words = [mount, "-o", "ignore_case", image, folder]
    if subprocess.run(words, check=False, capture_output=True).returncode:
        pytest.skip("this computer mounts nothing")
    try:
        yield folder
    finally:
        # A thread of the program may still hold a folder of it.
        subprocess.run(["umount", "--lazy", folder], check=True)
