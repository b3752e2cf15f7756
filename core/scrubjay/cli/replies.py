"""Replies of the commands that read the notes, from an engine of any process."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import Any, TypeAlias, TypeVar

from scrubjay.answers import answer_json
from scrubjay.cli.answer_lines import answer_lines
from scrubjay.cli.output import json_text
from scrubjay.cli.reply import Reply
from scrubjay.cli.session import chosen
from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.errors import ScrubjayError, WorkspaceMissing
from scrubjay.records.audience import AGENT, PERSON
from scrubjay.records.conversation import Conversation
from scrubjay.records.note_records import PageRequest
from scrubjay.records.search_modes import Mode, Order
from scrubjay.records.search_records import SearchRequest

T = TypeVar("T")

Wait: TypeAlias = Callable[[Engine, Future[Any]], Any]
"""Takes the result of long work."""


def reply_to(
    name: str, engine: Engine, arguments: Mapping[str, Any], wait: Wait | None = None
) -> Reply:
    """The reply of a command. Raises KeyError and TypeError for what no such command takes."""
    as_json = bool(arguments.get("as_json"))
    command = _COMMANDS[name]
    try:
        return command(engine, wait or _result, **arguments)
    except ScrubjayError as error:
        if as_json and name != "get":  # programs that read JSON get errors as JSON
            return Reply(text=json_text(answer_json.unavailable(error).as_json()), code=1)
        return Reply(warnings=[f"scrubjay: {error}"], code=1)


def _result(_engine: Engine, future: Future[T]) -> T:
    return future.result()


def _search(
    engine: Engine,
    wait: Wait,
    query: str,
    workspace: str | None,
    mode: str,
    max_results: int | None,
    min_score: float | None,
    order: str,
    session_key: str,
    explain: bool,
    as_json: bool,
) -> Reply:
    searched = chosen(engine, workspace, with_shared=True)
    request = SearchRequest(
        query,
        searched[0].id if workspace else None,
        Mode(mode),
        max_results=max_results,
        min_score=min_score,
        conversation=Conversation(session_key),
        audience=AGENT if as_json else PERSON,
        order=Order(order),
    )
    answer = wait(engine, engine.search(request, CancelToken()))
    if as_json:
        citations = engine.settings.settings.memory_search.citations
        found = answer_json.search_answer(answer, citations=citations, explain=explain)
        return Reply(text=json_text(found.as_json()))
    names = {each.id: each.name for each in searched}
    return Reply([*answer_lines(answer, names, explain=explain)])


def _context(
    engine: Engine, wait: Wait, message: str, workspace: str | None, session_key: str, as_json: bool
) -> Reply:
    searched = chosen(engine, workspace, with_shared=True)
    name = searched[0].id if workspace else None
    request = SearchRequest(message, name, conversation=Conversation(session_key))
    answer = wait(engine, engine.context(request, CancelToken()))
    if as_json:
        return Reply(text=json_text(answer_json.context_answer(answer).as_json()))
    return Reply(text=answer.digest or "The notes say nothing about this.")


def _get(
    engine: Engine,
    _wait: Wait,
    path: str,
    first_line: int,
    lines: int | None,
    workspace: str | None,
    session_key: str,
    as_json: bool,
) -> Reply:
    workspaces = chosen(engine, workspace, with_shared=True)
    if len(workspaces) > 1:
        names = ", ".join(each.name for each in workspaces)
        raise WorkspaceMissing(
            "Say which workspace", f"There are {names}.", hint="Use --workspace NAME."
        )
    request = PageRequest(first_line, lines)
    page = engine.notes.page(workspaces[0].id, path, request, Conversation(session_key)).result()
    if as_json:
        return Reply(text=json_text(answer_json.note_page(page).as_json()))
    line = page.next_line
    more = [] if line is None else [f"More from line {line} (--from {line})."]
    return Reply(text=f"{page.text}\n", warnings=more)


_COMMANDS: Mapping[str, Callable[..., Reply]] = {
    "search": _search,
    "context": _context,
    "get": _get,
}
