"""Values of the registry of Windows."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable
from enum import StrEnum
from typing import Any, Protocol


class Hive(StrEnum):
    """A part of the registry, by its name."""

    USER = "HKEY_CURRENT_USER"
    MACHINE = "HKEY_LOCAL_MACHINE"
    CLASSES = "HKEY_CLASSES_ROOT"
    """Kinds of files and the programs that open them, for the user and for everybody."""


class RegistryReader(Protocol):
    """Values by their keys and names."""

    def read(self, key: str, name: str) -> str | bytes | int | None:
        """A value, "" being the name of that of the key itself; None where it cannot be read."""

    def keys(self, key: str) -> tuple[str, ...]:
        """Names of the keys in a key."""

    def names(self, key: str) -> tuple[str, ...]:
        """Names of the values of a key."""


class WindowsRegistry:
    """A part of the registry; empty on other systems."""

    def __init__(self, hive: Hive) -> None:
        self._number = 0
        if sys.platform == "win32":
            import winreg

            self._number = int(getattr(winreg, hive))

    def read(self, key: str, name: str) -> str | bytes | int | None:
        """A value, "" being the name of that of the key itself; None where it cannot be read."""
        if sys.platform == "win32":
            import winreg

            with contextlib.suppress(OSError), winreg.OpenKey(self._number, key) as opened:
                value, kind = winreg.QueryValueEx(opened, name)
                if kind == winreg.REG_EXPAND_SZ:
                    value = winreg.ExpandEnvironmentStrings(value)
                if isinstance(value, str | bytes | int):
                    return value
        return None

    def keys(self, key: str) -> tuple[str, ...]:
        """Names of the keys in a key."""
        names: tuple[str, ...] = ()
        if sys.platform == "win32":
            import winreg

            names = self._list(key, winreg.EnumKey)
        return names

    def names(self, key: str) -> tuple[str, ...]:
        """Names of the values of a key."""
        names: tuple[str, ...] = ()
        if sys.platform == "win32":
            import winreg

            names = self._list(key, lambda opened, number: winreg.EnumValue(opened, number)[0])
        return names

    def _list(self, key: str, entry: Callable[[Any, int], str]) -> tuple[str, ...]:
        """The entries of a key that a function of Windows gives by their numbers."""
        entries: list[str] = []
        if sys.platform == "win32":
            import winreg

            # The end of the list is an error, too.
            with contextlib.suppress(OSError), winreg.OpenKey(self._number, key) as opened:
                while True:
                    entries.append(entry(opened, len(entries)))
        return tuple(entries)

    def write(self, key: str, name: str, text: str) -> None:
        """Make or replace a text. Raises OSError."""
        if sys.platform == "win32":
            import winreg

            with winreg.CreateKey(self._number, key) as opened:
                winreg.SetValueEx(opened, name, 0, winreg.REG_SZ, text)
        else:
            raise OSError("the registry belongs to Windows")

    def delete(self, key: str, name: str) -> None:
        """Delete a value, unless it is gone. Raises OSError."""
        if sys.platform == "win32":
            import winreg

            with (
                contextlib.suppress(FileNotFoundError),
                winreg.OpenKey(self._number, key, 0, winreg.KEY_SET_VALUE) as opened,
            ):
                winreg.DeleteValue(opened, name)
        else:
            raise OSError("the registry belongs to Windows")
