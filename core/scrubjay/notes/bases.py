"""Tables of Obsidian Bases: the notes that a view admits, with its columns, in its order.

Only simple filters are understood; a base with another one is refused as a whole, since a table
with the wrong notes would be worse than none. Formulas are named and never computed.
"""

from __future__ import annotations

import datetime as dt
import operator
import posixpath
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from scrubjay.text.plain_yaml import parse_plain_yaml

_FUNCTION = re.compile(r"([\w][\w .-]*?)\.(\w+)\((.*)\)")
"""Question about a file or a property: `file.hasTag("x")`."""
_COMPARISON = re.compile(r"([\w][\w .-]*?)\s*(==|!=|>=|<=|>|<)\s*(.+)")
_ARGUMENT = re.compile(
    r"""\s*(?:link\(\s*(?:"([^"]*)"|'([^']*)')\s*\)|"([^"]*)"|'([^']*)'|(this(?:\.file)?))\s*(?:,|\Z)"""
)
_TIME = re.compile(
    r"""(?:(now|today)\(\)|date\(\s*["']([\d:T -]+)["']\s*\))"""
    r"""(?:\s*([-+])\s*["'](\d{1,4})\s*([a-zA-Z]+)["'])?"""
)
"""A time, or one that is earlier or later by some days: `now() - "7d"`."""
_UNITS: Mapping[str, dt.timedelta] = {
    **dict.fromkeys(("d", "day", "days"), dt.timedelta(days=1)),
    **dict.fromkeys(("w", "week", "weeks"), dt.timedelta(weeks=1)),
    **dict.fromkeys(("h", "hour", "hours"), dt.timedelta(hours=1)),
}
"""Units whose length does not depend on the month."""
_LINK = re.compile(r"\[\[([^\[\]|#\n]+)(?:[|#][^\[\]\n]*)?\]\]")
_WRITTEN_LINK = re.compile(r"link\((.*)\)")
_COMPARED: Mapping[str, Callable[[Any, Any], bool]] = {
    ">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt,
}  # fmt: skip
_MOST_COLUMNS = 20
_MOST_VIEWS = 20
"""Views of a base that are named beside the one that is shown."""
_MOST_CONDITIONS = 50
"""Conditions of a base and its view together; each is asked of every note."""
_LONGEST_CONDITION = 500
"""Characters; the expressions above take the square of their number."""


class BaseTooComplex(Exception):
    """The base asks for something that is not understood here."""


class BaseNoteFacts(Struct, frozen=True):
    """What a base can ask about a note."""

    path: str
    properties: Mapping[str, Any]
    tags: frozenset[str] = frozenset()
    """Tags without their signs, in lower case."""
    links: frozenset[str] = frozenset()
    """Paths of the notes that it links to."""
    modified: dt.datetime | None = None
    """Last change of its file, in local time."""

    @property
    def name(self) -> str:
        """The name of the file without `.md`."""
        return posixpath.basename(self.path).removesuffix(".md")


class BaseTable(Struct, frozen=True):
    """A view of a base."""

    name: str
    columns: tuple[str, ...]
    """Titles of the columns; `file.name` and the like where the base gives no other title."""
    rows: tuple[tuple[str, ...], ...]
    """Values of the cells, in which links stand in double brackets."""
    formulas: tuple[str, ...]
    """Names of the columns that are not computed."""
    other_views: tuple[str, ...] = ()
    """Names of the views that are not shown, where nothing names the one that is."""
    excluded: int = 0
    """Number of notes that were not asked, since their properties are too long."""


_Condition = Callable[[BaseNoteFacts], bool]


class _Asker(Struct, frozen=True):
    """Who asks a base: the note that shows it, and when."""

    path: str
    now: dt.datetime


def base_table(
    text: str, view: str, notes: Sequence[BaseNoteFacts], this: str, now: dt.datetime
) -> BaseTable:
    """A view of a base by its name, or the first one, as the note `this` shows it now.

    Raises BaseTooComplex.
    """
    try:
        return _table(parse_plain_yaml(text), view, notes, _Asker(this, now))
    # What is no YAML, days out of the calendar, and values that cannot be compared.
    except (ArithmeticError, RecursionError, TypeError, ValueError) as error:
        raise BaseTooComplex from error


