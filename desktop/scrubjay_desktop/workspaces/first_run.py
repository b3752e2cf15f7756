"""The page of the window before there is a folder of notes."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPaintEvent, QPen, QShowEvent
from PySide6.QtWidgets import QCheckBox, QSizePolicy, QWidget

from scrubjay_desktop.text.formatting import (
    abbreviate_home,
    format_note_count,
    format_number,
    join_words,
    last_day,
    plain_tip,
    translate,
)
from scrubjay_desktop.widgets.banner import EmptyState
from scrubjay_desktop.widgets.buttons import Button
from scrubjay_desktop.widgets.labels import WrappingLabel, muted_label
from scrubjay_desktop.widgets.layouts import scroll_area, vbox
from scrubjay_desktop.widgets.painting import draw_elided, inset, paint_box, smooth_painter
from scrubjay_desktop.widgets.theme import GRID, Colors, palette_colors, sized_font

if TYPE_CHECKING:
    from scrubjay.onboarding.discovery import Discovery, NotesFolder

_WIDTH = 56 * GRID
"""Width of the rows."""
_MAX_ROWS = 4
"""Rows that are seen without scrolling."""
_BOX = 18
"""Pixels of a check box."""


class FirstRun(QWidget):
    """Offers the notes that are here already, a folder of the user's own, or the sample."""

    folder_requested = Signal()
    sample_requested = Signal()
    look_requested = Signal()
    """Signal that the page is visible, and notes on this computer have not been looked for yet."""
    bring_over_requested = Signal()
    note_import_requested = Signal()
    """Signal that the user wants to import notes from an export."""
    chosen = Signal(object)
    """Signal with a tuple of NotesFolder to search from now on."""

    def __init__(self) -> None:
        super().__init__()
        self._is_looking = False
        self.rows: list[FolderRow] = []
        # The list is filled once the notes on this computer are known.
        self._state = EmptyState("app", "", "")
        self._build_list()
        self.search = Button(self.tr("&Search these notes"), is_primary=True)
        self.add = Button(self.tr("&Add a folder…"), is_primary=True)
        self.sample = Button(self.tr("&Try the sample notes"))
        self.bring_notes = Button(self.tr("Import n&otes…"))
        self.bring = Button(self.tr("&Import settings…"))
        self.bring.hide()
        self._state.add_widget(self._list)
        for button in (self.search, self.add, self.bring_notes, self.bring, self.sample):
            self._state.add_button(button)
        self._state.add_widget(self.looked)
        vbox(self._state, on=self)
        # What is chosen here is done elsewhere.
        self.search.clicked.connect(lambda: self.chosen.emit(self.ticked))
        self.add.clicked.connect(self.folder_requested)
        self.sample.clicked.connect(self.sample_requested)
        self.bring_notes.clicked.connect(self.note_import_requested)
        self.bring.clicked.connect(self.bring_over_requested)
        self._offer(())

    @property
    def ticked(self) -> tuple[NotesFolder, ...]:
        """The folders to search."""
        return tuple(row.folder for row in self.rows if row.isChecked())

    def show_found(self, discovery: Discovery, now: dt.datetime) -> None:
        """Offer the notes on this computer, and name the programs without any."""
        self._is_looking = False
        rows = (FolderRow(folder, found_line(folder, now)) for folder in discovery.folders)
        self._offer(tuple(rows))
        # The sentence below the offers names what was looked for in vain.
        none = self.tr("No notes from other programs were found on this computer.")
        if discovery.folders:
            none = self.tr("No other notes were found.")
        if not discovery.absent:
            none = ""
        self.looked.setText(none)
        self.looked.setToolTip(plain_tip(absent_line(discovery)))

    def show_setups(self, apps: str) -> None:
        """Offer to import settings and agents of these programs as well."""
        self.bring.setText(self.tr("&Import settings from {apps}…").format(apps=apps))
        # All buttons are as wide as the widest.
        width = max(self.search.width(), self.bring.sizeHint().width() + 2 * GRID)
        for button in (self.search, self.add, self.bring_notes, self.bring, self.sample):
            button.setFixedWidth(width)
        self.bring.show()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: D102
        super().showEvent(event)
        if not event.spontaneous() and not self._is_looking:
            self._is_looking = True
            self.looked.setText(self.tr("Looking for notes on this computer…"))
            self.look_requested.emit()

    def _build_list(self) -> None:
        content = QWidget()
        self._column = vbox(on=content, margins=(0, 0, 0, 1), spacing=0)
        self._list = scroll_area(content, self.tr("Notes on this computer"))
        self._list.setFixedWidth(_WIDTH)
        # In the middle of the window there is nothing for a bar to move aside.
        self._list.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self._list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.looked = muted_label("", -1, WrappingLabel)
        self.looked.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.looked.setFixedWidth(_WIDTH)

    def _offer(self, rows: tuple[FolderRow, ...]) -> None:
        # The former rows go first.
        for row in self.rows:
            self._column.removeWidget(row)
            row.deleteLater()
        self.rows = list(rows)
        for row in rows:
            self._column.addWidget(row)
            row.toggled.connect(self._enable)
        # The sentence says what a click would do.
        invitation = self.tr(
            "Add a folder with your notes, or drop one here. Scrubjay searches your notes by "
            "words and by meaning, on this computer only. It changes them only when you tell "
            "it to."
        )
        if rows:
            invitation = self.tr(
                "These notes are already on this computer. Scrubjay searches them by words and "
                "by meaning, on this computer only. It changes them only when you tell it to. "
                "You can also drop a folder here."
            )
        self._state.show_message(self.tr("Find what you wrote down"), invitation)
        # A few rows are seen at once; for more there is a bar.
        visible = rows[:_MAX_ROWS]
        self._list.setFixedHeight(sum(row.sizeHint().height() for row in visible) + GRID)
        self._list.setVisible(bool(rows))
        self.search.setVisible(bool(rows))
        self.add.set_primary(not rows)
        # Enter does what fits: search what was found, or otherwise add a folder.
        first = self.add
        other = self.search
        if rows:
            first, other = other, first
        self.setFocusProxy(first)
        self._enable()
        if self.window().focusWidget() is other:
            first.setFocus(Qt.FocusReason.OtherFocusReason)

    def _enable(self) -> None:
        self.search.setEnabled(bool(self.ticked))


