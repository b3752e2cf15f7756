"""Changes to notes that the user asks for, through the engine."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrubjay.errors import NoteRefused
from scrubjay.records.note_records import NoteAddress
from support.vault import TIMEOUT, NewEngine, add, write_notes

TEXT = "# To do\n\n- [ ] ring Emma\n"


def test_a_task_is_ticked_and_a_line_is_added_and_both_are_taken_back(
    new_engine: NewEngine, tmp_path: Path
) -> None:
    root = write_notes(tmp_path / "notes", {"To do.md": TEXT})
    engine, file = new_engine(), root / "To do.md"
    folder = add(engine, root)
    engine.refresh().result(TIMEOUT)
    shown = engine.notes.read(NoteAddress(folder.id, "To do.md")).result(TIMEOUT)
    edit = engine.notes.tick(NoteAddress(folder.id, "To do.md"), 3, shown).result(TIMEOUT)
    assert file.read_text() == "# To do\n\n- [x] ring Emma\n"
    line = engine.notes.add_line(NoteAddress(folder.id, "To do.md"), "milk").result(TIMEOUT)
    assert file.read_text() == "# To do\n\n- [x] ring Emma\n- [ ] milk\n"
    assert engine.notes.undo_remember(line).result(TIMEOUT)
    engine.notes.undo_tick(edit).result(TIMEOUT)
    assert file.read_text() == TEXT


@pytest.mark.parametrize("path", ["../outside.md", "Nowhere.md", "log.jsonl"])
def test_only_indexed_notes_of_plain_text_are_changed(
    new_engine: NewEngine, tmp_path: Path, path: str
) -> None:
    root = write_notes(tmp_path / "notes", {"To do.md": TEXT, "log.jsonl": TEXT})
    outside = write_notes(tmp_path, {"outside.md": TEXT}) / "outside.md"
    engine = new_engine()
    folder = add(engine, root)
    engine.refresh().result(TIMEOUT)
    for job in (
        lambda: engine.notes.tick(NoteAddress(folder.id, path), 3, TEXT),
        lambda: engine.notes.add_line(NoteAddress(folder.id, path), "milk"),
    ):
        with pytest.raises(NoteRefused):
            job().result(TIMEOUT)
    assert outside.read_text() == (root / "log.jsonl").read_text() == TEXT
