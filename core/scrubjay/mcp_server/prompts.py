"""Prompts that a person may choose in their agent."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from scrubjay.agents.recall.flush_rules import flush_texts
from scrubjay.errors import QueryError
from scrubjay.messages import msg

_RECALL = """\
Look in my notes before you answer. Call memory_search with this, and again in other words when \
the first answer is thin; read the lines you need with memory_get. Then answer from what you found \
and name the source of each fact as path#Lfirst-Llast. If the notes say nothing about it, say so.

What I want to know: {topic}"""
_FLUSH_WITH = "Append with the tool memory_write, which writes to that file alone."


@dataclass(frozen=True, slots=True)
class PromptText:
    """One prompt."""

    name: str
    title: str
    description: str
    arguments: Mapping[str, str]
    """Name -> description; all are required."""
    words: Callable[[Mapping[str, str]], str]


PROMPTS = {
    one.name: one
    for one in (
        PromptText(
            "recall",
            "Recall from my notes",
            "Answer a question from the notes, with sources.",
            {"topic": "What you want to know."},
            lambda given: _RECALL.format_map({"topic": given["topic"]}),
        ),
        PromptText(
            "flush",
            "Keep what matters",
            "Write down what should outlive this conversation before it is shortened.",
            {},
            lambda _: f"{flush_texts(_today()).both}\n\n{_FLUSH_WITH}",
        ),
    )
}


def _today() -> str:
    return f"memory/{dt.date.today().isoformat()}.md"


def prompt_text(name: str, given: Mapping[str, str]) -> str:
    """The words of a prompt. Raises QueryError for an unknown name or a missing argument."""
    prompt = PROMPTS.get(name)
    if prompt is None:
        raise QueryError(
            msg("There is no prompt {name}", name=repr(name)),
            msg("There are {names}.", names=", ".join(PROMPTS)),
        )
    missing = [key for key in prompt.arguments if not given.get(key, "").strip()]
    if missing:
        raise QueryError(
            msg("The prompt {name} needs {names}", name=name, names=", ".join(missing))
        )
    return prompt.words(given)
