from __future__ import annotations

import datetime as dt
import json
import os
from pathlib import Path

import pytest

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.errors import Cancelled
from scrubjay.onboarding.discovery import discover_notes


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


def write(folder: Path, *names: str) -> Path:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("x\n")
    return folder


def settings(file: Path, content: object) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(content if isinstance(content, str) else json.dumps(content))


def seen(home: Path, **environ: str) -> list[tuple[str, str, str, int]]:
    return [
        (folder.app, folder.name, folder.root.relative_to(home).as_posix(), folder.notes)
        for folder in discover_notes(home, environ).folders
    ]


def test_an_empty_home_has_nothing_and_says_what_was_looked_for(home: Path) -> None:
    result = discover_notes(home, {})
    assert result.folders == ()
    assert result.absent == (
        "OpenClaw", "Claude Code", "Codex", "Gemini CLI", "Cursor", "Obsidian", "Logseq", "Zettlr",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("folder", "app", "name"),
    [
        (".openclaw/workspace", "OpenClaw", "OpenClaw"),
        (".coderclaw/workspace", "CoderClaw", "CoderClaw"),
        (".coderclaw/workspace-b", "CoderClaw", "CoderClaw b"),
        (".clawdbot/workspace", "Clawdbot", "Clawdbot"),
        (".openclaw/workspace-coder", "OpenClaw", "OpenClaw coder"),
        (".moltbot/workspace", "Moltbot", "Moltbot"),
        ("clawd", "Clawdbot", "clawd"),
        ("moltbot", "Moltbot", "moltbot"),
        (".codex/memories", "Codex", "Codex"),
        (".gemini/memory", "Gemini CLI", "Gemini CLI"),
        (".cursor/memories", "Cursor", "Cursor memories"),
    ],
)
def test_notes_in_the_usual_place_of_an_app(home: Path, folder: str, app: str, name: str) -> None:
    write(home / folder, "MEMORY.md", "memory/2026-03-12.md")
    assert seen(home) == [(app, name, folder, 2)]


def test_of_an_agents_folder_only_the_memory_counts(home: Path) -> None:
    write(
        home / ".openclaw/workspace",
        "MEMORY.md",
        "memory/a.md",
        "README.md",
        "skills/b.md",
        "memory/.git/c.md",
    )
    assert seen(home) == [("OpenClaw", "OpenClaw", ".openclaw/workspace", 2)]


def test_workspaces_that_openclaw_was_told_to_use_elsewhere(home: Path) -> None:
    write(home / "agents/main", "MEMORY.md")
    write(home / "agents/coder", "MEMORY.md")
    settings(
        home / ".openclaw/openclaw.json",
        "{agents: {defaults: {workspace: '~/agents/main'},"
        f" list: [{{id: 'coder', workspace: '{home.as_posix()}/agents/coder'}}, 7]}}, }} // JSON5",
    )
    assert [name for _, name, *_ in seen(home)] == ["main", "coder"]


def test_a_folder_is_named_after_the_program_whose_settings_name_it(home: Path) -> None:
    for folder, file in ((".coderclaw", "coderclaw.json"), (".openclaw", "openclaw.json")):
        write(home / f"notes{folder}", "MEMORY.md")
        block = f"{{agents: {{defaults: {{workspace: '~/notes{folder}'}}}}}}"
        settings(home / folder / file, block)
    assert [app for app, *_ in seen(home)] == ["OpenClaw", "CoderClaw"]


def test_notes_of_a_relative_count_as_notes_of_openclaw(home: Path) -> None:
    write(home / ".coderclaw/workspace", "MEMORY.md")
    assert "OpenClaw" not in discover_notes(home, {}).absent


def test_memory_of_claude_code_is_one_workspace_over_all_projects(home: Path) -> None:
    write(home / ".claude/projects", "-a/memory/MEMORY.md", "-b/memory/x.md", "-b/talk.jsonl")
    assert seen(home) == [("Claude Code", "Claude Code", ".claude/projects", 2)]


