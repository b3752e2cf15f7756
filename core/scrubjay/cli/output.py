"""What the commands print: plain lines for people, JSON for programs."""

from __future__ import annotations

import datetime as dt
import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from scrubjay.answers import answer_json
from scrubjay.config.loading import LoadedSettings
from scrubjay.config.schema.memory_search import Citations
from scrubjay.errors import ScrubjayError
from scrubjay.notes.scan import printable
from scrubjay.records.search_records import (
    ContextAnswer,
    EngineStatus,
    Freshness,
    Hit,
    IndexReport,
    Mode,
    NotePage,
    SearchAnswer,
    Workspace,
    WorkspaceStatus,
)

if TYPE_CHECKING:
    from rich.text import Text

_SHOWN_PROBLEMS = 20


def line(text: str) -> None:
    """One line for a person."""
    print(text)


def workspaces(listed: Sequence[Workspace], *, as_json: bool) -> None:
    """The list of workspaces."""
    if as_json:
        rows = [{"id": one.id, "name": one.name, "path": str(one.root)} for one in listed]
        data(rows)
        return
    if not listed:
        line("The list is empty. Add a folder with `scrubjay workspace add FOLDER`.")
    for one in listed:
        line(f"{one.name}\t{one.root}")


def report(done: IndexReport, workspace: Workspace) -> None:
    """What a pass did."""
    total = done.changed + done.unchanged
    line(
        f"{workspace.name}: {_count(total, 'note')}, {done.changed} read, "
        f"{done.removed} removed, {_count(done.embedded, 'chunk')} understood "
        f"in {done.elapsed_s:.1f} s."
    )
    _problems(done.skipped)
    if done.meaning_missing:
        warn(f"Search by words only: {done.meaning_missing}")
    if done.batches_off:
        warn(f"Batches were not used any more: {done.batches_off}")


def status(current: EngineStatus, settings: LoadedSettings, *, as_json: bool) -> None:
    """Everything about the indexes."""
    if as_json:
        shown = answer_json.engine_status(current)
        shown["settings"] = {
            "problems": [{"key": one.key, "reason": one.reason} for one in settings.problems],
            "unknown": list(settings.unknown),
            "notUsedHere": list(settings.not_used),
        }
        data(shown)
        return
    if not current.workspaces:
        line("No notes are searched yet. Add a folder with `scrubjay workspace add FOLDER`.")
    for one in current.workspaces:
        _workspace_status(one)
    if current.backend.reason:
        warn(f"Scrubjay itself answers instead of QMD: {current.backend.reason}")
    if current.backend.note:
        warn(current.backend.note)
    for problem in settings.problems:
        warn(f"Settings, {problem.key}: {problem.reason}")
    if settings.unknown:
        warn(f"Settings that nothing here understands: {', '.join(settings.unknown)}")
    if settings.not_used:
        line(f"Settings of other programs, not used here: {', '.join(settings.not_used)}")


def page(shown: NotePage, *, as_json: bool) -> None:
    """Part of a note."""
    if as_json:
        data(answer_json.note_page(shown))
        return
    line(shown.text)
    if shown.next_line is not None:
        warn(f"More from line {shown.next_line} (--from {shown.next_line}).")


def answer_as_json(found: SearchAnswer, *, citations: Citations, explain: bool) -> None:
    """The memory_search answer."""
    data(answer_json.search_answer(found, citations=citations, explain=explain))


def unavailable(error: ScrubjayError) -> None:
    """The answer while nothing can be searched."""
    data(answer_json.unavailable(error))


def context(found: ContextAnswer, *, as_json: bool) -> None:
    """What the notes say about a message."""
    if as_json:
        data(answer_json.context_answer(found))
        return
    line(found.digest or "The notes say nothing about this.")


def answer(found: SearchAnswer, *, explain: bool) -> None:
    """Hits for a person, and how far they can be trusted."""
    # Late here and below: most callers read JSON, and rich costs as much as the search.
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False, soft_wrap=True)
    if not found.hits:
        # By words alone there is nothing below the threshold that any of them would be near to.
        has_meaning = found.mode is not Mode.LEXICAL and bool(found.request.text.strip())
        is_weak = has_meaning and found.request.min_score != 0
        nearest = " --min-score 0 shows the nearest notes." if is_weak else ""
        console.print(f"Nothing relevant found.{nearest}")
    for number, hit in enumerate(found.hits, start=1):
        console.print(_heading(number, hit))
        console.print(_snippet(hit))
        if explain:
            console.print(Text(_why(hit), style="dim"))
        console.print()
    console.print(Text(answer_line(found), style="dim"))


