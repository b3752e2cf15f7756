"""The score of similar notes, against pairs that a reader judged."""

from __future__ import annotations

from pathlib import Path

import pytest

import fit_similar
from fit_similar import MIN_SCORE, TODAY, Pair, measures, scores
from scrubjay.text.tokenizer import fold
from scrubjay.text.word_lists import DAY_NAMES

pytestmark = pytest.mark.model


@pytest.fixture(scope="module")
def pairs() -> list[Pair]:
    return fit_similar.record(Path(__file__).with_name("similar.json"))


def test_a_score_is_the_share_of_pairs_that_are_similar(pairs: list[Pair]) -> None:
    assert measures(scores(pairs, TODAY))["calibration error"] <= 0.02
    for is_of_all in (False, True):
        own = [pair for pair in pairs if pair.is_of_all is is_of_all]
        assert measures(scores(own, TODAY))["calibration error"] <= 0.08


def test_folders_that_were_left_out_are_scored_nearly_as_well(pairs: list[Pair]) -> None:
    measured = measures(fit_similar.left_out(pairs))
    assert measured["calibration error"] <= 0.03
    assert measured["similar, of those shown"] >= 0.55
    assert measured["shown, of the similar ones"] >= 0.5


def test_the_numbers_of_today_are_the_fitted_ones(pairs: list[Pair]) -> None:
    assert list(TODAY) == pytest.approx(fit_similar.fitted(pairs), rel=0.05)


def test_a_note_about_another_subject_is_not_shown(pairs: list[Pair]) -> None:
    scored = {(pair.note, pair.likeness.chunk.path): pair.likeness.score for pair in pairs}
    for note, other in UNRELATED:
        assert scored.get((note, other), 0.0) < MIN_SCORE


UNRELATED = [
    ("piso/gastos/recibos.md", "piso/vida/gata.md"),
    ("lab/protocols/western.md", "household/cooking.md"),
    ("cuaderno/memory/viaje-noruega.md", "cuaderno/memory/recetas.md"),
    ("lessons/trips/harz 2026.md", "piso/gastos/recibos.md"),
    ("notes/memory/2026-04-02-asturias.md", "notes/memory/code/snippets.md"),
    ("notes/memory/lists/garden.md", "notes/memory/docs/runbook.md"),
]
"""Notes, each with one of another subject."""


def test_no_day_or_month_is_among_the_words_that_pairs_share(pairs: list[Pair]) -> None:
    shared = {fold(word) for pair in pairs for word in pair.likeness.words}
    assert len(shared) > 500
    assert shared.isdisjoint(DAY_NAMES)
