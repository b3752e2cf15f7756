"""`scrubjay uninstall`: what is shown, what goes, what stays, and what is never touched."""

from __future__ import annotations

import json
import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.core.cli.conftest import Ran

from scrubjay.engine.engine import Engine
from scrubjay.engine.uninstallation import Part
from scrubjay.platform.autostart.desktop_file import DesktopFile
from scrubjay.platform.keychain import Keychain
from scrubjay.platform.paths import Paths
from scrubjay.platform.state_file import StateFile
from support.gguf_files import gguf
from support.secret_service import NO_KEYCHAIN, keyring_variables, secret_service
from support.vault import TIMEOUT, write_notes

Cli = Callable[..., Ran]

AGENT = '{\n  "mcpServers": { "other": { "command": "npx" } },\n  "secret": "abc"\n}\n'
UNNAMED = '{"mcpServers": {"scrubjay": {"command": "scrubjay", "args": ["mcp"]}}}'
"""Settings whose entry leads to the notes of the user, wherever Scrubjay runs."""
PORTABLE = '{"mcpServers": {"scrubjay": {"command": "%s/scrubjay", "args": ["mcp"]}}}'
"""Settings whose entry starts a portable copy."""
_BUS = "DBUS_SESSION_BUS_ADDRESS"
NOTE = "# Boiler\n\nThe technician is Ramon.\n"


@pytest.fixture
def person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder with an agent, in which nothing of the developer's own is reached."""
    home = tmp_path / "person"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    for variable in ("XDG_CONFIG_HOME", "APPDATA", "CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.delenv(variable, raising=False)
    return write_notes(home, {".cursor/mcp.json": AGENT, "notes/boiler.md": NOTE})


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(file.relative_to(folder)): file.read_bytes()
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }


@pytest.fixture
def used(cli: Cli, home: Path, paths: Paths, person: Path) -> Path:
    """A Scrubjay that was used for a while; the home of the person."""
    cli("workspace", "add", person / "notes")
    cli("search", "technician")
    assert "is connected" in cli("connect", "cursor").out
    model = person / "mine.gguf"
    model.write_bytes(gguf(1_000))
    receipt = {"model": "mine.gguf", "sha256": "", "size": 1, "mtime_ns": 1, "architecture": "bert"}
    receipt |= {"dimensions": 8, "context": 64, "checked_at": "", "imported_from": str(model)}
    write_notes(paths.models, {"mine.gguf": "weights", "mine.gguf.json": json.dumps(receipt)})
    write_notes(paths.state / "backups", {"boiler.md": "An older boiler"})
    write_notes(paths.state, {"fallback.json": "{}"})
    write_notes(paths.state / "edits", {"edits.json": "{}", "before/boiler.md": "An older boiler"})
    write_notes(paths.sample_notes, {"welcome.md": "# Welcome\n\nand my own line\n"})
    write_notes(paths.cache / "documents", {"a.json": "{}"})
    entry = start_file()
    if entry:
        command = f'env "SCRUBJAY_HOME={home}" scrubjay-desktop --background'
        write_notes(entry.parent, {entry.name: f"[Desktop Entry]\nExec={command}\n"})
    return person


def start_file() -> Path | None:
    """The file that starts Scrubjay at login; None where no file does."""
    if sys.platform != "linux":
        return None
    return DesktopFile.of_user().file


def test_the_plan_shows_each_part_with_places_and_sizes_and_removes_nothing(
    cli: Cli, home: Path, used: Path
) -> None:
    before = contents(home)
    plan = cli("uninstall")
    assert contents(home).keys() >= before.keys()
    assert cli("search", "technician").out
    assert "[x] indexes: Search indexes, " in plan.out
    assert "[x] agents: Connections in the settings of agents\n      Cursor: " in plan.out
    assert "[x] settings: " in plan.out
    assert "[x] models: Downloaded language helpers, 2" in plan.out
    assert "[x] logs: " in plan.out
    assert "[ ] note-copies: " in plan.out
    assert "Nothing was removed." in plan.out
    assert "keys:" not in plan.out


def test_everything_goes_but_notes_and_what_other_programs_have(
    cli: Cli, home: Path, used: Path, paths: Paths
) -> None:
    ran = cli("uninstall", "--yes", "--note-copies")
    assert ran.code == 0, ran.err
    assert "To remove the program" in ran.out
    assert f"The sample notes stay in {paths.sample_notes}." in ran.out
    left = contents(home)
    assert list(left) == [str((paths.sample_notes / "welcome.md").relative_to(home))]
    assert not paths.state.exists()
    assert not paths.models.exists()
    # The settings of the agent are as they were before, to the byte.
    assert contents(used) == {
        ".cursor/mcp.json": AGENT.encode(),
        "mine.gguf": gguf(1_000),
        "notes/boiler.md": NOTE.encode(),
    }


