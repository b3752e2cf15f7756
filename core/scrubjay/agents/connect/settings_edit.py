"""Changes one entry of an agent's settings file; every other character stays where it is."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterator, Mapping, MutableMapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.exceptions import ParseError, TOMLKitError
from tomlkit.items import InlineTable, Table

from scrubjay.agents.connect.clients import SERVER, Client, Form
from scrubjay.config.json5.json5_editor import with_value, without
from scrubjay.config.json5.json5_parser import Json5Error, parse
from scrubjay.errors import ConnectFailed
from scrubjay.messages import Sentence, msg
from scrubjay.text.line_diff import DiffLine, compare_lines

_BOM = "\ufeff"


@dataclass(frozen=True, slots=True)
class ConnectionChange:
    """What would be written to one file."""

    client: str
    """Id of the agent."""
    name: str
    file: Path
    before: str | None
    """None while there is no such file."""
    after: str | None
    """None when the file goes again."""
    is_undo: bool = False
    lines: tuple[DiffLine, ...] = ()
    """What changes, for people to look through."""

    @property
    def is_needed(self) -> bool:
        """False when the file says already what it should say."""
        return self.before != self.after

    @property
    def diff(self) -> str:
        """The lines that change, with a few around them, as programmers write it."""
        lines = difflib.unified_diff(
            (self.before or "").splitlines(keepends=True),
            (self.after or "").splitlines(keepends=True),
            f"{self.file}",
            f"{self.file}",
            n=2,
        )
        return "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)


def entry_in(client: Client, text: str | None) -> Any:
    """Our entry as it stands in the text; None when there is none. Raises ConnectFailed."""
    found: Any = _read(client, text or "")
    for step in (*client.servers, SERVER):
        found = found.get(step) if isinstance(found, Mapping) else None
    return found


def with_entry(client: Client, text: str | None, entry: Mapping[str, Any]) -> str:
    """The text with our entry. Raises ConnectFailed when it cannot be understood."""
    if entry_in(client, text) == entry:
        return text or ""
    if client.form is Form.TOML:
        return _checked(client, _toml_with(client, text or "", entry))
    if text is None or not text.strip(f"{_BOM} \t\r\n"):
        return _json(client, entry)
    is_strict = client.form is Form.JSON
    try:
        return _checked(
            client, with_value(text, (*client.servers, SERVER), dict(entry), quoted=is_strict)
        )
    except LookupError as error:
        raise _strange(client, msg("{key} is no object", key=error.args[0])) from error


def without_entry(client: Client, text: str) -> str:
    """The text without our entry. Raises ConnectFailed when it cannot be understood."""
    if entry_in(client, text) is None:
        return text
    if client.form is Form.TOML:
        return _checked(client, _toml_without(client, text))
    return _checked(client, without(text, (*client.servers, SERVER)))


def _json(client: Client, entry: Mapping[str, Any]) -> str:
    whole: dict[str, Any] = {SERVER: dict(entry)}
    for step in reversed(client.servers):
        whole = {step: whole}
    return json.dumps(whole, indent=2, ensure_ascii=False) + "\n"


def _read(client: Client, text: str) -> Mapping[str, Any]:
    if not text.strip(f"{_BOM} \t\r\n"):
        return {}
    try:
        if client.form is Form.TOML:
            return tomlkit.parse(text.removeprefix(_BOM)).unwrap()
        found = parse(text).value
    except (Json5Error, TOMLKitError, RecursionError) as error:
        raise _strange(
            client, msg("It is not valid {form}: {error}", form=client.form, error=_where(error))
        ) from error
    if not isinstance(found, dict):
        raise _strange(client, msg("It holds no object"))
    return found


def _where(error: Exception) -> Exception | Sentence:
    """The place alone where the library has English words for what is wrong."""
    if isinstance(error, ParseError):
        return msg("line {line}, column {column}", line=str(error.line), column=str(error.col))
    return error


def _checked(client: Client, text: str) -> str:
    """Nobody gets a broken file from us."""
    _read(client, text)
    return text


def _toml_with(client: Client, text: str, entry: Mapping[str, Any]) -> str:
    document = tomlkit.parse(text.removeprefix(_BOM))
    [key] = client.servers
    servers: Any = document.get(key)
    if servers is None:
        servers = tomlkit.table(is_super_table=True)
        servers.add(SERVER, _toml_table(entry))
        document.add(key, servers)
        return _as_before(text, document)
    if not isinstance(servers, MutableMapping):
        raise _strange(client, msg("{key} is no table", key=key))
    if isinstance(servers, InlineTable):
        inline = tomlkit.inline_table()
        inline.update(entry)
        servers[SERVER] = inline
    else:
        servers[SERVER] = _toml_table(entry)
    return _as_before(text, document)


def _toml_without(client: Client, text: str) -> str:
    document = tomlkit.parse(text.removeprefix(_BOM))
    [key] = client.servers
    servers: Any = document[key]
    servers.pop(SERVER)
    if not servers:
        document.remove(key)
    return _as_before(text, document)


def _toml_table(entry: Mapping[str, Any]) -> Table:
    table = tomlkit.table()
    for key, value in entry.items():
        table.add(key, value)
    return table


def _as_before(before: str, document: tomlkit.TOMLDocument) -> str:
    """With the line ends of the file, and its byte order mark."""
    after = tomlkit.dumps(document)
    if "\r\n" in before:
        after = after.replace("\r\n", "\n").replace("\n", "\r\n")
    return f"{_BOM}{after}" if before.startswith(_BOM) else after


def _strange(client: Client, reason: str) -> ConnectFailed:
    return ConnectFailed(
        msg("The settings of {name} cannot be read", name=client.name),
        msg("{reason}.", reason=reason),
        hint="Nothing was changed. Correct the file by hand, then try again.",
    )


_LONG = 100
"""Characters that are seen at a glance."""
_INDENT = "  "
_PARTS = re.compile(
    r"""
    "(?:[^"\\]|\\.)*" | '(?:[^'\\]|\\.)*' |  # what stands in quotes stays together
    [\[{]\s*[\]}] |  # and so does what is empty
    [\[{}\],] |
    [^"'\[{}\],]+ |
    ["']  # a quote that nobody closes
    """,
    re.VERBOSE,
)


def compared(before: str, after: str) -> tuple[DiffLine, ...]:
    """What changes, with a few lines around it.

    Where a long line changes, it is cut behind commas and around brackets on both sides, so that
    what is the same in it is not told as changed.
    """
    before, after = before.removesuffix("\n"), after.removesuffix("\n")
    changed = set(before.split("\n")) ^ set(after.split("\n"))
    if any(len(line) > _LONG for line in changed):
        before, after = (_cut(text, changed) for text in (before, after))
    return compare_lines(before, after).lines


def _cut(text: str, changed: set[str]) -> str:
    lines = text.split("\n")
    return "\n".join(
        piece for line in lines for piece in (_pieces(line) if line in changed else (line,))
    )


def _pieces(line: str) -> Iterator[str]:
    margin = line[: len(line) - len(line.lstrip())]
    depth, piece = 0, ""
    for part in _PARTS.findall(line.strip()):
        if part in ("}", "]"):
            if piece.strip():
                yield f"{margin}{_INDENT * depth}{piece.strip()}"
            depth, piece = max(0, depth - 1), ""
        piece += part
        if part in ("{", "[", ","):
            yield f"{margin}{_INDENT * depth}{piece.strip()}"
            depth, piece = depth + (part != ","), ""
    if piece.strip() or not line.strip():
        yield f"{margin}{_INDENT * depth}{piece.strip()}"
