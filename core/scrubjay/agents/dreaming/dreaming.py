"""Dreaming in all workspaces: record hits, run, review, write, undo."""

from __future__ import annotations

import datetime as dt
import logging
import shutil
import threading
from collections.abc import Callable, Collection, Iterable
from concurrent.futures import Executor, Future
from typing import TypeVar

from msgspec import Struct

from scrubjay.agents.dreaming.dream_phases import DreamRun
from scrubjay.agents.dreaming.line_ranges import narrow_hits
from scrubjay.agents.dreaming.nightly_schedule import NightlySchedule, last_due
from scrubjay.agents.dreaming.recall_entry import is_recordable
from scrubjay.agents.dreaming.recall_store import RecallStore, Search
from scrubjay.agents.dreaming.review_queue import DreamCandidate
from scrubjay.agents.dreaming.workspace_dreams import DreamsApplied, WorkspaceDreams
from scrubjay.agents.engine_port import EnginePort
from scrubjay.agents.write_rules import is_daily_note_writable
from scrubjay.concurrency.io_timeout import IoTimeouts
from scrubjay.concurrency.thread_pool import SerialQueue, queued
from scrubjay.concurrency.timers import Timers
from scrubjay.config.schema.agent_features import DreamingSettings
from scrubjay.embedding.similarity import TextSimilarity
from scrubjay.errors import ScrubjayError, WorkspaceMissing
from scrubjay.events import DreamsChanged
from scrubjay.messages import msg
from scrubjay.notes.note_edits import NoteEdit
from scrubjay.records.note_records import Workspace
from scrubjay.records.search_records import Hit

log = logging.getLogger(__name__)

T = TypeVar("T")


class DreamStatus(Struct, frozen=True):
    """The state of dreaming in one workspace."""

    workspace: str
    is_enabled: bool
    is_automatic: bool
    entries: int
    """Line ranges of daily files that agents have found."""
    waiting: int
    """Candidates in the review queue."""
    last_run: dt.datetime | None
    can_undo: bool


