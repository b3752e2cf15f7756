"""The tools: arguments become calls of the engine, and their results become JSON."""

from __future__ import annotations

import contextlib
import json
import logging
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from scrubjay.answers import answer_json
from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.errors import (
    AccessRefused,
    Cancelled,
    IndexUnavailable,
    NoteRefused,
    ScrubjayError,
    WorkspaceMissing,
)
from scrubjay.mcp_server.authorization import AccessRequestPrompt, Authorization, Authorized, Caller
from scrubjay.mcp_server.background_index import BackgroundIndexer, Report
from scrubjay.mcp_server.tool_schemas import (
    NOTICE,
    Arguments,
    ContextArguments,
    GetArguments,
    SearchArguments,
    WriteArguments,
    checked,
)
from scrubjay.messages import msg
from scrubjay.records.access_records import Action, AuditedHit, AuditEntry
from scrubjay.records.search_records import (
    ContextAnswer,
    Hit,
    Mode,
    NotePage,
    SearchAnswer,
    SearchRequest,
    Source,
    Workspace,
)

log = logging.getLogger(__name__)

T = TypeVar("T")

ANSWER_S = 20.0
"""Every answer has to be there after 30 s; this leaves time for a search by words."""
_COLD_S = 0.7
"""Wait for a model that is not loaded yet, before a search by words answers."""
_WORDS_S = 4.0
"""Limit of a search by words; both together stay below those 30 s."""
_RESOURCE_CHARACTERS = 200_000
"""A longer resource is cut; memory_get reads any line."""
_SOURCES = {
    "memory": frozenset({Source.MEMORY, Source.NOTES, Source.EXTRA}),
    "sessions": frozenset({Source.SESSIONS}),
}


@dataclass(frozen=True, slots=True)
class Reply:
    """The result of a tool for the agent."""

    structured: dict[str, Any]
    is_error: bool = False

    @property
    def text(self) -> str:
        """The same as text, for agents that read no structured content."""
        return json.dumps(self.structured, ensure_ascii=False)


@dataclass(slots=True)
class Call:
    """One call of a tool."""

    prompt: AccessRequestPrompt
    report: Report
    answer_s: float
    hits: tuple[AuditedHit, ...] = ()
    """Lines in the answer, for the audit log."""
    began: float = field(default_factory=time.perf_counter)

    @property
    def elapsed_s(self) -> float:
        """Seconds since the call began."""
        return time.perf_counter() - self.began

    @property
    def left_s(self) -> float:
        """Seconds that are left, at least one."""
        return max(1.0, self.answer_s - self.elapsed_s)

    @property
    def cancel(self) -> CancelToken:
        """Set when the agent has given up."""
        return self.prompt.cancel


