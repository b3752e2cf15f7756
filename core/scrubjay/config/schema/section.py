"""Base class of settings sections, the types of their keys, and how a value is checked.

Importing and building the validators of a library took longer than a search, so the rules are
plain Python: the type of a key, with a few notes in `Annotated`. A `Before` brings a value into the
one form that is checked; a value that makes no sense passes it unchanged, and the check reports it.
"""

from __future__ import annotations

import builtins
import re
import sys
import typing
from collections import abc
from collections.abc import Callable, Mapping, Sequence
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    ClassVar,
    Literal,
    Self,
    TypeAlias,
    Union,
    dataclass_transform,
    get_args,
    get_origin,
)

from msgspec import Struct
from msgspec.structs import replace

from scrubjay.messages import msg

_SURROGATE = re.compile("[\ud800-\udfff]")
_SAME_PROVIDER = {"openai-compatible": "openai", "google": "gemini"}


class Before(Struct, frozen=True):
    """Brings a value into the form that is checked."""

    change: Callable[[Any], Any]


class Limits(Struct, frozen=True):
    """The smallest and the largest number."""

    low: float | None = None
    high: float | None = None


class Pattern(Struct, frozen=True):
    """The whole text matches it."""

    expression: str


class Labels(Struct, frozen=True):
    """Names of the values of a choice on the settings page."""

    names: tuple[tuple[str, str], ...]


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


def labels(**names: str) -> Labels:
    """Names of the values of a choice on the settings page."""
    return Labels(tuple(names.items()))


Whole: TypeAlias = Annotated[int, Before(whole)]
Share: TypeAlias = Annotated[float, Limits(0, 1)]
"""A number from 0 to 1."""
Texts: TypeAlias = Annotated[tuple[str, ...], Before(trimmed)]
Words: TypeAlias = tuple[str, ...]
PermissionName: TypeAlias = Annotated[
    Literal["allow", "ask", "deny"],
    Before(lowered),
    labels(allow=msg("Yes"), ask=msg("Ask me"), deny=msg("No")),
]


class Key(Struct, frozen=True):
    """A key of a section."""

    default: Any
    key: str = ""
    """As in a file."""
    title: str = ""
    description: str = ""
    is_secret: bool = False
    """Left out of what is printed and logged."""
    annotation: Any = None
    """Its type, without the notes around it."""
    notes: tuple[Any, ...] = ()

    @property
    def labels(self) -> Mapping[str, str]:
        """Names of the values of a choice; empty for other keys."""
        return dict(next((each.names for each in self.notes if isinstance(each, Labels)), ()))

    @property
    def limits(self) -> Limits:
        """The smallest and the largest number, where there are any."""
        return next((each for each in self.notes if isinstance(each, Limits)), Limits())


def Field(
    *,
    default: Any,
    key: str = "",
    title: str = "",
    description: str = "",
    low: float | None = None,
    high: float | None = None,
    is_secret: bool = False,
) -> Any:
    """A key with more than a default: texts of the settings page, limits of a number."""
    notes = () if low is None and high is None else (Limits(low, high),)
    return Key(default, key, title, description, is_secret, notes=notes)


class Refusal(Struct, frozen=True):
    """A value that does not fit, and why."""

    place: tuple[str | int, ...]
    kind: str
    """`too small`, `too large`, `choice`, `letters`, `pattern`, or the name of the wanted type."""
    value: Any
    bound: float | None = None
    """The nearest number that fits."""
    choices: tuple[Any, ...] = ()


class Refused(ValueError):
    """Values that do not fit a section."""

    def __init__(self, refusals: list[Refusal]) -> None:
        super().__init__(refusals)
        self.refusals = refusals


