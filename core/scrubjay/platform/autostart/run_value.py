"""The entry of Windows, a value of the key Run in the registry, as the installer writes it.

See "Run and RunOnce Registry Keys" on Microsoft Learn.
"""

from __future__ import annotations

import re
import subprocess
from typing import Protocol

from scrubjay.platform.autostart.start_at_login import StartAtLogin, home_of
from scrubjay.platform.windows_registry import Hive, WindowsRegistry

RUN_KEY = r"Software\Microsoft\Windows\CurrentVersion\Run"
APPROVED_KEY = r"Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run"
"""Key in which Task Manager and the settings of Windows keep what a person turned off there."""
NAME = "Scrubjay"
"""Name of the value, the same as in the installer (`packaging/windows`)."""
_OFF = 0x1
"""Bit of the first byte of a value in the second key; Windows documents none of it, and writes 2
or 6 for what is on, and 3 or 7 for what is off."""


class Registry(Protocol):
    """Values by their keys and names."""

    def read(self, key: str, name: str) -> str | bytes | int | None:
        """A value; None where it cannot be read."""

    def write(self, key: str, name: str, text: str) -> None:
        """Make or replace a text. Raises OSError."""

    def delete(self, key: str, name: str) -> None:
        """Delete a value, unless it is gone. Raises OSError."""


class RunValue:
    """The value, whether it exists or not."""

    def __init__(self, registry: Registry | None = None) -> None:
        """Without a registry, it is that of the user."""
        self._registry: Registry = registry or WindowsRegistry(Hive.USER)

    @property
    def place(self) -> str:
        """Its name in the registry."""
        return rf"HKEY_CURRENT_USER\{RUN_KEY}\{NAME}"

    def read(self) -> StartAtLogin | None:
        """What it says; None where it does not exist."""
        command = self._registry.read(RUN_KEY, NAME)
        if not isinstance(command, str):
            return None
        is_enabled = is_approved(self._registry.read(APPROVED_KEY, NAME))
        return StartAtLogin(program_of(command), is_enabled, home_of(words_of(command)))

    def write(self, command: tuple[str, ...]) -> None:
        """Let Windows start a command from now on. Raises OSError."""
        self._registry.write(RUN_KEY, NAME, run_command(command))
        # A person who turned it off in Task Manager wants it now.
        self._registry.delete(APPROVED_KEY, NAME)

    def remove(self) -> None:
        """Delete the value, unless it is gone. Raises OSError."""
        self._registry.delete(RUN_KEY, NAME)
        self._registry.delete(APPROVED_KEY, NAME)


def run_command(command: tuple[str, ...]) -> str:
    """A command as the value has it. Its quotes keep Windows from starting a shorter path."""
    program, *arguments = command
    return f'"{program}" {subprocess.list2cmdline(arguments)}'


def program_of(command: str) -> str:
    """Path of the program that a command starts; empty if it is only a name."""
    if command.startswith('"'):
        program = command[1:].partition('"')[0]
    else:
        program = command.partition(" ")[0]
    if "\\" not in program:
        return ""
    return program


def words_of(command: str) -> list[str]:
    """The words of a command. No path of Windows has a quote in it."""
    return [quoted or plain for quoted, plain in re.findall(r'"([^"]*)"|(\S+)', command)]


def is_approved(value: object) -> bool:
    """Whether a value of the second key lets the program start; without one it may."""
    return not (isinstance(value, bytes) and value and value[0] & _OFF)