def _table(base: Any, view: str, notes: Sequence[BaseNoteFacts], asker: _Asker) -> BaseTable:
    # The view with the name, otherwise the first one.
    views = _list(_mapping(base).get("views"))
    chosen = next((each for each in map(_mapping, views) if each.get("name") == view), None)
    others: list[str] = []
    if chosen is None:
        chosen = _mapping(views[0]) if views else {}
        others = [str(_mapping(each).get("name") or "") for each in views[1 : 1 + _MOST_VIEWS]]
    filters = [_mapping(base).get("filters"), chosen.get("filters")]
    if sum(map(_condition_count, filters)) > _MOST_CONDITIONS:
        raise BaseTooComplex
    admits = [_all_of(each, asker) for each in filters]
    admitted = [note for note in notes if all(condition(note) for condition in admits)]
    # Names of files in their order, then the orders of the view, the last one first, then groups.
    admitted.sort(key=lambda note: note.name.casefold())
    group = _mapping(chosen.get("groupBy"))
    orders = [group] if group else []
    orders += map(_mapping, _list(chosen.get("sort")))
    for each in reversed(orders):
        name = str(each.get("property") or each.get("column"))
        _sort(admitted, name, is_falling=str(each.get("direction")).upper() == "DESC")
    # As many rows as the view wants.
    limit = chosen.get("limit")
    if isinstance(limit, int) and limit > 0:
        admitted = admitted[:limit]
    # Columns in the order of the view, with that of its groups; formulas are only named.
    order = [str(each) for each in _list(chosen.get("order"))][:_MOST_COLUMNS] or ["file.name"]
    grouped_by = str(group.get("property"))
    if group and not {grouped_by, f"note.{grouped_by}", grouped_by.removeprefix("note.")} & {
        *order
    }:
        order.insert(0, grouped_by)
    shown = [name for name in order if not name.startswith("formula.")]
    titles = _mapping(_mapping(base).get("properties"))
    return BaseTable(
        name=str(chosen.get("name") or ""),
        columns=tuple(_title(name, titles) for name in shown),
        rows=tuple(tuple(_cell(note, name) for name in shown) for note in admitted),
        formulas=tuple(_title(name, titles) for name in order if name not in shown),
        other_views=tuple(filter(None, others)),
    )


def _sort(notes: list[BaseNoteFacts], name: str, *, is_falling: bool) -> None:
    """Sort notes by a property; those without it stay last."""
    if name.startswith("formula."):
        raise BaseTooComplex
    notes.sort(key=lambda note: _sort_key(_value(note, name)), reverse=is_falling)
    notes.sort(key=lambda note: _is_empty(_value(note, name)))


def _sort_key(value: Any) -> tuple[int, Any]:
    if isinstance(value, int | float):
        return 0, value
    if isinstance(value, dt.date):
        return 1, value.isoformat()
    return 1, _words(value).casefold()


def _condition_count(filters: Any) -> int:
    if isinstance(filters, dict):
        filters = [*filters.values()]
    # What is empty is gone through as well.
    if isinstance(filters, list):
        return max(1, sum(map(_condition_count, filters)))
    return 1


def _all_of(filters: Any, asker: _Asker) -> _Condition:
    """The condition of filters: a text, or lists of them below `and`, `or` and `not`."""
    if not filters:
        return lambda _: True
    if isinstance(filters, str):
        return _condition(filters.strip(), asker)
    if not isinstance(filters, dict):
        raise BaseTooComplex
    # A condition that is left out would admit the wrong notes.
    parts: list[_Condition] = []
    for word, several in filters.items():
        if not isinstance(several, list):
            raise BaseTooComplex
        parts.append(_joined(str(word), [_all_of(each, asker) for each in several]))
    return _joined("and", parts)


