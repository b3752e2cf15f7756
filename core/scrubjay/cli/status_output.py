"""What the commands print of indexes, of the model and of the settings."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from scrubjay.answers import answer_json
from scrubjay.cli import output
from scrubjay.cli.answer_lines import pluralize
from scrubjay.cli.harmless_output import print_line
from scrubjay.config.loading import LoadedSettings
from scrubjay.embedding.selection.fallback_provider import fallback_failure
from scrubjay.errors import ProviderUnavailable
from scrubjay.records.status_records import (
    BackendStatus,
    EngineStatus,
    IndexReport,
    ModelStatus,
    SkippedFile,
    Takeover,
    WorkspaceStatus,
)

if TYPE_CHECKING:
    from scrubjay.engine.key_commands import KeyTest

_SHOWN_PROBLEMS = 20


def print_index_report(done: IndexReport, current: EngineStatus) -> None:
    """Print the result of an index pass, with the state after it."""
    [after] = (each for each in current.workspaces if each.workspace.id == done.workspace)
    total = done.changed + done.unchanged
    if done.away:
        print_line(f"{after.workspace.name}: {after.error}")
    else:
        print_line(
            f"{after.workspace.name}: {pluralize(total, 'note')}, {done.changed} read, "
            f"{done.removed} removed, {pluralize(done.embedded, 'passage')} understood "
            f"in {done.elapsed_s:.1f} s."
        )
    # What the pass left undone, and why.
    if done.documents_left:
        print_line(f"  {pluralize(done.documents_left, 'document')} still to be read.")
    _problems(after.skipped)
    if done.meaning_missing:
        output.print_warning(f"Search by words only: {done.meaning_missing}")
    if done.takeover:
        output.print_warning(fallback_sentence(done.takeover))
    if done.batches_off:
        output.print_warning(f"Batches are no longer used: {done.batches_off}")


def fallback_sentence(takeover: Takeover) -> str:
    """Which provider is replaced by its fallback, and why."""
    if takeover.fallback_reason:
        return f"{takeover.reason} {fallback_failure(takeover.fallback_reason)}"
    return f"The fallback answers instead of {takeover.provider}: {takeover.reason}"


def key_test_sentence(test: KeyTest) -> str:
    """The answer of a provider that was asked."""
    length = f"{test.dimensions:,} dimensions"
    return f"{test.provider} answered in {test.elapsed_ms:.0f} ms: {test.model}, {length}."


def print_status(
    current: EngineStatus,
    settings: LoadedSettings,
    test: KeyTest | ProviderUnavailable | None,
    *,
    as_json: bool,
    is_verbose: bool,
) -> None:
    """Print the state of the indexes, of the model if it was asked, and problems of settings."""
    if as_json:
        output.print_json(_status_fields(current, settings, test))
        return
    # Folders first, then what they have in common.
    if not current.workspaces and not current.shared:
        print_line(
            "There are no notes to search yet. Add a folder with `scrubjay workspace add FOLDER`."
        )
    for each in current.workspaces:
        details: Mapping[str, Any] = {}
        if is_verbose:
            details = current.details.get(each.workspace.id, {})
        _workspace_status(each, details)
    for each in current.shared:
        _shared_status(each)
    # QMD has models of its own.
    if test or current.backend.name != "qmd" or current.backend.reason:
        _model_status(current.model, test)
    if current.reader:
        print_line(f"Result reader: {current.reader.model}. {current.reader.reason}".rstrip())
    if current.takeover:
        output.print_warning(fallback_sentence(current.takeover))
    _backend_status(current.backend)
    _settings_problems(settings)


def _status_fields(
    current: EngineStatus, settings: LoadedSettings, test: KeyTest | ProviderUnavailable | None
) -> dict[str, Any]:
    """The status for JSON, with what only this command knows."""
    reply = answer_json.status_json(current).as_json()
    # The model has a field only where it was asked.
    if isinstance(test, ProviderUnavailable):
        reply["embedding"] = {"ok": False, "error": str(test)}
    elif test:
        reply["embedding"] = {"ok": True, **output.json_fields(test)}
    if current.reader:
        reply["reader"] = output.json_fields(current.reader)
    if current.shared:
        reply["shared"] = [_shared_fields(each) for each in current.shared]
    reply["settings"] = {
        "problems": [output.json_fields(problem) for problem in settings.problems],
        "unknown": settings.unknown,
        "notUsedHere": settings.not_used,
    }
    return reply


def _workspace_status(each: WorkspaceStatus, details: Mapping[str, Any]) -> None:
    """Print the state of one folder and its index."""
    import humanize  # late: only the status needs it

    fresh = each.freshness
    age = "never"
    if fresh.checked_at:
        age = humanize.naturaltime(dt.datetime.now().astimezone() - fresh.checked_at)
    print_line(f"{each.workspace.name}  {each.workspace.root}")
    if each.is_off:
        print_line(f"  {each.off_reason} Scrubjay does not read this folder.")
        return
    if each.workspace.searched == "named":
        print_line("  It is searched only when a search names it.")
    # A folder that is unavailable has a reason, and its index is what it last was.
    state = f"{each.state}; "
    if each.away:
        print_line(f"  {each.error}")
        state = ""
    passages = pluralize(each.chunks, "passage")
    print_line(
        f"  {state}{pluralize(fresh.documents, 'note')} in {passages}, "
        f"{_learned(each)}; compared with the disk {age}; "
        f"index {humanize.naturalsize(each.index_bytes)}"
    )
    if fresh.unread_documents:
        print_line(f"  {pluralize(fresh.unread_documents, 'document')} still to be read")
    if each.pictures.waiting:
        print_line(f"  {pluralize(each.pictures.waiting, 'picture')} still to be read")
    for name, value in details.items():
        print_line(f"  {name}: {_shown(value)}")
    # What is wrong with it, or was.
    if each.error and not each.away:
        output.print_warning(each.error)
    if each.mended_at:
        day = humanize.naturaldate(each.mended_at)
        print_line(f"  The search index was damaged. Scrubjay rebuilt it on {day}.")
    _problems(each.skipped)


def _shown(value: Any) -> str:
    """A fact as people read it."""
    # Groups of facts stand on the line of their name.
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_shown(each)}" for name, each in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(_shown, value)) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _learned(each: WorkspaceStatus) -> str:
    """The share of the notes that is found by meaning, and that of a model that takes over."""
    share = each.progress.percent
    if each.progress.learned == round(each.freshness.embedded * each.chunks):
        return f"{share}% found by meaning"
    # Searches use the vectors of the former model until all new ones are there.
    return f"{each.freshness.percent}% found by meaning, {share}% for the new model"


def _shared_status(each: WorkspaceStatus) -> None:
    """Print the state of a folder in a shared memory."""
    # Its index is elsewhere, so there is less to tell.
    count = pluralize(each.freshness.documents, "note")
    print_line(f"{each.workspace.name}  {each.workspace.root}")
    print_line(f"  shared; {count} in {pluralize(each.chunks, 'passage')}")
    for trouble in filter(None, (each.error, each.freshness.reason)):
        output.print_warning(trouble)


def _model_status(model: ModelStatus, test: KeyTest | ProviderUnavailable | None) -> None:
    """Print the answer of the model if it was asked, or how it could be."""
    # An answer of the model is worth more than what the settings say of it.
    if isinstance(test, ProviderUnavailable):
        output.print_warning(f"Search by meaning does not work: {test}")
        return
    if test:
        print_line(key_test_sentence(test))
        return
    # Nothing is asked without being told to: a question may cost money.
    name = f"{model.provider} {model.model}".rstrip()
    print_line(f"Meaning: {name}. {model.reason}")
    if model.provider != "none":
        print_line("To test search by meaning, run `scrubjay status --deep`.")


def _backend_status(backend: BackendStatus) -> None:
    """Print what is worth knowing of the program that searches."""
    if backend.name == "qmd" and not backend.reason:
        print_line("QMD answers searches.")
    if backend.reason:
        output.print_warning(f"Scrubjay is answering instead of QMD: {backend.reason}")
    if backend.note:
        output.print_warning(backend.note)


def _settings_problems(settings: LoadedSettings) -> None:
    """Print the settings that do not count, and why."""
    # Each problem with its key, so that a person finds it in the file.
    for problem in settings.problems:
        output.print_warning(f"Settings, {problem.key}: {problem.reason}")
    if settings.unknown:
        output.print_warning(f"Unknown settings: {', '.join(settings.unknown)}")
    if settings.not_used:
        print_line(
            f"Settings of other programs that Scrubjay does not use: {', '.join(settings.not_used)}"
        )


def _shared_fields(status: WorkspaceStatus) -> dict[str, Any]:
    """Fields for JSON of a folder in a shared memory, as it was last known."""
    return {
        "id": status.workspace.id,
        "name": status.workspace.name,
        "place": str(status.workspace.root),
        "documents": status.freshness.documents,
        "chunks": status.chunks,
        "error": status.error,
        "damage": status.freshness.reason,
    }


def _problems(every: Sequence[SkippedFile]) -> None:
    skipped = [file for file in every if file.path]  # the other one is the folder itself
    for file in skipped[:_SHOWN_PROBLEMS]:
        output.print_warning(f"Excluded {file.path}: {file.reason}")
    if len(skipped) > _SHOWN_PROBLEMS:
        output.print_warning(
            f"and {len(skipped) - _SHOWN_PROBLEMS} more. "
            "To list all of them, run `scrubjay status --json`."
        )
