"""Copies of settings hold no secret that the settings do not hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrubjay.config.removed_secrets import without_removed_secrets
from scrubjay.config.settings_file import ConfigFile
from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import Paths
from support.vault import write_notes


@pytest.mark.parametrize(
    ("former", "left"),
    [
        ('{remote: {apiKey: "sk-1", model: "m"}}', '{remote: {apiKey: "", model: "m"}}'),
        ("{'apiKey' : 'it\\'s'}", "{'apiKey' : ''}"),
        ('{"env": {"OPENAI_API_KEY": "sk-1"}}', '{"env": {"OPENAI_API_KEY": ""}}'),
        ('OTHER_TOKEN = "sk-1"\nmodel = "m"', 'OTHER_TOKEN = ""\nmodel = "m"'),
        ('// apiKey: "sk-1"', '// apiKey: ""'),
        ('{headers: {"X-Some": "s-9", accept: "a-9"}}', '{headers: {"X-Some": "", accept: ""}}'),
        ('{apiKey: {source: "env", id: "KEY"}}', '{apiKey: {source: "env", id: "KEY"}}'),
        ('{apiKey: "stays"}', '{apiKey: "stays"}'),
        ('{path: "/notes", name: "keys"}', '{path: "/notes", name: "keys"}'),
    ],
)
def test_secrets_that_are_gone_are_empty_texts(former: str, left: str) -> None:
    assert without_removed_secrets(former, "now: 'stays'") == left


def test_a_long_text_takes_no_long_time() -> None:
    text = "key" * 100_000
    assert without_removed_secrets(text, "") == text


def test_a_key_that_was_taken_out_by_an_edit_is_not_in_the_backup(tmp_path: Path) -> None:
    file = (
        write_notes(tmp_path, {"c.json5": '{a: {apiKey: "sk-1"}, b: {apiKey: "sk-2"}}'}) / "c.json5"
    )
    ConfigFile(file).set(["a", "apiKey"], {"source": "keyring", "id": "a"})
    assert (tmp_path / "c.json5.bak").read_text() == '{a: {apiKey: ""}, b: {apiKey: "sk-2"}}'


def test_a_key_that_was_taken_out_by_hand_is_not_in_the_backup(paths: Paths) -> None:
    file = write_notes(paths.config, {"config.json5": '{memorySearch: {remote: {apiKey: "sk-1"}}}'})
    ConfigFile(*paths.settings).set(["localOnly"], True)
    backup = file / "config.json5.bak"
    Engine(paths).close()
    assert "sk-1" in backup.read_text()
    paths.config_file.write_text("{localOnly: true}")
    Engine(paths).close()
    assert backup.read_text() == '{memorySearch: {remote: {apiKey: ""}}}'
    assert "sk-1" not in paths.last_settings.read_text()