class MemoryTools:
    """Answers calls of the tools. For any thread; blocks until the answer is there."""

    def __init__(self, engine: Engine, *, answer_s: float = ANSWER_S) -> None:
        self.engine = engine
        self._answer_s = answer_s
        self._authorization = Authorization(engine)
        self._background = BackgroundIndexer(engine)
        self._runs: dict[str, Callable[[Call, Any], dict[str, Any]]] = {
            "memory_search": self._search,
            "memory_get": self._get,
            "memory_context": self._context,
            "memory_status": self._status,
            "memory_write": self._write,
        }

    def call(
        self,
        name: str,
        arguments: dict[str, Any],
        caller: Caller,
        cancel: CancelToken,
        report: Report,
    ) -> Reply:
        """The reply of a tool; the call is added to the audit log. Raises Cancelled."""
        prompt = AccessRequestPrompt(caller, name, _query_of(arguments), cancel)
        call = Call(prompt, report, self._answer_s)
        try:
            with self._logged(call, (AccessRefused, NoteRefused)):
                return Reply(self._runs[name](call, checked(name, arguments)))
        except Cancelled:
            raise
        except ScrubjayError as error:
            return _failed(name, error)
        except Exception:  # an agent gets an answer in any case; the log has the rest
            log.exception("%s failed", name)
            bug = {"error": "Scrubjay made a mistake; its log says more.", "action": "Try again."}
            return Reply(bug, is_error=True)

    def read(self, workspace_id: str, path: str, caller: Caller, cancel: CancelToken) -> str:
        """Text of a memory file as a resource. Raises ScrubjayError or Cancelled."""
        prompt = AccessRequestPrompt(caller, "resource", path, cancel)
        call = Call(prompt, lambda *_: None, self._answer_s)
        with self._logged(call, ScrubjayError):
            authorized = self._authorization.authorize(prompt, workspace_id, Action.READ)
            return self._whole_text(call, authorized.workspaces[0].id, path)

    # -- the tools ----------------------------------------------------------------------------

    def _search(self, call: Call, arguments: SearchArguments) -> dict[str, Any]:
        if not arguments.query.strip():
            return {"results": []}
        authorized = self._authorization.authorize(call.prompt, arguments.workspace, Action.READ)
        request = SearchRequest(
            arguments.query,
            max_results=arguments.max_results,
            min_score=arguments.min_score,
            sources=_SOURCES.get(arguments.corpus or "", frozenset()),
            among=authorized.ids,
        )

        def by_words(reason: str) -> SearchAnswer:
            future = self.engine.search(replace(request, mode=Mode.LEXICAL), call.cancel)
            return _explained(self._in_words(future, call), reason)

        with self._background.reporting(call.report):
            answer = self._hybrid_or_words(
                lambda cancel: self.engine.search(request, cancel), by_words, call
            )
        self._background.refresh(authorized.workspaces)
        call.hits = _audited(answer.hits)
        settings = self.engine.settings.settings
        if settings.dreaming.enabled:  # else a first answer would wait for an unused import
            self.engine.dreams.record_hits(arguments.query, answer.hits)
        citations = settings.memory_search.citations
        reply = answer_json.search_answer(answer, citations=citations)
        return {"notice": NOTICE, **reply, **_not_searched(authorized)}

    def _get(self, call: Call, arguments: GetArguments) -> dict[str, Any]:
        authorized = self._authorization.authorize(call.prompt, arguments.workspace, Action.READ)
        path = arguments.path
        pages = [
            (workspace, self._page(call, workspace.id, path, arguments.from_, arguments.lines))
            for workspace in self._workspaces_with(call, authorized, path)
        ]
        if len(pages) > 1:
            names = ", ".join(workspace.name for workspace, _ in pages)
            raise WorkspaceMissing(
                "Say which workspace",
                msg("{path} is in {names}.", path=path, names=names),
                hint="Pass workspace.",
            )
        workspace, page = pages[0]
        if page.line_count:
            last = page.first_line + page.line_count - 1
            call.hits = (AuditedHit(workspace.id, page.path, page.first_line, last),)
        return {"notice": NOTICE, **answer_json.note_page(page), "workspace": workspace.id}

    def _context(self, call: Call, arguments: ContextArguments) -> dict[str, Any]:
        authorized = self._authorization.authorize(call.prompt, None, Action.READ)
        message, among = arguments.message, authorized.ids

        def by_words(reason: str) -> ContextAnswer:
            future = self.engine.context(message, call.cancel, among=among, words_only=True)
            context = self._in_words(future, call)
            return replace(context, answer=context.answer and _explained(context.answer, reason))

        with self._background.reporting(call.report):
            context = self._hybrid_or_words(
                lambda cancel: self.engine.context(message, cancel, among=among), by_words, call
            )
        self._background.refresh(authorized.workspaces)
        call.hits = _audited(context.hits)
        reply = answer_json.context_answer(context)
        return {"notice": NOTICE, **reply, **_not_searched(authorized)}

    def _status(self, call: Call, _: Arguments) -> dict[str, Any]:
        caller = call.prompt.caller
        visible = {workspace.id for workspace in self._authorization.visible(caller)}
        status = self._in_time(self.engine.current_status(), call, call.left_s)
        statuses = tuple(item for item in status.workspaces if item.workspace.id in visible)
        reply = answer_json.engine_status(replace(status, workspaces=statuses))
        for entry in reply["workspaces"]:
            entry["access"] = {
                str(action): str(self.engine.agents.permission(caller.name, entry["id"], action))
                for action in Action
            }
        return {"you": caller.name, **reply}

    def _write(self, call: Call, arguments: WriteArguments) -> dict[str, Any]:
        authorized = self._authorization.authorize(call.prompt, arguments.workspace, Action.WRITE)
        if len(authorized.workspaces) > 1:
            names = ", ".join(workspace.id for workspace in authorized.workspaces)
            raise WorkspaceMissing(
                "Say which workspace",
                msg("There are {names}.", names=names),
                hint="Pass workspace.",
            )
        workspace = authorized.workspaces[0]
        future = self.engine.notes.remember(workspace.id, arguments.text)
        entry = self._in_time(future, call, call.left_s)
        call.hits = (AuditedHit(workspace.id, entry.path, entry.first_line, entry.last_line),)
        return {
            "workspace": workspace.id,
            "path": entry.path,
            "startLine": entry.first_line,
            "endLine": entry.last_line,
        }

    # -- searching and reading ----------------------------------------------------------------

    def _hybrid_or_words(
        self,
        start_hybrid: Callable[[CancelToken], Future[T]],
        by_words: Callable[[str], T],
        call: Call,
    ) -> T:
        """The hybrid answer, or if that is late the answer by words, with the reason."""
        status = self.engine.status()
        is_cold = status.backend.name == "builtin" and not status.model.is_ready
        hybrid = CancelToken()
        future = start_hybrid(hybrid)
        try:
            return self._in_time(future, call, _COLD_S if is_cold else call.left_s)
        except TimeoutError:
            if not is_cold:
                hybrid.cancel()
                return by_words("The model did not answer in time.")
            # Not cancelled: this search loads the model for the next one.
            return by_words("The model is still starting; words answered. Ask again for more.")
        except Cancelled:
            hybrid.cancel()
            raise

    def _in_words(self, future: Future[T], call: Call) -> T:
        try:
            return self._in_time(future, call, _WORDS_S)
        except TimeoutError as error:
            raise IndexUnavailable(
                "The notes cannot be searched right now",
                "The index did not answer in time.",
                hint="Try again in a minute.",
            ) from error

    def _workspaces_with(self, call: Call, authorized: Authorized, path: str) -> list[Workspace]:
        """The workspaces that have a note; the first one if none has it."""
        workspaces = authorized.workspaces
        if len(workspaces) == 1:
            return [workspaces[0]]
        holders: list[Workspace] = []
        refusal: NoteRefused | None = None
        for workspace in workspaces:
            try:
                if self._page(call, workspace.id, path, 1, 1).line_count:
                    holders.append(workspace)
            except NoteRefused as error:
                refusal = error
        if not holders and refusal:
            raise refusal
        return holders or [workspaces[0]]

    def _page(
        self, call: Call, workspace_id: str, path: str, first: int, lines: int | None
    ) -> NotePage:
        page = self.engine.notes.page(workspace_id, path, first_line=first, line_count=lines)
        return self._in_time(page, call, call.left_s)

    def _whole_text(self, call: Call, workspace_id: str, path: str) -> str:
        parts: list[str] = []
        size, line, last = 0, 1, 0
        while size < _RESOURCE_CHARACTERS:
            page = self._page(call, workspace_id, path, line, None)
            parts.append(page.text)
            size += len(page.text) + 1
            last = page.first_line + page.line_count - 1
            if page.next_line is None:
                break
            line = page.next_line
        call.hits = (AuditedHit(workspace_id, path, 1, max(last, 1)),)
        return "\n".join(parts)

    def _in_time(self, future: Future[T], call: Call, seconds: float) -> T:
        """The result. Raises TimeoutError after some seconds, Cancelled at once."""
        is_over = threading.Event()
        future.add_done_callback(lambda _: is_over.set())
        with call.cancel.calling(is_over.set):
            is_over.wait(seconds)
        call.cancel.check()
        return future.result(0)

    @contextlib.contextmanager
    def _logged(
        self, call: Call, refusals: type[Exception] | tuple[type[Exception], ...]
    ) -> Iterator[None]:
        """Adds a call to the audit log at its end; some errors count as refusals."""
        outcome, reason = "failed", "an unexpected error"
        try:
            yield
            outcome, reason = "answered", ""
        except Cancelled:
            outcome, reason = "cancelled", ""
            raise
        except ScrubjayError as error:
            outcome = "refused" if isinstance(error, refusals) else "failed"
            reason = error.title
            raise
        finally:
            prompt = call.prompt
            self.engine.agents.record(
                AuditEntry(
                    prompt.caller.name,
                    prompt.tool,
                    prompt.query,
                    call.hits if outcome == "answered" else (),
                    outcome,
                    reason,
                    call.elapsed_s * 1000,
                    prompt.caller.title,
                )
            )


