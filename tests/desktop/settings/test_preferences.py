"""The app's own memory between two starts."""

from __future__ import annotations

import datetime as dt

import pytest
from PySide6.QtCore import QByteArray

from scrubjay.platform.paths import Paths
from scrubjay_desktop.platform.hotkey.hotkey import DEFAULT_KEYS
from scrubjay_desktop.settings.preferences import OnClose, Preferences

LATER = dt.datetime(2026, 3, 14, 14, 5, tzinfo=dt.UTC)


def read_again(preferences: Preferences, paths: Paths) -> Preferences:
    """As the next start of the app reads them."""
    preferences.save()
    return Preferences(paths)


def write(paths: Paths, text: str) -> Preferences:
    """Preferences from a file that was edited by hand."""
    paths.state.mkdir(parents=True)
    (paths.state / "desktop.ini").write_text(text)
    return Preferences(paths)


def test_the_first_start_has_defaults(qapp, paths: Paths) -> None:
    fresh = Preferences(paths)
    assert (fresh.on_close, fresh.theme, fresh.language) == (OnClose.ASK, "system", "system")
    assert (fresh.editor, fresh.quick_keys, fresh.remember_in) == ("", DEFAULT_KEYS, "")
    assert (fresh.notifies, fresh.rests_on_battery, fresh.has_read_all) == (True, False, False)
    assert fresh.pause is False
    assert fresh.geometry("window").isEmpty()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("on_close", OnClose.KEEP_RUNNING),
        ("theme", "dark"),
        ("language", "es"),
        ("editor", "code --goto {file}:{line}"),
        ("editor", 'emacs "{file}", and more'),
        ("rests_on_battery", True),
        ("notifies", False),
        ("has_read_all", True),
        ("quick_keys", ""),
        ("remember_in", "home-notes"),
        ("pause", True),
        ("pause", False),
        ("pause", LATER),
    ],
)
def test_each_choice_outlives_the_app(qapp, paths: Paths, name: str, value: object) -> None:
    first = Preferences(paths)
    setattr(first, name, value)
    assert getattr(read_again(first, paths), name) == value


def test_places_of_windows_outlive_the_app(qapp, paths: Paths) -> None:
    first = Preferences(paths)
    first.keep_geometry("window", QByteArray(b"\x01\x00\xff"))
    assert read_again(first, paths).geometry("window") == QByteArray(b"\x01\x00\xff")


@pytest.mark.parametrize(
    "text",
    ["tomorrow", "2026-03-14T14:05", "2026-99-99T14:05+00:00", ""],
    ids=["a word", "without a time zone", "no such day", "nothing"],
)
def test_a_pause_that_makes_no_sense_is_none(qapp, paths: Paths, text: str) -> None:
    assert write(paths, f"[indexing]\npause={text}\n").pause is False


@pytest.mark.parametrize("text", ["maybe", "", "0", "yes"])
def test_only_true_switches_something_on(qapp, paths: Paths, text: str) -> None:
    assert write(paths, f"[indexing]\nrestOnBattery={text}\n").rests_on_battery is False
