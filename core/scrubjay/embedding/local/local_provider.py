"""The local model, as its parent process sees it."""

from __future__ import annotations

import hashlib
import logging
import os
import re
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.embedding.embedding_input import EmbeddingInput
from scrubjay.embedding.local.cpu_variant_choice import LibraryChoice, Outcome
from scrubjay.embedding.local.cpu_variant_trial import TrialImpossible, try_out
from scrubjay.embedding.local.llama_process import ChildGone, LlamaChild
from scrubjay.embedding.prompts import PromptProfile, profile_for
from scrubjay.errors import Cancelled, ModelMissing, ProviderUnavailable
from scrubjay.messages import msg
from scrubjay.records.vectors import Vector

log = logging.getLogger(__name__)

_HEAD_AND_TAIL = 1 << 20
_BEGINNING = 4096
_GENERAL_NAME = re.compile(rb"general\.name\x08\0\0\0(.{8})(.*)", re.DOTALL)
"""Key, type and length of a string in a GGUF file, and what follows."""


class LocalProvider:
    """Embeds with a GGUF file in a child process that is started when it is needed."""

    name = "local"
    is_local = True
    host = ""
    batch_jobs = None
    media = None

    def __init__(
        self,
        model_file: Path,
        *,
        context: int = 0,
        threads: int = 0,
        gpu_layers: int | None = None,
        idle_seconds: float = 300.0,
        libraries: LibraryChoice | None = None,
        on_status: Callable[[str], None] = lambda _reason: None,
    ) -> None:
        """0 lets the model and the computer decide; no gpu_layers means all, where there is a card.

        Without libraries the portable build computes. On_status gets why the model stopped, and
        "" when it runs.
        """
        self.model = model_file.stem
        self.file = model_file
        self._profile: PromptProfile = profile_for(f"{model_file.name} {_own_name(model_file)}")
        self._context = context
        self._threads = threads or spare_cores()
        self._gpu_layers = gpu_layers
        self._idle_seconds = idle_seconds
        self._libraries = libraries
        self._on_status = on_status
        self._closing = CancelToken()
        self._lock = threading.Lock()
        self._child: LlamaChild | None = None
        self._loading: LlamaChild | None = None
        self._known: tuple[str, int] | None = None
        self._content_id = ""
        self._has_looked = False
        self._is_closed = False

    @property
    def child_pid(self) -> int | None:
        """Process id of the running child, None while the model is unloaded."""
        child = self._child
        return child.pid if child and child.is_alive else None

    def identity(self) -> str:
        """Family, content of the file, dimensions and prompts."""
        return self._facts()[0]

    def dimensions(self) -> int:
        """Length of every vector."""
        return self._facts()[1]

    def embed_query(self, text: str) -> Vector:
        """Embed a query; never waits for a document batch."""
        return self._embed("query", [self._profile.for_query(text)])[0]

    def embed_documents(self, passages: Sequence[EmbeddingInput]) -> list[Vector]:
        """Embed a batch of chunks at low priority."""
        texts = [self._profile.for_document(one.title, one.text) for one in passages]
        self._look_for_faster(sum(map(len, texts)))
        return self._embed("documents", texts)

    def close(self) -> None:
        """Stop the child and start no other."""
        self._is_closed = True
        self._closing.cancel()
        # Not under the lock, which is held while a model loads.
        if loading := self._loading:
            loading.stop()
        with self._lock:
            child, self._child = self._child, None
        if child:
            child.stop()

    def _begun(self, child: LlamaChild) -> None:
        self._loading = child
        if self._is_closed:
            child.stop()

    def _embed(self, kind: str, texts: Sequence[str]) -> list[Vector]:
        if not texts:
            return []
        for _ in range(2):
            # It may have gone idle at this very moment, or crashed: one more try tells.
            child = self._running()
            try:
                return child.embed(kind, texts)
            except ChildGone as error:
                gone = error
                log.info("The local model's process has gone")
                if child.library and child.fault:
                    self._distrust(f"died of {child.fault} while it was used")
        reason = msg("It ended while it was working; search by words goes on.")
        self._on_status(reason)
        raise ProviderUnavailable(
            "The local model stopped", reason, hint="Try again, or choose another model."
        ) from gone

    def _look_for_faster(self, characters: int) -> None:
        """Before the next batch: try another build of the library once there is much to do."""
        if self._libraries is None or self._has_looked or not self.file.is_file():
            return
        library = self._libraries.candidate(self._content(), characters)
        if library is None:
            return
        self._has_looked = True
        try:
            outcome = try_out(library, self._for_trial, self._closing)
        except (Cancelled, TrialImpossible) as error:
            log.info("No other build of llama.cpp was tried: %r", error)
            return
        self._libraries.remember(self._content(), outcome)
        if outcome.is_faster:
            with self._lock:
                child, self._child = self._child, None
            if child:
                child.stop()  # a query that it has not answered is asked again

    def _for_trial(self, library: Path | None, begun: Callable[[LlamaChild], None]) -> LlamaChild:
        return self._launched(library, begun, threads=1)

    def _distrust(self, what: str) -> None:
        """A build other than the portable one gets no second chance."""
        if self._libraries:
            outcome = Outcome(is_faster=False, reason=f"AVX-512 {what}")
            self._libraries.remember(self._content(), outcome)

    def _running(self) -> LlamaChild:
        with self._lock:
            if self._is_closed:
                raise ProviderUnavailable("The local model is switched off")
            if self._child is None or not self._child.is_alive:
                self._child = self._start()
                self._on_status("")
            return self._child

    def _start(self) -> LlamaChild:
        if not self.file.is_file():
            raise ModelMissing(
                "The model is not on this computer",
                msg("{file} is not there.", file=self.file),
                hint="Run the set-up again, or choose another model.",
            )
        library = self._libraries.chosen(self._content()) if self._libraries else None
        if library is None:
            return self._portable()
        try:
            return self._launched(library, self._begun, threads=self._threads)
        except (ChildGone, ProviderUnavailable, OSError) as error:
            log.info("Another build of llama.cpp did not start: %r", error)
        child = self._portable()
        # Where this one does not start either, as without memory, nothing is said of the other.
        self._distrust("did not start any more")
        return child

    def _portable(self) -> LlamaChild:
        try:
            return self._launched(None, self._begun, threads=self._threads)
        except (ChildGone, ProviderUnavailable, OSError) as error:
            if self._is_closed:
                raise ProviderUnavailable("The local model is switched off") from error
            reason = msg("{name} cannot be loaded", name=self.file.name)
            if isinstance(error, ProviderUnavailable):
                reason = msg("{reason} ({why})", reason=reason, why=error.message)
            self._on_status(msg("{reason}.", reason=reason))
            raise ProviderUnavailable(
                "The local model does not start",
                msg("{reason}; it may be damaged.", reason=reason),
                hint="Delete the file and get the model again.",
            ) from error

    def _launched(
        self, library: Path | None, begun: Callable[[LlamaChild], None], *, threads: int
    ) -> LlamaChild:
        return LlamaChild(
            self.file,
            context=self._context,
            threads=threads,
            gpu_layers=self._gpu_layers,
            idle_seconds=self._idle_seconds,
            library=library,
            begun=begun,
        )

    def _facts(self) -> tuple[str, int]:
        """(identity, dimensions), asked of the child once."""
        if self._known is None:
            dimensions = self._running().dimensions
            profile = self._profile.identity
            self._known = f"local:{self._content()}:{dimensions}:{profile}", dimensions
        return self._known

    def _content(self) -> str:
        if not self._content_id:
            self._content_id = content_id(self.file)
        return self._content_id


def spare_cores() -> int:
    """Threads for documents: physical cores but one, which stays with the window."""
    import psutil  # late: only who runs a model needs it

    return max(1, (psutil.cpu_count(logical=False) or os.cpu_count() or 2) - 1)


def _own_name(file: Path) -> str:
    """What a model calls itself, whatever its file is called; empty when it does not say.

    Reading the whole head takes a moment, since the vocabulary is in it.
    """
    try:
        with file.open("rb") as stream:
            found = _GENERAL_NAME.search(stream.read(_BEGINNING))
    except OSError:
        return ""
    return (
        found[2][: int.from_bytes(found[1], "little")].decode("utf-8", "replace") if found else ""
    )


def content_id(file: Path) -> str:
    """Short digest of a model's size, header and last weights.

    The path and name are not part of it; reading all of a large model would cost seconds.
    """
    digest = hashlib.sha256()
    with file.open("rb") as stream:
        size = stream.seek(0, os.SEEK_END)
        digest.update(str(size).encode())
        stream.seek(0)
        digest.update(stream.read(_HEAD_AND_TAIL))
        stream.seek(max(0, size - _HEAD_AND_TAIL))
        digest.update(stream.read())
    return digest.hexdigest()[:16]
