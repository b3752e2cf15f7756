"""What an entry for the login says, and what it can do."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from msgspec import Struct


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
