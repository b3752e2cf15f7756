"""The reply of a command, created by this process or by the running app, and printed here."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from scrubjay.cli.harmless_output import print_line, print_text
from scrubjay.messages import safe_line

Line: TypeAlias = Sequence[str | Sequence[str]]
"""Texts, and pairs of a text and its style on a terminal."""


class Reply(NamedTuple):
    """The reply of a command. It has only plain values, because it may arrive as JSON."""

    lines: Sequence[Line] = ()
    """Lines for standard output."""
    warnings: Sequence[str] = ()
    """Lines for standard error."""
    code: int = 0
    """Code of the exit."""
    text: str = ""
    """Text whose lines are its own, after the lines: JSON, or what notes say."""


def print_reply(reply: Reply) -> None:
    """Print a reply. Raises SystemExit where its code is not 0."""
    for line in reply.lines:
        _print(line)
    if reply.text:
        print_text(reply.text)
    for warning in reply.warnings:
        print_line(warning, to_errors=True)
    if reply.code:
        raise SystemExit(reply.code)


def warning_line(reason: str) -> str:
    """One line for standard error, such as a hook gives its agent."""
    return f"scrubjay: {' '.join(reason.split())}"


def _print(line: Line) -> None:
    if not sys.stdout.isatty():
        texts = (part if isinstance(part, str) else part[0] for part in line)
        print_text(safe_line("".join(texts)))
        return
    # Imported late: it costs a tenth of a search by words, and programs have no terminal.
    from rich.text import Text

    from scrubjay.cli.console import console

    text = Text()
    for part in line:
        if isinstance(part, str):
            text.append(safe_line(part))
        else:
            text.append(safe_line(part[0]), style=part[1])
    console().print(text)
