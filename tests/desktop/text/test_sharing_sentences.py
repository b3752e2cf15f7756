from __future__ import annotations

import datetime as dt

import pytest
from msgspec.structs import replace

from scrubjay.records.shared_records import PublishPhase, PublishState, SharedRecord
from scrubjay.records.status_records import WorkspaceStatus
from scrubjay_desktop.text.sharing_sentences import (
    publication_lines,
    publication_trouble,
    record_line,
    shared_line,
    who_reads,
)
from support.statuses import AWAY, NOW, SHARED

RECORD = SharedRecord(
    "handbook", "Handbook", 1200, 1, published_at=NOW - dt.timedelta(days=1), published_by="Ada"
)
FACTS = "1,200 notes · 1 passage · last published by Ada: Yesterday"
PLACE = "Shared at /team as handbook"


def publication(state: PublishPhase, **changes: object) -> PublishState:
    made = PublishState("notes", "/team", "handbook", state, record=RECORD)
    return replace(made, **changes)


@pytest.mark.parametrize(
    ("given", "lines", "trouble"),
    [
        (publication(PublishPhase.PUBLISHED), [FACTS], ""),
        (publication(PublishPhase.PUBLISHED, record=None), [], ""),
        (publication(PublishPhase.WAITING), [FACTS, "Waiting to be published"], ""),
        (publication(PublishPhase.PUBLISHING), ["Publishing…"], ""),
        (publication(PublishPhase.PUBLISHING, pending=1), ["Publishing, 1 note left"], ""),
        (
            publication(PublishPhase.ELSEWHERE, reason="Eve is publishing it right now."),
            [FACTS, "Eve is publishing it right now."],
            "",
        ),
        (
            publication(PublishPhase.FAILED, reason="The disk is full."),
            [FACTS],
            "Not published: The disk is full.",
        ),
        (
            publication(PublishPhase.WAITING, reason="It is away.", record=None),
            [],
            "Not published: It is away.",
        ),
    ],
)
def test_a_card_tells_how_a_folder_is_shared(
    given: PublishState, lines: list[str], trouble: str
) -> None:
    assert publication_lines(given, NOW).split("\n") == [PLACE, *lines]
    assert publication_trouble(given) == trouble


def test_what_nobody_has_published_yet_has_no_day() -> None:
    assert record_line(SharedRecord("x", "X", 1, 2), NOW) == "1 note · 2 passages"


@pytest.mark.parametrize(
    ("status", "line"), [(SHARED, "12 notes, shared"), (AWAY, "Not available")]
)
def test_the_line_below_a_shared_folder(status: WorkspaceStatus, line: str) -> None:
    assert shared_line(status) == line


def test_it_is_said_who_reads_what_is_shared() -> None:
    assert who_reads("s3://team") == "Anyone with access to s3://team can read these notes."
    assert who_reads("") == "Anyone with access to this location can read these notes."