def _explained(answer: SearchAnswer, reason: str) -> SearchAnswer:
    return replace(answer, fallback_reason=answer.fallback_reason or reason)


def _query_of(arguments: dict[str, Any]) -> str:
    """The query for the audit log, never the text that is to be written."""
    values = (arguments.get(key) for key in ("query", "message", "path"))
    return next((value for value in values if isinstance(value, str)), "")


def _audited(hits: tuple[Hit, ...]) -> tuple[AuditedHit, ...]:
    return tuple(AuditedHit(hit.workspace, hit.path, hit.first_line, hit.last_line) for hit in hits)


def _not_searched(authorized: Authorized) -> dict[str, Any]:
    left_out = [
        {"workspace": workspace.id, "reason": reason} for workspace, reason in authorized.left_out
    ]
    return {"notSearched": left_out} if left_out else {}


def _failed(name: str, error: ScrubjayError) -> Reply:
    """An answer if notes cannot be searched; else an error with its next step."""
    is_off = isinstance(error, IndexUnavailable | WorkspaceMissing)
    if is_off and name in ("memory_search", "memory_context"):
        return Reply(answer_json.unavailable(error))
    reason = f"{error.title}: {error.message}" if error.message else error.title
    return Reply({"error": reason} | ({"action": error.hint} if error.hint else {}), is_error=True)
