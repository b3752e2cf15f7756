from __future__ import annotations

from pathlib import Path

import pytest

from scrubjay.engine.engine import Engine
from scrubjay.platform.logs import configure_logging
from scrubjay.platform.paths import Paths

TOKEN = "ghp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9v"


@pytest.fixture
def text(paths: Paths, tmp_path: Path) -> str:
    """The diagnostics of somebody with one note, an odd setting and a leaky log."""
    root = tmp_path / "Diary of Ana"
    root.mkdir()
    (root / "secret.md").write_text("# Ana\n\nThe wedding is on Sunday.\n")
    paths.config.mkdir(parents=True, exist_ok=True)
    paths.config_file.write_text(
        "{ memorySearch: { provider: 'none', query: { maxResults: 9 }, remote: "
        f"{{ apiKey: '{TOKEN}' }} }} , odd: 1 }}"
    )
    configure_logging(paths.logs, "scrubjay")
    (paths.logs / "scrubjay.log").write_text(f"INFO read\nWARNING token {TOKEN} refused\n")
    engine = Engine(paths)
    engine.add_workspace(root).result()
    engine.refresh().result()
    said = engine.diagnostics("Qt 6.11").result()
    engine.close()
    return said


def test_it_says_what_helps(text: str) -> None:
    for part in (
        "Qt 6.11",
        "memorySearch.query.maxResults = 9",
        "odd: not known",
        "1: ready, 1 notes, 1 chunks",
        "WARNING token",
        "llama.cpp: portable (",
    ):
        assert part in text


def test_it_says_nothing_that_is_private(text: str) -> None:
    for part in ("wedding", "Diary of Ana", "secret.md", TOKEN, str(Path.home())):
        assert part not in text


def test_without_anything_it_says_so(paths: Paths) -> None:
    engine = Engine(paths)
    said = engine.diagnostics().result()
    engine.close()
    assert "  none\n" in said
