"""Where settings, state, index, cache and logs live on this computer."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import platformdirs

HOME_VARIABLE = "SCRUBJAY_HOME"
"""Moves everything under one folder: portable installs, tests, second profiles."""


@dataclass(frozen=True, slots=True)
class Paths:
    """All folders of one installation. Nothing here exists until it is written to."""

    config: Path
    data: Path
    state: Path
    cache: Path

    @classmethod
    def of_user(cls, environ: Mapping[str, str] = os.environ) -> Paths:
        """The folders this platform expects, or those under SCRUBJAY_HOME."""
        if home := environ.get(HOME_VARIABLE):
            return cls.under(Path(home).expanduser().absolute())
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

    @property
    def config_file(self) -> Path:
        """The settings a person may edit."""
        return self.config / "config.json5"

    @property
    def indexes(self) -> Path:
        """Holds one `<workspace id>.sqlite` each."""
        return self.state / "memory"

    @property
    def models(self) -> Path:
        """Holds GGUF files that were downloaded or imported."""
        return self.data / "models"

    @property
    def logs(self) -> Path:
        """Holds the log files."""
        return self.state / "logs"


def resources() -> Path:
    """Sample notes, icons and the like: beside the package when installed, else in the checkout."""
    package = Path(__file__).resolve().parent
    installed = package / "resources"
    return installed if installed.is_dir() else package.parents[1] / "resources"
