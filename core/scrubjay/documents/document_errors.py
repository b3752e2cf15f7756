"""Reasons why a document has no text."""

from __future__ import annotations


class DocumentRefused(Exception):
    """The file cannot be converted to text. The message says why in one sentence."""


class ConversionFailed(Exception):
    """The child failed, perhaps temporarily. The message says how in one sentence."""
