"""The second look: what a language model reads changes the scores of the first hits."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from scrubjay.answers.second_look import READING, look_again, passage_text
from scrubjay.concurrency.cancel import CancelToken
from scrubjay.records.note_records import Source
from scrubjay.records.search_modes import Mode
from scrubjay.records.search_records import Explanation, Hit, SearchAnswer, SearchRequest, Snippet
from scrubjay.records.workspace_id import WorkspaceId
from scrubjay.search.ranking import weights

NOW = dt.datetime(2026, 3, 5, tzinfo=dt.UTC)
SURE = 0.35


class TableReader:
    """Reads passages by a table: nats by the title of a hit."""

    content = "table"

    def __init__(self, nats: Mapping[str, float]) -> None:
        self.nats = nats
        self.read: list[str] = []

    def ratios(
        self, question: str, passages: Sequence[tuple[str, int]], cancel: CancelToken
    ) -> list[float]:
        titles = [text.partition("\n")[0] for text, _ in passages]
        self.read += titles
        return [self.nats.get(title, 0.0) for title in titles]


def hit(title: str, score: float, *, decay: float = 1.0, is_log_odds: bool = True) -> Hit:
    parts = {"words": math.log(score / (1 - score))}
    return Hit(
        workspace=WorkspaceId("notes"),
        path=f"{title}.md",
        file=Path(f"/notes/{title}.md"),
        source=Source.MEMORY,
        title=title,
        heading=title,
        first_line=1,
        last_line=2,
        best_line=1,
        score=score * decay,
        text_score=None,
        vector_score=None,
        snippet=Snippet(f"All about {title}."),
        modified=NOW,
        explanation=Explanation(parts=parts, is_log_odds=is_log_odds, decay=decay),
    )


def answer(*hits: Hit, uncertain: Sequence[Hit] = ()) -> SearchAnswer:
    return SearchAnswer(
        SearchRequest("who fixes the boiler"),
        hits,
        Mode.HYBRID,
        provider="",
        model="",
        uncertain=tuple(uncertain),
    )


def look(found: SearchAnswer, **nats: float) -> SearchAnswer:
    return look_again(found, TableReader(nats), min_score=lambda _hit: SURE, cancel=CancelToken())


def titles(hits: Sequence[Hit]) -> list[str]:
    return [each.title for each in hits]


def test_the_passage_that_makes_the_question_likelier_comes_first() -> None:
    seen = look(answer(hit("cake", 0.6), hit("boiler", 0.5)), cake=1, boiler=12)
    assert titles(seen.hits)[0] == "boiler"
    assert seen.hits[0].score > 0.6


def test_what_reading_says_is_a_part_of_the_score() -> None:
    seen = look(answer(hit("cake", 0.6), hit("boiler", 0.5)), cake=3, boiler=9)
    for each in seen.hits:
        log_odds = sum(each.explanation.parts.values())
        assert READING in each.explanation.parts
        assert each.score == pytest.approx(1 / (1 + math.exp(-log_odds)))


def test_an_uncertain_hit_that_the_model_believes_becomes_sure() -> None:
    seen = look(answer(uncertain=[hit("cake", 0.2), hit("boiler", 0.1)]), boiler=15)
    assert titles(seen.hits) == ["boiler"]
    assert titles(seen.uncertain) == ["cake"]


def test_sure_hits_of_which_none_says_more_than_another_become_uncertain() -> None:
    found = answer(hit("cake", 0.4), hit("car", 0.38), hit("cat", 0.37))
    seen = look(found, cake=2, car=2, cat=2)
    assert seen.hits == ()
    assert len(seen.uncertain) == 3


def test_a_hit_that_is_sure_by_its_words_stays() -> None:
    seen = look(answer(hit("boiler", 0.2)), boiler=-5)
    assert titles(seen.hits) == ["boiler"]


def test_only_the_first_hits_are_read() -> None:
    hits = [hit(f"note {number}", 0.3 - number / 100) for number in range(9)]
    reader = TableReader({})
    look_again(answer(*hits), reader, min_score=lambda _hit: 0.0, cancel=CancelToken())
    assert reader.read == titles(hits)[: weights.READ_HITS]


def test_age_counts_after_reading() -> None:
    found = answer(hit("old", 0.6, decay=0.5), hit("boiler", 0.3))
    seen = look_again(
        found, TableReader({"old": 9}), min_score=lambda _hit: 0.0, cancel=CancelToken()
    )
    old = next(each for each in seen.hits if each.title == "old")
    assert old.score <= 0.5


def test_sums_that_are_no_probabilities_are_not_read() -> None:
    found = answer(hit("cake", 0.6, is_log_odds=False), hit("boiler", 0.5, is_log_odds=False))
    assert look(found, boiler=15) is found


def test_an_answer_without_hits_needs_no_model() -> None:
    reader = TableReader({})
    look_again(answer(), reader, min_score=lambda _hit: SURE, cancel=CancelToken())
    assert reader.read == []


@pytest.mark.parametrize("odds", [1e9, -1e9])
def test_extreme_scores_stay_probabilities(odds: float) -> None:
    extreme = hit("cake", 0.5)
    extreme = replace(extreme, explanation=replace(extreme.explanation, parts={"words": odds}))
    seen = look(answer(extreme, hit("boiler", 0.4)), boiler=500, cake=-500)
    assert all(0 <= each.score <= 1 for each in (*seen.hits, *seen.uncertain))


def test_a_model_reads_the_day_the_heading_and_the_snippet() -> None:
    found = replace(
        hit("House", 0.5),
        heading="House > Heating",
        date=dt.date(2026, 3, 4),
        snippet=Snippet("Paint.\nThe boiler is serviced in May.", best=7),
    )
    text, best = passage_text(found)
    assert text == "2026-03-04, House > Heating\nPaint.\nThe boiler is serviced in May."
    assert text[best:].startswith("The boiler")
    assert passage_text(replace(found, heading="", date=None))[0].startswith("House\n")
