"""Keys are those that each system leaves free."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QKeySequence

import scrubjay_desktop
from scrubjay_desktop.platform.hotkey.hotkey import modifier_hint
from scrubjay_desktop.platform.hotkey.hotkey_mac import carbon_key_codes
from scrubjay_desktop.text.shortcuts import platform_keys, with_keys

CONTROL = 0x1000
SHIFT = 0x0200
SPACE = 49


@pytest.mark.parametrize("system", ["linux", "win32"])
@pytest.mark.parametrize("keys", ["Ctrl+Space", "Ctrl+Alt+Space", "Ctrl+M", "F3"])
def test_other_systems_have_the_same_keys(system: str, keys: str) -> None:
    assert platform_keys(keys, system) == keys


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ("Ctrl+Space", "Ctrl+Y"),
        ("Ctrl+M", "Ctrl+Shift+M"),
        ("F3", "Ctrl+G"),
        ("Shift+F3", "Ctrl+Shift+G"),
        ("Ctrl+,", "Ctrl+,"),
        ("Shift+Enter", "Shift+Return"),
    ],
)
def test_a_mac_has_other_keys_where_macos_takes_these(keys: str, expected: str) -> None:
    assert platform_keys(keys, "darwin") == expected


def test_the_global_key_of_a_mac_is_control_shift_space() -> None:
    keys = QKeySequence(platform_keys("Ctrl+Alt+Space", "darwin"))
    assert carbon_key_codes(keys) == (CONTROL | SHIFT, SPACE)


@pytest.mark.parametrize("keys", ["Enter", "Esc"])
def test_no_tooltip_has_its_keys_written_by_hand(keys: str) -> None:
    files = Path(scrubjay_desktop.__file__).parent.rglob("*.py")
    assert [file.name for file in files if f"({keys})" in file.read_text("utf-8")] == []


def test_a_tooltip_names_its_keys() -> None:
    assert with_keys("Add a folder", "Ctrl+Shift+N") == "Add a folder (Ctrl+Shift+N)"


def test_the_advice_names_the_keys_of_the_keyboard() -> None:
    assert "Command, Option or Control" in modifier_hint("darwin")
    assert "Ctrl, Alt or Super" in modifier_hint("linux")
