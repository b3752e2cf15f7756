"""The notes that are related to the shown one: below it, or beside it where there is room."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from msgspec import Struct
from PySide6.QtCore import QMargins, QPoint, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QListView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolButton,
    QWidget,
)

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.errors import ScrubjayError
from scrubjay.records.note_records import NoteAddress, RelatedNote, Relation
from scrubjay_desktop.bridge.bridge import Tasks
from scrubjay_desktop.results.result_rows import Row
from scrubjay_desktop.text.formatting import (
    both_days,
    format_number,
    note_title,
    plain_tip,
    translate,
)
from scrubjay_desktop.widgets.icons import pixmap
from scrubjay_desktop.widgets.layouts import vbox
from scrubjay_desktop.widgets.list_models import ROW_ROLE, Index, ListModel
from scrubjay_desktop.widgets.painting import draw_elided, inset, paint_row_state
from scrubjay_desktop.widgets.theme import GRID, palette_colors, sized_font

_BESIDE = 100 * GRID
"""Width of both from which the notes stand beside the one that is shown."""
_WIDTH = 36 * GRID
"""Width of the notes beside the one that is shown."""
_ONE_LINE = 44 * GRID
"""Width from which a title and its reason stand in one line."""
_SHARE = 3
"""Share of the height: below a note they take a third of it at most."""
_ICON = 16
_ICONS = {
    Relation.LINKS: "link",
    Relation.LINKED: "link",
    Relation.SIMILAR: "meaning",
    Relation.SAME_DAY: "calendar",
}
_REST_MS = 150
"""Milliseconds before they are asked for: the note itself is painted first, and notes passed while
typing are left alone."""


class SameDay(Struct, frozen=True):
    """Several notes of the same day, in one row until it is unfolded."""

    notes: tuple[RelatedNote, ...]


def fold_days(notes: Sequence[RelatedNote]) -> list[RelatedNote | SameDay]:
    """Rows for related notes: one for each, and one for all of a day where there are several."""
    of_day = tuple(note for note in notes if note.relation is Relation.SAME_DAY)
    if len(of_day) <= 1:
        return [*notes]
    return [*(note for note in notes if note not in of_day), SameDay(of_day)]


def relation_reason(related: RelatedNote) -> str:
    """The reason for a related note, in one line."""
    match related.relation:
        case Relation.LINKED:
            sentence = translate("RelatedPane", "Linked from this note")
        case Relation.LINKS:
            sentence = translate("RelatedPane", "Links to this note: {line}").format(
                line=related.why
            )
        case Relation.SIMILAR if related.why:
            words = translate("RelatedPane", "Both mention {words}")
            sentence = words.format(words=related.why)
        case Relation.SIMILAR:
            sentence = translate("RelatedPane", "Similar")
        case _ if related.note.date:
            sentence = translate("RelatedPane", "From the same day")
        case _:
            sentence = translate("RelatedPane", "Changed on the same day")
    return sentence


def related_row_data(related: RelatedNote | SameDay, role: int) -> str | None:
    """The data of a row for a role of Qt."""
    if isinstance(related, SameDay):
        return _describe_day(related, role)
    title = note_title(related.note.title, related.note.path)
    match role:
        case Qt.ItemDataRole.DisplayRole:
            return title
        case Qt.ItemDataRole.AccessibleTextRole:
            return f"{title}, {relation_reason(related)}"
        case Qt.ItemDataRole.ToolTipRole:
            now = dt.datetime.now().astimezone()
            days = both_days(related.note.date, related.note.modified, now)
            return "\n".join((related.note.path, days, relation_reason(related)))
    return None


def _describe_day(day: SameDay, role: int) -> str | None:
    if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
        sentence = translate("RelatedPane", "{n} notes from the same day")
        return sentence.format(n=format_number(len(day.notes)))
    if role == Qt.ItemDataRole.ToolTipRole:
        return "\n".join(note_title(each.note.title, each.note.path) for each in day.notes)
    return None


class RelatedPane(QWidget):
    """A list of notes, each with the reason, under a button that unfolds it."""

    chosen = Signal(object)
    """The RelatedNote to show."""
    folded = Signal(bool)
    """Signal that the user folded the list, or unfolded it."""
    turned = Signal()
    """Signal that the list is folded or unfolded now."""

    def __init__(self, engine: Engine, tasks: Tasks) -> None:
        super().__init__()
        self._engine = engine
        self._tasks = tasks
        self._cancel = CancelToken()
        self._note: NoteAddress | None = None
        self._room = QSize(0, 0)
        self._is_beside = False
        self._rest = QTimer(self, singleShot=True, interval=_REST_MS)
        self._rest.timeout.connect(self._ask)
        self.is_folded = True
        """Whether only the button is shown."""
        self._notes: tuple[RelatedNote, ...] = ()
        self._is_answered = False
        """Whether the notes of this one are known."""
        self._was_asked = False
        """Whether the user unfolded the list for this note, and so gets an answer in any case."""
        # The button is the heading of the list, with an arrow that says whether it is folded.
        self.button = QToolButton(autoRaise=True)
        self.button.setFont(sized_font(self.font(), -1, QFont.Weight.DemiBold))
        self.button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.button.clicked.connect(self._fold)
        self.model = ListModel(related_row_data, self)
        self.list = RelatedList(self.model)
        self.list.opened.connect(self._open)
        vbox(self.button, (self.list, 1), on=self, margins=(0.5, 0.5, 0, 0), spacing=0)
        self.set_folded(is_folded=True)
        self.hide()

    def show_note(self, row: Row) -> None:
        """Show the notes that belong to a note, a moment later.

        When it is the same note, which was changed, those it had stay until then.
        """
        if self._note != row.address:
            self.clear()
        self._note = row.address
        if self.is_folded:
            self._lay_out()
        else:
            self._rest.start()

    def clear(self) -> None:
        """Show no notes; the room stays until the next ones are known."""
        self._cancel.cancel()
        self._cancel = CancelToken()
        self._note = None
        self._rest.stop()
        self._notes = ()
        self._is_answered = False
        self._was_asked = False
        self.model.replace(())

    def set_folded(self, is_folded: bool) -> None:
        """Show the button alone, or with the list."""
        self.is_folded = is_folded
        self.list.setVisible(not is_folded)
        arrow = Qt.ArrowType.DownArrow
        hint = self.tr("Hide related notes")
        if is_folded:
            arrow = Qt.ArrowType.RightArrow
            hint = self.tr("Show related notes")
        self.button.setArrowType(arrow)
        self.button.setToolTip(plain_tip(hint))
        self.button.setAccessibleDescription(hint)
        self._lay_out()
        self.turned.emit()

    def set_room(self, room: QSize, *, is_beside: bool) -> None:
        """Take a part of the room of a note and all that belongs to it."""
        self._room = room
        self._is_beside = is_beside
        self.list.set_narrow(is_beside or room.width() < _ONE_LINE)
        self._lay_out()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: D102
        painter = QPainter(self)
        # A line above the notes, or to the left of them.
        painter.setPen(palette_colors(self.palette()).border)
        end = QPoint(self.width(), 0)
        if self._is_beside:
            end = QPoint(0, self.height())
        painter.drawLine(QPoint(0, 0), end)

    def _fold(self) -> None:
        self._was_asked = self.is_folded
        self.set_folded(not self.is_folded)
        self.folded.emit(self.is_folded)
        if not self.is_folded and self._note is not None and not self.model.rows:
            self._ask()

    def _ask(self) -> None:
        if self._note is not None:
            related = self._engine.relations.of(self._note, self._cancel)
            self._tasks.watch(related, self._cancel, done=self._show, failed=self._fail)

    def _fail(self, error: ScrubjayError) -> None:
        # The note itself is there: no reason to disturb.
        self._show(())

    def _show(self, notes: tuple[RelatedNote, ...]) -> None:
        self._is_answered = True
        if notes != self._notes:
            self._notes = notes
            self.model.replace(fold_days(notes))
        self._lay_out()

    def _open(self, row: RelatedNote | SameDay) -> None:
        """Show a note, or the notes of the same day in place of their row."""
        if isinstance(row, RelatedNote):
            self.chosen.emit(row)
            return
        others = [each for each in self.model.rows if each is not row]
        self.model.replace([*others, *row.notes])
        self.list.setCurrentIndex(self.model.index(len(others)))
        self._lay_out()

    def _lay_out(self) -> None:
        count = self.model.rowCount()
        text = translate("RelatedPane", "Related")
        if count:
            text = f"{text} · {format_number(len(self._notes))}"
        elif self._is_answered and not self.is_folded:
            text = translate("RelatedPane", "No related notes found")
        self.button.setText(text)
        is_wanted = count or self.is_folded or self._is_beside or self._was_asked
        self.setVisible(self._note is not None and bool(is_wanted))
        # Beside the note the list takes all the height; below it only its rows, within its share.
        most = 16_777_215
        if self._is_beside and not self.is_folded:
            self.setFixedWidth(_WIDTH)
            self.list.setMaximumHeight(most)
            return
        self.setMinimumWidth(0)
        self.setMaximumWidth(most)
        rows = sum(self.list.sizeHintForRow(row) for row in range(count))
        self.list.setFixedHeight(min(rows + GRID, self._room.height() // _SHARE))


class RelatedList(QListView):
    """The notes, opened by a click or by Enter."""

    opened = Signal(object)

    def __init__(self, model: ListModel) -> None:
        super().__init__()
        self.setModel(model)
        self._delegate = RelatedDelegate(self)
        self.setItemDelegate(self._delegate)
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(translate("RelatedPane", "Related"))
        self.clicked.connect(lambda index: self.opened.emit(index.data(ROW_ROLE)))

    def set_narrow(self, is_narrow: bool) -> None:
        """Write the reason below the title, not after it."""
        if self._delegate.is_narrow != is_narrow:
            self._delegate.is_narrow = is_narrow
            self.scheduleDelayedItemsLayout()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: D102
        index = self.currentIndex()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and index.isValid():
            self.opened.emit(index.data(ROW_ROLE))
        else:
            super().keyPressEvent(event)


class RelatedDelegate(QStyledItemDelegate):
    """Paints a sign of the reason, the title, and the reason after or below it."""

    is_narrow = False

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: D102
        height = QFontMetrics(option.font).height()
        below = 0
        if self.is_narrow:
            below = QFontMetrics(sized_font(option.font, -1)).height()
        return QSize(20 * GRID, height + below + GRID)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:  # noqa: D102
        related: RelatedNote | SameDay = index.data(ROW_ROLE)
        relation = Relation.SAME_DAY
        reason = ""
        if isinstance(related, RelatedNote):
            relation = related.relation
            reason = relation_reason(related)
        colors = palette_colors(option.palette)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        card = inset(QRect(option.rect), across=GRID)
        paint_row_state(painter, card, state=option.state, colors=colors)
        inner = inset(card, across=GRID, down=GRID // 2)
        # The sign comes first, in the middle of the first line.
        metrics = QFontMetrics(option.font)
        title = index.data()
        line = QRect(inner.left(), inner.top(), inner.width(), metrics.height())
        scale = painter.device().devicePixelRatioF()
        sign = pixmap(_ICONS[relation], colors.muted, size=_ICON, scale=scale)
        painter.drawPixmap(QPoint(line.left(), line.top() + (line.height() - _ICON) // 2), sign)
        line.setLeft(line.left() + _ICON + GRID)
        # The title takes what it needs, but leaves most of a shared line to the reason.
        painter.setFont(option.font)
        painter.setPen(colors.text)
        most = line.width()
        if reason and not self.is_narrow:
            most = line.width() * 2 // 5
        width = min(metrics.horizontalAdvance(title) + 1, most)
        draw_elided(painter, QRect(line.topLeft(), QSize(width, line.height())), title)
        # The reason has the rest of the line, or one of its own.
        small = sized_font(option.font, -1)
        if self.is_narrow:
            line.moveTop(line.bottom() + 1)
            line.setHeight(QFontMetrics(small).height())
        else:
            line.setLeft(line.left() + width + 2 * GRID)
        painter.setFont(small)
        painter.setPen(colors.muted)
        draw_elided(painter, line, reason)
        painter.restore()


class WithRelated(QWidget):
    """A note, with the pane below it or beside it."""

    def __init__(self, note: QWidget, pane: RelatedPane) -> None:
        super().__init__()
        self._pane = pane
        self._layout = QBoxLayout(QBoxLayout.Direction.TopToBottom, self)
        self._layout.setContentsMargins(QMargins())
        self._layout.setSpacing(0)
        self._layout.addWidget(note, 1)
        self._layout.addWidget(pane)
        pane.turned.connect(self._arrange)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: D102
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        # Folded they are one line below the note.
        is_beside = self.width() >= _BESIDE and not self._pane.is_folded
        directions = QBoxLayout.Direction
        direction = directions.LeftToRight if is_beside else directions.TopToBottom
        self._layout.setDirection(direction)
        self._pane.set_room(self.size(), is_beside=is_beside)
