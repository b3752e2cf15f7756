from __future__ import annotations

import textwrap
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPersistentModelIndex, QTimer

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import Paths
from scrubjay.records.search_modes import Mode
from scrubjay.records.search_records import SearchAnswer, SearchRequest
from scrubjay_desktop.bridge.bridge import Tasks
from scrubjay_desktop.results.result_rows import fold_row
from scrubjay_desktop.search.live_search import QUIET_MS, LiveSearch, Scope
from support import first_minute
from support.notes import DIARY, SYNONYMS, WORK, engine_over
from support.providers import WordProvider
from support.vault import TIMEOUT, write_notes

NEVER_MS = 10**6
"""A pause between words and meaning that ends only when a test ends it."""


@pytest.fixture
def quiet_ms() -> int:
    """Time between words and meaning."""
    return QUIET_MS


@pytest.fixture
def search(engine: Engine, tasks: Tasks, quiet_ms: int) -> Iterator[LiveSearch]:
    made = LiveSearch(engine, tasks, max_results=10, quiet_ms=quiet_ms)
    yield made
    made.close()


def shown_paths(search: LiveSearch) -> list[str]:
    return [row.path for row in search.model.rows]


def change(engine: Engine, home: Path, **notes: str) -> None:
    """Write notes, named without their suffix, and read them."""
    write_notes(home, {f"{name}.md": text for name, text in notes.items()})
    engine.refresh().result(TIMEOUT)


def in_full(answer: SearchAnswer) -> bool:
    return not answer.request.is_typing


def end_pause(search: LiveSearch) -> None:
    """Ask for the full answer now, and show all of its rows, as long after the last key."""
    search.show_rest()
    [pause] = [timer for timer in search.findChildren(QTimer) if timer.interval() == NEVER_MS]
    pause.stop()
    pause.timeout.emit()


@pytest.mark.parametrize("quiet_ms", [NEVER_MS])
def test_words_answer_at_once_and_meaning_after_a_pause(qtbot, search, answers) -> None:
    with qtbot.waitSignal(search.answered):
        search.type("router")
    end_pause(search)
    qtbot.waitUntil(lambda: len(answers) == 2)
    assert [(answer.request.mode, answer.request.is_typing) for answer in answers] == [
        (Mode.LEXICAL, True),
        (Mode.HYBRID, False),
    ]
    assert shown_paths(search) == ["router.md", "network.md"]


def test_only_the_last_text_is_searched_in_full(qtbot, search, answers) -> None:
    for text in ("r", "ro", "router"):
        search.type(text)
    qtbot.waitUntil(lambda: any(map(in_full, answers)))
    assert [answer.request.text for answer in answers if in_full(answer)] == ["router"]


@pytest.mark.parametrize("quiet_ms", [NEVER_MS])
def test_an_answer_that_comes_too_late_is_dropped(qtbot, search, answers) -> None:
    search.type("orthodontist")
    search.type("router")
    qtbot.waitUntil(lambda: len(answers) == 1)
    end_pause(search)
    qtbot.waitUntil(lambda: len(answers) == 2)
    assert [answer.request.text for answer in answers] == ["router", "router"]


def test_meaning_finds_what_words_do_not(qtbot, search) -> None:
    search.type("teeth")
    qtbot.waitUntil(lambda: shown_paths(search) == [DIARY])


def test_an_empty_quick_answer_is_not_shown(qtbot, search, answers) -> None:
    search.type("teeth")
    qtbot.waitUntil(lambda: shown_paths(search) == [DIARY])
    search.type("teeth xylophone")
    qtbot.waitUntil(lambda: answers[-1].request.text == "teeth xylophone")
    assert all(in_full(answer) for answer in answers)


