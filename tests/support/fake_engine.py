"""A small engine in memory: finds words by counting them, and keeps notes in a dictionary."""

from __future__ import annotations

import datetime as dt
import re
import time
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from scrubjay import CancelToken
from scrubjay.concurrency.worker import Worker
from scrubjay.errors import DownloadFailed, ModelRefused, WorkspaceMissing
from scrubjay.events import (
    EventBus,
    IndexChanged,
    ModelsChanged,
    PauseChanged,
    WorkspacesChanged,
)
from scrubjay.records.model_records import ModelComparison, ModelInfo, ModelState
from scrubjay.records.search_records import (
    DocumentInfo,
    EngineStatus,
    Explanation,
    Freshness,
    Hit,
    IndexReport,
    IndexState,
    Mode,
    ModelStatus,
    SearchAnswer,
    SearchRequest,
    SkippedFile,
    Snippet,
    Source,
    Span,
    Workspace,
    WorkspaceStatus,
)
from support.fake_journal import FakeJournal

NOW = dt.datetime(2026, 3, 14, 12, 0, tzinfo=dt.UTC)
LEAST_SCORE = 0.35
UNLIKE = 0.05
"""How near any two texts are in meaning."""
READY = ModelStatus("local", "all-MiniLM-L6-v2", is_ready=True)


class NothingThere:
    """No other program has set anything up."""

    def find(self) -> Future[tuple[()]]:
        """Nothing."""
        found: Future[tuple[()]] = Future()
        found.set_result(())
        return found


@dataclass
class Note:
    """One note in memory."""

    title: str
    text: str
    modified: dt.datetime = NOW
    meanings: frozenset[str] = frozenset()
    """Words that find the note by meaning alone."""


class FakeNotes(dict[str, dict[str, Note]]):
    """Workspace id -> path -> note."""

    def __init__(self, engine: FakeEngine) -> None:
        super().__init__()
        self._engine = engine

    def read(self, workspace_id: str, path: str) -> Future[str]:
        return self._engine._worker.submit(lambda: self[workspace_id][path].text)

    def recent(self, limit: int = 10) -> Future[tuple[DocumentInfo, ...]]:
        return self._engine._worker.submit(lambda: self._engine._newest()[:limit])


class FakeModels:
    """The models of a FakeEngine."""

    def __init__(self, engine: FakeEngine) -> None:
        self._engine = engine

    def list(self) -> Future[tuple[ModelInfo, ...]]:
        return self._engine._worker.submit(lambda: tuple(self._engine.catalogue.values()))

    def download(self, model: str, *, accept_terms: bool = False) -> Future[ModelInfo]:
        self._engine.calls.append(("download", model, accept_terms))
        self._engine.change_model(model, state=ModelState.DOWNLOADING, is_accepted=True)
        self._engine.download: Future[ModelInfo] = Future()
        return self._engine.download

    def pause(self, model: str) -> None:
        self._engine.calls.append(("pause download", model))
        self._engine.change_model(model, state=ModelState.PAUSED)

    def cancel(self, model: str) -> Future[None]:
        self._engine.calls.append(("cancel download", model))
        return self._engine._worker.submit(
            lambda: self._engine.change_model(model, state=ModelState.ABSENT)
        )

    def import_file(self, file: Path, *, accept_terms: bool = False) -> Future[ModelInfo]:
        def job() -> ModelInfo:
            info = next(
                (one for one in self._engine.catalogue.values() if one.id == file.stem), None
            )
            if info is None:
                raise ModelRefused(f"{file.name} is no model", "It does not begin as one.")
            if not (info.is_accepted or accept_terms):
                raise DownloadFailed(f"The terms of {info.name} have to be accepted first")
            self._engine.change_model(info.id, state=ModelState.READY, is_accepted=True)
            return self._engine.catalogue[info.id]

        self._engine.calls.append(("import", file.name, accept_terms))
        return self._engine._worker.submit(job)

    def remove(self, model: str) -> Future[str]:
        self._engine.calls.append(("remove model", model))
        self._engine.change_model(model, state=ModelState.ABSENT, is_removable=False)
        return self._engine._worker.submit(lambda: model)

    def use(self, model: str) -> Future[ModelInfo]:
        for one in self._engine.catalogue:
            self._engine.change_model(one, is_used=one == model)
        return self._engine._worker.submit(lambda: self._engine.catalogue[model])

    def compare(
        self, first: str, second: str, workspace_id: str | None, cancel: CancelToken
    ) -> Future[ModelComparison]:
        self._engine.calls.append(("compare", first, second))
        self._engine.comparing = cancel
        self._engine.comparison = Future()
        return self._engine.comparison


