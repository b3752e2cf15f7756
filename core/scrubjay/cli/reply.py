"""What a command says: made by this process or by the running app, printed by this one."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

Line: TypeAlias = Sequence[str | Sequence[str]]
"""Texts, and pairs of a text and its style on a terminal."""


class Reply(NamedTuple):
    """Plain values only, since it may come as JSON."""

    lines: Sequence[Line] = ()
    """For standard output."""
    warnings: Sequence[str] = ()
    """Lines for standard error."""
    code: int = 0
    """Of the exit."""


def show(reply: Reply) -> None:
    """Print a reply. Raises SystemExit where its code is not 0."""
    for line in reply.lines:
        _print(line)
    for warning in reply.warnings:
        print(warning, file=sys.stderr)
    if reply.code:
        raise SystemExit(reply.code)


def warning(reason: str) -> str:
    """One line for standard error, such as a hook gives its agent."""
    return f"scrubjay: {' '.join(reason.split())}"


def _print(line: Line) -> None:
    parts = [(part, "") if isinstance(part, str) else (part[0], part[1]) for part in line]
    if not sys.stdout.isatty():
        print("".join(text for text, _ in parts))
        return
    # Imported late: it costs a tenth of a search by words, and programs have no terminal.
    from rich.text import Text

    from scrubjay.cli.console import console

    console().print(Text.assemble(*parts))
