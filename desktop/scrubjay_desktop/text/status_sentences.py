"""Progress, workspaces and answers in plain sentences. Pure functions: records in, words out."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from scrubjay.errors import ONLY_WHEN_NAMED
from scrubjay.records.search_modes import Mode
from scrubjay.records.search_records import QueryReading, SearchAnswer
from scrubjay.records.status_records import EngineStatus, IndexState, Progress, WorkspaceStatus
from scrubjay_desktop.text.formatting import (
    days_name,
    format_age,
    format_note_count,
    format_number,
    format_percent,
    format_time_left,
    full_sentence,
    join_words,
    provider_name,
    translate,
    translated,
)
from scrubjay_desktop.text.workspace_names import WorkspaceNames

_OLD_SECONDS = 60
"""Age in seconds up to which a look at the folders needs no word, which would soon be untrue."""


def failure_reason(workspace: WorkspaceStatus) -> str:
    """Reason why a workspace as a whole is not up to date; empty when nothing is wrong with it."""
    if workspace.state is IndexState.ERROR:
        return translated(workspace.error) or translate(
            "Status", "the changed notes could not be read"
        )
    return translated(workspace.away)


def busy_workspace(status: EngineStatus) -> WorkspaceStatus | None:
    """The workspace that is being indexed, if any."""
    busy = [workspace for workspace in status.workspaces if workspace.state is IndexState.INDEXING]
    with_progress = [workspace for workspace in busy if workspace.progress.phase]
    return next(iter(with_progress or busy), None)


def progress_sentence(progress: Progress, paused: str = "") -> str:
    """The step of an indexing pass, how far it is, and the time left or why it waits."""
    match progress.phase:
        case "updating" if progress.total:
            share = format_percent(progress.done / progress.total)
            sentence = translate("Status", "updating the search index, {share}").format(share=share)
        case "words" if progress.done < progress.total:
            left = format_number(progress.total - progress.done)
            sentence = translate("Status", "reading notes, {n} left").format(n=left)
        case "meaning":
            sentence = translate("Status", "preparing notes for search by meaning, {share}")
            sentence = sentence.format(share=learned_share(progress))
            sentence = _with_added(sentence, progress)
        case "refining":
            sentence = translate("Status", "making search by meaning more exact")
        case "pictures" if progress.done < progress.total:
            sentence = translate("Status", "reading pictures, {done} of {total}").format(
                done=format_number(progress.done), total=format_number(progress.total)
            )
        case _:
            # Before the files are counted nothing is known of how far it is.
            return translate("Status", "looking for changes")
    if paused and progress.phase == "pictures":
        return f"{sentence}. {full_sentence(paused)}"
    return ", ".join(filter(None, (sentence, format_time_left(progress.seconds_left))))


def _with_added(sentence: str, progress: Progress) -> str:
    """The sentence with the reason why less is learned than before, if it is less."""
    if progress.added > 0:
        more = translate("Status", "{sentence} ({n} {n:note|notes} more)")
    elif progress.added < 0:
        more = translate("Status", "{sentence} ({n} {n:note|notes} removed)")
    else:
        return sentence
    return more.format(sentence=sentence, n=format_number(abs(progress.added)))


def indexing_percent(progress: Progress) -> int | None:
    """Share learned in percent, or of the pictures that are read, or None while no pass tells or
    nothing was learned so far.
    """
    if progress.is_learning or (progress.phase == "words" and progress.learned):
        return progress.percent
    if progress.phase == "pictures" and progress.total:
        return 100 * progress.done // progress.total
    return None


def learned_share(progress: Progress) -> str:
    """The share of a folder's text that is learned: the same in all places."""
    return format_percent(progress.percent / 100)


def workspace_line(workspace: WorkspaceStatus) -> str:
    """Second line of a workspace in the list."""
    if workspace.is_off:
        return translate("Status", "Search is turned off in the settings")
    count = format_note_count(workspace.freshness.documents)
    # What is wrong goes first except what the present pass may set right.
    if workspace.away:
        return translate("Status", "{count}, folder not found").format(count=count)
    if workspace.state is not IndexState.INDEXING and failure_reason(workspace):
        return translate("Status", "{count}, attention needed").format(count=count)
    match workspace.state:
        case IndexState.INDEXING:
            return _pass_line(workspace.progress)
        case IndexState.PAUSED:
            return translate("Status", "{count}, paused").format(count=count)
        case IndexState.WAITING:
            return translate("Status", "{count}, waiting for other folders").format(count=count)
        case IndexState.NEVER:
            return translate("Status", "Not read yet")
        case _:
            return _ready_line(workspace)


def _pass_line(progress: Progress) -> str:
    """The line of a workspace whose notes are being read."""
    if progress.is_learning:
        return translate("Status", "Preparing search by meaning, {share}").format(
            share=learned_share(progress)
        )
    if progress.phase == "words" and progress.done < progress.total:
        left = format_number(progress.total - progress.done)
        return translate("Status", "Reading, {n} left").format(n=left)
    if progress.phase == "pictures" and progress.done < progress.total:
        sentence = translate("Status", "Reading pictures, {done} of {total}")
        return sentence.format(
            done=format_number(progress.done), total=format_number(progress.total)
        )
    return translate("Status", "Looking for changes")


