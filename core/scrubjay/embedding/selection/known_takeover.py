"""The last failure of the provider in the settings, for other processes and later starts."""

from __future__ import annotations

import contextlib

import msgspec
from msgspec.structs import asdict

from scrubjay.config.schema.memory_search import MemorySearch
from scrubjay.platform.paths import Paths
from scrubjay.platform.state_file import StateFile
from scrubjay.records.status_records import Takeover


class KnownTakeover:
    """The file in which it stands. For any thread; a disk that fails costs the reason only."""

    def __init__(self, paths: Paths, search: MemorySearch) -> None:
        """A failure counts for as long as these settings stay."""
        self._file = StateFile(paths.state / "fallback.json")
        self._settings = {
            "provider": search.provider,
            "fallback": search.fallback,
            "address": search.remote.base_url,
            "model": search.local.model_path,
        }

    def write(self, takeover: Takeover | None) -> None:
        """Keep a failure; None says that the provider works."""
        with contextlib.suppress(OSError):
            # Most people have no fallback, and thus no such file.
            if takeover is None and not self._file.path.exists():
                return
            with self._file.changed() as state:
                state.clear()
                if takeover:
                    state |= {"settings": self._settings, "takeover": asdict(takeover)}

    def read(self) -> Takeover | None:
        """The failure; None without one, and for one of other settings."""
        with contextlib.suppress(OSError, LookupError, msgspec.ValidationError):
            state = self._file.read()
            if state["settings"] == self._settings:
                return msgspec.convert(state["takeover"], Takeover)
        return None
