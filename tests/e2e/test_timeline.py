"""From a week on the heat-map to a search in it, with a real pointer."""

from __future__ import annotations

import datetime as dt
import itertools
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.accessibility import ScreenReader
from support.desktop_session import App, DesktopSession, eventually
from support.vault import write_notes

from .conftest import SCRUBJAY

pytestmark = pytest.mark.e2e


def day_name(day: dt.date) -> str:
    return f"{day:%A} {day.day} {day:%B} {day.year}:"


@pytest.fixture
def today() -> dt.date:
    """The same day for all of a test."""
    return dt.date.today()


@pytest.fixture
def diary(session: DesktopSession, tmp_path: Path, today: dt.date) -> Iterator[App]:
    """The app with the daily files of three weeks, not started yet."""
    days = [today - dt.timedelta(days=n) for n in range(21)]
    notes = write_notes(
        tmp_path / "diary",
        {f"memory/{day}.md": f"# On {day}\n\nEmma played the clarinet.\n" for day in days},
    )
    app = App(session)
    command = [SCRUBJAY, "workspace", "add", str(notes)]
    subprocess.run(command, env=app.environ, check=True, capture_output=True)
    yield app
    app.close()


def test_a_week_that_is_dragged_over_is_searched(
    diary: App, reader: ScreenReader, today: dt.date
) -> None:
    first, last = today - dt.timedelta(days=12), today - dt.timedelta(days=6)
    diary.start()
    session = diary.session
    session.click(*eventually(lambda: reader.middle_of("Timeline"), what="the navigation"))
    eventually(
        lambda: sum(": 1 note" in name for name in reader.names("cell")) == 21,
        what="the notes of three weeks",
    )
    start = eventually(lambda: reader.middle_of(day_name(first)), what="the first day")
    end = eventually(lambda: reader.middle_of(day_name(last)), what="the last day")
    session.drag(start, end)
    wanted = {f"On {first + dt.timedelta(days=n)}" for n in range(7)}

    def titles() -> set[str]:
        # Another list has the notes that belong to the one shown; they need no day.
        list_on = itertools.dropwhile(lambda node: node.name != "Results", reader.nodes())
        rows = itertools.takewhile(
            lambda node: node.role == "list item", itertools.islice(list_on, 1, None)
        )
        return {row.name.partition(",")[0] for row in rows}

    eventually(lambda: wanted <= titles(), what="the notes of the week")
    assert {one for one in titles() if one.startswith("On ")} == wanted
    session.type("clarinet")
    answered = eventually(
        lambda: [name for name in reader.names("push button") if name.startswith("Searched ")],
        what="an answer",
    )
    assert "21" in answered[0]
    assert {one for one in titles() if one.startswith("On ")} <= wanted
    assert diary.complaints() == ""
