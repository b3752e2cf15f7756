"""The embedding provider that the settings select."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

from scrubjay.config.schema.memory_search import LocalModelSettings, MemorySearch, RemoteSettings
from scrubjay.embedding.calibrated_provider import CalibratedProvider, progress_as_status
from scrubjay.embedding.calibration import is_calibrated
from scrubjay.embedding.local.calibrated_models import CalibratedModels
from scrubjay.embedding.local.cpu_variant import CpuVariantChoice
from scrubjay.embedding.local.llama_child import content_id
from scrubjay.embedding.local.local_provider import LoadOptions, LocalProvider
from scrubjay.embedding.provider import EmbeddingProvider
from scrubjay.embedding.remote.service_catalogue import SERVICES, WITH_KEYS
from scrubjay.errors import LocalOnly, ModelMissing, ProviderUnavailable, SecretMissing
from scrubjay.messages import msg
from scrubjay.models.catalogue import find_known
from scrubjay.models.model_files import ModelFiles, find_model, purpose_of
from scrubjay.platform.paths import Paths
from scrubjay.records.model_records import ModelPurpose

if TYPE_CHECKING:
    from scrubjay.embedding.remote.credentials import RemoteAccess
    from scrubjay.embedding.remote.remote_provider import RemoteProvider

_FREE_SERVICE = "ollama"
"""Service that runs on a computer of the user's own."""

OnStatus: TypeAlias = Callable[[str], None]
"""Listener that gets why a provider stopped, or "" when it runs."""


