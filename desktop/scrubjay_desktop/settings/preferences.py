"""Preferences of the window, kept from one start to the next."""

from __future__ import annotations

import datetime as dt
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Generic, TypeVar, get_args

from PySide6.QtCore import QByteArray, QSettings

from scrubjay.platform.paths import Paths
from scrubjay.records.search_modes import Order
from scrubjay_desktop.platform.hotkey.hotkey import DEFAULT_KEYS
from scrubjay_desktop.search.pinned_searches import PinnedSearch
from scrubjay_desktop.text.language import Language
from scrubjay_desktop.widgets.theme import ThemeChoice

T = TypeVar("T")
_MOST_SEARCHES = 30
"""Questions that are remembered at most."""


class OnClose(StrEnum):
    """What closing the window means."""

    ASK = "ask"
    KEEP_RUNNING = "keep"
    QUIT = "quit"


def default_on_close(system: str = sys.platform) -> OnClose:
    """The meaning before a person has chosen one: on a Mac, an app goes on without its window."""
    # Its icon in the Dock opens the window again. Apple's documentation of NSApplicationDelegate
    # describes this with `applicationShouldTerminateAfterLastWindowClosed`.
    if system == "darwin":
        return OnClose.KEEP_RUNNING
    return OnClose.ASK


class _Stored(Generic[T]):
    """A value of the ini file; one that read does not take, with ValueError, is the default."""

    def __init__(self, key: str, default: T, read: Callable[[str], T]) -> None:
        self._key = key
        self._default = default
        self._read = read

    def __get__(self, preferences: Preferences, _: type[Preferences]) -> T:
        try:
            return self._read(str(preferences.stored.value(self._key, self._default)))
        except ValueError:
            return self._default

    def __set__(self, preferences: Preferences, value: T) -> None:
        # An ini file holds texts; an enum would be pickled.
        preferences.stored.setValue(self._key, str(value))


def _is_on(text: str) -> bool:
    return text.lower() == "true"


def _one_of(choices: tuple[T, ...]) -> Callable[[str], T]:
    def read(text: str) -> T:
        return choices[choices.index(text)]

    return read


