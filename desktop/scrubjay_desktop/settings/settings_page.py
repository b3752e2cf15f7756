"""All settings in words: search them, change them, go back."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QFont, QPalette
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from scrubjay import ApiKeys, SettingsEditor
from scrubjay.errors import ScrubjayError
from scrubjay.events import Event, SettingsChanged
from scrubjay_desktop.bridge.bridge import Requests, Tasks
from scrubjay_desktop.settings.api_keys_panel import KeysPanel
from scrubjay_desktop.settings.setting_row import SettingRow
from scrubjay_desktop.settings.window_settings import WindowSettings
from scrubjay_desktop.text.formatting import translated
from scrubjay_desktop.widgets.banner import Offer, announce
from scrubjay_desktop.widgets.buttons import SmallButton
from scrubjay_desktop.widgets.theme import GRID, sized, slim

_WIDEST = 104 * GRID


class SettingsPage(QWidget):
    """The choices of the window first, then those of the settings file, then the keys."""

    file_requested = Signal()
    """The person wants to edit the settings file."""
    models_requested = Signal()
    announced = Signal(str, object)
    """A sentence, and an Offer to undo what it tells of or None."""

    def __init__(
        self,
        settings_editor: SettingsEditor,
        keys: ApiKeys,
        tasks: Tasks,
        window_settings: WindowSettings,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._choosing = settings_editor
        self._requests = Requests(tasks, self.announced)
        self.window_settings = window_settings
        self.keys = KeysPanel(keys, tasks)
        self.rows: dict[str, SettingRow] = {}
        self._groups: list[tuple[QLabel, list[SettingRow]]] = []
        self._build()
        self.keys.announced.connect(lambda sentence: self.announced.emit(sentence, None))

    def refresh(self) -> None:
        """Show what holds now; a row in which a person is typing keeps what is typed."""
        for choice in self._choosing.all():
            row = self.rows[choice.key]
            if not row.control.hasFocus() or choice.value != row.choice.value:
                row.show_choice(choice)

    def on_event(self, event: Event) -> None:
        """Somebody may have edited the file by hand."""
        if isinstance(event, SettingsChanged):
            self.refresh()

    def find_settings(self, text: str) -> None:
        """Show the settings in which all these words stand."""
        words = text.casefold().split()
        count = 0
        for title, rows in self._groups:
            shown = [row for row in rows if row.fits(words)]
            for row in rows:
                row.setVisible(row in shown)
            title.setVisible(bool(shown))
            count += len(shown)
        of_window = self.window_settings.find_settings(words)
        self._window_title.setVisible(of_window > 0)
        shows_keys = _begins_all(self._keys_title.text(), words)
        self._keys_title.setVisible(shows_keys)
        self.keys.setVisible(shows_keys)
        count += of_window + shows_keys
        self._nothing.setVisible(count == 0)
        if words:
            announce(self, self.tr("{n} settings").format(n=count))

    def _build(self) -> None:
        title = QLabel(self.tr("Settings"))
        title.setFont(sized(self.font(), 5, QFont.Weight.DemiBold))
        self.box = QLineEdit()
        self.box.setPlaceholderText(self.tr("Find a setting"))
        self.box.setAccessibleName(self.tr("Find a setting"))
        self.box.setClearButtonEnabled(True)
        self.box.setMinimumWidth(16 * GRID)
        self.box.setMaximumWidth(32 * GRID)
        self.box.textChanged.connect(self.find_settings)
        models = SmallButton(self.tr("Models…"))
        models.clicked.connect(self.models_requested)
        file = SmallButton(self.tr("Edit the settings file…"))
        file.clicked.connect(self.file_requested)
        top = QHBoxLayout()
        top.setContentsMargins(0, 0, 2 * GRID, 0)
        top.setSpacing(GRID)
        top.addWidget(title)
        top.addStretch(1)
        top.addWidget(self.box, 9)  # gives way first where there is little room
        top.addWidget(models)
        top.addWidget(file)
        area = QScrollArea()
        area.setAccessibleName(self.tr("Settings"))
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(self._content())
        slim(area)
        column = QVBoxLayout(self)
        column.setContentsMargins(3 * GRID, 3 * GRID, GRID, 0)
        column.setSpacing(2 * GRID)
        column.addLayout(top)
        column.addWidget(area, 1)

    def _content(self) -> QWidget:
        content = QWidget()
        content.setMaximumWidth(_WIDEST)
        self._column = QVBoxLayout(content)
        self._column.setContentsMargins(0, 0, 2 * GRID, 3 * GRID)
        self._column.setSpacing(GRID)
        self._nothing = QLabel(self.tr("No setting is called so."))
        self._nothing.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self._nothing.hide()
        self._column.addWidget(self._nothing)
        self._add_settings(first_only=True)
        self._window_title = self._heading(self.tr("This window"))
        self._column.addWidget(self.window_settings)
        self._add_settings(first_only=False)
        self._keys_title = self._heading(self.tr("Keys of providers"))
        self._column.addWidget(self.keys)
        self._column.addStretch(1)
        return content

    def _add_settings(self, *, first_only: bool) -> None:
        """Privacy stands above everything else, so it comes alone."""
        choices = self._choosing.all()
        first = choices[0].group
        group = ""
        for choice in choices:
            if (choice.group == first) != first_only:
                continue
            if choice.group != group:
                group = choice.group
                self._groups.append((self._heading(translated(group)), []))
            row = SettingRow(choice)
            row.chosen.connect(self._choose)
            row.reset_requested.connect(self._reset)
            self.rows[choice.key] = row
            self._groups[-1][1].append(row)
            self._column.addWidget(row)

    def _heading(self, text: str) -> QLabel:
        label = QLabel(text)
        label.setFont(sized(self.font(), 2, QFont.Weight.DemiBold))
        label.setContentsMargins(0, 2 * GRID, 0, 0)
        self._column.addWidget(label)
        return label

    def _choose(self, key: str, value: Any) -> None:
        self._change(key, lambda: self._choosing.set(key, value))

    def _reset(self, key: str) -> None:
        self._change(key, lambda: self._choosing.reset(key))

    def _change(self, key: str, act: Callable[[], Future[None]]) -> None:
        def done(_: None) -> None:
            # After the editor has settled: the row may be the one that is being left.
            QTimer.singleShot(0, self, self.refresh)
            sentence = self.tr("Changed: {title}").format(
                title=translated(self.rows[key].choice.title)
            )
            self.announced.emit(sentence, Offer(self.tr("Undo"), self._undo))

        def fail(error: ScrubjayError) -> None:
            self._requests.fail(error)
            self.rows[key].show_choice(self.rows[key].choice)

        self._requests.watch(act(), done, fail)

    def _undo(self) -> None:
        self._requests.watch(self._choosing.undo(), lambda _: self.refresh())


def _begins_all(text: str, words: list[str]) -> bool:
    """Whether each word begins one of the text.

    No single letters: the keychain, which may ask for a password, is opened for keys that are seen.
    """
    there = text.casefold().split()
    return all(len(word) > 2 and any(one.startswith(word) for one in there) for word in words)
