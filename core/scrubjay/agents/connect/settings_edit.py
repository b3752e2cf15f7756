"""Scrubjay's entry in an agent's list of servers, and the lines of a change for review."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping, MutableMapping, Sequence
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.exceptions import ParseError, TOMLKitError
from tomlkit.items import InlineTable, Table

from scrubjay.agents.connect.connection_records import ConnectionPart
from scrubjay.agents.connect.known_agents import SERVER, Client, SettingsFormat
from scrubjay.config.json5.json5_editor import remove_value, set_value
from scrubjay.config.json5.json5_parser import Json5Error, parse_json5
from scrubjay.errors import ConnectFailed
from scrubjay.messages import Sentence, msg
from scrubjay.records.journal_records import DiffLine
from scrubjay.text.line_diff import compare_lines

_BOM = "\ufeff"
"""Byte order mark, with which some editors of Windows begin a file."""


class ServerEntry:
    """Our entry in the list of servers of an agent's settings."""

    part = ConnectionPart.SERVER

    def __init__(self, client: Client, file: Path, entry: Mapping[str, Any]) -> None:
        self.file = file
        self._client = client
        self._entry = entry

    def applied(self, text: str | None) -> str | None:
        """The settings with our entry."""
        return edit_settings(self._client, text, self._entry)

    def removed(self, text: str | None) -> str | None:
        """The settings without our entry."""
        return edit_settings(self._client, text, None)


def find_entry(client: Client, text: str | None) -> Any:
    """Our entry in the text; None if there is none. Raises ConnectFailed."""
    value: Any = _read(client, text or "")
    for key in (*client.servers, SERVER):
        if not isinstance(value, Mapping):
            return None
        value = value.get(key)
    return value


def edit_settings(client: Client, text: str | None, entry: Mapping[str, Any] | None) -> str | None:
    """The text with our entry, or without it for None; all other characters stay.

    It was read again, so that no broken file is ever written. Raises ConnectFailed.
    """
    if find_entry(client, text) == entry:
        return text
    path = (*client.servers, SERVER)
    before = text or ""
    # Each form of file has its editor; a file that is empty so far is rewritten.
    if client.form is SettingsFormat.TOML:
        after = _toml_edited(client, before, entry)
        # The library puts a table before the keys below it, where its list has dotted keys.
        if entry is not None and _others(client, after) != _others(client, before):
            after = _toml_extended(client, before, entry)
    elif entry is None:
        after = remove_value(before, path)
    elif is_blank(before):
        settings = dict(entry)
        for key in reversed(path):
            settings = {key: settings}
        after = json.dumps(settings, indent=2, ensure_ascii=False) + "\n"
    else:
        try:
            after = set_value(before, path, dict(entry), quoted=client.form is SettingsFormat.JSON)
        except LookupError as error:
            raise misplaced(client, str(error.args[0])) from error
    # An editor that made a mistake would leave the agent without its settings.
    if find_entry(client, after) != entry or _others(client, after) != _others(client, before):
        raise misplaced(client, ".".join(client.servers))
    return after


def _others(client: Client, text: str) -> str:
    """All settings but our entry and the lists that only it was in, in a form to be compared."""

    def without(value: Any, path: Sequence[str]) -> Any:
        if not path or not isinstance(value, Mapping) or path[0] not in value:
            return value
        others = {key: each for key, each in value.items() if key != path[0]}
        inner = without(value[path[0]], path[1:])
        if len(path) > 1 and inner not in ({}, None):
            others[path[0]] = inner
        return others

    settings = without(_read(client, text), (*client.servers, SERVER))
    return json.dumps(settings, sort_keys=True, default=str)


def _read(client: Client, text: str) -> Mapping[str, Any]:
    """The settings in a text. Raises ConnectFailed."""
    if client.form is not SettingsFormat.TOML:
        return read_json(client, text)
    try:
        return tomlkit.parse(text.removeprefix(_BOM)).unwrap()
    except (TOMLKitError, RecursionError) as error:
        reason: Exception | Sentence = error
        if isinstance(error, ParseError):  # the library's message cannot be translated
            reason = msg(
                "line {line}, column {column}", line=str(error.line), column=str(error.col)
            )
        raise _unreadable(client, msg("The file has a mistake: {error}", error=reason)) from error


def read_json(client: Client, text: str) -> Mapping[str, Any]:
    """The settings in a file of JSON, with comments or not. Raises ConnectFailed."""
    if is_blank(text):
        return {}
    try:
        value = parse_json5(text).value
    except (Json5Error, RecursionError) as error:
        raise _unreadable(client, msg("The file has a mistake: {error}", error=error)) from error
    if not isinstance(value, dict):
        raise _unreadable(client, msg("The file does not contain settings in the expected format"))
    return value


