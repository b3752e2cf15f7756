"""What an entry for the login says, and what it can do."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from scrubjay.platform.paths import HOME_VARIABLE, chosen_home

HOME_OPTION = "--home"
"""Option of the app before its home, because an entry of Windows can set no variable."""


class StartAtLogin(Struct, frozen=True):
    """What an entry says."""

    program: str
    """Path of the program that it starts; empty where it is only a name, or was not written by
    Scrubjay."""
    is_enabled: bool
    """Whether the system starts it: a person may have turned it off in the system's settings."""
    home: Path | None = None
    """SCRUBJAY_HOME of the profile that it starts; None where it names none."""


class LoginEntry(Protocol):
    """A place of the system for what starts at login."""

    @property
    def place(self) -> str:
        """Path of its file, or name of its value in the registry."""

    def read(self) -> StartAtLogin | None:
        """What it says; None where there is no entry."""

    def write(self, command: tuple[str, ...]) -> None:
        """Let the system start a command from now on. Raises OSError."""

    def remove(self) -> None:
        """Remove the entry, unless it is gone. Raises OSError."""


def home_arguments(environ: Mapping[str, str] = os.environ) -> tuple[str, ...]:
    """Arguments with which the app starts the profile of this process."""
    home = chosen_home(environ)
    if home is None:
        return ()
    return (HOME_OPTION, str(home))


def home_of(words: Sequence[str]) -> Path | None:
    """The home of the profile that a command starts; None where it names none."""
    for word, following in pairwise((*words, "")):
        if word == HOME_OPTION:
            return chosen_home({HOME_VARIABLE: following})
        # People may have written it before the program, for env.
        if word.startswith(f"{HOME_VARIABLE}="):
            return chosen_home({HOME_VARIABLE: word.partition("=")[2]})
    return None
