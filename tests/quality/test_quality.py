"""Floors of search quality with the built-in model, a little below the measured numbers.

docs/quality.md has the numbers themselves and the experiments behind them.
"""

from __future__ import annotations

import operator
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TypeAlias

import pytest
from msgspec.structs import replace

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.evaluation.metrics import (
    JudgedQuestion,
    Qrels,
    QuestionOutcome,
    calibration_error,
    covered_lines,
    evaluate,
    mean_measures,
    means_by_category,
    read_qrels,
    reliability_bins,
)
from scrubjay.platform.paths import Paths
from scrubjay.records.search_modes import Mode
from scrubjay.records.search_records import Hit, SearchRequest
from support.vault import write_notes

pytestmark = pytest.mark.model

OWN = Path(__file__).with_name("qrels.json")
JUDGED = Path(__file__).parents[3] / "shared" / "bench" / "locomo-dev"

FLOORS = {
    "identifier": {Mode.HYBRID: (0.94, 1.00), Mode.LEXICAL: (0.94, 1.00), Mode.VECTOR: (0.94, 1.0)},
    "single-fact": {Mode.HYBRID: (0.90, 0.95), Mode.LEXICAL: (0.80, 0.90), Mode.VECTOR: (0.8, 0.9)},
    "paraphrase": {
        Mode.HYBRID: (0.50, 0.85), Mode.LEXICAL: (0.07, 0.25), Mode.VECTOR: (0.39, 0.85),
    },
    "two-facts": {Mode.HYBRID: (0.77, 1.00), Mode.LEXICAL: (0.66, 0.88), Mode.VECTOR: (0.77, 1.0)},
    "temporal": {Mode.HYBRID: (0.80, 1.00), Mode.LEXICAL: (0.90, 1.00), Mode.VECTOR: (0.5, 0.7)},
    "typo": {Mode.HYBRID: (0.75, 1.00), Mode.LEXICAL: (0.87, 1.00), Mode.VECTOR: (0.75, 0.87)},
    "spanish-on-english": {
        Mode.HYBRID: (0.77, 1.00), Mode.LEXICAL: (0.55, 0.88), Mode.VECTOR: (0.44, 0.88),
    },
    "other-language": {
        Mode.HYBRID: (0.87, 1.00), Mode.LEXICAL: (0.87, 1.00), Mode.VECTOR: (0.75, 0.87),
    },
}  # fmt: skip
"""Tier -> mode -> Hit@1 and Hit@5.

Another processor rounds the numbers of the model differently, which moves a question of a tier
where the model has a say (docs/quality.md): the floors lie that far below the measured numbers.
"""

OTHERS = {
    "sample.qrels.json": {
        "paraphrase": {
            Mode.HYBRID: (0.66, 0.86), Mode.LEXICAL: (0.16, 0.33), Mode.VECTOR: (0.70, 0.86),
        },
        "single-fact": {
            Mode.HYBRID: (0.94, 1.00), Mode.LEXICAL: (0.94, 1.00), Mode.VECTOR: (0.82, 0.94),
        },
        "spanish-on-english": {
            Mode.HYBRID: (0.76, 0.88), Mode.LEXICAL: (0.68, 0.88), Mode.VECTOR: (0.68, 0.88),
        },
    },
    "service.qrels.json": {
        "identifier": {
            Mode.HYBRID: (1.00, 1.00), Mode.LEXICAL: (1.00, 1.00), Mode.VECTOR: (0.90, 1.00),
        },
        "single-fact": {
            Mode.HYBRID: (0.90, 1.00), Mode.LEXICAL: (0.90, 1.00), Mode.VECTOR: (0.80, 1.00),
        },
        "paraphrase": {
            Mode.HYBRID: (0.41, 0.91), Mode.LEXICAL: (0.12, 0.29), Mode.VECTOR: (0.50, 0.91),
        },
        "spanish-on-english": {
            Mode.HYBRID: (0.83, 0.91), Mode.LEXICAL: (0.83, 0.91), Mode.VECTOR: (0.91, 0.91),
        },
    },
    "cuaderno.qrels.json": {
        "identifier": {
            Mode.HYBRID: (1.00, 1.00), Mode.LEXICAL: (1.00, 1.00), Mode.VECTOR: (0.80, 1.00),
        },
        "single-fact": {
            Mode.HYBRID: (0.87, 1.00), Mode.LEXICAL: (0.87, 1.00), Mode.VECTOR: (0.75, 1.00),
        },
        "english-on-spanish": {
            Mode.HYBRID: (0.91, 1.00), Mode.LEXICAL: (0.66, 0.83), Mode.VECTOR: (0.91, 1.00),
        },
        "spanish-paraphrase": {
            Mode.HYBRID: (0.53, 0.86), Mode.LEXICAL: (0.00, 0.06), Mode.VECTOR: (0.53, 0.86),
        },
    },
    "spanish.qrels.json": {
        "spanish": {
            Mode.HYBRID: (0.47, 0.76), Mode.LEXICAL: (0.23, 0.47), Mode.VECTOR: (0.35, 0.82),
        },
    },
}  # fmt: skip
"""Other notes: of a family, of a software project, and a Spanish notebook."""

