"""The one number of a folder's progress, and the time that is left by a given clock."""

from __future__ import annotations

import pytest

from scrubjay.records.status_records import Progress
from scrubjay.workspaces.open_workspace import FolderProgress, TimeLeft
from support.clocks import Clock


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def progress(clock: Clock) -> FolderProgress:
    """Progress of a folder with 100 passages, of which 60 are learned."""
    made = FolderProgress(clock)
    made.count(0, 100, added=50)
    made.step(Progress("meaning"))
    made.count(60, 100)
    return made


@pytest.mark.parametrize(
    ("learned", "passages", "percent"), [(0, 0, 100), (0, 3, 0), (999, 1000, 99), (3, 3, 100)]
)
def test_all_is_said_only_when_nothing_is_left(learned: int, passages: int, percent: int) -> None:
    assert Progress(learned=learned, passages=passages).percent == percent


def test_what_is_added_is_told_until_it_is_learned(progress: FolderProgress) -> None:
    added = [progress.record.added]
    for learned, passages, new in ((60, 120, 5), (55, 120, 3), (70, 120, 0), (73, 120, 0)):
        added.append(progress.count(learned, passages, new).added)
    assert added == [0, 5, 8, 8, 0]


def test_what_is_removed_is_told_as_well(progress: FolderProgress) -> None:
    assert progress.count(10, 50, added=-25).added == -25


def test_notes_that_are_exchanged_for_others_with_their_text_change_nothing(
    progress: FolderProgress,
) -> None:
    assert progress.count(60, 100, added=0) == progress.record
    assert (progress.record.percent, progress.record.added) == (60, 0)


def test_another_model_begins_anew(progress: FolderProgress) -> None:
    assert progress.count(0, 100).added == 0
    assert progress.record.percent == 0


def test_a_pass_that_ends_keeps_the_number(progress: FolderProgress) -> None:
    progress.step(Progress("refining", done=1, total=3, current="a.md"))
    assert progress.rest() == Progress(learned=60, passages=100)


def seconds_of(time_left: TimeLeft, clock: Clock, pace: float, seconds: int) -> list[float | None]:
    """Estimates of each second of work at a pace, of 1,000 parts in all."""
    estimates = []
    for _ in range(seconds):
        clock.now += 1
        done = (clock.now - 1000) * pace
        estimates.append(time_left.seconds(done, 1000 - done))
    return estimates


def test_the_time_left_is_told_once_it_has_been_steady_for_ten_seconds(clock: Clock) -> None:
    time_left = TimeLeft(clock)
    time_left.seconds(0, 1000)
    estimates = seconds_of(time_left, clock, pace=5, seconds=20)
    assert estimates[:10] == [None] * 10
    assert estimates[10:] == pytest.approx([189 - n for n in range(10)])


def test_an_estimate_that_jumps_is_not_told(clock: Clock) -> None:
    time_left = TimeLeft(clock)
    time_left.seconds(0, 1000)
    seconds_of(time_left, clock, pace=5, seconds=20)
    # A pause of two minutes, in which other folders had their turn.
    clock.now += 120
    assert time_left.seconds(101, 899) is None


def test_what_is_added_hides_the_time_left_for_ten_seconds(
    progress: FolderProgress, clock: Clock
) -> None:
    def learn(seconds: int) -> list[bool]:
        told = []
        for _ in range(seconds):
            clock.now += 1
            record = progress.record
            told.append(progress.count(record.learned + 1, record.passages).seconds_left is None)
        return told

    assert learn(20) == [True] * 10 + [False] * 10
    progress.count(80, 200, added=50)
    assert learn(20) == [True] * 11 + [False] * 9
