"""Conversations that are exported for QMD."""

from __future__ import annotations

import json
from pathlib import Path

from scrubjay.qmd.collections import export_sessions
from support.vault import age

DAY_S = 86_400


def transcript(file: Path, *said: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    records = [
        {"type": "message", "timestamp": "2026-11-20T08:00:00Z",
         "message": {"role": "user", "content": text}}
        for text in said
    ]  # fmt: skip
    file.write_text("\n".join(map(json.dumps, records)))
    return file


def exported(target: Path) -> dict[str, str]:
    return {file.name: file.read_text() for file in target.iterdir()}


def test_conversations_become_notes_without_secrets(tmp_path: Path) -> None:
    transcript(tmp_path / "s/one.jsonl", "The key is sk-abcdefghijklmnop1234", "Tomatoes!")
    export_sessions([tmp_path / "gone", tmp_path / "s"], tmp_path / "out", None)
    assert exported(tmp_path / "out") == {
        "one.md": "# Conversation of 2026-11-20\n\nUser: The key is [redacted]\n\nUser: Tomatoes!\n"
    }


def test_what_is_too_old_or_gone_is_taken_out_again(tmp_path: Path) -> None:
    old = transcript(tmp_path / "s/old.jsonl", "Old")
    gone = transcript(tmp_path / "s/gone.jsonl", "Gone")
    transcript(tmp_path / "s/new.jsonl", "New")
    export_sessions([tmp_path / "s"], tmp_path / "out", 30)
    assert set(exported(tmp_path / "out")) == {"old.md", "gone.md", "new.md"}
    age(old, 31 * DAY_S)
    gone.unlink()
    export_sessions([tmp_path / "s"], tmp_path / "out", 30)
    assert set(exported(tmp_path / "out")) == {"new.md"}


def test_a_conversation_that_went_on_is_exported_again(tmp_path: Path) -> None:
    file = transcript(tmp_path / "s/one.jsonl", "First")
    export_sessions([tmp_path / "s"], tmp_path / "out", None)
    age(tmp_path / "out/one.md")
    transcript(file, "First", "Second")
    export_sessions([tmp_path / "s"], tmp_path / "out", None)
    assert "Second" in exported(tmp_path / "out")["one.md"]
