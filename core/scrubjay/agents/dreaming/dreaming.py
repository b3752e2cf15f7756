"""The door to dreaming: record what agents find, run, review, write, undo."""

from __future__ import annotations

import datetime as dt
import logging
import threading
from collections.abc import Callable, Collection, Iterable
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from scrubjay.agents.dreaming.nightly_run import Night
from scrubjay.agents.dreaming.promotion import DreamsApplied, WorkspaceDreams
from scrubjay.agents.dreaming.recall_entry import is_recordable
from scrubjay.agents.dreaming.recall_store import Search
from scrubjay.agents.dreaming.review_queue import DreamCandidate
from scrubjay.agents.engine_port import EnginePort
from scrubjay.concurrency.timers import Timer, Timers
from scrubjay.concurrency.worker import Worker
from scrubjay.config.schema.agent_features import DreamingSettings
from scrubjay.embedding.similarity import Likeness
from scrubjay.errors import ScrubjayError, WorkspaceMissing
from scrubjay.events import DreamsChanged
from scrubjay.messages import msg
from scrubjay.notes.last_edit import LastEdit
from scrubjay.records.search_records import Hit, Workspace

log = logging.getLogger(__name__)

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class DreamStatus:
    """Where dreaming stands in one workspace."""

    workspace: str
    is_enabled: bool
    is_automatic: bool
    places: int
    """That agents found in daily files."""
    waiting: int
    """Candidates that wait for a yes or a no."""
    last_run: dt.datetime | None
    can_undo: bool


class Dreams:
    """Dreaming in all workspaces. For any thread; the futures may raise OSError.

    WorkspaceMissing is raised at once for a workspace that there is not.
    """

    def __init__(self, host: EnginePort, likeness: Likeness, alarms: Timers) -> None:
        self._host = host
        self._likeness = likeness
        self._worker = Worker("dreams")
        self._lock = threading.Lock()
        self._heard: list[Search] = []
        self._nightly = Nightly(alarms, lambda: self._settings.at, self._night)

    def start(self) -> None:
        """Run each night from now on, while that is switched on."""
        self._nightly.start()

    def heard(self, query: str, hits: Collection[Hit]) -> None:
        """Tell what a search of an agent found; it is noted later, if that is switched on."""
        found = [hit for hit in hits if is_recordable(hit)]
        if found and self._settings.enabled:
            with self._lock:
                self._heard.append((query, found))
                is_first = len(self._heard) == 1
            if is_first:
                # Whatever is heard until then is noted with it.
                self._worker.submit(self._record)

    def run(self, workspace_id: str, *, dry_run: bool = False) -> Future[Night]:
        """Look through what agents found. A dry run writes nothing anywhere.

        The future may raise NotWritable, NoteRefused or DreamsBusy.
        """
        dreams = self._of(self._named(workspace_id))
        if dry_run:
            return self._worker.submit(lambda: dreams.look(_now()))
        return self._changing(workspace_id, lambda: self._run(dreams))

    def candidates(self, workspace_id: str | None = None) -> Future[tuple[DreamCandidate, ...]]:
        """What waits for a yes or a no, in one workspace or in all, best first."""
        chosen = self._chosen(workspace_id)
        return self._worker.submit(lambda: self._candidates(chosen))

    def apply(self, workspace_id: str, keys: Collection[str]) -> Future[DreamsApplied]:
        """Write candidates into MEMORY.md. The future may raise NoteRefused or NotWritable."""
        dreams = self._of(self._named(workspace_id))
        return self._changing(workspace_id, lambda: dreams.apply(keys, self._budget, _now()))

    def refuse(self, workspace_id: str, keys: Iterable[str]) -> Future[tuple[DreamCandidate, ...]]:
        """Take candidates off the list for good. The answer are those that were on it."""
        dreams = self._of(self._named(workspace_id))
        return self._changing(workspace_id, lambda: dreams.refuse(keys, _now()))

    def undo(self, workspace_id: str) -> Future[LastEdit]:
        """Take back what was written into MEMORY.md last; it waits for a decision again.

        The future may raise NothingToUndo, and NoteRefused when MEMORY.md was changed since.
        """
        dreams = self._of(self._named(workspace_id))
        return self._changing(workspace_id, lambda: dreams.undo(_now()))

    def status(self, workspace_id: str | None = None) -> Future[tuple[DreamStatus, ...]]:
        """Where dreaming stands, in one workspace or in all."""
        chosen = self._chosen(workspace_id)
        return self._worker.submit(lambda: tuple(self._status(one) for one in chosen))

    def drop(self, workspace_id: str) -> None:
        """Forget what is kept about a workspace that is removed."""
        WorkspaceDreams(
            Workspace(workspace_id, "", Path()), self._folder(workspace_id), self._likeness
        ).drop()

    def close(self) -> None:
        """Note what was heard, and end the thread."""
        self._worker.stop(seconds=1)

    # -- on the thread ------------------------------------------------------------------------

    def _record(self) -> None:
        with self._lock:
            heard, self._heard = self._heard, []
        for workspace_id in {hit.workspace for _, hits in heard for hit in hits}:
            searches = [
                (query, [hit for hit in hits if hit.workspace == workspace_id])
                for query, hits in heard
            ]
            try:
                self._of(self._named(workspace_id)).record(searches, _now())
            except (OSError, ScrubjayError) as error:
                # Nobody waits for it, and the search was answered long ago.
                log.warning("What was found is not noted: %s", error)

    def _run(self, dreams: WorkspaceDreams) -> Night:
        night = dreams.run(_now())
        if self._settings.automatic and night.proposed:
            dreams.apply([one.key for one in night.proposed], self._budget, _now())
        return night

    def _candidates(self, chosen: Iterable[Workspace]) -> tuple[DreamCandidate, ...]:
        found = [c for one in chosen for c in self._of(one).review.state().waiting.values()]
        return tuple(sorted(found, key=lambda one: (-one.score, one.key)))

    def _status(self, workspace: Workspace) -> DreamStatus:
        dreams = self._of(workspace)
        state = dreams.review.state()
        return DreamStatus(
            workspace.id,
            is_enabled=self._settings.enabled,
            is_automatic=self._settings.enabled and self._settings.automatic,
            places=len(dreams.store.entries()),
            waiting=len(state.waiting),
            last_run=state.last_run,
            can_undo=dreams.can_undo(),
        )

    def _night(self) -> None:
        if self._settings.enabled:
            for workspace in self._host.workspaces():
                self._worker.submit(lambda one=workspace: self._run_unless_done(one))  # type: ignore[misc]

    def _run_unless_done(self, workspace: Workspace) -> None:
        """Another process may have dreamt of this workspace this night already."""
        dreams = self._of(workspace)
        try:
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

    @property
    def _budget(self) -> int:
        return self._settings.memory_budget

    def _changing(self, workspace_id: str, job: Callable[[], T]) -> Future[T]:
        def change() -> T:
            done = job()
            self._host.events.publish(DreamsChanged(workspace_id))
            return done

        return self._worker.submit(change)

    def _of(self, workspace: Workspace) -> WorkspaceDreams:
        return WorkspaceDreams(workspace, self._folder(workspace.id), self._likeness)

    def _folder(self, workspace_id: str) -> Path:
        return self._host.paths.state / "dreams" / workspace_id

    def _chosen(self, workspace_id: str | None) -> tuple[Workspace, ...]:
        return (self._named(workspace_id),) if workspace_id else self._host.workspaces()

    def _named(self, workspace_id: str) -> Workspace:
        for workspace in self._host.workspaces():
            if workspace.id == workspace_id:
                return workspace
        raise WorkspaceMissing(
            "This workspace is not in the list", msg("{name}.", name=workspace_id)
        )