class ProviderFactory(Struct, frozen=True):
    """Creates the providers in the settings. Methods raise ProviderUnavailable with the reason."""

    settings: MemorySearch
    paths: Paths
    access: Callable[[], RemoteAccess]
    """Function that is called when a remote provider is chosen."""
    cpu_variants: CpuVariantChoice
    idle_seconds: float
    """Seconds after which a local model gives its memory back."""

    def first_choice(self, on_status: OnStatus) -> EmbeddingProvider:
        """A new provider."""
        settings = self.settings
        match settings.provider:
            case "none":
                raise ProviderUnavailable("Search by meaning is turned off in the settings")
            case "local":
                return self._local(settings.local, on_status)
            case "auto":
                return self._best(on_status)
        return self._remote(settings.provider, settings.remote, on_status)

    def fallback(self, on_status: OnStatus) -> EmbeddingProvider:
        """A new provider for the fallback, with its own default model.

        The address and the key in the settings are its own where the first choice uses none.
        """
        local = self.settings.local
        fallback = self.settings.fallback
        if fallback == "local":
            own = LocalModelSettings(
                model_cache_dir=local.model_cache_dir, gpu_layers=local.gpu_layers
            )
            return self._local(own, on_status)
        # Where both are remote, the address and the key belong to the first choice.
        remote = RemoteSettings()
        first = self.settings.provider
        if first == "local" or (first == "auto" and fallback == "openai"):
            remote = self.settings.remote
        access = self.access()
        # Nobody is asked about sending notes to a service that has no key.
        access.check_key(fallback, remote)
        provider = access.provider(fallback, remote, on_status=on_status)
        return self._calibrated(provider, on_status)

    def former(self, identity: str) -> EmbeddingProvider | None:
        """The model that made vectors of this identity and costs nothing; None without it."""
        # An identity begins with the kind of provider and the id of its file.
        kind, _, rest = identity.partition(":")
        if kind == self.settings.provider == _FREE_SERVICE and not is_calibrated(identity):
            service = self._service(kind, self.settings.remote, lambda _reason: None)
            return service if service.identity() == identity else None
        if kind != LocalProvider.name:
            return None
        local = self.settings.local
        for file in ModelFiles(self.paths, local.model_cache_dir).files():
            if content_id(file) == rest.partition(":")[0]:
                # An earlier version of Scrubjay calibrated nothing.
                if is_calibrated(identity):
                    return self._local_of(file, local, lambda _reason: None)
                return LocalProvider(file, self._options(local), cpu_variants=self.cpu_variants)
        return None

    def _best(self, on_status: OnStatus) -> EmbeddingProvider:
        """The model on this computer, otherwise the first remote provider with a key."""
        try:
            return self._local(self.settings.local, on_status)
        except ModelMissing as error:
            missing = error
        # The services in their order; what is forbidden by the settings is the best reason.
        reasons: list[str] = []
        for service_id in WITH_KEYS:
            # The address in the settings is that of an OpenAI-compatible endpoint.
            remote = self.settings.remote
            if service_id != "openai":
                remote = RemoteSettings(batch=remote.batch)
            service = SERVICES[service_id]
            try:
                self.access().network.check(remote.base_url.strip() or service.base_url)
                self.access().key(service, remote)
            except LocalOnly as error:
                reasons.append(error.message)
                continue
            except SecretMissing:
                continue
            return self._remote(service_id, remote, on_status)
        reason = reasons[0] if reasons else msg("No service key was found.")
        raise ModelMissing(
            missing.title,
            msg("{message} {why}", message=missing.message, why=reason),
            hint=missing.hint,
        )

    def _remote(
        self, service_id: str, remote: RemoteSettings, on_status: OnStatus
    ) -> EmbeddingProvider:
        return self._calibrated(self._service(service_id, remote, on_status), on_status)

    def _service(
        self, service_id: str, remote: RemoteSettings, on_status: OnStatus
    ) -> RemoteProvider:
        """The provider of a service, without a calibration."""
        return self.access().provider(
            service_id,
            remote,
            model=self.settings.model,
            dimensions=self.settings.output_dimensionality,
            has_fallback=self.settings.fallback not in ("none", service_id),
            on_status=on_status,
        )

    def _calibrated(self, provider: RemoteProvider, on_status: OnStatus) -> EmbeddingProvider:
        """A provider of a service, calibrated where this costs time only."""
        # A paid service would have to read all notes again, for which people would have to pay.
        if provider.name != _FREE_SERVICE:
            return provider
        store = CalibratedModels(self.paths.state).store
        return CalibratedProvider(provider, store, progress_as_status(on_status))

    def _local(self, local: LocalModelSettings, on_status: OnStatus) -> EmbeddingProvider:
        file = find_model(self.paths, local.model_path, local.model_cache_dir)
        if file and purpose_of(file) is ModelPurpose.READING:
            raise ProviderUnavailable(
                msg("{name} cannot be used for search by meaning", name=file.name),
                "It is a result reader, which only reads the first results again.",
                hint="Choose a language helper in Settings under “Language helpers”.",
            )
        if file and file.is_file():
            return self._local_of(file, local, on_status)
        # What to do depends on what the settings name: a known model, nothing, or a file.
        hint = msg(
            "Choose a language helper in Settings under “Language helpers”, or run "
            "`scrubjay models list`."
        )
        model = find_known(local.model_path)
        if model:
            hint = msg(
                "Download the language helper in Settings under “Language helpers”, or with "
                "`scrubjay models download {id}`.",
                id=model.id,
            )
        elif not local.model_path:
            hint = msg(
                "Download a language helper in Settings under “Language helpers”, or with "
                "`scrubjay models download`."
            )
        where = msg("No language helper was found.")
        if file:
            where = msg("{file} does not exist.", file=file)
        raise ModelMissing("The language helper is not on this computer", where, hint=hint)

    def _local_of(
        self, file: Path, local: LocalModelSettings, on_status: OnStatus
    ) -> EmbeddingProvider:
        models = CalibratedModels(self.paths.state)
        return models.provider(
            file, self._options(local), cpu_variants=self.cpu_variants, on_status=on_status
        )

    def _options(self, local: LocalModelSettings) -> LoadOptions:
        return LoadOptions(
            context=local.context_size or 0,
            gpu_layers=local.gpu_layers,
            idle_seconds=self.idle_seconds,
        )


def cpu_variant_status(local: LocalModelSettings, paths: Paths) -> str:
    """The build of llama.cpp that the local model uses here, and why; "" without a local model."""
    file = find_model(paths, local.model_path, local.model_cache_dir)
    if file is None or not file.is_file():
        return ""
    return CpuVariantChoice(paths.state).description(content_id(file))
