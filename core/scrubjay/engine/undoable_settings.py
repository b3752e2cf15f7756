"""Changes of single settings, which are checked first and can be undone."""

from __future__ import annotations

from functools import reduce
from operator import getitem
from typing import TYPE_CHECKING, Any

from scrubjay.concurrency.thread_pool import SerialQueue, queued
from scrubjay.config.aliases import nest_value
from scrubjay.config.loading import load_settings
from scrubjay.config.page_settings import MEMORY_SEARCH, Setting, key_paths, page_settings
from scrubjay.config.schema.settings import SettingsFile
from scrubjay.config.settings_file import ConfigFile
from scrubjay.config.validation import validate_section
from scrubjay.errors import ConfigError
from scrubjay.messages import msg

if TYPE_CHECKING:
    from scrubjay.engine.engine_parts import EngineParts

_UNSET = object()
"""Value of a key that is not in the file, as None could be one that is."""


class SettingsEditor:
    """Reads and writes single settings. For any thread."""

    def __init__(self, parts: EngineParts) -> None:
        self._parts = parts
        self._files = parts.paths.settings
        self._former: list[tuple[str, Any]] = []
        self._jobs = SerialQueue(parts.pool)

    def all(self) -> tuple[Setting, ...]:
        """All settings with their values, as the file was last read."""
        return page_settings(self._parts.registry.loaded)

    @queued
    def set(self, key: str, value: Any) -> None:
        """Choose a value. The future may raise ConfigError; then nothing was changed."""
        self._change(key, value)

    @queued
    def reset(self, key: str) -> None:
        """Reset to the default, by deleting the key from the file."""
        self._change(key, _UNSET)

    @queued
    def undo(self) -> str:
        """Undo the last change of this run; the answer is its key, empty for none."""
        if not self._former:
            return ""
        key, former = self._former.pop()
        self._write(key, former)
        return key

    def close(self) -> None:
        """Finish the queue, for a second at most."""
        self._jobs.close(seconds=1)

    # -- on the thread ------------------------------------------------------------------------

    def _change(self, key: str, value: Any) -> None:
        """Write a value, and remember the one before for an undo."""
        raw: Any = load_settings(*self._files).raw
        # The former value is remembered before it is gone.
        set_at = key_paths(raw, key)
        former = reduce(getitem, set_at[0], raw) if set_at else _UNSET
        self._write(key, value)
        self._former.append((key, former))

    def _write(self, key: str, value: Any) -> None:
        file = ConfigFile(*self._files)
        steps = key.split(".")
        # A key may be at several paths of the file, and all of them go.
        if value is _UNSET:
            for key_path in key_paths(load_settings(*self._files).raw, key):
                file.remove([str(step) for step in key_path])
        else:
            # Checked by itself first: an unusable file would be worse than an old value.
            faults = validate_section(SettingsFile, nest_value(steps, value)).faults
            if faults:
                raise ConfigError(
                    "This value cannot be used",
                    msg("{complaint}.", complaint=faults[0].complaint),
                    hint="Nothing was changed.",
                )
            if steps[0] == MEMORY_SEARCH:
                file.set_memory_search(steps[1:], value)
            else:
                file.set(steps, value)
                # A former name of the key would stay beside it.
                for key_path in key_paths(load_settings(*self._files).raw, key)[1:]:
                    file.remove([str(step) for step in key_path])
        self._parts.apply_settings()
