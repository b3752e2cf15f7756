"""The remote providers: where they are, what they take, and how they are opened."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from scrubjay.config.validation import MULTIMODAL_MODEL
from scrubjay.embedding.prompts import PromptProfile, profile_for
from scrubjay.embedding.remote.api import EmbeddingApi
from scrubjay.embedding.remote.batch.batch_protocol import BulkApi, BulkFactory
from scrubjay.messages import msg

if TYPE_CHECKING:
    import httpx2

    from scrubjay.embedding.remote.remote_media import MediaApi

ApiFactory: TypeAlias = "Callable[[httpx2.Client, str, str, str, int | None], EmbeddingApi]"
"""Takes client, base URL, key, model and the number of dimensions that was asked for."""


MediaFactory: TypeAlias = "Callable[[httpx2.Client, str, str, str, int | None], MediaApi]"


@dataclass(frozen=True, slots=True)
class RemoteModel:
    """What is published about a model."""

    dimensions: int
    max_tokens: int
    """Longest input."""


@dataclass(frozen=True, slots=True)
class RemoteService:
    """One provider."""

    id: str
    name: str
    """For people."""
    base_url: str
    model: str
    """Used when the settings name none."""
    open_api: ApiFactory
    key_variable: str = ""
    """Environment variable that usually holds its key; empty when it needs none."""
    models: Mapping[str, RemoteModel] = field(default_factory=dict)
    max_items: int = 256
    """Texts in one request."""
    lanes: int = 4
    """Requests at the same time."""
    query_timeout_s: float = 60.0
    batch_timeout_s: float = 120.0
    open_bulk: BulkFactory | None = None
    """Opens its batch interface, which is cheaper and slower; None where there is none."""
    open_media: MediaFactory | None = None
    """Opens what takes images and recordings; None where there is nothing like that."""
    bulk_texts: int = 10_000
    """In one batch."""
    bulk_bytes: int = 16_000_000
    """Of all texts of a batch, written as JSON."""
    unreachable_hint: str = msg("Check the internet connection.")
    unknown_model_hint: str = msg("Choose another model in the settings.")

    def prompts(self, model: str) -> PromptProfile:
        """What is put around texts for a model."""
        if self.id == "gemini":
            # The second generation wants the prompts of EmbeddingGemma, its small relative.
            return _TASK_TYPES if takes_task_types(model) else profile_for("embeddinggemma")
        return _INPUT_TYPES if self.id == "voyage" else profile_for(model)


_TASK_TYPES = PromptProfile("task-types")
_INPUT_TYPES = PromptProfile("input-types")
_UNKNOWN_MAX_TOKENS = 2_048


def max_tokens(service: RemoteService, model: str) -> int:
    """Longest input of a model, a cautious guess for an unknown one."""
    known = service.models.get(model.partition(":")[0])
    return known.max_tokens if known else _UNKNOWN_MAX_TOKENS


def takes_task_types(model: str) -> bool:
    """True for the first generation of Gemini's models."""
    return MULTIMODAL_MODEL not in model


def takes_media(model: str) -> bool:
    """True for models that look at images and listen to recordings."""
    return model.startswith(MULTIMODAL_MODEL)


# Each interface is imported when its provider is first asked: the official libraries take a
# second each.
def _openai(
    client: httpx2.Client, base_url: str, key: str, model: str, dimensions: int | None
) -> EmbeddingApi:
    from scrubjay.embedding.remote.openai_api import OpenAiApi

    return OpenAiApi(client, base_url, key, model, dimensions)


def _gemini(
    client: httpx2.Client, base_url: str, key: str, model: str, dimensions: int | None
) -> EmbeddingApi:
    from scrubjay.embedding.remote.gemini_api import GeminiApi

    return GeminiApi(client, base_url, key, model, dimensions)


def _gemini_media(
    client: httpx2.Client, base_url: str, key: str, model: str, dimensions: int | None
) -> MediaApi:
    from scrubjay.embedding.remote.gemini_api import GeminiApi

    return GeminiApi(client, base_url, key, model, dimensions)


def _voyage(
    client: httpx2.Client, base_url: str, key: str, model: str, dimensions: int | None
) -> EmbeddingApi:
    from scrubjay.embedding.remote.voyage_ollama_api import VoyageApi

    return VoyageApi(client, base_url, key, model, dimensions)


