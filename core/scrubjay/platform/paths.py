"""The folders of settings, state, index, cache and logs on this computer."""

from __future__ import annotations

import contextlib
import functools
import os
import sys
from collections.abc import Mapping
from pathlib import Path

import platformdirs
from msgspec import Struct

HOME_VARIABLE = "SCRUBJAY_HOME"
"""Variable that moves everything under one folder: tests, second profiles."""

PORTABLE_FLAG = "portable.flag"
"""Name of an empty file beside the program, by which settings, index and models stay in a folder
beside it too."""


class Paths(Struct, frozen=True):
    """All folders of one installation. A folder is created when it is first written to."""

    # As the platform has them: what people edit, what is large, what is kept, and what can go.
    config: Path
    data: Path
    state: Path
    cache: Path

    @classmethod
    def of_user(cls, environ: Mapping[str, str] = os.environ) -> Paths:
        """Folders in SCRUBJAY_HOME, next to a portable program, or in the platform's own places."""
        home = chosen_home(environ)
        if home:
            return cls.under(home)
        beside = portable_home()
        if beside:
            return cls.under(beside)
        # On a Mac these are below ~/Library, as "File System Basics" of Apple's "File System
        # Programming Guide" says.
        dirs = platformdirs.PlatformDirs("scrubjay", appauthor=False)
        return cls(
            config=dirs.user_config_path,
            data=dirs.user_data_path,
            state=dirs.user_state_path,
            cache=dirs.user_cache_path,
        )

    @classmethod
    def under(cls, home: Path) -> Paths:
        """All folders inside home, with `config.json5` directly in it."""
        return cls(config=home, data=home / "data", state=home / "state", cache=home / "cache")

    def make_private(self) -> None:
        """Take what an earlier version let others read away from them; nothing on Windows."""
        # Older versions left folders open to others; what is private already is not walked again.
        for top in (self.state, self.data, self.cache):
            with contextlib.suppress(OSError):
                if os.name == "nt" or not top.stat().st_mode & 0o077:
                    continue
                for folder, _, names in os.walk(top, topdown=False):
                    for file in map(Path(folder).joinpath, names):
                        _make_private(file)
                    # The folder itself comes last, so that a start that was interrupted is made up.
                    _make_private(Path(folder))

    @property
    def config_file(self) -> Path:
        """The settings a person may edit."""
        return self.config / "config.json5"

    @property
    def last_settings(self) -> Path:
        """A copy of the settings file as it was when it could last be used."""
        return self.state / "last-settings.json5"

    @property
    def settings(self) -> tuple[Path, Path]:
        """The settings file and the copy of it."""
        return self.config_file, self.last_settings

    @property
    def indexes(self) -> Path:
        """Holds one `<workspace id>.sqlite` each."""
        return self.state / "memory"

    @property
    def backups(self) -> Path:
        """Holds the former content of notes that Scrubjay changed."""
        return self.state / "backups"

    @property
    def models(self) -> Path:
        """Holds GGUF files that were downloaded or imported."""
        return self.data / "models"

    @property
    def sample_notes(self) -> Path:
        """Holds the sample notes, into which a person may have written."""
        return self.data / "sample-notes"

    @property
    def logs(self) -> Path:
        """Holds the log files."""
        return self.state / "logs"


def make_private_folder(path: Path) -> None:
    """Make a folder that only its owner may look into, with those above it. May raise OSError."""
    if not path.is_dir():
        if path != path.parent:
            make_private_folder(path.parent)
        path.mkdir(0o700, exist_ok=True)


def chosen_home(environ: Mapping[str, str] = os.environ) -> Path | None:
    """The folder in SCRUBJAY_HOME; None where the variable is not set."""
    home = environ.get(HOME_VARIABLE)
    if not home:
        return None
    return expanded_path(Path(home)).absolute()


def expanded_path(path: Path) -> Path:
    """With `~` replaced, where there is such a user."""
    try:
        return path.expanduser()
    except RuntimeError:
        return path


def _make_private(path: Path) -> None:
    with contextlib.suppress(OSError):
        if not path.is_symlink():
            path.chmod(path.stat().st_mode & 0o700)


def portable_home(program: Path | None = None) -> Path | None:
    """The folder of a portable copy of the program; None for installed ones and checkouts."""
    if program is None:
        if not getattr(sys, "frozen", False):
            return None
        program = Path(sys.executable)
    # A copy on a stick takes its settings and indexes along.
    folder = program.parent
    for parent in program.parents:
        if parent.suffix == ".app":  # on macOS "beside" means beside the app that people see
            folder = parent.parent
    if not (folder / PORTABLE_FLAG).is_file():
        return None
    return folder / "scrubjay-home"


@functools.cache
def resources() -> Path:
    """Sample notes, icons and other files: next to the package, or in the checkout."""
    package = Path(__file__).resolve().parents[1]
    installed = package / "resources"
    if installed.is_dir():
        return installed
    return package.parents[1] / "resources"
