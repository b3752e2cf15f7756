"""The signs of single lines that the last step of an indexing pass computes."""

from __future__ import annotations

from pathlib import Path

from support.vault import NewEngine, add, write_notes


def test_a_line_that_many_notes_share_is_sketched_in_all_of_them(
    new_engine: NewEngine, tmp_path: Path
) -> None:
    """More lines than are remembered lie between two notes with the same line."""
    engine = new_engine()
    notes = {
        f"{number:02}.md": "# The same heading\n\n"
        + "\n".join(f"line {number} {line}" for line in range(60))
        for number in range(40)
    }
    workspace = add(engine, write_notes(tmp_path / "many", notes))
    report = engine.refresh(workspace.id).result(60)[0]
    assert report.changed == 40
