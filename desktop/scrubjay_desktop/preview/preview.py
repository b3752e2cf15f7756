"""The preview of one note, scrolled to the lines that a search found."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QSize, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QImage, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedLayout, QWidget

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.errors import ScrubjayError
from scrubjay.notes.note_links import LinkTargets, joins_lines, line_of
from scrubjay.notes.note_tasks import EDITED
from scrubjay.records.search_records import DocumentInfo
from scrubjay_desktop.bridge.bridge import Tasks
from scrubjay_desktop.preview.find_bar import FindBar
from scrubjay_desktop.preview.line_bar import LineBar
from scrubjay_desktop.preview.media_view import MediaView
from scrubjay_desktop.preview.note_html import (
    DEAD,
    NOTE,
    TASK,
    RenderedNote,
    Surroundings,
    no_note_sentence,
    render,
)
from scrubjay_desktop.preview.note_pictures import PictureFinder
from scrubjay_desktop.preview.note_trail import MOUSE_STEPS, NoteTrail, Stop
from scrubjay_desktop.preview.note_view import NoteView
from scrubjay_desktop.preview.open_external import Opener
from scrubjay_desktop.preview.related_pane import RelatedPane, WithRelated
from scrubjay_desktop.results.explanation import hit_words
from scrubjay_desktop.results.result_model import why_html
from scrubjay_desktop.results.result_rows import Row, row_of_recent
from scrubjay_desktop.results.thumbnails import read_picture
from scrubjay_desktop.text.formatting import translated
from scrubjay_desktop.widgets.banner import EmptyState, copy_text
from scrubjay_desktop.widgets.buttons import IconButton
from scrubjay_desktop.widgets.labels import LinkedLabel, NoteHeading, muted_label
from scrubjay_desktop.widgets.layouts import TOP, hbox, stacked, vbox
from scrubjay_desktop.widgets.theme import GRID

_MAX_PICTURE = QSize(2_000, 2_000)
"""Pixels of the largest picture that is kept in memory."""

_EMBED_S = 2.0
"""The longest wait for a note that is shown in another one."""
_REST_MS = 60
"""A row that is chosen for a shorter time, as while the user types, is not read: that would delay
the next rows."""


class Preview(QWidget):
    """A note with its name, buttons, and the reasons why it was found."""

    matches_changed = Signal(int)
    task_turned = Signal(object, int, str)
    """The Row of a note, the line of a task to tick or to open, and the text that was shown."""
    line_entered = Signal(object, str)
    """The Row of a note, and a text to add to it."""

    def __init__(self, engine: Engine, tasks: Tasks, opener: Opener) -> None:
        super().__init__()
        self._engine = engine
        self._tasks = tasks
        self._opener = opener
        self._cancel = CancelToken()
        self.row: Row | None = None
        """The row that is shown, or being read."""
        self._place = ""
        """The heading or block of that note that a link led to."""
        self._restored: int | None = None
        """Where to scroll to in a note that is shown again."""
        self._source = ""
        """The text of the note that is shown; empty while it is changed or read."""
        self._added = 0
        """The line that was added to it, to scroll to."""
        self._has_details = False
        self._rest = QTimer(self, singleShot=True, interval=_REST_MS)
        self._rest.timeout.connect(self._read)
        self._build()
        self.view.anchorClicked.connect(self._follow)
        self.media.opened.connect(self.open)
        self._why_button.toggled.connect(self.why.setVisible)

    @property
    def sentence(self) -> str:
        """The message in place of a note; empty while a note is shown."""
        return "" if self._pages.currentIndex() else self._empty.accessibleName()

    def show_row(self, row: Row | None) -> None:
        """Show a note; None shows a message about this place."""
        if row is not None and self.trail.origin and _is_same(row, self.trail.origin):
            return  # the user followed its links
        # A note that could not be shown may be there again.
        is_shown = bool(self._pages.currentIndex()) or self._rest.isActive()
        if is_shown and row is not None and self.row is not None and _is_same(row, self.row):
            self.row = row
            self._show_why()
            return
        former = (self.row.key, self.row.line) if is_shown and self.row else None
        is_changed = row is not None and (row.key, row.line) == former
        self.trail.clear()
        self._turn(row, scroll=self.view.verticalScrollBar().value() if is_changed else None)

    def read_again(self, row: Row, added: int = 0) -> None:
        """Show the note of a row as it is now, if it is still there: in its place, or at a line."""
        if self.row is not None and self.row.key == row.key:
            self._added, self._restored = added, self.view.verticalScrollBar().value()
            self._read()

    def turn_task(self, line: int = 0) -> None:
        """Tick the task of a line, or the one that is marked, or open it again."""
        line = line or self.view.task_line()
        if not line:
            sentence = self.tr("Tab leads to the boxes of tasks. There is none at this place.")
            self._opener.failed.emit(sentence)
        elif self._source:
            source, self._source = self._source, ""
            self.task_turned.emit(self.row, line, source)

    def enter_line(self) -> None:
        """Open the box for a line to add to this note."""
        row = self.row
        if row and not self.sentence and row.path.lower().endswith(EDITED):
            self.line_bar.open_bar()

    def _turn(self, row: Row | None, place: str = "", scroll: int | None = None) -> None:
        self._place, self._restored, self._source = place, scroll, ""
        self._cancel.cancel()
        self._cancel = CancelToken()
        self.related.clear()
        if row is None or self.row is None or row.key != self.row.key:
            self.line_bar.empty()
        self.row = row
        self._rest.stop()
        if row is None:
            self._show_purpose()
            return
        folder, _, name = row.path.rpartition("/")
        self._heading.title.setText(name.removesuffix(".md"))
        # The day first: where there is little room, the folder is cut.
        place = " › ".join(filter(None, (row.badge, folder)))
        self._heading.details.setText(" · ".join(filter(None, (row.date, place))))
        if row.days:
            self._heading.details.setToolTip(f"{row.path}\n{row.days}")
        self._show_why()
        self._copy_button.setVisible(not row.media_type)
        if row.media_type:
            self._show_media(row)
            return
        if self.trail.isHidden():
            self._rest.start()
        else:  # a link was clicked: the note is wanted
            self._read()

    def _show_why(self) -> None:
        has_reasons = self.row is not None and self.row.hit is not None
        if self.row is not None:
            self.why.setText(why_html(self.row, has_details=self._has_details))
        self._why_button.setVisible(has_reasons)
        self.why.setVisible(has_reasons and self._why_button.isChecked())

    def _turn_details(self) -> None:
        self._has_details = not self._has_details
        self._show_why()

    def _follow(self, url: QUrl) -> None:
        """Show the note that a clicked link means; web and mail are for other programs."""
        target = url.path(QUrl.ComponentFormattingOption.FullyDecoded)
        place = url.fragment(QUrl.ComponentFormattingOption.FullyDecoded)
        row = self.row
        if not url.scheme() and place:
            self.view.scrollToAnchor(place)
        elif url.scheme() == NOTE and row is not None:
            self.follow(row.workspace, target, place)
        elif url.scheme() == TASK:
            self.turn_task(int(target))
        elif url.scheme() == DEAD:
            self._opener.failed.emit(no_note_sentence(target))
        else:
            self._opener.follow(url)

    def follow(self, workspace: str, path: str, place: str = "", line: int = 1) -> None:
        """Show another note at a heading, block or line, with a way back to this one."""

        def show(note: DocumentInfo | None) -> None:
            if note is None or self.row is None:
                self._opener.failed.emit(no_note_sentence(path))
                return
            self.trail.leave(self._stop(self.row))
            names, now = {workspace: self.row.badge}, dt.datetime.now().astimezone()
            self._turn(replace(row_of_recent(note, names, now), line=line), place)

        info = self._engine.notes.info(workspace, path)
        self._tasks.watch(info, self._cancel, done=show, failed=self._fail)

    def _go(self, by: int) -> None:
        """Show the note again that a link led away from, or led to."""
        if self.row is not None and (stop := self.trail.turn(by, self._stop(self.row))):
            self._turn(stop.row, scroll=stop.scroll)

    def _stop(self, row: Row) -> Stop:
        return Stop(row, self.view.verticalScrollBar().value())

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: D102
        if event.key() == Qt.Key.Key_Escape and self.find_bar.isVisible():
            self.find_bar.close_bar()
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: D102
        if by := MOUSE_STEPS.get(event.button()):
            self._go(by)
        else:
            super().mousePressEvent(event)

    def find_in_note(self) -> bool:
        """Open the box that finds in this note; False while no note is shown."""
        is_note = not self.sentence and self._body.currentWidget() is self.view
        if is_note:
            self.find_bar.open_bar()
        return is_note

    def toggle_why(self) -> None:
        """Show or hide the reasons."""
        self._why_button.toggle()

    def _build(self) -> None:
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.view = NoteView(self._tasks)
        self.view.setAccessibleName(self.tr("Note"))
        self._note = muted_label()
        self._note.setContentsMargins(3 * GRID, GRID // 2, 3 * GRID, GRID // 2)
        self._note.hide()
        self.why = LinkedLabel()
        self.why.setWordWrap(True)
        self.why.setContentsMargins(3 * GRID, 0, 3 * GRID, GRID)
        self.why.setTextInteractionFlags(
            Qt.TextInteractionFlag.LinksAccessibleByMouse
            | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
        )
        self.why.linkActivated.connect(lambda _: self._turn_details())
        self.why.hide()
        page = QWidget()
        self.media = MediaView()
        self._body = stacked(self.view, self.media)
        self.find_bar = FindBar(self.view)
        self.line_bar = LineBar()
        self.line_bar.entered.connect(lambda text: self.line_entered.emit(self.row, text))
        self.line_bar.left.connect(self.view.setFocus)
        self.related = RelatedPane(self._engine, self._tasks)
        self.related.chosen.connect(
            lambda each: self.follow(each.note.workspace, each.note.path, line=each.line)
        )
        body = WithRelated(self._body, self.related)
        parts = (self._header(), self.why, self.find_bar, (body, 1), self.line_bar, self._note)
        # The first column of pixels is the divider.
        vbox(*parts, on=page, spacing=0).setContentsMargins(1, 0, 0, 0)
        self._empty = EmptyState("open", "", "")
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self._empty)
        self._pages.addWidget(page)
        self._show_purpose()

    def _show_purpose(self) -> None:
        self._empty.show_message(
            self.tr("No note to show"), self.tr("What you choose on the left appears here.")
        )
        self._pages.setCurrentIndex(0)

    def _header(self) -> QHBoxLayout:
        self._heading = NoteHeading()
        self.trail = NoteTrail()
        self.trail.chosen.connect(self._go)
        self._why_button = IconButton("both", self.tr("Why this result"))
        self._why_button.setCheckable(True)
        buttons = [self._why_button]
        for name, text, action in (
            ("open", self.tr("Open (Enter)"), self.open),
            ("folder", self.tr("Show in folder (Alt+Enter)"), self.reveal),
            ("copy", self.tr("Copy text"), self.copy),
        ):
            button = IconButton(name, text)
            button.clicked.connect(action)
            buttons.append(button)
        self._copy_button = button
        parts = ((button, TOP) for button in buttons)
        return hbox(
            (self.trail, TOP), (self._heading, 1), *parts, margins=(3, 2, 2, 1), spacing=0.5
        )

    def open(self) -> None:
        """Open the note in the user's editor."""
        if self.row is not None:
            self._opener.open(self.row.file, self.row.line)

    def reveal(self) -> None:
        """Show the note in its folder."""
        if self.row is not None:
            self._opener.reveal(self.row.file)

    def copy(self) -> None:
        """Copy the passage that was found, or the whole visible text of another note."""
        if self.row is not None:
            copy_text(self.row.passage or self.view.toPlainText().strip(), self._copy_button)

    def copy_path(self) -> None:
        """Copy the path of the note's file, as other programs take it."""
        if self.row is not None:
            copy_text(str(self.row.file), self._copy_button)

    def _show_media(self, row: Row) -> None:
        self._note.hide()
        if row.media_type.startswith("audio/"):
            self.media.show_recording(row)
            self._turn_to(self.media)
            return

        def show(picture: QImage) -> None:
            self.media.show_picture(row, picture)
            self._turn_to(self.media)

        job = partial(read_picture, row.file, _MAX_PICTURE)
        self._tasks.run(job, self._cancel, done=show, failed=self._fail)

    def _turn_to(self, body: QWidget) -> None:
        self._body.setCurrentWidget(body)
        self._pages.setCurrentIndex(1)
        if body is self.media:
            self.find_bar.close_bar()
            self.line_bar.hide()
            self.related.hide()
            self.matches_changed.emit(0)

    def _read(self) -> None:
        if (row := self.row) is None:
            return
        cancel, notes = self._cancel, self._engine.notes

        def find_links(text: str) -> None:
            if "](" not in text and "[[" not in text:
                render_note(text, None)
                return
            targets = notes.link_targets(row.workspace)
            self._tasks.watch(targets, cancel, done=partial(render_note, text), failed=self._fail)

        def render_note(text: str, targets: LinkTargets | None) -> None:
            shown = replace(row, line=line_of(text, self._place)) if self._place else row
            self.row = shown
            self._tasks.run(
                lambda: render(text, shown.line, _surroundings(self._engine, row, targets)),
                cancel,
                done=partial(self._show, shown, text),
                failed=self._fail,
            )

        text = notes.read(row.workspace, row.path)
        self._tasks.watch(text, cancel, done=find_links, failed=self._fail)

    def _show(self, row: Row, source: str, note: RenderedNote) -> None:
        self._source = source
        self._note.setVisible(note.is_excerpt)
        self._note.setText(
            self.tr("A long note: lines {first} to {last} are shown. Open it to see all.").format(
                first=note.first_line, last=note.last_line
            )
        )
        # Before the text comes in: only a visible page has the size to scroll in.
        self._turn_to(self.view)
        self.view.show_note(note, row.line, _words(row))
        if self._added:
            self.view.scroll_to_line(self._added)
        elif self._restored is not None:
            self.view.verticalScrollBar().setValue(self._restored)
        self._added = 0
        self.related.show_note(row.workspace, row.path)
        self.matches_changed.emit(self.view.match_count)

    def _fail(self, error: ScrubjayError) -> None:
        self._empty.show_message(
            translated(error.title), f"{translated(error.message)} {translated(error.hint)}".strip()
        )
        self._pages.setCurrentIndex(0)


def _surroundings(engine: Engine, row: Row, targets: LinkTargets | None) -> Surroundings:
    """What the links of a note may lead to. Reads the disk: not for the GUI thread."""
    root = engine.find_workspace(row.workspace).root

    def read(path: str) -> str:
        return engine.notes.read(row.workspace, path).result(_EMBED_S)

    pictures = PictureFinder(root, row.file)
    return Surroundings(row.path, targets, pictures, joins_lines(root), read)


def _words(row: Row) -> list[str]:
    return list(hit_words(row.hit)) if row.hit else []


def _is_same(row: Row, other: Row) -> bool:
    if (row.key, row.line) != (other.key, other.line):
        return False
    if row.hit is None or other.hit is None:
        return row.hit is other.hit and row.date == other.date
    is_unchanged = row.hit.modified == other.hit.modified
    return is_unchanged and _words(row) == _words(other)
