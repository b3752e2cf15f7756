"""Which of the ranked places are shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrubjay.records.search_records import ChunkId, Source
from scrubjay.search.ranking.ranked import Ranked, select
from scrubjay.search.retrieval.candidates import Candidate, Passage
from scrubjay.search.retrieval.term_weights import QueryTerms
from scrubjay.store.rows import StoredChunk


def place(number: int, letter: str, score: float) -> Ranked:
    """S and s: of a session; N and n: of a note. What is small was found by meaning alone."""
    source = Source.SESSIONS if letter in "Ss" else Source.NOTES
    where = (f"{letter}{number}", Path(f"{number}.md"), source, "", None, 0, 1, 1, "", "x")
    bm25 = 1.0 if letter.isupper() else None
    candidate = Candidate(StoredChunk(ChunkId(number), number, *where), bm25=bm25)
    region = Passage(1, ["x"], [candidate])
    return Ranked(region, 0, 0, 0, candidate, score, {}, QueryTerms([]), {})


def shown(strict: str, weak: str = "", places: int = 6) -> str:
    """Letters of what is selected from strict hits and weaker ones."""
    ranked = [place(at, letter, 0.9 - at / 100) for at, letter in enumerate(strict)]
    ranked += [place(50 + at, letter, 0.3 - at / 100) for at, letter in enumerate(weak)]
    found = select(ranked, min_score=0.35, max_results=places)
    return "".join(one.candidate.chunk.path[0] for one in found)


@pytest.mark.parametrize(
    ("strict", "weak", "selected"),
    [
        ("NNNNNNNN", "", "NNNNNN"),
        ("NN", "NNn", "NNNN"),
        ("nn", "nN", "nnN"),
        ("", "NN", ""),
    ],
)
def test_strict_hits_come_first_and_words_fill_the_spare_places(
    strict: str, weak: str, selected: str
) -> None:
    assert shown(strict, weak) == selected


@pytest.mark.parametrize(
    ("strict", "weak", "selected"),
    [
        ("SSSSSSSSNNNNNN", "", "SSNNNN"),
        ("NSSSSSSSSNNNNN", "", "NSSNNN"),
        ("SSSSSSSS", "NNNN", "SSNNNN"),
        ("SSSSSSSSNN", "", "SSSSNN"),
        ("NN", "SSSSSS", "NNSSSS"),
        ("SSSSSSSS", "", "SSSSSS"),
        ("ssssssss", "nnnn", "ssssss"),
        ("SSSS", "SNSN", "SSSSNN"),
    ],
)
def test_transcripts_take_no_place_that_notes_want(strict: str, weak: str, selected: str) -> None:
    assert shown(strict, weak) == selected


@pytest.mark.parametrize(("places", "selected"), [(1, "S"), (2, "SN"), (9, "SSSNNNNNN")])
def test_at_least_one_transcript_may_stay(places: int, selected: str) -> None:
    assert shown("SSSSNNNNNN", places=places) == selected
