"""`scrubjay search`, `context` and `get`: the commands that read the notes."""

from __future__ import annotations

from typing import Annotated, Any

from scrubjay.cli import running_app
from scrubjay.cli.arguments import Option
from scrubjay.cli.options import AsJson, How, In, SessionKey
from scrubjay.cli.reply import print_reply
from scrubjay.records.audience import Reader
from scrubjay.records.page_start import FIRST_LINE, PageStart
from scrubjay.records.search_modes import Mode, Order


# The parameters are the options of the command.
def search_notes(  # noqa: PLR0913
    query: list[str],
    workspace: In = None,
    mode: How = Mode.HYBRID,
    max_results: Annotated[int | None, Option(low=1, help="Maximum number of results.")] = None,
    min_score: Annotated[
        float | None, Option(low=0, high=1, help="Minimum score, from 0 to 1.")
    ] = None,
    order: Annotated[Order, Option(help="Order of the results: best first, or by date.")] = (
        Order.RELEVANCE
    ),
    session_key: SessionKey = "",
    reader: Annotated[
        Reader, Option("--for", help="Answer as a person or an agent gets it.")
    ] = Reader.PERSON,
    second_look: Annotated[
        bool, Option("--reader", help="Let a result reader read the first results again.")
    ] = False,
    explain: Annotated[bool, Option(help="Explain why each result was found.")] = False,
    as_json: AsJson = False,
) -> None:
    """Find notes by words and by meaning.

    "words" finds them exactly, -word notes without it, one OR other either, word* its beginning.
    path: folder: file: title: tag: #tag kind: ext: before: after: on: in: narrow the search, each
    also with a hyphen before it, as in -folder:"Old stuff". Brackets group. docs/search.md has all.
    """
    _answer(
        "search",
        query=" ".join(query),
        workspace=workspace,
        mode=mode,
        max_results=max_results,
        min_score=min_score,
        order=order,
        session_key=session_key,
        reader=reader,
        second_look=second_look,
        explain=explain,
        as_json=as_json,
    )


def print_context(
    message: list[str],
    workspace: In = None,
    session_key: SessionKey = "",
    second_look: Annotated[
        bool, Option("--reader", help="Let a result reader read the first results again.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Print what your notes say about a message, as agents see it before they answer."""
    _answer(
        "context",
        message=" ".join(message),
        workspace=workspace,
        session_key=session_key,
        second_look=second_look,
        as_json=as_json,
    )


def print_note(
    path: str,
    start: Annotated[
        PageStart,
        Option(
            "--from",
            help="First line to print. In a long line, 3:12001 starts at character "
            "12001 of line 3.",
        ),
    ] = FIRST_LINE,
    lines: Annotated[int | None, Option("--lines", help="Number of lines to print.")] = None,
    workspace: In = None,
    session_key: SessionKey = "",
    as_json: AsJson = False,
) -> None:
    """Print part of a memory file as agents see it."""
    _answer(
        "get",
        path=path,
        start=str(start),
        lines=lines,
        workspace=workspace,
        session_key=session_key,
        as_json=as_json,
    )


def _answer(name: str, **arguments: Any) -> None:
    """Print what the running app says, or otherwise a separate engine."""
    # The app has its indexes open, so that it answers at once.
    reply = running_app.ask_running_app(name, arguments, arguments["workspace"])
    if reply is None:
        # Imported late: the engine takes longer to import than the app to answer.
        from scrubjay.cli.note_replies import reply_to_command
        from scrubjay.cli.progress import wait_with_progress
        from scrubjay.cli.session import open_engine

        with open_engine() as engine:
            reply = reply_to_command(name, engine, arguments, wait=wait_with_progress)
    print_reply(reply)
