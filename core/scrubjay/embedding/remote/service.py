"""Description of one remote provider and its models."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from scrubjay.config.validation import MULTIMODAL_MODEL
from scrubjay.embedding.prompts import PromptProfile, profile_for
from scrubjay.messages import msg

_TASK_TYPES = PromptProfile("task-types")
_INPUT_TYPES = PromptProfile("input-types")
_UNKNOWN_MAX_TOKENS = 2_048


@dataclass(frozen=True, slots=True)
class RemoteModel:
    """Published numbers of a model."""

    dimensions: int
    max_tokens: int
    """Longest input."""


@dataclass(frozen=True, slots=True)
class RemoteService:
    """One provider. APIs are named `module:class` below this package, and imported when used."""

    id: str
    name: str
    """For people."""
    base_url: str
    model: str
    """Used when the settings name none."""
    api: str
    batch_api: str = ""
    """Its batch interface, which is cheaper and slower; empty where there is none."""
    media_api: str = ""
    """Takes images and recordings; empty where there is nothing like that."""
    key_variable: str = ""
    """Environment variable that usually holds its key; empty when it needs none."""
    models: Mapping[str, RemoteModel] = field(default_factory=dict)
    max_items: int = 256
    """Texts in one request."""
    max_requests: int = 4
    """Requests at the same time."""
    query_timeout_s: float = 60.0
    batch_timeout_s: float = 120.0
    batch_texts: int = 10_000
    """In one batch."""
    batch_bytes: int = 16_000_000
    """Of all texts of a batch, written as JSON."""
    unreachable_hint: str = msg("Check the internet connection.")
    unknown_model_hint: str = msg("Choose another model in the settings.")

    def prompts(self, model: str) -> PromptProfile:
        """Prompts around texts for a model."""
        if self.id == "gemini":
            # The second generation wants the prompts of EmbeddingGemma, its small relative.
            return _TASK_TYPES if takes_task_types(model) else profile_for("embeddinggemma")
        return _INPUT_TYPES if self.id == "voyage" else profile_for(model)

    def known_model(self, model: str) -> RemoteModel | None:
        """The published numbers of a model, whatever its tag; None for an unknown one."""
        return self.models.get(model.partition(":")[0])

    def max_tokens(self, model: str) -> int:
        """Longest input of a model, a cautious guess for an unknown one."""
        published = self.known_model(model)
        return published.max_tokens if published else _UNKNOWN_MAX_TOKENS


def takes_task_types(model: str) -> bool:
    """True for the first generation of Gemini's models."""
    return MULTIMODAL_MODEL not in model


def takes_media(model: str) -> bool:
    """True for models that take images and recordings."""
    return model.startswith(MULTIMODAL_MODEL)
