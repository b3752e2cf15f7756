"""The system packages that Scrubjay needs, and how to install them. Standard library only."""

from __future__ import annotations

import ctypes
import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Need:
    """Something that has to be on the machine. Exactly one way of looking for it is set."""

    package: str
    """Its name on Debian and Ubuntu."""
    library: str = ""
    program: str = ""
    file: str = ""
    module: str = ""
    """Of the Python that runs this script."""

    @property
    def is_met(self) -> bool:
        """Whether the thing itself is there, however it was installed."""
        if self.library:
            return _loads(self.library)
        if self.program:
            return shutil.which(self.program) is not None
        if self.module:
            return importlib.util.find_spec(self.module) is not None
        return Path(self.file).exists()


COMPILER = (Need("gcc", program="cc"), Need("g++", program="c++"))
"""For llama.cpp; cmake comes as a Python package where it is missing."""

PIP = (Need("python3-pip", module="pip"),)

RUN = (
    Need("libglib2.0-0", library="libglib-2.0.so.0"),
    Need("libgl1", library="libGL.so.1"),
    Need("libegl1", library="libEGL.so.1"),
    Need("libxkbcommon0", library="libxkbcommon.so.0"),
    Need("libfontconfig1", library="libfontconfig.so.1"),
    Need("libdbus-1-3", library="libdbus-1.so.3"),
    Need("libgomp1", library="libgomp.so.1"),
    # Without one of these the xcb plugin aborts the process instead of raising.
    Need("libxkbcommon-x11-0", library="libxkbcommon-x11.so.0"),
    Need("libxcb-cursor0", library="libxcb-cursor.so.0"),
    Need("libxcb-icccm4", library="libxcb-icccm.so.4"),
    Need("libxcb-image0", library="libxcb-image.so.0"),
    Need("libxcb-keysyms1", library="libxcb-keysyms.so.1"),
    Need("libxcb-render-util0", library="libxcb-render-util.so.0"),
    Need("libxcb-shape0", library="libxcb-shape.so.0"),
)

TEST = (
    Need("xvfb", program="Xvfb"),
    Need("xauth", program="xauth"),
    Need("openbox", program="openbox"),
    Need("trayer", program="trayer"),
    Need("xdotool", program="xdotool"),
    Need("imagemagick", program="import"),
    Need("wmctrl", program="wmctrl"),
    Need("at-spi2-core", file="/usr/libexec/at-spi-bus-launcher"),
    Need("desktop-file-utils", program="desktop-file-validate"),
    Need("dbus", program="dbus-send"),
    Need("dbus-daemon", program="dbus-daemon"),
    Need("gnome-keyring", program="gnome-keyring-daemon"),
    Need("eatmydata", program="eatmydata"),
    Need("sshfs", program="sshfs"),
    # A file system that ignores case.
    Need("ntfs-3g", program="lowntfs-3g"),
    Need("openssh-sftp-server", file="/usr/lib/openssh/sftp-server"),
    Need("fonts-dejavu-core", file="/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"),
)

PACKAGE = (
    Need("dpkg-dev", program="dpkg-shlibdeps"),
    Need("binutils", program="strip"),
    Need("lintian", program="lintian"),
    Need("appstream", program="appstreamcli"),
    Need("debootstrap", program="debootstrap"),
    Need("weston", program="weston"),
)
"""For making what people install, and for using it in a clean system."""


def ensure(needs: Iterable[Need]) -> None:
    """Install what is missing when that is allowed; else say what to type, and go on."""
    missing = [need for need in needs if not need.is_met] if sys.platform == "linux" else []
    if not missing:
        return
    packages = [need.package for need in missing]
    rights = _rights()
    if rights is not None and can_install():
        print(f"Installing system packages: {' '.join(packages)}", flush=True)
        if _install(rights, packages):
            return
    print(
        f"Please install what is missing: sudo apt-get install -y {' '.join(packages)}", flush=True
    )


def can_install() -> bool:
    """Whether packages of the system can be installed without asking anyone."""
    return _rights() is not None and shutil.which("apt-get") is not None


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def _rights() -> list[str] | None:
    """What to put in front of a command to run it as root; None when that is not allowed."""
    if sys.platform != "win32" and os.geteuid() == 0:
        return []
    sudo = ["sudo", "-n"]
    if shutil.which("sudo") and _succeeds([*sudo, "true"]):
        return sudo
    return None


def _install(rights: list[str], packages: list[str]) -> bool:
    install = [*rights, "apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages]
    if _succeeds(install):
        return True
    # A fresh container has no package lists at all.
    return _succeeds([*rights, "apt-get", "update", "-qq"]) and _succeeds(install)


def _succeeds(command: list[str]) -> bool:
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    done = subprocess.run(
        command, env=quiet, stdin=subprocess.DEVNULL, capture_output=True, check=False
    )
    return done.returncode == 0
