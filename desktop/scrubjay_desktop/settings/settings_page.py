"""The settings page: find settings, change them, undo changes."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QFrame, QLabel, QLineEdit, QToolButton, QWidget

from scrubjay.config.page_settings import Setting
from scrubjay.engine.key_commands import ApiKeys
from scrubjay.engine.undoable_settings import SettingsEditor
from scrubjay.event_bus import Event
from scrubjay.events import SettingsChanged
from scrubjay_desktop.bridge.bridge import Tasks
from scrubjay_desktop.settings.api_keys_panel import ApiKeysPanel
from scrubjay_desktop.settings.setting_changes import SettingChanges
from scrubjay_desktop.settings.setting_row import SettingRow
from scrubjay_desktop.settings.window_settings import WindowSettings
from scrubjay_desktop.text.formatting import format_number, translated
from scrubjay_desktop.widgets.banner import announce
from scrubjay_desktop.widgets.buttons import SmallButton
from scrubjay_desktop.widgets.labels import bold_label, page_title
from scrubjay_desktop.widgets.layouts import BEFORE_BAR, NONE, hbox, scroll_area, vbox
from scrubjay_desktop.widgets.theme import GRID

_MAX_WIDTH = 102 * GRID
"""Width up to which lines are easy to read."""


class SettingsPage(QWidget):
    """What people choose first; below it, folded, the settings for experts and the API keys."""

    file_requested = Signal()
    """Signal that the user wants to edit the settings file."""
    models_requested = Signal()
    bring_over_requested = Signal()
    announced = Signal(str, object)
    """Signal with a sentence, and an Offer to undo the change or None."""

    def __init__(
        self,
        settings_editor: SettingsEditor,
        keys: ApiKeys,
        tasks: Tasks,
        window_settings: WindowSettings,
    ) -> None:
        super().__init__()
        self._editor = settings_editor
        self._changes = SettingChanges(settings_editor, tasks, self)
        self._changes.announced.connect(self.announced)
        self._changes.changed.connect(self.refresh)
        self.window_settings = window_settings
        self.keys = ApiKeysPanel(keys, tasks)
        self.rows: dict[str, SettingRow] = {}
        # Headings get smaller further down the page.
        self._heading_points = 2
        self._groups: list[tuple[QLabel, list[SettingRow]]] = []
        self._build()
        self.keys.announced.connect(self.announced)

    def refresh(self) -> None:
        """Show the present values; a row that has the focus keeps a text being typed."""
        for setting in self._editor.all():
            # A text that is being typed is not replaced by the same old value.
            row = self.rows[setting.key]
            if not row.control.hasFocus() or setting.value != row.setting.value:
                row.show_setting(setting)
        self.keys.refresh()
        if self._shows_experts():
            self.unfold_experts(is_open=True)

    def on_event(self, event: Event) -> None:
        """Show the changes of the settings file, which may be edited by hand."""
        if isinstance(event, SettingsChanged):
            self.refresh()

    def find_settings(self, text: str) -> None:
        """Show the settings whose texts contain all these words."""
        words = text.casefold().split()
        hits = {key for key, row in self.rows.items() if row.fits(words)}
        for title, rows in self._groups:
            for row in rows:
                row.setVisible(row.setting.key in hits)
            title.setVisible(any(row.setting.key in hits for row in rows))
        # The choices of the window and the keys are found too, each by their own texts.
        of_window = self.window_settings.find_settings(words)
        self._window_title.setVisible(of_window > 0)
        shows_keys = _begins_all(self._keys_title.text(), words)
        self._keys_title.setVisible(shows_keys)
        self.keys.setVisible(shows_keys)
        # Experts' settings are unfolded where something in them was found.
        count = len(hits) + of_window + shows_keys
        self._nothing.setVisible(count == 0)
        of_experts = shows_keys or any(not self.rows[key].setting.is_everyday for key in hits)
        for widget in (self._rule, self.experts):
            widget.setVisible(of_experts or not words)
        is_open = self._shows_experts()
        if words:
            is_open = of_experts
        self.unfold_experts(is_open)
        if words:
            announce(self, self.tr("{n} {n:setting|settings}").format(n=format_number(count)))

    def unfold_experts(self, is_open: bool) -> None:
        """Show or hide the settings for experts."""
        arrow = Qt.ArrowType.RightArrow
        if is_open:
            arrow = Qt.ArrowType.DownArrow
        self.experts.setArrowType(arrow)
        self._experts.setVisible(is_open)

    def _shows_experts(self) -> bool:
        """Whether the user left them unfolded, or one of them has a problem."""
        settings = [row.setting for row in self.rows.values() if not row.setting.is_everyday]
        shows = self.window_settings.preferences.shows_experts
        return shows or any(setting.problem for setting in settings)

    def _fold_experts(self, is_open: bool) -> None:
        self.window_settings.preferences.shows_experts = is_open
        self.unfold_experts(is_open)

    def _build(self) -> None:
        title = page_title(self.tr("Settings"))
        self.box = QLineEdit()
        self.box.setPlaceholderText(self.tr("Find a setting"))
        self.box.setAccessibleName(self.tr("Find a setting"))
        self.box.setClearButtonEnabled(True)
        self.box.setMinimumWidth(16 * GRID)
        self.box.setMaximumWidth(32 * GRID)
        self.box.textChanged.connect(self.find_settings)
        models = SmallButton(self.tr("Language helpers…"))
        models.clicked.connect(self.models_requested)
        # The box has the largest stretch, so that it shrinks first where there is little room.
        parts = (title, 1, (self.box, 9), models)
        top = QWidget()
        hbox(*parts, on=top, margins=NONE, spacing=1)
        top.setMaximumWidth(_MAX_WIDTH)
        area = scroll_area(self._content(), self.tr("Settings"))
        above = hbox((top, 1), 0, margins=(0, 0, 2, 0), spacing=0)
        vbox(above, (area, 1), on=self, margins=(3, 3, 1, 0), spacing=2)

    def _content(self) -> QWidget:
        content = QWidget()
        content.setMaximumWidth(_MAX_WIDTH + int(BEFORE_BAR * GRID))
        self._column = vbox(on=content, margins=(0, 0, BEFORE_BAR, 3), spacing=1)
        self._nothing = QLabel(self.tr("No settings found."), textFormat=Qt.TextFormat.PlainText)
        self._nothing.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self._nothing.hide()
        self._column.addWidget(self._nothing)
        # What stays on this computer comes first, then the window, then all else for everyday.
        settings = self._editor.all()
        everyday = [setting for setting in settings if setting.is_everyday]
        privacy = [setting for setting in everyday if setting.group == settings[0].group]
        self._add_settings(privacy)
        self._window_title = self._heading(self.tr("Window"))
        self._column.addWidget(self.window_settings)
        self._add_settings([setting for setting in everyday if setting not in privacy])
        self._add_experts([setting for setting in settings if setting not in everyday])
        return content

    def _add_experts(self, settings: list[Setting]) -> None:
        # One button folds all that only experts need.
        self.experts = QToolButton()
        self.experts.setText(self.tr("For experts"))
        self.experts.setObjectName("experts")
        self.experts.setFont(bold_label("", 3).font())
        self.experts.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.experts.setAutoRaise(True)
        self._experts = QWidget()
        self.experts.clicked.connect(lambda: self._fold_experts(self._experts.isHidden()))
        self._column.addSpacing(3 * GRID)
        self._rule = QFrame()
        self._rule.setObjectName("rule")
        self._column.addWidget(self._rule)
        self._column.addWidget(self.experts)
        self._column.addWidget(self._experts)
        self._column.addStretch(1)
        # From here on rows go into the part that is folded.
        file = SmallButton(self.tr("Edit the settings file…"))
        file.clicked.connect(self.file_requested)
        bring = SmallButton(self.tr("Import settings from another program…"))
        bring.clicked.connect(self.bring_over_requested)
        buttons = hbox(file, bring, 1, spacing=1)
        self._column = vbox(buttons, on=self._experts, margins=NONE, spacing=1)
        self._heading_points = 1
        self._add_settings(settings)
        self._keys_title = self._heading(self.tr("Service keys"))
        self._column.addWidget(self.keys)
        self.unfold_experts(self._shows_experts())

    def _add_settings(self, settings: list[Setting]) -> None:
        group = ""
        # Settings come in the order of their groups.
        for setting in settings:
            if setting.group != group:
                group = setting.group
                self._groups.append((self._heading(translated(group)), []))
            row = SettingRow(setting)
            self._changes.follow(row)
            self.rows[setting.key] = row
            self._groups[-1][1].append(row)
            self._column.addWidget(row)

    def _heading(self, text: str) -> QLabel:
        label = bold_label(text, self._heading_points)
        label.setContentsMargins(0, 2 * GRID, 0, 0)
        self._column.addWidget(label)
        return label


def _begins_all(text: str, words: list[str]) -> bool:
    """Whether each word begins a word of the text."""
    parts = text.casefold().split()
    return all(any(part.startswith(word) for part in parts) for word in words)
