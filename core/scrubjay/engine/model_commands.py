"""Commands about models: list, fetch, check, remove, compare and use them."""

from __future__ import annotations

from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.futures import flattened
from scrubjay.events import ModelsChanged
from scrubjay.records.model_records import ModelComparison, ModelInfo

if TYPE_CHECKING:
    from scrubjay.engine.wiring import EngineParts


class ModelCommands:
    """Commands of the user about models. For any thread."""

    def __init__(self, parts: EngineParts) -> None:
        self._parts = parts

    def list(self) -> Future[tuple[ModelInfo, ...]]:
        """All models of the catalogue and of this computer."""
        return self._parts.words.submit(self._parts.library.list)

    def download(self, model: str, *, accept_terms: bool = False) -> Future[ModelInfo]:
        """Fetch a model by id or reference, or go on with it; see ModelDownloadProgressed.

        The future may raise DownloadFailed, ModelRefused, or Cancelled after a pause.
        """
        begun = self._parts.words.submit(
            lambda: self._parts.library.download(model, accept_terms=accept_terms)
        )
        answer = flattened(begun)
        answer.add_done_callback(self._arrived)
        return answer

    def pause(self, model: str) -> None:
        """Stop a download, keeping its part until `download` is called again."""
        self._parts.library.pause(model)

    def cancel(self, model: str) -> Future[None]:
        """Stop a download and delete its part."""
        return self._parts.library.cancel(model)

    def import_file(self, file: Path, *, accept_terms: bool = False) -> Future[ModelInfo]:
        """Check a GGUF file and copy it. The future may raise ModelRefused or DownloadFailed."""
        return self._parts.library.import_file(file, accept_terms=accept_terms)

    def verify(self, model: str) -> Future[ModelInfo]:
        """Read a model again and try it. The future may raise ModelRefused or ModelMissing."""
        return self._parts.library.verify(model)

    def remove(self, model: str) -> Future[str]:
        """Delete an unused model; the answer is a sentence about the deleted files.

        The future may raise ModelRefused or ModelMissing.
        """
        return self._parts.library.remove(model)

    def clean(self) -> Future[int]:
        """Delete the remains of broken downloads; the answer is their size in bytes."""
        return self._parts.library.clean()

    def compare(
        self,
        first: str,
        second: str,
        workspace_id: str | None,
        cancel: CancelToken,
        *,
        seconds: float = 60.0,
    ) -> Future[ModelComparison]:
        """Compare two models by their hits in one workspace, or in all, in that time.

        ModelComparisonProgressed reports the progress. The future may raise ModelMissing,
        ModelRefused, ProviderUnavailable, QueryError when there are too few headings, Cancelled.
        """
        return self._parts.comparisons.compare(first, second, workspace_id, cancel, seconds=seconds)

    def use(self, model: str) -> Future[ModelInfo]:
        """Compute vectors with another model from now on; the old one answers until all are there.

        The future may raise ModelMissing, ModelRefused or ConfigError.
        """
        return self._parts.words.submit(lambda: self._use(model))

    def _use(self, name: str) -> ModelInfo:
        """On the words thread."""
        model, setting = self._parts.library.setting_for(name)
        self._parts.registry.choose_model(setting)
        self._parts.settings_reload.follow()
        self._rebuild_vectors()
        self._parts.events.publish(ModelsChanged())
        return self._parts.library.get(model.id)

    def _arrived(self, done: Future[ModelInfo]) -> None:
        """On the download thread: the settings may have been waiting for this model."""
        if not done.exception() and done.result().is_used:
            self._rebuild_vectors()

    def _rebuild_vectors(self) -> None:
        """Build new vectors in the background where the settings now ask for others."""
        self._parts.providers.reload()
        self._parts.auto_index.look_again()
