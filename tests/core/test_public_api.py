"""`import scrubjay`, as the desktop app and other programs see it."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import scrubjay


def imported_for_type_checkers() -> set[str]:
    """Names in the `if TYPE_CHECKING` block."""
    tree = ast.parse(Path(scrubjay.__file__).read_text())
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    own = [node for node in imports if (node.module or "").startswith("scrubjay.")]
    return {alias.name for node in own for alias in node.names}


def test_all_is_what_can_be_imported() -> None:
    assert set(scrubjay.__all__) == imported_for_type_checkers()
    for name in scrubjay.__all__:
        assert getattr(scrubjay, name) is not None


def test_all_is_sorted_and_complete() -> None:
    assert sorted(scrubjay.__all__, key=str.lower) == sorted(set(scrubjay.__all__), key=str.lower)
    assert set(scrubjay.__all__) == {name for names in scrubjay._HOMES.values() for name in names}


def test_an_unknown_name_is_an_attribute_error() -> None:
    assert not hasattr(scrubjay, "Banana")


def test_the_import_itself_loads_next_to_nothing() -> None:
    code = (
        "import sys, scrubjay; print(sorted(m for m in sys.modules if 'apsw' in m or 'numpy' in m))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "[]\n"
