"""A model file in a child process that is started when needed."""

from __future__ import annotations

import hashlib
import logging
import os
import sys
import threading
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import TypeVar

from msgspec.structs import replace

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.embedding.local.cpu_variant import (
    CpuVariantChoice,
    TrialImpossible,
    TrialOutcome,
    run_trial,
)
from scrubjay.embedding.local.llama_process import (
    WORKER,
    LibraryUnusable,
    LlamaProcess,
    LoadRequest,
    ProcessEnded,
)
from scrubjay.errors import Cancelled, ModelMissing, ProviderUnavailable, system_reason
from scrubjay.messages import Sentence, msg

log = logging.getLogger(__name__)

_HEAD_AND_TAIL = 1 << 20
"""Bytes at both ends of a model that tell it from others."""
_NO_INSTRUCTION = "SIGILL"
"""Fault of a processor that is older than those that a build of llama.cpp was made for."""
_START_FAILURES = (ProcessEnded, ProviderUnavailable, OSError)
_PACKAGE = "llama-cpp-python"

T = TypeVar("T")


class LlamaChild:
    """The child process of a model file, started when needed and once more after a crash."""

    def __init__(
        self,
        load: LoadRequest,
        *,
        worker: Sequence[str] = WORKER,
        cpu_variants: CpuVariantChoice | None = None,
    ) -> None:
        """Without cpu_variants the portable build computes."""
        self.file = Path(load.path)
        self._load = load
        self._worker = worker
        self._cpu_variants = cpu_variants
        self.on_status: Callable[[str], None] = lambda _reason: None
        """Listener that gets why the model stopped, and "" when it runs."""
        self._closing = CancelToken()
        self._lock = threading.Lock()
        self._child: LlamaProcess | None = None
        self._loading: LlamaProcess | None = None
        self._is_trial_done = False

    @property
    def pid(self) -> int | None:
        """Process id of the running child, None while the model is unloaded."""
        child = self._child
        if child is None or not child.is_alive:
            return None
        return child.pid

    @cached_property
    def content(self) -> str:
        """Short digest that tells its weights from others."""
        return content_id(self.file)

    def call(self, work: Callable[[LlamaProcess], T]) -> T:
        """The result of work with the running child. Raises ProviderUnavailable."""
        for _ in range(2):
            # It may have gone idle at this very moment, or crashed: a second try tells.
            child = self.running()
            try:
                return work(child)
            except ProcessEnded as error:
                ended = error
                log.info("The local model's process has gone")
                if child.load.library and child.fault:
                    self._distrust(f"died of {child.fault} while it was used")
        reason = msg("The language helper stopped unexpectedly. You can still search by words.")
        self.on_status(reason)
        raise ProviderUnavailable(
            "The language helper stopped unexpectedly",
            reason,
            hint="Try again, or choose another language helper.",
        ) from ended

    def close(self) -> None:
        """Stop the child and start no other."""
        self._closing.cancel()
        # Not under the lock, which is held while a model loads.
        loading = self._loading
        if loading:
            loading.stop()
        self._stop_child()

    def _stop_child(self) -> None:
        with self._lock:
            child = self._child
            self._child = None
        if child:
            child.stop()

    # -- which build computes -------------------------------------------------------------------

    def try_cpu_variant(self, characters: int) -> None:
        """Before the next batch: try another build of llama.cpp once there is much to do."""
        if self._cpu_variants is None or self._is_trial_done or not self.file.is_file():
            return
        library = self._cpu_variants.candidate(self.content, characters)
        if library is None:
            return
        # Once in a run: an outcome is stored, and without one the next run tries again.
        self._is_trial_done = True
        try:
            outcome = run_trial(library, partial(self._launch, threads=1), self._closing)
        except (Cancelled, TrialImpossible) as error:
            log.info("No other build of llama.cpp was tried: %r", error)
            return
        self._cpu_variants.remember(self.content, outcome)
        if outcome.is_faster:
            # A query that it has not answered is sent again.
            self._stop_child()

    def _distrust(self, what: str) -> None:
        """A build other than the portable one gets no second chance."""
        if self._cpu_variants:
            self._cpu_variants.remember(self.content, TrialOutcome(f"AVX-512 {what}"))

    # -- the child process ----------------------------------------------------------------------

    def running(self) -> LlamaProcess:
        """The child, which has loaded the model. Raises ModelMissing or ProviderUnavailable."""
        with self._lock:
            self._check_open()
            if self._child is None or not self._child.is_alive:
                self._child = self._start()
                self.on_status("")
            return self._child

    def _check_open(self) -> None:
        if self._closing.cancelled:
            raise ProviderUnavailable("The language helper is turned off")

    def _start(self) -> LlamaProcess:
        if not self.file.is_file():
            raise ModelMissing(
                "The language helper is not on this computer",
                msg("{file} does not exist.", file=self.file),
                hint="Install Scrubjay again, or choose another language helper.",
            )
        # The build that was faster here, or otherwise the portable one.
        library: Path | None = None
        if self._cpu_variants:
            library = self._cpu_variants.chosen(self.content)
        if library:
            try:
                return self._launch(library, self._on_start)
            except _START_FAILURES as error:
                log.info("Another build of llama.cpp did not start: %r", error)
        try:
            child = self._launch(None, self._on_start)
        except _START_FAILURES as error:
            self._check_open()
            raise self._start_failure(error) from error
        if library:
            # Where the portable one does not start either, as without memory, nothing is known.
            self._distrust("did not start any more")
        return child

    def _start_failure(self, error: Exception) -> ProviderUnavailable:
        """The error that says why the child did not start, which the status tells too."""
        title = "The language helper could not start"
        cause = _program_failure(error, self._loading)
        # What is not a fault of the model stays when the model is downloaded again.
        if cause:
            self.on_status(cause)
            return ProviderUnavailable(title, cause, hint=_program_remedy())
        reason = msg("{name} cannot be loaded", name=self.file.name)
        if isinstance(error, ProviderUnavailable):
            reason = msg("{reason} ({why})", reason=reason, why=error.message)
        self.on_status(msg("{reason}.", reason=reason))
        return ProviderUnavailable(
            title,
            msg("{reason}. The file may be damaged.", reason=reason),
            hint="Remove the language helper, then download it again.",
        )

    def _launch(
        self, library: Path | None, on_start: Callable[[LlamaProcess], None], threads: int = 0
    ) -> LlamaProcess:
        threads = threads or self._load.threads
        load = replace(self._load, library=str(library or ""), threads=threads)
        return LlamaProcess(load, on_start=on_start, worker=self._worker)

    def _on_start(self, child: LlamaProcess) -> None:
        self._loading = child
        if self._closing.cancelled:
            child.stop()