def _ready_line(workspace: WorkspaceStatus) -> str:
    """The line of a workspace that nothing happens to: what is left to read, or that all is."""
    fresh = workspace.freshness
    count = format_note_count(fresh.documents)
    if fresh.pending:
        sentence = translate("Status", "{count}, {pending} not read yet")
        return sentence.format(count=count, pending=format_number(fresh.pending))
    if fresh.unreadable:
        sentence = translate("Status", "{count}, {n} could not be read")
        return sentence.format(count=count, n=format_number(fresh.unreadable))
    # A folder may hold nothing but folders that are excluded.
    if not fresh.documents and workspace.workspace.left_out:
        return translate("Status", "No notes apart from excluded ones")
    if not fresh.documents:
        return translate("Status", "No notes found")
    return translate("Status", "{count}, up to date").format(count=count)


def learned_line(workspace: WorkspaceStatus) -> str:
    """The notes of a folder, and how far their meaning is learned."""
    line = workspace_line(workspace)
    progress = workspace.progress
    # While a pass is running its own step says more.
    is_still = workspace.state is IndexState.READY and not workspace.freshness.pending
    if workspace.is_off:
        return line
    if not workspace.chunks or not progress.learned or not is_still or failure_reason(workspace):
        return line
    if progress.learned < progress.passages:
        return translate("Status", "{line} · {share} ready for search by meaning").format(
            line=line, share=learned_share(progress)
        )
    if workspace.freshness.unreadable:
        return line
    count = format_note_count(workspace.freshness.documents)
    return translate("Status", "{count} · all ready for search by meaning").format(count=count)


def pictures_sentence(workspaces: Sequence[WorkspaceStatus]) -> str:
    """How many pictures of folders are still to be read, and why none is read now if none is."""
    pictures = [each.pictures for each in workspaces if each.pictures.waiting and not each.is_off]
    if not pictures:
        return ""
    # The number first, then what people wait for.
    left = translate("Status", "{n} {n:picture|pictures} not read yet").format(
        n=format_number(sum(each.waiting for each in pictures))
    )
    # Several folders wait for the same thing.
    paused = next(filter(None, (each.paused for each in pictures)), "")
    if paused:
        return f"{left}. {full_sentence(paused)}"
    seconds = sum(each.seconds_left for each in pictures)
    return ", ".join(filter(None, (left, format_time_left(seconds or None))))


def answer_sentence(answer: SearchAnswer, now: dt.datetime) -> str:
    """How far an answer can be trusted."""
    fresh = answer.freshness
    total = format_note_count(fresh.documents)
    if fresh.unreadable:
        total = translate("Status", "{done} of {total}").format(
            done=format_number(fresh.documents),
            total=format_note_count(fresh.documents + fresh.unreadable),
        )
    sentences = [_searched(answer, total)]
    if fresh.unreadable:
        unreadable = translate("Status", "{n} {n:note|notes} could not be read.")
        sentences.append(unreadable.format(n=format_number(fresh.unreadable)))
    # Then what is known to be missing, and how old that knowledge is.
    if fresh.pending:
        pending = translate("Status", "{n} changed {n:note has|notes have} not been read yet.")
        sentences.append(pending.format(n=format_number(fresh.pending)))
    seconds = 0.0
    if fresh.checked_at:
        seconds = (now - fresh.checked_at).total_seconds()
    if seconds >= _OLD_SECONDS and (fresh.reason or not fresh.pending):
        checked = translate("Status", "Last checked for changes {age}.")
        sentences.append(checked.format(age=format_age(seconds)))
    # The service that compared meanings in place of the wanted one.
    if answer.takeover is not None and answer.mode is not Mode.LEXICAL:
        stand_in = translate("Status", "Used {used} instead of {wanted} ({reason}).").format(
            used=provider_name(answer.provider),
            wanted=provider_name(answer.takeover.provider),
            reason=translated(answer.takeover.reason).rstrip("."),
        )
        sentences.append(stand_in)
    sentences = [_verdict(answer), *sentences, *_unread(answer), full_sentence(fresh.reason)]
    return " ".join(filter(None, sentences))


def short_answer_sentence(answer: SearchAnswer) -> str:
    """What an answer lacks; empty when it lacks nothing."""
    how = _how_limited(answer)
    is_whole = answer.provider == "qmd" or answer.freshness.embedded >= 1
    # Words alone are worth a sentence only where meaning was wanted.
    if answer.request.mode is Mode.LEXICAL or (is_whole and answer.mode is not Mode.LEXICAL):
        how = ""
    reason = full_sentence(answer.freshness.reason)
    return " ".join(filter(None, (_verdict(answer), how, *_unread(answer), reason)))


def _verdict(answer: SearchAnswer) -> str:
    """What to think of the hits; empty when there is nothing to say of them."""
    if not answer.request.text.strip() or not answer.hits:
        return ""
    if answer.request.min_score != 0.0:
        return ""
    return translate("Status", "No clear match was found. These are the closest notes.")