def _ollama(
    client: httpx2.Client, base_url: str, key: str, model: str, dimensions: int | None
) -> EmbeddingApi:
    from scrubjay.embedding.remote.voyage_ollama_api import OllamaApi

    return OllamaApi(client, base_url, key, model, dimensions)


def _openai_bulk(
    client: httpx2.Client, base_url: str, key: str, model: str, dimensions: int | None
) -> BulkApi:
    from scrubjay.embedding.remote.batch.openai_batch import FilesBulkApi

    return FilesBulkApi(client, base_url, key, model, dimensions)


def _gemini_bulk(
    client: httpx2.Client, base_url: str, key: str, model: str, dimensions: int | None
) -> BulkApi:
    from scrubjay.embedding.remote.batch.gemini_batch import GeminiBulkApi

    return GeminiBulkApi(client, base_url, key, model, dimensions)


def _voyage_bulk(
    client: httpx2.Client, base_url: str, key: str, model: str, dimensions: int | None
) -> BulkApi:
    from scrubjay.embedding.remote.batch.openai_batch import VoyageBulkApi

    return VoyageBulkApi(client, base_url, key, model, dimensions)


_SERVICES = (
    RemoteService(
        id="openai",
        name="OpenAI",
        base_url="https://api.openai.com/v1",
        model="text-embedding-3-small",
        open_api=_openai,
        open_bulk=_openai_bulk,
        key_variable="OPENAI_API_KEY",
        models={
            "text-embedding-3-small": RemoteModel(1536, 8191),
            "text-embedding-3-large": RemoteModel(3072, 8191),
            "text-embedding-ada-002": RemoteModel(1536, 8191),
        },
    ),
    RemoteService(
        id="gemini",
        name="Gemini",
        base_url="https://generativelanguage.googleapis.com",
        model="gemini-embedding-001",
        open_api=_gemini,
        open_bulk=_gemini_bulk,
        open_media=_gemini_media,
        bulk_texts=1_000,  # all their vectors come in one answer
        bulk_bytes=12_000_000,
        key_variable="GEMINI_API_KEY",
        models={
            "gemini-embedding-001": RemoteModel(3072, 2048),
            "gemini-embedding-2": RemoteModel(3072, 8192),
            "gemini-embedding-2-preview": RemoteModel(3072, 8192),
        },
        max_items=100,
    ),
    RemoteService(
        id="voyage",
        name="Voyage",
        base_url="https://api.voyageai.com/v1",
        model="voyage-4-large",
        open_api=_voyage,
        open_bulk=_voyage_bulk,
        key_variable="VOYAGE_API_KEY",
        models={
            "voyage-4-large": RemoteModel(1024, 32_000),
            "voyage-4": RemoteModel(1024, 32_000),
            "voyage-4-lite": RemoteModel(1024, 32_000),
        },
        max_items=128,
    ),
    RemoteService(
        id="mistral",
        name="Mistral",
        base_url="https://api.mistral.ai/v1",
        model="mistral-embed",
        open_api=_openai,
        key_variable="MISTRAL_API_KEY",
        models={"mistral-embed": RemoteModel(1024, 8192)},
    ),
    RemoteService(
        id="ollama",
        name="Ollama",
        base_url="http://127.0.0.1:11434",
        model="nomic-embed-text",
        open_api=_ollama,
        models={"nomic-embed-text": RemoteModel(768, 2048)},
        lanes=1,
        query_timeout_s=300.0,
        batch_timeout_s=600.0,
        unreachable_hint=msg("Start Ollama, then try again."),
        unknown_model_hint=msg("Fetch it with `ollama pull`, then try again."),
    ),
)

SERVICES: Mapping[str, RemoteService] = {service.id: service for service in _SERVICES}
"""All remote providers by id."""

WITH_KEYS = tuple(service.id for service in _SERVICES if service.key_variable)
"""Those that `auto` tries, in this order."""


def service_name(service_id: str) -> str:
    """What people call the provider with this id; the id itself when it is no remote one."""
    service = SERVICES.get(service_id)
    return service.name if service else service_id