def _joined(word: str, conditions: Sequence[_Condition]) -> _Condition:
    match word:
        case "and":
            return lambda note: all(condition(note) for condition in conditions)
        case "or":
            return lambda note: any(condition(note) for condition in conditions)
        case "not":
            return lambda note: not any(condition(note) for condition in conditions)
    raise BaseTooComplex


def _condition(text: str, asker: _Asker) -> _Condition:
    if len(text) > _LONGEST_CONDITION or "&&" in text or "||" in text:
        raise BaseTooComplex
    # What is denied, maybe more than once.
    is_denied = False
    while text.startswith("!"):
        is_denied = not is_denied
        text = text[1:].strip()
    condition = _plain_condition(text, asker)
    if is_denied:
        return lambda note: not condition(note)
    return condition


def _plain_condition(text: str, asker: _Asker) -> _Condition:
    # What is asked, and what is compared.
    function = _FUNCTION.fullmatch(text)
    if function:
        return _asked(function[1], function[2], _arguments(function[3], asker.path))
    comparison = _COMPARISON.fullmatch(text)
    if comparison:
        time = _TIME.fullmatch(comparison[3].strip())
        if time:
            return _in_time(comparison[1], comparison[2], _moment(time, asker.now))
        return _compared(*comparison.groups())
    raise BaseTooComplex


def _arguments(text: str, this: str) -> list[str]:
    # Texts, links and the note itself, one after the other.
    arguments: list[str] = []
    end = 0
    while end < len(text.rstrip()):
        match = _ARGUMENT.match(text, end)
        if match is None:
            raise BaseTooComplex
        words = next((each for each in match.groups()[:4] if each is not None), this)
        arguments.append(words)
        end = match.end()
    return arguments


def _asked(name: str, question: str, arguments: Sequence[str]) -> _Condition:
    """The condition that a file or a property answers a question."""
    wanted = [each.casefold() for each in arguments]
    targets = {_target(each) for each in arguments}
    match name, question:
        case "file", "hasTag":
            tags = tuple(each.lstrip("#") for each in wanted)
            return lambda note: any(_has_tag(note, tag) for tag in tags)
        case "file", "inFolder":
            return lambda note: any(
                f"/{note.path.casefold()}".startswith(f"/{folder.strip('/')}/") for folder in wanted
            )
        case "file", "hasLink":
            return lambda note: any(_target(link) in targets for link in note.links)
        case "file", "hasProperty":
            return lambda note: any(each in note.properties for each in arguments)
        case _, "isEmpty" if not arguments:
            return lambda note: _is_empty(_value(note, name))
        case _, "contains" | "containsAny":
            return lambda note: any(_holds(_value(note, name), each) for each in arguments)
        case _, "containsAll":
            return lambda note: all(_holds(_value(note, name), each) for each in arguments)
        case _, "startsWith":
            return lambda note: _words(_value(note, name)).casefold().startswith(tuple(wanted))
        case _, "endsWith":
            return lambda note: _words(_value(note, name)).casefold().endswith(tuple(wanted))
    raise BaseTooComplex


def _compared(name: str, sign: str, written: str) -> _Condition:
    """The condition that a property is equal to a value, or more or less."""
    # Numbers, truths and texts in quotes; the name of another property is not understood.
    link = _WRITTEN_LINK.fullmatch(written)
    value = parse_plain_yaml(link[1] if link else written)
    is_named = isinstance(value, str) and not link and written[0] not in "\"'"
    if is_named or not isinstance(value, str | int | float):
        raise BaseTooComplex
    if sign == "==":
        return lambda note: _is_equal(_value(note, name), value)
    if sign == "!=":
        return lambda note: not _is_equal(_value(note, name), value)
    compare = _COMPARED[sign]

    def is_so(note: BaseNoteFacts) -> bool:
        own = _value(note, name)
        if isinstance(own, dt.date):
            own = own.isoformat()
        try:
            return compare(own, value)
        except TypeError:
            return False

    return is_so


