"""Records of embedding models: what can be had, what is here, how two compare."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path


class ModelState(StrEnum):
    """How far a model is from being of use."""

    ABSENT = "not here"
    DOWNLOADING = "downloading"
    PAUSED = "paused"
    """Goes on when a person says so, or after an interruption when the app starts."""
    READY = "ready"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class DownloadProgress:
    """How far a download has come."""

    done_bytes: int
    total_bytes: int | None = None
    """None while the server has not said it."""
    bytes_per_second: float = 0.0
    eta_seconds: float | None = None
    phase: str = "fetching"
    """"waiting" for another one, "fetching", or "checking" what has arrived."""


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """An embedding model that can be had, or is here."""

    id: str
    """From the catalogue; else an `hf:` or `https:` reference, or a file."""
    name: str
    description: str
    """One plain sentence; empty for a model that only its user knows."""
    state: ModelState
    is_used: bool
    """The settings choose it."""
    reason: str = ""
    """What is wrong, with what to do; empty when nothing is."""
    progress: DownloadProgress | None = None
    """While it is downloading or paused."""
    file: Path | None = None
    """Where it is, once it is here."""
    size_bytes: int | None = None
    dimensions: int | None = None
    context: int | None = None
    """Longest input in tokens."""
    languages: tuple[str, ...] = ()
    """ISO 639 codes; "mul" for many."""
    licence: str = ""
    terms_name: str = ""
    """Terms that have to be accepted once; empty when there are none."""
    terms_url: str = ""
    is_accepted: bool = True
    """False while terms wait to be accepted."""
    is_removable: bool = False
    """False for what comes with Scrubjay or belongs to somebody else."""


@dataclass(frozen=True, slots=True)
class ModelScore:
    """How one model did in a comparison."""

    model: str
    """Id."""
    name: str
    first: int
    """Questions whose own section was the nearest of all."""
    among_five: int
    """Questions whose own section was among the five nearest."""
    seconds: float
    """Time that it took to read the sections."""


@dataclass(frozen=True, slots=True)
class ModelComparison:
    """Two models, asked the same questions from a person's own headings."""

    questions: int
    scores: tuple[ModelScore, ...]
    """Of both models, in the order in which they were named."""
    is_clear: bool
    """The difference is more than chance (sign test at 5 %)."""

    @property
    def better(self) -> ModelScore | None:
        """The one that found more; None when that may be chance."""
        return max(self.scores, key=lambda score: score.first) if self.is_clear else None