def _unread(answer: SearchAnswer) -> list[str]:
    reading = translate("Status", "{folder} is still being read.")
    return [reading.format(folder=name) for name in answer.unread]


def nothing_found(answer: SearchAnswer) -> tuple[str, str]:
    """The title in place of results when there are none, and what is known about it."""
    title = translate("Status", "Nothing relevant found")
    known = translate("Status", "Try other words, or ask a question.")
    if answer.days:
        title = translate("Status", "No notes from {days}").format(days=days_name(*answer.days))
        known = translate("Status", "Scrubjay found no headings with a date in this period.")
    # What is still to be read or learned may be the reason.
    if answer.freshness.pending:
        unread = translate(
            "Status",
            "{n} {n:note has|notes have} not been read yet. Search again later for more results.",
        )
        return title, unread.format(n=format_number(answer.freshness.pending))
    if answer.freshness.unreadable:
        unreadable = translate("Status", "{n} {n:note|notes} could not be read.")
        return title, unreadable.format(n=format_number(answer.freshness.unreadable))
    if answer.unread or (_compares_meanings(answer) and answer.freshness.embedded < 1):
        return title, translate(
            "Status",
            "Some notes are not fully ready for search yet. Search again later for more results.",
        )
    return title, known


def meaning_sentence(answer: SearchAnswer) -> str:
    """Reason why some meanings were not compared; empty when all were or none were asked for."""
    if answer.request.mode is Mode.LEXICAL:
        return ""
    return full_sentence(answer.fallback_reason)


def named_only_sentence(answer: SearchAnswer, names: WorkspaceNames) -> str:
    """Which folders a search over everything does not search; empty without any."""
    folders = [
        names[workspace]
        for workspace, reason in answer.not_searched.items()
        if reason == ONLY_WHEN_NAMED and workspace in names
    ]
    if not folders:
        return ""
    sentence = translate("Status", "Searched only when chosen or named: {folders}.")
    return sentence.format(folders=join_words(folders))


def _compares_meanings(answer: SearchAnswer) -> bool:
    """Whether the built-in search compared meanings: a question about a time needs none."""
    return not (answer.mode is Mode.LEXICAL or answer.days or answer.provider == "qmd")


def _searched(answer: SearchAnswer, total: str) -> str:
    """A sentence about what was searched, by words or by meaning."""
    # QMD searches in its own way, and a question about a time compares nothing.
    if answer.provider == "qmd":
        sentence = translate("Status", "Searched {total} with QMD.")
    elif answer.days:
        sentence = translate("Status", "Searched {total}.")
    elif answer.mode is Mode.LEXICAL:
        sentence = translate("Status", "Searched {total} by words only.")
    elif answer.freshness.embedded < 1:
        sentence = translate("Status", "Searched {total} by words, and some of them by meaning.")
    else:
        sentence = translate("Status", "Searched {total} by words and by meaning.")
    return sentence.format(total=total)


def _how_limited(answer: SearchAnswer) -> str:
    """What a search by words or by some meanings lacks; empty for a question about a time."""
    if answer.provider == "qmd":
        return translate("Status", "Searched with QMD.")
    if answer.days:
        return ""
    if answer.mode is Mode.LEXICAL:
        return translate("Status", "Searched by words only.")
    return translate("Status", "Some notes cannot be found by meaning yet.")


def reading_sentence(reading: QueryReading) -> str:
    """What a question excluded, and its operators that do not exist or that no note matches; empty
    for most questions.
    """
    quoted = translate("Status", "“{word}”")
    sentences: list[str] = []
    # Words are quoted as they were typed, since they may end in a colon.
    if reading.excluded:
        words = ", ".join(quoted.format(word=word) for word in reading.excluded)
        sentences.append(translate("Status", "Excluded: {words}.").format(words=words))
    if reading.unknown:
        names = ", ".join(quoted.format(word=name) for name in reading.unknown)
        unknown = translate("Status", "Searched as words, not as operators: {names}.")
        sentences.append(unknown.format(names=names))
    if reading.searched_alternatives:
        cut = translate("Status", "Only the first {count} OR alternatives were searched.")
        sentences.append(cut.format(count=reading.searched_alternatives))
    if reading.unmatched:
        names = ", ".join(quoted.format(word=name) for name in reading.unmatched)
        sentences.append(translate("Status", "No note matches {names}.").format(names=names))
    if reading.similar_folder:
        name = quoted.format(word=reading.similar_folder)
        sentences.append(translate("Status", "Did you mean {name}?").format(name=name))
    return " ".join(sentences)


def waiting_sentence(status: EngineStatus) -> str:
    """What a search that has no answer yet waits for."""
    # A folder that was never looked at has neither a time nor a note.
    unread = [
        each.workspace.name
        for each in status.workspaces
        if not (each.freshness.checked_at or each.freshness.documents or failure_reason(each))
    ]
    if len(unread) > 1:
        return translate("Status", "{folders} are still being read").format(
            folders=join_words(unread)
        )
    if not unread:
        return translate("Status", "Still searching…")
    reading = translate("Status", "{folder} is still being read")
    return reading.format(folder=unread[0])
