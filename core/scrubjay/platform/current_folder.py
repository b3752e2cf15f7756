"""Removal of the current folder from the folders in which programs and modules are found.

Agents start commands in the repository that they work on, and people in any folder. This module
imports nothing that Python has not loaded already, because that could come from there.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, MutableMapping

LIBRARY_PATHS = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH")
"""Variables with folders in which the system looks for the libraries of a program."""
_SEARCH_PATHS = (
    *("PATH", "PYTHONPATH", "QT_PLUGIN_PATH", *LIBRARY_PATHS),
    *("DYLD_FRAMEWORK_PATH", "DYLD_FALLBACK_FRAMEWORK_PATH"),
)
"""Variables with folders from which programs, modules or libraries are run."""
_MAC_FOLDERS = ("/opt/homebrew/bin", "/usr/local/bin")
"""Folders of Homebrew on Apple silicon and on Intel; installers put commands into the second one.
The Finder and launchd start programs with /usr/bin:/bin:/usr/sbin:/sbin alone; terminals add what
path_helper(8) names."""
_STARTED_AGAIN = "SCRUBJAY_STARTED_AGAIN"
"""Variable with the id of a process that has started again."""


def exclude_current_folder(environ: MutableMapping[str, str] = os.environ) -> None:
    """Stop this process, and the programs it starts, from running what the current folder holds.

    For the first line of an entry point. Libraries look programs up by themselves: Qt does for
    `xdg-open`, for instance. Starts the program again where the system would take libraries from
    the current folder.
    """
    if "PYTHONPATH" in environ:
        _forget_modules_here(environ["PYTHONPATH"])
    if os.name == "nt":
        environ["NoDefaultCurrentDirectoryInExePath"] = "1"
        _take_no_libraries_from_here()
    # What the loader of the system looks for was fixed when this program started.
    safe = safe_search_paths(environ)
    loader_looks_here = any(environ.get(name, "") != safe.get(name, "") for name in LIBRARY_PATHS)
    for name in _SEARCH_PATHS:
        environ.pop(name, None)
    environ.update(safe)
    has_started_again = environ.pop(_STARTED_AGAIN, "") == str(os.getpid())
    if loader_looks_here and not has_started_again:
        environ[_STARTED_AGAIN] = str(os.getpid())
        _start_again(environ)


def safe_search_paths(environ: Mapping[str, str], system: str = sys.platform) -> dict[str, str]:
    """Search paths of an environment without entries that depend on the current folder.

    One without any other entry is missing, since an empty one means the current folder to some
    programs. PATH has the folders of the system then. On a Mac, it ends with those of installed
    commands, which the PATH of an app lacks.
    """
    paths = {name: absolute_folders(environ[name]) for name in _SEARCH_PATHS if name in environ}
    if paths.get("PATH") == "":
        paths["PATH"] = absolute_folders(os.defpath)
    # At the end, so that nothing takes the place of a program of the system.
    if system == "darwin" and "PATH" in paths:
        folders = dict.fromkeys([*paths["PATH"].split(os.pathsep), *_MAC_FOLDERS])
        paths["PATH"] = os.pathsep.join(folders)
    return {name: path for name, path in paths.items() if path}


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


def _take_no_libraries_from_here() -> None:
    """Let Windows look for a library that is asked for by its name in other folders alone."""
    # The folder of the program takes the place of the current one; a bundle has done the same.
    if not getattr(sys, "frozen", False):
        import ctypes

        ctypes.CDLL("kernel32").SetDllDirectoryW(os.path.dirname(sys.executable))  # noqa: PTH120


def _start_again(environ: Mapping[str, str]) -> None:
    """Run this program from the beginning in its process."""
    # A bundle tells by the name that it was started by whether it is the app.
    words = sys.orig_argv
    if not getattr(sys, "frozen", False):
        words = [sys.executable, *sys.orig_argv[1:]]
    os.execve(sys.executable, words, dict(environ))
