"""Notes of a day and notes that changed, as rows of a list."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QPointF, QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QListView, QStyledItemDelegate, QStyleOptionViewItem

from scrubjay.records.journal_records import ChangeKind, NoteChange
from scrubjay.records.note_records import DocumentInfo, NoteAddress
from scrubjay.records.workspace_id import WorkspaceId
from scrubjay_desktop.text.formatting import (
    both_days,
    conflict_copies,
    day_and_time,
    format_note_count,
    note_day,
    note_title,
    relative_date,
    translate,
)
from scrubjay_desktop.text.workspace_names import WorkspaceNames
from scrubjay_desktop.widgets.list_models import ROW_ROLE, Index
from scrubjay_desktop.widgets.painting import (
    draw_elided,
    inset,
    line_rect,
    paint_row_state,
    square_at,
)
from scrubjay_desktop.widgets.theme import GRID, Colors, palette_colors, sized_font

_MARK = 18
"""Pixels of the sign of a change."""
SIGNS = {
    ChangeKind.ADDED: "+",
    ChangeKind.CHANGED: "±",
    ChangeKind.REMOVED: "−",
    ChangeKind.MOVED: "→",
}
"""Kind of a change -> its sign, so that kinds differ not only in colour."""


class TimelineRow(Struct, frozen=True):
    """One note, or the notes of a folder that was moved, ready to be painted."""

    workspace: WorkspaceId
    path: str
    file: Path | None
    """Path of the file; None when the note was removed, and for a folder."""
    title: str
    badge: str
    """Name of the workspace; empty when there is one only."""
    date: str
    moment: dt.datetime
    """Time that tells a row from the same one after another change."""
    kind: ChangeKind | None = None
    """Kind of the change; None for a note that is listed for its day."""
    document: DocumentInfo | None = None
    days: str = ""
    """The own day of a note of a day and that of its last change, or when this was, in full."""
    former_path: str = ""
    """Path of a moved note or folder before."""
    moved: tuple[NoteChange, ...] = ()
    """The notes of a moved folder."""

    @property
    def address(self) -> NoteAddress:
        """The note that it is about."""
        return NoteAddress(self.workspace, self.path)

    @property
    def origin(self) -> str:
        """The path, after the former one if there is one."""
        if self.kind is not ChangeKind.MOVED:
            return self.path
        paths = (path or _top_folder() for path in (self.former_path, self.path))
        return " → ".join(paths)


def _top_folder() -> str:
    return translate("Timeline", "the top-level folder")


def timeline_row(
    note: DocumentInfo | NoteChange, names: WorkspaceNames, now: dt.datetime
) -> TimelineRow:
    """A note of a day, or a changed note."""
    moment = note.modified if isinstance(note, DocumentInfo) else note.moment
    row = TimelineRow(
        workspace=note.workspace,
        path=note.path,
        file=note.file,
        title=note_title(note.title, note.path),
        badge=names.get(note.workspace, ""),
        date="",
        moment=moment,
    )
    # A note of a day has the day that it is about, a change the time when it happened.
    if isinstance(note, DocumentInfo):
        days = both_days(note.date, row.moment, now)
        if note.conflict_copies:
            days = f"{days}\n{conflict_copies(len(note.conflict_copies))}"
        return replace(row, date=note_day(note.date, row.moment, now), days=days, document=note)
    if note.moved:
        moved = translate("Timeline", "{notes} moved to {folder}").format(
            notes=format_note_count(len(note.moved)), folder=note.path or _top_folder()
        )
        row = replace(row, title=moved, moved=note.moved)
    date = relative_date(row.moment, now)
    days = day_and_time(row.moment, now)
    return replace(row, date=date, days=days, kind=note.kind, former_path=note.former_path)


def timeline_row_data(row: TimelineRow, role: int) -> str | None:
    """The data of a row for a role of Qt."""
    match role:
        case Qt.ItemDataRole.DisplayRole:
            return row.title
        case Qt.ItemDataRole.ToolTipRole:
            return "\n".join(filter(None, (row.origin, row.days)))
        case Qt.ItemDataRole.AccessibleTextRole:
            # The sign of a kind is painted, and its name is spoken.
            kinds = {
                ChangeKind.ADDED: translate("Timeline", "Added"),
                ChangeKind.CHANGED: translate("Timeline", "Changed"),
                ChangeKind.REMOVED: translate("Timeline", "Removed"),
                ChangeKind.MOVED: translate("Timeline", "Moved"),
            }
            kind = kinds[row.kind] if row.kind else ""
            parts = (kind, row.title, row.origin, row.badge, row.date)
            return ", ".join(part for part in parts if part)
    return None


class TimelineView(QListView):
    """The list as a widget; rows of equal height keep 100,000 of them fast."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setItemDelegate(TimelineDelegate(self))
        # All rows have the same height, so one is measured for all.
        self.setUniformItemSizes(True)
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(name)