UNSEEN = [
    OWN.with_name(f"{name}.qrels.json")
    for name in ("handbook", "diary", "workbench", "household", "pair")
]
UNSEEN_FLOORS = {
    "identifier": {
        Mode.HYBRID: (0.95, 1.00), Mode.LEXICAL: (0.95, 1.00), Mode.VECTOR: (0.75, 0.90),
    },
    "single-fact": {
        Mode.HYBRID: (0.91, 1.00), Mode.LEXICAL: (0.95, 1.00), Mode.VECTOR: (0.79, 0.95),
    },
    "paraphrase": {
        Mode.HYBRID: (0.69, 0.97), Mode.LEXICAL: (0.16, 0.26), Mode.VECTOR: (0.69, 0.95),
    },
    "two-facts": {
        Mode.HYBRID: (0.83, 1.00), Mode.LEXICAL: (0.66, 1.00), Mode.VECTOR: (0.83, 1.00),
    },
    "temporal": {
        Mode.HYBRID: (1.00, 1.00), Mode.LEXICAL: (1.00, 1.00), Mode.VECTOR: (0.66, 0.83),
    },
    "typo": {
        Mode.HYBRID: (1.00, 1.00), Mode.LEXICAL: (1.00, 1.00), Mode.VECTOR: (0.66, 1.00),
    },
    "spanish-on-english": {
        Mode.HYBRID: (0.90, 1.00), Mode.LEXICAL: (0.77, 0.86), Mode.VECTOR: (0.81, 0.95),
    },
    "other-language": {
        Mode.HYBRID: (1.00, 1.00), Mode.LEXICAL: (1.00, 1.00), Mode.VECTOR: (0.83, 1.00),
    },
}  # fmt: skip
"""A handbook, a diary, a programmer's and a household's notes, and a folder of two notes."""

LATEST = [OWN.with_name(f"{name}.qrels.json") for name in ("lessons", "lab", "piso")]
LATEST_FLOORS = {
    Mode.HYBRID: (0.70, 0.92, 0.80),
    Mode.LEXICAL: (0.54, 0.62, 0.58),
    Mode.VECTOR: (0.65, 0.92, 0.77),
}
"""A teacher's lessons, a lab journal, a shared flat in Spanish: Hit@1, Hit@5 and MRR@10 of all."""

TOGETHER = {
    "identifier": (0.90, 0.98), "paraphrase": (0.21, 0.54), "english-on-spanish": (0.68, 0.90),
}  # fmt: skip
"""All twelve folders as one: a hundred notes of people with the same subjects."""

EVERY = [OWN, *map(OWN.with_name, OTHERS), *UNSEEN, *LATEST]

CONVERSATIONS = {"hit@1": 0.74, "hit@5": 0.93, "mrr@10": 0.82, "recall@2000t": 0.90}


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    engine = Engine(Paths.under(tmp_path_factory.mktemp("home")))
    yield engine
    engine.close()


@pytest.fixture(scope="module")
def own() -> Qrels:
    return read_qrels(OWN)


Asked: TypeAlias = Callable[[Path, Mode], list[QuestionOutcome]]


@pytest.fixture(scope="module")
def asked(engine: Engine) -> Asked:
    """Outcomes of the questions of a file, each asked once."""

    @cache
    def measured(file: Path, mode: Mode) -> list[QuestionOutcome]:
        return outcomes(engine, read_qrels(file), mode)

    return measured


def outcomes(engine: Engine, qrels: Qrels, mode: Mode) -> list[QuestionOutcome]:
    """All questions of a file, asked for as many hits as `scrubjay eval` asks for."""
    ask = asking(engine, qrels)

    def search(query: str) -> Sequence[Hit]:
        return ask(query, mode=mode, max_results=50, min_score=0.0)

    def text_of(hit: Hit) -> str:
        return hit.file.read_text("utf-8")

    return evaluate(qrels, search, text_of=text_of, min_score=0.35)


