"""The two kinds of readers of an answer: people who type, and agents."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from msgspec import Struct
from msgspec.structs import replace


class Audience(Struct, frozen=True, kw_only=True):
    """Differences between answers for people and for agents."""

    # How the words of a question are read.
    has_open_last_word: bool
    """Whether the last word may still be being typed, unless a space or a quote follows it."""
    quotes_as_written: bool
    """Whether quotes are compared as they were written, not by the stems of their words."""
    joins_compounds: bool
    """Whether a word is also found inside longer ones, and two words as one."""
    excludes_whole_notes: bool
    """Whether an excluded word excludes its note and not only its passage, and asks for words as
    it is."""
    # Which hits are listed.
    has_one_hit_a_note: bool
    """Whether a note has one hit, its best passage, and notes with all words come first."""
    lists_perhaps: bool
    """Whether hits that are not sure stand below the sure ones, instead of beside them."""
    compares_titles: bool
    """Whether titles that mean what is asked for fill spare places."""
    browses_days: bool
    """Whether a time in the question names the wanted notes, also by headings that are days."""
    # What an answer looks like, and when it comes.
    reads_sections: bool
    """Whether a snippet is prose of one section with its tags and matching words, not a range of
    lines."""
    waits_for_all: bool
    """Whether an answer waits for folders that are being read and for shared memories that are
    opened."""


PERSON: Final = Audience(
    has_open_last_word=True,
    quotes_as_written=True,
    joins_compounds=True,
    excludes_whole_notes=True,
    has_one_hit_a_note=True,
    lists_perhaps=True,
    compares_titles=True,
    browses_days=True,
    reads_sections=True,
    waits_for_all=False,
)
"""Person who types into the window, the popup or a terminal."""

AGENT: Final = Audience(
    has_open_last_word=False,
    quotes_as_written=False,
    joins_compounds=False,
    excludes_whole_notes=False,
    has_one_hit_a_note=False,
    lists_perhaps=False,
    compares_titles=False,
    browses_days=False,
    reads_sections=False,
    waits_for_all=True,
)
"""Agent, hook or script, which reads ranges of lines."""

SCRIPT: Final = replace(PERSON, waits_for_all=True)
"""Script that reads what a person would be shown, from all folders."""


class Reader(StrEnum):
    """Whom an answer of the terminal is for."""

    PERSON = "person"
    AGENT = "agent"
