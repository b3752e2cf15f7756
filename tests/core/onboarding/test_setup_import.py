"""Bringing over set-ups of other programs, from files as they write them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from scrubjay.concurrency.thread_pool import DaemonThreadPool
from scrubjay.config.loading import load_settings, memory_search_for
from scrubjay.config.schema.memory_search import MemorySearch
from scrubjay.engine.engine import Engine
from scrubjay.errors import ConfigError
from scrubjay.notes.scan import scan_folder
from scrubjay.onboarding.setup_import import Importer, ImportKind, Plan, SetupPlaces
from scrubjay.platform.paths import Paths
from scrubjay.store.index_records import Filters
from support.vault import tree_digest, write_notes

OPENCLAW = """{
  // theirs
  agents: {
    defaults: {
      memorySearch: { query: { maxResults: 9 }, remote: { apiKey: "sk-secret-1" } },
    },
    list: [
      { id: "main", default: true },
      { id: "work", name: "At work", workspace: "~/work",
        memorySearch: { query: { minScore: 0.2 } } },
      { id: "gone", workspace: "/nowhere/at/all" },
    ],
  },
}
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    home = tmp_path / "person"
    for folder in (".openclaw/workspace", "work", ".node-llama-cpp/models"):
        (home / folder).mkdir(parents=True)
        (home / folder / "MEMORY.md").write_text("# Memory\n")
    (home / ".openclaw" / "openclaw.json").write_text(OPENCLAW)
    (home / ".node-llama-cpp/models/embeddinggemma-300m.gguf").write_bytes(b"GGUF")
    (home / ".node-llama-cpp/models/llama-8b.gguf").write_bytes(b"GGUF")
    return home


@pytest.fixture
def engine(paths: Paths) -> Iterator[Engine]:
    engine = Engine(paths)
    yield engine
    engine.close()


@pytest.fixture
def importer(engine: Engine, home: Path, paths: Paths) -> Iterator[Importer]:
    setup_importer = Importer(paths, DaemonThreadPool("test"), engine, SetupPlaces(home, {}))
    yield setup_importer
    setup_importer.close()


@pytest.fixture
def plans(importer: Importer) -> Callable[[], list[Plan]]:
    return lambda: [importer.plan(setup).result() for setup in importer.find().result()]


def lines(plan: Plan, kind: ImportKind) -> dict[str, str]:
    return {item.what: item.obstacle for item in plan.items if item.kind is kind}


@pytest.mark.needs("POSIX paths")
def test_a_plan_says_what_comes_and_what_stays(plans, home: Path) -> None:
    (plan,) = plans()
    assert lines(plan, ImportKind.WORKSPACE) == {
        str(home / ".openclaw/workspace"): "",
        str(home / "work"): "",
        "/nowhere/at/all": "The folder does not exist.",
    }
    assert lines(plan, ImportKind.SETTING) == {
        "query.maxResults = 9": "",
        "remote.apiKey": "",
        "work: query.minScore = 0.2": "",
    }
    assert lines(plan, ImportKind.MODEL) == {"embeddinggemma-300m.gguf": ""}


def test_what_is_brought_over_holds_and_goes_again(
    importer: Importer, plans, engine: Engine, paths: Paths, home: Path
) -> None:
    before = tree_digest(home)
    importer.apply(plans()).result()
    assert [workspace.name for workspace in engine.workspaces()] == ["main", "At work"]
    assert engine.settings.settings.memory_search.query.max_results == 9
    assert engine.settings.settings.memory_search.remote.api_key == "sk-secret-1"
    assert [entry.layout for entry in engine.settings.settings.workspaces] == ["agent", "agent"]
    assert importer.undo().result() == ("work", "main")
    assert set(load_settings(paths.config_file).raw) == {"workspaces"}
    assert not any("sk-secret-1" in file.read_text() for file in paths.config.glob("config*"))
    assert tree_digest(home) == before
    with pytest.raises(ConfigError, match="nothing to undo"):
        importer.undo().result()


