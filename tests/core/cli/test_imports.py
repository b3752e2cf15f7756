"""What the program imports for the commands that others wait for."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from support.imports import imported

NOT_FOR_A_HOOK = {
    "lancedb",
    "pyarrow",
    "scrubjay.sharing",
    "scrubjay.store.lancedb",
    "PIL",
    "onnxruntime",
    "scrubjay.documents.picture_reader",
    "anyio",
    "cryptography",
    "filelock",
    "httpx2",
    "humanize",
    "keyring",
    "mcp",
    "pydantic",
    "rich",
    "scrubjay.agents.connect",
    "scrubjay.agents.recall.capture_rules",
    "scrubjay.agents.recall.flush",
    "scrubjay.cli.commands.search",
    "scrubjay.cli.output",
    "scrubjay.cli.status_output",
    "scrubjay.embedding.remote.credentials",
    "scrubjay.engine.undoable_settings",
    "scrubjay.health",
    "scrubjay.index.indexer",
    "scrubjay.mcp_server",
    "scrubjay.models.library",
    "ssl",
    "tomlkit",
    "typer",
    "watchdog",
}
NOT_FOR_A_SEARCH = {
    "lancedb",
    "pyarrow",
    "scrubjay.sharing",
    "scrubjay.store.lancedb",
    "PIL",
    "onnxruntime",
    "rapidocr",
    "scrubjay.documents.picture_reader",
    "anyio",
    "cryptography",
    "filelock",
    "httpx2",
    "humanize",
    "keyring",
    "llama_cpp",
    "mcp",
    "numpy",
    "psutil",
    "pydantic",
    "regex",
    "rich",
    "sqlite_vec",
    "subprocess",
    "watchdog",
    "scrubjay.agents.access.access_control",
    "scrubjay.embedding.remote",
    "scrubjay.embedding.selection.provider_factory",
    "scrubjay.engine.undoable_settings",
    "scrubjay.cli.commands.dream",
    "scrubjay.cli.commands.hook",
    "scrubjay.cli.commands.models",
    "scrubjay.agents.connect",
    "scrubjay.health.diagnostics",
    "scrubjay.agents.dreaming",
    "scrubjay.health",
    "scrubjay.index.vector_builder",
    "scrubjay.models.catalogue",
    "scrubjay.onboarding.setup_import",
    "scrubjay.embedding.local",
    "scrubjay.index.indexer",
    "scrubjay.mcp_server",
    "scrubjay.notes.chunker",
    "scrubjay.text.redaction",
    "scrubjay.evaluation.model_comparison",
    "scrubjay.models.download.download_queue",
    "scrubjay.models.library.model_library",
    "scrubjay.agents.recall",
    "scrubjay.updates",
    "ssl",
    "tomlkit",
    "typer",
}
FOR_MEANING = {
    "numpy",
    "scrubjay.notes.chunker",
    "scrubjay.embedding.local",
    "sqlite_vec",
    "subprocess",
    "scrubjay.embedding.remote",
    "scrubjay.embedding.selection.provider_factory",
    "scrubjay.models.catalogue",
}
NOT_FOR_THE_VERSION = NOT_FOR_A_SEARCH | {
    "apsw",
    "scrubjay.config",
    "scrubjay.engine.engine",
    "scrubjay.records.note_records",
    "scrubjay.records.search_records",
    "scrubjay.records.status_records",
}
NOT_FOR_THE_HELP = NOT_FOR_THE_VERSION | {
    "scrubjay.cli.commands.search",
    "scrubjay.cli.session",
    "scrubjay.errors",
}
NOT_FOR_THE_SERVER = {
    "lancedb",
    "pyarrow",
    "scrubjay.sharing",
    "scrubjay.store.lancedb",
    "PIL",
    "onnxruntime",
    "rapidocr",
    "scrubjay.documents.picture_reader",
    "humanize",
    "keyring",
    "llama_cpp",
    "psutil",
    "scrubjay.engine.undoable_settings",
    "scrubjay.cli.commands.dream",
    "scrubjay.cli.commands.search",
    "scrubjay.agents.connect",
    "scrubjay.health.diagnostics",
    "scrubjay.agents.dreaming",
    "scrubjay.health",
    "scrubjay.onboarding.setup_import",
    "scrubjay.evaluation.model_comparison",
    "scrubjay.models.library.model_library",
    "scrubjay.updates",
    "tomlkit",
    # A client waits for the handshake, which needs nothing of a search or a change.
    "numpy",
    "scrubjay.agents.edits.agent_edits",
    "scrubjay.search.hits",
    "scrubjay.store.reader",
}


@pytest.mark.parametrize(
    ("arguments", "needed", "not_needed"),
    [
        (["--version"], "scrubjay.version", NOT_FOR_THE_VERSION),
        (["--help"], "scrubjay.cli.command_list", NOT_FOR_THE_HELP),
        (
            ["search", "fox", "--mode", "lexical", "--json"],
            "scrubjay.engine.engine",
            NOT_FOR_A_SEARCH,
        ),
        (["search", "fox", "--mode", "lexical"], "scrubjay.engine.engine", NOT_FOR_A_SEARCH),
        (["search", "fox"], "scrubjay.models.catalogue", NOT_FOR_A_SEARCH - FOR_MEANING),
        (["mcp"], "scrubjay.mcp_server.server", NOT_FOR_THE_SERVER),
    ],
    ids=["version", "help", "search as JSON", "search", "search by both", "mcp"],
)
def test_a_quick_command_loads_nothing_it_does_not_need(
    cli, notes: Path, arguments: Sequence[str], needed: str, not_needed: set[str]
) -> None:
    cli("workspace", "add", notes)
    cli("index")
    modules, _ = imported(*arguments)
    assert needed in modules
    assert modules & not_needed == set()


def test_a_reminder_for_an_agent_loads_nothing_it_does_not_need(cli, notes: Path) -> None:
    cli("workspace", "add", notes)
    cli("index")
    prompt = {
        "hook_event_name": "UserPromptSubmit",
        "prompt": "where is the password of the router",
    }
    modules, _ = imported("hook", "recall", typed=json.dumps(prompt))
    assert "scrubjay.search.searcher" in modules
    assert modules & NOT_FOR_A_HOOK == set()


def test_a_search_never_looks_through_all_of_memory_for_waste(cli, notes: Path) -> None:
    cli("workspace", "add", notes)
    cli("index")
    _, full_collections = imported("search", "fox", "--mode", "lexical")
    assert full_collections == 0
