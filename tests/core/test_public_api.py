"""`import scrubjay`, as the desktop app and other programs see it."""

from __future__ import annotations

import subprocess
import sys

import scrubjay


def test_every_public_name_can_be_imported() -> None:
    assert "Engine" in scrubjay.__all__
    for name in scrubjay.__all__:
        assert getattr(scrubjay, name).__name__ == name


def test_an_unknown_name_is_an_attribute_error() -> None:
    assert not hasattr(scrubjay, "Banana")


def test_the_import_itself_loads_none_of_its_modules() -> None:
    code = "import sys, scrubjay; print([m for m in sys.modules if m.startswith('scrubjay.')])"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "[]\n"
