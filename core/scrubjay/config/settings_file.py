"""Edits of the settings file, one value at a time."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from scrubjay.config.aliases import SHARED, mapping_at
from scrubjay.config.json5 import json5_editor
from scrubjay.config.json5.json5_parser import Json5Error, add_braces, parse_json5
from scrubjay.config.loading import (
    agent_workspaces,
    copy_usable_text,
    load_settings,
    seconds_until_settled,
    workspace_entries,
)
from scrubjay.config.problems import KeyPath
from scrubjay.config.removed_secrets import without_removed_secrets
from scrubjay.config.schema.settings import SettingsFile, WorkspaceEntry
from scrubjay.config.validation import validate_section
from scrubjay.errors import ConfigError, system_reason
from scrubjay.messages import msg
from scrubjay.platform.atomic_write import PRIVATE_FILE, when_released, write_atomically
from scrubjay.records.workspace_id import WorkspaceId

_EMPTY = "{}\n"
_FORMER_IGNORE = "leftOut"
"""Former key of a workspace, which is now written as `ignore`."""


class ConfigFile:
    """The settings file, for writing.

    Comments, order, layout and unknown keys stay. The previous text is kept beside it as `.bak`,
    without secrets that are no longer in the settings.
    A blank or missing file is rewritten from the copy of its last usable text. Every method
    raises ConfigError, and then the file is as it was.
    """

    def __init__(self, path: Path, last: Path | None = None) -> None:
        """Last is that copy."""
        self._path = path
        self._last = last

    def set(self, path: Sequence[str], value: Any) -> None:
        """Write one value; missing objects on the way are added."""
        self._edit(lambda text: json5_editor.set_value(text, path, value))

    def set_memory_search(self, path: Sequence[str], value: Any) -> None:
        """Write a key of memorySearch into the strongest block in the file, else into our own."""

        def edited(text: str) -> str:
            raw = parse_json5(text).value
            in_use = (at for at in SHARED if isinstance(mapping_at(raw, at[:-1]).get(at[-1]), dict))
            block = next(in_use, SHARED[-1])
            return json5_editor.set_value(text, (*block, *path), value)

        self._edit(edited)

    def remove(self, path: Sequence[str]) -> None:
        """Take one key out, if it is there, and the objects that are empty without it."""

        def edited(text: str) -> str:
            for depth in range(len(path), 0, -1):
                before = text
                text = json5_editor.remove_value(before, path[:depth])
                if text == before or not json5_editor.is_empty(text, path[: depth - 1]):
                    break
            return text

        self._edit(edited)

    def add_workspace(self, entry: WorkspaceEntry) -> None:
        """Append to the list of workspaces; the id must be new."""

        def edited(text: str) -> str:
            if any(listed.id == entry.id for _, listed in _entries(text)):
                raise ConfigError("This folder is already in the list", entry.id)
            usual = WorkspaceEntry().by_key()
            values = {key: each for key, each in entry.by_key().items() if each != usual[key]}
            return json5_editor.append_entry(text, ("workspaces",), values)

        self._edit(edited)

    def change_workspace(self, entry: WorkspaceEntry) -> None:
        """Write what is new in the entry of a workspace, which gets one if a block named it."""
        values = entry.by_key()

        def edited(text: str) -> str:
            for key_path, named in _of_agents(text):
                if named.id == entry.id:
                    text = json5_editor.remove_value(text, (*key_path, "workspace"))
                    return json5_editor.append_entry(text, ("workspaces",), values)
            for index, listed in _entries(text):
                if listed.id == entry.id:
                    before = {**listed.by_key(), "path": str(listed.root)}
                    # Where the file has no id, another name or path would give the entry another.
                    for key, value in values.items():
                        key_path = ("workspaces", index, key)
                        if key == _FORMER_IGNORE and not value:
                            text = json5_editor.remove_value(text, key_path)
                        elif key == "id" or value != before[key]:
                            text = json5_editor.set_value(text, key_path, value)
            return text

        self._edit(edited)

    def remove_workspace(self, workspace_id: WorkspaceId) -> None:
        """Take a workspace out of the list, if it is there."""

        def edited(text: str) -> str:
            # Agents may name the same folder.
            roots = set()
            for index, entry in _entries(text):
                if entry.id == workspace_id:
                    text = json5_editor.remove_value(text, ("workspaces", index))
                    roots.add(entry.root)
            for key_path, entry in _of_agents(text):
                if entry.id == workspace_id or entry.root in roots:
                    text = json5_editor.remove_value(text, (*key_path, "workspace"))
            return text

        self._edit(edited)

    def _edit(self, change: Callable[[str], str]) -> None:
        """Change the text of the file. Raises ConfigError."""
        # Whatever goes wrong, the file is as it was, and the person is told.
        try:
            self._replace(change)
        except UnicodeDecodeError as error:
            title = msg(
                "{file} contains characters that Scrubjay cannot read", file=self._path.resolve()
            )
            raise ConfigError(
                title,
                hint=(
                    "Nothing was changed. Open the file in a text editor, copy its "
                    "text into a new file and give the new file the same name."
                ),
            ) from error
        except OSError as error:
            reason = system_reason(error)
            raise ConfigError(
                msg("Scrubjay cannot write to {file}", file=self._path),
                msg("{reason}.", reason=reason),
            ) from error

    def _replace(self, change: Callable[[str], str]) -> None:
        """Write the changed text, with the former one as a backup. May raise OSError."""
        from filelock import FileLock  # late: most commands change no setting

        # Dotfile collections link to the real file, which is the one to replace.
        target = self._path.resolve()
        if target.exists() and not target.is_file():
            # To read a pipe would never end.
            title = msg("{file} is not a settings file", file=self._path)
            raise ConfigError(title, msg("{reason}.", reason=msg("This is not a regular file")))
        target.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(target.with_name(f".{target.name}.lock"), mode=PRIVATE_FILE):
            is_new = not target.exists()
            before = ""
            if not is_new:
                before = self._settled_text(target)
            after = self._changed(before, change)
            if after == before:
                return
            # A new file is private, since it may hold keys.
            mode = PRIVATE_FILE
            if not is_new:
                mode = target.stat().st_mode & 0o7777
                former = without_removed_secrets(before, after)
                write_atomically(_backup(target), former.encode(), PRIVATE_FILE)
            write_atomically(target, after.encode(), mode)
            if self._last:
                copy_usable_text(after, self._last)

    def _settled_text(self, target: Path) -> str:
        """The text of the file, once it does not stand there for a moment only."""
        text = when_released(target.read_bytes, target).decode("utf-8")
        with contextlib.suppress(Json5Error):  # `_changed` says so
            former = load_settings(self._path, self._last).text
            seconds = seconds_until_settled(target, text, former)
            if seconds:
                time.sleep(seconds)
                text = when_released(target.read_bytes, target).decode("utf-8")
        return text

    def _changed(self, before: str, change: Callable[[str], str]) -> str:
        """The text after a change; the same one where nothing changes. Raises ConfigError."""
        text = before
        if not before.strip("\ufeff \t\r\n"):
            text = load_settings(self._path, self._last).text or _EMPTY
        # Braces that the documentation leaves out are needed for an edit.
        text = add_braces(text)
        # Whatever is wrong with the file has to be corrected by a person first.
        hint = msg("Nothing was changed. Correct the file in a text editor, then try again.")
        try:
            if not isinstance(parse_json5(text).value, dict):
                raise ConfigError(msg("{file} is not a settings file", file=self._path), hint=hint)
            after = change(text)
            parse_json5(after)  # an edit must leave valid JSON5
        except Json5Error as error:
            raise ConfigError(
                msg("{path} has a mistake", path=self._path),
                msg("{error}.", error=error),
                hint=hint,
            ) from error
        except LookupError as error:
            title = msg(
                "{path} has an unexpected value in {place}", path=self._path, place=error.args[0]
            )
            raise ConfigError(title, hint=hint) from error
        # Braces that were only needed for the change are not written.
        if after == text:
            return before
        return after


def _entries(text: str) -> tuple[tuple[int, WorkspaceEntry], ...]:
    """Positions and entries, with the ids that loading gives them."""
    checked = validate_section(
        SettingsFile, {"workspaces": parse_json5(text).value.get("workspaces")}
    )
    return workspace_entries(checked.values.get("workspaces", ()))[0]


def _of_agents(text: str) -> list[tuple[KeyPath, WorkspaceEntry]]:
    """Paths and entries of the folders that only the blocks of agents name."""
    checked = validate_section(SettingsFile, {"agents": parse_json5(text).value.get("agents")})
    return [*agent_workspaces(checked.values, [entry for _, entry in _entries(text)])]


def clear_backup(path: Path, text: str) -> None:
    """Take secrets out of the backup of a settings file that its text no longer holds."""
    backup = _backup(path.resolve())
    with contextlib.suppress(OSError, UnicodeDecodeError):
        former = backup.read_bytes().decode("utf-8")
        cleared = without_removed_secrets(former, text)
        if cleared != former:
            write_atomically(backup, cleared.encode(), PRIVATE_FILE)


def _backup(path: Path) -> Path:
    return path.with_name(f"{path.name}.bak")
