"""One key that opens the popup from anywhere, where the desktop lets an app have one."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Protocol

from PySide6.QtCore import QKeyCombination, Qt
from PySide6.QtGui import QKeySequence

from scrubjay.errors import ScrubjayError
from scrubjay_desktop.text.formatting import translate
from scrubjay_desktop.text.shortcuts import platform_keys

DEFAULT_KEYS = platform_keys("Ctrl+Alt+Space")
"""Keys that are tried before the user has chosen any."""
COMMAND = "scrubjay-desktop --quick-search"
"""The command that a desktop's own settings can bind to a key."""

_MODIFIERS = (
    Qt.KeyboardModifier.ControlModifier
    | Qt.KeyboardModifier.AltModifier
    | Qt.KeyboardModifier.MetaModifier
)

_KEYSYMS = {
    Qt.Key.Key_Insert: "Insert", Qt.Key.Key_Delete: "Delete", Qt.Key.Key_Home: "Home",
    Qt.Key.Key_End: "End", Qt.Key.Key_PageUp: "Prior", Qt.Key.Key_PageDown: "Next",
    Qt.Key.Key_Left: "Left", Qt.Key.Key_Right: "Right", Qt.Key.Key_Up: "Up",
    Qt.Key.Key_Down: "Down", Qt.Key.Key_Return: "Return", Qt.Key.Key_Tab: "Tab",
    Qt.Key.Key_Backspace: "BackSpace", Qt.Key.Key_Escape: "Escape", Qt.Key.Key_Pause: "Pause",
    Qt.Key.Key_Print: "Print", Qt.Key.Key_Menu: "Menu", Qt.Key.Key_Space: "space",
}  # fmt: skip


class HotkeyRefused(ScrubjayError):
    """A key that cannot be had."""


class Hotkey(Protocol):
    """A key that works while other programs have the focus."""

    @property
    def unavailable(self) -> str:
        """The reason why no key can be had here, with a hint; empty when one can."""

    def bind(
        self,
        keys: QKeySequence,
        pressed: Callable[[], None],
        refused: Callable[[HotkeyRefused], None],
    ) -> None:
        """Have these keys only. Raises HotkeyRefused, or calls refused where the no comes later."""

    def release(self) -> None:
        """Give up the keys."""


class NoHotkey:
    """For desktops that give no keys to apps: says how to bind one in their own settings."""

    @property
    def unavailable(self) -> str:
        """The reason, with a hint."""
        return translate(
            "Hotkey",
            "Scrubjay cannot set a keyboard shortcut on this computer. In the keyboard "
            "settings of your computer, assign a shortcut to this command: {command}",
        ).format(command=COMMAND)

    def bind(
        self,
        keys: QKeySequence,
        pressed: Callable[[], None],
        refused: Callable[[HotkeyRefused], None],
    ) -> None:
        """Refuse."""
        raise HotkeyRefused(
            translate("Hotkey", "Scrubjay cannot set a keyboard shortcut on this computer"),
            self.unavailable,
        )

    def release(self) -> None:
        """Do nothing: there is nothing to release."""


def single_combination(keys: QKeySequence) -> QKeyCombination:
    """The single combination. Raises HotkeyRefused for keys needed for typing."""
    if keys.count() != 1:
        raise HotkeyRefused(translate("Hotkey", "Choose a single key combination"))
    combination: QKeyCombination = keys[0]  # type: ignore[index]  # missing in the stubs
    # Function keys and combinations with one of these modifiers write nothing.
    is_function_key = Qt.Key.Key_F1 <= combination.key() <= Qt.Key.Key_F35
    if not combination.keyboardModifiers() & _MODIFIERS and not is_function_key:
        raise HotkeyRefused(
            translate("Hotkey", "{keys} is needed for typing").format(keys=native_text(keys)),
            hint=modifier_hint(),
        )
    return combination


def modifier_hint(system: str = sys.platform) -> str:
    """The advice to add a key that writes nothing, by the names on the keyboards of a system."""
    if system == "darwin":
        return translate("Hotkey", "Add Command, Option or Control to the shortcut.")
    return translate("Hotkey", "Add Ctrl, Alt or Super to the shortcut.")


def refused_as_taken(keys: QKeySequence) -> HotkeyRefused:
    """The refusal for keys that another program has."""
    return HotkeyRefused(
        translate("Hotkey", "{keys} is used by another program").format(keys=native_text(keys)),
        hint=translate("Hotkey", "Choose another shortcut in the settings."),
    )


def refused_as_unknown(keys: QKeySequence) -> HotkeyRefused:
    """The refusal for keys that no keyboard here has."""
    sentence = translate("Hotkey", "{keys} is not available on this keyboard")
    return HotkeyRefused(
        sentence.format(keys=native_text(keys)),
        hint=translate("Hotkey", "Choose another shortcut in the settings."),
    )


def native_text(keys: QKeySequence) -> str:
    """Keys as this platform writes them."""
    return keys.toString(QKeySequence.SequenceFormat.NativeText)


def keysym_name(key: int) -> str:
    """The name of a key in X and xkbcommon; empty for one that no keyboard has."""
    name = _KEYSYMS.get(Qt.Key(key))
    if name:
        return name
    if Qt.Key.Key_F1 <= key <= Qt.Key.Key_F35:
        return f"F{key - Qt.Key.Key_F1 + 1}"
    if 0x20 < key < 0x7F and chr(key).isalnum():
        return chr(key).lower()
    # All other characters have a name made of their number.
    if not 0x20 < key < 0x10FFFF:
        return ""
    return f"U{ord(chr(key).lower()):04X}"
