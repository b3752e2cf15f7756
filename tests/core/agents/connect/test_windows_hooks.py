"""Hook commands on Windows hold no word that a shell could take for something else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.agents.connect.connections import Connections
from scrubjay.agents.connect.hook_commands import (
    ProgramStart,
    hook_entries,
    hook_name,
    windows_command,
)
from scrubjay.agents.connect.hook_sets import HOOK_SETS
from scrubjay.agents.connect.known_agents import ClientContext
from scrubjay.concurrency.thread_pool import DaemonThreadPool
from scrubjay.errors import ConnectFailed
from scrubjay.platform.paths import Paths
from scrubjay.platform.program_search import command_line, split_command
from scrubjay.workspaces.registry import Registry
from support.vault import TIMEOUT, write_notes

PLAIN = r"C:\Apps\Scrubjay\scrubjay.exe"
SPACED = r"C:\Program Files\Scrubjay\scrubjay.exe"


@pytest.mark.parametrize(
    ("words", "command"),
    [
        ([PLAIN, "hook", "recall"], rf'{PLAIN} "hook" "recall"'),
        ([SPACED, "hook"], '& "C:/Program Files/Scrubjay/scrubjay.exe" "hook"'),
        ([r"C:\R&D\scrubjay.exe", "hook"], '& "C:/R&D/scrubjay.exe" "hook"'),
        ([r"\\nas\apps\scrubjay.exe", "hook"], '& "//nas/apps/scrubjay.exe" "hook"'),
        ([PLAIN, "--workspace", r"C:\R&D"], rf'{PLAIN} "--workspace" "C:/R&D"'),
        ([PLAIN, "C:\\"], rf'{PLAIN} "C:/"'),
        ([PLAIN, r"C:\a^b (c); d|e<f>'g' é"], f"{PLAIN} \"C:/a^b (c); d|e<f>'g' é\""),
    ],
)
def test_each_word_stands_in_quotes(words: list[str], command: str) -> None:
    assert windows_command(words) == command


@pytest.mark.parametrize("character", [*'%$`"\r\n', "\u201c", "\u201d", "\u201e"])
@pytest.mark.parametrize("place", [0, 1])
def test_what_lives_in_quotes_is_refused(character: str, place: int) -> None:
    words = [PLAIN, "hook"]
    words[place] += f"{character}x"
    with pytest.raises(ConnectFailed, match="cannot write a hook"):
        windows_command(words)


@given(st.text(st.characters(exclude_characters='%$`"“”„\r\n\\\0'), min_size=1))
def test_a_command_is_known_and_its_words_stay(folder: str) -> None:
    command = windows_command([f"C:/{folder}/scrubjay.exe", "hook", "keep", "--workspace", folder])
    assert hook_name({"command": command}, is_windows=True) == "keep"
    assert split_command(command, is_windows=True)[-1] == folder


@pytest.mark.parametrize("command", [f'"{SPACED}" hook recall', f"{PLAIN} hook recall"])
def test_commands_of_former_versions_are_known(command: str) -> None:
    assert hook_name({"command": command}, is_windows=True) == "recall"


ODD = ("with space", "R&D", "100%", "$HOME", "`tick`", "O'Brien", "Größe 日本", "a^b", "“quoted”")
"""Names of folders that one or another shell of Windows changes."""


@pytest.mark.parametrize("name", ODD)
def test_claude_code_runs_the_program_without_a_shell(name: str) -> None:
    program = rf"C:\{name}\scrubjay.exe"
    start = ProgramStart(Path(program), Path(rf"D:\{name}"), is_windows=True)
    hooks = HOOK_SETS["claude-code"]
    entries = hook_entries("claude-code", hooks, start=start, folder=rf"E:\{name}")
    [recall] = entries["UserPromptSubmit"]
    words = ["--home", rf"D:\{name}", "hook", "recall", "--agent", "claude-code"]
    assert recall == {"type": "command", "command": program, "args": words, "timeout": 10}
    [keep] = entries["SessionEnd"]
    assert keep["args"][-2:] == ["--workspace", rf"E:\{name}"]
    assert hook_name(keep, is_windows=True) == "keep"


SAFE = frozenset({"with space", "R&D", "O'Brien", "Größe 日本", "a^b"})
"""Names that stay as they are between double quotes, in PowerShell and in cmd.exe."""


@pytest.mark.parametrize("client", ["codex", "gemini-cli", "cursor"])
@pytest.mark.parametrize("name", ODD)
def test_other_agents_get_a_command_that_both_shells_read_alike(client: str, name: str) -> None:
    start = ProgramStart(Path(PLAIN), is_windows=True)
    if name not in SAFE:
        with pytest.raises(ConnectFailed, match="cannot write a hook"):
            hook_entries(client, HOOK_SETS[client], start=start, folder=rf"E:\{name}")
        return
    entries = hook_entries(client, HOOK_SETS[client], start=start, folder=rf"E:\{name}")
    [*_, keep] = [entry for listed in entries.values() for entry in listed]
    assert keep["command"].endswith(f'"--workspace" "E:/{name}"')
    assert hook_name(keep, is_windows=True) == "keep"


def test_a_printed_command_quotes_what_a_shell_would_change() -> None:
    words = ["scrubjay", "workspace", "add", r"C:\R&D", "--name", "a^b", "c d", ""]
    command = r'scrubjay workspace add "C:\R&D" --name "a^b" "c d" ""'
    assert command_line(words, is_windows=True) == command


@pytest.fixture
def person(tmp_path: Path) -> Path:
    return tmp_path / "person"


@pytest.fixture
def connections(paths: Paths, person: Path, tmp_path: Path) -> Iterator[Connections]:
    notes = [write_notes(tmp_path / name, {"MEMORY.md": "A\n"}) for name in ("R&D", "b", "100%")]
    entries = [{"path": str(root)} for root in notes]
    config = {"memorySearch": {"provider": "none"}, "workspaces": entries}
    write_notes(paths.config, {"config.json5": json.dumps(config)})
    at = ClientContext(person, {"SCRUBJAY_HOME": str(paths.config)}, "win32")
    made = Connections(paths, DaemonThreadPool("test"), at, Registry(Paths.under(paths.config)))
    yield made
    made.close()


@pytest.mark.parametrize(
    ("client", "name"),
    [
        ("claude-code", ".claude/settings.json"),
        ("codex", ".codex/hooks.json"),
        ("gemini-cli", ".gemini/settings.json"),
        ("cursor", ".cursor/hooks.json"),
    ],
)
def test_hooks_on_windows_are_written_read_and_removed(
    connections: Connections, person: Path, tmp_path: Path, client: str, name: str
) -> None:
    change = connections.plan(client, workspace=tmp_path / "b").result(TIMEOUT)
    found = connections.apply(change).result(TIMEOUT)
    assert found.is_connected
    assert found.current == found.available
    # A second plan keeps the folder that was chosen.
    assert not connections.plan(client).result(TIMEOUT).is_needed
    text = (person / name).read_text()
    assert "|| true" not in text
    assert ('"hook",' in text) is (client == "claude-code")
    connections.apply(connections.plan(client, workspace=tmp_path / "R&D").result(TIMEOUT))
    connections.apply(connections.plan_undo(client).result(TIMEOUT)).result(TIMEOUT)
    assert not (person / name).exists()


def test_a_folder_that_no_hook_can_name_is_refused_and_others_are_not(
    connections: Connections, person: Path, tmp_path: Path
) -> None:
    with pytest.raises(ConnectFailed, match="100%"):
        connections.plan("codex", workspace=tmp_path / "100%").result(TIMEOUT)
    assert not person.exists()
    assert connections.plan("codex", workspace=tmp_path / "R&D").result(TIMEOUT).is_needed
    assert connections.plan("claude-code", workspace=tmp_path / "100%").result(TIMEOUT).is_needed


def test_hooks_of_a_former_version_are_replaced(connections: Connections, person: Path) -> None:
    old = rf'{PLAIN} "hook" "recall" "--agent" "claude-code"'
    entry = {"type": "command", "command": old, "timeout": 10, "shell": "powershell"}
    settings = {"hooks": {"UserPromptSubmit": [{"hooks": [entry]}]}}
    file = write_notes(person, {".claude/settings.json": json.dumps(settings)})
    connections.apply(connections.plan("claude-code").result(TIMEOUT)).result(TIMEOUT)
    [group] = json.loads((file / ".claude/settings.json").read_text())["hooks"]["UserPromptSubmit"]
    assert [hook["args"][-3:-2] for hook in group["hooks"]] == [["recall"]]
