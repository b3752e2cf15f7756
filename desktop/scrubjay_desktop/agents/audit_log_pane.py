"""The audit log of agents: their requests and the notes they were shown, never note texts."""

from __future__ import annotations

import datetime as dt

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QAbstractButton, QListView, QMessageBox, QStackedWidget, QWidget

from scrubjay.agents.access.access_control import AccessControl
from scrubjay.records.access_records import AuditEntry, shown_name
from scrubjay_desktop.bridge.bridge import PageRequests, Tasks
from scrubjay_desktop.text.formatting import (
    format_number,
    join_words,
    relative_date,
    translate,
    translated,
)
from scrubjay_desktop.widgets.banner import EmptyState
from scrubjay_desktop.widgets.buttons import SmallButton
from scrubjay_desktop.widgets.labels import muted_label
from scrubjay_desktop.widgets.layouts import hbox, vbox
from scrubjay_desktop.widgets.list_models import ROW_ROLE, Index, PagedList, RowPage
from scrubjay_desktop.widgets.message_boxes import question_box
from scrubjay_desktop.widgets.text_rows import TextLine, TextRowDelegate
from scrubjay_desktop.widgets.theme import Colors

_PAGE = 100
"""Entries that are loaded at a time."""
_NAMED = 3
"""Notes named in a row at most; the others are counted."""


def _describe(entry: AuditEntry, role: int) -> str | None:
    match role:
        case Qt.ItemDataRole.DisplayRole:
            return query_text(entry)
        case Qt.ItemDataRole.ToolTipRole:
            return "\n".join(f"{hit.path}:{hit.first_line}" for hit in entry.hits)
        case Qt.ItemDataRole.AccessibleDescriptionRole:
            return f"{agent_text(entry)}. {hits_text(entry)}"
    return None


def _row_text(index: Index, colors: Colors) -> tuple[tuple[TextLine, ...], None]:
    entry: AuditEntry = index.data(ROW_ROLE)
    # A request that was not answered stands out.
    outcome = colors.warning
    if entry.outcome == "answered":
        outcome = colors.muted
    lines = (
        TextLine(agent_text(entry), colors.muted, -1),
        TextLine(query_text(entry), colors.text, weight=QFont.Weight.DemiBold),
        TextLine(hits_text(entry), outcome, -1),
    )
    return lines, None


class AuditLogPane(QWidget):
    """The log, and a button that empties it."""

    announced = Signal(str, object)

    def __init__(self, agents: AccessControl, tasks: Tasks) -> None:
        super().__init__()
        self._agents = agents
        self._requests = PageRequests(tasks, self.announced)
        self.model = PagedList(tasks, _describe, self)
        self.list = QListView()
        self.list.setModel(self.model)
        self.list.setItemDelegate(TextRowDelegate(self.list, _row_text, beside=0))
        self.list.setUniformItemSizes(True)
        self.list.setFrameShape(QListView.Shape.NoFrame)
        self.list.setAccessibleName(self.tr("Questions from agents"))
        # The sentence above the list says what is noted; below it stand the newest entries first.
        self.words = muted_label()
        self.clear = SmallButton(self.tr("Clear the list…"))
        self.clear.clicked.connect(self._ask_to_clear)
        self._pages = QStackedWidget()
        self._pages.addWidget(self.list)
        self._empty = EmptyState("search", "", "")
        self._pages.addWidget(self._empty)
        self.show_days(1)
        top = hbox((self.words, 1), self.clear)
        vbox(top, (self._pages, 1), on=self, margins=(0, 2, 2, 0), spacing=1)
        self.model.loaded.connect(self._show_page)
        self.model.failed.connect(self._requests.fail)
        self.model.open(lambda before: self._agents.audit_log(before, _PAGE), _rows_of)

    def refresh(self) -> None:
        """Show the latest entries."""
        self.model.refresh()

    def show_days(self, days: int) -> None:
        """Say for how many days questions are kept; 0 for a log that is off."""
        if days:
            words = self.tr(
                "Scrubjay keeps questions from agents here for {n} {n:day|days}, "
                "but not the text of your notes."
            )
            self.words.setText(words.format(n=format_number(days)))
            self._empty.show_message(
                self.tr("No questions yet"),
                self.tr("After you connect an agent, its questions appear here."),
            )
            return
        self.words.setText(self.tr("Scrubjay does not record questions from agents."))
        self._empty.show_message(
            self.tr("Questions are not recorded"),
            self.tr("In the settings, you can change how long Scrubjay keeps them."),
        )

    def _show_page(self) -> None:
        has_rows = self.model.rowCount() > 0
        self._pages.setCurrentIndex(0 if has_rows else 1)
        self.clear.setEnabled(has_rows)

    def _ask_to_clear(self) -> None:
        box = emptying_question(self)
        box.buttonClicked.connect(self._answered)
        box.open()

    def _answered(self, button: QAbstractButton) -> None:
        if button.objectName() == "yes":
            self._clear()

    def _clear(self) -> None:
        self._requests.watch(self._agents.clear(), lambda _: self.refresh())


def emptying_question(parent: QWidget) -> QMessageBox:
    """A question before the log is emptied; the button named yes does it."""
    box = question_box(
        parent,
        translate("AuditLog", "Clear the list"),
        text=translate("AuditLog", "Clear the list of questions from agents?"),
        details=translate("AuditLog", "You cannot undo this."),
    )
    # Enter, pressed without reading, keeps the list.
    empty = translate("AuditLog", "&Clear the list")
    yes = box.addButton(empty, QMessageBox.ButtonRole.DestructiveRole)
    yes.setObjectName("yes")
    keep = translate("AuditLog", "&Keep the list")
    box.setDefaultButton(box.addButton(keep, QMessageBox.ButtonRole.RejectRole))
    return box


def _rows_of(page: tuple[AuditEntry, ...]) -> RowPage:
    # A page that is not full is the last one.
    following = page[-1].id if len(page) == _PAGE else None
    return page, following


def agent_text(entry: AuditEntry) -> str:
    """The agent and the time."""
    agent = shown_name(entry.agent, entry.title)
    if entry.at is None:
        return agent
    now = dt.datetime.now().astimezone()
    return f"{agent} · {relative_date(entry.at, now)}"


def query_text(entry: AuditEntry) -> str:
    """The query on one line, or the tool when there is none."""
    return " ".join(entry.query.split()) or _tool_words(entry.tool)


def hits_text(entry: AuditEntry) -> str:
    """The notes that were shown, or the reason for none."""
    if entry.outcome == "refused":
        text = translate("AuditLog", "The request was refused. {reason}")
        return text.format(reason=translated(entry.reason)).strip()
    if entry.outcome != "answered":
        text = translate("AuditLog", "The request was not answered. {reason}")
        return text.format(reason=translated(entry.reason)).strip()
    # Several passages of a note are one note.
    paths = list(dict.fromkeys(hit.path for hit in entry.hits))
    if not paths:
        return translate("AuditLog", "No notes were shown")
    names = paths[:_NAMED]
    if len(paths) > _NAMED:
        further = format_number(len(paths) - _NAMED)
        names.append(translate("AuditLog", "{n} more {n:note|notes}").format(n=further))
    return translate("AuditLog", "Notes shown: {notes}").format(notes=join_words(names))


def _tool_words(tool: str) -> str:
    if tool == "memory_status":
        return translate("AuditLog", "Are the notes up to date?")
    return tool
