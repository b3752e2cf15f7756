"""Tokens of text: one analysis for the index, the query and the highlights."""

from __future__ import annotations

import functools
import re
import unicodedata
from typing import Any, NamedTuple

import apsw

TOKENIZER = "porter unicode61 remove_diacritics 2 tokenchars '_'"
"""FTS5 tokenizer of the index: letters, digits and underscore; folded; English stems."""

_ARGUMENTS = ["unicode61", "remove_diacritics", "2", "tokenchars", "_"]

_CJK = (
    "\u1100-\u11ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3040-\u30ff\u3105-\u312f"
    "\u3130-\u318f\u31a0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff"
    "\uff66-\uff9f\U00020000-\U000323af"
)
CJK_RUN = re.compile(f"[{_CJK}]+")
"""Scripts that are written without spaces (and hangul, whose words carry suffixes)."""

_BORDER = re.compile(r"[a-z][A-Z]|[^\W_]_[^\W_]")
_SMALL = re.sub(rb"[a-z]", b"a", bytes(range(256)))
_CASES = re.sub(rb"[^aA]", b" ", re.sub(rb"[A-Z]", b"A", _SMALL))
"""Byte of a text -> `a` for a small letter, `A` for a capital, otherwise a space: `aA` is where
camelCase bends."""
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+")

_WRITTEN = re.compile(r"\w+")

_MAX_LABELS = 2_000
"""Headings and paths that are cached."""


class Token(NamedTuple):
    """One word as the index stores it. A search makes thousands."""

    start: int
    """Offset in the text in characters, not bytes."""
    end: int
    stem: str
    """Word as the index stores it."""


class Analyzer:
    """Tokenizes in the same way as the index, with SQLite's own tokenizer. For one thread."""

    def __init__(self) -> None:
        self._db = apsw.Connection(":memory:")
        # Its return type depends on its flags.
        self._tokenize: Any = self._db.fts5_tokenizer("porter", _ARGUMENTS)
        self.label_stems = functools.lru_cache(_MAX_LABELS)(self.stems)
        """Stems of a heading or path, cached since many chunks share them."""

    def close(self) -> None:
        """Free the tokenizer."""
        del self._tokenize
        self._db.close()

    def tokens(self, text: str) -> list[Token]:
        """Words with their positions, CJK as overlapping pairs."""
        data = text.encode("utf-8", "replace")
        raw = self.raw_tokens(data)
        if len(data) == len(text):
            return list(map(Token._make, raw))
        # Letters of several bytes: positions are counted in letters, and CJK is split into pairs.
        offsets = _character_offsets(text)
        tokens: list[Token] = []
        for start, end, stem in raw:
            token = Token(offsets[start], offsets[end], stem)
            if CJK_RUN.search(stem):
                tokens += self._split_cjk(token, text)
            else:
                tokens.append(token)
        return tokens

    def raw_tokens(self, data: bytes) -> list[tuple[int, int, str]]:
        """(start, end, stem) of the words in UTF-8, offsets in bytes; for large amounts of text.

        Runs of CJK stay whole: pass the result of searchable.
        """
        tokens: list[tuple[int, int, str]] = self._tokenize(
            data, apsw.FTS5_TOKENIZE_DOCUMENT, None, include_colocated=False
        )
        return tokens

    def stems(self, text: str) -> list[str]:
        """Words of text without their positions; faster than tokens."""
        prepared = searchable_text(text).encode("utf-8", "replace")
        stems: list[str] = self._tokenize(
            prepared,
            apsw.FTS5_TOKENIZE_DOCUMENT,
            None,
            include_offsets=False,
            include_colocated=False,
        )
        return stems

    def _split_cjk(self, token: Token, text: str) -> list[Token]:
        """Pairs of its CJK runs, and the words of other scripts between them."""
        # Runs in their order, with the words between them.
        tokens: list[Token] = []
        at = token.start
        for run in CJK_RUN.finditer(text, token.start, token.end):
            tokens += self._words(text, at, run.start())
            at = run.end()
            tokens += [
                Token(run.start() + offset, run.start() + offset + len(pair), pair)
                for offset, pair in enumerate(cjk_pairs(run.group()))
            ]
        return [*tokens, *self._words(text, at, token.end)]

    def _words(self, text: str, start: int, end: int) -> list[Token]:
        return [
            Token(start + word.start, start + word.end, word.stem)
            for word in self.tokens(text[start:end])
        ]


def searchable_text(text: str) -> str:
    """Text as it goes into the index: CJK runs spelled out as overlapping pairs.

    A phrase query over the pairs then finds any substring of two characters and up.
    """
    if text.isascii() or not CJK_RUN.search(text):
        return text
    return CJK_RUN.sub(lambda run: f" {' '.join(cjk_pairs(run.group()))} ", text)


def cjk_pairs(run: str) -> list[str]:
    """Overlapping pairs, and the last character alone so that a prefix finds it."""
    return [run[at : at + 2] for at in range(len(run))]


def identifier_parts(text: str) -> str:
    """The words inside camelCase and snake_case names, joined with spaces."""
    # Most texts have no such name, and a look at the bytes finds that out in half the time.
    if "_" not in text and b"aA" not in text.encode("utf-8", "replace").translate(_CASES):
        return ""
    names = dict.fromkeys(
        word
        for word in _WRITTEN.findall(text)
        if ("_" in word or not word[1:].islower()) and _BORDER.search(word)
    )
    return " ".join(part for name in names for part in _PART.findall(name))


def written_words(text: str) -> str:
    """The folded words of a text, unlike stems as written, with a space before and after each."""
    return f" {' '.join(_WRITTEN.findall(fold(text)))} "


def fold(text: str) -> str:
    """Lower case without diacritics, for comparing short labels."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


def _character_offsets(text: str) -> list[int]:
    """Character offset for each byte offset of the UTF-8 form of text, and one for its end."""
    offsets: list[int] = []
    for at, letter in enumerate(text):
        # Half a surrogate pair is written as a question mark.
        offsets += [at] * len(letter.encode("utf-8", "replace"))
    offsets.append(len(text))
    return offsets
