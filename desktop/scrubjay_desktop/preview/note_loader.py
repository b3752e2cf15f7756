"""Notes read through the engine and rendered, and pictures, off the GUI thread."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from msgspec.structs import replace
from PySide6.QtCore import QSize
from PySide6.QtGui import QImage

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.notes.bases import BaseTable
from scrubjay.notes.note_links import LinkTargets, anchor_line, joins_lines
from scrubjay.records.note_records import NoteAddress
from scrubjay.records.picture_text import PictureText
from scrubjay_desktop.bridge.bridge import Failed, Tasks
from scrubjay_desktop.preview.highlights import highlighted_words, row_passage
from scrubjay_desktop.preview.marks import TextMarks
from scrubjay_desktop.preview.note_html import NoteSurroundings, RenderedNote, render_note_html
from scrubjay_desktop.preview.note_pictures import AttachmentFinder
from scrubjay_desktop.preview.shown_page import ShownPage, Sought, shown_picture, text_marks
from scrubjay_desktop.preview.text_layer import TextLayer
from scrubjay_desktop.results.result_rows import Row
from scrubjay_desktop.results.thumbnails import PictureLoader

_EMBED_S = 2.0
"""Seconds that a note shown in another one is waited for at most."""
_LINK_SIGNS = ("](", "[[", "<a ", "```base", "~~~base")
"""Signs of which a note with links has one, also for those in the table of a base."""
_MAX_PICTURE = QSize(2_000, 2_000)
"""Pixels of the largest picture that is kept in memory."""


class NoteLoader:
    """Loads notes for one view."""

    def __init__(self, engine: Engine, tasks: Tasks) -> None:
        self._engine = engine
        self._tasks = tasks
        self._pictures = PictureLoader(tasks, engine.notes)

    def load(
        self,
        row: Row,
        anchor: str,
        cancel: CancelToken,
        *,
        done: Callable[[Row, str, RenderedNote], None],
        failed: Failed,
        is_whole: bool = False,
    ) -> None:
        """Hand over the row, at a heading or block of its note if any, its text, and the note."""
        notes = self._engine.notes

        # A note is read, then its links are found if it has any, then it is rendered on another
        # thread.
        def find_links(text: str) -> None:
            if not any(sign in text for sign in _LINK_SIGNS):
                render_note(text, None)
                return
            targets = notes.link_targets(row.address)
            self._tasks.watch(targets, cancel, done=partial(render_note, text), failed=failed)

        def render_note(text: str, targets: LinkTargets | None) -> None:
            shown = row
            if anchor:
                shown = replace(row, line=anchor_line(text, anchor))

            def job() -> RenderedNote:
                around = self._surroundings(row, targets)
                return render_note_html(text, shown.line, around, is_whole=is_whole)

            self._tasks.run(job, cancel, done=partial(done, shown, text), failed=failed)

        text = notes.read(row.address)
        self._tasks.watch(text, cancel, done=find_links, failed=failed)

    def load_picture(
        self, row: Row, cancel: CancelToken, *, done: Callable[[ShownPage], None], failed: Failed
    ) -> None:
        """Hand over the picture that was found, with the text that was read on it."""
        sought = Sought(tuple(highlighted_words(row)), row_passage(row))
        # A scan in one file of TIFF has several.
        page = 0
        if row.hit is not None:
            page = row.hit.part or 0

        def add_text(image: QImage) -> None:
            def show(text: PictureText | None) -> None:
                done(shown_picture(image, text, sought))

            # A picture whose text is not known is still a picture.
            text = self._engine.notes.picture_text(row.found_address, page)
            self._tasks.watch(text, cancel, done=show, failed=lambda _: show(None))

        self._pictures.load(row, _MAX_PICTURE, cancel, done=add_text, failed=failed, page=page)

    def load_marks(
        self, row: Row, cancel: CancelToken, *, done: Callable[[Path, TextMarks], None]
    ) -> None:
        """Hand over what was found on the picture of a note, and the file without links."""
        sought = Sought(tuple(highlighted_words(row)), row_passage(row))

        # The note names its pictures by their files without links.
        def find(text: PictureText | None) -> None:
            marks = text_marks(TextLayer(text), sought)
            self._tasks.run(
                row.found_file.resolve,
                cancel,
                done=lambda file: done(file, marks),
                # The note is there without the marks.
                failed=lambda _: None,
                folder=row.found_file.parent,
            )

        text = self._engine.notes.picture_text(row.found_address)
        self._tasks.watch(text, cancel, done=find, failed=lambda _: None)

    def _surroundings(self, row: Row, targets: LinkTargets | None) -> NoteSurroundings:
        """What the links of a note may lead to. Reads the disk: not for the GUI thread."""
        # The pictures of a note elsewhere, and the notes beside it, are not here.
        if row.is_elsewhere:
            return NoteSurroundings(row.path)
        engine = self._engine
        drives = self._tasks.drives
        root = engine.workspace(row.workspace).root

        def read(path: str) -> str:
            return engine.notes.read(NoteAddress(row.workspace, path)).result(_EMBED_S)

        def base(text: str, view: str) -> BaseTable:
            return engine.relations.base_table(row.address, text, view).result(_EMBED_S)

        has_joined_lines = drives.ask(root, partial(joins_lines, root))
        return NoteSurroundings(
            path=row.path,
            notes=targets,
            attachments=AttachmentFinder(root, row.file, drives),
            joins_lines=has_joined_lines,
            read=read,
            base=base,
        )
