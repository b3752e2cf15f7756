"""The signs of single lines that the last step of an indexing pass computes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from scrubjay.embedding.embedding_input import EmbeddingInput
from scrubjay.index.line_vectors import LineVectors, own_lines
from scrubjay.records.search_modes import Mode
from scrubjay.records.vectors import Vector
from scrubjay.store.binary_vectors import stored_sign_bits
from support.providers import WordProvider
from support.vault import TIMEOUT, NewEngine, add, found, write_notes


class SentenceProvider(WordProvider):
    """One whose identity says that its chunks are made of lines; it remembers what it read."""

    def __init__(self) -> None:
        super().__init__()
        self.read: list[str] = []

    def identity(self) -> str:
        return f"{super().identity()}:none+lines"

    def embed_documents(self, passages: Sequence[EmbeddingInput]) -> list[Vector]:
        self.read += [passage.text for passage in passages]
        return super().embed_documents(passages)


def test_a_line_that_many_notes_share_has_sign_bits_in_all_of_them(
    new_engine: NewEngine, tmp_path: Path
) -> None:
    """More lines than are remembered lie between two notes with the same line."""
    engine = new_engine()
    notes = {
        f"{number:02}.md": "# The same heading\n\n"
        + "\n".join(f"line {number} {line}" for line in range(60))
        for number in range(40)
    }
    workspace = add(engine, write_notes(tmp_path / "many", notes))
    report = engine.refresh(workspace).result(TIMEOUT)[0]
    assert report.changed == 40


def test_a_chunk_points_where_its_lines_point_each_as_heavy_as_it_is_long() -> None:
    words = WordProvider()
    [(vector, bits)] = LineVectors(words).embed([EmbeddingInput("", "zebra\n\nthe sea water\n---")])
    one, other = words.embed_documents(
        [EmbeddingInput("", "zebra"), EmbeddingInput("", "the sea water")]
    )
    expected = 5 * one + 13 * other
    assert vector == pytest.approx(expected / np.linalg.norm(expected), abs=1e-5)
    signs = [stored_sign_bits(line.tobytes()) for line in (one, other)]
    assert bits == b"".join([*signs, bytes(len(signs[0]))])


@pytest.mark.parametrize("text", ["---", "1", "a\n-\n*"])
def test_a_chunk_without_a_word_is_one_text(text: str) -> None:
    words = WordProvider()
    [(vector, bits)] = LineVectors(words).embed([EmbeddingInput("", text)])
    assert vector.tolist() == words.embed_documents([EmbeddingInput("", text)])[0].tolist()
    assert not any(bits)
    assert len(bits) % len(own_lines(text)) == 0


def test_a_model_of_sentences_reads_each_line_once_and_finds_by_it(
    new_engine: NewEngine, tmp_path: Path
) -> None:
    provider = SentenceProvider()
    engine = new_engine(provider)
    long = "\n".join(f"line {line} tells of the weather in the valley" for line in range(120))
    notes = {"a.md": f"# Weather\n\n{long}\n", "b.md": "# Zoo\n\nThe zebra sleeps.\n"}
    workspace = add(engine, write_notes(tmp_path / "notes", notes))
    report = engine.refresh(workspace).result(TIMEOUT)[0]
    assert report.chunks > 3
    assert sorted(provider.read) == sorted(set(provider.read))
    assert max(text.count("\n") for text in provider.read) == 0
    assert found(engine, "zebra", Mode.VECTOR, min_score=0.0)[0] == "b.md"
