"""Base class of settings sections, and the types of their keys.

A section is a Struct whose types hold its rules: `Meta` has limits or a pattern, `BeforeValidator`
brings a value into the one form that is accepted, `OnPage` and `ChoiceLabels` are texts of the
settings page.
`scrubjay.config.validation` converts the values of a file one by one.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    ClassVar,
    Literal,
    Self,
    TypeAlias,
    TypeGuard,
    Union,
    get_args,
    get_origin,
)

from msgspec import Meta, Struct, to_builtins
from msgspec.structs import fields, replace

from scrubjay.messages import msg

SECRET_KEYS = frozenset({"apiKey", "headers"})
"""Keys whose values are neither printed nor logged."""

_SAME_PROVIDER = {"openai-compatible": "openai", "google": "gemini"}


class BeforeValidator(Struct, frozen=True):
    """A change that brings a value into the form that its type accepts.

    A value that makes no sense passes unchanged, and its type refuses it.
    """

    change: Callable[[Any], Any]


class OnPage(Struct, frozen=True):
    """Texts of a key on the settings page, templates for translators."""

    title: str
    description: str


class ChoiceLabels(Struct, frozen=True):
    """Names of the values of a choice on the settings page."""

    names: tuple[tuple[str, str], ...]


def lower_word(value: Any) -> Any:
    """The word in lower case."""
    if not isinstance(value, str):
        return value
    return value.strip().lower()


def canonical_provider(value: Any) -> Any:
    """The name used here, of providers that have two."""
    name = lower_word(value)
    if not isinstance(name, str):
        return name
    return _SAME_PROVIDER.get(name, name)


def none_if_auto(value: Any) -> Any:
    """The value, with None for "auto"."""
    if value == "auto":
        return None
    return value


def key_reference(value: Any) -> Any:
    """A reference as one text. OpenClaw writes `{source: "env", id: "NAME"}` for `"${NAME}"`."""
    if not isinstance(value, Mapping):
        return value
    name = value.get("id")
    if not isinstance(name, str):
        return value
    # Other sources than these are refused by the type.
    match value.get("source"):
        case "env":
            return f"${{{name}}}"
        case "keyring":
            return f"keyring:{name}"
    return value


def clean_list(value: Any) -> Any:
    """The list without blank entries and repetitions."""
    if not isinstance(value, list | tuple):
        return value
    trimmed = [entry.strip() if isinstance(entry, str) else entry for entry in value]
    if not all(isinstance(entry, str) for entry in trimmed):
        return trimmed
    return list(dict.fromkeys(filter(None, trimmed)))


def translation_lists(value: Any) -> Any:
    """The translations; a single one becomes a list."""
    if not isinstance(value, Mapping):
        return value
    return {word: [to] if isinstance(to, str) else to for word, to in value.items()}


def choice_labels(**names: str) -> ChoiceLabels:
    """Names of the values of a choice on the settings page."""
    return ChoiceLabels(tuple(names.items()))


Share: TypeAlias = Annotated[float, Meta(ge=0, le=1)]
"""Number from 0 to 1."""
Texts: TypeAlias = Annotated[tuple[str, ...], BeforeValidator(clean_list)]
Words: TypeAlias = tuple[str, ...]
PermissionName: TypeAlias = Annotated[
    Literal["allow", "ask", "deny"],
    BeforeValidator(lower_word),
    choice_labels(allow=msg("Yes"), ask=msg("Ask me"), deny=msg("No")),
]
WritePermissionName: TypeAlias = Annotated[
    Literal["allow", "propose", "ask", "deny"],
    BeforeValidator(lower_word),
    choice_labels(
        allow=msg("Yes"), propose=msg("After my review"), ask=msg("Ask me"), deny=msg("No")
    ),
]


class Section(Struct, frozen=True, rename="camel"):
    """Base of all sections: camelCase in a file, snake_case in code.

    The constructor takes values as they are; those of a file pass `validate_section` first.
    """

    is_foreign: ClassVar[bool] = False
    """Whether keys that it does not know belong to another program."""
    not_used: ClassVar[frozenset[str]] = frozenset()
    """Keys that other programs read from the same block."""

    def __repr__(self) -> str:
        """The section without its secrets, for logs."""
        # Sections end up in error reports when something fails with them.
        shown = (
            f"{key.name}={getattr(self, key.name)!r}"
            for key in section_keys(type(self)).values()
            if key.key not in SECRET_KEYS
        )
        return f"{type(self).__name__}({', '.join(shown)})"

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Self:
        """The section of values by keys, as `validate_section` leaves them; others are ignored.

        Built here and not by msgspec, which would first look at the types of all sections below,
        and take longer for it than a search by words.
        """
        given = {}
        for key in section_keys(cls).values():
            if key.key in values:
                given[key.name] = _built(key.type, values[key.key])
        return cls(**given)

    def changed(self, **values: Any) -> Self:
        """A copy with other values by the names of fields."""
        return replace(self, **values)

    def by_key(self) -> dict[str, Any]:
        """Values by keys, as JSON knows them."""
        values = to_builtins(self)
        assert isinstance(values, dict)
        return values


class ValueType(Struct, frozen=True):
    """A type of values, as an annotation describes it."""

    kind: Any
    """Type without notes and without None."""
    notes: tuple[Any, ...] = ()
    """`Meta`, `BeforeValidator` and others, the inner ones first."""
    is_optional: bool = False
    """Whether None is one of its values."""

    @classmethod
    def of(cls, annotation: Any) -> Self:
        """The type of an annotation."""
        # Notes of an inner annotation come first, as `Annotated` itself has it.
        origin = get_origin(annotation)
        inner = get_args(annotation)
        if origin is Annotated:
            outer = cls.of(inner[0])
            return replace(outer, notes=outer.notes + inner[1:])
        if origin in (Union, UnionType):
            (some,) = (each for each in inner if each is not NoneType)
            return replace(cls.of(some), is_optional=True)
        return cls(annotation)

    def brought_into_form(self, value: Any) -> Any:
        """The value after the changes of all notes."""
        for note in reversed(self.notes):
            if isinstance(note, BeforeValidator):
                value = note.change(value)
        return value

    @property
    def limits(self) -> tuple[float | None, float | None]:
        """The smallest and the largest number, where there are any."""
        rules = [note for note in self.notes if isinstance(note, Meta)]
        low = next((rule.ge for rule in rules if rule.ge is not None), None)
        high = next((rule.le for rule in rules if rule.le is not None), None)
        return low, high

    @property
    def labels(self) -> Mapping[str, str]:
        """Names of the values of a choice; empty for other types."""
        return dict(next((note.names for note in self.notes if isinstance(note, ChoiceLabels)), ()))

    @property
    def on_page(self) -> OnPage:
        """Texts of the settings page; empty if the page does not show it."""
        return next((note for note in self.notes if isinstance(note, OnPage)), OnPage("", ""))


class Key(Struct, frozen=True):
    """A key of a section."""

    name: str
    """Name of the field."""
    key: str
    """Spelling in a file."""
    type: ValueType
    default: Any


def _built(wanted: ValueType, value: Any) -> Any:
    """A value of JSON as the field of a section holds it."""
    # Values were checked before, so that every list and object has the type that is wanted.
    kind = wanted.kind
    if is_section(kind) and isinstance(value, Mapping):
        return kind.of(value)
    # Lists become tuples, since a section never changes.
    if isinstance(value, list):
        entry = ValueType.of(get_args(kind)[0])
        return tuple(_built(entry, each) for each in value)
    if isinstance(value, Mapping):
        entry = ValueType.of(get_args(kind)[1])
        return {name: _built(entry, each) for name, each in value.items()}
    return value


@functools.cache
def section_keys(section: type[Section]) -> Mapping[str, Key]:
    """Keys of a section by their spelling in a file, in the order of its fields."""
    # Defaults are those of the constructor, some of which one field derives from another.
    defaults = section()
    return {
        each.encode_name: Key(
            name=each.name,
            key=each.encode_name,
            type=ValueType.of(each.type),
            default=getattr(defaults, each.name),
        )
        for each in fields(section)
    }


def is_section(annotation: Any) -> TypeGuard[type[Section]]:
    """Whether it is the type of a key that has keys below it."""
    return isinstance(annotation, type) and issubclass(annotation, Section)