def is_blank(text: str) -> bool:
    """Whether a file has nothing in it, as a new one."""
    return not text.strip(f"{_BOM} \t\r\n")


def misplaced(client: Client, key: str) -> ConnectFailed:
    """The error of settings that have something else where a list or an object should be."""
    return _unreadable(
        client, msg("{key} does not contain settings in the expected format", key=key)
    )


def _toml_edited(client: Client, text: str, entry: Mapping[str, Any] | None) -> str:
    """The text with our entry, or without it for None."""
    document = tomlkit.parse(text.removeprefix(_BOM))
    [key] = client.servers
    servers: Any = document.get(key)
    table: Table | InlineTable = tomlkit.table()
    # The entry goes into the list as it is written: into its own table, or into the inline one.
    if entry is None:
        servers.pop(SERVER)
        if not servers:
            document.remove(key)
    elif servers is None:
        table.update(entry)
        document.add(key, tomlkit.table(is_super_table=True).add(SERVER, table))
    elif not isinstance(servers, MutableMapping):
        raise _unreadable(client, msg("{key} is not a TOML table", key=key))
    else:
        if isinstance(servers, InlineTable):
            table = tomlkit.inline_table()
        table.update(entry)
        servers[SERVER] = table
    # Ends of lines and a byte order mark stay as they were.
    after = tomlkit.dumps(document)
    if "\r\n" in text:
        after = after.replace("\r\n", "\n").replace("\n", "\r\n")
    return f"{_BOM}{after}" if text.startswith(_BOM) else after


def _toml_extended(client: Client, text: str, entry: Mapping[str, Any]) -> str:
    """The text without our entry, and with a table of its own at the end."""
    if find_entry(client, text) is not None:
        text = _toml_edited(client, text, None)
    [key] = client.servers
    end = "\r\n" if "\r\n" in text else "\n"
    table = tomlkit.dumps({key: {SERVER: dict(entry)}}).replace("\n", end)
    return f"{text.rstrip()}{end}{end}{table}"


def _unreadable(client: Client, reason: str) -> ConnectFailed:
    return ConnectFailed(
        msg("Scrubjay cannot read the settings for {name}", name=client.name),
        msg("{reason}.", reason=reason),
        hint="Nothing was changed. Correct the file in a text editor, then try again.",
    )


_LONG = 100
"""Characters of a line that can be read at a glance."""
_INDENT = "  "
"""Indent of each bracket around a piece of such a line."""
# The parts at which a long line may be cut, and the text between them.
_PARTS = re.compile(
    r"""
    "(?:[^"\\]|\\.)*" | '(?:[^'\\]|\\.)*' |  # strings stay together
    [\[{]\s*[\]}] |  # and so do empty lists and objects
    [\[{}\],] |
    [^"'\[{}\],]+ |
    ["'].*  # after a quote without an end, the rest is one piece: it takes no second look
    """,
    re.VERBOSE,
)


def diff_lines(before: str, after: str) -> tuple[DiffLine, ...]:
    """The changed lines, with a few around them.

    Long lines that change are cut after commas and around brackets on both sides, so that only
    their changed parts are shown as changed.
    """
    before = before.removesuffix("\n")
    after = after.removesuffix("\n")
    changed = set(before.split("\n")) ^ set(after.split("\n"))
    if any(len(line) > _LONG for line in changed):
        before = _cut_lines(before, changed)
        after = _cut_lines(after, changed)
    return compare_lines(before, after).lines


def _cut_lines(text: str, changed: Collection[str]) -> str:
    """The text with its changed lines in pieces."""
    lines: list[str] = []
    for line in text.split("\n"):
        if line in changed:
            lines += _pieces(line)
        else:
            lines.append(line)
    return "\n".join(lines)


def _pieces(line: str) -> Iterator[str]:
    """The pieces of a line, each indented by the brackets around it."""
    margin = line[: len(line) - len(line.lstrip())]
    depth = 0
    piece = ""
    for part in _PARTS.findall(line.strip()):
        # A closing bracket begins a piece; an opening one or a comma ends one.
        if part in ("}", "]"):
            if piece.strip():
                yield f"{margin}{_INDENT * depth}{piece.strip()}"
            depth = max(0, depth - 1)
            piece = ""
        piece += part
        if part in ("{", "[", ","):
            yield f"{margin}{_INDENT * depth}{piece.strip()}"
            if part != ",":
                depth += 1
            piece = ""
    if piece.strip() or not line.strip():
        yield f"{margin}{_INDENT * depth}{piece.strip()}"
