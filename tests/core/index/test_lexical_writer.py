"""Writing words into an index, some files at a time."""

from __future__ import annotations

import contextlib
import datetime as dt
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.index.lexical_writer import new_document, publish_words
from scrubjay.index.passes import PassContext
from scrubjay.index.scan_diff import IndexSettings
from scrubjay.notes.note_reader import Outcome, read_file
from scrubjay.notes.scan import FoundFile
from scrubjay.notes.scan import scan_folder as look
from scrubjay.records.chunks import ChunkSizes
from scrubjay.records.note_records import Source, Workspace
from scrubjay.store.writer import Writer
from support.documents import no_documents
from support.vault import write_notes


def test_nobody_else_is_kept_from_writing_while_files_are_read(tmp_path: Path) -> None:
    root = write_notes(tmp_path / "notes", {f"{n}.md": f"Note {n}.\n" for n in range(5)})
    file = tmp_path / "index.sqlite"
    files = look(root, (), CancelToken()).files.values()

    def slowly() -> Iterator[tuple[FoundFile, Outcome]]:
        with contextlib.closing(apsw.Connection(str(file))) as other:
            for one in files:
                other.execute("BEGIN IMMEDIATE")
                other.execute("ROLLBACK")
                yield one, read_file(one.path, one.label)

    with contextlib.closing(Writer.open(file)) as writer:
        settings = IndexSettings(ChunkSizes(60, 10))
        context = PassContext(
            Workspace("notes", "notes", root),
            writer,
            settings,
            documents=no_documents(),
            pictures=no_documents(),
        )
        publish_words(context, slowly(), {}, len(files))
        assert context.report.changed == 5
        assert len(writer.metadata.documents()) == 5


@pytest.mark.parametrize(
    ("path", "date"),
    [
        ("memory/2026-02-01.md", dt.date(2026, 2, 1)),
        ("memory/2026-02-01-topic.md", dt.date(2026, 2, 1)),
        ("memory/2026-02-01-1530.md", dt.date(2026, 2, 1)),
        ("memory/deep/er/2026-02-01.md", dt.date(2026, 2, 1)),
        ("extra/memory/2026-02-01.md", dt.date(2026, 2, 1)),
        ("memory/2026-02-30.md", None),
        ("memory/projects.md", None),
        ("MEMORY.md", None),
        ("2026-02-01.md", dt.date(2026, 2, 1)),
        ("Staff meeting 2026-02-01.md", dt.date(2026, 2, 1)),
    ],
)
def test_the_name_of_a_file_gives_the_day_of_its_note(
    tmp_path: Path, path: str, date: dt.date | None
) -> None:
    assert document_date(tmp_path, path, "Words.\n") == date


def test_front_matter_dates_a_note_that_its_name_does_not(tmp_path: Path) -> None:
    text = "---\ndate: 2026-03-10\n---\nWords.\n"
    assert document_date(tmp_path, "memory/trip.md", text) == dt.date(2026, 3, 10)
    assert document_date(tmp_path, "memory/2026-01-01.md", text) == dt.date(2026, 1, 1)


def document_date(root: Path, path: str, text: str) -> dt.date | None:
    """The day that the index gets for a file."""
    file = write_notes(root, {path: text}) / path
    note = read_file(file, path)
    found = FoundFile(path, file, Source.NOTES, note.mtime_ns, note.size)
    return new_document(found, note, ChunkSizes(60, 10)).date
