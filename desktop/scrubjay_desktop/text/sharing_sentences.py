"""Shared folders and memories in plain sentences. Pure functions: records in, words out."""

from __future__ import annotations

import datetime as dt

from scrubjay.records.shared_records import PublishPhase, PublishState, SharedRecord
from scrubjay.records.status_records import WorkspaceStatus
from scrubjay_desktop.text.formatting import (
    abbreviate_home,
    format_note_count,
    format_number,
    relative_date,
    translate,
    translated,
)
from scrubjay_desktop.text.status_sentences import failure_reason


def shared_line(status: WorkspaceStatus) -> str:
    """Second line of a shared workspace in the list."""
    if failure_reason(status):
        return translate("Sharing", "Not available")
    return translate("Sharing", "{count}, shared").format(
        count=format_note_count(status.freshness.documents)
    )


def record_line(record: SharedRecord, now: dt.datetime) -> str:
    """The size of a workspace in a shared memory, and its last publication."""
    passages = translate("Sharing", "{n} {n:passage|passages}").format(
        n=format_number(record.chunks)
    )
    pieces = [format_note_count(record.documents), passages]
    # Where it is known who published it, and when, that is told too.
    if record.published_at:
        by = translate("Sharing", "last published by {computer}: {when}")
        when = relative_date(record.published_at, now)
        pieces.append(by.format(computer=record.published_by, when=when))
    return " · ".join(pieces)


def publication_lines(publication: PublishState, now: dt.datetime) -> str:
    """Where a folder of this computer is shared, and what was published of it."""
    text = translate("Sharing", "Shared at {place} as {name}")
    lines = [text.format(place=abbreviate_home(publication.uri), name=publication.name)]
    if publication.record and publication.record.published_at:
        lines.append(record_line(publication.record, now))
    # What is under way takes the place of what was published last.
    match publication.state:
        case PublishPhase.PUBLISHING:
            lines[1:] = [publication_progress_line(publication)]
        case PublishPhase.WAITING if not publication.reason:
            lines.append(translate("Sharing", "Waiting to be published"))
        case PublishPhase.ELSEWHERE:
            lines.append(translated(publication.reason))
        case _:
            pass
    return "\n".join(lines)


def publication_trouble(publication: PublishState) -> str:
    """Reason why a folder is not published as it is now; empty when it is, or soon will be."""
    if not publication.reason or publication.state is PublishPhase.ELSEWHERE:
        return ""
    text = translate("Sharing", "Not published: {reason}")
    return text.format(reason=translated(publication.reason))


def publication_progress_line(publication: PublishState | None) -> str:
    """The number of notes of a folder that are still to be published."""
    if publication is None or not publication.pending:
        return translate("Sharing", "Publishing…")
    left = translate("Sharing", "Publishing, {n} {n:note|notes} left")
    return left.format(n=format_number(publication.pending))


def who_reads(uri: str) -> str:
    """The honest sentence before something is shared."""
    if not uri:
        return translate("Sharing", "Anyone with access to this location can read these notes.")
    text = translate("Sharing", "Anyone with access to {place} can read these notes.")
    return text.format(place=abbreviate_home(uri))