@pytest.mark.parametrize(
    ("part", "place"),
    [
        ("settings", "config.json5"),
        ("indexes", "state/memory"),
        ("models", "data/models/mine.gguf"),
        ("audit-log", "state/agents"),
        ("logs", "state/logs"),
        ("note-copies", "state/backups/boiler.md"),
        ("note-copies", "state/edits/before/boiler.md"),
    ],
)
def test_a_part_that_is_kept_stays_and_the_others_go(
    cli: Cli, home: Path, used: Path, part: str, place: str
) -> None:
    others = {"config.json5", "state/memory", "data/models/mine.gguf", "state/logs"} - {place}
    assert cli("uninstall", "--yes", "--keep", part).code == 0
    assert (home / place).exists()
    assert [other for other in sorted(others) if (home / other).exists()] == []


def test_connections_of_agents_and_the_start_at_login_can_be_kept(cli: Cli, used: Path) -> None:
    connected = (used / ".cursor" / "mcp.json").read_bytes()
    cli("uninstall", "--yes", "--keep", "agents,autostart")
    assert (used / ".cursor" / "mcp.json").read_bytes() == connected
    entry = start_file()
    assert entry is None or entry.is_file()


def test_a_folder_of_notes_inside_the_folders_of_scrubjay_is_never_touched(
    cli: Cli, home: Path, used: Path, paths: Paths
) -> None:
    inside = write_notes(paths.state / "my notes", {"a/secret garden.md": NOTE})
    cli("workspace", "add", inside)
    before = contents(inside)
    assert cli("uninstall", "--yes", "--note-copies").code == 0
    assert contents(inside) == before
    assert not paths.config_file.exists()


def test_a_linked_settings_file_loses_its_link_only(
    cli: Cli, home: Path, used: Path, paths: Paths, tmp_path: Path
) -> None:
    real = tmp_path / "dotfiles.json5"
    paths.config_file.rename(real)
    paths.config_file.symlink_to(real)
    assert cli("uninstall", "--yes").code == 0
    assert real.is_file()
    assert not os.path.lexists(paths.config_file)


def test_a_language_helper_that_was_put_there_by_hand_stays_and_is_named(
    cli: Cli, used: Path, paths: Paths
) -> None:
    write_notes(paths.models, {"theirs.gguf": "weights"})
    plan = cli("uninstall", "--yes")
    assert (paths.models / "theirs.gguf").is_file()
    assert not (paths.models / "mine.gguf").exists()
    assert f"did not download or copy stay in {paths.models}." in plan.out


def test_what_other_programs_and_people_keep_in_the_same_folders_stays(
    cli: Cli, home: Path, used: Path, paths: Paths
) -> None:
    mine = {"state/thesis.md": "mine", "cache/other.txt": "mine", "data/models/film.mkv.part": "."}
    write_notes(home, mine)
    # The only copy of a model, whose folder has moved or whose source was deleted.
    record = json.loads((paths.models / "mine.gguf.json").read_text())
    record["imported_from"] = str(used / "former" / "mine.gguf")
    (paths.models / "mine.gguf.json").write_text(json.dumps(record))
    model = (paths.models / "mine.gguf").read_bytes()
    assert cli("uninstall", "--yes").code == 0
    assert {name: (home / name).read_text() for name in mine} == mine
    assert (paths.models / "mine.gguf").read_bytes() == model


def test_a_running_app_is_asked_for_first(cli: Cli, home: Path, used: Path, paths: Paths) -> None:
    with socket.socket(socket.AF_UNIX) as app:
        app.bind(str(paths.state / "commands.sock"))
        app.listen()
        before = contents(paths.state / "memory")
        ran = cli("uninstall", "--yes")
    assert ran.code == 1
    assert "Quit Scrubjay, then run the command again." in ran.err
    assert contents(paths.state / "memory").keys() == before.keys()
    assert paths.config_file.is_file()


def test_the_lock_of_an_app_that_is_alive_counts_too(cli: Cli, used: Path, paths: Paths) -> None:
    write_notes(paths.state, {"desktop.lock": f"{os.getpid()}\nscrubjay\nhost\n"})
    assert "Quit Scrubjay" in cli("uninstall", "--yes").err


def test_an_agent_whose_settings_are_damaged_is_named_and_left_alone(
    cli: Cli, used: Path, paths: Paths
) -> None:
    damaged = '{"mcpServers": {"scrubjay": {'
    (used / ".cursor" / "mcp.json").write_text(damaged)
    ran = cli("uninstall", "--yes")
    assert "Cursor may still be connected to Scrubjay." in ran.out
    assert (used / ".cursor" / "mcp.json").read_text() == damaged


