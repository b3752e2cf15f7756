"""Base class of settings sections, and the types of their keys.

Validators bring a value into the one form that is checked; a value that makes no sense passes
unchanged, and the check reports it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic.alias_generators import to_camel

from scrubjay.messages import msg

_SAME_PROVIDER = {"openai-compatible": "openai", "google": "gemini"}


def whole(value: Any) -> Any:
    """The number, with 6.0 as 6."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def lowered(value: Any) -> Any:
    """The word in lower case."""
    return value.strip().lower() if isinstance(value, str) else value


def provider_named(value: Any) -> Any:
    """The name used here, of providers that have two."""
    name = lowered(value)
    return _SAME_PROVIDER.get(name, name) if isinstance(name, str) else name


def unless_auto(value: Any) -> Any:
    """The value, with None for "auto"."""
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
    """The list without blank entries and repetitions."""
    if not isinstance(value, list | tuple):
        return value
    trimmed = [entry.strip() if isinstance(entry, str) else entry for entry in value]
    if not all(isinstance(entry, str) for entry in trimmed):
        return trimmed
    return list(dict.fromkeys(filter(None, trimmed)))


def listed(value: Any) -> Any:
    """The translations; a single one becomes a list."""
    if not isinstance(value, Mapping):
        return value
    return {word: [to] if isinstance(to, str) else to for word, to in value.items()}


def labels(**names: str) -> Any:
    """Names of the values of a choice on the settings page."""
    return Field(json_schema_extra=dict(names))


Whole: TypeAlias = Annotated[int, BeforeValidator(whole)]
Share: TypeAlias = Annotated[float, Field(ge=0, le=1)]
"""A number from 0 to 1."""
Texts: TypeAlias = Annotated[tuple[str, ...], BeforeValidator(trimmed), Field(strict=False)]
Words: TypeAlias = Annotated[tuple[str, ...], Field(strict=False)]
PermissionName: TypeAlias = Annotated[
    Literal["allow", "ask", "deny"],
    BeforeValidator(lowered),
    labels(allow=msg("Yes"), ask=msg("Ask me"), deny=msg("No")),
]


class Section(BaseModel):
    """Base of all sections: camelCase outside, snake_case inside, read-only.

    Sections that a file lacks are `model_construct`ed: building a validator takes longer than
    a search.
    """

    model_config = ConfigDict(
        alias_generator=to_camel,
        populate_by_name=True,
        extra="ignore",
        frozen=True,
        strict=True,
        allow_inf_nan=False,
        defer_build=True,
    )
    not_used: ClassVar[frozenset[str]] = frozenset()
    """Keys that other programs read from the same block."""


@cache
def field_names(section: type[Section]) -> Mapping[str | int, str]:
    """Name of the field of each key."""
    return {info.alias or name: name for name, info in section.model_fields.items()}
