"""Starting our own child processes, which get nothing of the current folder and no keys."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from scrubjay.platform.current_folder import absolute_folders

if TYPE_CHECKING:
    import subprocess

_SEARCH_PATHS = ("PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH")
"""Variables with folders in which the system looks for programs and libraries."""
_VARIABLES = frozenset(
    (
        *("HOME", "LANG", "LANGUAGE", "LD_PRELOAD", "PYTHONHOME", "TMPDIR", "TZ"),
        # Without these no library loads on Windows, and no folder for temporary files is found.
        *("LOCALAPPDATA", "SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "TMP", "USERPROFILE", "WINDIR"),
        # The bundle's program starts from the beginning.
        "PYINSTALLER_RESET_ENVIRONMENT",
    )
)
_BEGINNINGS = ("CUDA_", "GGML_", "HIP_", "HSA_", "LC_", "NVIDIA_", "OMP_", "ROCR_", "VK_")
"""Locale, and what the drivers of graphics cards and OpenMP read."""


def start_worker(
    python_arguments: Sequence[str], bundle_switch: str, variables: Mapping[str, str]
) -> subprocess.Popen[bytes]:
    """A child process with pipes as its input and output.

    `python_arguments` tell the interpreter what to run. A bundle has no interpreter, only the
    program itself, which gets the switch instead. Raises OSError.
    """
    import subprocess  # takes long, and most commands start no child

    # -P: no module comes from the folder that the program was started in.
    command = [sys.executable, "-P", *python_arguments]
    if getattr(sys, "frozen", False):
        command = [sys.executable, bundle_switch]
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=Path(sys.executable).parent,
        env={**named_variables(os.environ), **variables},
        # Ctrl-C in a terminal is for the parent, which then closes the pipe.
        start_new_session=True,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),  # Windows has it
    )


def named_variables(
    environ: Mapping[str, str], more: Collection[str] = (), beginnings: tuple[str, ...] = ()
) -> dict[str, str]:
    """The variables that every program needs, and more of them. Keys and tokens are in others."""
    needed = {
        name: value
        for name, value in environ.items()
        if name.upper() in _VARIABLES
        or name.upper().startswith(_BEGINNINGS + beginnings)
        or name in more
    }
    for name in _SEARCH_PATHS:
        if name in environ:
            needed[name] = absolute_folders(environ[name])
    return needed