@pytest.mark.parametrize("quiet_ms", [NEVER_MS])
def test_rows_stay_while_a_longer_text_is_typed(qtbot, search) -> None:
    with qtbot.waitSignal(search.answered):
        search.type("router fri")
    with qtbot.waitSignal(search.answered, check_params_cb=in_full):
        end_pause(search)
    before = ["router.md", "network.md"]
    assert shown_paths(search) == before
    lists: list[list[str]] = []
    search.answered.connect(lambda _: lists.append(shown_paths(search)))
    with qtbot.waitSignal(search.answered):
        search.type("router fridge")
    end_pause(search)
    qtbot.waitUntil(lambda: lists == [before, before])


def test_a_quick_answer_has_the_first_rows_and_loses_none_of_a_longer_list(
    qtbot, engine, tasks, notes
) -> None:
    kites = {f"kite-{n}": f"# Kite {n}\n\nA kitestring.\n" for n in range(15)}
    change(engine, notes / "home", **kites)
    search = LiveSearch(engine, tasks, max_results=30, quiet_ms=NEVER_MS)
    counts: list[int] = []
    search.answered.connect(lambda _: counts.append(search.model.rowCount()))
    for count, text in ((2, "kites"), (4, "kitest")):
        with qtbot.waitSignal(search.answered):
            search.type(text)
        end_pause(search)
        qtbot.waitUntil(lambda count=count: len(counts) == count)
    # The nearest note by meaning stands below the fifteen, unless a word is half typed.
    assert counts == [10, 16, 16, 15]
    search.close()


@pytest.fixture
def family(paths: Paths, tmp_path: Path) -> Iterator[Engine]:
    """An engine that has read a family's notes and those of work."""
    texts = {name: textwrap.dedent(text) for name, text in first_minute.NOTES.items()}
    engine = engine_over(tmp_path, paths, WordProvider("10", SYNONYMS))
    for folder in ("home", "work"):
        write_notes(tmp_path / folder, texts if folder == "home" else WORK)
    engine.refresh().result(TIMEOUT)
    yield engine
    engine.close()


def type_on(qtbot, search: LiveSearch, question: str) -> Iterator[str]:
    """Type a question key by key; what is typed, after each full answer to it."""
    for end in range(3, len(question) + 1):
        with qtbot.waitSignal(search.answered, check_params_cb=in_full):
            search.type(question[:end])
        yield question[:end]


def test_rows_that_are_not_sure_stay_while_a_question_is_typed(qtbot, family, tasks) -> None:
    search = LiveSearch(family, tasks, max_results=10, calm_ms=10**6)
    lists = [shown_paths(search) for _ in type_on(qtbot, search, "zebra crossing keeper")]
    assert len(lists[0]) > 1
    assert lists == lists[:1] * len(lists)
    search.show_rest()
    assert shown_paths(search) != lists[0]
    search.close()


@pytest.mark.parametrize(
    ("question", "path"),
    [
        ("boiler pressure", "Home/Boiler.md"),
        ("mrs okafor", "People/Mrs Okafor.md"),
        ("photosynthesis", "Lessons/Photosynthesis.md"),
    ],
)
def test_a_right_row_stays_key_by_key(qtbot, tasks, family, question, path) -> None:
    search = LiveSearch(family, tasks, max_results=10)
    was_first = False
    for end in range(1, len(question) + 1):
        shown: list[SearchAnswer | None] = []
        connections = (
            search.answered.connect(shown.append),
            search.recents_shown.connect(lambda shown=shown: shown.append(None)),
        )
        search.type(question[:end])
        qtbot.waitUntil(lambda shown=shown: any(each is None or in_full(each) for each in shown))
        for connection in connections:
            search.disconnect(connection)
        for answer in filter(None, shown):
            listed = [hit.path for hit in answer.hits]
            assert len(listed) == len(set(listed))
            assert path in listed or not was_first, question[:end]
            was_first = was_first or listed[:1] == [path]
    assert was_first
    search.close()


