"""Chooses the embedding provider that the settings ask for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from scrubjay.config import MemorySearch
from scrubjay.embedding.llama import LocalProvider, content_id
from scrubjay.embedding.provider import EmbeddingProvider
from scrubjay.errors import ModelMissing, ProviderUnavailable
from scrubjay.models.catalogue import find_known
from scrubjay.models.shelf import Shelf, find_model
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
        raise _missing(local.model_path, file)
    return LocalProvider(
        file, context=local.context_size or 0, idle_seconds=idle_seconds, changed=changed
    )


def find_former(
    identity: str, settings: MemorySearch, paths: Paths, *, idle_seconds: float
) -> EmbeddingProvider | None:
    """The model on this computer that made vectors of this identity; None when it is not here."""
    kind, _, rest = identity.partition(":")
    if kind != LocalProvider.name:
        return None
    local = settings.local
    for file in Shelf(paths, local.model_cache_dir).files():
        if content_id(file) == rest.partition(":")[0]:
            return LocalProvider(file, context=local.context_size or 0, idle_seconds=idle_seconds)
    return None


def _missing(written: str, file: Path | None) -> ModelMissing:
    known = find_known(written)
    hint = "Choose one in Settings, Models, or run `scrubjay models list`."
    if known:
        hint = f"Get it with `scrubjay models download {known.id}`."
    elif not written:
        hint = "Run `make setup` to build it, or `scrubjay models download`."
    where = f"{file} is not there." if file else "No model file was found."
    return ModelMissing("The model is not on this computer", where, hint=hint)