def to_camel(name: str) -> str:
    """`max_results` as `maxResults`."""
    first, *others = name.rstrip("_").split("_")
    return first + "".join(part.capitalize() for part in others)


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(Field,))
class Section:
    """Base of all sections: camelCase outside, snake_case inside, read-only."""

    not_used: ClassVar[frozenset[str]] = frozenset()
    """Keys that other programs read from the same block."""
    keys: ClassVar[Mapping[str, Key]] = {}
    """Keys by the names of their fields, without their types."""
    _fields: ClassVar[Mapping[str, Key]]
    names: ClassVar[Mapping[str | int, str]] = {}
    """Name of the field of each key."""

    def __init_subclass__(cls) -> None:
        own = {
            name: vars(cls)[name]
            for name, annotation in vars(cls).get("__annotations__", {}).items()
            if not annotation.startswith("ClassVar")
        }
        keys = dict(cls.keys)
        for name, value in own.items():
            key = value if isinstance(value, Key) else Key(value)
            keys[name] = replace(key, key=key.key or to_camel(name))
        cls.keys = keys
        cls.names = {key.key: name for name, key in keys.items()}

    def __init__(self, **values: Any) -> None:
        """Values by the names of fields, which are not checked, and defaults for the others."""
        unknown = values.keys() - self.keys.keys()
        if unknown:
            raise TypeError(f"{type(self).__name__} has no {', '.join(unknown)}")
        for name, key in self.keys.items():
            self.__dict__[name] = values.get(name, key.default)
        self.__dict__["_set"] = frozenset(values)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is read-only")

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self.values() == other.values()

    def __hash__(self) -> int:
        return hash((type(self), *self.values().values()))

    def __repr__(self) -> str:
        shown = (
            f"{name}={value!r}"
            for name, value in self.values().items()
            if not self.keys[name].is_secret
        )
        return f"{type(self).__name__}({', '.join(shown)})"

    @classmethod
    def checked(cls, values: object) -> Self:
        """The section of values by keys or by names of fields. Raises Refused.

        Unknown keys are passed over.
        """
        refusals: list[Refusal] = []
        section = _section(cls, values, (), refusals)
        if refusals:
            raise Refused(refusals)
        assert isinstance(section, cls)
        return section

    @classmethod
    def fields(cls) -> Mapping[str, Key]:
        """Keys by the names of their fields, with their types, which only checking needs."""
        if "_fields" not in vars(cls):
            hints = typing.get_type_hints(cls, include_extras=True)
            fields = {}
            for name, key in cls.keys.items():
                annotation, *notes = _parts(hints[name])
                fields[name] = replace(key, annotation=annotation, notes=(*notes, *key.notes))
            cls._fields = fields
        return cls._fields

    @classmethod
    def before_check(cls, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """The values that are checked."""
        return values

    def values(self) -> dict[str, Any]:
        """Values by the names of their fields."""
        return {name: self.__dict__[name] for name in self.keys}

    def is_set(self, name: str) -> bool:
        """Whether the value of a field was given, not taken from the defaults."""
        return name in self.__dict__["_set"]

    def changed(self, **values: Any) -> Self:
        """A copy with other values, which are not checked."""
        given = {name: self.__dict__[name] for name in self.__dict__["_set"]}
        return type(self)(**given | values)

    def by_key(self) -> dict[str, Any]:
        """Values by keys, as JSON knows them."""
        return {key.key: _plain(self.__dict__[name]) for name, key in self.keys.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, Section):
        return value.by_key()
    if isinstance(value, tuple):
        return [_plain(entry) for entry in value]
    if isinstance(value, Mapping):
        return {key: _plain(entry) for key, entry in value.items()}
    return value


_Place: TypeAlias = tuple[str | int, ...]


def _section(
    kind: type[Section], values: object, at: _Place, refusals: list[Refusal]
) -> Section | None:
    if isinstance(values, kind):
        return values
    if not isinstance(values, Mapping):
        refusals.append(Refusal(at, "object", values))
        return None
    values = kind.before_check(values)
    fields: dict[str, Any] = {}
    for name, key in kind.fields().items():
        written = key.key if key.key in values else name
        if written in values:
            noted = (key.annotation, *key.notes)
            fields[name] = _value(noted, values[written], (*at, written), refusals)
    return kind(**fields)


def _parts(annotation: Any) -> tuple[Any, ...]:
    """A type and its notes."""
    return get_args(annotation) if get_origin(annotation) is Annotated else (annotation,)


def _value(noted: Sequence[Any], value: Any, at: _Place, refusals: list[Refusal]) -> Any:
    """The value as a type with its notes wants it."""
    kind, *notes = noted
    for note in reversed(notes):
        value = note.change(value) if isinstance(note, Before) else value
    rest = [note for note in notes if not isinstance(note, Before)]
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _value((*parts[:1], *kind.__metadata__, *rest), value, at, refusals)
    if origin in (Union, UnionType):  # with None
        inner = next(part for part in parts if part is not NoneType)
        return None if value is None else _value((inner, *rest), value, at, refusals)
    if isinstance(kind, type) and issubclass(kind, Section):
        return _section(kind, value, at, refusals)
    if refusal := _refusal(kind, value, at) or _refusal_of_notes(kind, value, at, rest):
        refusals.append(refusal)
        return None
    if origin is tuple:
        return tuple(
            _value(_parts(parts[0]), entry, (*at, index), refusals)
            for index, entry in enumerate(value)
        )
    if origin is Mapping:
        return {
            _value(_parts(parts[0]), name, (*at, name), refusals): _value(
                _parts(parts[1]), entry, (*at, name), refusals
            )
            for name, entry in value.items()
        }
    return float(value) if kind is float else value


def _refusal(kind: Any, value: Any, at: _Place) -> Refusal | None:
    """Why a value is not of a type; its entries are not looked at."""
    match get_origin(kind) or kind:
        case builtins.tuple:
            return None if isinstance(value, list | tuple) else Refusal(at, "list", value)
        case abc.Mapping:
            return None if isinstance(value, Mapping) else Refusal(at, "object", value)
        case typing.Literal:
            is_choice = isinstance(value, str) and value in get_args(kind)
            return None if is_choice else Refusal(at, "choice", value, choices=get_args(kind))
        case builtins.str if isinstance(value, str):
            return Refusal(at, "letters", value) if _SURROGATE.search(value) else None
        case builtins.float if isinstance(value, int | float) and not isinstance(value, bool):
            # A whole number may be longer than any float.
            is_finite = abs(value) <= sys.float_info.max
            return None if is_finite else Refusal(at, "finite", value)
        case builtins.int if isinstance(value, bool):
            return Refusal(at, "int", value)
    return None if isinstance(value, kind) else Refusal(at, kind.__name__, value)


def _refusal_of_notes(kind: Any, value: Any, at: _Place, notes: Sequence[Any]) -> Refusal | None:
    """Why a value of the right type is refused all the same."""
    for note in notes:
        match note:
            case Limits(low, _) if low is not None and value < low:
                return Refusal(at, "too small", value, kind(low))
            case Limits(_, high) if high is not None and value > high:
                return Refusal(at, "too large", value, kind(high))
            case Pattern(expression) if not re.fullmatch(expression, value):
                return Refusal(at, "pattern", value)
    return None
