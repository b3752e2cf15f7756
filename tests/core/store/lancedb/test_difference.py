"""What a publication writes, of folders and shared workspaces of any kind."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.records.note_records import Source
from scrubjay.store.lancedb.publisher import PublishedEntry, diff_publication
from scrubjay.store.lancedb.tables import (
    MOST_CHUNKS,
    NUMBER_BITS,
    chunk_id,
    document_number,
    stems_schema,
    workspace_key,
)
from scrubjay.store.lancedb.vocabulary import Vocabulary
from scrubjay.store.local_index_export import PublishedDocument

PATHS = st.sampled_from([f"{letter}.md" for letter in "abcdef"])
STATES = st.dictionaries(PATHS, st.tuples(st.integers(0, 2), st.booleans()))
STEMS = st.text(st.sampled_from("abß犬z"), min_size=1, max_size=60)
STEPS = st.lists(st.dictionaries(STEMS, st.integers(0, 5), max_size=8), min_size=1, max_size=5)


def document(number: int, path: str, content: int) -> PublishedDocument:
    digest = bytes([content])
    return PublishedDocument(number, path, path, Source.NOTES, content, path, None, (), digest)


@given(STATES, STATES)
def test_what_is_written_makes_the_shared_workspace_what_the_folder_is(
    folder: Mapping[str, tuple[int, bool]], shared: Mapping[str, tuple[int, bool]]
) -> None:
    documents = [document(at, path, folder[path][0]) for at, path in enumerate(folder)]
    lacking = {each.id for each in documents if not folder[each.path][1]}
    entries = {
        path: PublishedEntry(at, bytes([content]), is_complete, 1)
        for at, (path, (content, is_complete)) in enumerate(shared.items())
    }
    found = diff_publication(documents, entries, lambda some: lacking & {each.id for each in some})
    state = {
        path: entry for path, entry in shared.items() if entries[path].number not in found.gone
    }
    for each in found.changed:
        assert state.get(each.path) != folder[each.path], "was written without need"
        state[each.path] = folder[each.path]
    # A vector that is there is never taken away for one that is not.
    assert {path: content for path, (content, _) in state.items()} == {
        path: content for path, (content, _) in folder.items()
    }
    assert all(state[path][1] for path, (_, is_complete) in folder.items() if is_complete)


@given(STEPS)
def test_the_last_count_of_a_stem_counts_however_it_was_read(steps: list[dict[str, int]]) -> None:
    rows = [
        (stem, count, number)
        for number, step in enumerate(steps, start=1)
        for stem, count in step.items()
    ]

    def table(first: int) -> pa.Table:
        chosen = [row for row in rows if row[2] > first]
        columns = zip(*chosen, strict=True) if chosen else ([], [], [])
        return pa.table(dict(zip(stems_schema().names, columns, strict=True)), stems_schema())

    expected: dict[str, int] = {}
    for step in steps:
        expected |= step
    expected = {stem: count for stem, count in expected.items() if count}
    whole = Vocabulary.of(table(0))
    first = Vocabulary.of(table(0).filter(pa.compute.equal(table(0)["step"], 1)))
    later = first.with_rows(table, lambda: table(0), len(rows))
    # A table that was written anew has only rows of later steps.
    former = pa.table(dict(zip(stems_schema().names, (["none"], [3], [0]), strict=True)))
    anew = Vocabulary.of(former).with_rows(table, lambda: table(0), len(rows))
    for vocabulary in (whole, later, anew):
        assert vocabulary.counts([*expected, "none"]) == expected
        for stem in expected:
            begun = sorted(other for other in expected if other.startswith(stem[:2]))
            assert vocabulary.beginning(stem[:2]) == begun
            ended = sorted(other for other in expected if other.endswith(stem[-1]))
            assert vocabulary.ending(stem[-1], 1) == ended


@given(st.lists(st.text(max_size=5), unique=True))
def test_documents_and_chunks_have_numbers_of_their_own(paths: list[str]) -> None:
    numbers: set[int] = set()
    for path in paths:
        numbers.add(document_number(path, numbers))
    assert len(numbers) == len(paths)
    for number in numbers:
        last = chunk_id(number, MOST_CHUNKS - 1)
        assert last >> NUMBER_BITS == number
        assert last <= np.iinfo(np.int64).max


def test_a_number_that_is_taken_is_not_given_again() -> None:
    first = document_number("a.md", set())
    assert document_number("a.md", {first}) not in (first, document_number("b.md", set()))


@pytest.mark.parametrize(
    ("name", "key"),
    [("Team notes", "team-notes"), ("a/b", "a-b"), ("Öl-9", "ol-9"), ("犬", "1e82f9b0b675")],
)
def test_names_of_workspaces_become_names_of_tables(name: str, key: str) -> None:
    assert workspace_key(name) == key
