"""One entry of an agent's settings changes; everything else stays as it was, to the character."""

from __future__ import annotations

import json
from typing import Any

import pytest
import tomlkit
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.agents.connect.known_agents import CLIENTS, SERVER, Client, SettingsFormat
from scrubjay.agents.connect.settings_edit import edit_settings, find_entry
from scrubjay.config.json5.json5_parser import parse_json5
from scrubjay.errors import ConnectFailed

ENTRY = {"command": "/opt/scrubjay", "args": ["mcp", "--as", "x"], "env": {"A": 'say "é"'}}
CURSOR, CODEX, OPENCLAW = CLIENTS["cursor"], CLIENTS["codex"], CLIENTS["openclaw"]

JSONC = """\
{
\t// mine
\t"theme": "dark", "odd":[1,2 , 3],
\t"mcpServers": {
\t\t"other": { "command": "npx", "args": ["-y", "other"] } // keep
\t},
\t/* the end */
}
"""
JSON5 = """{
  // my agent
  gateway: { port: 18789, },
  mcp: {
    servers: { 'other': {command: 'x'}, },
  },
}
"""
TOML = """\
# mine
model = "gpt-5"   # the good one

[mcp_servers.other]
command = "npx"
args = [ "-y",  "other" ]

[profiles.fast]
model = 'mini'
"""


def data_of(client: Client, text: str) -> Any:
    plain = text.removeprefix("\ufeff")
    return (
        tomlkit.parse(plain).unwrap()
        if client.form is SettingsFormat.TOML
        else parse_json5(plain).value
    )


@pytest.mark.parametrize("client", CLIENTS.values(), ids=CLIENTS)
@pytest.mark.parametrize("text", [None, "", "  \n", "\ufeff"])
def test_a_missing_file_gets_our_entry_alone(client: Client, text: str | None) -> None:
    after = edit_settings(client, text, ENTRY)
    assert find_entry(client, after) == ENTRY
    assert after.endswith("\n")
    if client.form is SettingsFormat.JSON:
        assert json.loads(after)["mcpServers"] == {SERVER: ENTRY}


@pytest.mark.parametrize(
    ("client", "before"),
    [
        (CURSOR, JSONC),
        (CURSOR, "{}"),
        (CURSOR, '{"mcpServers":{}}'),
        (CURSOR, '{"a":1,"mcpServers":{"b":{"command":"c"}},"d":[]}\n'),
        (CURSOR, JSONC.replace("\n", "\r\n")),
        (OPENCLAW, JSON5),
        (OPENCLAW, "{ gateway: {} }"),
        (CODEX, TOML),
        (CODEX, TOML.replace("\n", "\r\n")),
        (CODEX, "mcp_servers = { other = { command = 'x' } }\n"),
        (CODEX, "[mcp_servers]\nother = { command = 'x' }\n# end\n"),
        (CODEX, "model = 'x'"),
        (CODEX, "[mcp_servers.a]\ncommand = 1\n\n[x]\n\n[mcp_servers.b]\ncommand = 2\n"),
        (CODEX, "\ufeffmodel = 'x'\n"),
        (CODEX, "mcp_servers.a.command = 'x'\nmodel = 'y'\n\n[z]\nb = 1\n"),
        (CODEX, "mcp_servers.a.command = 'x'\r\nmodel = 'y'\r\n[[z]]\r\nb = 1\r\n"),
        (CURSOR, "\ufeff{}\n"),
    ],
)
def test_what_was_there_stays_to_the_character(client: Client, before: str) -> None:
    after = edit_settings(client, before, ENTRY)
    assert find_entry(client, after) == ENTRY
    kept = iter(after)
    missing = [letter for letter in before if letter not in kept]
    assert not "".join(missing).strip()
    assert data_of(client, edit_settings(client, after, None)) in (
        data_of(client, before),
        data_of(client, before) | {key: {} for key in client.servers[:1]},
        data_of(client, before) | {"mcp": {"servers": {}}},
    )
    assert edit_settings(client, after, ENTRY) == after
    if "\r\n" in before:
        assert "\n" not in after.replace("\r\n", "")


