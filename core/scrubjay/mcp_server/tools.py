"""The tools: what is asked becomes calls of the engine, and what is found becomes JSON."""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Callable
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
from scrubjay.mcp_server.authorization import Access, AccessRequestPrompt, Allowed, Caller
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

_PATIENCE_S = 20.0
"""Every answer has to be there after 30 s; this leaves time for words."""
_COLD_S = 0.7
"""A model that is not awake yet is waited for so long; then words answer, and say so."""
_WORDS_S = 4.0
"""Words that take longer are given up; both together stay below those 30 s."""
_RESOURCE_CHARACTERS = 200_000
"""A resource beyond this is cut; memory_get reads any line."""
_SOURCES = {
    "memory": frozenset({Source.MEMORY, Source.NOTES, Source.EXTRA}),
    "sessions": frozenset({Source.SESSIONS}),
}


@dataclass(frozen=True, slots=True)
class Reply:
    """What goes back to the agent."""

    structured: dict[str, Any]
    is_error: bool = False

    @property
    def text(self) -> str:
        """The same as text, for agents that read no structured content."""
        return json.dumps(self.structured, ensure_ascii=False)


@dataclass(slots=True)
class Call:
    """One request on its way through a tool."""

    asking: AccessRequestPrompt
    report: Report
    shown: tuple[AuditedHit, ...] = ()
    began: float = field(default_factory=time.perf_counter)

    @property
    def left_s(self) -> float:
        """How long it may still take; some time for words is always left."""
        return max(1.0, _PATIENCE_S - (time.perf_counter() - self.began))

    @property
    def cancel(self) -> CancelToken:
        """Set when the agent has lost interest."""
        return self.asking.cancel


