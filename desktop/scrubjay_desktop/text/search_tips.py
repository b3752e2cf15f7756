"""What a question may hold besides words. The table in docs/search.md has the same examples."""

from __future__ import annotations

from typing import TypeAlias

from scrubjay_desktop.text.formatting import translate

Tips: TypeAlias = list[tuple[str, str]]
"""Examples of questions, each with what it finds."""


def search_tips() -> Tips:
    """All tips, those on words first, then those on places and times."""
    # People read the beginning of a list, and most of them need only that.
    return [*_on_words(), *_on_places(), *_on_times()]


def _on_words() -> Tips:
    """Words, phrases, and words that must not occur."""
    return [
        (
            translate("SearchTips", "boiler pressure"),
            translate("SearchTips", "Notes with these words or words with the same meaning"),
        ),
        (
            translate("SearchTips", '"silver leaf"'),
            translate("SearchTips", "Only notes that contain this exact phrase"),
        ),
        (
            translate("SearchTips", "apple -plum"),
            translate("SearchTips", "Only notes without the word after the hyphen"),
        ),
        (
            translate("SearchTips", "apple NOT plum"),
            translate("SearchTips", "The same as with a hyphen"),
        ),
        (
            translate("SearchTips", "apple OR plum"),
            translate("SearchTips", "Results for either word"),
        ),
        (
            translate("SearchTips", "(apple OR plum) cake"),
            translate("SearchTips", "Results for “apple cake” and for “plum cake”"),
        ),
        (
            translate("SearchTips", "garden*"),
            translate("SearchTips", "Notes with words that begin like this"),
        ),
    ]


def _on_places() -> Tips:
    """Tags, folders, files and kinds."""
    return [
        (
            translate("SearchTips", "#garden"),
            translate("SearchTips", "Only notes with this tag or one of its subtags"),
        ),
        (
            translate("SearchTips", "folder:Recipes egg"),
            translate("SearchTips", "Only notes in this folder"),
        ),
        (
            translate("SearchTips", "path:recipes/soup"),
            translate("SearchTips", "Only notes whose folders and file name contain this text"),
        ),
        ("file:2026-09", translate("SearchTips", "Only notes whose file name contains this text")),
        (
            translate("SearchTips", "title:soup"),
            translate("SearchTips", "Only notes whose title contains this text"),
        ),
        (
            "ext:md",
            translate("SearchTips", "Only files with this extension (the end of the file name)"),
        ),
        (
            "kind:pdf",
            translate(
                "SearchTips",
                "Only PDFs (the other kinds are note, document, mail and conversation)",
            ),
        ),
        (
            translate("SearchTips", "-tag:garden"),
            translate(
                "SearchTips",
                "Excludes notes with this tag (a hyphen also works before "
                "folder:, title: and so on)",
            ),
        ),
    ]


def _on_times() -> Tips:
    """Days and longer times."""
    return [
        (
            translate("SearchTips", "yesterday"),
            translate(
                "SearchTips", "Notes from that day (phrases such as “last Tuesday” also work)"
            ),
        ),
        (
            translate("SearchTips", "dentist in November"),
            translate("SearchTips", "Notes from that period that contain this word"),
        ),
        (
            translate("SearchTips", "on:yesterday"),
            translate("SearchTips", "Only notes from that day"),
        ),
        ("in:2026-09", translate("SearchTips", "Only notes from that period")),
        ("after:2026-09-01", translate("SearchTips", "Notes from that day or later")),
        ("before:2026-09-30", translate("SearchTips", "Notes from that day or earlier")),
    ]
