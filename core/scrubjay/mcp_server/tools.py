"""The tools, which turn arguments into calls of the engine, and results into JSON."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from scrubjay.agents.edits.edit_records import EditConflict, EditRequest
from scrubjay.answers import answer_json
from scrubjay.answers.answer_json import (
    ContextJson,
    Found,
    SearchJson,
    StatusJson,
    ToolAnswer,
    WrittenJson,
)
from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.errors import (
    AccessRefused,
    Cancelled,
    IndexUnavailable,
    NoteRefused,
    NotWritable,
    ScrubjayError,
    SearchOff,
    WorkspaceMissing,
)
from scrubjay.mcp_server.authorization import (
    Authorization,
    Caller,
    ToolCall,
    authorize,
    confirm_access,
    permissions_of,
    workspaces_with_permission,
)
from scrubjay.mcp_server.background_index import BackgroundIndexer, Report
from scrubjay.mcp_server.browsing import NoteTools
from scrubjay.mcp_server.tool_arguments import (
    Arguments,
    ContextArguments,
    GetArguments,
    LinksArguments,
    ListArguments,
    SearchArguments,
    StatusArguments,
    WriteArguments,
    checked_arguments,
)
from scrubjay.messages import msg
from scrubjay.notes.note_pages import PAGE_CHARACTERS
from scrubjay.platform.crash_reports import is_program_gone
from scrubjay.records.access_records import Action, AuditedHit, AuditEntry, Permission
from scrubjay.records.conversation import Conversation
from scrubjay.records.note_records import NoteAddress, PageRequest, Source
from scrubjay.records.search_modes import Mode
from scrubjay.records.search_records import (
    SECOND_LOOK_SECONDS,
    ContextAnswer,
    Hit,
    SearchAnswer,
    SearchRequest,
)
from scrubjay.records.status_records import EngineStatus
from scrubjay.records.workspace_id import WorkspaceId
from scrubjay.text.file_kinds import is_curated_memory
from scrubjay.text.printable import visible_text
from scrubjay.text.quotation import quoted_answer

log = logging.getLogger(__name__)

T = TypeVar("T")
A = TypeVar("A", SearchAnswer, ContextAnswer)

# Clients give a tool up after some time, many of them after 30 s.
ANSWER_S = 20.0
"""Seconds until a whole search is given up, which leaves time for one by words."""
COLD_S = 0.7
"""Seconds for a model that is not loaded yet, before words answer if they find anything sure."""
WORDS_S = 4.0
"""Seconds for a search by words; both together stay below those 30 s."""
_LOGGED = ("query", "message", "path")
"""Arguments that the audit log shows, of which each tool has one at the most."""
_PROPOSED = "Nothing has been written yet. The user will review the change in Scrubjay."
"""Notice of memory_write where changes are reviewed."""
_READ_MORE = (
    "The text is the beginning of the note as it is now. Read what you want to change with "
    "memory_get, and repeat the change with this hash."
)
"""What to do after a conflict in a long note."""
_STARTING = (
    "The model is still starting, so this search was by words only. Ask again for more results."
)
"""Reason in such an answer. The hybrid search goes on, and loads the model for the next one."""
_SOURCES = {
    "memory": frozenset({Source.MEMORY, Source.NOTES, Source.EXTRA}),
    "sessions": frozenset({Source.SESSIONS}),
}
"""Corpus of a request -> origins of the notes that are searched; all for any other."""


class ToolReply(Struct, frozen=True):
    """The result of a tool for the agent."""

    structured: dict[str, Any]
    is_error: bool = False
    cause: Exception | None = None
    """Error that the reply tells; None where there is an answer."""


class MemoryTools:
    """Answers calls of the tools. For any thread; blocks until the answer is there."""

    def __init__(
        self,
        engine: Engine,
        *,
        answer_s: float = ANSWER_S,
        cold_s: float = COLD_S,
        words_s: float = WORDS_S,
    ) -> None:
        self.engine = engine
        self._answer_s = answer_s
        self._cold_s = cold_s
        self._words_s = words_s
        self._background = BackgroundIndexer(engine)
        self._notes = NoteTools(engine, answer_s)
        # Each tool with the model that its arguments are checked by.
        self._runs: dict[str, tuple[type[Arguments], Callable[[ToolCall, Any], ToolAnswer]]] = {
            "memory_search": (SearchArguments, self._search),
            "memory_get": (GetArguments, self._notes.get),
            "memory_list": (ListArguments, self._notes.list),
            "memory_links": (LinksArguments, self._notes.links),
            "memory_context": (ContextArguments, self._context),
            "memory_status": (StatusArguments, self._status),
            "memory_write": (WriteArguments, self._write),
        }

    def begin(self) -> None:
        """Read changed notes, as the settings say, when the server starts."""
        self._background.look()

    def call(
        self,
        name: str,
        arguments: dict[str, Any],
        caller: Caller,
        cancel: CancelToken,
        report: Report = lambda *_: None,
    ) -> ToolReply:
        """The reply of a tool; the call is added to the audit log. Raises Cancelled."""
        # The text that is to be written is not for the log.
        values = (arguments.get(key) for key in _LOGGED)
        query = next((value for value in map(_logged_text, values) if value), "")
        call = ToolCall(caller, name, query=query, cancel=cancel, report=report)
        model, run = self._runs[name]
        # An agent gets an answer in any case, which also says what the person can do.
        try:
            with self._logged(call, (AccessRefused, NoteRefused, SearchOff)):
                valid = checked_arguments(name, model, arguments)
                # What is searched is what the log shows, however it was passed.
                asked = (getattr(valid.arguments, key, "") for key in _LOGGED)
                call.query = next(filter(None, map(_logged_text, asked)), "")
                # What the agent's program says counts before what its model says.
                own_key = getattr(valid.arguments, "session_key", None)
                call.conversation = Conversation(caller.session_key or own_key or "")
                answer = run(call, valid.arguments)
                return ToolReply(quoted_answer(replace(answer, note=valid.note).as_json()))
        except Cancelled:
            raise
        except ScrubjayError as error:
            is_off = isinstance(error, IndexUnavailable | WorkspaceMissing)
            if is_off and name in ("memory_search", "memory_context"):
                return ToolReply(answer_json.unavailable_json(error).as_json(), cause=error)
            return ToolReply(_trouble(error), is_error=True, cause=error)
        except Exception as mistake:  # of ours
            log.exception("%s failed", name)
            if is_program_gone():
                gone = "Scrubjay was moved or removed while this server was running."
                restart = {"error": gone, "action": "Start the server again."}
                return ToolReply(restart, is_error=True, cause=mistake)
            bug = {
                "error": "An internal error occurred. For details, see Scrubjay's log.",
                "action": "Try again.",
            }
            return ToolReply(bug, is_error=True, cause=mistake)

    def read(self, note: NoteAddress, caller: Caller, cancel: CancelToken) -> str:
        """Text of a memory file as a resource. Raises ScrubjayError or Cancelled."""
        call = ToolCall(
            caller,
            "resource",
            query=note.path,
            cancel=cancel,
            conversation=Conversation(caller.session_key),
        )
        with self._logged(call, ScrubjayError):
            authorized = authorize(self.engine, call, note.workspace, action=Action.READ)
            note = NoteAddress(authorized.workspaces[0].id, note.path)
            page = self._notes.page(call, note, PageRequest(is_whole=True))
            last = max(page.line_count, 1)
            hit = AuditedHit(note.workspace, note.path, first_line=1, last_line=last)
            call.hits = (hit,)
            return page.text

    # -- the tools ----------------------------------------------------------------------------

    def _search(self, call: ToolCall, arguments: SearchArguments) -> SearchJson:
        if not arguments.query.strip():
            return SearchJson(results=[])
        authorized = authorize(self.engine, call, arguments.workspace, action=Action.READ)
        named: WorkspaceId | None = None
        if arguments.workspace:
            named = authorized.workspaces[0].id
        request = SearchRequest(
            arguments.query,
            named,
            max_results=arguments.max_results,
            min_score=arguments.min_score,
            sources=_SOURCES.get(arguments.corpus or "", frozenset()),
            among=authorized.ids,
            conversation=call.conversation,
            second_look_seconds=self._second_look_s(call),
        )
        with self._background.reporting(call.report):
            answer, reason = self._hybrid_or_words(
                lambda cancel: self.engine.search(request, cancel),
                lambda cancel: self.engine.search(replace(request, mode=Mode.LEXICAL), cancel),
                call,
            )
        answer = _explained(answer, reason)
        settings = self.engine.settings.settings
        # What agents find again and again may be worth a line in the memory.
        if settings.dreaming.enabled:  # else a first answer would wait for an unused import
            self.engine.dreams.record_hits(arguments.query, answer.hits)
        citations = settings.memory_search.citations
        reply = answer_json.search_answer_json(answer, citations=citations, is_short=True)
        return self._quoted(call, authorized, hits=(*answer.hits, *answer.uncertain), reply=reply)

    def _context(self, call: ToolCall, arguments: ContextArguments) -> ContextJson:
        authorized = authorize(self.engine, call, None, action=Action.READ)
        request = SearchRequest(
            arguments.message,
            among=authorized.ids,
            conversation=call.conversation,
            second_look_seconds=self._second_look_s(call),
        )
        with self._background.reporting(call.report):
            context, reason = self._hybrid_or_words(
                lambda cancel: self.engine.context(request, cancel),
                lambda cancel: self.engine.context(replace(request, mode=Mode.LEXICAL), cancel),
                call,
            )
        context = replace(context, answer=context.answer and _explained(context.answer, reason))
        reply = answer_json.context_answer_json(context, is_short=True)
        return self._quoted(call, authorized, hits=(*context.hits, *context.uncertain), reply=reply)

    def _quoted(
        self, call: ToolCall, authorized: Authorization, *, hits: Iterable[Hit], reply: Found
    ) -> Found:
        """The reply of a search with what was not searched; starts passes over the workspaces."""
        # After the answer, so that it waits for no pass.
        self._background.refresh(authorized.workspaces)
        call.hits = tuple(
            AuditedHit(hit.workspace, hit.path, first_line=hit.first_line, last_line=hit.last_line)
            for hit in hits
        )
        not_searched = [*authorized.not_searched, *reply.not_searched]
        return replace(reply, not_searched=not_searched)

    def _status(self, call: ToolCall, arguments: StatusArguments) -> StatusJson:
        caller = call.caller
        # Workspaces that are denied to the agent are not for it to know.
        workspaces = workspaces_with_permission(
            self.engine, caller, Permission.ALLOW, Permission.ASK
        )
        visible = {workspace.id for workspace in workspaces}
        status = call.result(self.engine.current_status(), self._answer_s)
        statuses = tuple(item for item in status.workspaces if item.workspace.id in visible)
        status = replace(status, workspaces=statuses)
        reply = answer_json.status_json(status, is_short=not arguments.details)
        for entry in reply.workspaces:
            entry["access"] = {}
        for action in Action:
            rules = permissions_of(self.engine, caller, action)
            permissions = {workspace.id: str(permission) for workspace, permission in rules}
            for entry in reply.workspaces:
                entry["access"][str(action)] = permissions.get(entry["id"], str(Permission.DENY))
        return replace(reply, you=caller.name)

    def _write(self, call: ToolCall, arguments: WriteArguments) -> WrittenJson:
        authorized = authorize(self.engine, call, arguments.workspace, action=Action.WRITE)
        # Where to write is never guessed, but a rule that allows one folder says enough.
        direct = [each for each in authorized.workspaces if each.id not in authorized.reviewed]
        workspaces = direct or authorized.workspaces
        if len(workspaces) > 1:
            names = ", ".join(workspace.id for workspace in workspaces)
            raise WorkspaceMissing(
                "Specify a workspace",
                msg("Available workspaces: {names}.", names=names),
                hint="Pass the workspace argument.",
            )
        workspace = workspaces[0]
        request = EditRequest(
            call.caller.name,
            NoteAddress(workspace.id, arguments.path or ""),
            edit=arguments.edit,
            expected=arguments.if_hash or "",
        )
        self._check_readable(call, request.note)
        # Which of the two it is depends on the rules alone, never on the agent.
        edits = self.engine.edits
        if workspace.id in authorized.reviewed:
            proposed = self._in_time(call, edits.propose(request))
            return WrittenJson(
                workspace=workspace.id,
                path=proposed.path,
                state="proposed",
                proposal=proposed.id,
                notice=_PROPOSED,
            )
        written = self._in_time(call, edits.write(request))
        # The agent may look for it in other words soon, which needs its vector.
        self._background.refresh((workspace,), is_changed=True)
        hit = AuditedHit(
            workspace.id, written.path, first_line=written.first_line, last_line=written.last_line
        )
        call.hits = (hit,)
        return WrittenJson(
            workspace=workspace.id,
            path=written.path,
            state="written",
            start_line=written.first_line,
            end_line=written.last_line,
            hash=written.digest,
        )

    def _in_time(self, call: ToolCall, change: Future[T]) -> T:
        """The result of a change. Raises NotWritable where it is late, as it may still be made."""
        try:
            return call.wait(change, call.left_s(self._answer_s))
        except (TimeoutError, OSError) as error:
            raise NotWritable(
                "The change was not confirmed in time",
                hint="Read the note to see whether it was changed before you try again.",
            ) from error

    def _check_readable(self, call: ToolCall, note: NoteAddress) -> None:
        """Raise NoteRefused for a note that the agent may not read.

        Where the user is asked, the question about writing stands for both.
        """
        denied = workspaces_with_permission(self.engine, call.caller, Permission.DENY)
        is_closed = note.workspace in {each.id for each in denied}
        if not call.conversation.is_private:
            is_closed = is_closed or is_curated_memory(Path(note.path))
        if note.path and is_closed:
            raise NoteRefused(
                msg("{name} cannot be changed", name=note.path),
                "You may change only notes that you may read.",
                hint="Without a path, the text is added to today's note.",
            )

    # -- searching and reading ----------------------------------------------------------------

    def _is_cold(self, status: EngineStatus) -> bool:
        """Whether a model has to start before it can answer."""
        # Where words alone are wanted, there is no model to start.
        if self.engine.settings.settings.memory_search.provider == "none":
            return False
        # QMD has its own model, of which nothing is known here.
        return status.backend.name == "builtin" and not status.model.is_ready

    def _second_look_s(self, call: ToolCall) -> float:
        """Seconds for which an answer may wait for a second look, so that it is not late."""
        # A model that has to start takes that time.
        if self._is_cold(self.engine.status()):
            return 0.0
        return min(SECOND_LOOK_SECONDS, call.left_s(self._answer_s) / 2)

    def _hybrid_or_words(
        self,
        start_hybrid: Callable[[CancelToken], Future[A]],
        start_words: Callable[[CancelToken], Future[A]],
        call: ToolCall,
    ) -> tuple[A, str]:
        """The hybrid answer, or if that is late the answer by words, with the reason.

        A model that is still starting is waited for where words alone find nothing sure.
        """
        status = self.engine.status()
        is_cold = self._is_cold(status)
        hybrid = CancelToken()
        future = start_hybrid(hybrid)
        seconds = self._cold_s if is_cold else call.left_s(self._answer_s)
        try:
            with contextlib.suppress(TimeoutError):
                return call.wait(future, seconds), ""
            # A model that is still starting continues, and is ready for the next search.
            if not is_cold:
                hybrid.cancel()
                return self._by_words(start_words, call), "The model did not respond in time."
            try:
                words = self._by_words(start_words, call)
            except IndexUnavailable:
                # What holds words up, such as a shared memory that is being opened, passes.
                with contextlib.suppress(TimeoutError):
                    return call.wait(future, call.left_s(self._answer_s)), ""
                raise
            if words.hits:
                why = ""
                if status.model.provider != "none":
                    why = status.model.reason
                return words, why or _STARTING
            with contextlib.suppress(TimeoutError):
                return call.wait(future, call.left_s(self._answer_s)), ""
            return (
                words,
                "The model did not start in time, and the search by words found nothing certain.",
            )
        except Cancelled:
            hybrid.cancel()
            raise

    def _by_words(self, start: Callable[[CancelToken], Future[A]], call: ToolCall) -> A:
        try:
            return call.wait(start(call.cancel), self._words_s)
        except TimeoutError as error:
            raise IndexUnavailable(
                "The notes cannot be searched right now",
                "The search index did not respond in time.",
                hint="Try again in a minute.",
            ) from error

    @contextlib.contextmanager
    def _logged(
        self, call: ToolCall, refusals: type[Exception] | tuple[type[Exception], ...]
    ) -> Iterator[None]:
        """A call under the settings of this moment, noted at its end; some errors are refusals."""
        outcome = "failed"
        reason = "an unexpected error"
        # The rules are checked once more at the end, since they may have changed in the meantime.
        try:
            call.result(self.engine.catch_up_with_settings(), self._answer_s)
            yield
            confirm_access(self.engine, call)
            outcome = "answered"
            reason = ""
        except Cancelled:
            outcome = "cancelled"
            reason = ""
            raise
        except ScrubjayError as error:
            outcome = "refused" if isinstance(error, refusals) else "failed"
            reason = error.title
            raise
        finally:
            self.engine.agents.record(
                AuditEntry(
                    agent=call.caller.name,
                    tool=call.tool,
                    query=call.query,
                    hits=call.hits if outcome == "answered" else (),
                    outcome=outcome,
                    reason=reason,
                    elapsed_ms=call.elapsed_s * 1000,
                    title=call.caller.title,
                    program=call.caller.program,
                    is_claimed=call.caller.is_claimed,
                )
            )


def _logged_text(value: Any) -> str:
    """An argument as the audit log shows it: a text, or several in a list."""
    if isinstance(value, list):
        return ", ".join(part for part in value if isinstance(part, str))
    return value if isinstance(value, str) else ""


def _trouble(error: ScrubjayError) -> dict[str, Any]:
    """An error for the agent, with what can be done about it."""
    trouble: dict[str, Any] = {"error": answer_json.error_reason(error)}
    if error.hint:
        trouble["action"] = error.hint
    if error.choices:
        trouble["choices"] = answer_json.quoted_names(error.choices)
    # The agent goes on from the newer text, without another call.
    if isinstance(error, EditConflict):
        trouble |= {"text": visible_text(error.text[:PAGE_CHARACTERS]), "hash": error.digest}
        if len(error.text) > PAGE_CHARACTERS:
            trouble["truncated"] = True
            trouble["action"] = _READ_MORE
    return quoted_answer(trouble)


def _explained(answer: SearchAnswer, reason: str) -> SearchAnswer:
    """The answer with a reason, unless it has one of its own."""
    return replace(answer, fallback_reason=answer.fallback_reason or reason)
