"""Settings, folders and queries that nobody would write on purpose."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.engine.engine import Engine
from scrubjay.errors import IndexTooNew
from scrubjay.platform.paths import Paths
from scrubjay.records.audience import AGENT, PERSON, Audience
from scrubjay.records.search_modes import Mode
from scrubjay.store.schema import MIGRATIONS
from support.providers import WordProvider
from support.vault import TIMEOUT, NewEngine, add, ask, found, tree_digest, write_notes


def with_extra_paths(new_engine: NewEngine, paths: Paths, extra: list[str]) -> Engine:
    text = json.dumps({"memorySearch": {"extraPaths": extra}})
    write_notes(paths.config, {"config.json5": text})
    return new_engine()


@pytest.fixture(scope="module")
def searched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """One engine for many queries."""
    home = tmp_path_factory.mktemp("home")
    engine = Engine(Paths.under(home / "home"), provider=WordProvider())
    notes = write_notes(home / "notes", {"router.md": "The password of the router.\n"})
    engine.refresh(add(engine, notes)).result(TIMEOUT)
    yield engine
    engine.close()


@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize(
    "query",
    [
        "router " * 14_000,
        "x" * 100_000,
        "router" + "\x00\x01\x1b\ufffe\ud800",
        '"router',
        "(((((",
        "NEAR(router, 2) AND OR NOT",
        "router*:^{}",
        'path:" after: before:2026-99-99 -',
        "path:\udcff\udcfe kitchen",
        '"\ud800" kitchen',
        "-\ud800 after:\udcff kitchen",
        "\N{ZERO WIDTH JOINER}" * 50,
        "漢" * 5_000,
    ],
    ids=lambda query: f"{query[:12]!a}",
)
def test_any_query_is_answered(searched: Engine, query: str, mode: Mode) -> None:
    answer = ask(searched, query, mode, min_score=0.0)
    if "router" in query and "NOT" not in query:
        assert [hit.path for hit in answer.hits] == ["router.md"]


@pytest.mark.parametrize(("query", "rows"), [("漢 ", 0), ("router 漢 ", 1), ("router xyz 漢  ", 1)])
def test_a_lone_sign_that_is_in_no_note_leaves_the_words_before_it(
    searched: Engine, query: str, rows: int
) -> None:
    answer = ask(searched, query, Mode.LEXICAL, audience=PERSON)
    assert len(answer.hits or answer.uncertain) == rows


@given(st.text(max_size=300), st.sampled_from([PERSON, AGENT]))
@settings(max_examples=40)
def test_no_text_at_all_breaks_a_search(searched: Engine, query: str, audience: Audience) -> None:
    for mode in (Mode.LEXICAL, Mode.HYBRID):
        answer = ask(searched, query, mode, audience=audience)
        assert all(0 <= hit.score <= 1 for hit in answer.hits)


def test_two_thousand_extra_paths_are_read(
    new_engine: NewEngine, paths: Paths, notes: Path, tmp_path: Path
) -> None:
    names = [f"{number}.md" for number in range(1_000)]
    extra = write_notes(tmp_path / "extra", {name: f"Number {name} is nice.\n" for name in names})
    listed = [str(extra / name) for name in names] + [f"missing/{name}" for name in names]
    engine = with_extra_paths(new_engine, paths, listed)
    [report] = engine.refresh(add(engine, notes), words_only=True).result(TIMEOUT)
    assert (report.changed, len(report.skipped)) == (1_003, 1_000)
    assert ask(engine, "router", Mode.LEXICAL).freshness.pending == 0


def test_an_extra_path_may_be_a_file_and_not_any_file(
    new_engine: NewEngine, paths: Paths, notes: Path, tmp_path: Path
) -> None:
    write_notes(tmp_path, {"bees.md": "Meet the beekeeper.\n", "bees.txt": "The beekeeper.\n"})
    listed = [str(tmp_path / "bees.md"), str(tmp_path / "bees.txt")]
    engine = with_extra_paths(new_engine, paths, listed)
    [report] = engine.refresh(add(engine, notes)).result(TIMEOUT)
    assert found(engine, "beekeeper") == ["bees.md"]
    assert ["end in .md" in file.reason for file in report.skipped] == [True]


@pytest.mark.needs("links")
def test_a_loop_of_links_ends_and_is_told(
    new_engine: NewEngine, paths: Paths, notes: Path, tmp_path: Path
) -> None:
    (notes / "again").symlink_to(notes)
    (notes / "round").symlink_to(notes / "about")
    (notes / "about").symlink_to(notes / "round")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    engine = with_extra_paths(new_engine, paths, [str(tmp_path / "loop"), str(notes / "again")])
    before = tree_digest(notes)
    [report] = engine.refresh(add(engine, notes)).result(TIMEOUT)
    assert report.changed == 3
    assert {"again", "round", "about"} <= {file.path for file in report.skipped}
    assert found(engine, "router") == ["house/router.md"]
    assert tree_digest(notes) == before


def test_an_index_from_the_future_is_refused_and_says_what_to_do(
    new_engine: NewEngine, paths: Paths, notes: Path
) -> None:
    engine = new_engine()
    engine.refresh(add(engine, notes)).result(TIMEOUT)
    engine.close()
    db = apsw.Connection(str(paths.indexes / "notes.sqlite"))
    db.execute(f"pragma user_version = {len(MIGRATIONS) + 1}")
    db.close()
    with pytest.raises(IndexTooNew) as refused:
        ask(new_engine(), "router")
    assert refused.value.hint
