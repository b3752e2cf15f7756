"""What people write for a value, brought into the one form that is checked.

What makes no sense is handed on as it is: the check says what is wrong with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_SAME_PROVIDER = {"openai-compatible": "openai", "google": "gemini"}


def whole(value: Any) -> Any:
    """6.0 is a whole number too."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def lowered(value: Any) -> Any:
    """A word of a list may be written in any case."""
    return value.strip().lower() if isinstance(value, str) else value


def provider_named(value: Any) -> Any:
    """Some providers have two names."""
    name = lowered(value)
    return _SAME_PROVIDER.get(name, name) if isinstance(name, str) else name


def unless_auto(value: Any) -> Any:
    """The word "auto" says what nothing says."""
    return None if value == "auto" else value


def key_reference(value: Any) -> Any:
    """A reference as one text. OpenClaw writes `{source: "env", id: "NAME"}` for `"${NAME}"`."""
    name = value.get("id") if isinstance(value, Mapping) else None
    if not isinstance(name, str):
        return value
    match value.get("source"):
        case "env":
            return f"${{{name}}}"
        case "keyring":
            return f"keyring:{name}"
    return value


def trimmed(value: Any) -> Any:
    """Blank entries and repetitions say nothing."""
    if not isinstance(value, list | tuple):
        return value
    trimmed = [entry.strip() if isinstance(entry, str) else entry for entry in value]
    if not all(isinstance(entry, str) for entry in trimmed):
        return trimmed
    return list(dict.fromkeys(filter(None, trimmed)))


def listed(value: Any) -> Any:
    """A single translation needs no list."""
    if not isinstance(value, Mapping):
        return value
    return {word: [to] if isinstance(to, str) else to for word, to in value.items()}
