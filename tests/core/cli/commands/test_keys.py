"""`scrubjay keys`, and that a key is nowhere but in the keychain."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.core.cli.conftest import PROGRAM, Ran

from scrubjay.config.loading import load_settings
from scrubjay.platform.keychain import Keychain
from scrubjay.platform.paths import Paths
from scrubjay.platform.state_file import StateFile
from support.embedding_server import FAR_HOST, KEY, EmbeddingServer, Refuse, far_url, serving
from support.secret_service import NO_KEYCHAIN, SecretService, keyring_variables, secret_service
from support.vault import TIMEOUT, write_notes
from support.waiting import wait_until

Cli = Callable[..., Ran]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SecretService]:
    with secret_service(tmp_path_factory.mktemp("keychain")) as running:
        yield running


@pytest.fixture
def keychain(service: SecretService, paths: Paths) -> Iterator[Keychain]:
    keys = Keychain(record=StateFile(paths.state / "keys.json"))
    for key in keys.names():
        keys.delete(key.id)
    yield keys
    keys.close()


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[EmbeddingServer]:
    """Answers for every host there is."""
    with serving() as running:
        running.stand_for_all(monkeypatch)
        yield running


@pytest.fixture
def type_in(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> Cli:
    """Runs one command with text on standard input."""

    def run(text: str, *arguments: str) -> Ran:
        monkeypatch.setattr(sys, "stdin", io.StringIO(text))
        return cli(*arguments)

    return run


def settings(paths: Paths, **search: object) -> None:
    block = {
        "provider": "openai",
        "outputDimensionality": 32,
        "remote": {"baseUrl": far_url("openai")},
        **search,
    }
    write_notes(paths.config, {"config.json5": json.dumps({"memorySearch": block})})


def test_a_key_comes_from_standard_input(type_in: Cli, keychain: Keychain) -> None:
    ran = type_in(f"{KEY}\n", "keys", "set", "openai")
    assert (ran.code, ran.err) == (0, "")
    assert KEY not in ran.out
    assert keychain.get("openai") == KEY


@pytest.mark.needs("POSIX terminals")
def test_a_key_is_typed_without_echo(home: Path, keychain: Keychain) -> None:
    import pty

    leader, follower = pty.openpty()
    with subprocess.Popen(
        [PROGRAM, "keys", "set", "voyage"],
        stdin=follower,
        stdout=follower,
        stderr=follower,
        start_new_session=True,
    ) as process:
        os.close(follower)
        screen = b""
        while b"not shown" not in screen:
            screen += os.read(leader, 1000)
        os.write(leader, KEY.encode() + b"\n")
        while b"keychain" not in screen:
            screen += os.read(leader, 1000)
        process.wait(TIMEOUT)
    os.close(leader)
    assert KEY.encode() not in screen
    assert keychain.get("voyage") == KEY


def test_the_list_shows_four_characters(cli: Cli, keychain: Keychain) -> None:
    keychain.set("openai", KEY)
    ran = cli("keys", "list")
    assert ran.out == f"openai\t...{KEY[-4:]}\n"
    assert cli("keys", "list", "--json").json == [{"id": "openai", "tail": KEY[-4:]}]


def test_an_empty_list_says_what_to_do(cli: Cli, keychain: Keychain) -> None:
    assert "scrubjay keys set openai" in cli("keys", "list").out


def test_a_key_is_deleted_once(cli: Cli, keychain: Keychain) -> None:
    keychain.set("openai", KEY)
    assert cli("keys", "delete", "openai").code == 0
    assert keychain.get("openai") == ""
    ran = cli("keys", "delete", "openai")
    assert (ran.code, "There is no key for openai" in ran.err) == (1, True)


@pytest.mark.parametrize(
    ("typed", "name", "complaint"),
    [
        ("", "openai", "no key on standard input"),
        ("\n", "openai", "no key on standard input"),
        ("schlüssel\n", "openai", "This is not a valid key"),
        (f"{KEY}\n", "opeani", "opeani is not a service"),
        (f"{KEY}\n", "ollama", "ollama is not a service"),
    ],
)
def test_what_is_no_key_is_refused(
    type_in: Cli, keychain: Keychain, typed: str, name: str, complaint: str
) -> None:
    ran = type_in(typed, "keys", "set", name)
    assert ran.code == 1
    assert complaint in ran.err
    assert keychain.names() == ()


def test_without_a_keychain_the_environment_is_offered(type_in: Cli) -> None:
    with keyring_variables(NO_KEYCHAIN):
        ran = type_in(f"{KEY}\n", "keys", "set", "openai")
    assert ran.code == 1
    assert "no keychain" in ran.err
    assert "until you quit Scrubjay" in ran.err


def test_a_key_is_tried(
    cli: Cli, keychain: Keychain, server: EmbeddingServer, paths: Paths
) -> None:
    settings(paths)
    keychain.set(FAR_HOST, KEY)
    ran = cli("keys", "test", FAR_HOST)
    assert ran.out.startswith(f"{FAR_HOST} answered in ")
    assert "text-embedding-3-small, 32 dimensions" in ran.out


def test_a_wrong_key_is_told(
    cli: Cli, keychain: Keychain, server: EmbeddingServer, paths: Paths
) -> None:
    settings(paths)
    keychain.set(FAR_HOST, "sk-wrong-0123456789")
    ran = cli("keys", "test", FAR_HOST)
    assert ran.code == 1
    assert f"{FAR_HOST} refused the key" in ran.err
    assert f"scrubjay keys set {FAR_HOST}" in ran.err
    assert "sk-wrong" not in ran.err


def test_keys_of_the_models_of_another_program_move_too(
    cli: Cli, keychain: Keychain, paths: Paths
) -> None:
    text = f"""models: {{ providers: {{
      google: {{ apiKey: "{KEY}", models: [] }},
      anthropic: {{ apiKey: "theirs" }},
    }} }}"""
    write_notes(paths.config, {"config.json5": text})
    assert cli("keys", "move").out.startswith(
        "The key for gemini was moved from the settings to the keychain"
    )
    assert keychain.get("gemini") == KEY
    services = load_settings(paths.config_file).raw["models"]["providers"]
    assert services["google"]["apiKey"] == {"source": "keyring", "id": "gemini"}
    assert services["anthropic"]["apiKey"] == "theirs"


def test_keys_move_out_of_the_settings(cli: Cli, keychain: Keychain, paths: Paths) -> None:
    text = f"""{{
      // The one for work.
      agents: {{ defaults: {{ memorySearch: {{
        provider: "voyage",
        remote: {{ apiKey: "{KEY}" }},
      }} }} }},
      memorySearch: {{
        remote: {{ baseUrl: "https://openrouter.ai/api/v1", apiKey: "${{MINE}}" }},
      }},
    }}"""
    write_notes(paths.config, {"config.json5": text})
    ran = cli("keys", "move")
    assert ran.out == "The key for voyage was moved from the settings to the keychain.\n"
    assert keychain.get("voyage") == KEY
    raw = load_settings(paths.config_file).raw
    moved = raw["agents"]["defaults"]["memorySearch"]["remote"]
    assert moved == {"apiKey": {"source": "keyring", "id": "voyage"}}
    assert raw["memorySearch"]["remote"]["apiKey"] == "${MINE}"
    assert "// The one for work." in paths.config_file.read_text()
    assert files_with(KEY, paths.config) == []
    assert cli("keys", "move").out == "No keys were found in the settings file.\n"


def test_a_key_that_cannot_be_kept_stays_where_it_is(cli: Cli, paths: Paths) -> None:
    settings(paths, remote={"apiKey": KEY})
    with keyring_variables(NO_KEYCHAIN):
        assert cli("keys", "move").code == 1
    assert KEY in paths.config_file.read_text()


def files_with(text: str, folder: Path) -> list[Path]:
    """Files that hold the text, in any of their bytes."""
    secret = text.encode()
    return [
        file
        for file in folder.rglob("*")
        if file.is_file() and (secret in file.read_bytes() or text in file.name)
    ]


def test_a_whole_session_leaves_no_trace_of_the_key(
    cli: Cli,
    shell: Cli,
    type_in: Cli,
    keychain: Keychain,
    server: EmbeddingServer,
    paths: Paths,
    notes: Path,
) -> None:
    settings(paths)
    said = [type_in(f"{KEY}\n", "keys", "set", FAR_HOST), cli("workspace", "add", notes)]
    said += [cli("index"), shell("index", "--yes")]
    assert len(server.requests) == 1

    def search_by_meaning() -> bool:
        """A search that waited long enough for a busy computer has asked nothing."""
        said.append(shell("search", "tomatoes", "--json"))
        return len(server.requests) == 2

    wait_until(search_by_meaning)
    # Failures are where keys slip out: refusals that repeat them, and answers that are none.
    for fault in (Refuse(401, f"Wrong key {KEY}"), Refuse(400, f"{KEY} is not allowed to")):
        server.faults.append(fault)
        said.append(shell("search", f"violins {fault.status}"))
    server.always = Refuse(422, f"invalid: key={KEY}")
    write_notes(notes, {"sea.md": "# Sea\n\nThe tide is at nine.\n"})
    said += [shell("index"), cli("status", "--json"), cli("keys", "list")]
    server.always = Refuse(500, f"panic: key={KEY}")
    said += [shell("diagnostics"), shell("keys", "test", FAR_HOST)]
    assert [ran.code for ran in said[:-1]] == [0] * (len(said) - 1)
    assert "panic" in said[-1].err
    for ran in said:
        assert KEY not in ran.out + ran.err
    assert (paths.logs / "scrubjay.log").is_file()
    assert files_with(KEY, paths.config) == []
    # The search itself works: what was sent to the provider did hold the key.
    assert all(KEY in request.headers["authorization"] for request in server.requests)
