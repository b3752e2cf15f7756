"""The local model, as its parent process sees it."""

from __future__ import annotations

import hashlib
import logging
import os
import sys
import threading
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from pathlib import Path

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.embedding.embedding_input import EmbeddingInput
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
from scrubjay.embedding.prompts import prompt_profile
from scrubjay.embedding.provider import EmbeddingProvider
from scrubjay.errors import Cancelled, ModelMissing, ProviderUnavailable, system_reason
from scrubjay.messages import Sentence, msg
from scrubjay.models.gguf import NotGguf, read_gguf_header
from scrubjay.records.vectors import Vector

log = logging.getLogger(__name__)

_HEAD_AND_TAIL = 1 << 20
"""Bytes at both ends of a model that tell it from others."""
_NO_INSTRUCTION = "SIGILL"
"""Fault of a processor that is older than those that a build of llama.cpp was made for."""
_START_FAILURES = (ProcessEnded, ProviderUnavailable, OSError)
_PACKAGE = "llama-cpp-python"
_PROBE = "The jay hides acorns and finds them again."


class LoadOptions(Struct, frozen=True):
    """How a local model is loaded."""

    context: int = 0
    """Tokens; 0 for as many as the model was trained for."""
    threads: int = 0
    """Threads for documents; 0 for all cores that the computer can spare."""
    gpu_layers: int | None = None
    """Layers that a graphics card computes; None for all, where there is a card."""
    idle_seconds: float | None = None
    """Seconds without a request after which the child ends; None: it stays until close."""
    worker: Sequence[str] = WORKER
    """Arguments of the interpreter that runs the child."""


_DEFAULT_OPTIONS = LoadOptions()
"""Options of a model that nobody has chosen anything for."""


class LocalProvider:
    """Embeds with a GGUF file in a child process, which is started when needed."""

    name = "local"
    is_local = True
    host = ""
    batch_jobs = None
    media = None

    def __init__(
        self,
        model_file: Path,
        options: LoadOptions = _DEFAULT_OPTIONS,
        *,
        cpu_variants: CpuVariantChoice | None = None,
        on_status: Callable[[str], None] = lambda _reason: None,
    ) -> None:
        """Without cpu_variants the portable build computes.

        On_status gets why the model stopped, and "" when it runs.
        """
        self.model = model_file.stem
        self.file = model_file
        # The name inside the file tells the family where a person has renamed the file.
        try:
            own_name = read_gguf_header(model_file).name
        except (NotGguf, OSError):
            own_name = ""
        self._prompts = prompt_profile(f"{model_file.name} {own_name}")
        self._load = LoadRequest(
            path=str(model_file),
            context=options.context,
            threads=options.threads or embedding_threads(),
            gpu_layers=options.gpu_layers,
            idle_seconds=options.idle_seconds,
        )
        self._worker = options.worker
        self._cpu_variants = cpu_variants
        self._on_status = on_status
        self._closing = CancelToken()
        self._lock = threading.Lock()
        self._child: LlamaProcess | None = None
        self._loading: LlamaProcess | None = None
        self._dimensions = 0
        self._is_trial_done = False

    @property
    def child_pid(self) -> int | None:
        """Process id of the running child, None while the model is unloaded."""
        child = self._child
        if child is None or not child.is_alive:
            return None
        return child.pid

    def identity(self) -> str:
        """Family, content of the file, dimensions and prompts."""
        dimensions = self.dimensions()
        return f"local:{self.content}:{dimensions}:{self._prompts.identity}"

    def dimensions(self) -> int:
        """Length of every vector; the child is asked once."""
        if not self._dimensions:
            self._dimensions = self._running().dimensions
        return self._dimensions

    def embed_queries(self, texts: Sequence[str]) -> list[Vector]:
        """The vectors of queries; never wait for a document batch."""
        return self._embed("query", [self._prompts.for_query(text) for text in texts])

    def embed_documents(self, inputs: Sequence[EmbeddingInput]) -> list[Vector]:
        """The vectors of a batch of chunks, at low priority."""
        texts = [self._prompts.for_document(item.title, item.text) for item in inputs]
        self._try_cpu_variant(sum(map(len, texts)))
        return self._embed("documents", texts)

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

    def _embed(self, kind: str, texts: Sequence[str]) -> list[Vector]:
        if not texts:
            return []
        for _ in range(2):
            # It may have gone idle at this very moment, or crashed: a second try tells.
            child = self._running()
            try:
                return child.embed(kind, texts)[0]
            except ProcessEnded as error:
                ended = error
                log.info("The local model's process has gone")
                if child.load.library and child.fault:
                    self._distrust(f"died of {child.fault} while it was used")
        reason = msg("The language helper stopped unexpectedly. You can still search by words.")
        self._on_status(reason)
        raise ProviderUnavailable(
            "The language helper stopped unexpectedly",
            reason,
            hint="Try again, or choose another language helper.",
        ) from ended

    # -- which build computes -------------------------------------------------------------------

    def _try_cpu_variant(self, characters: int) -> None:
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

    def _running(self) -> LlamaProcess:
        with self._lock:
            self._check_open()
            if self._child is None or not self._child.is_alive:
                self._child = self._start()
                self._on_status("")
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
            self._on_status(cause)
            return ProviderUnavailable(title, cause, hint=_program_remedy())
        reason = msg("{name} cannot be loaded", name=self.file.name)
        if isinstance(error, ProviderUnavailable):
            reason = msg("{reason} ({why})", reason=reason, why=error.message)
        self._on_status(msg("{reason}.", reason=reason))
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

    @cached_property
    def content(self) -> str:
        """Short digest that tells its weights from others."""
        return content_id(self.file)


def probe_dimensions(provider: EmbeddingProvider) -> int:
    """Vector length of a model that answers. Raises ProviderUnavailable."""
    vector = provider.embed_queries([_PROBE])[0]
    # Such a model loads and computes, and tells no text from another.
    if not vector.any() or not np.isfinite(vector).all():
        raise ProviderUnavailable(
            "The language helper is not responding",
            ("The language helper returned nothing for one of the texts."),
        )
    return len(vector)


def embedding_threads() -> int:
    """Threads for documents: physical cores but one, which stays with the window."""
    # Late: only a running model needs it.
    import psutil

    return max(1, (psutil.cpu_count(logical=False) or os.cpu_count() or 2) - 1)


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
