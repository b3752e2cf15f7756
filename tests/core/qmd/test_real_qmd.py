"""The real program, where there is one: `QMD_COMMAND` or `qmd`."""

from __future__ import annotations

import json
import os
import shlex
import shutil
from pathlib import Path

import pytest

from scrubjay import Paths
from support.vault import NewEngine, ask, tree_digest, write_notes

COMMAND = os.environ.get("QMD_COMMAND", "qmd")

pytestmark = pytest.mark.skipif(
    shutil.which(shlex.split(COMMAND)[0]) is None,
    reason="QMD is not installed; QMD_COMMAND may say where it is",
)


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


def test_a_damaged_index_is_the_reason_and_is_made_anew(
    paths: Paths, new_engine: NewEngine, vault: Path, monkeypatch: pytest.MonkeyPatch
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
    assert answer.takeover.reason.startswith("QMD ended with 1: ")
    monkeypatch.setattr(engine.qmd, "_retry_s", 0.0)
    assert ask(engine, "coffee").provider == "qmd"
