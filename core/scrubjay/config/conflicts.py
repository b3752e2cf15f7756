"""Settings that do not go together."""

from __future__ import annotations

from collections.abc import Iterable

from scrubjay.config.aliases import Block
from scrubjay.config.problems import Problem, key_text, shown
from scrubjay.config.schema.memory_search import MemorySearch
from scrubjay.messages import msg

MULTIMODAL_MODEL = "gemini-embedding-2"
"""How the models begin that look at images and listen to recordings."""


def overlap_problems(blocks: Iterable[Block], used: MemorySearch) -> list[Problem]:
    """At most one: the strongest block that sets the overlap may ask for more than fits."""
    for block in blocks:
        asked = block.values.get("chunking", {}).get("overlap")
        if asked is None:
            continue
        if asked <= used.chunking.overlap:
            return []
        reason = msg(
            "{asked} is not below chunking.tokens; {overlap} is used.",
            asked=shown(asked),
            overlap=used.chunking.overlap,
        )
        return [Problem(key_text((*block.at, "chunking", "overlap")), reason)]
    return []


def multimodal_problems(blocks: Iterable[Block], used: MemorySearch) -> list[Problem]:
    """At most one, at the strongest block that asks for images and recordings."""
    if not (reason := multimodal_problem(used)):
        return []
    for block in blocks:
        if block.values.get("multimodal", {}).get("enabled"):
            return [Problem(key_text((*block.at, "multimodal", "enabled")), reason)]
    return []


def multimodal_problem(search: MemorySearch) -> str:
    """Why images and recordings are not searched although they should; empty otherwise."""
    if not search.multimodal.enabled:
        return ""
    if search.provider != "gemini" or not search.model.startswith(MULTIMODAL_MODEL):
        wanted = msg(
            'provider "gemini" with model "{model}-preview"',
            model=MULTIMODAL_MODEL,
        )
        return msg("Images and recordings need {wanted}; only Markdown is searched.", wanted=wanted)
    if search.fallback != "none":
        # Its vectors could not be compared with those of the images.
        return msg('Images and recordings need fallback "none"; only Markdown is searched.')
    return ""
