"""Output of the commands: plain lines for people, JSON for programs."""

from __future__ import annotations

import datetime as dt
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import fields as fields_of
from typing import TYPE_CHECKING, Any

from scrubjay.answers import answer_json
from scrubjay.config.loading import LoadedSettings
from scrubjay.config.schema.section import to_camel
from scrubjay.errors import ProviderUnavailable
from scrubjay.records.search_records import (
    EngineStatus,
    Hit,
    IndexReport,
    Mode,
    SearchAnswer,
    SkippedFile,
)
from scrubjay.text.printable import printable, visible
from scrubjay.text.prose import prose

if TYPE_CHECKING:
    from scrubjay.engine.api_keys import KeyTest

_SHOWN_PROBLEMS = 20
_LONG_MS = 1_000
"""An answer after so long says what it waited for."""


def report(done: IndexReport, current: EngineStatus) -> None:
    """Print the result of an index pass, with the state after it."""
    [after] = (each for each in current.workspaces if each.workspace.id == done.workspace)
    total = done.changed + done.unchanged
    if done.away:
        print(f"{after.workspace.name}: {after.error}")
    else:
        print(
            f"{after.workspace.name}: {_count(total, 'note')}, {done.changed} read, "
            f"{done.removed} removed, {_count(done.embedded, 'passage')} understood "
            f"in {done.elapsed_s:.1f} s."
        )
    _problems(after.skipped)
    if done.meaning_missing:
        warn(f"Search by words only: {done.meaning_missing}")
    if done.batches_off:
        warn(f"Batches were not used any more: {done.batches_off}")


def key_test(test: KeyTest) -> str:
    """The answer of a provider that was asked."""
    length = f"{test.dimensions:,} dimensions"
    return f"{test.provider} answered in {test.elapsed_ms:.0f} ms: {test.model}, {length}."


def status(
    current: EngineStatus,
    settings: LoadedSettings,
    test: KeyTest | ProviderUnavailable | None,
    *,
    as_json: bool,
    is_verbose: bool,
) -> None:
    """Print the state of the indexes, of the model if it was asked, and problems of settings."""
    if as_json:
        reply = answer_json.engine_status(current)
        if isinstance(test, ProviderUnavailable):
            reply["embedding"] = {"ok": False, "error": str(test)}
        elif test:
            reply["embedding"] = {"ok": True, **fields(test)}
        reply["settings"] = {
            "problems": [fields(problem) for problem in settings.problems],
            "unknown": settings.unknown,
            "notUsedHere": settings.not_used,
        }
        data(reply)
        return
    import humanize  # late: only the status needs it

    if not current.workspaces:
        print("No notes are searched yet. Add a folder with `scrubjay workspace add FOLDER`.")
    for each in current.workspaces:
        fresh, checked = each.freshness, each.freshness.checked_at
        age = humanize.naturaltime(dt.datetime.now().astimezone() - checked) if checked else "never"
        print(f"{each.workspace.name}  {each.workspace.root}")
        state = f"{each.error}\n  " if each.away else f"{each.state}; "
        passages = _count(each.chunks, "passage")
        print(
            f"  {state}{_count(fresh.documents, 'note')} in {passages}, "
            f"{fresh.embedded:.0%} found by meaning; compared with the disk {age}; "
            f"index {humanize.naturalsize(each.index_bytes)}"
        )
        for name, value in current.details.get(each.workspace.id, {}).items() if is_verbose else ():
            print(f"  {name}: {value}")
        if each.error and not each.away:
            warn(each.error)
        _problems(each.skipped)
    model = current.model
    if isinstance(test, ProviderUnavailable):
        warn(f"Search by meaning does not work: {test}")
    elif test:
        print(key_test(test))
    else:
        print(f"Meaning: {model.provider} {model.model}".rstrip() + ".", model.reason)
        if model.provider != "none":
            print("Ask it: scrubjay status --deep")
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


