"""The preview of one note, scrolled to the lines that a search found."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from msgspec.structs import replace
from PySide6.QtCore import QElapsedTimer, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QAbstractButton, QStackedLayout, QWidget

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.errors import ScrubjayError
from scrubjay.notes.note_edits import EDITED
from scrubjay.records.note_records import DocumentInfo, NoteAddress
from scrubjay_desktop.bridge.bridge import Tasks
from scrubjay_desktop.preview.find_bar import FindBar
from scrubjay_desktop.preview.highlights import highlighted_words, row_sentence
from scrubjay_desktop.preview.line_bar import LineBar
from scrubjay_desktop.preview.media_view import MediaView
from scrubjay_desktop.preview.note_html import (
    DEAD,
    FILE,
    FOREIGN,
    NOTE,
    TAG,
    TASK,
    RenderedNote,
    no_note_sentence,
)
from scrubjay_desktop.preview.note_loader import NoteLoader
from scrubjay_desktop.preview.note_trail import MOUSE_STEPS, NoteTrail, TrailStop
from scrubjay_desktop.preview.note_view import NoteView
from scrubjay_desktop.preview.open_external import Opener
from scrubjay_desktop.preview.page_canvas import PageCanvas
from scrubjay_desktop.preview.pdf.pdf_pages import PdfPages
from scrubjay_desktop.preview.related_pane import RelatedPane, WithRelated
from scrubjay_desktop.preview.shown_page import ShownPage
from scrubjay_desktop.results.result_model import why_html
from scrubjay_desktop.results.result_rows import Row, row_of_recent
from scrubjay_desktop.text.formatting import plain_tip, translated
from scrubjay_desktop.text.shortcuts import with_keys
from scrubjay_desktop.widgets.banner import EmptyState, copy_to_clipboard
from scrubjay_desktop.widgets.buttons import IconButton
from scrubjay_desktop.widgets.labels import LinkedLabel, NoteHeading, muted_label
from scrubjay_desktop.widgets.layouts import TOP, hbox, stacked_widget, vbox
from scrubjay_desktop.widgets.theme import GRID

_REST_MS = 60
"""Milliseconds: of rows that are chosen in shorter times, as by a held key, only the first is read
at once, since the others would delay the next rows."""


class Preview(QWidget):
    """A note with its name, buttons, and the reasons why it was found."""

    matches_changed = Signal(int)
    task_turned = Signal(object, int, str)
    """The Row of a note, the line of a task to tick or to open, and the text that was shown."""
    tag_clicked = Signal(str)
    """A tag of the note, to see other notes with it."""
    line_entered = Signal(object, str)
    """The Row of a note, and a text to add to it."""

    def __init__(self, engine: Engine, tasks: Tasks, opener: Opener) -> None:
        super().__init__()
        self._engine = engine
        self._tasks = tasks
        self._opener = opener
        self._loader = NoteLoader(engine, tasks)
        self._cancel = CancelToken()
        self.row: Row | None = None
        """The row that is shown, or being read."""
        self._anchor = ""
        """The heading or block of that note that a link led to."""
        self._restored: int | None = None
        """Position to scroll to in a note that is shown again."""
        self._source = ""
        """The text of the note that is shown; empty while it is changed or read."""
        self._files: Mapping[str, Path] = {}
        """The files that its links lead to."""
        self._is_whole = False
        """Whether all of a long note is shown, as far as it is possible."""
        self._added = 0
        """The line that was added to the note, to scroll to."""
        self._has_failed = False
        """Whether the note could not be shown."""
        self._turned = QElapsedTimer()
        """Time since a note was chosen."""
        self._rest = QTimer(self, singleShot=True, interval=_REST_MS)
        self._rest.timeout.connect(self._read)
        self._build()
        self.view.anchorClicked.connect(self._follow)
        self.media.opened.connect(self.open)

    @property
    def sentence(self) -> str:
        """The message in place of a note; empty while a note is shown."""
        if self._pages.currentIndex():
            return ""
        return self._empty.accessibleName()

    @property
    def is_note(self) -> bool:
        """Whether the text of a note is shown."""
        return not self.sentence and self._body.currentWidget() is self.view

    @property
    def reader(self) -> NoteView | PageCanvas:
        """The part that shows the text or the picture now."""
        match self._body.currentWidget():
            case self.pages:
                return self.pages.canvas
            case self.media:
                return self.media.canvas
            case _:
                return self.view

    @property
    def has_text(self) -> bool:
        """Whether text can be found in what is shown."""
        # A page has it if it was scanned, and a picture if it was read.
        reader = self.reader
        return self.is_note or (
            not self.sentence and isinstance(reader, PageCanvas) and reader.has_text
        )

    @property
    def has_modes(self) -> bool:
        """Whether there is a choice between a page or picture and its text."""
        return not (self.pages.bar.isHidden() and self.media.bar.isHidden())

    @property
    def takes_lines(self) -> bool:
        """Whether lines can be added to what is shown."""
        row = self.row
        is_here = row is not None and not row.is_elsewhere and not self.sentence
        return is_here and row is not None and row.path.lower().endswith(EDITED)

    def show_row(self, row: Row | None) -> None:
        """Show a note; None shows a message about this place."""
        # The user followed the links of this row's note.
        if row is not None and self.trail.origin and _is_same(row, self.trail.origin):
            return
        # A note that could not be shown may be there again.
        is_shown = bool(self._pages.currentIndex()) or self._rest.isActive()
        if is_shown and row is not None and self.row is not None and _is_same(row, self.row):
            self.row = row
            self.why.show_row(row)
            return
        # A changed note stays where it was scrolled to.
        former = None
        if is_shown and self.row:
            former = (self.row.key, self.row.line)
        scroll = None
        if row is not None and (row.key, row.line) == former:
            scroll = self.view.verticalScrollBar().value()
        self.trail.clear()
        self._turn(row, scroll=scroll)

    def read_again(self, row: Row, added: int = 0) -> None:
        """Show the note of a row as it is now, if it is still there: in its place, or at a line."""
        if self.row is not None and self.row.key == row.key:
            self._added = added
            self._restored = self.view.verticalScrollBar().value()
            self._read()

    def try_again(self) -> None:
        """Read the note again that could not be shown, as when its folder is there again."""
        if self._has_failed and self.row is not None:
            self._has_failed = False
            self._turn(self.row, self._anchor)

    def turn_task(self, line: int = 0) -> None:
        """Tick the task of a line, or the one that is marked, or open it again."""
        line = line or self.view.task_line()
        if not line:
            sentence = self.tr("No task is selected. Press Tab to go to the checkbox of a task.")
            self._opener.failed.emit(sentence)
        elif self._source and self.row is not None and self._opener.is_here(self.row):
            # Without the text nothing can be ticked a second time before it is read again.
            source = self._source
            self._source = ""
            self.task_turned.emit(self.row, line, source)

    def enter_line(self) -> None:
        """Open the box for a line to add to this note."""
        if self.takes_lines:
            self.line_bar.open_bar()
        elif self.row is not None:
            # Says why the note takes no lines, if it is not here.
            self._opener.is_here(self.row)

    def _turn(self, row: Row | None, anchor: str = "", scroll: int | None = None) -> None:
        self._anchor = anchor
        self._restored = scroll
        self._source = ""
        self._has_failed = False
        self._is_whole = self.find_bar.isVisible()
        self._cancel.cancel()
        self._cancel = CancelToken()
        # What belongs to the former note must not be taken for the next one's.
        self.related.clear()
        if row is None or self.row is None or row.key != self.row.key:
            self.line_bar.empty()
        self.row = row
        self._rest.stop()
        if row is None:
            self._show_purpose()
            return
        self._header.show_row(row)
        self.why.show_row(row)
        self.pages.begin(row)
        self.media.bar.begin(is_in_note=bool(row.picture))
        if row.is_media:
            self._read()
            return
        # While rows are passed quickly, only the first is read at once.
        is_running = self._turned.isValid() and self._turned.elapsed() < _REST_MS
        self._turned.start()
        if is_running and self.trail.isHidden():
            self._rest.start()
        else:
            self._read()

    def _follow(self, url: QUrl) -> None:
        """Show the note that a clicked link means; web and mail are for other programs."""
        target = url.path(QUrl.ComponentFormattingOption.FullyDecoded)
        anchor = url.fragment(QUrl.ComponentFormattingOption.FullyDecoded)
        row = self.row
        # The scheme tells the app's own links apart; others are for the system.
        if not url.scheme() and anchor:
            self.view.scrollToAnchor(anchor)
        elif url.scheme() == NOTE and row is not None:
            self.follow(target, anchor)
        elif url.scheme() == FILE and target in self._files:
            self._opener.open_attachment(self._files[target])
        elif url.scheme() == TASK and target.isdecimal():
            self.turn_task(int(target))
        elif url.scheme() == TAG:
            self.tag_clicked.emit(target)
        elif url.scheme() == DEAD:
            self._opener.failed.emit(no_note_sentence(target))
        elif url.scheme() == FOREIGN:
            self._opener.follow(QUrl(target))
        else:
            self._opener.follow(url)

    def follow(self, path: str, anchor: str = "", line: int = 1) -> None:
        """Show another note of the same folder at a heading, block or line, with a way back."""
        if self.row is None:
            return
        workspace = self.row.workspace

        def show(note: DocumentInfo | None) -> None:
            if note is None or self.row is None:
                self._opener.failed.emit(no_note_sentence(path))
                return
            self.trail.leave(self._stop(self.row))
            names = {workspace: self.row.badge}
            now = dt.datetime.now().astimezone()
            shown = replace(row_of_recent(note, names, now), line=line)
            self._turn(shown, anchor)

        info = self._engine.notes.info(NoteAddress(workspace, path))
        self._tasks.watch(info, self._cancel, done=show, failed=self._fail)

    def _go(self, by: int) -> None:
        """Show the note again that a link led away from, or led to."""
        if self.row is None:
            return
        stop = self.trail.turn(by, self._stop(self.row))
        if stop:
            self._turn(stop.row, scroll=stop.scroll)

    def _stop(self, row: Row) -> TrailStop:
        return TrailStop(row, self.view.verticalScrollBar().value())

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: D102
        by = MOUSE_STEPS.get(event.button())
        if by:
            self._go(by)
        else:
            super().mousePressEvent(event)

    def take_keys(self) -> None:
        """Give the keys to the note, or to the page of a PDF or the picture."""
        self.reader.setFocus()

    def turn_mode(self) -> None:
        """Change from page or picture to text, or back, where there is a choice."""
        # At most one of the bars is there.
        if not self.pages.bar.isHidden():
            self.pages.bar.text.toggle()
        elif not self.media.bar.isHidden():
            self.media.bar.turn_mode()

    def print_note(self) -> None:
        """Ask for a printer or a file, and print the note."""
        # Imported late: printing takes time to load, and few notes are printed.
        from scrubjay_desktop.preview.note_printing import ask_and_print

        def ask() -> None:
            if self.row is not None:
                above = self._note.text() if self.view.is_excerpt else ""
                ask_and_print(partial(self.view.printable, above), self.row.title, self.window())

        if self.is_note:
            self._complete(ask)
        elif self.row is not None:
            sentence = self.tr(
                "Scrubjay can print only text notes. Open the file in another program to print it."
            )
            self._opener.failed.emit(sentence)

    def find_in_note(self) -> bool:
        """Open the box that finds in this note or picture; False while no text is shown."""
        if self.has_text:
            self.find_bar.open_bar()
        if self.is_note:
            self._complete(lambda: None)
        return self.has_text

    def _complete(self, then: Callable[[], None]) -> None:
        """Show the rest of a long note, as far as it is possible, and do something with it."""
        if self.row is None or self._is_whole or not self.view.is_excerpt:
            then()
            return
        self._is_whole = True

        def show(row: Row, source: str, note: RenderedNote) -> None:
            self._keep(row, source, note)
            self.view.show_whole(note)
            then()

        self._loader.load(
            self.row, anchor="", cancel=self._cancel, done=show, failed=self._fail, is_whole=True
        )

    def _build(self) -> None:
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        # The text of a note, with a line below it that says what an excerpt omits.
        self.view = NoteView(self._tasks)
        self.view.setAccessibleName(self.tr("Note"))
        self._note = muted_label()
        self._note.setContentsMargins(3 * GRID, GRID // 2, 3 * GRID, GRID // 2)
        self._note.hide()
        # Its name, the reasons why it was found, and what can be done with it.
        self._header = Header()
        self.why = WhyLabel(self._header.why)
        self.trail = self._header.trail
        self.trail.chosen.connect(self._go)
        self._header.open.clicked.connect(self.open)
        self._header.folder.clicked.connect(self.reveal)
        self._header.copy.clicked.connect(self.copy)
        # What stands in place of the text: a picture, a recording, or the pages of a PDF.
        page = QWidget()
        self.media = MediaView()
        self.media.bar.changed.connect(self._read_instead)
        self.pages = PdfPages(self._engine, self._tasks)
        self.pages.shown.connect(self._show_pages)
        self.pages.bar.changed.connect(self._change_mode)
        self._body = stacked_widget(self.view, self.media, self.pages)
        # Bars that open when they are asked for, and the notes that belong to this one.
        self.find_bar = FindBar(self.view, self.media.canvas, self.pages.canvas)
        self.line_bar = LineBar()
        self.line_bar.entered.connect(lambda text: self.line_entered.emit(self.row, text))
        self.line_bar.left.connect(self.view.setFocus)
        self.related = RelatedPane(self._engine, self._tasks)
        self.related.chosen.connect(lambda each: self.follow(each.note.path, line=each.line))
        # All of it is one page; the other one says why there is no note.
        body = WithRelated(self._body, self.related)
        bars = (self.pages.bar, self.media.bar, self.find_bar)
        parts = (self._header, self.why, *bars, (body, 1), self.line_bar, self._note)
        # The first column of pixels is the divider.
        vbox(*parts, on=page, spacing=0).setContentsMargins(1, 0, 0, 0)
        self._empty = EmptyState("preview", "", "")
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self._empty)
        self._pages.addWidget(page)
        self._show_purpose()

    def _show_purpose(self) -> None:
        self._empty.show_message(
            self.tr("No note selected"), self.tr("Select a note on the left to show it here.")
        )
        self._pages.setCurrentIndex(0)

    def open(self) -> None:
        """Open the note in the user's editor."""
        if self.row is not None:
            self._opener.open_row(self.row, self.pages.page)

    def reveal(self) -> None:
        """Show the note in its folder."""
        if self.row is not None and self._opener.is_here(self.row):
            self._opener.reveal(self.row.file)

    def copy(self) -> None:
        """Copy the passage that was found, or the whole visible text of another note."""
        if self.row is not None:
            reader = self.reader
            text = self.view.toPlainText()
            if isinstance(reader, PageCanvas) and reader.picture is not None:
                text = reader.picture.text
            copy_to_clipboard(self.row.passage or text.strip(), self._header.copy)

    def _show_media(self, row: Row) -> None:
        self._note.hide()
        if row.media_type.startswith("audio/"):
            self.media.show_recording(row)
            self._turn_to(self.media)
            return

        def show(picture: ShownPage) -> None:
            self.media.show_picture(row, picture)
            self._header.copy.setVisible(self.media.canvas.has_text or bool(row.picture))
            self._turn_to(self.media)

        self._loader.load_picture(row, self._cancel, done=show, failed=self._fail)

    def _turn_to(self, body: QWidget) -> None:
        self._body.setCurrentWidget(body)
        self._pages.setCurrentIndex(1)
        self.find_bar.look_in(self.reader)
        if not self.has_text:
            self.find_bar.close_bar()
        # This bar belongs to the text of a note.
        if body is not self.view:
            self.line_bar.hide()
            self.matches_changed.emit(self.reader.match_count)
        if body is self.media:
            self.related.hide()

    def _show_pages(self) -> None:
        self._note.hide()
        self._turn_to(self.pages)
        if self.row is not None:
            self.related.show_note(self.row)

    def _change_mode(self) -> None:
        self._anchor = self.pages.anchor
        self._read_instead()

    def _read_instead(self) -> None:
        """Read what the user wants to see now, instead of what may still be coming."""
        self._cancel.cancel()
        self._cancel = CancelToken()
        self._read()

    def _read(self) -> None:
        if self.row is None or self.pages.read():
            return
        if self._wants_picture(self.row):
            self._show_media(self.row)
            return
        # No program here can show the rest of a note on another computer.
        is_whole = self._is_whole or self.row.is_elsewhere
        self._loader.load(
            self.row,
            anchor=self._anchor,
            cancel=self._cancel,
            done=self._show,
            failed=self._fail,
            is_whole=is_whole,
        )

    def _wants_picture(self, row: Row) -> bool:
        """Whether a picture or a recording is to be shown, and not a text."""
        if row.picture:
            return self.media.bar.alone.isChecked()
        # Of a picture on another computer, only the text is here.
        return row.is_media and not (self.media.bar.text.isChecked() or row.is_elsewhere)

    def _keep(self, row: Row, source: str, note: RenderedNote) -> None:
        self.row = row
        self._source = source
        self._files = note.files
        self._note.setVisible(note.is_excerpt)
        self._note.setText(
            self.tr(
                "This note is long, so only lines {first} to {last} are shown. Open the "
                "note to see all of it."
            ).format(first=note.first_line, last=note.last_line)
        )

    def _show(self, row: Row, source: str, note: RenderedNote) -> None:
        self._keep(row, source, note)
        self._header.copy.setVisible(True)
        # Before the text comes in: only a visible page has the size to scroll in.
        self._turn_to(self.view)
        self.view.pictures.unmark()
        # The sentence that was found on a picture is not in the note.
        sentence = ""
        if not row.picture:
            sentence = row_sentence(row)
        self.view.show_note(note, row.line, words=highlighted_words(row), sentence=sentence)
        if self._added:
            self.view.scroll_to_line(self._added)
        elif self._restored is not None:
            self.view.verticalScrollBar().setValue(self._restored)
        if row.picture:
            # Whoever reads on keeps the place.
            scrolls = not self._added and self._restored is None
            mark = partial(self.view.mark_picture, scrolls=scrolls)
            self._loader.load_marks(row, self._cancel, done=mark)
        self._added = 0
        self.related.show_note(row)
        self.matches_changed.emit(self.view.match_count)

    def _fail(self, error: ScrubjayError) -> None:
        self._has_failed = True
        self._empty.show_message(
            translated(error.title), f"{translated(error.message)} {translated(error.hint)}".strip()
        )
        self._pages.setCurrentIndex(0)