def test_bringing_over_twice_adds_nothing(importer: Importer, plans, engine: Engine) -> None:
    importer.apply(plans()).result()
    (again,) = plans()
    assert {item.kind for item in again.brought} <= {ImportKind.MODEL}
    assert importer.apply([again]).result().done == ()
    assert len(engine.workspaces()) == 2


def test_a_dry_plan_writes_nothing(plans, paths: Paths, home: Path) -> None:
    before = tree_digest(home)
    plans()
    assert not paths.config_file.exists()
    assert tree_digest(home) == before


def test_a_setting_of_ones_own_stays(plans, paths: Paths, engine: Engine) -> None:
    paths.config.mkdir(parents=True, exist_ok=True)
    paths.config_file.write_text("{ memorySearch: { query: { maxResults: 30 } } }")
    engine.reload_settings().result()
    (plan,) = plans()
    assert (
        lines(plan, ImportKind.SETTING)["query.maxResults = 9"]
        == "Scrubjay will keep your current setting."
    )


def test_who_answers_is_brought_over_and_goes_again(
    importer: Importer, plans, engine: Engine, home: Path
) -> None:
    memory = {"backend": "qmd", "qmd": {"searchMode": "query", "paths": [{"path": "~/wiki"}]}}
    (home / ".openclaw" / "openclaw.json").write_text(json.dumps({"memory": memory}))
    (plan,) = plans()
    assert list(lines(plan, ImportKind.SETTING).values()) == ["", "", ""]
    assert "memory.backend = qmd" in lines(plan, ImportKind.SETTING)
    importer.apply([plan]).result()
    brought = engine.settings.settings.memory
    assert (brought.backend, brought.qmd.search_mode) == ("qmd", "query")
    assert [folder.path for folder in brought.qmd.paths] == ["~/wiki"]
    assert {item.kind for item in plans()[0].brought} <= {ImportKind.MODEL}
    importer.undo().result()
    engine.reload_settings().result()
    assert engine.settings.settings.memory.backend == "builtin"


@pytest.mark.parametrize(
    ("folder", "name", "app"),
    [
        (".clawdbot", "clawdbot.json", "Clawdbot"),
        (".coderclaw", "coderclaw.json", "CoderClaw"),
        (".moltbot", "moltbot.json", "Moltbot"),
    ],
)
def test_former_names_are_known(plans, home: Path, folder: str, name: str, app: str) -> None:
    (home / ".openclaw").rename(home / folder)
    (home / folder / "openclaw.json").rename(home / folder / name)
    (plan,) = plans()
    assert plan.setup.app == app
    assert str(home / folder / "workspace") in lines(plan, ImportKind.WORKSPACE)


def test_collections_of_qmd_become_workspaces(plans, home: Path) -> None:
    (home / ".openclaw" / "openclaw.json").unlink()
    (home / ".config" / "qmd").mkdir(parents=True)
    (home / ".config" / "qmd" / "index.yml").write_text(
        f"collections:\n  notes:\n    path: {home / 'work'}\n    pattern: '**/*.md'\n"
    )
    (plan,) = plans()
    assert (plan.setup.app, lines(plan, ImportKind.WORKSPACE)) == ("QMD", {str(home / "work"): ""})


