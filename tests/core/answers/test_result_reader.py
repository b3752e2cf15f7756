"""A result reader reads the first hits of an answer again, where it may and in time."""

from __future__ import annotations

from pathlib import Path

import psutil
import pytest
from msgspec.structs import replace

from scrubjay.agents.recall.hook_input import HookInput
from scrubjay.answers.second_look import READING, question_of
from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.errors import Cancelled
from scrubjay.events import ReaderChanged
from scrubjay.platform.paths import Paths
from scrubjay.records.audience import PERSON
from scrubjay.records.search_modes import Mode, Order
from scrubjay.records.search_records import SearchAnswer, SearchRequest
from support.battery import discharge
from support.gguf_files import gguf
from support.reader_models import NOTES, QUESTION, SMOL_FILE, install_reader
from support.vault import TIMEOUT, Announcements, NewEngine, ask, indexed, write_notes

HEAD = {"general.architecture": "llama", "llama.embedding_length": 8, "llama.context_length": 64}
"""Of a file that says it is a language model, and has no weights that llama.cpp knows."""


@pytest.fixture
def reader(paths: Paths) -> Path:
    """The file of a result reader that is installed."""
    return install_reader(paths)


@pytest.fixture
def filled(new_engine: NewEngine, tmp_path: Path) -> Engine:
    engine = new_engine()
    indexed(engine, write_notes(tmp_path / "notes", NOTES))
    return engine


def again(engine: Engine, text: str = QUESTION, **fields: object) -> SearchAnswer:
    fields = {"second_look_seconds": TIMEOUT, "min_score": 0.0} | fields
    return ask(engine, text, **fields)  # type: ignore[arg-type]


def without_times(answer: SearchAnswer) -> SearchAnswer:
    freshness = replace(answer.freshness, checked_at=None)
    request = replace(answer.request, second_look_seconds=0)
    return replace(answer, elapsed_ms=0, freshness=freshness, request=request)


def test_what_answers_in_other_words_comes_first(reader: Path, filled: Engine) -> None:
    assert ask(filled, QUESTION, min_score=0.0).hits[0].path == "plan.md"
    answer = again(filled)
    assert answer.hits[0].path == "router.md"
    assert answer.read_again_by == reader.stem
    assert READING in answer.hits[0].explanation.parts
    status = filled.status().reader
    assert status is not None
    assert (status.model, status.is_ready) == (reader.stem, True)


def test_a_search_that_does_not_ask_for_it_is_not_read_again(reader: Path, filled: Engine) -> None:
    answer = ask(filled, QUESTION)
    assert answer.read_again_by == ""
    assert not any(READING in hit.explanation.parts for hit in answer.hits)
    assert filled.status().reader is None


def test_without_a_reader_nothing_changes(filled: Engine) -> None:
    assert without_times(again(filled)) == without_times(ask(filled, QUESTION, min_score=0.0))


def test_the_settings_can_turn_it_off(reader: Path, filled: Engine) -> None:
    filled.settings_editor.set("memorySearch.query.reader", "off").result(TIMEOUT)
    answer = again(filled)
    assert answer.hits
    assert (answer.read_again_by, answer.not_read_again) == ("", "")


def test_a_search_by_words_keeps_its_order(reader: Path, filled: Engine) -> None:
    assert again(filled, "home", mode=Mode.LEXICAL).read_again_by == ""


@pytest.mark.parametrize("text", ["home -book", "home OR router", "yesterday", "in:2026"])
def test_what_is_no_question_is_not_read(reader: Path, filled: Engine, text: str) -> None:
    assert again(filled, text, audience=PERSON).read_again_by == ""


def test_operators_are_not_part_of_the_question(reader: Path, filled: Engine) -> None:
    plain, narrowed = again(filled), again(filled, f"{QUESTION} kind:note")
    assert narrowed.read_again_by == reader.stem
    assert question_of(narrowed) == question_of(plain) == QUESTION


def test_an_order_by_days_stays(reader: Path, filled: Engine) -> None:
    assert again(filled, order=Order.NEWEST).read_again_by == ""


def test_a_model_that_cannot_be_loaded_leaves_the_answer_as_it_was(
    paths: Paths, filled: Engine
) -> None:
    write_notes(paths.models, {SMOL_FILE: gguf(head=HEAD)})
    heard = Announcements(filled)
    answer = again(filled)
    assert answer.hits == ask(filled, QUESTION, min_score=0.0).hits
    assert "stopped unexpectedly" in answer.not_read_again
    status = filled.status().reader
    assert status is not None
    assert status.reason == answer.not_read_again
    assert heard.of(ReaderChanged) == [ReaderChanged(status)]
    # It rests: a second search is not kept waiting for the same failure.
    assert again(filled).not_read_again == answer.not_read_again
    assert len(heard.of(ReaderChanged)) == 1