def test_a_project_that_is_the_home_of_an_agent(home: Path) -> None:
    write(home / "jarvis", "SOUL.md", "memory/2026-03-12.md")
    write(home / "code", "README.md")
    projects = {str(home / "jarvis"): {}, str(home / "code"): {}, "relative": {}}
    settings(home / ".claude.json", {"projects": projects})
    assert seen(home) == [("Claude Code", "jarvis", "jarvis", 1)]


@pytest.mark.parametrize(
    "place",
    [
        ".config/obsidian",
        ".var/app/md.obsidian.Obsidian/config/obsidian",
        "snap/obsidian/current/.config/obsidian",
        "Library/Application Support/obsidian",
        "AppData/Roaming/obsidian",
    ],
)
def test_obsidians_own_list_of_vaults(home: Path, place: str) -> None:
    write(home / "Garden", "a.md", "b/c.md", ".obsidian/d.md", ".trash/e.md")
    gone = {"path": str(home / "Gone")}
    vaults = {"1": {"path": str(home / "Garden"), "open": True}, "2": gone, "3": {}, "4": None}
    settings(home / place / "obsidian.json", {"vaults": vaults})
    assert seen(home) == [("Obsidian", "Garden", "Garden", 2)]


def test_settings_elsewhere(home: Path) -> None:
    write(home / "Garden", "a.md")
    vaults = {"1": {"path": str(home / "Garden")}}
    settings(home / "cfg/obsidian/obsidian.json", {"vaults": vaults})
    write(home / "codex/memories", "b.md")
    found = seen(home, XDG_CONFIG_HOME=str(home / "cfg"), CODEX_HOME=str(home / "codex"))
    assert [app for app, *_ in found] == ["Codex", "Obsidian"]


def test_the_memory_of_one_app_alone(home: Path) -> None:
    write(home / ".openclaw/workspace", "MEMORY.md")
    write(home / ".codex/memories", "b.md")
    found = discover_notes(home, {}, only="Codex")
    assert [folder.app for folder in found.folders] == ["Codex"]
    assert found.absent == ()
    assert discover_notes(home, {}, only="Gemini CLI").absent == ("Gemini CLI",)


def test_an_openclaw_whose_state_is_elsewhere(home: Path) -> None:
    write(home / "claw/workspace", "MEMORY.md")
    assert seen(home, OPENCLAW_STATE_DIR=str(home / "claw")) == [
        ("OpenClaw", "OpenClaw", "claw/workspace", 1)
    ]


@pytest.mark.parametrize(
    "place", ["my graph", pytest.param("C:/my graph", marks=pytest.mark.needs("odd names"))]
)
def test_graphs_of_logseq(home: Path, place: str) -> None:
    write(home / place, "pages/a.md", "journals/b.md")
    # A folder on the drive C: is C+3A+++Users++…
    escaped = (home / place).as_posix().replace("/", "++").replace(":", "+3A+")
    write(home / ".logseq/graphs", f"logseq_local_{escaped}.transit", "logseq_db_other.transit")
    assert seen(home) == [("Logseq", "my graph", place, 2)]


def test_folders_that_are_open_in_zettlr(home: Path) -> None:
    write(home / "Zettel", "a.md")
    paths = [str(home / "Zettel"), str(home / "Zettel/a.md"), 5]
    settings(home / ".config/Zettlr/config.json", {"openPaths": paths})
    assert seen(home) == [("Zettlr", "Zettel", "Zettel", 1)]


def test_a_folder_of_two_apps_is_found_once(home: Path) -> None:
    write(home / "Both", "a.md")
    settings(home / ".config/obsidian/obsidian.json", {"vaults": {"1": {"path": f"{home}/Both"}}})
    settings(home / ".config/Zettlr/config.json", {"openPaths": [f"{home}/Both"]})
    result = discover_notes(home, {})
    assert [folder.app for folder in result.folders] == ["Obsidian"]
    assert "Zettlr" in result.absent


