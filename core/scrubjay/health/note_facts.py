"""Facts of one note for a check-up: links, secrets, paragraphs."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scrubjay.notes.markdown import split_lines
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
"""Characters; shorter ones repeat by nature (greetings, headings of templates)."""
_MIN_VARIETY = 8
"""Different characters in a real key: `sk-xxxxxxxxxxxxxxxx` is a placeholder."""

_FENCE = re.compile(r" {0,3}(```+|~~~+)")
_CODE = re.compile(r"(`+)(?:(?!\1).)*\1")
_LINK = re.compile(
    r"!?\[[^\]\[]{0,300}\]\((?:<([^<>]{1,500})>|([^()\s]{1,500}))(?:\s+[\"'(].*?)?\)"
)
_WIKI = re.compile(r"!?\[\[([^\]\[|#^]{1,300})(?:[#^|][^\]\[]{0,300})?\]\]")
_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")


@dataclass(frozen=True, slots=True)
class Link:
    """A link to another file."""

    line: int
    """1-based."""
    target: str
    """As it is written, without a part after `#`."""
    is_wiki: bool


@dataclass(frozen=True, slots=True)
class NoteFacts:
    """One note, without its text."""

    characters: int
    lines: int
    digest: bytes
    """Of the text without white space at the ends; empty notes have none."""
    links: tuple[Link, ...]
    secrets: tuple[tuple[int, str], ...]
    """Line and kind of each."""
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
        links=tuple(_links(lines)),
        secrets=tuple((text.count("\n", 0, leak.start) + 1, leak.kind) for leak in leaks(text)),
        paragraphs=tuple(_paragraphs(lines)),
    )


def leaks(text: str) -> list[Secret]:
    """Secrets with a known shape; placeholders and examples are none."""

    def is_real(key: str) -> bool:
        return len(set(key)) >= _MIN_VARIETY and "EXAMPLE" not in key

    return [
        secret
        for secret in find_secrets(text)
        if secret.kind in LEAKING and is_real(text[secret.start : secret.end])
    ]


def _links(lines: Sequence[str]) -> Iterator[Link]:
    for number, line in _prose(lines):
        if "[" not in line:
            continue
        prose = _CODE.sub("", line)
        for match in _LINK.finditer(prose):
            target = (match[1] or match[2]).partition("#")[0]
            if target and not _SCHEME.match(target) and not target.startswith("/"):
                yield Link(number, target, is_wiki=False)
        for match in _WIKI.finditer(prose):
            if target := match[1].rstrip("\\").strip():  # in a table, the bar is escaped
                yield Link(number, target, is_wiki=True)


def _prose(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Lines outside of fences, with their numbers."""
    fence = ""
    for number, line in enumerate(lines, start=1):
        match = _FENCE.match(line)
        if fence:
            if match and match[1].startswith(fence) and not line.strip(" \t`~"):
                fence = ""
            continue
        if match:
            fence = match[1]
            continue
        yield number, line


def _paragraphs(lines: Sequence[str]) -> Iterator[tuple[bytes, int]]:
    first, words = 0, list[str]()
    for number, line in [*_prose(lines), (len(lines) + 1, "")]:
        if line.strip():
            first = first or number
            words += line.lower().split()
            continue
        if words and sum(map(len, words)) + len(words) > _MIN_PARAGRAPH:
            yield _digest(" ".join(words)), first
        first, words = 0, []


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
