"""Bundles for agents: valid by the agents' own rules, and with the parts that connecting writes."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import pytest
from msgspec import Meta, Struct

import agent_bundles
import checksums
import protocol_clients
import versions
import windows_packages
from scrubjay.agents.connect.connections import Connections
from scrubjay.agents.connect.hook_commands import hook_name
from scrubjay.agents.connect.known_agents import GUIDE, ClientContext
from scrubjay.concurrency.thread_pool import DaemonThreadPool
from scrubjay.platform.licences import Component, data_file_text
from scrubjay.platform.paths import Paths
from support.mcp_client import PROGRAM
from support.vault import TIMEOUT

Name = Annotated[str, Meta(pattern="^[a-z0-9]+(-[a-z0-9]+)*$")]
Version = Annotated[str, Meta(pattern=r"^\d+\.\d+\.\d+$")]
Text = Annotated[str, Meta(min_length=1)]
Texts = list[Text]


class Strict(Struct, forbid_unknown_fields=True):
    """A record that takes no other fields."""


class Author(Strict):
    name: Text


class StdioServer(Strict):
    """https://code.claude.com/docs/en/mcp and https://geminicli.com/docs/tools/mcp-server"""

    command: Text
    args: Texts
    type: Literal["stdio"] = "stdio"
    env: dict[str, str] = {}


class ServerList(Strict):
    mcpServers: dict[Name, StdioServer]


class CommandHook(Strict):
    """https://code.claude.com/docs/en/hooks and https://geminicli.com/docs/hooks/reference"""

    type: Literal["command"]
    command: Text
    timeout: Annotated[int, Meta(gt=0)]
    args: Texts | None = None
    shell: Literal["bash", "powershell"] | None = None


class HookGroup(Strict):
    hooks: Annotated[list[CommandHook], Meta(min_length=1)]


ClaudeEvent = Literal["SessionStart", "UserPromptSubmit", "Stop", "PreCompact", "SessionEnd"]
GeminiEvent = Literal["SessionStart", "BeforeAgent", "PreCompress", "SessionEnd"]


class ClaudeHooks(Strict):
    hooks: dict[ClaudeEvent, list[HookGroup]]


class GeminiHooks(Strict):
    hooks: dict[GeminiEvent, list[HookGroup]]


class ClaudePlugin(Strict):
    """https://code.claude.com/docs/en/plugins-reference"""

    name: Name
    version: Version
    description: Text
    author: Author
    license: Text


class MarketplacePlugin(Strict):
    name: Name
    source: Annotated[str, Meta(pattern=r"^\./")]
    description: Text


class Metadata(Strict):
    description: Text


class Marketplace(Strict):
    """https://code.claude.com/docs/en/plugin-marketplaces"""

    name: Name
    owner: Author
    metadata: Metadata
    plugins: Annotated[list[MarketplacePlugin], Meta(min_length=1)]


class SkillHeader(Strict):
    """https://code.claude.com/docs/en/skills"""

    name: Annotated[str, Meta(pattern="^[a-z0-9-]{1,64}$")]
    description: Annotated[str, Meta(min_length=1, max_length=1024)]


class GeminiExtension(Strict):
    """https://geminicli.com/docs/extensions/reference"""

    name: Name
    version: Version
    description: Text
    contextFileName: Text
    mcpServers: dict[Name, StdioServer]


class McpConfig(Strict):
    command: Text
    args: Texts
    env: dict[str, str]


class McpbServer(Strict):
    type: Literal["python", "node", "binary"]
    entry_point: Text
    mcp_config: McpConfig


class McpbSetting(Strict):
    type: Literal["string", "number", "boolean", "directory", "file"]
    title: Text
    description: Text
    required: bool


class McpbPlatforms(Strict):
    platforms: list[Literal["darwin", "win32", "linux"]]