class Header(QWidget):
    """The name of a note, the way back and forward before it, and buttons after it."""

    def __init__(self) -> None:
        super().__init__()
        self.trail = NoteTrail()
        self._heading = NoteHeading()
        self.why = IconButton("both", self.tr("Why this result?"))
        self.open = IconButton("open", with_keys(self.tr("Open"), "Enter"))
        self.folder = IconButton("folder", self.tr("Show in folder (Alt+Enter)"))
        self.copy = IconButton("copy", self.tr("Copy text"))
        buttons = ((each, TOP) for each in (self.why, self.open, self.folder, self.copy))
        parts = ((self.trail, TOP), (self._heading, 1), *buttons)
        hbox(*parts, on=self, margins=(3, 2, 2, 1), spacing=0.5)

    def show_row(self, row: Row) -> None:
        """Show the name, the day and the place of a note."""
        folder, _, name = row.path.rpartition("/")
        self._heading.title.setText(row.title)
        # The file is named only where the note is called otherwise.
        file = name if row.title != name.removesuffix(".md") else ""
        # The day first: where there is little room, the folder is cut.
        where = " › ".join(filter(None, (row.badge, folder, file)))
        self._heading.details.show_details(row.date, where, short_day=row.short_date)
        if row.days:
            self._heading.details.setToolTip(plain_tip(f"{row.path}\n{row.days}"))
        self.copy.setVisible(not row.is_media)
        for button in (self.open, self.folder):
            button.setVisible(not row.is_elsewhere)


