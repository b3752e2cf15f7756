"""`scrubjay eval`, with a language model that reranks the first results."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from tests.core.cli.conftest import Ran

from support.reader_models import reader_file
from support.vault import write_notes

QUESTION = "how do I connect my phone to the internet at home"


def judged(home: Path) -> Path:
    """Notes of which the words find a wrong one, and a question about another."""
    write_notes(
        home / "house",
        {
            "recipes.md": "# Recipes\n\nCooked at home.",
            "router.md": "# Router\n\nThe wifi password at home is on the sticker below it.",
            "cake.md": "# Cake\n\nTwo eggs, flour, butter and sugar.",
        },
    )
    file = home / "qrels.json"
    relevant = [{"path": "router.md", "line": 3}]
    queries = [{"id": "1", "query": QUESTION, "category": "paraphrase", "relevant": relevant}]
    file.write_text(json.dumps({"workspace": "house", "queries": queries}))
    return file


def rank(cli: Callable[..., Ran], *arguments: str) -> float:
    ran = cli("eval", "--json", *arguments)
    assert ran.code == 0, ran.err
    return float(json.loads(ran.out)["metrics"]["mrr@10"])


def test_a_model_that_reads_the_results_again_moves_the_right_one_up(
    cli: Callable[..., Ran], home: Path
) -> None:
    model = reader_file("SmolLM2-135M-Instruct.Q4_1.gguf")
    qrels = str(judged(home))
    assert rank(cli, qrels) == 0.5
    assert rank(cli, qrels, "--reader", str(model)) == 1


def test_a_model_that_is_not_there_is_named(cli: Callable[..., Ran], home: Path) -> None:
    ran = cli("eval", str(judged(home)), "--reader", "/nowhere.gguf")
    assert ran.code == 1
    assert "/nowhere.gguf does not exist" in ran.err
