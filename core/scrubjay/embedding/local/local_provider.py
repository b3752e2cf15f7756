"""The local model, as its parent process sees it."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from msgspec import Struct

from scrubjay.embedding.embedding_input import EmbeddingInput
from scrubjay.embedding.local.cpu_variant import CpuVariantChoice
from scrubjay.embedding.local.llama_child import LlamaChild
from scrubjay.embedding.local.llama_process import WORKER, LoadRequest
from scrubjay.embedding.prompts import prompt_profile
from scrubjay.embedding.provider import EmbeddingProvider
from scrubjay.errors import ProviderUnavailable
from scrubjay.models.gguf import NotGguf, read_gguf_header
from scrubjay.records.vectors import Vector

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
        load = LoadRequest(
            path=str(model_file),
            context=options.context,
            threads=options.threads or embedding_threads(),
            gpu_layers=options.gpu_layers,
            idle_seconds=options.idle_seconds,
        )
        self._child = LlamaChild(load, worker=options.worker, cpu_variants=cpu_variants)
        self._child.on_status = on_status
        self._dimensions = 0

    @property
    def child_pid(self) -> int | None:
        """Process id of the running child, None while the model is unloaded."""
        return self._child.pid

    @property
    def content(self) -> str:
        """Short digest that tells its weights from others."""
        return self._child.content

    def identity(self) -> str:
        """Family, content of the file, dimensions and prompts."""
        dimensions = self.dimensions()
        return f"local:{self.content}:{dimensions}:{self._prompts.identity}"

    def dimensions(self) -> int:
        """Length of every vector; the child is asked once."""
        if not self._dimensions:
            self._dimensions = self._child.running().dimensions
        return self._dimensions

    def embed_queries(self, texts: Sequence[str]) -> list[Vector]:
        """The vectors of queries; never wait for a document batch."""
        return self._embed("query", [self._prompts.for_query(text) for text in texts])

    def embed_documents(self, inputs: Sequence[EmbeddingInput]) -> list[Vector]:
        """The vectors of a batch of chunks, at low priority."""
        texts = [self._prompts.for_document(item.title, item.text) for item in inputs]
        self._child.try_cpu_variant(sum(map(len, texts)))
        return self._embed("documents", texts)

    def close(self) -> None:
        """Stop the child and start no other."""
        self._child.close()

    def _embed(self, kind: str, texts: Sequence[str]) -> list[Vector]:
        if not texts:
            return []
        return self._child.call(lambda child: child.embed(kind, texts)[0])


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
