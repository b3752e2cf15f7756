"""What hooks and the app do with memories: remind, capture, review, forget, flush."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from scrubjay.agents.engine_port import EnginePort
from scrubjay.agents.recall.capture_queue import Captured, CaptureQueue
from scrubjay.agents.recall.capture_rules import category_of, is_worth_keeping
from scrubjay.agents.recall.flush import FlushAnswer, Flushing, Sessions
from scrubjay.agents.recall.forget_line import (
    Forgettable,
    certain,
    forgettable,
    remove_line,
    written_lines,
)
from scrubjay.agents.recall.hook_input import HookInput
from scrubjay.agents.recall.related_notes import (
    MAX_HITS,
    MIN_PROMPT,
    MIN_SCORE,
    recall_block,
    related,
)
from scrubjay.concurrency.thread_pool import SerialQueue
from scrubjay.embedding.similarity import Likeness
from scrubjay.errors import QueryError, ScrubjayError
from scrubjay.events import CapturesChanged
from scrubjay.notes.daily_note import DailyNote, Remembered
from scrubjay.notes.last_edit import LastEdit, UndoableEdits
from scrubjay.records.search_records import Hit, Workspace

MAX_CAPTURED = 3
"""In one run."""
DUPLICATE_FROM = 0.95

_LOOKED_AT = 20
"""Hits in which something equal, or something to forget, is looked for."""
_SECONDS = 20.0
"""For searches that no agent waits for."""


T = TypeVar("T")


class SwitchedOff(ScrubjayError):
    """The settings do not want this."""


@dataclass(frozen=True, slots=True)
class Reminder:
    """What an agent is reminded of."""

    block: str
    """Empty when nothing fits the prompt well enough."""
    hits: tuple[Hit, ...]
    """What is in it."""


@dataclass(frozen=True, slots=True)
class Forgot:
    """What was found to forget, and what of it is gone already."""

    found: tuple[Forgettable, ...]
    """Most alike first."""
    deleted: Forgettable | None
    """Set when exactly one was meant without doubt."""


class Recall:
    """Reminds agents of notes and keeps what people tell them. For any thread."""

    def __init__(
        self, host: EnginePort, daily_note: DailyNote, likeness: Likeness, pool: Executor
    ) -> None:
        self._host = host
        self._daily_note = daily_note
        self._likeness = likeness
        state = host.paths.state
        self._queue = CaptureQueue(state / "captures.json")
        self._edits = UndoableEdits(state / "forgotten")
        self._jobs = SerialQueue(pool)

    def workspace_at(self, folder: str) -> Workspace | None:
        """The workspace that a folder is in, else the only one; None when that is not clear."""
        known = self._host.workspaces()
        around = [one for one in known if folder and _is_in(Path(folder), one.root)]
        if around:
            return max(around, key=lambda one: len(one.root.parts))
        return known[0] if len(known) == 1 else None

    def remind(self, prompt: str, among: frozenset[str], seconds: float) -> Future[Reminder]:
        """The notes for a prompt, of some workspaces; among is empty for all of them."""
        return self._jobs.submit(lambda: self._remind(prompt, among, seconds))

    def capture(self, workspace_id: str, said: Sequence[str]) -> Future[tuple[Captured, ...]]:
        """Keep what a person said, newest last. The answer is what is new on the list.

        When capturing is automatic it is in today's file already. The future may raise
        SwitchedOff, NotWritable or OSError.
        """
        return self._jobs.submit(lambda: self._capture(workspace_id, said))

    def captured(self) -> Future[tuple[Captured, ...]]:
        """What waits for a yes or a no, oldest first."""
        return self._jobs.submit(self._queue.waiting)

    def accept(self, captured_id: str) -> Future[Remembered]:
        """Append it to today's file. The future may raise QueryError or NotWritable."""
        return self._jobs.submit(lambda: self._accept(captured_id))

    def refuse(self, captured_id: str) -> Future[bool]:
        """Drop it, for good; False when it was not on the list."""
        return self._jobs.submit(lambda: self._refuse(captured_id))

    def forget(self, query: str, workspace_id: str | None = None) -> Future[Forgot]:
        """Find what a person wants forgotten; a single certain line is deleted at once.

        The future may raise NoteRefused or NotWritable.
        """
        return self._jobs.submit(lambda: self._forget(query, workspace_id))

    def forget_line(self, found: Forgettable) -> Future[None]:
        """Delete one line that was found. The future may raise NoteRefused or NotWritable."""
        return self._jobs.submit(lambda: remove_line(self._edits, found))

    def undo_forget(self) -> Future[LastEdit]:
        """Put the last deleted line back.

        The future may raise NothingToUndo, NoteRefused or NotWritable.
        """
        return self._jobs.submit(self._edits.undo)

    def flush(self, given: HookInput, root: Path, sessions: Path | None) -> Future[FlushAnswer]:
        """What to answer a hook; sessions is another program's `sessions.json`, None for ours."""
        file = Sessions(
            sessions or self._host.paths.state / "sessions.json", is_ours=sessions is None
        )
        flushing = Flushing(file, lambda: self._host.settings.settings.flush)
        return self._jobs.submit(lambda: flushing.answer(given, root))

    def drop(self, workspace_id: str) -> None:
        """Forget what waits for a workspace that is removed. May raise OSError."""
        self._queue.forget(workspace_id)

    def close(self) -> None:
        """Finish what is queued."""
        self._jobs.close(seconds=1)

    # -- on the thread ------------------------------------------------------------------------

    def _remind(self, prompt: str, among: frozenset[str], seconds: float) -> Reminder:
        if len(prompt.strip()) < MIN_PROMPT:
            return Reminder("", ())
        hits = related(
            self._host.search,
            prompt,
            among,
            limit=MAX_HITS,
            min_score=MIN_SCORE,
            seconds=seconds,
        )
        return Reminder(recall_block(hits), hits)

    def _capture(self, workspace_id: str, said: Sequence[str]) -> tuple[Captured, ...]:
        how = self._host.settings.settings.recall.capture
        if how == "off":
            raise SwitchedOff(
                "Capturing is switched off", hint='Set recall.capture to "review" to switch it on.'
            )
        texts = [" ".join(text.split()) if is_worth_keeping(text) else text for text in said]
        looked_at: list[str] = []
        found: list[str] = []
        for text in reversed(self._queue.unseen(workspace_id, texts)):
            if len(found) == MAX_CAPTURED:
                break
            looked_at.append(text)
            if is_worth_keeping(text) and not self._is_known(workspace_id, text, found):
                found.append(text)
        wanted = [(text, category_of(text)) for text in reversed(found)]
        added = self._queue.add(workspace_id, wanted, looked_at)
        if how == "automatic":
            for one in added:
                self._accept(one.id)
        if added:
            self._host.events.publish(CapturesChanged())
        return added

    def _is_known(self, workspace_id: str, text: str, found: Sequence[str]) -> bool:
        """True when the notes, the list, or this very run say the same already."""
        waiting = [one.text for one in self._queue.waiting() if one.workspace == workspace_id]
        hits = related(
            self._host.search,
            text,
            frozenset({workspace_id}),
            limit=_LOOKED_AT,
            min_score=0,
            seconds=_SECONDS,
        )
        others = [*waiting, *found, *(line.plain for line in written_lines(hits))]
        return any(value >= DUPLICATE_FROM for value in self._likeness.of(text, others))

    def _accept(self, captured_id: str) -> Remembered:
        taken = self._queue.take(captured_id)
        if taken is None:
            raise QueryError("This is not on the list any more", "It was decided already.")
        try:
            written = self._daily_note.remember(taken.workspace, taken.text).result()
        except BaseException:
            self._queue.put_back(taken)
            raise
        self._host.events.publish(CapturesChanged())
        return written

    def _refuse(self, captured_id: str) -> bool:
        was_there = self._queue.take(captured_id) is not None
        if was_there:
            self._host.events.publish(CapturesChanged())
        return was_there

    def _forget(self, query: str, workspace_id: str | None) -> Forgot:
        if not query.strip():
            raise QueryError("Say what to forget", "The text is empty.")
        among = frozenset({workspace_id}) if workspace_id else frozenset()
        hits = related(
            self._host.search, query, among, limit=_LOOKED_AT, min_score=0, seconds=_SECONDS
        )
        found = forgettable(query, hits, self._likeness)
        sure = certain(found)
        if sure:
            remove_line(self._edits, sure)
        return Forgot(found, sure)


def _is_in(folder: Path, root: Path) -> bool:
    try:
        return folder.is_absolute() and folder.resolve().is_relative_to(root.resolve())
    except (OSError, RuntimeError, ValueError):  # a loop of links, or no path at all
        return False