def test_a_keychain_that_does_not_answer_is_named_and_the_rest_goes(
    cli: Cli, used: Path, paths: Paths, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_notes(paths.state, {"keys.json": '{"openai": "abcd"}'})
    with keyring_variables(NO_KEYCHAIN):
        ran = cli("uninstall", "--yes")
    assert ran.code == 1
    assert "Keys cannot be stored on this computer" in ran.err
    assert "Some things could not be removed." in ran.out
    assert not (paths.state / "memory").exists()
    assert "[x] keys: " in cli("uninstall").out


def test_a_list_of_keys_that_cannot_be_read_is_named_and_the_other_entries_go(
    cli: Cli, used: Path, paths: Paths
) -> None:
    (paths.state / "keys.json").mkdir()
    engine = Engine(paths)
    parts = (Part.KEYS, Part.AGENTS, Part.AUTOSTART)
    [problem] = engine.uninstall.remove_entries(parts).result(TIMEOUT)
    engine.close()
    assert problem.startswith(f"{paths.state / 'keys.json'}: ")
    assert (used / ".cursor" / "mcp.json").read_text() == AGENT
    entry = start_file()
    assert entry is None or not entry.exists()


def test_entries_of_another_profile_stay(
    cli: Cli, used: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = contents(used)
    with monkeypatch.context() as other:
        other.setenv("SCRUBJAY_HOME", str(tmp_path / "other"))
        assert "agents:" not in cli("uninstall").out
        assert cli("uninstall", "--yes").code == 0
    assert contents(used) == before


def test_entries_of_the_users_own_profile_stay(cli: Cli, used: Path) -> None:
    settings = write_notes(used, {".cursor/mcp.json": UNNAMED}) / ".cursor/mcp.json"
    entry = start_file()
    if entry:
        entry.write_text("[Desktop Entry]\nExec=scrubjay-desktop --background\n")
    assert cli("uninstall", "--yes").code == 0
    assert settings.read_text() == UNNAMED
    assert entry is None or entry.is_file()


def test_entries_of_a_portable_copy_stay(
    cli: Cli, used: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stick = write_notes(tmp_path / "my stick", {"portable.flag": "", "scrubjay": ""})
    settings = write_notes(used, {".cursor/mcp.json": PORTABLE % stick}) / ".cursor/mcp.json"
    entry = start_file()
    if entry:
        entry.write_text(
            f"[Desktop Entry]\nTryExec={stick}/scrubjay-desktop\n"
            f'Exec="{stick}/scrubjay-desktop" --background\n'
        )
    monkeypatch.delenv("SCRUBJAY_HOME")
    for kind in ("STATE", "DATA", "CACHE"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(used / kind))
    assert cli("uninstall", "--yes").code == 0
    assert settings.read_text() == PORTABLE % stick
    assert entry is None or entry.is_file()


def put_index(paths: Paths, file: Path) -> None:
    """Let the settings put each index into a file."""
    settings = paths.config_file.read_text()
    place = f'provider: "none", store: {{ path: {json.dumps(str(file))} }}'
    paths.config_file.write_text(settings.replace('provider: "none"', place))


def test_an_index_that_the_settings_put_elsewhere_is_shown_and_goes(
    cli: Cli, used: Path, paths: Paths, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "fast disk"
    put_index(paths, elsewhere / "{agentId}.sqlite")
    assert cli("search", "technician").code == 0
    [index] = elsewhere.glob("*.sqlite")
    plan = cli("uninstall", "--json").json
    [part] = [each for each in plan["parts"] if each["part"] == "indexes"]
    assert str(index) in part["places"]
    assert cli("uninstall", "--yes", "--keep", "indexes,settings").code == 0
    assert index.exists()
    (elsewhere / "other.sqlite").write_bytes(b"of somebody else")
    assert cli("uninstall", "--yes").code == 0
    assert [file.name for file in elsewhere.iterdir()] == ["other.sqlite"]


def test_a_file_of_somebody_else_is_no_index(cli: Cli, used: Path, paths: Paths) -> None:
    put_index(paths, used / "notes" / "boiler.md")
    cli("uninstall", "--yes")
    assert (used / "notes" / "boiler.md").read_text() == NOTE


def test_the_plan_for_programs(cli: Cli, used: Path) -> None:
    plan = cli("uninstall", "--json").json
    assert plan["removed"] is False
    parts = {each["part"]: each for each in plan["parts"]}
    assert parts["indexes"]["sizeBytes"] > 0
    assert parts["note-copies"]["kept"] is True
    assert parts["agents"]["places"][0].startswith("Cursor: ")
    assert plan["program"]
    assert isinstance(plan["remaining"], list)


def test_an_unknown_part_is_told(cli: Cli, used: Path, paths: Paths) -> None:
    ran = cli("uninstall", "--yes", "--keep", "notes")
    assert ran.code == 1
    assert "notes is not a part that can be kept" in ran.err
    assert paths.config_file.is_file()


def test_a_scrubjay_that_was_never_used_has_nothing(cli: Cli, paths: Paths, person: Path) -> None:
    paths.config_file.unlink()
    assert cli("uninstall", "--yes", "--keep", "logs,settings,audit-log").code == 0


def test_keys_leave_the_keychain(cli: Cli, used: Path, paths: Paths, tmp_path: Path) -> None:
    with (
        secret_service(tmp_path / "keychain") as service,
        keyring_variables({"DBUS_SESSION_BUS_ADDRESS": service.variables[_BUS]}),
    ):
        keychain = Keychain(record=StateFile(paths.state / "keys.json"))
        keychain.set("openai", "sk-a-made-up-key-of-some-length")
        assert "[x] keys: Service keys in the keychain\n      openai" in cli("uninstall").out
        assert cli("uninstall", "--yes", "--keep", "keys,settings").code == 0
        assert Keychain().get("openai")
        assert cli("uninstall", "--yes").code == 0
        assert Keychain().names() == ()
