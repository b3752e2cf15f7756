from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.windows.main_window import MainWindow

Ask = Callable[[str], list[str]]


@pytest.fixture
def ask(qtbot, notes_window: MainWindow) -> Ask:
    """Types a question in place of the last; returns the paths of the full answer, best first."""

    def typed(text: str) -> list[str]:
        notes_window.focus_search()
        with qtbot.waitSignal(
            notes_window.search.search.answered,
            check_params_cb=lambda answer: (
                not answer.request.is_typing and answer.request.text == text
            ),
        ):
            qtbot.keyClicks(notes_window.search.box, text)
        return [row.path for row in notes_window.search.search.model.rows]

    return typed


@pytest.fixture
def opened(desktop: Desktop, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Path, int]]:
    """Notes that were handed to other programs: the way, the file and the line."""
    calls: list[tuple[str, Path, int]] = []
    opener = desktop.opener
    monkeypatch.setattr(
        opener, "open", lambda file, line, page=0: calls.append(("open", file, line))
    )
    monkeypatch.setattr(
        opener, "open_at_line", lambda file, line, page=0: calls.append(("line", file, line))
    )
    monkeypatch.setattr(opener, "reveal", lambda file: calls.append(("folder", file, 0)))
    return calls
