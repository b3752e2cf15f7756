"""The user's commands for models."""

from __future__ import annotations

from concurrent.futures import Future
from typing import TYPE_CHECKING

from scrubjay.concurrency.futures import flatten_future
from scrubjay.concurrency.thread_pool import queued
from scrubjay.engine.command_queue import QueuedCommands
from scrubjay.errors import ModelMissing, ModelRefused
from scrubjay.events import ModelsChanged
from scrubjay.messages import msg
from scrubjay.models.catalogue import known_readers
from scrubjay.models.model_files import find_reader
from scrubjay.records.model_records import ModelInfo, ModelPurpose

if TYPE_CHECKING:
    from scrubjay.evaluation.model_comparison import ModelComparisons
    from scrubjay.models.library.model_library import ModelLibrary


class ModelCommands(QueuedCommands):
    """The user's commands for models. For any thread."""

    @property
    def library(self) -> ModelLibrary:
        """Model files: imports, checks, removal, and downloads to be paused or cancelled."""
        return self._parts.library

    @property
    def comparisons(self) -> ModelComparisons:
        """Comparisons of two models over the notes."""
        return self._parts.comparisons

    @queued
    def list(self) -> tuple[ModelInfo, ...]:
        """All models of the catalogue and of this computer, with advice from the notes."""
        from scrubjay.models.library.model_status import add_advice

        parts = self._parts
        better = parts.comparisons.better_models()
        return add_advice(parts.library.list(), parts.words.sample(), better)

    def download(self, model: str, *, accept_terms: bool = False) -> Future[ModelInfo]:
        """Fetch a model by id or reference, or resume its download; see ModelDownloadProgressed.

        The future may raise DownloadFailed, ModelRefused, or Cancelled after a pause.
        """

        def arrived(done: Future[ModelInfo]) -> None:
            """On the download thread: the settings may have been waiting for this model."""
            if done.exception():
                return
            info = done.result()
            if info.is_used and info.purpose is ModelPurpose.EMBEDDING:
                self._rebuild_vectors()

        parts = self._parts
        # Begun on the words thread, since making the library takes a while.
        begun = parts.words.submit(lambda: parts.library.download(model, accept_terms=accept_terms))
        answer = flatten_future(begun)
        answer.add_done_callback(arrived)
        return answer

    @queued
    def use(self, name: str) -> ModelInfo:
        """Compute vectors with another model from now on; the old one answers until all are there.

        A result reader reads results again from now on. The future may raise ModelMissing,
        ModelRefused or ConfigError.
        """
        # Searches use a result reader at once, and no vector depends on it.
        info = self._parts.library.ready(name)
        if info.purpose is ModelPurpose.READING:
            self._parts.library.check_reader(info)
            self._parts.registry.use_reader()
            self._parts.settings_reload.follow()
            self._parts.events.publish(ModelsChanged())
            return self._parts.library.get(info.id)
        model, setting = self._parts.library.setting_for(name)
        # The settings are written; now everything that computes vectors follows them.
        self._parts.registry.choose_model(setting)
        self._parts.settings_reload.follow()
        self._rebuild_vectors()
        self._parts.events.publish(ModelsChanged())
        return self._parts.library.get(model.id)

    def check_reader(self) -> None:
        """Raise ModelMissing or ModelRefused unless a result reader may read results again."""
        search = self._parts.registry.loaded.settings.memory_search
        if find_reader(self._parts.paths, search.local.model_cache_dir) is None:
            raise ModelMissing(
                "No result reader is installed",
                hint=msg(
                    "Download one in Settings under “Language helpers”, or run "
                    "`scrubjay models download {id}`.",
                    id=known_readers()[-1].id,
                ),
            )
        if search.query.reader == "off":
            raise ModelRefused(
                "Reading results again is turned off in the settings",
                hint=(
                    "Turn on “Read the first results again” in Settings, or set "
                    "`memorySearch.query.reader` to `auto`."
                ),
            )

    def _rebuild_vectors(self) -> None:
        """Build new vectors in the background where the settings now ask for others."""
        self._parts.providers.reload()
        self._parts.auto_index.look_again()