def asking(engine: Engine, qrels: Qrels) -> Callable[..., Sequence[Hit]]:
    """A search in the notes that the questions are about."""
    workspace = engine.open_folder(qrels.workspace)
    engine.refresh(workspace).result()

    def ask(query: str, **fields: object) -> Sequence[Hit]:
        request = SearchRequest(query, workspace.id, **fields)  # type: ignore[arg-type]
        return engine.search(request, CancelToken()).result().hits

    return ask


@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize("tier", FLOORS)
def test_each_tier_keeps_its_floor(asked: Asked, tier: str, mode: Mode) -> None:
    first, among_five = FLOORS[tier][mode]
    reached = means_by_category(asked(OWN, mode))[tier]
    assert reached["hit@1"] >= first
    assert reached["hit@5"] >= among_five


@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize("file", OTHERS)
def test_notes_of_other_kinds_keep_their_floors(asked: Asked, file: str, mode: Mode) -> None:
    reached = means_by_category(asked(OWN.with_name(file), mode))
    for tier, floors in OTHERS[file].items():
        first, among_five = floors[mode]
        assert (tier, reached[tier]["hit@1"]) >= (tier, first)
        assert (tier, reached[tier]["hit@5"]) >= (tier, among_five)


@pytest.mark.parametrize("mode", list(Mode))
def test_notes_that_nobody_tuned_for_keep_their_floors(asked: Asked, mode: Mode) -> None:
    reached = means_by_category([outcome for file in UNSEEN for outcome in asked(file, mode)])
    for tier, floors in UNSEEN_FLOORS.items():
        first, among_five = floors[mode]
        assert (tier, reached[tier]["hit@1"]) >= (tier, first)
        assert (tier, reached[tier]["hit@5"]) >= (tier, among_five)


@pytest.mark.parametrize("mode", list(Mode))
def test_half_paraphrased_or_unanswerable_questions_keep_their_floors(
    asked: Asked, mode: Mode
) -> None:
    reached = mean_measures([outcome for file in LATEST for outcome in asked(file, mode)])
    measured = [reached[name] for name in ("hit@1", "hit@5", "mrr@10")]
    assert all(map(operator.ge, measured, LATEST_FLOORS[mode])), measured


@pytest.mark.soak
def test_many_notes_in_one_folder_keep_their_floors(engine: Engine, tmp_path: Path) -> None:
    queries: list[JudgedQuestion] = []
    for qrels in map(read_qrels, EVERY):
        name = qrels.workspace.resolve().name
        shutil.copytree(qrels.workspace, tmp_path / name, dirs_exist_ok=True)
        for judged in qrels.queries:
            lines = frozenset((f"{name}/{path}", line) for path, line in judged.relevant)
            if judged.category in TOGETHER:
                queries.append(replace(judged, relevant=lines))
    reached = means_by_category(outcomes(engine, Qrels(tmp_path, tuple(queries)), Mode.HYBRID))
    for tier, (first, among_five) in TOGETHER.items():
        assert (tier, reached[tier]["hit@1"]) >= (tier, first)
        assert (tier, reached[tier]["hit@5"]) >= (tier, among_five)


def test_a_question_about_one_folder_is_seldom_answered_by_another(tmp_path: Path) -> None:
    """Each folder's answer weighed alone, three in ten were."""
    engine = Engine(Paths.under(tmp_path))
    sets = [qrels for qrels in map(read_qrels, EVERY) if qrels.workspace.parent == OWN.parent]
    folders = [engine.add_workspace(qrels.workspace).result().id for qrels in sets]
    engine.refresh().result()
    first = [
        hits[0].workspace == folder
        for qrels, folder in zip(sets, folders, strict=True)
        for judged in qrels.queries[::2]
        if (hits := engine.search(SearchRequest(judged.query), CancelToken()).result().hits)
        and judged.relevant
    ]
    engine.close()
    assert sum(first) / len(first) >= 0.76


@pytest.mark.parametrize("tier", FLOORS)
def test_both_together_are_nearly_as_good_as_the_better_one(asked: Asked, tier: str) -> None:
    """A fixed mix would lose paraphrases to shared common words, or identifiers to meaning."""
    by_mode = {mode: means_by_category(asked(OWN, mode))[tier] for mode in Mode}
    reached = {mode: measures["mrr@10"] for mode, measures in by_mode.items()}
    one_second_place = 0.5 / by_mode[Mode.HYBRID]["queries"]
    assert reached[Mode.HYBRID] >= max(reached.values()) - 0.06 - one_second_place