class Preferences:
    """The app's own memory, beside the settings file that users edit."""

    on_close = _Stored("window/onClose", default_on_close(), OnClose)
    """Choice of what closing the window means."""
    theme = _Stored[ThemeChoice]("window/theme", "system", _one_of(get_args(ThemeChoice)))
    """Light, dark, or as the system is."""
    language = _Stored[Language]("window/language", "system", _one_of(get_args(Language)))
    """English, Spanish, or as the system is; from the next start on."""
    editor = _Stored("editor/command", "", str)
    """The user's own command to open notes; empty for the default program."""
    rests_on_battery = _Stored("indexing/restOnBattery", default=False, read=_is_on)
    """Whether indexing pauses while the computer runs on battery."""
    notifies = _Stored("window/notifications", default=True, read=_is_on)
    """Whether notifications are shown while the window is not seen."""
    has_read_all = _Stored("indexing/hasReadAll", default=False, read=_is_on)
    """Whether it was announced that all notes were read for the first time."""
    shows_experts = _Stored("settings/showsExperts", default=False, read=_is_on)
    """Whether the experts' settings are unfolded."""
    keeps_searches = _Stored("search/keeps", default=True, read=_is_on)
    """Whether the last questions are remembered, and the one that is open when the app ends."""
    open_search = _Stored("search/open", "", str)
    """The question that was open when the app ended."""
    open_folder = _Stored("search/folder", "", str)
    """The workspace in which it was asked; empty for all."""
    order = _Stored[Order]("search/order", Order.RELEVANCE, Order)
    """The order of the rows of an answer."""
    questions_to_try = _Stored("search/questionsToTry", 5, int)
    """The number of questions until the user needs none to try."""
    shows_quick_preview = _Stored("quickSearch/preview", default=False, read=_is_on)
    """Whether the note of the chosen row is shown beside the rows of the popup."""
    zoom = _Stored("preview/zoom", 0, int)
    """Points that are added to the size of the text of notes."""
    shows_pdf_text = _Stored("preview/showsPdfText", default=False, read=_is_on)
    """Whether the text of a PDF is shown in place of its pages."""
    folds_related = _Stored("preview/foldsRelated", default=True, read=_is_on)
    """Whether the notes that belong to the shown one are folded."""
    shows_agents = _Stored("agents/isShown", default=False, read=_is_on)
    """Whether an agent was here at the last look, so that its page is in the navigation."""
    attention = _Stored("health/attention", 0, int)
    """Findings of the last health check that need the user, without those of the folders'
    status."""
    quick_keys = _Stored("quickSearch/keys", DEFAULT_KEYS, str)
    """The key that opens the popup, as Qt writes it for files; empty for none."""
    refused_keys = _Stored("quickSearch/refused", "", str)
    """The key whose refusal the user has been told."""
    remember_in = _Stored("remember/workspace", "", str)
    """The workspace in which something was remembered last; empty before the first time."""

    def __init__(self, paths: Paths) -> None:
        self.stored = QSettings(str(paths.state / "desktop.ini"), QSettings.Format.IniFormat)

    @property
    def programs(self) -> dict[str, str]:
        """Ends of names, such as `.md` -> the commands that open such files."""
        try:
            stored = json.loads(str(self.stored.value("editor/programs", "{}")))
            return {str(kind): str(command) for kind, command in stored.items()}
        except (ValueError, AttributeError):
            return {}

    @programs.setter
    def programs(self, programs: Mapping[str, str]) -> None:
        self.stored.setValue("editor/programs", json.dumps(dict(programs)))

    @property
    def searches(self) -> list[str]:
        """The last questions, the newest first."""
        # The file may have been edited by hand, or broken off.
        try:
            stored = json.loads(str(self.stored.value("search/recent", "[]")))
        except ValueError:
            return []
        if not isinstance(stored, list):
            return []
        return [str(text) for text in stored]

    def keep_search(self, text: str) -> None:
        """Remember a question as the newest one, where the user wants that."""
        if self.keeps_searches and text.strip():
            others = [each for each in self.searches if each != text]
            self.stored.setValue("search/recent", json.dumps([text, *others][:_MOST_SEARCHES]))

    def count_question(self) -> None:
        """Count one more question of the user."""
        self.questions_to_try = max(0, self.questions_to_try - 1)

    @property
    def pinned(self) -> list[PinnedSearch]:
        """The questions that stay in the sidebar."""
        try:
            stored = json.loads(str(self.stored.value("search/pinned", "[]")))
            return [PinnedSearch(**{str(key): str(each[key]) for key in each}) for each in stored]
        except (ValueError, TypeError):
            return []

    def keep_pinned(self, searches: Sequence[PinnedSearch]) -> None:
        """Remember these questions."""
        stored = json.dumps([search.stored() for search in searches])
        self.stored.setValue("search/pinned", stored)

    def forget_searches(self) -> None:
        """Keep no question, and not where one was asked."""
        for key in ("search/recent", "search/open", "search/folder"):
            self.stored.remove(key)

    @property
    def pause(self) -> dt.datetime | bool:
        """The end of a pause of indexing; True until the user resumes, False for no pause."""
        stored = str(self.stored.value("indexing/pause", ""))
        if stored == "resume":
            return True
        try:
            until = dt.datetime.fromisoformat(stored)
        except ValueError:
            return False
        # A time without its zone was not written by this app.
        return until if until.tzinfo else False

    @pause.setter
    def pause(self, until: dt.datetime | bool) -> None:
        text = "resume" if until else ""
        if isinstance(until, dt.datetime):
            text = until.isoformat()
        self.stored.setValue("indexing/pause", text)

    def geometry(self, name: str) -> QByteArray:
        """The saved state of a window or splitter; empty before the first time."""
        stored = self.stored.value(f"geometry/{name}", QByteArray())
        if not isinstance(stored, QByteArray):
            return QByteArray()
        return stored

    def keep_geometry(self, name: str, state: QByteArray) -> None:
        """Save the state of a window or splitter."""
        self.stored.setValue(f"geometry/{name}", state)

    def save(self) -> None:
        """Write everything now."""
        self.stored.sync()
