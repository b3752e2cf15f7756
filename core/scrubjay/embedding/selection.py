"""Chooses the embedding provider that the settings ask for."""

from __future__ import annotations

from collections.abc import Callable

from scrubjay.config import MemorySearch
from scrubjay.embedding.llama import LocalProvider
from scrubjay.embedding.provider import EmbeddingProvider
from scrubjay.errors import ModelMissing, ProviderUnavailable
from scrubjay.models.catalogue import find_model
from scrubjay.paths import Paths


def choose_provider(
    settings: MemorySearch,
    paths: Paths,
    *,
    idle_seconds: float,
    changed: Callable[[str], None] = lambda _reason: None,
) -> EmbeddingProvider:
    """Make the provider; changed is told why it stopped, or "" when it runs.

    Raises ProviderUnavailable with the reason when there is none.
    """
    if settings.provider == "none":
        raise ProviderUnavailable(
            "Search by meaning is switched off", 'The settings say provider "none".'
        )
    if settings.provider not in ("auto", "local"):
        raise ProviderUnavailable(
            f"Scrubjay cannot use {settings.provider} yet",
            "Search by words goes on.",
            hint='Set provider to "local".',
        )
    local = settings.local
    file = find_model(paths, local.model_path, local.model_cache_dir)
    if file is None or not file.is_file():
        missing = f"{file} is not there." if file else "No model file was found."
        raise ModelMissing(
            "The model is not on this computer", missing, hint="Run `make setup` to build it."
        )
    return LocalProvider(
        file, context=local.context_size or 0, idle_seconds=idle_seconds, changed=changed
    )