def test_plain_json_stays_plain_json() -> None:
    for before in ("{}", "{ }", '{"a": 1}', '{"mcpServers": {}}'):
        assert json.loads(edit_settings(CURSOR, before, ENTRY))["mcpServers"][SERVER] == ENTRY
    after = edit_settings(CURSOR, '{"mcpServers": {"scrubjay": {"command": "old"}}}', ENTRY)
    assert json.loads(after) == {"mcpServers": {SERVER: ENTRY}}
    assert json.loads(edit_settings(CURSOR, after, None)) == {"mcpServers": {}}


def test_comments_and_the_other_servers_stay_beside_ours() -> None:
    for client, before, comments in (
        (CURSOR, JSONC, ("// mine", "// keep", "/* the end */", '"odd":[1,2 , 3]')),
        (OPENCLAW, JSON5, ("// my agent", "port: 18789, }", "'other': {command: 'x'}")),
        (CODEX, TOML, ("# mine", "# the good one", 'args = [ "-y",  "other" ]', "'mini'")),
    ):
        after = edit_settings(client, before, ENTRY)
        assert [comment for comment in comments if comment not in after] == []
        assert edit_settings(client, after, None) == before or client is CODEX


@pytest.mark.parametrize(
    ("client", "text"),
    [
        (CURSOR, "{"),
        (CURSOR, "[]"),
        (CURSOR, '"text"'),
        (CURSOR, '{"mcpServers": 5}'),
        (CURSOR, '{"mcpServers": []}'),
        (OPENCLAW, "{mcp: 'none'}"),
        (CODEX, "mcp_servers = 5"),
        (CODEX, "[[mcp_servers]]\na = 1"),
        (CODEX, "= broken"),
        (CODEX, "[a]\n[a]\n"),
        (CURSOR, "[" * 5000),
    ],
)
def test_a_file_that_makes_no_sense_is_refused(client: Client, text: str) -> None:
    with pytest.raises(ConnectFailed, match=f"settings for {client.name}"):
        edit_settings(client, text, ENTRY)


NAMES = st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), min_size=1, max_size=8)
VALUES = st.recursive(
    st.booleans() | st.integers(-(2**53), 2**53) | NAMES | st.floats(allow_nan=False, width=32),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.dictionaries(NAMES, VALUES, max_size=4)
SERVERS = st.dictionaries(NAMES.filter(lambda name: name != SERVER), OBJECTS, max_size=3)


@given(OBJECTS, SERVERS, st.sampled_from([None, 0, 2, "\t"]), st.booleans())
def test_foreign_keys_of_json_survive(
    foreign: dict[str, Any], servers: dict[str, Any], indent: Any, has_servers: bool
) -> None:
    data = foreign | ({"mcpServers": servers} if has_servers else {})
    data.pop("mcpServers", None) if not has_servers else None
    before = json.dumps(data, indent=indent, ensure_ascii=False)
    after = json.loads(edit_settings(CURSOR, before, ENTRY))
    assert after["mcpServers"].pop(SERVER) == ENTRY
    assert after == {"mcpServers": {}} | data
    undone = json.loads(edit_settings(CURSOR, edit_settings(CURSOR, before, ENTRY), None))
    assert undone == {"mcpServers": {}} | data


@given(OBJECTS, SERVERS)
def test_foreign_keys_of_toml_survive(foreign: dict[str, Any], servers: dict[str, Any]) -> None:
    foreign.pop("mcp_servers", None)
    data = foreign | ({"mcp_servers": servers} if servers else {})
    before = tomlkit.dumps(data)
    data = tomlkit.parse(before).unwrap()
    text = edit_settings(CODEX, before, ENTRY)
    after = tomlkit.parse(text).unwrap()
    assert after["mcp_servers"].pop(SERVER) == ENTRY
    assert after == {"mcp_servers": {}} | data
    assert tomlkit.parse(edit_settings(CODEX, text, None)).unwrap() == data
