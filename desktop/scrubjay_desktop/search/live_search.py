"""Search as you type: words at once, meaning after a pause, and what a result reader finds.

Late answers are dropped.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection, Sequence
from itertools import compress

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QObject, QTimer, Signal

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.engine.note_commands import NoteCommands
from scrubjay.errors import ScrubjayError
from scrubjay.records.audience import PERSON
from scrubjay.records.note_records import DocumentInfo, Workspace
from scrubjay.records.search_modes import Mode, Order
from scrubjay.records.search_records import SECOND_LOOK_SECONDS, Hit, SearchAnswer, SearchRequest
from scrubjay.records.workspace_id import WorkspaceId
from scrubjay_desktop.bridge.bridge import Tasks
from scrubjay_desktop.results.reread_rows import reread_rows
from scrubjay_desktop.results.result_model import ResultListModel
from scrubjay_desktop.results.result_rows import (
    KeptRows,
    Key,
    Row,
    append_rows,
    row_of_hit,
    row_of_recent,
    sort_rows,
    stabilize_rows,
    unfold_row,
)
from scrubjay_desktop.search.query_operators import (
    only_operators,
    operator_days,
    operator_value,
    without_operators,
)
from scrubjay_desktop.text.formatting import translated
from scrubjay_desktop.text.status_sentences import waiting_sentence
from scrubjay_desktop.text.workspace_names import WorkspaceNames, badge_names, display_names

QUIET_MS = 50
"""Milliseconds after a key in which its quick answer is shown, and the full one not yet begun."""
CALM_MS = 400
"""Milliseconds after a key in which only sure rows come and go: nobody reads the others
meanwhile."""
_STRICT = frozenset('"-')
"""Signs with which a question excludes notes, and at once."""
_AT_ONCE = 10
"""Rows of a quick answer at most, more than the list shows at first: it has to come before the next
key."""
_BEGUN = 2
"""Letters of a word that has only begun: it means nothing yet, nor does it that it is not found."""
_WAIT_MS = 300
"""Milliseconds without an answer after which people want to know why."""


class Scope(Struct, frozen=True):
    """Where and how to search."""

    workspace: WorkspaceId | None = None
    mode: Mode = Mode.HYBRID
    order: Order = Order.RELEVANCE


class LiveSearch(QObject):
    """Keeps a result list in step with the typed text."""

    answered = Signal(object)
    """Signal with a SearchAnswer, after its rows are in the model."""
    recents_shown = Signal()
    """Signal that the box is empty and the model holds recent notes."""
    failed = Signal(str)
    """Signal with a sentence for the user."""
    waiting = Signal(str)
    """Signal that no answer came in a while, with a sentence on what it waits for."""

    def __init__(
        self,
        engine: Engine,
        tasks: Tasks,
        *,
        max_results: int,
        quiet_ms: int = QUIET_MS,
        calm_ms: int = CALM_MS,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.model = ResultListModel(self)
        self._engine = engine
        self.tasks = tasks
        self._max_results = max_results
        self.text = ""
        """The present question."""
        self.scope = Scope()
        self._cancel = CancelToken()
        self._is_held = False
        self._chosen_rows: Collection[Key] = ()
        """Keys of the rows that the user has chosen, while the rows are held."""
        self._is_first_answer = True
        self._kept = KeptRows()
        self._to_read: SearchAnswer | None = None
        """The last full answer, until a result reader is asked to read it again."""
        self._is_read_again = False
        """Whether the rows are those of an answer that was read again."""
        self.is_repeating = False
        """Whether the question is asked again because the index changed."""
        # Three pauses: before the full answer, before uncertain rows, and before a word on the
        # delay.
        self._pause = QTimer(self, singleShot=True, interval=quiet_ms)
        self._pause.timeout.connect(self._search_in_full)
        self._calm = QTimer(self, singleShot=True, interval=calm_ms)
        self._calm.timeout.connect(self.show_rest)
        self._whole: tuple[list[Row], SearchAnswer] | None = None
        """The last full answer with all of its rows, until they are shown."""
        self._wait = QTimer(self, singleShot=True, interval=_WAIT_MS)
        self._wait.timeout.connect(lambda: self.waiting.emit(waiting_sentence(engine.status())))

    @property
    def notes(self) -> NoteCommands:
        """Commands for the notes that are found."""
        return self._engine.notes

    @property
    def has_conversations(self) -> bool:
        """Whether the settings let conversations be searched, beside notes."""
        return "sessions" in self._engine.settings.settings.memory_search.active_sources

    @property
    def has_documents(self) -> bool:
        """Whether documents of some folder are searched beside its notes."""
        return any(workspace.documents for workspace in self._engine.workspaces())

    @property
    def has_pictures(self) -> bool:
        """Whether pictures of some folder are searched beside its notes."""
        return any(workspace.pictures for workspace in self._engine.workspaces())

    @property
    def names(self) -> WorkspaceNames:
        """The names of the folders that can be searched."""
        return display_names(self._engine.searchable_workspaces())

    @property
    def shared_name(self) -> str:
        """The folder of another computer that alone is searched; otherwise empty."""
        chosen = self._chosen
        if chosen is None or not chosen.memory_uri:
            return ""
        return chosen.name

    @property
    def has_meaning(self) -> bool:
        """Whether the settings want meanings to be compared, not words alone."""
        settings = self._engine.settings.settings
        return settings.memory_search.provider != "none" or settings.memory.backend == "qmd"

    def type(self, text: str) -> None:
        """Answer a changed text by words now, and in full after a pause."""
        # While one text continues in the other, the rows should not jump about.
        goes_on = text.startswith(self.text) or self.text.startswith(text)
        self.text = text
        self._begin()
        if goes_on and _STRICT.isdisjoint(text):
            self._calm.start()
        if not without_operators(text):
            self._show_recents()
            return
        self._search_words()
        self._pause.start()

    def set_scope(self, scope: Scope) -> None:
        """Search in another scope, at once."""
        if scope == self.scope:
            return
        self.scope = scope
        self.search_now()

    def search_now(self) -> None:
        """Answer in full without waiting for a pause."""
        self._begin()
        self._kept.forget_full()
        self._search_words()
        self._search_in_full()

    def repeat(self) -> None:
        """Ask again after a change of the index; the selected row keeps its place."""
        if self._pause.isActive():
            return
        self._cancel.cancel()
        self._cancel = CancelToken()
        self._to_read = None
        if without_operators(self.text):
            # Rows of another question, or of none, are not an answer that could come again.
            self.is_repeating |= not self._is_first_answer
            self._is_first_answer = True
            self._search_words()
        self._search_in_full()

    @property
    def _chosen(self) -> Workspace | None:
        """The workspace that is searched; None for all, and for one that is gone."""
        listed = self._engine.searchable_workspaces()
        return next((each for each in listed if each.id == self.scope.workspace), None)

    def count(self, kind: str, show: Callable[[Sequence[tuple[str, int]]], None]) -> None:
        """Give the "tags" or "folders" of the searched notes with their numbers, later."""
        notes = self._engine.notes
        command = notes.folders
        if kind == "tags":
            command = notes.tags
        self.tasks.watch(command(self.scope.workspace), CancelToken(), done=show)

    def suggest(self, count: int, show: Callable[[Sequence[str]], None]) -> None:
        """Give so many questions to try, later."""
        questions = self._engine.notes.suggested_questions(count, self.scope.workspace)
        self.tasks.watch(questions, CancelToken(), done=show)

    def unfold(self, row: Row) -> None:
        """Show the other passages of a row's note below it."""
        now = dt.datetime.now().astimezone()
        self.model.update(unfold_row(self.model.rows, row, now))

    def show_rest(self) -> None:
        """Show all rows of the last full answer from now on, also those that are not sure."""
        self._calm.stop()
        if self._whole:
            self._show_rows(*self._whole)
            self._whole = None
        self._read_again()

    def hold(self, chosen: Collection[Key] = ()) -> None:
        """Let no row move under the selection from now on."""
        self._is_held = True
        self._chosen_rows = chosen

    def close(self) -> None:
        """Stop asking and answering."""
        for timer in (self._pause, self._wait, self._calm):
            timer.stop()
        self._whole = None
        self._to_read = None
        self._cancel.cancel()

    def _begin(self) -> None:
        # What was asked before is of no interest any longer.
        self.close()
        self._cancel = CancelToken()
        if without_operators(self.text):
            self._wait.start()
        self._is_held = False
        self._chosen_rows = ()
        self._is_first_answer = True
        self._is_read_again = False
        self.is_repeating = False

    def _search_words(self) -> None:
        self._kept.forget_quick()
        if self._mode is not Mode.VECTOR and without_operators(self.text):
            self._ask(Mode.LEXICAL, is_typing=True)

    def _search_in_full(self) -> None:
        if without_operators(self.text):
            self._ask(self._mode)
        else:
            self._show_recents()

    @property
    def _mode(self) -> Mode:
        if self._has_begun or not self.has_meaning:
            return Mode.LEXICAL
        return self.scope.mode

    @property
    def _has_begun(self) -> bool:
        return len(self.text.strip()) <= _BEGUN

    def _ask(self, mode: Mode, *, is_typing: bool = False) -> None:
        count = self._max_results
        if is_typing:
            count = min(count, _AT_ONCE)
        # Nobody waits for a repeated answer, so it comes as the one that is shown: read again.
        second_look_seconds = 0.0
        if self._is_read_again and not is_typing:
            second_look_seconds = SECOND_LOOK_SECONDS
        # An answer while typing is short, since the next key replaces it.
        request = SearchRequest(
            text=self.text,
            workspace=self.scope.workspace,
            mode=mode,
            max_results=count,
            is_typing=is_typing,
            is_automatic=self.is_repeating,
            audience=PERSON,
            second_look_seconds=second_look_seconds,
            order=self.scope.order,
        )
        future = self._engine.search(request, self._cancel)
        self.tasks.watch(future, self._cancel, done=self._show, failed=self._fail)

    def _show_recents(self) -> None:
        # A question of operators alone is about tags, days or a folder.
        cancel = self._cancel
        days = operator_days(self.text)
        path = operator_value(self.text, "path")
        if operator_value(self.text, "tag"):
            self._kept.forget_quick()
            self._kept.forget_full()
            self._ask(Mode.LEXICAL)
            return
        # Days and folders list their notes, the newest first.
        if days or path:
            first, last = days or (dt.date.min, dt.date.max)
            notes = self._engine.journal.notes(
                first, last, self._chosen, part=path, limit=self._max_results
            )
            self.tasks.watch(
                notes, cancel, done=lambda page: self._show_documents(page.notes), failed=self._fail
            )
            return
        recent = self._engine.notes.recent(self._max_results)
        self.tasks.watch(recent, cancel, done=self._show_documents, failed=self._fail)

    def _show_documents(self, documents: tuple[DocumentInfo, ...]) -> None:
        workspaces = self._engine.searchable_workspaces()
        now = dt.datetime.now().astimezone()
        names = badge_names(workspaces)
        # Notes of other folders than the searched one are not listed.
        rows = [
            row_of_recent(document, names, now)
            for document in documents
            if self.scope.workspace in (None, document.workspace)
        ]
        self._put(rows, keep_all=False)
        self.recents_shown.emit()

    def _read_again(self) -> None:
        """Have the last full answer read again once the typing rests."""
        answer = self._to_read
        if answer is None or self._calm.isActive():
            return
        self._to_read = None
        future = self._engine.read_again(answer, self._cancel)
        self.tasks.watch(future, self._cancel, done=self._show_read)

    def _show_read(self, answer: SearchAnswer) -> None:
        if not answer.read_again_by:
            return
        self._is_read_again = True
        answer = self._without_unasked(answer)
        rows, answer = self._full_rows(answer)
        before = self.model.rows
        rows = reread_rows(before, rows, self._chosen_rows)
        # Where the best row is another one and none was chosen by hand, the new one is chosen.
        is_first_same = [row.key for row in rows[:1]] == [row.key for row in before[:1]]
        if self._is_held or is_first_same:
            self.model.update(rows)
        else:
            self.model.replace(rows)
        if _order(rows) != _order(before):
            self._announce(rows, answer)

    def _show(self, answer: SearchAnswer) -> None:
        is_quick = answer.request.is_typing
        # The full answer will say that there is nothing, or overtook this one.
        if is_quick and not (answer.hits and self._is_first_answer):
            return
        if not answer.hits and self._has_begun:
            self._wait.stop()
            self._show_recents()
            return
        if answer.mode is not Mode.LEXICAL and not self._is_read_again:
            self._to_read = answer
        answer = self._without_unasked(answer)
        # Rows that continue to fit keep their places, whichever answer comes first.
        rows = self._rows(answer.hits)
        shown = self.model.rows
        if self._is_first_answer and not self.is_repeating:
            shown = self._kept.continued(self.text, shown)
        if is_quick:
            is_full = (hit.explanation.is_full_match and not hit.is_perhaps for hit in answer.hits)
            certain = {row.key for row in compress(rows, is_full)}
            rows = self._kept.after_quick(self.text, rows, certain=certain, shown=shown)
            if self.is_repeating:
                return
        else:
            rows, answer = self._full_rows(answer)
        self._wait.stop()
        if self._calm.isActive():
            calm = stabilize_rows(rows, shown)
            # What is not shown now comes when the typing stops.
            self._whole = None
            if not is_quick and calm != rows:
                self._whole = (rows, answer)
            rows = calm
        self._show_rows(rows, answer)
        self._read_again()

    def _full_rows(self, answer: SearchAnswer) -> tuple[list[Row], SearchAnswer]:
        """Rows of a full answer, and the answer as it is shown with them."""
        rows = self._rows(answer.hits)
        if rows or self._kept.certain:
            return self._kept.after_full(self.text, rows), answer
        near = self._rows(answer.uncertain, is_uncertain=True)
        shown = replace(answer, request=replace(answer.request, min_score=0.0))
        return self._kept.after_nearest(self.text, near), shown

    def _without_unasked(self, answer: SearchAnswer) -> SearchAnswer:
        """The answer without notes that are only the nearest ones within narrow limits."""
        if operator_days(self.text) and answer.mode is Mode.HYBRID:
            # Among the notes of a few days some note is always the nearest.
            has_words = (hit.explanation.matched or hit.vector_score is None for hit in answer.hits)
            answer = replace(answer, hits=tuple(compress(answer.hits, has_words)))
        if self.scope.workspace or only_operators(self.text):
            # Elsewhere there may be better ones, which the empty list offers to look for.
            has_words = (hit.explanation.is_full_match for hit in answer.uncertain)
            answer = replace(answer, uncertain=tuple(compress(answer.uncertain, has_words)))
        return answer

    def _rows(self, hits: Sequence[Hit], *, is_uncertain: bool = False) -> list[Row]:
        workspaces = self._engine.searchable_workspaces()
        now = dt.datetime.now().astimezone()
        names = badge_names(workspaces)
        shared = {each.id for each in workspaces if each.memory_uri}
        rows = (row_of_hit(hit, names, now, is_uncertain=is_uncertain) for hit in hits)
        return [replace(row, is_elsewhere=row.workspace in shared) for row in rows]

    def _show_rows(self, rows: list[Row], answer: SearchAnswer) -> None:
        rows = sort_rows(rows, self.scope.order)
        self._put(rows, keep_all=not self._is_first_answer)
        self._is_first_answer = False
        self._announce(rows, answer)

    def _announce(self, rows: Sequence[Row], answer: SearchAnswer) -> None:
        self.answered.emit(replace(answer, hits=tuple(row.hit for row in rows if row.hit)))

    def _put(self, rows: list[Row], *, keep_all: bool) -> None:
        if self._is_held:
            self.model.update(append_rows(self.model.rows, rows, keep_all=keep_all))
            return
        self.model.replace(rows)

    def _fail(self, error: ScrubjayError) -> None:
        self._wait.stop()
        # The rows answered another question.
        self.model.replace([])
        self.failed.emit(translated(str(error)))


def _order(rows: Sequence[Row]) -> list[tuple[Key, bool, bool]]:
    """The order of rows, and how sure they are."""
    return [(row.key, row.is_perhaps, row.is_uncertain) for row in rows]
