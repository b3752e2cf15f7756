"""A language model that reads passages again, in its own process."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.embedding.local.likelihood import PASSAGE_TOKENS, QUESTION_TOKENS
from scrubjay.embedding.local.llama_process import LlamaProcess, LoadRequest
from scrubjay.embedding.local.local_reader import LocalReader
from scrubjay.errors import Cancelled, ProviderUnavailable
from support.reader_models import reader_file
from support.vault import TIMEOUT
from support.workers import ODD_WORKER

QUESTION = "how do I get on the internet at home"
ROUTER = "Router\nThe wifi password is on the sticker below the router in the hall."
CAKE = "Cake\nTwo eggs, flour, butter and sugar. Bake it for forty minutes."
TYRES = "Car\nThe garage changed the winter tyres in November."
NEAR = 1.0
"""Nats by which results differ when others are computed in the same batch: llama.cpp rounds
activations to eight bits, and sums them in another order."""


@pytest.fixture
def model() -> Path:
    return reader_file("SmolLM2-135M-Instruct.Q4_1.gguf")


@pytest.fixture
def reader(model: Path) -> Iterator[LocalReader]:
    made = LocalReader(model, threads=1)
    yield made
    made.close()


def ratios(reader: LocalReader, question: str, *texts: str) -> list[float]:
    return reader.ratios(question, [(text, 0) for text in texts], CancelToken())


def test_a_passage_that_answers_makes_the_question_likelier(reader: LocalReader) -> None:
    router, cake, tyres = ratios(reader, QUESTION, ROUTER, CAKE, TYRES)
    assert router > max(cake, tyres) + 2


def test_a_passage_is_read_alone_as_among_others(reader: LocalReader) -> None:
    together = ratios(reader, QUESTION, ROUTER, CAKE, TYRES)
    reader.close()
    for text, ratio in zip((ROUTER, CAKE, TYRES), together, strict=True):
        alone = LocalReader(reader.file, threads=1)
        assert ratios(alone, QUESTION, text) == pytest.approx([ratio], abs=NEAR)
        alone.close()


def test_kept_passages_serve_the_next_question(model: Path) -> None:
    load = LoadRequest(str(model), reads=True)
    first = LlamaProcess(load)
    second = LlamaProcess(load)
    texts = [(ROUTER, 0), (CAKE, 0), (TYRES, 0)]
    first.read("what do I need for baking", texts)
    kept = first.read(QUESTION, texts)
    fresh = second.read(QUESTION, texts)
    assert kept.ratios == pytest.approx(fresh.ratios, abs=NEAR)
    assert kept.tokens < fresh.tokens / 2
    first.stop()
    second.stop()


def test_more_passages_than_are_kept_are_all_read(reader: LocalReader) -> None:
    texts = [f"{ROUTER} Number {number}." for number in range(12)]
    assert len(ratios(reader, QUESTION, *texts)) == 12
    assert ratios(reader, QUESTION, ROUTER, CAKE)[0] > 0


def test_the_ratio_is_a_limited_sum_over_the_tokens_of_two_whole_evaluations(model: Path) -> None:
    import llama_cpp
    import numpy as np

    whole = llama_cpp.Llama(str(model), n_ctx=256, logits_all=True, verbose=False, n_threads=1)

    def tokens(text: str) -> list[int]:
        return whole.tokenize(text.encode(), add_bos=False, special=False)

    asked = tokens(f" {QUESTION}")

    def likelihoods(*frame: str) -> Any:
        before = [token for part in frame for token in tokens(part)]
        whole.reset()
        whole.eval([*before, *asked])
        rows = whole.scores[len(before) - 1 : len(before) + len(asked) - 1].astype(float)
        chosen = rows[np.arange(len(asked)), asked]
        return chosen - np.log(np.exp(rows).sum(axis=1))

    after = likelihoods("Note: ", ROUTER, "\n\nA question that this note answers:")
    before = likelihoods("A question that a note answers:")
    whole.close()
    # No word alone decides, and the first one only begins the question.
    expected = float(np.clip(after - before, -1.0, 2.0)[1:].sum())
    process = LlamaProcess(LoadRequest(str(model), reads=True))
    assert process.read(QUESTION, [(ROUTER, 0)]).ratios == pytest.approx([expected], abs=NEAR)
    process.stop()


def test_a_long_passage_is_read_around_its_best_line(reader: LocalReader) -> None:
    rest = "The jay hides acorns and finds them again in winter. " * 60
    text = f"{rest}\n{ROUTER}\n{rest}"
    at_line, at_end = reader.ratios(
        QUESTION, [(text, len(rest) + 1), (text, len(text) - 60)], CancelToken()
    )
    assert at_line > at_end + 2


def test_the_label_of_a_long_passage_is_read_with_its_best_line(reader: LocalReader) -> None:
    rest = "The jay hides acorns and finds them again in winter. " * 20
    line = "It is on the sticker in the hall."
    named = f"The wifi password of our home\n{rest}\n"
    unnamed = f"The recipes of our grandmother\n{rest}\n"
    with_label, without = reader.ratios(
        QUESTION, [(named + line, len(named)), (unnamed + line, len(unnamed))], CancelToken()
    )
    assert with_label > without + 1


def test_passages_and_questions_have_a_limit(model: Path) -> None:
    process = LlamaProcess(LoadRequest(str(model), reads=True))
    read = process.read("why " * 500, [("acorn " * 5_000, 9_000)])
    assert all(map(math.isfinite, read.ratios))
    assert read.tokens < PASSAGE_TOKENS + 2 * QUESTION_TOKENS + 40
    process.stop()


@pytest.mark.parametrize("question", ["?", "¿Dónde está?", "琵琶湖疏水の船", "a\x00b", "😀"])
def test_any_question_can_be_read(reader: LocalReader, question: str) -> None:
    assert len(ratios(reader, question, ROUTER, "")) == 2


def test_a_question_that_was_read_before_needs_no_model(reader: LocalReader) -> None:
    before = ratios(reader, QUESTION, ROUTER, CAKE)
    reader.close()
    assert ratios(reader, QUESTION, CAKE, ROUTER) == before[::-1]


def test_a_cancelled_question_is_not_read(reader: LocalReader) -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        reader.ratios(QUESTION, [(ROUTER, 0)], token)
    assert reader.child_pid is None


def test_a_question_that_is_cancelled_while_it_is_read_ends_with_its_passage(
    reader: LocalReader,
) -> None:
    token = CancelToken()
    ratios(reader, QUESTION, ROUTER)
    threading.Timer(0.1, token.cancel).start()
    long = [(f"{number} " + "acorns and oak trees " * 45, 0) for number in range(200)]
    with pytest.raises(Cancelled):
        reader.ratios(QUESTION, long, token)


def test_a_killed_child_is_started_again(reader: LocalReader) -> None:
    ratios(reader, QUESTION, ROUTER)
    pid = reader.child_pid
    assert pid is not None
    child = psutil.Process(pid)
    child.kill()
    child.wait(TIMEOUT)
    assert len(ratios(reader, QUESTION, CAKE)) == 1
    assert reader.child_pid not in (None, pid)


def test_a_child_that_answers_nonsense_is_given_up_with_a_reason(model: Path) -> None:
    reader = LocalReader(model, worker=ODD_WORKER)
    with pytest.raises(ProviderUnavailable, match="stopped unexpectedly"):
        ratios(reader, QUESTION, ROUTER)
    reader.close()


def test_an_idle_child_gives_its_memory_back(model: Path) -> None:
    reader = LocalReader(model, threads=1, idle_seconds=0.1)
    ratios(reader, QUESTION, ROUTER)
    pid = reader.child_pid
    if pid is not None:
        psutil.Process(pid).wait(TIMEOUT)
    assert len(ratios(reader, QUESTION, CAKE)) == 1
    reader.close()
