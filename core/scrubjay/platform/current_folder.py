"""Keeping the current folder out of where programs and modules are looked for.

Agents start commands in the repository that they work on, and people in any folder. This module
imports nothing that Python has not loaded already, because that could come from there.
"""

from __future__ import annotations

import os
import sys


def leave_out_current_folder(environ: os._Environ[str] | dict[str, str] = os.environ) -> None:
    """Stop this process, and the programs it starts, from running what the current folder holds.

    For the first line of an entry point. Libraries look programs up by themselves: Qt does for
    `xdg-open`, for instance.
    """
    if "PATH" in environ:
        environ["PATH"] = absolute_folders(environ["PATH"])
    if os.name == "nt":
        environ["NoDefaultCurrentDirectoryInExePath"] = "1"
    if "PYTHONPATH" in environ:
        _forget_modules_here(environ["PYTHONPATH"])


def absolute_folders(search_path: str) -> str:
    """A search path such as PATH without entries that depend on the current folder.

    An empty entry means the current folder, too.
    """
    folders = search_path.split(os.pathsep)
    return os.pathsep.join(folder for folder in folders if os.path.isabs(folder))  # noqa: PTH117


def _forget_modules_here(python_path: str) -> None:
    """Take entries of PYTHONPATH that are in the current folder from `sys.path`."""
    try:
        here = os.getcwd()  # noqa: PTH109
    except OSError:  # deleted since
        return
    # An installed copy of Scrubjay may lie in the current folder, and has to be found.
    own = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))  # noqa: PTH100,PTH120
    below = os.path.join(here, "")  # noqa: PTH118
    for entry in python_path.split(os.pathsep):
        folder = os.path.abspath(entry)  # noqa: PTH100
        if folder in sys.path and folder != own and f"{folder}{os.sep}".startswith(below):
            sys.path.remove(folder)
