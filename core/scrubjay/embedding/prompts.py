"""Task prompts that model families were trained with; leaving them out costs recall."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PromptProfile:
    """Templates with the fields {text} and {title}."""

    name: str
    query: str = "{text}"
    document: str = "{text}"

    def for_query(self, text: str) -> str:
        """The query as the model wants it."""
        return self.query.replace("{text}", text)

    def for_document(self, title: str, text: str) -> str:
        """The chunk as the model wants it."""
        return self.document.replace("{title}", title or "none").replace("{text}", text)


NO_PROMPTS = PromptProfile("none")

_PROFILES = (
    PromptProfile(
        "embeddinggemma",
        "task: search result | query: {text}",
        "title: {title} | text: {text}",
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
"""From the model cards; the name is what the file name of the family contains."""


def profile_for(model_name: str) -> PromptProfile:
    """The profile of a model family, none for what is not known."""
    letters = model_name.lower()
    return next((known for known in _PROFILES if known.name in letters), NO_PROMPTS)
