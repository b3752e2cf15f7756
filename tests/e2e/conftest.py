from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from scrubjay.platform.paths import resources
from support.accessibility import ScreenReader
from support.desktop_session import App, DesktopSession, desktop_session, missing_programs

SCRUBJAY = Path(sys.executable).with_name("scrubjay")
WITHOUT_SCREEN = {"test_agent_sessions.py"}
"""Modules whose tests look at no window."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip tests of windows where no virtual screen is installed; `make test` installs one."""
    if missing := missing_programs():
        skip = pytest.mark.skip(reason=f"not installed: {', '.join(missing)}")
        for item in items:
            is_here = Path(__file__).parent in item.path.parents
            if is_here and item.path.name not in WITHOUT_SCREEN:
                item.add_marker(skip)


@pytest.fixture(scope="session")
def indexed_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home whose sample notes are indexed by words and by meaning."""
    home = tmp_path_factory.mktemp("indexed")
    notes = tmp_path_factory.mktemp("notes") / "Sample"
    shutil.copytree(resources() / "sample", notes)
    environ = {**os.environ, "SCRUBJAY_HOME": str(home)}
    for command in (["workspace", "add", str(notes), "--name", "Sample notes"], ["index"]):
        subprocess.run([SCRUBJAY, *command], env=environ, check=True, capture_output=True)
    return home


@pytest.fixture(scope="module")
def session() -> Iterator[DesktopSession]:
    """A desktop with a window manager and a tray."""
    with desktop_session("xembed") as made:
        yield made


@pytest.fixture
def app(session: DesktopSession, indexed_home: Path) -> Iterator[App]:
    """The app on the indexed sample, not started yet."""
    with app_in(session, indexed_home) as made:
        yield made


@contextlib.contextmanager
def app_in(session: DesktopSession, like: Path | None = None) -> Iterator[App]:
    """One app that is ended afterwards, in whatever state it is."""
    made = App(session, like)
    try:
        yield made
    finally:
        made.close()


@pytest.fixture
def reader(session: DesktopSession) -> Iterator[ScreenReader]:
    """Reads what is on the screen."""
    made = ScreenReader(session.environ)
    yield made
    made.close()
