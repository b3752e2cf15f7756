"""No window says a word that a teacher does not know, in English or in Spanish."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from core_sentences import shown_sentences
from scrubjay.config.loading import load_settings
from scrubjay.config.page_settings import page_settings
from support.sentences import catalogue, window_sentences
from translations import CORE_CONTEXT

GLOSSARY = Path(__file__).parents[3] / "docs" / "translations.md"
EXPERTS = "settings for experts"
ALLOWED = {
    "core/mcp_server/": "workspace prompt token index índice utf-8 session",
    EXPERTS: "embedding session",
}
"""Places where some of these words are in order: answers to agents, a program for experts, and
the lower floor of the settings, which names the values that stand in its file."""


def unknown_words(column: int) -> tuple[str, ...]:
    """What the glossary forbids: column 2 in English, 3 in Spanish."""
    rows = [line.strip("|").split("|") for line in GLOSSARY.read_text("utf-8").splitlines()]
    cells = [row[column] for row in rows if len(row) == 4][2:]
    return tuple(word.strip().lower() for cell in cells for word in cell.split(","))


ENGLISH, SPANISH = unknown_words(2), unknown_words(3)


def found_words(text: str, words: tuple[str, ...]) -> list[str]:
    """Those of the words that stand in a text, apart from values, commands and names of files."""
    text = re.sub(r"\{\w+\}|`[^`]*`|\S*\.\w\S*|&(?=\w)", "", text).lower()
    return [word for word in words if any_form(word).search(text)]


@functools.cache
def any_form(word: str) -> re.Pattern[str]:
    """The word, also in the plural."""
    return re.compile(rf"(?<!\w){re.escape(word)}(e?s)?(?!\w)")


def is_command_alone(text: str) -> bool:
    """A command that is not the second of two ways: the first is one in the window."""
    return "`" in text and not re.search(r"\bor\b[^`]*`", text)


@functools.cache
def sentences() -> tuple[tuple[str, str, str], ...]:
    """Place, English and Spanish of everything that a window may show."""
    return tuple(_sentences())


def _sentences() -> Iterator[tuple[str, str, str]]:
    spanish = catalogue()
    settings = page_settings(load_settings(Path("none")))
    everyday = {
        text for one in settings if one.is_everyday for text in (one.title, one.explanation)
    }
    for file, template in shown_sentences():
        is_for_experts = file.startswith("config/schema/") and template not in everyday
        place = EXPERTS if is_for_experts else f"core/{file}"
        yield place, template, spanish.get((CORE_CONTEXT, template), "")
    for file, (context, text) in window_sentences():
        yield f"desktop/{file}", text, spanish[context, text]


def test_every_sentence_uses_words_that_a_teacher_knows() -> None:
    wrong = []
    for place, english, spanish in sentences():
        allowed = next((words for start, words in ALLOWED.items() if place.startswith(start)), "")
        words = [*found_words(english, ENGLISH), *found_words(spanish, SPANISH)]
        if words := [word for word in words if word not in allowed.split()]:
            wrong.append((place, words, english, spanish))
    assert wrong == []


def test_a_command_is_never_the_only_way() -> None:
    alone = {text for place, text, _ in sentences() if is_command_alone(text)}
    agents_only = {text for place, text, _ in sentences() if place.startswith("core/mcp_server/")}
    assert alone - agents_only == set()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("This &workspace is read-only", ["workspace"]),
        ("Two Models, {model}, one .gguf file and MEMORY.md", ["model"]),
        ("It is not UTF-8 text (byte 14)", ["utf-8", "byte"]),
        ("Run `scrubjay models list`", []),
    ],
)
def test_words_are_found_in_any_form(text: str, words: list[str]) -> None:
    assert sorted(found_words(text, ENGLISH)) == sorted(words)
