"""Providers for model files, calibrated where the model is not the one of the ranking."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.embedding.calibrated_provider import CalibratedProvider, progress_as_status
from scrubjay.embedding.calibration import CalibrationStore
from scrubjay.embedding.local.cpu_variant import CpuVariantChoice
from scrubjay.embedding.local.llama_child import content_id
from scrubjay.embedding.local.local_provider import LoadOptions, LocalProvider, probe_dimensions
from scrubjay.embedding.local.local_reader import probe_reader
from scrubjay.models.catalogue import known_models
from scrubjay.models.model_files import purpose_of
from scrubjay.models.verification import OnProgress
from scrubjay.records.model_records import ModelPurpose

_PROBE_CONTEXT = 256
"""Tokens of the context of a probe: enough for its sentences, and little memory."""


class CalibratedModels:
    """Makes providers for model files, calibrated except the one that ranking was fitted to."""

    def __init__(self, state: Path) -> None:
        """State is the state folder."""
        self.store = CalibrationStore(state)

    def provider(
        self,
        file: Path,
        options: LoadOptions,
        *,
        cpu_variants: CpuVariantChoice | None = None,
        on_status: Callable[[str], None] = lambda _reason: None,
        on_progress: OnProgress | None = None,
    ) -> LocalProvider | CalibratedProvider:
        """A provider for a file."""
        # The bytes decide, since a person may give any file any name.
        local = LocalProvider(file, options, cpu_variants=cpu_variants, on_status=on_status)
        try:
            content = local.content
        except OSError:
            return local  # its first text says why the file cannot be read
        if any(content == model.content for model in known_models()):
            return local
        return CalibratedProvider(local, self.store, on_progress or progress_as_status(on_status))

    def probe(self, file: Path, cancel: CancelToken, on_progress: OnProgress) -> int:
        """Vector length of a file that works here, which is measured at the same time.

        0 for a result reader, which only reads a passage. Raises ProviderUnavailable or Cancelled.
        """
        # A language model gives no vectors that could be calibrated.
        if purpose_of(file) is ModelPurpose.READING:
            probe_reader(file, cancel)
            on_progress(1, 1)
            return 0
        # The first vector of all needs the calibration, so this measures it.
        provider = self.provider(file, LoadOptions(context=_PROBE_CONTEXT), on_progress=on_progress)
        try:
            with cancel.calling(provider.close):
                length = probe_dimensions(provider)
        finally:
            provider.close()
        return length

    def warning(self, file: Path) -> str:
        """Sentence on a file whose vectors do not tell texts apart; empty for all others."""
        try:
            return self.store.warning(f"{LocalProvider.name}:{content_id(file)}:")
        except OSError:
            return ""