def answer_line(found: SearchAnswer) -> str:
    """The honest line below an answer."""
    fresh = found.freshness
    if found.provider == "qmd":
        note = f" {fresh.reason}" if fresh.reason else ""
        return f"QMD was asked ({found.model}), {found.elapsed_ms:.0f} ms.{note}"
    parts = [f"Searched {_count(fresh.documents, 'note')}"]
    if fresh.unreadable:
        parts.append(f"{fresh.unreadable} could not be read")
    if fresh.pending:
        parts.append(f"{fresh.pending} changed since and not read yet")
    if fresh.reason:
        parts.append(fresh.reason[0].lower() + fresh.reason[1:].rstrip("."))
    parts.append(_meaning(found.fallback_reason, fresh))
    if found.takeover:
        why = found.takeover.reason.rstrip(".")
        parts.append(f"with {found.provider} instead of {found.takeover.provider} ({why})")
    return f"{', '.join(parts)}, {found.elapsed_ms:.0f} ms."


def _heading(number: int, hit: Hit) -> Text:
    from rich.text import Text

    place = f"{printable(hit.path)}:{hit.best_line}"
    title = printable(f"{hit.title} > {hit.heading}" if hit.heading else hit.title)
    return Text.assemble(
        f"{number}. ", (place, "bold"), f"  {title}  ", (f"{hit.score:.2f}", "dim")
    )


def _snippet(hit: Hit) -> Text:
    from rich.text import Text

    text = Text(hit.snippet.text)
    for span in hit.snippet.spans:
        text.stylize("bold yellow", span.start, span.end)
    return text


def _why(hit: Hit) -> str:
    why = hit.explanation
    words = ", ".join(f"{term} in {'/'.join(places)}" for term, places in why.matched.items())
    parts = " + ".join(f"{name} {value:.3f}" for name, value in why.parts.items())
    ranks = f"words rank {why.lexical_rank or '-'}, meaning rank {why.vector_rank or '-'}"
    missing = f"; not found: {', '.join(why.missing)}" if why.missing else ""
    return f"Why: {words or 'no words'}{missing}; {ranks}; {parts} = {sum(why.parts.values()):.3f}"


def _workspace_status(status: WorkspaceStatus) -> None:
    import humanize  # late: only the status needs it

    fresh = status.freshness
    checked = fresh.checked_at
    age = humanize.naturaltime(dt.datetime.now().astimezone() - checked) if checked else "never"
    line(f"{status.workspace.name}  {status.workspace.root}")
    line(
        f"  {status.state}; {_count(fresh.documents, 'note')} in {_count(status.chunks, 'chunk')}, "
        f"{fresh.embedded:.0%} found by meaning; compared with the disk {age}; "
        f"index {humanize.naturalsize(status.index_bytes)}"
    )
    if status.error:
        warn(status.error)
    _problems(status.skipped)


def _problems(skipped: Sequence[Any]) -> None:
    for file in skipped[:_SHOWN_PROBLEMS]:
        warn(f"Left out {printable(file.path)}: {file.reason}")
    if len(skipped) > _SHOWN_PROBLEMS:
        warn(f"and {len(skipped) - _SHOWN_PROBLEMS} more, see `scrubjay status --json`.")


def _meaning(reason: str, fresh: Freshness) -> str:
    if reason:
        return f"by words only ({reason.rstrip('.')})"
    if fresh.embedded < 1:
        return f"{fresh.embedded:.0%} of them by meaning (run `scrubjay index` for the rest)"
    return "by words and meaning"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def asked(question: str) -> bool:
    """A person's yes; without a terminal nobody can say it."""
    if sys.stdin is None or not sys.stdin.isatty():
        return False
    return input(f"{question} [y/N] ").strip().lower() in ("y", "yes")


def warn(text: str) -> None:
    """One line that is no part of the answer."""
    print(text, file=sys.stderr)


def data(shown: Any) -> None:
    """JSON for programs."""
    json.dump(shown, sys.stdout, ensure_ascii=False, indent=2)
    print()
