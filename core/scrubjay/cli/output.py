"""Output of the commands: plain lines for people, JSON for programs."""

from __future__ import annotations

import datetime as dt
import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from scrubjay.answers import answer_json
from scrubjay.config.loading import LoadedSettings
from scrubjay.notes.scan import printable
from scrubjay.records.search_records import (
    EngineStatus,
    Freshness,
    Hit,
    IndexReport,
    Mode,
    SearchAnswer,
    Workspace,
    WorkspaceStatus,
)

if TYPE_CHECKING:
    from rich.text import Text

_SHOWN_PROBLEMS = 20


def workspaces(listed: Sequence[Workspace], *, as_json: bool) -> None:
    """Print the list of workspaces."""
    if as_json:
        data([{"id": each.id, "name": each.name, "path": str(each.root)} for each in listed])
        return
    if not listed:
        print("The list is empty. Add a folder with `scrubjay workspace add FOLDER`.")
    for workspace in listed:
        print(f"{workspace.name}\t{workspace.root}")


def report(done: IndexReport, workspace: Workspace) -> None:
    """Print the result of an index pass."""
    total = done.changed + done.unchanged
    print(
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
    """Print the state of the indexes and problems of the settings."""
    if as_json:
        reply = answer_json.engine_status(current)
        reply["settings"] = {
            "problems": [{"key": each.key, "reason": each.reason} for each in settings.problems],
            "unknown": list(settings.unknown),
            "notUsedHere": list(settings.not_used),
        }
        data(reply)
        return
    if not current.workspaces:
        print("No notes are searched yet. Add a folder with `scrubjay workspace add FOLDER`.")
    for workspace in current.workspaces:
        _workspace_status(workspace)
    if current.backend.reason:
        warn(f"Scrubjay itself answers instead of QMD: {current.backend.reason}")
    if current.backend.note:
        warn(current.backend.note)
    for problem in settings.problems:
        warn(f"Settings, {problem.key}: {problem.reason}")
    if settings.unknown:
        warn(f"Settings that nothing here understands: {', '.join(settings.unknown)}")
    if settings.not_used:
        print(f"Settings of other programs, not used here: {', '.join(settings.not_used)}")


def answer(result: SearchAnswer, *, explain: bool) -> None:
    """Print hits, and one line on how far they can be trusted."""
    # Imported late: most callers read JSON, and rich costs as much as the search.
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False, soft_wrap=True)
    if not result.hits:
        # By words alone there is nothing below the threshold that any of them would be near to.
        has_meaning = result.mode is not Mode.LEXICAL and bool(result.request.text.strip())
        is_weak = has_meaning and result.request.min_score != 0
        nearest = " --min-score 0 shows the nearest notes." if is_weak else ""
        console.print(f"Nothing relevant found.{nearest}")
    for number, hit in enumerate(result.hits, start=1):
        console.print(_heading(number, hit))
        console.print(_snippet(hit))
        if explain:
            console.print(Text(_why(hit), style="dim"))
        console.print()
    console.print(Text(answer_line(result), style="dim"))


def answer_line(result: SearchAnswer) -> str:
    """The line below an answer: how much was searched, and by which means."""
    fresh = result.freshness
    if result.provider == "qmd":
        note = f" {fresh.reason}" if fresh.reason else ""
        return f"QMD was asked ({result.model}), {result.elapsed_ms:.0f} ms.{note}"
    parts = [f"Searched {_count(fresh.documents, 'note')}"]
    if fresh.unreadable:
        parts.append(f"{fresh.unreadable} could not be read")
    if fresh.pending:
        parts.append(f"{fresh.pending} changed since and not read yet")
    if fresh.reason:
        parts.append(fresh.reason[0].lower() + fresh.reason[1:].rstrip("."))
    parts.append(_meaning(result.fallback_reason, fresh))
    if result.takeover:
        why = result.takeover.reason.rstrip(".")
        parts.append(f"with {result.provider} instead of {result.takeover.provider} ({why})")
    return f"{', '.join(parts)}, {result.elapsed_ms:.0f} ms."


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
    print(f"{status.workspace.name}  {status.workspace.root}")
    print(
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


def has_terminal() -> bool:
    """Whether a person can type an answer."""
    return sys.stdin is not None and sys.stdin.isatty()


def confirm(question: str) -> bool:
    """The user's yes; False without a terminal."""
    return has_terminal() and input(f"{question} [y/N] ").strip().lower() in ("y", "yes")


def warn(text: str) -> None:
    """Print one line on standard error."""
    print(text, file=sys.stderr)


def data(value: Any) -> None:
    """Print JSON."""
    json.dump(value, sys.stdout, ensure_ascii=False, indent=2)
    print()
