"""Marks sentences of the core that the app shows in the person's own language."""

from __future__ import annotations


def translate(context: str, text: str) -> str:
    """The text as it is. The app's translators find it by this call, under this context."""
    del context
    return text