class MemoryTools:
    """Answers tool calls. For any thread; blocks until the answer is there."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._access = Access(engine)
        self._upkeep = BackgroundIndexer(engine)
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
        """Answer a call, and note it in the guest book. Raises Cancelled."""
        query = _query_of(arguments)
        call = Call(AccessRequestPrompt(caller, name, query, cancel), report)
        outcome, reason = "failed", "an unexpected error"
        try:
            reply = Reply(self._runs[name](call, checked(name, arguments)))
            outcome, reason = "answered", ""
        except Cancelled:
            outcome, reason = "cancelled", ""
            raise
        except ScrubjayError as error:
            is_refusal = isinstance(error, AccessRefused | NoteRefused)
            outcome, reason = "refused" if is_refusal else "failed", error.title
            return _failed(name, error)
        except Exception:  # an agent gets an answer whatever happens; the log has the rest
            log.exception("%s failed", name)
            bug = {"error": "Scrubjay made a mistake; its log says more.", "action": "Try again."}
            return Reply(bug, is_error=True)
        finally:
            self._note(call, outcome, reason)
        return reply

    def read(self, workspace_id: str, path: str, caller: Caller, cancel: CancelToken) -> str:
        """Text of a memory file as a resource. Raises ScrubjayError or Cancelled."""
        call = Call(AccessRequestPrompt(caller, "resource", path, cancel), _no_report)
        outcome, reason = "failed", ""
        try:
            allowed = self._access.allowed(call.asking, workspace_id, Action.READ)
            text = self._whole(call, allowed.workspaces[0].id, path)
            outcome = "answered"
        except Cancelled:
            outcome = "cancelled"
            raise
        except ScrubjayError as error:
            outcome, reason = "refused", error.title
            raise
        finally:
            self._note(call, outcome, reason)
        return text

    # -- the tools ----------------------------------------------------------------------------

    def _search(self, call: Call, given: SearchArguments) -> dict[str, Any]:
        if not given.query.strip():
            return {"results": []}
        allowed = self._access.allowed(call.asking, given.workspace, Action.READ)
        request = SearchRequest(
            given.query,
            max_results=given.max_results,
            min_score=given.min_score,
            sources=_SOURCES.get(given.corpus or "", frozenset()),
            among=frozenset(one.id for one in allowed.workspaces),
        )
        with self._upkeep.reporting(call.report):
            answer = self._answer(request, call)
        self._upkeep.after(allowed.workspaces)
        call.shown = _shown(answer.hits)
        chosen = self._engine.settings.settings
        if chosen.dreaming.enabled:  # else a first answer would wait for a part that nobody uses
            self._engine.dreams.record_hits(given.query, answer.hits)
        citations = chosen.memory_search.citations
        reply = answer_json.search_answer(answer, citations=citations)
        return {"notice": NOTICE, **reply, **_left_out(allowed)}

    def _get(self, call: Call, given: GetArguments) -> dict[str, Any]:
        allowed = self._access.allowed(call.asking, given.workspace, Action.READ)
        pages = [
            (one, self._page(call, one.id, given.path, given.from_, given.lines))
            for one in self._holders(call, allowed, given.path)
        ]
        if len(pages) > 1:
            names = ", ".join(one.name for one, _ in pages)
            raise WorkspaceMissing(
                "Say which workspace",
                msg("{path} is in {names}.", path=given.path, names=names),
                hint="Pass workspace.",
            )
        workspace, page = pages[0]
        if page.line_count:
            last = page.first_line + page.line_count - 1
            call.shown = (AuditedHit(workspace.id, page.path, page.first_line, last),)
        return {"notice": NOTICE, **answer_json.note_page(page), "workspace": workspace.id}

    def _context(self, call: Call, given: ContextArguments) -> dict[str, Any]:
        allowed = self._access.allowed(call.asking, None, Action.READ)
        among = frozenset(one.id for one in allowed.workspaces)

        def ask(cancel: CancelToken) -> Future[ContextAnswer]:
            return self._engine.context(given.message, cancel, among=among)

        def words(reason: str) -> ContextAnswer:
            found = self._in_words(
                self._engine.context(given.message, call.cancel, among=among, words_only=True), call
            )
            return replace(found, answer=found.answer and _explained(found.answer, reason))

        with self._upkeep.reporting(call.report):
            found = self._by_meaning_or_words(ask, words, call)
        self._upkeep.after(allowed.workspaces)
        call.shown = _shown(found.hits)
        return {"notice": NOTICE, **answer_json.context_answer(found), **_left_out(allowed)}

    def _status(self, call: Call, _: Arguments) -> dict[str, Any]:
        visible = {one.id for one in self._access.visible(call.asking.caller)}
        status = self._in_time(self._engine.current_status(), call, call.left_s)
        kept = tuple(one for one in status.workspaces if one.workspace.id in visible)
        reply = answer_json.engine_status(replace(status, workspaces=kept))
        for one in reply["workspaces"]:
            one["access"] = {
                str(action): str(
                    self._engine.agents.permission(call.asking.caller.name, one["id"], action)
                )
                for action in Action
            }
        return {"you": call.asking.caller.name, **reply}

    def _write(self, call: Call, given: WriteArguments) -> dict[str, Any]:
        allowed = self._access.allowed(call.asking, given.workspace, Action.WRITE)
        if len(allowed.workspaces) > 1:
            names = ", ".join(one.id for one in allowed.workspaces)
            raise WorkspaceMissing(
                "Say which workspace",
                msg("There are {names}.", names=names),
                hint="Pass workspace.",
            )
        workspace = allowed.workspaces[0]
        done = self._in_time(
            self._engine.notes.remember(workspace.id, given.text), call, call.left_s
        )
        call.shown = (AuditedHit(workspace.id, done.path, done.first_line, done.last_line),)
        return {
            "workspace": workspace.id,
            "path": done.path,
            "startLine": done.first_line,
            "endLine": done.last_line,
        }

    # -- searching and reading ----------------------------------------------------------------

    def _answer(self, request: SearchRequest, call: Call) -> SearchAnswer:
        def words(reason: str) -> SearchAnswer:
            by_words = replace(request, mode=Mode.LEXICAL)
            found = self._in_words(self._engine.search(by_words, call.cancel), call)
            return _explained(found, reason)

        return self._by_meaning_or_words(
            lambda cancel: self._engine.search(request, cancel), words, call
        )

    def _by_meaning_or_words(
        self, ask: Callable[[CancelToken], Future[T]], words: Callable[[str], T], call: Call
    ) -> T:
        """What was asked, or when that is late the answer of words, which are told why."""
        status = self._engine.status()
        is_cold = status.backend.name == "builtin" and not status.model.is_ready
        hybrid = CancelToken()
        future = ask(hybrid)
        try:
            return self._in_time(future, call, _COLD_S if is_cold else call.left_s)
        except TimeoutError:
            if not is_cold:
                hybrid.cancel()
                return words("The model did not answer in time.")
            # Not cancelled: this search wakes the model for the next one.
            return words("The model is still starting; words answered. Ask again for more.")
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

    def _holders(self, call: Call, allowed: Allowed, path: str) -> list[Workspace]:
        """The workspaces that have a note; one of them all the same when none has it."""
        if len(allowed.workspaces) == 1:
            return [allowed.workspaces[0]]
        holders: list[Workspace] = []
        refusal: NoteRefused | None = None
        for one in allowed.workspaces:
            try:
                if self._page(call, one.id, path, 1, 1).line_count:
                    holders.append(one)
            except NoteRefused as error:
                refusal = error
        if not holders and refusal:
            raise refusal
        return holders or [allowed.workspaces[0]]

    def _page(
        self, call: Call, workspace_id: str, path: str, first: int, lines: int | None
    ) -> NotePage:
        page = self._engine.notes.page(workspace_id, path, first_line=first, line_count=lines)
        return self._in_time(page, call, call.left_s)

    def _whole(self, call: Call, workspace_id: str, path: str) -> str:
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
        call.shown = (AuditedHit(workspace_id, path, 1, max(last, 1)),)
        return "\n".join(parts)

    def _in_time(self, future: Future[T], call: Call, seconds: float) -> T:
        """The result. Raises TimeoutError after some seconds, Cancelled at once."""
        is_over = threading.Event()
        future.add_done_callback(lambda _: is_over.set())
        with call.cancel.calling(is_over.set):
            is_over.wait(seconds)
        call.cancel.check()
        return future.result(0)

    def _note(self, call: Call, outcome: str, reason: str) -> None:
        asking = call.asking
        elapsed_ms = (time.perf_counter() - call.began) * 1000
        self._engine.agents.record(
            AuditEntry(
                asking.caller.name,
                asking.tool,
                asking.query,
                call.shown if outcome == "answered" else (),
                outcome,
                reason,
                elapsed_ms,
                asking.caller.title,
            )
        )


def _explained(answer: SearchAnswer, reason: str) -> SearchAnswer:
    return replace(answer, fallback_reason=answer.fallback_reason or reason)


def _query_of(arguments: dict[str, Any]) -> str:
    """What the guest book notes: what was asked, never what is to be written."""
    found = (arguments.get(key) for key in ("query", "message", "path"))
    return next((one for one in found if isinstance(one, str)), "")


def _shown(hits: tuple[Hit, ...]) -> tuple[AuditedHit, ...]:
    return tuple(AuditedHit(hit.workspace, hit.path, hit.first_line, hit.last_line) for hit in hits)


def _left_out(allowed: Allowed) -> dict[str, Any]:
    left_out = [{"workspace": one.id, "reason": reason} for one, reason in allowed.left_out]
    return {"notSearched": left_out} if left_out else {}


def _failed(name: str, error: ScrubjayError) -> Reply:
    """What cannot be searched is an answer; everything else is an error that says what to do."""
    is_off = isinstance(error, IndexUnavailable | WorkspaceMissing)
    if is_off and name in ("memory_search", "memory_context"):
        return Reply(answer_json.unavailable(error))
    reason = f"{error.title}: {error.message}" if error.message else error.title
    return Reply({"error": reason} | ({"action": error.hint} if error.hint else {}), is_error=True)


def _no_report(done: float, total: float | None, message: str) -> None:
    """Nobody listens."""
