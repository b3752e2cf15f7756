"""The engine's commands about models, apart because there are many of them."""

from __future__ import annotations

from concurrent.futures import Future
from pathlib import Path

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.wiring import EngineParts
from scrubjay.events import ModelsChanged
from scrubjay.records.model_records import ModelComparison, ModelInfo


class ModelCommands(EngineParts):
    """What a person may do with models. The Engine is one."""

    def models(self) -> Future[tuple[ModelInfo, ...]]:
        """All models that can be had or are here, as of now."""
        return self._words.submit(self._library.list)

    def download_model(self, model: str, *, accept_terms: bool = False) -> Future[ModelInfo]:
        """Fetch a model by id or reference, or go on with it; ModelDownloadProgressed tells how.

        The future may raise DownloadFailed, ModelRefused, or Cancelled after a pause.
        """
        answer: Future[ModelInfo] = Future()
        answer.set_running_or_notify_cancel()
        answer.add_done_callback(self._model_arrived)
        begun = self._words.submit(lambda: self._library.download(model, accept_terms=accept_terms))
        begun.add_done_callback(lambda done: _follow(done, answer))
        return answer

    def pause_download(self, model: str) -> None:
        """Keep what has arrived, and go on only when download_model is called again."""
        self._library.pause(model)

    def cancel_download(self, model: str) -> Future[None]:
        """Delete what has arrived; nothing begins the download again by itself."""
        return self._library.cancel(model)

    def import_model(self, file: Path, *, accept_terms: bool = False) -> Future[ModelInfo]:
        """Check a GGUF file and copy it. The future may raise ModelRefused or DownloadFailed."""
        return self._library.import_file(file, accept_terms=accept_terms)

    def verify_model(self, model: str) -> Future[ModelInfo]:
        """Read a model again and try it. The future may raise ModelRefused or ModelMissing."""
        return self._library.verify(model)

    def remove_model(self, model: str) -> Future[str]:
        """Delete a model that is not used; the answer says what went and what stayed.

        The future may raise ModelRefused or ModelMissing.
        """
        return self._library.remove(model)

    def clean_downloads(self) -> Future[int]:
        """Delete what broken downloads left; the answer is in bytes."""
        return self._library.clean()

    def compare_models(
        self, first: str, second: str, workspace_id: str | None, cancel: CancelToken
    ) -> Future[ModelComparison]:
        """Find out which of two models finds more in one workspace, or in all, within a minute.

        ModelComparisonProgressed tells how far it is. The future may raise ModelMissing,
        ModelRefused, ProviderUnavailable, QueryError when there are too few headings, Cancelled.
        """
        return self._comparisons.compare(first, second, workspace_id, cancel)

    def use_model(self, model: str) -> Future[ModelInfo]:
        """Compute vectors with another model from now on; the old one answers until all are there.

        The future may raise ModelMissing, ModelRefused or ConfigError.
        """
        return self._words.submit(lambda: self._use_model(model))

    def _use_model(self, name: str) -> ModelInfo:
        model, written = self._library.setting_for(name)
        self._registry.choose_model(written)
        self._live.follow()
        self._follow_model()
        self.events.publish(ModelsChanged())
        return self._library.get(model.id)

    def _model_arrived(self, done: Future[ModelInfo]) -> None:
        """On the download thread: the settings may have been waiting for this model."""
        if not done.exception() and done.result().is_used:
            self._follow_model()

    def _follow_model(self) -> None:
        """Build new vectors in the background where the settings now ask for others."""
        self._providers.reload()
        self._following.look_again()


def _follow(begun: Future[Future[ModelInfo]], answer: Future[ModelInfo]) -> None:
    """Let answer end as what was begun does; it can be neither called off nor begun twice."""
    if error := begun.exception():
        answer.set_exception(error)
    else:
        begun.result().add_done_callback(lambda done: _end(done, answer))


def _end(done: Future[ModelInfo], answer: Future[ModelInfo]) -> None:
    if error := done.exception():
        answer.set_exception(error)
    else:
        answer.set_result(done.result())
