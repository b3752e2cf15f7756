"""A search answers in time, whatever the model does."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.embedding.local.local_provider import LoadOptions, LocalProvider
from scrubjay.engine.engine import Engine
from scrubjay.errors import Cancelled
from scrubjay.platform.paths import Paths
from scrubjay.records.audience import AGENT, PERSON, Audience
from scrubjay.records.search_modes import Mode
from scrubjay.records.search_records import SearchRequest
from scrubjay.records.vectors import Vector
from support.embedding_server import KEY, Hang, serving
from support.providers import HungProvider, WordProvider
from support.vault import TIMEOUT, NewEngine, add, ask, found, write_notes
from support.waiting import wait_until
from support.workers import SILENT_WORKER

DEADLINE_MS = 1_500
"""Half of it is left to the words, also where this computer stands still for a moment."""


@pytest.fixture
def hurried(paths: Paths) -> None:
    settings = {"memorySearch": {"query": {"deadlineMs": DEADLINE_MS}}}
    write_notes(paths.config, {"config.json5": json.dumps(settings)})


def test_a_hung_model_leaves_the_answer_to_words_in_time(
    hurried: None, new_engine: NewEngine, notes: Path
) -> None:
    engine = new_engine(HungProvider())
    engine.refresh(add(engine, notes), words_only=True).result(TIMEOUT)
    for mode in (Mode.HYBRID, Mode.VECTOR, Mode.HYBRID):
        answer = ask(engine, "router password", mode)
        assert answer.hits[0].path == "house/router.md"
        assert answer.mode is Mode.LEXICAL
        assert answer.request.mode is mode
        assert "1.5 seconds" in answer.fallback_reason or "not responded" in answer.fallback_reason


class LateProvider(WordProvider):
    """Answers its first call in time, and no other."""

    def __init__(self) -> None:
        super().__init__()
        self.calls = 0
        self.goes_on = threading.Event()

    def embed_queries(self, texts: Sequence[str]) -> list[Vector]:
        self.calls += 1
        if self.calls > 1:
            self.goes_on.wait(TIMEOUT)
        return super().embed_queries(texts)


@pytest.mark.parametrize("audience", [PERSON, AGENT])
def test_alternatives_that_are_late_are_answered_by_words_and_the_others_by_meaning(
    hurried: None, new_engine: NewEngine, notes: Path, audience: Audience
) -> None:
    provider = LateProvider()
    engine = new_engine(provider)
    engine.refresh(add(engine, notes)).result(TIMEOUT)
    words = ["router", *(f"xylophone{number}" for number in range(7)), "tomatoes"]
    question = " OR ".join(words)
    answer = ask(engine, question, Mode.HYBRID, audience=audience)
    hits = {hit.path: hit for hit in answer.hits}
    assert answer.mode is Mode.HYBRID
    assert "for some of the OR alternatives" in answer.fallback_reason
    assert hits["house/router.md"].vector_score is not None
    assert hits["garden.md"].vector_score is None
    assert answer.model
    provider.goes_on.set()


def test_who_waits_behind_a_hung_model_is_answered_at_once(
    hurried: None, new_engine: NewEngine, notes: Path
) -> None:
    engine = new_engine(HungProvider())
    engine.refresh(add(engine, notes), words_only=True).result(TIMEOUT)
    ask(engine, "router")
    assert "for a while" in ask(engine, "router").fallback_reason


def test_a_model_that_answers_again_is_asked_again(
    hurried: None, new_engine: NewEngine, notes: Path
) -> None:
    class SlowOnce(WordProvider):
        """Waits once, as a model does that is being loaded from a slow disk."""

        goes_on = threading.Event()

        def embed_queries(self, texts: Sequence[str]):
            self.goes_on.wait(TIMEOUT)
            return super().embed_queries(texts)

    provider = SlowOnce()
    engine = new_engine(provider)
    engine.refresh(add(engine, notes)).result(TIMEOUT)
    assert ask(engine, "router").mode is Mode.LEXICAL
    provider.goes_on.set()
    wait_until(lambda: ask(engine, "router").mode is Mode.HYBRID)


def test_a_search_that_is_called_off_while_the_model_hangs_is_cancelled(
    hurried: None, new_engine: NewEngine, notes: Path
) -> None:
    provider = HungProvider()
    engine = new_engine(provider)
    engine.refresh(add(engine, notes), words_only=True).result(TIMEOUT)
    cancel = CancelToken()
    waiting = engine.search(SearchRequest("router"), cancel)
    assert provider.is_asked.wait(TIMEOUT)
    cancel.cancel()
    with pytest.raises(Cancelled):
        waiting.result(TIMEOUT)


def test_closing_lets_everybody_go_who_waits(new_engine: NewEngine, notes: Path) -> None:
    provider = HungProvider()
    engine = new_engine(provider)
    engine.refresh(add(engine, notes), words_only=True).result(TIMEOUT)
    waiting = engine.search(SearchRequest("router"), CancelToken())
    assert provider.is_asked.wait(TIMEOUT)
    engine.close()
    assert waiting.done()


@pytest.fixture
def bare_engine(paths: Paths) -> Iterator[Engine]:
    """An engine that chooses its provider itself."""
    engine = Engine(paths)
    yield engine
    engine.close()


@pytest.mark.model
def test_an_answer_says_that_it_waited_for_the_model_to_start(
    bare_engine: Engine, paths: Paths, notes: Path
) -> None:
    bare_engine.refresh(add(bare_engine, notes)).result(TIMEOUT)
    bare_engine.close()
    engine = Engine(paths)
    assert "had to start" in ask(engine, "router").waited_for
    assert ask(engine, "router").waited_for == ask(engine, "fridge", Mode.LEXICAL).waited_for == ""
    engine.close()


def test_a_child_that_never_answers_is_not_waited_for(
    hurried: None, new_engine: NewEngine, notes: Path, tmp_path: Path
) -> None:
    model = tmp_path / "model.gguf"
    model.write_bytes(b"GGUF")
    provider = LocalProvider(model, LoadOptions(worker=SILENT_WORKER))
    engine = new_engine(provider)
    engine.refresh(add(engine, notes), words_only=True).result(TIMEOUT)
    answer = ask(engine, "router")
    assert [hit.path for hit in answer.hits] == ["house/router.md"]
    assert (answer.mode, bool(answer.fallback_reason)) == (Mode.LEXICAL, True)


def test_a_remote_provider_that_hangs_is_not_waited_for(
    paths: Paths, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EMBEDDINGS_KEY", KEY)
    released = threading.Event()
    with serving() as server:
        block = {
            "provider": "openai",
            "model": "brand-new",
            "query": {"deadlineMs": DEADLINE_MS},
            "remote": {"baseUrl": server.base_url("openai"), "apiKey": "${EMBEDDINGS_KEY}"},
        }
        write_notes(paths.config, {"config.json5": json.dumps({"memorySearch": block})})
        engine = Engine(paths)
        try:
            [report] = engine.refresh(add(engine, notes), may_send=True).result(TIMEOUT)
            assert (report.embedded, report.meaning_missing) == (3, "")
            server.always = Hang(released)
            answer = ask(engine, "the password of the house")
            assert answer.mode is Mode.LEXICAL
            assert answer.hits[0].path == "house/router.md"
            assert "1.5 seconds" in answer.fallback_reason
        finally:
            released.set()
            engine.close()


def test_words_alone_need_no_deadline(hurried: None, new_engine: NewEngine, notes: Path) -> None:
    engine = new_engine(HungProvider())
    engine.refresh(add(engine, notes), words_only=True).result(TIMEOUT)
    assert found(engine, "router", Mode.LEXICAL) == ["house/router.md"]
