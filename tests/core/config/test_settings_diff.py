"""A changed setting says whether it needs a rebuild."""

import subprocess
import sys
from pathlib import Path

import pytest

from scrubjay.config.schema.memory_search import MemorySearch
from scrubjay.config.settings_diff import REBUILD_KEYS, changed_keys, leaf_values, needs_rebuild
from settings_reference import page

ROOT = Path(__file__).parents[3]
CHUNKING = ("chunking.tokens", "chunking.overlap")


@pytest.mark.parametrize(
    ("new", "keys", "rebuilding"),
    [
        ({}, (), ()),
        ({"query": {"maxResults": 7}}, ("query.maxResults",), ()),
        ({"remote": {"baseUrl": "x"}, "model": "m"}, ("model", "remote.baseUrl"), ("model",)),
        ({"chunking": {"tokens": 100}}, CHUNKING, CHUNKING),
        ({"extraPaths": ["a"]}, ("extraPaths",), ()),
    ],
)
def test_changes(
    new: dict[str, object], keys: tuple[str, ...], rebuilding: tuple[str, ...]
) -> None:
    found = changed_keys(MemorySearch(), MemorySearch.of(new))
    assert found == keys
    assert tuple(filter(needs_rebuild, found)) == rebuilding


def test_every_key_that_needs_a_rebuild_exists() -> None:
    assert {key for key, _ in leaf_values(MemorySearch())} >= REBUILD_KEYS


def test_the_documentation_is_up_to_date() -> None:
    written = ROOT / "docs" / "settings.md"
    assert written.read_text(encoding="utf-8") == page(), (
        "run scripts/settings_reference.py docs/settings.md"
    )


def test_every_key_is_documented() -> None:
    text = page()
    assert [key for key, _ in leaf_values(MemorySearch()) if f"| `{key}` | " not in text] == []


def test_the_documentation_is_written_to_a_file_or_to_the_terminal(tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "scripts" / "settings_reference.py")]
    printed = subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout
    subprocess.run([*command, str(tmp_path / "settings.md")], check=True)
    assert printed == page() == (tmp_path / "settings.md").read_text(encoding="utf-8")
