"""Notes that a remote provider understands: consent, fallback, changed models, local-only."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from scrubjay.embedding.provider import EmbeddingProvider
from scrubjay.embedding.selection.provider_factory import ProviderFactory
from scrubjay.engine.engine import Engine
from scrubjay.event_bus import Event
from scrubjay.events import BackfillAsked, IndexFinished
from scrubjay.platform.paths import Paths
from scrubjay.records.engine_limits import EngineLimits
from scrubjay.records.search_modes import Mode
from scrubjay.records.status_records import IndexReport
from support.embedding_server import FAR_HOST, KEY, EmbeddingServer, Hang, Refuse, far_url, serving
from support.providers import WordProvider
from support.secret_service import NO_KEYCHAIN, keyring_variables
from support.vault import TIMEOUT, add, ask, write_notes

Open = Callable[..., Engine]

pytestmark = pytest.mark.limits(request_attempts=1)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[EmbeddingServer]:
    """Answers for every host there is."""
    with serving() as running:
        running.dimensions = 64
        running.stand_for_all(monkeypatch)
        yield running


@pytest.fixture
def open_engine(
    paths: Paths, engine_limits: EngineLimits, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Open]:
    """Engines with a remote provider, and hashed words where a local model is asked for."""
    made: list[Engine] = []
    monkeypatch.setenv("EMBEDDINGS_KEY", KEY)

    def engine(base_url: str = far_url("openai"), **search: object) -> Engine:
        block = {
            "provider": "openai",
            "model": "brand-new",
            "query": {"minScore": 0},
            "remote": {"baseUrl": base_url, "apiKey": "${EMBEDDINGS_KEY}"},
            **search,
        }
        settings = json.loads(paths.config_file.read_text()) if paths.config_file.exists() else {}
        text = json.dumps(settings | {"memorySearch": block})
        write_notes(paths.config, {"config.json5": text})
        made.append(Engine(paths, limits=engine_limits))
        return made[-1]

    yield engine
    for one in made:
        one.close()


def refresh(engine: Engine, **options: bool) -> IndexReport:
    [report] = engine.refresh(**options).result(TIMEOUT)
    return report


@pytest.fixture
def engine(open_engine: Open, server: EmbeddingServer, notes: Path) -> Engine:
    """Knows three notes, none of them sent anywhere."""
    made = open_engine()
    add(made, notes)
    return made


def sent_notes(server: EmbeddingServer) -> list[str]:
    """What arrived of the notes."""
    return [text for text in server.texts if "#" in text]


def test_nothing_is_sent_before_somebody_says_yes(engine: Engine, server: EmbeddingServer) -> None:
    asked: list[BackfillAsked] = []
    engine.events.subscribe(lambda event: asked.append(event) if _is_question(event) else None)
    report = refresh(engine)
    assert report.changed == 3
    assert report.embedded == 0
    assert sent_notes(server) == []
    assert "3 notes, about 27 words, will be sent" in report.meaning_missing
    [question] = asked
    assert question.cost == report.backfill
    assert question.cost.notes == 3
    assert question.cost.host == FAR_HOST
    assert question.cost.model == "brand-new"


def _is_question(event: object) -> bool:
    return isinstance(event, BackfillAsked)


def test_a_query_is_not_sent_before_the_notes_were(engine: Engine, server: EmbeddingServer) -> None:
    refresh(engine)
    answer = ask(engine, "tomatoes")
    assert answer.mode is Mode.LEXICAL
    assert [hit.path for hit in answer.hits] == ["garden.md"]
    assert "tomatoes" not in server.texts


def test_a_yes_sends_the_notes_and_finds_them_by_meaning(
    engine: Engine, server: EmbeddingServer
) -> None:
    report = refresh(engine, may_send=True)
    assert report.embedded == 3
    assert report.backfill is None
    answer = ask(engine, "tomatoes", Mode.VECTOR)
    assert answer.hits[0].path == "garden.md"
    assert (answer.provider, answer.model) == ("openai", "brand-new")
    assert answer.takeover is None
    assert {request.headers["authorization"] for request in server.requests} == {f"Bearer {KEY}"}


def test_a_small_change_needs_no_second_yes(
    engine: Engine, server: EmbeddingServer, notes: Path
) -> None:
    refresh(engine, may_send=True)
    write_notes(notes, {"sea.md": "# Sea\n\nThe tide is at nine.\n"})
    assert refresh(engine).embedded == 1


@pytest.mark.limits(unasked_tokens=100)
def test_a_large_addition_needs_a_yes_of_its_own(engine: Engine, notes: Path) -> None:
    refresh(engine, may_send=True)
    write_notes(notes, {"sea.md": "The tide is at nine. " * 100})
    report = refresh(engine)
    assert report.backfill is not None
    assert report.backfill.notes == 1
    assert ask(engine, "tomatoes", Mode.VECTOR).hits[0].path == "garden.md"


@pytest.mark.limits(unasked_tokens=1)
def test_an_interrupted_backfill_goes_on_without_another_yes(
    engine: Engine, server: EmbeddingServer
) -> None:
    server.faults.extend([None, Refuse(400, "not today")])  # dimensions, then the notes
    assert "not today" in refresh(engine, may_send=True).meaning_missing
    assert refresh(engine).embedded == 3


def test_a_server_on_this_computer_needs_no_yes(
    open_engine: Open, server: EmbeddingServer, notes: Path
) -> None:
    engine = open_engine(server.base_url("openai"))
    add(engine, notes)
    assert refresh(engine).embedded == 3


def test_a_model_that_changes_its_dimensions_gets_a_new_generation(
    open_engine: Open, server: EmbeddingServer, notes: Path
) -> None:
    engine = open_engine(server.base_url("openai"))
    add(engine, notes)
    refresh(engine)
    server.dimensions = 48
    write_notes(notes, {"sea.md": "# Sea\n\nThe tide is at nine.\n"})
    assert refresh(engine).embedded == 4
    answer = ask(engine, "tomatoes", Mode.VECTOR)
    assert answer.hits[0].path == "garden.md"
    assert ask(engine, "tide").hits[0].path == "sea.md"


def test_a_server_may_give_longer_or_shorter_vectors_than_published(
    open_engine: Open, server: EmbeddingServer, notes: Path
) -> None:
    model = "text-embedding-3-small"
    first = open_engine(server.base_url("openai"), model=model)
    add(first, notes)
    refresh(first)
    first.close()
    engine = open_engine(server.base_url("openai"), model=model)
    answer = ask(engine, "tomatoes")
    assert (answer.mode, answer.provider) == (Mode.HYBRID, "openai")
    assert refresh(engine).embedded == 0


def test_the_length_of_an_unknown_models_vectors_is_asked_once(
    open_engine: Open, server: EmbeddingServer, notes: Path
) -> None:
    first = open_engine(server.base_url("openai"))
    add(first, notes)
    refresh(first)
    first.close()
    server.requests.clear()
    assert ask(open_engine(server.base_url("openai")), "tomatoes").mode is Mode.HYBRID
    assert server.texts == ["tomatoes"]


def test_words_go_on_while_the_provider_is_down(engine: Engine, server: EmbeddingServer) -> None:
    refresh(engine, may_send=True)
    server.always = Refuse(503, "overloaded")
    answer = ask(engine, "router")
    assert answer.mode is Mode.LEXICAL
    assert answer.hits[0].path == "house/router.md"
    assert "overloaded" in answer.fallback_reason


class Near(WordProvider):
    """What stands in for the local model."""

    name = "local"
    model = "near"

    def identity(self) -> str:
        return f"local:{super().identity()}"


@pytest.fixture
def near(monkeypatch: pytest.MonkeyPatch) -> Near:
    made = Near("near")

    def local(*_: object) -> EmbeddingProvider:
        return made

    monkeypatch.setattr(ProviderFactory, "_local", local)
    return made


@pytest.fixture
def with_fallback(
    open_engine: Open, server: EmbeddingServer, notes: Path, near: Near
) -> Callable[[], Engine]:
    """Opens an engine whose provider may be replaced by hashed words, over the same notes."""
    first = open_engine(fallback="local")
    add(first, notes)
    refresh(first, may_send=True)
    return lambda: open_engine(fallback="local")


def test_the_fallback_embeds_in_the_pass_that_the_provider_fails(
    with_fallback: Callable[[], Engine], server: EmbeddingServer, notes: Path, near: Near
) -> None:
    engine = with_fallback()
    server.always = Refuse(503, "overloaded")
    write_notes(notes, {"sea.md": "# Sea\n\nThe tide is at nine.\n"})
    report = refresh(engine)
    assert (report.meaning_missing, report.embedded, report.changed) == ("", 4, 1)
    answer = ask(engine, "tide", Mode.VECTOR)
    assert answer.hits[0].path == "sea.md"
    assert (answer.provider, answer.model) == ("local", "near")
    assert answer.takeover is not None
    assert answer.takeover.provider == "openai"
    assert "overloaded" in answer.takeover.reason


def test_a_failed_query_leaves_the_vectors_as_they_are(
    engine: Engine, server: EmbeddingServer
) -> None:
    refresh(engine, may_send=True)
    server.always = Refuse(503, "overloaded")
    answer = ask(engine, "router")
    assert answer.mode is Mode.LEXICAL
    assert "overloaded" in answer.fallback_reason
    server.always = None
    again = ask(engine, "router")
    assert again.mode is Mode.HYBRID
    assert again.provider == "openai"


@pytest.mark.limits(takeover_seconds=TIMEOUT)
def test_the_fallback_answers_the_question_that_the_provider_fails(
    with_fallback: Callable[[], Engine], server: EmbeddingServer
) -> None:
    engine = with_fallback()
    server.always = Refuse(503, "overloaded")
    answer = ask(engine, "router")
    assert (answer.mode, answer.provider) == (Mode.HYBRID, "local")
    assert answer.takeover is not None
    assert "overloaded" in answer.takeover.reason


@pytest.mark.limits(takeover_seconds=TIMEOUT)
def test_a_provider_that_hangs_is_replaced_before_it_answers(
    with_fallback: Callable[[], Engine], server: EmbeddingServer
) -> None:
    engine, released = with_fallback(), threading.Event()
    server.always = Hang(released)
    answer = ask(engine, "router")
    assert not released.is_set()
    released.set()
    assert (answer.mode, answer.provider) == (Mode.HYBRID, "local")
    assert answer.takeover is not None
    assert "did not respond" in answer.takeover.reason


def test_words_answer_while_the_fallback_learns_many_notes(
    with_fallback: Callable[[], Engine], server: EmbeddingServer, near: Near
) -> None:
    engine, released, learned = with_fallback(), threading.Event(), threading.Event()
    server.always = Hang(released)
    near.before_batch = lambda: wait_for(learned)
    answer = ask(engine, "router")
    again = ask(engine, "router")
    queries = server.texts.count("router")
    learned.set()
    released.set()
    for each in (answer, again):
        assert (each.mode, each.hits[0].path) == (Mode.LEXICAL, "house/router.md")
        assert "fallback is still preparing the notes" in each.fallback_reason
        assert "did not respond" in each.fallback_reason
    assert queries == 1  # the second question was not held up


def wait_for(event: threading.Event) -> None:
    """Let a batch of notes wait; an end of the test comes first."""
    event.wait(TIMEOUT)


def test_an_engine_that_follows_the_notes_prepares_the_fallback_by_itself(
    with_fallback: Callable[[], Engine], server: EmbeddingServer
) -> None:
    engine = with_fallback()
    engine.start()
    refresh(engine)
    embedded = threading.Event()

    def note(event: Event) -> None:
        if isinstance(event, IndexFinished) and event.report.embedded == 3:
            embedded.set()

    engine.events.subscribe(note)
    server.always = Refuse(503, "overloaded")
    ask(engine, "router")
    assert embedded.wait(TIMEOUT)
    answer = ask(engine, "router")
    assert (answer.mode, answer.provider) == (Mode.HYBRID, "local")


def test_the_next_program_searches_with_whoever_embedded_last(
    with_fallback: Callable[[], Engine], server: EmbeddingServer, notes: Path
) -> None:
    engine = with_fallback()
    server.always = Refuse(503, "overloaded")
    write_notes(notes, {"sea.md": "# Sea\n\nThe tide is at nine.\n"})
    refresh(engine)
    engine.close()
    answer = ask(with_fallback(), "tide", Mode.VECTOR)
    assert answer.provider == "local"
    assert answer.takeover is not None
    assert answer.takeover.provider == "openai"


def test_paid_vectors_are_kept_for_the_way_back(
    with_fallback: Callable[[], Engine], server: EmbeddingServer, notes: Path
) -> None:
    engine = with_fallback()
    server.always = Refuse(503, "overloaded")
    write_notes(notes, {"sea.md": "# Sea\n\nThe tide is at nine.\n"})
    refresh(engine)
    server.always = None
    engine.close()
    back = with_fallback()
    assert refresh(back).embedded == 1
    answer = ask(back, "tomatoes", Mode.VECTOR)
    assert (answer.provider, answer.hits[0].path) == ("openai", "garden.md")


def test_local_only_takes_the_local_fallback(
    open_engine: Open, server: EmbeddingServer, notes: Path, near: Near, paths: Paths
) -> None:
    write_notes(paths.config, {"config.json5": '{"localOnly": true}'})
    engine = open_engine(fallback="local")
    add(engine, notes)
    assert refresh(engine, may_send=True).embedded == 3
    answer = ask(engine, "tomatoes", Mode.VECTOR)
    assert answer.provider == "local"
    assert answer.takeover is not None
    assert "“Never use services on the internet” is on" in answer.takeover.reason
    assert server.requests == []


def test_a_key_can_be_given_for_one_session_only(
    open_engine: Open, server: EmbeddingServer
) -> None:
    engine = open_engine(remote={"baseUrl": far_url("openai")})
    with keyring_variables(NO_KEYCHAIN):
        engine.keys.set(FAR_HOST, KEY, session_only=True).result(TIMEOUT)
        tested = engine.keys.test(FAR_HOST).result(TIMEOUT)
    assert (tested.provider, tested.host, tested.dimensions) == (FAR_HOST, FAR_HOST, 64)
    assert server.requests[-1].headers["authorization"] == f"Bearer {KEY}"