@pytest.mark.parametrize("whole", ["", "/.."])
def test_a_whole_home_is_never_walked(home: Path, whole: str) -> None:
    write(home, "a.md")
    settings(home / ".config/Zettlr/config.json", {"openPaths": [f"{home}{whole}", "/"]})
    assert discover_notes(home, {}).folders == ()


@pytest.mark.parametrize("content", ["", "[]", "{", "[" * 9000, "\udcff", '{"vaults": [1]}'])
def test_settings_that_make_no_sense_are_no_settings(home: Path, content: str) -> None:
    file = home / ".config/obsidian/obsidian.json"
    file.parent.mkdir(parents=True)
    file.write_bytes(content.encode("utf-8", "surrogateescape"))
    assert discover_notes(home, {}).folders == ()


def test_the_newest_note_gives_the_date(home: Path) -> None:
    write(home / "clawd", "MEMORY.md", "memory/a.md")
    moment = dt.datetime(2026, 3, 14, 12, 0, tzinfo=dt.UTC)
    os.utime(home / "clawd/MEMORY.md", (0, moment.timestamp()))
    os.utime(home / "clawd/memory/a.md", (0, 5))
    assert discover_notes(home, {}).folders[0].newest == moment


@pytest.mark.parametrize("year", [1960, 2200])
def test_notes_from_years_that_windows_does_not_know_have_a_date(home: Path, year: int) -> None:
    write(home / "clawd", "MEMORY.md")
    moment = dt.datetime(year, 3, 14, 12, 0, tzinfo=dt.UTC)
    os.utime(home / "clawd/MEMORY.md", (0, moment.timestamp()))
    assert discover_notes(home, {}).folders[0].newest == moment


def test_a_huge_folder_is_counted_up_to_a_limit(home: Path) -> None:
    write(home / "clawd", *(f"n{number}.md" for number in range(12)))
    [folder] = discover_notes(home, {}, most_entries=10).folders
    assert (folder.notes, folder.is_more) == (10, True)


def test_looking_around_can_be_called_off(home: Path) -> None:
    write(home / "clawd", "a.md")
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        discover_notes(home, {}, cancel)


def test_links_are_not_followed(home: Path) -> None:
    write(home / "elsewhere", "a.md")
    write(home / "clawd", "b.md")
    (home / "clawd/link").symlink_to(home / "elsewhere")
    assert seen(home) == [("Clawdbot", "clawd", "clawd", 1)]


def test_folders_of_notes_among_the_documents_are_offered(home: Path) -> None:
    many = [f"{number}.md" for number in range(12)]
    write(home / "Documents" / "Mis notas", *many, "sub/more.md")
    write(home / "Documents" / "Taxes", "2024.pdf", "readme.md")
    write(home / "Documents" / "program", *many, ".git/HEAD")
    write(home / "Documents" / "GitHub", *(f"tool/{name}" for name in many), "tool/.git/HEAD")
    assert seen(home) == [("Documents", "Mis notas", "Documents/Mis notas", 13)]


def test_documents_may_have_another_name_and_notes_of_their_own(home: Path) -> None:
    documents = write(home / "Documentos", *(f"{number}.md" for number in range(12)))
    write(documents / "Correo", "one.md")
    [folder] = discover_notes(home, {}, documents=documents).folders
    assert (folder.root, folder.notes) == (documents, 13)


def test_a_vault_among_the_documents_is_offered_once(home: Path) -> None:
    vault = write(home / "Documents" / "Vaults" / "Garden", *(f"{n}.md" for n in range(12)))
    listed = {"vaults": {"1": {"path": str(vault)}}}
    settings(home / ".config" / "obsidian" / "obsidian.json", listed)
    assert [app for app, *_ in seen(home)] == ["Obsidian"]
