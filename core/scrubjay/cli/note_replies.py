"""Replies of the commands that read notes, from the engine of any process."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import Any, Protocol, TypeAlias, TypeVar

from msgspec import Struct

from scrubjay.answers import answer_json
from scrubjay.cli.answer_lines import answer_lines
from scrubjay.cli.output import json_text
from scrubjay.cli.reply import Reply
from scrubjay.cli.session import requested_workspace_id, select_workspaces
from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.errors import ScrubjayError, WorkspaceMissing
from scrubjay.records.audience import AGENT, PERSON, SCRIPT, Reader
from scrubjay.records.conversation import Conversation
from scrubjay.records.note_records import NoteAddress, PageRequest, Workspace
from scrubjay.records.page_start import PageStart
from scrubjay.records.search_modes import Mode, Order
from scrubjay.records.search_records import SECOND_LOOK_SECONDS, SearchRequest

T = TypeVar("T")

Wait: TypeAlias = Callable[[Engine, Future[Any]], Any]
"""Function that takes the result of long work."""


class _Asked(Struct, frozen=True):
    """Notes that a command reads."""

    engine: Engine
    wait: Wait
    searched: tuple[Workspace, ...]
    """Workspaces that are searched: the one that is named, or all."""
    named: Workspace | None
    """Workspace that is named."""


class _Command(Protocol):
    """The arguments of a command, which answers with them."""

    def reply(self, asked: _Asked) -> Reply:
        """The reply of the command. Raises ScrubjayError."""


def reply_to_command(
    name: str, engine: Engine, arguments: Mapping[str, Any], wait: Wait | None = None
) -> Reply:
    """The reply of a command. Raises KeyError and TypeError for what no such command takes."""
    # All commands have the option, and what it names is looked up once.
    own_arguments = dict(arguments)
    folder = own_arguments.pop("workspace")
    command = _COMMANDS[name](**own_arguments)
    try:
        searched = select_workspaces(engine, folder, with_shared=True)
        named = None
        if folder:
            named = searched[0]
        return command.reply(_Asked(engine, wait or _result, searched=searched, named=named))
    except ScrubjayError as error:
        # Programs that read JSON get errors as JSON, too.
        if arguments.get("as_json") and name != "get":
            return Reply(text=json_text(answer_json.unavailable_json(error).as_json()), code=1)
        return Reply(warnings=[f"scrubjay: {error}"], code=1)


def _result(_engine: Engine, future: Future[T]) -> T:
    return future.result()


class _Search(Struct, frozen=True, kw_only=True):
    """Arguments of `scrubjay search`."""

    query: str
    mode: str
    max_results: int | None
    min_score: float | None
    order: str
    session_key: str
    explain: bool
    as_json: bool
    reader: str = Reader.PERSON
    second_look: bool = False

    def reply(self, asked: _Asked) -> Reply:
        """The hits, as lines or as JSON, which has the same."""
        audience = SCRIPT if self.as_json else PERSON
        if self.reader == Reader.AGENT:
            audience = AGENT
        request = SearchRequest(
            self.query,
            requested_workspace_id(asked.named),
            Mode(self.mode),
            max_results=self.max_results,
            min_score=self.min_score,
            conversation=Conversation(self.session_key),
            audience=audience,
            order=Order(self.order),
            second_look_seconds=_second_look_seconds(asked, is_wanted=self.second_look),
        )
        engine = asked.engine
        answer = asked.wait(engine, engine.search(request, CancelToken()))
        if self.as_json:
            citations = engine.settings.settings.memory_search.citations
            found = answer_json.search_answer_json(
                answer, citations=citations, explain=self.explain
            )
            return Reply(text=json_text(found.as_json()))
        names = {each.id: each.name for each in asked.searched}
        return Reply([*answer_lines(answer, names, explain=self.explain)])


class _Context(Struct, frozen=True, kw_only=True):
    """Arguments of `scrubjay context`."""

    message: str
    session_key: str
    as_json: bool
    second_look: bool = False

    def reply(self, asked: _Asked) -> Reply:
        """The quotations from the notes, as text or as JSON."""
        request = SearchRequest(
            self.message,
            requested_workspace_id(asked.named),
            conversation=Conversation(self.session_key),
            second_look_seconds=_second_look_seconds(asked, is_wanted=self.second_look),
        )
        engine = asked.engine
        answer = asked.wait(engine, engine.context(request, CancelToken()))
        if self.as_json:
            return Reply(text=json_text(answer_json.context_answer_json(answer).as_json()))
        return Reply(text=answer.digest or "Nothing relevant found.")


class _Get(Struct, frozen=True, kw_only=True):
    """Arguments of `scrubjay get`."""

    path: str
    start: str
    lines: int | None
    session_key: str
    as_json: bool

    def reply(self, asked: _Asked) -> Reply:
        """A page of a note, as text or as JSON."""
        if len(asked.searched) > 1:
            names = ", ".join(each.name for each in asked.searched)
            raise WorkspaceMissing(
                "Specify a workspace",
                f"Available workspaces: {names}.",
                hint="Use --workspace NAME.",
            )
        # A conversation may have rules of its own for what is read.
        start = PageStart(self.start)
        page = asked.engine.notes.page(
            NoteAddress(asked.searched[0].id, self.path),
            PageRequest(start.line, self.lines, first_column=start.column),
            conversation=Conversation(self.session_key),
        ).result()
        if self.as_json:
            return Reply(text=json_text(answer_json.note_page_json(page).as_json()))
        # Programs that read JSON see that it is missing; text alone would look like an empty note.
        if page.is_missing:
            where = asked.searched[0].name
            sentence = f"There is no note at {page.path} in the workspace {where}."
            return Reply(warnings=[f"scrubjay: {sentence}"], code=1)
        text = f"{page.text}\n"
        if page.next_line is None:
            return Reply(text=text)
        line = page.next_line
        start = PageStart(f"{line}:{page.next_column}")
        return Reply(
            text=text,
            warnings=[f"There is more text from line {line} on. To continue, add --from {start}."],
        )


def _second_look_seconds(asked: _Asked, *, is_wanted: bool) -> float:
    """Seconds for a second look. Raises ModelMissing or ModelRefused if nothing can have one."""
    if not is_wanted:
        return 0.0
    asked.engine.models.check_reader()
    return SECOND_LOOK_SECONDS


_COMMANDS: Mapping[str, Callable[..., _Command]] = {
    "search": _Search,
    "context": _Context,
    "get": _Get,
}
