"""Programs by their names, and the words of the commands that start them."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from scrubjay.platform.current_folder import absolute_folders

_PLAIN_WORD = re.compile(r"[\w.:\\/-]+")
"""Word that no shell of Windows changes."""


def find_program(name: str) -> str | None:
    """The absolute path of a program; None without one.

    A bare name is looked up in the absolute folders of PATH. The current folder is not among them,
    on Windows either: it may be a repository of someone else. A path has to be absolute.
    """
    if Path(name).is_absolute():
        return shutil.which(name)
    if Path(name).name != name:
        return None
    folders = absolute_folders(os.environ.get("PATH", os.defpath))
    # At the end, since Python 3.11 puts the current folder in front of any path without it on
    # Windows, where its file would hide the program.
    found = shutil.which(name, path=os.pathsep.join([folders, os.curdir]))
    if found is None or not Path(found).is_absolute():
        return None
    return found


def split_command(command: str, *, is_windows: bool = sys.platform == "win32") -> list[str]:
    """The words of a command, without their quotes. Raises ValueError where a quote has no end.

    On Windows a backslash is a letter of a path and quotes nothing.
    """
    if not is_windows:
        return shlex.split(command)
    try:
        return _words(command, quotes="\"'")
    except ValueError:
        return _words(command, quotes='"')  # an apostrophe in a path


def command_line(words: Sequence[str], *, is_windows: bool = sys.platform == "win32") -> str:
    """The words as one command, quoted so that a terminal reads them as they are."""
    if is_windows:
        return " ".join(map(_quoted_for_windows, words))
    return shlex.join(words)


def _quoted_for_windows(word: str) -> str:
    quoted = subprocess.list2cmdline([word])
    # Other signs than blanks mean something to shells as well.
    if quoted == word and not _PLAIN_WORD.fullmatch(word):
        return f'"{word}"'
    return quoted


def _words(command: str, quotes: str) -> list[str]:
    """The words of a command of Windows, in which nothing but quotes and spaces has a meaning."""
    lexer = shlex.shlex(command, posix=True, punctuation_chars=False)
    lexer.whitespace_split = True
    lexer.commenters = ""
    lexer.escape = ""
    lexer.quotes = quotes
    return list(lexer)
