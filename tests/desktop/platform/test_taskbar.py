"""The one name by which desktops know the app."""

from __future__ import annotations

import ctypes
import re
import sys
from pathlib import Path

import pytest

from scrubjay.platform.installation import APP_ID
from scrubjay_desktop.platform.taskbar import join_taskbar_button

PACKAGING = Path(__file__).resolve().parents[3] / "packaging"


def test_installers_and_bundles_carry_the_same_name() -> None:
    """The pinned shortcut and the window are one button only if their names are the same."""
    recipes = [*PACKAGING.glob("*.py"), PACKAGING / "scrubjay.spec"]
    recipes += [PACKAGING / "windows" / "installer.nsi"]
    names = {
        name
        for recipe in recipes
        for name in re.findall(r"\borg\.scrubjay\.\w+", recipe.read_text(encoding="utf-8"))
    }
    assert names == {APP_ID}


@pytest.mark.skipif(sys.platform != "win32", reason="calls Windows")
@pytest.mark.wine_fault("it keeps no name of a process")
def test_windows_knows_the_process_by_that_name() -> None:
    join_taskbar_button()
    name = ctypes.c_wchar_p()
    shell = ctypes.windll.shell32  # type: ignore[attr-defined,unused-ignore]
    assert shell.GetCurrentProcessExplicitAppUserModelID(ctypes.byref(name)) == 0
    assert name.value == APP_ID
