"""`scrubjay search`, `context` and `get`: the commands that read the notes."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Annotated, TypeAlias

from scrubjay.answers import answer_json
from scrubjay.cli import output
from scrubjay.cli.arguments import Option
from scrubjay.cli.session import AsJson, How, In, chosen, opened, wait
from scrubjay.concurrency.cancel import CancelToken
from scrubjay.errors import ScrubjayError, WorkspaceMissing
from scrubjay.records.conversation import Conversation
from scrubjay.records.search_records import Mode, Order, PageRequest, SearchRequest

SessionKey: TypeAlias = Annotated[
    str, Option(help="Key of the agent's conversation, as agent:main:telegram:group:42.")
]


def search(
    query: list[str],
    workspace: In = None,
    mode: How = Mode.HYBRID,
    max_results: Annotated[int | None, Option(low=1, help="Number of hits.")] = None,
    min_score: Annotated[float | None, Option(low=0, high=1, help="0 to 1.")] = None,
    order: Annotated[Order, Option(help="The best first, or by the days of the notes.")] = (
        Order.RELEVANCE
    ),
    session_key: SessionKey = "",
    explain: Annotated[bool, Option(help="Say why each hit is there.")] = False,
    as_json: AsJson = False,
) -> None:
    """Find notes by their words and by their meaning.

    #name finds notes with a tag only, path:name those in a folder, after:2026-01-31 and
    before:2026-01-31 those of some days, "words" these words exactly, -word notes without it.
    """
    with opened() as engine, _errors(as_json=as_json):
        searched = chosen(engine, workspace)
        request = SearchRequest(
            " ".join(query),
            searched[0].id if workspace else None,
            mode,
            max_results=max_results,
            min_score=min_score,
            conversation=Conversation(session_key),
            for_person=not as_json,
            order=order,
        )
        answer = wait(engine, engine.search(request, CancelToken()))
        if as_json:
            citations = engine.settings.settings.memory_search.citations
            output.data(answer_json.search_answer(answer, citations=citations, explain=explain))
        else:
            output.answer(answer, {each.id: each.name for each in searched}, explain=explain)


def context(
    message: list[str], workspace: In = None, session_key: SessionKey = "", as_json: AsJson = False
) -> None:
    """Print what the notes say about a whole message, as agents get it before they answer."""
    with opened() as engine, _errors(as_json=as_json):
        searched = chosen(engine, workspace)
        name = searched[0].id if workspace else None
        request = SearchRequest(" ".join(message), name, conversation=Conversation(session_key))
        answer = wait(engine, engine.context(request, CancelToken()))
        if as_json:
            output.data(answer_json.context_answer(answer))
        else:
            print(answer.digest or "The notes say nothing about this.")


def get(
    path: str,
    first_line: Annotated[int, Option("--from", help="First line.")] = 1,
    lines: Annotated[int | None, Option("--lines", help="Number of lines.")] = None,
    workspace: In = None,
    session_key: SessionKey = "",
    as_json: AsJson = False,
) -> None:
    """Print part of a memory file, as agents read it."""
    with opened() as engine:
        workspaces = chosen(engine, workspace)
        if len(workspaces) > 1:
            names = ", ".join(each.name for each in workspaces)
            raise WorkspaceMissing(
                "Say which workspace", f"There are {names}.", hint="Use --workspace NAME."
            )
        page = engine.notes.page(
            workspaces[0].id, path, PageRequest(first_line, lines), Conversation(session_key)
        ).result()
        if as_json:
            output.data(answer_json.note_page(page))
            return
        print(page.text)
        if page.next_line is not None:
            output.warn(f"More from line {page.next_line} (--from {page.next_line}).")


@contextlib.contextmanager
def _errors(*, as_json: bool) -> Iterator[None]:
    """Print errors as JSON for programs that read JSON."""
    try:
        yield
    except ScrubjayError as error:
        if not as_json:
            raise
        output.data(answer_json.unavailable(error))
        raise SystemExit(1) from error