def test_what_nobody_wrote_is_refused_and_what_somebody_wrote_is_not(asked: Asked) -> None:
    """By sure hits, with the default minScore."""
    reached = means_by_category([outcome for file in EVERY for outcome in asked(file, Mode.HYBRID)])
    answered = {tier: measures["answered"] for tier, measures in reached.items()}
    assert answered.pop("nothing-there") <= 0.31
    assert answered.pop("paraphrase") >= 0.53
    assert answered.pop("spanish-paraphrase") >= 0.44
    assert {tier: share for tier, share in answered.items() if share < 0.85} == {}


@pytest.mark.parametrize("mode", list(Mode))
def test_a_score_is_the_share_of_hits_that_are_right(asked: Asked, mode: Mode) -> None:
    outcomes = [outcome for file in EVERY for outcome in asked(file, mode)]
    assert calibration_error(reliability_bins(outcomes)) <= 0.05
    assert calibration_error(reliability_bins(outcomes, 1)) <= 0.10


@pytest.mark.parametrize("question", ["puffin", "which birds did we see from the boat"])
def test_beside_one_right_note_those_of_another_subject_are_improbable(
    engine: Engine, tmp_path: Path, question: str
) -> None:
    dishes = ("soup", "stew", "pie", "salad", "bread", "curry")
    roots = ("leek", "potato", "carrot", "pumpkin", "lentil")
    notes = {
        f"{root} {dish}.md": f"# {root} {dish}\n\nChop the {root}, fry it in butter, salt, pepper. "
        f"The {dish} is ready in half an hour.\n"
        for dish in dishes
        for root in roots
    }
    birds = "# Skomer\n\nTook the boat round the island: puffins everywhere, and two gannets.\n"
    ask = asking(engine, Qrels(write_notes(tmp_path, {**notes, "Skomer.md": birds}), ()))
    right, *others = ask(question, min_score=0.0, max_results=20)
    assert right.path == "Skomer.md"
    assert right.score >= 0.35 > max(hit.score for hit in others)


def test_by_words_alone_hardly_anything_is_made_up(engine: Engine, own: Qrels) -> None:
    ask = asking(engine, own)
    refused = [
        not ask(judged.query, mode=Mode.LEXICAL) for judged in own.queries if not judged.relevant
    ]
    assert sum(refused) / len(refused) >= 0.75


def test_the_first_hit_is_the_same_with_a_threshold_and_an_answer_is_rarely_left_out(
    engine: Engine, own: Qrels
) -> None:
    """Among sure hits and the uncertain ones beside them."""
    workspace = engine.open_folder(own.workspace)
    found: list[bool] = []
    for judged in filter(lambda judged: judged.relevant, own.queries):
        request = SearchRequest(judged.query, workspace.id)
        answer = engine.search(request, CancelToken()).result()
        hits = (*answer.hits, *answer.uncertain)
        all_hits = asking(engine, own)(judged.query, min_score=0.0)
        assert [place(hit) for hit in hits[:1]] == [place(hit) for hit in all_hits[:1]]
        found.append(any(covered_lines(judged, hit) for hit in hits))
    assert sum(found) / len(found) >= 0.92


def place(hit: Hit) -> tuple[str, int, int]:
    return hit.path, hit.first_line, hit.last_line


@pytest.mark.parametrize("file", [file.name for file in EVERY])
def test_every_question_points_at_lines_that_are_there(file: str) -> None:
    qrels = read_qrels(OWN.with_name(file))
    for judged in qrels.queries:
        for path, line in judged.relevant:
            lines = (qrels.workspace / path).read_text(encoding="utf-8").split("\n")
            assert lines[line - 1].strip(), judged.id


def test_a_hit_covers_only_lines_of_its_own_file(engine: Engine, own: Qrels) -> None:
    judged: JudgedQuestion = next(one for one in own.queries if one.id == "notes-18")
    hits = asking(engine, own)(judged.query)
    assert covered_lines(judged, hits[0]) == judged.relevant


@pytest.mark.soak
@pytest.mark.skipif(not JUDGED.is_dir(), reason="the judged conversations are not on this machine")
def test_the_conversations_keep_their_floors(engine: Engine) -> None:
    """Two of the five, since all of them take a minute; their numbers are alike."""
    files = sorted(JUDGED.glob("*.qrels.json"))
    results: list[QuestionOutcome] = []
    for file in files if os.environ.get("SCRUBJAY_SOAK") else files[:2]:
        results += outcomes(engine, read_qrels(file), Mode.HYBRID)
    reached = mean_measures(results)
    assert {
        name: reached[name] for name, floor in CONVERSATIONS.items() if reached[name] < floor
    } == {}