def test_what_a_collection_of_qmd_leaves_out_is_excluded_or_named(
    importer: Importer, plans, engine: Engine, home: Path
) -> None:
    (home / ".openclaw" / "openclaw.json").unlink()
    for name in ("notes", "closed"):
        (home / name / "drafts").mkdir(parents=True)
    (home / ".config" / "qmd").mkdir(parents=True)
    (home / ".config" / "qmd" / "index.yml").write_text(
        f"""global_context: Notes of a person
collections:
  notes:
    path: {home / "notes"}
    pattern: "**/*.txt"
    ignore:
      - "drafts/**"
      - "*.tmp.md"
      - "{{a,b}}.md"
      - "[z-a]"
    context:
      /drafts: Unfinished work
  closed:
    path: {home / "closed"}
    includeByDefault: false
"""
    )
    (plan,) = plans()
    assert lines(plan, ImportKind.SETTING) == {
        "notes: ignore = *, !*/, !/**/*.txt, /drafts/, /*.tmp.md, /a.md, /b.md": "",
        "notes: descriptions = Notes of a person / Unfinished work": "",
        "closed: descriptions = Notes of a person": "",
        "closed: searched = named": "",
        "notes: ignore = [z-a]": "The pattern '/[z-a]' cannot be used. Check its brackets, and "
        "remove any backslash at its end.",
    }
    importer.apply([plan]).result()
    notes, closed = engine.workspaces()
    described = [(each.folder, each.text) for each in notes.descriptions]
    assert described == [("", "Notes of a person"), ("drafts", "Unfinished work")]
    assert [notes.searched, closed.searched] == ["always", "named"]
    write_notes(home / "notes", dict.fromkeys(("x.txt", "x.md", "deep/y.txt", "drafts/z.txt"), "N"))
    engine.refresh(notes, words_only=True).result()
    listed = engine.journal.newest(Filters(), frozenset([notes.id]), after=None, limit=9).result()
    assert {note.path for note in listed.notes} == {"x.txt", "deep/y.txt"}
    importer.undo().result()


@pytest.mark.parametrize(
    ("pattern", "wanted"),
    [
        ("*.md", {"a.md"}),
        ("**/*.{md,txt}", {"a.md", "b.txt", "x/c.md"}),
        ("x/**/*.md", {"x/c.md"}),
        ("a.md, b.txt", {"a.md", "b.txt"}),
        ("**/*.md", {"a.md", "x/c.md", "b.txt"}),
        ("**/*", {"a.md", "x/c.md", "b.txt"}),
        ("**", {"a.md", "x/c.md", "b.txt"}),
        ("./**/**/*", {"a.md", "x/c.md", "b.txt"}),
        ("**/*.{md,txt}, **", {"a.md", "x/c.md", "b.txt"}),
        ("*", {"a.md", "b.txt"}),
        ("x/**", {"x/c.md"}),
        ("**/x/**", {"x/c.md"}),
        ("**/*.*", {"a.md", "x/c.md", "b.txt"}),
        ("**/[!b].*", {"a.md", "x/c.md"}),
    ],
)
def test_the_pattern_of_a_collection_holds_here(
    importer: Importer, plans, engine: Engine, home: Path, pattern: str, wanted: set[str]
) -> None:
    (home / ".openclaw" / "openclaw.json").unlink()
    write_notes(home / "notes", dict.fromkeys(("a.md", "b.txt", "x/c.md"), "N"))
    text = f'collections:\n  notes:\n    path: {home / "notes"}\n    pattern: "{pattern}"\n'
    write_notes(home / ".config" / "qmd", {"index.yml": text})
    importer.apply(plans()).result()
    [notes] = engine.workspaces()
    files = scan_folder(notes.root, layout="notes", left_out=notes.left_out).files
    assert set(files) == wanted


@pytest.mark.parametrize(
    "pattern", ["**/*.@(md|txt)", "**/!(*.tmp).md", "{1..3}.md", "*.md, !b.md", "!x/**", "[z-a].md"]
)
@pytest.mark.parametrize("key", ["pattern", "ignore"])
def test_a_pattern_without_its_like_here_is_named_and_excludes_no_note(
    importer: Importer, plans, engine: Engine, home: Path, key: str, pattern: str
) -> None:
    (home / ".openclaw" / "openclaw.json").unlink()
    write_notes(home / "notes", dict.fromkeys(("a.md", "b.txt", "x/c.md"), "N"))
    text = f'collections:\n  notes:\n    path: {home / "notes"}\n    {key}: "{pattern}"\n'
    write_notes(home / ".config" / "qmd", {"index.yml": text})
    [plan] = plans()
    [(what, why)] = lines(plan, ImportKind.SETTING).items()
    assert (what, bool(why)) == (f"notes: {key} = {pattern}", True)
    importer.apply([plan]).result()
    [notes] = engine.workspaces()
    files = scan_folder(notes.root, layout="notes", left_out=notes.left_out).files
    assert set(files) == {"a.md", "b.txt", "x/c.md"}