class LateWords:
    """The engine, but an answer to a text that is being typed comes only when a test lets it."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.release = lambda: None

    def __getattr__(self, name: str) -> object:
        return getattr(self._engine, name)

    def search(self, request: SearchRequest, cancel: CancelToken) -> Future[SearchAnswer]:
        real = self._engine.search(request, cancel)
        if not request.is_typing:
            return real
        late: Future[SearchAnswer] = Future()
        self.release = lambda: late.set_result(real.result(TIMEOUT))
        return late


def test_a_full_answer_that_overtook_the_one_by_words_stays(qtbot, engine, tasks) -> None:
    late = LateWords(engine)
    search = LiveSearch(late, tasks, max_results=10)
    with qtbot.waitSignal(search.answered):
        search.type("teeth")
    late.release()
    done: list[object] = []
    tasks.watch(engine.notes.recent(), CancelToken(), done=done.append, failed=done.append)
    qtbot.waitUntil(lambda: len(done) == 1)
    assert shown_paths(search) == [DIARY]
    search.close()


def test_a_search_that_waits_says_so(qtbot, engine, tasks) -> None:
    class Silent(LateWords):
        def search(self, request: SearchRequest, cancel: CancelToken) -> Future[SearchAnswer]:
            return Future()

    search = LiveSearch(Silent(engine), tasks, max_results=10)
    with qtbot.waitSignal(search.waiting) as waiting:
        search.type("router")
    assert waiting.args == ["Still searching…"]
    search.close()


class ShyInFull(LateWords):
    """The engine, but an answer in full lacks a note until a test reads it again."""

    def search(self, request: SearchRequest, cancel: CancelToken) -> Future[SearchAnswer]:
        answer = self._engine.search(request, cancel)
        if request.is_typing:
            return answer
        late: Future[SearchAnswer] = Future()
        full = answer.result(TIMEOUT)
        hits = tuple(hit for hit in full.hits if hit.path != "network.md")
        late.set_result(replace(full, hits=hits))
        return late


def test_a_note_with_every_keyword_stays_although_the_full_answer_lacks_it(
    qtbot, engine, tasks, notes
) -> None:
    search = LiveSearch(ShyInFull(engine), tasks, max_results=10)
    answers: list[SearchAnswer] = []
    search.answered.connect(answers.append)

    def shows(listed: list[str]) -> bool:
        paths = [hit.path for hit in answers[-1].hits] if answers else []
        return shown_paths(search) == paths == listed and in_full(answers[-1])

    search.type("router")
    qtbot.waitUntil(lambda: shows(["router.md", "network.md"]))
    search.type("router fridge")
    qtbot.waitUntil(lambda: shows(["router.md"]))
    search.type("router")
    with qtbot.waitSignal(search.answered, check_params_cb=in_full):
        search.repeat()
    assert shown_paths(search) == ["router.md", "network.md"]
    (notes / "work" / "network.md").unlink()
    engine.refresh().result(TIMEOUT)
    with qtbot.waitSignal(search.answered, check_params_cb=in_full):
        search.repeat()
    assert shown_paths(search) == ["router.md"]
    search.close()


class OtherOrderInFull(LateWords):
    """The engine, but an answer in full has the hits in reverse."""

    def search(self, request: SearchRequest, cancel: CancelToken) -> Future[SearchAnswer]:
        answer = self._engine.search(request, cancel)
        if request.is_typing:
            return answer
        late: Future[SearchAnswer] = Future()
        full = answer.result(TIMEOUT)
        late.set_result(replace(full, hits=full.hits[::-1]))
        return late


def test_the_full_answer_decides_the_order(qtbot, engine, tasks) -> None:
    search = LiveSearch(OtherOrderInFull(engine), tasks, max_results=10)
    with qtbot.waitSignal(search.answered, check_params_cb=in_full):
        search.type("router")
    assert shown_paths(search) == ["network.md", "router.md"]
    search.close()


LONG = "".join(f"# Part {n}\n\nThe boiler {n} hums.\n\n{'Rest. ' * 300}\n\n" for n in range(4))


def test_a_note_is_one_row_and_unfolds_into_its_passages(qtbot, engine, search, notes) -> None:
    change(engine, notes / "home", houses=LONG, flat="# Flat\n\nNo boiler.\n")
    search.set_scope(Scope(mode=Mode.LEXICAL))
    with qtbot.waitSignal(search.answered, check_params_cb=in_full):
        search.type("boiler")
    assert sorted(shown_paths(search)) == ["flat.md", "houses.md"]
    rows = search.model.rows
    [head] = [row for row in rows if row.path == "houses.md"]
    assert head.more == f"{len(head.hit.passages)} more passages"
    search.hold()
    chosen = QPersistentModelIndex(search.model.index(rows.index(head)))
    search.unfold(head)
    qtbot.waitUntil(lambda: len(search.model.rows) > 2)
    passages = [row for row in search.model.rows if row.is_passage]
    at = chosen.row()
    assert search.model.rows[at + 1 : at + 1 + len(passages)] == passages
    assert {row.path for row in passages} == {"houses.md"}
    assert len({row.key for row in search.model.rows}) == 2 + len(passages)
    assert search.model.rows[at].more == "Show fewer passages"
    with qtbot.waitSignal(search.answered, check_params_cb=in_full):
        search.repeat()
    assert len(search.model.rows) == 2 + len(passages)
    search.model.update(fold_row(search.model.rows, passages[0]))
    assert sorted(shown_paths(search)) == ["flat.md", "houses.md"]
    assert "more passages" in search.model.rows[chosen.row()].more


def test_an_empty_box_shows_what_changed_lately(qtbot, search) -> None:
    with qtbot.waitSignal(search.recents_shown):
        search.type("  ")
    assert shown_paths(search) == ["router.md", DIARY, "network.md"]


def test_the_first_letters_of_a_word_leave_what_changed_lately(qtbot, search, answers) -> None:
    for text in ("z", "zq"):
        with qtbot.waitSignal(search.recents_shown):
            search.type(text)
        assert search.model.rowCount() == 3
    search.type("zqx")
    qtbot.waitUntil(lambda: all(row.is_uncertain for row in search.model.rows))


def test_the_first_letters_of_a_word_have_no_meaning_yet(qtbot, engine, search, notes) -> None:
    engine.settings_editor.set("memorySearch.query.minScore", 0).result(TIMEOUT)
    with qtbot.waitSignal(search.answered, check_params_cb=in_full):
        search.type("zqx")
    assert search.model.rowCount()
    for text in ("z", "zq"):
        with qtbot.waitSignal(search.recents_shown):
            search.type(text)
    change(engine, notes / "home", television="# Evening\n\nNo TV today.\n")
    with qtbot.waitSignal(search.answered, check_params_cb=in_full):
        search.type("tv")
    assert shown_paths(search) == ["television.md"]


def test_the_notes_of_a_day_stand_before_those_that_name_it(qtbot, engine, search, notes) -> None:
    diary = "# Class diary\n\n" + "".join(f"{n} November 2011: wasps.\n\n" for n in range(1, 30))
    change(engine, notes / "home", **{"2026-11-17": "Went shopping.\n", "diary": diary})
    for question in ("17 nov", "tuesday 17 november", "in november"):
        with qtbot.waitSignal(search.answered, check_params_cb=in_full):
            search.type(question)
        assert shown_paths(search)[0] == "2026-11-17.md", question


def test_a_filter_of_days_alone_shows_the_notes_of_these_days(qtbot, search) -> None:
    with qtbot.waitSignal(search.recents_shown):
        search.type("after:2026-03-11 before:2026-03-12")
    assert shown_paths(search) == [DIARY]


@pytest.mark.parametrize("quiet_ms", [NEVER_MS])
def test_nothing_moves_once_the_person_is_in_the_list(qtbot, engine, search, notes) -> None:
    texts = {"daughter": "# D\n\nOne word among many others: daughter.\n", "name": "Emma.\n"}
    change(engine, notes / "home", **texts)
    with qtbot.waitSignal(search.answered):
        search.type("daughter")
    assert shown_paths(search) == ["daughter.md"]
    search.hold()
    end_pause(search)
    qtbot.waitUntil(lambda: len(search.model.rows) > 1)
    assert shown_paths(search)[0] == "daughter.md"
    assert [row.is_late for row in search.model.rows[:2]] == [False, True]


def test_an_open_search_repeats_when_notes_change(qtbot, engine, search, notes) -> None:
    with qtbot.waitSignal(search.answered, check_params_cb=in_full):
        search.type("router")
    search.hold()
    (notes / "work" / "network.md").unlink()
    change(engine, notes / "home", new="# New\n\nRouter router router router.\n")
    assert not search.is_repeating
    search.repeat()
    assert search.is_repeating
    qtbot.waitUntil(lambda: shown_paths(search)[:2] == ["router.md", "new.md"])
    assert "network.md" not in shown_paths(search)


def test_a_repeated_search_is_not_one_that_a_person_asked_for(qtbot, search, answers) -> None:
    with qtbot.waitSignal(search.answered, check_params_cb=in_full):
        search.type("router")
    assert not any(answer.request.is_automatic for answer in answers)
    with qtbot.waitSignal(search.answered, check_params_cb=in_full):
        search.repeat()
    assert answers[-1].request.is_automatic
    with qtbot.waitSignal(search.answered, check_params_cb=in_full):
        search.type("router f")
    assert not answers[-1].request.is_automatic


def test_the_scope_is_searched_at_once(qtbot, search, answers) -> None:
    search.type("router")
    search.set_scope(Scope("work", Mode.LEXICAL))
    qtbot.waitUntil(lambda: shown_paths(search) == ["network.md"])
    assert answers[-1].request.workspace == "work"


def test_a_search_by_meaning_alone_waits_for_the_pause(qtbot, search, answers) -> None:
    search.set_scope(Scope(mode=Mode.VECTOR))
    search.type("teeth")
    qtbot.waitUntil(lambda: len(answers) == 1)
    assert answers[0].request.mode is Mode.VECTOR
    assert shown_paths(search) == [DIARY]


def test_recents_keep_to_the_scope(qtbot, search) -> None:
    search.set_scope(Scope("work"))
    qtbot.waitUntil(lambda: shown_paths(search) == ["network.md"])


def test_the_nearest_notes_are_marked_as_uncertain(qtbot, search) -> None:
    search.type("xylophone")
    qtbot.waitUntil(lambda: len(search.model.rows) > 1)
    assert {row.is_uncertain for row in search.model.rows} == {True}


def test_an_expected_failure_is_told_in_its_own_words(qtbot, search) -> None:
    search.set_scope(Scope("gone"))
    with qtbot.waitSignal(search.failed) as failed:
        search.type("router")
    assert failed.args == [
        "This folder is not in the list: gone has not been added to Scrubjay. Add the folder "
        "on the Folders page, or with `scrubjay workspace add gone`."
    ]


def test_an_unexpected_failure_is_a_bug(qtbot, engine, tasks) -> None:
    class Broken(LateWords):
        def search(self, request: SearchRequest, cancel: CancelToken) -> Future[SearchAnswer]:
            failed: Future[SearchAnswer] = Future()
            failed.set_exception(ZeroDivisionError("oops"))
            return failed

    search = LiveSearch(Broken(engine), tasks, max_results=10)
    with qtbot.waitSignal(tasks.broke) as broke:
        search.type("router")
    assert isinstance(broke.args[0], ZeroDivisionError)
    search.close()


def test_one_workspace_needs_no_badge(qtbot, engine, search) -> None:
    engine.folders.remove(engine.find_workspace("work")).result(TIMEOUT)
    search.type("router")
    qtbot.waitUntil(lambda: len(search.model.rows) == 1)
    assert search.model.rows[0].badge == ""
