"""Values of the registry of Windows."""

from __future__ import annotations

import contextlib
import sys


class UserRegistry:
    """The part of the registry that belongs to the user, HKEY_CURRENT_USER; empty elsewhere."""

    def read(self, key: str, name: str) -> str | bytes | int | None:
        """A value; None where it cannot be read."""
        if sys.platform == "win32":
            import winreg

            with (
                contextlib.suppress(OSError),
                winreg.OpenKey(winreg.HKEY_CURRENT_USER, key) as opened,
            ):
                value, kind = winreg.QueryValueEx(opened, name)
                if kind == winreg.REG_EXPAND_SZ:
                    value = winreg.ExpandEnvironmentStrings(value)
                if isinstance(value, str | bytes | int):
                    return value
        return None

    def write(self, key: str, name: str, text: str) -> None:
        """Make or replace a text. Raises OSError."""
        if sys.platform == "win32":
            import winreg

            with winreg.CreateKey(winreg.HKEY_CURRENT_USER, key) as opened:
                winreg.SetValueEx(opened, name, 0, winreg.REG_SZ, text)
        else:
            raise OSError("the registry belongs to Windows")

    def delete(self, key: str, name: str) -> None:
        """Delete a value, unless it is gone. Raises OSError."""
        if sys.platform == "win32":
            import winreg

            with (
                contextlib.suppress(FileNotFoundError),
                winreg.OpenKey(winreg.HKEY_CURRENT_USER, key, 0, winreg.KEY_SET_VALUE) as opened,
            ):
                winreg.DeleteValue(opened, name)
        else:
            raise OSError("the registry belongs to Windows")
