"""Memories in hooks and in the app: remind, capture, review, forget, flush."""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from scrubjay.agents.engine_port import EnginePort
from scrubjay.agents.recall.forgettable_lines import (
    SourceLine,
    certain_match,
    remove_line,
    similar_lines,
    source_lines,
)
from scrubjay.agents.recall.hook_input import HookInput
from scrubjay.agents.recall.recall_block import (
    MAX_HITS,
    MIN_PROMPT,
    MIN_SCORE,
    recall_block,
    related_hits,
)
from scrubjay.concurrency.io_timeout import IoTimeouts
from scrubjay.concurrency.lazy import lazy
from scrubjay.concurrency.thread_pool import SerialQueue, queued
from scrubjay.embedding.similarity import TextSimilarity
from scrubjay.errors import DriveSilent, QueryError, ScrubjayError
from scrubjay.events import CapturesChanged
from scrubjay.notes.daily_note import AppendedEntry, daily_note_path
from scrubjay.notes.note_edits import NoteEdit, UndoableEdits
from scrubjay.records.note_records import Workspace
from scrubjay.records.search_records import Hit, SearchRequest
from scrubjay.records.workspace_id import WorkspaceId

if TYPE_CHECKING:
    from scrubjay.agents.recall.capture_queue import CapturedSentence, CaptureQueue
    from scrubjay.agents.recall.flush import FlushAnswer
    from scrubjay.documents.document_converter import Converter

DUPLICATE_FROM = 0.95
"""Similarity from which two sentences say the same."""

_COMPARED_HITS = 20
"""Hits in which equal lines, or lines to forget, are searched."""
_SEARCH_S = 20.0
"""Seconds for searches that no agent waits for."""


class SwitchedOff(ScrubjayError):
    """The feature is off in the settings."""


class Reminder(Struct, frozen=True):
    """Notes for an agent's prompt."""

    block: str
    """Text beside the prompt; empty if nothing fits it well enough."""
    hits: tuple[Hit, ...]
    """The hits in the block."""


class ForgetResult(Struct, frozen=True):
    """Lines similar to the text to forget, and the one that was deleted."""

    found: tuple[SourceLine, ...]
    """Lines that may be meant, the most similar first."""
    deleted: SourceLine | None
    """Line that was deleted, as only it was meant without doubt; None if none was."""