def _now() -> dt.datetime:
    return dt.datetime.now().astimezone()


_LOOK_AGAIN_S = 600.0
"""Alarms stand still while a computer sleeps, and the settings may change."""


class Nightly:
    """One call a day, on the thread of the alarms: it must be quick."""

    def __init__(
        self,
        alarms: Timers,
        at: Callable[[], str],
        call: Callable[[], object],
        now: Callable[[], dt.datetime] = lambda: dt.datetime.now().astimezone(),
    ) -> None:
        """At gives the time of day as `HH:MM`."""
        self._alarms = alarms
        self._at = at
        self._call = call
        self._now = now
        self._since = now()
        self._alarm: Timer | None = None

    def start(self) -> None:
        """From now on; a night that has passed is not made up for."""
        if self._alarm is None:
            self._since = self._now()
            self._wait()

    def look(self) -> None:
        """Call if the time has come since the last look."""
        now = self._now()
        if self._since < last_due(self._at(), now) <= now:
            self._call()
        self._since = now

    def _wait(self) -> None:
        now = self._now()
        due = last_due(self._at(), now) + dt.timedelta(days=1)
        seconds = max(1.0, (due - now).total_seconds())
        self._alarm = self._alarms.after(min(_LOOK_AGAIN_S, seconds), self._ring)

    def _ring(self) -> None:
        try:
            self.look()
        finally:
            self._wait()


def last_due(at: str, now: dt.datetime) -> dt.datetime:
    """The latest time of that name that is not in the future."""
    hour, minute = (int(part) for part in at.split(":"))
    today = now.replace(hour=hour, minute=minute, second=0, microsecond=0)
    return today if today <= now else today - dt.timedelta(days=1)
