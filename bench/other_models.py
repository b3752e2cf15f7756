"""Hit@1 on the project's own questions with a model file, compared with the built-in model.

`python -m bench.other_models MODEL.gguf` prints the table of other models in docs/quality.md.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.embedding.local.calibrated_models import CalibratedModels
from scrubjay.embedding.local.local_provider import LoadOptions
from scrubjay.embedding.provider import EmbeddingProvider
from scrubjay.engine.engine import Engine
from scrubjay.evaluation.metrics import QuestionOutcome, evaluate, mean_measures, read_qrels
from scrubjay.models.model_files import find_model
from scrubjay.platform.paths import Paths
from scrubjay.records.search_records import Hit, SearchRequest
from scrubjay.records.workspace_id import WorkspaceId

_SETS = Path(__file__).resolve().parents[1] / "tests" / "quality"
_LATER = ("lab", "lessons", "piso")
"""Sets that came after the weights of ranking were fitted to the built-in model."""
_SPANISH_NOTES = ("spanish", "piso", "cuaderno")
_SPANISH = ("spanish", "spanish-paraphrase")
_LANGUAGES = ("french", "german", "italian", "polish", "russian")
_SURE = 0.35
"""Score from which on a hit answers an unanswerable question."""


class SetOutcome(Struct, frozen=True):
    """A question's outcome, and the set that it is from."""

    name: str
    outcome: QuestionOutcome

    @property
    def category(self) -> str:
        """Category of the question."""
        return self.outcome.category

    @property
    def is_spanish_note(self) -> bool:
        """Whether the note that answers it is in Spanish."""
        return self.name in _SPANISH_NOTES or self.category in _SPANISH

    @property
    def is_english(self) -> bool:
        """Whether question and note are in English."""
        others = (*_LANGUAGES, "spanish-on-english", "other-language")
        is_other = self.name in others or self.category in others
        return not is_other and not self.is_spanish_note


def _is_of(name: str, each: SetOutcome) -> bool:
    return each.name == name


Row: TypeAlias = Callable[[SetOutcome], bool]

_ROWS: Mapping[str, Row] = {
    "own sets, all": lambda each: each.name not in _LANGUAGES,
    "three later sets": lambda each: each.name in _LATER,
    "of these, English": lambda each: each.name in _LATER and each.is_english,
    "English, all sets": lambda each: each.is_english,
    "English, paraphrases": lambda each: each.is_english and each.category == "paraphrase",
    "English, earlier sets": lambda each: each.is_english and each.name not in _LATER,
    "Spanish questions, Spanish notes": lambda each: each.category in _SPANISH,
    "Spanish notes, all questions": lambda each: each.is_spanish_note,
    "Spanish questions, English notes": lambda each: each.category == "spanish-on-english",
    **{name.capitalize(): partial(_is_of, name) for name in _LANGUAGES},
}
"""Rows of the table, by what they count."""


def outcomes(provider: EmbeddingProvider, home: Path) -> list[SetOutcome]:
    """Outcomes of all own questions with a provider, which is closed afterwards."""
    engine = Engine(Paths.under(home), provider=provider)
    found: list[SetOutcome] = []
    files = sorted([*_SETS.glob("*qrels.json"), *_SETS.glob("languages/*.qrels.json")])
    for file in files:
        qrels = read_qrels(file)
        folder = engine.open_folder(qrels.workspace)
        engine.refresh(folder).result()

        def search(query: str, workspace: WorkspaceId = folder.id) -> Sequence[Hit]:
            request = SearchRequest(query, workspace, max_results=50, min_score=0.0)
            return engine.search(request, CancelToken()).result().hits

        found += [
            SetOutcome(file.name.partition(".")[0], outcome)
            for outcome in evaluate(
                qrels, search, text_of=lambda hit: hit.file.read_text("utf-8"), min_score=_SURE
            )
        ]
    engine.close()
    return found


def print_table(tables: Sequence[Sequence[SetOutcome]]) -> None:
    """Hit@1 / Hit@5 of each row, a column for each model, and the ratio of the first two."""
    for name, belongs in _ROWS.items():
        means = []
        for table in tables:
            counted = [each.outcome for each in table if belongs(each)]
            answerable = [each for each in counted if "hit@1" in each.measures]
            means.append(mean_measures(answerable))
        cells = "  ".join(f"{mean['hit@1']:.3f} / {mean['hit@5']:.3f}" for mean in means)
        ratio = means[-1]["hit@1"] / means[0]["hit@1"]
        print(f"{name:<34}{means[0]['queries']:>4}  {cells}  {ratio:.3f}", flush=True)
    # An unanswerable question should have no sure hit.
    shares = []
    for table in tables:
        unanswerable = [each.outcome for each in table if "hit@1" not in each.outcome.measures]
        shares.append(mean_measures(unanswerable))
    cells = "  ".join(f"{share['answered']:.3f}" for share in shares)
    print(f"{'unanswerable with a sure hit':<34}{shares[0]['queries']:>4}  {cells}")


def main(arguments: list[str]) -> int:
    """Measure the built-in model, then the other one."""
    built_in = find_model(Paths.of_user())
    assert built_in, "run make setup"
    tables = []
    with tempfile.TemporaryDirectory(prefix="scrubjay-bench-") as name:
        folder = Path(name)
        models = CalibratedModels(folder)
        for number, file in enumerate([built_in, *map(Path, arguments)]):
            provider = models.provider(file, LoadOptions(threads=1))
            tables.append(outcomes(provider, folder / str(number)))
            provider.close()
    print_table(tables)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