class Recall:
    """Reminds agents of notes and captures what users tell them. For any thread."""

    def __init__(
        self,
        host: EnginePort,
        remember: Callable[[WorkspaceId, str], Future[AppendedEntry]],
        similarity: TextSimilarity,
        pool: Executor,
        io_timeouts: IoTimeouts,
        converter: Converter,
    ) -> None:
        self._host = host
        self._remember = remember
        self._similarity = similarity
        state = host.paths.state
        self._sessions = state / "sessions.json"
        self._edits = UndoableEdits(state / "forgotten")
        self._jobs = SerialQueue(pool)
        self._io_timeouts = io_timeouts
        self._converter = converter

    @lazy
    def _queue(self) -> CaptureQueue:
        from scrubjay.agents.recall.capture_queue import CaptureQueue

        return CaptureQueue(self._host.paths.state / "captures.json")

    def workspace_at(self, folder: str) -> Workspace | None:
        """The workspace around a folder, otherwise the only one; None if that is not clear."""
        workspaces = self._host.workspaces()
        around = self._around(folder)
        if around is None and len(workspaces) == 1:
            return workspaces[0]
        return around

    def _around(self, folder: str) -> Workspace | None:
        """The workspace around a folder; None if there is none."""
        workspaces = self._host.workspaces()
        around = [item for item in workspaces if folder and self._is_in(Path(folder), item.root)]
        # Of folders in one another, the innermost is meant.
        return max(around, key=lambda workspace: len(workspace.root.parts), default=None)

    @queued
    def remind(
        self,
        hook: HookInput,
        among: frozenset[WorkspaceId],
        seconds: float,
        *,
        workspace: Workspace | None = None,
    ) -> Reminder:
        """The notes for a prompt, of some workspaces; among is empty for all of them.

        A workspace that is searched only when named is searched for an agent that works in it.
        """
        if len(hook.prompt.strip()) < MIN_PROMPT:
            return Reminder("", ())
        own = workspace or self._around(hook.cwd)
        named: frozenset[WorkspaceId] = frozenset()
        if own:
            named = frozenset({own.id})
        # An agent that waits for a hook does not wait until a result reader has started.
        second_look_seconds = 0.0
        if self._host.is_reader_warm:
            second_look_seconds = seconds / 2
        request = SearchRequest(
            hook.prompt,
            among=among,
            named=named,
            max_results=MAX_HITS,
            min_score=MIN_SCORE,
            conversation=hook.conversation,
            second_look_seconds=second_look_seconds,
        )
        # Snippets of notes on a drive that is silent are shown as the index has them.
        hits = related_hits(self._host.search, request, seconds)
        silent = {root for root in self._roots_of(hits) if not self._io_timeouts.answers(root)}
        return Reminder(recall_block(hits, self._converter, silent), hits)

    @queued
    def capture(
        self, workspace: Workspace, messages: Sequence[str]
    ) -> tuple[CapturedSentence, ...]:
        """Keep messages of the user, newest last. The result are the new entries of the queue.

        When capturing is automatic they are in today's file already. The future may raise
        SwitchedOff, SearchOff, NotWritable or OSError.
        """
        # Late, as below: reminding, which an agent waits for, needs none of it.
        from scrubjay.agents.recall.capture_rules import (
            MAX_CAPTURED,
            extract_facts,
            sentence_category,
        )

        self._host.check_on(workspace)
        mode = self._host.settings.settings.recall.capture
        if mode == "off":
            raise SwitchedOff(
                "Scrubjay does not keep what you tell agents",
                hint="Turn on “Keep what I tell agents” in the settings.",
            )
        # A message with several facts is several entries; one without any is merely marked as seen.
        texts: list[str] = []
        facts: set[str] = set()
        for message in self._queue.unseen(workspace, messages):
            found = extract_facts(message)
            facts.update(found)
            texts += found or [message]
        examined: list[str] = []
        new: list[str] = []
        # The newest come first, since there is room for a few only.
        for text in reversed(self._queue.unseen(workspace, texts)):
            if len(new) == MAX_CAPTURED:
                break
            examined.append(text)
            if text in facts and not self._is_duplicate(workspace, text, new):
                new.append(text)
        categorized = [(text, sentence_category(text)) for text in reversed(new)]
        added = self._queue.add(workspace, categorized, examined)
        if mode == "automatic":
            for entry in added:
                self._accept(entry.id)
        if added:
            self._host.events.publish(CapturesChanged())
        return added

    @queued
    def captured(self) -> tuple[CapturedSentence, ...]:
        """All entries of the queue, oldest first."""
        return self._queue.waiting()

    @queued
    def accept(self, captured_id: str) -> AppendedEntry:
        """Append an entry to today's file. The future may raise QueryError or NotWritable."""
        return self._accept(captured_id)

    @queued
    def refuse(self, captured_id: str) -> bool:
        """Drop an entry for good; False if it was not in the queue."""
        with self._queue.taken(captured_id) as captured:
            was_there = captured is not None
        if was_there:
            self._host.events.publish(CapturesChanged())
        return was_there

    @queued
    def forget(self, query: str, workspace: Workspace | None = None) -> ForgetResult:
        """Find lines to forget; delete a single certain one.

        The future may raise NoteRefused, NotWritable or DriveSilent.
        """
        if not query.strip():
            raise QueryError("Enter the text to forget", "The text is empty.")
        # Lines are compared as they are now, so every drive with one has to answer.
        hits = self._compared_hits(query, workspace)
        for root in self._roots_of(hits):
            self._io_timeouts.check(root)
        # Whatever is not certain is for the user to choose.
        lines = similar_lines(query, source_lines(hits, self._converter), self._similarity)
        line = certain_match(lines)
        if line:
            self._remove(line)
        return ForgetResult(lines, line)

    @queued
    def forget_line(self, line: SourceLine) -> None:
        """Delete one line. The future may raise NoteRefused, NotWritable or DriveSilent."""
        self._remove(line)

    @queued
    def undo_forget(self) -> NoteEdit:
        """Put the last deleted line back. May raise NothingToUndo, NoteRefused or NotWritable."""
        edit = self._edits.last()
        if edit:
            self._io_timeouts.check(edit.file)
        return self._edits.undo()

    @queued
    def flush(self, hook: HookInput, workspace: Workspace, sessions: Path | None) -> FlushAnswer:
        """The answer to a hook; sessions is another program's `sessions.json`, None for ours."""
        from scrubjay.agents.recall.flush import flush_answer

        self._io_timeouts.check(workspace.root)
        settings = self._host.settings.settings.flush
        file = sessions or self._sessions
        return flush_answer(hook, workspace, settings, file, is_ours=sessions is None)

    @queued
    def daily_paths(self, workspace: Workspace) -> tuple[str, ...]:
        """Paths of today's and yesterday's note, whether they are there or not."""
        self._io_timeouts.check(workspace.root)
        # Around midnight, a conversation goes on with what was written yesterday.
        now = dt.date.today()
        days = (now, now - dt.timedelta(days=1))
        return tuple(daily_note_path(workspace.root, day, workspace.layout) for day in days)

    @queued
    def keep(self, hook: HookInput, workspace: Workspace) -> str:
        """Write the end of a finished conversation to a note next to today's, once.

        The answer says why nothing was written; empty when it was. The future may raise SearchOff,
        NotWritable or OSError.
        """
        from scrubjay.agents.recall.kept_conversation import keep_conversation

        self._host.check_on(workspace)
        self._io_timeouts.check(workspace.root)
        return keep_conversation(hook, workspace, self._sessions)

    def drop(self, workspace: Workspace) -> None:
        """Drop the queue of a removed workspace. May raise OSError."""
        self._queue.forget(workspace)

    def close(self) -> None:
        """Finish what is queued."""
        self._jobs.close(seconds=1)

    # -- on the thread ------------------------------------------------------------------------

    def _remove(self, line: SourceLine) -> None:
        self._io_timeouts.check(line.file)
        remove_line(self._edits, line)

    def _is_duplicate(self, workspace: Workspace, text: str, new: Sequence[str]) -> bool:
        """True when the notes, the queue, or this run have the text already."""
        waiting = [entry.text for entry in self._queue.waiting() if entry.workspace == workspace.id]
        hits = self._compared_hits(text, workspace)
        if not all(map(self._io_timeouts.answers, self._roots_of(hits))):
            hits = ()  # a line that stands there twice is better than one that is lost
        written = source_lines(hits, self._converter)
        others = [*waiting, *new, *(line.plain for line in written)]
        return any(value >= DUPLICATE_FROM for value in self._similarity.of(text, others))

    def _is_in(self, folder: Path, root: Path) -> bool:
        if not folder.is_absolute():
            return False
        try:
            folder_there = self._io_timeouts.ask(folder, folder.resolve)
            root_there = self._io_timeouts.ask(root, root.resolve)
        # A loop of links, something that is not a path, or a drive that does not answer.
        except (OSError, RuntimeError, ValueError, DriveSilent):
            return Path(os.path.normpath(folder)).is_relative_to(root)
        return folder_there.is_relative_to(root_there)

    def _roots_of(self, hits: Sequence[Hit]) -> set[Path]:
        """The folders that hits are in."""
        names = {hit.workspace for hit in hits}
        return {each.root for each in self._host.workspaces() if each.id in names}

    def _accept(self, captured_id: str) -> AppendedEntry:
        # The entry leaves the queue only once its line is in the note.
        with self._queue.taken(captured_id) as captured:
            if captured is None:
                raise QueryError(
                    "This entry is no longer in the list",
                    "The entry was already kept or discarded.",
                )
            remembered = self._remember(captured.workspace, captured.text).result()
        self._host.events.publish(CapturesChanged())
        return remembered

    def _compared_hits(self, text: str, workspace: Workspace | None) -> tuple[Hit, ...]:
        """Hits of one workspace, or of all, whose lines a text may resemble."""
        among: frozenset[WorkspaceId] = frozenset()
        if workspace:
            among = frozenset({workspace.id})
        request = SearchRequest(
            text, among=among, named=among, max_results=_COMPARED_HITS, min_score=0
        )
        return related_hits(self._host.search, request, _SEARCH_S)