def content_id(file: Path) -> str:
    """Short digest of a model's size, header and last weights; all would cost seconds."""
    # Both parts overlap in a small file, which does no harm.
    digest = hashlib.sha256()
    with file.open("rb") as stream:
        size = stream.seek(0, os.SEEK_END)
        digest.update(str(size).encode())
        stream.seek(0)
        digest.update(stream.read(_HEAD_AND_TAIL))
        stream.seek(max(0, size - _HEAD_AND_TAIL))
        digest.update(stream.read())
    return digest.hexdigest()[:16]


def _program_failure(error: Exception, child: LlamaProcess | None) -> str:
    """A sentence about the program that runs the model, which did not start; empty if it did."""
    if not _is_package_installed():
        return msg("The Python package {package} is not installed.", package=_PACKAGE)
    why = ""
    if isinstance(error, LibraryUnusable):
        why = error.message
    elif isinstance(error, OSError):
        why = system_reason(error)
    elif child is not None and child.fault == _NO_INSTRUCTION:
        return msg("The processor of this computer lacks instructions that the program needs.")
    elif child is not None:
        why = child.failure
    if why:
        return msg("The program that runs the language helper cannot be loaded ({why}).", why=why)
    return ""


def _program_remedy() -> Sentence:
    """What a person does about a program that does not start."""
    if not _is_package_installed():
        return msg(
            "Install it with “pipx inject scrubjay {package}” or “pip install {package}”, then "
            "restart Scrubjay.",
            package=_PACKAGE,
        )
    remedy = msg("Install Scrubjay again.")
    if sys.platform == "win32":
        remedy = msg(
            "Install the Microsoft Visual C++ Redistributable (x64), then restart "
            "Scrubjay. If that does not help, install Scrubjay again."
        )
    return remedy


def _is_package_installed() -> bool:
    """Whether llama.cpp is there, which Python packages bring only where it could be compiled."""
    # Late: only a model that did not start needs it.
    from importlib.util import find_spec

    return find_spec("llama_cpp") is not None