def test_only_texts_describe_the_folders_of_a_collection(plans, home: Path) -> None:
    (home / ".openclaw" / "openclaw.json").unlink()
    text = f"""global_context: [a, b]
collections:
  notes:
    path: {home / "work"}
    pattern: ["*.md", null]
    context: {{Sub: null, Old: [a], Year: 2024, Kept: Real words, Blank: ""}}
"""
    write_notes(home / ".config" / "qmd", {"index.yml": text})
    [plan] = plans()
    assert lines(plan, ImportKind.SETTING) == {
        "notes: ignore = *, !*/, !/*.md": "",
        "notes: descriptions = Real words": "",
    }


def test_what_openclaw_has_besides_is_named(plans, home: Path) -> None:
    (home / ".openclaw" / "openclaw.json").write_text(
        """{
          agents: { defaults: { memorySearch: { provider: "lmstudio" } } },
          plugins: { entries: {
            "active-memory": { enabled: true },
            "memory-core": { config: { dreaming: { enabled: true } } },
            telegram: { enabled: true },
          } },
        }"""
    )
    (plan,) = plans()
    named = lines(plan, ImportKind.SETTING)
    assert "lmstudio" in named["agents.defaults.memorySearch.provider"]
    assert named["plugins.entries.active-memory"] == "Scrubjay does not have this setting."
    assert "Suggest additions to MEMORY.md" in named["plugins.entries.memory-core.config.dreaming"]
    assert len(named) == 3


def test_what_clawcode_has_besides_is_named_and_qmd_stays_with_its_project(
    importer: Importer, plans, engine: Engine, home: Path
) -> None:
    (home / ".openclaw" / "openclaw.json").unlink()
    (home / ".claude.json").write_text(json.dumps({"projects": {str(home / "work"): {}}}))
    settings = {
        "memory": {"backend": "qmd", "qmd": {"command": "/bin/qmd"}},
        "memoryContext": {"enabled": True},
        "dreaming": {"enabled": True, "schedule": "0 3 * * *"},
    }
    (home / "work" / "agent-config.json").write_text(json.dumps(settings))
    (plan,) = plans()
    named = lines(plan, ImportKind.SETTING)
    assert {"memoryContext", "dreaming", "memory.backend", "memory.qmd"} <= named.keys()
    assert all(named.values())
    importer.apply([plan]).result()
    assert engine.settings.settings.memory.backend == "builtin"


def test_the_settings_of_a_clawcode_agent_are_read(plans, home: Path) -> None:
    (home / ".openclaw" / "openclaw.json").unlink()
    (home / ".claude.json").write_text(json.dumps({"projects": {str(home / "work"): {}}}))
    (home / "work" / "agent-config.json").write_text(
        '{ "memory": { "builtin": { "temporalDecay": true } } }'
    )
    (plan,) = plans()
    assert plan.setup.app == "ClawCode"
    assert lines(plan, ImportKind.SETTING) == {
        "work: query.hybrid.temporalDecay.enabled = True": ""
    }


@pytest.mark.parametrize("is_listed", [False, True])
def test_the_settings_of_a_project_hold_for_its_folder_alone(
    importer: Importer, plans, engine: Engine, home: Path, is_listed: bool
) -> None:
    (home / ".openclaw" / "openclaw.json").unlink()
    (home / ".claude.json").write_text(json.dumps({"projects": {str(home / "work"): {}}}))
    block = {"builtin": {"mmr": True}, "extraPaths": ["~/logs"]}
    (home / "work" / "agent-config.json").write_text(json.dumps({"memory": block}))
    listed = "my-own" if is_listed else "work"
    if is_listed:
        engine.add_workspace(home / "work", "My own").result()
    importer.apply(plans()).result()
    own, _ = memory_search_for(engine.settings, listed)
    assert (own.query.hybrid.mmr.enabled, own.extra_paths) == (True, ("~/logs",))
    assert engine.settings.settings.memory_search == MemorySearch()
    assert {item.kind for item in plans()[0].brought} <= {ImportKind.MODEL}


