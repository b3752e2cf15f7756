"""What the window remembers from one start to the next."""

from __future__ import annotations

import datetime as dt
from enum import StrEnum
from typing import get_args

from PySide6.QtCore import QByteArray, QSettings

from scrubjay import Paths
from scrubjay_desktop.platform.hotkey.hotkey import DEFAULT_KEYS
from scrubjay_desktop.text.language import Language
from scrubjay_desktop.widgets.theme import Choice


class OnClose(StrEnum):
    """What closing the window means."""

    ASK = "ask"
    KEEP_RUNNING = "keep"
    QUIT = "quit"


class Preferences:
    """The app's own memory, beside the settings file that people edit."""

    def __init__(self, paths: Paths) -> None:
        self._stored = QSettings(str(paths.state / "desktop.ini"), QSettings.Format.IniFormat)

    @property
    def on_close(self) -> OnClose:
        """What closing the window means."""
        try:
            return OnClose(str(self._stored.value("window/onClose", OnClose.ASK)))
        except ValueError:
            return OnClose.ASK

    @on_close.setter
    def on_close(self, choice: OnClose) -> None:
        self._stored.setValue("window/onClose", str(choice))

    @property
    def theme(self) -> Choice:
        """Light, dark, or as the system is."""
        stored = str(self._stored.value("window/theme", "system"))
        return next((choice for choice in get_args(Choice) if choice == stored), "system")

    @theme.setter
    def theme(self, choice: Choice) -> None:
        self._stored.setValue("window/theme", choice)

    @property
    def language(self) -> Language:
        """English, Spanish, or as the system is; from the next start on."""
        stored = str(self._stored.value("window/language", "system"))
        return next((choice for choice in get_args(Language) if choice == stored), "system")

    @language.setter
    def language(self, choice: Language) -> None:
        self._stored.setValue("window/language", choice)

    @property
    def editor(self) -> str:
        """The person's own command to open notes; empty for the default program."""
        return str(self._stored.value("editor/command", ""))

    @editor.setter
    def editor(self, command: str) -> None:
        self._stored.setValue("editor/command", command)

    @property
    def rests_on_battery(self) -> bool:
        """Pause indexing while the computer runs on battery."""
        return self._is_on("indexing/restOnBattery", otherwise=False)

    @rests_on_battery.setter
    def rests_on_battery(self, on: bool) -> None:
        self._stored.setValue("indexing/restOnBattery", on)

    @property
    def notifies(self) -> bool:
        """Show notifications while the window is not seen."""
        return self._is_on("window/notifications", otherwise=True)

    @notifies.setter
    def notifies(self, on: bool) -> None:
        self._stored.setValue("window/notifications", on)

    @property
    def has_read_all(self) -> bool:
        """The first time all notes were read was announced."""
        return self._is_on("indexing/hasReadAll", otherwise=False)

    @has_read_all.setter
    def has_read_all(self, on: bool) -> None:
        self._stored.setValue("indexing/hasReadAll", on)

    @property
    def pause(self) -> dt.datetime | bool:
        """Until when the person paused indexing; True until they resume, False for not at all."""
        stored = str(self._stored.value("indexing/pause", ""))
        if stored == "resume":
            return True
        try:
            until = dt.datetime.fromisoformat(stored)
        except ValueError:
            return False
        return until if until.tzinfo else False

    @pause.setter
    def pause(self, until: dt.datetime | bool) -> None:
        kept = until.isoformat() if isinstance(until, dt.datetime) else "resume" if until else ""
        self._stored.setValue("indexing/pause", kept)

    @property
    def quick_keys(self) -> str:
        """The key that opens the popup, as Qt writes it for files; empty for none."""
        return str(self._stored.value("quickSearch/keys", DEFAULT_KEYS))

    @quick_keys.setter
    def quick_keys(self, keys: str) -> None:
        self._stored.setValue("quickSearch/keys", keys)

    @property
    def refused_keys(self) -> str:
        """The key of which the person knows that it cannot be had."""
        return str(self._stored.value("quickSearch/refused", ""))

    @refused_keys.setter
    def refused_keys(self, keys: str) -> None:
        self._stored.setValue("quickSearch/refused", keys)

    @property
    def remember_in(self) -> str:
        """The workspace in which something was remembered last; empty before the first time."""
        return str(self._stored.value("remember/workspace", ""))

    @remember_in.setter
    def remember_in(self, workspace_id: str) -> None:
        self._stored.setValue("remember/workspace", workspace_id)

    def geometry(self, name: str) -> QByteArray:
        """Where a window or splitter was; empty before the first time."""
        stored = self._stored.value(f"geometry/{name}", QByteArray())
        return stored if isinstance(stored, QByteArray) else QByteArray()

    def keep_geometry(self, name: str, state: QByteArray) -> None:
        """Remember where a window or splitter is."""
        self._stored.setValue(f"geometry/{name}", state)

    def _is_on(self, name: str, *, otherwise: bool) -> bool:
        # Ini files hold texts.
        return str(self._stored.value(name, otherwise)).lower() == "true"

    def save(self) -> None:
        """Write everything now."""
        self._stored.sync()
