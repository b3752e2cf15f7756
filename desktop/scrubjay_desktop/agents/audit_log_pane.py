"""The guest book: who asked what, and which notes were shown. Never what stands in them."""

from __future__ import annotations

import datetime as dt
from typing import Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QHBoxLayout,
    QListView,
    QMessageBox,
    QStackedWidget,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from scrubjay import AccessControl
from scrubjay.records.access_records import AuditEntry
from scrubjay_desktop.bridge.bridge import Requests, Tasks
from scrubjay_desktop.text.formatting import listed, notes, relative_date, translate, translated
from scrubjay_desktop.widgets.banner import EmptyState
from scrubjay_desktop.widgets.buttons import SmallButton
from scrubjay_desktop.widgets.labels import muted_label
from scrubjay_desktop.widgets.paged_model import PagedList, RowPage
from scrubjay_desktop.widgets.theme import GRID, colors_of, sized, slim

Index = QModelIndex | QPersistentModelIndex
_PAGE = 100
_NAMED = 3
"""So many notes are named in a row; the others are counted."""


class GuestBookModel(PagedList):
    """Visits, the latest first."""

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:  # noqa: D102
        if not index.isValid():
            return None
        visit: AuditEntry = self.rows[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return asked_words(visit)
            case Qt.ItemDataRole.UserRole:
                return visit
            case Qt.ItemDataRole.ToolTipRole:
                return "\n".join(f"{one.path}:{one.first_line}" for one in visit.hits)
            case Qt.ItemDataRole.AccessibleDescriptionRole:
                return f"{when_words(visit)}. {shown_words(visit)}"
        return None


class VisitDelegate(QStyledItemDelegate):
    """Who and when, what was asked, what was shown."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: D102
        return QSize(30 * GRID, 3 * QFontMetrics(option.font).height() + 2 * GRID)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:  # noqa: D102
        visit: AuditEntry = index.data(Qt.ItemDataRole.UserRole)
        colors = colors_of(option.palette)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRect(option.rect).adjusted(GRID, 1, -GRID, -1)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colors.accent_soft)
            painter.drawRoundedRect(area, 4, 4)
        inner = area.adjusted(GRID, GRID // 2, -GRID, -GRID // 2)
        is_answered = visit.outcome == "answered"
        lines = (
            (when_words(visit), colors.muted, sized(option.font, -1)),
            (asked_words(visit), colors.text, sized(option.font, 0, QFont.Weight.DemiBold)),
            (
                shown_words(visit),
                colors.muted if is_answered else colors.warning,
                sized(option.font, -1),
            ),
        )
        for text, color, font in lines:
            painter.setPen(color)
            painter.setFont(font)
            metrics = painter.fontMetrics()
            shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, inner.width())
            painter.drawText(inner, Qt.AlignmentFlag.AlignTop, shown)
            inner.setTop(inner.top() + metrics.height())
        painter.restore()


class GuestBookPane(QWidget):
    """The book, and a button that empties it."""

    announced = Signal(str, object)

    def __init__(self, agents: AccessControl, tasks: Tasks) -> None:
        super().__init__()
        self._agents = agents
        self._requests = Requests(tasks, self.announced)
        self.model = GuestBookModel(tasks, self)
        self.list = QListView()
        self.list.setModel(self.model)
        self.list.setItemDelegate(VisitDelegate(self.list))
        self.list.setUniformItemSizes(True)
        self.list.setFrameShape(QListView.Shape.NoFrame)
        self.list.setAccessibleName(self.tr("Guest book"))
        slim(self.list)
        words = muted_label(
            self.tr("Every request of an agent is noted here, without the text of your notes.")
        )
        self.clear = SmallButton(self.tr("Empty the guest book…"))
        self.clear.clicked.connect(self._ask_to_clear)
        self._pages = QStackedWidget()
        self._pages.addWidget(self.list)
        self._pages.addWidget(
            EmptyState(
                "search",
                self.tr("Nobody was here yet"),
                self.tr("Connect an agent, and what it asks appears here."),
            )
        )
        top = QHBoxLayout()
        top.addWidget(words, 1)
        top.addWidget(self.clear)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 2 * GRID, 0, 0)
        column.setSpacing(GRID)
        column.addLayout(top)
        column.addWidget(self._pages, 1)
        self.model.loaded.connect(self._show_page)
        self.model.failed.connect(self._requests.fail)
        self.model.open(
            lambda before: self._agents.audit_log(before, _PAGE), lambda page: _rows_of(page)
        )

    def refresh(self) -> None:
        """Somebody was here."""
        self.model.refresh()

    def _show_page(self) -> None:
        has_rows = self.model.rowCount() > 0
        self._pages.setCurrentIndex(0 if has_rows else 1)
        self.clear.setEnabled(has_rows)

    def _ask_to_clear(self) -> None:
        box = emptying_question(self)
        box.buttonClicked.connect(
            lambda button: self._clear() if button.objectName() == "yes" else None
        )
        box.open()

    def _clear(self) -> None:
        self._requests.watch(self._agents.clear(), lambda _: self.refresh())


def emptying_question(parent: QWidget) -> QMessageBox:
    """Asks before all visits are forgotten; the button named yes does it."""
    box = QMessageBox(parent)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.setIcon(QMessageBox.Icon.Question)
    box.setWindowTitle(translate("GuestBook", "Empty the guest book"))
    box.setText(translate("GuestBook", "Forget who asked what? This cannot be undone."))
    empty = translate("GuestBook", "&Empty it")
    yes = box.addButton(empty, QMessageBox.ButtonRole.DestructiveRole)
    yes.setObjectName("yes")
    keep = translate("GuestBook", "&Keep it")
    box.setDefaultButton(box.addButton(keep, QMessageBox.ButtonRole.RejectRole))
    return box


def _rows_of(page: tuple[AuditEntry, ...]) -> RowPage:
    return page, page[-1].id if len(page) == _PAGE else None


def when_words(visit: AuditEntry) -> str:
    """Who, and when."""
    agent = visit.title or visit.agent
    if visit.at is None:
        return agent
    now = dt.datetime.now().astimezone()
    return f"{agent} · {relative_date(visit.at, now)}"


def asked_words(visit: AuditEntry) -> str:
    """What was asked, on one line."""
    return " ".join(visit.query.split()) or _tool_words(visit.tool)


def shown_words(visit: AuditEntry) -> str:
    """Which notes were shown, or why none were."""
    if visit.outcome == "refused":
        return (
            translate("GuestBook", "Refused. {reason}")
            .format(reason=translated(visit.reason))
            .strip()
        )
    if visit.outcome != "answered":
        return (
            translate("GuestBook", "Not answered. {reason}")
            .format(reason=translated(visit.reason))
            .strip()
        )
    paths = list(dict.fromkeys(one.path for one in visit.hits))
    if not paths:
        return translate("GuestBook", "No note was shown")
    named = paths[:_NAMED]
    if len(paths) > _NAMED:
        named.append(notes(len(paths) - _NAMED))
    return translate("GuestBook", "Shown: {notes}").format(notes=listed(named))


def _tool_words(tool: str) -> str:
    match tool:
        case "memory_status":
            return translate("GuestBook", "How up to date the notes are")
        case _:
            return tool
