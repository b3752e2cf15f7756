"""The table of remote providers."""

from __future__ import annotations

from collections.abc import Mapping

from scrubjay.embedding.remote.service import RemoteModel, RemoteService
from scrubjay.messages import msg

_SERVICES = (
    RemoteService(
        id="openai",
        name="OpenAI",
        base_url="https://api.openai.com/v1",
        model="text-embedding-3-small",
        api="openai_api:OpenAiApi",
        batch_api="batch.openai_batch:OpenAiBatchApi",
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
        batch_api="batch.gemini_batch:GeminiBatchApi",
        media_api="gemini_api:GeminiApi",
        batch_texts=1_000,  # all their vectors come in one answer
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
        api="json_api:VoyageApi",
        batch_api="batch.openai_batch:VoyageBatchApi",
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
        api="json_api:OllamaApi",
        models={"nomic-embed-text": RemoteModel(768, 2048)},
        max_requests=1,
        query_timeout_s=300.0,
        batch_timeout_s=600.0,
        unreachable_hint=msg("Start Ollama, then try again."),
        unknown_model_hint=msg("Fetch it with `ollama pull`, then try again."),
    ),
)

SERVICES: Mapping[str, RemoteService] = {service.id: service for service in _SERVICES}
"""All remote providers by id."""

WITH_KEYS = tuple(service.id for service in _SERVICES if service.key_variable)
"""Ids that `auto` tries, in this order."""


def service_name(service_id: str) -> str:
    """Name of the provider for people; the id itself when it is no remote one."""
    service = SERVICES.get(service_id)
    return service.name if service else service_id