@dataclass
class FakeEngine:
    """Implements what the app needs of the Engine on one worker thread."""

    folders: dict[str, Workspace] = field(default_factory=dict)
    states: dict[str, WorkspaceStatus] = field(default_factory=dict)
    requests: list[SearchRequest] = field(default_factory=list)
    calls: list[tuple[object, ...]] = field(default_factory=list)
    slow_modes: dict[Mode, float] = field(default_factory=dict)
    sent: list[str | None] = field(default_factory=list)
    """Workspaces whose notes were allowed to leave."""
    catalogue: dict[str, ModelInfo] = field(default_factory=dict)
    """Models by their ids."""
    settings_editor: Any = None
    """The real thing, where a test needs it."""
    keys: Any = None
    agents: Any = None
    connections: Any = None
    importer: Any = field(default_factory=lambda: NothingThere())
    dreams: Any = None
    recall: Any = None
    pending: int = 0
    """Notes that every answer says were changed and not read."""
    error: BaseException | None = None
    """Raised by every search while it is set."""

    def __post_init__(self) -> None:
        self.events = EventBus()
        self._is_paused = False
        self._is_for_battery = False
        self._worker = Worker("fake-engine")
        self.notes = FakeNotes(self)
        self.models = FakeModels(self)
        self.journal = FakeJournal(self._worker, self._newest)

    def add(self, workspace_id: str, notes: dict[str, Note], name: str = "") -> None:
        """Bring a workspace in without any event."""
        name = name or workspace_id.title()
        self.folders[workspace_id] = Workspace(workspace_id, name, Path("/notes") / workspace_id)
        self.notes[workspace_id] = notes

    def start(self) -> None:
        self.calls.append(("start",))

    def status(self) -> EngineStatus:
        statuses = tuple(
            self.states.get(one.id) or self._status_of(one) for one in self.workspaces()
        )
        return EngineStatus(statuses, READY, self._is_paused, is_for_battery=self._is_for_battery)

    def busy(self) -> EngineStatus:
        """The status while notes are read."""
        now = self.status()
        busy = tuple(replace(one, state=IndexState.INDEXING) for one in now.workspaces)
        return replace(now, workspaces=busy)

    def current_status(self) -> Future[EngineStatus]:
        return self._worker.submit(self.status)

    def diagnostics(self, *about: str) -> Future[str]:
        return self._worker.submit(lambda: "\n".join(["Scrubjay", *about]))

    def workspaces(self) -> tuple[Workspace, ...]:
        return tuple(self.folders.values())

    def add_workspace(self, root: Path, name: str | None = None) -> Future[Workspace]:
        def job() -> Workspace:
            if not root.is_dir():
                raise WorkspaceMissing("There is no such folder", str(root))
            workspace = Workspace(root.name, name or root.name, root)
            # Notes first: the GUI thread asks for the status of every folder at any moment.
            self.notes[workspace.id] = {
                path.relative_to(root).as_posix(): Note(path.stem, path.read_text("utf-8"))
                for path in sorted(root.rglob("*.md"))
            }
            self.folders[workspace.id] = workspace
            self.events.publish(WorkspacesChanged())
            self.events.publish(IndexChanged(workspace.id, len(self.notes[workspace.id]), 0))
            return workspace

        return self._worker.submit(job)

    def remove_workspace(self, workspace_id: str) -> Future[None]:
        def job() -> None:
            self.calls.append(("remove", workspace_id))
            del self.folders[workspace_id], self.notes[workspace_id]
            self.events.publish(WorkspacesChanged())

        return self._worker.submit(job)

    def refresh(
        self, workspace_id: str | None = None, *, force: bool = False, may_send: bool = False
    ) -> Future[tuple[IndexReport, ...]]:
        self.calls.append(("refresh", workspace_id, force))
        if may_send:
            self.sent.append(workspace_id)
        return self._worker.submit(tuple)

    def search(self, request: SearchRequest, cancel: CancelToken) -> Future[SearchAnswer]:
        self.requests.append(request)
        return self._worker.submit(lambda: self._answer(request, cancel))

    def change_model(self, model: str, **changes: object) -> None:
        """Change what the list of models says."""
        self.catalogue[model] = replace(self.catalogue[model], **changes)  # type: ignore[arg-type]
        self.events.publish(ModelsChanged())

    def pause(self, minutes: float | None = None, *, for_battery: bool = False) -> None:
        self.calls.append(("pause", minutes))
        self._is_paused = True
        self._is_for_battery = for_battery
        self.events.publish(PauseChanged(is_paused=True))

    def resume(self) -> None:
        self.calls.append(("resume",))
        self._is_paused = False
        self._is_for_battery = False
        self.events.publish(PauseChanged(is_paused=False))

    def close(self) -> None:
        self.calls.append(("close",))
        self._worker.stop()

    def _newest(self) -> tuple[DocumentInfo, ...]:
        found = [
            DocumentInfo(one, path, self._file(one, path), Source.NOTES, note.title, note.modified)
            for one, notes in self.notes.items()
            for path, note in notes.items()
        ]
        return tuple(sorted(found, key=lambda document: document.modified, reverse=True))

    def _file(self, workspace_id: str, path: str) -> Path:
        return self.folders[workspace_id].root / path

    def _answer(self, request: SearchRequest, cancel: CancelToken) -> SearchAnswer:
        deadline = time.monotonic() + self.slow_modes.get(request.mode, 0.0)
        while time.monotonic() < deadline:
            cancel.check()
            time.sleep(0.001)
        cancel.check()
        if self.error is not None:
            raise self.error
        least = LEAST_SCORE if request.min_score is None else request.min_score
        hits = [
            hit
            for one, notes in self.notes.items()
            if request.workspace in (None, one)
            for path, note in notes.items()
            if (hit := self._hit(one, path, note, request)) is not None and hit.score >= least
        ]
        hits.sort(key=lambda hit: -hit.score)
        shown = tuple(hits[: request.max_results or 6])
        fresh = Freshness(sum(map(len, self.notes.values())), self.pending, 0, 1.0, NOW)
        return SearchAnswer(request, shown, request.mode, READY.provider, READY.model, "", fresh)

    def _hit(self, workspace_id: str, path: str, note: Note, request: SearchRequest) -> Hit | None:
        words = [word.casefold() for word in re.findall(r"\w+", request.text)]
        spans = [
            Span(*match.span())
            for match in re.finditer(r"\w+", note.text)
            if any(match[0].casefold().startswith(word) for word in words)
        ]
        by_words = 1 - 1 / (1 + len(spans)) if spans else None
        by_meaning = 0.9 if note.meanings & set(words) else UNLIKE
        if request.mode is Mode.LEXICAL:
            by_meaning = None
        elif request.mode is Mode.VECTOR:
            by_words, spans = None, []
        if by_words is None and by_meaning is None:
            return None
        line = note.text.count("\n", 0, spans[0].start if spans else 0) + 1
        score = max(by_words or 0, by_meaning or 0)
        if by_words is not None and by_meaning == UNLIKE:
            by_meaning = None
        return Hit(
            workspace=workspace_id,
            path=path,
            file=self._file(workspace_id, path),
            source=Source.NOTES,
            title=note.title,
            heading="",
            first_line=1,
            last_line=note.text.count("\n") + 1,
            best_line=line,
            score=score,
            text_score=by_words,
            vector_score=by_meaning,
            snippet=Snippet(note.text, tuple(spans)),
            modified=note.modified,
            explanation=Explanation(
                matched={note.text[s.start : s.end]: ("text",) for s in spans},
                parts={"words": by_words or 0.0, "meaning": by_meaning or 0.0},
            ),
        )

    def _status_of(self, one: Workspace) -> WorkspaceStatus:
        count = len(self.notes.get(one.id, {}))
        return WorkspaceStatus(
            workspace=one,
            state=IndexState.PAUSED if self._is_paused else IndexState.READY,
            freshness=Freshness(count, 0, 0, 1.0, NOW),
            chunks=count,
            skipped=(),
            index_bytes=1024,
        )

    def mark(self, workspace_id: str, **changes: object) -> None:
        """Change what the status of a workspace says."""
        before = self.states.get(workspace_id) or self._status_of(self.folders[workspace_id])
        self.states[workspace_id] = replace(before, **changes)  # type: ignore[arg-type]


def skipped(path: str, reason: str, *, is_problem: bool = True) -> SkippedFile:
    """A file that is not searched."""
    return SkippedFile(path, reason, is_problem)
