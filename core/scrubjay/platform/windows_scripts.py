"""Windows scripts: which programs are scripts, what they start, and which characters act there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path, PureWindowsPath

_SCRIPTS = (".cmd", ".bat")
"""Endings of programs that the command line of Windows runs."""
_ACTS = re.compile(r'[&|<>^%"!\r\n]')
"""Sign that the command line of Windows reads as more than a letter, within quotes too."""
_BRACKET = re.compile(r"[()]")
"""Sign that ends a part of a script, unless the argument has a space and is quoted."""
_STARTED = re.compile(r'%~dp0([^"%*?<>|\r\n]+\.exe)', re.IGNORECASE)
"""A program beside a script, as in `"%~dp0..\\Code.exe" %*`."""


def is_script(program: str) -> bool:
    """True for a program that the command line of Windows runs, and reads the arguments of."""
    return program.lower().endswith(_SCRIPTS)


def script_target(script: str) -> str | None:
    """The program that a script of Windows starts with its own arguments; None if none is seen."""
    try:
        text = Path(script).read_text("utf-8", "replace")
    except OSError:
        return None
    # Such scripts name the program relative to themselves, as npm and editors write them.
    folder = Path(script).parent
    programs = (folder.joinpath(*PureWindowsPath(name).parts) for name in _STARTED.findall(text))
    return next((str(program.resolve()) for program in programs if program.is_file()), None)


def has_command_characters(arguments: Sequence[str]) -> bool:
    """True if a script of Windows would read a part of an argument as a command."""
    return any(
        _ACTS.search(each) or (_BRACKET.search(each) and " " not in each) for each in arguments
    )