def test_compaction_and_services_are_brought_over_and_go_again(
    importer: Importer, plans, engine: Engine, home: Path, paths: Paths
) -> None:
    flush = {"enabled": False, "softThresholdTokens": 5000}
    theirs = {
        "agents": {"defaults": {"compaction": {"reserveTokensFloor": 9000, "memoryFlush": flush}}},
        "models": {
            "providers": {
                "google": {"apiKey": "sk-secret-2", "baseUrl": "https://g.example/v1beta"},
                "anthropic": {"apiKey": "sk-secret-3"},
            }
        },
    }
    (home / ".openclaw" / "openclaw.json").write_text(json.dumps(theirs))
    (plan,) = plans()
    named = lines(plan, ImportKind.SETTING)
    assert named["flush.softThresholdTokens = 5000"] == ""
    assert named["models.providers.google.apiKey"] == ""
    importer.apply([plan]).result()
    brought = engine.settings.settings
    assert (brought.flush.enabled, brought.flush.reserve_tokens_floor) == (False, 9000)
    assert brought.models.of_service("gemini").api_key == "sk-secret-2"
    assert "sk-secret-3" not in paths.config_file.read_text()
    importer.undo().result()
    assert set(load_settings(paths.config_file).raw) == {"workspaces"}
    assert not any("sk-secret-2" in file.read_text() for file in paths.config.glob("config*"))


def test_a_fresh_workspace_is_brought_over_as_an_agents(
    importer: Importer, plans, engine: Engine, home: Path
) -> None:
    (home / ".openclaw/workspace/MEMORY.md").unlink()
    (home / ".openclaw/workspace/SOUL.md").write_text("# Soul\n")
    (home / ".openclaw/workspace/plan.md").write_text("# Plan\n")
    importer.apply(plans()).result()
    engine.notes.remember("main", "The walrus sings.").result()
    assert list((home / ".openclaw/workspace/memory").glob("????-??-??.md"))


def test_the_former_usual_folder_is_found(plans, home: Path) -> None:
    (home / ".clawdbot").mkdir()
    (home / ".openclaw/openclaw.json").unlink()
    (home / ".openclaw/workspace").rename(home / "clawd")
    (home / ".clawdbot/clawdbot.json").write_text("{}")
    (plan,) = plans()
    assert lines(plan, ImportKind.WORKSPACE) == {str(home / "clawd"): ""}


@pytest.mark.parametrize(
    "text", ["", "[1, 2]", "{ not json", "\0" * 100, '{"agents": 3}', '{"agents": {"list": [3]}}']
)
def test_a_broken_file_breaks_nothing(importer: Importer, home: Path, text: str) -> None:
    (home / ".openclaw" / "openclaw.json").write_text(text)
    (home / ".config" / "qmd").mkdir(parents=True)
    (home / ".config" / "qmd" / "index.yml").write_text(text)
    for setup in importer.find().result():
        importer.plan(setup).result()


@pytest.mark.parametrize("name", ["nowhere.json", "nowhere.yml"])
def test_a_file_that_is_not_there_is_said_so(importer: Importer, home: Path, name: str) -> None:
    with pytest.raises(ConfigError, match="settings file does not exist"):
        importer.read(home / name).result()


def test_looking_for_set_ups_loads_no_numpy(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from scrubjay.engine.engine import Engine\n"
        "from scrubjay.platform.paths import Paths\n"
        f"engine = Engine(Paths.under(Path({str(tmp_path)!r})))\n"
        "engine.importer.find().result(60); engine.close()\n"
        "print('numpy' in sys.modules)\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "False\n"