class WhyLabel(LinkedLabel):
    """Sentences, and below them the details if the user wants them; a button shows all of it."""

    def __init__(self, button: QAbstractButton) -> None:
        super().__init__()
        self._row: Row | None = None
        self._has_details = False
        self._button = button
        self.setWordWrap(True)
        self.setContentsMargins(3 * GRID, 0, 3 * GRID, GRID)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.LinksAccessibleByMouse
            | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
        )
        self.linkActivated.connect(lambda _: self._turn_details())
        button.setCheckable(True)
        button.toggled.connect(self.setVisible)
        self.hide()

    def show_row(self, row: Row) -> None:
        """Show why a row is in the list; a note that was not searched for has no reasons."""
        self._row = row
        self.setText(why_html(row, has_details=self._has_details))
        self._button.setVisible(row.hit is not None)
        self.setVisible(row.hit is not None and self._button.isChecked())

    def toggle(self) -> None:
        """Show or hide the reasons."""
        self._button.toggle()

    def _turn_details(self) -> None:
        self._has_details = not self._has_details
        if self._row is not None:
            self.show_row(self._row)


def _is_same(row: Row, other: Row) -> bool:
    # The same line of the same note, found by the same words, and not changed since.
    if (row.key, row.line) != (other.key, other.line):
        return False
    if row.hit is None or other.hit is None:
        return row.hit is other.hit and row.date == other.date
    is_unchanged = row.hit.modified == other.hit.modified
    return is_unchanged and highlighted_words(row) == highlighted_words(other)
