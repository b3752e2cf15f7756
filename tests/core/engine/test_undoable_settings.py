from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from scrubjay.config.loading import load_settings
from scrubjay.config.page_settings import Setting, SettingKind, page_settings
from scrubjay.config.schema.memory_search import MemorySearch
from scrubjay.config.settings_diff import leaf_values
from scrubjay.engine.engine import Engine
from scrubjay.errors import ConfigError
from scrubjay.platform.paths import Paths
from support.vault import TIMEOUT, write_notes

RESULTS = "memorySearch.query.maxResults"
IN_THE_FILE_ONLY = {
    "driver", "deltaBytes", "deltaMessages",
    "candidateMultiplier", "synonyms", "stopWords", "translations", "dates",
    "paths", "apiKey", "headers", "wait", "concurrency",
    "pollIntervalMs", "timeoutMinutes", "maxBytes", "modalities", "maxFileBytes", "gpuLayers",
    "options", "uri", "name",
}  # fmt: skip
"""Ends of keys that nobody needs a window for, or that have a place of their own (keys)."""


@pytest.fixture
def engine(paths: Paths) -> Iterator[Engine]:
    engine = Engine(paths)
    yield engine
    engine.close()


def of(engine: Engine, key: str) -> Setting:
    return next(setting for setting in engine.settings_editor.all() if setting.key == key)


def test_every_key_of_the_schema_can_be_chosen_or_is_left_to_the_file() -> None:
    shown = {
        setting.key.removeprefix("memorySearch.")
        for setting in page_settings(load_settings(Path("nowhere")))
    }
    for key, _ in leaf_values(MemorySearch()):
        is_left_out = any(key == end or key.endswith(f".{end}") for end in IN_THE_FILE_ONLY)
        assert (key in shown) or is_left_out or key in {"multimodal.enabled", "cache.enabled"}, key


def test_every_setting_has_a_kind_that_its_default_fits() -> None:
    for setting in page_settings(load_settings(Path("nowhere"))):
        match setting.kind:
            case SettingKind.SWITCH:
                assert isinstance(setting.default, bool)
            case SettingKind.ONE_OF:
                assert setting.default in dict(setting.options)
            case SettingKind.LIST:
                assert isinstance(setting.default, tuple)
            case SettingKind.NUMBER | SettingKind.DECIMAL:
                assert setting.low is not None
        assert not setting.is_set


def test_a_choice_is_written_applied_and_taken_back(engine: Engine, paths: Paths) -> None:
    engine.settings_editor.set(RESULTS, 12).result()
    assert engine.settings.settings.memory_search.query.max_results == 12
    assert of(engine, RESULTS).is_set
    assert engine.settings_editor.undo().result() == RESULTS
    assert (of(engine, RESULTS).value, of(engine, RESULTS).is_set) == (6, False)
    assert engine.settings_editor.undo().result() == ""


@pytest.mark.parametrize(
    "text",
    [
        "{ memorySearch: { query: { maxResults: 9 } } } // mine",
        "{ agents: { defaults: { memorySearch: { query: { maxResults: 9 } } } } } // mine",
        "{ memory: { search: { query: { maxResults: 9 } } } } // mine",
    ],
)
def test_a_reset_finds_every_spelling_and_keeps_the_rest(
    engine: Engine, paths: Paths, text: str
) -> None:
    paths.config.mkdir(parents=True, exist_ok=True)
    paths.config_file.write_text(text)
    engine.settings_editor.reset(RESULTS).result()
    assert of(engine, RESULTS).value == 6
    assert paths.config_file.read_text().endswith("// mine")
    engine.settings_editor.undo().result()
    assert of(engine, RESULTS).value == 9


@pytest.mark.parametrize(
    ("key", "value"),
    [(RESULTS, "many"), (RESULTS, 0), ("memorySearch.provider", "someone"), ("localOnly", 3)],
)
def test_a_value_that_would_not_be_used_is_refused(
    engine: Engine, paths: Paths, key: str, value: object
) -> None:
    with pytest.raises(ConfigError, match="Nothing was changed"):
        engine.settings_editor.set(key, value).result()
    assert not paths.config_file.exists()


