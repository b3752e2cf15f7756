"""The table of remote providers and their models."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

from scrubjay.config.validation import MULTIMODAL_MODEL
from scrubjay.embedding.prompts import PromptProfile, prompt_profile
from scrubjay.messages import msg

_TASK_TYPES = PromptProfile("task-types")
_INPUT_TYPES = PromptProfile("input-types")


class RemoteModel(Struct, frozen=True):
    """Published numbers of a model."""

    dimensions: int
    max_tokens: int
    """Tokens of the longest input."""


_UNKNOWN_MODEL = RemoteModel(0, 2_048)
"""Numbers of a model that has not published any: its vectors tell their length; the limit is a
guess."""


class RemoteService(Struct, frozen=True):
    """One provider. APIs are named `module:class` below this package, and imported when used."""

    id: str
    name: str
    """Name for people."""
    base_url: str
    model: str
    """Model that is used when the settings name none."""
    api: str
    batch_api: str = ""
    """Its batch interface, which is cheaper and slower; empty if there is none."""
    key_variable: str = ""
    """Environment variable that by custom holds its key; empty if it needs none."""
    models: Mapping[str, RemoteModel] = field(default_factory=dict)
    # Limits of requests and batches.
    max_items: int = 256
    """Texts in one request."""
    max_requests: int = 4
    """Requests at the same time."""
    query_timeout_s: float = 60.0
    batch_timeout_s: float = 120.0
    batch_texts: int = 10_000
    """Texts in one batch."""
    batch_bytes: int = 16_000_000
    """Bytes of all texts of a batch, written as JSON."""
    unreachable_hint: str = msg("Check the internet connection.")
    unknown_model_hint: str = msg("Choose another language helper in the settings.")

    def prompts(self, model: str) -> PromptProfile:
        """Prompts around texts for a model."""
        if self.id == "gemini":
            if takes_task_types(model):
                return _TASK_TYPES
            # The second generation wants the prompts of EmbeddingGemma, its small relative.
            return prompt_profile("embeddinggemma")
        if self.id == "voyage":
            return _INPUT_TYPES
        return prompt_profile(model)

    def published(self, model: str) -> RemoteModel:
        """The numbers of a model, whatever its tag."""
        return self.models.get(model.partition(":")[0], _UNKNOWN_MODEL)

    def takes_media(self, model: str) -> bool:
        """True for a model that takes images and recordings."""
        return self.id == "gemini" and model.startswith(MULTIMODAL_MODEL)


def takes_task_types(model: str) -> bool:
    """True for the first generation of Gemini's models."""
    return MULTIMODAL_MODEL not in model


# In the order in which `auto` tries them.
_SERVICES = (
    RemoteService(
        id="openai",
        name="OpenAI",
        base_url="https://api.openai.com/v1",
        model="text-embedding-3-small",
        api="openai_api:OpenAiApi",
        batch_api="batch_apis:OpenAiBatchApi",
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
        api="gemini_api:GeminiApi",
        batch_api="batch_apis:GeminiBatchApi",
        # All their vectors come in one answer.
        batch_texts=1_000,
        batch_bytes=12_000_000,
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
        api="voyage_api:VoyageApi",
        batch_api="batch_apis:VoyageBatchApi",
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
        api="openai_api:OpenAiApi",
        key_variable="MISTRAL_API_KEY",
        models={"mistral-embed": RemoteModel(1024, 8192)},
    ),
    RemoteService(
        id="ollama",
        name="Ollama",
        base_url="http://127.0.0.1:11434",
        model="nomic-embed-text",
        api="ollama_api:OllamaApi",
        models={"nomic-embed-text": RemoteModel(768, 2048)},
        max_requests=1,
        query_timeout_s=300.0,
        batch_timeout_s=600.0,
        unreachable_hint=msg("Start Ollama, then try again."),
        unknown_model_hint=msg("Download the language helper in Ollama, then try again."),
    ),
)

SERVICES: Mapping[str, RemoteService] = {service.id: service for service in _SERVICES}
"""All remote providers by id."""

WITH_KEYS = tuple(service.id for service in _SERVICES if service.key_variable)
"""Ids that `auto` tries, in this order."""


def service_name(service_id: str) -> str:
    """Name of the provider for people; the id itself when it is not a remote one."""
    service = SERVICES.get(service_id)
    return service.name if service else service_id
