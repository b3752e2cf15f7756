"""How far long work has come, and how long the rest takes at the pace so far."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from scrubjay.records.search_records import Progress


@dataclass(slots=True)
class ProgressEstimator:
    """Counts what is done."""

    total: int
    phase: str = "meaning"
    done: int = 0
    began: float = field(default_factory=time.monotonic)

    def progress(self) -> Progress:
        """What is shown now."""
        elapsed = time.monotonic() - self.began
        done = min(self.done, self.total)
        eta = elapsed / done * (self.total - done) if done else None
        return Progress(self.phase, done, self.total, eta)
