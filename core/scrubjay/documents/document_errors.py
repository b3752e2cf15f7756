"""Reasons why a document has no text."""

from __future__ import annotations


class DocumentRefused(Exception):
    """The file gives no text; the message says why in one sentence."""


class ConversionFailed(Exception):
    """The child gave up, which may not happen again; the message says how in one sentence."""
