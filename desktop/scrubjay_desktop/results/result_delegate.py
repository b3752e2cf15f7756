"""Paints one row of a result list: title, where it is, snippet with its matches, badge, date."""

from __future__ import annotations

import functools

from msgspec import Struct
from PySide6.QtCore import QObject, QPoint, QPointF, QRect, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QImage,
    QPainter,
    QPen,
    QTextCharFormat,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QAbstractItemView, QStyledItemDelegate, QStyleOptionViewItem

from scrubjay.records.search_records import Snippet
from scrubjay_desktop.results.result_model import group_title
from scrubjay_desktop.results.result_rows import Row
from scrubjay_desktop.results.snippet_text import utf16_cut, utf16_spans
from scrubjay_desktop.results.thumbnails import Thumbnails
from scrubjay_desktop.widgets.icons import pixmap
from scrubjay_desktop.widgets.list_models import ROW_ROLE, Index
from scrubjay_desktop.widgets.painting import (
    draw_elided,
    inset,
    line_rect,
    paint_box,
    paint_row_state,
    square_at,
)
from scrubjay_desktop.widgets.theme import GRID, Colors, palette_colors, sized_font

# Pixels of a row.

_INSET = GRID // 2
"""Pixels between the surface of a row and the edge of the list."""
_PADDING = GRID * 3 // 2
"""Pixels between the surface of a row and its words."""
_MARK = 16
"""Pixels of the mark that says how a row was found."""
_RADIUS = 6.0
"""Pixels of the corners."""
_EDGE_ALPHA = 100
"""Opacity of thin edges, of 255."""
_INDENT = GRID * 3
"""Pixels by which passages are indented below their note."""
_MAX_LAYOUTS = 64
"""Snippets that stay laid out: those of a few screens."""
_TAGS_SHARE = 40
"""Percent of the line below the title that tags may take from a long breadcrumb."""
_PICTURE_LINES = 2
"""Height of a picture, as a multiple of that of a snippet."""


class _Fonts(Struct, frozen=True):
    title: QFont
    small: QFont
    small_bold: QFont
    body: QFont


