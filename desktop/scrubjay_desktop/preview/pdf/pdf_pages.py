"""The pages of a PDF as pictures, one at a time, or the choice of its text."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import TypeVar

from msgspec.structs import replace
from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QStackedLayout, QWidget

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.documents.document_parts import part_heading, part_number
from scrubjay.engine.engine import Engine
from scrubjay.errors import ScrubjayError
from scrubjay.records.page_picture import PagePicture, PageWanted
from scrubjay.records.picture_text import PictureText
from scrubjay.text.file_kinds import PDF, document_kind
from scrubjay_desktop.bridge.bridge import Tasks
from scrubjay_desktop.preview.highlights import highlighted_words, row_passage
from scrubjay_desktop.preview.page_canvas import PageCanvas
from scrubjay_desktop.preview.shown_page import ShownPage, Sought, shown_page
from scrubjay_desktop.results.result_rows import Row
from scrubjay_desktop.text.formatting import format_number, translated
from scrubjay_desktop.text.shortcuts import with_keys
from scrubjay_desktop.widgets.banner import EmptyState, announce
from scrubjay_desktop.widgets.buttons import Chip, IconButton, SmallButton
from scrubjay_desktop.widgets.labels import muted_label
from scrubjay_desktop.widgets.layouts import hbox

T = TypeVar("T")

_REST_MS = 80
"""Milliseconds without a change before a page is drawn: pages that the user leafs through faster
are not, nor is a width that continues changing."""
_MOST_KEPT = 6
"""Pictures of one document that are kept, 50 MB at most each."""


class PdfPages(QWidget):
    """Shows the page that was found, with its passage marked."""

    shown = Signal()
    """Signal that the first picture of a row, or the reason why there is none, can be seen."""

    def __init__(self, engine: Engine, tasks: Tasks) -> None:
        super().__init__()
        self._engine = engine
        self._tasks = tasks
        self._cancel = CancelToken()
        self._row: Row | None = None
        self._found = 0
        """The page that was found; 0 before it is known."""
        self._passage = ""
        """What to mark on the page that was found."""
        self.page = 0
        """The page that is shown or drawn; 0 for other files."""
        self._is_new = False
        """Whether the row was not shown yet."""
        self._is_another = False
        """Whether the page was not shown yet."""
        self._kept = OrderedDict[tuple[int, int], ShownPage]()
        """Pictures by page and width, the last used one last."""
        self.bar = PageBar()
        self.bar.turned.connect(self.turn)
        self.bar.hide()
        self.canvas = PageCanvas()
        self.canvas.turned.connect(self.turn)
        self.bar.fit.toggled.connect(self.canvas.fit)
        self.setFocusProxy(self.canvas)
        # Where there is no page, the text of the document may still be there.
        self._empty = EmptyState("open", "", "")
        text = SmallButton(self.tr("Show text"))
        text.clicked.connect(self.bar.text.click)
        self._empty.add_button(text)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.canvas)
        self._stack.addWidget(self._empty)
        self._rest = QTimer(self, singleShot=True, interval=_REST_MS)
        self._rest.timeout.connect(self._draw)
        self.canvas.resized.connect(self._rest.start)

    @property
    def sentence(self) -> str:
        """The message in place of a page; empty while there is one."""
        if not self._stack.currentIndex():
            return ""
        return self._empty.accessibleName()

    @property
    def text(self) -> str:
        """The text of the page that is seen."""
        if not self.canvas.picture:
            return ""
        return self.canvas.picture.text

    @property
    def anchor(self) -> str:
        """The heading of the page in the text, once the user has turned to another one."""
        if self.page == self._found:
            return ""
        return part_heading("Page", self.page).lstrip("# ")

    def begin(self, row: Row) -> None:
        """Prepare for another row that was chosen; `read` shows it."""
        self._cancel.cancel()
        self._cancel = CancelToken()
        self._rest.stop()
        # Only a file on this computer can be drawn.
        is_pdf = document_kind(row.path) == PDF and not row.is_elsewhere
        self._row = row if is_pdf else None
        self._found = row.page
        self._passage = row_passage(row)
        self.canvas.zoom = 1.0
        self.page = max(1, row.page) if is_pdf else 0
        self.bar.setVisible(is_pdf)
        self.bar.show_place(self.page, 0)

    def read(self) -> bool:
        """Read the page from the file as it is now; False where the text is wanted instead."""
        # A page that is still being drawn would replace the text.
        self._cancel.cancel()
        self._cancel = CancelToken()
        if self._row is None or self.bar.text.isChecked():
            return False
        self._kept.clear()
        self._is_new = True
        self._is_another = True
        if self._found or self._row.line == 1:
            self._draw()
        else:
            # A link or another program led to a line of the text.
            text = self._engine.notes.read(self._row.address)
            self._watch(text, self._locate)
        return True

    def turn(self, by: int) -> None:
        """Show the next page (1) or the one before (-1)."""
        is_page = not self.bar.text.isChecked()
        if is_page and 0 < self.page + by <= self.bar.pages:
            self.page += by
            self._is_another = True
            self.bar.show_place(self.page, self.bar.pages)
            announce(self.bar, self.bar.where.text())
            # Whoever turns several pages in a row waits only for the last one.
            self._cancel.cancel()
            self._rest.start()

    def _locate(self, text: str) -> None:
        """Find the page that holds the line of the row."""
        assert self._row is not None
        # The nearest heading of a page above the line says which page it is.
        lines = text.split("\n")[: self._row.line]
        numbers = (part_number(line) for line in reversed(lines))
        self._found = next((each for each in numbers if each), 1)
        self.page = self._found
        self._passage = lines[-1]
        self._draw()

    def _draw(self) -> None:
        row = self._row
        if row is None or self.bar.text.isChecked():
            return
        self._cancel.cancel()
        self._cancel = CancelToken()
        # Not its own width: as long as another note is seen, it is not laid out.
        width = self.canvas.pixels_across((self.parentWidget() or self).width())
        picture = self._kept.get((self.page, width))
        if picture:
            self._show(width, picture)
            return
        # Only the page that was found has the passage on it.
        sought = Sought(tuple(highlighted_words(row)))
        if self.page == self._found:
            sought = replace(sought, passage=self._passage)
        wanted = PageWanted(page=self.page, width=width, words=sought.words, passage=sought.passage)
        drawn = self._engine.notes.draw_page(row.address, wanted, self._cancel)
        self._watch(drawn, partial(self._add_text, width=width, sought=sought))

    def _add_text(self, picture: PagePicture, width: int, sought: Sought) -> None:
        """Show a page; if it was scanned, with the text that was read on it."""

        def show(text: PictureText | None) -> None:
            self._show(width, shown_page(picture, text, sought))

        row = self._row
        assert row is not None
        # Where no scans are read, the file is not looked at a second time.
        folders = (each for each in self._engine.workspaces() if each.id == row.workspace)
        if not any(each.pictures for each in folders):
            show(None)
            return
        # A page whose text is not known is still a page.
        text = self._engine.notes.picture_text(row.address, picture.page)
        self._tasks.watch(text, self._cancel, done=show, failed=lambda _: show(None))

    def _watch(self, future: Future[T], done: Callable[[T], None]) -> None:
        self._tasks.watch(future, self._cancel, done=done, failed=self._fail)

    def _show(self, width: int, picture: ShownPage) -> None:
        self._kept[picture.page, width] = picture
        self._kept.move_to_end((picture.page, width))
        while len(self._kept) > _MOST_KEPT:
            self._kept.popitem(last=False)
        # A document may have fewer pages than a link says.
        self.page = picture.page
        self.bar.show_place(picture.page, picture.page_count)
        self._turn_to(self.canvas)
        self.canvas.show_page(picture, self.bar.where.text(), is_another=self._is_another)
        self._is_another = False

    def _fail(self, error: ScrubjayError) -> None:
        reason = f"{translated(error.message)} {translated(error.hint)}".strip()
        self._empty.show_message(translated(error.title), reason)
        self.canvas.clear()
        self._turn_to(self._empty)

    def _turn_to(self, widget: QWidget) -> None:
        self._stack.setCurrentWidget(widget)
        if self._is_new:
            self._is_new = False
            self.shown.emit()


class PageBar(QWidget):
    """The number of the page, the ways to others, and the choice of the text."""

    turned = Signal(int)
    changed = Signal(bool)
    """Signal that says whether the user wants the text."""

    def __init__(self) -> None:
        super().__init__()
        self.pages = 0
        """Number of pages of the document; 0 before that is known."""
        self.back = IconButton("earlier", self.tr("Previous page (Alt+PgUp)"))
        self.forward = IconButton("later", self.tr("Next page (Alt+PgDn)"))
        self.back.clicked.connect(lambda: self.turned.emit(-1))
        self.forward.clicked.connect(lambda: self.turned.emit(1))
        self.where = muted_label()
        self.where.setWordWrap(False)
        self.fit = Chip(self.tr("Fit width"), self.tr("Show the whole width of the page"))
        self.text = Chip(self.tr("Text"), self.tr("Show the text instead of the page"))
        self.text.setToolTip(with_keys(self.text.accessibleName(), "Ctrl+Shift+T"))
        self.text.toggled.connect(self._change)
        parts = (self.back, self.forward, self.where, 1, self.fit, self.text)
        hbox(*parts, on=self, margins=(2, 0, 2, 1), spacing=0.5)

    def show_place(self, page: int, pages: int) -> None:
        """Show the number of the page among all."""
        self.pages = pages
        text = ""
        if pages:
            text = self.tr("Page {n} of {count}").format(
                n=format_number(page), count=format_number(pages)
            )
        self.where.setText(text)
        self.back.setEnabled(page > 1)
        self.forward.setEnabled(page < pages)

    def _change(self, is_text: bool) -> None:
        for part in (self.back, self.forward, self.where, self.fit):
            part.setVisible(not is_text)
        self.changed.emit(is_text)
