"""Whatever a settings file holds, settings come out, and every misfit is told."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.config.loading import (
    LoadedSettings,
    copy_usable,
    load_settings,
    memory_search_for,
    off_key,
)
from scrubjay.config.schema.memory_search import MemorySearch
from scrubjay.config.schema.section import section_keys
from scrubjay.config.schema.settings import Settings, SettingsFile
from scrubjay.config.settings_diff import changed_keys, leaf_values
from support.config_files import written

JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["auto", "local", "sessions", "main", "~nobody/x", "\ud800"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=12,
)


@pytest.mark.parametrize("text", ["", " \n", "\ufeff\n", "{}", "{memorySearch: null}"])
def test_nothing_means_the_defaults(tmp_path: Path, text: str) -> None:
    loaded = written(tmp_path, text)
    assert (loaded.settings, loaded.problems) == (Settings(), ())


def test_a_missing_file_means_the_defaults(tmp_path: Path) -> None:
    assert load_settings(tmp_path / "config.json5") == LoadedSettings(Settings())


def test_the_defaults_are_those_people_know() -> None:
    search = Settings().memory_search
    assert {
        "tokens": (search.chunking.tokens, search.chunking.overlap),
        "query": (search.query.max_results, search.query.min_score),
        "weights": search.query.hybrid.weights,
        "extras": (search.query.hybrid.mmr.enabled, search.query.hybrid.temporal_decay.enabled),
        "debounce": search.sync.watch_debounce_ms,
        "cache": search.cache.max_entries,
        "provider": (search.provider, search.fallback),
        "sources": search.active_sources,
    } == {
        "tokens": (400, 80),
        "query": (6, 0.35),
        "weights": (0.7, 0.3),
        "extras": (False, False),
        "debounce": 1500,
        "cache": 50_000,
        "provider": ("auto", "none"),
        "sources": ("memory",),
    }


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (
            b"{\n  a: 1\n  b: 2\n}",
            "The file has a mistake in line 3, column 3: expected a comma or }",
        ),
        (b"\xff\xfe{\x00}\x00", "The file contains characters that Scrubjay cannot read"),
        (b"[1]", "The file must begin with a curly bracket, not with [1]"),
        (b"[" * 5000, "The file has a mistake in line 1, column 65: more than 64 levels deep"),
    ],
)
def test_a_broken_file_means_the_defaults_and_one_problem(
    tmp_path: Path, content: bytes, reason: str
) -> None:
    (tmp_path / "config.json5").write_bytes(content)
    loaded = load_settings(tmp_path / "config.json5")
    (problem,) = loaded.problems
    assert (loaded.settings, problem.key) == (Settings(), "config.json5")
    assert problem.reason.startswith(reason)
    assert problem.reason.endswith(". Scrubjay is using the default settings.")


def test_a_folder_in_place_of_the_file_is_a_problem(tmp_path: Path) -> None:
    assert "This is not a regular file" in load_settings(tmp_path).problems[0].reason


@pytest.mark.needs("named pipes")
@pytest.mark.skipif(sys.platform == "win32", reason="there are no such files")
def test_a_pipe_in_place_of_the_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "config.json5")
    assert (
        "This is not a regular file" in load_settings(tmp_path / "config.json5").problems[0].reason
    )


@pytest.mark.parametrize("content", [None, b"", b"\n", b"\xef\xbb\xbf", b"{a: ", b"[]"])
def test_an_unusable_file_leaves_the_settings_of_its_last_text(
    tmp_path: Path, content: bytes | None
) -> None:
    file, last = tmp_path / "config.json5", tmp_path / "state" / "last.json5"
    file.write_text("{localOnly: true}")
    copy_usable(load_settings(file, last), last)
    file.unlink()
    if content is not None:
        file.write_bytes(content)
    copy_usable(load_settings(file, last), last)
    loaded = load_settings(file, last)
    assert loaded.settings.local_only
    (problem,) = loaded.problems
    assert ". Scrubjay continues to use the previous settings." in problem.reason
    if sys.platform != "win32":
        assert last.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("key", "value", "reason"),
    [
        (
            "query.maxResults",
            "six",
            'The value must be a whole number, not "six". Scrubjay is using 6 instead.',
        ),
        (
            "query.maxResults",
            True,
            "The value must be a whole number, not true. Scrubjay is using 6 instead.",
        ),
        (
            "query.maxResults",
            2.5,
            "The value must be a whole number, not 2.5. Scrubjay is using 6 instead.",
        ),
        ("query.maxResults", 0, "0 is too small. Scrubjay is using 1 instead."),
        ("query.maxResults", 10**200, "1000000000000000000000000000000000000000... is too large"),
        (
            "query.maxResults",
            10**999,
            "The value must be a whole number, not Infinity. Scrubjay is using 6 instead.",
        ),
        (
            "query.minScore",
            float("nan"),
            "The value must be a finite number, not NaN. Scrubjay is using 0.35 instead.",
        ),
        ("query.minScore", -1, "-1 is too small. Scrubjay is using 0 instead."),
        (
            "query.minScore",
            {},
            "The value must be a number, not an object. Scrubjay is using 0.35 instead.",
        ),
        ("query.hybrid.candidateMultiplier", 99, "99 is too large. Scrubjay is using 20 instead."),
        ("query.hybrid.mmr.lambda", 2, "2 is too large. Scrubjay is using 1 instead."),
        (
            "query.hybrid.fusion",
            "magic",
            'The value must be "adaptive", "weighted" or "rrf", not "magic"',
        ),
        (
            "query.hybrid",
            [1, 2, 3, 4],
            "The value must be an object, not a list. Scrubjay is using the default value.",
        ),
        (
            "query",
            "all",
            'The value must be an object, not "all". Scrubjay is using the default value.',
        ),
        (
            "enabled",
            "yes",
            'The value must be true or false, not "yes". Scrubjay is using true instead.',
        ),
        ("provider", "bedrock", 'The value must be "auto", "local", '),
        ("model", 5, "The value must be text, not 5. Scrubjay is using the default value."),
        (
            "extraPaths",
            "~/notes",
            'The value must be a list, not "~/notes". Scrubjay is using the default value.',
        ),
        ("sources", [], None),
        (
            "chunking.overlap",
            400,
            "The overlap must be smaller than the size of a passage. Scrubjay is using 399 "
            "instead of 400.",
        ),
        ("chunking.tokens", 0, "0 is too small. Scrubjay is using 1 instead."),
        (
            "outputDimensionality",
            "768",
            'The value must be a whole number, not "768". Scrubjay is using the default value.',
        ),
        ("local.contextSize", 1, "1 is too small. Scrubjay is using 128 instead."),
        ("local.contextSize", "auto", None),
        ("query.maxResults", 8.0, None),
        ("provider", " OpenAI-Compatible", None),
        ("remote.apiKey", {"source": "env", "provider": "default", "id": "KEY"}, None),
    ],
)
def test_a_value_that_does_not_fit_is_told_with_what_is_used(
    tmp_path: Path, key: str, value: Any, reason: str | None
) -> None:
    nested = value
    for step in reversed(key.split(".")):
        nested = {step: nested}
    loaded = written(tmp_path, {"memorySearch": nested})
    problems = [(p.key, p.reason.startswith(reason or "")) for p in loaded.problems]
    assert problems == ([(f"memorySearch.{key}", True)] if reason else [])


def test_one_wrong_entry_leaves_the_others(tmp_path: Path) -> None:
    search = {
        "extraPaths": ["a", 5, " b ", "", None, "a"],
        "sources": ["sessions", "x"],
        "remote": {"headers": {"a": 1, "b": "2"}},
        "queryExpansion": {"synonyms": {"bird": "ave", "nest": ["nido", 0]}},
    }
    loaded = written(tmp_path, {"memorySearch": search})
    used = loaded.settings.memory_search
    assert used.extra_paths == ("a", "b")
    assert used.sources == ("sessions",)
    assert used.remote.headers == {"b": "2"}
    assert used.query_expansion.synonyms == {"bird": ("ave",), "nest": ("nido",)}
    assert {(p.key, p.reason.endswith("ignores this value.")) for p in loaded.problems} == {
        ("memorySearch.extraPaths[1]", True),
        ("memorySearch.extraPaths[4]", True),
        ("memorySearch.sources[1]", True),
        ("memorySearch.remote.headers.a", True),
        ("memorySearch.queryExpansion.synonyms.nest[1]", True),
    }


def test_a_wrong_value_hides_nothing_beside_it(tmp_path: Path) -> None:
    search = {"local": {"contextSize": [], "modelPath": "m.gguf"}, "fallback": "x", "model": "m"}
    used = written(tmp_path, {"memorySearch": search}).settings.memory_search
    assert (used.local.context_size, used.local.model_path, used.model) == (4096, "m.gguf", "m")


def test_secrets_are_not_repeated_in_problems_or_logs(tmp_path: Path) -> None:
    loaded = written(
        tmp_path, {"memorySearch": {"remote": {"apiKey": ["sk-1"], "headers": "sk-2"}}}
    )
    valid = written(tmp_path, {"memorySearch": {"remote": {"apiKey": "sk-3"}}})
    assert "sk-" not in f"{loaded.problems}{loaded}{valid}"


@pytest.mark.parametrize("value", ['"yes"', "null", "0", "[]"])
def test_the_privacy_switch_stays_on_when_it_makes_no_sense(tmp_path: Path, value: str) -> None:
    loaded = written(tmp_path, f"{{localOnly: {value}}}")
    assert loaded.settings.local_only
    assert (
        loaded.problems[0].reason
        == f"The value must be true or false, not {value}. Scrubjay is using true instead."
    )


@pytest.mark.parametrize("value", ["'none'", "' None '", "null"])
def test_without_a_plugin_for_memory_nothing_is_searched(tmp_path: Path, value: str) -> None:
    agents = "agents: {list: [{id: 'main', memorySearch: {enabled: true}}]}"
    slots = f"plugins: {{slots: {{memory: {value}}}, entries: {{x: {{}}}}}}"
    loaded = written(tmp_path, f"{{{slots}, {agents}, memorySearch: {{enabled: true}}}}")
    assert not loaded.settings.memory_search.enabled
    assert not memory_search_for(loaded, "main")[0].enabled
    assert off_key(loaded, "main") == "plugins.slots.memory"
    # It does what it says, so that it is not a problem of the file.
    assert loaded.problems == loaded.unknown == ()
    assert loaded.not_used == ("plugins.entries.x",)


@pytest.mark.parametrize("slots", ["{}", "{memory: 'memory-lancedb'}", "{memory: 7}"])
def test_another_plugin_for_memory_leaves_the_search_on(tmp_path: Path, slots: str) -> None:
    assert written(tmp_path, f"{{plugins: {{slots: {slots}}}}}").settings.memory_search.enabled


def test_unknown_keys_are_listed_and_kept(tmp_path: Path) -> None:
    text = (
        "{gateway: {port: 1}, memorySearch: {qmd: {}, zip: 1, query: {top: 3}},"
        " memory: {qmd: {rerank: 1}}}"
    )
    loaded = written(tmp_path, text)
    assert loaded.unknown == ("gateway", "memorySearch.zip", "memorySearch.query.top")
    assert loaded.not_used == ("memorySearch.qmd", "memory.qmd.rerank")
    assert loaded.raw["gateway"] == {"port": 1}
    assert loaded.problems == ()


def test_a_key_that_stands_twice_is_told(tmp_path: Path) -> None:
    loaded = written(tmp_path, "{localOnly: true, localOnly: false, l: {a: 1, a: 1}, '': 1}")
    assert [p.key for p in loaded.problems] == ["localOnly"]


@pytest.mark.parametrize(
    ("given_weights", "used"),
    [((0, 0), (0.7, 0.3)), ((1, 1), (0.5, 0.5)), ((0, 0.2), (0, 1)), ((0.9, 0.1), (0.9, 0.1))],
)
def test_weights_add_up_to_one(
    tmp_path: Path, given_weights: tuple[float, float], used: tuple[float, float]
) -> None:
    hybrid = {"vectorWeight": given_weights[0], "textWeight": given_weights[1]}
    loaded = written(tmp_path, {"memorySearch": {"query": {"hybrid": hybrid}}})
    assert loaded.settings.memory_search.query.hybrid.weights == pytest.approx(used)


@pytest.mark.parametrize(
    ("chunking", "overlap"),
    [({"tokens": 50}, 10), ({"tokens": 1}, 0), ({"tokens": 900}, 80), ({"overlap": 0}, 0)],
)
def test_overlap_follows_the_size(tmp_path: Path, chunking: dict[str, int], overlap: int) -> None:
    loaded = written(tmp_path, {"memorySearch": {"chunking": chunking}})
    assert loaded.settings.memory_search.chunking.overlap == overlap
    assert loaded.problems == ()


def test_sessions_need_their_switch(tmp_path: Path) -> None:
    search: dict[str, Any] = {"sources": ["sessions"]}
    assert written(tmp_path, {"memorySearch": search}).settings.memory_search.active_sources == (
        "memory",
    )
    search["experimental"] = {"sessionMemory": True}
    assert written(tmp_path, {"memorySearch": search}).settings.memory_search.active_sources == (
        "sessions",
    )


def test_the_index_file_knows_the_agent(tmp_path: Path) -> None:
    store = written(tmp_path, {"memorySearch": {"store": {"path": "~/i/{agentId}.db"}}})
    assert Settings().memory_search.store.index_file("a", tmp_path) == tmp_path / "a.sqlite"
    assert store.settings.memory_search.store.index_file("a", tmp_path) == Path.home() / "i/a.db"


def test_two_thousand_extra_paths(tmp_path: Path) -> None:
    paths = [f"/notes/{number}" for number in range(2000)]
    loaded = written(
        tmp_path,
        {
            "memorySearch": {"extraPaths": paths + paths},
            "agents": {"list": [{"id": "a", "memorySearch": {"extraPaths": [*range(2000), "x"]}}]},
        },
    )
    search, problems = memory_search_for(loaded, "a")
    assert loaded.settings.memory_search.extra_paths == tuple(paths)
    assert search.extra_paths == (*paths, "x")
    assert len(problems) == 2000


def test_workspaces_are_completed_and_made_unique(tmp_path: Path) -> None:
    folder = str(tmp_path / "My Notes")
    loaded = written(
        tmp_path,
        {
            "workspaces": [
                {"id": "work", "name": "Work", "path": "/work"},
                {"path": folder},
                {"id": "Work", "path": "/other"},
                {"id": "../up", "path": "~nobody-here/x"},
                {"name": "nowhere"},
                "text",
                {"id": 5, "path": "/five"},
            ]
        },
    )
    assert [(entry.id, entry.name) for entry in loaded.settings.workspaces] == [
        ("work", "Work"),
        ("my-notes", "My Notes"),
        ("Work-2", "other"),
        ("up", "x"),
        ("five", "five"),
    ]
    assert {p.key for p in loaded.problems} == {
        "workspaces[2].id",
        "workspaces[3].id",
        "workspaces[4]",
        "workspaces[5]",
        "workspaces[6].id",
    }


def _schema_keys() -> list[str]:
    names = [key for key, _ in leaf_values(MemorySearch())]
    return sorted({step for name in names for step in name.split(".")})


NEAR_SCHEMA = st.recursive(
    JSON_VALUES,
    lambda inner: (
        st.dictionaries(
            st.sampled_from(
                [
                    *section_keys(SettingsFile),
                    *("search", "defaults", "list", "entries", "id", "builtin", "path", "main"),
                    *("workspace", "default", "name", "providers", "openai", "apiKey", "headers"),
                    *_schema_keys(),
                ]
            ),
            inner,
            max_size=5,
        )
        | st.lists(inner, max_size=3)
    ),
    max_leaves=30,
)


@given(value=NEAR_SCHEMA)
def test_any_value_anywhere_gives_valid_settings(
    tmp_path_factory: pytest.TempPathFactory, value: Any
) -> None:
    loaded = written(tmp_path_factory.getbasetemp(), json.dumps(value))
    search, problems = memory_search_for(loaded, "main")
    for valid in (loaded.settings.memory_search, search):
        assert MemorySearch.of(valid.by_key()) == valid
        assert 0 <= valid.chunking.overlap < valid.chunking.tokens
        assert sum(valid.query.hybrid.weights) == pytest.approx(1)
    for problem in (*loaded.problems, *problems):
        assert problem.key
        assert "Scrubjay is using " in problem.reason or "Scrubjay ignores " in problem.reason


LEAVES = [key for key, _ in leaf_values(MemorySearch())]


@given(key=st.sampled_from(LEAVES), value=JSON_VALUES)
def test_a_value_touches_no_other_key(
    tmp_path_factory: pytest.TempPathFactory, key: str, value: Any
) -> None:
    nested = value
    for step in reversed(key.split(".")):
        nested = {step: nested}
    loaded = written(tmp_path_factory.getbasetemp(), {"memorySearch": nested})
    found = changed_keys(MemorySearch(), loaded.settings.memory_search)
    assert {*found} <= {key, "chunking.overlap"}
    assert all(problem.key.startswith(f"memorySearch.{key}") for problem in loaded.problems)


BARE = """
// as the documentation shows it
agents: {
  defaults: { memorySearch: { query: { maxResults: 4 } } },
},
"memory": { citations: "on" },
"""


def test_a_block_without_outer_braces_loads(tmp_path: Path) -> None:
    loaded = written(tmp_path, BARE)
    assert loaded.problems == ()
    search = loaded.settings.memory_search
    assert (search.query.max_results, search.citations) == (4, "on")


def test_a_mistake_in_a_block_without_braces_is_told_with_its_line(tmp_path: Path) -> None:
    [problem] = written(tmp_path, "agents: {\n  list: [ }\n").problems
    assert "line 2, column 11" in problem.reason


PASTED = """{
  agents: {
    defaults: { workspace: "~/main-notes", memorySearch: { query: { maxResults: 4 } } },
    list: [
      { id: "main", default: true },
      { id: "work", name: "At work", workspace: "~/work",
        memorySearch: { query: { maxResults: 3 } } },
      { id: "same", workspace: "~/work" },
    ],
  },
}
"""


def test_the_folders_of_agents_in_a_block_are_searched(tmp_path: Path) -> None:
    loaded = written(tmp_path, PASTED)
    assert (loaded.problems, loaded.unknown) == ((), ())
    assert [
        (entry.id, entry.name, entry.root, entry.layout) for entry in loaded.settings.workspaces
    ] == [
        ("work", "At work", Path.home() / "work", "agent"),
        ("main", "main", Path.home() / "main-notes", "agent"),
    ]
    assert memory_search_for(loaded, "work")[0].query.max_results == 3


def test_a_folder_of_the_list_is_not_there_twice(tmp_path: Path) -> None:
    text = PASTED.replace("{", '{ workspaces: [{ id: "w", path: "~/work" }],', 1)
    loaded = written(tmp_path, text)
    assert [entry.id for entry in loaded.settings.workspaces] == ["w", "main"]
    # The settings of its agent hold for it all the same.
    assert memory_search_for(loaded, "w")[0].query.max_results == 3
    assert memory_search_for(loaded, "main")[0].query.max_results == 4


MODELS = """{
  models: {
    mode: "merge",
    providers: {
      google: { apiKey: "${G}", baseUrl: "https://gemini.example/v1beta", models: [] },
      openai: { apiKey: { source: "env", id: "O" }, headers: { "X-Org": "a" } },
      anthropic: { apiKey: "other" },
    },
  },
}
"""


def test_the_services_of_the_models_of_another_program_are_read(tmp_path: Path) -> None:
    loaded = written(tmp_path, MODELS)
    assert (loaded.problems, loaded.unknown) == ((), ())
    gemini = loaded.settings.models.of_service("gemini")
    openai = loaded.settings.models.of_service("openai")
    assert (gemini.api_key, gemini.base_url) == ("${G}", "https://gemini.example/v1beta")
    assert (openai.api_key, openai.headers) == ("${O}", {"X-Org": "a"})
    assert loaded.settings.models.of_service("voyage").api_key == ""


@pytest.mark.parametrize(("fusion", "listed"), [("adaptive", True), ("weighted", False)])
def test_weights_that_do_not_count_are_listed(tmp_path: Path, fusion: str, listed: bool) -> None:
    hybrid = {"fusion": fusion, "textWeight": 0.4}
    loaded = written(tmp_path, {"memorySearch": {"query": {"hybrid": hybrid}}})
    assert ("memorySearch.query.hybrid.textWeight" in loaded.not_used) is listed