class ResultDelegate(QStyledItemDelegate):
    """Draws rows in the colours of the view's palette."""

    def __init__(
        self, thumbnails: Thumbnails, parent: QObject | None = None, *, snippet_lines: int = 2
    ) -> None:
        super().__init__(parent)
        self._thumbnails = thumbnails
        self._snippet_lines = snippet_lines
        # Fonts follow from the font of the view, and are made once for all rows.
        self._font = QFont()
        self._fonts: _Fonts | None = None
        self._layout = functools.lru_cache(_MAX_LAYOUTS)(_fitted)
        """Function that lays out snippets, cached: between two keys most texts stay, and only their
        marks change."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: D102
        row: Row = index.data(ROW_ROLE)
        fonts = self._fonts_of(option.font)
        # The parts of the height are those that are painted.
        height = 2 * _INSET + 2 * GRID + _head_height(row, fonts)
        if row.snippet.text or row.media_type:
            lines = self._lines(row, fonts, width=_body_width(option, row))
            height += GRID // 2 + lines * _height(fonts.body)
        if row.has_more:
            height += _height(fonts.small)
        if _opened_group(index):
            height += _group_height(fonts)
        return QSize(320, height)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:  # noqa: D102
        row: Row = index.data(ROW_ROLE)
        colors = palette_colors(option.palette)
        fonts = self._fonts_of(option.font)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        title = _opened_group(index)
        if title:
            _paint_group(
                painter,
                option.rect,
                title=title,
                fonts=fonts,
                colors=colors,
                is_first=not index.row(),
            )
        card = _card(option.rect, index, fonts)
        paint_row_state(painter, card, state=option.state, colors=colors, has_bar=True)
        inner = inset(card, across=_PADDING, down=GRID)
        _paint_head(painter, inner, row=row, fonts=fonts, colors=colors)
        # The offer to unfold takes the last line.
        if row.more:
            painter.setPen(colors.accent)
            more = self.more_area(option.rect, row, option.font)
            painter.drawText(more, Qt.AlignmentFlag.AlignVCenter, row.more)
            inner.setBottom(more.top() - 1)
        if row.snippet.text or row.media_type:
            body = QRectF(inner)
            body.setTop(inner.top() + _head_height(row, fonts) + GRID // 2)
            self._paint_body(painter, body, row=row, fonts=fonts, colors=colors)
        painter.restore()

    def _paint_body(
        self, painter: QPainter, body: QRectF, *, row: Row, fonts: _Fonts, colors: Colors
    ) -> None:
        """The snippet of a row, right of its picture if it has one."""
        # A recording has a sign in place of a picture.
        if row.media_type:
            small = QImage()
            if row.media_type.startswith("image/"):
                small = self._thumbnails.of(row)
            body.setLeft(_paint_media(painter, body, row=row, small=small, colors=colors))
        painter.setPen(colors.text)
        layout = self._layout(
            row.snippet.text, fonts.body, width=body.width(), lines=self._snippet_lines
        )
        _paint_snippet(painter, body, layout=layout, snippet=row.snippet, colors=colors)

    def more_area(self, area: QRect, row: Row, font: QFont) -> QRect:
        """The place, in that of a row, of the text that unfolds it."""
        small = QFontMetrics(self._fonts_of(font).small)
        bottom = area.bottom() - _INSET // 2 - GRID
        size = QSize(small.horizontalAdvance(row.more), small.height())
        return QRect(QPoint(area.left() + _INSET + _PADDING, bottom - size.height() + 1), size)

    def tag_at(self, point: QPoint, area: QRect, index: Index, font: QFont) -> str:
        """The tag that is painted at a point of the view, in the area of a row; otherwise empty."""
        row = index.data(ROW_ROLE)
        fonts = self._fonts_of(font)
        inner = inset(_card(area, index, fonts), across=_PADDING, down=GRID)
        line = _line_of_place(inner, row, fonts)
        # The tags have the room that the badge leaves.
        small = QFontMetrics(fonts.small)
        line.setRight(line.right() - _badge_width(line, row, small) - GRID)
        tags = _tag_areas(line, row, small)
        return next((tag for tag, area in tags if area.contains(point)), "")

    def _fonts_of(self, font: QFont) -> _Fonts:
        """Fonts of a row, cached: all rows of a frame have the same."""
        if self._fonts is None or font != self._font:
            self._font = QFont(font)
            self._fonts = _Fonts(
                title=sized_font(font, 0.5, QFont.Weight.DemiBold),
                small=sized_font(font, -1),
                small_bold=sized_font(font, -1, QFont.Weight.DemiBold),
                body=sized_font(font, -0.25),
            )
        return self._fonts

    def _lines(self, row: Row, fonts: _Fonts, width: int) -> int:
        """Lines below the head, as many as the snippet needs; a picture needs more room."""
        if row.media_type:
            return _PICTURE_LINES * self._snippet_lines
        if QFontMetrics(fonts.body).horizontalAdvance(row.snippet.text) < width:
            return 1
        return self._snippet_lines


def _opened_group(index: Index) -> str:
    """The title over a row that begins a group; empty inside one."""
    title = group_title(index.data(ROW_ROLE))
    above = index.sibling(index.row() - 1, 0)
    if above.isValid() and group_title(above.data(ROW_ROLE)) == title:
        return ""
    return title


def _body_width(option: QStyleOptionViewItem, row: Row) -> int:
    """Pixels of a line of the snippet; 0 where the view is not known."""
    view = option.widget
    if not isinstance(view, QAbstractItemView):
        return 0
    indent = _INDENT if row.is_passage else 0
    return view.viewport().width() - 2 * (_INSET + _PADDING) - indent


def _height(font: QFont) -> int:
    return QFontMetrics(font).height()


def _head_height(row: Row, fonts: _Fonts) -> int:
    small = _height(fonts.small)
    if row.is_passage:
        return small
    title = _height(fonts.title)
    has_place = row.breadcrumb or row.badge or row.found or row.tags
    if not has_place:
        return title
    return title + 2 + small


def _group_height(fonts: _Fonts) -> int:
    return _height(fonts.small_bold) + 2 * GRID


def _paint_group(
    painter: QPainter, area: QRect, title: str, fonts: _Fonts, colors: Colors, *, is_first: bool
) -> None:
    """The title of a group, below a line that parts it from the rows above."""
    # The line stands between the groups, and the title near its own rows.
    strip = line_rect(area, top=area.top(), height=_group_height(fonts) - _INSET)
    strip = inset(strip, across=_INSET + _PADDING)
    if not is_first:
        painter.setPen(QPen(colors.border, 1))
        below = QPoint(0, 1)
        painter.drawLine(strip.topLeft() + below, strip.topRight() + below)
    painter.setFont(fonts.small_bold)
    painter.setPen(colors.muted)
    painter.drawText(strip, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom, title)


def _card(area: QRect, index: Index, fonts: _Fonts) -> QRect:
    """The surface of a row, below the title of its group."""
    row: Row = index.data(ROW_ROLE)
    card = inset(area, across=_INSET, down=_INSET // 2)
    if row.is_passage:
        card.setLeft(card.left() + _INDENT)
    if _opened_group(index):
        card.setTop(card.top() + _group_height(fonts))
    return card


def _line_of_place(inner: QRect, row: Row, fonts: _Fonts) -> QRect:
    """The line with the place of the note, below the title where there is one."""
    top = inner.top()
    if not row.is_passage:
        top += _height(fonts.title) + 2
    return line_rect(inner, top=top, height=_height(fonts.small))


def _paint_head(painter: QPainter, inner: QRect, row: Row, fonts: _Fonts, colors: Colors) -> None:
    small = QFontMetrics(fonts.small)
    second = _line_of_place(inner, row, fonts)
    if not row.is_passage:
        # The date has its room first, and the title what is left of the line.
        top = line_rect(inner, top=inner.top(), height=_height(fonts.title))
        date = _date_beside_title(row, fonts, width=top.width())
        date_width = small.horizontalAdvance(date)
        painter.setFont(fonts.small)
        painter.setPen(colors.muted)
        painter.drawText(top, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, date)
        painter.setFont(fonts.title)
        painter.setPen(colors.text)
        draw_elided(painter, inset(top, right=date_width + 2 * GRID), row.title)
    # So it is below: the badge first, then the tags that have room, and the breadcrumb.
    used = _paint_badge(painter, second, row=row, fonts=fonts, colors=colors)
    second.setRight(second.right() - used - GRID)
    painter.setFont(fonts.small)
    painter.setPen(colors.muted)
    # The end of a path says which file it is, so it is cut in its middle.
    middle = Qt.TextElideMode.ElideMiddle
    draw_elided(painter, _before_tags(second, row, small), row.breadcrumb, mode=middle)
    for tag, area in _tag_areas(second, row, small):
        edge = QColor(colors.accent)
        edge.setAlpha(_EDGE_ALPHA)
        paint_box(
            painter, QRectF(area), fill=Qt.BrushStyle.NoBrush, border=edge, radius=area.height() / 2
        )
        painter.setPen(colors.accent)
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, f"#{tag}")


def _date_beside_title(row: Row, fonts: _Fonts, width: int) -> str:
    """The date of a row, without words where these would cut the title."""
    small = QFontMetrics(fonts.small)
    title = QFontMetrics(fonts.title).horizontalAdvance(row.title)
    date = small.horizontalAdvance(row.date)
    # One pixel more: the two ways to measure text round differently.
    is_cut = title + 1 + 2 * GRID + date > width
    # A day without its year may be the shorter one.
    if row.short_date and is_cut and small.horizontalAdvance(row.short_date) < date:
        return row.short_date
    return row.date


def _before_tags(line: QRect, row: Row, small: QFontMetrics) -> QRect:
    """The room of the breadcrumb: all that it needs, except for what tags take of their share."""
    room = QRect(line)
    if row.tags:
        needed = small.horizontalAdvance(row.breadcrumb)
        tags = sum(_tag_width(tag, small) + GRID // 2 for tag in row.tags) + GRID
        share = line.width() * _TAGS_SHARE // 100
        room.setWidth(min(needed + 1, line.width() - min(tags, share)))
    return room


def _tag_width(tag: str, small: QFontMetrics) -> int:
    return small.horizontalAdvance(f"#{tag}") + 3 * GRID // 2


def _tag_areas(line: QRect, row: Row, small: QFontMetrics) -> list[tuple[str, QRect]]:
    """The tags that have room after the breadcrumb, each with its place."""
    left = _before_tags(line, row, small).right() + 1 + GRID * bool(row.breadcrumb)
    # A tag without enough room is not painted, and neither are those after it.
    areas: list[tuple[str, QRect]] = []
    for tag in row.tags:
        width = _tag_width(tag, small)
        if left + width > line.right():
            break
        # A pixel more above and below the letters, for the edge.
        corner = QPoint(left, line.top() - 1)
        areas.append((tag, QRect(corner, QSize(width, line.height() + 2))))
        left += width + GRID // 2
    return areas


def _paint_badge(painter: QPainter, line: QRect, row: Row, fonts: _Fonts, colors: Colors) -> int:
    """Paint workspace and mark at the right end of a line; returns their width."""
    width = _badge_width(line, row, QFontMetrics(fonts.small))
    if row.badge:
        _paint_name(painter, line, text=row.badge, fonts=fonts, colors=colors)
    # The mark stands left of the name of the folder.
    if row.found is not None:
        scale = painter.device().devicePixelRatioF()
        mark = pixmap(str(row.found), colors.accent, size=_MARK, scale=scale)
        corner = QPointF(line.right() + 1 - width, line.center().y() - _MARK / 2 + 1)
        painter.drawPixmap(corner, mark)
    return width


def _badge_width(line: QRect, row: Row, small: QFontMetrics) -> int:
    """Pixels of workspace and mark at the right end of a line."""
    name = 0
    if row.badge:
        name = _name_width(line, row.badge, small)
    if row.found is None:
        return name
    return name + _MARK + GRID * bool(name)


def _name_width(line: QRect, name: str, small: QFontMetrics) -> int:
    return min(small.horizontalAdvance(name), line.width() // 3) + 2 * GRID


def _paint_name(painter: QPainter, line: QRect, text: str, fonts: _Fonts, colors: Colors) -> None:
    metrics = QFontMetrics(fonts.small)
    name = metrics.elidedText(text, Qt.TextElideMode.ElideRight, max(0, line.width() // 3))
    width = _name_width(line, text, metrics)
    corner = QPointF(line.right() - width, line.top() - 1)
    pill = QRectF(corner, QSizeF(width, line.height() + 2))
    edge = QColor(colors.muted)
    # Seen on the paper of a chosen row, too.
    edge.setAlpha(_EDGE_ALPHA)
    paint_box(painter, pill, fill=Qt.BrushStyle.NoBrush, border=edge, radius=pill.height() / 2)
    painter.setFont(fonts.small)
    painter.setPen(colors.muted)
    painter.drawText(pill, Qt.AlignmentFlag.AlignCenter, name)


def _paint_media(painter: QPainter, area: QRectF, row: Row, small: QImage, colors: Colors) -> float:
    """Paint a picture, or a sign for a recording; returns the left edge of the text."""
    square = square_at(area.topLeft(), area.height())
    if small.isNull():
        paint_box(painter, square, fill=Qt.BrushStyle.NoBrush, border=colors.border, radius=_RADIUS)
        sign = "play" if row.media_type.startswith("audio/") else "open"
        side = min(_MARK, int(square.height()))
        scale = painter.device().devicePixelRatioF()
        mark = pixmap(sign, colors.accent, size=side, scale=scale)
        painter.drawPixmap(square.center() - QPointF(side / 2, side / 2), mark)
    else:
        # A picture may be twice as wide as it is high.
        widest = QSizeF(2 * square.height(), square.height())
        square.setSize(QSizeF(small.size()).scaled(widest, Qt.AspectRatioMode.KeepAspectRatio))
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(square, small)
    return square.right() + GRID


def _paint_snippet(
    painter: QPainter, area: QRectF, layout: QTextLayout, snippet: Snippet, colors: Colors
) -> None:
    painter.setClipRect(area)
    look = QTextCharFormat()
    look.setBackground(colors.marked)
    look.setForeground(colors.marked_text)
    ranges = []
    text = layout.text()
    # The ellipsis in place of what was cut is not a match.
    end = len(text.encode("utf-16-le")) // 2 - (text.endswith("…") and text != snippet.text)
    for start, length in utf16_spans(snippet):
        marked = QTextLayout.FormatRange()
        marked.start = start
        marked.length = min(length, end - start)
        marked.format = look
        if marked.length > 0:
            ranges.append(marked)
    layout.draw(painter, area.topLeft(), ranges)


def _fitted(text: str, font: QFont, width: float, lines: int) -> QTextLayout:
    """Text in at most so many lines, the last one with an ellipsis where it is cut."""
    # A line more than is shown says whether anything is cut.
    layout = _laid_out(text, font, width=width, most=lines + 1)
    metrics = QFontMetrics(font)
    if layout.lineCount() > lines:
        above = utf16_cut(text, layout.lineAt(lines - 1).textStart())
        # One pixel less: the two ways to measure text round differently.
        room = int(width) - 1
        last = metrics.elidedText(text[len(above) :], Qt.TextElideMode.ElideRight, room)
        layout = _laid_out(above + last, font, width=width, most=lines)
    for number in range(layout.lineCount()):
        layout.lineAt(number).setPosition(QPointF(0, number * metrics.height()))
    return layout


def _laid_out(text: str, font: QFont, width: float, most: int) -> QTextLayout:
    """Text laid out in at most so many lines: the others are not visible."""
    layout = QTextLayout(text, font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    layout.beginLayout()
    # Lines that are not visible are never laid out.
    while layout.lineCount() < most:
        line = layout.createLine()
        if not line.isValid():
            break
        line.setLineWidth(width)
    layout.endLayout()
    return layout