def test_a_wrong_value_in_the_file_is_shown_where_it_stands(paths: Paths) -> None:
    paths.config.mkdir(parents=True, exist_ok=True)
    paths.config_file.write_text("{ memorySearch: { query: { maxResults: 'many' } } }")
    (found,) = [
        setting
        for setting in page_settings(load_settings(paths.config_file))
        if setting.key == RESULTS
    ]
    assert (found.value, found.problem != "") == (6, True)


def test_a_folder_for_which_something_else_holds_is_named(engine: Engine, paths: Paths) -> None:
    folders = [paths.config_file.parent / name for name in ("home", "work")]
    for folder in folders:
        folder.mkdir(parents=True)
        engine.add_workspace(folder).result()
    assert of(engine, RESULTS).overrides == ()
    text = paths.config_file.read_text()
    own = '{ memorySearch: { query: { maxResults: 20 }, extraPaths: ["~/more"] } }'
    paths.config_file.write_text(
        text.replace("{", f"{{ agents: {{ entries: {{ work: {own} }} }},", 1)
    )
    engine.reload_settings().result()
    assert of(engine, RESULTS).overrides == (("work", 20),)
    assert of(engine, "memorySearch.extraPaths").overrides == (("work", ("~/more",)),)
    assert of(engine, "memorySearch.provider").overrides == ()


@pytest.mark.parametrize("written", ['"${OPENAI_API_KEY}"', '{ source: "keyring", id: "openai" }'])
def test_a_reference_to_a_key_is_never_written_as_the_key(
    paths: Paths, monkeypatch: pytest.MonkeyPatch, written: str
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-the-key-itself")
    paths.config.mkdir(parents=True, exist_ok=True)
    paths.config_file.write_text(f"{{ memorySearch: {{ remote: {{ apiKey: {written} }} }} }}")
    engine = Engine(paths)
    for value in (12, 13):
        engine.settings_editor.set(RESULTS, value).result()
    engine.settings_editor.undo().result()
    assert engine.keys.move().result() == ()
    engine.close()
    assert written in paths.config_file.read_text()
    for file in paths.config.rglob("*"):
        assert not file.is_file() or b"sk-the-key-itself" not in file.read_bytes()


def test_a_former_name_of_a_key_is_read_and_replaced(engine: Engine, paths: Paths) -> None:
    file = paths.config / "config.json5"
    write_notes(paths.config, {"config.json5": "{access: {guestBookDays: 7}}"})
    engine.catch_up_with_settings()
    days = of(engine, "access.auditLogDays")
    assert (days.value, days.is_set) == (7, True)
    engine.settings_editor.set("access.auditLogDays", 30).result(TIMEOUT)
    assert load_settings(file).raw == {"access": {"auditLogDays": 30}}
    assert engine.settings_editor.undo().result(TIMEOUT) == "access.auditLogDays"
    assert of(engine, "access.auditLogDays").value == 7


def test_a_former_name_of_a_key_is_removed_by_a_reset(engine: Engine, paths: Paths) -> None:
    write_notes(paths.config, {"config.json5": "{access: {guestBookDays: 7}}"})
    engine.settings_editor.reset("access.auditLogDays").result(TIMEOUT)
    assert "guestBookDays" not in (paths.config / "config.json5").read_text()
    assert of(engine, "access.auditLogDays").value == 90


def test_of_both_names_of_a_key_that_of_today_counts(paths: Paths) -> None:
    write_notes(paths.config, {"config.json5": "{access: {guestBookDays: 7, auditLogDays: 8}}"})
    loaded = load_settings(paths.config / "config.json5")
    assert loaded.settings.access.audit_log_days == 8
    assert loaded.not_used == ("access.guestBookDays",)
