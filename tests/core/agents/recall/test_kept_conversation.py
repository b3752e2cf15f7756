"""The note of a finished conversation holds what was said, without what hooks added."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrubjay.agents.recall.hook_input import HookInput
from scrubjay.agents.recall.kept_conversation import keep_conversation
from scrubjay.errors import NotWritable
from scrubjay.records.note_records import Workspace
from support.transcripts import chat


def kept(folder: Path, *said: str) -> str:
    """The messages in the note of a conversation."""
    talk = folder / "talk.jsonl"
    talk.write_bytes(chat(*said))
    workspace = Workspace("home", "Home", folder / "notes")
    (workspace.root / "memory").mkdir(parents=True)
    assert keep_conversation(HookInput(transcript=str(talk)), workspace, folder / "s.json") == ""
    [note] = (workspace.root / "memory").glob("*.md")
    first, _, others = note.read_text().partition("User: ")
    assert "## Conversation" in first
    return f"User: {others}".strip()


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("<relevant-memories>\n1. A\n</relevant-memories>\n\nWhere?", "Where?"),
        ("<daily-notes>a</daily-notes> <relevant-memories>b</relevant-memories> Where?", "Where?"),
        ("a <daily-notes>b</daily-notes> c <daily-notes>d</daily-notes> e", "a c e"),
        ("a </daily-notes> b", "a </daily-notes> b"),
        ("a <daily-notes> b", "a <daily-notes> b"),
        ("<daily-notes>a <daily-notes>b</daily-notes> c", "c"),
    ],
)
def test_notes_that_hooks_added_are_left_out(tmp_path: Path, message: str, said: str) -> None:
    assert kept(tmp_path, message) == f"User: {said}"


def test_a_message_of_notes_alone_leaves_the_answer_as_it_is(tmp_path: Path) -> None:
    notes = "<daily-notes>a</daily-notes>"
    assert kept(tmp_path, "Hello", "Hi", notes, "Good", "Bye") == (
        "User: Hello\n\nAssistant: Hi\n\nAssistant: Good\n\nUser: Bye"
    )


def test_a_message_of_many_marks_without_an_end_is_kept(tmp_path: Path) -> None:
    # Time that grows with the square of the message would be minutes.
    assert kept(tmp_path, "<daily-notes>" * 35_000).startswith("User: <daily-notes>")


def test_a_conversation_is_not_kept_in_a_note_that_is_excluded(tmp_path: Path) -> None:
    talk = tmp_path / "talk.jsonl"
    talk.write_bytes(chat("Where?"))
    workspace = Workspace("home", "Home", tmp_path / "notes", left_out=("memory/*-*-*-*.md",))
    (workspace.root / "memory").mkdir(parents=True)
    with pytest.raises(NotWritable, match="cannot be changed"):
        keep_conversation(HookInput(transcript=str(talk)), workspace, tmp_path / "s.json")
    assert [*(workspace.root / "memory").iterdir()] == []
