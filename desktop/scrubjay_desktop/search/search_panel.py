"""The search page: box, chips, results, and a sentence on how complete they are."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Protocol

from msgspec.structs import replace
from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent
from PySide6.QtWidgets import QWidget

from scrubjay.records.note_records import Workspace
from scrubjay.records.search_modes import Mode, Order
from scrubjay.records.search_records import QueryReading, SearchAnswer
from scrubjay_desktop.search.filter_chips import FilterChips
from scrubjay_desktop.search.live_search import LiveSearch
from scrubjay_desktop.search.pinned_searches import PinnedSearches
from scrubjay_desktop.search.query_operators import (
    only_operators,
    operator_days,
    operator_value,
    with_operator,
    without_days,
    without_operators,
)
from scrubjay_desktop.search.reading_line import ReadingLine
from scrubjay_desktop.search.result_view import STEPS, ResultView
from scrubjay_desktop.search.suggested_questions_box import COUNT, SuggestedQuestionsBox
from scrubjay_desktop.search.tag_completer import TagCompleter
from scrubjay_desktop.text.formatting import format_number, short_day
from scrubjay_desktop.text.shortcuts import with_keys
from scrubjay_desktop.text.status_sentences import (
    answer_sentence,
    meaning_sentence,
    named_only_sentence,
    nothing_found,
    reading_sentence,
)
from scrubjay_desktop.widgets.banner import EmptyState
from scrubjay_desktop.widgets.buttons import Button, IconButton, LineButton, SearchBox
from scrubjay_desktop.widgets.labels import muted_label
from scrubjay_desktop.widgets.layouts import hbox, stacked_widget, vbox
from scrubjay_desktop.widgets.theme import GRID, sized_font

_SHORTEST_KEPT = 3
"""Characters of a question that is remembered when the box is emptied, not letter by letter."""


class PastQuestions(Protocol):
    """What is remembered of the questions of the user."""

    @property
    def searches(self) -> Sequence[str]:
        """The last questions, the newest first."""

    @property
    def questions_to_try(self) -> int:
        """The number of questions until the user needs none to try."""


class SearchPanel(QWidget):
    """The search home."""

    row_chosen = Signal(object)
    """Signal with the Row to preview; None when there is none."""
    scope_changed = Signal(object)
    """Signal with the Workspace that is searched, or None for all."""
    announced = Signal(str)
    """Signal with a sentence for screen readers."""
    problems_requested = Signal()
    """Signal that the user wants to see the files that were not searched."""
    asked = Signal(str)
    """Signal with a question that the user is done with, or opened a note of."""
    tips_requested = Signal()
    """Signal that the user wants to see what a question may hold."""
    refresh_requested = Signal()
    """Signal that the user wants changed notes to be read now."""

    def __init__(self, search: LiveSearch, past: PastQuestions, pinned: PinnedSearches) -> None:
        super().__init__()
        self.search = search
        self._past = past
        self._pinned = pinned
        self._answer: SearchAnswer | None = None
        self._left_question: str | None = None
        self._narrowing = ""
        """Operators that the chips show, and that the box does not."""
        self._recalled = ""
        """The past question that the Up key has put into the empty box."""
        self.list = ResultView(search, has_several=True)
        self.list.opened.connect(lambda _: self.asked.emit(search.text))
        self.list.tag_clicked.connect(self.narrow_to_tag)
        self._build()
        # The box hands keys on to the list, and the list its chosen row to the preview.
        self.box.installEventFilter(self.list)
        self.box.textEdited.connect(self._type)
        self.box.returnPressed.connect(self._return_pressed)
        self.list.selectionModel().currentChanged.connect(self._current_changed)
        search.answered.connect(self._show_answer)
        search.recents_shown.connect(self._show_recents)
        search.failed.connect(self._show_failure)
        search.waiting.connect(self._show_waiting)

    def set_scope(self, workspace: Workspace | None) -> None:
        """Search in one workspace, or in all."""
        chosen = None
        if workspace is not None:
            chosen = workspace.id
        if chosen != self.search.scope.workspace:
            self.search.set_scope(replace(self.search.scope, workspace=chosen))
            self.show_pin()
            self.scope_changed.emit(workspace)

    def set_order(self, order: str) -> None:
        """Sort the rows by relevance or by their days."""
        self.filters.show_order(Order(order))
        self.search.set_scope(replace(self.search.scope, order=Order(order)))

    def _set_mode(self, mode: str) -> None:
        self.search.set_scope(replace(self.search.scope, mode=Mode(mode)))

    def narrow_to_tag(self, tag: str) -> None:
        """Show only notes with a tag, in place of the one that was chosen before."""
        self._apply_filter(with_operator(self.search.text, "tag", tag))

    @property
    def question(self) -> tuple[str, str]:
        """The question without blanks around it, and the id of its folder; empty for all."""
        return self.search.text.strip(), self.search.scope.workspace or ""

    @property
    def is_new(self) -> bool:
        """Whether the user is new here, and glad of questions to try."""
        return self._past.questions_to_try > 0

    def show_pin(self) -> None:
        """Show whether the present question is pinned."""
        text, folder = self.question
        self.pin.setEnabled(bool(text))
        if self._pinned.holds(text, folder):
            self.pin.set_icon("pinned", with_keys(self.tr("Unpin this search"), "Ctrl+D"))
        else:
            self.pin.set_icon("pin", with_keys(self.tr("Pin this search"), "Ctrl+D"))

    def focus_box(self) -> None:
        """Put the cursor into the box with its text selected."""
        self.box.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.box.selectAll()

    def set_text(self, text: str) -> None:
        """Search for a text as if it had been typed; the chips take over its operators."""
        self._narrowing = only_operators(text)
        self.box.setText(without_operators(text))
        self._type(self.box.text())

    @property
    def nothing_text(self) -> str:
        """The message in place of results; empty while there are some."""
        if not self._pages.currentIndex():
            return ""
        return self._nothing.accessibleName()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: D102
        if event.key() == Qt.Key.Key_Up and self._recall_older():
            return
        by = STEPS.get(Qt.Key(event.key()))
        if by is not None:
            is_added = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self.list.step(by, is_added=is_added)
            return
        if event.key() == Qt.Key.Key_Escape and self.search.text:
            # The text goes first, and the chips with the next press.
            if self.box.text():
                self.box.empty()
            else:
                self.set_text("")
            return
        super().keyPressEvent(event)

    def _recall_older(self) -> bool:
        """Ask the question before again, if the box is empty or shows one of them."""
        text = self.search.text
        questions = [*self._past.searches]
        # Up moves in the list while a question of the user's own is shown.
        if text not in ("", self._recalled) or self.list.currentIndex().row() > 0:
            return False
        at = questions.index(text) + 1 if text in questions else 0
        if at < len(questions):
            self._recalled = questions[at]
            self.set_text(questions[at])
            self.announced.emit(questions[at])
        return at < len(questions)

    def _build(self) -> None:
        self.box = SearchBox(
            self.tr("Search your notes"), self.tr("Search your notes"), self.tr("Clear")
        )
        self.pin = IconButton("pin", "")
        # The chips ask the search what there is to choose from.
        self.filters = FilterChips(self.search)
        self.filters.edited.connect(self._apply_filter)
        self.filters.ordered.connect(self.set_order)
        self.filters.mode_chosen.connect(self._set_mode)
        self.completer = TagCompleter(self.box, self.search)
        # Questions to try stand above the rows, until the first text.
        self.first_questions = SuggestedQuestionsBox()
        self.first_questions.chosen.connect(self._apply_filter)
        self.first_questions.closed.connect(self.box.setFocus)
        self.heading = muted_label(self.tr("Recently changed notes, newest first"))
        self.heading.setFont(sized_font(self.font(), -1, QFont.Weight.DemiBold))
        self.heading.setContentsMargins(GRID * 2, 0, GRID * 2, 0)
        # Hidden until there are rows.
        self.heading.hide()
        self._nothing = EmptyState("search", "", "")
        # Buttons that lead out of an empty answer.
        self.all_days = Button(self.tr("Search &all days"))
        self.all_days.clicked.connect(lambda: self._apply_filter(without_days(self.search.text)))
        self.all_folders = Button(self.tr("Search all &folders"))
        self.all_folders.clicked.connect(self._leave_folder)
        self._nothing.add_button(self.all_days)
        self._nothing.add_button(self.all_folders)
        self._pages = stacked_widget(self.list, self._nothing)
        # Lines below the rows say how the question was read, and how complete they are.
        self.reading = ReadingLine()
        self.reading.included.connect(self._apply_filter)
        self.reading.tips_requested.connect(self.tips_requested)
        self.line = LineButton()
        self.line.clicked.connect(self._follow_line)
        tips = IconButton("help", with_keys(self.tr("Search tips"), "Shift+F1"))
        tips.clicked.connect(self.tips_requested)
        box = hbox(self.box, self.pin, tips, margins=(2, 0, 1, 0), spacing=0.5)
        filters, first, reading, line = (
            hbox(part, margins=(2, 0, 2, 0))
            for part in (self.filters, self.first_questions, self.reading, self.line)
        )
        self.show_pin()
        parts = (box, filters, first, self.heading, (self._pages, 1), reading, line)
        vbox(*parts, on=self, margins=(0, 2, 0, 1), spacing=1)

    def _leave_folder(self) -> None:
        self.set_scope(None)
        self._apply_filter(with_operator(self.search.text, "path", ""))

    def _return_pressed(self) -> None:
        if self.list.row() is not None:
            self.list.open_current()
        else:
            self.search.search_now()

    def leave_results(self) -> None:
        """Choose no row, also of later answers, until the user does or asks something else."""
        self.list.setCurrentIndex(QModelIndex())
        self._left_question = self.search.text

    def _current_changed(self, index: QModelIndex) -> None:
        if index.isValid():
            self._left_question = None
        row = None
        if index.isValid():
            row = self.search.model.row(index.row())
        self.row_chosen.emit(row)

    def _follow_line(self) -> None:
        if self._answer is not None and _wants_refresh(self._answer):
            self.refresh_requested.emit()
        else:
            self.problems_requested.emit()

    def _type(self, words: str) -> None:
        # A longer question that is emptied at once was asked; one that Up brought back was before.
        text = self._narrowing + words
        is_done = not text and len(self.search.text) >= _SHORTEST_KEPT
        if is_done and self.search.text != self._recalled and self.list.row():
            self.asked.emit(self.search.text)
        self.filters.show_text(text)
        # Questions to try help only before the first word.
        if text:
            self.first_questions.hide()
        self.search.type(text)
        self.show_pin()

    def _apply_filter(self, text: str) -> None:
        self.set_text(text)
        self.box.setFocus()

    def _choose_row(self) -> None:
        if self._left_question != self.search.text:
            self.list.choose_after_answer()
            self.row_chosen.emit(self.list.row())

    def _show_answer(self, answer: SearchAnswer) -> None:
        self._answer = answer
        self.heading.hide()
        self._choose_row()
        if answer.hits:
            self._pages.setCurrentIndex(0)
        if answer.request.is_typing:
            # The full answer follows in a moment and has its own sentence.
            return
        # The line says what was searched, why meaning is missing, and what a click does.
        sentence = answer_sentence(answer, dt.datetime.now().astimezone())
        reason = meaning_sentence(answer)
        # Folders that were not searched come last, since a person has chosen that.
        named = named_only_sentence(answer, self.search.names)
        sentence = " ".join(filter(None, (sentence, reason, named)))
        self.reading.show_reading(answer.reading)
        if _wants_refresh(answer):
            leads_to = self.tr("Click to have Scrubjay read the changed notes now.")
        else:
            leads_to = self.tr("Click to see which files were not searched, and why.")
        self.line.show_sentence(sentence, leads_to)
        self._show_nothing(*nothing_found(answer))
        count = self.tr("{n} {n:result|results}")
        if answer.request.min_score == 0.0:
            count = self.tr("{n} possible {n:result|results}")
        shown = count.format(n=format_number(self.search.model.rowCount()))
        read = reading_sentence(answer.reading)
        self.announced.emit(" ".join(filter(None, (self.nothing_text or shown, read))))

    def _show_recents(self) -> None:
        self._answer = None
        self.reading.show_reading(QueryReading())
        self.heading.setVisible(self.search.model.rowCount() > 0)
        heading = self.tr("Recently changed notes, newest first")
        if only_operators(self.search.text):
            heading = self.tr("Notes that match the filters. Type to search them.")
        self.heading.setText(heading)
        # Questions to try help only those who are new here.
        if not self.search.text and self.is_new:
            self.search.suggest(COUNT, self._offer_questions)
        self.line.show_sentence("")
        # Without rows the message says how notes come here.
        title = self.tr("No notes yet")
        text = self.tr("Notes will appear here once Scrubjay has read them.")
        name = self.search.shared_name
        if name:
            title = self.tr("Type to search in “{name}”").format(name=name)
            text = ""
        self._show_nothing(title, text)
        self._choose_row()

    def _offer_questions(self, questions: Sequence[str]) -> None:
        if not self.search.text and self.is_new:
            self.first_questions.show_questions(questions)

    def _show_nothing(self, title: str, text: str) -> None:
        """Show a message in place of the rows when there are none."""
        # Days and folders may be the reason, and then a button leads out of them.
        days = operator_days(self.search.text) if text else None
        if days and days[0] > days[1]:
            title = self.tr("The start date is after the end date")
            text = self.tr(
                "The start date is {first}, and the end date is {last}. Change one of them."
            ).format(first=short_day(days[0]), last=short_day(days[1]))
        elif days:
            title = self.tr("No notes found for these days")
            text = self.tr("Only notes from these days were searched: {days}.").format(
                days=self.filters.date.text()
            )
        folder = self.search.scope.workspace or operator_value(self.search.text, "path")
        is_in_folder = bool(text and folder)
        if is_in_folder:
            only = self.tr("Only the chosen folder was searched.")
            text = f"{only} {text}"
        self.all_folders.setVisible(is_in_folder)
        self.all_days.setVisible(days is not None)
        self._nothing.show_message(title, text)
        page = 0 if self.search.model.rowCount() else 1
        self._pages.setCurrentIndex(page)

    def _show_waiting(self, sentence: str) -> None:
        self._show_nothing(sentence, "")
        self.heading.setText(sentence)
        self.heading.setVisible(not self.nothing_text)
        self.announced.emit(sentence)

    def _show_failure(self, sentence: str) -> None:
        self.reading.show_reading(QueryReading())
        self.line.show_sentence(sentence)
        self.heading.hide()
        self._nothing.show_message(self.tr("Search is not available right now"), "")
        self._pages.setCurrentIndex(1)
        self.announced.emit(sentence)


def _wants_refresh(answer: SearchAnswer) -> bool:
    """Whether reading changed notes completes the answer; unreadable files do not change that."""
    return answer.freshness.pending > 0 and not answer.freshness.unreadable
