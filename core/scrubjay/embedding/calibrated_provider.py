"""A provider whose vectors are calibrated."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from scrubjay.embedding.calibration import (
    Calibration,
    CalibrationStore,
    calibration_identity,
    measure,
)
from scrubjay.embedding.embedding_input import EmbeddingInput
from scrubjay.embedding.provider import EmbeddingProvider
from scrubjay.messages import msg
from scrubjay.models.verification import OnProgress
from scrubjay.records.vectors import Vector


class CalibratedProvider:
    """Calibrates the vectors of another provider, which is measured once. For any thread."""

    batch_jobs = None
    media = None

    def __init__(
        self,
        provider: EmbeddingProvider,
        calibrations: CalibrationStore,
        on_progress: OnProgress = lambda _done, _total: None,
    ) -> None:
        """On_progress gets how far the measuring is."""
        self._provider = provider
        self.name = provider.name
        self.is_local = provider.is_local
        self.host = provider.host
        self.model = provider.model
        self._calibrations = calibrations
        self._on_progress = on_progress
        self._lock = threading.Lock()
        self._measured: Calibration | None = None
        self._measured_identity = ""

    def identity(self) -> str:
        """That of the provider, with the version of the calibration."""
        # Known without measuring: equal weights and texts give equal means.
        return calibration_identity(self._provider.identity())

    def dimensions(self) -> int:
        """Length of every vector."""
        return self._provider.dimensions()

    def embed_queries(self, texts: Sequence[str]) -> list[Vector]:
        """The vectors of queries, without the mean vector of questions."""
        calibration = self.calibration()
        return [calibration.question(vector) for vector in self._provider.embed_queries(texts)]

    def embed_documents(self, inputs: Sequence[EmbeddingInput]) -> list[Vector]:
        """The vectors of a batch of chunks, without the mean vector of passages."""
        calibration = self.calibration()
        return [calibration.passage(vector) for vector in self._provider.embed_documents(inputs)]

    def close(self) -> None:
        """Free everything, which ends measuring too."""
        self._provider.close()

    def calibration(self) -> Calibration:
        """The numbers of the model, measured if they are not stored. Raises ProviderUnavailable."""
        # Indexing and searching need the same numbers, so the second one waits.
        with self._lock:
            # A service may give a name to another model, whose vectors have another length.
            identity = self.identity()
            if self._measured is None or identity != self._measured_identity:
                self._measured = self._calibrations.find(identity) or self._measure()
                self._measured_identity = self.identity()
            return self._measured

    def _measure(self) -> Calibration:
        # Stored at the end only: a measuring that was ended begins again at the next text.
        calibration = measure(self._provider, self._on_progress)
        self._calibrations.keep(self.identity(), calibration)
        return calibration


def progress_as_status(on_status: Callable[[str], None]) -> OnProgress:
    """A listener that says how far the measuring is, and "" at its end."""

    def on_progress(done: int, total: int) -> None:
        reason = ""
        if done < total:
            reason = msg(
                "Scrubjay is adjusting to the language helper ({percent}%).",
                percent=100 * done // total,
            )
        on_status(reason)

    return on_progress