class FolderRow(QCheckBox):
    """A folder of notes with a check box: its program, and below how much and how old."""

    def __init__(self, folder: NotesFolder, line: str) -> None:
        super().__init__()
        self.folder = folder
        self.line = line
        self.setChecked(True)
        self.setAccessibleName(f"{folder_title(folder)}, {line}")
        self.setToolTip(plain_tip(abbreviate_home(folder.root)))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:  # noqa: D102
        first, second = self._fonts()
        heights = QFontMetrics(first).height() + QFontMetrics(second).height()
        return QSize(_WIDTH, heights + 5 * GRID // 2)

    def hitButton(self, _point: object) -> bool:
        """The whole row is the button, not only its box."""
        return True

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: D102
        colors = palette_colors(self.palette())
        painter = smooth_painter(self)
        card = inset(QRectF(self.rect()), across=1, down=2)
        fill = colors.surface
        if self.underMouse():
            fill = colors.hover
        border = colors.border
        if self.hasFocus():
            border = colors.accent
        paint_box(painter, card, fill=fill, border=border, radius=6)
        box = QRectF(3 * GRID // 2, (self.height() - _BOX) / 2, _BOX, _BOX)
        self._paint_tick(painter, box, colors)
        # Both lines stand right of the box.
        first, second = self._fonts()
        left = 3 * GRID + _BOX
        inner = self.rect().adjusted(left, GRID, -2 * GRID, -GRID)
        painter.setFont(first)
        painter.setPen(colors.text)
        draw_elided(
            painter, inner, text=folder_title(self.folder), alignment=Qt.AlignmentFlag.AlignTop
        )
        painter.setFont(second)
        painter.setPen(colors.muted)
        draw_elided(painter, inner, text=self.line, alignment=Qt.AlignmentFlag.AlignBottom)

    def _paint_tick(self, painter: QPainter, box: QRectF, colors: Colors) -> None:
        fill = colors.accent
        border = colors.accent
        if not self.isChecked():
            fill = colors.surface
            border = colors.muted
        paint_box(painter, box, fill=fill, border=border, radius=4, width=1.5)
        if not self.isChecked():
            return
        # A short stroke down and a long one up.
        painter.setPen(QPen(colors.accent_text, 2))
        corner = QPoint(int(box.left()), int(box.top()))
        middle = corner + QPoint(8, 13)
        painter.drawLine(corner + QPoint(4, 9), middle)
        painter.drawLine(middle, corner + QPoint(14, 5))

    def _fonts(self) -> tuple[QFont, QFont]:
        return sized_font(self.font(), 0, QFont.Weight.DemiBold), sized_font(self.font(), -1)


def folder_title(folder: NotesFolder) -> str:
    """The program, and the name of the folder when it differs."""
    app = translate("FirstRun", "Documents") if folder.app == "Documents" else folder.app
    if folder.name == folder.app:
        return app
    return f"{app} · {folder.name}"


def found_line(folder: NotesFolder, now: dt.datetime) -> str:
    """`214 notes, last written today`."""
    count = format_note_count(folder.notes)
    if folder.is_more:
        count = translate("FirstRun", "more than {n} notes").format(n=format_number(folder.notes))
    sentence = translate("FirstRun", "{count}, last changed {day}")
    return sentence.format(count=count, day=last_day(folder.newest, now))


def absent_line(discovery: Discovery) -> str:
    """A sentence that names programs without notes here; empty for none."""
    if not discovery.absent:
        return ""
    apps = join_words(list(discovery.absent))
    return translate("FirstRun", "No notes from {apps} were found.").format(apps=apps)
