"""The library of models: download, import, check, remove and choose."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from concurrent.futures import Executor, Future
from pathlib import Path

from msgspec.structs import replace

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.futures import map_future
from scrubjay.concurrency.io_timeout import IoTimeouts
from scrubjay.concurrency.thread_pool import SerialQueue, queued
from scrubjay.concurrency.timers import Timers
from scrubjay.config.loading import SettingsSource
from scrubjay.errors import DriveSilent, ModelMissing, ModelRefused, system_reason
from scrubjay.event_bus import Event, EventBus
from scrubjay.events import (
    ModelDownloadFailed,
    ModelDownloadProgressed,
    ModelImportProgressed,
    ModelRemovalBegan,
    ModelsChanged,
    Resolved,
)
from scrubjay.messages import msg
from scrubjay.models.catalogue import AcceptedTerms, KnownModel, find_known
from scrubjay.models.download.download_queue import DownloadQueue
from scrubjay.models.download.partial_file import (
    PartialFile,
    delete_stale_locks,
    leftovers,
    partial_files,
)
from scrubjay.models.library.import_model import ImportSteps, import_model
from scrubjay.models.library.model_status import ModelListing
from scrubjay.models.model_files import ModelFiles, find_model, find_reader
from scrubjay.models.verification import Receipt, file_sha256, receipt_file, verify_model
from scrubjay.platform.atomic_write import when_released
from scrubjay.platform.paths import Paths
from scrubjay.records.model_records import ModelInfo, ModelPurpose, ModelState

_CLOSE_SECONDS = 1.0
"""Seconds that closing waits for a running job."""


class ModelLibrary:
    """All available and installed models. For any thread. Futures may raise ScrubjayError."""

    def __init__(
        self,
        paths: Paths,
        pool: Executor,
        source: SettingsSource,
        events: EventBus,
        downloads: DownloadQueue,
        io_timeouts: IoTimeouts | None = None,
    ) -> None:
        """Downloads are closed with the library; io_timeouts are for files of a person's."""
        self._paths = paths
        self._source = source
        self._events = events
        # Downloads have their own thread; all other jobs wait for one another.
        self._terms = AcceptedTerms(paths)
        self._downloads = downloads
        self._jobs = SerialQueue(pool)
        self._cancel = CancelToken()
        self._io_timeouts = io_timeouts or IoTimeouts()
        self._attempts: dict[str, int] = {}
        """Number of attempts so far, by the id of each model whose download failed."""

    def list(self) -> tuple[ModelInfo, ...]:
        """All models, the catalogue first. Reads small files: not for the GUI thread."""
        return self._listing().all()

    def get(self, name: str) -> ModelInfo:
        """The model with an id, reference, file name or path. Raises ModelMissing."""
        model, file = self._model_files().resolve(name)
        return self._listing().info(model, file)

    def download(self, name: str, *, accept_terms: bool = False) -> Future[ModelInfo]:
        """Start or resume a download, if it is not here. Reads files: not for the GUI thread."""
        # Whatever is wrong is in the future, where a caller looks for errors.
        answer: Future[ModelInfo] = Future()
        try:
            model = find_known(name)
            if model is None:
                raise ModelMissing(
                    "This language helper cannot be downloaded",
                    msg(
                        "{name} is neither an address nor a language helper in the list.", name=name
                    ),
                    hint=(
                        "Choose a language helper in Settings under “Language helpers”, or run "
                        "`scrubjay models list`. An address has the form "
                        "hf:OWNER/REPOSITORY/FILE.gguf."
                    ),
                )
            info = self.get(model.id)
            if info.state is not ModelState.READY and model.source is None:
                raise ModelMissing(
                    msg("{name} cannot be downloaded", name=model.name),
                    hint=(
                        "If you have its file, add it in Settings under “Language helpers”, or run "
                        "`scrubjay models import FILE`."
                    ),
                )
            self._terms.check(model, accept=accept_terms)
            if info.state is not ModelState.READY:
                file = self._model_files().folder / model.file
                begun = self._downloads.begin(model, file)
                return map_future(begun, lambda _file: self.get(model.id))
            answer.set_result(info)
        except Exception as error:
            answer.set_exception(error)
        return answer

    def keep_trying(self, timers: Timers, pause_before: Callable[[int], float]) -> None:
        """Try downloads that fail again, from now on, after the pause before each attempt."""

        def try_again(model_id: str) -> None:
            # A person may have stopped it, or have begun it again.
            if model_id in self._attempts and not self._downloads.progress(model_id):
                self._jobs.submit(lambda: self.download(model_id))

        # The first byte that arrives ends what was said of the failure.
        def hear(event: Event) -> None:
            match event:
                case ModelDownloadFailed(model=model, may_pass=True):
                    self._attempts[model] = self._attempts.get(model, 0) + 1
                    timers.after(pause_before(self._attempts[model]), lambda: try_again(model))
                case ModelDownloadProgressed(model, progress) if progress.bytes_per_second:
                    if self._attempts.pop(model, None):
                        text = msg("The download of the language helper is continuing.")
                        self._events.publish(Resolved(model, text))
                case _:
                    pass

        self._events.subscribe(hear, ModelDownloadFailed, ModelDownloadProgressed)

    def pause(self, name: str) -> None:
        """Stop a download and keep its bytes."""
        self._stop_trying(_known_id(name))
        self._downloads.stop(_known_id(name), "pause")

    @queued
    def cancel(self, name: str) -> None:
        """Stop a download and delete its bytes; nothing resumes it by itself."""
        self._cancel_download(_known_id(name))

    @queued
    def import_model(self, path: Path, *, accept_terms: bool = False) -> ModelInfo:
        """Check a model file and copy it here."""

        def accept(model: KnownModel) -> None:
            self._terms.check(model, accept=accept_terms)

        def on_progress(phase: str, done: int, total: int) -> None:
            self._events.publish(ModelImportProgressed(path.name, phase, done=done, total=total))

        file = import_model(
            self._model_files(),
            path,
            ImportSteps(accept, self._downloads.trial, on_progress),
            cancel=self._cancel,
            drives=self._io_timeouts,
        )
        self._events.publish(ModelsChanged())
        return self.get(file.name)

    @queued
    def verify(self, name: str) -> ModelInfo:
        """Read a whole model again and try it; one that fails is listed as failed from then on."""
        model, file = self._model_files().resolve(name)
        if file is None:
            raise ModelMissing(msg("{name} is not on this computer", name=model.name))
        # The bytes have to be those of the catalogue, or otherwise those of the last check.
        before = Receipt.read(receipt_file(file))
        expected = model.sha256
        if not expected and before:
            expected = before.sha256
        digest = file_sha256(file, self._cancel)
        try:
            receipt = verify_model(
                file,
                model.id,
                sha256=digest,
                expected=expected,
                probe=self._downloads.probe,
                cancel=self._cancel,
            )
        except ModelRefused as error:
            if before:
                replace(before, failure=str(error)).write(receipt_file(file))
            self._events.publish(ModelsChanged())
            raise
        if self._model_files().own(file):
            origin = before.imported_from if before else str(file)
            replace(receipt, imported_from=origin).write(receipt_file(file))
        self._events.publish(ModelsChanged())
        return self._listing().info(model, file)

    @queued
    def remove(self, name: str) -> str:
        """Delete a model that Scrubjay downloaded or copied; the answer is for people."""
        # What has arrived of a download is deleted as well.
        model_files = self._model_files()
        model, file = model_files.resolve(name)
        if file is None:
            if not PartialFile(model_files.folder / model.file).exists:
                raise ModelMissing(msg("{name} is not on this computer", name=model.name))
            self._cancel_download(model.id)
            return msg("Deleted the unfinished download of {name}.", name=model.name)
        info = self._listing().info(model, file)
        if not info.is_removable:
            raise ModelRefused(
                msg("Scrubjay will not delete {name}", name=model.name),
                msg("{file} came with Scrubjay or was added outside Scrubjay.", file=file),
                hint="Delete the file yourself if you do not need it.",
            )
        # Searches do without a result reader, so that one can be removed at any time.
        if info.is_used and info.purpose is ModelPurpose.EMBEDDING:
            raise ModelRefused(
                msg("{name} is in use", name=model.name),
                hint="Choose another language helper first, then remove this one.",
            )
        self._events.publish(ModelRemovalBegan(file))
        # The receipt says where a copy came from, so it is read before both are deleted.
        receipt = Receipt.read(receipt_file(file))
        try:
            when_released(file.unlink, file)
        except OSError as error:
            reason = msg("{reason}.", reason=system_reason(error))
            raise ModelRefused(msg("{file} cannot be deleted", file=file), reason) from error
        receipt_file(file).unlink(missing_ok=True)
        self._events.publish(ModelsChanged())
        deleted = msg("Deleted {name} ({file}).", name=model.name, file=file)
        if receipt is None or not self._is_there(receipt.imported_from):
            return deleted
        own = msg("Your own copy, {file}, was not deleted.", file=receipt.imported_from)
        return msg("{deleted} {kept}", deleted=deleted, kept=own)

    def _is_there(self, file: str) -> bool:
        """Whether the file of a path exists, as far as its drive says; False for no path."""
        with contextlib.suppress(DriveSilent):
            return bool(file) and self._io_timeouts.ask(Path(file).parent, Path(file).is_file)
        return False

    @queued
    def clean(self) -> int:
        """Delete leftovers of downloads that cannot be resumed; the answer is in bytes."""
        # Another program may delete some of them at the same time.
        freed = 0
        folder = self._model_files().folder
        delete_stale_locks(folder)
        for file in leftovers(folder):
            with contextlib.suppress(OSError):
                size = file.stat().st_size
                file.unlink()
                freed += size
                # An interrupted import leaves its own folder too.
                if file.parent != folder:
                    file.parent.rmdir()
        return freed

    def leftover_sizes(self) -> tuple[int, ...]:
        """Size in bytes of each file that clean would delete."""
        sizes: list[int] = []
        for file in leftovers(self._model_files().folder):
            with contextlib.suppress(OSError):
                sizes.append(file.stat().st_size)
        return tuple(sizes)

    def ready(self, name: str) -> ModelInfo:
        """The model of a name. Raises ModelMissing or ModelRefused unless it can be used."""
        info = self.get(name)
        if info.file is None:
            raise ModelMissing(
                msg("{name} is not on this computer", name=info.name),
                hint=msg(
                    "Download the language helper in Settings under “Language helpers”, or "
                    "with `scrubjay models download {id}`.",
                    id=info.id,
                ),
            )
        if info.reason:
            raise ModelRefused(msg("{name} cannot be used", name=info.name), info.reason)
        return info

    def ready_helper(self, name: str) -> ModelInfo:
        """The language helper of a name, as `ready`. Raises ModelRefused for a result reader."""
        info = self.ready(name)
        if info.purpose is ModelPurpose.READING:
            raise ModelRefused(
                msg("{name} cannot be used for search by meaning", name=info.name),
                "It is a result reader, which only reads the first results again.",
                hint="Choose a language helper.",
            )
        return info

    def check_reader(self, info: ModelInfo) -> None:
        """Raise ModelRefused for a result reader that is smaller than another one here."""
        used = self._reader()
        if used and used != info.file:
            raise ModelRefused(
                msg("A larger result reader is in use"),
                msg("Scrubjay uses the largest one that is installed, {file}.", file=used.name),
                hint=msg("To use {name}, remove the larger one first.", name=info.name),
            )

    def setting_for(self, name: str) -> tuple[KnownModel, str]:
        """The language helper of a name, and its `local.modelPath`.

        Raises ModelMissing or ModelRefused.
        """
        self.ready_helper(name)
        model, _ = self._model_files().resolve(name)
        if find_known(model.id) is None:
            return model, model.id
        return model, model.reference or model.file

    @queued
    def resume(self) -> None:
        """Resume the downloads that were interrupted, but not those that were paused."""
        delete_stale_locks(self._model_files().folder)
        for part in partial_files(self._model_files().folder):
            state = part.state()
            if state and not state.is_paused and not state.failure and find_known(state.model):
                self.download(state.model)

    def close(self) -> None:
        """Stop everything; resume continues the downloads."""
        self._cancel.cancel()
        self._downloads.close()
        self._jobs.close(_CLOSE_SECONDS)

    def _stop_trying(self, model_id: str) -> None:
        if self._attempts.pop(model_id, None):
            self._events.publish(Resolved(model_id))

    def _cancel_download(self, model_id: str) -> None:
        self._stop_trying(model_id)
        if self._downloads.stop(model_id, "cancel"):
            return
        # It does not run here, but its bytes may be here.
        model = find_known(model_id)
        if model:
            part = PartialFile(self._model_files().folder / model.file)
            if part.exists:
                with part.locked():
                    part.discard()
        self._events.publish(ModelsChanged())

    def _model_files(self) -> ModelFiles:
        local = self._source.loaded.settings.memory_search.local
        return ModelFiles(self._paths, local.model_cache_dir)

    def _reader(self) -> Path | None:
        """The result reader that may be used."""
        local = self._source.loaded.settings.memory_search.local
        return find_reader(self._paths, local.model_cache_dir)

    def _listing(self) -> ModelListing:
        search = self._source.loaded.settings.memory_search
        local = search.local
        used = None
        written = ""
        if search.provider in ("auto", "local"):
            used = find_model(self._paths, local.model_path, local.model_cache_dir)
            written = local.model_path
        # It is chosen without a setting of its own.
        used_reader = None
        if search.query.reader != "off":
            used_reader = self._reader()
        return ModelListing(
            model_files=self._model_files(),
            used=used,
            used_reader=used_reader,
            written=written,
            terms=self._terms,
            running=self._downloads.progress,
            warning=self._downloads.trial.warning,
        )


def _known_id(name: str) -> str:
    model = find_known(name)
    if model is None:
        return name
    return model.id
