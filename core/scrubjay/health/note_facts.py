"""Facts of one note for a health check: links, secrets, paragraphs."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence

from msgspec import Struct

from scrubjay.notes.note_links import Link, find_links
from scrubjay.text.markdown import lines_without_code, split_lines
from scrubjay.text.redaction import Secret, find_secrets

LEAKING = frozenset(
    {
        "private key",
        "key for a service",
        "key for GitHub",
        "key for Slack",
        "key for AWS",
        "key for Google",
    }
)
"""Kinds with a known prefix. Prose such as "the password is" is not reported."""

_MIN_PARAGRAPH = 200
"""Characters of a paragraph that is compared; shorter ones repeat by nature (greetings, headings of
templates)."""
_MIN_VARIETY = 8
"""Different characters in a real key: `sk-xxxxxxxxxxxxxxxx` is a placeholder."""


class NoteFacts(Struct, frozen=True):
    """One note, without its text."""

    characters: int
    lines: int
    digest: bytes
    """Digest of the text without white space at the ends; empty notes have none."""
    links: tuple[Link, ...]
    secrets: tuple[tuple[int, str], ...]
    """Line and kind of each secret."""
    paragraphs: tuple[tuple[bytes, int], ...]
    """Digest and first line of each long paragraph."""


def note_facts(text: str) -> NoteFacts:
    """The facts of a text."""
    lines = split_lines(text) if text else []
    plain = text.strip()
    return NoteFacts(
        characters=len(text),
        lines=len(lines),
        digest=_digest(plain) if plain else b"",
        # A path from the root of the disk leads out of these notes.
        links=tuple(
            link for link in find_links(lines) if link.is_wiki or not link.target.startswith("/")
        ),
        secrets=tuple(
            (text.count("\n", 0, leak.start) + 1, leak.kind) for leak in leaked_secrets(text)
        ),
        paragraphs=tuple(_paragraphs(lines)),
    )


def leaked_secrets(text: str) -> list[Secret]:
    """Secrets with a known shape, without placeholders and examples."""

    def is_real(key: str) -> bool:
        return len(set(key)) >= _MIN_VARIETY and "EXAMPLE" not in key

    return [
        secret
        for secret in find_secrets(text)
        if secret.kind in LEAKING and is_real(text[secret.start : secret.end])
    ]


def _paragraphs(lines: Sequence[str]) -> Iterator[tuple[bytes, int]]:
    """Digest and first line of each long paragraph."""
    # Paragraphs are compared by their words, so that line breaks make no difference.
    first = 0
    words: list[str] = []
    # A blank line ends a paragraph; the one that is added ends the last.
    for number, line in [*lines_without_code(lines), (len(lines) + 1, "")]:
        if line.strip():
            first = first or number
            words += line.lower().split()
            continue
        if words and sum(map(len, words)) + len(words) > _MIN_PARAGRAPH:
            yield _digest(" ".join(words)), first
        first = 0
        words = []


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
