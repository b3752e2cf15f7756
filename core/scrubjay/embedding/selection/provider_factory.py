"""Makes the embedding provider that the settings ask for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from scrubjay.config.schema.memory_search import Local, MemorySearch, RemoteSettings
from scrubjay.embedding.local.cpu_variant import CpuVariantChoice
from scrubjay.embedding.local.local_provider import LocalProvider, content_id
from scrubjay.embedding.provider import EmbeddingProvider
from scrubjay.embedding.remote.credentials import RemoteAccess
from scrubjay.embedding.remote.services import SERVICES, WITH_KEYS
from scrubjay.errors import LocalOnly, ModelMissing, ProviderUnavailable, SecretMissing
from scrubjay.messages import msg
from scrubjay.models.catalogue import find_known
from scrubjay.models.model_files import ModelFiles, find_model
from scrubjay.platform.paths import Paths


@dataclass(frozen=True, slots=True)
class ProviderContext:
    """Parts that providers are made with."""

    paths: Paths
    access: RemoteAccess
    cpu_variants: CpuVariantChoice
    idle_seconds: float
    """After which a local model gives its memory back."""


def choose_provider(
    settings: MemorySearch,
    context: ProviderContext,
    on_status: Callable[[str], None] = lambda _reason: None,
) -> EmbeddingProvider:
    """A new provider; on_status gets why it stopped, or "" when it runs.

    Raises ProviderUnavailable with the reason when there is none.
    """
    match settings.provider:
        case "none":
            raise ProviderUnavailable(
                "Search by meaning is switched off", 'The settings say provider "none".'
            )
        case "local":
            return _local(settings.local, context, on_status)
        case "auto":
            return _best(settings, context, on_status)
    return _remote(settings.provider, settings, settings.remote, context, on_status)


def choose_fallback(
    settings: MemorySearch,
    context: ProviderContext,
    on_status: Callable[[str], None] = lambda _reason: None,
) -> EmbeddingProvider:
    """A new provider for the fallback, with its own default model and address.

    Raises ProviderUnavailable.
    """
    if settings.fallback == "local":
        local = settings.local
        own = Local(model_cache_dir=local.model_cache_dir, gpu_layers=local.gpu_layers)
        return _local(own, context, on_status)
    return context.access.provider(settings.fallback, RemoteSettings(), on_status=on_status)


def find_former(
    identity: str, settings: MemorySearch, context: ProviderContext
) -> EmbeddingProvider | None:
    """The model on this computer that made vectors of this identity; None when it is not here."""
    kind, _, rest = identity.partition(":")
    if kind != LocalProvider.name:
        return None
    for file in ModelFiles(context.paths, settings.local.model_cache_dir).files():
        if content_id(file) == rest.partition(":")[0]:
            return _local_of(file, settings.local, context)
    return None


def cpu_variant_status(local: Local, paths: Paths) -> str:
    """Which build of llama.cpp the local model uses on this computer and why; "" without one."""
    file = find_model(paths, local.model_path, local.model_cache_dir)
    if file is None or not file.is_file():
        return ""
    return CpuVariantChoice(paths.state).description(content_id(file))


def _best(
    settings: MemorySearch, context: ProviderContext, on_status: Callable[[str], None]
) -> EmbeddingProvider:
    """The model on this computer, else the first remote provider with a key."""
    try:
        return _local(settings.local, context, on_status)
    except ModelMissing as error:
        missing = error
    reasons: list[str] = []
    for service_id in WITH_KEYS:
        # The address in the settings is that of an OpenAI-compatible endpoint.
        remote = settings.remote
        if service_id != "openai":
            remote = RemoteSettings(batch=settings.remote.batch)
        service = SERVICES[service_id]
        try:
            context.access.network.check(remote.base_url.strip() or service.base_url)
            context.access.key(service, remote)
        except LocalOnly as error:
            reasons.append(error.message)
            continue
        except SecretMissing:
            continue
        return _remote(service_id, settings, remote, context, on_status)
    reason = reasons[0] if reasons else msg("No key for a remote provider was found either.")
    raise ModelMissing(
        missing.title,
        msg("{message} {why}", message=missing.message, why=reason),
        hint=missing.hint,
    )


def _remote(
    service_id: str,
    settings: MemorySearch,
    remote: RemoteSettings,
    context: ProviderContext,
    on_status: Callable[[str], None],
) -> EmbeddingProvider:
    return context.access.provider(
        service_id,
        remote,
        model=settings.model,
        dimensions=settings.output_dimensionality,
        on_status=on_status,
    )


def _local(
    local: Local, context: ProviderContext, on_status: Callable[[str], None]
) -> LocalProvider:
    file = find_model(context.paths, local.model_path, local.model_cache_dir)
    if file is None or not file.is_file():
        raise _missing(local.model_path, file)
    return _local_of(file, local, context, on_status)


def _local_of(
    file: Path,
    local: Local,
    context: ProviderContext,
    on_status: Callable[[str], None] = lambda _reason: None,
) -> LocalProvider:
    return LocalProvider(
        file,
        context=local.context_size or 0,
        gpu_layers=local.gpu_layers,
        idle_seconds=context.idle_seconds,
        cpu_variants=context.cpu_variants,
        on_status=on_status,
    )


def _missing(model_path: str, file: Path | None) -> ModelMissing:
    model = find_known(model_path)
    hint = msg("Choose one in Settings, Models, or run `scrubjay models list`.")
    if model:
        hint = msg("Get it with `scrubjay models download {id}`.", id=model.id)
    elif not model_path:
        hint = msg("Run `make setup` to build it, or `scrubjay models download`.")
    where = msg("{file} is not there.", file=file) if file else msg("No model file was found.")
    return ModelMissing("The model is not on this computer", where, hint=hint)
