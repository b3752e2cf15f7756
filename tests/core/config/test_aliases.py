"""Blocks of OpenClaw and ClawCode are understood in every spelling."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.config.aliases import merge_settings
from scrubjay.config.loading import memory_search_for
from scrubjay.config.settings_diff import leaf_values
from support.config_files import DOCUMENTED, written

BLOCK = {"query": {"maxResults": 9, "hybrid": {"textWeight": 0.5}}, "extraPaths": ["a"]}


@pytest.mark.parametrize(
    "file",
    [
        {"memorySearch": BLOCK},
        {"agents": {"defaults": {"memorySearch": BLOCK}}},
        {"agents": {"defaults": {"memory": {"search": BLOCK}}}},
        {"memory": {"search": BLOCK}},
        {"agents": {"list": [{"id": "main", "memorySearch": BLOCK}]}},
        {"agents": {"list": [5, {"id": "main", "memory": {"search": BLOCK}}]}},
        {"agents": {"entries": {"main": {"memorySearch": BLOCK}}}},
        {"agents": {"entries": {"main": {"memory": {"search": BLOCK}}}}},
    ],
)
def test_every_spelling_counts(tmp_path: Path, file: dict[str, Any]) -> None:
    search, _ = memory_search_for(written(tmp_path, file), "main")
    assert (search.query.max_results, search.query.hybrid.text_weight) == (9, 0.5)
    assert search.extra_paths == ("a",)


def test_the_newer_spelling_wins_key_by_key(tmp_path: Path) -> None:
    loaded = written(
        tmp_path,
        {
            "memory": {"search": {"query": {"maxResults": 1}}},
            "agents": {"defaults": {"memorySearch": {"query": {"maxResults": 2, "minScore": 0.2}}}},
            "memorySearch": {"query": {"minScore": 0.3}, "model": "m"},
        },
    )
    search = loaded.settings.memory_search
    assert (search.query.max_results, search.query.min_score, search.model) == (1, 0.2, "m")


def test_an_agent_overrides_and_adds_paths(tmp_path: Path) -> None:
    agent = {"memorySearch": {"extraPaths": ["b", "a"], "sources": ["sessions"], "model": "n"}}
    loaded = written(
        tmp_path,
        {
            "memorySearch": {"extraPaths": ["a"], "sources": ["memory"], "model": "m"},
            "agents": {"list": [{"id": "other", **agent}]},
        },
    )
    other, _ = memory_search_for(loaded, "other")
    main, _ = memory_search_for(loaded, "main")
    assert (other.extra_paths, other.sources, other.model) == (("a", "b"), ("sessions",), "n")
    assert (main.extra_paths, main.sources, main.model) == (("a",), ("memory",), "m")


def test_a_bad_override_gives_way_to_the_shared_value_and_is_told_for_its_agent(
    tmp_path: Path,
) -> None:
    loaded = written(
        tmp_path,
        {
            "memorySearch": {"query": {"maxResults": 9}},
            "agents": {
                "list": [{"id": "a"}, {"id": "b", "memorySearch": {"query": {"maxResults": "x"}}}]
            },
        },
    )
    search, problems = memory_search_for(loaded, "b")
    assert search.query.max_results == 9
    assert [(p.key, p.reason) for p in problems] == [
        (
            "agents.list[1].memorySearch.query.maxResults",
            'The value must be a whole number, not "x". Scrubjay is using 9 instead.',
        )
    ]
    assert (loaded.problems, memory_search_for(loaded, "a")[1]) == ((), ())


def test_an_overlap_that_only_an_agent_makes_too_large(tmp_path: Path) -> None:
    entries = {"a": {"memorySearch": {"chunking": {"tokens": 20, "overlap": 30}}}}
    loaded = written(tmp_path, {"agents": {"entries": entries}})
    search, problems = memory_search_for(loaded, "a")
    assert search.chunking.overlap == 19
    assert [p.key for p in problems] == ["agents.entries.a.memorySearch.chunking.overlap"]


@pytest.mark.parametrize("name", DOCUMENTED)
def test_a_block_from_their_documentation_loads_unchanged(tmp_path: Path, name: str) -> None:
    text, expected = DOCUMENTED[name]
    loaded = written(tmp_path, text)
    found = dict(leaf_values(loaded.settings.memory_search))
    assert {key: found[key] for key in expected} == expected
    assert loaded.problems == ()


KEYS = st.sampled_from(["a", "b", "c", "extraPaths"])
OBJECTS = st.recursive(
    st.dictionaries(KEYS, st.integers() | st.lists(st.text(max_size=2), max_size=3), max_size=4),
    lambda inner: st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=6,
)


@given(OBJECTS, OBJECTS)
def test_every_strong_leaf_survives_a_merge(weak: dict[str, Any], strong: dict[str, Any]) -> None:
    def check(merged: Any, key: str, value: Any) -> None:
        if isinstance(value, dict) and isinstance(merged, dict):
            for inner, leaf in value.items():
                check(merged[inner], inner, leaf)
        elif key == "extraPaths" and isinstance(value, list):
            assert set(value) <= set(merged)
        else:
            assert merged == value

    before = json.dumps([weak, strong])
    check(merge_settings(weak, strong), "", strong)
    assert json.dumps([weak, strong]) == before


@given(OBJECTS)
def test_merging_with_nothing_changes_nothing(block: dict[str, Any]) -> None:
    assert merge_settings({}, block) == block
    assert merge_settings(block, {}) == block