def answer(result: SearchAnswer, names: Mapping[str, str], *, explain: bool) -> None:
    """Print hits, and one line on how far they can be trusted.

    Names are those of the folders by id; a hit's folder is named when several were searched.
    """
    if not result.hits:
        days = " to ".join(dict.fromkeys(map(str, result.days or ())))
        if result.uncertain:
            print("Nothing certain found. The nearest notes")
        elif days:
            print(f"No note is from {days}. No note has a heading with such a date.")
        else:
            print("Nothing relevant found.")
    for number, hit in enumerate(result.hits or result.uncertain, start=1):
        folder = f"{names[hit.workspace]}: " if len(names) > 1 and hit.workspace in names else ""
        place = f"{printable(folder + hit.path)}:{hit.best_line}"
        headings = hit.heading.removeprefix(hit.title).removeprefix(" > ")
        title = printable(f"{hit.title} > {headings}" if headings else hit.title)
        day = f"{hit.date:%Y-%m-%d}" if hit.date else f"changed {hit.modified:%Y-%m-%d}"
        if hit.is_perhaps and not result.hits[number - 2].is_perhaps:
            _print(("Perhaps also", "dim"))
        _print(f"{number}. ", (place, "bold"), f"  {title}  ", (day, "dim"))
        shown = prose(hit.snippet)
        snippet: list[str | tuple[str, str]] = []
        text, at = shown.text, 0
        for span in shown.spans:
            snippet.append(visible(text[at : span.start]))
            snippet.append((visible(text[span.start : span.end]), "bold yellow"))
            at = span.end
        _print(*snippet, visible(text[at:]))
        if hit.passages:
            more = _count(len(hit.passages), "more passage")
            _print((f"+ {more} of this note", "dim"))
        if explain:
            _print((_why(hit), "dim"))
        print()
    _print((answer_line(result), "dim"))


def _print(*parts: str | tuple[str, str]) -> None:
    """Print one line of texts, and of pairs of a text and its style on a terminal."""
    if not sys.stdout.isatty():
        print("".join(part if isinstance(part, str) else part[0] for part in parts))
        return
    # Imported late: it costs a tenth of a search by words, and programs have no terminal.
    from rich.console import Console
    from rich.text import Text

    Console(highlight=False, soft_wrap=True).print(Text.assemble(*parts))


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
    if result.days:
        parts.append("by their days")
    elif result.request.mode is Mode.LEXICAL:
        parts.append("by words")
    elif result.mode is Mode.VECTOR and fresh.embedded == 1:
        parts.append("by meaning")
    elif result.fallback_reason:
        parts.append(f"by words only ({result.fallback_reason.rstrip('.')})")
    elif fresh.embedded < 1:
        share = f"{fresh.embedded:.0%}"
        parts.append(f"{share} of them by meaning (run `scrubjay index` for the rest)")
    else:
        parts.append("by words and meaning")
    if result.takeover:
        why = result.takeover.reason.rstrip(".")
        parts.append(f"with {result.provider} instead of {result.takeover.provider} ({why})")
    if result.waited_for and result.elapsed_ms >= _LONG_MS:
        parts[-1] += f" ({result.waited_for.rstrip('.')})"
    reading = (f"{name} is still being read." for name in result.unread)
    line = f"{', '.join(parts)}, {result.elapsed_ms:.0f} ms."
    return " ".join(filter(None, (line, *reading, str(fresh.reason))))


def _why(hit: Hit) -> str:
    why = hit.explanation
    words = ", ".join(f"{term} in {'/'.join(places)}" for term, places in why.matched.items())
    parts = " + ".join(f"{name} {value:.3f}" for name, value in why.parts.items())
    ranks = f"words rank {why.lexical_rank or '-'}, meaning rank {why.vector_rank or '-'}"
    missing = f"; not found: {', '.join(why.missing)}" if why.missing else ""
    score = f"score {hit.score:.2f}, {parts} = {sum(why.parts.values()):.3f}"
    return f"Why: {words or 'no words'}{missing}; {ranks}; {score}"


def _problems(every: Sequence[SkippedFile]) -> None:
    skipped = [file for file in every if file.path]  # the other one is the folder itself
    for file in skipped[:_SHOWN_PROBLEMS]:
        warn(f"Left out {printable(file.path)}: {file.reason}")
    if len(skipped) > _SHOWN_PROBLEMS:
        warn(f"and {len(skipped) - _SHOWN_PROBLEMS} more, see `scrubjay status --json`.")


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
    """Print JSON; times to the second."""

    def plain(part: Any) -> str:
        return part.isoformat(timespec="seconds") if isinstance(part, dt.datetime) else str(part)

    json.dump(value, sys.stdout, ensure_ascii=False, indent=2, default=plain)
    print()


def fields(record: Any, **keys: str) -> dict[str, Any]:
    """Fields for JSON: "elapsedMs", and "used" of `is_used`. Keys are other names, "" for none."""
    names = (field.name for field in fields_of(record))
    named = {keys.get(name, to_camel(name.removeprefix("is_"))): name for name in names}
    return {key: getattr(record, name) for key, name in named.items() if key}
