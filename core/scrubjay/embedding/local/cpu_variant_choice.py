"""Which build of llama.cpp computes on this computer: the portable one unless another was proven.

What a trial said is remembered for the library, the model and the processor that it was made with.
"""

from __future__ import annotations

import logging
import threading
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from scrubjay.embedding.local.cpu_variant import CpuVariant
from scrubjay.platform.state_file import StateFile

log = logging.getLogger(__name__)

_FILE_NAME = "local-model.json"
_WORTH_TRYING = 100_000
"""Characters that one process has embedded: before that a trial costs more than it can gain."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a trial."""

    is_faster: bool
    """True when it is clearly faster and its vectors are the same."""
    reason: str
    """In words."""


class LibraryChoice:
    """The choice for every model. Any thread.

    Without a file that can be read and written the portable build is used.
    """

    def __init__(
        self, state: Path, variant: CpuVariant | None = None, *, worth_trying: int = _WORTH_TRYING
    ) -> None:
        """State is the folder of what Scrubjay remembers."""
        self._file = StateFile(state / _FILE_NAME)
        self._worth_trying = worth_trying
        self._lock = threading.Lock()
        self._variant = variant
        self._digest = ""
        self._embedded = 0

    def chosen(self, model: str) -> Path | None:
        """The library to load instead of the portable one; model is a content id."""
        outcome = self._outcome(model)
        return self._found().file if outcome and outcome.is_faster else None

    def candidate(self, model: str, characters: int) -> Path | None:
        """The library to try now that so many more characters are to be embedded, or None."""
        with self._lock:
            self._embedded += characters
            if self._embedded < self._worth_trying:
                return None
        return None if self._outcome(model) else self._found().file

    def remember(self, model: str, outcome: Outcome) -> None:
        """Keep what a trial, or a crash afterwards, has shown."""
        log.info("Another build of llama.cpp: %s", outcome.reason)
        try:
            with self._file.changed() as held:
                held.setdefault("trials", {})[self._key(model)] = asdict(outcome)
        except OSError as error:
            log.warning("What a trial has shown cannot be kept: %s", error)

    def told(self, model: str) -> str:
        """Which build is used for a model and why, for people who look for a fault."""
        if missing := self._found().missing:
            return f"portable ({missing})"
        outcome = self._outcome(model)
        if outcome is None:
            return "portable (AVX-512 is tried once many notes are embedded)"
        return f"{'AVX-512' if outcome.is_faster else 'portable'} ({outcome.reason})"

    def _outcome(self, model: str) -> Outcome | None:
        if self._found().file is None:
            return None
        try:
            found: Any = self._file.read()["trials"][self._key(model)]
            return Outcome(is_faster=found["is_faster"] is True, reason=str(found["reason"]))
        except (OSError, KeyError, TypeError):
            return None

    def _key(self, model: str) -> str:
        processor = self._found().processor
        return f"{self._digest}:{model}:{processor}"

    def _found(self) -> CpuVariant:
        with self._lock:
            if self._variant is None:
                self._variant = CpuVariant.of_this_computer()
            if self._variant.file and not self._digest:
                try:
                    self._digest = self._variant.digest()
                except OSError as error:
                    self._variant = CpuVariant(None, "", f"the other one cannot be read: {error}")
            return self._variant