class Dreams:
    """Dreaming in all workspaces, for any thread. Raises WorkspaceMissing; futures, OSError.

    Futures of one workspace raise DriveSilent, too.
    """

    def __init__(
        self,
        host: EnginePort,
        similarity: TextSimilarity,
        timers: Timers,
        pool: Executor,
        io_timeouts: IoTimeouts,
    ) -> None:
        self._host = host
        self._folder = host.paths.state / "dreams"
        self._similarity = similarity
        self._jobs = SerialQueue(pool)
        self._io_timeouts = io_timeouts
        self._lock = threading.Lock()
        self._searches: list[Search] = []
        self.schedule = NightlySchedule(timers, self)

    @property
    def time_of_day(self) -> str:
        """Time of the nightly run as `HH:MM`."""
        return self._settings.at

    def record_hits(self, query: str, hits: Collection[Hit]) -> None:
        """Count the hits of an agent's search later on, if dreaming is switched on."""
        recordable = [hit for hit in hits if is_recordable(hit)]
        if recordable and self._settings.enabled:
            with self._lock:
                self._searches.append((query, recordable))
                is_first = len(self._searches) == 1
            if is_first:
                # Searches until then are recorded with it.
                self._record()

    def run(self, workspace: Workspace, *, dry_run: bool = False) -> Future[DreamRun]:
        """Propose entries; dry runs write nothing. Raises NotWritable, NoteRefused, DreamsBusy."""
        if dry_run:
            listed = self._listed(workspace)
            return self._jobs.submit(lambda: self._reached(listed).preview(_now()))
        return self._changing(workspace, self._run)

    def run_nightly(self) -> None:
        """Run in every workspace without a run this night, if dreaming is switched on."""
        if self._settings.enabled:
            for workspace in self._host.readable_workspaces():
                self._run_once(workspace)

    @queued
    def candidates(self, workspace: Workspace | None = None) -> tuple[DreamCandidate, ...]:
        """Candidates in the queues of one workspace or of all, best first."""
        candidates = [
            candidate
            for each in self._chosen(workspace)
            for candidate in self._of(each).review.state().waiting.values()
        ]
        return tuple(sorted(candidates, key=lambda candidate: (-candidate.score, candidate.key)))

    def apply(self, workspace: Workspace, keys: Collection[str]) -> Future[DreamsApplied]:
        """Write candidates into MEMORY.md. The future may raise NoteRefused or NotWritable."""
        return self._changing(workspace, lambda dreams: self._apply(dreams, keys))

    def refuse(
        self, workspace: Workspace, keys: Iterable[str]
    ) -> Future[tuple[DreamCandidate, ...]]:
        """Remove candidates from the queue for good; the result are those that were in it."""
        return self._changing(workspace, lambda dreams: dreams.refuse(keys, _now()))

    def undo(self, workspace: Workspace) -> Future[NoteEdit]:
        """Undo in MEMORY.md; its candidates wait again. Raises NothingToUndo or NoteRefused."""
        return self._changing(workspace, lambda dreams: dreams.undo(_now()))

    @queued
    def status(self, workspace: Workspace | None = None) -> tuple[DreamStatus, ...]:
        """The state of one workspace or of all."""
        settings = self._settings
        states: list[DreamStatus] = []
        for each in self._chosen(workspace):
            dreams = self._of(each)
            state = dreams.review.state()
            # Entries are in the folder of the notes, which may be on a drive that is silent.
            entries = 0
            if self._io_timeouts.answers(each.root):
                entries = len(dreams.store.entries())
            states.append(
                DreamStatus(
                    each.id,
                    is_enabled=settings.enabled,
                    is_automatic=settings.enabled and settings.automatic,
                    entries=entries,
                    waiting=len(state.waiting),
                    last_run=state.last_run,
                    can_undo=dreams.edits.last() is not None,
                )
            )
        return tuple(states)

    def drop(self, workspace: Workspace) -> None:
        """Delete the state of a removed workspace."""
        shutil.rmtree(self._folder / workspace.id, ignore_errors=True)

    def close(self) -> None:
        """Record the last hits and end the thread."""
        self._jobs.close(seconds=1)

    # -- on the thread ------------------------------------------------------------------------

    @queued
    def _record(self) -> None:
        """Count the hits of the searches that have come until now."""
        with self._lock:
            searches = self._searches
            self._searches = []
        # A failure in one workspace does not stop the others.
        ids = {hit.workspace for _, hits in searches for hit in hits}
        for workspace in self._host.readable_workspaces():
            if workspace.id not in ids:
                continue
            try:
                self._io_timeouts.check(workspace.root)
                if is_daily_note_writable(workspace.root):
                    narrowed = [
                        (query, tuple(narrow_hits(workspace, hits))) for query, hits in searches
                    ]
                    RecallStore(workspace.root).record(narrowed, _now())
            except (OSError, ScrubjayError) as error:
                # No caller waits for it: the search was answered long ago.
                log.warning("Hits are not recorded: %s", error)

    def _run(self, dreams: WorkspaceDreams) -> DreamRun:
        """A run, whose proposals are written at once where the settings want that."""
        # A person may have chosen that nobody is asked.
        run = dreams.run(_now())
        if self._settings.automatic and run.proposed:
            self._apply(dreams, [candidate.key for candidate in run.proposed])
        return run

    def _apply(self, dreams: WorkspaceDreams, keys: Collection[str]) -> DreamsApplied:
        return dreams.apply(keys, self._settings.memory_budget, _now())

    @queued
    def _run_once(self, workspace: Workspace) -> None:
        """Run, unless another process has run for this workspace this night."""
        try:
            dreams = self._reached(workspace)
            last = dreams.review.state().last_run
            if last is None or last < last_due(self._settings.at, _now()):
                self._run(dreams)
                self._host.events.publish(DreamsChanged(workspace.id))
        except (OSError, ScrubjayError) as error:
            log.warning("There was no dreaming in %s: %s", workspace.name, error)

    # -- plumbing -----------------------------------------------------------------------------

    @property
    def _settings(self) -> DreamingSettings:
        return self._host.settings.settings.dreaming

    def _changing(self, workspace: Workspace, job: Callable[[WorkspaceDreams], T]) -> Future[T]:
        listed = self._listed(workspace)

        def change() -> T:
            # Only a change that was made is told to the window.
            result = job(self._reached(listed))
            self._host.events.publish(DreamsChanged(listed.id))
            return result

        return self._jobs.submit(change)

    def _reached(self, workspace: Workspace) -> WorkspaceDreams:
        """The dreams of a workspace whose drive answers. Raises DriveSilent."""
        self._io_timeouts.check(workspace.root)
        return self._of(workspace)

    def _of(self, workspace: Workspace) -> WorkspaceDreams:
        return WorkspaceDreams(workspace, self._folder / workspace.id, self._similarity)

    def _chosen(self, workspace: Workspace | None) -> tuple[Workspace, ...]:
        """The workspace that is given, or all."""
        if workspace is None:
            return self._host.readable_workspaces()
        return (self._listed(workspace),)

    def _listed(self, workspace: Workspace) -> Workspace:
        """The workspace as the list has it now. Raises WorkspaceMissing or SearchOff."""
        self._host.check_on(workspace)
        for listed in self._host.workspaces():
            if listed.id == workspace.id:
                return listed
        raise WorkspaceMissing("This folder is not in the list", msg("{name}.", name=workspace.id))


def _now() -> dt.datetime:
    return dt.datetime.now().astimezone()
