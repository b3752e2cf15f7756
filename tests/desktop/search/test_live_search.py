from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future

import pytest

from scrubjay import CancelToken
from scrubjay.errors import QueryError
from scrubjay.records.search_records import Mode
from scrubjay_desktop.bridge.bridge import Tasks
from scrubjay_desktop.search.live_search import LiveSearch, Scope
from support.fake_engine import FakeEngine, Note


@pytest.fixture
def search(engine: FakeEngine, tasks: Tasks) -> Iterator[LiveSearch]:
    made = LiveSearch(engine, tasks, max_results=10)
    yield made
    made.close()


def paths(search: LiveSearch) -> list[str]:
    return [row.path for row in search.model.rows]


def test_words_answer_at_once_and_meaning_after_a_pause(qtbot, engine, search) -> None:
    search.type("router")
    assert [(one.mode, one.is_typing) for one in engine.requests] == [(Mode.LEXICAL, True)]
    qtbot.waitUntil(lambda: len(engine.requests) == 2)
    assert (engine.requests[1].mode, engine.requests[1].is_typing) == (Mode.HYBRID, False)
    qtbot.waitUntil(lambda: paths(search) == ["network.md", "router.md"])


def test_only_the_last_text_is_searched_in_full(qtbot, engine, search) -> None:
    for text in ("r", "ro", "router"):
        search.type(text)
    with qtbot.waitSignal(search.answered, check_params_cb=lambda a: not a.request.is_typing):
        pass
    assert [one.text for one in engine.requests if not one.is_typing] == ["router"]


def test_an_answer_that_comes_too_late_is_dropped(qtbot, engine, search) -> None:
    engine.slow_modes[Mode.LEXICAL] = 0.05
    answers: list[str] = []
    search.answered.connect(lambda answer: answers.append(answer.request.text))
    search.type("orthodontist")
    search.type("router")
    qtbot.waitUntil(lambda: len(answers) == 2)
    assert answers == ["router", "router"]


def test_meaning_finds_what_words_do_not(qtbot, search) -> None:
    search.type("teeth")
    qtbot.waitUntil(lambda: paths(search) == ["memory/2026-03-12.md"])


def test_a_full_answer_that_overtook_the_one_by_words_stays(
    qtbot, engine, tasks, search, monkeypatch
) -> None:
    answer, held = engine.search, []

    def overtaken(request, cancel):
        if not request.is_typing:
            return answer(request, cancel)
        held.append((Future(), request, cancel))
        return held[0][0]

    monkeypatch.setattr(engine, "search", overtaken)
    with qtbot.waitSignal(search.answered):
        search.type("teeth")
    late, request, cancel = held[0]
    late.set_result(answer(request, cancel).result())
    done: list[object] = []
    tasks.watch(engine.notes.recent(), CancelToken(), done=done.append, failed=done.append)
    qtbot.waitUntil(lambda: len(done) == 1)
    assert paths(search) == ["memory/2026-03-12.md"]


def test_an_empty_box_shows_what_changed_lately(qtbot, search) -> None:
    with qtbot.waitSignal(search.recents_shown):
        search.type("  ")
    assert paths(search) == ["router.md", "memory/2026-03-12.md", "network.md"]


def test_nothing_moves_once_the_person_is_in_the_list(qtbot, engine, search) -> None:
    engine.notes["home"]["daughter.md"] = Note("D", "daughter")
    with qtbot.waitSignal(search.answered):
        search.type("daughter")
    search.hold()
    qtbot.waitUntil(lambda: len(search.model.rows) == 2)
    assert paths(search) == ["daughter.md", "memory/2026-03-12.md"]
    assert [row.is_late for row in search.model.rows] == [False, True]


def test_before_that_the_better_answer_takes_over(qtbot, engine, search) -> None:
    engine.notes["home"]["daughter.md"] = Note("D", "daughter")
    search.type("daughter")
    qtbot.waitUntil(lambda: paths(search) == ["memory/2026-03-12.md", "daughter.md"])


def test_an_open_search_repeats_when_notes_change(qtbot, engine, search) -> None:
    with qtbot.waitSignal(search.answered, check_params_cb=lambda a: not a.request.is_typing):
        search.type("router")
    search.hold()
    engine.notes["home"]["new.md"] = Note("New", "router router router router")
    del engine.notes["work"]["network.md"]
    search.repeat()
    qtbot.waitUntil(lambda: paths(search) == ["router.md", "new.md"])


def test_the_scope_is_searched_at_once(qtbot, engine, search) -> None:
    search.type("router")
    search.set_scope(Scope("work", Mode.LEXICAL))
    qtbot.waitUntil(lambda: paths(search) == ["network.md"])
    assert engine.requests[-1].workspace == "work"


def test_recents_keep_to_the_scope(qtbot, search) -> None:
    search.set_scope(Scope("work"))
    qtbot.waitUntil(lambda: paths(search) == ["network.md"])


def test_an_expected_failure_is_told_in_its_own_words(qtbot, engine, search) -> None:
    engine.error = QueryError("That is no question", "It is empty.")
    with qtbot.waitSignal(search.failed) as failed:
        search.type("router")
    assert failed.args == ["That is no question: It is empty."]


def test_an_unexpected_failure_is_a_bug(qtbot, engine, tasks, search) -> None:
    engine.error = ZeroDivisionError("oops")
    with qtbot.waitSignal(tasks.broke) as broke:
        search.type("router")
    assert broke.args == [engine.error]


def test_one_workspace_needs_no_badge(qtbot, engine, search) -> None:
    del engine.folders["work"], engine.notes["work"]
    search.type("router")
    qtbot.waitUntil(lambda: len(search.model.rows) == 1)
    assert search.model.rows[0].badge == ""