class TimelineDelegate(QStyledItemDelegate):
    """Paints a title with its date, and below it the path of the note."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: D102
        # Two lines, with some room around them.
        title, small = _fonts(option.font)
        height = QFontMetrics(title).height() + QFontMetrics(small).height()
        return QSize(240, height + 2 + 2 * GRID)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:  # noqa: D102
        row: TimelineRow = index.data(ROW_ROLE)
        colors = palette_colors(option.palette)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        card = inset(QRect(option.rect), across=GRID // 2, down=1)
        paint_row_state(painter, card, state=option.state, colors=colors, has_bar=True)
        inner = inset(card, across=GRID + 4, down=GRID - 2)
        # The sign stands left of the words, where there is one.
        if row.kind is not None:
            _paint_mark(painter, inner, kind=row.kind, font=option.font, colors=colors)
            inner.setLeft(inner.left() + _MARK + GRID)
        _paint_words(painter, inner, row=row, font=option.font, colors=colors)
        painter.restore()


def _fonts(font: QFont) -> tuple[QFont, QFont]:
    return sized_font(font, 0, QFont.Weight.DemiBold), sized_font(font, -1)


def _paint_mark(
    painter: QPainter, inner: QRect, kind: ChangeKind, font: QFont, colors: Colors
) -> None:
    color = {
        ChangeKind.ADDED: colors.good,
        ChangeKind.CHANGED: colors.accent,
        ChangeKind.REMOVED: colors.danger,
        ChangeKind.MOVED: colors.accent,
    }[kind]
    # A circle with the sign in it, in the colour of the kind.
    middle = QPointF(inner.left() + _MARK / 2, inner.center().y() + 0.5)
    painter.setPen(QPen(color, 1.5))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawEllipse(middle, _MARK / 2, _MARK / 2)
    painter.setFont(sized_font(font, 1, QFont.Weight.DemiBold))
    # The letter stands a pixel above the middle, where it looks centred.
    area = square_at(middle - QPointF(_MARK / 2, _MARK / 2 + 1), _MARK)
    painter.drawText(area, Qt.AlignmentFlag.AlignCenter, SIGNS[kind])


def _paint_words(
    painter: QPainter, inner: QRect, row: TimelineRow, font: QFont, colors: Colors
) -> None:
    bold, small = _fonts(font)
    right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
    top = line_rect(inner, top=inner.top(), height=QFontMetrics(bold).height())
    below = line_rect(inner, top=top.bottom() + 3, height=QFontMetrics(small).height())
    # Date and badge have their room first, and title and path what is left of their lines.
    painter.setFont(small)
    painter.setPen(colors.muted)
    painter.drawText(top, right, row.date)
    badge = QFontMetrics(small).elidedText(
        row.badge, Qt.TextElideMode.ElideRight, inner.width() // 3
    )
    painter.drawText(below, right, badge)
    room = QFontMetrics(small).horizontalAdvance
    origin = inset(below, right=room(badge) + 2 * GRID)
    draw_elided(painter, origin, row.origin, mode=Qt.TextElideMode.ElideMiddle)
    painter.setFont(bold)
    painter.setPen(colors.text)
    draw_elided(painter, inset(top, right=room(row.date) + 2 * GRID), row.title)