def _moment(time: re.Match[str], now: dt.datetime) -> dt.datetime:
    """The moment that is written. Raises BaseTooComplex for a day that is not in the calendar."""
    moment: dt.datetime | None = now
    if time[1] == "today":
        moment = now.replace(hour=0, minute=0, second=0, microsecond=0)
    elif time[2]:
        moment = _local(time[2], now)
    unit = _UNITS.get(time[5] or "d")
    if moment is None or unit is None:
        raise BaseTooComplex
    # Without a length nothing is added.
    return moment + unit * int(f"{time[3] or ''}{time[4] or 0}")


def _in_time(name: str, sign: str, moment: dt.datetime) -> _Condition:
    """The condition that a property is a time before or after another one."""
    if sign not in _COMPARED:
        raise BaseTooComplex

    # What is no time is neither before nor after.
    def is_so(note: BaseNoteFacts) -> bool:
        own = _local(_value(note, name), moment)
        return own is not None and _COMPARED[sign](own, moment)

    return is_so


def _local(value: Any, like: dt.datetime) -> dt.datetime | None:
    """A value as a moment in the zone of another one; None for what is no time."""
    # A text may be written as a day, a day begins at midnight, and a zone is that of the other.
    if isinstance(value, str):
        try:
            value = dt.datetime.fromisoformat(value.strip())
        except ValueError:
            return None
    if isinstance(value, dt.date) and not isinstance(value, dt.datetime):
        value = dt.datetime.combine(value, dt.time())
    if not isinstance(value, dt.datetime):
        return None
    moment: dt.datetime = value
    if moment.tzinfo is None:
        return moment.replace(tzinfo=like.tzinfo)
    return moment


def _is_equal(own: Any, value: Any) -> bool:
    if isinstance(value, str) and not isinstance(own, list):
        return _target(_words(own)) == _target(value)
    return bool(own == value)


def _holds(own: Any, wanted: str) -> bool:
    """Whether a list has an item, or a text a part."""
    if isinstance(own, list):
        return any(_target(_words(each)) == _target(wanted) for each in own)
    return wanted.casefold() in _words(own).casefold()


def _has_tag(note: BaseNoteFacts, tag: str) -> bool:
    return any(own == tag or own.startswith(f"{tag}/") for own in note.tags)


def _value(note: BaseNoteFacts, name: str) -> Any:
    """A property of a note or of its file. Raises BaseTooComplex for others of the file."""
    match name:
        case "file.name" | "file.basename" | "file.file" | "file":
            return note.name
        case "file.path":
            return note.path
        case "file.folder":
            return posixpath.dirname(note.path)
        case "file.ext":
            return note.path.rpartition(".")[2]
        case "file.tags":
            return sorted(note.tags)
        case "file.mtime":
            return note.modified
    if name.startswith(("file.", "formula.", "this.")):
        raise BaseTooComplex
    return note.properties.get(name.removeprefix("note."))


def _cell(note: BaseNoteFacts, name: str) -> str:
    if name in ("file.name", "file.basename", "file.file", "file"):
        return f"[[{note.path.removesuffix('.md')}|{note.name}]]"
    return _words(_value(note, name))


def _words(value: Any) -> str:
    """A value in words; those of a list with commas between them."""
    match value:
        case None:
            return ""
        case dt.datetime():
            return value.strftime("%Y-%m-%d %H:%M")
        case bool():
            return "✓" if value else ""
        # A link without quotes is a list in a list for YAML.
        case [[str(target)]]:
            return f"[[{target}]]"
        case list():
            return ", ".join(filter(None, map(_words, value)))
        case dict():
            return ""
    return str(value)


def _target(text: str) -> str:
    """The name of a note that a link means, as it is compared; of another text the text."""
    # Folders in a link do not count, nor does its ending.
    link = _LINK.fullmatch(text.strip())
    name = link[1] if link else text
    return posixpath.basename(name.strip()).removesuffix(".md").casefold()


def _is_empty(value: Any) -> bool:
    return value in (None, "", [], {})


def _title(name: str, titles: Mapping[str, Any]) -> str:
    own = _mapping(titles.get(name) or titles.get(f"note.{name}")).get("displayName")
    if own:
        return str(own)
    if name.startswith("file.") or name == "file":
        return name
    return name.rpartition(".")[2]


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
