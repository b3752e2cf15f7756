"""Synthetic notes of words that occur as often as real words do."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path

import numpy as np

from scrubjay.embedding.embedding_input import EmbeddingInput
from scrubjay.embedding.provider import EmbeddingProvider
from scrubjay.records.vectors import Vector, normalize

_SYLLABLES = [a + b for a, b in itertools.product("bcdfghklmnprstvz", ("a", "e", "i", "o", "u"))]
_VOCABULARY = 30_000
_WORDS_A_LINE = 14
_LINES_A_NOTE = 57
"""About 800 words, five chunks of 400 tokens."""

CHUNKS_A_NOTE = 5

RARE_WORDS = ("quoxaly", "juwexon", "yexaqui")
"""Words that no synthetic note has."""

_DIMENSIONS = 384
_NOISES = 2_048
"""Noise vectors; the sum of two is a different point for each of a million texts."""


def vocabulary(rng: np.random.Generator) -> list[str]:
    """Distinct pronounceable words of two to four syllables."""
    words: dict[str, None] = {}
    while len(words) < _VOCABULARY:
        count = int(rng.integers(2, 5))
        words["".join(rng.choice(_SYLLABLES, count))] = None
    return list(words)


def write_notes(folder: Path, count: int, *, lines: int = _LINES_A_NOTE, seed: int = 7) -> int:
    """Write notes below folder, 200 in a subfolder; return their bytes."""
    rng = np.random.default_rng(seed)
    words = np.array(vocabulary(rng))
    total = 0
    for number in range(count):
        subfolder = folder / f"part-{number // 200:03}"
        subfolder.mkdir(parents=True, exist_ok=True)
        ranks = np.minimum(rng.zipf(1.15, lines * _WORDS_A_LINE) - 1, _VOCABULARY - 1)
        rows = words[ranks].reshape(lines, _WORDS_A_LINE)
        body = "\n".join(" ".join(row) + "." for row in rows)
        text = f"# {rows[0, 0]} {rows[0, 1]} {number}\n\n{body}\n"
        (subfolder / f"note-{number:05}.md").write_text(text)
        total += len(text)
    return total


def write_reader_notes(folder: Path) -> None:
    """Write a note of 5,000 lines as people write them, and others that mean harm to a reader."""
    words = vocabulary(np.random.default_rng(7))

    def line(number: int) -> str:
        text = " ".join(words[(number * 7 + step * 131) % 3_000] for step in range(9))
        match number % 20:
            case 0:
                return f"\n## {text}\n"
            case 5 | 6:
                return f"- **{text[:9]}** {text} #{words[number]}"
            case 7:
                return f"  - [ ] {text} [[{words[number]}|{text[:5]}]]"
            case 12:
                return f"> [!tip] {text}\n"
            case 15:
                return f"```python\nx = {number}  # {text}\n```"
            case _:
                return text

    size = 10 * 2**20
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in {
        "long": "\n".join("\n".join(map(line, range(1, 5_000))).split("\n")[:5_000]),
        "brackets": "[" * size,
        "bracket_lines": "[[![[(a]\n" * (size // 9),
        "deep_lists": "\n".join("  " * depth + "- item" for depth in range(3_000)),
        "deep_quotes": "> " * 50_000 + "a\n",
        "html": "<script>alert(1)</script><img src=http://example.org/a.png><table><tr><td>\n"
        * 9_000,
        "remote_pictures": "![a](https://example.org/a.png)\n" * 9_000,
        "marks": "*a **b _c ==d ~~e `f $g %%h " * 9_000,
        "table": "|a|b|c|d|e|f|g|h|\n|-|-|-|-|-|-|-|-|\n" + "|a|b|c|d|e|f|g|h|\n" * 9_000,
        "code": "```python\n" + "x = '(' + f'{[1]}' # (\n" * 9_000,
        "embeds": "![[long]]\n\n" * 900,
        "fields": "a:: (b:: [c:: " * 9_000,
        "emphasis": "*" * size,
    }.items():
        (folder / f"{name}.md").write_text(text)


def questions(count: int, *, seed: int = 11) -> list[str]:
    """Questions of four words: common, less common and rare ones, as people mix them."""
    rng = np.random.default_rng(seed)
    words = vocabulary(np.random.default_rng(7))
    ranges = ((5, 60), (60, 600), (600, 6_000), (600, 6_000))
    return [
        "what about " + " ".join(words[int(rng.integers(low, high))] for low, high in ranges)
        for _ in range(count)
    ]


class RandomDocuments:
    """Real query vectors, and document vectors that cost nothing: for timing searches.

    Without a provider for them, vectors of queries cost nothing either. Documents lie in 500
    clusters, since vectors of real notes are not spread evenly.
    """

    name = "local"
    is_local = True
    host = ""
    batch_jobs = None
    media = None

    def __init__(self, queries: EmbeddingProvider | None = None, dimensions: int = 0) -> None:
        """More dimensions than the model has are filled by repeating the query's."""
        self._queries = queries
        self.model = "random documents"
        self._dimensions = dimensions or (queries.dimensions() if queries else _DIMENSIONS)
        rng = np.random.default_rng(3)
        self._centres = rng.standard_normal((500, self._dimensions)).astype(np.float32)
        self._noise = rng.standard_normal((_NOISES, self._dimensions)).astype(np.float32)
        self._noise *= np.float32(0.7 / np.sqrt(2))

    def identity(self) -> str:
        """An identity of its own: these vectors are no use for real searches."""
        queries = self._queries.identity() if self._queries else "random"
        return f"random-documents:{self._dimensions}:{queries}"

    def dimensions(self) -> int:
        """Those of the constructor, else of the real model."""
        return self._dimensions

    def embed_queries(self, texts: Sequence[str]) -> list[Vector]:
        """The real model's vectors, repeated to the dimensions."""
        if self._queries is None:
            return self.embed_documents([EmbeddingInput("", text) for text in texts])
        found = self._queries.embed_queries(texts)
        return [normalize(np.resize(vector, self._dimensions)) for vector in found]

    def embed_documents(self, inputs: Sequence[EmbeddingInput]) -> list[Vector]:
        """Points near centres, chosen by a hash of the text."""
        if not inputs:
            return []
        digests = [blake2b(each.text.encode(), digest_size=12).digest() for each in inputs]
        chosen = np.frombuffer(b"".join(digests), dtype=np.uint32).reshape(-1, 3)
        centre, first, second = chosen.T % np.array([[len(self._centres)], [_NOISES], [_NOISES]])
        points = self._centres[centre] + self._noise[first] + self._noise[second]
        points /= np.linalg.norm(points, axis=1, keepdims=True)
        return list(points)

    def close(self) -> None:
        """Free the model."""
        if self._queries is not None:
            self._queries.close()
