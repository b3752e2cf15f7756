"""Writing words into an index, some files at a time."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import apsw

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.index.lexical_writer import publish_words
from scrubjay.index.pass_context import PassContext
from scrubjay.index.scan_diff import IndexSettings
from scrubjay.notes.chunker import ChunkSizes
from scrubjay.notes.note_reader import Outcome, read_note
from scrubjay.notes.scan import FoundFile
from scrubjay.notes.scan import scan as look
from scrubjay.records.search_records import Workspace
from scrubjay.store.writer import Writer
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
                yield one, read_note(one.path)

    with contextlib.closing(Writer.open(file)) as writer:
        settings = IndexSettings(ChunkSizes(60, 10))
        context = PassContext(Workspace("notes", "notes", root), writer, settings)
        publish_words(context, slowly(), {}, len(files))
        assert context.report.changed == 5
        assert len(writer.metadata.documents()) == 5
