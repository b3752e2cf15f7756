"""Records of models: catalogue entries, downloads, comparisons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path

from msgspec import Struct, field


class ModelState(StrEnum):
    """The state of a model on this computer."""

    ABSENT = "not here"
    DOWNLOADING = "downloading"
    PAUSED = "paused"
    """Continued when a person says so, or after an interruption when the app starts."""
    READY = "ready"
    FAILED = "failed"


class ModelPurpose(StrEnum):
    """What a model is for. None is for both."""

    EMBEDDING = "embedding"
    """A language helper, for search by meaning."""
    READING = "reading"
    """A result reader, which reads the first results again."""


class DownloadProgress(Struct, frozen=True):
    """The progress of a download."""

    done_bytes: int
    total_bytes: int | None = None
    """Size of the whole file; None until the server has sent it."""
    bytes_per_second: float = 0.0
    eta_seconds: float | None = None
    phase: str = "fetching"
    """Step: "waiting" for another one, "asking" a server, "fetching", or "checking" what came."""


class ModelInfo(Struct, frozen=True):
    """A model of the catalogue, or on this computer."""

    id: str
    """Id from the catalogue; otherwise an `hf:` or `https:` reference, or a file."""
    name: str
    description: str
    """Plain sentence about it; empty for a model outside the catalogue."""
    state: ModelState
    is_used: bool
    """Whether the settings choose it; one for each purpose at most."""
    purpose: ModelPurpose = ModelPurpose.EMBEDDING
    reason: str = ""
    """Failure and its remedy; empty if there is none."""
    warning: str = ""
    """Sentence on a model that works, but would not find notes by meaning; otherwise empty."""
    # How far it has got on this computer.
    progress: DownloadProgress | None = None
    """Progress while it is downloading or paused."""
    file: Path | None = None
    """Path of the file, once it is here."""
    # What the catalogue or the header of the file says of it.
    size_bytes: int | None = None
    dimensions: int | None = None
    context: int | None = None
    """Longest input in tokens."""
    languages: tuple[str, ...] = ()
    """ISO 639 codes; "mul" for many."""
    # Conditions of its authors.
    licence: str = ""
    terms_name: str = ""
    """Terms that have to be accepted once; empty if there are none."""
    terms_url: str = ""
    is_accepted: bool = True
    """Whether its terms, if there are any, have been accepted."""
    is_removable: bool = False
    """Whether it can be removed: not one that comes with Scrubjay or belongs to another program."""
    is_downloaded: bool = False
    """Whether Scrubjay downloaded it to this computer."""
    # What it would mean for these notes, on this computer.
    memory_mb: int | None = None
    """Memory that it needs while it works."""
    notes: int = 0
    """Number of notes that it would learn."""
    learning_s: float | None = None
    """Seconds until it knows them; None if there are none or the pace here is not known yet."""
    advice: str = ""
    """Languages of the notes, as a clause, for the model that suits them; otherwise empty."""


class NoteSample(Struct, frozen=True):
    """Facts from the indexes about the notes and the pace of this computer."""

    documents: int = 0
    chunks: int = 0
    texts: tuple[Sequence[str], ...] = ()
    """Beginnings of some notes of each folder."""
    paces: Mapping[str, float] = field(default_factory=dict)
    """Seconds for a chunk, by the file name of a model without its ending."""


class ModelScore(Struct, frozen=True):
    """The result of one model in a comparison."""

    model: str
    """Id of the model."""
    name: str
    first: int
    """Number of questions whose own section was the nearest of all."""
    among_five: int
    """Number of questions whose own section was among the five nearest."""
    seconds: float
    """Seconds that it took to embed the sections."""


class ModelComparison(Struct, frozen=True):
    """Two models, tested with the same questions made of a person's own headings."""

    questions: int
    scores: tuple[ModelScore, ...]
    """Scores of both models, in the order in which they were named."""
    is_clear: bool
    """Whether the difference is more than chance (sign test at 5 %)."""

    @property
    def better(self) -> ModelScore | None:
        """The model that found more; None if that may be chance."""
        if not self.is_clear:
            return None
        # Only the first place counts: a search shows the nearest section first.
        return max(self.scores, key=lambda score: score.first)
