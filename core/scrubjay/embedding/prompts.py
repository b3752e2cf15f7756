"""Task prompts that model families were trained with. Recall is lower without them."""

from __future__ import annotations

import re

from msgspec import Struct
from msgspec.structs import replace

from scrubjay.text import spanish

_ENGLISH_ONLY = re.compile(
    r"all-minilm|all-mpnet|multi-qa|bge-(?:small|base|large)-en|nomic-embed-text-v1|snowflake",
    re.IGNORECASE,
)
"""Names of models that were trained on English, from their model cards."""

_OF_SENTENCES = re.compile(r"all-minilm|all-mpnet|multi-qa|paraphrase-", re.IGNORECASE)
"""Names of models that were trained on sentences, from their model cards."""

# Parts of the identity of vectors.

_LINES = "+lines"
"""Ending for vectors that are made of lines."""

_GLOSS_VERSION = 1
"""Version of the dictionary; a new one computes all vectors again."""


class PromptProfile(Struct, frozen=True):
    """Templates with the fields {text} and {title}."""

    name: str
    query: str = "{text}"
    document: str = "{text}"
    glosses: bool = False
    """Whether Spanish is put into English word by word, for a model that was trained on English."""
    by_lines: bool = False
    """Whether the vector of a chunk is made of its lines, for a model trained on sentences."""

    @property
    def identity(self) -> str:
        """Changes with the text that is sent to the model, and so with its vectors."""
        identity = self.name
        if self.glosses:
            identity += f"+gloss{_GLOSS_VERSION}"
        if self.by_lines:
            identity += _LINES
        return identity

    def for_query(self, text: str) -> str:
        """The query with its prompt."""
        if self.glosses:
            text = spanish.gloss_question(text)
        return self.query.replace("{text}", text)

    def for_document(self, title: str, text: str) -> str:
        """The chunk with its prompt."""
        if self.glosses:
            text = spanish.gloss_spanish_lines(text)
        return self.document.replace("{title}", title or "none").replace("{text}", text)


NO_PROMPTS = PromptProfile("none")

_PROFILES = (
    PromptProfile(
        "embeddinggemma", "task: search result | query: {text}", "title: {title} | text: {text}"
    ),
    PromptProfile("nomic", "search_query: {text}", "search_document: {text}"),
    PromptProfile(
        "qwen3",
        "Instruct: Given a search query, retrieve relevant notes that answer the query\n"
        "Query:{text}",
    ),
    PromptProfile("bge", "Represent this sentence for searching relevant passages: {text}"),
    PromptProfile("e5", "query: {text}", "passage: {text}"),
)
"""Profiles from the model cards; file names of the family contain the name."""


def prompt_profile(model_name: str) -> PromptProfile:
    """The profile of a model family, NO_PROMPTS for an unknown one."""
    # The training data decide whether Spanish is glossed, and whether lines are embedded.
    letters = model_name.lower()
    profile = next((profile for profile in _PROFILES if profile.name in letters), NO_PROMPTS)
    return replace(
        profile,
        glosses=bool(_ENGLISH_ONLY.search(model_name)),
        by_lines=bool(_OF_SENTENCES.search(model_name)),
    )


def is_by_lines(identity: str) -> bool:
    """True for the identity of a provider that embeds chunks by their lines."""
    return identity.endswith(_LINES)
