"""The real program, where there is one: `QMD_COMMAND` or `qmd`."""

from __future__ import annotations

import json
import os
import shlex
import shutil
from pathlib import Path

import pytest

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.platform.paths import Paths
from scrubjay.records.search_modes import Mode
from scrubjay.records.search_records import SearchRequest
from support.tiny_models import GEMMA, RANKER, WRITER, write_tiny_model
from support.vault import NewEngine, ask, tree_digest, write_notes

COMMAND = os.environ.get("QMD_COMMAND", "qmd")

pytestmark = pytest.mark.skipif(
    shutil.which(shlex.split(COMMAND)[0]) is None,
    reason="QMD is not installed; QMD_COMMAND may say where it is",
)


_PATIENCE_S = 180
"""Threads of QMD's models wait for one another by spinning, which is slow on a busy computer."""


def configure(paths: Paths, root: Path, /, **qmd: object) -> None:
    limits = {"timeoutMs": 25_000}
    settings = {
        "workspaces": [{"id": "jay", "path": str(root / "agent")}],
        "memory": {"backend": "qmd", "qmd": {"command": COMMAND, "limits": limits, **qmd}},
    }
    paths.config_file.parent.mkdir(parents=True, exist_ok=True)
    paths.config_file.write_text(json.dumps(settings))


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return write_notes(
        tmp_path,
        {
            "agent/MEMORY.md": "# Curated\n\nThe user likes black coffee.\n",
            "agent/memory/2026-02-01.md": "# Day\n" + "\nNothing.\n" * 20 + "\nTomatoes!\n",
            "agent/src/secret.md": "# Secret tomatoes\n",
            "wiki/Mi Huerta (vieja) & Ñandú.md": "# Huerta\n\nLos tomates, tomatoes.\n",
        },
    )


def test_its_answers_are_understood(paths: Paths, new_engine: NewEngine, vault: Path) -> None:
    before = tree_digest(vault / "agent"), tree_digest(vault / "wiki")
    configure(paths, vault, paths=[{"path": str(vault / "wiki"), "name": "wiki"}])
    engine = new_engine()
    answer = ask(engine, "tomatoes")
    assert (answer.provider, answer.takeover) == ("qmd", None)
    found = {hit.path: hit for hit in answer.hits}
    assert set(found) == {"memory/2026-02-01.md", "qmd/wiki/Mi Huerta (vieja) & Ñandú.md"}
    day = found["memory/2026-02-01.md"]
    assert day.first_line <= 43 <= day.last_line
    assert "Tomatoes!" in day.snippet.text
    assert "@@" not in day.snippet.text
    assert ask(engine, "zeppelin").hits == ()
    assert ask(engine, "--all vec: coffee").provider == "qmd"
    assert (tree_digest(vault / "agent"), tree_digest(vault / "wiki")) == before


def test_what_changes_is_found(paths: Paths, new_engine: NewEngine, vault: Path) -> None:
    configure(paths, vault, update={"interval": "1ms"})
    engine = new_engine()
    assert [hit.path for hit in ask(engine, "coffee").hits] == ["MEMORY.md"]
    (vault / "agent/MEMORY.md").write_text("# Curated\n\nThe user likes green tea.\n")
    assert ask(engine, "coffee").hits == ()
    assert [hit.path for hit in ask(engine, "green tea").hits] == ["MEMORY.md"]


@pytest.mark.limits(qmd_pause_seconds=0)
def test_a_damaged_index_is_the_reason_and_is_made_anew(
    paths: Paths, new_engine: NewEngine, vault: Path
) -> None:
    configure(paths, vault)
    engine = new_engine()
    assert ask(engine, "coffee").provider == "qmd"
    (paths.state / "qmd/jay/cache/qmd/index.sqlite").write_bytes(b"no database" * 1000)
    for name in ("index.sqlite-wal", "index.sqlite-shm"):
        (paths.state / "qmd/jay/cache/qmd" / name).unlink(missing_ok=True)
    answer = ask(engine, "coffee")
    assert answer.hits[0].path == "MEMORY.md"
    assert answer.takeover is not None
    assert answer.takeover.reason.startswith("QMD exited with code 1: ")
    assert ask(engine, "coffee").provider == "qmd"


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The three models of QMD, a few thousand random weights each."""
    for name, family in (("EMBED", GEMMA), ("GENERATE", WRITER), ("RERANK", RANKER)):
        monkeypatch.setenv(f"QMD_{name}_MODEL", str(write_tiny_model(family, tmp_path)))


def configure_meaning(paths: Paths, vault: Path, mode: str) -> None:
    milliseconds = _PATIENCE_S * 1000
    configure(
        paths,
        vault,
        searchMode=mode,
        limits={"timeoutMs": milliseconds},
        update={"embedTimeoutMs": milliseconds},
    )
    settings = json.loads(paths.config_file.read_text())
    settings["memorySearch"] = {"query": {"deadlineMs": milliseconds}}
    paths.config_file.write_text(json.dumps(settings))


@pytest.mark.parametrize("mode", ["vsearch", "query"])
def test_its_answers_by_meaning_are_understood(
    paths: Paths, new_engine: NewEngine, vault: Path, models: None, mode: str
) -> None:
    configure_meaning(paths, vault, mode)
    engine = new_engine()
    [workspace] = engine.workspaces()
    engine.qmd.update(workspace).result(_PATIENCE_S)
    answer = engine.search(SearchRequest("black coffee"), CancelToken()).result(_PATIENCE_S)
    assert (answer.provider, answer.model, answer.takeover) == ("qmd", mode, None)
    assert answer.mode is Mode.HYBRID
    found = {hit.path: hit for hit in answer.hits}
    # The weights are random, so that the order by meaning is too.
    assert set(found) == {"MEMORY.md", "memory/2026-02-01.md"}
    assert "black coffee" in found["MEMORY.md"].snippet.text
    assert found["MEMORY.md"].first_line <= 3 <= found["MEMORY.md"].last_line
    assert all(0 < hit.score <= 1 for hit in answer.hits)


def test_a_model_that_is_not_there_is_the_reason(
    paths: Paths, new_engine: NewEngine, vault: Path, models: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QMD_GENERATE_MODEL", str(vault / "gone.gguf"))
    configure_meaning(paths, vault, "vsearch")
    engine = new_engine()
    [workspace] = engine.workspaces()
    engine.qmd.update(workspace).result(_PATIENCE_S)
    answer = engine.search(SearchRequest("black coffee"), CancelToken()).result(_PATIENCE_S)
    assert answer.hits[0].path == "MEMORY.md"
    assert answer.takeover is not None
    assert "QMD exited with code 1" in answer.takeover.reason
