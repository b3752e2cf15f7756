"""Lines for people and JSON for programs: what every command prints with."""

from __future__ import annotations

import datetime as dt
import json
import sys
from typing import Any

from scrubjay.cli.harmless_output import print_line, print_text
from scrubjay.text.printable import escape_json, printable_label


def has_terminal() -> bool:
    """Whether a person can type an answer."""
    return sys.stdin is not None and sys.stdin.isatty()


def confirm(question: str) -> bool:
    """The user's yes; False without a terminal."""
    return has_terminal() and input(f"{printable_label(question)} [y/N] ").strip().lower() in (
        "y",
        "yes",
    )


def print_warning(text: str) -> None:
    """Print one line on standard error, in which no name begins another."""
    print_line(text, to_errors=True)


def print_json(value: Any) -> None:
    """Print JSON; times to the second."""
    print_text(json_text(value))


def json_text(value: Any) -> str:
    """JSON as commands print it; times to the second."""

    def plain(part: Any) -> str:
        if isinstance(part, dt.datetime):
            return part.isoformat(timespec="seconds")
        return str(part)

    return escape_json(json.dumps(value, ensure_ascii=False, indent=2, default=plain))


def json_fields(record: Any, **keys: str) -> dict[str, Any]:
    """Fields for JSON: "elapsedMs", and "used" of `is_used`. Keys are other names, "" for none."""
    # Names of JSON are those of the fields, unless the caller has others.
    names = record.__struct_fields__
    named = {keys.get(name, _camel(name.removeprefix("is_"))): name for name in names}
    return {key: getattr(record, name) for key, name in named.items() if key}


def _camel(name: str) -> str:
    """`elapsed_ms` as `elapsedMs`."""
    first, *others = name.split("_")
    return first + "".join(part.capitalize() for part in others)
