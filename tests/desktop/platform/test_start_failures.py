"""Sentences about a start that failed, before there is a window."""

from __future__ import annotations

import sys

import pytest

from scrubjay_desktop.platform.start_failures import tell_start_failure

SENTENCE = "Scrubjay is already running but does not respond."


@pytest.mark.parametrize("is_for_person", [True, False])
def test_a_terminal_gets_the_sentence(capsys, is_for_person: bool) -> None:
    shown: list[str] = []
    tell_start_failure(SENTENCE, is_for_person=is_for_person, show=shown.append)
    assert (capsys.readouterr().err, shown) == (f"{SENTENCE}\n", [])


def test_a_windowed_program_shows_it_to_the_person(monkeypatch: pytest.MonkeyPatch) -> None:
    # So it is on Windows where a program is started from the menu.
    monkeypatch.setattr(sys, "stderr", None)
    shown: list[str] = []
    tell_start_failure(SENTENCE, is_for_person=True, show=shown.append)
    assert shown == [SENTENCE]


def test_an_uninstaller_is_not_kept_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    shown: list[str] = []
    tell_start_failure(SENTENCE, is_for_person=False, show=shown.append)
    assert shown == []