class McpbManifest(Strict):
    """https://github.com/modelcontextprotocol/mcpb, mcpb-manifest-v0.3.schema.json"""

    manifest_version: Literal["0.3"]
    name: Name
    display_name: Text
    version: Version
    description: Text
    author: Author
    license: Text
    server: McpbServer
    tools_generated: bool
    prompts_generated: bool
    compatibility: McpbPlatforms
    user_config: dict[str, McpbSetting]


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return Paths.under(tmp_path / "home")


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the content of each bundle, in folders of their own."""
    target = tmp_path_factory.mktemp("bundles")
    for file in agent_bundles.build(target):
        folder = target
        if file.stem.endswith("-windows"):
            folder = target / "for-windows"
        if file.suffix == ".mcpb":
            folder = target / "scrubjay-claude-desktop"
        with zipfile.ZipFile(file) as archive:
            archive.extractall(folder)
    return target


def read(file: Path) -> Any:
    return json.loads(file.read_text(encoding="utf-8"))


CLAUDE = "scrubjay-claude-code/scrubjay"
MANIFESTS: Mapping[str, type[Struct]] = {
    "scrubjay-claude-code/.claude-plugin/marketplace.json": Marketplace,
    f"{CLAUDE}/.claude-plugin/plugin.json": ClaudePlugin,
    f"{CLAUDE}/.mcp.json": ServerList,
    f"{CLAUDE}/hooks/hooks.json": ClaudeHooks,
    "scrubjay-claude-desktop/manifest.json": McpbManifest,
    "scrubjay-gemini-cli/gemini-extension.json": GeminiExtension,
    "scrubjay-gemini-cli/hooks/hooks.json": GeminiHooks,
}


@pytest.mark.parametrize("name", MANIFESTS)
def test_each_file_has_the_fields_that_the_agent_documents(unpacked: Path, name: str) -> None:
    msgspec.json.decode((unpacked / name).read_bytes(), type=MANIFESTS[name])


def test_each_file_of_a_bundle_is_known_here(unpacked: Path) -> None:
    files = {str(file.relative_to(unpacked)) for file in unpacked.glob("*/**/*") if file.is_file()}
    windows = {name.removeprefix("for-windows/") for name in files if "for-windows" in name}
    files = {name for name in files if "for-windows" not in name}
    assert windows == {name for name in files if "claude-desktop" not in name}
    texts = {
        f"{CLAUDE}/skills/memory/SKILL.md",
        "scrubjay-claude-desktop/server/index.js",
        "scrubjay-gemini-cli/GEMINI.md",
    }
    assert files == MANIFESTS.keys() | texts


def test_what_manifests_name_is_in_the_bundle(unpacked: Path) -> None:
    market = unpacked / "scrubjay-claude-code"
    [plugin] = read(market / ".claude-plugin/marketplace.json")["plugins"]
    about = read(market / plugin["source"] / ".claude-plugin/plugin.json")
    assert about["name"] == plugin["name"]
    desktop = unpacked / "scrubjay-claude-desktop"
    server = read(desktop / "manifest.json")["server"]
    assert (desktop / server["entry_point"]).is_file()
    assert server["mcp_config"]["args"][0] == f"${{__dirname}}/{server['entry_point']}"
    gemini = unpacked / "scrubjay-gemini-cli"
    assert (gemini / read(gemini / "gemini-extension.json")["contextFileName"]).is_file()


def test_the_skill_has_the_instructions_that_connecting_writes(unpacked: Path) -> None:
    yaml = pytest.importorskip("yaml")
    text = (unpacked / CLAUDE / "skills/memory/SKILL.md").read_text(encoding="utf-8")
    [_, header, body] = text.split("---\n", 2)
    msgspec.convert(yaml.safe_load(header), SkillHeader)
    assert body == f"\n{GUIDE}"
    assert (unpacked / "scrubjay-gemini-cli/GEMINI.md").read_text(encoding="utf-8") == GUIDE


@pytest.mark.parametrize(
    ("client", "server_file", "hook_file", "bundle"),
    [
        ("claude-code", ".claude.json", ".claude/settings.json", CLAUDE),
        ("gemini-cli", ".gemini/settings.json", ".gemini/settings.json", "scrubjay-gemini-cli"),
    ],
)
def test_a_bundle_has_the_server_and_the_hooks_that_connecting_writes(
    unpacked: Path, paths: Paths, tmp_path: Path, client: str, server_file: str, hook_file: str,
    bundle: str,
) -> None:  # fmt: skip
    at = ClientContext(tmp_path, {}, "linux")
    connections = Connections(paths, DaemonThreadPool("test"), at)
    connections.apply(connections.plan(client).result(TIMEOUT)).result(TIMEOUT)
    connections.close()
    # Written with the path of the program here, and found on PATH there.
    written = read(tmp_path / server_file)["mcpServers"]
    assert written["scrubjay"].pop("command") == str(PROGRAM)
    names = (".mcp.json", "gemini-extension.json")
    [manifest] = [unpacked / bundle / name for name in names if (unpacked / bundle / name).exists()]
    bundled = read(manifest)["mcpServers"]
    assert bundled["scrubjay"].pop("command") == "scrubjay"
    assert bundled == written
    hooks = read(unpacked / bundle / "hooks/hooks.json")["hooks"]
    assert commands(hooks) == commands(read(tmp_path / hook_file)["hooks"])


def commands(hooks: dict[str, Any]) -> list[tuple[str, str, int]]:
    """(event, words behind the program, seconds) of each hook."""
    found = []
    for event, groups in hooks.items():
        for hook in (hook for group in groups for hook in group["hooks"]):
            words = " ".join([hook["command"], *hook.get("args", [])])
            program, _, rest = words.removesuffix(" || true").partition(" ")
            assert program.endswith("scrubjay")
            found.append((event, rest, hook["timeout"]))
    return found


def test_commands_of_a_bundle_mean_the_same_to_every_shell(unpacked: Path) -> None:
    for name in (CLAUDE, "scrubjay-gemini-cli"):
        for groups in read(unpacked / name / "hooks/hooks.json")["hooks"].values():
            for hook in (hook for group in groups for hook in group["hooks"]):
                words = [hook["command"], *hook.get("args", [])]
                assert re.fullmatch(r"[a-z -]+", " ".join(words))


@pytest.mark.parametrize("name", [CLAUDE, "scrubjay-gemini-cli"])
def test_on_windows_a_bundle_starts_the_program_where_the_installer_puts_it(
    unpacked: Path, name: str
) -> None:
    folder = unpacked / "for-windows" / name
    recipe = windows_packages.RECIPE.read_text(encoding="utf-8")
    assert 'InstallDir "$LOCALAPPDATA\\Programs\\Scrubjay"' in recipe
    place = "Programs\\Scrubjay\\scrubjay.exe"
    [manifest] = [
        folder / file for file in (".mcp.json", "gemini-extension.json") if (folder / file).exists()
    ]
    server = read(manifest)["mcpServers"]["scrubjay"]
    assert server["command"] == "${LOCALAPPDATA}\\" + place
    assert server["args"] == ["mcp", "--as", server["args"][2]]
    # The same words follow as on other systems.
    hooks = read(folder / "hooks/hooks.json")["hooks"]
    others = read(unpacked / name / "hooks/hooks.json")["hooks"]
    called = f'& "$env:LOCALAPPDATA\\{place}"'
    for event, groups in hooks.items():
        for group, other in zip(groups, others[event], strict=True):
            for hook, plain in zip(group["hooks"], other["hooks"], strict=True):
                words = " ".join([plain["command"], *plain.get("args", [])])
                assert hook["command"] == words.replace("scrubjay", called, 1)
                assert "args" not in hook
                assert hook_name(hook, is_windows=True)


def test_bundles_of_one_source_are_equal_to_the_byte(tmp_path: Path) -> None:
    first = agent_bundles.build(tmp_path / "first")
    second = agent_bundles.build(tmp_path / "second")
    assert [file.read_bytes() for file in first] == [file.read_bytes() for file in second]


def test_a_release_has_them_with_checksums_and_no_parts_of_others(tmp_path: Path) -> None:
    data = tmp_path / "scrubjay/_internal"
    data.mkdir(parents=True)
    part = Component("numpy", "2.1", licence="BSD", homepage="", texts=())
    (data / checksums.DATA_FILE).write_text(data_file_text([part]))
    (tmp_path / "scrubjay.deb").touch()
    bundles = agent_bundles.build(tmp_path)
    assert checksums.main([str(tmp_path)]) == 0
    for file in bundles:
        assert (tmp_path / "packages" / file.name).read_bytes() == file.read_bytes()
        assert (
            (tmp_path / "packages" / f"{file.name}.sha256").read_text().endswith(file.name + "\n")
        )
        assert read(tmp_path / "packages" / f"{file.name}.cdx.json")["components"] == []
    assert read(tmp_path / "packages/scrubjay.deb.cdx.json")["components"]


# -- the agents' own programs -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("program", "words", "place"),
    [
        ("claude", ["plugin", "validate", "--strict"], "scrubjay-claude-code"),
        ("claude", ["plugin", "validate", "--strict"], CLAUDE),
        ("mcpb", ["validate"], "scrubjay-claude-desktop/manifest.json"),
        ("gemini", ["extensions", "validate"], "scrubjay-gemini-cli"),
    ],
)
@pytest.mark.skipif(
    not protocol_clients.are_installed(), reason="not installed; `make clients` installs them"
)
def test_the_agents_own_validator_accepts_a_bundle(
    unpacked: Path, tmp_path: Path, program: str, words: list[str], place: str
) -> None:
    command = [*protocol_clients.node_program(program), *words, str(unpacked / place)]
    environ = protocol_clients.environ() | {"HOME": str(tmp_path)}
    done = subprocess.run(
        command, env=environ, capture_output=True, text=True, timeout=120, cwd=tmp_path
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search("pass|success", done.stdout + done.stderr)


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node")
@pytest.mark.parametrize("way", ["chosen", "path"])
def test_the_bundle_of_claude_desktop_starts_the_installed_program(
    unpacked: Path, tmp_path: Path, paths: Paths, way: str
) -> None:
    config = read(unpacked / "scrubjay-claude-desktop/manifest.json")["server"]["mcp_config"]
    folder = str(unpacked / "scrubjay-claude-desktop")
    words = [word.replace("${__dirname}", folder) for word in config["args"]]
    environ = {**os.environ, **config["env"], "SCRUBJAY_HOME": str(paths.config)}
    if way == "chosen":
        environ["SCRUBJAY_PROGRAM"] = str(PROGRAM)
    else:
        environ["PATH"] = os.pathsep.join([str(PROGRAM.parent), environ["PATH"]])
    client = {"name": "test", "version": "1"}
    request = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client},
    }
    done = subprocess.run(
        ["node", *words], input=json.dumps(request) + "\n", env=environ, cwd=tmp_path,
        capture_output=True, text=True, timeout=TIMEOUT, check=True,
    )  # fmt: skip
    assert json.loads(done.stdout.splitlines()[0])["result"]["serverInfo"]["name"] == "scrubjay"


def start_desktop_server(folder: Path, environ: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run the starter in a folder, which is the home as well, until it ends."""
    return subprocess.run(
        [shutil.which("node") or "", str(agent_bundles.DESKTOP_SERVER), "mcp"],
        env={"HOME": str(folder), **environ}, cwd=folder, capture_output=True, text=True,
        timeout=TIMEOUT,
    )  # fmt: skip


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node")
def test_without_the_program_it_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "scrubjay").touch(mode=0o755)
    environ = {"PATH": ".", "SCRUBJAY_PROGRAM": "${user_config.program}"}
    done = start_desktop_server(tmp_path, environ)
    assert done.returncode == 1
    assert "Scrubjay was not found on this computer. Install Scrubjay" in done.stderr


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node")
def test_what_is_no_program_in_path_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "folder" / "scrubjay").mkdir(parents=True)
    (tmp_path / "text").mkdir()
    (tmp_path / "text" / "scrubjay").touch(mode=0o644)
    (tmp_path / "good").mkdir()
    (tmp_path / "good" / "scrubjay").write_text("#!/bin/sh\necho started $1\n")
    (tmp_path / "good" / "scrubjay").chmod(0o755)
    folders = [str(tmp_path / name) for name in ("file", "gone", "folder", "text", "good")]
    done = start_desktop_server(tmp_path, {"PATH": os.pathsep.join(folders)})
    assert (done.returncode, done.stdout) == (0, "started mcp\n")


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node")
@pytest.mark.parametrize("name", ["gone", "file/scrubjay", "scrubjay", "."])
def test_a_chosen_program_that_cannot_be_started_is_named(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "scrubjay").touch(mode=0o755)
    chosen = name
    if name != "scrubjay":  # which is there, but a relative path could be anybody's
        chosen = str(tmp_path / name)
    done = start_desktop_server(tmp_path, {"PATH": "", "SCRUBJAY_PROGRAM": chosen})
    assert done.returncode == 1
    assert done.stderr.startswith(f"The chosen program cannot be started: {chosen}. Install")
    assert "not found on this computer" not in done.stderr


def test_versions_are_those_of_the_program(unpacked: Path) -> None:
    names = ("scrubjay-claude-desktop/manifest.json", "scrubjay-gemini-cli/gemini-extension.json")
    for name in names:
        assert read(unpacked / name)["version"] == versions.version()
