"""What the window shows before there is a folder of notes."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPaintEvent, QPalette, QPen, QShowEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QFrame,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from scrubjay_desktop.text.formatting import last_day, listed, notes, number, translate
from scrubjay_desktop.widgets.banner import EmptyState
from scrubjay_desktop.widgets.buttons import Button
from scrubjay_desktop.widgets.labels import WrappingLabel
from scrubjay_desktop.widgets.theme import GRID, Colors, colors_of, sized, slim

if TYPE_CHECKING:
    from scrubjay import Discovery, FoundNotes

_WIDTH = 56 * GRID
_MOST_SHOWN = 4
"""Rows without scrolling."""
_BOX = 18


class FirstRun(QWidget):
    """A friendly beginning: what is here already, a folder of one's own, or the sample."""

    folder_requested = Signal()
    sample_requested = Signal()
    look_requested = Signal()
    """The page is seen, and nobody has looked around on this computer yet."""
    bring_over_requested = Signal()
    chosen = Signal(object)
    """A tuple of FoundNotes to search from now on."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_looking = False
        self.rows: list[FoundRow] = []
        self._state = EmptyState("app", "", "")
        self._build_list()
        self.search = Button(self.tr("&Search these notes"), is_primary=True)
        self.add = Button(self.tr("&Add a folder…"), is_primary=True)
        self.sample = Button(self.tr("&Try the sample notes"))
        self.bring = Button(self.tr("&Bring over a set-up…"))
        self.bring.hide()
        self._state.add_widget(self._list)
        for button in (self.search, self.add, self.bring, self.sample):
            self._state.add_button(button)
        self._state.add_widget(self._looked)
        column = QVBoxLayout(self)
        column.addWidget(self._state)
        self.search.clicked.connect(lambda: self.chosen.emit(self.ticked))
        self.add.clicked.connect(self.folder_requested)
        self.sample.clicked.connect(self.sample_requested)
        self.bring.clicked.connect(self.bring_over_requested)
        self._offer(())

    @property
    def ticked(self) -> tuple[FoundNotes, ...]:
        """What the person wants to search."""
        return tuple(row.found for row in self.rows if row.isChecked())

    @property
    def looked(self) -> str:
        """What was looked for in vain."""
        return self._looked.text()

    def show_found(self, discovery: Discovery, now: dt.datetime) -> None:
        """Offer what is on this computer, and say what is not."""
        self._is_looking = False
        self._offer(tuple(FoundRow(one, found_line(one, now)) for one in discovery.found))
        self._looked.setText(absent_line(discovery))

    def show_setups(self, apps: str) -> None:
        """Offer to bring over settings and agents of these programs as well."""
        self.bring.setText(self.tr("&Bring over the set-up of {apps}…").format(apps=apps))
        width = max(self.search.width(), self.bring.sizeHint().width() + 2 * GRID)
        for button in (self.search, self.add, self.bring, self.sample):
            button.setFixedWidth(width)
        self.bring.show()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: D102
        super().showEvent(event)
        if not event.spontaneous() and not self._is_looking:
            self._is_looking = True
            self._looked.setText(self.tr("Looking for notes on this computer…"))
            self.look_requested.emit()

    def _build_list(self) -> None:
        self._inner = QWidget()
        self._column = QVBoxLayout(self._inner)
        self._column.setContentsMargins(0, 0, 0, GRID)
        self._column.setSpacing(0)
        self._list = QScrollArea()
        self._list.setFrameShape(QFrame.Shape.NoFrame)
        self._list.setWidgetResizable(True)
        self._list.setFixedWidth(_WIDTH)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._list.setAccessibleName(self.tr("Notes on this computer"))
        self._list.setWidget(self._inner)
        slim(self._list)
        self._looked = WrappingLabel()
        self._looked.setFont(sized(self.font(), -1))
        self._looked.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self._looked.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._looked.setFixedWidth(_WIDTH)

    def _offer(self, rows: tuple[FoundRow, ...]) -> None:
        for row in self.rows:
            self._column.removeWidget(row)
            row.deleteLater()
        self.rows = list(rows)
        for row in rows:
            self._column.addWidget(row)
            row.toggled.connect(self._enable)
        self._state.show_message(self.tr("Find what you wrote down"), self._invitation())
        shown = rows[:_MOST_SHOWN]
        self._list.setFixedHeight(sum(row.sizeHint().height() for row in shown) + GRID)
        self._list.setVisible(bool(rows))
        self.search.setVisible(bool(rows))
        self.add.set_primary(not rows)
        first, other = (self.search, self.add) if rows else (self.add, self.search)
        self.setFocusProxy(first)
        self._enable()
        if self.window().focusWidget() is other:
            first.setFocus(Qt.FocusReason.OtherFocusReason)

    def _invitation(self) -> str:
        if self.rows:
            return self.tr(
                "These notes are on this computer already. Scrubjay searches them by words and "
                "by meaning, here only, and never changes them. You can drop a folder here, too."
            )
        return self.tr(
            "Add a folder of Markdown notes, or drop one here. Scrubjay searches it by words "
            "and by meaning, on this computer only, and never changes your notes."
        )

    def _enable(self) -> None:
        self.search.setEnabled(bool(self.ticked))


class FoundRow(QCheckBox):
    """A folder of notes with a tick: whose it is, and below how much and how old."""

    def __init__(self, found: FoundNotes, line: str) -> None:
        super().__init__()
        self.found = found
        self.line = line
        self.setChecked(True)
        self.setAccessibleName(f"{title_of(found)}, {line}")
        self.setToolTip(str(found.root))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:  # noqa: D102
        first, second = self._fonts()
        heights = QFontMetrics(first).height() + QFontMetrics(second).height()
        return QSize(_WIDTH, heights + 5 * GRID // 2)

    def hitButton(self, _place: object) -> bool:
        """The whole row is the button, not only its box."""
        return True

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: D102
        colors = colors_of(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        card = QRectF(self.rect()).adjusted(1, 2, -1, -2)
        painter.setPen(QPen(colors.accent if self.hasFocus() else colors.border, 1))
        painter.setBrush(colors.hover if self.underMouse() else colors.surface)
        painter.drawRoundedRect(card, 6, 6)
        box = QRectF(3 * GRID // 2, (self.height() - _BOX) / 2, _BOX, _BOX)
        self._paint_tick(painter, box, colors)
        first, second = self._fonts()
        left = 3 * GRID + _BOX
        inner = self.rect().adjusted(left, GRID, -2 * GRID, -GRID)
        painter.setFont(first)
        painter.setPen(colors.text)
        _draw(painter, inner, title_of(self.found), Qt.AlignmentFlag.AlignTop)
        painter.setFont(second)
        painter.setPen(colors.muted)
        _draw(painter, inner, self.line, Qt.AlignmentFlag.AlignBottom)

    def _paint_tick(self, painter: QPainter, box: QRectF, colors: Colors) -> None:
        painter.setPen(QPen(colors.accent if self.isChecked() else colors.muted, 1.5))
        painter.setBrush(colors.accent if self.isChecked() else colors.surface)
        painter.drawRoundedRect(box, 4, 4)
        if not self.isChecked():
            return
        painter.setPen(QPen(colors.accent_text, 2))
        x, y = box.left(), box.top()
        painter.drawLine(int(x + 4), int(y + 9), int(x + 8), int(y + 13))
        painter.drawLine(int(x + 8), int(y + 13), int(x + 14), int(y + 5))

    def _fonts(self) -> tuple[QFont, QFont]:
        return sized(self.font(), 0, QFont.Weight.DemiBold), sized(self.font(), -1)


def title_of(found: FoundNotes) -> str:
    """Whose notes, and which when that does not say it all."""
    return found.app if found.name == found.app else f"{found.app} · {found.name}"


def found_line(found: FoundNotes, now: dt.datetime) -> str:
    """`214 notes, last written today`."""
    count = notes(found.notes)
    if found.is_more:
        count = translate("FirstRun", "more than {n} notes").format(n=number(found.notes))
    sentence = translate("FirstRun", "{count}, last written {day}")
    return sentence.format(count=count, day=last_day(found.newest, now))


def absent_line(discovery: Discovery) -> str:
    """What was looked for in vain; empty when nothing was."""
    if not discovery.absent:
        return ""
    apps = listed(list(discovery.absent))
    return translate("FirstRun", "Looked for and not found: {apps}.").format(apps=apps)


def _draw(painter: QPainter, area: QRect, text: str, side: Qt.AlignmentFlag) -> None:
    shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, area.width())
    painter.drawText(area, Qt.AlignmentFlag.AlignLeft | side, shown)