@pytest.fixture
def stopped(paths: Paths, filled: Engine) -> Path:
    """The file of a model that stopped, as the status tells."""
    write_notes(paths.models, {SMOL_FILE: gguf(head=HEAD)})
    assert again(filled).not_read_again
    assert filled.status().reader
    return paths.models / SMOL_FILE


def test_nothing_is_told_of_a_stopped_model_that_is_turned_off(
    stopped: Path, filled: Engine
) -> None:
    filled.settings_editor.set("memorySearch.query.reader", "off").result(TIMEOUT)
    assert filled.status().reader is None


def test_nothing_is_told_of_a_stopped_model_whose_file_was_deleted(
    stopped: Path, filled: Engine
) -> None:
    stopped.unlink()
    assert again(filled).not_read_again == ""
    assert filled.status().reader is None


def test_a_model_that_is_killed_is_started_again(reader: Path, filled: Engine) -> None:
    again(filled)
    part = filled._parts.result_reader  # noqa: SLF001
    assert filled.is_reader_warm
    pid = part._reader.child_pid  # noqa: SLF001
    psutil.Process(pid).kill()
    assert again(filled, "where is the password").read_again_by == reader.stem


def test_without_time_the_answer_is_as_it_was_found(reader: Path, filled: Engine) -> None:
    answer = again(filled, second_look_seconds=0.001)
    assert answer.hits == ask(filled, QUESTION, min_score=0.0).hits
    assert "took too long" in answer.not_read_again


def test_a_cancelled_search_is_not_read(reader: Path, filled: Engine) -> None:
    token = CancelToken()
    token.cancel()
    request = SearchRequest(QUESTION, second_look_seconds=TIMEOUT)
    with pytest.raises(Cancelled):
        filled.search(request, token).result(TIMEOUT)
    assert not filled.is_reader_warm


def test_a_pause_is_one_for_the_reader_too(reader: Path, filled: Engine) -> None:
    filled.pause()
    assert "paused" in again(filled).not_read_again
    filled.resume()
    assert again(filled).read_again_by == reader.stem


@pytest.mark.needs("Linux")
def test_on_battery_nothing_is_read_again(reader: Path, filled: Engine, tmp_path: Path) -> None:
    discharge(tmp_path / "supplies")
    filled._parts.result_reader._supplies = tmp_path / "supplies"  # noqa: SLF001
    assert "battery" in again(filled).not_read_again
    assert not filled.is_reader_warm


def test_an_engine_closes_while_it_reads(reader: Path, filled: Engine) -> None:
    request = SearchRequest(QUESTION, second_look_seconds=TIMEOUT)
    future = filled.search(request, CancelToken())
    filled.close()
    # Whatever it has come to, it ends.
    assert future.exception(TIMEOUT) is None or isinstance(future.exception(), Cancelled)
    assert not filled.is_reader_warm


def test_a_person_sees_what_the_reader_believes_among_the_sure_ones(
    reader: Path, filled: Engine
) -> None:
    answer = again(filled, min_score=None, audience=PERSON)
    first = answer.hits[0]
    assert (first.path, first.is_perhaps) == ("router.md", False)
    assert all(hit.is_perhaps for hit in answer.hits[1:] if hit.score < 0.35)


def test_hooks_use_a_reader_only_if_it_is_warm(reader: Path, filled: Engine) -> None:
    def reminded() -> list[bool]:
        hook = HookInput(prompt=QUESTION)
        hits = filled.recall.remind(hook, frozenset(), TIMEOUT).result(TIMEOUT).hits
        return [READING in hit.explanation.parts for hit in hits]

    assert reminded()
    assert not any(reminded())
    assert not filled.is_reader_warm
    again(filled)
    assert all(reminded())
    assert reminded()


def test_a_message_is_read_once_and_its_parts_are_not(reader: Path, filled: Engine) -> None:
    request = SearchRequest(QUESTION, second_look_seconds=TIMEOUT)
    context = filled.context(request, CancelToken()).result(TIMEOUT)
    assert context.answer
    assert context.answer.read_again_by == reader.stem
